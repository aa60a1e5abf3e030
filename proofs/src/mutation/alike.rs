//! Instructions that take the same operands, and so can replace one another.

use laneproof_module::spirv::{GroupOperation, Op};

/// Each row lists instructions that can replace each other. The validator rejects those of wrong
/// types.
const ALIKE: &[&[Op]] = &[
    &[Op::IAdd, Op::ISub, Op::IMul],
    &[Op::UDiv, Op::UMod],
    &[Op::SDiv, Op::SRem, Op::SMod],
    &[Op::BitwiseAnd, Op::BitwiseOr, Op::BitwiseXor],
    &[Op::ShiftLeftLogical, Op::ShiftRightLogical, Op::ShiftRightArithmetic],
    &[Op::Not, Op::SNegate, Op::BitReverse],
    &[Op::BitFieldUExtract, Op::BitFieldSExtract],
    &[Op::UConvert, Op::SConvert],
    &[Op::ConvertUToF, Op::ConvertSToF],
    &[Op::IEqual, Op::INotEqual],
    &[Op::ULessThan, Op::ULessThanEqual, Op::UGreaterThanEqual, Op::UGreaterThan],
    &[Op::SLessThan, Op::SLessThanEqual, Op::SGreaterThanEqual, Op::SGreaterThan],
    &[Op::FOrdEqual, Op::FOrdNotEqual, Op::FUnordEqual, Op::FUnordNotEqual],
    &[Op::FOrdLessThan, Op::FOrdLessThanEqual, Op::FUnordGreaterThan, Op::FOrdGreaterThan],
    &[Op::LogicalAnd, Op::LogicalOr, Op::LogicalEqual, Op::LogicalNotEqual],
    &[Op::FAdd, Op::FSub, Op::FMul],
    &[Op::Any, Op::All],
    &[
        Op::GroupNonUniformIAdd,
        Op::GroupNonUniformIMul,
        Op::GroupNonUniformUMin,
        Op::GroupNonUniformUMax,
        Op::GroupNonUniformSMin,
        Op::GroupNonUniformSMax,
        Op::GroupNonUniformBitwiseAnd,
        Op::GroupNonUniformBitwiseOr,
        Op::GroupNonUniformBitwiseXor,
    ],
    &[
        Op::GroupNonUniformFAdd,
        Op::GroupNonUniformFMul,
        Op::GroupNonUniformFMin,
        Op::GroupNonUniformFMax,
    ],
    &[Op::GroupNonUniformLogicalAnd, Op::GroupNonUniformLogicalOr, Op::GroupNonUniformLogicalXor],
    &[Op::GroupIAdd, Op::GroupUMin, Op::GroupUMax, Op::GroupSMin, Op::GroupSMax],
    &[Op::GroupFAdd, Op::GroupFMin, Op::GroupFMax],
    &[
        Op::GroupNonUniformShuffle,
        Op::GroupNonUniformShuffleXor,
        Op::GroupNonUniformShuffleUp,
        Op::GroupNonUniformShuffleDown,
        Op::GroupNonUniformRotateKHR,
    ],
    &[Op::GroupNonUniformAll, Op::GroupNonUniformAny],
    &[Op::GroupAll, Op::GroupAny],
    &[Op::SubgroupAllKHR, Op::SubgroupAnyKHR],
    &[Op::GroupNonUniformBallotFindLSB, Op::GroupNonUniformBallotFindMSB],
    &[Op::GroupNonUniformQuadAllKHR, Op::GroupNonUniformQuadAnyKHR],
    &[Op::SubgroupShuffleINTEL, Op::SubgroupShuffleXorINTEL],
    &[Op::SubgroupShuffleUpINTEL, Op::SubgroupShuffleDownINTEL],
    &[Op::AtomicIAdd, Op::AtomicAnd, Op::AtomicOr, Op::AtomicXor, Op::AtomicUMax, Op::AtomicUMin],
];

const OPERATIONS: &[GroupOperation] =
    &[GroupOperation::Reduce, GroupOperation::InclusiveScan, GroupOperation::ExclusiveScan];

/// The number of replacements of an instruction: its next neighbours in the row.
const STAND_INS: usize = 2;

/// The replacements of an instruction.
pub(super) fn instructions(op: Op) -> impl Iterator<Item = Op> {
    neighbours(ALIKE.iter().copied().find(|row| row.contains(&op)).unwrap_or(&[]), op)
}

/// The replacements of a group operation.
pub(super) fn operations(operation: GroupOperation) -> impl Iterator<Item = GroupOperation> {
    let row = if OPERATIONS.contains(&operation) { OPERATIONS } else { &[] };
    neighbours(row, operation)
}

fn neighbours<T: Copy + PartialEq>(row: &'static [T], it: T) -> impl Iterator<Item = T> {
    let place = row.iter().position(|one| *one == it).unwrap_or(0);
    row.iter().cycle().skip(place + 1).take(row.len().saturating_sub(1).min(STAND_INS)).copied()
}
