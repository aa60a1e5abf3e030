//! Both sides in a state of any size, with the loop of one side, or of both, cut open.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use laneproof_ask::Questions;
use laneproof_encode::{EncodedSide, Encoder, EncodingPlan, SizeSet, View, World, some_lane};
use laneproof_lower::{Access, ActivityId, Cut, Flat, Slot};
use laneproof_obligation::{Entered, Problem, entered};
use laneproof_outcome::{Limits, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Pool, Term};
use laneproof_semantics::{Scalar, Type};
use laneproof_solve::Model;

use super::StatedInvariants;
use super::statement::{Agreement, Candidate, Guard, Moment, Stated};
use crate::invariant::InvariantStatus;

/// Queries to the solver, and their outcomes.
pub(super) struct Queries<'q> {
    pub(super) plan: EncodingPlan,
    pub(super) limits: &'q Limits,
    pub(super) questions: &'q Questions,
    /// Time spent in the solver.
    pub(super) spent: &'q mut Duration,
    /// The model of the last query.
    pub(super) found: Option<Model>,
    /// Why the first undecided query was undecided.
    pub(super) gave_up: Option<Unknown>,
}

/// Invariants that a user states, and candidates that were dropped.
pub(super) struct Claims<'q> {
    /// Invariants that a user states, as they were read.
    pub(super) stated: Vec<Stated>,
    /// The status of all that were given.
    pub(super) invariants: StatedInvariants<'q>,
    /// Candidates that were dropped.
    lost: Vec<Candidate>,
}

/// Facts about the state, and about both sides in it.
pub(super) struct Known {
    pub(super) facts: Vec<Term>,
    /// The hypothesis about the source, by part.
    pub(super) assumed: HashMap<u8, Vec<Term>>,
    /// When lanes agree, by guard, as far as it was computed.
    pub(super) agreements: HashMap<Guard, Option<Agreement>>,
}

/// Which side's loop is considered, and which leads.
pub(super) struct Loops {
    /// The target's loop is considered.
    pub(super) of_target: bool,
    /// The one of two loops that leads.
    pub(super) leads: Option<Leader>,
}

/// The loop that leads, and which of the lanes at its header are at that of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leader {
    pub(super) of_target: bool,
    /// Those in which this Boolean slot has this value; else those that pass its test.
    pub(super) flag: Option<(usize, bool)>,
}

pub(super) struct BothSides<'f, 'q> {
    pub pool: Pool,
    /// Two symbolic lanes, which may be equal.
    pub lane: Term,
    pub other: Term,
    pub(super) world: World<'f>,
    pub(super) source: EncodedSide<'f>,
    pub(super) target: EncodedSide<'f>,
    pub(super) loops: Loops,
    pub(super) outputs: bool,
    /// Facts about the state, and about both sides in it.
    pub(super) known: Known,
    /// Slots that something depends on.
    pub(super) used: Vec<usize>,
    /// Queries to the solver, and their outcomes.
    pub(super) queries: Queries<'q>,
    /// Invariants that a user states, and candidates that were dropped.
    pub(super) claims: Claims<'q>,
}

impl<'f, 'q> BothSides<'f, 'q> {
    pub(super) fn new(
        problem: &Problem<'f>,
        sizes: &SizeSet,
        limits: &'q Limits,
        questions: &'q Questions,
        spent: &'q mut Duration,
        invariants: StatedInvariants<'q>,
    ) -> Result<Self, DenoteError> {
        let not_modelled = |what: &str| Err(DenoteError::NotModelled(what.into()));
        let Some(target) = problem.target else {
            return not_modelled("a property of a loop, by induction,");
        };
        if target.cut.is_none() && problem.source.cut.is_none() {
            return not_modelled("a loop that no lane reaches, by induction,");
        }
        let two_loops = target.cut.is_some() && problem.source.cut.is_some();
        let target_loops = target.cut.is_some() && !two_loops;
        let mut pool = Pool::new();
        let plan = EncodingPlan {
            sizes: sizes.clone(),
            view: View::Quantified,
            tags: false,
            axioms: true,
            joint: false,
            lanewise: false,
            diagrams: false,
            traced: false,
            share: 1,
        };
        let nothing = BTreeSet::new();
        let Entered { mut world, known: facts, .. } =
            entered(&mut pool, problem, &plan, &nothing, limits.deadline())?;
        let lane = some_lane(&mut pool, "lane");
        let other = some_lane(&mut pool, "other");
        world.quantifiers.instance_lanes.focus = vec![lane, other];
        let mut sides = Self {
            pool,
            lane,
            other,
            world,
            source: EncodedSide::source(problem.source, problem.target),
            target: EncodedSide::new(target, "target"),
            loops: Loops { of_target: target_loops, leads: None },
            outputs: problem.outputs,
            known: Known { facts, assumed: HashMap::new(), agreements: HashMap::new() },
            used: Vec::new(),
            queries: Queries { plan, limits, questions, spent, found: None, gave_up: None },
            claims: Claims { stated: Vec::new(), invariants, lost: Vec::new() },
        };
        if !two_loops {
            sides.used = sides.slots_in_use()?;
        }
        Ok(sides)
    }

