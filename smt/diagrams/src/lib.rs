//! Questions about terms answered by decision diagrams and guarded normal forms.
//!
//! [`has_no_state`] asks whether assertions over a [`Pool`] contradict each other. What depends on
//! sets of lanes alone (ballots, ranks, guards, lane indices) becomes bits that are decision
//! diagrams; payloads become normal forms of the atoms that are combined, each under a condition
//! that is a diagram. So a reduction over the active lanes and a loop that adds up lane after lane
//! have one form, in whatever order and style they are written, without any case split over sets.
//!
//! # Why an answer is sound
//!
//! Every term gets a value that is right in every state for some assignment of the diagrams'
//! variables: a free bit is its own variable, and what is not understood (an order between
//! payloads, a bit of a product) is a variable of its own, the same for the same question. So each
//! state that satisfies the assertions is an assignment under which the diagram of their
//! conjunction is true. Where that diagram is the constant false, there is no such state. The
//! converse does not hold: any other diagram decides nothing.

mod absorbed;
mod apart;
mod arithmetic;
mod attempts;
mod bdd;
mod bounded;
mod care;
mod carry;
mod cases;
mod chosen_extremes;
mod classes;
mod compare;
mod congruence;
mod decided;
mod equal_where;
mod evaluate;
mod exact;
mod extreme;
mod fault;
mod few;
mod flipped;
mod flips;
mod float_map;
mod form;
mod function;
mod generalized;
mod learned;
mod masks;
mod monotone;
mod multiples;
mod numbers;
mod one_by_one;
mod opaque;
mod operator;
mod order;
mod own_lane;
mod product;
mod property;
mod records;
mod sorted;
mod split;
mod sums;
mod unit;
mod word;

use std::collections::BTreeSet;
use std::time::Instant;

use laneproof_semantics::term::{Node, Pool, Term};

use attempts::is_refuted;
use cases::Extent;
pub use fault::BrokenLaw;
use order::Records;

/// How much may be done for an answer.
#[derive(Clone, Copy, Debug)]
pub struct StepLimit {
    /// Steps of the recursive operation on diagrams and of what is built on it.
    pub steps: u64,
    /// Nothing goes on after this moment.
    pub deadline: Instant,
}

impl StepLimit {
    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }
}

/// The limit was reached before there was an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the limit of work on decision diagrams was reached")]
pub struct Exhausted;

/// How a question is asked.
#[derive(Clone, Copy)]
struct Manner {
    limit: StepLimit,
    fault: Option<BrokenLaw>,
    /// Payloads that are equal are in one class, see [`classes`].
    classes: bool,
    /// Payloads are compared with extremes as wholes, see [`records`].
    records: Option<Records>,
}

impl Manner {
    /// With few steps.
    fn briefly(self) -> Self {
        let limit = StepLimit { steps: self.limit.steps / FEW_STEPS, ..self.limit };
        Self { limit, ..self }
    }

    /// With that part of the time that is left.
    fn for_part(self, part: u32) -> Self {
        let left = self.limit.deadline.saturating_duration_since(Instant::now());
        let deadline = self.limit.deadline - left + left / part;
        Self { limit: StepLimit { deadline, ..self.limit }, ..self }
    }
}

/// What is proved by classes takes long; what is proved by records takes no time.
const PART_FOR_CLASSES: u32 = 2;
const PART_FOR_RECORDS: u32 = 8;

/// The question without what is equal to something else has this part of the time.
const PART_FOR_EQUAL: u32 = 2;

/// What votes split is asked as it is in this part of the time.
const PART_BEFORE_VOTES: u32 = 2;

/// Before cases are tried, the question gets this part of the steps.
const FEW_STEPS: u64 = 1 << 6;

/// True when no state satisfies all `assertions` (Booleans of `pool`); false when that is not
/// known.
///
/// # Errors
///
/// [`Exhausted`] when `limit` was reached.
pub fn has_no_state(pool: &Pool, assertions: &[Term], limit: StepLimit) -> Result<bool, Exhausted> {
    has_no_state_by(pool, assertions, limit, None)
}

/// The same with a planted fault, for tests of the judge.
///
/// # Errors
///
/// As [`has_no_state`].
#[doc(hidden)]
pub fn has_no_state_by(
    pool: &Pool,
    assertions: &[Term],
    limit: StepLimit,
    fault: Option<BrokenLaw>,
) -> Result<bool, Exhausted> {
    let plain = Manner { limit, fault, classes: false, records: None };
    let conjuncts = conjuncts(pool, assertions);
    if let Some((pool, assertions)) = equal_where::replaced(pool, &conjuncts, fault)
        && with_decided(&pool, &assertions, plain.for_part(PART_FOR_EQUAL)) == Ok(true)
    {
        return Ok(true);
    }
    with_decided(pool, assertions, plain)
}

