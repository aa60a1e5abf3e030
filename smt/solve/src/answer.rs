//! What the solver said, and the values that it chose.

use std::collections::HashMap;

use laneproof_outcome::Unknown;
use laneproof_semantics::term::{GroundValue, Interpretation, Symbol};

/// What the solver said.
#[derive(Debug)]
pub enum SolverAnswer {
    /// No state satisfies all assertions.
    Unsat,
    /// This one does.
    Sat(Model),
    /// Neither was shown, for this reason.
    Unknown(Unknown),
}

/// Values for everything free.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// By free constant.
    pub variables: HashMap<Symbol, GroundValue>,
    /// By function and lane.
    pub applications: HashMap<(Symbol, u32), GroundValue>,
}

impl Model {
    /// The value at a lane that the solver had to choose, if it had to.
    pub fn chosen(&self, symbol: Symbol, lane: u32) -> Option<GroundValue> {
        self.applications.get(&(symbol, lane)).copied()
    }

    /// Another value is taken at a lane.
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
