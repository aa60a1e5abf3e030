//! Conditions by which many lanes choose alike: a parameter that says which operator a loop uses, or a
//! vote. Each value of such a condition is a question of its own, in which the condition is a constant and
//! every choice by it is gone, so that what is left is made of one operator.
//!
//! A question that holds in neither case holds in no state. In a case the condition itself stays an
//! assertion, unless it says that a parameter is a number: there, the parameter is replaced by it.

use std::collections::HashMap;

use laneproof_semantics::term::{Node, Pool, Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fault::BrokenLaw;

/// How deep conditions split a question, one within the other: three of parameters, or two votes.
pub(crate) const DEEPEST: usize = 6;
/// How much of that a condition of parameters takes, and one of two votes.
const DEPTH_OF_PARAMETERS: usize = 2;
const DEPTH_OF_VOTE: usize = 3;

/// How far questions are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// By parameters, or by one vote that is all that some choices ask.
    Few,
    /// Also by votes that stand beside others, and by two of them.
    Many,
}
/// What is asked more often is a set of lanes, a value of each lane or the index of a table. A
/// single bit counts twice, and so does a value at several places.
const MOST: usize = 6;
/// A condition that fewer choices ask is no reason for cases.
const LEAST: usize = 2;
/// A vote that fewer choices ask is none.
const LEAST_OF_VOTE: usize = 4;

/// A condition, and what it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    term: Term,
    /// It is about parameters, of which there are few conditions.
    pub(crate) of_parameters: bool,
    choices: usize,
}

/// The conditions by which lanes choose alike, in order of their terms.
pub(crate) struct Conditions {
    all: Vec<Condition>,
    extent: Extent,
}

/// What a condition asks for: a free constant, or a function at some lane or place of a memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Leaf {
    Constant(Term),
    Function(Symbol),
}

/// What a condition is made of.
#[derive(Clone, Copy, Default)]
struct Leaves {
    /// Of one or two, with others beside them or without.
    of: [Option<Leaf>; 2],
    others: bool,
    /// A place where a function is asked for, and whether there are others.
    place: Option<(Term, bool)>,
}

impl Leaves {
    fn one(leaf: Leaf, place: Option<Term>) -> Self {
        Self { of: [Some(leaf), None], others: false, place: place.map(|it| (it, false)) }
    }

    fn with(mut self, other: Self) -> Self {
        for leaf in other.of.into_iter().flatten() {
            let here = |it: &&mut Option<Leaf>| it.is_none_or(|it| it == leaf);
            match self.of.iter_mut().find(here) {
                Some(place) => *place = Some(leaf),
                None => self.others = true,
            }
        }
        self.others |= other.others;
        self.place = either(self.place, other.place);
        self
    }

    fn leaves(self) -> impl Iterator<Item = Leaf> {
        self.of.into_iter().flatten()
    }
}

/// What each of these terms is made of.
fn leaves(pool: &Pool, terms: &[Term]) -> FxHashMap<Term, Leaves> {
    let mut leaves: FxHashMap<Term, Leaves> = FxHashMap::default();
    for &term in terms {
        let of = match *pool.node(term) {
            Node::Variable(_) => Leaves::one(Leaf::Constant(term), None),
            Node::Apply(symbol, place) => {
                leaves[&place].with(Leaves::one(Leaf::Function(symbol), Some(place)))
            }
            ref node => {
                let operands = Pool::operands(node);
                operands.iter().fold(Leaves::default(), |all, it| all.with(leaves[it]))
            }
        };
        leaves.insert(term, of);
    }
    leaves
}

/// How often conditions ask for each leaf.
fn asked(
    pool: &Pool,
    conditions: impl Iterator<Item = Term>,
    leaves: &FxHashMap<Term, Leaves>,
) -> FxHashMap<Leaf, usize> {
    let mut asked: FxHashMap<Leaf, (usize, Option<(Term, bool)>)> = FxHashMap::default();
    for condition in conditions {
        let of = leaves[&condition];
        let times = if matches!(pool.node(condition), Node::Bit(..)) { 2 } else { 1 };
        for leaf in of.leaves() {
            let (number, place) = asked.entry(leaf).or_default();
            *number += times;
            *place = either(*place, of.place);
        }
    }
    let times =
        |(number, place)| if matches!(place, Some((_, true))) { 2 * number } else { number };
    asked.into_iter().map(|(leaf, it)| (leaf, times(it))).collect()
}

/// One place of these, and whether there are others.
fn either(a: Option<(Term, bool)>, b: Option<(Term, bool)>) -> Option<(Term, bool)> {
    match (a, b) {
        (Some((a, several)), Some((b, more))) => Some((a, several || more || a != b)),
        (a, b) => a.or(b),
    }
}

