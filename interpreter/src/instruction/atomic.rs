//! Atomics on numbers (SPIR-V, Atomic Instructions). The active lanes are serialized; in which
//! order is a choice. What a lane finds in memory is copied where it is only returned, and
//! drawn where it is computed with.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use laneproof_module::ModuleType;
use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use super::float::{Operation, combine, combine_by};
use super::margins::flushed;
use super::{atomic_order, inexact_comparison};
use crate::float_format::{Format, format};
use crate::latitude::Margin;
use crate::memory::Address;
use crate::outcome::Stop;
use crate::race::Atomicity;
use crate::serialization::Family;
use crate::shape;
use crate::step::Step;
use crate::value::Value;
use crate::width::{signed, truncate};

/// What one lane's update stores, from what it found: all are bits of the type's width.
type Update = fn(width: u32, found: u64, value: u64) -> u64;

/// What a flag holds that is set, and one that is not.
const SET: u64 = 1;
const CLEAR: u64 = 0;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let update: Update = match opcode {
        Op::AtomicLoad | Op::AtomicStore | Op::AtomicExchange => |_, _, value| value,
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => |_, _, value| value,
        Op::AtomicFlagTestAndSet => |_, _, _| SET,
        Op::AtomicFlagClear => |_, _, _| CLEAR,
        Op::AtomicIIncrement => |_, found, _| found.wrapping_add(1),
        Op::AtomicIDecrement => |_, found, _| found.wrapping_sub(1),
        Op::AtomicIAdd => |_, found, value| found.wrapping_add(value),
        Op::AtomicISub => |_, found, value| found.wrapping_sub(value),
        Op::AtomicUMin => |_, found, value| found.min(value),
        Op::AtomicUMax => |_, found, value| found.max(value),
        Op::AtomicSMin => |width, found, value| {
            if signed(width, value) < signed(width, found) { value } else { found }
        },
        Op::AtomicSMax => |width, found, value| {
            if signed(width, value) > signed(width, found) { value } else { found }
        },
        Op::AtomicAnd => |_, found, value| found & value,
        Op::AtomicOr => |_, found, value| found | value,
        Op::AtomicXor => |_, found, value| found ^ value,
        // The width alone does not tell the format: see `update`.
        Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => |_, _, value| value,
        _ => return Ok(false),
    };
    let ModuleType::Pointer { pointee, .. } = step.type_of(0)? else {
        return Err(step.not_modelled("data as a pointer"));
    };
    let scalar =
        shape::element(&pointee).ok_or_else(|| step.not_modelled("memory that is not a scalar"))?;
    let pointers = step.pointers(0)?;
    let access = Access::of(step, opcode, scalar, update)?;
    let mut result = match step.instruction.result {
        Some(_) => Some(step.blank_result()?),
        None => None,
    };
    step.machine.memory.touch_by(atomicity(step)?);
    let family = Family::of(opcode);
    let mut update = |step: &mut Step<'_, '_, '_>, lane, at| access.update(step, lane, at);
    let order = atomic_order::order(step, &pointers, scalar, family, &mut update);
    let order = match order {
        // Other results are permitted than those in whose order it was looked for.
        Err(Stop::Illegal { .. }) if access.inexact.get() => return Err(step.undecided()),
        order => order?,
    };
    let followed = match step.machine.options.follow {
        true => atomic_order::before(step, &pointers, scalar, family),
        false => BTreeMap::new(),
    };
    let site = step.site();
    for lane in order {
        let at = pointers[lane as usize];
        let undefined = if at.is_none() { 1 << lane } else { 0 };
        step.behavior_unless(undefined, "an undefined pointer is followed")?;
        let Some(at) = at else { continue };
        let mut found = access.update(step, lane, at)?;
        let place = (at.object, at.offset);
        if step.machine.options.fences || step.machine.options.races {
            let own = (step.group, lane);
            step.machine.serialization.note(&site, own, place, family, step.machine.choices);
        }
        if let Some(result) = &mut result {
            if let Some(followed) = followed.get(&place) {
                found = followed.result(step, lane, step.result_element()?, found);
            }
            result.set(0, lane, found);
        }
    }
    atomic_order::after(step, followed, scalar, family, access.inexact.get());
    step.machine.memory.touch_by(Atomicity::Plain);
    if let Some(result) = result {
        step.finish(result)?;
    }
    Ok(true)
}

