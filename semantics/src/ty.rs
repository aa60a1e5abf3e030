//! The types of values that instructions move and compute with.

use std::fmt;
use std::sync::Arc;

/// A binary format of floating-point numbers: a sign, an exponent, a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    /// `bf16`: eight bits of exponent and seven of fraction.
    Bfloat16,
    /// `f16` of IEEE 754.
    Half,
    /// `f32` of IEEE 754.
    Single,
    /// `f64` of IEEE 754.
    Double,
}

impl FloatFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Half, Self::Bfloat16, Self::Single, Self::Double];

    /// Bits in all.
    pub const fn width(self) -> u32 {
        match self {
            Self::Bfloat16 | Self::Half => 16,
            Self::Single => 32,
            Self::Double => 64,
        }
    }

    /// Bits of the fraction.
    pub const fn fraction(self) -> u32 {
        match self {
            Self::Bfloat16 => 7,
            Self::Half => 10,
            Self::Single => 23,
            Self::Double => 52,
        }
    }

    /// The interchange format of IEEE 754 of a width in bits.
    pub const fn ieee(width: u32) -> Option<Self> {
        match width {
            16 => Some(Self::Half),
            32 => Some(Self::Single),
            64 => Some(Self::Double),
            _ => None,
        }
    }

    /// Its name: `bf16`, `f32`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bfloat16 => "bf16",
            Self::Half => "f16",
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }
}

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `OpTypeBool`.
    Bool,
    /// `OpTypeInt`.
    Int {
        /// Width in bits, 1 to 64.
        width: u32,
        /// The `Signedness` operand. It changes how values are printed, never what an
        /// instruction does: SPIR-V puts signedness into the instructions.
        signed: bool,
    },
    /// `OpTypeFloat`.
    Float(FloatFormat),
}

impl Scalar {
    /// A 16-bit floating-point type.
    pub const F16: Self = Self::Float(FloatFormat::Half);
    /// A 32-bit floating-point type.
    pub const F32: Self = Self::Float(FloatFormat::Single);
    /// A 64-bit floating-point type.
    pub const F64: Self = Self::Float(FloatFormat::Double);

    /// An unsigned integer type of `width` bits.
    pub const fn uint(width: u32) -> Self {
        Self::Int { width, signed: false }
    }

    /// Width in bits; a Boolean counts as one.
    pub const fn width(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Int { width, .. } => width,
            Self::Float(format) => format.width(),
        }
    }

    /// True for `Float`.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// True for `Int`.
    pub const fn is_int(self) -> bool {
        matches!(self, Self::Int { .. })
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => write!(f, "bool"),
            Self::Int { width, signed: false } => write!(f, "u{width}"),
            Self::Int { width, signed: true } => write!(f, "i{width}"),
            Self::Float(format) => f.write_str(format.name()),
        }
    }
}

/// A type whose values consist of scalars: what a lane can hold, move and return.
///
/// A value of it is its scalars in order, its *leaves*: a vector's components, an array's
/// elements, a structure's members, each flattened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One scalar.
    Scalar(Scalar),
    /// `OpTypeVector`.
    Vector {
        /// Component type.
        element: Scalar,
        /// Number of components, 2 or more.
        count: u32,
    },
    /// `OpTypeArray`.
    Array {
        /// Element type.
        element: Arc<Type>,
        /// Number of elements.
        length: u32,
    },
    /// `OpTypeStruct`, by its member types.
    Struct(Arc<[Type]>),
}

impl Type {
    /// `OpTypeBool`.
    pub const BOOL: Self = Self::Scalar(Scalar::Bool);
    /// A 32-bit unsigned integer.
    pub const U32: Self = Self::Scalar(Scalar::uint(32));
    /// A ballot: four 32-bit components.
    pub const BALLOT: Self = Self::Vector { element: Scalar::uint(32), count: 4 };

    /// The scalars of a value, in order.
    pub fn leaves(&self) -> Vec<Scalar> {
        let mut out = Vec::new();
        self.push_leaves(&mut out);
        out
    }

    fn push_leaves(&self, out: &mut Vec<Scalar>) {
        match self {
            Self::Scalar(scalar) => out.push(*scalar),
            Self::Vector { element, count } => out.extend((0..*count).map(|_| *element)),
            Self::Array { element, length } => (0..*length).for_each(|_| element.push_leaves(out)),
            Self::Struct(members) => members.iter().for_each(|member| member.push_leaves(out)),
        }
    }

    /// How many scalars a value has.
    pub fn leaf_count(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::Vector { count, .. } => *count as usize,
            Self::Array { element, length } => element.leaf_count() * *length as usize,
            Self::Struct(members) => members.iter().map(Self::leaf_count).sum(),
        }
    }

    /// The scalar or component type of a scalar or vector; `None` for arrays and structures.
    pub fn element(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            Self::Vector { element, .. } => Some(*element),
            Self::Array { .. } | Self::Struct(_) => None,
        }
    }

    /// The types of a structure's members; none of any other type.
    pub fn members(&self) -> &[Type] {
        match self {
            Self::Struct(members) => members,
            _ => &[],
        }
    }

    /// The part of this type that constituent `index` has, with the position of its first leaf.
    pub fn member(&self, index: u32) -> Option<(Type, usize)> {
        match self {
            Self::Scalar(_) => None,
            Self::Vector { element, count } => {
                (index < *count).then_some((Self::Scalar(*element), index as usize))
            }
            Self::Array { element, length } => (index < *length)
                .then(|| ((**element).clone(), element.leaf_count() * index as usize)),
            Self::Struct(members) => {
                let member = members.get(index as usize)?;
                let before = members[..index as usize].iter().map(Self::leaf_count).sum();
                Some((member.clone(), before))
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => write!(f, "{scalar}"),
            Self::Vector { element, count } => write!(f, "{element}x{count}"),
            Self::Array { element, length } => write!(f, "[{element}; {length}]"),
            Self::Struct(members) => {
                write!(f, "{{")?;
                for (index, member) in members.iter().enumerate() {
                    write!(f, "{}{member}", if index == 0 { "" } else { ", " })?;
                }
                write!(f, "}}")
            }
        }
    }
}
