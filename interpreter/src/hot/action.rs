//! What short forms do.

use super::Active;
use super::float::FloatAction;
use super::rows::{any, each};
use super::shuffle::Pattern;
use crate::lane::lanes_where;
use crate::value::Value;
use crate::width::{signed, truncate};

/// What is done in each lane with up to three operands `a`, `b`, `c`. Numbers are zero-extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Negate,
    Add,
    Subtract,
    Multiply,
    /// Of unsigned numbers.
    Divide,
    /// Of unsigned numbers.
    Remainder,
    Not,
    And,
    Or,
    Xor,
    /// The complement of [`Action::Xor`].
    Same,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    Equal,
    NotEqual,
    /// a < b, or b < a if they are to `swap`. `flip` inverts the sign bits of signed numbers, which
    /// orders them as unsigned ones.
    Less {
        flip: u64,
        swap: bool,
    },
    /// a ≤ b, likewise.
    LessOrEqual {
        flip: u64,
        swap: bool,
    },
    /// Zero-extended or truncated.
    Resize,
    /// Sign-extended from this width, or truncated.
    SignExtend(u32),
    Select,
    /// Of 32-bit numbers.
    Single(FloatAction),
    /// Of 64-bit numbers.
    Double(FloatAction),
    Shuffle(Pattern),
}

impl Action {
    /// Leaves the result in the active lanes of `to`; nothing where this is not the case that
    /// short forms know. `width` is that of the result.
    pub fn apply(
        self,
        to: &mut Value,
        from: [&Value; 3],
        active: Active,
        width: u32,
    ) -> Option<()> {
        match self {
            Self::Select => return select(to, from, active),
            Self::Shuffle(pattern) => return pattern.apply(to, from, active),
            _ => {}
        }
        for leaf in 0..to.leaves() {
            let leaves = from.map(|value| leaf.min(value.leaves().saturating_sub(1)));
            let [a, b, c] = from;
            let marked = a.undefined_in(leaves[0]) | b.undefined_in(leaves[1]);
            if (marked | c.undefined_in(leaves[2])) & active.set != 0 {
                return None;
            }
            let (a, b) = (a.row(leaves[0])?, b.row(leaves[1])?);
            self.row(to.row_mut(leaf)?, [a, b], active, width)?;
            to.mark(leaf, active.set, 0);
        }
        Some(())
    }

    /// One scalar of the result in all active lanes.
    fn row(self, to: &mut [u64], [a, b]: [&[u64]; 2], active: Active, width: u32) -> Option<()> {
        let mask = truncate(width, u64::MAX);
        let both = [a, b];
        match self {
            Self::Negate => each(to, [a], active, |[a]| a.wrapping_neg() & mask),
            Self::Add => each(to, both, active, |[a, b]| a.wrapping_add(b) & mask),
            Self::Subtract => each(to, both, active, |[a, b]| a.wrapping_sub(b) & mask),
            Self::Multiply => each(to, both, active, |[a, b]| a.wrapping_mul(b) & mask),
            Self::Divide | Self::Remainder if any(b, active, |b| b == 0) => return None,
            Self::Divide => each(to, both, active, |[a, b]| a.checked_div(b).unwrap_or(0)),
            Self::Remainder => each(to, both, active, |[a, b]| a.checked_rem(b).unwrap_or(0)),
            Self::Not => each(to, [a], active, |[a]| !a & mask),
            Self::And => each(to, both, active, |[a, b]| a & b),
            Self::Or => each(to, both, active, |[a, b]| a | b),
            Self::Xor => each(to, both, active, |[a, b]| a ^ b),
            Self::Same => each(to, both, active, |[a, b]| !(a ^ b) & mask),
            Self::ShiftLeft | Self::ShiftRight | Self::ShiftRightSigned
                if any(b, active, |amount| amount >= u64::from(width)) =>
            {
                return None;
            }
            // Lanes that are not active may hold any amount.
            Self::ShiftLeft => each(to, both, active, |[a, b]| a << (b & 63) & mask),
            Self::ShiftRight => each(to, both, active, |[a, b]| a >> (b & 63)),
            Self::ShiftRightSigned => {
                each(to, both, active, |[a, b]| (signed(width, a) >> (b & 63)) as u64 & mask);
            }
            Self::Equal => each(to, both, active, |[a, b]| u64::from(a == b)),
            Self::NotEqual => each(to, both, active, |[a, b]| u64::from(a != b)),
            Self::Less { flip, swap } => {
                let both = if swap { [b, a] } else { both };
                each(to, both, active, |[a, b]| u64::from(a ^ flip < b ^ flip));
            }
            Self::LessOrEqual { flip, swap } => {
                let both = if swap { [b, a] } else { both };
                each(to, both, active, |[a, b]| u64::from(a ^ flip <= b ^ flip));
            }
            Self::Resize => each(to, [a], active, |[a]| a & mask),
            Self::SignExtend(from) => each(to, [a], active, |[a]| signed(from, a) as u64 & mask),
            Self::Single(action) => action.row::<f32>(to, both, active)?,
            Self::Double(action) => action.row::<f64>(to, both, active)?,
            Self::Select | Self::Shuffle(_) => return None,
        }
        Some(())
    }
}

/// `OpSelect`: computes with the condition, copies the arm that it chooses.
fn select(to: &mut Value, [condition, then, otherwise]: [&Value; 3], active: Active) -> Option<()> {
    for leaf in 0..to.leaves() {
        let decides = leaf.min(condition.leaves().saturating_sub(1));
        if condition.undefined_in(decides) & active.set != 0 {
            return None;
        }
        let row = condition.row(decides)?;
        let arms = [row, then.row(leaf)?, otherwise.row(leaf)?];
        each(
            to.row_mut(leaf)?,
            arms,
            active,
            |[condition, a, b]| {
                if condition & 1 == 1 { a } else { b }
            },
        );
        let mut undefined = 0;
        let marks = (then.undefined_in(leaf), otherwise.undefined_in(leaf));
        if (marks.0 | marks.1) & active.set != 0 {
            let chosen = lanes_where(active.set, |lane| row[lane as usize] & 1 == 1);
            undefined = (marks.0 & chosen) | (marks.1 & !chosen);
        }
        to.mark(leaf, active.set, undefined);
    }
    Some(())
}
