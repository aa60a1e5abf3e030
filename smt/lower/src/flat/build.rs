//! Flattens a function: its parameters, its variables, and the values of its `<id>`s.

mod access;
mod control;
mod cut;
mod discard;
mod instruction;
mod liveness;
mod memory;
mod pointer;
mod private;
mod specialization;
mod step;
mod tangle;
mod target;
mod unroll;

pub use self::cut::{Cut, Slot};
pub use self::memory::fences::Fence;
pub use self::memory::ordering::{Barrier, OrderedBy};
pub use self::specialization::specializations;
pub use self::tangle::{SwitchArrival, Tangle, TangleId, Way};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use laneproof_module::spirv::StorageClass;
use laneproof_module::{Function, Id, Instruction, ModuleType, Named, Place, Program, Site};
use laneproof_semantics::{Specification, Type as Data};

use self::memory::fences::Ordered;
use self::memory::is_buffer;
use self::pointer::{Holder, Variable, data};
use self::specialization::Specializations;
use self::tangle::Tangles;
use self::target::{Pointer, Target};
use self::unroll::Escaping;
use super::instance::{capability_names, execution_modes};
use super::{
    Activity, ActivityId, Flat, FlatGlobal, FlatInput, FlatOutput, FlatValue, Unmodelled, ValueId,
    unmodelled,
};

/// How loops are lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// Unrolled to this number of iterations.
    Iterations(u32),
    /// One iteration, from any state to the next.
    Cut,
}

/// The state of one function call.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) values: HashMap<Id, ValueId>,
    pub(super) pointers: HashMap<Id, Target>,
    /// Images, by region.
    pub(super) images: HashMap<Id, usize>,
    /// For each block label, which lanes come from which block.
    pub(super) incoming: HashMap<Id, Vec<(Id, ActivityId)>>,
    /// For each block label, which lanes executed it in this iteration of the loops around it.
    pub(super) executed: HashMap<Id, ActivityId>,
    pub(super) returns: Vec<(ActivityId, Option<ValueId>)>,
    /// Which lanes are together for certain.
    pub(super) tangles: Tangles,
    /// Blocks whose phis have their values already.
    pub(super) bound: BTreeSet<Id>,
    /// For each phi of the merge block of a loop that is cut open, its value when the loop is over.
    pub(super) taken_along: HashMap<Id, ValueId>,
}

/// What is flattened, and by which clauses.
#[derive(Clone)]
pub(super) struct Module<'p> {
    pub(super) program: &'p Program,
    pub(super) specification: &'p Specification,
    pub(super) capabilities: Arc<BTreeSet<String>>,
    /// Names of its entry points' execution modes, and whether all have it.
    pub(super) modes: Arc<BTreeMap<String, bool>>,
    /// Positions of pointer parameters that nothing else aliases.
    pub(super) apart: &'p BTreeSet<usize>,
    /// The function is an entry point.
    pub(super) is_entry: bool,
}

/// Variables of each lane, and their values.
#[derive(Clone, Default)]
pub(super) struct Storage {
    pub(super) variables: Vec<Variable>,
    pub(super) globals: HashMap<Id, Pointer>,
    /// Variables that hold a pointer.
    pub(super) holders: Vec<Holder>,
}

/// What the walk over the blocks has found so far.
#[derive(Clone, Default)]
pub(super) struct WalkState {
    /// Results that are one number in all lanes.
    pub(super) known: HashMap<ValueId, u64>,
    /// What orders accesses besides barriers.
    pub(super) ordered: Ordered,
    /// A barrier that not all lanes need reach.
    pub(super) barrier_in_branch: Option<Place>,
    /// Blocks met so far.
    pub(super) blocks: usize,
}

/// How loops are lowered.
#[derive(Clone)]
pub(super) struct LoopPlan {
    /// How often the body of a loop is unrolled.
    pub(super) iterations: u32,
    /// Loops are cut open instead.
    pub(super) cut: bool,
    /// What is computed in loops and used after them.
    pub(super) escaping: Escaping,
}

/// Lanes that ended early.
#[derive(Clone, Default)]
pub(super) struct Ended {
    /// Which lanes `OpKill` ended, or made helpers, way by way.
    pub(super) killed: Vec<ActivityId>,
    /// The same of those that `OpTerminateInvocation` ended.
    pub(super) terminated: Vec<ActivityId>,
    /// Whether a lane is a helper, once some lane may be.
    pub(super) helper: Option<Pointer>,
}

