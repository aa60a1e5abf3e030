//! One typed, structured program: what every engine reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rspirv::dr::Operand;
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel,
    Op, StorageClass,
};

use crate::debug::Debug;
use crate::decode::Contents;
pub use crate::place::{Id, Place};
use crate::result_decorations::ResultDecorations;

/// A SPIR-V type, constants resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum ModuleType {
    /// `OpTypeVoid`.
    Void,
    /// A type whose values are scalars, flattened: scalars, vectors, arrays, structures.
    Data(laneproof_semantics::Type),
    /// A structure or array with a memory layout or with members that are not plain data
    /// (a runtime array, a pointer). Only behind pointers.
    Laid(Arc<Layout>),
    /// `OpTypePointer`.
    Pointer {
        /// Where it points.
        storage: StorageClass,
        /// What it points to.
        pointee: Arc<ModuleType>,
    },
    /// `OpTypeFunction`.
    Function {
        /// Return type.
        result: Arc<ModuleType>,
        /// Parameter types.
        parameters: Arc<[ModuleType]>,
    },
    /// `OpTypeImage`: two-dimensional, of elements of four bytes as far as a format is named;
    /// neither arrayed nor multisampled nor of depths.
    Image,
    /// Any other type (another image, a sampler …), by the name of its instruction.
    Opaque(Op),
}

/// A type with explicit offsets or strides, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// Member types with their `Offset` decorations.
    Struct(Vec<(ModuleType, u32)>),
    /// Element type, number of elements (`None`: runtime array), `ArrayStride`.
    Array(ModuleType, Option<u32>, u32),
}

/// A constant, as its leaves: the bits of each scalar in order; `None` is an undefined value.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its type.
    pub ty: laneproof_semantics::Type,
    /// Its scalars, zero-extended.
    pub leaves: Vec<Option<u64>>,
    /// The `SpecId`, if it is a specialization constant (`leaves` has its default).
    pub spec_id: Option<u32>,
    /// How it comes from specialization constants, where it does (`leaves` is what it is now).
    pub derived: Option<Derivation>,
}

/// How a constant comes from others, some of which may be specialized.
#[derive(Clone, Debug, PartialEq)]
pub enum Derivation {
    /// A composite of these constants.
    Composite(Vec<Id>),
    /// `OpSpecConstantOp`: the operation, and its operands, as that instruction takes them.
    Operation(Op, Vec<Operand>),
}

/// A module-scope `OpVariable`.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its `<id>`.
    pub id: Id,
    /// Pointer type of the variable.
    pub ty: ModuleType,
    /// Its storage class.
    pub storage: StorageClass,
    /// The `BuiltIn` decoration.
    pub built_in: Option<BuiltIn>,
    /// Decorated `Aliased`: it may be the memory of other variables that are.
    pub aliased: bool,
    /// Decorated `Volatile`, itself or a member of what it holds: others may change it at any time.
    pub volatile: bool,
    /// Decorated `Coherent`, itself or a member of what it holds: others see what is written.
    pub coherent: bool,
    /// `DescriptorSet` and `Binding` decorations.
    pub binding: Option<(u32, u32)>,
    /// Other modules may have it, too, by its linkage.
    pub linked: bool,
    /// The initializer, a constant.
    pub initializer: Option<Id>,
}

/// How many invocations a workgroup has along an axis: by `LocalSize`, `LocalSizeId` or the
/// constant that is decorated `WorkgroupSize`, which takes precedence (SPIR-V, "Execution Mode" and
/// "BuiltIn").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A literal, or a constant that no specialization changes.
    Fixed(u32),
    /// What the specialization constant of this `SpecId` is given.
    Specialized(u32),
    /// An operation on what the specialization constant of this `SpecId` is given, and a number.
    Operated(u32, SideOperation, u32),
    /// It is computed from specialization constants in another way.
    Computed,
}

/// How the size of a workgroup along an axis comes from a specialization constant and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideOperation {
    /// The sum, modulo 2 to the 32.
    Plus,
    /// The difference, modulo 2 to the 32.
    Minus,
    /// The product, modulo 2 to the 32.
    Times,
    /// The quotient; the number is not 0.
    DividedBy,
}

impl SideOperation {
    /// What it makes of the constant's value.
    pub fn of(self, value: u32, number: u32) -> u32 {
        match self {
            Self::Plus => value.wrapping_add(number),
            Self::Minus => value.wrapping_sub(number),
            Self::Times => value.wrapping_mul(number),
            Self::DividedBy => value.checked_div(number).unwrap_or(0),
        }
    }

    /// A value of the constant of which it makes this side, if there is one.
    pub fn undone(self, side: u32, number: u32) -> Option<u32> {
        let value = match self {
            Self::Plus => side.checked_sub(number),
            Self::Minus => side.checked_add(number),
            Self::Times => side.checked_div(number),
            Self::DividedBy => side.checked_mul(number),
        };
        value.filter(|value| self.of(*value, number) == side)
    }
}

