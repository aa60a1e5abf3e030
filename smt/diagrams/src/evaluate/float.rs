//! Terms about floating-point numbers, by the notes of their pool: orders, NaNs, zeros.

use laneproof_semantics::term::{Compare, FloatFormat, FloatNote, Node, Pool, Term};

use rustc_hash::FxHashSet;

use super::Evaluator;
use super::flipped::flipped_at;
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::form::FormId;
use crate::numbers::Numbers;
use crate::opaque::Function;
use crate::property::Property;
use crate::word::Word;

/// A value that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A term.
    Term(Term),
    /// A number, and its width.
    Number(u128, u32),
}

/// A comparison of two values, or its negation.
#[derive(Clone, Copy)]
pub(super) struct Ordered {
    pub(super) sides: [Operand; 2],
    pub(super) negated: bool,
    pub(super) of: Numbers,
    /// Equal values are the same: of floating-point numbers the zeros are in order, too.
    pub(super) total: bool,
}

impl Ordered {
    /// The comparison that a condition is, or whose negation it is.
    pub(super) fn at(pool: &Pool, condition: Term) -> Option<Self> {
        let (inner, negated) = match *pool.node(condition) {
            Node::Not(inner) => (inner, true),
            _ => (condition, false),
        };
        let Node::Compare(relation, x, y) = *pool.node(inner) else { return None };
        // A test for a NaN compares bits of one number.
        if pool.float_note(inner).is_some() {
            return None;
        }
        if let Some(sides) = numbers_compared(pool, relation, x, y) {
            return Some(Self { sides, negated, of: Numbers::Magnitude, total: false });
        }
        let signed = matches!(relation, Compare::LessSigned | Compare::LessEqualSigned);
        let sides = [Operand::Term(x), Operand::Term(y)];
        Some(Self { sides, negated, of: Numbers::signed(signed), total: true })
    }

    /// The values that a sign flips bits of to give what is compared, and the order of theirs that
    /// this is; or, by mistake, as if each kept its order.
    pub(super) fn of_flipped(self, pool: &Pool, kept: bool) -> Option<Self> {
        let [Operand::Term(x), Operand::Term(y)] = self.sides else { return None };
        let (_, flips) = flipped_at(pool, x).or_else(|| flipped_at(pool, y))?;
        let width = pool.width(x);
        let value = |term: Term| match (flipped_at(pool, term), pool.bits_of(term)) {
            (Some((number, own)), _) if own == flips => Some(Operand::Term(number)),
            (None, Some(bits)) => Some(Operand::Number(flips.undone(bits, width)?, width)),
            _ => None,
        };
        let [a, b] = [value(x)?, value(y)?];
        let orders = [Numbers::Magnitude, Numbers::Signed, Numbers::Unsigned];
        let (of, turned) =
            orders.into_iter().find_map(|from| Some((from, flips.turns(from, self.of, width)?)))?;
        let turned = turned && !kept;
        Some(Self { sides: if turned { [b, a] } else { [a, b] }, of, ..self })
    }

    /// The terms that are compared.
    pub(super) fn terms(self) -> impl Iterator<Item = Term> {
        self.sides.into_iter().filter_map(|side| match side {
            Operand::Term(term) => Some(term),
            Operand::Number(..) => None,
        })
    }
}

/// The floating-point numbers whose order a comparison of integers is.
pub(super) fn numbers_compared(
    pool: &Pool,
    relation: Compare,
    x: Term,
    y: Term,
) -> Option<[Operand; 2]> {
    if !matches!(relation, Compare::LessSigned | Compare::LessEqualSigned) {
        return None;
    }
    let key = |term: Term| match pool.number_of_key(term) {
        Some(number) => Some(Operand::Term(number)),
        None => pool
            .bits_of(term)
            .map(|key| Operand::Number(of_key(key, pool.width(term)), pool.width(term))),
    };
    let sides = [key(x)?, key(y)?];
    sides.iter().any(|side| matches!(side, Operand::Term(_))).then_some(sides)
}

