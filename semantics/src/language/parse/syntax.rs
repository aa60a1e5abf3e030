//! The message for a text that does not parse.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::one_of;
use crate::error::Mistake;
use crate::language::ast::Span;
use laneproof_grammar::Rule;

/// The place where no rule fits, and what would.
pub(super) fn syntax(file: u32, text: &str, error: &Error<Rule>) -> Mistake {
    let start = match error.location {
        InputLocation::Pos(start) | InputLocation::Span((start, _)) => start,
    };
    let rest = text.get(start..).unwrap_or_default();
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let (found, start, length) = match rest.chars().next() {
        Some(first) => {
            let length = word.max(first.len_utf8());
            (format!("unexpected `{}`", shown(&rest[..length])), start, length)
        }
        // At the end of the text the message points at the last character.
        None => {
            let text = text.trim_end();
            let last = text.chars().next_back().map_or(0, char::len_utf8);
            ("unexpected end of the text".to_owned(), text.len() - last, last)
        }
    };
    let span = Span { file, start: start as u32, end: (start + length) as u32 };
    if rest.starts_with('"') && !rest[1..].contains('"') {
        return Mistake::new(span, "a quoted text without an end", "it begins here")
            .help("close it with `\"`");
    }
    match &error.variant {
        ErrorVariant::ParsingError { positives, .. } if !positives.is_empty() => {
            if let Some(length) = misspelt_consequence(rest, positives) {
                let span = Span { end: span.start + length as u32, ..span };
                let found = format!("unexpected `{}`", shown(&rest[..length]));
                let help = "expected `undefined value` or `undefined behavior`";
                return Mistake::new(span, found, "here").help(help);
            }
            let expected = expected(positives);
            Mistake::new(span, found, "here").help(format!("expected {}", one_of(&expected)))
        }
        ErrorVariant::ParsingError { .. } => Mistake::new(span, found, "here"),
        ErrorVariant::CustomError { message } => Mistake::new(span, message, "here"),
    }
}

/// A part of the text as a message quotes it, in one line.
fn shown(text: &str) -> String {
    let quoted = |c: char| match c {
        '"' | '\'' => vec![c],
        c => c.escape_debug().collect(),
    };
    text.chars().flat_map(quoted).collect()
}

/// The length of `undefined` and the word after it where a statement is expected.
fn misspelt_consequence(rest: &str, positives: &[Rule]) -> Option<usize> {
    if !positives.iter().any(|rule| describe(*rule) == "a statement") {
        return None;
    }
    let after = rest.strip_prefix("undefined")?;
    let word = after.trim_start_matches([' ', '\t']);
    let length = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
    (length > 0 && word.len() < after.len()).then(|| rest.len() - word.len() + length)
}

/// Names of what would fit, each once; words of one kind together under the kind's name.
fn expected(rules: &[Rule]) -> Vec<&'static str> {
    const KINDS: [(&[&str], &str); 3] = [
        (
            &[
                "`document`",
                "`facts`",
                "`rules`",
                "`enumerants`",
                "`function`",
                "`profile`",
                "`environment`",
                "`arithmetic`",
                "`builtin`",
                "`table`",
                "`instruction`",
                "`primitive`",
                "`extend`",
                "`kind`",
            ],
            "a declaration",
        ),
        (&["`and`", "`or`", "`implies`", "`at`", "`is`"], "an operator"),
        (&["`not`", "`if`", "`fold`", "`some_order`", "a number"], "an expression"),
    ];
    let mut names: Vec<&str> = rules.iter().copied().map(describe).collect();
    for (members, kind) in KINDS {
        if names.iter().filter(|name| members.contains(name)).count() > 1 {
            names.retain(|name| !members.contains(name));
            names.push(kind);
        }
    }
    names.sort_unstable();
    names.dedup();
    // `reading` begins a declaration, a statement and an expression.
    if names.iter().any(|name| ["a declaration", "an expression"].contains(name)) {
        names.retain(|name| *name != "`reading`");
    }
    names
}

macro_rules! keywords {
    ($($rule:ident = $text:literal),* $(,)?) => {
        /// True for words that only hold a rule together.
        pub(super) fn is_keyword(rule: Rule) -> bool {
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
    k_document = "document", k_facts = "facts", k_enumerants = "enumerants", k_function = "function",
    k_reading = "reading", k_profile = "profile", k_builtin = "builtin", k_table = "table",
    k_row = "row", k_instruction = "instruction", k_primitive = "primitive",
    k_extend = "extend", k_and = "and", k_or = "or", k_not = "not", k_implies = "implies",
    k_at = "at", k_is = "is", k_in = "in", k_of = "of", k_if = "if", k_then = "then",
    k_else = "else", k_where = "where", k_when = "when", k_unless = "unless",
    k_from = "from", k_over = "over", k_to = "to", k_let = "let", k_result = "result",
    k_results = "results", k_must = "must", k_kind = "kind", k_for = "for",
    k_varies = "varies", k_orders = "orders", k_example = "example", k_store = "store", k_fold = "fold", k_some_order = "some_order",
    k_words = "words", k_operands = "operands", k_capability = "capability",
    k_declares = "declares", k_extension = "extension", k_supports = "supports",
    k_rules = "rules", k_but = "but",
    k_environment = "environment", k_replaces = "replaces", k_arithmetic = "arithmetic",
    k_allows = "allows", k_revision = "revision",
}

/// A part of what an environment allows of arithmetic.
fn part_of_margin(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::margin => "`allows`",
        Rule::device_profile | Rule::profile_name => "`of full` or `of embedded`",
        Rule::bounded => "`error`, `absolute` or `inherited`",
        Rule::domain | Rule::domain_side => "`within` or `beyond`",
        Rule::formats => "`of`",
        Rule::computed_by => "`for`",
        Rule::computed => "an instruction",
        Rule::unless_word => "`unless`",
        _ => return None,
    })
}

