//! Running one function: in one subgroup, or in all that a machine has.

use std::collections::BTreeMap;
use std::rc::Rc;

use laneproof_module::spirv::StorageClass;
use laneproof_module::{
    EntryPoint, Function, Id, LaneIndices, ModuleType, Program, WorkgroupPlace,
};

use crate::built_in::{Indices, Workgroup};
use crate::choices::Choices;
use crate::flow;
use crate::frame::Slot;
use crate::lane::{LaneValue, Sizes};
use crate::machine::{Group, MAX_VALUE, Machine, RunOptions, not_modelled_part, slot_of};
use crate::memory::Image;
use crate::memory::{Address, Object};
use crate::outcome::{Finished, Stop};
use crate::reading::Reconvergence;
use crate::shape;
use crate::variable;

/// A function, the subgroup that calls it, and the arguments.
#[derive(Clone, Debug)]
pub struct Call<'p> {
    /// The module.
    pub program: &'p Program,
    /// The function.
    pub function: Id,
    /// The subgroup's sizes.
    pub sizes: Sizes,
    /// The lanes that call it; not empty, and all of them exist.
    pub active: u128,
    /// One for each parameter.
    pub arguments: Vec<CallArgument>,
}

/// What a parameter gets. A pointer to function storage gets what it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallArgument {
    /// A value for each existing lane; in a workgroup, for each invocation.
    PerLane(Vec<LaneValue>),
    /// The same value in every lane.
    Uniform(LaneValue),
    /// For a pointer to memory that lanes share: an address, the same in every lane.
    Pointer {
        /// Index in [`crate::Reachable::buffers`].
        buffer: usize,
        /// Bytes from its start.
        offset: u64,
    },
    /// An image, the same in every lane, by its index in [`crate::Reachable::images`].
    Image(usize),
}

/// Runs a function to its end. Workgroup memory starts undefined and is private to the call.
pub fn call(
    call: &Call<'_>,
    options: &RunOptions<'_>,
    choices: &mut dyn Choices,
) -> Result<Finished, Stop> {
    let Call { program, sizes, active, .. } = *call;
    if !sizes.in_order() {
        return Err(bad("sizes must be 1 <= existing <= S <= M <= 128"));
    }
    if active == 0 || active & !sizes.lanes() != 0 {
        return Err(bad("the active set must be a nonempty set of existing lanes"));
    }
    if options.caller.lane_indices.is_some_and(|it| !it.is_possible(sizes.existing)) {
        return Err(bad("each lane must be an invocation of its own, of those of the workgroup"));
    }
    let group = Group::new(sizes, active);
    let mut machine = Machine::new(program, vec![group], options, choices);
    let WorkgroupPlace { subgroup, subgroups } = options.caller.place;
    let workgroup = options.caller.lane_indices.map(|LaneIndices { grid, indices }| {
        let indices = Indices::Each(indices.clone());
        Workgroup { grid: *grid, subgroup, subgroups, indices }
    });
    enter(&mut machine, call.function, &call.arguments, workgroup.as_slice())
}

/// Calls a function in all subgroups of a machine, whose lanes are concatenated; `places` has the
/// position of each, or is empty for a function called on its own.
pub(crate) fn enter(
    machine: &mut Machine<'_, '_>,
    function: Id,
    given: &[CallArgument],
    places: &[Workgroup],
) -> Result<Finished, Stop> {
    let program = machine.program;
    let function =
        program.function_by_id(function).ok_or_else(|| bad("the module has no such function"))?;
    if function.parameters.len() != given.len() {
        return Err(bad(format!(
            "the function takes {} arguments, not {}",
            function.parameters.len(),
            given.len()
        )));
    }
    keep_promises(machine, function);
    let options = machine.options;
    let buffers = options.reachable.buffers.iter();
    let buffers: Vec<usize> =
        buffers.map(|buffer| machine.memory.add(Object::Bytes(buffer.clone()))).collect();
    if !options.reachable.images.iter().all(Image::is_whole) {
        return Err(bad("an image has not as many bytes as its size says"));
    }
    let images = options.reachable.images.iter();
    let images: Vec<usize> =
        images.map(|image| machine.memory.add(Object::Image(image.clone()))).collect();
    let bound = options
        .reachable
        .variables
        .iter()
        .map(|(id, buffer)| Some((*id, *buffers.get(*buffer)?)))
        .collect::<Option<BTreeMap<_, _>>>()
        .ok_or_else(|| bad("a variable stands for a buffer that is not given"))?;
    variable::install(machine, &bound, places);
    let starts = machine.starts();
    let mut slots = Vec::with_capacity(starts.len());
    let mut objects = Vec::with_capacity(starts.len());
    for group in 0..starts.len() {
        let (own, left) = arguments(machine, function, given, group, &buffers, &images)?;
        slots.push(own);
        objects.push(left);
    }
    let entering: Vec<u128> = machine.groups.iter().map(|group| group.entered).collect();
    let frame = flow::run(machine, function, slots, &entering, None)?;
    let mut results = Vec::new();
    let parameters = objects.first().map_or(0, Vec::len);
    let mut outputs = vec![Vec::new(); parameters + options.reachable.left.len()];
    for (number, (group, objects)) in frame.groups.iter().zip(objects).enumerate() {
        if let Some(Slot::Pointer(_)) = &group.result {
            let what = "a pointer as the result of the call";
            return Err(not_modelled_part("OpReturnValue", what));
        }
        let lanes = 0..machine.groups[number].sizes.existing;
        results.extend(lanes.clone().map(|lane| match &group.result {
            Some(Slot::Data(value)) if group.returned >> lane & 1 == 1 => Some(value.lane(lane)),
            _ => None,
        }));
        let globals = machine.options.reachable.left.iter();
        let globals = globals.filter_map(|id| object_of(&machine.groups[number], *id));
        for (left, object) in outputs.iter_mut().zip(objects.into_iter().chain(globals)) {
            if let Some(Object::Private(value)) = machine.memory.object(object) {
                left.extend(lanes.clone().map(|lane| value.lane(lane)));
            }
        }
    }
    let buffers = buffers
        .into_iter()
        .map(|object| match machine.memory.object(object) {
            Some(Object::Bytes(bytes)) => bytes.clone(),
            _ => Vec::new(),
        })
        .collect();
    let images = images.into_iter().filter_map(|object| machine.memory.image(object).cloned());
    let images = images.collect();
    let groups = machine.groups.iter().zip(&starts);
    let helpers = groups.fold(0, |all, (group, start)| all | group.helpers << start);
    Ok(Finished { results, helpers, outputs, buffers, images, trace: machine.trace.take() })
}