/// Which lanes an atomic's scope includes.
fn atomicity(step: &Step<'_, '_, '_>) -> Result<Atomicity, Stop> {
    if !step.machine.options.races {
        return Ok(Atomicity::OfWorkgroup);
    }
    match step.constant(1)? {
        // Cross device, device, workgroup, queue family.
        0..=2 | 5 => Ok(Atomicity::OfWorkgroup),
        3 => Ok(Atomicity::OfSubgroup),
        4 => Ok(Atomicity::Plain),
        _ => Err(step.not_modelled("an atomic of this scope")),
    }
}

/// One atomic instruction, its operands read.
struct Access {
    opcode: Op,
    scalar: Scalar,
    update: Update,
    /// What each lane stores, or combines with what it finds.
    value: Option<Rc<Value>>,
    /// What memory must hold for an exchange.
    comparator: Option<Rc<Value>>,
    /// What the environment permits of numbers.
    margin: Option<Margin>,
    /// It permits other numbers than some that were stored.
    inexact: Cell<bool>,
}

impl Access {
    fn of(
        step: &mut Step<'_, '_, '_>,
        opcode: Op,
        scalar: Scalar,
        update: Update,
    ) -> Result<Self, Stop> {
        let (value, comparator) = match opcode {
            Op::AtomicLoad
            | Op::AtomicIIncrement
            | Op::AtomicIDecrement
            | Op::AtomicFlagTestAndSet
            | Op::AtomicFlagClear => (None, None),
            Op::AtomicStore | Op::AtomicExchange => (Some(step.copy(3)?), None),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
                (Some(step.copy(4)?), Some(step.consume(5)?))
            }
            _ => (Some(step.consume(3)?), None),
        };
        let margin = inexact_comparison::environment(step, scalar);
        Ok(Self { opcode, scalar, update, value, comparator, margin, inexact: Cell::new(false) })
    }

    /// A lane's update; what it found.
    fn update(
        &self,
        step: &mut Step<'_, '_, '_>,
        lane: u32,
        at: Address,
    ) -> Result<Option<u64>, Stop> {
        let outside = "memory outside the object is accessed";
        let read = step.machine.memory.read(at, self.scalar, lane);
        step.behavior_unless(if read.is_err() { 1 << lane } else { 0 }, outside)?;
        let original = read.unwrap_or(None);
        let mut found = original;
        let width = self.scalar.width();
        let copies = matches!(
            self.opcode,
            Op::AtomicLoad | Op::AtomicStore | Op::AtomicExchange | Op::AtomicFlagClear
        );
        if found.is_none() && !copies {
            let site = step.site();
            found = Some(truncate(width, step.machine.choices.draw(&site, 0, 0, lane, width)));
        }
        let given = self.value.as_ref().map(|value| value.get(0, lane));
        let modified = step.machine.memory.was_modified(at, self.scalar);
        let left =
            if modified && !step.machine.options.readings.flags_recover { None } else { Some(()) };
        let mut stores = true;
        let stored = match self.opcode {
            Op::AtomicLoad => return Ok(found),
            Op::AtomicStore | Op::AtomicExchange => given.flatten(),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
                let comparator = self.comparator.as_ref().and_then(|value| value.get(0, lane));
                stores = found == comparator;
                given.flatten()
            }
            Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => {
                let given = given.flatten().unwrap_or_default();
                Some(self.number(step, lane, found.unwrap_or_default(), given)?)
            }
            Op::AtomicFlagClear => left.map(|()| CLEAR),
            Op::AtomicFlagTestAndSet => left.map(|()| SET),
            _ => {
                let given = given.flatten().unwrap_or_default();
                found.map(|found| truncate(width, (self.update)(width, found, given)))
            }
        };
        if stores {
            let written = step.machine.memory.write(at, self.scalar, lane, stored);
            step.behavior_unless(if written.is_err() { 1 << lane } else { 0 }, outside)?;
        }
        let flag = matches!(self.opcode, Op::AtomicFlagTestAndSet | Op::AtomicFlagClear);
        if stores && !flag {
            step.machine.memory.note_modified(at, self.scalar, true);
        }
        Ok(match self.opcode {
            // What is neither was written by something else.
            Op::AtomicFlagTestAndSet => match found {
                Some(CLEAR) if !modified => Some(0),
                Some(SET) if !modified => Some(1),
                _ => None,
            },
            _ => original,
        })
    }

    /// What is left of the number found and the number given; which NaN it is, is open.
    fn number(
        &self,
        step: &mut Step<'_, '_, '_>,
        lane: u32,
        found: u64,
        given: u64,
    ) -> Result<u64, Stop> {
        let Some(format) = format(self.scalar) else {
            return Err(step.not_modelled("such numbers in memory"));
        };
        if self.permits_others(format, found, given) {
            self.inexact.set(true);
            step.machine.choices.margin();
        }
        if self.opcode == Op::AtomicFAddEXT {
            let sum = combine(format, Operation::Add, found, given);
            return Ok(if format.is_nan(sum) { nan(step, lane, format, false) } else { sum });
        }
        let [no_number, no_value] = [found, given].map(|bits| format.is_nan(bits));
        let signaling = [found, given].map(|bits| format.is_signaling(bits)).contains(&true);
        let (order, other) = (format.order(found), format.order(given));
        Ok(match (no_number, no_value) {
            (true, true) => nan(step, lane, format, !signaling),
            (true, false) | (false, true) => {
                let number = if no_number { given } else { found };
                if !signaling || first(step, lane) {
                    number
                } else {
                    nan(step, lane, format, false)
                }
            }
            (false, false) if order == other => {
                if first(step, lane) {
                    found
                } else {
                    given
                }
            }
            (false, false) if (order < other) == (self.opcode == Op::AtomicFMinEXT) => found,
            (false, false) => given,
        })
    }
}

