//! Broadcasts and shuffles: the value is copied from another lane, marked or not.

use super::Active;
use crate::lane::{contains, lanes};
use crate::value::Value;

/// Which lane a lane takes the value from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// The one that the operand names.
    Id,
    /// The one that the operand names, the same in all lanes.
    UniformId,
    /// The lowest active one.
    First,
    /// This lane's number exclusive-or the operand.
    Xor,
    /// This lane's number less the operand.
    Up,
    /// This lane's number plus the operand.
    Down,
}

impl Pattern {
    /// Takes the first of `from` from the lane that follows from the second.
    pub fn apply(self, to: &mut Value, from: [&Value; 3], active: Active) -> Option<()> {
        let [value, operand, _] = from;
        let operands = operand.row(0)?;
        if self != Self::First && operand.undefined_in(0) & active.set != 0 {
            return None;
        }
        let first = active.set.trailing_zeros();
        if self == Self::UniformId {
            let id = operands[first as usize];
            if lanes(active.set).any(|lane| operands[lane as usize] != id) {
                return None;
            }
        }
        for leaf in 0..to.leaves() {
            let (marks, row) = (value.undefined_in(leaf), value.row(leaf)?);
            let target = to.row_mut(leaf)?;
            let mut missing = 0;
            // A lane that is not there is one that no set holds.
            const NOWHERE: u64 = u64::MAX;
            for lane in lanes(active.set) {
                let (number, operand) = (u64::from(lane), operands[lane as usize]);
                let source = match self {
                    Self::Id | Self::UniformId => operand,
                    Self::First => u64::from(first),
                    Self::Xor => number ^ operand,
                    Self::Up => number.checked_sub(operand).unwrap_or(NOWHERE),
                    Self::Down => number.checked_add(operand).unwrap_or(NOWHERE),
                };
                if contains(active.set & !marks, source) {
                    target[lane as usize] = row[source as usize];
                } else {
                    missing |= 1 << lane;
                }
            }
            to.mark(leaf, active.set, missing);
        }
        Some(())
    }
}
