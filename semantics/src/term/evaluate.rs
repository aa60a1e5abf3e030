//! What terms are once everything free has a value.

use std::hash::{Hash, Hasher};

use super::float::apply;
use super::order::is_result;
use super::width::{ones, signed};
use super::{Binary, Compare, Node, Pool, Scan, Sort, Symbol, Term};
use crate::hash::FastHasher;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroundValue {
    /// Of sort `Bool`.
    Bool(bool),
    /// Of sort `Bits`, zero-extended.
    Bits(u128),
    /// Of sort `Tag`: input leaf and lane.
    Tag(u32, u32),
}

impl GroundValue {
    /// As a number; a Boolean is 0 or 1, a tag its lane.
    pub fn as_bits(self) -> u128 {
        match self {
            Self::Bool(value) => u128::from(value),
            Self::Bits(value) => value,
            Self::Tag(_, lane) => u128::from(lane),
        }
    }

    /// As a truth value.
    pub fn is_true(self) -> bool {
        self == Self::Bool(true)
    }
}

/// Gives values to symbols.
pub trait Interpretation {
    /// The value of a free constant.
    fn variable(&self, symbol: Symbol) -> GroundValue;
    /// The value of a free function at a lane.
    fn apply(&self, symbol: Symbol, lane: u32) -> GroundValue;
}

pub(crate) fn compare(relation: Compare, a: u128, b: u128, width: u32) -> bool {
    match relation {
        Compare::Less => a < b,
        Compare::LessEqual => a <= b,
        Compare::LessSigned => signed(a, width) < signed(b, width),
        Compare::LessEqualSigned => signed(a, width) <= signed(b, width),
    }
}

pub(crate) fn binary(op: Binary, a: u128, b: u128, width: u32) -> u128 {
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::DivUnsigned => a.checked_div(b).unwrap_or(u128::MAX),
        Binary::RemUnsigned => a.checked_rem(b).unwrap_or(a),
        Binary::DivSigned => {
            let (x, y) = (signed(a, width), signed(b, width));
            match y {
                0 => {
                    if x < 0 {
                        1
                    } else {
                        u128::MAX
                    }
                }
                _ => x.wrapping_div(y) as u128,
            }
        }
        Binary::RemSigned => {
            let (x, y) = (signed(a, width), signed(b, width));
            if y == 0 { a } else { x.wrapping_rem(y) as u128 }
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft => {
            if b >= u128::from(width) {
                0
            } else {
                a << b
            }
        }
        Binary::ShiftRight => {
            if b >= u128::from(width) {
                0
            } else {
                a >> b
            }
        }
        Binary::ShiftRightSigned => {
            let amount = b.min(u128::from(width) - 1) as u32;
            (signed(a, width) >> amount) as u128
        }
    };
    result & ones(width)
}

pub(crate) fn scan(scan: Scan, value: u128, width: u32) -> u32 {
    match scan {
        Scan::Count => value.count_ones(),
        Scan::Lowest => value.trailing_zeros().min(width),
        Scan::Highest => {
            if value == 0 {
                width
            } else {
                127 - value.leading_zeros()
            }
        }
    }
}

/// What one implementation gives, of all that there may be: any function of the operands will do.
fn some_implementation(operation: &str, operands: &[u128]) -> u128 {
    let mut hasher = FastHasher::default();
    (operation, operands).hash(&mut hasher);
    u128::from(hasher.finish())
}

impl Pool {
    /// The values of `roots` under an interpretation.
    pub fn evaluate(&self, roots: &[Term], given: &impl Interpretation) -> Vec<GroundValue> {
        self.evaluate_in(&self.reachable(roots), roots, given)
    }

    /// The values of `roots`. `order` is everything [reachable](Self::reachable) from them; it can
    /// be used for many interpretations.
    pub fn evaluate_in(
        &self,
        order: &[Term],
        roots: &[Term],
        given: &impl Interpretation,
    ) -> Vec<GroundValue> {
        let mut values: Vec<Option<GroundValue>> = vec![None; self.len()];
        let known = |values: &[Option<GroundValue>], term: Term| match values[term.0 as usize] {
            Some(value) => value,
            None => unreachable!("the order leaves out the term {}", term.0),
        };
        for &term in order {
            let value = self.value_of(term, given, |operand| known(&values, operand));
            values[term.0 as usize] = Some(value);
        }
        roots.iter().map(|root| known(&values, *root)).collect()
    }

