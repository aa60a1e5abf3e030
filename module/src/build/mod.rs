//! Decoded instructions to a [`Program`].

mod constants;
mod entry_points;
pub(crate) mod fold;
mod functions;
mod lifetimes;
mod natural_loops;
mod promises;
mod raw_block;
mod refused;
mod rewritten;
mod strides;
mod structure;
mod switch_joins;
mod types;
mod workgroup_size;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use laneproof_semantics::Type as Data;
use rspirv::dr::Operand;
use rspirv::spirv::{AddressingModel, Capability, Decoration, MemoryModel, Op};

use crate::annotations::Annotations;
use crate::decode::{Contents, Decoded};
use crate::names::Named;
use crate::program::{Global, Id, ModuleType, Place, Preamble, Program};
use crate::result_decorations::ResultDecorations;

/// Why there is no program.
pub(crate) enum Failure {
    /// Above a limit.
    TooLarge(Place, String),
    /// Only without the validator: an id that nothing defines, an instruction out of place.
    Malformed(Place, String),
}

/// A program in the making.
struct Builder {
    program: Program,
    annotations: Annotations,
    /// Values of specialization constants that are not their defaults, by `SpecId`.
    specialization: BTreeMap<u32, u64>,
    constant_leaves: u64,
    /// Types whose constants have leaves, with how many: a large type is walked only once.
    data: HashMap<Id, Option<(Data, usize)>>,
    /// Events and arrays of them: they have no size, so only variables of a lane hold them.
    events: HashSet<Id>,
    /// Matrices and arrays of them: in memory with a layout that depends on who points there.
    matrices: HashSet<Id>,
    /// Types with a member decorated `Volatile` or `Coherent`, and pointers to them.
    passed_on: HashSet<(Id, rspirv::spirv::Decoration)>,
    /// Results of instructions that stand for another one, with that one's.
    stand_ins: Vec<(Id, Id)>,
}

/// Builds the program of a module of this version, its specialization constants at their defaults
/// but for those that are given, by `SpecId`.
pub(crate) fn program(
    version: (u8, u8),
    contents: Arc<Contents>,
    specialization: &BTreeMap<u32, u64>,
) -> Result<Program, Failure> {
    let instructions = &contents.instructions;
    let mut builder = Builder {
        program: Program {
            preamble: Preamble {
                version,
                addressing: AddressingModel::Logical,
                memory_model: MemoryModel::GLSL450,
                capabilities: BTreeSet::new(),
                extensions: BTreeSet::new(),
                instruction_sets: BTreeMap::new(),
                workgroup_size: None,
            },
            types: BTreeMap::new(),
            constants: BTreeMap::new(),
            globals: BTreeMap::new(),
            functions: Vec::new(),
            entry_points: Vec::new(),
            decorations: ResultDecorations::default(),
            debug: contents.debug.clone(),
            sized_by_specialization: None,
            contents: None,
            unmodelled: Vec::new(),
        },
        annotations: Annotations::default(),
        specialization: specialization.clone(),
        constant_leaves: 0,
        data: HashMap::new(),
        events: HashSet::new(),
        matrices: HashSet::new(),
        passed_on: HashSet::new(),
        stand_ins: Vec::new(),
    };
    let first_function = instructions.iter().position(|found| found.opcode == Op::Function);
    let (globals, functions) = instructions.split_at(first_function.unwrap_or(instructions.len()));
    // Annotations come before their targets, constants before the types that use them; execution modes
    // may name later constants.
    for instruction in globals {
        builder.add_global(instruction)?;
    }
    builder.add_entry_points(globals, functions);
    // Whatever is referred to is a result. Literals of `OpSpecConstantOp` are no `<id>`s.
    let fresh = instructions.iter().filter_map(|it| it.result).max().map_or(1, |it| it + 1);
    builder.add_functions(functions, fresh)?;
    let mut decorations = ResultDecorations {
        uncontracted: builder.annotations.decorated(Decoration::NoContraction),
        relaxed: builder.annotations.decorated(Decoration::RelaxedPrecision),
        strides: builder.strides(instructions),
        fast_math: builder.annotations.fast_math(),
        rounding: builder.annotations.rounding(),
    };
    decorations.extend_to(&builder.stand_ins);
    let mut program = builder.program;
    program.decorations = decorations;
    let specializable = program.specialization_constants().next().is_some();
    program.contents = specializable.then(|| contents.clone());
    Ok(program)
}

