//! The rules of all documents, written out field by field.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{
    Circumstance, Demand, DemandSubject, Fact, Force, InstructionGroup, Member, Rule,
};
use laneproof_tokens as tokens;

use super::known::{Known, canonical, kind_of};
use super::values::{FieldValue, per_lane, unknown_elements};

/// All demands, in the order of the files.
pub struct Book<'t> {
    /// Each demand with its fields and values.
    pub resolved: Vec<ResolvedDemand<'t>>,
    /// Unknown names.
    pub problems: Vec<UnknownName<'t>>,
    /// What the rules rest on.
    pub known: Known<'t>,
}

/// A demand, written out.
#[derive(Clone)]
pub struct ResolvedDemand<'t> {
    /// The sentence.
    pub rule: &'t Rule,
    /// What it says.
    pub demand: &'t Demand,
    /// The fields that it is about, by instruction; of the module as a whole the instruction is
    /// empty. A label is about the empty field.
    pub places: BTreeSet<(String, String)>,
    /// The instructions of its group.
    pub instructions: BTreeSet<String>,
    /// The kind of tokens that its values are of.
    pub kind: &'t str,
    /// The values that it names.
    pub values: BTreeSet<FieldValue>,
}

/// An unknown name in a rule.
pub struct UnknownName<'t> {
    /// The sentence.
    pub rule: &'t Rule,
    /// The instructions that it is about.
    pub instructions: BTreeSet<String>,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a name.
pub enum Fault {
    /// Neither the grammar nor a document has this token of this kind.
    Token(String, Arc<str>),
    /// None of the instructions has this operand.
    Operand(Arc<str>),
}

impl<'t> Book<'t> {
    /// Writes out the rules of these texts.
    pub fn of(texts: &'t AsWritten) -> Self {
        let mut book = Self { resolved: Vec::new(), problems: Vec::new(), known: Known::of(texts) };
        for rule in &texts.specification.rules {
            for demand in &rule.demands {
                let resolved = book.written(rule, demand);
                book.check(&resolved);
                book.resolved.push(resolved);
            }
        }
        book
    }

