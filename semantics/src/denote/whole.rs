//! The built-in functions of values with all their components.

use std::collections::VecDeque;

use smallvec::smallvec;

use super::expression::Context;
use super::instance::{DenoteError, Group, Leaf};
use super::value::{Leaves, Value, not_moved, single};
use crate::language::intrinsic::Intrinsic;
use crate::term::{Sort, Term};

impl<G: Group> Context<'_, '_, G> {
    /// These functions; `None` where the arguments are not such.
    pub(super) fn whole(
        &mut self,
        intrinsic: Intrinsic,
        values: &[Value],
    ) -> Result<Option<Value>, DenoteError> {
        Ok(Some(match (intrinsic, values) {
            (Intrinsic::SameBits, [a, b]) => Value::Bool(self.same_bits(a, b)?),
            (Intrinsic::AnyComponent | Intrinsic::AllComponents, [Value::Payload(leaves)]) => {
                let truths = leaves
                    .iter()
                    .map(|leaf| self.truth(Value::Payload(smallvec![*leaf])))
                    .collect::<Result<Vec<_>, _>>()?;
                let pool = self.group.pool();
                Value::Bool(match intrinsic {
                    Intrinsic::AnyComponent => pool.any(truths),
                    _ => pool.all(truths),
                })
            }
            (Intrinsic::Components, [Value::Payload(leaves)]) => {
                let count = leaves.len() as u128;
                Value::int(self.pool().bits(count, 32))
            }
            (Intrinsic::IsNan, [a]) => self.is_nan(a)?,
            (Intrinsic::Bitcast, [Value::Payload(leaves)]) => self.bitcast(leaves)?,
            (Intrinsic::IeeeEqual | Intrinsic::IeeeLess | Intrinsic::TotalLess, [a, b]) => {
                self.ieee(intrinsic, a.clone(), b.clone())?
            }
            _ => return Ok(None),
        }))
    }

    /// Bit for bit the same. Payloads that are only moved may hold the same bits wherever they
    /// come from: only one and the same payload is known to.
    pub(super) fn same_bits(&mut self, a: &Value, b: &Value) -> Result<Term, DenoteError> {
        if let (Value::Payload(leaves), Value::Int { bits, .. })
        | (Value::Int { bits, .. }, Value::Payload(leaves)) = (a, b)
        {
            let payload = single(leaves)?.bits;
            not_moved(self.pool(), payload)?;
            return Ok(self.pool().equal(payload, *bits));
        }
        let pool = self.group.pool();
        match (a, b) {
            (Value::Payload(a), Value::Payload(b)) if a.len() == b.len() => {
                let mut equal = Vec::with_capacity(a.len());
                for (a, b) in a.iter().zip(b) {
                    if a.bits != b.bits {
                        not_moved(pool, a.bits)?;
                        not_moved(pool, b.bits)?;
                    }
                    equal.push(pool.equal(a.bits, b.bits));
                }
                Ok(pool.all(equal))
            }
            (Value::Bool(a), Value::Bool(b))
            | (Value::Exact(a), Value::Exact(b))
            | (Value::Mask(a), Value::Mask(b)) => Ok(pool.equal(*a, *b)),
            (Value::Int { bits: a, .. }, Value::Int { bits: b, .. })
                if pool.sort(*a) == pool.sort(*b) =>
            {
                Ok(pool.equal(*a, *b))
            }
            (a, b) => Err(DenoteError::Specification(format!(
                "{} compared with {}",
                a.describe(),
                b.describe()
            ))),
        }
    }

    /// The same bits as leaves of the result: lower-numbered leaves are the lower bits.
    fn bitcast(&mut self, leaves: &[Leaf]) -> Result<Value, DenoteError> {
        let mut widths = Vec::new();
        for sort in self.result_sorts()? {
            match sort {
                Sort::Bits(width) => widths.push(width),
                Sort::Bool | Sort::Tag => {
                    return Err(DenoteError::Specification("a Boolean has no bits".into()));
                }
            }
        }
        let pool = self.group.pool();
        for leaf in leaves {
            not_moved(pool, leaf.bits)?;
        }
        let undefined = pool.bool(false);
        let mut pieces: VecDeque<Term> = leaves.iter().map(|leaf| leaf.bits).collect();
        let mut cast = Leaves::new();
        for width in widths {
            let mut whole: Option<Term> = None;
            while whole.map_or(0, |term| pool.width(term)) < width {
                let Some(piece) = pieces.pop_front() else {
                    return Err(DenoteError::Specification("a bitcast to more bits".into()));
                };
                let wanted = width - whole.map_or(0, |term| pool.width(term));
                let own = pool.width(piece);
                let (low, rest) = if own > wanted {
                    let rest = pool.extract(piece, own - 1, wanted);
                    (pool.extract(piece, wanted - 1, 0), Some(rest))
                } else {
                    (piece, None)
                };
                if let Some(rest) = rest {
                    pieces.push_front(rest);
                }
                whole = Some(match whole {
                    Some(below) => pool.concat(low, below),
                    None => low,
                });
            }
            cast.extend(whole.map(|bits| Leaf { bits, undefined }));
        }
        Ok(Value::Payload(cast))
    }
}