impl Builder {
    fn add_global(&mut self, instruction: &Decoded) -> Result<(), Failure> {
        let opcode = instruction.opcode;
        match (opcode, instruction.operands.first()) {
            (Op::Capability, Some(Operand::Capability(capability))) => {
                self.add_capability(*capability);
            }
            (Op::Extension, Some(Operand::LiteralString(name))) => {
                self.program.preamble.extensions.insert(name.clone());
            }
            (Op::ExtInstImport, Some(Operand::LiteralString(name))) => {
                if let Some(id) = instruction.result {
                    self.program.preamble.instruction_sets.insert(id, name.clone());
                }
            }
            (Op::MemoryModel, Some(Operand::AddressingModel(model))) => {
                self.program.preamble.addressing = *model;
                if let Some(Operand::MemoryModel(model)) = instruction.operands.get(1) {
                    self.program.preamble.memory_model = *model;
                }
            }
            (Op::Variable, Some(Operand::StorageClass(storage))) => {
                if let (Some(id), Some(ty)) = (instruction.result, instruction.ty) {
                    let [volatile, coherent] = self.is_shared_in_special_ways(id, ty);
                    let ty = self.ty(ty, instruction.place)?;
                    let set =
                        self.annotations.literal(id, rspirv::spirv::Decoration::DescriptorSet);
                    let binding = self.annotations.literal(id, rspirv::spirv::Decoration::Binding);
                    let global = Global {
                        id,
                        ty,
                        storage: *storage,
                        built_in: self.annotations.built_in(id),
                        aliased: self.annotations.has(id, rspirv::spirv::Decoration::Aliased),
                        volatile,
                        coherent,
                        linked: self.annotations.linkage(id).is_some(),
                        binding: set.zip(binding),
                        initializer: instruction.id(1),
                    };
                    self.program.globals.insert(id, global);
                }
            }
            (Op::ExtInst, _) => {
                if !self.is_non_semantic(instruction) {
                    self.unmodelled(instruction, "an extended instruction outside functions");
                }
            }
            (Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId, _) => {}
            (Op::TypeForwardPointer, _) => self.add_forward_pointer(instruction),
            (Op::Undef, _) => self.add_constant(instruction)?,
            _ if opcode.is_type() => self.add_type(instruction)?,
            _ if opcode.is_constant() => self.add_constant(instruction)?,
            _ if is_annotation(opcode) => self.annotations.add(instruction),
            _ => self.unmodelled(instruction, "not supported at module scope"),
        }
        Ok(())
    }

    /// Declares a capability with all that it implicitly declares.
    fn add_capability(&mut self, capability: Capability) {
        let mut pending = vec![capability];
        while let Some(capability) = pending.pop() {
            if self.program.preamble.capabilities.insert(capability) {
                pending.extend(Operand::Capability(capability).required_capabilities());
            }
        }
    }

    /// True for an extended instruction that means nothing to an engine.
    fn is_non_semantic(&self, instruction: &Decoded) -> bool {
        instruction.opcode == Op::ExtInst
            && instruction
                .id(0)
                .and_then(|set| self.program.preamble.instruction_sets.get(&set))
                .is_some_and(|set| {
                    set.starts_with("NonSemantic.")
                        || set.ends_with("DebugInfo.100")
                        || set == "DebugInfo"
                })
    }

    /// The type of this id.
    fn ty(&self, id: Id, place: Place) -> Result<ModuleType, Failure> {
        let unknown = || Failure::Malformed(place, format!("%{id} is not a type"));
        self.program.types.get(&id).cloned().ok_or_else(unknown)
    }

    /// A variable or parameter of this type is decorated `Volatile`, or `Coherent`, itself or a member of
    /// what it holds.
    fn is_shared_in_special_ways(&self, id: Id, ty: Id) -> [bool; 2] {
        use rspirv::spirv::Decoration::{Coherent, Volatile};
        [Volatile, Coherent].map(|decoration| {
            self.passed_on.contains(&(ty, decoration)) || self.annotations.has(id, decoration)
        })
    }

    /// Notes what the program cannot carry.
    fn unmodelled(&mut self, instruction: &Decoded, reason: &str) {
        let subject =
            instruction.result.map_or(String::new(), |id| format!(" {}", self.program.name_of(id)));
        let message = format!("{}{subject}: {reason}", instruction.opcode.name());
        self.program.unmodelled.push((instruction.place, message));
    }
}

fn is_annotation(opcode: Op) -> bool {
    matches!(
        opcode,
        Op::Decorate
            | Op::MemberDecorate
            | Op::DecorationGroup
            | Op::GroupDecorate
            | Op::GroupMemberDecorate
            | Op::DecorateId
            | Op::DecorateString
            | Op::MemberDecorateString
    )
}
