//! Answers to questions that were asked before: documents, forms and readings of an instruction have
//! many in common. A question is the same if its terms are, number by number.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use laneproof_semantics::term::{Node, Pool, Term};
use laneproof_solve::{Model, SolverLimit};

/// What tells a question from others: two hashes of 64 bits.
pub(super) type Question = [u64; 2];

/// More answers than these are not kept.
const MOST: usize = 1 << 16;

/// A model, with the numbers of the wishes that it grants; none where there is no model.
pub(super) type Answer = Option<(Model, Vec<usize>)>;

static KNOWN: LazyLock<Mutex<HashMap<Question, Answer>>> = LazyLock::new(Mutex::default);

/// A question about facts and wishes, if its answer does not depend on time.
pub(super) fn question(
    pool: &Pool,
    facts: &[Term],
    wishes: &[Term],
    limit: SolverLimit,
) -> Option<Question> {
    let SolverLimit::Work(units) = limit else { return None };
    let mut hashers = [0_u8, 1].map(|seed| {
        let mut hasher = DefaultHasher::new();
        (seed, units, facts, wishes).hash(&mut hasher);
        hasher
    });
    for term in pool.reachable(&[facts, wishes].concat()) {
        let node = pool.node(term);
        // Names are part of what is asked: they order what is free.
        let name = match node {
            Node::Variable(symbol) | Node::Apply(symbol, _) => Some(pool.symbol_name(*symbol)),
            _ => None,
        };
        hashers.iter_mut().for_each(|hasher| (term, node, name, pool.sort(term)).hash(hasher));
    }
    Some(hashers.map(|hasher| hasher.finish()))
}

/// The answer to a question, from earlier or by `ask`; one that is no answer is not kept.
pub(super) fn answer<E>(
    question: Option<Question>,
    ask: impl FnOnce() -> Result<Answer, E>,
) -> Result<Answer, E> {
    let Some(question) = question else { return ask() };
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(answer) = known().get(&question) {
        return Ok(answer.clone());
    }
    let answer = ask()?;
    let mut known = known();
    if known.len() < MOST {
        known.insert(question, answer.clone());
    }
    Ok(answer)
}
