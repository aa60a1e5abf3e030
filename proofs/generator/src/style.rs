//! Ways to write the same thing, each of which is applied to every family that knows it.

use std::fmt;

use crate::detour::Detour;
use crate::form::Form;
use crate::rewrite::Rewriting;

/// How a function comes to know that all lanes are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActivityAssumption {
    /// Any lanes may be active.
    Any,
    /// All are, by the option of the prover.
    Option,
    /// All are, by an assumption of the source.
    Assumption,
}

/// How a value is combined under a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Guard {
    /// By a choice between two results.
    Select,
    /// By a branch.
    Branch,
    /// By an operand that is neutral elsewhere.
    Mask,
}

/// How often something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoopShape {
    /// A loop up to the size of the subgroup.
    BySize,
    /// A loop up to a constant.
    ByConstant,
    /// No loop.
    Unrolled,
}

/// How a ballot is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ballots {
    /// By the built-in functions.
    Whole,
    /// Word by word.
    Words,
}

/// One way to write a lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Style {
    /// Which lanes are active.
    pub entry: ActivityAssumption,
    /// Conditions.
    pub guard: Guard,
    /// Loops.
    pub shape: LoopShape,
    /// Ballots.
    pub ballots: Ballots,
    /// The operator is a function of its own.
    pub helper: bool,
    /// What the target is rewritten by.
    pub rewriting: Rewriting,
    /// The type that it computes in.
    pub detour: Detour,
    /// How it is put.
    pub form: Form,
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = match self.entry {
            ActivityAssumption::Any => "any",
            ActivityAssumption::Option => "option",
            ActivityAssumption::Assumption => "assume",
        };
        let guard = match self.guard {
            Guard::Select => "select",
            Guard::Branch => "branch",
            Guard::Mask => "mask",
        };
        let shape = match self.shape {
            LoopShape::BySize => "by-size",
            LoopShape::ByConstant => "by-constant",
            LoopShape::Unrolled => "unrolled",
        };
        let ballots = match self.ballots {
            Ballots::Whole => "whole",
            Ballots::Words => "words",
        };
        let helper = if self.helper { "helper" } else { "inline" };
        write!(f, "{entry}.{guard}.{shape}.{ballots}.{helper}")?;
        let Self { rewriting, detour, form, .. } = self;
        write!(f, ".{rewriting}.{detour}.{form}")
    }
}

/// An operator that groups reduce by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Add, Self::Mul, Self::Min, Self::Max, Self::And, Self::Or, Self::Xor];

    /// The end of the names of GLSL's functions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "Add",
            Self::Mul => "Mul",
            Self::Min => "Min",
            Self::Max => "Max",
            Self::And => "And",
            Self::Or => "Or",
            Self::Xor => "Xor",
        }
    }

    /// Two operands combined.
    pub fn infix(self, a: &str, b: &str) -> String {
        match self {
            Self::Add => format!("(({a}) + ({b}))"),
            Self::Mul => format!("(({a}) * ({b}))"),
            Self::And => format!("(({a}) & ({b}))"),
            Self::Or => format!("(({a}) | ({b}))"),
            Self::Xor => format!("(({a}) ^ ({b}))"),
            Self::Min => format!("min({a}, {b})"),
            Self::Max => format!("max({a}, {b})"),
        }
    }

    /// The operator of the complements, where it is one of these.
    pub fn dual(self) -> Option<Self> {
        match self {
            Self::And => Some(Self::Or),
            Self::Or => Some(Self::And),
            Self::Min => Some(Self::Max),
            Self::Max => Some(Self::Min),
            Self::Add | Self::Mul | Self::Xor => None,
        }
    }

    /// Combining a value with itself gives that value.
    pub fn is_idempotent(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::And | Self::Or)
    }

    /// Zero changes nothing, of numbers without a sign.
    pub fn has_zero(self) -> bool {
        matches!(self, Self::Add | Self::Or | Self::Xor | Self::Max)
    }
}

/// A type of payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Payload {
    Uint,
    Int,
    Uint64,
    Uint16,
    Uvec2,
}

impl Payload {
    /// All of them, the most used first.
    pub const ALL: [Self; 5] = [Self::Uint, Self::Int, Self::Uint64, Self::Uint16, Self::Uvec2];

    /// In GLSL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uint => "uint",
            Self::Int => "int",
            Self::Uint64 => "uint64_t",
            Self::Uint16 => "uint16_t",
            Self::Uvec2 => "uvec2",
        }
    }

    /// What changes nothing.
    pub fn neutral(self, operator: Operator) -> String {
        let greatest = |is_max: bool| match (self, is_max) {
            (Self::Int, true) => "0x7fffffff".to_owned(),
            (Self::Int, false) => "int(0x80000000u)".to_owned(),
            (_, true) => format!("(~{}(0))", self.name()),
            (_, false) => format!("{}(0)", self.name()),
        };
        match operator {
            Operator::Add | Operator::Or | Operator::Xor => format!("{}(0)", self.name()),
            Operator::Mul => format!("{}(1)", self.name()),
            Operator::And => format!("(~{}(0))", self.name()),
            Operator::Min => greatest(true),
            Operator::Max => greatest(false),
        }
    }
}
