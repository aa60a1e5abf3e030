//! What documents say of tokens, beside the grammar and beside the instructions declared here.

use std::sync::Arc;

use laneproof_module::grammar::INSTRUCTION_TABLE;
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::SpecInstruction;
use laneproof_semantics::language::fact::{StatedOperand, TokenFact, Words};

use super::instruction::{Count, GrammarEntry, list};
use super::token::{self, Token};
use super::{Noted, Observation, Respect, any_of};

/// What the grammar says otherwise, fact by fact.
pub(super) fn observations(specification: &Specification) -> Vec<Observation> {
    let mut found = Vec::new();
    for fact in &specification.facts {
        let lines = match &*fact.kind {
            "Opcode" => of_instruction(fact, specification.instructions.get(&fact.token)),
            "Extension" => of_extension(&fact.token),
            kind if token::KINDS.contains(&kind) => of_token(fact),
            kind => vec![format!("the grammar has no tokens of kind {kind}").into()],
        };
        found.extend(lines.into_iter().map(|noted| observed(fact, noted)));
    }
    found
}

/// A difference at the place of a fact.
pub(super) fn observed(fact: &TokenFact, noted: impl Into<Noted>) -> Observation {
    Observation {
        kind: fact.kind.to_string(),
        token: fact.token.to_string(),
        document: fact.document.to_string(),
        citation: fact.citation(),
        noted: noted.into(),
    }
}

fn of_instruction(fact: &TokenFact, declared: Option<&Arc<SpecInstruction>>) -> Vec<Noted> {
    let Some(entry) = GrammarEntry::of(&fact.token) else {
        return vec![unknown("instruction", &fact.kind, &fact.token).into()];
    };
    let mut lines = Vec::new();
    if *fact.token != entry.name() {
        lines.push(Noted::renamed(&entry.name()));
    }
    lines.extend(
        number(fact, entry.opcode(), |number| {
            GrammarEntry::numbered(number).map(|other| other.name())
        })
        .map(Noted::from),
    );
    let theirs = entry.counts();
    lines.extend(fact.words.and_then(|words| word_count(words, &theirs)).map(Noted::from));
    if !fact.operands.is_empty() && !fact.adds {
        let ours: Vec<Count> = fact.operands.iter().map(stated).collect();
        if ours != theirs {
            let (ours, theirs) = (list(&ours), list(&theirs));
            let words = format!("has {ours} operands in its table, {theirs} in the grammar");
            lines.push(words.into());
        }
    }
    lines.extend(declared.and_then(|declared| names(fact, declared)).map(Noted::from));
    lines.extend(capabilities(fact, &entry.capabilities()).map(Noted::from));
    lines.extend(brought_by(fact, &entry.extensions()).map(Noted::from));
    lines
}

fn of_token(fact: &TokenFact) -> Vec<Noted> {
    let Some(known) = token::named(&fact.kind, &fact.token) else {
        return vec![unknown(&fact.kind, &fact.kind, &fact.token).into()];
    };
    let mut lines = Vec::new();
    if *fact.token != known.name {
        lines.push(Noted::renamed(&known.name));
    }
    let other = |number| token::numbered(&fact.kind, number).map(|it: Token| it.name);
    lines.extend(number(fact, known.number, other).map(Noted::from));
    let theirs = known.capabilities();
    lines.extend(capabilities(fact, &theirs).map(Noted::from));
    let declares = canonical(&fact.declares);
    if !declares.is_empty() && declares != theirs {
        let (ours, theirs) = (any_of(&declares), any_of(&theirs));
        lines.push(Noted {
            respect: Respect::Dependency,
            difference: format!("declares or depends on {ours}, on {theirs} in the grammar"),
        });
    }
    lines.extend(brought_by(fact, &known.extensions()).map(Noted::from));
    lines
}

fn of_extension(name: &str) -> Vec<Noted> {
    match token::extensions().contains(name) {
        true => Vec::new(),
        false => vec![unknown("extension", "Extension", name).into()],
    }
}

