//! Running one function in one subgroup.

use std::collections::BTreeMap;
use std::rc::Rc;

use laneproof_module::spirv::StorageClass;
use laneproof_module::{Function, Id, Program, Type};

use crate::choices::Choices;
use crate::flow;
use crate::frame::Slot;
use crate::image::Image;
use crate::lane::{LaneValue, Sizes};
use crate::machine::{Group, MAX_VALUE, Machine, Options, not_modelled_part, slot_of};
use crate::memory::{Address, Object};
use crate::outcome::{Finished, Stop};
use crate::shape;
use crate::variable;

/// A function, the subgroup that calls it and what it is called with.
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
    pub arguments: Vec<Argument>,
}

/// What a parameter gets. A pointer to function storage gets what it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A value for each existing lane.
    PerLane(Vec<LaneValue>),
    /// The same value in every lane.
    Uniform(LaneValue),
    /// For a pointer to memory that lanes share: an address, the same in every lane.
    Pointer {
        /// Index in [`Options::buffers`].
        buffer: usize,
        /// Bytes from its start.
        offset: u64,
    },
    /// An image, the same in every lane, by its index in [`Options::images`].
    Image(usize),
}

/// Runs a function to its end. Workgroup memory starts undefined and is private to the call.
pub fn call(
    call: &Call<'_>,
    options: &Options<'_>,
    choices: &mut dyn Choices,
) -> Result<Finished, Stop> {
    let Call { program, sizes, active, .. } = *call;
    if !sizes.in_order() {
        return Err(bad("sizes must be 1 <= existing <= S <= M <= 128"));
    }
    if active == 0 || active & !sizes.lanes() != 0 {
        return Err(bad("the active set must be a nonempty set of existing lanes"));
    }
    let function = program
        .function_by_id(call.function)
        .ok_or_else(|| bad("the module has no such function"))?;
    if function.parameters.len() != call.arguments.len() {
        return Err(bad(format!(
            "the function takes {} arguments, not {}",
            function.parameters.len(),
            call.arguments.len()
        )));
    }
    let group = Group::new(sizes, active);
    let mut machine = Machine::new(program, vec![group], options, choices);
    let buffers: Vec<usize> = options
        .buffers
        .iter()
        .map(|buffer| machine.memory.add(Object::Bytes(buffer.clone())))
        .collect();
    if !options.images.iter().all(Image::is_whole) {
        return Err(bad("an image has not as many bytes as its size says"));
    }
    let images: Vec<usize> = options
        .images
        .iter()
        .map(|image| machine.memory.add(Object::Image(image.clone())))
        .collect();
    let bound = options
        .variables
        .iter()
        .map(|(id, buffer)| Some((*id, *buffers.get(*buffer)?)))
        .collect::<Option<BTreeMap<_, _>>>()
        .ok_or_else(|| bad("a variable stands for a buffer that is not given"))?;
    variable::install(&mut machine, &bound, &[]);
    let (slots, objects) = arguments(&mut machine, function, call, &buffers, &images)?;
    let frame = flow::run(&mut machine, function, vec![slots], &[active])?;
    let outputs = objects.into_iter().map(|object| match machine.memory.object(object) {
        Some(Object::Private(value)) => (0..sizes.existing).map(|lane| value.lane(lane)).collect(),
        _ => Vec::new(),
    });
    let outputs = outputs.collect();
    let group = &frame.groups[0];
    let results = (0..sizes.existing)
        .map(|lane| match &group.result {
            Some(Slot::Data(value)) if group.returned >> lane & 1 == 1 => Some(value.lane(lane)),
            _ => None,
        })
        .collect();
    if let Some(Slot::Pointer(_)) = &group.result {
        return Err(not_modelled_part("OpReturnValue", "a pointer as the result of the call"));
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
    let helpers = machine.groups[0].helpers;
    Ok(Finished { results, helpers, outputs, buffers, images, trace: machine.trace.take() })
}

/// Slots for all parameters, and the objects behind those that are pointers.
fn arguments(
    machine: &mut Machine<'_, '_>,
    function: &Function,
    call: &Call<'_>,
    buffers: &[usize],
    images: &[usize],
) -> Result<(Vec<Slot>, Vec<usize>), Stop> {
    let existing = call.sizes.existing as usize;
    let mut slots = Vec::with_capacity(call.arguments.len());
    let mut objects = Vec::new();
    for (parameter, argument) in function.parameters.iter().zip(&call.arguments) {
        let (ty, pointer) = match &parameter.ty {
            Type::Pointer { storage: StorageClass::Function, pointee } => (&**pointee, true),
            Type::Pointer { storage, .. } => {
                slots.push(shared(argument, *storage, buffers, existing).ok_or_else(|| {
                    bad(format!("parameter {} takes a pointer into a buffer", parameter.name))
                })?);
                continue;
            }
            Type::Image => {
                let Argument::Image(image) = argument else {
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
        if leaves * existing > MAX_VALUE {
            let why = format!("so many scalars as {} has", parameter.name);
            return Err(not_modelled_part("OpFunctionParameter", why));
        }
        let values = match argument {
            Argument::PerLane(values) => values.clone(),
            Argument::Uniform(value) => vec![value.clone(); existing],
            Argument::Pointer { .. } | Argument::Image(_) => {
                return Err(bad(format!("parameter {} takes data", parameter.name)));
            }
        };
        if values.len() != existing || values.iter().any(|value| value.0.len() != leaves) {
            return Err(bad(format!(
                "parameter {} takes {leaves} scalars in each of {existing} lanes",
                parameter.name
            )));
        }
        let slot = slot_of(ty, &values)
            .ok_or_else(|| not_modelled_part("OpFunctionParameter", "its type"))?;
        match (pointer, slot) {
            (true, Slot::Data(value)) => {
                let object = machine.memory.add(Object::Private(Rc::unwrap_or_clone(value)));
                objects.push(object);
                slots.push(Slot::Pointer(vec![Some(Address { object, offset: 0 }); existing]));
            }
            (_, slot) => slots.push(slot),
        }
    }
    Ok((slots, objects))
}

/// A slot for a pointer to memory that lanes share.
fn shared(
    argument: &Argument,
    storage: StorageClass,
    buffers: &[usize],
    existing: usize,
) -> Option<Slot> {
    use StorageClass as Class;
    let shared = [Class::CrossWorkgroup, Class::StorageBuffer, Class::Uniform, Class::Workgroup];
    match argument {
        Argument::Pointer { buffer, offset } if shared.contains(&storage) => {
            let address = Address { object: *buffers.get(*buffer)?, offset: *offset };
            Some(Slot::Pointer(vec![Some(address); existing]))
        }
        _ => None,
    }
}

fn bad(reason: impl Into<String>) -> Stop {
    Stop::BadCall { reason: reason.into() }
}
