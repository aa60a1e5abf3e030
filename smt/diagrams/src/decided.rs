//! Conditions on sets of lanes that have one value in all states of a question: that a lane which was looked up
//! in a ballot is active, say. Each is replaced by its value, and of those that hold in the same states one
//! takes the place of all. Terms then have the shape that the laws of the pool look for.
//!
//! The conjuncts by which the values are known stay as they are. So a state of the question is one of the new
//! question: there, each condition has the value of what took its place.

use std::collections::{BTreeSet, HashMap};

use laneproof_semantics::term::{Node, Pool, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bdd::Bdd;
use crate::evaluate::Evaluator;
use crate::learned::Learned;
use crate::{BrokenLaw, Exhausted, StepLimit, masks};

/// What replaces a condition is simplified, and then more may be decided.
const ROUNDS: u32 = 4;

/// The question without the conditions that are decided, if there are any.
///
/// # Errors
///
/// [`Exhausted`] when `limit` was reached.
pub(crate) fn decided(
    pool: &Pool,
    conjuncts: &[Term],
    limit: StepLimit,
    fault: Option<BrokenLaw>,
) -> Result<Option<(Pool, Vec<Term>)>, Exhausted> {
    let by_bits = masks::looked_into(pool, conjuncts, &FxHashSet::default());
    let of_sets = of_sets(pool, &pool.reachable(conjuncts), &by_bits);
    let (known, mut others): (Vec<Term>, Vec<Term>) =
        conjuncts.iter().partition(|it| of_sets.contains(it));
    if others.is_empty() {
        return Ok(None);
    }
    let mut found = None;
    for _ in 0..ROUNDS {
        let pool = found.as_ref().map_or(pool, |(pool, _)| pool);
        let Some(replaced) = replaced(pool, [&known, &others], &by_bits, limit, fault)? else {
            break;
        };
        let mut pool = replaced.pool;
        pool.substitute_in(&mut others, &replaced.by);
        found = Some((pool, others.clone()));
    }
    Ok(found.map(|(pool, others)| (pool, [others, known].concat())))
}

/// What takes the place of conditions.
struct Replaced {
    pool: Pool,
    by: HashMap<Term, Term>,
}

fn replaced(
    pool: &Pool,
    [known, others]: [&[Term]; 2],
    by_bits: &BTreeSet<Term>,
    limit: StepLimit,
    fault: Option<BrokenLaw>,
) -> Result<Option<Replaced>, Exhausted> {
    let terms = pool.reachable(others);
    let of_sets = of_sets(pool, &terms, by_bits);
    // Bits have the same variables for the same roots only.
    let roots: Vec<Term> = known.iter().chain(&of_sets).copied().collect();
    let mut learned = Learned::new(by_bits.clone(), FxHashSet::default());
    let fixed = {
        let roots = if fault == Some(BrokenLaw::FixedElsewhere) { known } else { &roots };
        let mut evaluator = Evaluator::new(pool, roots, &learned, limit, fault);
        let holds = all(&mut evaluator, known)?;
        evaluator.fixed_by(holds)?
    };
    learned.fixed.extend(fixed);
    let mut evaluator = Evaluator::new(pool, &roots, &learned, limit, fault);
    let holds = all(&mut evaluator, known)?;
    let mut by = HashMap::new();
    let mut first: FxHashMap<Bdd, Term> = FxHashMap::default();
    let mut decided = pool.clone();
    for term in terms {
        let whole = of_sets.contains(&term);
        let (where_it_holds, where_not) = match pool.node(term) {
            Node::Bool(_) | Node::Not(_) => continue,
            Node::And(list) if !whole => {
                (within(&mut evaluator, list, &of_sets, holds, true)?, holds)
            }
            Node::Or(list) if !whole => {
                (holds, within(&mut evaluator, list, &of_sets, holds, false)?)
            }
            _ if !whole || pool.sort(term) != Sort::Bool => continue,
            _ => {
                let list = &[term];
                let where_not = within(&mut evaluator, list, &of_sets, holds, false)?;
                (within(&mut evaluator, list, &of_sets, holds, true)?, where_not)
            }
        };
        let same = match (where_it_holds, where_not) {
            (Bdd::FALSE, _) => decided.bool(false),
            (_, Bdd::FALSE) => decided.bool(true),
            _ if whole && fault == Some(BrokenLaw::DecidedSomewhere) => decided.bool(true),
            // What is in which order is told by the comparison alone.
            _ if !whole || matches!(pool.node(term), Node::Compare(..)) => continue,
            _ => match (first.get(&where_it_holds), first.get(&where_not)) {
                (Some(&same), _) => same,
                (None, Some(&opposite)) => decided.not(opposite),
                (None, None) => {
                    first.insert(where_it_holds, term);
                    continue;
                }
            },
        };
        by.insert(term, same);
    }
    Ok((!by.is_empty()).then_some(Replaced { pool: decided, by }))
}

/// Where those of some conditions that are about sets all have this value, of the states of `holds`.
fn within(
    evaluator: &mut Evaluator<'_>,
    list: &[Term],
    of_sets: &FxHashSet<Term>,
    holds: Bdd,
    value: bool,
) -> Result<Bdd, Exhausted> {
    let mut within = holds;
    for &part in list.iter().filter(|it| of_sets.contains(it)) {
        let truth = evaluator.truth_within(part, Bdd::TRUE)?;
        within = evaluator.diagrams().and(within, truth.complement_if(!value))?;
    }
    Ok(within)
}

/// Terms about sets of lanes alone: the active ones, and those where a parameter that is a Boolean holds.
fn of_sets(pool: &Pool, terms: &[Term], by_bits: &BTreeSet<Term>) -> FxHashSet<Term> {
    let mut of_sets = FxHashSet::default();
    for &term in terms {
        let is_set = match pool.node(term) {
            Node::Variable(_) => pool.sort(term) == Sort::Bool || by_bits.contains(&term),
            Node::Apply(_, lane) => pool.sort(term) == Sort::Bool && pool.bits_of(*lane).is_some(),
            node => Pool::operands(node).iter().all(|operand| of_sets.contains(operand)),
        };
        if is_set {
            of_sets.insert(term);
        }
    }
    of_sets
}

fn all(evaluator: &mut Evaluator<'_>, conjuncts: &[Term]) -> Result<Bdd, Exhausted> {
    let mut holds = Bdd::TRUE;
    for &conjunct in conjuncts {
        holds = evaluator.truth_within(conjunct, holds)?;
    }
    Ok(holds)
}
