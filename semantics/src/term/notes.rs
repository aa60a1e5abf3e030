//! Notes about terms that ask something of a floating-point number, which a prover cannot see from
//! their bits after simplification.

use std::collections::HashMap;

use super::{FloatFormat, Node, Pool, Term};
use crate::hash::FastMap;

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

impl Pool {
    /// Records that a term says a number to be a sum.
    pub(super) fn note_sum(&mut self, term: Term, format: FloatFormat, operands: Box<[Term]>) {
        let ways: Box<[Term]> = match self.node(term) {
            Node::Or(list) => list.clone(),
            Node::Bool(_) => return,
            _ => [term].into(),
        };
        let note = SumNote { format, operands, ways };
        self.sum_notes.entry(note.ways[0]).or_insert(note);
    }

    /// The sum that a disjunction says, of which this is the first part.
    pub fn sum_note(&self, first: Term) -> Option<&SumNote> {
        self.sum_notes.get(&first)
    }

    /// Records what a term says of a number. Of two notes the first stays: both are true. A number says
    /// nothing of itself, as the key of a positive one would.
    pub fn note_float(&mut self, term: Term, note: FloatNote) {
        if self.constant(term).is_none() && note.number() != term {
            self.float_notes.entry(term).or_insert(note);
        }
    }

    /// What a term says of a number, if that is known.
    pub fn float_note(&self, term: Term) -> Option<FloatNote> {
        self.float_notes.get(&term).copied()
    }

    /// Terms were replaced by others: these say the same of what the numbers were replaced by.
    pub(super) fn renote(&mut self, done: &FastMap<Term, Term>, all: &HashMap<Term, Term>) {
        if self.float_notes.is_empty() {
            return;
        }
        let moved: Vec<(Term, FloatNote)> = self
            .float_notes
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
