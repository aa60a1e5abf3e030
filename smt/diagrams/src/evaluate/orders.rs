//! What assertions say of the order of payloads.

use laneproof_semantics::term::{Compare, Node, Term};

use super::Evaluator;
use super::float::{Operand, Ordered};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::form::{Atom, FormId};
use crate::numbers::Numbers;

impl Evaluator<'_> {
    /// A comparison of two values holds there, or does not.
    pub(super) fn learn_order(
        &mut self,
        relation: Compare,
        [a, b]: [Term; 2],
        holds: bool,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        let (first, second, strict) = match (relation, holds) {
            (Compare::Less | Compare::LessSigned, true) => (a, b, true),
            (Compare::Less | Compare::LessSigned, false) => (b, a, false),
            (Compare::LessEqual | Compare::LessEqualSigned, true) => (a, b, false),
            (Compare::LessEqual | Compare::LessEqualSigned, false) => (b, a, true),
        };
        let signed = matches!(relation, Compare::LessSigned | Compare::LessEqualSigned);
        self.evaluate(first)?;
        self.evaluate(second)?;
        let pair = [self.form(first), self.form(second)];
        if pair.iter().any(|&it| self.forms.as_word(it).is_some()) {
            return Ok(());
        }
        self.forms.note_order(Numbers::signed(signed), pair, strict, here)
    }

    /// A comparison of a payload with a number holds there, or does not. Of zeros it makes no
    /// difference.
    pub(super) fn learn_limit(
        &mut self,
        (comparison, holds): (Term, bool),
        here: Bdd,
    ) -> Result<(), Exhausted> {
        let Some(Ordered { sides, of, .. }) = Ordered::at(self.pool, comparison) else {
            return Ok(());
        };
        let Node::Compare(relation, ..) = *self.pool.node(comparison) else { return Ok(()) };
        let or_equal = matches!(relation, Compare::LessEqual | Compare::LessEqualSigned);
        // The number, the payload, whether the payload is the greater one.
        let number = |side: Operand| match side {
            Operand::Number(bits, _) => Some(bits),
            Operand::Term(term) => self.pool.bits_of(term),
        };
        let (number, payload, above) = match (sides, number(sides[0]), number(sides[1])) {
            ([Operand::Term(payload), _], None, Some(number)) => (number, payload, !holds),
            ([_, Operand::Term(payload)], Some(number), None) => (number, payload, holds),
            _ => return Ok(()),
        };
        let width = self.pool.width(payload);
        let sign = 1 << (width - 1);
        let strict = or_equal != holds;
        let number = match of {
            // What is above a zero is above both, and what is not below is not below the lesser.
            Numbers::Magnitude if number & !sign == 0 => {
                if above == strict {
                    0
                } else {
                    sign
                }
            }
            _ => number,
        };
        let limit = if strict { of.beside(number, above, width) } else { Some(number) };
        let Some(limit) = limit else { return Ok(()) };
        self.evaluate(payload)?;
        let form = self.form(payload);
        match self.forms.form(form).single_atom() {
            Some(atom) => self.forms.note_limit((atom, of), limit, above, here),
            None => Ok(()),
        }
    }

    /// A payload is an extreme there: no part of that outdoes it. Whether it is a part itself.
    pub(super) fn learn_outdone(
        &mut self,
        payload: Term,
        extreme: FormId,
        here: Bdd,
    ) -> Result<bool, Exhausted> {
        let Some((greatest, of)) = self.forms.order_of(extreme) else { return Ok(false) };
        if of == Numbers::Magnitude {
            return Ok(false);
        }
        self.evaluate(payload)?;
        let own = self.form(payload);
        let pair = if greatest { [extreme, own] } else { [own, extreme] };
        self.forms.note_order(of, pair, false, here)?;
        let itself = |atom| matches!(*self.forms.atom(atom), Atom::Free(it) if it == payload);
        Ok(self.forms.form(extreme).parts.iter().any(|(atom, _)| itself(*atom)))
    }
}
