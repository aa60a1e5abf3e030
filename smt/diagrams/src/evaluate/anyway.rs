//! Choices that ask about a value where the answer does not matter: where the value is the number
//! that is asked for, both sides are the same.

use laneproof_semantics::term::{Compare, Node, Pool, Term};

use super::{Evaluator, Value, beside_number};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Form, FormId};
use crate::operator::Operator;

/// A condition as a conjunction or a disjunction of parts, each with the value that it has to have.
struct Junction {
    all: bool,
    parts: Vec<(Term, bool)>,
}

impl Junction {
    fn of(pool: &Pool, condition: Term) -> Self {
        let (mut inner, mut value) = (condition, true);
        while let Node::Not(negated) = *pool.node(inner) {
            (inner, value) = (negated, !value);
        }
        let all = match pool.node(inner) {
            Node::Or(_) => !value,
            _ => value,
        };
        let mut junction = Self { all, parts: Vec::new() };
        junction.add(pool, inner, value);
        junction
    }

    fn add(&mut self, pool: &Pool, term: Term, value: bool) {
        match pool.node(term) {
            Node::Not(inner) => self.add(pool, *inner, !value),
            Node::And(list) if value == self.all => {
                list.iter().for_each(|&it| self.add(pool, it, value));
            }
            Node::Or(list) if value != self.all => {
                list.iter().for_each(|&it| self.add(pool, it, value));
            }
            _ => self.parts.push((term, value)),
        }
    }
}

/// A question whether a value is a number, or, if it says the opposite, is another one.
struct Asked {
    value: Term,
    number: u128,
    is_it: bool,
}

impl Asked {
    /// The question that a part of a condition is; that a value is above the least number asks
    /// whether it is another one.
    fn at(pool: &Pool, (part, holds): (Term, bool)) -> Option<Self> {
        let (a, b, or_equal, signed) = match *pool.node(part) {
            Node::Equal(a, b) => {
                let (value, number) = beside_number(pool, a, b)?;
                return Some(Self { value, number, is_it: holds });
            }
            Node::Compare(Compare::Less, a, b) => (a, b, false, false),
            Node::Compare(Compare::LessSigned, a, b) => (a, b, false, true),
            Node::Compare(Compare::LessEqual, a, b) => (a, b, true, false),
            Node::Compare(Compare::LessEqualSigned, a, b) => (a, b, true, true),
            _ => return None,
        };
        let (value, number) = beside_number(pool, a, b)?;
        let ones = u128::MAX >> (128 - pool.width(value));
        let sign = if signed { ones ^ (ones >> 1) } else { 0 };
        // Nothing is less than the least, and nothing is above the greatest.
        let (least, greatest) = (sign, ones ^ sign);
        let lower = value != a;
        let limit = if lower == or_equal { greatest } else { least };
        (number == limit).then_some(Self { value, number, is_it: holds == or_equal })
    }
}

impl Evaluator<'_> {
    /// A choice whose condition asks among others whether a value is a number, where both sides are
    /// equal if it is: the choice is what it is where the value is another one. `x != 0 ? b | x : b` is
    /// `b | x`, and so is `b != !0 ? b | x : b`.
    pub(super) fn chosen_anyway(
        &mut self,
        condition: Term,
        [a, b]: [FormId; 2],
    ) -> Result<Option<FormId>, Exhausted> {
        let Junction { all, parts } = Junction::of(self.pool, condition);
        let mut others = Vec::new();
        for &part in &parts {
            let asked = Asked::at(self.pool, part);
            let Some((asked, value)) = asked.and_then(|it| Some((it.is_it, self.asked(&it)?)))
            else {
                others.push(part);
                continue;
            };
            // The sides where the value is the number, and where it is not.
            let [same, other] = if asked { [a, b] } else { [b, a] };
            if !self.is_combined(same, other, value)? && !self.is_absorbed([a, b], value)? {
                others.push(part);
            } else if all == asked {
                // The other parts decide nothing where the value is not the number.
                return Ok(Some(other));
            }
        }
        if others.len() == parts.len() {
            return Ok(None);
        }
        let mut chosen = Bdd::constant(all);
        for (part, holds) in others {
            let part = self.condition(part)?.complement_if(!holds);
            chosen = match all {
                true => self.diagrams().and(chosen, part)?,
                false => self.diagrams().or(chosen, part)?,
            };
        }
        self.forms.ite(chosen, a, b).map(Some)
    }

    fn asked(&self, asked: &Asked) -> Option<(FormId, u128)> {
        match self.values.get(&asked.value) {
            Some(Value::Form(value)) => Some((*value, asked.number)),
            _ => None,
        }
    }

    /// `whole` is `part` combined with a value by an operator for which that number is neutral.
    fn is_combined(
        &mut self,
        part: FormId,
        whole: FormId,
        (value, number): (FormId, u128),
    ) -> Result<bool, Exhausted> {
        let width = self.forms.form(whole).width;
        if self.forms.form(value).width != width || self.forms.form(whole).parts.is_empty() {
            return Ok(false);
        }
        for operator in self.operators_of([whole, value]) {
            let neutral = operator.neutral(width).constant(width) == Some(number)
                || self.diagrams().has(BrokenLaw::AnyNumberIsNeutral);
            if neutral
                && operator != Operator::Product
                && !(operator == Operator::Sum && self.adds_something_else(part, whole, value))
                && self.forms.combine(operator, part, value)? == whole
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A number without atoms is added, and the sums have other atoms.
    fn adds_something_else<'f>(&'f self, part: FormId, whole: FormId, value: FormId) -> bool {
        let [part, whole] = [part, whole].map(|it| self.forms.form(it));
        let are_sums = part.operator == Operator::Sum && whole.operator == Operator::Sum;
        let of =
            |form: &'f Form| form.parts.iter().filter(move |(atom, _)| !self.forms.is_unit(*atom));
        are_sums && self.forms.as_word(value).is_some() && !of(part).eq(of(whole))
    }

    /// Both sides are that number where the value is: the value is part of both by an operator that the
    /// number absorbs.
    fn is_absorbed(
        &mut self,
        sides: [FormId; 2],
        (value, number): (FormId, u128),
    ) -> Result<bool, Exhausted> {
        let width = self.forms.form(value).width;
        if sides.iter().any(|&it| self.forms.form(it).width != width) {
            return Ok(false);
        }
        let [a, b] = sides;
        for operator in self.operators_of([a, b, value]) {
            let absorbs = operator.absorbing(width) == Some(number)
                || self.diagrams().has(BrokenLaw::AnyNumberAbsorbs);
            if absorbs && operator.is_idempotent() {
                let mut in_both = true;
                for side in sides {
                    in_both = in_both && self.forms.combine(operator, side, value)? == side;
                }
                if in_both {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// By what these values are put together, each operator once.
    fn operators_of<const N: usize>(&self, values: [FormId; N]) -> Vec<Operator> {
        let mut operators: Vec<Operator> = Vec::new();
        for value in values {
            let operator = self.forms.form(value).operator;
            if !operators.contains(&operator) {
                operators.push(operator);
            }
        }
        operators
    }
}
