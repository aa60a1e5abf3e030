//! How far results of floating point may be from the correctly rounded ones.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::ast::Span;

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
    /// What is allowed.
    pub kind: MarginKind,
    /// The formats to which it applies (`f32`); all if it names none.
    pub formats: Vec<Arc<str>>,
    /// The instructions to which it applies, by opcode; all floating-point instructions if it names
    /// none.
    pub instructions: Vec<Arc<str>>,
    /// An execution mode or decoration under which it is not allowed.
    pub unless: Option<Arc<str>>,
    /// Its place in the file.
    pub span: Span,
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
    /// A product and a sum may be rounded once.
    Contracted,
    /// An error in tenths of a unit in the last place.
    Error(u32),
    /// The precision of `f32` suffices.
    Single,
    /// Anything for what is converted to an integer that it does not fit in.
    OutOfRange,
    /// Anything for a division by what has no normal inverse.
    LargeDivisors,
}

impl MarginKind {
    /// Its words in a file, and their meanings.
    pub const WORDS: [(&str, Self); 10] = [
        ("flushed", Self::Flushed),
        ("finite", Self::Finite),
        ("either-way", Self::EitherWay),
        ("toward-zero", Self::TowardZero),
        ("rearranged", Self::Rearranged),
        ("contracted", Self::Contracted),
        ("error", Self::Error(0)),
        ("single", Self::Single),
        ("out-of-range", Self::OutOfRange),
        ("large-divisors", Self::LargeDivisors),
    ];
}

impl Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |kind: MarginKind| std::mem::discriminant(&kind);
        let word = MarginKind::WORDS.into_iter().find(|(_, kind)| of(*kind) == of(self.kind));
        write!(f, "{}", word.map_or("", |(word, _)| word))?;
        if let MarginKind::Error(tenths) = self.kind {
            write!(f, " {}", f64::from(tenths) / 10.0)?;
        }
        for (word, list) in [("of", &self.formats), ("for", &self.instructions)] {
            if !list.is_empty() {
                write!(f, " {word} {}", list.join(", "))?;
            }
        }
        match &self.unless {
            Some(unless) => write!(f, " unless {unless}"),
            None => Ok(()),
        }
    }
}
