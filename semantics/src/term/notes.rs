//! Notes about terms that ask something of a floating-point number, which a prover cannot see from
//! their bits after simplification.

use std::collections::HashMap;

use super::{FloatFormat, Node, Pool, Term};
use crate::hash::{FastMap, FastSet};

/// What a term says of a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatNote {
    /// A Boolean: the number is a NaN.
    Nan(Term, FloatFormat),
    /// A Boolean: the number is a zero.
    Zero(Term),
    /// The integer by which the numbers that are no NaN are ordered, the same of both zeros.
    Key(Term),
    /// The signed integer by which all bits are ordered, -0 before +0: a negative number's magnitude
    /// is complemented.
    TotalKey(Term),
}

impl FloatNote {
    /// The number.
    pub const fn number(self) -> Term {
        match self {
            Self::Nan(number, _)
            | Self::Zero(number)
            | Self::Key(number)
            | Self::TotalKey(number) => number,
        }
    }

    const fn about(self, number: Term) -> Self {
        match self {
            Self::Nan(_, format) => Self::Nan(number, format),
            Self::Zero(_) => Self::Zero(number),
            Self::Key(_) => Self::Key(number),
            Self::TotalKey(_) => Self::TotalKey(number),
        }
    }
}

/// Some disjunction says that a number is the sum of others in some order.
#[derive(Clone, Debug)]
pub struct SumNote {
    /// What it is the disjunction of.
    pub ways: Box<[Term]>,
    /// The format of the numbers.
    pub format: FloatFormat,
    /// The sum; then each summand with the condition under which it takes part.
    pub operands: Box<[Term]>,
}

/// What the terms of a pool say of floating-point numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    floats: FastMap<Term, FloatNote>,
    /// Numbers that are their own keys.
    own_keys: FastSet<Term>,
    /// Disjunctions that say of sums in any order what they are, by their first parts.
    sums: FastMap<Term, SumNote>,
}

impl Notes {
    pub(super) fn clear(&mut self) {
        self.floats.clear();
        self.own_keys.clear();
        self.sums.clear();
    }
}

impl Pool {
    /// Records that a term says a number to be a sum.
    pub(super) fn note_sum(&mut self, term: Term, format: FloatFormat, operands: Box<[Term]>) {
        let ways: Box<[Term]> = match self.node(term) {
            Node::Or(list) => list.clone(),
            Node::Bool(_) => return,
            _ => [term].into(),
        };
        let note = SumNote { format, operands, ways };
        self.notes.sums.entry(note.ways[0]).or_insert(note);
    }

    /// The sum that a disjunction says, of which this is the first part.
    pub fn sum_note(&self, first: Term) -> Option<&SumNote> {
        self.notes.sums.get(&first)
    }

    /// Records what a term says of a number. Of two notes the first stays: both are true. Of a number that
    /// is its own key, as one without a sign is, that alone is kept: it may be somebody else's key, too.
    pub fn note_float(&mut self, term: Term, note: FloatNote) {
        if self.constant(term).is_some() {
            return;
        }
        if note.number() != term {
            self.notes.floats.entry(term).or_insert(note);
        } else if matches!(note, FloatNote::Key(_)) {
            self.notes.own_keys.insert(term);
        }
    }

    /// The floating-point number of which a term is the key, if that is known.
    pub fn number_of_key(&self, term: Term) -> Option<Term> {
        match self.float_note(term) {
            Some(FloatNote::Key(number)) => Some(number),
            _ => self.notes.own_keys.contains(&term).then_some(term),
        }
    }

    /// What a term says of a number, if that is known.
    pub fn float_note(&self, term: Term) -> Option<FloatNote> {
        self.notes.floats.get(&term).copied()
    }

    /// Terms were replaced by others: these say the same of what the numbers were replaced by.
    pub(super) fn renote(&mut self, done: &FastMap<Term, Term>, all: &HashMap<Term, Term>) {
        if self.notes.floats.is_empty() && self.notes.own_keys.is_empty() {
            return;
        }
        // A number without a sign has none whatever its parts are.
        let own: Vec<Term> =
            self.notes.own_keys.iter().filter_map(|number| done.get(number).copied()).collect();
        for number in own {
            self.note_float(number, FloatNote::Key(number));
        }
        let moved: Vec<(Term, FloatNote)> = self
            .notes
            .floats
            .iter()
            .filter_map(|(term, note)| {
                let replaced = done.get(term).filter(|it| *it != term)?;
                Some((*replaced, *note))
            })
            .collect();
        let mut numbers: Vec<Term> = moved.iter().map(|(_, note)| note.number()).collect();
        self.substitute_plainly(&mut numbers, all);
        for ((term, note), number) in moved.into_iter().zip(numbers) {
            self.note_float(term, note.about(number));
        }
    }
}
