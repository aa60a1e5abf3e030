//! What runs and their margins know of opcodes, beside what each computes: one row for each.

use laneproof_module::spirv::Op;

/// Which lanes' results depend on what lanes compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Each lane's on its own operands; the instruction never misbehaves.
    Own,
    /// Each lane's on this operand of any lane, whose value never makes it misbehave.
    Every(usize),
    /// It is not known, or there is more to it than the result.
    Unknown,
}

/// What an instruction does with floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    /// None are among its operands, or it only moves them.
    No,
    /// It computes with those of one lane, and rounds.
    Computes,
    /// It rounds as it combines those of many lanes, or of memory.
    Combines,
    /// It rounds an integer.
    Conversion,
    /// It makes an integer of one.
    Truncation,
    /// It looks at the one that this operand is, which may be subnormal or special.
    Looks(usize),
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpcodeFacts {
    pub reach: Reach,
    pub floats: Floats,
    /// One NaN is like another to it.
    pub any_nan: bool,
}

macro_rules! facts {
    ($($opcode:ident: $reach:expr, $floats:expr, $any_nan:expr;)*) => {
        impl OpcodeFacts {
            /// The row of an opcode.
            pub(crate) fn of(opcode: Op) -> Self {
                use Floats::*;
                use Reach::*;
                match opcode {
                    $(Op::$opcode => Self { reach: $reach, floats: $floats, any_nan: $any_nan },)*
                    _ => Self { reach: Unknown, floats: No, any_nan: false },
                }
            }
        }
    };
}

