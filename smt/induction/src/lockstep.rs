//! Two loops in lockstep, such as one loop compiled in two ways.
//!
//! Their slots form classes ([`super::classes`]): all that begin equal are assumed to be equal, and a
//! class is split when an iteration makes its slots differ (partition refinement). If then the same
//! lanes enter both loops and the same lanes come back from every iteration, the target's iterations
//! are the source's, one by one: it terminates where the source does, with equal values. Each part of
//! the target must behave if that part of the source, and the part before the loop, behaves.
//!
//! Memory is compared lane by lane ([`crate::lanewise`]), part by part: in each part of the target a
//! lane accesses only what it accesses in that part of the source, or before the loop. The loops may
//! read. A store in a loop, which the next iteration could read, is not supported; nor is a barrier,
//! after which other lanes' writes are visible.

use std::cell::Cell;
use std::time::Duration;

use laneproof_ask::{Questions, Stage};
use laneproof_encode::SizeSet;
use laneproof_lower::{Event, FlatValue, ValueId};
use laneproof_obligation::Problem;
use laneproof_outcome::{Limits, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::both_sides::{BothSides, Leader};
use super::effects::Part;
use super::places::{Class, Hypotheses, Place};
use super::relations::{Relation, Statement};
use super::rotation::Test;
use super::statement::Moment;
use super::touched::events_of;
use super::{Induced, StatedInvariants};

const PARTED: &str = "other lanes may come back in one loop than in the other";

/// An attempt on two loops.
pub(super) struct Lockstep<'a, 'f> {
    pub problem: &'a Problem<'f>,
    pub sizes: &'a SizeSet,
    pub limits: &'a Limits,
    pub questions: &'a Questions,
    pub way: Way,
    /// Some reduction of sums stayed whole.
    pub met_sums: Cell<bool>,
}

/// What is tried of two loops, each way where the ones before did not prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Reductions of sums stay whole: the same ones are mostly on both sides.
    Whole,
    /// They are taken apart.
    Apart,
    /// They stay whole, and statements about two lanes are candidates, too.
    InCommon,
}

/// The hypothesis about the slots of both loops.
#[derive(Clone)]
struct Hypothesis {
    /// The target's loop leads, or the source's, or none.
    leads: Option<Leader>,
    classes: Vec<Class>,
    /// Relations of slots that also hold after the loops.
    lasting: Vec<Relation>,
    /// Slots that the code after the loops uses.
    used_after: Vec<Place>,
    /// Lanes that have left return the same.
    answered: bool,
}

