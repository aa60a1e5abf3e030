//! Two loops that iterate side by side, as those of one source in two ways.
//!
//! Their slots are sorted into classes ([`super::classes`]): all that begin alike are presumed to
//! hold the same, and a class is split when an iteration tells its slots apart. If then the same lanes
//! enter both loops and the same come back from every iteration, the target's iterations are the
//! source's, one by one: it ends where the source does, and what lanes hold in the end is the
//! same. Of every part of the target it must follow from that part of the source, and from what
//! goes before the loop, that it behaves.
//!
//! Memory is compared lane by lane ([`crate::lanewise`]), part by part: a lane touches in a part
//! of the target only what it touches in that part of the source, or before the loop. The loops
//! may read. A lane that finds what it wrote itself finds what it wrote before the loop, so a
//! store in one, which the next iteration would find, is not supported; nor a barrier, after which it
//! would find what others wrote.

use std::time::Duration;

use laneproof_ask::{Questions, Stage};
use laneproof_encode::{EncodedSide, SizeSet, View};
use laneproof_lower::{Event, Flat, FlatValue, Touch, ValueId};
use laneproof_obligation::{ObligationBuilder, Problem};
use laneproof_outcome::{Limits, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::effects::{Part, events};
use super::ground::Ground;
use super::places::{Class, Given, Place};
use super::relations::{Relation, Statement};
use super::rotation::Test;
use super::statement::Moment;
use super::{Induced, StatedInvariants};

/// What is asked, and of whom.
pub(super) struct Lockstep<'a, 'f> {
    pub problem: &'a Problem<'f>,
    pub sizes: &'a SizeSet,
    pub limits: &'a Limits,
    pub questions: &'a Questions,
}

/// What is presumed of the slots of both loops.
#[derive(Clone)]
struct Presumed {
    /// The target's loop leads, or the source's, or none.
    leads: Option<bool>,
    classes: Vec<Class>,
    /// What is said of slots, also when the loops are over.
    lasting: Vec<Relation>,
    /// Slots that what follows the loops looks at.
    used_after: Vec<Place>,
}

/// What became of the iterations.
enum Iterations {
    /// Some slots do not hold the same, or are not in step.
    Finer(Presumed),
    /// With this they are the same.
    Same(Presumed),
    Unknown(&'static str),
}

impl<'f> Lockstep<'_, 'f> {
    /// Tries to prove that the target refines the source, both having a loop that is cut open.
    pub(super) fn attempt(
        &self,
        spent: &mut Duration,
        told: StatedInvariants<'_>,
    ) -> Result<Induced, DenoteError> {
        let mut why = None;
        // Mostly both go on at once.
        for leads in [None, Some(false), Some(true)] {
            match self.led(leads, spent, told)? {
                proved @ Induced::Proved { .. } => return Ok(proved),
                Induced::Unknown(first) => _ = why.get_or_insert(first),
            }
            if !self.is_led(spent, told)? {
                break;
            }
        }
        let why = why.unwrap_or(Unknown::incomplete("there is no loop"));
        Ok(Induced::Unknown(why))
    }

    /// One loop may have a test more than the other: it is entered by other lanes.
    fn is_led(
        &self,
        spent: &mut Duration,
        told: StatedInvariants<'_>,
    ) -> Result<bool, DenoteError> {
        let mut ground = self.ground(spent, told)?;
        let lane = ground.lane;
        let same = ground.of_both(|ground| ground.entered(lane))?;
        Ok(ground.pool.bool_of(same) != Some(true))
    }

    /// The same where the target's loop, or the source's, leads ([`super::rotation`]), or none.
    fn led(
        &self,
        leads: Option<bool>,
        spent: &mut Duration,
        told: StatedInvariants<'_>,
    ) -> Result<Induced, DenoteError> {
        let mut presumed = self.ground(spent, told)?.coarsest_presumed(leads)?;
        let (mut readings, mut asks_for_place);
        let presumed = loop {
            let mut ground = self.ground(spent, told)?;
            if let Some(why) = ground.memory_beside() {
                return Ok(Induced::Unknown(why));
            }
            let found = ground.iterations(&presumed)?;
            if let Some(why) = ground.left_open() {
                return Ok(Induced::Unknown(why));
            }
            (readings, asks_for_place) = (ground.readings(), ground.world.entry.place.consulted);
            match found {
                Iterations::Finer(finer) => presumed = finer,
                Iterations::Same(same) => break same,
                Iterations::Unknown(why) => return Ok(ground.gives_up(why)),
            }
        };
        let mut ground = self.ground(spent, told)?;
        let why = ground.over(&presumed)?;
        if let Some(why) = why {
            return Ok(ground.gives_up(why));
        }
        if let Some(why) = ground.left_open() {
            return Ok(Induced::Unknown(why));
        }
        readings.extend(ground.readings());
        asks_for_place |= ground.world.entry.place.consulted;
        Ok(Induced::Proved { readings, asks_for_place })
    }

    fn ground<'g>(
        &'g self,
        spent: &'g mut Duration,
        told: StatedInvariants<'g>,
    ) -> Result<Ground<'f, 'g>, DenoteError> {
        Ground::new(self.problem, self.sizes, self.limits, self.questions, spent, told)
    }
}

