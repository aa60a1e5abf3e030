//! Operators that commute and associate, by which forms combine their atoms.

use crate::Exhausted;
use crate::bdd::Diagrams;
use crate::fault::BrokenLaw;
use crate::numbers::Numbers;
use crate::word::Word;

/// How the parts of a form are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Operator {
    /// Modulo 2^width; each atom as often as its word says.
    Sum,
    /// Modulo 2^width; each atom to the power that its word is.
    Product,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// The least or greatest.
    Extreme {
        /// The greatest.
        greatest: bool,
        /// Of which numbers.
        of: Numbers,
    },
}

impl Operator {
    /// The word that changes nothing.
    pub(crate) fn neutral(self, width: u32) -> Word {
        let ones = u128::MAX >> (u128::BITS - width);
        let least_signed = 1 << (width - 1);
        let value = match self {
            Self::Sum | Self::Or | Self::Xor => 0,
            Self::Product => 1,
            Self::And => ones,
            Self::Extreme { greatest: true, of: Numbers::Unsigned } => 0,
            Self::Extreme { greatest: true, of: Numbers::Signed } => least_signed,
            Self::Extreme { greatest: false, of: Numbers::Unsigned }
            | Self::Extreme { greatest: true, of: Numbers::Magnitude } => ones,
            Self::Extreme { greatest: false, of: Numbers::Signed | Numbers::Magnitude } => {
                ones ^ least_signed
            }
        };
        Word::number(value, width)
    }

    /// The other extreme by the same order.
    pub(crate) fn opposite_extreme(self) -> Option<Self> {
        match self {
            Self::Extreme { greatest, of } => Some(Self::Extreme { greatest: !greatest, of }),
            _ => None,
        }
    }

    /// The number beside which nothing counts.
    pub(crate) fn absorbing(self, width: u32) -> Option<u128> {
        let opposite = match self {
            Self::And => Self::Or,
            Self::Or => Self::And,
            Self::Extreme { .. } => self.opposite_extreme()?,
            Self::Product => return Some(0),
            Self::Sum | Self::Xor => return None,
        };
        opposite.neutral(width).constant(width)
    }

    /// What takes part twice takes part once.
    pub(crate) const fn is_idempotent(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Extreme { .. })
    }

    /// The width in which the words of parts are counted: sums wrap with their operands, exponents
    /// do not, conditions are 0 or 1.
    pub(crate) fn counts_in(self, width: u32) -> u32 {
        match self {
            Self::Sum => width,
            Self::Product => u32::MAX,
            _ => 2,
        }
    }

    /// The combined word of an atom that occurs in both operands.
    pub(crate) fn together(
        self,
        diagrams: &mut Diagrams,
        a: &Word,
        b: &Word,
        width: u32,
    ) -> Result<Word, Exhausted> {
        use crate::bdd::Bdd;
        match self {
            Self::Product if diagrams.has(BrokenLaw::ExponentWraps) => {
                diagrams.word_add(a, b, Bdd::FALSE, width)
            }
            Self::Sum | Self::Product => diagrams.word_add(a, b, Bdd::FALSE, self.counts_in(width)),
            Self::Xor if !diagrams.has(BrokenLaw::TwiceInXor) => {
                diagrams.bitwise(Diagrams::xor, a, b, 2)
            }
            _ => diagrams.bitwise(Diagrams::or, a, b, 2),
        }
    }

    /// Two words combined.
    pub(crate) fn apply(
        self,
        diagrams: &mut Diagrams,
        a: &Word,
        b: &Word,
        width: u32,
    ) -> Result<Word, Exhausted> {
        use crate::bdd::Bdd;
        match self {
            Self::Sum => diagrams.word_add(a, b, Bdd::FALSE, width),
            Self::Product => diagrams.word_mul(a, b, width),
            Self::And => diagrams.bitwise(Diagrams::and, a, b, width),
            Self::Or => diagrams.bitwise(Diagrams::or, a, b, width),
            Self::Xor => diagrams.bitwise(Diagrams::xor, a, b, width),
            Self::Extreme { greatest, of } => {
                let less = diagrams.word_less(a, b, of, width)?;
                let a_first = if greatest { !less } else { less };
                diagrams.word_ite(a_first, a, b, width)
            }
        }
    }

    /// The operator that complements of operands are combined by to give the complement.
    pub(crate) fn dual(self) -> Option<Self> {
        match self {
            Self::And => Some(Self::Or),
            Self::Or => Some(Self::And),
            // The complement of a magnitude beside the other sign keeps the order.
            Self::Extreme { of: Numbers::Magnitude, .. } => None,
            Self::Extreme { .. } => self.opposite_extreme(),
            Self::Sum | Self::Product | Self::Xor => None,
        }
    }
}
