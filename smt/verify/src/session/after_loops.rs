//! The strategy `after-loops`: differences outside of two loops.
//!
//! Loops may take more iterations than are unrolled, and a difference may be observable only after
//! them. So the loops are cut open and taken to be over, leaving arbitrary values that are equal on
//! both sides, as two versions of one loop mostly do. A state in which the functions still differ
//! is a candidate that the interpreter, which runs the loops, confirms or rejects.

use std::time::Instant;

use laneproof_ask::QuestionKind;
use laneproof_encode::{Content, EncodingPlan, InputLeaf, SizeSet};
use laneproof_lower::Flat;
use laneproof_obligation::{Built, Problem, build};
use laneproof_outcome::Unknown;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Node, Sort, Symbol, Term};
use laneproof_solve::SolverAnswer;

use super::{Session, Step, abstraction_of};
use crate::abstraction::Abstraction;
use crate::counterexample::Counterexample;
use crate::replay::Found;
use crate::strategy::Strategy;
use crate::tried::StrategyOutcome;
use crate::unrolled::Unrolled;

/// Inputs below this are tried first, because a replay has a limited number of steps for the
/// iterations.
const FEW: u128 = 1 << 10;
/// The largest size that is tried: mostly one lane in the loop and one around it are enough.
const LARGEST: u32 = 4;

/// A refutation, and the size at which it was found.
pub(crate) type Shown = (u32, Abstraction, Box<Counterexample>);

impl Session<'_> {
    /// Searches a state in which two loops leave equal values and the functions differ, with `1 / parts`
    /// of the limit for each query.
    pub(crate) fn differs_after_loops(
        &mut self,
        cut: &Unrolled,
        sizes: &[u32],
        parts: u32,
    ) -> Option<Shown> {
        let loops = |flat: &Flat| flat.cut.is_some();
        if self.is_pure() || !loops(&cut.source) || !cut.target.as_ref().is_some_and(loops) {
            return None;
        }
        for &size in sizes.iter().filter(|size| **size <= LARGEST) {
            let begun = Instant::now();
            let found = self.differs_at(cut, size, parts);
            let outcome = match &found {
                Ok(Some(_)) => StrategyOutcome::Refuted,
                Ok(None) => StrategyOutcome::GaveUp(Unknown::incomplete("no such state was found")),
                Err(error) => StrategyOutcome::GaveUp(error.clone().into()),
            };
            self.note(Strategy::AfterLoops, &SizeSet::One(size), begun, outcome);
            if let Ok(Some((abstraction, found))) = found {
                return Some((size, abstraction, found));
            }
        }
        None
    }

    fn differs_at(
        &mut self,
        cut: &Unrolled,
        size: u32,
        parts: u32,
    ) -> Result<Option<(Abstraction, Box<Counterexample>)>, DenoteError> {
        let plan = EncodingPlan::per_lane(SizeSet::One(size), false);
        self.effort.limits.divide(parts);
        let problem = Problem {
            source: &cut.source,
            target: cut.target.as_ref(),
            shapes: &cut.shapes,
            ..self.problem
        };
        let mut built = build(&problem, &plan, self.effort.limits.deadline())?;
        let mut assertions = built.states.known.clone();
        let bad = built.pool.or(built.asks.target_fails, built.asks.disagrees);
        assertions.extend([
            built.asks.source_legal,
            built.asks.source_behaves,
            bad,
            built.states.small,
        ]);
        assertions.extend(over_alike(&mut built, cut));
        let few = few(&mut built, &assertions);
        for more in [few, Vec::new()] {
            let asked = [assertions.as_slice(), &more].concat();
            let abstraction = abstraction_of(&built, &plan, false);
            if let SolverAnswer::Sat(model) =
                self.ask(&built, &plan, QuestionKind::AfterLoops, &asked)
                && let Step::Refuted(abstraction, found) =
                    self.candidate(&mut built, &plan, &model, abstraction, Found::ForSomeChoice)
            {
                return Ok(Some((abstraction, found)));
            }
        }
        Ok(None)
    }
}

/// No lane is in a loop, and slots of one type are equal on both sides, in their order, and
/// defined.
fn over_alike(built: &mut Built<'_>, cut: &Unrolled) -> Vec<Term> {
    let mut all = Vec::new();
    let Some((target, flat)) = built.target.as_ref().zip(cut.target.as_ref()) else { return all };
    let (source, pool) = (&built.source, &mut built.pool);
    let types = |flat: &Flat, slot: usize| {
        let slot = flat.cut.as_ref().and_then(|cut| cut.slots.get(slot));
        slot.map(|slot| flat.ty(slot.held).clone())
    };
    for number in 0..built.entry.bound {
        let lane = pool.bits(u128::from(number), 32);
        for live in [source.header.live, target.header.live].into_iter().flatten() {
            let live = pool.apply(live, lane);
            all.push(pool.not(live));
        }
        for (&(slot, leaf), &(bits, mark)) in &source.header.held {
            let Some(&(other, other_mark)) = target.header.held.get(&(slot, leaf)) else {
                continue;
            };
            if types(&cut.source, slot) != types(flat, slot) {
                continue;
            }
            let [one, other] = [bits, other].map(|bits| pool.apply(bits, lane));
            all.push(pool.equal(one, other));
            for mark in [mark, other_mark].into_iter().flatten() {
                let undefined = pool.apply(mark, lane);
                all.push(pool.not(undefined));
            }
        }
    }
    all
}

/// Inputs are small, in parameters and in memory.
fn few(built: &mut Built<'_>, roots: &[Term]) -> Vec<Term> {
    let parameters = built.entry.inputs.iter().flatten().filter_map(|leaf| match leaf {
        InputLeaf::PerLane(symbol) | InputLeaf::Uniform(symbol) => Some(*symbol),
        _ => None,
    });
    let contents = built.entry.memories.values().filter_map(|memory| match memory.content {
        Content::Free(symbol) => Some(symbol),
        Content::Moved(_) => None,
    });
    let given: Vec<Symbol> = parameters.chain(contents).collect();
    let pool = &mut built.pool;
    let mut all = Vec::new();
    for term in pool.reachable(roots) {
        let (Node::Apply(symbol, _) | Node::Variable(symbol)) = *pool.node(term) else { continue };
        let Sort::Bits(width) = pool.sort(term) else { continue };
        if given.contains(&symbol) && 1u128.checked_shl(width).is_none_or(|end| end > FEW) {
            let end = pool.bits(FEW, width);
            all.push(pool.less(term, end));
        }
    }
    all
}
