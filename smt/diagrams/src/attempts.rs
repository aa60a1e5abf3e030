//! Attempts to refute conjuncts, each with what the last one learned: bits with one value, sets of states, and
//! constants whose single bits matter.

use std::collections::BTreeSet;

use laneproof_semantics::term::{Node, Pool, Term};

use crate::bdd::{Bdd, Level};
use crate::care::Saved;
use crate::evaluate::{self, Evaluator};
use crate::learned::Learned;
use crate::{Exhausted, Manner, masks};

/// If the remaining conjuncts have this many times the terms of those already evaluated, and before
/// the last one, the evaluation restarts with the bits that are found to be fixed.
const RESTART: usize = 2;

/// The most attempts, each with the facts that the last one learned.
const ATTEMPTS: usize = 6;

/// Whether no state satisfies these conjuncts where these terms have these values; with the lane that all
/// comparisons are with, if there is one. It begins with the payloads whose single bits mattered in questions
/// before it, and says which mattered in this one.
pub(crate) fn is_refuted(
    pool: &Pool,
    conjuncts: &[Term],
    literals: &[(Term, bool)],
    own_lane: Option<u32>,
    by_bits: &mut BTreeSet<Term>,
    manner: Manner,
) -> Result<bool, Exhausted> {
    let numbers = evaluate::operands_of_floats(pool, conjuncts);
    let mut learned = Learned {
        own_lane,
        classes: manner.classes,
        records: manner.records,
        ..Learned::new(masks::looked_into(pool, conjuncts, &numbers), numbers)
    };
    learned.by_bits.extend(by_bits.iter().copied());
    let mut asked_by_bits = !by_bits.is_empty();
    for _ in 0..ATTEMPTS {
        let mut evaluator = Evaluator::new(pool, conjuncts, &learned, manner.limit, manner.fault);
        let outcome = evaluator
            .learn(literals, learned.alone)
            .and_then(|()| contradiction(pool, &mut evaluator, literals, &learned));
        let looked_at = evaluator.looked_at();
        match outcome {
            Ok(Outcome::Contradiction) => {
                *by_bits = evaluator.small(learned.by_bits.clone());
                return Ok(true);
            }
            Ok(Outcome::Fixed(fixed)) => learned.fixed.extend(fixed),
            Ok(Outcome::Within(set)) => learned.care = Some(set),
            Ok(Outcome::Open) if learned.alone && evaluator.asks_numbers_alone() => {
                learned.alone = false;
            }
            Ok(Outcome::Open) if looked_at.is_subset(&learned.by_bits) => return Ok(false),
            Ok(Outcome::Open) => {
                learned.by_bits.extend(looked_at);
                asked_by_bits = true;
            }
            // Few bits may be less work than what stands for them.
            Err(Exhausted) if !asked_by_bits && !manner.limit.is_late() => {
                let small = evaluator.small(looked_at);
                if small.is_subset(&learned.by_bits) {
                    return Err(Exhausted);
                }
                learned.by_bits.extend(small);
                asked_by_bits = true;
            }
            Err(Exhausted) => return Err(Exhausted),
        }
    }
    Ok(false)
}

/// A hypothesis that takes more steps than these to be added to the others comes after the claim, which may
/// need no such one.
const HYPOTHESIS: u64 = 1 << 12;

enum Outcome {
    Contradiction,
    /// More bits turned out to have one value only.
    Fixed(Vec<(Level, bool)>),
    /// Some bits follow from others in all states.
    Within(Saved),
    Open,
}

