//! Refinement stated in conjuncts, lane by lane, then for all lanes together.

use std::ops::Range;
use std::time::Instant;

use laneproof_encode::{
    EncodedSide, EncodingPlan, GuardedConsequence, World, effects, good, relation,
};
use laneproof_lower::Flat;
use laneproof_semantics::denote::{DenoteError, LaneQuantifier, Leaf};
use laneproof_semantics::term::{Pool, Term};

use crate::built::Conditions;
use crate::claim::{self, ObligationBuilder};
use crate::compared::{pairs, property};
use crate::disagreement::disagrees;
use crate::instances::instantiated;
use crate::precedence::Precedence;
use crate::problem::Problem;

/// Builds refinement: the state, both sides, and the conjuncts so far.
pub(crate) struct Statement<'p, 'f> {
    pub(crate) problem: &'p Problem<'f>,
    pub(crate) plan: &'p EncodingPlan,
    pub(crate) pool: Pool,
    pub(crate) world: World<'f>,
    pub(crate) source: EncodedSide<'f>,
    pub(crate) target: Option<EncodedSide<'f>>,
    pub(crate) conjuncts: Conjuncts,
}

/// The conjuncts, by part; Boolean terms.
#[derive(Default)]
pub(crate) struct Conjuncts {
    /// The source must meet all of these.
    behaves: Vec<Term>,
    /// The target misbehaves where one of these holds.
    fails: Vec<Term>,
    /// What is asked because of other subgroups does not hold where one of these does.
    for_others: Vec<Term>,
    /// Results disagree where one of these holds.
    differs: Vec<Term>,
    /// The text is silent where one of these holds.
    pub(crate) silence: Vec<GuardedConsequence>,
    /// The target's result: lane and bits, leaf by leaf.
    pub(crate) returned: Vec<(Term, Term)>,
    /// Result leaves of source and target in the last lane.
    pub(crate) results: Vec<(Leaf, Leaf)>,
    precedence: Precedence,
    target_overruns: Vec<Term>,
}

/// The parts of refinement, each as one Boolean term.
pub(crate) struct Parts {
    pub(crate) source_behaves: Term,
    pub(crate) source_legal: Term,
    pub(crate) target_fails: Term,
    pub(crate) fails_alone: Option<Term>,
    pub(crate) disagrees: Term,
    pub(crate) overrun: Term,
}

impl Parts {
    /// The conditions of refinement; the text is silent where one of these holds.
    pub(crate) fn conditions(&self, silence: Vec<GuardedConsequence>) -> Conditions {
        Conditions {
            source_behaves: self.source_behaves,
            source_legal: self.source_legal,
            target_fails: self.target_fails,
            fails_alone: self.fails_alone,
            disagrees: self.disagrees,
            silence,
            overrun: self.overrun,
        }
    }
}

fn events_of(flat: &Flat) -> Range<usize> {
    0..flat.events.len()
}

impl Statement<'_, '_> {
    /// Adds the conjuncts about one lane.
    pub(crate) fn in_lane(&mut self, lane: Term) -> Result<(), DenoteError> {
        let Self { problem, pool, world, source, conjuncts, .. } = self;
        let of_source = effects(pool, world, source, lane, events_of(problem.source))?;
        conjuncts.precedence.note(&of_source, problem.target.is_none());
        let mut failures = Vec::new();
        let pairs = match &mut self.target {
            Some(target) => {
                conjuncts.behaves.extend(good(pool, &of_source));
                conjuncts.silence.extend(of_source.silence);
                let of_target = effects(pool, world, target, lane, events_of(target.flat))?;
                failures.extend(of_target.undefined_behavior.iter().map(|it| it.condition));
                failures.extend(of_target.broken_assumptions);
                conjuncts.silence.extend(of_target.silence);
                let overruns = of_target.overruns.iter().map(|(_, condition)| *condition);
                conjuncts.target_overruns.extend(overruns);
                pairs(pool, world, source, target, lane, problem.outputs)?
            }
            None => {
                // A property that reaches undefined behavior does not hold. A later assumption does
                // not change that.
                if of_source.assumed_late {
                    let what = "an assumption after what may be undefined behavior, in a property,";
                    return Err(DenoteError::NotModelled(what.into()));
                }
                let unmet = of_source.broken_assumptions.iter().map(|&it| pool.not(it));
                conjuncts.behaves.extend(unmet.collect::<Vec<_>>());
                failures.extend(of_source.undefined_behavior.iter().map(|it| it.condition));
                conjuncts.silence.extend(of_source.silence);
                property(pool, world, source, lane)?
            }
        };
        let entered = pool.bit(world.entry.active, lane);
        for (expected, found) in &pairs {
            conjuncts.returned.push((lane, found.bits));
            let differ = disagrees(pool, *expected, *found)?;
            conjuncts.differs.push(pool.and(entered, differ));
        }
        let failed = pool.any(failures);
        conjuncts.fails.push(pool.and(entered, failed));
        conjuncts.results = pairs;
        Ok(())
    }

    /// The source behaves in these lanes, too.
    pub(crate) fn source_behaves_in(&mut self, lanes: &[Term]) -> Result<(), DenoteError> {
        for &lane in lanes {
            let conditions = self.behaves_in(lane)?;
            self.conjuncts.behaves.extend(conditions);
        }
        Ok(())
    }

