//! Operands as a decoded function names them.

use laneproof_semantics::Scalar;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A register of the frame.
    Register(usize),
    /// A constant of the plan.
    Constant(usize),
}

/// An operand whose type has components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Where its value is.
    pub source: Source,
    /// Its scalar or component type.
    pub element: Scalar,
    /// How many components it has.
    pub leaves: usize,
}