/// The same, without conditions that are decided.
fn with_decided(pool: &Pool, assertions: &[Term], plain: Manner) -> Result<bool, Exhausted> {
    let conjuncts = conjuncts(pool, assertions);
    if let Ok(Some((pool, assertions))) =
        decided::decided(pool, &conjuncts, plain.briefly().limit, plain.fault)
        && in_general(&pool, &assertions, plain) == Ok(true)
    {
        return Ok(true);
    }
    in_general(pool, assertions, plain)
}

/// The same, about values as general as they can be.
fn in_general(pool: &Pool, assertions: &[Term], plain: Manner) -> Result<bool, Exhausted> {
    match generalized::generalized(pool, assertions, plain.fault) {
        Some((pool, assertions)) => in_some_manner(&pool, &assertions, plain),
        None => in_some_manner(pool, assertions, plain),
    }
}

/// The same, in each manner that the question asks for. Most questions need no other than the plain one.
fn in_some_manner(pool: &Pool, assertions: &[Term], plain: Manner) -> Result<bool, Exhausted> {
    let mut others = Vec::new();
    if classes::are_compared(pool, assertions) {
        others.push((Manner { classes: true, ..plain }, PART_FOR_CLASSES));
    }
    if records::are_compared(pool, assertions) {
        let by = |order| (Manner { records: Some(order), ..plain }, PART_FOR_RECORDS);
        others.extend([Records::InOrder, Records::OwnFirst].map(by));
    }
    if !others.is_empty() && of_all_cases(pool, assertions, plain.briefly()) == Ok(true) {
        return Ok(true);
    }
    for (other, part) in others {
        if of_all_cases(pool, assertions, other.for_part(part)) == Ok(true) {
            return Ok(true);
        }
    }
    of_all_cases(pool, assertions, plain)
}

/// The same, with cases of conditions by which lanes choose alike: of few before the question is asked at
/// length, and of many after it.
fn of_all_cases(pool: &Pool, assertions: &[Term], manner: Manner) -> Result<bool, Exhausted> {
    let many = cases::Conditions::of(pool, assertions, Extent::Many);
    if many.is_empty() {
        return has_none(pool, assertions, manner);
    }
    // Most questions need no cases.
    let at_once = has_none(pool, assertions, manner.briefly());
    if at_once == Ok(true) {
        return Ok(true);
    }
    let few = cases::Conditions::of(pool, assertions, Extent::Few);
    if !few.is_empty() && by_cases(pool, assertions, Extent::Few, manner) == Ok(true) {
        return Ok(true);
    }
    let part = if many.have_votes() { PART_BEFORE_VOTES } else { 1 };
    let at_length = match at_once {
        Err(Exhausted) => has_none(pool, assertions, manner.for_part(part)),
        answer => answer,
    };
    let settled = at_length == Ok(true)
        || many.have_votes() && by_cases(pool, assertions, Extent::Many, manner) == Ok(true);
    if settled { Ok(true) } else { at_length }
}

