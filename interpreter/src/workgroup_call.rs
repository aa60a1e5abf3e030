//! Running one function in all subgroups of a workgroup.

use std::collections::BTreeMap;

use laneproof_module::{Id, Program};

use crate::built_in::{Grid, Workgroup};
use crate::choices::Choices;
use crate::flow;
use crate::frame::Slot;
use crate::lane::{LaneValue, Sizes, below};
use crate::machine::{Group, Machine, Options, slot_of};
use crate::outcome::Stop;
use crate::variable;

/// A function, the workgroup that calls it and what it is called with.
#[derive(Clone, Debug)]
pub struct WorkgroupCall<'p> {
    /// The module.
    pub program: &'p Program,
    /// The function.
    pub function: Id,
    /// The workgroup: 128 invocations at most.
    pub grid: Grid,
    /// S; the last subgroup may be partial.
    pub subgroup: u32,
    /// M.
    pub max: u32,
    /// The invocations that call it, by `LocalInvocationIndex`; all of them exist.
    pub active: u128,
    /// One for each parameter, which must be data: a value for each invocation.
    pub arguments: Vec<Vec<LaneValue>>,
}

/// Runs a function to its end; what it returns in each invocation, `None` in those that did
/// not call it.
///
/// # Errors
///
/// Where the run stops early, and where the call does not fit the function.
pub fn call_in_workgroup(
    call: &WorkgroupCall<'_>,
    options: &Options<'_>,
    choices: &mut dyn Choices,
) -> Result<Vec<Option<LaneValue>>, Stop> {
    let bad = |reason: &str| Stop::BadCall { reason: reason.into() };
    let lanes = call.grid.size.iter().try_fold(1u32, |all, size| all.checked_mul(*size));
    let lanes = lanes.filter(|lanes| (1..=128).contains(lanes));
    let lanes = lanes.ok_or_else(|| bad("the workgroup must have 1 to 128 invocations"))?;
    let full = Sizes { existing: call.subgroup, subgroup: call.subgroup, max: call.max };
    if !full.in_order() || call.active == 0 || call.active & !below(lanes) != 0 {
        return Err(bad("sizes must be in order and the active invocations exist"));
    }
    let function = call.program.function_by_id(call.function);
    let function = function.ok_or_else(|| bad("the module has no such function"))?;
    if function.parameters.len() != call.arguments.len() {
        return Err(bad("the function takes another number of arguments"));
    }
    let subgroups = lanes.div_ceil(call.subgroup);
    let mut groups = Vec::new();
    let mut places = Vec::new();
    for subgroup in 0..subgroups {
        let first = subgroup * call.subgroup;
        let sizes = Sizes { existing: call.subgroup.min(lanes - first), ..full };
        groups.push(Group::new(sizes, call.active >> first & sizes.lanes()));
        places.push(Workgroup { grid: call.grid, subgroup, subgroups, first });
    }
    let entering: Vec<u128> = groups.iter().map(|group| group.entered).collect();
    let mut machine = Machine::new(call.program, groups, options, choices);
    machine.workgroup = Some(call.grid.size);
    variable::install(&mut machine, &BTreeMap::new(), &places);
    let mut arguments = Vec::new();
    for (group, place) in machine.groups.iter().zip(&places) {
        let own = place.first as usize..(place.first + group.sizes.existing) as usize;
        let mut slots = Vec::new();
        for (parameter, values) in function.parameters.iter().zip(&call.arguments) {
            let slot = values.get(own.clone()).and_then(|own| slot_of(&parameter.ty, own));
            slots.push(slot.ok_or_else(|| bad("an argument does not fit its parameter"))?);
        }
        arguments.push(slots);
    }
    let frame = flow::run(&mut machine, function, arguments, &entering)?;
    let mut results = Vec::with_capacity(lanes as usize);
    for (group, sizes) in frame.groups.iter().zip(machine.groups.iter().map(|it| it.sizes)) {
        results.extend((0..sizes.existing).map(|lane| match &group.result {
            Some(Slot::Data(value)) if group.returned >> lane & 1 == 1 => Some(value.lane(lane)),
            _ => None,
        }));
    }
    Ok(results)
}
