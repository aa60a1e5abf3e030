//! What the questions of an induction are about: both sides in a world of any size, the state of
//! the loop before and after a round, and what is presumed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use laneproof_semantics::denote::{DenoteError, Leaf, Survey};
use laneproof_semantics::term::{Node, Pool, Sort, Symbol, Term};
use laneproof_semantics::{Scalar, Type};

use super::candidates::looks_for;
use crate::encode::{Encoder, Side, World};
use crate::entry_state::{Place, active_lanes, existing_lanes, inputs, max_size, subgroup_size};
use crate::flat::{ActivityId, Cut, Flat, Slot};
use crate::fold::Folds;
use crate::instances::instantiated;
use crate::limit::Limits;
use crate::memory_claim;
use crate::obligation::{LARGEST, Plan, Problem, Sizes, View, conduct, disagrees, good, pairs};
use crate::question::{Asker, Kind, Questions, Stage};
use crate::solver::Answer;
use crate::survey::{ANY, DEEPEST, HERE, READING, Surveys, lane_sort};

/// A question of more alternatives than this is put as it is.
const MOST_PARTS: usize = 8;

/// A state of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// The loop is entered.
    Start,
    /// A round begins, in any state that the invariant allows.
    Before,
    /// That round is over.
    After,
}

/// A part of the function with the loop; the other function belongs to what is after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Before,
    Round,
    After,
}

pub(super) struct Ground<'f, 'q> {
    pub pool: Pool,
    /// Any lane, and any other, or the same.
    pub lane: Term,
    pub other: Term,
    world: World<'f>,
    source: Side<'f>,
    target: Side<'f>,
    target_loops: bool,
    outputs: bool,
    facts: Vec<Term>,
    /// What is presumed of the source, by part.
    presumed: HashMap<u8, Vec<Term>>,
    /// Slots that something hangs on.
    used: Vec<usize>,
    plan: Plan,
    limits: &'q Limits,
    questions: &'q Questions,
    /// What the solver took.
    spent: &'q mut Duration,
}

impl<'f, 'q> Ground<'f, 'q> {
    pub(super) fn new(
        problem: &Problem<'f>,
        sizes: &Sizes,
        limits: &'q Limits,
        questions: &'q Questions,
        spent: &'q mut Duration,
    ) -> Result<Self, DenoteError> {
        let not_modelled = |what: &str| Err(DenoteError::NotModelled(what.into()));
        let Some(target) = problem.target else {
            return not_modelled("a property of a loop, by induction,");
        };
        let target_loops = target.cut.is_some();
        if target_loops == problem.source.cut.is_some() {
            return not_modelled("an induction over two loops");
        }
        let mut pool = Pool::new();
        let mut facts = Vec::new();
        let size = subgroup_size(&mut pool, sizes, &mut facts);
        let max_size = if problem.kernel { max_size(&mut pool, size, &mut facts) } else { size };
        let existing = existing_lanes(&mut pool, problem.partial, size, &mut facts);
        let mut surveys = Surveys::new(true);
        let active = if problem.all_active {
            active_lanes(&mut pool, problem, sizes, existing, &mut facts)
        } else {
            let set = pool.fresh("ActiveLanes", Sort::Bits(LARGEST));
            facts.extend(surveys.all_exist(&mut pool, set, existing)?);
            set
        };
        let (inputs, _) = inputs(&mut pool, problem.source, false, &BTreeSet::new());
        let lane = pool.fresh("lane", lane_sort());
        let other = pool.fresh("other", lane_sort());
        surveys.focus = vec![lane, other];
        let memories = memory_claim::memories(&mut pool, &[], |_| None);
        let world = World {
            specification: problem.specification,
            settled: problem.settled,
            size,
            max_size,
            existing,
            place: Place::any(&mut pool),
            active,
            bound: sizes.largest(),
            inputs,
            memories,
            folds: Folds::new(true),
            surveys,
            deadline: limits.deadline(),
        };
        let plan = Plan {
            sizes: sizes.clone(),
            view: View::Surveyed,
            tags: false,
            laws: true,
            joint: false,
            share: 1,
        };
        let mut ground = Self {
            pool,
            lane,
            other,
            world,
            source: Side::new(problem.source, "source"),
            target: Side::new(target, "target"),
            target_loops,
            outputs: problem.outputs,
            facts,
            presumed: HashMap::new(),
            used: Vec::new(),
            plan,
            limits,
            questions,
            spent,
        };
        ground.used = ground.slots_in_use()?;
        Ok(ground)
    }

