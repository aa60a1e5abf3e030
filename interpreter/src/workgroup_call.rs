//! Running one function in all subgroups of a workgroup.

use laneproof_module::{Grid, Id, Program};

use crate::built_in::{Indices, Workgroup};
use crate::call::{CallArgument, enter};
use crate::choices::Choices;
use crate::lane::{Sizes, below};
use crate::machine::{Group, Machine, RunOptions};
use crate::outcome::{Finished, Stop};

/// A function, the workgroup that calls it, and the arguments.
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
    /// One for each parameter.
    pub arguments: Vec<CallArgument>,
}

/// Runs a function to its end; lanes of the outcome are invocations, by `LocalInvocationIndex`.
/// Workgroup memory starts undefined and is private to the call.
///
/// # Errors
///
/// Where the run stops early, and where the call does not fit the function.
pub fn call_in_workgroup(
    call: &WorkgroupCall<'_>,
    options: &RunOptions<'_>,
    choices: &mut dyn Choices,
) -> Result<Finished, Stop> {
    let bad = |reason: &str| Stop::BadCall { reason: reason.into() };
    let lanes = call.grid.size.iter().try_fold(1u32, |all, size| all.checked_mul(*size));
    let lanes = lanes.filter(|lanes| (1..=128).contains(lanes));
    let lanes = lanes.ok_or_else(|| bad("the workgroup must have 1 to 128 invocations"))?;
    let full = Sizes { existing: call.subgroup, subgroup: call.subgroup, max: call.max };
    if !full.in_order() || call.active == 0 || call.active & !below(lanes) != 0 {
        return Err(bad("sizes must be in order and the active invocations exist"));
    }
    let subgroups = lanes.div_ceil(call.subgroup);
    let mut groups = Vec::new();
    let mut places = Vec::new();
    for subgroup in 0..subgroups {
        let first = subgroup * call.subgroup;
        let sizes = Sizes { existing: call.subgroup.min(lanes - first), ..full };
        groups.push(Group::new(sizes, call.active >> first & sizes.lanes()));
        let indices = Indices::From(first);
        places.push(Workgroup { grid: call.grid, subgroup, subgroups, indices });
    }
    let mut machine = Machine::new(call.program, groups, options, choices);
    machine.workgroup = Some(call.grid.size);
    let starts = machine.starts();
    let finished = enter(&mut machine, call.function, &call.arguments, &places);
    finished.map_err(|stop| stop.by_invocation(&starts))
}
