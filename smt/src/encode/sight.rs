//! What clauses see of the state: the group that a step executes in.

use std::time::Instant;

use laneproof_semantics::denote::{DenoteError, Fold, Group, Leaf, Read, Standing, State, Survey};
use laneproof_semantics::term::{Pool, Sort, Term};

use super::{Choice, Encoder};
use crate::flat::StepId;

/// What a step (or a built-in variable) sees.
pub(super) struct Sight<'e, 'f, 'a> {
    pub(super) encoder: Encoder<'e, 'f, 'a>,
    pub(super) step: Option<StepId>,
    /// The lane whose outcome is asked for.
    pub(super) lane: Term,
}

impl Sight<'_, '_, '_> {
    /// A step asks for other lanes. Implementations may take helpers for inactive then.
    fn looks_around(&mut self, step: StepId) -> Result<(), DenoteError> {
        let step = self.encoder.side.flat.step(step);
        self.encoder.side.apart |= !step.together;
        match step.helpers {
            true => {
                let name = &step.instruction.name;
                Err(DenoteError::NotModelled(format!("{name} where lanes may be helpers")))
            }
            false => Ok(()),
        }
    }
}

impl Group for Sight<'_, '_, '_> {
    fn pool(&mut self) -> &mut Pool {
        self.encoder.pool
    }

    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let Some(step) = self.step else {
            return Err(DenoteError::Specification("a built-in has no operands".into()));
        };
        if lane != self.lane {
            self.looks_around(step)?;
        }
        // Clauses that compare all lanes with all lanes take their time.
        if Instant::now() > self.encoder.world.deadline {
            return Err(DenoteError::OutOfTime);
        }
        let flat = self.encoder.side.flat;
        let mut leaves = Vec::new();
        for &value in &flat.step(step).operands[operand] {
            leaves.extend(self.encoder.leaves(value, lane)?);
        }
        Ok(leaves)
    }

    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        let step = self.step.unwrap_or(StepId(u32::MAX));
        let symbol = self.encoder.open(step, Choice::Draw(operand), leaf, sort);
        self.encoder.pool.apply(symbol, lane)
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        match self.step {
            Some(step) => {
                self.looks_around(step)?;
                let activity = self.encoder.side.flat.step(step).activity;
                self.encoder.activity(activity, lane)
            }
            None => Ok(self.encoder.pool.bit(self.encoder.world.active, lane)),
        }
    }

    fn exists(&mut self, lane: Term) -> Term {
        let existing = self.encoder.world.existing;
        self.encoder.pool.less(lane, existing)
    }

    fn state(&mut self, state: State) -> Term {
        let encoder = &mut self.encoder;
        match state {
            State::SubgroupSize => encoder.world.size,
            State::SubgroupMaxSize => encoder.world.max_size,
            State::ExistingLanes => encoder.world.existing,
        }
    }

    fn standing(&mut self, standing: Standing, lane: Term) -> Result<Term, DenoteError> {
        let place = &mut self.encoder.world.place;
        place.consulted |= standing != Standing::Id;
        match standing {
            Standing::Id => Ok(lane),
            Standing::SubgroupId => Ok(place.subgroup),
            Standing::NumSubgroups => Ok(place.subgroups),
            _ => Err(DenoteError::NotModelled("the workgroup around a subgroup".into())),
        }
    }

    fn lane_bound(&self) -> u32 {
        self.encoder.world.bound
    }

    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        let step = self.step.unwrap_or(StepId(u32::MAX));
        let symbol = self.encoder.open(step, Choice::Result, leaf, sort);
        self.encoder.pool.apply(symbol, lane)
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        let step = self.step.unwrap_or(StepId(u32::MAX));
        let symbol = self.encoder.open(step, Choice::Payload, leaf, sort);
        self.encoder.pool.apply(symbol, lane)
    }

    fn any_lane(&mut self) -> Option<Term> {
        self.encoder.world.surveys.enter(self.encoder.pool)
    }

    fn leave(&mut self) {
        self.encoder.world.surveys.leave();
    }

    fn survey(&mut self, any: Term, here: Term, survey: Survey) -> Result<Term, DenoteError> {
        self.encoder.world.surveys.term(self.encoder.pool, any, here, &survey)
    }

    fn either(&mut self, lane: Term) -> Result<Term, DenoteError> {
        let step = self.step.unwrap_or(StepId(u32::MAX));
        let symbol = self.encoder.open(step, Choice::Either, 0, Sort::Bool);
        Ok(self.encoder.pool.apply(symbol, lane))
    }

    fn load(&mut self, read: Read, lane: Term) -> Result<Leaf, DenoteError> {
        let Some(step) = self.step else {
            return Err(DenoteError::Specification("a built-in reads no memory".into()));
        };
        if lane != self.lane {
            return Err(DenoteError::NotModelled("what another lane's pointer leads to".into()));
        }
        self.encoder.side.looked_at.entry((step, lane)).or_default().push(read);
        self.encoder.looked_up(step, &read, lane)
    }

    fn extent(&mut self, target: usize) -> Result<(Term, Term), DenoteError> {
        match self.step {
            Some(step) => self.encoder.extent(step, target),
            None => Err(DenoteError::Specification("a built-in has no operands".into())),
        }
    }

    fn aligned(&mut self, target: usize, bytes: u32, lane: Term) -> Result<Term, DenoteError> {
        match self.step {
            Some(step) => self.encoder.aligned(step, target, bytes, lane),
            None => Err(DenoteError::Specification("a built-in has no operands".into())),
        }
    }

    fn fold(&mut self, fold: &Fold) -> Option<Term> {
        self.encoder.world.folds.term(self.encoder.pool, fold)
    }
}