impl<'f> Ground<'f, '_> {
    /// What may be presumed of slots, before anything of it was shown.
    fn coarsest_presumed(&mut self, leads: Option<bool>) -> Result<Presumed, DenoteError> {
        self.loops.leads = leads;
        let (classes, mut lasting) = (self.coarsest()?, self.in_step()?);
        if leads.is_some() {
            lasting.extend(self.as_begun()?);
        }
        let after = [self.seen_after()?, self.source_behaves(Part::After)?].concat();
        let used_after = self.used_after(&after)?;
        Ok(Presumed { leads, classes, lasting, used_after })
    }

    /// The first iteration and any other, of slots of which this is presumed.
    fn iterations(&mut self, presumed: &Presumed) -> Result<Iterations, DenoteError> {
        let Presumed { leads, classes, lasting, used_after } = presumed;
        self.loops.leads = *leads;
        self.share(classes, leads.is_none())?;
        let lane = self.lane;
        self.note_defined(Part::Before, &[])?;
        let behaves = self.source_behaves(Part::Before)?;
        let given = Given { stage: Stage::Enters, known: &[], behaves: &behaves };
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
        let given = Given { stage: Stage::Begins, ..given };
        if let Some(classes) = self.told_apart((classes, used_after), Moment::Start, given)? {
            return Ok(Iterations::Finer(Presumed { classes, ..presumed.clone() }));
        }
        let bounds = self.bounds()?.into_iter().map(Statement::Bound).map(Relation::from);
        let relations = lasting.iter().copied().chain(bounds).collect();
        let relations = self.begin_related(relations, given)?;
        self.any_iteration(presumed, relations, test)
    }

    /// Any iteration that begins with this, and so relations of slots.
    fn any_iteration(
        &mut self,
        presumed: &Presumed,
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
        let given = Given { stage: Stage::Stays, known: &known, behaves: &behaves };
        let relations = self.stay_related(relations, given)?;
        let known = [&known[..], &self.related(&relations)?].concat();
        let given = Given { known: &known, ..given };
        let lasts = |it: &Relation| !matches!(it.says, Statement::Bound(_));
        let lasting: Vec<Relation> = relations.into_iter().filter(lasts).collect();
        let presumed = Presumed { lasting, ..presumed.clone() };
        let slots = (&presumed.classes[..], &presumed.used_after[..]);
        if let Some(classes) = self.told_apart(slots, Moment::After, given)? {
            return Ok(Iterations::Finer(Presumed { classes, ..presumed }));
        }
        let same = self.are_together(test, Moment::After, lane)?;
        let apart = self.pool.not(same);
        if !self.never(given, apart)? {
            return Ok(Iterations::Unknown(
                "other lanes may come back in one loop than in the other",
            ));
        }
        let given = Given { stage: Stage::Behaves, ..given };
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
        let mut classes = presumed.classes.clone();
        let given = Given { stage: Stage::Stays, ..given };
        self.taken_along(&mut classes, &presumed.used_after, given)?;
        Ok(Iterations::Same(Presumed { classes, ..presumed }))
    }

    /// What is missing for both to leave the same when the loops are over; `None` where nothing
    /// is.
    fn over(&mut self, presumed: &Presumed) -> Result<Option<&'static str>, DenoteError> {
        let Presumed { leads, classes, lasting, .. } = presumed;
        self.loops.leads = *leads;
        self.share(classes, leads.is_none())?;
        let lane = self.lane;
        self.note_defined(Part::Before, &[])?;
        let mut known = self.related(lasting)?;
        if let Some(test) = leads.map(|_| self.read_test()).transpose()? {
            let Some(test) = test else { return Ok(Some("a loop is left by more than a test")) };
            known.push(self.all_together(Some(test), Moment::Start)?);
            known.push(self.on(true, Ground::nobody_is_live)?);
        } else {
            known.push(self.all_together(None, Moment::Start)?);
        }
        known.push(self.nobody_is_live()?);
        self.note_defined(Part::After, &known)?;
        let behaves = self.source_behaves(Part::After)?;
        let given = Given { stage: Stage::Answers, known: &known, behaves: &behaves };
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

    /// What must not be when the loops are over: what follows misbehaves, or is not the same.
    fn seen_after(&mut self) -> Result<Vec<Term>, DenoteError> {
        let lane = self.lane;
        let mut bad = vec![self.bad(Part::After)?, self.touches_more(Part::After)?];
        bad.push(self.disagrees(Moment::Before, lane)?);
        bad.extend(self.leave_apart()?);
        Ok(bad)
    }

    /// Finds out which values of a part are never undefined, before anything depends on them: one
    /// that may be is drawn wherever it is computed with, which in the source is a choice.
    fn note_defined(&mut self, part: Part, known: &[Term]) -> Result<(), DenoteError> {
        let lane = self.lane;
        let given = Given { stage: Stage::Behaves, known, behaves: &[] };
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
                let leaves = self.on(of_target, |ground| ground.encoder().leaves(value, lane))?;
                let undefined = self.pool.any(leaves.iter().map(|leaf| leaf.undefined));
                if self.pool.bool_of(undefined) == Some(false) {
                    continue;
                }
                let computed = self.on(of_target, |ground| ground.activity(activity, lane))?;
                let enters = self.enters(lane);
                let bad = self.pool.all([enters, computed, undefined]);
                if self.never(given, bad)? {
                    self.side(of_target).define(value);
                }
            }
        }
        Ok(())
    }

    /// Of both loops the same is true.
    fn of_both(
        &mut self,
        mut is_so: impl FnMut(&mut Self) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let (source, target) = (self.on(false, &mut is_so)?, self.on(true, &mut is_so)?);
        Ok(self.pool.equal(source, target))
    }

    /// A lane is at the headers of both loops or of none; where one loop leads, as it does.
    fn are_together(
        &mut self,
        test: Option<Test>,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        match test {
            None => self.of_both(|ground| ground.live(moment, lane)),
            Some(test) => self.is_behind(test, moment, lane),
        }
    }

    /// The same of all lanes.
    fn all_together(&mut self, test: Option<Test>, moment: Moment) -> Result<Term, DenoteError> {
        self.of_any_lane(|ground, any| ground.are_together(test, moment, any))
    }

    /// What of memory this does not carry, if something of the kind is there.
    fn memory_beside(&self) -> Option<Unknown> {
        for flat in [self.source.flat, self.target.flat] {
            let stepping = |touch: &Touch| matches!(touch, Touch::Step(_));
            if flat.memory.accesses.iter().any(|access| stepping(&access.what)) {
                return Some(Unknown::unsupported(
                    "an instruction that takes memory, beside two loops",
                ));
            }
            if (0..flat.memory.regions.len()).any(|region| flat.epoch(usize::MAX, region) > 0) {
                return Some(Unknown::unsupported("a barrier and memory beside two loops"));
            }
            let stores =
                |number: &usize| !matches!(flat.memory.accesses[*number].what, Touch::Load(_));
            if accesses(flat, Part::Iteration).iter().any(stores) {
                return Some(Unknown::unsupported("a store in one of two loops"));
            }
        }
        None
    }

    /// In some lane the target touches in a part what the source does not, there or before.
    fn touches_more(&mut self, part: Part) -> Result<Term, DenoteError> {
        let of_target = accesses(self.target.flat, part);
        let mut of_source = accesses(self.source.flat, Part::Before);
        if part != Part::Before {
            of_source.extend(accesses(self.source.flat, part));
        }
        let lane = self.lane;
        let (mut claim, source, target) = self.claim();
        let strays = claim.strays(lane, (&of_source, source), (&of_target, target))?;
        let strays = self.pool.any(strays);
        let enters = self.enters(lane);
        Ok(self.pool.and(enters, strays))
    }

    /// What a lane leaves in a scalar that stands for all differs, memory by memory.
    fn leave_apart(&mut self) -> Result<Vec<Term>, DenoteError> {
        let lane = self.lane;
        let (mut claim, source, target) = self.claim();
        claim.lane_leaves_apart(lane, source, target)
    }

    /// Memory, lane by lane; source and target.
    const fn claim(
        &mut self,
    ) -> (ObligationBuilder<'_, 'f>, &mut EncodedSide<'f>, &mut EncodedSide<'f>) {
        let Self { pool, world, source, target, .. } = self;
        let (joint, lane, view, lanewise) = (false, None, View::Quantified, true);
        let (traced, crowded) = (false, false);
        (
            ObligationBuilder { pool, world, joint, lane, view, lanewise, traced, crowded },
            source,
            target,
        )
    }
}

/// The accesses of a part of a function, by number.
fn accesses(flat: &Flat, part: Part) -> Vec<usize> {
    let number = |event: &Event| match event {
        Event::Access(number) => Some(*number),
        _ => None,
    };
    events_of(flat, part).iter().filter_map(number).collect()
}

fn events_of(flat: &Flat, part: Part) -> &[Event] {
    events(flat, part).map(|range| &flat.events[range]).unwrap_or_default()
}