impl Access {
    /// Whether the environment permits others than the correctly rounded sum, or than one of the two
    /// numbers that is not beyond the other.
    fn permits_others(&self, format: Format, found: u64, given: u64) -> bool {
        let Some(margin) = self.margin else { return false };
        let pair = [found, given];
        let special = |bits: u64| margin.finite && format.magnitude(bits) >= format.infinity();
        if margin.anything || pair.into_iter().any(special) {
            return true;
        }
        if self.opcode != Op::AtomicFAddEXT {
            return margin.flushed && pair.into_iter().any(|bits| format.is_subnormal(bits));
        }
        let sum = combine(format, Operation::Add, found, given);
        let flushes = margin.flushed && format.is_subnormal(sum);
        let inputs = flushed(margin, pair, [Some(format); 2]);
        let mut sums = inputs.iter().flat_map(|[a, b]| {
            let rounds = margin.rounds().iter();
            rounds.map(move |round| combine_by(format, Operation::Add, *a, *b, *round))
        });
        flushes || special(sum) || sums.any(|other| other != sum)
    }
}

/// Some NaN, or some quiet one.
fn nan(step: &mut Step<'_, '_, '_>, lane: u32, format: Format, quiet: bool) -> u64 {
    let site = step.site();
    let nan = match step.machine.choices.payload(&site, lane, 0) {
        Some(bits) => format.named(bits),
        None => format.nan(step.machine.choices.pick(&site, format.nans())),
    };
    if quiet { format.quiet(nan) } else { nan }
}

/// The lane's free choice between two values is the first.
fn first(step: &mut Step<'_, '_, '_>, lane: u32) -> bool {
    let site = step.site();
    match step.machine.choices.either(&site, lane) {
        Some(first) => first,
        None => step.machine.choices.pick(&site, 2) == 1,
    }
}
