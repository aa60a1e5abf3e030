//! What SPIR-V's grammar calls its instructions and enumerants, and in which class an instruction is.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use rspirv::dr::Operand;
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv;

/// Something that the grammar names. A name can have older ones beside it and those of vendors:
/// `OpSDot` was `OpSDotKHR`.
pub trait Named: Copy + Sized + 'static {
    /// The grammar's name of the kind; of extended instructions, the name of their set.
    const KIND: &'static str;

    /// Its number.
    fn number(self) -> u32;

    /// What has this number.
    fn of_number(number: u32) -> Option<Self>;

    /// All of its names, the grammar's own first.
    fn names(self) -> &'static [&'static str] {
        match rows_of(Self::KIND).and_then(|rows| rows.by_number.get(&self.number())) {
            Some(row) => &row.names,
            None => unreachable!("{} {} has a name, as tests say", Self::KIND, self.number()),
        }
    }

    /// The grammar's own name.
    fn name(self) -> &'static str {
        self.names().first().copied().unwrap_or_default()
    }

    /// What has this name, or had it.
    fn of_name(name: &str) -> Option<Self> {
        Self::of_number(number_of(Self::KIND, name)?)
    }
}

/// The classes of the grammar's that something here asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionClass {
    /// Atomic instructions.
    Atomic,
    /// Barriers.
    Barrier,
    /// Arithmetic, bits, composites, conversions, relations and logic: a result of the operands.
    Computation,
    /// Constants and specialization constants.
    Constant,
    /// Group instructions that the lanes of the scope execute together, and vendors' instructions of
    /// subgroups.
    Group,
    /// Group instructions that may be executed by some lanes of the scope.
    NonUniform,
    /// Declarations of types.
    Type,
    /// Any other class.
    Other,
    /// The grammar puts it into none.
    Unclassified,
}

impl InstructionClass {
    /// The class of an instruction.
    pub fn of(opcode: spirv::Op) -> Self {
        // The grammar lists it with the first; its name and its extension say otherwise.
        if opcode == spirv::Op::GroupNonUniformRotateKHR {
            return Self::NonUniform;
        }
        let row = rows_of("Op").and_then(|rows| rows.by_number.get(&(opcode as u32)));
        match row.map_or(Self::Unclassified, |row| row.class) {
            // A matrix of this kind is held by all lanes of a scope together.
            Self::Computation if is_cooperative(opcode) => Self::Group,
            class => class,
        }
    }

    /// The class of what has this name, or had it.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(Self::of(spirv::Op::of_name(name)?))
    }

    fn parse(word: &str) -> Self {
        match word {
            "Atomic" => Self::Atomic,
            "Barrier" => Self::Barrier,
            "Arithmetic" | "Bit" | "Composite" | "Conversion" | "Relational_and_Logical" => {
                Self::Computation
            }
            "Constant-Creation" => Self::Constant,
            "Group" => Self::Group,
            "Non-Uniform" => Self::NonUniform,
            "Type-Declaration" => Self::Type,
            "-" => Self::Unclassified,
            _ => Self::Other,
        }
    }

    /// Instructions of groups and subgroups, whichever lanes execute them.
    pub const fn is_group(self) -> bool {
        matches!(self, Self::Group | Self::NonUniform)
    }

    /// An instruction of this class may depend on which invocations execute it together.
    pub const fn may_depend_on_others(self) -> bool {
        self.is_group() || matches!(self, Self::Barrier | Self::Unclassified)
    }
}

fn is_cooperative(opcode: spirv::Op) -> bool {
    use spirv::Capability as C;
    let capabilities = INSTRUCTION_TABLE.get(opcode).capabilities;
    let cooperative = [
        C::CooperativeMatrixKHR,
        C::CooperativeMatrixNV,
        C::CooperativeMatrixConversionsNV,
        C::CooperativeMatrixConversionQCOM,
    ];
    capabilities.iter().any(|it| cooperative.contains(it))
}

/// The grammar divides instructions into classes, and this is the name of one.
pub fn is_class(name: &str) -> bool {
    static CLASSES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let rows = include_str!("../data/names.txt").lines().filter(|line| line.starts_with("Op "));
        rows.filter_map(|line| line.split(' ').nth(2)).filter(|class| *class != "-").collect()
    });
    CLASSES.contains(name)
}