    /// The source behaves in every lane, as one quantifier, evaluated by `here`.
    pub(crate) fn source_behaves_everywhere(&mut self, here: Term) -> Result<(), DenoteError> {
        let Some(any) = self.world.quantifiers.enter(&mut self.pool) else { return Ok(()) };
        for condition in self.behaves_in(any)? {
            let quantifier = LaneQuantifier::Every(condition);
            let term = self.world.quantifiers.term(&mut self.pool, any, here, &quantifier)?;
            self.conjuncts.behaves.push(term);
        }
        self.world.quantifiers.leave();
        Ok(())
    }

    /// The conditions under which the source behaves in a lane; for a property, that it is not
    /// excused.
    fn behaves_in(&mut self, lane: Term) -> Result<Vec<Term>, DenoteError> {
        let Self { problem, pool, world, source, .. } = self;
        let mut effects = effects(pool, world, source, lane, events_of(source.flat))?;
        if problem.target.is_none() {
            effects.undefined_behavior.clear();
        }
        Ok(good(pool, &effects))
    }

    /// Adds races and the final content of memory. Returns whether a proof holds whatever other
    /// subgroups do.
    pub(crate) fn memory(&mut self, lane: Option<Term>) -> Result<bool, DenoteError> {
        let Self { problem, plan, pool, world, source, target, conjuncts } = self;
        let mut claim = ObligationBuilder {
            pool,
            world,
            joint: plan.joint,
            lane,
            view: plan.view,
            lanewise: plan.lanewise,
            traced: plan.traced,
            crowded: problem.is_crowded(&plan.sizes),
        };
        let of_memory = claim::claim(&mut claim, source, target.as_mut())?;
        conjuncts.behaves.extend(&of_memory.behaves);
        conjuncts.fails.extend(&of_memory.fails);
        conjuncts.for_others.extend(&of_memory.for_others);
        conjuncts.differs.extend(&of_memory.differs);
        Ok(of_memory.covers_others)
    }

    /// Open results are legal, as far as the `related` lanes show: a hypothesis for the target, a
    /// condition for the source.
    pub(crate) fn legal(&mut self, related: &[Term]) -> Result<(Option<Term>, Term), DenoteError> {
        let Self { pool, world, source, target, .. } = self;
        let chosen = relation(pool, world, source, related)?;
        Ok(match target {
            Some(target) => {
                let of_target = relation(pool, world, target, related)?;
                (Some(of_target.hypothesis(pool)), chosen.legal)
            }
            // A property must hold for all of its choices.
            None => (None, chosen.hypothesis(pool)),
        })
    }

    /// The conjuncts of each part.
    pub(crate) fn parts(&mut self, source_legal: Term) -> Parts {
        let Self { pool, conjuncts, .. } = self;
        let source_behaves = pool.all(std::mem::take(&mut conjuncts.behaves));
        let of_target = pool.any(std::mem::take(&mut conjuncts.target_overruns));
        let of_target = pool.and(source_behaves, of_target);
        let of_source = conjuncts.precedence.overrun(pool);
        let overrun = pool.or(of_source, of_target);
        let alone = pool.any(std::mem::take(&mut conjuncts.fails));
        let for_others = pool.any(std::mem::take(&mut conjuncts.for_others));
        let fails_alone = (pool.bool_of(for_others) != Some(false)).then_some(alone);
        let target_fails = pool.or(alone, for_others);
        let disagrees = pool.any(std::mem::take(&mut conjuncts.differs));
        Parts { source_behaves, source_legal, target_fails, fails_alone, disagrees, overrun }
    }

    /// Instantiates quantifiers over lanes, in the `state` and in all parts; returns whether any of
    /// them is a reduction.
    pub(crate) fn instantiate(
        &mut self,
        state: &mut Vec<Term>,
        parts: &mut Parts,
        lane: Option<Term>,
        deadline: Instant,
    ) -> Result<bool, DenoteError> {
        let Self { pool, world, conjuncts, .. } = self;
        let held = state.len();
        let Parts { source_behaves, source_legal, target_fails, disagrees, overrun, .. } = parts;
        let mut all = [source_behaves, source_legal, target_fails, disagrees, overrun];
        state.extend(all.iter().map(|it| **it));
        state.extend(conjuncts.silence.iter().map(|it| it.condition));
        let folds =
            instantiated(pool, &world.quantifiers, state, world.entry.active, lane, deadline)?;
        let asked: Vec<Term> =
            state.drain(held..held + all.len() + conjuncts.silence.len()).collect();
        let (of_parts, of_silence) = asked.split_at(all.len());
        for (part, &term) in all.iter_mut().zip(of_parts) {
            **part = term;
        }
        for (it, &condition) in conjuncts.silence.iter_mut().zip(of_silence) {
            it.condition = condition;
        }
        Ok(folds)
    }

    /// Drops choices that nothing depends on.
    pub(crate) fn keep_choices(&mut self, parts: &Parts) {
        let Parts { source_behaves, source_legal, target_fails, disagrees, overrun, .. } = *parts;
        let mut roots = vec![source_behaves, source_legal, target_fails, disagrees, overrun];
        roots.extend(self.conjuncts.silence.iter().map(|it| it.condition));
        self.source.keep_choices(&self.pool, &self.pool.reachable(&roots));
    }

    /// The implementation chooses which lanes of some switch are together.
    pub(crate) fn chooses_tangles(&self) -> bool {
        self.source.grouping.split
            || self.target.as_ref().is_some_and(|target| target.grouping.split)
    }
}
