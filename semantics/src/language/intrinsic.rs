//! The functions that the specification language itself has: name, signature and meaning, one row
//! each. The checker, the denotation and the language's documentation all read this table.

use std::sync::LazyLock;

use super::name::Name;
use crate::hash::FastMap;

/// What a function takes in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A lane, or another number of 32 bits without sign.
    Lane,
    /// An integer.
    Int,
    /// An integer or a mask.
    Bits,
    /// A set of lanes.
    Mask,
    /// A floating-point number.
    Float,
    /// Anything that a lane can hold.
    Value,
    /// The same type as the first argument.
    Same,
    /// A vector.
    Vector,
    /// A vector of Booleans.
    BoolVector,
    /// A pointer.
    Pointer,
    /// A number in place.
    Number,
    /// An operand that is no value, by what messages call it.
    Operand(&'static str),
    /// An operand by its name, which may be left out of the instruction.
    OptionalOperand,
    /// An operand by its name.
    AnyOperand,
    /// The name of an enumerant of this kind.
    Enumerant(&'static str),
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// A truth value.
    Bool,
    /// An unsigned integer of this width.
    Uint(u32),
    /// An integer of 64 bits that never wraps.
    Signed64,
    /// A number of single precision.
    Single,
    /// A set of lanes.
    Mask,
    /// The type of the argument in this place.
    Argument(usize),
    /// The first argument's integer type, with a sign or without.
    Sign(bool),
    /// The component of the first argument.
    Element,
    /// The result's component.
    ResultElement,
    /// The result's type.
    Result,
    /// What the pointer leads to.
    Loaded,
    /// What has no value.
    Anything,
}

/// What is needed to compute a function, and which engine file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Answered by the instruction and its module alone.
    Question,
    /// Moves parts of values, marks included.
    Movement,
    /// Asks memory.
    Memory,
    /// Asks other lanes.
    Lanes,
    /// Of scalar floating-point numbers.
    Float,
    /// Of values with all their components.
    Whole,
    /// Of scalar values.
    Scalar,
}

/// A function's row.
#[derive(Clone, Copy, Debug)]
pub struct IntrinsicRow {
    /// Its name in clauses.
    pub name: &'static str,
    /// Its parameters as the documentation names them, parentheses included.
    pub parameters: &'static str,
    /// What computes it.
    pub family: Family,
    /// What it takes, place by place.
    pub takes: &'static [ParameterKind],
    /// What it gives.
    pub gives: ResultKind,
    /// What it means, as Markdown.
    pub meaning: &'static str,
}

