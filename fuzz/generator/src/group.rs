//! Group instructions that the generator writes: one row each.

use rspirv::spirv::{Capability as C, GroupOperation as G, Op};

use laneproof_semantics::ModuleKind;

/// What a group instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Any scalar or vector.
    Any,
    /// Scalars or vectors, but not of Booleans.
    Numbers,
    /// Scalars only, of any type but Booleans.
    Scalars,
    /// Integers, scalars or vectors.
    Integers,
    /// Integers of a type without a sign, scalars or vectors.
    Unsigned,
    /// Floating-point numbers, scalars or vectors.
    Floats,
    /// Booleans.
    Booleans,
}

/// An operand of a group instruction after its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A value of the type that the instruction works on.
    Value,
    /// One Boolean.
    Predicate,
    /// A group operation, with what it brings at the end of the list.
    Operation,
    /// A lane's number, of any lane, anything in each lane.
    Lane,
    /// A lane's number, the same in all lanes.
    UniformLane,
    /// A distance or mask below the subgroup's size, the same in all lanes.
    UniformDistance,
    /// A distance or mask, anything in each lane.
    Distance,
    /// A ballot, the same in all lanes.
    Ballot,
    /// A constant cluster size; not always there.
    OptionalCluster,
    /// A constant below this.
    Below(u32),
}

/// What a group instruction gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// What it works on.
    Same,
    /// A Boolean.
    Boolean,
    /// A 32-bit number.
    Word,
    /// Four words.
    Ballot,
}

/// How defined the result is where some lanes of the subgroup are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It uses active lanes only.
    Active,
    /// It is defined if all lanes of a full subgroup are active.
    Full,
    /// Some lanes may look beyond the subgroup or at nothing.
    Beyond,
}

/// A group instruction.
pub(crate) struct Row {
    pub op: Op,
    pub over: Over,
    pub takes: &'static [Takes],
    pub gives: Gives,
    pub reach: Reach,
    pub capability: C,
    pub extension: Option<&'static str>,
    /// `None`: any.
    pub flavor: Option<ModuleKind>,
    /// Every lane of the subgroup has to come to it.
    pub uniform: bool,
    /// It names its scope.
    pub scoped: bool,
}

/// Kinds of group operation, and the capability that each needs where it is not the row's own.
pub(crate) const OPERATIONS: [(G, Option<C>); 7] = [
    (G::Reduce, None),
    (G::InclusiveScan, None),
    (G::ExclusiveScan, None),
    (G::ClusteredReduce, Some(C::GroupNonUniformClustered)),
    (G::PartitionedReduceEXT, Some(C::GroupNonUniformPartitionedEXT)),
    (G::PartitionedInclusiveScanEXT, Some(C::GroupNonUniformPartitionedEXT)),
    (G::PartitionedExclusiveScanEXT, Some(C::GroupNonUniformPartitionedEXT)),
];

const fn row(op: Op, over: Over, takes: &'static [Takes], gives: Gives, reach: Reach) -> Row {
    let capability = C::GroupNonUniform;
    let flavor = None;
    Row {
        op,
        over,
        takes,
        gives,
        reach,
        capability,
        extension: None,
        flavor,
        uniform: false,
        scoped: true,
    }
}

impl Row {
    const fn needs(mut self, capability: C) -> Self {
        self.capability = capability;
        self
    }

    const fn by(mut self, capability: C, extension: &'static str) -> Self {
        self.extension = Some(extension);
        self.needs(capability)
    }

    const fn only(mut self, flavor: ModuleKind) -> Self {
        self.flavor = Some(flavor);
        self
    }

    const fn unscoped(mut self) -> Self {
        self.scoped = false;
        self
    }

    const fn uniform(mut self) -> Self {
        self.uniform = true;
        self
    }

    /// It takes a group operation that may be clustered or partitioned.
    pub(crate) fn is_arithmetic(&self) -> bool {
        self.takes.contains(&Takes::Operation)
    }
}

const INTEL: &str = "SPV_INTEL_subgroups";
const BALLOT: &str = "SPV_KHR_shader_ballot";
const VOTE: &str = "SPV_KHR_subgroup_vote";
const UNIFORM: &str = "SPV_KHR_uniform_group_instructions";
const REDUCTION: &[Takes] = &[Takes::Operation, Takes::Value];

const fn arithmetic(op: Op, over: Over) -> Row {
    row(op, over, REDUCTION, Gives::Same, Reach::Active).needs(C::GroupNonUniformArithmetic)
}

const fn group(op: Op, over: Over) -> Row {
    row(op, over, REDUCTION, Gives::Same, Reach::Active)
        .needs(C::Groups)
        .only(ModuleKind::Kernel)
        .uniform()
}

const fn uniform_group(op: Op, over: Over) -> Row {
    row(op, over, REDUCTION, Gives::Same, Reach::Active)
        .by(C::GroupUniformArithmeticKHR, UNIFORM)
        .uniform()
}

