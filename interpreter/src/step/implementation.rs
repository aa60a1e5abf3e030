//! Numbers that the implementation of a run defines: some function of an instruction and of what it
//! is given, so that equal operands have equal results.

use super::Step;
use crate::choices::Open;
use crate::defined::Known;
use crate::machine::name_of;
use crate::outcome::Stop;
use crate::reading::ImplementationDefined;
use crate::width::truncate;

/// Spreads bits: 2^64 divided by the golden ratio.
const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

/// What the implementation defines: a function of operands, and what an instruction adds to it.
#[derive(Clone, Copy)]
pub(crate) struct Defined<'d> {
    /// The function, if several instructions have it.
    pub name: Option<&'static str>,
    pub operands: &'d [u64],
    pub addend: Option<u64>,
}

impl Defined<'_> {
    /// The result, of the number that is defined.
    fn result(&self, number: u64, width: u32) -> u64 {
        truncate(width, number.wrapping_add(self.addend.unwrap_or(0)))
    }

    /// The number that is defined, of the result.
    fn number(&self, result: u64, width: u32) -> u64 {
        truncate(width, result.wrapping_sub(self.addend.unwrap_or(0)))
    }
}

impl Step<'_, '_, '_> {
    /// What the implementation of this run defines for these operands; nothing where it is an
    /// undefined value.
    pub fn defined_by_implementation(
        &mut self,
        defined: Defined<'_>,
        (leaf, lane): (usize, u32),
    ) -> Result<Option<u64>, Stop> {
        match self.machine.options.readings.implementation_defined {
            ImplementationDefined::Undefined => Ok(None),
            ImplementationDefined::Fixed => {
                let width = self.result_element()?.width();
                Ok(Some(defined.result(self.like_no_other(&defined), width)))
            }
            ImplementationDefined::Behavior => {
                self.behavior_unless(1 << lane, "the implementation defines the result")?;
                Ok(None)
            }
            ImplementationDefined::Silent => {
                Err(self.not_modelled("no sentence says what the implementation defines"))
            }
            ImplementationDefined::Chosen => self.chosen(defined, (leaf, lane)),
        }
    }

    /// A number unlike what code would rely on.
    fn like_no_other(&self, defined: &Defined<'_>) -> u64 {
        let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(PRIME).rotate_left(29);
        let name = self.name_of(defined);
        let state = name.bytes().map(u64::from).fold(PRIME, mix);
        let state = defined.operands.iter().copied().fold(state, mix);
        state ^ state >> 32
    }

    /// The number that was chosen for these operands before, else any.
    fn chosen(
        &mut self,
        defined: Defined<'_>,
        (leaf, lane): (usize, u32),
    ) -> Result<Option<u64>, Stop> {
        let scalar = self.result_element()?;
        let width = scalar.width();
        let of = self.element_of(0).ok();
        let key = (self.name_of(&defined), of, scalar, defined.operands.to_vec());
        let known = self.machine.implementation.defined.get(&key).copied();
        let site = self.site();
        if self.machine.options.follow {
            // Of operands that are open it is not known which number is theirs. A marker is only
            // moved: nothing is added to one, and no other one taken from it.
            let computed = known.is_some_and(|it| it.in_a_sum || defined.addend.is_some());
            if self.machine.taint.lanes >> lane & 1 == 1 || computed {
                return Ok(None);
            }
            let marker = || self.machine.choices.marker(&site, lane, leaf, Open::Reduction(scalar));
            let Some(bits) = known.map_or_else(marker, |it| Some(it.bits)) else {
                return Ok(None);
            };
            let in_a_sum = defined.addend.is_some();
            self.machine.implementation.defined.insert(key, Known { bits, given: false, in_a_sum });
            return Ok(Some(bits));
        }
        let hint = self.machine.choices.open(&site, lane, leaf, width);
        let hint = hint.map(|result| defined.number(result, width));
        let found = match (hint, known) {
            (None, Some(known)) => known,
            (Some(bits), Some(known)) if known.bits == bits => known,
            (Some(_), Some(Known { given: true, .. })) => return Err(self.illegal(vec![lane])),
            (Some(_), Some(_)) => return Err(self.undecided()),
            (Some(bits), None) => Known { bits, given: true, in_a_sum: false },
            (None, None) => {
                let operand = self.operands();
                let bits = self.machine.choices.draw(&site, operand, leaf, lane, width);
                Known { bits: truncate(width, bits), given: false, in_a_sum: false }
            }
        };
        self.machine.implementation.defined.insert(key, found);
        Ok(Some(defined.result(found.bits, width)))
    }

    /// The function, by the instruction where only this one has it.
    fn name_of(&self, defined: &Defined<'_>) -> String {
        defined.name.map_or_else(|| self.function_name(), str::to_owned)
    }

    /// The instruction, extended ones by set and name.
    fn function_name(&self) -> String {
        let extended = self.machine.program.extended(self.instruction);
        extended.unwrap_or_else(|| name_of(self.instruction))
    }
}
