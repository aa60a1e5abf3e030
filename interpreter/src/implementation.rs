//! Numbers that the implementation of a run defines: some function of an instruction and of what it
//! is given, so that equal operands have equal results.

use crate::choices::Open;
use crate::defined::Known;
use crate::machine::name_of;
use crate::outcome::Stop;
use crate::reading::ImplementationDefined;
use crate::step::Step;
use crate::width::truncate;

/// Spreads bits: 2^64 divided by the golden ratio.
const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

impl Step<'_, '_, '_> {
    /// What the implementation of this run defines for these operands; nothing where it is an
    /// undefined value.
    pub fn defined_by_implementation(
        &mut self,
        operands: &[u64],
        (leaf, lane): (usize, u32),
    ) -> Result<Option<u64>, Stop> {
        match self.machine.options.readings.implementation_defined {
            ImplementationDefined::Undefined => Ok(None),
            ImplementationDefined::Fixed => Ok(Some(self.like_no_other(operands))),
            ImplementationDefined::Behavior => {
                self.behavior_unless(1 << lane, "the implementation defines the result")?;
                Ok(None)
            }
            ImplementationDefined::Silent => {
                Err(self.not_modelled("no sentence says what the implementation defines"))
            }
            ImplementationDefined::Chosen => self.chosen(operands, (leaf, lane)),
        }
    }

    /// A number unlike what code would rely on.
    fn like_no_other(&self, operands: &[u64]) -> u64 {
        let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(PRIME).rotate_left(29);
        let state = self.function_name().bytes().map(u64::from).fold(PRIME, mix);
        let state = operands.iter().copied().fold(state, mix);
        state ^ state >> 32
    }

    /// The number that was chosen for these operands before, else any.
    fn chosen(
        &mut self,
        operands: &[u64],
        (leaf, lane): (usize, u32),
    ) -> Result<Option<u64>, Stop> {
        let scalar = self.result_element()?;
        let of = self.element_of(0).ok();
        let key = (format!("{} {of:?} {scalar:?}", self.function_name()), operands.to_vec());
        let known = self.machine.implementation.defined.get(&key).copied();
        let site = self.site();
        if self.machine.options.follow {
            // Of operands that are open it is not known which number is theirs.
            if self.machine.taint.lanes >> lane & 1 == 1 {
                return Ok(None);
            }
            let marker = || self.machine.choices.marker(&site, lane, leaf, Open::Reduction(scalar));
            let Some(bits) = known.map_or_else(marker, |it| Some(it.bits)) else {
                return Ok(None);
            };
            self.machine.implementation.defined.insert(key, Known { bits, given: false });
            return Ok(Some(bits));
        }
        let width = scalar.width();
        let hint = self.machine.choices.open(&site, lane, leaf, width);
        let found = match (hint, known) {
            (None, Some(known)) => known,
            (Some(bits), Some(known)) if known.bits == bits => known,
            (Some(_), Some(Known { given: true, .. })) => return Err(self.illegal(vec![lane])),
            (Some(_), Some(_)) => return Err(self.undecided()),
            (Some(bits), None) => Known { bits, given: true },
            (None, None) => {
                let operand = self.operands();
                let bits = self.machine.choices.draw(&site, operand, leaf, lane, width);
                Known { bits: truncate(width, bits), given: false }
            }
        };
        self.machine.implementation.defined.insert(key, found);
        Ok(Some(found.bits))
    }

    /// The instruction, extended ones by set and name.
    fn function_name(&self) -> String {
        let extended = self.machine.program.extended(self.instruction);
        extended.unwrap_or_else(|| name_of(self.instruction))
    }
}
