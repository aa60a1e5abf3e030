//! Running an entry point: one workgroup, all its subgroups, and the memory that they share.

use std::collections::BTreeMap;

use laneproof_module::spirv::ExecutionModel;
use laneproof_module::{EntryPoint, Function, Grid, Id, ModuleType, Named, Program};

use crate::built_in::{Indices, Workgroup};
use crate::choices::Choices;
use crate::flow::{self, Arguments};
use crate::frame::Slot;
use crate::given::GivenPlace;
use crate::lane::{LaneValue, Sizes};
use crate::machine::{Group, Machine, RunOptions, not_modelled_part, slot_of};
use crate::memory::Image;
use crate::memory::{Address, Buffer, Object};
use crate::outcome::Stop;
use crate::reading::Reconvergence;
use crate::variable;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KernelArgument {
    /// Memory that a pointer parameter points to.
    Buffer(Buffer),
    /// An image.
    Image(Image),
    /// A value, the same in every invocation.
    Value(LaneValue),
}

/// The memory that an entry point is given, and that it leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryMemory {
    /// Buffers of a shader by descriptor set and binding.
    pub bindings: BTreeMap<(u32, u32), Buffer>,
    /// Images, likewise.
    pub images: BTreeMap<(u32, u32), Image>,
    /// Push constants of a shader.
    pub push_constants: Option<Buffer>,
    /// Arguments of a kernel, in the order of its parameters.
    pub arguments: Vec<KernelArgument>,
}

/// An entry point and the workgroup that runs it.
#[derive(Clone, Copy, Debug)]
pub struct EntryCall<'p> {
    /// The module.
    pub program: &'p Program,
    /// The entry point.
    pub entry: &'p EntryPoint,
    /// Invocations in each dimension.
    pub workgroup: [u32; 3],
    /// How many invocations a subgroup holds; the last one may be partial.
    pub subgroup: u32,
    /// `SubgroupMaxSize`, M.
    pub max: u32,
}

/// Runs one workgroup to its end; gives back `memory` as the workgroup leaves it.
///
/// Its subgroups go in step, so they meet at barriers. Lane numbers follow
/// `LocalInvocationIndex`.
pub fn run_entry(
    call: &EntryCall<'_>,
    memory: EntryMemory,
    options: &RunOptions<'_>,
    choices: &mut dyn Choices,
) -> Result<EntryMemory, Stop> {
    if !matches!(call.entry.model, ExecutionModel::GLCompute | ExecutionModel::Kernel) {
        let why = format!("the execution model {}", call.entry.model.name());
        return Err(not_modelled_part("OpEntryPoint", why));
    }
    let function = call
        .program
        .function_by_id(call.entry.function)
        .ok_or_else(|| bad("the module has no such function"))?;
    let (groups, workgroups) = subgroups(call)?;
    let given = memory.arguments.iter().filter_map(|argument| match argument {
        KernelArgument::Image(image) => Some(image),
        _ => None,
    });
    if !given.chain(memory.images.values()).all(Image::is_whole) {
        return Err(bad("an image has not as many bytes as its size says"));
    }
    let entering: Vec<u128> = groups.iter().map(|group| group.entered).collect();
    let mut machine = Machine::new(call.program, groups, options, choices);
    machine.workgroup = Some(call.workgroup);
    if call.entry.maximally_reconverges {
        machine.options.readings.tangles.reconvergence = Reconvergence::MergeBlocks;
    }
    let objects = Objects::add(&mut machine, memory);
    let bound = objects.by_variable(call.program);
    variable::install(&mut machine, &bound, &workgroups);
    let arguments = objects.arguments(&machine, function)?;
    flow::run(&mut machine, function, arguments, &entering, None)?;
    Ok(objects.take_back(&machine))
}

/// The subgroups of a workgroup, with their positions.
fn subgroups<'p>(call: &EntryCall<'_>) -> Result<(Vec<Group<'p>>, Vec<Workgroup>), Stop> {
    /// More invocations than any implementation lets into a workgroup.
    const LIMIT: u32 = 1 << 14;
    let invocations = call.workgroup.iter().try_fold(1u32, |count, size| count.checked_mul(*size));
    let invocations = invocations
        .filter(|count| (1..=LIMIT).contains(count))
        .ok_or_else(|| bad(format!("a workgroup has 1 to {LIMIT} invocations")))?;
    let full = Sizes { existing: call.subgroup, subgroup: call.subgroup, max: call.max };
    if !full.in_order() {
        return Err(bad("sizes must be 1 <= S <= M <= 128"));
    }
    let count = invocations.div_ceil(call.subgroup);
    let grid = Grid::of_one(call.workgroup);
    Ok((0..count)
        .map(|subgroup| {
            let first = subgroup * call.subgroup;
            let existing = call.subgroup.min(invocations - first);
            let sizes = Sizes { existing, ..full };
            let group = Group::new(sizes, sizes.lanes());
            let indices = Indices::From(first);
            (group, Workgroup { grid, subgroup, subgroups: count, indices })
        })
        .unzip())
}

