//! Values of expressions while clauses are read.

use smallvec::SmallVec;

use super::instance::{DenoteError, Leaf};
use crate::term::{Pool, Sort, Term};

/// Leaves of a value, mostly one.
pub(super) type Leaves = SmallVec<[Leaf; 2]>;

/// A value of an expression, in one lane.
#[derive(Debug)]
pub(super) enum Value {
    /// A truth value.
    Bool(Term),
    /// An integer of some width.
    Int {
        /// Its bits.
        bits: Term,
        /// Read as two's complement.
        signed: bool,
    },
    /// A literal, which takes the type of the other operand.
    Literal(u128),
    /// An integer that never wraps: 64 bits, two's complement.
    Exact(Term),
    /// A set of lanes, 128 bits.
    Mask(Term),
    /// Leaves of an operand, with their marks.
    Payload(Leaves),
}

/// Width of [`Value::Exact`].
pub(super) const EXACT: u32 = 64;

/// Whether marks travel or are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// The value is handed on as it is, marks included.
    Copy,
    /// The value is computed with: undefined leaves are drawn.
    Compute,
}

impl Clone for Value {
    fn clone(&self) -> Self {
        match self {
            Self::Bool(term) => Self::Bool(*term),
            Self::Int { bits, signed } => Self::Int { bits: *bits, signed: *signed },
            Self::Literal(value) => Self::Literal(*value),
            Self::Exact(bits) => Self::Exact(*bits),
            Self::Mask(mask) => Self::Mask(*mask),
            // All leaves at once, not one by one as a derived implementation has it.
            Self::Payload(leaves) => Self::Payload(Leaves::from_slice(leaves)),
        }
    }
}

impl Value {
    pub(super) fn int(bits: Term) -> Self {
        Self::Int { bits, signed: false }
    }

    pub(super) fn describe(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a truth value",
            Self::Int { .. } => "an integer",
            Self::Literal(_) => "a literal",
            Self::Exact(_) => "an exact integer",
            Self::Mask(_) => "a mask of lanes",
            Self::Payload(_) => "an operand's value",
        }
    }
}

pub(super) fn mismatch(expected: &str, found: &Value) -> DenoteError {
    DenoteError::Specification(format!("expected {expected}, found {}", found.describe()))
}

/// A payload that stands for exactly one scalar.
pub(super) fn single(leaves: &[Leaf]) -> Result<Leaf, DenoteError> {
    match leaves {
        [leaf] => Ok(*leaf),
        _ => Err(DenoteError::Specification(format!(
            "a scalar was expected where a value of {} components stands",
            leaves.len()
        ))),
    }
}

/// A term that is computed with must not be a payload that is only moved.
pub(super) fn not_moved(pool: &Pool, term: Term) -> Result<(), DenoteError> {
    match pool.sort(term) {
        Sort::Tag => Err(DenoteError::NotMovement(pool.tag_sources(term))),
        Sort::Bool | Sort::Bits(_) => Ok(()),
    }
}

/// `then` where `condition` holds, else `otherwise`.
pub fn choose_leaf(
    pool: &mut Pool,
    condition: Term,
    then: Leaf,
    otherwise: Leaf,
) -> Result<Leaf, DenoteError> {
    let undefined = pool.ite(condition, then.undefined, otherwise.undefined);
    let bits = if pool.sort(then.bits) == pool.sort(otherwise.bits) {
        pool.ite(condition, then.bits, otherwise.bits)
    } else if pool.bool_of(then.undefined) == Some(true) {
        // An undefined value has no payload; its bits are never observed.
        otherwise.bits
    } else if pool.bool_of(otherwise.undefined) == Some(true) {
        then.bits
    } else {
        not_moved(pool, then.bits)?;
        not_moved(pool, otherwise.bits)?;
        return Err(DenoteError::Specification("values of different widths meet".into()));
    };
    Ok(Leaf { bits, undefined })
}
