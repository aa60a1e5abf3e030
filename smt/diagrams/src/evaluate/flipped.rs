//! Terms that flip bits of a number by its sign, in whichever way they are written: by a choice, by
//! a mask that the sign is shifted to.

use laneproof_semantics::term::{Binary, Compare, FloatNote, Node, Pool, Sort, Term};

use super::beside_number;
use crate::flips::Flips;
use crate::numbers::ones;

/// Terms are looked into to this depth.
const DEEPEST: u32 = 8;

/// A bit of a term, where the sign of a number is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bit {
    Known(bool),
    /// The number's bit at this place, or the opposite one.
    Own(u32, bool),
}

impl Bit {
    const fn not(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::Own(place, flipped) => Self::Own(place, !flipped),
        }
    }

    /// The two combined, where one of them is known.
    fn with(self, operation: Binary, other: Self) -> Option<Self> {
        let (known, bit) = match (self, other) {
            (Self::Known(known), bit) | (bit, Self::Known(known)) => (known, bit),
            _ => return None,
        };
        Some(match (operation, known) {
            (Binary::And, false) | (Binary::Or, true) => Self::Known(known),
            (Binary::Xor, true) => bit.not(),
            _ => bit,
        })
    }
}

/// The number whose bits a term flips by its sign, and which.
pub(crate) fn flipped_at(pool: &Pool, term: Term) -> Option<(Term, Flips)> {
    if let Some(FloatNote::TotalKey(number)) = pool.float_note(term) {
        let magnitude = ones(pool.width(number) - 1);
        return Some((number, Flips { unset: 0, set: magnitude }));
    }
    let number = match *pool.node(term) {
        Node::Ite(condition, ..) if pool.sort(term) != Sort::Bool => sign_of(pool, condition, 1)?,
        Node::Binary(Binary::Xor, a, b) => {
            sign_of(pool, a, DEEPEST).or_else(|| sign_of(pool, b, DEEPEST))?
        }
        // The sign is set or cleared.
        Node::Binary(operation @ (Binary::And | Binary::Or), a, b) => {
            let (number, mask) = beside_number(pool, a, b)?;
            let sign = 1 << (pool.width(number) - 1);
            let low = ones(pool.width(number)) ^ sign;
            (mask == if operation == Binary::And { low } else { sign }).then_some(number)?
        }
        _ => return None,
    };
    let width = pool.width(number);
    if width < 2 || pool.sort(term) != Sort::Bits(width) || pool.bits_of(number).is_some() {
        return None;
    }
    let flips = |sign| Sign { pool, number, sign }.flips(term);
    let flips = Flips { unset: flips(false)?, set: flips(true)? };
    flips.is_of_numbers(width).then_some((number, flips))
}

/// The number of whose sign a term is made, as far as it is seen at once.
fn sign_of(pool: &Pool, term: Term, depth: u32) -> Option<Term> {
    let top_of = |number: Term| u128::from(pool.width(number) - 1);
    match *pool.node(term) {
        Node::Bit(number, place) if pool.bits_of(place) == Some(top_of(number)) => Some(number),
        Node::Extract(number, high, low) if high == low && u128::from(low) == top_of(number) => {
            Some(number)
        }
        Node::Binary(Binary::ShiftRight | Binary::ShiftRightSigned, number, amount)
            if pool.bits_of(amount) == Some(top_of(number)) =>
        {
            Some(number)
        }
        Node::Not(inner) => sign_of(pool, inner, depth),
        Node::Equal(a, b) => {
            let side = if pool.bits_of(a).is_some() { b } else { a };
            masked_sign(pool, side).or_else(|| sign_of(pool, side, depth))
        }
        Node::Compare(_, a, b) => beside_number(pool, a, b).map(|(number, _)| number),
        _ if depth == 0 => None,
        Node::BitNot(a) | Node::ZeroExtend(a, _) | Node::SignExtend(a, _) => {
            sign_of(pool, a, depth - 1)
        }
        Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b) => {
            let known = if pool.bits_of(a).is_some() { b } else { a };
            sign_of(pool, known, depth - 1)
        }
        Node::Ite(condition, then, otherwise)
            if pool.bits_of(then).is_some() && pool.bits_of(otherwise).is_some() =>
        {
            sign_of(pool, condition, depth - 1)
        }
        Node::Linear(ref parts, _) => match **parts {
            [(part, _)] => sign_of(pool, part, depth - 1),
            _ => None,
        },
        _ => None,
    }
}

/// The number of which only the sign is kept.
fn masked_sign(pool: &Pool, term: Term) -> Option<Term> {
    let Node::Binary(Binary::And, a, b) = *pool.node(term) else { return None };
    let sign = 1 << (pool.width(term) - 1);
    beside_number(pool, a, b).filter(|(_, mask)| *mask == sign).map(|(number, _)| number)
}

/// The states in which a number has that sign.
struct Sign<'p> {
    pool: &'p Pool,
    number: Term,
    sign: bool,
}

