//! Operands in, results out: leaves, their marks, and what is drawn for them.

use std::fmt::Write as _;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::expression::Context;
use super::instance::{Argument, DenoteError, Group, Leaf};
use super::value::{Leaves, Mode, Value, mismatch, not_moved};
use crate::Scalar;
use crate::language::ast::{Name, OperandType};
use crate::term::{Sort, Term};

/// Scalars of a result, of which there is one or a vector's.
pub(super) type Scalars = SmallVec<[Scalar; 4]>;

impl<G: Group> Context<'_, '_, G> {
    pub(super) fn operand_index(&self, name: &Name) -> Result<usize, DenoteError> {
        self.names
            .operand(name)
            .filter(|&index| index < self.about.instance.arguments.len())
            .ok_or_else(|| DenoteError::Specification(format!("there is no operand `{name}`")))
    }

    /// The argument of a named operand.
    pub(super) fn argument(&self, name: &Name) -> Result<(usize, &Argument), DenoteError> {
        let index = self.operand_index(name)?;
        Ok((index, &self.about.instance.arguments[index]))
    }

    /// What an operand holds in this lane.
    pub(super) fn operand(&mut self, index: usize, mode: Mode) -> Result<Value, DenoteError> {
        let declared = &self.about.instruction.operands[index];
        if self.about.instance.arguments[index] == Argument::Absent {
            let used = format!("`{}` is used where it is absent", declared.name);
            return Err(DenoteError::Specification(used));
        }
        let (each, ballot) = (declared.each, declared.ty == OperandType::Ballot);
        let lane = self.here();
        let component = if each { self.component() } else { None };
        let mut first = 0;
        let mut leaves: Leaves = match (component, &self.about.instance.arguments[index]) {
            (Some(component), Argument::Value(ty)) => {
                // A scalar serves all components, a vector all members, and is drawn once for them.
                first = component % ty.leaf_count().max(1);
                self.leaf_of(index, first, lane)?
            }
            (_, Argument::Value(ty)) if ty.leaf_count() == 1 => self.leaf_of(index, 0, lane)?,
            _ => self.group.operand(index, lane)?.into(),
        };
        if mode == Mode::Compute || ballot {
            for (leaf, value) in leaves.iter_mut().enumerate() {
                *value = self.drawn(index, first + leaf, *value)?;
            }
        }
        if ballot {
            return self.mask_of(&leaves).map(Value::Mask);
        }
        Ok(Value::Payload(leaves))
    }

    /// A name for the operation, types included, and the values that it has here.
    pub(super) fn operation(&mut self) -> Result<(Arc<str>, Vec<Term>), DenoteError> {
        let mut name = self.instruction_name().to_string();
        let mut operands = Vec::new();
        for scalar in self.result_scalars()?.into_iter().take(1) {
            let _ = write!(name, " {scalar}");
        }
        for index in 0..self.about.instance.arguments.len() {
            let Argument::Value(ty) = &self.about.instance.arguments[index] else { continue };
            if let Some(scalar) = ty.element() {
                let _ = write!(name, " {scalar}");
            }
            let Value::Payload(leaves) = self.operand(index, Mode::Compute)? else { continue };
            for leaf in leaves {
                not_moved(self.pool(), leaf.bits)?;
                operands.push(leaf.bits);
            }
        }
        Ok((name.into(), operands))
    }

    fn leaf_of(&mut self, operand: usize, leaf: usize, lane: Term) -> Result<Leaves, DenoteError> {
        Ok(match self.group.operand_leaf(operand, leaf, lane)? {
            Some(leaf) => smallvec![leaf],
            None => Leaves::new(),
        })
    }

    pub(super) fn drawn(
        &mut self,
        operand: usize,
        leaf: usize,
        value: Leaf,
    ) -> Result<Leaf, DenoteError> {
        let sort = self.pool().sort(value.bits);
        if self.pool().bool_of(value.undefined) == Some(false) {
            return Ok(value);
        }
        not_moved(self.pool(), value.bits)?;
        let lane = self.here();
        let counts = self.group.draws_where(lane)?;
        let drawn = self.group.draw(operand, leaf, lane, sort);
        let pool = self.group.pool();
        let undefined = counts.map_or(value.undefined, |here| pool.and(value.undefined, here));
        let bits = pool.ite(undefined, drawn, value.bits);
        Ok(Leaf { bits, undefined: pool.bool(false) })
    }

    /// The mask whose components these leaves are, low component first.
    pub(super) fn mask_of(&mut self, leaves: &[Leaf]) -> Result<Term, DenoteError> {
        let pool = self.group.pool();
        let mut mask: Option<Term> = None;
        for leaf in leaves {
            not_moved(pool, leaf.bits)?;
            mask = Some(match mask {
                None => leaf.bits,
                Some(low) => pool.concat(leaf.bits, low),
            });
        }
        let mask = mask.ok_or_else(|| DenoteError::Specification("an empty mask".into()))?;
        Ok(pool.resize(mask, 128))
    }