    /// What a document says.
    pub fn of_document<'b>(
        &'b self,
        document: &'b str,
    ) -> impl Iterator<Item = &'b ResolvedDemand<'t>> {
        self.resolved.iter().filter(move |resolved| *resolved.rule.document == *document)
    }

    /// The documents that say something of modules.
    pub fn documents(&self) -> BTreeSet<&'t str> {
        self.resolved.iter().map(|resolved| &*resolved.rule.document).collect()
    }

    /// The instructions with demands.
    pub fn instructions(&self) -> BTreeSet<&str> {
        let all = self.resolved.iter().flat_map(|resolved| &resolved.instructions);
        all.map(String::as_str).filter(|name| name.starts_with("Op")).collect()
    }

    fn written(&self, rule: &'t Rule, demand: &'t Demand) -> ResolvedDemand<'t> {
        let (kind, instructions, places) = match &demand.subject {
            DemandSubject::Tokens(kind) => {
                let place = (String::new(), kind.to_string());
                (&**kind, BTreeSet::new(), BTreeSet::from([place]))
            }
            DemandSubject::Fields { fields, within, group } => {
                let instructions = self.group(group, within.as_ref().or(fields.first()));
                let places = self.places(&instructions, fields, within.as_deref());
                (fields.first().map_or("", |field| kind_of(field)), instructions, places)
            }
        };
        let values = per_lane(&demand.values, |word| canonical(kind, word));
        ResolvedDemand { rule, demand, places, instructions, kind, values }
    }

    fn group(&self, group: &InstructionGroup, field: Option<&Arc<str>>) -> BTreeSet<String> {
        let known = self.known;
        let has = |name: &&str| field.is_some_and(|field| known.has(name, field) == Some(true));
        let of_member = |member: &Member| -> BTreeSet<String> {
            match member {
                Member::Capability(capability) => known.enabled_by(capability),
                Member::Every => {
                    known.instructions().into_iter().filter(has).map(str::to_owned).collect()
                }
                Member::BuiltIn(name) => [name.to_string()].into(),
                Member::Named(name) => match name.strip_suffix('*') {
                    Some(beginning) => tokens::named_like(beginning).into_iter().collect(),
                    None => [name.to_string()].into(),
                },
            }
        };
        let mut all: BTreeSet<String> = group.members.iter().flat_map(of_member).collect();
        all.retain(|name| group.but.iter().all(|other| **other != **name));
        all
    }

    /// The fields that the instructions have. An undeclared instruction is taken to have all.
    fn places(
        &self,
        instructions: &BTreeSet<String>,
        fields: &[Arc<str>],
        within: Option<&str>,
    ) -> BTreeSet<(String, String)> {
        let mut places = BTreeSet::new();
        for instruction in instructions {
            let has = |field: &str| self.known.has(instruction, field).unwrap_or(true);
            if fields.is_empty() {
                places.insert((instruction.clone(), String::new()));
            }
            for field in fields {
                let place = match within {
                    Some(operand) if has(operand) => format!("{field} of {operand}"),
                    None if has(field) => field.to_string(),
                    _ => continue,
                };
                places.insert((instruction.clone(), place));
            }
        }
        places
    }

    /// Records unknown names.
    fn check(&mut self, resolved: &ResolvedDemand<'t>) {
        let mut faults = Vec::new();
        let mut token = |kind: &str, name: &Arc<str>| {
            if !self.known.token(kind, name) {
                faults.push(Fault::Token(kind.to_owned(), Arc::clone(name)));
            }
        };
        for values in &resolved.demand.values {
            if let laneproof_semantics::language::rule::Values::Words(words) = values {
                words.iter().for_each(|word| token(resolved.kind, word));
            }
            unknown_elements(values).iter().for_each(|word| token("Opcode", word));
        }
        let mut facts = Vec::new();
        resolved.demand.when.facts(&mut facts);
        for fact in facts {
            match fact {
                Fact::Capability(name) => token("Capability", name),
                Fact::Extension(name) => token("Extension", name),
                Fact::Is(field, words) => {
                    words.iter().for_each(|word| token(kind_of(field), word));
                }
                Fact::Supports(_) | Fact::Words(_) => {}
            }
        }
        if let DemandSubject::Fields { fields, within, group } = &resolved.demand.subject {
            for member in &group.members {
                match member {
                    Member::Capability(name) => token("Capability", name),
                    Member::BuiltIn(name) => token("BuiltIn", name),
                    Member::Named(name) if !name.ends_with('*') => token("Opcode", name),
                    _ => {}
                }
            }
            group.but.iter().for_each(|name| token("Opcode", name));
            let operands = within.iter().chain(fields.iter().filter(|_| within.is_none()));
            for operand in operands {
                let mut known =
                    resolved.instructions.iter().map(|it| self.known.has(it, operand)).peekable();
                if known.peek().is_some() && known.all(|has| has == Some(false)) {
                    faults.push(Fault::Operand(Arc::clone(operand)));
                }
            }
        }
        self.problems.extend(faults.into_iter().map(|fault| UnknownName {
            rule: resolved.rule,
            instructions: resolved.instructions.clone(),
            fault,
        }));
    }
}

impl ResolvedDemand<'_> {
    /// The document that says it.
    pub fn document(&self) -> &str {
        &self.rule.document
    }

    /// It says that values are legal.
    pub fn permits(&self) -> bool {
        matches!(self.demand.force, Force::Accepts | Force::AcceptsOnly)
    }

    /// The circumstances under which it holds.
    pub fn when(&self) -> &Circumstance {
        &self.demand.when
    }

    /// It is about this field, or about it among others.
    pub fn is_of(&self, instruction: &str, field: &str) -> bool {
        self.places.contains(&(instruction.to_owned(), field.to_owned()))
    }
}
