//! The built-in functions of scalar values.

use super::expression::Context;
use super::instance::{DenoteError, Group, LanePosition};
use super::value::{EXACT, Value, mismatch, single};
use crate::language::intrinsic::Intrinsic;
use crate::term::{Scan, Term};

impl<G: Group> Context<'_, '_, G> {
    /// These functions; `None` where the arguments are not such.
    pub(super) fn scalar_function(
        &mut self,
        intrinsic: Intrinsic,
        values: &[Value],
    ) -> Result<Option<Value>, DenoteError> {
        if let (Some(lane_position), [axis]) = (along_axis(intrinsic), values) {
            let axis = self.word(axis.clone())?;
            return match self.pool().bits_of(axis) {
                Some(axis @ 0..3) => self.lane_position(lane_position(axis as usize)).map(Some),
                _ => {
                    let name = intrinsic.row().name;
                    Err(DenoteError::Specification(format!("`{name}` takes 0, 1 or 2")))
                }
            };
        }
        Ok(Some(match (intrinsic, values) {
            (Intrinsic::Bit, [vector, index]) => {
                let index = self.word(index.clone())?;
                let vector = self.vector(vector)?;
                Value::Bool(self.pool().bit(vector, index))
            }
            (Intrinsic::Popcount, [a]) => self.scanned(Scan::Count, a)?,
            (Intrinsic::LowestBit, [a]) => self.scanned(Scan::Lowest, a)?,
            (Intrinsic::HighestBit, [a]) => self.scanned(Scan::Highest, a)?,
            (Intrinsic::Width, [a]) => {
                let width = match a {
                    Value::Bool(_) => 1,
                    other => {
                        let bits = self.vector(other)?;
                        self.pool().width(bits)
                    }
                };
                Value::int(self.pool().bits(u128::from(width), 32))
            }
            (Intrinsic::AllOnes, [a]) => {
                let bits = self.vector(a)?;
                let pool = self.group.pool();
                Value::int(pool.bits(u128::MAX, pool.width(bits)))
            }
            (Intrinsic::ImplementationProduct, [Value::Int { bits: a, signed }, b]) => {
                self.noted.implementation = true;
                let b = self.vector(b)?;
                let pool = self.group.pool();
                let width = pool.width(*a);
                let sign = if *signed { "signed" } else { "unsigned" };
                let operation = format!("{sign} product of {width} bits");
                let bits = pool.implementation(operation.into(), width, [*a, b].into());
                Value::Int { bits, signed: *signed }
            }
            (Intrinsic::BitReverse, [Value::Int { bits, .. }]) => {
                let pool = self.group.pool();
                let width = pool.width(*bits);
                let reversed = (0..width)
                    .map(|index| {
                        let index = pool.bits(u128::from(width - 1 - index), 32);
                        pool.bit(*bits, index)
                    })
                    .collect();
                Value::int(pool.from_bits(reversed))
            }
            (_, [a]) => return self.conversion(intrinsic, a),
            _ => return Ok(None),
        }))
    }

    /// An integer as another one.
    fn conversion(
        &mut self,
        intrinsic: Intrinsic,
        value: &Value,
    ) -> Result<Option<Value>, DenoteError> {
        Ok(Some(match (intrinsic, value) {
            (Intrinsic::Signed, Value::Int { bits, .. }) => {
                Value::Int { bits: *bits, signed: true }
            }
            (Intrinsic::Unsigned, Value::Int { bits, .. }) => Value::int(*bits),
            (Intrinsic::Exact, Value::Int { bits, signed }) => {
                let pool = self.group.pool();
                Value::Exact(if *signed {
                    pool.resize_signed(*bits, EXACT)
                } else {
                    pool.resize(*bits, EXACT)
                })
            }
            (Intrinsic::Exact, Value::Exact(_)) => value.clone(),
            (Intrinsic::Exact, Value::Literal(value)) => {
                Value::Exact(self.pool().bits(*value, EXACT))
            }
            (Intrinsic::U8, a) => self.converted(a, 8, false)?,
            (Intrinsic::U16, a) => self.converted(a, 16, false)?,
            (Intrinsic::U32, a) => self.converted(a, 32, false)?,
            (Intrinsic::U64, a) => self.converted(a, 64, false)?,
            (Intrinsic::Mask, a) => {
                let bits = self.vector(a)?;
                Value::Mask(self.pool().resize(bits, 128))
            }
            (Intrinsic::ToResult, a) => {
                let width = self.result_width()?;
                self.converted(a, width, false)?
            }
            (Intrinsic::SignedToResult, a) => {
                let width = self.result_width()?;
                self.converted(a, width, true)?
            }
            _ => return Ok(None),
        }))
    }

    fn vector(&mut self, value: &Value) -> Result<Term, DenoteError> {
        match value {
            Value::Int { bits, .. } | Value::Exact(bits) | Value::Mask(bits) => Ok(*bits),
            Value::Literal(value) => Ok(self.pool().bits(*value, 32)),
            other => Err(mismatch("an integer or a mask", other)),
        }
    }

    fn scanned(&mut self, scan: Scan, value: &Value) -> Result<Value, DenoteError> {
        let bits = self.vector(value)?;
        Ok(Value::int(self.pool().scan(scan, bits)))
    }

    fn converted(
        &mut self,
        value: &Value,
        width: u32,
        extend_sign: bool,
    ) -> Result<Value, DenoteError> {
        let pool = self.group.pool();
        let bits = match value {
            Value::Bool(term) => pool.from_bits(vec![*term]),
            Value::Literal(value) => return Ok(Value::int(pool.bits(*value, width))),
            Value::Int { bits, .. } | Value::Exact(bits) | Value::Mask(bits) => *bits,
            Value::Payload(leaves) => single(leaves)?.bits,
        };
        let exact = matches!(value, Value::Exact(_)) || extend_sign;
        Ok(Value::int(if exact {
            pool.resize_signed(bits, width)
        } else {
            pool.resize(bits, width)
        }))
    }
}

/// Words of three numbers, one an axis.
fn along_axis(intrinsic: Intrinsic) -> Option<fn(usize) -> LanePosition> {
    Some(match intrinsic {
        Intrinsic::WorkgroupSize => LanePosition::WorkgroupSize,
        Intrinsic::EnqueuedWorkgroupSize => LanePosition::EnqueuedWorkgroupSize,
        Intrinsic::WorkgroupId => LanePosition::WorkgroupId,
        Intrinsic::NumWorkgroups => LanePosition::NumWorkgroups,
        Intrinsic::GlobalOffset => LanePosition::GlobalOffset,
        _ => return None,
    })
}
