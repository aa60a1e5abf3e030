//! The solver's answer, and the values that it chose.

use std::collections::HashMap;

use laneproof_outcome::Unknown;
use laneproof_semantics::term::{GroundValue, Interpretation, Symbol};

/// The solver's answer.
#[derive(Debug)]
pub enum SolverAnswer {
    /// No state satisfies all assertions.
    Unsat,
    /// This one does.
    Sat(Model),
    /// Undecided, for this reason.
    Unknown(Unknown),
}

/// Values for everything free.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The value of each free constant.
    pub variables: HashMap<Symbol, GroundValue>,
    /// The value of each function in each lane.
    pub applications: HashMap<(Symbol, u32), GroundValue>,
}

impl Model {
    /// The value that the solver chose at a lane, if it chose one.
    pub fn chosen(&self, symbol: Symbol, lane: u32) -> Option<GroundValue> {
        self.applications.get(&(symbol, lane)).copied()
    }

    /// Sets the value at a lane.
    pub fn choose(&mut self, symbol: Symbol, lane: u32, value: GroundValue) {
        self.applications.insert((symbol, lane), value);
    }

    /// Every value that was chosen for a function of lanes.
    pub fn applications(&self) -> impl Iterator<Item = (Symbol, u32, GroundValue)> {
        self.applications.iter().map(|(&(symbol, lane), &value)| (symbol, lane, value))
    }
}

impl Interpretation for Model {
    fn variable(&self, symbol: Symbol) -> GroundValue {
        self.variables.get(&symbol).copied().unwrap_or(GroundValue::Bits(0))
    }

    fn apply(&self, symbol: Symbol, lane: u32) -> GroundValue {
        self.applications.get(&(symbol, lane)).copied().unwrap_or(GroundValue::Bits(0))
    }
}