/// The grammar's own name of a number, where it has one.
pub fn name_of_number(kind: &str, number: u32) -> Option<&'static str> {
    rows_of(kind)?.by_number.get(&number)?.names.first().copied()
}

/// The number that has this name, or had it.
pub fn number_of(kind: &str, name: &str) -> Option<u32> {
    rows_of(kind)?.by_name.get(name).copied()
}

/// The names of the bits of a mask, lowest first; `None` where there are none.
pub fn names_of_bits(kind: &str, mask: u32) -> Vec<&'static str> {
    if mask == 0 {
        return name_of_number(kind, 0).into_iter().collect();
    }
    let bits = (0..u32::BITS).map(|bit| 1 << bit).filter(|bit| mask & bit != 0);
    bits.filter_map(|bit| name_of_number(kind, bit)).collect()
}

/// Every row of a kind: number and names.
pub fn all_of(kind: &str) -> impl Iterator<Item = (u32, &'static [&'static str])> {
    let rows = rows_of(kind).map(|rows| rows.by_number.iter());
    rows.into_iter().flatten().map(|(number, row)| (*number, row.names.as_slice()))
}

struct Row {
    names: Vec<&'static str>,
    class: InstructionClass,
}

#[derive(Default)]
struct Rows {
    by_number: BTreeMap<u32, Row>,
    by_name: HashMap<&'static str, u32>,
}

static TABLE: LazyLock<HashMap<&'static str, Rows>> = LazyLock::new(|| {
    let mut table: HashMap<&str, Rows> = HashMap::new();
    let lines = include_str!("../data/names.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (Some(kind), Some(Ok(number))) = (words.next(), words.next().map(str::parse)) else {
            unreachable!("a row of the names has a kind and a number, as tests say: {line}")
        };
        let class = if kind == "Op" { words.next() } else { None };
        let class = class.map_or(InstructionClass::Other, InstructionClass::parse);
        let names: Vec<&str> = words.collect();
        let rows = table.entry(kind).or_default();
        rows.by_name.extend(names.iter().map(|&name| (name, number)));
        rows.by_number.insert(number, Row { names, class });
    }
    table
});

fn rows_of(kind: &str) -> Option<&'static Rows> {
    TABLE.get(kind)
}

macro_rules! named {
    ($($kind:expr => $ty:ident),* $(,)?) => {
        $(impl Named for spirv::$ty {
            const KIND: &'static str = $kind;

            fn number(self) -> u32 {
                self as u32
            }

            fn of_number(number: u32) -> Option<Self> {
                Self::from_u32(number)
            }
        })*
    };
}

named! { "GLSL.std.450" => GlslStd450Op, "Op" => Op, "OpenCL.std" => OpenclStd100Op }

macro_rules! operands {
    (values: $($value:ident),* $(,)?; masks: $($mask:ident),* $(,)?) => {
        $(named! { stringify!($value) => $value })*

        /// The kind of enumerants or masks that an operand is of, and its number.
        pub fn enumerant(operand: &Operand) -> Option<(&'static str, u32)> {
            match operand {
                $(Operand::$value(it) => Some((stringify!($value), *it as u32)),)*
                $(Operand::$mask(it) => Some((stringify!($mask), it.bits())),)*
                _ => None,
            }
        }

        /// The kind of enumerants or masks that operands of this kind are; `None` for ids, numbers
        /// and strings.
        pub fn kind_of_operands(kind: OperandKind) -> Option<&'static str> {
            match kind {
                $(OperandKind::$value => Some(stringify!($value)),)*
                $(OperandKind::$mask => Some(stringify!($mask)),)*
                _ => None,
            }
        }

        /// The grammar's name of an operand that is an enumerant, or the names of a mask's bits
        /// with bars between them; `None` for ids, numbers and strings.
        pub fn name_of_operand(operand: &Operand) -> Option<String> {
            let (kind, number) = enumerant(operand)?;
            match operand {
                $(Operand::$mask(_) => Some(names_of_bits(kind, number).join(" | ")),)*
                _ => name_of_number(kind, number).map(str::to_owned),
            }
        }

        #[cfg(test)]
        const VALUES: &[(&str, Known)] = &[$((
            stringify!($value),
            |number| spirv::$value::from_u32(number).map(|it| (format!("{it:?}"), it.names())),
        )),*];

        #[cfg(test)]
        const MASKS: &[(&str, u32)] = &[$((stringify!($mask), spirv::$mask::all().bits())),*];
    };
}

