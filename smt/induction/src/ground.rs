//! Both sides in a world of any size, their loops cut open: one of them has one, or both.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use laneproof_ask::Questions;
use laneproof_encode::{EncodedSide, Encoder, EncodingPlan, SizeSet, View, World, some_lane};
use laneproof_lower::{ActivityId, Cut, Flat, Slot};
use laneproof_obligation::{Entered, Problem, entered};
use laneproof_outcome::{Limits, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Pool, Term};
use laneproof_semantics::{Scalar, Type};
use laneproof_solve::Model;

use super::StatedInvariants;
use super::statement::{Agreement, Candidate, Guard, Moment, Stated};
use crate::invariant::InvariantStatus;

/// How the solver is asked, and what came of it.
pub(super) struct Asking<'q> {
    pub(super) plan: EncodingPlan,
    pub(super) limits: &'q Limits,
    pub(super) questions: &'q Questions,
    /// What the solver took.
    pub(super) spent: &'q mut Duration,
    /// The model of the question that was answered last.
    pub(super) found: Option<Model>,
    /// The first question that had no answer, and why.
    pub(super) gave_up: Option<Unknown>,
}

/// Invariants that a user states, and candidates that did not stand.
pub(super) struct Claims<'q> {
    /// Invariants that a user states, as they were read.
    pub(super) stated: Vec<Stated>,
    /// What is told of all that were given.
    pub(super) invariants: StatedInvariants<'q>,
    /// Candidates that did not stand.
    lost: Vec<Candidate>,
}

/// What holds of the state, and of both sides in it.
pub(super) struct Known {
    pub(super) facts: Vec<Term>,
    /// What is presumed of the source, by part.
    pub(super) presumed: HashMap<u8, Vec<Term>>,
    /// On what lanes agree, by guard, as far as it was looked at.
    pub(super) agreements: HashMap<Guard, Option<Agreement>>,
}

/// Of the loops of both sides, which is looked at and which leads.
pub(super) struct Loops {
    /// The loop that is looked at is the target's.
    pub(super) of_target: bool,
    /// Of two loops, whether the target's leads or the source's, if one does.
    pub(super) leads: Option<bool>,
}

pub(super) struct Ground<'f, 'q> {
    pub pool: Pool,
    /// Any lane, and any other, or the same.
    pub lane: Term,
    pub other: Term,
    pub(super) world: World<'f>,
    pub(super) source: EncodedSide<'f>,
    pub(super) target: EncodedSide<'f>,
    pub(super) loops: Loops,
    pub(super) outputs: bool,
    /// What holds of the state, and of both sides in it.
    pub(super) known: Known,
    /// Slots that something depends on.
    pub(super) used: Vec<usize>,
    /// How the solver is asked, and what came of it.
    pub(super) asking: Asking<'q>,
    /// Invariants that a user states, and candidates that did not stand.
    pub(super) claims: Claims<'q>,
}

impl<'f, 'q> Ground<'f, 'q> {
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
            laws: true,
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
        world.quantifiers.reach.focus = vec![lane, other];
        let mut ground = Self {
            pool,
            lane,
            other,
            world,
            source: EncodedSide::source(problem.source, problem.target),
            target: EncodedSide::new(target, "target"),
            loops: Loops { of_target: target_loops, leads: None },
            outputs: problem.outputs,
            known: Known { facts, presumed: HashMap::new(), agreements: HashMap::new() },
            used: Vec::new(),
            asking: Asking { plan, limits, questions, spent, found: None, gave_up: None },
            claims: Claims { stated: Vec::new(), invariants, lost: Vec::new() },
        };
        if !two_loops {
            ground.used = ground.slots_in_use()?;
        }
        Ok(ground)
    }

    pub(super) fn target_loops(&self) -> bool {
        self.loops.of_target
    }

    /// What this does not carry of one loop, if something of the kind was met.
    pub(super) fn out_of_scope(&self) -> Option<Unknown> {
        let touches = |side: &EncodedSide<'_>| !side.flat.memory.accesses.is_empty();
        if touches(&self.source) || touches(&self.target) {
            return Some(Unknown::unsupported("memory beside a loop, by induction"));
        }
        self.left_open()
    }

    /// What is left open and not supported, if something of the kind was met.
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

    /// Takes more time where the source is a scan, or an invariant is stated.
    pub(super) fn take_time(&mut self, whole: &'q Limits) -> Result<(), DenoteError> {
        if !self.claims.stated.is_empty() || self.lacks_own_part()?.is_some() {
            self.asking.limits = whole;
        }
        Ok(())
    }

    /// Reads the invariants that a user states: they are looked at from now on.
    pub(super) fn read_invariants(&mut self) {
        for number in 0..self.claims.invariants.len() {
            let text = self.claims.invariants[number].text.clone();
            self.claims.invariants[number].standing = match self.read_stated(number, &text) {
                Ok(stated) => {
                    self.claims.stated.push(stated);
                    InvariantStatus::Undecided
                }
                Err(why) => InvariantStatus::Unread(why),
            };
        }
    }

    /// A candidate does not hold at first, or an iteration loses it.
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

    /// What was stated and not lost stands.
    pub(super) fn stand(&mut self) {
        for (index, stated) in self.claims.stated.iter().enumerate() {
            if !self.claims.lost.contains(&stated.candidate(index)) {
                self.claims.invariants[stated.number].standing = InvariantStatus::Holds;
            }
        }
    }

    /// The slots that candidates speak of.
    pub(super) fn slots(&self) -> Vec<usize> {
        self.used.clone()
    }

    pub(super) fn ty(&self, slot: usize) -> Option<&'f Type> {
        Some(self.looping().ty(self.cut().ok()?.slots.get(slot)?.held))
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
