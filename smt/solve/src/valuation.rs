//! The values that a state gives to symbols, read from assertions.

use std::collections::HashMap;

use laneproof_semantics::term::{GroundValue, Node, Pool, Symbol, Term};

/// The values that a state gives to symbols.
#[derive(Debug, Default)]
pub struct Valuation {
    variables: HashMap<Symbol, GroundValue>,
    functions: HashMap<(Symbol, u32), GroundValue>,
}

impl Valuation {
    /// The values that assertions give; `None` if one of them is not an equation of a symbol and
    /// its value.
    pub fn by(pool: &Pool, assertions: &[Term]) -> Option<Self> {
        let mut valuation = Self::default();
        assertions.iter().try_for_each(|&assertion| valuation.read(pool, assertion))?;
        Some(valuation)
    }

    fn read(&mut self, pool: &Pool, assertion: Term) -> Option<()> {
        match pool.node(assertion) {
            Node::Bool(true) => Some(()),
            Node::And(parts) => parts.iter().try_for_each(|&part| self.read(pool, part)),
            Node::Not(symbol) => self.give(pool, *symbol, GroundValue::Bool(false)),
            &Node::Equal(a, b) => match (pool.constant(a), pool.constant(b)) {
                (Some(value), _) => self.give(pool, b, value),
                (_, Some(value)) => self.give(pool, a, value),
                _ => None,
            },
            _ => self.give(pool, assertion, GroundValue::Bool(true)),
        }
    }

    fn give(&mut self, pool: &Pool, term: Term, value: GroundValue) -> Option<()> {
        let before = match *pool.node(term) {
            Node::Variable(symbol) => self.variables.insert(symbol, value),
            Node::Apply(symbol, lane) => {
                self.functions.insert((symbol, pool.bits_of(lane)? as u32), value)
            }
            _ => return None,
        };
        before.is_none_or(|before| before == value).then_some(())
    }

    /// A free constant's value.
    pub fn variable(&self, symbol: Symbol) -> Option<GroundValue> {
        self.variables.get(&symbol).copied()
    }

    /// A function's value at a lane.
    pub fn apply(&self, symbol: Symbol, lane: u32) -> Option<GroundValue> {
        self.functions.get(&(symbol, lane)).copied()
    }
}