operands! {
    values:
    AccessQualifier, AddressingModel, BuiltIn, Capability, ComponentType,
    CooperativeMatrixLayout, CooperativeMatrixUse, CooperativeVectorMatrixLayout, Decoration,
    Dim, ExecutionMode, ExecutionModel, FPDenormMode, FPEncoding, FPOperationMode,
    FPRoundingMode, FunctionParameterAttribute, GroupOperation, HostAccessQualifier,
    ImageChannelDataType, ImageChannelOrder, ImageFormat, InitializationModeQualifier,
    KernelEnqueueFlags, LinkageType, LoadCacheControl, MemoryModel,
    NamedMaximumNumberOfRegisters, OverflowModes, PackedVectorFormat, QuantizationModes,
    RayQueryCandidateIntersectionType, RayQueryCommittedIntersectionType, RayQueryIntersection,
    SamplerAddressingMode, SamplerFilterMode, Scope, SourceLanguage, StorageClass,
    StoreCacheControl, TensorClampMode;
    masks:
    CooperativeMatrixOperands, CooperativeMatrixReduce, FPFastMathMode, FragmentShadingRate,
    FunctionControl, ImageOperands, KernelProfilingInfo, LoopControl,
    MatrixMultiplyAccumulateOperands, MemoryAccess, MemorySemantics, RawAccessChainOperands,
    RayFlags, SelectionControl, TensorAddressingOperands, TensorOperands,
}

/// The name that the decoder shows of a number, and the names here.
#[cfg(test)]
type Known = fn(u32) -> Option<(String, &'static [&'static str])>;

#[cfg(test)]
mod tests {
    use super::*;

    /// Past the number of every instruction and enumerant.
    const NUMBERS: u32 = 1 << 14;

    /// The decoder's names of dimensions begin with a word, so that they are identifiers.
    fn plain(name: &str) -> String {
        let name = name.strip_prefix("Op").or(name.strip_prefix("Dim")).unwrap_or(name);
        name.replace('_', "").to_lowercase()
    }

    #[test]
    fn whatever_the_decoder_knows_has_its_name_here() {
        let sets: [(&str, Known); 3] = [
            ("Op", |number| spirv::Op::from_u32(number).map(|it| (format!("{it:?}"), it.names()))),
            ("GLSL.std.450", |number| {
                spirv::GlslStd450Op::from_u32(number).map(|it| (format!("{it:?}"), it.names()))
            }),
            ("OpenCL.std", |number| {
                spirv::OpenclStd100Op::from_u32(number).map(|it| (format!("{it:?}"), it.names()))
            }),
        ];
        let mut known = 0;
        for (kind, of_number) in VALUES.iter().chain(&sets) {
            for number in 0..NUMBERS {
                let Some((name, names)) = of_number(number) else { continue };
                known += 1;
                let named = names.iter().any(|it| plain(it) == plain(&name));
                assert!(named, "{kind} {number} is {name} to the decoder, here {names:?}");
            }
        }
        for (kind, all) in MASKS {
            let named = names_of_bits(kind, *all).len() as u32;
            assert_eq!(named, all.count_ones(), "{kind}");
            known += named;
        }
        assert_eq!(known, 2156);
    }

    #[test]
    fn a_name_has_one_number() {
        for (kind, rows) in TABLE.iter() {
            let names = rows
                .by_number
                .iter()
                .flat_map(|(number, row)| row.names.iter().map(move |name| (*number, *name)));
            for (number, name) in names {
                assert_eq!(rows.by_name.get(name), Some(&number), "{kind} {name}");
            }
        }
    }