    pub(super) fn target_loops(&self) -> bool {
        self.target_loops
    }

    /// What this does not carry, if something of the kind was met.
    pub(super) fn out_of_scope(&self) -> Option<&'static str> {
        let touches = |side: &Side<'_>| !side.flat.accesses.is_empty();
        if touches(&self.source) || touches(&self.target) {
            return Some("memory beside a loop, by induction, is not modelled");
        }
        if !self.source.choices.is_empty() {
            return Some("a source with choices beside a loop, by induction, is not modelled");
        }
        if self.target.opened().next().is_some() {
            return Some("a result that is left open, by induction, is not modelled");
        }
        if !self.world.folds.is_empty() {
            return Some("a reduction over lanes by number, by induction, is not modelled");
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

    /// Nothing refutes that `bad` is never met where the hypotheses hold. That the source
    /// behaves is long to say and mostly beside the point, so it is asked without that first, and
    /// in brief before that.
    pub(super) fn excluded(
        &mut self,
        stage: Stage,
        known: &[Term],
        source_behaves: &[Term],
        bad: Term,
    ) -> Result<bool, DenoteError> {
        for bad in self.parts(bad) {
            if !self.one_excluded(stage, known, source_behaves, bad)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Terms of which one holds where `bad` does: each has its own lanes to look at.
    fn parts(&mut self, bad: Term) -> Vec<Term> {
        let Node::And(list) = self.pool.node(bad) else { return vec![bad] };
        let list = list.to_vec();
        let several = list.iter().find_map(|&it| match self.pool.node(it) {
            Node::Or(ways) => Some((it, ways.to_vec())),
            _ => None,
        });
        let Some((choice, ways)) = several.filter(|(_, ways)| ways.len() <= MOST_PARTS) else {
            return vec![bad];
        };
        let rest: Vec<Term> = list.into_iter().filter(|&it| it != choice).collect();
        let part = |way| self.pool.all(rest.iter().copied().chain([way]));
        ways.into_iter().map(part).collect()
    }

    fn one_excluded(
        &mut self,
        stage: Stage,
        known: &[Term],
        source_behaves: &[Term],
        bad: Term,
    ) -> Result<bool, DenoteError> {
        let mut terms = known.to_vec();
        terms.push(bad);
        self.world.surveys.brief = true;
        let brief = self.ask(stage, &terms);
        self.world.surveys.brief = false;
        let (mut answer, mut said) = brief?;
        let says = |term: &Term| self.pool.bool_of(*term) != Some(true);
        let behaves: Vec<Term> = source_behaves.iter().copied().filter(says).collect();
        for more in [Vec::new(), behaves] {
            if !matches!(answer, Answer::Sat(_)) {
                break;
            }
            terms.extend(&more);
            let asked = self.instances(&terms)?;
            if asked.len() > said {
                said = asked.len();
                answer = self.put(stage, &asked);
            }
        }
        match answer {
            Answer::Unsat => Ok(true),
            Answer::Sat(_) => Ok(false),
            Answer::Unknown(_) if self.limits.over().is_some() => Err(DenoteError::OutOfTime),
            Answer::Unknown(_) => Ok(false),
        }
    }

    /// The hypotheses do not exclude each other, as far as instances tell.
    pub(super) fn satisfiable(&mut self, hypotheses: &[Term]) -> Result<bool, DenoteError> {
        let (answer, _) = self.ask(Stage::Met, hypotheses)?;
        Ok(matches!(answer, Answer::Sat(_)))
    }

    /// The answer, and how much was said.
    fn ask(&mut self, stage: Stage, asked: &[Term]) -> Result<(Answer, usize), DenoteError> {
        let asked = self.instances(asked)?;
        Ok((self.put(stage, &asked), asked.len()))
    }

    /// What is asked, with all that is known of what it is about.
    fn instances(&mut self, asked: &[Term]) -> Result<Vec<Term>, DenoteError> {
        if !self.world.folds.lawful(&mut self.pool, &self.world.surveys.operators) {
            let what = "a reduction whose operator is no commutative monoid";
            return Err(DenoteError::NotModelled(what.into()));
        }
        let deadline = self.limits.deadline();
        self.world.deadline = deadline;
        let mut terms = [&self.facts, asked].concat();
        let (surveys, active) = (&self.world.surveys, self.world.active);
        let lane = Some(self.lane);
        instantiated(&mut self.pool, surveys, &mut terms, active, lane, deadline)?;
        Ok(terms)
    }

    fn put(&mut self, stage: Stage, asked: &[Term]) -> Answer {
        let mut asker = Asker::new(self.questions, &self.plan, self.limits);
        let answer = asker.put(&self.pool, Kind::Induction(stage), asked);
        *self.spent += asker.spent;
        answer
    }

    fn looping(&self) -> &'f Flat {
        if self.target_loops { self.target.flat } else { self.source.flat }
    }

    fn cut(&self) -> Result<&'f Cut, DenoteError> {
        let cut = self.looping().cut.as_ref();
        cut.ok_or_else(|| DenoteError::Specification("no loop is cut open".into()))
    }

    fn slot(&self, slot: usize) -> Result<&'f Slot, DenoteError> {
        let slot = self.cut()?.slots.get(slot);
        slot.ok_or_else(|| DenoteError::Specification("no such slot".into()))
    }

