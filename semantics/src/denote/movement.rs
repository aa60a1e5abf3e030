//! The built-in functions that only move parts of values: marks travel with them.

use smallvec::smallvec;

use super::expression::Context;
use super::instance::{Argument, DenoteError, Group, Leaf};
use super::names::plain_name;
use super::value::{Leaves, Mode, Value, choose_leaf, mismatch, not_moved, single};
use crate::Type;
use crate::language::ast::{Expr, ExprKind, Name};
use crate::language::intrinsic::Intrinsic;
use crate::term::{Binary, Sort, Term};

impl<'a, G: Group> Context<'a, '_, G> {
    pub(super) fn movement(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &'a [Expr],
        mode: Mode,
    ) -> Result<Option<Value>, DenoteError> {
        let leaves = match (intrinsic, arguments) {
            (Intrinsic::Extract, [composite, indexes]) => {
                let (start, count) = self.part(plain_name(composite)?, indexes)?;
                let leaves = self.payload(composite, mode)?;
                leaves.get(start..start + count).map(Leaves::from)
            }
            (Intrinsic::Insert, [object, composite, indexes]) => {
                let (start, count) = self.part(plain_name(composite)?, indexes)?;
                let mut leaves = self.payload(composite, mode)?;
                let object = self.payload(object, mode)?;
                if object.len() != count || start + count > leaves.len() {
                    None
                } else {
                    leaves[start..start + count].copy_from_slice(&object);
                    Some(leaves)
                }
            }
            (Intrinsic::BitsFrom, [words @ .., first]) => {
                let first = self.index(first)?;
                let mut read = Vec::new();
                for (number, word) in (0..).zip(words) {
                    let bytes = self.bytes_from(first, number)?;
                    read.push(self.of_word(word, bytes, mode)?);
                }
                Some(smallvec![self.bits_from(&read, first)?])
            }
            (Intrinsic::WordOf, [value, number]) => {
                let leaf = single(&self.payload(value, mode)?)?;
                self.word_of(leaf, number)?.map(|word| smallvec![word])
            }
            (Intrinsic::Construct, [constituents]) => Some(self.payload(constituents, mode)?),
            (Intrinsic::Component, [vector, index]) => {
                let leaves = self.payload(vector, mode)?;
                let index = self.index(index)?;
                Some(smallvec![self.selected(&leaves, index)?])
            }
            (Intrinsic::Replace, [vector, index, component]) => {
                let mut leaves = self.payload(vector, mode)?;
                let index = self.index(index)?;
                let component = self.payload(component, mode)?;
                let component = single(&component)?;
                let pool = self.group.pool();
                for (position, leaf) in leaves.iter_mut().enumerate() {
                    let position = pool.bits(position as u128, 32);
                    let here = pool.equal(index, position);
                    *leaf = choose_leaf(pool, here, component, *leaf)?;
                }
                Some(leaves)
            }
            (Intrinsic::VectorShuffle, [first, second, components]) => {
                let mut pair = self.payload(first, mode)?;
                pair.extend(self.payload(second, mode)?);
                let components = self.literals(components)?;
                let absent = self.absent_leaves()?;
                components
                    .iter()
                    .enumerate()
                    .map(|(position, &component)| match component {
                        // The literal that asks for no particular component.
                        u32::MAX => absent.get(position).copied(),
                        component => pair.get(component as usize).copied(),
                    })
                    .collect()
            }
            _ => return Ok(None),
        };
        match leaves {
            Some(leaves) => Ok(Some(Value::Payload(leaves))),
            None => Err(DenoteError::Specification(format!(
                "`{}` names a component that its operand does not have",
                intrinsic.row().name
            ))),
        }
    }

    /// Which bytes of a word the result's component has, from a bit of the first word on.
    fn bytes_from(&mut self, first: Term, word: u128) -> Result<[Term; 4], DenoteError> {
        let bits = u128::from(self.result_width()?);
        let pool = self.group.pool();
        let first = pool.zero_extend(first, 64);
        let width = pool.bits(bits, 64);
        let end = pool.add(first, width);
        let has = |byte: u128| {
            let low = 32 * word + 8 * byte;
            let [low, high] = [low, low + 8].map(|bit| pool.bits(bit, 64));
            let [begun, ended] = [pool.less(first, high), pool.less(low, end)];
            pool.and(begun, ended)
        };
        Ok([0, 1, 2, 3].map(has))
    }

    /// A word of which these bytes matter.
    fn of_word(
        &mut self,
        word: &'a Expr,
        bytes: [Term; 4],
        mode: Mode,
    ) -> Result<Leaf, DenoteError> {
        let before = self.at.bytes.replace(bytes);
        let word = self.payload(word, mode);
        self.at.bytes = before;
        single(&word?)
    }

    /// The result's component out of words of 32 bits, from a bit of the first one on.
    fn bits_from(&mut self, words: &[Leaf], first: Term) -> Result<Leaf, DenoteError> {
        let width = self.result_width()?;
        let pool = self.group.pool();
        let Some((&low, others)) = words.split_first() else {
            return Err(DenoteError::Specification("bits are taken out of no word".into()));
        };
        if width == 32 && pool.bits_of(first) == Some(0) {
            return Ok(low);
        }
        not_moved(pool, low.bits)?;
        let mut all = low;
        // A component begins in the first byte of a word at the earliest, in the last at the latest.
        for word in others.iter().take(width.div_ceil(32) as usize) {
            not_moved(pool, word.bits)?;
            all.bits = pool.concat(word.bits, all.bits);
            all.undefined = pool.or(all.undefined, word.undefined);
        }
        let first = pool.zero_extend(first, pool.width(all.bits));
        let moved = pool.binary(Binary::ShiftRight, all.bits, first);
        Ok(Leaf { bits: pool.extract(moved, width - 1, 0), ..all })
    }

    /// 32 bits of a value of more, the value itself if it has no more; none past its end.
    fn word_of(&mut self, value: Leaf, number: &Expr) -> Result<Option<Leaf>, DenoteError> {
        let ExprKind::Integer(number) = number.kind else {
            return Err(DenoteError::Specification("which word it is is a number".into()));
        };
        let pool = self.group.pool();
        if number == 0 && !matches!(pool.sort(value.bits), Sort::Bits(33..)) {
            return Ok(Some(value));
        }
        not_moved(pool, value.bits)?;
        let (low, width) = (32 * number, u128::from(pool.width(value.bits)));
        let Some(low) = u32::try_from(low).ok().filter(|&low| u128::from(low) + 32 <= width) else {
            return Ok(None);
        };
        Ok(Some(Leaf { bits: pool.extract(value.bits, low + 31, low), ..value }))
    }

    fn payload(&mut self, expression: &'a Expr, mode: Mode) -> Result<Leaves, DenoteError> {
        match self.evaluate(expression, mode)? {
            Value::Payload(leaves) => Ok(leaves),
            other => Err(mismatch("an operand's value", &other)),
        }
    }

    fn index(&mut self, expression: &'a Expr) -> Result<Term, DenoteError> {
        let value = self.evaluate(expression, Mode::Compute)?;
        self.word(value)
    }

    fn literals(&self, expression: &'a Expr) -> Result<Vec<u32>, DenoteError> {
        match self.argument(plain_name(expression)?)?.1 {
            Argument::Literals(values) => Ok(values.clone()),
            _ => Err(DenoteError::Specification("literal numbers were expected here".into())),
        }
    }

    /// First leaf and number of leaves of the part that literal indexes name.
    fn part(&self, composite: &Name, indexes: &'a Expr) -> Result<(usize, usize), DenoteError> {
        let Argument::Value(ty) = self.argument(composite)?.1 else {
            return Err(DenoteError::Specification(format!("`{composite}` is not a composite")));
        };
        let mut ty: Type = ty.clone();
        let mut start = 0;
        for index in self.literals(indexes)? {
            let (member, offset) = ty.member(index).ok_or_else(|| {
                DenoteError::Specification(format!("a value of type {ty} has no part {index}"))
            })?;
            ty = member;
            start += offset;
        }
        Ok((start, ty.leaf_count()))
    }

    /// The leaf at a computed index; the last one where the index is past the end, for which
    /// a clause has its say.
    fn selected(&mut self, leaves: &[Leaf], index: Term) -> Result<Leaf, DenoteError> {
        let Some((last, others)) = leaves.split_last() else {
            return Err(DenoteError::Specification("a vector without components".into()));
        };
        let pool = self.group.pool();
        let mut chosen = *last;
        for (position, leaf) in others.iter().enumerate().rev() {
            let position = pool.bits(position as u128, 32);
            let here = pool.equal(index, position);
            chosen = choose_leaf(pool, here, *leaf, chosen)?;
        }
        Ok(chosen)
    }
}