    pub(super) fn open_leaves(&mut self, lane: Term) -> Result<Leaves, DenoteError> {
        let sorts = self.result_sorts()?;
        let never = self.pool().bool(false);
        let first = self.component().unwrap_or(0);
        if let [sort] = sorts[..] {
            self.looks_at_result(first, lane);
            return Ok(smallvec![Leaf {
                bits: self.group.open_result(first, lane, sort),
                undefined: never,
            }]);
        }
        let leaves = sorts.into_iter().zip(first..).map(|(sort, leaf)| {
            self.looks_at_result(leaf, lane);
            Leaf { bits: self.group.open_result(leaf, lane, sort), undefined: never }
        });
        Ok(leaves.collect())
    }

    pub(super) fn result_scalars(&mut self) -> Result<Scalars, DenoteError> {
        let component = self.component();
        let ty = self.about.instance.result.as_ref().ok_or_else(|| {
            DenoteError::Specification(format!(
                "{} has no result type",
                self.about.instruction.name
            ))
        })?;
        Ok(match (component, ty.element()) {
            (Some(component), element) => match element {
                Some(element) if component < ty.leaf_count() => smallvec![element],
                _ => ty.leaves().get(component).copied().into_iter().collect(),
            },
            (None, Some(element)) if ty.leaf_count() == 1 => smallvec![element],
            (None, _) => ty.leaves().into(),
        })
    }

    pub(super) fn result_sorts(&mut self) -> Result<SmallVec<[Sort; 4]>, DenoteError> {
        let scalars = self.result_scalars()?;
        Ok(match scalars[..] {
            [only] => smallvec![sort_of(only)],
            _ => scalars.into_iter().map(sort_of).collect(),
        })
    }

    /// Width of the result's scalars, in bits.
    pub(super) fn result_width(&mut self) -> Result<u32, DenoteError> {
        self.result_scalars()?
            .first()
            .map(|scalar| scalar.width())
            .ok_or_else(|| DenoteError::Specification("a result without scalars".into()))
    }

    /// Leaves for a result that no clause gives.
    pub(super) fn absent_leaves(&mut self) -> Result<Leaves, DenoteError> {
        let sorts = self.result_sorts()?;
        let pool = self.group.pool();
        let undefined = pool.bool(true);
        Ok(sorts
            .into_iter()
            .map(|sort| {
                let bits = match sort {
                    Sort::Bits(width) => pool.bits(0, width),
                    Sort::Bool | Sort::Tag => pool.bool(false),
                };
                Leaf { bits, undefined }
            })
            .collect())
    }

    /// A value as the leaves of the result.
    pub(super) fn result_leaves(&mut self, value: Value) -> Result<Leaves, DenoteError> {
        let sorts = self.result_sorts()?;
        let never = self.pool().bool(false);
        let bits: SmallVec<[Term; 4]> = match value {
            Value::Payload(leaves) => {
                if leaves.len() != sorts.len() {
                    return Err(DenoteError::Specification(format!(
                        "a result of {} components, where {} are expected",
                        leaves.len(),
                        sorts.len()
                    )));
                }
                return Ok(leaves);
            }
            Value::Mask(mask) => {
                let pool = self.group.pool();
                // A type with more words is not the result's; see below.
                (0..sorts.len().min(4) as u32)
                    .map(|word| pool.extract(mask, word * 32 + 31, word * 32))
                    .collect()
            }
            Value::Bool(term) => smallvec![term],
            Value::Int { bits, .. } | Value::Exact(bits) => smallvec![bits],
            Value::Literal(value) => match sorts.first() {
                Some(Sort::Bits(width)) => {
                    let width = *width;
                    smallvec![self.pool().bits(value, width)]
                }
                _ => return Err(mismatch("a result", &Value::Literal(value))),
            },
        };
        let pool = self.group.pool();
        if bits.iter().map(|&bits| pool.sort(bits)).ne(sorts.iter().copied()) {
            return Err(DenoteError::Specification(format!(
                "the result of {} does not have the result type's width",
                self.about.instruction.name
            )));
        }
        Ok(match bits[..] {
            [bits] => smallvec![Leaf { bits, undefined: never }],
            _ => bits.into_iter().map(|bits| Leaf { bits, undefined: never }).collect(),
        })
    }
}

/// The sort of a scalar's bits.
pub(super) fn sort_of(scalar: Scalar) -> Sort {
    match scalar {
        Scalar::Bool => Sort::Bool,
        Scalar::Int { .. } | Scalar::Float(_) => Sort::Bits(scalar.width()),
    }
}
