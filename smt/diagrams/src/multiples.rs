//! Multiples of a power of two, and a number below that which depends on the state alone, as keys with
//! an index beside them are packed: they are compared multiple by multiple, and where these are equal by
//! the numbers below.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{FormId, Forms};
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::sums::zeros;
use crate::word::Word;

/// A value as how many multiples it has, and what is below.
struct Split {
    multiples: FormId,
    below: Word,
}

impl Forms {
    /// `a` is less than `b`.
    pub(crate) fn less_by_multiples(
        &mut self,
        sides: [FormId; 2],
        of: Numbers,
    ) -> Result<Option<Bdd>, Exhausted> {
        if of == Numbers::Magnitude {
            return Ok(None);
        }
        let Some((place, [a, b])) = self.as_multiples(sides, of == Numbers::Signed)? else {
            return Ok(None);
        };
        let first = self.less(a.multiples, b.multiples, of)?;
        let equal = self.equal(a.multiples, b.multiples)?;
        let below = self.diagrams.word_less(&a.below, &b.below, Numbers::Unsigned, place)?;
        if self.diagrams.has(BrokenLaw::BelowAlone) {
            return self.diagrams.or(first, below).map(Some);
        }
        let second = self.diagrams.and(equal, below)?;
        self.diagrams.or(first, second).map(Some)
    }

    /// They are equal.
    pub(crate) fn equal_by_multiples(
        &mut self,
        sides: [FormId; 2],
    ) -> Result<Option<Bdd>, Exhausted> {
        let Some((_, [a, b])) = self.as_multiples(sides, false)? else { return Ok(None) };
        let below = self.diagrams.word_equal(&a.below, &b.below)?;
        if below == Bdd::FALSE {
            return Ok(Some(below));
        }
        let multiples = self.equal(a.multiples, b.multiples)?;
        self.diagrams.and(multiples, below).map(Some)
    }

    /// Both as multiples of the greatest power of two of which the payloads of both are. Nothing where
    /// nothing is below: of multiples alone other laws know more.
    fn as_multiples(
        &mut self,
        sides: [FormId; 2],
        signed: bool,
    ) -> Result<Option<(u32, [Split; 2])>, Exhausted> {
        let (mut place, mut below) = (self.form(sides[0]).width, Vec::new());
        for side in sides {
            let form = self.form(side);
            if form.operator != Operator::Sum && !form.parts.is_empty() {
                return Ok(None);
            }
            let words = form.parts.iter().map(|(_, word)| zeros(word, form.width));
            place = words.fold(place, u32::min);
        }
        if place == 0 || place >= self.form(sides[0]).width {
            return Ok(None);
        }
        for side in sides {
            let rest = &self.form(side).rest;
            below.push(Word::of((0..place).map(|at| rest.bit(at)).collect(), place));
        }
        if below.iter().all(Word::is_zero) {
            return Ok(None);
        }
        let mut split = Vec::new();
        for (side, below) in sides.into_iter().zip(below) {
            let width = self.form(side).width;
            let multiples = self.extract(side, width - 1, place)?;
            let multiples = self.extend(multiples, signed, width)?;
            split.push(Split { multiples, below });
        }
        Ok(<[Split; 2]>::try_from(split).ok().map(|split| (place, split)))
    }
}