/// The objects behind the memory that an entry point is given.
struct Objects {
    bindings: BTreeMap<(u32, u32), usize>,
    push_constants: Option<usize>,
    arguments: Vec<ArgumentObject>,
}

enum ArgumentObject {
    Buffer(usize),
    Image(usize),
    Value(LaneValue),
}

impl Objects {
    fn add(machine: &mut Machine<'_, '_>, memory: EntryMemory) -> Self {
        let mut add = |object| machine.memory.add(object);
        let buffers = memory.bindings.into_iter();
        let buffers = buffers.map(|(place, buffer)| (place, Object::Bytes(buffer)));
        let images = memory.images.into_iter().map(|(place, image)| (place, Object::Image(image)));
        let bindings = buffers.chain(images).map(|(place, object)| (place, add(object))).collect();
        let push_constants = memory.push_constants.map(|buffer| add(Object::Bytes(buffer)));
        let arguments = memory
            .arguments
            .into_iter()
            .map(|argument| match argument {
                KernelArgument::Buffer(buffer) => {
                    ArgumentObject::Buffer(add(Object::Bytes(buffer)))
                }
                KernelArgument::Image(image) => ArgumentObject::Image(add(Object::Image(image))),
                KernelArgument::Value(value) => ArgumentObject::Value(value),
            })
            .collect();
        Self { bindings, push_constants, arguments }
    }

    /// The module's variables for them.
    fn by_variable(&self, program: &Program) -> BTreeMap<Id, usize> {
        let object = |global: &laneproof_module::Global| match GivenPlace::of(global)? {
            GivenPlace::Binding(set, binding) => self.bindings.get(&(set, binding)).copied(),
            GivenPlace::PushConstants => self.push_constants,
        };
        program.globals.values().filter_map(|global| Some((global.id, object(global)?))).collect()
    }

    /// Slots for the parameters of a kernel, by subgroup.
    fn arguments(&self, machine: &Machine<'_, '_>, function: &Function) -> Result<Arguments, Stop> {
        let (given, taken) = (self.arguments.len(), function.parameters.len());
        if given != taken {
            return Err(bad(format!("the entry point takes {taken} arguments, not {given}")));
        }
        machine
            .groups
            .iter()
            .map(|group| {
                let existing = group.sizes.existing as usize;
                let parameters = function.parameters.iter().zip(&self.arguments);
                parameters
                    .map(|(parameter, argument)| {
                        slot(&parameter.ty, argument, existing).ok_or_else(|| {
                            bad(format!("what is given does not fit parameter {}", parameter.name))
                        })
                    })
                    .collect()
            })
            .collect()
    }

    /// The memory as it is now.
    fn take_back(self, machine: &Machine<'_, '_>) -> EntryMemory {
        let bytes = |object| match machine.memory.object(object) {
            Some(Object::Bytes(bytes)) => bytes.clone(),
            _ => Buffer::new(),
        };
        let image = |object| machine.memory.image(object).cloned();
        let (images, bindings): (Vec<_>, Vec<_>) =
            self.bindings.into_iter().partition(|(_, object)| image(*object).is_some());
        EntryMemory {
            bindings: bindings.into_iter().map(|(place, object)| (place, bytes(object))).collect(),
            images: images
                .into_iter()
                .filter_map(|(place, object)| Some((place, image(object)?)))
                .collect(),
            push_constants: self.push_constants.map(bytes),
            arguments: self
                .arguments
                .into_iter()
                .filter_map(|argument| {
                    Some(match argument {
                        ArgumentObject::Buffer(object) => KernelArgument::Buffer(bytes(object)),
                        ArgumentObject::Image(object) => KernelArgument::Image(image(object)?),
                        ArgumentObject::Value(value) => KernelArgument::Value(value),
                    })
                })
                .collect(),
        }
    }
}

/// An argument as a parameter of type `ty` sees it; `None` where the two do not fit.
fn slot(ty: &ModuleType, argument: &ArgumentObject, existing: usize) -> Option<Slot> {
    match (ty, argument) {
        (ModuleType::Pointer { .. }, ArgumentObject::Buffer(object)) => {
            Some(Slot::Pointer(vec![Some(Address { object: *object, offset: 0 }); existing]))
        }
        (ModuleType::Image, ArgumentObject::Image(object)) => {
            Some(Slot::Pointer(vec![Some(Address { object: *object, offset: 0 }); existing]))
        }
        (ModuleType::Pointer { .. }, _)
        | (_, ArgumentObject::Buffer(_) | ArgumentObject::Image(_)) => None,
        (ty, ArgumentObject::Value(value)) => (crate::shape::leaf_count(ty)? == value.0.len())
            .then(|| slot_of(ty, &vec![value.clone(); existing]))?,
    }
}

fn bad(reason: impl Into<String>) -> Stop {
    Stop::BadCall { reason: reason.into() }
}
