//! How far results of floating point may be from the correctly rounded ones.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::ast::Span;
use super::formula::{Domain, Formula};

/// What an environment allows a result of floating point to be.
#[derive(Clone, Debug)]
pub struct Margin {
    /// Short name of the document.
    pub document: Arc<str>,
    /// Section of the document.
    pub section: Arc<str>,
    /// Sentences of the section.
    pub sentences: Vec<u32>,
    /// The sentences in our words.
    pub wording: Arc<str>,
    /// The profile of the devices to which it applies; all devices without one.
    pub profile: Option<DeviceProfile>,
    /// What is allowed.
    pub kind: MarginKind,
    /// By how much, for kinds that have a bound.
    pub bound: Option<Bound>,
    /// The formats to which it applies (`f32`); all if it names none.
    pub formats: Vec<Arc<str>>,
    /// The instructions to which it applies; all floating-point instructions if it names none.
    pub instructions: Vec<Computed>,
    /// An execution mode or decoration under which it is not allowed.
    pub unless: Option<Arc<str>>,
    /// Its place in the file.
    pub span: Span,
}

/// A profile of OpenCL that a device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceProfile {
    /// The full profile.
    Full,
    /// The embedded profile.
    Embedded,
}

/// A bound, and for which operands it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The number, or the formula that the bound is inherited from.
    pub formula: Formula,
    /// Where it holds; everywhere without one.
    pub domain: Option<Domain>,
}

/// An instruction with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// Its opcode (`OpFDiv`), or its name in an extended instruction set (`Exp2`).
    pub name: Arc<str>,
    /// What the bound calls its operands.
    pub operands: Vec<Arc<str>>,
}

/// A kind of [`Margin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginKind {
    /// Subnormal operands and results may be zeros.
    Flushed,
    /// Operands and results may be taken to be finite, and zeros to have no sign.
    Finite,
    /// Rounding goes to either neighbour.
    EitherWay,
    /// Rounding goes to the nearest number, ties to even, or toward zero.
    TowardZero,
    /// Operations may be combined as real numbers allow.
    Rearranged,
    /// Operations may be contracted with those that compute their operands.
    Contracted,
    /// An error in units in the last place.
    Error,
    /// An error that does not depend on the size of the result.
    Absolute,
    /// As exact as a formula is when each of its operations is as exact as it has to be.
    Inherited,
    /// Any result.
    Anything,
    /// The precision of `f32` suffices.
    Single,
    /// Anything for what is converted to an integer that it does not fit in.
    OutOfRange,
    /// Anything for a division by what has no normal inverse.
    LargeDivisors,
}

impl MarginKind {
    /// Its words in a file, and their meanings.
    pub const WORDS: [(&str, Self); 13] = [
        ("flushed", Self::Flushed),
        ("finite", Self::Finite),
        ("either-way", Self::EitherWay),
        ("toward-zero", Self::TowardZero),
        ("rearranged", Self::Rearranged),
        ("contracted", Self::Contracted),
        ("error", Self::Error),
        ("absolute", Self::Absolute),
        ("inherited", Self::Inherited),
        ("anything", Self::Anything),
        ("single", Self::Single),
        ("out-of-range", Self::OutOfRange),
        ("large-divisors", Self::LargeDivisors),
    ];

    /// What it allows, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Flushed => "subnormal operands and results may be zeros",
            Self::Finite => "NaNs, infinities and signs of zeros need not be kept",
            Self::EitherWay => "a result is rounded to either neighbor",
            Self::TowardZero => {
                "a result is rounded to the nearest number, ties to even, or toward zero"
            }
            Self::Rearranged => "operations may be combined and reordered as real numbers allow",
            Self::Contracted => "a product and a sum may be rounded once",
            Self::Error => "an error of this number of units in the last place",
            Self::Absolute => "an error of this size, whatever the result is",
            Self::Inherited => {
                "as exact as the formula is, each of its operations as exact as it must be"
            }
            Self::Anything => "any result",
            Self::Single => "as exact as `f32` must be",
            Self::OutOfRange => "any integer for a number that does not fit the result's type",
            Self::LargeDivisors => {
                "any result of a division by a number whose inverse is not normal"
            }
        }
    }

    /// Whether it says by how much.
    pub fn has_bound(self) -> bool {
        matches!(self, Self::Error | Self::Absolute | Self::Inherited)
    }
}

impl Display for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operands.as_slice() {
            [] => write!(f, "{}", self.name),
            operands => write!(f, "{}({})", self.name, operands.join(", ")),
        }
    }
}

impl Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = MarginKind::WORDS.into_iter().find(|(_, kind)| *kind == self.kind);
        write!(f, "{}", word.map_or("", |(word, _)| word))?;
        if let Some(Bound { formula, domain }) = &self.bound {
            write!(f, " {formula}")?;
            if let Some(domain) = domain {
                write!(f, " {domain}")?;
            }
        }
        if !self.formats.is_empty() {
            write!(f, " of {}", self.formats.join(", "))?;
        }
        if !self.instructions.is_empty() {
            let names: Vec<String> = self.instructions.iter().map(Computed::to_string).collect();
            write!(f, " for {}", names.join(", "))?;
        }
        if let Some(unless) = &self.unless {
            write!(f, " unless {unless}")?;
        }
        match self.profile {
            Some(DeviceProfile::Embedded) => write!(f, " (embedded profile)"),
            Some(DeviceProfile::Full) | None => Ok(()),
        }
    }
}
