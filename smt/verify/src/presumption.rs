//! What a verdict presumes, and what it did not compare.

use thiserror::Error;

/// What a verdict presumes of the states that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Presumption {
    /// Both functions are entered together.
    #[error("converged entry: the lanes that enter do so together, the same in both functions")]
    ConvergedEntry,
    /// A function that is no entry point uses the constant that is decorated `WorkgroupSize`.
    #[error("declared workgroup: workgroups have the size that WorkgroupSize declares")]
    DeclaredWorkgroup,
    /// Something asks which subgroup this is, and only the first was looked at.
    #[error(
        "first subgroup: SubgroupId is 0 here; with --any-subgroup every subgroup of a workgroup is \
         asked about"
    )]
    FirstSubgroup,
    /// No other invocation touches the memory meanwhile: the target may touch there what the source does
    /// not, or do so by other atomics.
    #[error("no concurrent access: no other invocation touches the memory meanwhile")]
    NoConcurrentAccess,
    /// A source that is no entry point reads workgroup memory, in which callers may have left something.
    #[error(
        "fresh workgroup memory: callers left nothing in workgroup variables that the source reads \
         before it writes it"
    )]
    FreshWorkgroupMemory,
    /// In a whole workgroup invocations go to subgroups in the order of `LocalInvocationIndex`.
    #[error("subgroups in order: invocations go to subgroups in the order of LocalInvocationIndex")]
    SubgroupsInOrder,
    /// The environment allows other results of floating-point arithmetic than were looked at.
    #[error(
        "exact arithmetic: floating-point results are correctly rounded, to nearest even, and none is \
         flushed or contracted; devices may do otherwise"
    )]
    ExactArithmetic,
    /// At these sizes there is no state, and nothing is said of them.
    #[error("sizes with a state: at SubgroupSize {} there is none", in_words(.0))]
    SizesWithAState(Vec<u32>),
    /// The readings that it rests on.
    #[error("readings: {}", .0.join(", "))]
    Readings(Vec<String>),
}

fn in_words(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// Something in which the two may differ, whatever the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotCompared {
    /// What is left in the workgroup's memory is not seen.
    #[error("shared memory: what is left in workgroup variables")]
    SharedMemory,
    /// Module-scope variables of each lane that nothing else in the module reads.
    #[error(
        "globals: what is left in module-scope variables that nothing else in the module reads"
    )]
    Globals,
    /// Without `--outputs`.
    #[error("pointer parameters: what is left behind them; --outputs compares it")]
    PointerParameters,
}