impl Sign<'_> {
    /// The bits in which a term is not the number.
    fn flips(&self, term: Term) -> Option<u128> {
        let bits = self.bits(term, DEEPEST)?;
        let mut flips = 0;
        for (place, bit) in bits.into_iter().enumerate() {
            let flipped = match bit {
                Bit::Known(value) if place as u32 + 1 == self.pool.width(term) => {
                    value != self.sign
                }
                Bit::Own(from, flipped) if from as usize == place => flipped,
                _ => return None,
            };
            flips |= u128::from(flipped) << place;
        }
        Some(flips)
    }

    fn bits(&self, term: Term, depth: u32) -> Option<Vec<Bit>> {
        let pool = self.pool;
        let width = pool.width(term);
        if term == self.number {
            let below = (0..width - 1).map(|place| Bit::Own(place, false));
            return Some(below.chain([Bit::Known(self.sign)]).collect());
        }
        if let Some(value) = pool.bits_of(term) {
            return Some(known_bits(value, width));
        }
        let depth = depth.checked_sub(1)?;
        let of = |operand: Term| self.bits(operand, depth);
        match *pool.node(term) {
            Node::BitNot(a) => Some(of(a)?.into_iter().map(Bit::not).collect()),
            Node::Binary(operation @ (Binary::And | Binary::Or | Binary::Xor), a, b) => {
                of(a)?.into_iter().zip(of(b)?).map(|(a, b)| a.with(operation, b)).collect()
            }
            Node::Binary(operation, a, b) => shifted(operation, &of(a)?, pool.bits_of(b)?),
            Node::Extract(a, high, low) => Some(of(a)?[low as usize..=high as usize].to_vec()),
            Node::ZeroExtend(a, _) => Some(extended(of(a)?, Bit::Known(false), width)),
            Node::SignExtend(a, _) => {
                let bits = of(a)?;
                let sign = *bits.last()?;
                Some(extended(bits, sign, width))
            }
            Node::Concat(high, low) => Some([of(low)?, of(high)?].concat()),
            Node::FromBits(ref bits) => bits.iter().map(|&bit| self.truth(bit, depth)).collect(),
            Node::Ite(condition, then, otherwise) => match self.truth(condition, depth)? {
                Bit::Known(value) => of(if value { then } else { otherwise }),
                Bit::Own(..) => None,
            },
            Node::Linear(ref parts, constant) => self.sum(parts, constant, width, depth),
            _ => None,
        }
    }

    /// Of numbers that are known; or one number, its complement, or it with another sign.
    fn sum(
        &self,
        parts: &[(Term, u128)],
        constant: u128,
        width: u32,
        depth: u32,
    ) -> Option<Vec<Bit>> {
        let (mut sum, mut open) = (constant, None);
        for &(part, factor) in parts {
            let bits = self.bits(part, depth)?;
            match known_number(&bits) {
                Some(value) => sum = sum.wrapping_add(value.wrapping_mul(factor)) & ones(width),
                None if open.is_none() => open = Some((bits, factor)),
                None => return None,
            }
        }
        let Some((mut bits, factor)) = open else { return Some(known_bits(sum, width)) };
        if factor == 1 && sum & ones(width - 1) == 0 {
            let top = bits.last_mut()?;
            *top = if sum == 0 { *top } else { top.not() };
            return Some(bits);
        }
        let is_complement = factor == ones(width) && sum == ones(width);
        is_complement.then(|| bits.into_iter().map(Bit::not).collect())
    }

    fn truth(&self, condition: Term, depth: u32) -> Option<Bit> {
        let pool = self.pool;
        let depth = depth.checked_sub(1)?;
        match *pool.node(condition) {
            Node::Bool(value) => Some(Bit::Known(value)),
            Node::Not(inner) => self.truth(inner, depth).map(Bit::not),
            Node::Bit(vector, place) => {
                let bits = self.bits(vector, depth)?;
                bits.get(usize::try_from(pool.bits_of(place)?).ok()?).copied()
            }
            Node::Equal(a, b) if pool.sort(a) != Sort::Bool => {
                let a = known_number(&self.bits(a, depth)?)?;
                Some(Bit::Known(a == known_number(&self.bits(b, depth)?)?))
            }
            Node::Compare(relation, a, b) => {
                let (value, limit) = beside_number(pool, a, b)?;
                let sign = *self.bits(value, depth)?.last()?;
                by_sign(relation, limit, pool.width(a), value == b, sign)
            }
            _ => None,
        }
    }
}

/// A comparison with a number that a value's sign decides; `first` where the number is the first one.
fn by_sign(relation: Compare, limit: u128, width: u32, first: bool, sign: Bit) -> Option<Bit> {
    let signed = matches!(relation, Compare::LessSigned | Compare::LessEqualSigned);
    let strict = matches!(relation, Compare::Less | Compare::LessSigned);
    // Of the numbers in order: the first one of the upper half.
    let upper = if signed { 0 } else { 1 << (width - 1) };
    let before = if signed { ones(width) } else { ones(width - 1) };
    // The value is below the upper half, or the number is and the value is not.
    let boundary = if first == strict { before } else { upper };
    if limit != boundary {
        return None;
    }
    let in_upper = if signed { sign.not() } else { sign };
    Some(if first { in_upper } else { in_upper.not() })
}

fn known_bits(value: u128, width: u32) -> Vec<Bit> {
    (0..width).map(|place| Bit::Known(value >> place & 1 == 1)).collect()
}

fn known_number(bits: &[Bit]) -> Option<u128> {
    let mut number = 0;
    for (place, bit) in bits.iter().enumerate() {
        let Bit::Known(value) = *bit else { return None };
        number |= u128::from(value) << place;
    }
    Some(number)
}

fn extended(mut bits: Vec<Bit>, above: Bit, width: u32) -> Vec<Bit> {
    bits.resize(width as usize, above);
    bits
}

fn shifted(operation: Binary, bits: &[Bit], amount: u128) -> Option<Vec<Bit>> {
    let width = bits.len();
    let amount = usize::try_from(amount).unwrap_or(width).min(width);
    let above = match operation {
        Binary::ShiftRightSigned => *bits.last()?,
        _ => Bit::Known(false),
    };
    Some(match operation {
        Binary::ShiftLeft => [vec![above; amount], bits[..width - amount].to_vec()].concat(),
        Binary::ShiftRight | Binary::ShiftRightSigned => {
            [bits[amount..].to_vec(), vec![above; amount]].concat()
        }
        _ => return None,
    })
}
