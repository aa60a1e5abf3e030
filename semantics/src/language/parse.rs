//! From text to declarations.

mod clause;
mod declaration;
mod expression;

use std::sync::Arc;

use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};

use super::ast::{BuiltIn, Clause, Function, Instruction, Operand, Profile, Reading, Span};
use crate::error::Mistake;

/// The parser that `grammar.pest` describes.
mod grammar {
    #![allow(missing_docs)]
    #[derive(pest_derive::Parser)]
    #[grammar = "language/grammar.pest"]
    pub struct Grammar;
}

use grammar::{Grammar, Rule};

/// One declaration of a file, its names not yet resolved.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `document`; the title is missing where a file only says which document it belongs to.
    Document {
        name: Arc<str>,
        edition: Option<(Arc<str>, Arc<str>)>,
    },
    /// `enumerants`: names of one kind of the grammar.
    Enumerants {
        kind: Arc<str>,
        names: Vec<Arc<str>>,
    },
    Function(Arc<Function>),
    Reading(Arc<Reading>),
    /// `profile`, with the profile that it starts from.
    Profile {
        profile: Profile,
        base: Option<Arc<str>>,
    },
    BuiltIn(Arc<BuiltIn>),
    Instruction(Instruction),
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

/// What a rule consists of, taken from left to right. The grammar guarantees the order, so a
/// part that is missing is a mistake of the parser, reported at the rule.
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

fn syntax(file: u32, text: &str, error: &Error<Rule>) -> Mistake {
    let start = match error.location {
        InputLocation::Pos(start) | InputLocation::Span((start, _)) => start,
    };
    let rest = &text[start..];
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let length = match word {
        0 => rest.chars().next().map_or(0, char::len_utf8),
        word => word,
    };
    let span = Span { file, start: start as u32, end: (start + length) as u32 };
    let found = match &rest[..length] {
        "" => "the end of the file".to_owned(),
        token => format!("`{token}`"),
    };
    match &error.variant {
        ErrorVariant::ParsingError { positives, .. } if !positives.is_empty() => {
            let mut expected: Vec<&str> = positives.iter().copied().map(describe).collect();
            expected.sort_unstable();
            expected.dedup();
            Mistake::new(span, format!("{found} does not fit here"), "unexpected")
                .help(format!("expected {}", one_of(&expected)))
        }
        _ => Mistake::new(span, format!("{found} does not fit here"), "unexpected"),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn one_of(items: &[&str]) -> String {
    match items {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

macro_rules! keywords {
    ($($rule:ident = $text:literal),* $(,)?) => {
        fn is_keyword(rule: Rule) -> bool {
            matches!(rule, $(Rule::$rule)|*)
        }

        fn keyword(rule: Rule) -> Option<&'static str> {
            match rule {
                $(Rule::$rule => Some(concat!("`", $text, "`")),)*
                _ => None,
            }
        }
    };
}

keywords! {
    k_document = "document", k_enumerants = "enumerants", k_function = "function",
    k_reading = "reading", k_profile = "profile", k_builtin = "builtin", k_table = "table",
    k_row = "row", k_instruction = "instruction", k_primitive = "primitive",
    k_extend = "extend", k_and = "and", k_or = "or", k_not = "not", k_implies = "implies",
    k_at = "at", k_is = "is", k_in = "in", k_of = "of", k_if = "if", k_then = "then",
    k_else = "else", k_where = "where", k_when = "when", k_unless = "unless",
    k_from = "from", k_over = "over", k_to = "to", k_let = "let", k_result = "result",
    k_results = "results", k_must = "must", k_store = "store", k_fold = "fold",
}

/// How a part of the grammar is called in a message.
fn describe(rule: Rule) -> &'static str {
    if let Some(keyword) = keyword(rule) {
        return keyword;
    }
    match rule {
        Rule::EOI => "the end of the file",
        Rule::name | Rule::label => "a name",
        Rule::integer => "a number",
        Rule::string | Rule::text => "a quoted text",
        Rule::expression
        | Rule::truth
        | Rule::conditional
        | Rule::quantified
        | Rule::quantifier
        | Rule::fold
        | Rule::question
        | Rule::call
        | Rule::reading_expression
        | Rule::logical_not
        | Rule::negate
        | Rule::bit_not => "an expression",
        Rule::implies
        | Rule::or
        | Rule::and
        | Rule::equal
        | Rule::not_equal
        | Rule::less
        | Rule::less_equal
        | Rule::greater
        | Rule::greater_equal
        | Rule::at
        | Rule::bit_and
        | Rule::bit_or
        | Rule::bit_xor
        | Rule::shift_left
        | Rule::shift_right
        | Rule::add
        | Rule::subtract
        | Rule::multiply
        | Rule::divide
        | Rule::remainder => "an operator",
        Rule::clause | Rule::sentences => "a clause (`[1] \"…\"`)",
        Rule::operand_type | Rule::simple_type | Rule::pointer_type => "a type",
        Rule::type_rule => "`where`",
        Rule::condition | Rule::when | Rule::unless => "`when` or `unless`",
        Rule::alternative | Rule::reading_choice => "an alternative (`| name`)",
        Rule::section => "`section`",
        Rule::operands => "`operands`",
        Rule::operand => "an operand (`Name : type`)",
        Rule::flag => "`optional`, `constant` or `each`",
        Rule::lane_set => "`active` or `existing`",
        Rule::parameters => "parameters",
        Rule::consequence | Rule::undefined_value | Rule::undefined_behavior | Rule::silence => {
            "`undefined value`, `undefined behavior` or `silence`"
        }
        Rule::componentwise => "`componentwise`",
        Rule::component_of
        | Rule::any_type
        | Rule::type_shape
        | Rule::only_scalar
        | Rule::only_vector => "`scalar`, `vector`, `any` or `component of`",
        Rule::revision => "a revision",
        Rule::row => "`row`",
        Rule::statement
        | Rule::let_statement
        | Rule::result_statement
        | Rule::undefined
        | Rule::must
        | Rule::labelled
        | Rule::such_that
        | Rule::in_some_order
        | Rule::store
        | Rule::reading_statement => "a statement",
        Rule::document
        | Rule::enumerants
        | Rule::function
        | Rule::reading_declaration
        | Rule::profile
        | Rule::built_in
        | Rule::table
        | Rule::instruction
        | Rule::extension => "a declaration",
        _ => "something else",
    }
}