/// How a part of the grammar is called in a message.
fn describe(rule: Rule) -> &'static str {
    if let Some(keyword) = keyword(rule) {
        return keyword;
    }
    match rule {
        Rule::EOI => "the end of the file",
        Rule::name | Rule::instruction_name | Rule::label => "a name",
        Rule::integer => "a number",
        Rule::string | Rule::text => "a quoted text",
        Rule::clause | Rule::sentences => "a clause (`[1] \"…\"`)",
        Rule::operand_type | Rule::simple_type | Rule::pointer_type => "a type",
        Rule::type_rule => "`where`",
        Rule::condition | Rule::when | Rule::unless => "`when` or `unless`",
        Rule::alternative | Rule::reading_choice => "an alternative (`| name`)",
        Rule::section => "`section`",
        Rule::replaced => "`replaces`",
        Rule::settled_by => "`by`",
        Rule::speaks_for => "`for`",
        Rule::operands => "`operands`",
        Rule::operand => "an operand (`Name : type`)",
        Rule::flag => "`optional`, `constant` or `each`",
        Rule::lane_set => "`active`, `existing` or `subgroup`",
        Rule::range => "a range (`0 to 3`)",
        Rule::storage => "`buffers`, `workgroup` or `images`",
        Rule::varies
        | Rule::orders
        | Rule::example
        | Rule::remark
        | Rule::term_word
        | Rule::repaired_word
        | Rule::ignored
        | Rule::ignored_word => "a statement",
        Rule::parameters => "parameters",
        Rule::consequence
        | Rule::undefined_value
        | Rule::undefined_behavior
        | Rule::implementation_value
        | Rule::silence => {
            "`undefined value`, `undefined behavior`, `implementation value` or `silence`"
        }
        Rule::componentwise => "`componentwise`",
        Rule::component_of
        | Rule::pair_of
        | Rule::any_type
        | Rule::type_shape
        | Rule::only_scalar
        | Rule::only_vector => "`scalar`, `vector`, `any`, `component of` or `pair of`",
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
        Rule::file => "a declaration, as `document`, `instruction` or `primitive`",
        Rule::row_index => "`, ROW`",
        Rule::document
        | Rule::enumerants
        | Rule::function
        | Rule::reading_declaration
        | Rule::profile
        | Rule::arithmetic
        | Rule::environment
        | Rule::built_in
        | Rule::table
        | Rule::instruction
        | Rule::extension => "a declaration",
        _ => part_of_formula(rule)
            .or_else(|| part_of_expression(rule))
            .or_else(|| part_of_kind(rule))
            .or_else(|| part_of_margin(rule))
            .or_else(|| part_of_rule(rule))
            .unwrap_or("something else"),
    }
}

/// Of a formula over real numbers.
fn part_of_formula(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::formula
        | Rule::formula_choice
        | Rule::formula_term
        | Rule::formula_factor
        | Rule::formula_call
        | Rule::formula_name => "a formula",
        Rule::decimal => "a number",
        Rule::power | Rule::power_sign => "a power",
        _ => return None,
    })
}

/// Of an expression.
fn part_of_expression(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::expression
        | Rule::truth
        | Rule::conditional
        | Rule::quantified
        | Rule::quantifier
        | Rule::fold
        | Rule::some_order
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
        _ => return None,
    })
}

/// Of a kind of choice point.
fn part_of_kind(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::kind => "`kind`",
        Rule::open_shape
        | Rule::open_operand
        | Rule::open_integer
        | Rule::open_lanes
        | Rule::any_must
        | Rule::any_label => "a shape",
        Rule::kind_choice => "an alternative (`| name`)",
        _ => return None,
    })
}

/// Of a rule on modules.
fn part_of_rule(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::force | Rule::demand | Rule::list_end => {
            "`accepts`, `accepts only`, `requires`, `forbids`, `mentions`, `complete` or `closed`"
        }
        Rule::field | Rule::subject => "a field",
        Rule::group | Rule::enabled | Rule::every | Rule::opcode | Rule::variable => "instructions",
        Rule::value
        | Rule::types
        | Rule::multiples
        | Rule::alike
        | Rule::alike_part
        | Rule::alike_word
        | Rule::at_least
        | Rule::version_number
        | Rule::value_words
        | Rule::value_word => "a value",
        Rule::circumstance | Rule::together | Rule::not_so => "a circumstance",
        _ => return None,
    })
}