/// The constant that is decorated `WorkgroupSize`: whichever entry point is called, its workgroups
/// have this size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkgroupSize {
    /// The size, axis by axis, before anything is specialized.
    pub sides: [Extent; 3],
    /// The functions that use the constant, themselves or by what they call.
    pub users: BTreeSet<Id>,
}

/// An `OpEntryPoint`.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// Its execution model.
    pub model: ExecutionModel,
    /// The function's `<id>`.
    pub function: Id,
    /// Its name.
    pub name: String,
    /// The size of its workgroups where declared, as the defaults of specialization constants have
    /// it.
    pub local_size: Option<[u32; 3]>,
    /// The same, axis by axis, before anything is specialized.
    pub workgroup_size: Option<[Extent; 3]>,
    /// Declares `MaximallyReconvergesKHR`.
    pub maximally_reconverges: bool,
    /// All its execution modes with their literals, ids of constants resolved.
    pub modes: Vec<(ExecutionMode, Vec<u32>)>,
}

/// What a module says of a parameter that no instruction shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParameterPromises {
    /// The alignment of a pointer in bytes; 1 by default.
    pub alignment: u32,
    /// Nothing is written through this pointer.
    pub no_write: bool,
    /// Nothing is read through this pointer.
    pub no_read: bool,
    /// What is written by this pointer stays with the function.
    pub by_value: bool,
    /// Nothing beyond this many bytes is accessed through this pointer (`MaxByteOffset`).
    pub farthest: Option<u32>,
}

/// What a module says of a run that is not computed, so that nothing shows whether it is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// What it says, as a clause.
    pub what: String,
    /// Where.
    pub place: Place,
}

/// What a function promises of its runs (SPIR-V, "Loop Control", "Function Control" and
/// "Decoration").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Promises {
    /// Of its loops and results.
    pub assertions: Vec<Assertion>,
    /// Its instructions where there are some, by which functions of one module are found to be alike.
    pub body: Vec<Line>,
    /// That it has no effects.
    pub effects: Option<Assertion>,
}

/// An instruction as others of its module are compared with it: alike where only the ids differ that
/// the function defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub(crate) opcode: Op,
    pub(crate) ty: Option<Id>,
    pub(crate) operands: Vec<Part>,
    /// The decorations that change what it computes.
    pub(crate) altering: Option<Vec<Decoration>>,
    /// What it promises.
    pub(crate) declared: Option<String>,
}

/// An operand of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// The result at this position of the function.
    Defined(usize),
    /// Any other id.
    Outer(Id),
    /// No id.
    Literal(Operand),
}

/// A function parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its `<id>`.
    pub id: Id,
    /// Its type.
    pub ty: ModuleType,
    /// `OpName`, or `%id`.
    pub name: String,
    /// Decorated `Uniform` or `UniformId`: dynamically uniform.
    pub uniform: bool,
    /// A pointer decorated `Volatile`, itself or a member of what it points to: others may change that
    /// memory at any time.
    pub volatile: bool,
    /// The same of `Coherent`: others see what is written there.
    pub coherent: bool,
    /// A pointer to memory that nothing else leads to, if anything is written there: no variable and
    /// no other parameter (SPIR-V, "Aliasing").
    pub alone: bool,
    /// What is promised of it besides.
    pub promises: ParameterPromises,
    /// Which way its value goes, where it is a pointer to function-local storage.
    pub direction: Direction,
}

/// Which way the value of a parameter goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Nothing says so: SPIR-V passes all ways by pointer.
    #[default]
    Unknown,
    /// Into the function only: what the function leaves there is its own.
    In,
    /// Out of it, or both ways.
    Out,
}

impl Parameter {
    /// The caller sees the final value behind it: it is a pointer that is not known to be a copy.
    pub fn is_output(&self) -> bool {
        matches!(self.ty, ModuleType::Pointer { .. }) && self.direction != Direction::In
    }
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its `<id>`.
    pub id: Id,
    /// `OpName` up to the first `(`, or the linkage name.
    pub name: Option<String>,
    /// The name that it is imported under, when it has no body here.
    pub import: Option<String>,
    /// Other modules may have it, too, by its linkage.
    pub linked: bool,
    /// Return type.
    pub result: ModuleType,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its blocks; empty when imported, or when `unmodelled` says why.
    pub body: Region,
    /// What it promises of its runs.
    pub promises: Promises,
    /// Why the blocks have no structure that an engine could follow, where they have none: an
    /// engine that calls the function answers "unknown".
    pub unmodelled: Option<String>,
    /// The place of its `OpFunction`.
    pub place: Place,
}

/// Blocks in an order in which every block comes after all its predecessors (back edges
/// aside) and a construct's merge block after the whole construct.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Blocks and loops.
    pub items: Vec<Item>,
}

impl Region {
    /// All blocks, those of its loops included, in order.
    pub fn blocks(&self) -> Box<dyn Iterator<Item = &Block> + '_> {
        Box::new(self.items.iter().flat_map(|item| match item {
            Item::Block(block) => Box::new(std::iter::once(block)),
            Item::Loop(inner) => inner.body.blocks(),
        }))
    }
}