/// The outcome of the check of iterations.
enum Iterations {
    /// Some slots differ, or are not in step: a finer hypothesis.
    Finer(Hypothesis),
    /// This hypothesis is inductive.
    Same(Hypothesis),
    /// Other lanes come back in one loop than in the other.
    Parted,
    Unknown(&'static str),
}

/// The outcome for one leading loop, or none.
enum LeadOutcome {
    /// Whatever loop leads.
    Settled(Induced),
    /// Other lanes come back in one loop than in the other, which another leading loop may explain.
    Parted(Induced),
}

impl<'f> Lockstep<'_, 'f> {
    /// Tries to prove that the target refines the source, both having a loop that is cut open.
    pub(super) fn attempt(
        &self,
        spent: &mut Duration,
        stated: StatedInvariants<'_>,
    ) -> Result<Induced, DenoteError> {
        let mut why = None;
        for way in [Way::Whole, Way::Apart, Way::InCommon] {
            if way == Way::Apart && !self.met_sums.get() {
                continue;
            }
            let Self { problem, sizes, limits, questions, .. } = *self;
            let met_sums = Cell::new(false);
            let attempt = Self { problem, sizes, limits, questions, way, met_sums };
            let induced = attempt.attempt_this_way(spent, stated);
            self.met_sums.set(attempt.met_sums.get());
            match induced {
                Ok(proved @ Induced::Proved { .. }) => return Ok(proved),
                Ok(Induced::Unknown(first)) => _ = why.get_or_insert(first),
                // What the first way found says more.
                Err(_) if why.is_some() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Induced::Unknown(why.unwrap_or(Unknown::incomplete("there is no loop"))))
    }

    /// The same in one way.
    fn attempt_this_way(
        &self,
        spent: &mut Duration,
        stated: StatedInvariants<'_>,
    ) -> Result<Induced, DenoteError> {
        let mut why = None;
        // Mostly the same lanes are in both loops.
        let by_test = |of_target| Some(Leader { of_target, flag: None });
        let mut leaders = vec![by_test(true), by_test(false), None];
        while let Some(leads) = leaders.pop() {
            let (induced, parted) = match self.led(leads, spent, stated)? {
                LeadOutcome::Settled(induced) => (induced, false),
                LeadOutcome::Parted(induced) => (induced, true),
            };
            match induced {
                proved @ Induced::Proved { .. } => return Ok(proved),
                Induced::Unknown(first) => _ = why.get_or_insert(first),
            }
            // The first test may pass in all lanes: a flag that an iteration sets.
            if leads.is_none() && !parted && !self.is_led(spent, stated)? {
                break;
            }
            if leads.is_none() && parted {
                let mut sides = self.sides(spent, stated)?;
                let flags = [sides.flags(false)?, sides.flags(true)?].concat();
                leaders = [&flags.into_iter().map(Some).collect::<Vec<_>>()[..], &leaders].concat();
            }
        }
        let why = why.unwrap_or(Unknown::incomplete("there is no loop"));
        Ok(Induced::Unknown(why))
    }

    /// One loop may test once more than the other, so other lanes enter it.
    fn is_led(
        &self,
        spent: &mut Duration,
        stated: StatedInvariants<'_>,
    ) -> Result<bool, DenoteError> {
        let mut sides = self.sides(spent, stated)?;
        let lane = sides.lane;
        let same = sides.of_both(|sides| sides.entered(lane))?;
        Ok(sides.pool.bool_of(same) != Some(true))
    }

    /// The same where the target's loop, or the source's, leads ([`super::rotation`]), or none.
    fn led(
        &self,
        leads: Option<Leader>,
        spent: &mut Duration,
        stated: StatedInvariants<'_>,
    ) -> Result<LeadOutcome, DenoteError> {
        let mut sides = self.sides(spent, stated)?;
        let mut hypothesis = sides.coarsest_hypothesis(leads)?;
        if self.way == Way::InCommon {
            hypothesis.lasting.extend(sides.in_common()?);
        }
        drop(sides);
        let (mut readings, mut asks_for_place);
        let hypothesis = loop {
            let mut sides = self.sides(spent, stated)?;
            if let Some(why) = sides.memory_beside() {
                return Ok(LeadOutcome::Settled(Induced::Unknown(why)));
            }
            let found = sides.iterations(&hypothesis);
            self.note_sums(&sides);
            let found = found?;
            if let Some(why) = sides.left_open() {
                return Ok(LeadOutcome::Settled(Induced::Unknown(why)));
            }
            (readings, asks_for_place) = (sides.readings(), sides.world.entry.place.consulted);
            match found {
                Iterations::Finer(finer) => hypothesis = finer,
                Iterations::Same(same) => break same,
                Iterations::Parted => return Ok(LeadOutcome::Parted(sides.gives_up(PARTED))),
                Iterations::Unknown(why) => return Ok(LeadOutcome::Settled(sides.gives_up(why))),
            }
        };
        let mut sides = self.sides(spent, stated)?;
        let why = sides.over(&hypothesis);
        self.note_sums(&sides);
        if let Some(why) = why? {
            return Ok(LeadOutcome::Settled(sides.gives_up(why)));
        }
        if let Some(why) = sides.left_open() {
            return Ok(LeadOutcome::Settled(Induced::Unknown(why)));
        }
        readings.extend(sides.readings());
        asks_for_place |= sides.world.entry.place.consulted;
        Ok(LeadOutcome::Settled(Induced::Proved { readings, asks_for_place }))
    }

    /// Notes whether some reduction of sums stayed whole, in the loops or after them.
    fn note_sums(&self, sides: &BothSides<'f, '_>) {
        self.met_sums.set(self.met_sums.get() || sides.world.quantifiers.sums.met);
    }

    fn sides<'g>(
        &'g self,
        spent: &'g mut Duration,
        stated: StatedInvariants<'g>,
    ) -> Result<BothSides<'f, 'g>, DenoteError> {
        let (sizes, limits, questions) = (self.sizes, self.limits, self.questions);
        let mut sides = BothSides::new(self.problem, sizes, limits, questions, spent, stated)?;
        sides.world.quantifiers.sums.whole = self.way != Way::Apart;
        Ok(sides)
    }
}