// Reach, floats, and whether one NaN is like another.
facts! {
    IAdd: Own, No, false;
    ISub: Own, No, false;
    IMul: Own, No, false;
    SNegate: Own, No, false;
    Not: Own, No, false;
    BitwiseOr: Own, No, false;
    BitwiseXor: Own, No, false;
    BitwiseAnd: Own, No, false;
    ShiftLeftLogical: Own, No, false;
    ShiftRightLogical: Own, No, false;
    ShiftRightArithmetic: Own, No, false;
    BitFieldInsert: Own, No, false;
    BitFieldSExtract: Own, No, false;
    BitFieldUExtract: Own, No, false;
    BitReverse: Own, No, false;
    BitCount: Own, No, false;
    LogicalEqual: Own, No, false;
    LogicalNotEqual: Own, No, false;
    LogicalOr: Own, No, false;
    LogicalAnd: Own, No, false;
    LogicalNot: Own, No, false;
    Any: Own, No, false;
    All: Own, No, false;
    Select: Own, No, false;
    FAdd: Own, Computes, true;
    FSub: Own, Computes, true;
    FMul: Own, Computes, true;
    FDiv: Own, Computes, true;
    FNegate: Own, Looks(0), true;
    VectorTimesScalar: Own, Computes, true;
    FConvert: Own, Computes, true;
    ConvertFToBF16INTEL: Own, Computes, false;
    ConvertBF16ToFINTEL: Own, Computes, false;
    ConvertUToF: Own, Conversion, false;
    ConvertSToF: Own, Conversion, false;
    UConvert: Own, No, false;
    SConvert: Own, No, false;
    SatConvertSToU: Own, No, false;
    SatConvertUToS: Own, No, false;
    Bitcast: Own, No, false;
    IEqual: Own, No, false;
    INotEqual: Own, No, false;
    UGreaterThan: Own, No, false;
    SGreaterThan: Own, No, false;
    UGreaterThanEqual: Own, No, false;
    SGreaterThanEqual: Own, No, false;
    ULessThan: Own, No, false;
    SLessThan: Own, No, false;
    ULessThanEqual: Own, No, false;
    SLessThanEqual: Own, No, false;
    FOrdEqual: Own, Looks(0), true;
    FUnordEqual: Own, Looks(0), true;
    FOrdNotEqual: Own, Looks(0), false;
    FUnordNotEqual: Own, Looks(0), false;
    FOrdLessThan: Own, Looks(0), true;
    FUnordLessThan: Own, Looks(0), true;
    FOrdGreaterThan: Own, Looks(0), true;
    FUnordGreaterThan: Own, Looks(0), true;
    FOrdLessThanEqual: Own, Looks(0), true;
    FUnordLessThanEqual: Own, Looks(0), true;
    FOrdGreaterThanEqual: Own, Looks(0), true;
    FUnordGreaterThanEqual: Own, Looks(0), true;
    IsNan: Own, Looks(0), true;
    IsInf: Own, Looks(0), false;
    IsFinite: Own, Looks(0), false;
    IsNormal: Own, Looks(0), false;
    SignBitSet: Own, Looks(0), false;
    LessOrGreater: Own, Looks(0), true;
    Ordered: Own, Looks(0), true;
    Unordered: Own, Looks(0), true;
    IAddCarry: Own, No, false;
    ISubBorrow: Own, No, false;
    UMulExtended: Own, No, false;
    SMulExtended: Own, No, false;
    ExtInst: Own, Computes, false;
    GroupNonUniformIAdd: Every(2), No, false;
    GroupNonUniformFAdd: Every(2), Combines, true;
    GroupNonUniformIMul: Every(2), No, false;
    GroupNonUniformFMul: Every(2), Combines, true;
    GroupNonUniformSMin: Every(2), No, false;
    GroupNonUniformUMin: Every(2), No, false;
    GroupNonUniformFMin: Every(2), Looks(2), true;
    GroupNonUniformSMax: Every(2), No, false;
    GroupNonUniformUMax: Every(2), No, false;
    GroupNonUniformFMax: Every(2), Looks(2), true;
    GroupNonUniformBitwiseAnd: Every(2), No, false;
    GroupNonUniformBitwiseOr: Every(2), No, false;
    GroupNonUniformBitwiseXor: Every(2), No, false;
    GroupNonUniformLogicalAnd: Every(2), No, false;
    GroupNonUniformLogicalOr: Every(2), No, false;
    GroupNonUniformLogicalXor: Every(2), No, false;
    GroupNonUniformAll: Every(1), No, false;
    GroupNonUniformAny: Every(1), No, false;
    GroupNonUniformAllEqual: Every(1), Looks(1), false;
    GroupNonUniformBallot: Every(1), No, false;
    GroupNonUniformPartitionEXT: Unknown, Looks(0), false;
    FRem: Unknown, Computes, false;
    FMod: Unknown, Computes, false;
    MatrixTimesScalar: Unknown, Computes, false;
    VectorTimesMatrix: Unknown, Computes, false;
    MatrixTimesVector: Unknown, Computes, false;
    MatrixTimesMatrix: Unknown, Computes, false;
    OuterProduct: Unknown, Computes, false;
    Dot: Unknown, Computes, false;
    QuantizeToF16: Own, Computes, true;
    GroupFAdd: Unknown, Combines, false;
    GroupFMulKHR: Unknown, Combines, false;
    AtomicFAddEXT: Unknown, Combines, false;
    AtomicFMinEXT: Unknown, Looks(3), false;
    AtomicFMaxEXT: Unknown, Looks(3), false;
    GroupFMin: Unknown, Looks(2), false;
    GroupFMax: Unknown, Looks(2), false;
    ConvertFToU: Unknown, Truncation, false;
    ConvertFToS: Unknown, Truncation, false;
}

impl OpcodeFacts {
    /// It rounds its floating-point result.
    pub(crate) fn rounds(self) -> bool {
        matches!(self.floats, Floats::Computes | Floats::Combines)
    }

    /// Rounding or flushing may make a difference to it.
    pub(crate) fn is_on_floats(self) -> bool {
        self.floats != Floats::No
    }
}

/// Whether an instruction rounds its floating-point result.
pub fn rounds(opcode: Op) -> bool {
    OpcodeFacts::of(opcode).rounds()
}