/// Which lanes execute the current block.
#[derive(Clone)]
pub(super) struct At {
    /// The lanes that execute the current block.
    pub(super) here: ActivityId,
    /// They execute it together for certain.
    pub(super) together: bool,
    /// The case of a switch that they are in.
    pub(super) tangle: Option<TangleId>,
}

#[derive(Clone)]
pub(super) struct Builder<'p> {
    /// What is flattened, and by which clauses.
    pub(super) module: Module<'p>,
    pub(super) flat: Flat,
    /// Variables of each lane, and their values.
    pub(super) storage: Storage,
    pub(super) frames: Vec<Frame>,
    /// Calls and iterations entered.
    pub(super) path: Vec<u32>,
    pub(super) entry: ActivityId,
    /// What the walk has found so far.
    pub(super) walked: WalkState,
    /// How loops are lowered.
    pub(super) loops: LoopPlan,
    /// Lanes that ended early.
    pub(super) ended: Ended,
    /// Specialization constants that were given values, by `SpecId`.
    pub(super) specializations: BTreeMap<u32, ValueId>,
    /// Which lanes execute the current block.
    pub(super) at: At,
    /// Lanes reconverge at every merge block, by the entry point's own execution mode.
    pub(super) maximal: bool,
}

/// Flattens `function`, its parameters left open. Each of its pointer parameters at the positions
/// `apart` points into a memory of its own.
pub fn flatten<'p>(
    program: &'p Program,
    specification: &'p Specification,
    function: &Function,
    specializations: &Specializations,
    loops: Loops,
    apart: &'p BTreeSet<usize>,
) -> Result<Flat, Unmodelled> {
    let mut flat = Flat::default();
    let entry = flat.activity(Activity::Entry);
    let mut builder = Builder {
        module: Module {
            program,
            specification,
            capabilities: capability_names(program),
            modes: execution_modes(program),
            apart,
            is_entry: program.entry_points.iter().any(|entry| entry.function == function.id),
        },
        flat,
        storage: Storage::default(),
        frames: vec![Frame::default()],
        path: Vec::new(),
        entry,
        walked: WalkState::default(),
        loops: LoopPlan {
            iterations: match loops {
                Loops::Iterations(iterations) => iterations,
                Loops::Cut => 1,
            },
            cut: loops == Loops::Cut,
            escaping: Escaping::new(),
        },
        ended: Ended::default(),
        specializations: BTreeMap::new(),
        at: At { here: entry, together: true, tangle: None },
        maximal: program
            .entry_points
            .iter()
            .any(|entry| entry.function == function.id && entry.maximally_reconverges),
    };
    builder.open_specializations(function.parameters.len(), specializations)?;
    let left = builder.private_variables(function)?;
    let globals = builder.globals_now();
    let outputs = builder.inputs(function)?;
    builder.specialization_inputs(specializations);
    let (result, _) = builder.body(function, entry)?;
    for (name, pointer) in outputs {
        let value = builder.load(&pointer, entry);
        builder.flat.interface.outputs.push(FlatOutput { name, value, global: None });
    }
    builder.flat.interface.result = result;
    builder.leave_globals(&globals);
    builder.discards(function);
    builder.check_ordering()?;
    builder.flat.memory.atomics = builder.walked.ordered.has_atomics();
    builder.flat.interface.from_callers = left;
    builder.flat.look();
    Ok(builder.flat)
}

