//! Operations on bit-vectors that Z3 has by another name, or not at all.

use laneproof_semantics::term::{Binary, Compare, Scan};
use z3::ast::{BV, Bool};

use crate::bits::constant;

/// A 32-bit answer about the set bits of a vector, by halves.
pub fn scanned(scan: Scan, vector: &BV) -> BV {
    let width = vector.get_size();
    match scan {
        Scan::Count => {
            let bits = (0..width).map(|bit| vector.extract(bit, bit).zero_ext(7)).collect();
            sum(bits).zero_ext(24)
        }
        Scan::Lowest | Scan::Highest => {
            let none = BV::from_u64(u64::from(width), 32);
            let empty = vector.eq(constant(0, width));
            empty.ite(&none, &position(scan, vector, 0))
        }
    }
}

/// Sum of eight-bit numbers that stays below 256, as a balanced tree.
fn sum(mut row: Vec<BV>) -> BV {
    while row.len() > 1 {
        row = row
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => a.bvadd(b),
                rest => rest[0].clone(),
            })
            .collect();
    }
    row.pop().unwrap_or_else(|| unreachable!("a vector has bits"))
}

/// Position of the lowest or highest set bit of a vector that has one.
fn position(scan: Scan, vector: &BV, base: u32) -> BV {
    let width = vector.get_size();
    if width == 1 {
        return BV::from_u64(u64::from(base), 32);
    }
    let half = width / 2;
    let low = vector.extract(half - 1, 0);
    let high = vector.extract(width - 1, half);
    let below = position(scan, &low, base);
    let above = position(scan, &high, base + half);
    match scan {
        Scan::Highest => high.eq(constant(0, width - half)).ite(&below, &above),
        _ => low.eq(constant(0, half)).ite(&above, &below),
    }
}

pub fn less(relation: Compare, a: &BV, b: &BV) -> Bool {
    match relation {
        Compare::Less => a.bvult(b),
        Compare::LessEqual => a.bvule(b),
        Compare::LessSigned => a.bvslt(b),
        Compare::LessEqualSigned => a.bvsle(b),
    }
}

pub fn binary(op: Binary, a: &BV, b: &BV) -> BV {
    match op {
        Binary::Add => a.bvadd(b),
        Binary::Sub => a.bvsub(b),
        Binary::Mul => a.bvmul(b),
        Binary::DivUnsigned => a.bvudiv(b),
        Binary::RemUnsigned => a.bvurem(b),
        Binary::DivSigned => a.bvsdiv(b),
        Binary::RemSigned => a.bvsrem(b),
        Binary::And => a.bvand(b),
        Binary::Or => a.bvor(b),
        Binary::Xor => a.bvxor(b),
        Binary::ShiftLeft => a.bvshl(b),
        Binary::ShiftRight => a.bvlshr(b),
        Binary::ShiftRightSigned => a.bvashr(b),
    }
}