/// An entry point may promise that its lanes reconverge at merge blocks, whatever the readings say.
fn keep_promises(machine: &mut Machine<'_, '_>, function: &Function) {
    let promises =
        |entry: &EntryPoint| entry.function == function.id && entry.maximally_reconverges;
    if machine.program.entry_points.iter().any(promises) {
        machine.options.readings.tangles.reconvergence = Reconvergence::MergeBlocks;
    }
}

/// The object behind a module-scope variable, as a subgroup sees it.
fn object_of(group: &Group<'_>, variable: Id) -> Option<usize> {
    match &group.globals.get(&variable)?.slot {
        Slot::Pointer(addresses) => addresses.first()?.map(|address| address.object),
        _ => None,
    }
}

/// Slots for all parameters in a subgroup, and the objects behind those that are pointers.
fn arguments(
    machine: &mut Machine<'_, '_>,
    function: &Function,
    given: &[CallArgument],
    group: usize,
    buffers: &[usize],
    images: &[usize],
) -> Result<(Vec<Slot>, Vec<usize>), Stop> {
    let starts = machine.starts();
    let (start, all) = (starts[group] as usize, machine.lanes() as usize);
    let existing = machine.groups[group].sizes.existing as usize;
    let mut slots = Vec::with_capacity(given.len());
    let mut objects = Vec::new();
    for (parameter, argument) in function.parameters.iter().zip(given) {
        let (ty, pointer) = match &parameter.ty {
            ModuleType::Pointer { storage: StorageClass::Function, pointee } => (&**pointee, true),
            ModuleType::Pointer { storage, .. } => {
                let slot = shared(argument, *storage, buffers, existing).ok_or_else(|| {
                    bad(format!("parameter {} takes a pointer into a buffer", parameter.name))
                })?;
                if let (StorageClass::Workgroup, Slot::Pointer(addresses)) = (storage, &slot) {
                    let objects = addresses.iter().flatten().map(|address| address.object);
                    objects.for_each(|object| machine.memory.is_of_workgroup(object));
                }
                slots.push(slot);
                continue;
            }
            ModuleType::Image => {
                let CallArgument::Image(image) = argument else {
                    return Err(bad(format!("parameter {} takes an image", parameter.name)));
                };
                let object = *images.get(*image).ok_or_else(|| bad("there is no such image"))?;
                slots.push(Slot::Pointer(vec![Some(Address { object, offset: 0 }); existing]));
                continue;
            }
            ty => (ty, false),
        };
        let leaves = shape::leaf_count(ty).ok_or_else(|| {
            not_modelled_part("OpFunctionParameter", format!("the type of {}", parameter.name))
        })?;
        if leaves * all > MAX_VALUE {
            let why = format!(
                "{} has {leaves} scalars in each of {all} lanes; the limit is {MAX_VALUE} in all",
                parameter.name
            );
            return Err(not_modelled_part("OpFunctionParameter", why));
        }
        let values = match argument {
            CallArgument::PerLane(values) => values.clone(),
            CallArgument::Uniform(value) => vec![value.clone(); all],
            CallArgument::Pointer { .. } | CallArgument::Image(_) => {
                return Err(bad(format!("parameter {} takes data", parameter.name)));
            }
        };
        if values.len() != all || values.iter().any(|value| value.0.len() != leaves) {
            return Err(bad(format!(
                "parameter {} takes {leaves} scalars in each of {all} lanes",
                parameter.name
            )));
        }
        let slot = slot_of(ty, &values[start..start + existing])
            .ok_or_else(|| not_modelled_part("OpFunctionParameter", "its type"))?;
        match (pointer, slot) {
            (true, Slot::Data(value)) => {
                let object = machine.memory.add(Object::Private(Rc::unwrap_or_clone(value)));
                if parameter.is_output() {
                    objects.push(object);
                }
                slots.push(Slot::Pointer(vec![Some(Address { object, offset: 0 }); existing]));
            }
            (_, slot) => slots.push(slot),
        }
    }
    Ok((slots, objects))
}

/// A slot for a pointer to memory that lanes share.
fn shared(
    argument: &CallArgument,
    storage: StorageClass,
    buffers: &[usize],
    existing: usize,
) -> Option<Slot> {
    use StorageClass as Class;
    let shared = [Class::CrossWorkgroup, Class::StorageBuffer, Class::Uniform, Class::Workgroup];
    match argument {
        CallArgument::Pointer { buffer, offset } if shared.contains(&storage) => {
            let address = Address { object: *buffers.get(*buffer)?, offset: *offset };
            Some(Slot::Pointer(vec![Some(address); existing]))
        }
        _ => None,
    }
}

fn bad(reason: impl Into<String>) -> Stop {
    Stop::BadCall { reason: reason.into() }
}
