//! Families of lowerings: what is lowered, and the algorithm. Each has two wrong variants.

use std::fmt;

use crate::style::{Operator, Payload};
use crate::text::Text;
use crate::write::Writer;

/// What a family is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Assumptions that say what an option says.
    Assumptions,
    /// Loops over lanes.
    Lanes,
    /// Logarithmic forms.
    Logarithmic,
    /// Algebra across a reduction.
    Algebra,
    /// Products and other widths than a word.
    Widths,
    /// Counts and masks as numbers.
    Counts,
    /// Order, packing, intervals.
    Order,
    /// Control flow.
    Control,
    /// Floating point.
    Floats,
    /// Memory.
    Memory,
}

impl Kind {
    const ALL: [Self; 10] = [
        Self::Assumptions,
        Self::Lanes,
        Self::Logarithmic,
        Self::Algebra,
        Self::Widths,
        Self::Counts,
        Self::Order,
        Self::Control,
        Self::Floats,
        Self::Memory,
    ];

    /// By the digit of its number; 0 is the tenth.
    const fn of(digit: u8) -> Self {
        Self::ALL[((digit - b'0') as usize + 9) % 10]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Assumptions => " 1 assumptions",
            Self::Lanes => " 2 loops over lanes",
            Self::Logarithmic => " 3 logarithmic forms",
            Self::Algebra => " 4 algebra",
            Self::Widths => " 5 products and widths",
            Self::Counts => " 6 counts and masks",
            Self::Order => " 7 order, packing, intervals",
            Self::Control => " 8 control flow",
            Self::Floats => " 9 floating point",
            Self::Memory => "10 memory",
        })
    }
}

/// What a style may change in a family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uses {
    /// It is right only where all lanes are active.
    pub(crate) full: bool,
    pub(crate) guard: bool,
    pub(crate) shape: bool,
    pub(crate) ballots: bool,
    pub(crate) operator: bool,
    /// It is right in the same way for every type that it knows.
    pub(crate) detours: bool,
    /// `spirv-opt` keeps it: it moves what a lane does as it leaves a loop behind the loop, where
    /// lanes meet that left it in different iterations.
    pub(crate) optimizer: bool,
    pub(crate) kind: Kind,
}

/// A family.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) uses: Uses,
    pub(crate) operators: &'static [Operator],
    pub(crate) payloads: &'static [Payload],
    /// The variant is 0 for the right text.
    pub(crate) write: fn(&Writer, usize) -> Text,
}

pub(crate) const ALL: &[Operator] = &Operator::ALL;
pub(crate) const SUM: &[Operator] = &[Operator::Add];
pub(crate) const SUMS: &[Operator] = &[Operator::Add, Operator::Xor];
pub(crate) const ZERO: &[Operator] = &[Operator::Add, Operator::Or, Operator::Xor, Operator::Max];
pub(crate) const DUAL: &[Operator] = &[Operator::And, Operator::Or, Operator::Min, Operator::Max];
pub(crate) const SUMS_OR_OR: &[Operator] = &[Operator::Add, Operator::Xor, Operator::Or];
pub(crate) const BITWISE: &[Operator] = &[Operator::And, Operator::Or, Operator::Xor];
pub(crate) const EXTREMES: &[Operator] = &[Operator::Min, Operator::Max];
pub(crate) const ANY: &[Payload] = &Payload::ALL;
pub(crate) const UINT: &[Payload] = &[Payload::Uint];
pub(crate) const UNSIGNED: &[Payload] = &[Payload::Uint, Payload::Uint64, Payload::Uint16];

const fn uses(letters: &str) -> Uses {
    let mut uses = Uses {
        full: false,
        guard: false,
        shape: false,
        ballots: false,
        operator: true,
        detours: true,
        optimizer: true,
        kind: Kind::Algebra,
    };
    let letters = letters.as_bytes();
    let mut place = 0;
    while place < letters.len() {
        match letters[place] {
            b'f' => uses.full = true,
            b'g' => uses.guard = true,
            b's' => uses.shape = true,
            b'b' => uses.ballots = true,
            b'w' => uses.optimizer = false,
            b'd' => uses.detours = false,
            b'-' => uses.operator = false,
            digit => uses.kind = Kind::of(digit),
        }
        place += 1;
    }
    uses
}

/// A family of a kind. Letters say what a style changes: `f` all lanes have to be active, `g`
/// guards, `s` shapes of loops, `b` ballots, `-` no operator, `d` no detour through another type,
/// `w` no optimizer; and a digit the kind.
pub(crate) const fn family(
    name: &'static str,
    letters: &str,
    operators: &'static [Operator],
    payloads: &'static [Payload],
    write: fn(&Writer, usize) -> Text,
) -> Family {
    Family { name, uses: uses(letters), operators, payloads, write }
}