/// A part of a region.
#[derive(Clone, Debug)]
pub enum Item {
    /// One block, executed once by the union of the lanes that its incoming edges bring.
    Block(Block),
    /// A loop: entered through its header, left through `merge` (or an outer construct's exit).
    Loop(Loop),
}

/// A structured loop. An unreachable merge block or continue target is not in the function: that of a
/// loop without end, or without a second iteration.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The header's label; the first block of `body`.
    pub header: Id,
    /// The merge block: after the loop, in the enclosing region.
    pub merge: Id,
    /// The continue target: lanes meet there before the next iteration.
    pub continue_target: Id,
    /// All blocks of the loop, header first, back edge not followed.
    pub body: Region,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its label.
    pub label: Id,
    /// Its `OpPhi`s.
    pub phis: Vec<Phi>,
    /// Its other instructions; debug and non-semantic ones are left out.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub terminator: Terminator,
    /// The place of the terminator.
    pub end: Place,
    /// The merge block that `OpSelectionMerge` names.
    pub selection_merge: Option<Id>,
    /// Where the block ends in `OpSwitch`, the block in which its lanes are together again: the
    /// merge block, or in kernels without one the nearest block that all ways lead to.
    pub switch_join: Option<Id>,
}

/// An `OpPhi`.
#[derive(Clone, Debug)]
pub struct Phi {
    /// Result `<id>`.
    pub result: Id,
    /// Its type.
    pub ty: ModuleType,
    /// Value and predecessor label, of the predecessors that can be reached.
    pub incoming: Vec<(Id, Id)>,
    /// Its place.
    pub place: Place,
}

/// Any instruction that is neither a phi nor a terminator.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Its opcode.
    pub opcode: Op,
    /// Result `<id>`.
    pub result: Option<Id>,
    /// Result type.
    pub ty: Option<ModuleType>,
    /// Its operands after result type and result, as the grammar types them.
    pub operands: Vec<Operand>,
    /// Decorations of its result that change what it computes: no wrapping, rounding modes. If an
    /// engine does not support one, the verdict is unknown.
    pub decorations: Vec<Decoration>,
    /// Its place.
    pub place: Place,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// `OpBranch`.
    Branch(Id),
    /// `OpBranchConditional`.
    Conditional {
        /// A Boolean.
        condition: Id,
        /// Target when true.
        then: Id,
        /// Target when false.
        otherwise: Id,
    },
    /// `OpSwitch`.
    Switch {
        /// An integer.
        selector: Id,
        /// Target when no case fits.
        default: Id,
        /// Literals (of the selector's width, zero-extended) and targets.
        cases: Vec<(u64, Id)>,
    },
    /// `OpReturn`.
    Return,
    /// `OpReturnValue`.
    ReturnValue(Id),
    /// `OpKill`: the lane ends, or becomes a helper invocation.
    Kill,
    /// `OpTerminateInvocation`: the lane ends. So do other terminators (of ray tracing and mesh
    /// shaders), which are also kept as the block's last instruction.
    Terminate,
    /// `OpUnreachable`: undefined behavior.
    Unreachable,
}

/// What a module declares before its types: versions, models, capabilities, extensions.
#[derive(Clone, Debug)]
pub struct Preamble {
    /// SPIR-V version, major and minor.
    pub version: (u8, u8),
    /// The addressing model.
    pub addressing: AddressingModel,
    /// Its memory model.
    pub memory_model: MemoryModel,
    /// Declared capabilities and all that they imply by the grammar.
    pub capabilities: BTreeSet<Capability>,
    /// Declared extensions.
    pub extensions: BTreeSet<String>,
    /// Extended instruction sets, by the `<id>` of their import.
    pub instruction_sets: BTreeMap<Id, String>,
    /// The constant that is decorated `WorkgroupSize`.
    pub workgroup_size: Option<WorkgroupSize>,
}

/// A whole module.
#[derive(Clone, Debug)]
pub struct Program {
    /// What a module declares before its types: versions, models, capabilities, extensions.
    pub preamble: Preamble,
    /// Types by `<id>`.
    pub types: BTreeMap<Id, ModuleType>,
    /// Constants by `<id>`, `OpUndef` at module scope among them.
    pub constants: BTreeMap<Id, Constant>,
    /// Module-scope variables by `<id>`.
    pub globals: BTreeMap<Id, Global>,
    /// Functions by `<id>`, in the module's order.
    pub functions: Vec<Function>,
    /// Entry points in the module's order.
    pub entry_points: Vec<EntryPoint>,
    /// What decorations say of results.
    pub decorations: ResultDecorations,
    /// What it says for people.
    pub debug: Debug,
    /// An array or vector whose length is a constant that may be specialized.
    pub sized_by_specialization: Option<Place>,
    /// What it was made of, where it has specialization constants.
    pub(crate) contents: Option<Arc<Contents>>,
    /// What the module says that this program cannot carry, by place: an engine that
    /// reaches one of these (a constant that is not in `constants`, a function whose
    /// `unmodelled` says why) answers "unknown".
    pub unmodelled: Vec<(Place, String)>,
}