    #[test]
    fn classes_are_the_grammars() {
        use InstructionClass as Class;
        use spirv::Op;
        let classes = [
            (Op::AtomicIAdd, Class::Atomic),
            (Op::ControlBarrier, Class::Barrier),
            (Op::SpecConstantOp, Class::Constant),
            (Op::GroupIAdd, Class::Group),
            (Op::GroupNonUniformRotateKHR, Class::NonUniform),
            (Op::GroupNonUniformElect, Class::NonUniform),
            (Op::SubgroupShuffleINTEL, Class::Group),
            (Op::TypeVector, Class::Type),
            (Op::IAdd, Class::Computation),
            (Op::DPdx, Class::Other),
            (Op::CooperativeMatrixMulAddKHR, Class::Group),
            (Op::MatrixTimesMatrix, Class::Computation),
            (Op::GroupDecorate, Class::Other),
            (Op::ReadClockKHR, Class::Unclassified),
        ];
        for (opcode, class) in classes {
            assert_eq!(Class::of(opcode), class, "{opcode:?}");
        }
    }

    /// Instructions that are named like those of a class and are of another.
    const OTHERWISE: [(&str, InstructionClass); 6] = [
        ("OpGroupDecorate", InstructionClass::Other),
        ("OpGroupMemberDecorate", InstructionClass::Other),
        ("OpGroupReserveReadPipePackets", InstructionClass::Other),
        ("OpGroupReserveWritePipePackets", InstructionClass::Other),
        ("OpGroupCommitReadPipe", InstructionClass::Other),
        ("OpGroupCommitWritePipe", InstructionClass::Other),
    ];

    #[test]
    fn what_is_named_like_a_class_is_in_it() {
        use InstructionClass as Class;
        for (number, names) in all_of("Op") {
            let (name, class) = (names[0], rows_of("Op").unwrap().by_number[&number].class);
            let of_name = match name.strip_prefix("Op").unwrap() {
                it if it.starts_with("SubgroupAvc") => Class::Unclassified,
                it if it.starts_with("GroupNonUniform") => Class::NonUniform,
                it if it.starts_with("Group") || it.starts_with("Subgroup") => Class::Group,
                it if it.starts_with("Atomic") => Class::Atomic,
                it if it.starts_with("Type") => Class::Type,
                it if it.starts_with("ControlBarrier") || it.starts_with("MemoryBarrier") => {
                    Class::Barrier
                }
                _ => continue,
            };
            let of_name = OTHERWISE.iter().find(|it| it.0 == name).map_or(of_name, |it| it.1);
            let of_opcode = spirv::Op::from_u32(number).map_or(class, Class::of);
            let rotation = number == spirv::Op::GroupNonUniformRotateKHR as u32;
            assert!(of_opcode == of_name && (class == of_name || rotation), "{name}: {class:?}");
        }
    }

    /// By the grammar's operands: whatever has a group operation is of groups, and whatever has a
    /// pointer, a scope and memory semantics is atomic.
    #[test]
    fn classes_agree_with_operands() {
        use InstructionClass as Class;
        use OperandKind::{
            GroupOperation, IdMemorySemantics, IdRef, IdResult, IdResultType, IdScope,
        };
        for row in INSTRUCTION_TABLE.iter() {
            let kinds = row.operands.iter().map(|it| it.kind);
            let inputs: Vec<OperandKind> =
                kinds.filter(|it| !matches!(it, IdResultType | IdResult)).collect();
            let class = Class::of(row.opcode);
            if inputs.contains(&GroupOperation) {
                assert!(class.is_group(), "{}", row.opname);
            }
            // What this one names first is a barrier.
            if row.opcode != spirv::Op::MemoryNamedBarrier {
                let atomic = inputs.starts_with(&[IdRef, IdScope, IdMemorySemantics]);
                assert_eq!(atomic, class == Class::Atomic, "{}", row.opname);
            }
            if inputs.ends_with(&[IdScope, IdScope, IdMemorySemantics]) {
                assert_eq!(class, Class::Barrier, "{}", row.opname);
            }
        }
    }

    #[test]
    fn older_names_are_known() {
        assert_eq!(spirv::Op::of_name("OpSDotKHR"), Some(spirv::Op::SDot));
        assert_eq!(spirv::Op::SDot.names(), ["OpSDot", "OpSDotKHR"]);
        assert_eq!(names_of_bits("MemorySemantics", 0x108), ["AcquireRelease", "WorkgroupMemory"]);
        assert_eq!(names_of_bits("ImageOperands", 0), ["None"]);
        assert_eq!(spirv::Scope::of_name("Nowhere"), None);
    }
}
