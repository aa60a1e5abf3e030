//! Formulas over real numbers: error bounds, and what a bound is inherited from.

use std::fmt::{self, Display};
use std::sync::Arc;

/// A formula over the operands of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A decimal number, as it is written.
    Number(Arc<str>),
    /// An operand, or a constant that has a name.
    Name(Arc<str>),
    /// A power with a whole exponent.
    Power(Box<Formula>, i32),
    /// The number with the other sign.
    Negated(Box<Formula>),
    /// Two formulas, combined.
    Combined(Box<Formula>, Combination, Box<Formula>),
    /// The result of an instruction.
    Call(Arc<str>, Vec<Formula>),
    /// The third formula where the first one is less than the second, else the fourth.
    Choice(Box<[Formula; 4]>),
}

/// How a formula combines two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// `+`
    Sum,
    /// `-`
    Difference,
    /// `*`
    Product,
    /// `/`
    Quotient,
}

/// Where a bound holds: for first operands on one side of two numbers, both included.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// From the one to the other; else everywhere else.
    pub within: bool,
    /// The lower end.
    pub low: Formula,
    /// The upper end.
    pub high: Formula,
}

impl Combination {
    /// Its sign in a file.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Sum => "+",
            Self::Difference => "-",
            Self::Product => "*",
            Self::Quotient => "/",
        }
    }

    fn binds_tightly(self) -> bool {
        matches!(self, Self::Product | Self::Quotient)
    }
}

impl Formula {
    /// How tightly its outermost operator binds.
    fn precedence(&self) -> u32 {
        match self {
            Self::Choice(_) => 0,
            Self::Combined(_, combination, _) => 1 + u32::from(combination.binds_tightly()),
            Self::Negated(_) | Self::Power(..) => 3,
            Self::Number(_) | Self::Name(_) | Self::Call(..) => 4,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, least: u32) -> fmt::Result {
        if self.precedence() < least { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(text) | Self::Name(text) => write!(f, "{text}"),
            Self::Power(base, exponent) => {
                base.write(f, 4)?;
                write!(f, "^{exponent}")
            }
            Self::Negated(inner) => {
                write!(f, "-")?;
                inner.write(f, 4)
            }
            Self::Combined(left, combination, right) => {
                let precedence = self.precedence();
                left.write(f, precedence)?;
                write!(f, " {} ", combination.sign())?;
                right.write(f, precedence + 1)
            }
            Self::Call(name, arguments) => {
                write!(f, "{name}(")?;
                for (number, argument) in arguments.iter().enumerate() {
                    write!(f, "{}{argument}", if number == 0 { "" } else { ", " })?;
                }
                write!(f, ")")
            }
            Self::Choice(parts) => {
                let [left, right, then, otherwise] = &**parts;
                write!(f, "if {left} < {right} then {then} else {otherwise}")
            }
        }
    }
}

impl Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.within { "within" } else { "beyond" };
        write!(f, "{side} {} to {}", self.low, self.high)
    }
}