    fn value_of(
        &self,
        term: Term,
        given: &impl Interpretation,
        value: impl Fn(Term) -> GroundValue,
    ) -> GroundValue {
        let bits = |operand: Term| value(operand).as_bits();
        let truth = |operand: Term| value(operand).is_true();
        let answer = match self.node(term) {
            Node::Bool(known) => return GroundValue::Bool(*known),
            Node::Bits(known, _) => *known,
            Node::Variable(symbol) => return given.variable(*symbol),
            Node::Apply(symbol, lane) => return given.apply(*symbol, bits(*lane) as u32),
            Node::Tag(source, lane) => return GroundValue::Tag(*source, bits(*lane) as u32),
            Node::Not(a) => return GroundValue::Bool(!truth(*a)),
            Node::And(list) => return GroundValue::Bool(list.iter().all(|&a| truth(a))),
            Node::Or(list) => return GroundValue::Bool(list.iter().any(|&a| truth(a))),
            Node::Ite(c, a, b) => return value(if truth(*c) { *a } else { *b }),
            Node::Equal(a, b) => return GroundValue::Bool(value(*a) == value(*b)),
            Node::Compare(relation, a, b) => {
                return GroundValue::Bool(compare(*relation, bits(*a), bits(*b), self.width(*a)));
            }
            Node::Bit(a, index) => {
                let index = bits(*index);
                let inside = index < u128::from(self.width(*a));
                return GroundValue::Bool(inside && bits(*a) >> index & 1 == 1);
            }
            Node::Binary(op, a, b) => binary(*op, bits(*a), bits(*b), self.width(*a)),
            Node::Linear(parts, constant) => parts.iter().fold(*constant, |sum, (part, factor)| {
                sum.wrapping_add(bits(*part).wrapping_mul(*factor))
            }),
            Node::BitNot(a) => !bits(*a),
            Node::Extract(a, high, low) => bits(*a) >> low & ones(high - low + 1),
            Node::ZeroExtend(a, _) => bits(*a),
            Node::SignExtend(a, _) => signed(bits(*a), self.width(*a)) as u128,
            Node::FromBits(list) => list
                .iter()
                .enumerate()
                .fold(0, |sum, (index, &bit)| sum | u128::from(truth(bit)) << index),
            Node::Concat(high, low) => bits(*high) << self.width(*low) | bits(*low),
            Node::Scan(which, a) => u128::from(scan(*which, bits(*a), self.width(*a))),
            Node::Float(op, format, list) => {
                let operands: Vec<u128> = list.iter().map(|&it| bits(it)).collect();
                apply(*op, *format, &operands, list.last().map_or(0, |&it| self.width(it)))
            }
            Node::AnyOrder(op, format, list) => {
                let parts = list[1..].chunks_exact(2).filter(|pair| truth(pair[0]));
                let values = parts.map(|pair| bits(pair[1])).collect();
                // Where it is too much to find out, nothing speaks against it.
                let legal = is_result(*op, *format, bits(list[0]), values);
                return GroundValue::Bool(legal.unwrap_or(true));
            }
            Node::Implementation(operation, _, list) => {
                let operands: Vec<u128> = list.iter().map(|&it| bits(it)).collect();
                some_implementation(operation, &operands)
            }
            Node::Canonical(format, a) => match bits(*a) {
                number if !format.is_nan(number) => number,
                _ => format.canonical_nan(),
            },
            Node::Payload(format, a, payload) => match bits(*a) {
                number if !format.is_nan(number) => number,
                _ => format.nan_of(bits(*payload)),
            },
        };
        match self.sort(term) {
            Sort::Bits(width) => GroundValue::Bits(answer & ones(width)),
            Sort::Bool | Sort::Tag => GroundValue::Bits(answer),
        }
    }
}
