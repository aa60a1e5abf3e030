//! What assertions say of the order of payloads.

use laneproof_semantics::term::{Compare, Term};

use super::Evaluator;
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
