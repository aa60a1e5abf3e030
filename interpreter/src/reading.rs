//! Sentences that can be read in several ways, where the interpreter can follow each.

/// When two lanes have the same value in a partition (`partition-equality`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartitionEquality {
    /// As numbers: zeros are equal, a NaN is equal to nothing.
    #[default]
    Ieee,
    /// Bit for bit.
    Bitwise,
}

/// What the bits of lanes that are not active hold in a partition (`partition-other-bits`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartitionOtherBits {
    /// Zeros.
    #[default]
    Zero,
    /// Anything; for lanes that exist, the same in all lanes of a subset.
    Open,
}

/// How SPV_INTEL_subgroups computes the index of a shuffle up or down (`index-arithmetic`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexArithmetic {
    /// In 32 bits.
    #[default]
    Wrap32,
    /// As a number.
    Exact,
}

/// Whether lanes that reduce the same numbers have the same result (`reduction-order`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReductionOrder {
    /// They have.
    #[default]
    One,
    /// Each lane has an order of its own.
    Each,
}

/// Where lanes that diverged are together again (`reconvergence`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reconvergence {
    /// At merge blocks.
    #[default]
    MergeBlocks,
    /// At merge blocks of constructs whose header all lanes began together; elsewhere a choice.
    /// Entry points that declare `MaximallyReconvergesKHR` promise more.
    UniformControlFlow,
}

/// Which lanes of a switch are together that have different selector values (`switch-tangles`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SwitchTangles {
    /// A choice.
    #[default]
    ImplementationChooses,
    /// All that execute a block.
    Together,
}

/// The readings about which lanes are together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TangleReadings {
    /// Where lanes that diverged are together again.
    pub reconvergence: Reconvergence,
    /// Which lanes of a switch are together that have different selector values.
    pub switches: SwitchTangles,
}

/// What `OpKill` does (`kill`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kill {
    /// A choice, the same throughout a run.
    #[default]
    ImplementationChooses,
    /// As `OpTerminateInvocation`.
    Terminate,
    /// As `OpDemoteToHelperInvocation`; where the helper goes on is not said.
    Demote,
}

/// What is what the implementation defines (`implementation-defined`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImplementationDefined {
    /// A number that is a choice, the same for equal operands.
    #[default]
    Chosen,
    /// The number that one implementation gives, and no choice.
    Fixed,
    /// An undefined value.
    Undefined,
    /// Undefined behavior.
    Behavior,
    /// Nothing that could be run.
    Silent,
}

impl ImplementationDefined {
    fn named(alternative: &str) -> Option<Self> {
        Some(match alternative {
            "one-value" => Self::Chosen,
            "undefined-value" => Self::Undefined,
            "undefined-behavior" => Self::Behavior,
            "silence" => Self::Silent,
            _ => return None,
        })
    }
}

/// The readings about floating point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatReadings {
    /// The identity of a sum is -0 (`sum-identity`).
    pub negative_identity: bool,
    /// The identity is never added to a sum of other numbers (`identity-inserted`).
    pub bare_sums: bool,
    /// In a minimum or maximum -0 is below +0 (`signed-zeros`).
    pub ordered_zeros: bool,
    /// `NMin`, `NMax` and `NClamp` take either of two zeros (`zeros-of-extremes`).
    pub either_zero: bool,
    /// A NaN result is the canonical one (`nan-payload`).
    pub canonical_nan: bool,
    /// A minimum or maximum of a uniform group instruction with a NaN among its values is undefined
    /// (`nan-in-uniform-extreme`).
    pub undefined_nan_extremes: bool,
}

/// What OpenCL's documents say in an environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OfOpenCl {
    /// Nothing: a number that does not fit an integer is undefined behavior in kernels, too.
    Nothing,
    /// What is said of numbers. To broadcast from a lane that does not exist gives an undefined value.
    Numerics,
    /// All, OpenCL C with its functions included.
    #[default]
    All,
}

/// The readings that a run follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// When two lanes have the same value in a partition.
    pub partition_equality: PartitionEquality,
    /// What the bits of lanes that are not active hold in a partition.
    pub partition_other_bits: PartitionOtherBits,
    /// How the index of a shuffle up or down is computed.
    pub index_arithmetic: IndexArithmetic,
    /// Whether lanes that reduce the same numbers have the same result.
    pub reduction_order: ReductionOrder,
    /// The readings about floating point.
    pub floats: FloatReadings,
    /// An index of a quad must be the same in the subgroup, not in the quad (`quad-uniformity`).
    pub subgroup_uniform_quads: bool,
    /// An atomic flag that another instruction modified holds what is stored in it by those that
    /// are for flags (`modified-flag`).
    pub flags_recover: bool,
    /// The readings about which lanes are together.
    pub tangles: TangleReadings,
    /// What `OpKill` does.
    pub kill: Kill,
    /// What is what the implementation defines.
    pub implementation_defined: ImplementationDefined,
    /// A kernel's barrier of a subgroup is one of those lanes that reach it
    /// (`barrier-of-some-lanes`).
    pub barriers_of_some: bool,
    /// What of OpenCL holds where a kernel runs.
    pub of_opencl: OfOpenCl,
}