fn contradiction(
    pool: &Pool,
    evaluator: &mut Evaluator<'_>,
    literals: &[(Term, bool)],
    learned: &Learned,
) -> Result<Outcome, Exhausted> {
    // What is simple comes first: it cuts short what is not.
    let mut ordered: Vec<(usize, Term, bool)> =
        literals.iter().map(|&(it, holds)| (pool.reachable(&[it]).len(), it, holds)).collect();
    ordered.sort_unstable();
    let (mut holds, mut done) = (Bdd::TRUE, 0);
    // What holds of the free bits alone.
    let mut of_free = Bdd::TRUE;
    let last = ordered.len().saturating_sub(1);
    let mut postponed = Vec::new();
    for (place, (terms, conjunct, value)) in ordered.into_iter().enumerate() {
        let restarts = terms > done * RESTART;
        if restarts || place == last {
            let mut fixed = evaluator.fixed_by(holds)?;
            fixed.retain(|(level, _)| !learned.fixed.contains_key(level));
            if !fixed.is_empty() {
                return Ok(Outcome::Fixed(fixed));
            }
            if restarts
                && learned.care.is_none()
                && evaluator.diagrams().links(of_free)?
                && let Some(set) = evaluator.diagrams().saved(of_free)
            {
                return Ok(Outcome::Within(set));
            }
        }
        done += terms;
        // A hypothesis that is left out makes no contradiction.
        if value && evaluator.is_spent(conjunct) {
            continue;
        }
        if value && place != last {
            match assumed(pool, evaluator, conjunct, holds)? {
                Some(both) => holds = both,
                None => {
                    postponed.push(conjunct);
                    continue;
                }
            }
            if learned.care.is_none() && !matches!(pool.node(conjunct), Node::Or(_)) {
                let truth = evaluator.truth_within(conjunct, Bdd::TRUE)?;
                of_free = evaluator.and_free(of_free, truth)?;
            }
        } else {
            holds = claimed(pool, evaluator, (conjunct, value), holds)?;
        }
        let is_choice = value && matches!(pool.node(conjunct), Node::Or(_));
        if place == last && !is_choice {
            holds = evaluator.congruent(holds)?;
        }
        if holds == Bdd::FALSE {
            return Ok(Outcome::Contradiction);
        }
        evaluator.compare_within(holds);
    }
    for conjunct in postponed {
        holds = evaluator.truth_within(conjunct, holds)?;
        holds = evaluator.congruent(holds)?;
        if holds == Bdd::FALSE {
            return Ok(Outcome::Contradiction);
        }
    }
    Ok(Outcome::Open)
}

/// The states of `holds` in which a hypothesis holds, too, unless that takes more than
/// [`HYPOTHESIS`] steps.
fn assumed(
    pool: &Pool,
    evaluator: &mut Evaluator<'_>,
    conjunct: Term,
    holds: Bdd,
) -> Result<Option<Bdd>, Exhausted> {
    let Node::Or(alternatives) = pool.node(conjunct) else {
        return evaluator.assumed_within(HYPOTHESIS, conjunct, holds);
    };
    let mut none = Bdd::TRUE;
    for &alternative in alternatives {
        let Some(alternative) = evaluator.assumed_within(HYPOTHESIS, alternative, holds)? else {
            return Ok(None);
        };
        let Some(rest) = evaluator.diagrams().and_in(HYPOTHESIS, none, !alternative)? else {
            return Ok(None);
        };
        none = rest;
    }
    Ok(Some(!none))
}

/// The states of `holds` in which a conjunct is false, or in which the claim holds; of its alternatives one is
/// enough that shows that there are some.
fn claimed(
    pool: &Pool,
    evaluator: &mut Evaluator<'_>,
    (conjunct, value): (Term, bool),
    holds: Bdd,
) -> Result<Bdd, Exhausted> {
    let alternatives = match pool.node(conjunct) {
        _ if !value => {
            let truth = evaluator.truth_within(conjunct, Bdd::TRUE)?;
            return evaluator.diagrams().and(holds, !truth);
        }
        Node::Or(alternatives) => alternatives,
        _ => return evaluator.truth_within(conjunct, holds),
    };
    let mut any = Bdd::FALSE;
    for &alternative in alternatives {
        let mut alternative = evaluator.truth_within(alternative, holds)?;
        if any == Bdd::FALSE {
            alternative = evaluator.congruent(alternative)?;
        }
        if alternative != Bdd::FALSE {
            any = alternative;
        }
    }
    Ok(any)
}