    pub(super) fn target_loops(&self) -> bool {
        self.loops.of_target
    }

    /// A feature of one loop that induction does not support, if there is one.
    pub(super) fn out_of_scope(&self) -> Option<Unknown> {
        // Memory that is only read is a function of the address.
        let modifies =
            |side: &EncodedSide<'_>| !side.flat.memory.accesses.iter().all(Access::only_reads);
        if modifies(&self.source) || modifies(&self.target) {
            return Some(Unknown::unsupported("memory beside a loop, by induction"));
        }
        self.left_open()
    }

    /// An open result that induction does not support, if there is one.
    pub(super) fn left_open(&self) -> Option<Unknown> {
        if !self.source.choices.is_empty() {
            return Some(Unknown::unsupported("a source with choices beside a loop, by induction"));
        }
        if self.target.opened().next().is_some() {
            return Some(Unknown::unsupported("a result that is left open, by induction"));
        }
        if !self.world.folds.is_empty() {
            return Some(Unknown::unsupported("a reduction over lanes by number, by induction"));
        }
        None
    }

    pub(super) fn readings(&self) -> BTreeSet<String> {
        [&self.source, &self.target]
            .into_iter()
            .flat_map(|side| side.readings())
            .map(str::to_owned)
            .collect()
    }

    pub(super) fn looping(&self) -> &'f Flat {
        if self.loops.of_target { self.target.flat } else { self.source.flat }
    }

    pub(super) fn cut(&self) -> Result<&'f Cut, DenoteError> {
        let cut = self.looping().cut.as_ref();
        cut.ok_or_else(|| DenoteError::Specification("no loop is cut open".into()))
    }

    pub(super) fn slot(&self, slot: usize) -> Result<&'f Slot, DenoteError> {
        let slot = self.cut()?.slots.get(slot);
        slot.ok_or_else(|| DenoteError::Specification("no such slot".into()))
    }

    pub(super) fn encoder(&mut self) -> Encoder<'_, 'f, 'f> {
        let side = if self.loops.of_target { &mut self.target } else { &mut self.source };
        Encoder { pool: &mut self.pool, world: &mut self.world, side }
    }

    pub(super) fn activity(
        &mut self,
        activity: ActivityId,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        self.encoder().activity(activity, lane)
    }

    /// Allows more time if the source is a scan or an invariant is stated.
    pub(super) fn take_time(&mut self, whole: &'q Limits) -> Result<(), DenoteError> {
        if !self.claims.stated.is_empty() || self.lacks_own_part()?.is_some() {
            self.queries.limits = whole;
        }
        Ok(())
    }

    /// Reads the invariants that a user states; they become candidates.
    pub(super) fn read_invariants(&mut self) {
        for number in 0..self.claims.invariants.len() {
            let text = self.claims.invariants[number].text.clone();
            self.claims.invariants[number].status = match self.read_stated(number, &text) {
                Ok(stated) => {
                    self.claims.stated.push(stated);
                    InvariantStatus::Undecided
                }
                Err(why) => InvariantStatus::Unread(why),
            };
        }
    }

    /// Records that a candidate does not hold initially, or is not preserved.
    pub(super) fn note_lost(
        &mut self,
        candidate: Candidate,
        moment: Moment,
    ) -> Result<(), DenoteError> {
        self.claims.lost.push(candidate);
        match candidate {
            Candidate::Stated(index, _) => self.note_failure(index, moment),
            _ => Ok(()),
        }
    }

    /// Marks the stated invariants that were not dropped as holding.
    pub(super) fn stand(&mut self) {
        for (index, stated) in self.claims.stated.iter().enumerate() {
            if !self.claims.lost.contains(&stated.candidate(index)) {
                self.claims.invariants[stated.number].status = InvariantStatus::Holds;
            }
        }
    }

    /// The slots in candidates.
    pub(super) fn slots(&self) -> Vec<usize> {
        self.used.clone()
    }

    pub(super) fn ty(&self, slot: usize) -> Option<&'f Type> {
        Some(self.looping().ty(self.cut().ok()?.slots.get(slot)?.held))
    }

    /// The scalars of a slot, leaf by leaf.
    pub(super) fn leaves_of(&self, slot: usize) -> Result<Vec<Scalar>, DenoteError> {
        Ok(self.looping().ty(self.slot(slot)?.held).leaves())
    }

    pub(super) fn scalar(&self, slot: usize) -> Option<Scalar> {
        match self.ty(slot)? {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    pub(super) fn marked(&self, slot: usize) -> bool {
        self.slot(slot).is_ok_and(|slot| slot.marked)
    }

    pub(super) fn begins(&self, slot: usize) -> bool {
        self.slot(slot).is_ok_and(|slot| slot.initial.is_some())
    }
}
