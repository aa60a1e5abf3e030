//! What is open while an instruction is executed.

/// What is open among the operands that an instruction computes with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taint {
    /// The lanes that it is open in.
    pub lanes: u128,
    /// The operands, a bit each.
    pub operands: u64,
}
