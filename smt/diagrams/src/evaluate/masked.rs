//! Bits of payloads that are known: of what a mask keeps, or of a part.

use laneproof_semantics::term::{Binary, Node, Term};

use super::relations::Known;
use super::{Evaluator, beside_number};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{FEW, FormId};
use crate::word::{Word, shifted};

impl Evaluator<'_> {
    /// What a mask keeps of a payload, or a part of it, is a number there: the payload is that number and
    /// its other bits. Whether it is such an equality.
    pub(super) fn learn_masked(
        &mut self,
        known: &mut Known,
        masked: Term,
        number: Term,
        here: Bdd,
    ) -> Result<bool, Exhausted> {
        let Some(number) = self.pool.bits_of(number) else { return Ok(false) };
        let (payload, mask, number) = match *self.pool.node(masked) {
            Node::Binary(Binary::And, a, b) => match beside_number(self.pool, a, b) {
                Some((payload, mask)) => (payload, mask, number),
                None => return Ok(false),
            },
            Node::Extract(a, high, low) => {
                (a, (u128::MAX >> (127 - (high - low))) << low, number << low)
            }
            _ => return Ok(false),
        };
        if !self.is_payload(payload) || number & !mask != 0 {
            return Ok(false);
        }
        let width = self.pool.width(payload);
        let open: Vec<u32> = (0..width).filter(|place| mask >> place & 1 == 0).collect();
        // Parts that are kept together.
        let parts: Vec<&[u32]> = open.chunk_by(|a, b| a + 1 == *b).collect();
        if parts.len() > FEW / 2 {
            return Ok(false);
        }
        let own = self.known_so_far(known, payload, here)?;
        let mut values = vec![self.forms.of_word(Word::number(number, width), width)?];
        let lost = self.diagrams().has(BrokenLaw::NothingBesideMask);
        for part in parts.iter().filter(|_| !lost) {
            let (low, high) = (part[0], part[part.len() - 1]);
            let value = self.forms.extract(own, high, low)?;
            let value = self.forms.extend(value, false, width)?;
            let factor = shifted(&Word::number(1, width), low, width);
            values.push(self.forms.scaled(value, &factor)?);
        }
        let value = self.forms.total(&values)?;
        self.note_more(known, payload, here, value)?;
        Ok(true)
    }

    /// What a payload is there, as far as that is known.
    pub(super) fn known_so_far(
        &mut self,
        known: &Known,
        payload: Term,
        here: Bdd,
    ) -> Result<FormId, Exhausted> {
        match known.get(&payload) {
            Some(&(before, form)) if before == here => Ok(form),
            _ => self.own_vector(payload),
        }
    }

    /// Notes what a payload is there, which was made of what is known so far.
    pub(super) fn note_more(
        &mut self,
        known: &mut Known,
        payload: Term,
        here: Bdd,
        value: FormId,
    ) -> Result<(), Exhausted> {
        if known.get(&payload).is_some_and(|(before, _)| *before == here) {
            known.remove(&payload);
        }
        self.note(known, payload, here, value)
    }
}