impl Builder<'_> {
    pub(super) fn frame(&self) -> &Frame {
        // The frame of the function that is flattened is always there.
        &self.frames[self.frames.len() - 1]
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn site(&self, place: Place) -> Site {
        Site { path: self.path.clone(), word: place.word }
    }

    /// The values of the module's variables, by their numbers.
    fn globals_now(&self) -> BTreeMap<usize, ValueId> {
        let numbers = self.storage.globals.values().map(|pointer| pointer.variable);
        numbers.map(|number| (number, self.storage.variables[number].current)).collect()
    }

    /// What is left in them; `before` is what stood there at first.
    fn leave_globals(&mut self, before: &BTreeMap<usize, ValueId>) {
        let globals: BTreeMap<Id, Pointer> =
            self.storage.globals.iter().map(|(&id, pointer)| (id, pointer.clone())).collect();
        for (id, pointer) in globals {
            let now = self.storage.variables[pointer.variable].current;
            let written = before.get(&pointer.variable) != Some(&now);
            let value = if written { self.load(&pointer, self.entry) } else { now };
            self.flat.interface.globals.insert(id, FlatGlobal { value, written });
        }
    }

    fn inputs(&mut self, function: &Function) -> Result<Vec<(String, Pointer)>, Unmodelled> {
        let mut outputs = Vec::new();
        // The arguments of an entry point are equal in all lanes.
        let entry =
            self.module.program.entry_points.iter().any(|entry| entry.function == function.id);
        for (position, parameter) in function.parameters.iter().enumerate() {
            let place = function.place;
            if let ModuleType::Pointer { storage, pointee } = &parameter.ty
                && (is_buffer(*storage) || self.is_shared_argument(*storage, position, entry))
            {
                let behind = (*storage, &**pointee);
                let target = self.pointer_parameter(position, parameter, behind);
                self.note_decorations(parameter, &target);
                self.frame_mut().pointers.insert(parameter.id, target);
                continue;
            }
            if parameter.ty == ModuleType::Image {
                let region = self.image_parameter(position, &parameter.name);
                self.frame_mut().images.insert(parameter.id, region);
                continue;
            }
            let (ty, behind_pointer) = match &parameter.ty {
                ModuleType::Pointer { storage: StorageClass::Function, pointee } => {
                    (data(pointee, place)?, true)
                }
                other => (data(other, place)?, false),
            };
            let value = self.flat.add(FlatValue::Parameter(position), ty.clone());
            self.flat.interface.inputs.push(FlatInput {
                name: parameter.name.clone(),
                ty: ty.clone(),
                uniform: parameter.uniform || entry,
                points: None,
                image: false,
                spec_id: None,
            });
            if behind_pointer {
                let pointer = self.variable(ty, value, self.entry);
                self.frame_mut().pointers.insert(parameter.id, Target::Own(pointer.clone()));
                if parameter.is_output() {
                    outputs.push((parameter.name.clone(), pointer));
                }
            } else {
                self.frame_mut().values.insert(parameter.id, value);
            }
        }
        Ok(outputs)
    }

    /// The value of an `<id>`: a result, a constant.
    pub(super) fn value(&mut self, id: Id, place: Place) -> Result<ValueId, Unmodelled> {
        if let Some(&value) = self.frame().values.get(&id) {
            return Ok(value);
        }
        if let Some(constant) = self.module.program.constants.get(&id) {
            if !constant.is_fixed() {
                return self.specialized(id, constant, place);
            }
            let value = FlatValue::Constant(constant.leaves.clone());
            let value = self.flat.add(value, constant.ty.clone());
            self.frame_mut().values.insert(id, value);
            return Ok(value);
        }
        Err(unmodelled(format!("the value {}", self.module.program.name_of(id)), place))
    }

    pub(super) fn result_type(&self, instruction: &Instruction) -> Result<Data, Unmodelled> {
        match &instruction.ty {
            Some(ty) => data(ty, instruction.place),
            None => {
                let what = format!("{} without a result", instruction.opcode.name());
                Err(unmodelled(what, instruction.place))
            }
        }
    }

    /// The bits of a scalar integer or Boolean that is the same in all lanes whatever is entered.
    pub(super) fn known(&self, value: ValueId) -> Option<u64> {
        match &self.flat.values[value.0 as usize].0 {
            FlatValue::Constant(leaves) => match leaves[..] {
                [leaf] => leaf,
                _ => None,
            },
            _ => self.walked.known.get(&value).copied(),
        }
    }

    pub(super) fn bind(&mut self, instruction: &Instruction, value: ValueId) {
        if let Some(id) = instruction.result {
            self.frame_mut().values.insert(id, value);
        }
    }

    pub(super) fn bind_pointer(&mut self, instruction: &Instruction, pointer: Target) {
        if let Some(id) = instruction.result {
            self.frame_mut().pointers.insert(id, pointer);
        }
    }

    /// The region of an image.
    pub(super) fn image(&self, id: Id, place: Place) -> Result<usize, Unmodelled> {
        let known = self.frame().images.get(&id).copied();
        let what = || format!("the image {}", self.module.program.name_of(id));
        known.ok_or_else(|| unmodelled(what(), place))
    }
}