/// The numbers whose order a comparison is.
pub(crate) fn numbers_at(pool: &Pool, term: Term) -> Option<Vec<Term>> {
    let Node::Compare(relation, x, y) = *pool.node(term) else { return None };
    numbers_compared(pool, relation, x, y)?;
    Ordered::at(pool, term).map(|ordered| ordered.terms().collect())
}

/// Terms that operations take as floating-point numbers.
pub(crate) fn operands_of_floats(pool: &Pool, roots: &[Term]) -> FxHashSet<Term> {
    let mut numbers = FxHashSet::default();
    for term in pool.reachable(roots) {
        if let Node::Float(op, _, operands) = pool.node(term) {
            let places = operands.iter().enumerate().filter(|(place, _)| !op.takes_integer(*place));
            let mut pending: Vec<Term> = places.map(|(_, operand)| *operand).collect();
            while let Some(number) = pending.pop() {
                if numbers.insert(number)
                    && let Node::Ite(_, then, otherwise) = *pool.node(number)
                {
                    pending.extend([then, otherwise]);
                }
            }
        }
    }
    numbers
}

/// The bits of the number with this key.
fn of_key(key: u128, width: u32) -> u128 {
    let sign = 1u128 << (width - 1);
    let mask = sign | (sign - 1);
    if key & sign == 0 { key } else { sign | (key.wrapping_neg() & mask) }
}

impl Evaluator<'_> {
    pub(super) fn operand(&mut self, operand: Operand) -> Result<FormId, Exhausted> {
        match operand {
            Operand::Term(term) => Ok(self.form(term)),
            Operand::Number(bits, width) => self.forms.of_word(Word::number(bits, width), width),
        }
    }

    /// A comparison of the keys of two numbers.
    pub(super) fn compared(
        &mut self,
        relation: Compare,
        keys: [Term; 2],
    ) -> Result<Option<Bdd>, Exhausted> {
        let Some(sides) = numbers_compared(self.pool, relation, keys[0], keys[1]) else {
            return Ok(None);
        };
        let [a, b] = [self.operand(sides[0])?, self.operand(sides[1])?];
        let (a, b, negated) = match relation {
            Compare::LessEqualSigned => (b, a, true),
            _ => (a, b, false),
        };
        let [less, exact] = self.forms.less_number(a, b)?;
        if exact != Bdd::FALSE {
            return Ok(Some(less.complement_if(negated)));
        }
        // Nothing is known of either: bit by bit.
        for key in keys {
            self.evaluate(key)?;
        }
        Ok(None)
    }

    /// Where a NaN or a zero is excluded, a test for it fails.
    pub(super) fn tested(&mut self, term: Term, truth: Bdd) -> Result<Bdd, Exhausted> {
        let Some((number, property)) = property_tested(self.pool, term) else { return Ok(truth) };
        let certain = self.forms.has_property(self.form(number), property)?;
        self.diagrams().and(truth, !certain)
    }

    /// The test certainly fails everywhere.
    pub(super) fn fails(&mut self, term: Term) -> Result<bool, Exhausted> {
        let Some((number, property)) = property_tested(self.pool, term) else { return Ok(false) };
        Ok(self.forms.has_property(self.form(number), property)? == Bdd::TRUE)
    }

    /// A value up to which NaN it is: itself, where it is none.
    pub(super) fn up_to_nan(
        &mut self,
        value: FormId,
        format: FloatFormat,
        function: Function,
        arguments: Vec<FormId>,
    ) -> Result<FormId, Exhausted> {
        let certain = self.forms.has_property(value, Property::Number(format))?;
        if certain == Bdd::TRUE {
            return Ok(value);
        }
        let opaque = self.forms.opaque(function, arguments, format.width())?;
        self.forms.ite(certain, value, opaque)
    }
}

/// The number that a term tests, and what it is not where the test fails.
pub(super) fn property_tested(pool: &Pool, term: Term) -> Option<(Term, Property)> {
    match pool.float_note(term)? {
        FloatNote::Nan(number, format) => Some((number, Property::Number(format))),
        FloatNote::Zero(number) => Some((number, Property::NonZero)),
        FloatNote::Key(_) | FloatNote::TotalKey(_) => None,
    }
}