    fn encoder(&mut self) -> Encoder<'_, 'f, 'f> {
        let side = if self.target_loops { &mut self.target } else { &mut self.source };
        Encoder { pool: &mut self.pool, world: &mut self.world, side }
    }

    fn activity(&mut self, activity: ActivityId, lane: Term) -> Result<Term, DenoteError> {
        self.encoder().activity(activity, lane)
    }

    /// A lane enters the functions.
    pub(super) fn enters(&mut self, lane: Term) -> Term {
        let active = self.pool.bit(self.world.active, lane);
        let exists = self.pool.less(lane, self.world.existing);
        self.pool.and(active, exists)
    }

    /// A lane enters the loop.
    pub(super) fn entered(&mut self, lane: Term) -> Result<Term, DenoteError> {
        let entered = self.cut()?.entered;
        let entered = self.activity(entered, lane)?;
        let enters = self.enters(lane);
        Ok(self.pool.and(enters, entered))
    }

    /// A lane is at the header.
    pub(super) fn live(&mut self, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        let entered = self.entered(lane)?;
        let live = match (moment, self.cut()?.back) {
            (Moment::Start, _) => return Ok(entered),
            (Moment::After, None) => return Ok(self.pool.bool(false)),
            (Moment::After, Some(back)) => self.activity(back, lane)?,
            (Moment::Before, _) => self.encoder().live(lane)?,
        };
        Ok(self.pool.and(entered, live))
    }

    /// What a lane holds.
    pub(super) fn held(
        &mut self,
        moment: Moment,
        slot: usize,
        lane: Term,
    ) -> Result<Vec<Leaf>, DenoteError> {
        let slot = self.slot(slot)?;
        let value = match moment {
            Moment::Start => slot.initial.unwrap_or(slot.held),
            Moment::Before => slot.held,
            Moment::After => slot.next,
        };
        self.encoder().leaves(value, lane)
    }

    /// The slots that candidates speak of.
    pub(super) fn slots(&self) -> Vec<usize> {
        self.used.clone()
    }

    fn ty(&self, slot: usize) -> Option<&'f Type> {
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

    /// Some leaf is defined in one and not so, or another, in the other.
    pub(super) fn differ(&mut self, a: &[Leaf], b: &[Leaf]) -> Term {
        let mut differ = Vec::new();
        for (a, b) in a.iter().zip(b) {
            let same_mark = self.pool.equal(a.undefined, b.undefined);
            let same_bits = self.pool.equal(a.bits, b.bits);
            let either = self.pool.or(a.undefined, same_bits);
            let same = self.pool.and(same_mark, either);
            differ.push(self.pool.not(same));
        }
        self.pool.any(differ)
    }

    fn results(&mut self, lane: Term) -> Result<Vec<(Leaf, Leaf)>, DenoteError> {
        let outputs = self.outputs;
        let (source, target) = (&mut self.source, &mut self.target);
        pairs(&mut self.pool, &mut self.world, source, target, lane, outputs)
    }

    /// The results of a lane disagree, by what it holds.
    pub(super) fn disagrees(&mut self, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        let mut differ = Vec::new();
        for (expected, found) in self.results(lane)? {
            differ.push(disagrees(&mut self.pool, expected, found)?);
        }
        let differ = self.pool.any(differ);
        if moment == Moment::Before {
            return Ok(differ);
        }
        self.with_state_of(differ, moment, &[lane])
    }

    /// A term about what some lanes hold when a round begins, about what they hold then.
    fn with_state_of(
        &mut self,
        term: Term,
        moment: Moment,
        lanes: &[Term],
    ) -> Result<Term, DenoteError> {
        let mut replacements = HashMap::new();
        for slot in 0..self.cut()?.slots.len() {
            for &lane in lanes {
                let before = self.held(Moment::Before, slot, lane)?;
                let there = self.held(moment, slot, lane)?;
                for (before, there) in before.iter().zip(there) {
                    replacements.insert(before.bits, there.bits);
                    replacements.insert(before.undefined, there.undefined);
                }
            }
        }
        replacements.retain(|before, _| self.pool.constant(*before).is_none());
        Ok(self.pool.substitute(term, &replacements))
    }

    /// A term about a round, about the state at another moment; `None` unless it hangs on nothing
    /// of the round but what these lanes hold. What is drawn in it, who is at the header and what
    /// others hold is otherwise in the next.
    pub(super) fn at_moment(
        &mut self,
        term: Term,
        moment: Moment,
        lanes: [Term; 2],
    ) -> Result<Option<Term>, DenoteError> {
        let state = self.state_symbols();
        let looping = if self.target_loops { &self.target } else { &self.source };
        let drawn: HashSet<Symbol> = looping.choices.iter().map(|open| open.symbol).collect();
        let live = looping.live;
        let direct: HashSet<Term> = self.pool.reachable(&[term]).into_iter().collect();
        let passes = self.below(&[term]).into_iter().any(|it| match *self.pool.node(it) {
            Node::Apply(symbol, at) => {
                let held_here = direct.contains(&it) && lanes.contains(&at);
                drawn.contains(&symbol)
                    || live == Some(symbol)
                    || (state.contains(&symbol) && !held_here)
            }
            _ => false,
        });
        match (passes, moment) {
            (true, _) => Ok(None),
            (false, Moment::Before) => Ok(Some(term)),
            (false, _) => self.with_state_of(term, moment, &lanes).map(Some),
        }
    }

    /// A slot in the place of the result.
    pub(super) fn slot_disagrees(
        &mut self,
        moment: Moment,
        slot: usize,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let held = self.held(moment, slot, lane)?;
        let mut differ = Vec::new();
        for ((expected, found), held) in self.results(lane)?.into_iter().zip(held) {
            let (expected, found) =
                if self.target_loops { (expected, held) } else { (held, found) };
            differ.push(disagrees(&mut self.pool, expected, found)?);
        }
        Ok(self.pool.any(differ))
    }

    /// A slot has the shape of the result.
    pub(super) fn fits_result(&mut self, slot: usize) -> Result<bool, DenoteError> {
        let lane = self.lane;
        let held = self.held(Moment::Before, slot, lane)?;
        let results = self.results(lane)?;
        let sorts = |pool: &Pool, leaf: &Leaf| pool.sort(leaf.bits);
        Ok(held.len() == results.len()
            && held.iter().zip(&results).all(|(held, (expected, found))| {
                let sort = sorts(&self.pool, held);
                sort == sorts(&self.pool, expected) && sort == sorts(&self.pool, found)
            }))
    }

    /// The slot that is returned as it is.
    pub(super) fn returned_slot(&mut self) -> Result<Option<usize>, DenoteError> {
        let lane = self.lane;
        let results = self.results(lane)?;
        let target_loops = self.target_loops;
        let of_loop: Vec<Leaf> =
            results.iter().map(|it| if target_loops { it.1 } else { it.0 }).collect();
        for slot in self.slots() {
            if self.held(Moment::Before, slot, lane)? == of_loop {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// What is returned hangs on what this lane holds, not on what others do.
    pub(super) fn result_is_local(&mut self) -> Result<bool, DenoteError> {
        let lane = self.lane;
        let of_lane = self.disagrees(Moment::Before, lane)?;
        Ok(self.at_moment(of_lane, Moment::Before, [lane, lane])?.is_some())
    }

    /// The symbols of the loop's state.
    fn state_symbols(&self) -> HashSet<Symbol> {
        let side = if self.target_loops { &self.target } else { &self.source };
        let held = side.held.values().flat_map(|&(bits, mark)| [Some(bits), mark]).flatten();
        held.chain(side.live).collect()
    }

    /// Everything below some terms, and below the surveys in them.
    fn below(&self, terms: &[Term]) -> Vec<Term> {
        let mut roots = terms.to_vec();
        let mut met: HashSet<Symbol> = HashSet::new();
        loop {
            let below = self.pool.reachable(&roots);
            let before = met.len();
            for &term in &below {
                if let Node::Apply(symbol, _) = *self.pool.node(term)
                    && let Some(survey) = self.world.surveys.definitions.get(&symbol)
                    && met.insert(symbol)
                {
                    roots.extend(match *survey {
                        Survey::Every(holds) | Survey::Set(holds) => vec![holds],
                        Survey::Fold { member, value, .. } => vec![member, value],
                    });
                }
            }
            if met.len() == before {
                return below;
            }
        }
    }

    /// The slots that the result, the conduct of the round or who leaves depends on.
    fn slots_in_use(&mut self) -> Result<Vec<usize>, DenoteError> {
        let lane = self.lane;
        let mut roots = vec![
            self.disagrees(Moment::Before, lane)?,
            self.live(Moment::After, lane)?,
            self.bad(Part::Round)?,
            self.bad(Part::After)?,
        ];
        let mut used: Vec<usize> = Vec::new();
        loop {
            let side = if self.target_loops { &self.target } else { &self.source };
            let slots: HashMap<Symbol, usize> = side
                .held
                .iter()
                .flat_map(|(&(slot, _), &(bits, mark))| {
                    [Some(bits), mark].into_iter().flatten().map(move |symbol| (symbol, slot))
                })
                .collect();
            let before = used.len();
            for term in self.below(&roots) {
                if let Node::Apply(symbol, _) = *self.pool.node(term)
                    && let Some(&slot) = slots.get(&symbol)
                    && !used.contains(&slot)
                {
                    used.push(slot);
                }
            }
            if used.len() == before {
                used.sort_unstable();
                return Ok(used);
            }
            for slot in used[before..].iter().copied() {
                for leaf in self.held(Moment::After, slot, lane)? {
                    roots.extend([leaf.bits, leaf.undefined]);
                }
            }
        }
    }

    /// The first or last lanes of sets that a round looks for, and the lane that stands for any.
    pub(super) fn named_lanes(&mut self) -> Result<Vec<Term>, DenoteError> {
        let lane = self.lane;
        let mut roots = vec![self.live(Moment::After, lane)?];
        for slot in self.slots() {
            for leaf in self.held(Moment::After, slot, lane)? {
                roots.extend([leaf.bits, leaf.undefined]);
            }
        }
        let mut named = vec![lane];
        for term in self.below(&roots) {
            if looks_for(self.pool.node(term)) && self.is_closed(term) {
                named.push(term);
            }
        }
        Ok(named)
    }

    /// No lane of a survey's definition is in it.
    fn is_closed(&mut self, term: Term) -> bool {
        let below = self.pool.reachable(&[term]);
        let mut lanes = (READING..=READING + DEEPEST).chain([ANY, HERE]);
        lanes.all(|index| !below.contains(&self.pool.placeholder(index, lane_sort())))
    }

    /// With membership in surveyed sets written out.
    pub(super) fn written_out(&mut self, term: Term) -> Term {
        let mut replacements = HashMap::new();
        for it in self.pool.reachable(&[term]) {
            let Node::Bit(set, lane) = *self.pool.node(it) else { continue };
            let Node::Apply(symbol, here) = *self.pool.node(set) else { continue };
            if let Some(&Survey::Set(holds)) = self.world.surveys.definitions.get(&symbol) {
                let places = HashMap::from([
                    (self.pool.placeholder(ANY, lane_sort()), lane),
                    (self.pool.placeholder(HERE, lane_sort()), here),
                ]);
                let member = self.pool.substitute(holds, &places);
                replacements.insert(it, member);
            }
        }
        self.pool.substitute(term, &replacements)
    }

    /// The term for a lane that is at the header.
    pub(super) fn assuming_live(&mut self, term: Term, lane: Term) -> Result<Term, DenoteError> {
        let live = self.live(Moment::Before, lane)?;
        let parts = match self.pool.node(live) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![live],
        };
        let mut replacements = HashMap::new();
        for part in parts {
            let (part, holds) = match *self.pool.node(part) {
                Node::Not(fails) => (fails, false),
                _ => (part, true),
            };
            replacements.insert(part, self.pool.bool(holds));
        }
        Ok(self.pool.substitute(term, &replacements))
    }

    /// The term for a lane that holds nothing undefined.
    pub(super) fn assuming_defined(&mut self, term: Term, lane: Term) -> Result<Term, DenoteError> {
        let mut replacements = HashMap::new();
        for slot in 0..self.cut()?.slots.len() {
            for leaf in self.held(Moment::Before, slot, lane)? {
                if self.pool.bool_of(leaf.undefined).is_none() {
                    replacements.insert(leaf.undefined, self.pool.bool(false));
                }
            }
        }
        Ok(self.pool.substitute(term, &replacements))
    }

    /// The term with another lane in the place of those that it looks for.
    pub(super) fn with_named(&mut self, term: Term, lane: Term) -> Term {
        let replacements: HashMap<Term, Term> = self
            .pool
            .reachable(&[term])
            .into_iter()
            .filter(|&it| looks_for(self.pool.node(it)) && self.pool.sort(it) == lane_sort())
            .map(|it| (it, lane))
            .collect();
        self.pool.substitute(term, &replacements)
    }

    /// What a side does in a lane that must not be: silence, and undefined behavior and false
    /// assumptions of the target.
    pub(super) fn bad(&mut self, part: Part) -> Result<Term, DenoteError> {
        let mut bad = Vec::new();
        let lane = self.lane;
        for of_target in [false, true] {
            let side = if of_target { &mut self.target } else { &mut self.source };
            let Some(events) = events(side.flat, part) else { continue };
            let conduct = conduct(&mut self.pool, &mut self.world, side, lane, events)?;
            bad.extend(conduct.silence.iter().map(|it| it.condition));
            if of_target {
                for condition in good(&mut self.pool, &conduct) {
                    bad.push(self.pool.not(condition));
                }
            }
        }
        let entered = self.enters(lane);
        let bad = self.pool.any(bad);
        Ok(self.pool.and(entered, bad))
    }

    /// That the source behaves in all lanes, as far as it has come.
    pub(super) fn source_behaves(&mut self, part: Part) -> Result<Vec<Term>, DenoteError> {
        if let Some(known) = self.presumed.get(&(part as u8)) {
            return Ok(known.clone());
        }
        let parts: &[Part] = match (part, self.target_loops) {
            // A source without a loop behaves as a whole, or the state does not count.
            (_, true) => &[Part::After],
            (Part::Before, false) => &[Part::Before],
            (Part::Round, false) => &[Part::Before, Part::Round],
            (Part::After, false) => &[Part::Before, Part::After],
        };
        let Some(any) = self.world.surveys.enter(&mut self.pool) else { return Ok(Vec::new()) };
        let mut conditions = Vec::new();
        for &part in parts {
            let Some(events) = events(self.source.flat, part) else { continue };
            let (world, side) = (&mut self.world, &mut self.source);
            let conduct = conduct(&mut self.pool, world, side, any, events)?;
            conditions.extend(good(&mut self.pool, &conduct));
        }
        let mut behaves = Vec::new();
        for condition in conditions {
            behaves.push(self.everywhere(any, condition)?);
        }
        self.world.surveys.leave();
        self.presumed.insert(part as u8, behaves.clone());
        Ok(behaves)
    }

    /// That a condition on the lane `any` holds in all.
    fn everywhere(&mut self, any: Term, condition: Term) -> Result<Term, DenoteError> {
        let nowhere = self.pool.bits(0, 32);
        self.everywhere_from(any, nowhere, condition)
    }

    fn everywhere_from(
        &mut self,
        any: Term,
        here: Term,
        condition: Term,
    ) -> Result<Term, DenoteError> {
        let survey = Survey::Every(condition);
        let known = self.world.surveys.term(&mut self.pool, any, here, &survey)?;
        self.world.surveys.give(&self.pool, known);
        Ok(known)
    }

    /// That something holds of any lane.
    pub(super) fn of_any_lane(
        &mut self,
        holds: impl FnOnce(&mut Self, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let none = || DenoteError::Specification("no surveys".into());
        let any = self.world.surveys.enter(&mut self.pool).ok_or_else(none)?;
        let condition = holds(self, any)?;
        let of_all = self.everywhere(any, condition)?;
        self.world.surveys.leave();
        Ok(of_all)
    }

    /// The same, of use at the lanes that questions are about.
    pub(super) fn of_focus(
        &mut self,
        holds: impl FnOnce(&mut Self, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let known = self.of_any_lane(holds)?;
        self.world.surveys.give_to_focus(&self.pool, known);
        Ok(known)
    }

    /// That something holds of any two lanes.
    pub(super) fn of_any_two(
        &mut self,
        holds: impl FnOnce(&mut Self, Term, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let none = || DenoteError::Specification("no surveys".into());
        let i = self.world.surveys.enter(&mut self.pool).ok_or_else(none)?;
        let j = self.world.surveys.enter(&mut self.pool).ok_or_else(none)?;
        let condition = holds(self, i, j)?;
        let of_one = self.everywhere_from(j, i, condition)?;
        self.world.surveys.leave();
        let of_all = self.everywhere(i, of_one)?;
        self.world.surveys.leave();
        Ok(of_all)
    }

    /// The loop is over.
    pub(super) fn nobody_is_live(&mut self) -> Result<Term, DenoteError> {
        self.of_any_lane(|ground, any| {
            let live = ground.live(Moment::Before, any)?;
            Ok(ground.pool.not(live))
        })
    }
}

/// The events of a part of a function. One without a loop is a part of what is after it.
fn events(flat: &Flat, part: Part) -> Option<std::ops::Range<usize>> {
    let all = flat.events.len();
    match (&flat.cut, part) {
        (None, Part::After) => Some(0..all),
        (None, _) => None,
        (Some(cut), Part::Before) => Some(0..cut.round.start),
        (Some(cut), Part::Round) => Some(cut.round.clone()),
        (Some(cut), Part::After) => Some(cut.round.end..all),
    }
}