impl<'f> BothSides<'f, '_> {
    /// The strongest hypothesis, before any check.
    fn coarsest_hypothesis(&mut self, leads: Option<Leader>) -> Result<Hypothesis, DenoteError> {
        self.loops.leads = leads;
        let (classes, mut lasting) = (self.coarsest()?, self.in_step()?);
        if leads.is_some() {
            lasting.extend(self.as_begun()?);
        }
        let after = [self.seen_after()?, self.source_behaves(Part::After)?].concat();
        let used_after = self.used_after(&after)?;
        Ok(Hypothesis { leads, classes, lasting, used_after, answered: false })
    }

    /// Checks entry and an arbitrary iteration under this hypothesis.
    fn iterations(&mut self, hypothesis: &Hypothesis) -> Result<Iterations, DenoteError> {
        let Hypothesis { leads, classes, lasting, used_after, .. } = hypothesis;
        self.loops.leads = *leads;
        self.share(classes, leads.is_none())?;
        let lane = self.lane;
        self.note_defined(Part::Before, &[])?;
        let behaves = self.source_behaves(Part::Before)?;
        let given = Hypotheses { stage: Stage::Enters, known: &[], behaves: &behaves };
        let bad = self.bad(Part::Before)?;
        let touches = self.touches_more(Part::Before)?;
        let bad = self.pool.or(bad, touches);
        if !self.never(given, bad)? {
            return Ok(Iterations::Unknown("what goes before the loops may misbehave"));
        }
        let test = match leads {
            None => None,
            Some(_) => match self.read_test()? {
                None => return Ok(Iterations::Unknown("an iteration is left by more than a test")),
                test => test,
            },
        };
        let same = self.are_together(test, Moment::Start, lane)?;
        let apart = self.pool.not(same);
        if !self.never(given, apart)? {
            return Ok(Iterations::Unknown("other lanes may enter one loop than the other"));
        }
        let given = Hypotheses { stage: Stage::Begins, ..given };
        if let Some(classes) = self.refined((classes, used_after), Moment::Start, given)? {
            return Ok(Iterations::Finer(Hypothesis { classes, ..hypothesis.clone() }));
        }
        let bounds = self.bounds()?.into_iter().map(Statement::Bound).map(Relation::from);
        let relations = lasting.iter().copied().chain(bounds).collect();
        let relations = self.begin_related(relations, given)?;
        self.any_iteration(hypothesis, relations, test)
    }

    /// Checks an arbitrary iteration under this hypothesis and relations of slots.
    fn any_iteration(
        &mut self,
        hypothesis: &Hypothesis,
        relations: Vec<Relation>,
        test: Option<Test>,
    ) -> Result<Iterations, DenoteError> {
        let lane = self.lane;
        let mut known = vec![self.all_together(test, Moment::Start)?];
        if test.is_some() {
            known.push(self.all_together(test, Moment::Before)?);
        }
        self.note_defined(Part::Iteration, &known)?;
        let behaves = self.source_behaves(Part::Iteration)?;
        let given = Hypotheses { stage: Stage::Stays, known: &known, behaves: &behaves };
        let relations = self.stay_related(relations, given)?;
        let known = [&known[..], &self.related(&relations)?].concat();
        let given = Hypotheses { known: &known, ..given };
        let lasts = |it: &Relation| !matches!(it.says, Statement::Bound(_));
        let lasting: Vec<Relation> = relations.into_iter().filter(lasts).collect();
        let hypothesis = Hypothesis { lasting, ..hypothesis.clone() };
        let slots = (&hypothesis.classes[..], &hypothesis.used_after[..]);
        if let Some(classes) = self.refined(slots, Moment::After, given)? {
            return Ok(Iterations::Finer(Hypothesis { classes, ..hypothesis }));
        }
        let same = self.are_together(test, Moment::After, lane)?;
        let apart = self.pool.not(same);
        if !self.never(given, apart)? {
            return Ok(Iterations::Parted);
        }
        if !self.ends_behind(given)? {
            return Ok(Iterations::Unknown(
                "one loop may go on where no lane is left in the other",
            ));
        }
        let given = Hypotheses { stage: Stage::Behaves, ..given };
        let bad = self.bad(Part::Iteration)?;
        let touches = self.touches_more(Part::Iteration)?;
        let bad = self.pool.or(bad, touches);
        if !self.never(given, bad)? {
            return Ok(Iterations::Unknown("an iteration may misbehave"));
        }
        let live = self.live(Moment::Before, lane)?;
        if !self.satisfiable(&[&behaves[..], &known, &[live]].concat())? {
            return Ok(Iterations::Unknown("no state is known in which the loop is entered"));
        }
        let mut classes = hypothesis.classes.clone();
        let given = Hypotheses { stage: Stage::Stays, ..given };
        self.taken_along(&mut classes, &hypothesis.used_after, given)?;
        // To look at results draws what the iterations did not: then it is no candidate.
        let drawn = (self.source.choices.clone(), self.target.choices.clone());
        let answered = self.stay_answered(given)?;
        let answered = answered && self.source.choices.len() == drawn.0.len();
        if !answered {
            (self.source.choices, self.target.choices) = drawn;
        }
        Ok(Iterations::Same(Hypothesis { classes, answered, ..hypothesis }))
    }

    /// The condition after the loops that does not follow; `None` if all follow.
    fn over(&mut self, hypothesis: &Hypothesis) -> Result<Option<&'static str>, DenoteError> {
        let Hypothesis { leads, classes, lasting, answered, .. } = hypothesis;
        self.loops.leads = *leads;
        self.share(classes, leads.is_none())?;
        let lane = self.lane;
        self.note_defined(Part::Before, &[])?;
        let mut known = self.related(lasting)?;
        if let Some(test) = leads.map(|_| self.read_test()).transpose()? {
            let Some(test) = test else { return Ok(Some("a loop is left by more than a test")) };
            known.push(self.all_together(Some(test), Moment::Start)?);
            known.push(self.on(true, BothSides::no_lane_is_live)?);
        } else {
            known.push(self.all_together(None, Moment::Start)?);
        }
        known.push(self.no_lane_is_live()?);
        self.note_defined(Part::After, &known)?;
        if *answered {
            known.push(self.are_answered()?);
        }
        let behaves = self.source_behaves(Part::After)?;
        let given = Hypotheses { stage: Stage::Answers, known: &known, behaves: &behaves };
        let bad = self.seen_after()?;
        // Only what these terms depend on is left open.
        let terms = self.below(&[&bad[..], &known, &behaves].concat());
        self.source.keep_choices(&self.pool, &terms);
        self.target.keep_choices(&self.pool, &terms);
        let entered = self.enters(lane);
        for bad in bad {
            let bad = self.pool.and(entered, bad);
            if !self.never(given, bad)? {
                return Ok(Some("what follows the loops may not be the same"));
            }
        }
        if !self.satisfiable(&[&behaves[..], &known, &[entered]].concat())? {
            return Ok(Some("no state is known in which the loops are over"));
        }
        Ok(None)
    }

    /// What must not happen after the loops: the code after them misbehaves, or results differ.
    fn seen_after(&mut self) -> Result<Vec<Term>, DenoteError> {
        let lane = self.lane;
        let mut bad = vec![self.bad(Part::After)?, self.touches_more(Part::After)?];
        bad.push(self.disagrees(Moment::Before, lane)?);
        bad.extend(self.leave_apart()?);
        Ok(bad)
    }

    /// Finds the values of a part that are never undefined, before terms depend on them. A value that
    /// may be undefined is drawn at each use, which is a choice in the source.
    fn note_defined(&mut self, part: Part, known: &[Term]) -> Result<(), DenoteError> {
        let lane = self.lane;
        let given = Hypotheses { stage: Stage::Behaves, known, behaves: &[] };
        for of_target in [false, true] {
            let flat = self.side(of_target).flat;
            let events = events_of(flat, part);
            for (number, (value, _)) in flat.values.iter().enumerate() {
                let (event, activity) = match *value {
                    FlatValue::Result(step) => (Event::Step(step), flat.step(step).activity),
                    FlatValue::Loaded(access) => {
                        (Event::Access(access), flat.memory.accesses[access].activity)
                    }
                    _ => continue,
                };
                if !events.contains(&event) {
                    continue;
                }
                let value = ValueId(number as u32);
                let leaves = self.on(of_target, |sides| sides.encoder().leaves(value, lane))?;
                let undefined = self.pool.any(leaves.iter().map(|leaf| leaf.undefined));
                if self.pool.bool_of(undefined) == Some(false) {
                    continue;
                }
                let computed = self.on(of_target, |sides| sides.activity(activity, lane))?;
                let enters = self.enters(lane);
                let bad = self.pool.all([enters, computed, undefined]);
                if self.never(given, bad)? {
                    self.side(of_target).define(value);
                }
            }
        }
        Ok(())
    }

    /// A condition for both loops.
    fn of_both(
        &mut self,
        mut is_so: impl FnMut(&mut Self) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let (source, target) = (self.on(false, &mut is_so)?, self.on(true, &mut is_so)?);
        Ok(self.pool.equal(source, target))
    }

    /// A lane is at both headers or at neither; if one loop leads, as the rotation says.
    fn are_together(
        &mut self,
        test: Option<Test>,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        match test {
            None => self.of_both(|sides| sides.live(moment, lane)),
            Some(test) => self.is_behind(test, moment, lane),
        }
    }

    /// The same of all lanes.
    fn all_together(&mut self, test: Option<Test>, moment: Moment) -> Result<Term, DenoteError> {
        self.of_any_lane(|sides, any| sides.are_together(test, moment, any))
    }
}
