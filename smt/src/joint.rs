//! Obligations whose source has choices: one choice must explain all lanes together.
//!
//! `tgt` fails to refine `src` in a state where, for some choice of the target, no choice of
//! the source behaves and agrees. Candidate choices of the source are collected until they
//! explain every state (proved) or one state that they do not explain has no explanation at
//! all (refuted).

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use laneproof_semantics::term::{Constant, Interpretation, Node, Sort, Symbol, Term};

use crate::obligation::Built;
use crate::solver::{Answer, Model, solve};

/// How many candidate choices are tried before the search gives up.
const CANDIDATES: usize = 400;

/// What the search came to.
pub(crate) enum Joint {
    /// Some choice of the source explains the target in every state.
    Explained,
    /// In this state none does.
    Unexplained(Box<Model>),
    /// Neither was shown in time.
    Unknown(String),
}

type Replacements = HashMap<Term, Term>;

/// Searches the choices of the source. Adds `spent` the time that the solver took.
pub(crate) fn search(built: &mut Built<'_>, limit: Duration, spent: &mut Duration) -> Joint {
    let deadline = Instant::now() + limit;
    let source: BTreeSet<Symbol> = built.source.choices.iter().map(|open| open.symbol).collect();
    let open = choices_of(built, &source);
    let mut candidates: Vec<Replacements> = templates(built, &open);
    while candidates.len() < CANDIDATES {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Joint::Unknown(format!("the limit of {} s ran out", limit.as_secs_f64()));
        }
        let assertions = unexplained(built, &candidates);
        let started = Instant::now();
        let answer = solve(&built.pool, &assertions, left, None);
        *spent += started.elapsed();
        let model = match answer {
            Answer::Unsat => return Joint::Explained,
            Answer::Unknown(reason) => return Joint::Unknown(reason),
            Answer::Sat(model) => model,
        };
        let started = Instant::now();
        let answer = explanation(built, &model, &source, left);
        *spent += started.elapsed();
        match answer {
            Answer::Unsat => return Joint::Unexplained(Box::new(model)),
            Answer::Unknown(reason) => return Joint::Unknown(reason),
            Answer::Sat(choice) => {
                let candidate = open
                    .iter()
                    .map(|&term| {
                        let value = value_of(built, &choice, term);
                        (term, constant(built, term, value))
                    })
                    .collect();
                candidates.push(candidate);
            }
        }
    }
    Joint::Unknown(format!("{CANDIDATES} choices of the source do not settle it"))
}

/// Every place where the source chooses.
fn choices_of(built: &Built<'_>, source: &BTreeSet<Symbol>) -> Vec<Term> {
    let roots = [built.source_behaves, built.disagrees];
    built
        .pool
        .reachable(&roots)
        .into_iter()
        .filter(|&term| {
            matches!(built.pool.node(term), Node::Apply(symbol, _) if source.contains(symbol))
        })
        .collect()
}

/// First guesses: zero everywhere, and whatever the target returns in the same lane.
fn templates(built: &mut Built<'_>, open: &[Term]) -> Vec<Replacements> {
    let zero: Replacements = open
        .iter()
        .map(|&term| {
            let value = constant(built, term, Constant::Bits(0));
            (term, value)
        })
        .collect();
    let mut same = zero.clone();
    for &term in open {
        let sort = built.pool.sort(term);
        let found = built.returned.iter().find(|(lane, bits)| {
            matches!(*built.pool.node(term), Node::Apply(_, at) if at == *lane)
                && built.pool.sort(*bits) == sort
        });
        if let Some((_, bits)) = found {
            same.insert(term, *bits);
        }
    }
    vec![zero, same]
}

fn constant(built: &mut Built<'_>, term: Term, value: Constant) -> Term {
    match built.pool.sort(term) {
        Sort::Bits(width) => built.pool.bits(value.as_bits(), width),
        Sort::Bool | Sort::Tag => built.pool.bool(value.as_bits() & 1 == 1),
    }
}

fn value_of(built: &Built<'_>, model: &Model, term: Term) -> Constant {
    built.pool.evaluate(&[term], model)[0]
}

/// A state that none of the candidates explains, and in which none of them misbehaves.
fn unexplained(built: &mut Built<'_>, candidates: &[Replacements]) -> Vec<Term> {
    let mut assertions = built.state.clone();
    let mut disagree = Vec::new();
    for candidate in candidates {
        let behaves = built.pool.substitute(built.source_behaves, candidate);
        assertions.push(behaves);
        disagree.push(built.pool.substitute(built.disagrees, candidate));
    }
    let disagree = built.pool.all(disagree);
    let bad = built.pool.or(built.target_fails, disagree);
    assertions.push(bad);
    assertions
}

/// In the state of a model: a choice of the source that misbehaves, or that agrees with a
/// target that behaves.
fn explanation(
    built: &mut Built<'_>,
    model: &Model,
    source: &BTreeSet<Symbol>,
    limit: Duration,
) -> Answer {
    let roots = [built.source_behaves, built.target_fails, built.disagrees];
    let mut known = Replacements::new();
    for term in built.pool.reachable(&roots) {
        let value = match *built.pool.node(term) {
            Node::Variable(symbol) => model.variable(symbol),
            Node::Apply(symbol, lane) if !source.contains(&symbol) => {
                let lane = value_of(built, model, lane).as_bits() as u32;
                model.apply(symbol, lane)
            }
            _ => continue,
        };
        let value = constant(built, term, value);
        known.insert(term, value);
    }
    let behaves = built.pool.substitute(built.source_behaves, &known);
    let fails = built.pool.substitute(built.target_fails, &known);
    let disagrees = built.pool.substitute(built.disagrees, &known);
    let misbehaves = built.pool.not(behaves);
    let bad = built.pool.or(fails, disagrees);
    let agrees = built.pool.not(bad);
    let explained = built.pool.or(misbehaves, agrees);
    solve(&built.pool, &[explained], limit, None)
}