fn unknown(what: &str, kind: &str, name: &str) -> String {
    let nearest = token::nearest(kind, name).map(|name| format!(", but {name}"));
    format!("the grammar has no such {what}{}", nearest.unwrap_or_default())
}

fn number(fact: &TokenFact, known: u32, other: impl Fn(u32) -> Option<String>) -> Option<String> {
    let number = fact.number.filter(|&number| number != known)?;
    let taken = other(number).map(|name| format!(", where {number} is {name}"));
    Some(format!("its number is {number}, {known} in the grammar{}", taken.unwrap_or_default()))
}

/// A word each, and one for opcode and length.
fn word_count(words: Words, operands: &[Count]) -> Option<String> {
    let least = 1 + operands.iter().filter(|&&count| count == Count::One).count() as u32;
    let theirs = Words { least, more: operands.iter().any(|&count| count != Count::One) };
    (words != theirs).then(|| format!("has {words} words, {theirs} by the grammar"))
}

fn stated(operand: &StatedOperand) -> Count {
    if operand.optional { Count::Optional } else { Count::One }
}

/// The grammar that is linked here has no names of operands; the declarations have.
fn names(fact: &TokenFact, declared: &SpecInstruction) -> Option<String> {
    let results = ["ResultType", "Result"];
    let ours = fact.operands.iter().filter(|it| !results.contains(&&*it.name));
    let ours: Vec<String> = ours.map(|it| it.name.to_lowercase()).collect();
    let declared: Vec<String> = declared.operands.iter().map(|it| it.name.to_lowercase()).collect();
    let fits = match fact.adds {
        true => ours.iter().all(|name| declared.contains(name)),
        // Documents that add operands to an instruction add them behind its own.
        false => declared.starts_with(&ours),
    };
    let differ = !fits && !ours.is_empty();
    differ.then(|| {
        let (ours, declared) = (ours.join(", "), declared.join(", "));
        format!("operands are {ours} in its table, {declared} where it is declared")
    })
}

/// All that are stated, or where they come on top of others, each of them.
fn capabilities(fact: &TokenFact, theirs: &[String]) -> Option<String> {
    let ours = canonical(&fact.capabilities);
    let fits = match fact.adds {
        true => ours.iter().all(|name| theirs.contains(name)),
        false => ours == theirs,
    };
    let differ = !fits && !ours.is_empty();
    differ.then(|| format!("needs {}, {} in the grammar", any_of(&ours), any_of(theirs)))
}

/// Capabilities by the grammar's names, where it knows them.
fn canonical(names: &[Arc<str>]) -> Vec<String> {
    let name = |name: &Arc<str>| {
        token::named("Capability", name).map_or_else(|| name.to_string(), |known| known.name)
    };
    names.iter().map(name).collect()
}

fn brought_by(fact: &TokenFact, theirs: &[&str]) -> Option<String> {
    let missing: Vec<_> = fact.extensions.iter().filter(|it| !theirs.contains(&&***it)).collect();
    let differ = !missing.is_empty();
    differ.then(|| {
        let missing: Vec<&str> = missing.iter().map(|name| &***name).collect();
        format!("comes from {}, from {} in the grammar", missing.join(" and "), any_of(theirs))
    })
}

impl GrammarEntry {
    /// By its number.
    pub(super) fn numbered(number: u32) -> Option<Self> {
        INSTRUCTION_TABLE.lookup_opcode(number).map(Self::at)
    }

    /// The number of each operand, with result type and result.
    fn counts(self) -> Vec<Count> {
        self.operands.iter().map(|operand| Count::of(operand.quantifier)).collect()
    }

    /// The extensions that bring it, or that bring the capabilities that it needs.
    fn extensions(self) -> Vec<&'static str> {
        let own = self.extensions.iter().copied();
        let needed = self.capabilities();
        let needed = needed.iter().filter_map(|name| token::named("Capability", name));
        let mut all: Vec<&str> = own.chain(needed.flat_map(|it| it.extensions())).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
