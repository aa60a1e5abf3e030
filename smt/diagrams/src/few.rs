//! Values of few bits, which are compared bit by bit.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, FormId, Forms, NARROW};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::Word;

impl Forms {
    /// The bits of two values, if they are few and payloads stand behind masks or are narrow: that
    /// equality of these is transitive needs no law then.
    pub(crate) fn few_bits_of_both(
        &mut self,
        a: FormId,
        b: FormId,
    ) -> Result<Option<[Word; 2]>, Exhausted> {
        let Some(x) = self.few_bits(a)? else { return Ok(None) };
        Ok(self.few_bits(b)?.map(|y| [x, y]))
    }

    /// The bits of a value that is in each state a masked or narrow payload or a number, if they are few.
    fn few_bits(&mut self, id: FormId) -> Result<Option<Word>, Exhausted> {
        let form = self.form(id).clone();
        if form.width <= NARROW {
            return Ok(None);
        }
        if form.parts.is_empty() {
            return Ok(Some(form.rest).filter(few));
        }
        if form.operator == Operator::And {
            return if few(&form.rest) { self.masked_bits(&form).map(Some) } else { Ok(None) };
        }
        let Some(selection) = self.selection(id)?.filter(|it| few(&it.rest)) else {
            return Ok(None);
        };
        let mut word = selection.rest;
        for (atom, here) in selection.chosen {
            let Some(bits) = self.few_bits_of_atom(atom)? else { return Ok(None) };
            word = self.diagrams.word_ite(here, &bits, &word, form.width)?;
        }
        Ok(Some(word))
    }

    fn few_bits_of_atom(&mut self, atom: AtomId) -> Result<Option<Word>, Exhausted> {
        match self.atom(atom) {
            Atom::Form(form) if self.form(*form).operator == Operator::And => self.few_bits(*form),
            Atom::Function(Function::ZeroExtend, arguments)
                if self.form(arguments[0]).width <= NARROW =>
            {
                self.bits_of_atom(atom).map(|bits| Some(bits).filter(few))
            }
            _ => Ok(None),
        }
    }

    /// The bits of payloads behind a mask, which leaves few.
    fn masked_bits(&mut self, form: &Form) -> Result<Word, Exhausted> {
        let elsewhere = Bdd::constant(!self.diagrams.has(BrokenLaw::AbsentIsZero));
        let mut word = form.rest.clone();
        for (atom, here) in &form.parts {
            let bits = self.bits_of_atom(*atom)?;
            let mut masked = Vec::new();
            for place in 0..form.rest.length() {
                let bit = self.diagrams.ite(here.bit(0), bits.bit(place), elsewhere)?;
                masked.push(self.diagrams.and(word.bit(place), bit)?);
            }
            word = Word::of(masked, form.width);
        }
        Ok(word)
    }
}

/// They are few: all above are 0.
fn few(word: &Word) -> bool {
    let length = word.length();
    length <= NARROW + 1 && word.bit(length) == Bdd::FALSE
}