const fn intel(op: Op, takes: &'static [Takes], reach: Reach) -> Row {
    row(op, Over::Numbers, takes, Gives::Same, reach)
        .by(C::SubgroupShuffleINTEL, INTEL)
        .only(ModuleKind::Kernel)
        .unscoped()
}

/// All of them.
pub(crate) const ROWS: &[Row] = &[
    row(Op::GroupNonUniformElect, Over::Any, &[], Gives::Boolean, Reach::Active),
    row(Op::GroupNonUniformAll, Over::Any, &[Takes::Predicate], Gives::Boolean, Reach::Active)
        .needs(C::GroupNonUniformVote),
    row(Op::GroupNonUniformAny, Over::Any, &[Takes::Predicate], Gives::Boolean, Reach::Active)
        .needs(C::GroupNonUniformVote),
    row(Op::GroupNonUniformAllEqual, Over::Any, &[Takes::Value], Gives::Boolean, Reach::Active)
        .needs(C::GroupNonUniformVote),
    row(
        Op::GroupNonUniformBroadcast,
        Over::Any,
        &[Takes::Value, Takes::UniformLane],
        Gives::Same,
        Reach::Full,
    )
    .needs(C::GroupNonUniformBallot),
    row(Op::GroupNonUniformBroadcastFirst, Over::Any, &[Takes::Value], Gives::Same, Reach::Active)
        .needs(C::GroupNonUniformBallot),
    row(Op::GroupNonUniformBallot, Over::Any, &[Takes::Predicate], Gives::Ballot, Reach::Active)
        .needs(C::GroupNonUniformBallot),
    row(
        Op::GroupNonUniformInverseBallot,
        Over::Any,
        &[Takes::Ballot],
        Gives::Boolean,
        Reach::Active,
    )
    .needs(C::GroupNonUniformBallot),
    row(
        Op::GroupNonUniformBallotBitExtract,
        Over::Any,
        &[Takes::Ballot, Takes::Lane],
        Gives::Boolean,
        Reach::Active,
    )
    .needs(C::GroupNonUniformBallot),
    row(
        Op::GroupNonUniformBallotBitCount,
        Over::Any,
        &[Takes::Operation, Takes::Ballot],
        Gives::Word,
        Reach::Active,
    )
    .needs(C::GroupNonUniformBallot),
    row(Op::GroupNonUniformBallotFindLSB, Over::Any, &[Takes::Ballot], Gives::Word, Reach::Beyond)
        .needs(C::GroupNonUniformBallot),
    row(Op::GroupNonUniformBallotFindMSB, Over::Any, &[Takes::Ballot], Gives::Word, Reach::Beyond)
        .needs(C::GroupNonUniformBallot),
    row(
        Op::GroupNonUniformShuffle,
        Over::Any,
        &[Takes::Value, Takes::Lane],
        Gives::Same,
        Reach::Full,
    )
    .needs(C::GroupNonUniformShuffle),
    row(
        Op::GroupNonUniformShuffleXor,
        Over::Any,
        &[Takes::Value, Takes::UniformDistance],
        Gives::Same,
        Reach::Full,
    )
    .needs(C::GroupNonUniformShuffle),
    row(
        Op::GroupNonUniformShuffleUp,
        Over::Any,
        &[Takes::Value, Takes::UniformDistance],
        Gives::Same,
        Reach::Beyond,
    )
    .needs(C::GroupNonUniformShuffleRelative),
    row(
        Op::GroupNonUniformShuffleDown,
        Over::Any,
        &[Takes::Value, Takes::UniformDistance],
        Gives::Same,
        Reach::Beyond,
    )
    .needs(C::GroupNonUniformShuffleRelative),
    arithmetic(Op::GroupNonUniformIAdd, Over::Integers),
    arithmetic(Op::GroupNonUniformFAdd, Over::Floats),
    arithmetic(Op::GroupNonUniformIMul, Over::Integers),
    arithmetic(Op::GroupNonUniformFMul, Over::Floats),
    arithmetic(Op::GroupNonUniformSMin, Over::Integers),
    arithmetic(Op::GroupNonUniformUMin, Over::Unsigned),
    arithmetic(Op::GroupNonUniformFMin, Over::Floats),
    arithmetic(Op::GroupNonUniformSMax, Over::Integers),
    arithmetic(Op::GroupNonUniformUMax, Over::Unsigned),
    arithmetic(Op::GroupNonUniformFMax, Over::Floats),
    arithmetic(Op::GroupNonUniformBitwiseAnd, Over::Integers),
    arithmetic(Op::GroupNonUniformBitwiseOr, Over::Integers),
    arithmetic(Op::GroupNonUniformBitwiseXor, Over::Integers),
    arithmetic(Op::GroupNonUniformLogicalAnd, Over::Booleans),
    arithmetic(Op::GroupNonUniformLogicalOr, Over::Booleans),
    arithmetic(Op::GroupNonUniformLogicalXor, Over::Booleans),
    row(
        Op::GroupNonUniformQuadBroadcast,
        Over::Any,
        &[Takes::Value, Takes::Below(4)],
        Gives::Same,
        Reach::Full,
    )
    .needs(C::GroupNonUniformQuad),
    row(
        Op::GroupNonUniformQuadSwap,
        Over::Any,
        &[Takes::Value, Takes::Below(3)],
        Gives::Same,
        Reach::Full,
    )
    .needs(C::GroupNonUniformQuad),
    row(
        Op::GroupNonUniformQuadAllKHR,
        Over::Any,
        &[Takes::Predicate],
        Gives::Boolean,
        Reach::Active,
    )
    .by(C::QuadControlKHR, "SPV_KHR_quad_control")
    .unscoped(),
    row(
        Op::GroupNonUniformQuadAnyKHR,
        Over::Any,
        &[Takes::Predicate],
        Gives::Boolean,
        Reach::Active,
    )
    .by(C::QuadControlKHR, "SPV_KHR_quad_control")
    .unscoped(),
    row(
        Op::GroupNonUniformRotateKHR,
        Over::Any,
        &[Takes::Value, Takes::UniformDistance, Takes::OptionalCluster],
        Gives::Same,
        Reach::Full,
    )
    .by(C::GroupNonUniformRotateKHR, "SPV_KHR_subgroup_rotate"),
    row(Op::GroupNonUniformPartitionEXT, Over::Any, &[Takes::Value], Gives::Ballot, Reach::Active)
        .by(C::GroupNonUniformPartitionedEXT, "SPV_NV_shader_subgroup_partitioned")
        .unscoped(),
    row(Op::SubgroupBallotKHR, Over::Any, &[Takes::Predicate], Gives::Ballot, Reach::Active)
        .by(C::SubgroupBallotKHR, BALLOT)
        .unscoped(),
    row(Op::SubgroupFirstInvocationKHR, Over::Numbers, &[Takes::Value], Gives::Same, Reach::Active)
        .by(C::SubgroupBallotKHR, BALLOT)
        .unscoped(),
    row(
        Op::SubgroupReadInvocationKHR,
        Over::Numbers,
        &[Takes::Value, Takes::UniformLane],
        Gives::Same,
        Reach::Full,
    )
    .by(C::SubgroupBallotKHR, BALLOT)
    .unscoped(),
    row(Op::SubgroupAllKHR, Over::Any, &[Takes::Predicate], Gives::Boolean, Reach::Active)
        .by(C::SubgroupVoteKHR, VOTE)
        .unscoped(),
    row(Op::SubgroupAnyKHR, Over::Any, &[Takes::Predicate], Gives::Boolean, Reach::Active)
        .by(C::SubgroupVoteKHR, VOTE)
        .unscoped(),
    row(
        Op::SubgroupAllEqualKHR,
        Over::Booleans,
        &[Takes::Predicate],
        Gives::Boolean,
        Reach::Active,
    )
    .by(C::SubgroupVoteKHR, VOTE)
    .unscoped(),
    intel(Op::SubgroupShuffleINTEL, &[Takes::Value, Takes::Lane], Reach::Full),
    intel(Op::SubgroupShuffleXorINTEL, &[Takes::Value, Takes::Distance], Reach::Full),
    intel(
        Op::SubgroupShuffleUpINTEL,
        &[Takes::Value, Takes::Value, Takes::UniformDistance],
        Reach::Full,
    ),
    intel(
        Op::SubgroupShuffleDownINTEL,
        &[Takes::Value, Takes::Value, Takes::UniformDistance],
        Reach::Full,
    ),
    row(Op::GroupAll, Over::Any, &[Takes::Predicate], Gives::Boolean, Reach::Active)
        .needs(C::Groups)
        .only(ModuleKind::Kernel)
        .uniform(),
    row(Op::GroupAny, Over::Any, &[Takes::Predicate], Gives::Boolean, Reach::Active)
        .needs(C::Groups)
        .only(ModuleKind::Kernel)
        .uniform(),
    row(
        Op::GroupBroadcast,
        Over::Scalars,
        &[Takes::Value, Takes::UniformLane],
        Gives::Same,
        Reach::Full,
    )
    .needs(C::Groups)
    .only(ModuleKind::Kernel)
    .uniform(),
    group(Op::GroupIAdd, Over::Integers),
    group(Op::GroupFAdd, Over::Floats),
    group(Op::GroupFMin, Over::Floats),
    group(Op::GroupUMin, Over::Unsigned),
    group(Op::GroupSMin, Over::Integers),
    group(Op::GroupFMax, Over::Floats),
    group(Op::GroupUMax, Over::Unsigned),
    group(Op::GroupSMax, Over::Integers),
    uniform_group(Op::GroupIMulKHR, Over::Integers),
    uniform_group(Op::GroupFMulKHR, Over::Floats),
    uniform_group(Op::GroupBitwiseAndKHR, Over::Integers),
    uniform_group(Op::GroupBitwiseOrKHR, Over::Integers),
    uniform_group(Op::GroupBitwiseXorKHR, Over::Integers),
    uniform_group(Op::GroupLogicalAndKHR, Over::Booleans),
    uniform_group(Op::GroupLogicalOrKHR, Over::Booleans),
    uniform_group(Op::GroupLogicalXorKHR, Over::Booleans),
];
