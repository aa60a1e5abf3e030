//! Memory: what is read before an instance executes, what it writes, and updates.

use smallvec::smallvec;

use super::expression::{Context, OUTSIDE, Presupposition};
use super::instance::{Argument, AtomicUpdate, DenoteError, Group, Leaf, MemoryPlace, Read, Store};
use super::names::plain_name;
use super::operands::sort_of;
use super::value::{EXACT, Mode, Value, choose_leaf, mismatch, single};
use crate::language::ast::{Expr, ExprKind, Name};
use crate::language::intrinsic::Intrinsic;
use crate::term::{Binary, Sort, Term};

/// Draws of one component are numbered from a multiple of this: a clause reads fewer places.
const PLACES: usize = 64;

impl<'a, G: Group> Context<'a, '_, G> {
    /// The functions that ask memory.
    pub(super) fn memory(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &'a [Expr],
        mode: Mode,
    ) -> Result<Option<Value>, DenoteError> {
        Ok(Some(match (intrinsic, arguments) {
            (Intrinsic::Load, [pointer, element]) => {
                let target = self.operand_index(plain_name(pointer)?)?;
                let past = self.evaluate(element, Mode::Compute)?;
                self.presuppose_element(target, past.clone())?;
                let spot = MemoryPlace::Element(self.word(past)?);
                self.load(target, spot, mode)?
            }
            (Intrinsic::Word, [image, column, row]) => {
                let target = self.operand_index(plain_name(image)?)?;
                let column = self.evaluate(column, Mode::Compute)?;
                let row = self.evaluate(row, Mode::Compute)?;
                self.presuppose_word(target, column.clone(), row.clone())?;
                let (column, row) = (self.word(column)?, self.word(row)?);
                self.load(target, MemoryPlace::Word { column, row }, mode)?
            }
            (Intrinsic::WidthInWords | Intrinsic::Height, [image]) => {
                let target = self.operand_index(plain_name(image)?)?;
                let (width, height) = self.group.extent(target)?;
                Value::int(if intrinsic == Intrinsic::Height { height } else { width })
            }
            (Intrinsic::Texels | Intrinsic::TexelBytes | Intrinsic::RowBytes, [image]) => {
                let target = self.operand_index(plain_name(image)?)?;
                let texels = self.group.texels(target)?;
                Value::int(match intrinsic {
                    Intrinsic::Texels => texels.row,
                    Intrinsic::TexelBytes => texels.bytes,
                    _ => texels.row_bytes,
                })
            }
            (Intrinsic::Elements | Intrinsic::Place, [pointer]) => {
                let target = self.operand_index(plain_name(pointer)?)?;
                let lane = self.here();
                let (elements, place) = self.group.reach(target, lane)?;
                let left = self.group.pool().binary(Binary::Sub, elements, place);
                Value::int(if intrinsic == Intrinsic::Place { place } else { left })
            }
            (Intrinsic::Aligned, [pointer, bytes]) => {
                let target = self.operand_index(plain_name(pointer)?)?;
                let ExprKind::Integer(bytes) = bytes.kind else {
                    return Err(DenoteError::Specification("an alignment is a number".into()));
                };
                let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                let lane = self.here();
                Value::Bool(self.group.aligned(target, bytes, lane)?)
            }
            (Intrinsic::Modified, [pointer]) => {
                let target = self.operand_index(plain_name(pointer)?)?;
                let lane = self.here();
                Value::Bool(self.group.modified(target, lane)?)
            }
            _ => return Ok(None),
        }))
    }

    /// A number that does not wrap: 64 bits.
    fn wide(&mut self, value: Value) -> Result<Term, DenoteError> {
        match self.scalar(value)? {
            Value::Exact(bits) => Ok(bits),
            Value::Int { bits, signed: true } => Ok(self.group.pool().resize_signed(bits, EXACT)),
            other => {
                let word = self.word(other)?;
                Ok(self.group.pool().resize(word, EXACT))
            }
        }
    }

    /// Of a text as it is written: that something is there is presupposed, not promised.
    fn presuppose(&mut self, inside: Term) {
        let pool = self.group.pool();
        let outside = pool.not(inside);
        let unmet = pool.and(self.at.guard, outside);
        if pool.bool_of(unmet) != Some(false) {
            self.noted.presuppositions.push(Presupposition { unmet, reading: OUTSIDE });
        }
    }

    fn presuppose_element(&mut self, target: usize, past: Value) -> Result<(), DenoteError> {
        if !self.about.specification.is_as_written() {
            return Ok(());
        }
        let past = self.wide(past)?;
        let lane = self.here();
        let (elements, place) = self.group.reach(target, lane)?;
        let pool = self.group.pool();
        let [elements, place] = [elements, place].map(|it| pool.resize(it, EXACT));
        let at = pool.add(place, past);
        // Below zero is far above.
        let inside = pool.less(at, elements);
        self.presuppose(inside);
        Ok(())
    }

    fn presuppose_word(
        &mut self,
        target: usize,
        column: Value,
        row: Value,
    ) -> Result<(), DenoteError> {
        if !self.about.specification.is_as_written() {
            return Ok(());
        }
        let (column, row) = (self.wide(column)?, self.wide(row)?);
        let (width, height) = self.group.extent(target)?;
        let pool = self.group.pool();
        let [width, height] = [width, height].map(|it| pool.resize(it, EXACT));
        let inside = [pool.less(column, width), pool.less(row, height)];
        let inside = pool.all(inside.to_vec());
        self.presuppose(inside);
        Ok(())
    }

    fn number(&mut self, expression: &'a Expr) -> Result<Term, DenoteError> {
        let value = self.evaluate(expression, Mode::Compute)?;
        self.word(value)
    }

    fn load(&mut self, target: usize, spot: MemoryPlace, mode: Mode) -> Result<Value, DenoteError> {
        let (lane, when, bytes) = (self.here(), self.at.guard, self.at.bytes);
        self.noted.reads += 1;
        let leaf = match self.at.in_order {
            true => self.update_at(target, spot)?.after,
            false => self.group.load(Read { target, spot, when, bytes }, lane)?,
        };
        if mode == Mode::Copy {
            return Ok(Value::Payload(smallvec![leaf]));
        }
        let place = match self.noted.places.iter().position(|known| *known == (target, spot)) {
            Some(place) => place,
            None => {
                self.noted.places.push((target, spot));
                self.noted.places.len() - 1
            }
        };
        let number = self.component().unwrap_or(0) * PLACES + place;
        self.drawn(target, number, leaf).map(|leaf| Value::Payload(smallvec![leaf]))
    }

    /// The update of this lane, which is about one place.
    fn update_at(
        &mut self,
        target: usize,
        spot: MemoryPlace,
    ) -> Result<&mut AtomicUpdate, DenoteError> {
        let guard = self.at.guard;
        let new = match self.noted.update {
            Some(update) if (update.target, update.spot) == (target, spot) => {
                AtomicUpdate { when: self.group.pool().or(update.when, guard), ..update }
            }
            Some(_) => return Err(DenoteError::NotModelled("an update about two places".into())),
            None => {
                let sort = self.stored_sort(target)?.unwrap_or(Sort::Bits(32));
                let pool = self.group.pool();
                let (bits, undefined) =
                    (pool.placeholder(0, sort), pool.placeholder(1, Sort::Bool));
                let before = Leaf { bits, undefined };
                let stores = pool.bool(false);
                AtomicUpdate { target, spot, when: guard, before, after: before, stores }
            }
        };
        Ok(self.noted.update.insert(new))
    }

    /// The sort of what a pointer leads to; `None` for images.
    fn stored_sort(&self, target: usize) -> Result<Option<Sort>, DenoteError> {
        match &self.about.instance.arguments[target] {
            Argument::Pointer(ty) => match ty.leaves().as_slice() {
                [scalar] => Ok(Some(sort_of(*scalar))),
                _ => Err(DenoteError::NotModelled(format!("a pointer to {ty}"))),
            },
            Argument::Image => Ok(None),
            _ => Err(DenoteError::NotModelled("such memory".into())),
        }
    }

    /// Writes `value` to a place, in lanes where `when` holds. In a text as it is written the
    /// position in a word is not known, so bytes go to an image.
    pub(super) fn store(
        &mut self,
        target: &Name,
        index: &'a Expr,
        row: Option<&'a Expr>,
        value: &'a Expr,
        when: Term,
    ) -> Result<Vec<Store>, DenoteError> {
        let target = self.operand_index(target)?;
        let sort = self.stored_sort(target)?;
        let place = self.under(when, |it| it.evaluate(index, Mode::Compute))?;
        if row.is_none() {
            self.under(when, |it| it.presuppose_element(target, place.clone()))?;
        }
        let index = self.word(place.clone())?;
        let value = match (&value.kind, sort) {
            (ExprKind::Call(name, _), Some(sort))
                if Intrinsic::named(name) == Some(Intrinsic::Undefined) =>
            {
                self.anything(sort)
            }
            _ => {
                let value = self.under(when, |it| it.evaluate(value, Mode::Copy))?;
                self.stored(value, sort)?
            }
        };
        let spot = match (row, sort) {
            (None, Some(_)) => MemoryPlace::Element(index),
            (Some(row), None) => {
                if self.about.specification.is_as_written() {
                    return self.stored_bytes(target, place, row, value, when);
                }
                let row = self.under(when, |it| it.number(row))?;
                let pool = self.group.pool();
                match pool.sort(value.bits) {
                    Sort::Bits(32) | Sort::Tag => {
                        let top = pool.extract(index, 31, 2);
                        MemoryPlace::Word { column: pool.zero_extend(top, 32), row }
                    }
                    _ => MemoryPlace::Part { byte: index, row },
                }
            }
            _ => {
                let message = "a pointer has one index, an image has byte and row";
                return Err(DenoteError::Specification(message.into()));
            }
        };
        if !self.at.in_order {
            return Ok(vec![Store { target, spot, value, when }]);
        }
        let before =
            self.under(when, |it| it.update_at(target, spot).map(|update| update.after))?;
        let after = choose_leaf(self.group.pool(), when, value, before)?;
        self.under(when, |it| {
            let guard = it.at.guard;
            let before = it.update_at(target, spot)?.stores;
            let stores = it.group.pool().or(before, guard);
            it.update_at(target, spot).map(|update| (update.after, update.stores) = (after, stores))
        })?;
        Ok(Vec::new())
    }

    /// The bytes of a value, one after the other in a row of an image.
    fn stored_bytes(
        &mut self,
        target: usize,
        first: Value,
        row: &'a Expr,
        value: Leaf,
        when: Term,
    ) -> Result<Vec<Store>, DenoteError> {
        let first = self.wide(first)?;
        let row = self.under(when, |it| it.evaluate(row, Mode::Compute))?;
        let bytes = self.group.pool().width(value.bits) / 8;
        let mut stores = Vec::new();
        for number in 0..bytes {
            let pool = self.group.pool();
            let past = pool.bits(u128::from(number), EXACT);
            let byte = pool.add(first, past);
            let two = pool.bits(2, EXACT);
            let column = Value::Exact(pool.binary(Binary::ShiftRightSigned, byte, two));
            let bits = pool.extract(value.bits, 8 * number + 7, 8 * number);
            let byte = pool.resize(byte, 32);
            self.under(when, |it| it.presuppose_word(target, column, row.clone()))?;
            let spot = MemoryPlace::Part { byte, row: self.word(row.clone())? };
            stores.push(Store { target, spot, value: Leaf { bits, ..value }, when });
        }
        Ok(stores)
    }

    /// A mark and no value.
    fn anything(&mut self, sort: Sort) -> Leaf {
        let pool = self.group.pool();
        let bits = match sort {
            Sort::Bits(width) => pool.bits(0, width),
            _ => pool.bool(false),
        };
        Leaf { bits, undefined: pool.bool(true) }
    }

    fn stored(&mut self, value: Value, sort: Option<Sort>) -> Result<Leaf, DenoteError> {
        let pool = self.group.pool();
        let bits = match (value, sort) {
            (Value::Payload(leaves), _) => {
                let leaf = single(&leaves)?;
                return match (pool.sort(leaf.bits), sort) {
                    (Sort::Tag, _) | (_, None) => Ok(leaf),
                    (own, Some(sort)) if own == sort => Ok(leaf),
                    _ => Err(mismatch("a value as wide as the place", &Value::int(leaf.bits))),
                };
            }
            (Value::Literal(value), Some(Sort::Bits(width))) => pool.bits(value, width),
            (Value::Bool(bits), _) => bits,
            (Value::Int { bits, .. } | Value::Exact(bits), _) => bits,
            (other, _) => return Err(mismatch("a scalar", &other)),
        };
        if sort.is_some_and(|sort| sort != pool.sort(bits)) {
            return Err(mismatch("a value as wide as the place", &Value::int(bits)));
        }
        Ok(Leaf { bits, undefined: pool.bool(false) })
    }
}
