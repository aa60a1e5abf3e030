//! From text to declarations.

mod clause;
mod declaration;
mod expression;
mod fact;
mod formula;
mod margin;
mod rule;
mod syntax;

use std::sync::Arc;

use laneproof_grammar::{Grammar, Rule};
use pest::Parser as _;
use pest::iterators::{Pair, Pairs};

use super::ast::{
    BuiltIn, Clause, Operand, Reading, ReadingKind, ReadingProfile, Span, SpecFunction,
    SpecInstruction,
};
use super::fact::TokenFact;
use super::margin::Margin;
use super::rule::Rule as Sentence;
use crate::error::Mistake;

use syntax::{is_keyword, syntax};

/// The revision of a document that is meant, and its title.
#[derive(Clone, Debug)]
pub(crate) struct Edition {
    pub(crate) span: Span,
    pub(crate) revision: Arc<str>,
    pub(crate) title: Arc<str>,
}

/// One declaration of a file, its names not yet resolved.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `document`; the title is missing where a file only says which document it belongs to.
    Document {
        name: Arc<str>,
        edition: Option<Edition>,
        /// The environments that it says it is for, and where it says so.
        environments: Vec<(Arc<str>, Span)>,
    },
    /// `arithmetic`: how exact it is.
    Margin(Arc<Margin>),
    Fact(Arc<TokenFact>),
    Rule(Arc<Sentence>),
    /// `enumerants`: names of one kind of the grammar.
    Enumerants {
        kind: Arc<str>,
        names: Vec<Arc<str>>,
        span: Span,
    },
    Function(Arc<SpecFunction>),
    Reading(Arc<Reading>),
    Kind(Arc<ReadingKind>),
    /// `profile`, with the profile that it starts from.
    Profile {
        profile: ReadingProfile,
        base: Option<Arc<str>>,
    },
    BuiltIn(Arc<BuiltIn>),
    Instruction(SpecInstruction),
    /// `extend`: operands and clauses for an instruction that another document defines.
    Extension {
        instruction: Arc<str>,
        operands: Vec<Operand>,
        clauses: Vec<Arc<Clause>>,
        span: Span,
    },
}

/// Reads the text of one file; `file` is its index in the list of sources.
pub(crate) fn parse(file: u32, text: &str) -> Result<Vec<Item>, Mistake> {
    if u32::try_from(text.len()).is_err() {
        let span = Span { file, start: 0, end: 0 };
        return Err(Mistake::new(span, "the file is larger than 4 GiB", "here"));
    }
    let pairs = Grammar::parse(Rule::file, text).map_err(|error| syntax(file, text, &error))?;
    declaration::Builder::new(file).items(pairs)
}

/// The text before an expression that is parsed alone.
const BEFORE: &str = "document D primitive p result bool [1] \"s\" result is\n";

/// Why a text is no expression, and at which of its bytes; `None` where it is one. Names in it are
/// not looked up.
pub fn not_an_expression(text: &str) -> Option<(usize, String)> {
    let mistake = match parse(0, &format!("{BEFORE}{text}\n")) {
        Err(mistake) => mistake,
        Ok(items) if items.len() > 2 => {
            return Some((0, "expected one expression, found declarations".to_owned()));
        }
        Ok(_) => return None,
    };
    let byte = (mistake.span.start as usize).saturating_sub(BEFORE.len());
    Some((byte.min(text.len()), mistake.message))
}

/// A position in one file, shared by the builders of the tree.
#[derive(Clone, Copy)]
struct Place {
    file: u32,
}

impl Place {
    fn span(self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let text = span.as_str().trim_end();
        let start = span.start() as u32;
        Span { file: self.file, start, end: start + text.len() as u32 }
    }

    /// The parts of a rule without its keywords.
    fn parts(self, pair: Pair<'_, Rule>) -> Parts<'_> {
        Parts { span: self.span(&pair), pairs: pair.into_inner() }
    }
}

/// The parts of a rule, from left to right. The grammar guarantees the order, so a missing part is
/// an error of the parser, reported at the rule.
struct Parts<'i> {
    span: Span,
    pairs: Pairs<'i, Rule>,
}

impl<'i> Parts<'i> {
    fn next(&mut self) -> Result<Pair<'i, Rule>, Mistake> {
        let missing = Mistake::new(self.span, "something is missing", "in this");
        self.take().ok_or(missing)
    }

    fn text(&mut self) -> Result<Arc<str>, Mistake> {
        self.next().map(|pair| Arc::from(pair.as_str()))
    }

    /// The next part if there is one.
    fn take(&mut self) -> Option<Pair<'i, Rule>> {
        self.pairs.by_ref().find(|pair| !is_keyword(pair.as_rule()))
    }

    /// The next part if it is of this rule.
    fn take_if(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        while self.pairs.peek().is_some_and(|pair| is_keyword(pair.as_rule())) {
            self.pairs.next();
        }
        self.pairs.peek().filter(|pair| pair.as_rule() == rule).and_then(|_| self.pairs.next())
    }
}

/// The characters of a string literal, without the quotes, on one line.
fn string(pair: &Pair<'_, Rule>) -> Arc<str> {
    let inner = pair.as_str().trim_matches('"');
    Arc::from(inner.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn integer(place: Place, pair: &Pair<'_, Rule>) -> Result<u128, Mistake> {
    let digits = pair.as_str().replace('_', "");
    let value = match digits.strip_prefix("0x") {
        Some(hexadecimal) => u128::from_str_radix(hexadecimal, 16),
        None => digits.parse(),
    };
    value.map_err(|_| {
        Mistake::new(place.span(pair), "this number does not fit in 128 bits", "too large")
    })
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn one_of(items: &[&str]) -> String {
    match items {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
