//! What SPIR-V's grammar calls its instructions and enumerants, and in which class an instruction is.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use rspirv::dr::Operand;
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
    /// Constants and specialization constants.
    Constant,
    /// Group and non-uniform instructions.
    Group,
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
        let row = rows_of("Op").and_then(|rows| rows.by_number.get(&(opcode as u32)));
        row.map_or(Self::Unclassified, |row| row.class)
    }

    fn parse(word: &str) -> Self {
        match word {
            "Atomic" => Self::Atomic,
            "Barrier" => Self::Barrier,
            "Constant-Creation" => Self::Constant,
            "Group" | "Non-Uniform" => Self::Group,
            "Type-Declaration" => Self::Type,
            "-" => Self::Unclassified,
            _ => Self::Other,
        }
    }

    /// An instruction of this class may depend on which invocations execute it together.
    pub fn may_depend_on_others(self) -> bool {
        matches!(self, Self::Barrier | Self::Group | Self::Unclassified)
    }
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
            (Op::GroupNonUniformRotateKHR, Class::Group),
            (Op::SubgroupShuffleINTEL, Class::Group),
            (Op::TypeVector, Class::Type),
            (Op::IAdd, Class::Other),
            (Op::GroupDecorate, Class::Other),
            (Op::ReadClockKHR, Class::Unclassified),
        ];
        for (opcode, class) in classes {
            assert_eq!(Class::of(opcode), class, "{opcode:?}");
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
