//! The types of values that instructions move and compute with.

use std::fmt;
use std::sync::Arc;

/// How the bits of a floating-point value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatEncoding {
    /// IEEE 754 binary interchange format of the type's width.
    Ieee,
    /// One sign, eight exponent and seven fraction bits (`bfloat16`).
    Bfloat16,
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
    Float {
        /// Width in bits: 16, 32 or 64.
        width: u32,
        /// The format of the bits.
        encoding: FloatEncoding,
    },
}

impl Scalar {
    /// An unsigned integer type of `width` bits.
    pub const fn uint(width: u32) -> Self {
        Self::Int { width, signed: false }
    }

    /// An IEEE floating-point type of `width` bits.
    pub const fn float(width: u32) -> Self {
        Self::Float { width, encoding: FloatEncoding::Ieee }
    }

    /// Width in bits; a Boolean counts as one.
    pub const fn width(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Int { width, .. } | Self::Float { width, .. } => width,
        }
    }

    /// True for `Float`.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float { .. })
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
            Self::Float { width, encoding: FloatEncoding::Ieee } => write!(f, "f{width}"),
            Self::Float { encoding: FloatEncoding::Bfloat16, .. } => write!(f, "bf16"),
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