impl Readings {
    /// The names of the readings that can be settled.
    pub const NAMES: [&str; 17] = [
        "partition-equality",
        "partition-other-bits",
        "index-arithmetic",
        "reduction-order",
        "sum-identity",
        "identity-inserted",
        "signed-zeros",
        "zeros-of-extremes",
        "nan-payload",
        "quad-uniformity",
        "nan-in-uniform-extreme",
        "modified-flag",
        "reconvergence",
        "switch-tangles",
        "kill",
        "implementation-defined",
        "barrier-of-some-lanes",
    ];

    /// The same, with one reading settled.
    ///
    /// # Panics
    ///
    /// If the interpreter does not implement the alternative: that is an error of laneproof, as
    /// another alternative in its place would be a wrong answer.
    #[must_use]
    pub fn with(mut self, reading: &str, alternative: &str) -> Self {
        let floats = &mut self.floats;
        let known = match (reading, alternative) {
            ("partition-equality", "ieee") => {
                set(&mut self.partition_equality, PartitionEquality::Ieee)
            }
            ("partition-equality", "bitwise") => {
                set(&mut self.partition_equality, PartitionEquality::Bitwise)
            }
            ("partition-other-bits", "zero") => {
                set(&mut self.partition_other_bits, PartitionOtherBits::Zero)
            }
            ("partition-other-bits", "open") => {
                set(&mut self.partition_other_bits, PartitionOtherBits::Open)
            }
            ("index-arithmetic", "wrap-32") => {
                set(&mut self.index_arithmetic, IndexArithmetic::Wrap32)
            }
            ("index-arithmetic", "exact") => {
                set(&mut self.index_arithmetic, IndexArithmetic::Exact)
            }
            ("reduction-order", "one") => set(&mut self.reduction_order, ReductionOrder::One),
            ("reduction-order", "each") => set(&mut self.reduction_order, ReductionOrder::Each),
            ("sum-identity", "positive") => set(&mut floats.negative_identity, false),
            ("sum-identity", "negative") => set(&mut floats.negative_identity, true),
            ("identity-inserted", "anywhere") => set(&mut floats.bare_sums, false),
            ("identity-inserted", "never") => set(&mut floats.bare_sums, true),
            ("signed-zeros", "equal") => set(&mut floats.ordered_zeros, false),
            ("signed-zeros", "ordered") => set(&mut floats.ordered_zeros, true),
            ("zeros-of-extremes", "ordered") => set(&mut floats.either_zero, false),
            ("zeros-of-extremes", "either") => set(&mut floats.either_zero, true),
            ("nan-payload", "open") => set(&mut floats.canonical_nan, false),
            ("nan-payload", "canonical") => set(&mut floats.canonical_nan, true),
            ("quad-uniformity", "quad") => set(&mut self.subgroup_uniform_quads, false),
            ("quad-uniformity", "subgroup") => set(&mut self.subgroup_uniform_quads, true),
            ("nan-in-uniform-extreme", "gives-way") => {
                set(&mut floats.undefined_nan_extremes, false)
            }
            ("nan-in-uniform-extreme", "undefined-value") => {
                set(&mut floats.undefined_nan_extremes, true)
            }
            ("modified-flag", "undefined") => set(&mut self.flags_recover, false),
            ("modified-flag", "as-stored") => set(&mut self.flags_recover, true),
            ("reconvergence", "merge-blocks") => {
                set(&mut self.tangles.reconvergence, Reconvergence::MergeBlocks)
            }
            ("reconvergence", "uniform-control-flow") => {
                set(&mut self.tangles.reconvergence, Reconvergence::UniformControlFlow)
            }
            ("switch-tangles", "implementation-chooses") => {
                set(&mut self.tangles.switches, SwitchTangles::ImplementationChooses)
            }
            ("switch-tangles", "together") => {
                set(&mut self.tangles.switches, SwitchTangles::Together)
            }
            ("barrier-of-some-lanes", "undefined-behavior") => {
                set(&mut self.barriers_of_some, false)
            }
            ("barrier-of-some-lanes", "those-that-come") => set(&mut self.barriers_of_some, true),
            ("kill", "implementation-chooses") => set(&mut self.kill, Kill::ImplementationChooses),
            ("kill", "terminate") => set(&mut self.kill, Kill::Terminate),
            ("kill", "demote") => set(&mut self.kill, Kill::Demote),
            ("implementation-defined", alternative) => ImplementationDefined::named(alternative)
                .is_some_and(|it| set(&mut self.implementation_defined, it)),
            _ => false,
        };
        assert!(known, "the interpreter implements no `{reading} = {alternative}`");
        self
    }
}

/// Sets a reading; true, as its alternative is known.
fn set<T>(reading: &mut T, alternative: T) -> bool {
    *reading = alternative;
    true
}
