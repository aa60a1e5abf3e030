//! The presumptions of a verdict, and what it did not compare.

use thiserror::Error;

/// What a verdict presumes about the states.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Presumption {
    /// Both functions are entered together.
    #[error("converged entry: the lanes that enter do so together, the same in both functions")]
    ConvergedEntry,
    /// A function that is not an entry point uses the constant that is decorated `WorkgroupSize`.
    #[error("declared workgroup: workgroups have the size that WorkgroupSize declares")]
    DeclaredWorkgroup,
    /// Something depends on which subgroup this is, and only the first was checked.
    #[error(
        "first subgroup: SubgroupId is 0 here; with --any-subgroup every subgroup of a workgroup is \
         asked about"
    )]
    FirstSubgroup,
    /// No other invocation accesses the memory at the same time. The target may access what the source
    /// does not, or use other atomics.
    #[error("no concurrent access: no other invocation touches the memory meanwhile")]
    NoConcurrentAccess,
    /// A source that is not an entry point reads workgroup memory, where callers may have left values.
    #[error(
        "fresh workgroup memory: callers left nothing in workgroup variables that the source reads \
         before it writes it"
    )]
    FreshWorkgroupMemory,
    /// Scalars of an image are numbered by row and position in the row, of 16 bits each.
    #[error("small images: no image has more than 65,536 rows, or scalars in a row")]
    SmallImages,
    /// Fragment shaders may have lanes that are helpers from the start.
    #[error("no helpers at entry: no lane is a helper invocation before it is demoted")]
    NoHelpersAtEntry,
    /// In a whole workgroup, invocations are assigned to subgroups in the order of
    /// `LocalInvocationIndex`.
    #[error("subgroups in order: invocations go to subgroups in the order of LocalInvocationIndex")]
    SubgroupsInOrder,
    /// OpenCL's grids may end within a workgroup along an axis, which then has fewer invocations.
    #[error(
        "uniform workgroups: every workgroup of the grid has the size that was enqueued, none is cut \
         at an edge"
    )]
    UniformWorkgroups,
    /// The environment allows other floating-point results than were checked.
    #[error(
        "exact arithmetic: floating-point results are correctly rounded, to nearest even, and none is \
         flushed or contracted; devices may do otherwise"
    )]
    ExactArithmetic,
    /// At these sizes there is no state; the verdict is not about them.
    #[error("sizes with a state: at SubgroupSize {} there is none", in_words(.0))]
    SizesWithAState(Vec<u32>),
    /// The readings on which it depends.
    #[error("readings: {}", .0.join(", "))]
    Readings(Vec<String>),
}

fn in_words(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// Something that is not compared, so the two may differ in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotCompared {
    /// The final content of workgroup memory.
    #[error("shared memory: what is left in workgroup variables")]
    SharedMemory,
    /// Module-scope variables of each lane that nothing else in the module reads.
    #[error(
        "globals: what is left in module-scope variables that nothing else in the module reads"
    )]
    Globals,
    /// Pointer parameters, without `--outputs`.
    #[error("pointer parameters: what is left behind them; --outputs compares it")]
    PointerParameters,
    /// Of a pair of parameters one goes in only, and the other is a pointer, which in SPIR-V may be an
    /// output.
    #[error(
        "one-way parameters: what is left in those that one side declares as inputs, and of which the \
         other, in SPIR-V, does not say it"
    )]
    OneWay,
    /// What each of two modules does in an entry point, where functions of theirs are compared.
    #[error(
        "entry points: what they do beside these functions; --function compares one by its name"
    )]
    EntryPoints,
}
