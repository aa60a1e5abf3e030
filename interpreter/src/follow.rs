//! A run that follows what is open: what depends on it, and what does not.
//!
//! A marker represents an open scalar, as long as it is only moved, reinterpreted, split in halves,
//! or zero-extended. An instruction that computes with a marker, or with an undefined value, has an
//! undefined result in the lanes that this may change. If undefined behavior or control flow may
//! depend on it, the run stops: then nothing is known.

use std::rc::Rc;

use laneproof_module::spirv::Op;

use crate::choices::Open;
use crate::frame::Slot;
use crate::lane::{lanes, lanes_where};
use crate::opcode::{OpcodeFacts, Reach};
use crate::outcome::Stop;
use crate::step::Step;
use crate::taint::Taint;
use crate::value::Value;

impl Step<'_, '_, '_> {
    /// Notes where an operand that is computed with is open, and gives it some value there.
    pub(crate) fn follow(&mut self, operand: usize, value: &mut Rc<Value>) {
        let active = self.active;
        let any_nan = OpcodeFacts::of(self.instruction.opcode).any_nan;
        let moves = self.only_moves();
        let mut open = 0;
        for leaf in 0..value.leaves() {
            let choices = &*self.machine.choices;
            open |= value.undefined_in(leaf) & active;
            let computes = if moves { 0 } else { active };
            open |=
                lanes_where(computes, |lane| match choices.stands_for(value.bits(leaf, lane)) {
                    Some(Open::Nan(_)) => !any_nan,
                    marker => marker.is_some(),
                });
            if value.undefined_in(leaf) & active != 0 {
                let value = Rc::make_mut(value);
                for lane in lanes(value.undefined_in(leaf) & active) {
                    value.set(leaf, lane, Some(0));
                }
            }
        }
        if open != 0 {
            self.machine.taint.lanes |= open;
            self.machine.taint.operands |= 1 << operand.min(63);
        }
    }

    /// Whether the instruction leaves the bits of each component as they are, or those of one of 64
    /// bits in two halves.
    fn only_moves(&self) -> bool {
        let widths = self.element_of(0).and_then(|from| Ok((from, self.result_element()?)));
        let Ok((from, to)) = widths.map(|(from, to)| (from.width(), to.width())) else {
            return false;
        };
        match self.instruction.opcode {
            Op::Bitcast => from == to || (from, to) == (64, 32),
            Op::UConvert => from <= to,
            _ => false,
        }
    }

    /// Leaves the result undefined in these lanes.
    fn blur(&mut self, set: u128) -> Result<(), Stop> {
        let lost = self.not_modelled("it computes with what is left open");
        let Some(result) = self.instruction.result else { return Err(lost) };
        match self.frame.place(result) {
            Some(Some(register)) => match &mut register.slot {
                Slot::Data(value) => {
                    let value = Rc::make_mut(value);
                    value.spread();
                    (0..value.leaves()).for_each(|leaf| value.mark(leaf, set, u128::MAX));
                    self.machine.amend(result, value, set, self.group);
                    Ok(())
                }
                Slot::Pointer(_) => Err(lost),
            },
            _ => Err(lost),
        }
    }
}

/// Executes an instruction by `family`, and leaves open what depends on something open.
pub(crate) fn execute<'s, 'm, 'p, 'c>(
    step: &'s mut Step<'m, 'p, 'c>,
    family: impl FnOnce(&mut Step<'m, 'p, 'c>) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    step.machine.taint = Taint::default();
    if matches!(
        step.instruction.opcode,
        Op::SubgroupImageBlockReadINTEL | Op::SubgroupImageBlockWriteINTEL
    ) {
        return Err(step.not_modelled("images are not followed"));
    }
    let done = family(step);
    let Taint { lanes, operands } = std::mem::take(&mut step.machine.taint);
    if lanes == 0 {
        return done;
    }
    let unknown = || step.not_modelled("it computes with what is left open");
    let done = done.map_err(|_| unknown())?;
    match OpcodeFacts::of(step.instruction.opcode).reach {
        Reach::Own => step.blur(lanes)?,
        Reach::Every(operand) if operands == 1 << operand => step.blur(step.active)?,
        _ => return Err(unknown()),
    }
    Ok(done)
}