macro_rules! intrinsics {
    ($($family:ident {
        $($(#[doc = $meaning:literal])+
        $variant:ident = $name:literal $parameters:literal [$($takes:expr),*] => $gives:expr;)+
    })+) => {
        /// A function that the specification language itself has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Intrinsic {
            $($($(#[doc = $meaning])+ $variant,)+)+
        }

        impl Intrinsic {
            /// Every function, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)+)+];

            /// What is known of it.
            pub const fn row(self) -> &'static IntrinsicRow {
                match self {
                    $($(Self::$variant => &IntrinsicRow {
                        name: $name,
                        parameters: $parameters,
                        family: Family::$family,
                        takes: &[$($takes),*],
                        gives: $gives,
                        meaning: concat!($($meaning),+),
                    },)+)+
                }
            }
        }
    };
}

use ParameterKind::{
    AnyOperand, Bits, BoolVector, Enumerant, Float, Int, Lane, Number, Operand, OptionalOperand,
    Pointer, Same, Value, Vector,
};

intrinsics! {
    Lanes {
        /// the lane executes the instruction
        Active = "active" "(l)" [Lane] => ResultKind::Bool;
        /// the lane exists
        Exists = "exists" "(l)" [Lane] => ResultKind::Bool;
        /// E has the same bits in all active lanes
        Uniform = "uniform" "(E)" [Value] => ResultKind::Bool;
    }
    Question {
        /// static: the instruction has this optional operand
        Present = "present" "(Operand)" [OptionalOperand] => ResultKind::Bool;
        /// static: the components of this operand's type are floating-point numbers
        IsFloat = "is_float" "(Operand)" [AnyOperand] => ResultKind::Bool;
        /// static: the module declares it
        Capability = "capability" "(Name)" [Enumerant("Capability")] => ResultKind::Bool;
        /// static: the instruction's result has it
        Decorated = "decorated" "(Name)" [Enumerant("Decoration")] => ResultKind::Bool;
        /// static: the instruction's result is decorated to be rounded in this mode
        RoundingMode = "rounding_mode" "(Name)" [Enumerant("FPRoundingMode")] => ResultKind::Bool;
        /// static: the module's entry points have this execution mode, whatever its operands are
        ExecutionMode = "execution_mode" "(Name)" [Enumerant("ExecutionMode")] => ResultKind::Bool;
        /// static: the module's version is this one or a later one
        VersionAtLeast = "version_at_least" "(1, 5)" [Number, Number] => ResultKind::Bool;
    }
    Scalar {
        /// the same bits, with a sign
        Signed = "signed" "(x)" [Int] => ResultKind::Sign(true);
        /// the same bits, without a sign
        Unsigned = "unsigned" "(x)" [Int] => ResultKind::Sign(false);
        /// an integer of up to 32 bits as a signed 64-bit one, by its own sign
        Exact = "exact" "(x)" [Int] => ResultKind::Signed64;
        /// zero-extended or truncated to 8 bits
        U8 = "u8" "(x)" [Int] => ResultKind::Uint(8);
        /// zero-extended or truncated to 16 bits
        U16 = "u16" "(x)" [Int] => ResultKind::Uint(16);
        /// zero-extended or truncated to 32 bits, of a mask too
        U32 = "u32" "(x)" [Bits] => ResultKind::Uint(32);
        /// zero-extended or truncated to 64 bits, of a mask too
        U64 = "u64" "(x)" [Bits] => ResultKind::Uint(64);
        /// zero-extended to a mask
        Mask = "mask" "(x)" [Int] => ResultKind::Mask;
        /// zero-extended or truncated to the result's component
        ToResult = "to_result" "(x)" [Int] => ResultKind::ResultElement;
        /// sign-extended or truncated to the result's component
        SignedToResult = "signed_to_result" "(x)" [Int] => ResultKind::ResultElement;
        /// a lane's bit
        Bit = "bit" "(mask, l)" [ParameterKind::Mask, Lane] => ResultKind::Bool;
        /// the number of bits
        Popcount = "popcount" "(x)" [Bits] => ResultKind::Uint(32);
        /// the place of the lowest bit, the width of x where no bit is set
        LowestBit = "lowest_bit" "(x)" [Bits] => ResultKind::Uint(32);
        /// the place of the highest bit, the width of x where no bit is set
        HighestBit = "highest_bit" "(x)" [Bits] => ResultKind::Uint(32);
        /// the product that the implementation defines, of numbers with a sign another one than of those without; it is one part of the result, where the reading of the clause leaves that to the implementation
        ImplementationProduct = "implementation_product" "(a, b)" [Int, Same] => ResultKind::Argument(0);
        /// the bits in the other order, of x's type
        BitReverse = "bit_reverse" "(x)" [Int] => ResultKind::Argument(0);
        /// all bits set, of x's type
        AllOnes = "all_ones" "(x)" [Bits] => ResultKind::Argument(0);
        /// the number of bits that x's type has
        Width = "width" "(x)" [Value] => ResultKind::Uint(32);
        /// of the workgroup along axis 0, 1 or 2; not known of a subgroup on its own
        WorkgroupSize = "workgroup_size" "(k)" [Lane] => ResultKind::Uint(32);
        /// likewise, as it was enqueued
        EnqueuedWorkgroupSize = "enqueued_workgroup_size" "(k)" [Lane] => ResultKind::Uint(32);
        /// the workgroup's place in the grid along axis 0, 1 or 2
        WorkgroupId = "workgroup_id" "(k)" [Lane] => ResultKind::Uint(32);
        /// the number of workgroups along axis 0, 1 or 2
        NumWorkgroups = "num_workgroups" "(k)" [Lane] => ResultKind::Uint(32);
        /// the grid's offset along axis 0, 1 or 2
        GlobalOffset = "global_offset" "(k)" [Lane] => ResultKind::Uint(32);
    }
    Whole {
        /// the same bits as the result's type
        Bitcast = "bitcast" "(x)" [Value] => ResultKind::Result;
        /// the same bits, of any one type
        SameBits = "same_bits" "(a, b)" [Value, Same] => ResultKind::Bool;
        /// of floating point: ordered and equal, of vectors in all components
        IeeeEqual = "ieee_equal" "(a, b)" [Float, Same] => ResultKind::Bool;
        /// of floating point: ordered and less, of vectors in all components
        IeeeLess = "ieee_less" "(a, b)" [Float, Same] => ResultKind::Bool;
        /// of floating point: less by sign and magnitude, -0 less than +0, NaNs beyond the infinities; of vectors in all components
        TotalLess = "total_less" "(a, b)" [Float, Same] => ResultKind::Bool;
        /// some component is a NaN
        IsNan = "is_nan" "(x)" [Float] => ResultKind::Bool;
        /// of a Boolean vector
        AnyComponent = "any_component" "(v)" [BoolVector] => ResultKind::Bool;
        /// of a Boolean vector
        AllComponents = "all_components" "(v)" [BoolVector] => ResultKind::Bool;
        /// the number of components, of a scalar 1
        Components = "components" "(v)" [Value] => ResultKind::Uint(32);
    }
    Movement {
        /// the part of C that the literal numbers name
        Extract = "extract" "(C, Indexes)" [Value, Operand("literal numbers")] => ResultKind::Result;
        /// C with Object in the part that the literal numbers name
        Insert = "insert" "(Object, C, Indexes)" [Value, Value, Operand("literal numbers")] => ResultKind::Argument(1);
        /// the constituents, one after the other
        Construct = "construct" "(Constituents)" [Operand("a list of values")] => ResultKind::Result;
        /// the component at a computed index
        Component = "component" "(V, i)" [Value, Lane] => ResultKind::Element;
        /// V with another component at a computed index
        Replace = "replace" "(V, i, Component)" [Vector, Lane, Value] => ResultKind::Argument(0);
        /// the components of V and W that the literal numbers name
        VectorShuffle = "vector_shuffle" "(V, W, Components)" [Vector, Vector, Operand("literal numbers")] => ResultKind::Result;
        /// the n-th 32 bits of x, the lowest first; x itself if it has no more
        WordOf = "word_of" "(x, n)" [Value, Number] => ResultKind::Argument(0);
        /// the result's component out of words, from bit `n` of the first one on. What ends in the
        /// second word leaves the third alone
        BitsFrom = "bits_from" "(first, next, last, n)" [Int, Same, Same, Lane] => ResultKind::ResultElement;
    }
    Memory {
        /// the element that stands `i` elements past Pointer
        Load = "load" "(Pointer, i)" [Pointer, Int] => ResultKind::Loaded;
        /// the address is a multiple of that many bytes
        Aligned = "aligned" "(Pointer, 16)" [Pointer, Number] => ResultKind::Bool;
        /// an instruction that does not ask this itself stored something where Pointer leads, before
        Modified = "modified" "(Pointer)" [Pointer] => ResultKind::Bool;
        /// what `store` leaves where the text says that it is undefined
        Undefined = "undefined" "()" [] => ResultKind::Anything;
        /// 32 bits of an image, which has elements of four bytes
        Word = "word" "(Image, column, row)" [Operand("an image"), Int, Int] => ResultKind::Uint(32);
        /// an image's row, in words
        WidthInWords = "width_in_words" "(Image)" [Operand("an image")] => ResultKind::Uint(32);
        /// how many rows an image has
        Height = "height" "(Image)" [Operand("an image")] => ResultKind::Uint(32);
        /// elements in a row; in texts as they are written
        Texels = "texels" "(Image)" [Operand("an image")] => ResultKind::Uint(32);
        /// bytes of an element; likewise
        TexelBytes = "texel_bytes" "(Image)" [Operand("an image")] => ResultKind::Uint(32);
        /// bytes of a row; likewise
        RowBytes = "row_bytes" "(Image)" [Operand("an image")] => ResultKind::Uint(32);
        /// how many elements stand from Pointer on; likewise
        Elements = "elements" "(Pointer)" [Pointer] => ResultKind::Uint(32);
        /// how many elements stand before Pointer; likewise
        Place = "place" "(Pointer)" [Pointer] => ResultKind::Uint(32);
    }
    Float {
        /// the sum, rounded to nearest with ties to even, nothing flushed; a NaN is a NaN, which
        /// one is not said
        FloatAdd = "float_add" "(a, b)" [Float, Same] => ResultKind::Argument(0);
        /// the difference, likewise
        FloatSub = "float_sub" "(a, b)" [Float, Same] => ResultKind::Argument(0);
        /// the product, likewise
        FloatMul = "float_mul" "(a, b)" [Float, Same] => ResultKind::Argument(0);
        /// the quotient, likewise
        FloatDiv = "float_div" "(a, b)" [Float, Same] => ResultKind::Argument(0);
        /// x with the other sign
        FloatNegate = "float_negate" "(x)" [Float] => ResultKind::Argument(0);
        /// x with its sign's bit cleared, of a NaN, too
        WithoutSign = "without_sign" "(x)" [Float] => ResultKind::Argument(0);
        /// the product and a sum, rounded once
        FloatMulAdd = "float_mul_add" "(a, b, c)" [Float, Same, Same] => ResultKind::Argument(0);
        /// x times two to the power of n as a signed integer, rounded once
        FloatScale = "float_scale" "(x, n)" [Float, Int] => ResultKind::Argument(0);
        /// the nearest whole number, of two that are as near the even one; a zero keeps x's sign
        WholeNearest = "whole_nearest" "(x)" [Float] => ResultKind::Argument(0);
        /// the whole number toward minus infinity
        WholeBelow = "whole_below" "(x)" [Float] => ResultKind::Argument(0);
        /// the whole number toward infinity
        WholeAbove = "whole_above" "(x)" [Float] => ResultKind::Argument(0);
        /// the whole number toward zero
        WholeTowardZero = "whole_toward_zero" "(x)" [Float] => ResultKind::Argument(0);
        /// the same bits or both NaN
        SameNumber = "same_number" "(a, b)" [Float, Same] => ResultKind::Bool;
        /// +infinity of x's type
        Infinity = "infinity" "(x)" [Float] => ResultKind::Argument(0);
        /// x; where it is NaN, the quiet one without sign or payload
        Canonical = "canonical" "(x)" [Float] => ResultKind::Argument(0);
        /// x; where it is NaN, the one that this lane's choice names
        AnyNan = "any_nan" "(x)" [Float] => ResultKind::Argument(0);
        /// the same with a quiet NaN
        AnyQuietNan = "any_quiet_nan" "(x)" [Float] => ResultKind::Argument(0);
        /// x is a NaN that is not quiet
        IsSignaling = "is_signaling" "(x)" [Float] => ResultKind::Bool;
        /// x has the sign's bit, also where it is a zero or a NaN
        SignBit = "sign_bit" "(x)" [Float] => ResultKind::Bool;
        /// a or b, as this lane's choice says
        Either = "either" "(a, b)" [Float, Same] => ResultKind::Argument(0);
        /// a bfloat16 number, as its 16 bits; where it is NaN, the one that this lane's choice names
        AnyBfloat16Nan = "any_bfloat16_nan" "(i)" [Int] => ResultKind::Argument(0);
        /// the nearest number of the result's type
        FloatConvert = "float_convert" "(x)" [Float] => ResultKind::ResultElement;
        /// the nearest bfloat16 number, as the 16 bits that hold it
        ToBfloat16 = "to_bfloat16" "(x)" [Float] => ResultKind::Uint(16);
        /// the number that 16 bits hold as bfloat16
        FromBfloat16 = "from_bfloat16" "(i)" [Int] => ResultKind::ResultElement;
        /// the nearest number of half precision, as the 16 bits that hold it
        ToHalf = "to_half" "(x)" [Float] => ResultKind::Uint(16);
        /// the number that 16 bits hold in half precision, in single precision
        FromHalf = "from_half" "(i)" [Int] => ResultKind::Single;
        /// the nearest number of single precision, of an integer with a sign
        SingleFromSigned = "single_from_signed" "(i)" [Int] => ResultKind::Single;
        /// x times the power of two with which it is a half or more and less than one, its sign aside; x itself where it is zero, infinite or a NaN
        Significand = "significand" "(x)" [Float] => ResultKind::Argument(0);
        /// by what power of two the significand is to be multiplied to give x, as a number with a sign; 0 where x is zero
        Exponent = "exponent" "(x)" [Float] => ResultKind::Uint(32);
        /// the nearest number of the result's type
        FloatFromUnsigned = "float_from_unsigned" "(i)" [Int] => ResultKind::ResultElement;
        /// likewise, of an integer with a sign
        FloatFromSigned = "float_from_signed" "(i)" [Int] => ResultKind::ResultElement;
        /// the integer toward zero, of the result's width
        FloatToUnsigned = "float_to_unsigned" "(x)" [Float] => ResultKind::ResultElement;
        /// likewise, with a sign
        FloatToSigned = "float_to_signed" "(x)" [Float] => ResultKind::ResultElement;
        /// there is such an integer
        FitsUnsigned = "fits_unsigned" "(x)" [Float] => ResultKind::Bool;
        /// likewise, with a sign
        FitsSigned = "fits_signed" "(x)" [Float] => ResultKind::Bool;
    }
}

/// All functions, by the numbers of their names.
static NAMED: LazyLock<FastMap<usize, Intrinsic>> = LazyLock::new(|| {
    let all = Intrinsic::ALL.iter();
    all.map(|intrinsic| (Name::from(intrinsic.row().name).number(), *intrinsic)).collect()
});

impl Intrinsic {
    /// The function of this name.
    pub fn named(name: &Name) -> Option<Self> {
        NAMED.get(&name.number()).copied()
    }
}