impl Conditions {
    /// Those of a question.
    pub(crate) fn of(pool: &Pool, assertions: &[Term], extent: Extent) -> Self {
        let terms = pool.reachable(assertions);
        let [choices, beside] = chosen_by(pool, &terms, extent);
        let mut all = parameters(pool, &terms);
        all.retain(|it| !choices.contains_key(&it.term));
        if choices.is_empty() && beside.is_empty() {
            return Self { all, extent };
        }
        let leaves = leaves(pool, &terms);
        let is_vote = |term: Term| matches!(leaves[&term].place, Some((_, true)));
        let votes = beside.into_iter().filter(|(term, _)| is_vote(*term));
        all.extend(votes.map(|(term, choices)| Condition { term, of_parameters: false, choices }));
        let asked = asked(pool, choices.keys().copied(), &leaves);
        for (term, choices) in choices {
            let of = leaves[&term];
            let of_parameters = !of.others && of.leaves().all(|leaf| asked[&leaf] <= MOST);
            if of_parameters || is_vote(term) && choices >= LEAST_OF_VOTE {
                all.push(Condition { term, of_parameters, choices });
            }
        }
        all.sort_unstable_by_key(|it| it.term);
        Self { all, extent }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Some of them are votes.
    pub(crate) fn have_votes(&self) -> bool {
        self.all.iter().any(|it| !it.of_parameters)
    }

    /// The one that most choices ask, those of parameters first, and how deep others split the question below it.
    /// Of several votes one that no other is part of comes first.
    pub(crate) fn most_used(&self, pool: &Pool, depth: usize) -> Option<(Condition, usize)> {
        let has_part = |it: &Condition| {
            let parts: FxHashSet<Term> = pool.reachable(&[it.term]).into_iter().collect();
            let is_part = |other: &Condition| other.term != it.term && parts.contains(&other.term);
            self.extent == Extent::Many && self.all.iter().any(is_part)
        };
        let rank = |it: &Condition| (it.of_parameters, !has_part(it), it.choices);
        let found = self.all.iter().copied().max_by_key(rank)?;
        let below = match (found.of_parameters, self.extent) {
            (true, _) => depth.checked_sub(DEPTH_OF_PARAMETERS)?,
            (false, Extent::Many) => depth.checked_sub(DEPTH_OF_VOTE)?,
            // There is one.
            (false, Extent::Few) => depth.checked_sub(1).map(|_| 0)?,
        };
        Some((found, below))
    }
}

/// How many choices each condition decides by itself, and how many beside others.
fn chosen_by(pool: &Pool, terms: &[Term], extent: Extent) -> [FxHashMap<Term, usize>; 2] {
    let mut choices: FxHashMap<Term, usize> = FxHashMap::default();
    let mut beside: FxHashMap<Term, usize> = FxHashMap::default();
    for &term in terms {
        let Node::Ite(condition, ..) = *pool.node(term) else { continue };
        if pool.sort(term) == Sort::Bool {
            continue;
        }
        let condition = positive(pool, condition);
        *choices.entry(condition).or_default() += 1;
        if extent == Extent::Many
            && let Node::And(parts) | Node::Or(parts) = pool.node(condition)
        {
            for &part in parts {
                *beside.entry(positive(pool, part)).or_default() += 1;
            }
        }
    }
    choices.retain(|_, number| *number >= LEAST);
    beside.retain(|it, number| *number >= LEAST_OF_VOTE && !choices.contains_key(it));
    [choices, beside]
}

impl Condition {
    /// The question in the case in which the condition has that value.
    pub(crate) fn assumed(
        self,
        pool: &mut Pool,
        assertions: &[Term],
        value: bool,
        fault: Option<BrokenLaw>,
    ) -> Vec<Term> {
        let constant = pool.bool(value);
        let mut replaced = HashMap::from([(self.term, constant)]);
        let everywhere = fault == Some(BrokenLaw::CaseEverywhere);
        let is_number = parameter_as_number(pool, self.term).filter(|_| value || everywhere);
        replaced.extend(is_number);
        let mut case = assertions.to_vec();
        pool.substitute_in(&mut case, &replaced);
        if is_number.is_none() {
            case.push(if value { self.term } else { pool.not(self.term) });
        }
        case
    }
}

/// A parameter and the number that it is where a condition holds, if it says that alone.
fn parameter_as_number(pool: &Pool, condition: Term) -> Option<(Term, Term)> {
    let Node::Equal(a, b) = *pool.node(condition) else { return None };
    let of = |parameter: Term, number: Term| {
        let is_parameter = matches!(pool.node(parameter), Node::Variable(_) | Node::Apply(..));
        (is_parameter && pool.bits_of(number).is_some()).then_some((parameter, number))
    };
    of(a, b).or_else(|| of(b, a))
}

/// Truth values that are the same for all lanes, and stand among others in conditions to choose by.
fn parameters(pool: &Pool, terms: &[Term]) -> Vec<Condition> {
    let mut choices: FxHashMap<Term, usize> = FxHashMap::default();
    for &term in terms {
        let Node::Ite(condition, ..) = *pool.node(term) else { continue };
        let (Node::And(parts) | Node::Or(parts)) = pool.node(positive(pool, condition)) else {
            continue;
        };
        for &part in parts {
            let part = positive(pool, part);
            if matches!(pool.node(part), Node::Variable(_)) {
                *choices.entry(part).or_default() += 1;
            }
        }
    }
    choices.retain(|_, number| *number >= LEAST);
    let of = |(term, choices)| Condition { term, of_parameters: true, choices };
    choices.into_iter().map(of).collect()
}

/// The condition that this one is or negates.
fn positive(pool: &Pool, condition: Term) -> Term {
    match *pool.node(condition) {
        Node::Not(inner) => inner,
        _ => condition,
    }
}
