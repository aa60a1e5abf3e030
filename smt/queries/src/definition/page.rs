//! One instruction's script: what it is about, declarations, definitions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use laneproof_semantics::denote::{Cause, DenoteError, LaneOutcome};
use laneproof_semantics::language::ast::Clause;
use laneproof_semantics::term::{Binary, Node, Term};

use super::symbolic::Symbolic;
use super::terms::{Writer, sort};
use super::{Definition, FEW_LANES};
use crate::model_check::Clauses;

/// Whose script it is, and the clauses that it is made from.
pub(super) fn header(definition: &Definition, clauses: Clauses<'_>) -> String {
    let (document, clauses) = match clauses {
        Clauses::Instruction(it) => (&it.document, &it.clauses),
        Clauses::BuiltIn(it) => (&it.document, &it.clauses),
    };
    let modules: Vec<&str> = definition.module_kinds.iter().map(|it| it.capability()).collect();
    let mut out =
        format!("; {} ({document}), in {} modules\n", definition.name, modules.join(", "));
    if !definition.form.is_empty() {
        comment(&mut out, &definition.form);
    }
    if definition.bounded {
        let _ = writeln!(out, "; Speaks of all lanes: at most {FEW_LANES} exist.");
    }
    for clause in clauses {
        let Clause { id, wording, .. } = &**clause;
        comment(&mut out, &format!("{id}: {wording}"));
    }
    out
}

/// A comment of as many lines as it needs; further ones are indented.
fn comment(out: &mut String, text: &str) {
    let mut line = String::from(";");
    for word in text.split(' ') {
        if line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(out, "{line}");
            line = String::from(";  ");
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
}

/// Declarations and definitions.
pub(super) fn body(group: &mut Symbolic<'_>, outcome: &LaneOutcome) -> Result<String, DenoteError> {
    let state = state(group);
    let relation = group.pool.all(outcome.such_that.iter().copied());
    let behavior = group.pool.any(conditions(&outcome.undefined_behavior));
    let silence = group.pool.any(conditions(&outcome.silence));
    let mut roots = vec![state, relation, behavior, silence];
    for causes in [&outcome.undefined_value, &outcome.undefined_behavior, &outcome.silence] {
        roots.extend(conditions(causes));
    }
    roots.extend(outcome.leaves.iter().flat_map(|leaf| [leaf.bits, leaf.undefined]));
    let (writer, shared) = Writer::new(&group.pool, &roots);
    if writer.numbers() {
        return Err(DenoteError::NotModelled("floating-point arithmetic in a definition".into()));
    }
    let define = |name: &str, term: Term| {
        format!("(define-fun {name} () {} {})", sort(group.pool.sort(term)), writer.word(term))
    };
    let mut page = Page(String::from("(set-logic QF_UFBV)\n"));
    page.part("the state, and the operands as functions of the lane", declarations(group, &roots));
    page.part("words that SMT-LIB does not have", writer.helpers());
    page.part("what occurs more than once", shared);
    page.part("the states that this is about: `id` is an active lane", [define("state", state)]);
    for (what, causes) in [
        ("undefined-value", &outcome.undefined_value),
        ("undefined-behavior", &outcome.undefined_behavior),
        ("silence", &outcome.silence),
    ] {
        for (number, cause) in (1..).zip(causes) {
            let by = cause.reading.iter().map(|name| format!(" (by the reading {name})"));
            let title = format!("{}{}", cause.clause, by.collect::<String>());
            let name = format!("{what}.{number}");
            page.part(&title, [define(&name, cause.condition)]);
        }
    }
    let count = outcome.leaves.len();
    let results = outcome.leaves.iter().enumerate().flat_map(|(number, leaf)| {
        let name = if count == 1 { "result".to_owned() } else { format!("result.{number}") };
        [define(&name, leaf.bits), define(&format!("{name}.undefined"), leaf.undefined)]
    });
    page.part("the result in lane `id`: its bits, and whether it is undefined", results);
    page.part("no execution means anything", [define("undefined-behavior", behavior)]);
    page.part("no clause says anything", [define("silence", silence)]);
    if !outcome.such_that.is_empty() {
        let title = "what ties together the results that the text leaves open (`chosen`)";
        page.part(title, [define("relation", relation)]);
    }
    Ok(page.0)
}

fn conditions(causes: &[Cause]) -> impl Iterator<Item = Term> {
    causes.iter().map(|cause| cause.condition)
}

/// Lines under titles.
struct Page(String);

impl Page {
    fn part(&mut self, title: &str, lines: impl IntoIterator<Item = String>) {
        let lines: Vec<String> = lines.into_iter().collect();
        if !lines.is_empty() {
            let _ = writeln!(self.0, "; -- {title}");
            for line in lines {
                layout(&line, 0, &mut self.0);
                self.0.push('\n');
            }
        }
    }
}

/// Lane `id` is active, active lanes exist, and sizes are in order.
fn state(group: &mut Symbolic<'_>) -> Term {
    let [existing, size, max] =
        ["ExistingLanes", "SubgroupSize", "SubgroupMaxSize"].map(|name| group.size(name));
    let bounded = group.bounded();
    let (id, active) = (group.id, group.active);
    let pool = &mut group.pool;
    let wide = pool.zero_extend(existing, 128);
    let beyond = pool.binary(Binary::ShiftRight, active, wide);
    let none = pool.bits(0, 128);
    let most = pool.bits(128, 32);
    let few = pool.bits(u128::from(if bounded { FEW_LANES } else { 128 }), 32);
    let facts = [
        pool.bit(active, id),
        pool.equal(beyond, none),
        pool.less_equal(existing, few),
        pool.less_equal(existing, size),
        pool.less_equal(size, max),
        pool.less_equal(max, most),
    ];
    pool.all(facts)
}

/// Everything free below `roots`, in the order in which it came up.
fn declarations(group: &Symbolic<'_>, roots: &[Term]) -> Vec<String> {
    let pool = &group.pool;
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for term in pool.reachable(roots) {
        let (symbol, lane) = match *pool.node(term) {
            Node::Variable(symbol) => (symbol, "()"),
            Node::Apply(symbol, _) => (symbol, "((_ BitVec 32))"),
            _ => continue,
        };
        if seen.insert(symbol) {
            let (name, sort) = (pool.symbol_name(symbol), sort(pool.symbol_sort(symbol)));
            lines.push(format!("(declare-fun {name} {lane} {sort})"));
        }
    }
    lines
}

/// An S-expression in lines of no more than this, where it can be broken.
const WIDTH: usize = 100;

/// On one line where it fits, else its parts below each other: the first ones stay beside the
/// bracket as long as they are words.
fn layout(text: &str, indent: usize, out: &mut String) {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let parts = match inside {
        Some(inside) if indent + text.len() > WIDTH => parts(inside),
        _ => return out.push_str(text),
    };
    out.push('(');
    let words = parts.iter().take_while(|part| !part.starts_with('(')).count().max(1);
    out.push_str(&parts[..words.min(parts.len())].join(" "));
    for part in parts.iter().skip(words) {
        // Words need no line, and what a definition takes and gives belongs to its name.
        if !part.starts_with('(') || ["()", "((x ", "(_ "].iter().any(|it| part.starts_with(it)) {
            let _ = write!(out, " {part}");
            continue;
        }
        let _ = write!(out, "\n{}", " ".repeat(indent + 2));
        layout(part, indent + 2, out);
    }
    out.push(')');
}

/// The parts of a list, brackets counted.
fn parts(inside: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (place, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                parts.push(&inside[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    parts
}
