//! Which lanes of a switch execute an instruction together.
//!
//! The implementation's choice is a colour for each tangle in a case. It is a function of the
//! selector's value for lanes that the switch sends there, and of the previous colour for lanes
//! that fall through. So lanes that arrive together stay together, and every partition of the
//! others is some choice of colours.

use laneproof_lower::{StepId, SwitchArrival, Tangle, TangleId, Way};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Sort, Symbol, Term};

use super::{Choice, Encoder};

/// The reading of which lanes of a switch are together.
pub const SWITCH_TANGLES: &str = "switch-tangles";
/// The alternative by which all lanes are together that execute a block.
const TOGETHER: &str = "together";
/// Bits of a colour: there are as many colours as lanes.
const COLOUR: u32 = 7;
/// Choices of tangles are recorded under step numbers from here on, which no real step has.
const FIRST: u32 = 1 << 30;

impl Encoder<'_, '_, '_> {
    /// Two lanes that execute a block are in one tangle.
    pub(super) fn together(
        &mut self,
        tangle: Option<TangleId>,
        a: Term,
        b: Term,
    ) -> Result<Term, DenoteError> {
        let flat = self.side.flat;
        let Some(id) = tangle.filter(|_| a != b && flat.is_split(tangle)) else {
            return Ok(self.pool.bool(true));
        };
        if self.reading(SWITCH_TANGLES)? == TOGETHER || self.side.grouping.together {
            return Ok(self.pool.bool(true));
        }
        self.side.grouping.split = true;
        let Tangle { home, open, unclear, .. } = *flat.tangle(id);
        if unclear {
            return Err(not_modelled("lanes of several cases that meet before a switch ends"));
        }
        if flat.cut.is_some() {
            return Err(not_modelled("which lanes are together in a case, by induction,"));
        }
        if !open {
            return self.together(home, a, b);
        }
        if flat.is_split(home) {
            return Err(not_modelled("which lanes are together in a case within such a case"));
        }
        let (a, b) = (self.colour(id, a)?, self.colour(id, b)?);
        Ok(self.pool.equal(a, b))
    }

    /// The colour of a lane's tangle in a case.
    fn colour(&mut self, id: TangleId, lane: Term) -> Result<Term, DenoteError> {
        let flat = self.side.flat;
        let mut colour = self.pool.bits(0, COLOUR);
        for (number, way) in flat.tangle(id).ways.iter().enumerate() {
            let came = match flat.tangle(id).ways.len() {
                1 => self.pool.bool(true),
                _ => self.activity(way.activity, lane)?,
            };
            let symbol = self.colouring(id, number);
            let by = self.known_by(way, lane)?;
            let own = self.pool.apply(symbol, by);
            colour = self.pool.ite(came, own, colour);
        }
        Ok(colour)
    }

    /// What lanes that arrive together by one way have in common: a number of 32 bits.
    fn known_by(&mut self, way: &Way, lane: Term) -> Result<Term, DenoteError> {
        match way.arrival {
            SwitchArrival::One(selector) | SwitchArrival::Several(selector) => {
                let selector = self.scalar(selector, lane)?.bits;
                if self.pool.width(selector) > 32 {
                    return Err(not_modelled("a switch on more than 32 bits"));
                }
                Ok(self.pool.zero_extend(selector, 32))
            }
            SwitchArrival::Tangle(Some(before)) if self.side.flat.tangle(before).open => {
                let colour = self.colour(before, lane)?;
                Ok(self.pool.zero_extend(colour, 32))
            }
            SwitchArrival::Tangle(_) => Ok(self.pool.bits(0, 32)),
        }
    }

    /// The colours of the tangles that arrive by one way at a case.
    fn colouring(&mut self, id: TangleId, way: usize) -> Symbol {
        self.open(StepId(FIRST + id.0), Choice::Tangle, way, Sort::Bits(COLOUR))
    }

    /// The settled alternative of a reading that no clause consults.
    pub fn reading(&mut self, name: &'static str) -> Result<&'static str, DenoteError> {
        self.side.consulted.insert(name);
        let known = &[TOGETHER, "implementation-chooses", "terminate", "demote"];
        match self.world.settled.alternative(name) {
            Some(settled) => {
                let known = known.iter().find(|it| ***it == **settled);
                let why = || format!("reading {name} is settled as `{settled}`");
                known.copied().ok_or_else(|| DenoteError::Specification(why()))
            }
            None => {
                let reading = self.world.specification.readings.get(name);
                let ways = reading.iter().flat_map(|it| &it.alternatives);
                let ways = ways.map(|(name, _)| name.to_string().into()).collect();
                Err(DenoteError::Unsettled(name.into(), ways))
            }
        }
    }
}

/// The case of a switch and the number of the way to it that a choice is about.
pub fn chosen_way(step: StepId) -> Option<TangleId> {
    step.0.checked_sub(FIRST).map(TangleId)
}

fn not_modelled(what: &str) -> DenoteError {
    DenoteError::NotModelledBy(what.into(), SWITCH_TANGLES.into())
}
