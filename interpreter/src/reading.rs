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
    /// The identity of a sum is -0 (`sum-identity`).
    pub negative_identity: bool,
    /// The identity never takes part in a sum of other numbers (`identity-inserted`).
    pub bare_sums: bool,
    /// In a minimum or maximum -0 is below +0 (`signed-zeros`).
    pub ordered_zeros: bool,
    /// A NaN result is the canonical one (`nan-payload`).
    pub canonical_nan: bool,
}

impl Readings {
    /// The names of the readings that can be settled.
    pub const NAMES: [&str; 8] = [
        "partition-equality",
        "partition-other-bits",
        "index-arithmetic",
        "reduction-order",
        "sum-identity",
        "identity-inserted",
        "signed-zeros",
        "nan-payload",
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
            ("sum-identity", zero) => self.negative_identity = zero == "negative",
            ("identity-inserted", when) => self.bare_sums = when == "never",
            ("signed-zeros", how) => self.ordered_zeros = how == "ordered",
            ("nan-payload", which) => self.canonical_nan = which == "canonical",
            _ => {}
        }
        self
    }
}
