//! Payloads of one kind with few bits.

use std::collections::BTreeSet;

use super::codes::Codes;
use super::kinds::{Role, Uses};

/// How numbers of values become payloads of few bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The numbers of values are the payloads; as unsigned integers they are ordered as the values are,
    /// which may be signed.
    Ordered { signed: bool },
    /// Floating-point numbers: a sign, and the number of the magnitude.
    Number,
    /// Integers that are negated: the number of the magnitude, with the sign that the value has. The least
    /// integer, which is its own opposite, stays the least.
    Negated,
    /// Integers that are complemented or ordered in both ways: a sign, and the number of the value without
    /// it; below 0 both are complemented.
    Inverted,
}

/// How payloads of a kind are written with few bits.
#[derive(Debug)]
pub(super) struct Shape {
    /// Numbers of values, or of what is left of them without a sign.
    codes: Codes,
    pub(super) form: Form,
    /// Bits of a payload.
    width: u32,
    /// Bits of a payload that is written with few.
    pub(super) bits: u32,
}

impl Shape {
    /// How payloads that are used so are written, if half of their bits are enough, with numbers for `missing`
    /// payloads less than are free.
    pub(super) fn of(uses: &Uses, missing: u128) -> Option<Self> {
        let width = uses.width;
        let form = form(uses)?;
        let part = |&value: &u128| match form {
            Form::Ordered { signed: true } => value ^ top(width),
            Form::Ordered { signed: false } => value,
            Form::Number => value & (top(width) - 1),
            Form::Negated => value.min(2 * top(width) - value),
            Form::Inverted => value.min(2 * top(width) - 1 - value),
        };
        let mut known: BTreeSet<u128> = uses.known.iter().map(part).collect();
        match form {
            Form::Ordered { signed: true } if uses.sign => known.extend([top(width)]),
            Form::Ordered { .. } | Form::Inverted => {}
            Form::Number => known.extend([0]),
            Form::Negated => known.extend([0, top(width)]),
        }
        let values = match form {
            Form::Ordered { .. } => 2 * top(width),
            Form::Number | Form::Inverted => top(width),
            Form::Negated => top(width) + 1,
        };
        let codes = Codes::new(&known, uses.free.saturating_sub(missing).max(1), values);
        let bits = match form {
            Form::Ordered { .. } => bits(codes.count()),
            Form::Number | Form::Inverted => bits(codes.count()) + 1,
            Form::Negated => bits(codes.count() - 1) + 1,
        };
        (bits <= width / 2).then_some(Self { codes, form, width, bits })
    }

    /// A known payload, or that part of one, with few bits; the width of these.
    pub(super) fn code(&self, value: u128, role: Role) -> Option<(u128, u32)> {
        let (top, new_top) = (top(self.width), top(self.bits));
        let negative = value >= top;
        let code = match (self.form, role) {
            (Form::Ordered { signed }, _) => {
                self.codes.code(if signed { value ^ top } else { value })?
            }
            (Form::Number, Role::Magnitude) => {
                return Some((self.codes.code(value)?, self.bits - 1));
            }
            (Form::Number, Role::Whole) if negative => self.codes.code(value - top)? + new_top,
            (Form::Negated, _) if value == top => new_top,
            (Form::Negated, _) | (Form::Number, Role::Key) if negative => {
                2 * new_top - self.codes.code(2 * top - value)?
            }
            (Form::Inverted, _) | (Form::Number, Role::TotalKey) if negative => {
                2 * new_top - 1 - self.codes.code(2 * top - 1 - value)?
            }
            (Form::Number | Form::Negated | Form::Inverted, _) => self.codes.code(value)?,
        };
        Some((code, self.bits))
    }

    /// The payload that few bits stand for.
    pub(super) fn value(&self, code: u128) -> u128 {
        let (top, new_top) = (top(self.width), top(self.bits));
        let negative = code >= new_top;
        match self.form {
            Form::Ordered { signed: true } => self.codes.value(code) ^ top,
            Form::Ordered { signed: false } => self.codes.value(code),
            Form::Number if negative => self.codes.value(code - new_top) + top,
            Form::Negated if code == new_top => top,
            Form::Negated if negative => 2 * top - self.codes.value(2 * new_top - code),
            Form::Inverted if negative => 2 * top - 1 - self.codes.value(2 * new_top - 1 - code),
            Form::Number | Form::Negated | Form::Inverted => self.codes.value(code),
        }
    }

    /// The greatest number that is left of a payload without its sign.
    pub(super) const fn last(&self) -> u128 {
        match self.form {
            // The last one stands for the least integer.
            Form::Negated => self.codes.count() - 2,
            Form::Ordered { .. } | Form::Number | Form::Inverted => self.codes.count() - 1,
        }
    }
}

/// In which form payloads that are used so have few bits.
fn form(uses: &Uses) -> Option<Form> {
    let ordered = uses.signed || uses.unsigned;
    let signed = uses.signed || uses.sign;
    match () {
        () if uses.other || uses.free == 0 => None,
        () if uses.number => (!ordered && !uses.negated && !uses.inverted).then_some(Form::Number),
        () if uses.negated => (!uses.inverted).then_some(Form::Negated),
        () if uses.inverted || signed && uses.unsigned => Some(Form::Inverted),
        () => Some(Form::Ordered { signed }),
    }
}

/// The sign's bit.
const fn top(width: u32) -> u128 {
    1 << (width - 1)
}

/// Bits of numbers below `count`.
fn bits(count: u128) -> u32 {
    (count - 1).checked_ilog2().map_or(1, |highest| highest + 1)
}
