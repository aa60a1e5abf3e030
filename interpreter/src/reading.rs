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

/// The readings that a run follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// When two lanes have the same value in a partition.
    pub partition_equality: PartitionEquality,
    /// What the bits of lanes that are not active hold in a partition.
    pub partition_other_bits: PartitionOtherBits,
    /// How the index of a shuffle up or down is computed.
    pub index_arithmetic: IndexArithmetic,
}

impl Readings {
    /// The names of the readings that can be settled.
    pub const NAMES: [&str; 3] = ["partition-equality", "partition-other-bits", "index-arithmetic"];

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
            _ => {}
        }
        self
    }
}
