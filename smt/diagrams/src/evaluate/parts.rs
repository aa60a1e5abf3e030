//! The same bits of several values, of which conditions choose one: those bits of the value that they choose.
//!
//! What is asked of such bits is asked once, of the chosen value, and not of each value that may be chosen: of the
//! extreme in the end, and not of the extreme after each step of a loop.

use laneproof_semantics::term::{Node, Pool, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::float::Ordered;
use super::{Evaluator, NESTED};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::FormId;

/// Some bits of a value, or their complement.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Part {
    high: u32,
    low: u32,
    complemented: bool,
    /// The width of the value.
    of: u32,
}

/// A choice of the same part of several values, or of other values.
pub(super) struct ChosenPart {
    part: Part,
    /// What it is made of: conditions, the values, and the others.
    pub(super) operands: Vec<Term>,
}

/// What a choice is: where it is the part of a value, of which, and what it is elsewhere.
#[derive(Clone, Copy)]
struct Choice {
    here: Bdd,
    whole: Option<FormId>,
    other: Option<FormId>,
}

impl ChosenPart {
    pub(super) fn at(pool: &Pool, term: Term) -> Option<Self> {
        if !matches!(pool.node(term), Node::Ite(..)) || pool.sort(term) == Sort::Bool {
            return None;
        }
        let (mut part, mut operands, mut wholes) = (None, Vec::new(), FxHashSet::default());
        let (mut pending, mut seen) = (vec![term], FxHashSet::default());
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some((condition, sides)) = choice_at(pool, term) {
                operands.push(condition);
                pending.extend(sides);
                continue;
            }
            match part_at(pool, term) {
                Some((own, whole)) if *part.get_or_insert(own) == own => {
                    wholes.insert(whole);
                    operands.push(whole);
                }
                _ => operands.push(term),
            }
        }
        (wholes.len() > 1).then_some(Self { part: part?, operands })
    }
}

/// A choice by a condition that compares no payloads.
fn choice_at(pool: &Pool, term: Term) -> Option<(Term, [Term; 2])> {
    let Node::Ite(condition, then, otherwise) = *pool.node(term) else { return None };
    let mut parts = vec![(condition, NESTED)];
    while let Some((part, depth)) = parts.pop() {
        match (Ordered::at(pool, part), pool.node(part)) {
            (Some(_), _) => return None,
            (None, Node::And(list) | Node::Or(list)) if depth > 0 => {
                parts.extend(list.iter().map(|&part| (part, depth - 1)));
            }
            _ => {}
        }
    }
    Some((condition, [then, otherwise]))
}

/// The part that a term is of a value that is chosen, as extremes are.
fn part_at(pool: &Pool, term: Term) -> Option<(Part, Term)> {
    let (inner, complemented) = match *pool.node(term) {
        Node::BitNot(inner) => (inner, true),
        _ => (term, false),
    };
    let Node::Extract(whole, high, low) = *pool.node(inner) else { return None };
    let of = pool.width(whole);
    let is_chosen = matches!(pool.node(whole), Node::Ite(..));
    is_chosen.then_some((Part { high, low, complemented, of }, whole))
}

impl Evaluator<'_> {
    /// The value of a choice of parts whose operands are evaluated.
    pub(super) fn chosen_part(
        &mut self,
        term: Term,
        chosen: &ChosenPart,
    ) -> Result<FormId, Exhausted> {
        let part = chosen.part;
        let choice = self.choice_of_part(term, part, &mut FxHashMap::default())?;
        let Some(whole) = choice.whole else {
            unreachable!("a choice of parts has a part");
        };
        let mut bits = self.forms.extract(whole, part.high, part.low)?;
        if part.complemented {
            bits = self.forms.complement(bits)?;
        }
        match choice.other {
            Some(other) if !self.forms.diagrams.has(BrokenLaw::PartOfOthers) => {
                self.forms.ite(choice.here, bits, other)
            }
            _ => Ok(bits),
        }
    }

    fn choice_of_part(
        &mut self,
        term: Term,
        part: Part,
        known: &mut FxHashMap<Term, Choice>,
    ) -> Result<Choice, Exhausted> {
        if let Some(&known) = known.get(&term) {
            return Ok(known);
        }
        let choice = match (choice_at(self.pool, term), part_at(self.pool, term)) {
            (Some((condition, [then, otherwise])), _) => {
                let condition = self.condition(condition)?;
                let a = self.choice_of_part(then, part, known)?;
                let b = self.choice_of_part(otherwise, part, known)?;
                let here = self.diagrams().ite(condition, a.here, b.here)?;
                // Where one side has none, the other one is as good as any.
                let mut either = |a: Option<FormId>, b: Option<FormId>| match (a, b) {
                    (Some(a), Some(b)) => self.forms.ite(condition, a, b).map(Some),
                    (only, None) | (None, only) => Ok(only),
                };
                let whole = either(a.whole, b.whole)?;
                Choice { here, whole, other: either(a.other, b.other)? }
            }
            (None, Some((own, whole))) if own == part => {
                Choice { here: Bdd::TRUE, whole: Some(self.form(whole)), other: None }
            }
            (None, _) => Choice { here: Bdd::FALSE, whole: None, other: Some(self.form(term)) },
        };
        known.insert(term, choice);
        Ok(choice)
    }
}