/// Whether no state satisfies the assertions in any case of the conditions by which lanes choose
/// alike.
fn by_cases(
    pool: &Pool,
    assertions: &[Term],
    extent: Extent,
    manner: Manner,
) -> Result<bool, Exhausted> {
    let mut open = vec![(pool.clone(), assertions.to_vec(), cases::DEEPEST)];
    while let Some((pool, assertions, deeper)) = open.pop() {
        let conditions = cases::Conditions::of(&pool, &assertions, extent);
        match conditions.most_used(&pool, deeper) {
            Some((condition, deeper)) => {
                // One case alone is a planted fault.
                let values = if manner.fault == Some(BrokenLaw::OneCase) {
                    vec![false]
                } else {
                    vec![false, true]
                };
                for value in values {
                    // What terms of one case say of numbers need not hold in the other.
                    let mut pool = pool.clone();
                    let case = condition.assumed(&mut pool, &assertions, value, manner.fault);
                    open.push((pool, case, deeper));
                }
            }
            None if has_none(&pool, &assertions, manner)? => {}
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// [`has_no_state`] without cases of parameters.
fn has_none(pool: &Pool, assertions: &[Term], manner: Manner) -> Result<bool, Exhausted> {
    let mut conjuncts = conjuncts(pool, assertions);
    conjuncts.extend(split::common_parts(pool, &conjuncts));
    if lane_by_lane(pool, &conjuncts, manner) == Ok(true) {
        return Ok(true);
    }
    if manner.records == Some(Records::OwnFirst) {
        return one_by_one(pool, &conjuncts, manner);
    }
    if let Some((a, b)) = split::votes_that_differ(pool, &conjuncts) {
        // One is true and the other is not.
        let mut settled = true;
        for value in [false, true] {
            let votes = [(a, value), (b, !value)];
            settled = settled && is_contradiction(pool, &conjuncts, &votes, manner)?;
        }
        if settled {
            return Ok(true);
        }
    }
    if is_contradiction(pool, &conjuncts, &[], manner)? {
        return Ok(true);
    }
    match split::chosen_by(pool, &conjuncts) {
        Some(condition) => by_value(pool, &conjuncts, condition, manner),
        None => Ok(false),
    }
}

/// Whether no state satisfies all conjuncts, whichever value that condition has.
fn by_value(
    pool: &Pool,
    conjuncts: &[Term],
    condition: Term,
    manner: Manner,
) -> Result<bool, Exhausted> {
    let wrong = manner.fault == Some(BrokenLaw::OneCase);
    for value in if wrong { vec![false] } else { vec![false, true] } {
        if !is_contradiction(pool, conjuncts, &[(condition, value)], manner)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether no alternative of the conjunct with the most of them holds together with the others: each says
/// that a lane takes part.
fn one_by_one(pool: &Pool, conjuncts: &[Term], manner: Manner) -> Result<bool, Exhausted> {
    let alternatives = |it: Term| match pool.node(it) {
        Node::Or(list) => list.to_vec(),
        _ => vec![it],
    };
    let Some(most) = conjuncts.iter().copied().max_by_key(|&it| alternatives(it).len()) else {
        return Ok(false);
    };
    let mut by_bits = BTreeSet::new();
    for alternative in alternatives(most) {
        let case = [most, alternative];
        if !is_alternative_refuted(pool, conjuncts, case, None, &mut by_bits, manner)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether an alternative of a conjunct does not hold together with the others.
fn is_alternative_refuted(
    pool: &Pool,
    conjuncts: &[Term],
    [conjunct, alternative]: [Term; 2],
    own_lane: Option<u32>,
    by_bits: &mut BTreeSet<Term>,
    manner: Manner,
) -> Result<bool, Exhausted> {
    let others = conjuncts.iter().copied().filter(|it| *it != conjunct);
    let case: Vec<Term> = others.chain(self::conjuncts(pool, &[alternative])).collect();
    let literals: Vec<(Term, bool)> = case.iter().map(|&it| (it, true)).collect();
    is_refuted(pool, &case, &literals, own_lane, by_bits, manner)
}

/// Whether no alternative of a conjunct holds together with the others, where each compares what one lane
/// holds with what others do.
fn lane_by_lane(pool: &Pool, conjuncts: &[Term], manner: Manner) -> Result<bool, Exhausted> {
    let Some((conjunct, mut alternatives)) = own_lane::alternatives(pool, conjuncts) else {
        return Ok(false);
    };
    if manner.fault == Some(BrokenLaw::OneLane) {
        alternatives.truncate(1);
    }
    let mut by_bits = BTreeSet::new();
    for (lane, alternative) in alternatives {
        let case = [conjunct, alternative];
        if !is_alternative_refuted(pool, conjuncts, case, lane, &mut by_bits, manner)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether no state satisfies all conjuncts where those terms have those values.
fn is_contradiction(
    pool: &Pool,
    conjuncts: &[Term],
    votes: &[(Term, bool)],
    manner: Manner,
) -> Result<bool, Exhausted> {
    let literals = conjuncts.iter().map(|&it| (it, true)).chain(votes.iter().copied());
    let literals: Vec<(Term, bool)> = literals.collect();
    is_refuted(pool, conjuncts, &literals, None, &mut BTreeSet::new(), manner)
}

/// The parts of assertions that all have to hold.
fn conjuncts(pool: &Pool, assertions: &[Term]) -> Vec<Term> {
    let mut parts = BTreeSet::new();
    let mut pending = assertions.to_vec();
    while let Some(term) = pending.pop() {
        match pool.node(term) {
            Node::And(list) => pending.extend(list.iter()),
            _ => {
                parts.insert(term);
            }
        }
    }
    parts.into_iter().collect()
}
