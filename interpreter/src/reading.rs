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

/// Which lanes of a switch are together that have different selector values (`switch-tangles`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SwitchTangles {
    /// A choice.
    #[default]
    ImplementationChooses,
    /// All that execute a block.
    Together,
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
    fn named(alternative: &str) -> Self {
        match alternative {
            "undefined-value" => Self::Undefined,
            "undefined-behavior" => Self::Behavior,
            "silence" => Self::Silent,
            _ => Self::Chosen,
        }
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
    /// A NaN result is the canonical one (`nan-payload`).
    pub canonical_nan: bool,
    /// A minimum or maximum of a uniform group instruction with a NaN among its values is undefined
    /// (`nan-in-uniform-extreme`).
    pub undefined_nan_extremes: bool,
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
    /// Which lanes of a switch are together that have different selector values.
    pub switch_tangles: SwitchTangles,
    /// What `OpKill` does.
    pub kill: Kill,
    /// What is what the implementation defines.
    pub implementation_defined: ImplementationDefined,
}

impl Readings {
    /// The names of the readings that can be settled.
    pub const NAMES: [&str; 14] = [
        "partition-equality",
        "partition-other-bits",
        "index-arithmetic",
        "reduction-order",
        "sum-identity",
        "identity-inserted",
        "signed-zeros",
        "nan-payload",
        "quad-uniformity",
        "nan-in-uniform-extreme",
        "modified-flag",
        "switch-tangles",
        "kill",
        "implementation-defined",
    ];

    /// The same, with one reading settled; as it was where there is no such alternative.
    #[must_use]
    pub fn with(mut self, reading: &str, alternative: &str) -> Self {
        match (reading, alternative) {
            ("partition-equality", "ieee") => self.partition_equality = PartitionEquality::Ieee,
            ("partition-equality", "bitwise") => {
                self.partition_equality = PartitionEquality::Bitwise;
            }
            ("partition-other-bits", "zero") => {
                self.partition_other_bits = PartitionOtherBits::Zero;
            }
            ("partition-other-bits", "open") => {
                self.partition_other_bits = PartitionOtherBits::Open;
            }
            ("index-arithmetic", "wrap-32") => self.index_arithmetic = IndexArithmetic::Wrap32,
            ("index-arithmetic", "exact") => self.index_arithmetic = IndexArithmetic::Exact,
            ("reduction-order", "one") => self.reduction_order = ReductionOrder::One,
            ("reduction-order", "each") => self.reduction_order = ReductionOrder::Each,
            ("sum-identity", zero) => self.floats.negative_identity = zero == "negative",
            ("identity-inserted", when) => self.floats.bare_sums = when == "never",
            ("signed-zeros", how) => self.floats.ordered_zeros = how == "ordered",
            ("nan-payload", which) => self.floats.canonical_nan = which == "canonical",
            ("quad-uniformity", among) => self.subgroup_uniform_quads = among == "subgroup",
            ("nan-in-uniform-extreme", what) => {
                self.floats.undefined_nan_extremes = what == "undefined-value";
            }
            ("modified-flag", what) => self.flags_recover = what == "as-stored",
            ("switch-tangles", "together") => self.switch_tangles = SwitchTangles::Together,
            ("switch-tangles", _) => self.switch_tangles = SwitchTangles::ImplementationChooses,
            ("kill", "terminate") => self.kill = Kill::Terminate,
            ("kill", "demote") => self.kill = Kill::Demote,
            ("kill", _) => self.kill = Kill::ImplementationChooses,
            ("implementation-defined", what) => {
                self.implementation_defined = ImplementationDefined::named(what);
            }
            _ => {}
        }
        self
    }
}
