//! Obligations whose source has choices: one choice must explain all lanes together.
//!
//! `tgt` fails to refine `src` in a state where, for some choice of the target, no choice of
//! the source behaves and agrees. Candidate choices of the source are collected until they
//! explain every state (proved) or one state that they do not explain has no explanation at
//! all (refuted).

use std::collections::{BTreeSet, HashMap};

use laneproof_encode::Choice;
use laneproof_obligation::Built;
use laneproof_outcome::{Bound, Unknown};
use laneproof_semantics::term::{GroundValue, Interpretation, Node, Sort, Symbol, Term};
use laneproof_solve::{Model, SolverAnswer};

use crate::question::{QueryRunner, QuestionKind};
use crate::reply::pairs;

/// How many candidate choices are tried before the search gives up.
const CANDIDATES: usize = 400;

/// The result of the search.
pub enum Joint {
    /// Some choice of the source explains the target in every state.
    Explained,
    /// No choice of the source explains the target in this state.
    Unexplained(Box<Model>),
    /// Undecided, for this reason.
    Unknown(Unknown),
}

/// Whether the source behaves somewhere.
pub enum Inhabited {
    /// Under all of its choices, in this state.
    Yes(Box<Model>),
    /// In every state some choice misbehaves.
    No,
    /// Undecided, for this reason.
    Unknown(Unknown),
}

type Replacements = HashMap<Term, Term>;

/// A choice of the source: the value of each of its symbols in each lane. It is a function of
/// lanes, because the lane that a shuffle reads may be unknown; a lane without an entry has 0.
type Candidate = HashMap<(Symbol, u32), Term>;

/// Searches the choices of the source.
pub fn search(built: &mut Built<'_>, runner: &mut QueryRunner<'_>) -> Joint {
    let source = source_symbols(built);
    let mut candidates = templates(built);
    // Where the source misbehaves whatever it chooses, there is nothing to explain.
    let behaves = !depends_on(built, &source, built.asks.source_behaves);
    while candidates.len() < CANDIDATES {
        let mut assertions = unexplained(built, &source, &candidates);
        assertions.extend(behaves.then_some(built.asks.source_behaves));
        let model =
            match runner.ask(built, QuestionKind::Unexplained(candidates.len()), &assertions) {
                SolverAnswer::Unsat => return Joint::Explained,
                SolverAnswer::Unknown(reason) => return Joint::Unknown(reason),
                SolverAnswer::Sat(model) => model,
            };
        let explained = explanation(built, &model, &source);
        match runner.ask(built, QuestionKind::Explanation, &[explained]) {
            SolverAnswer::Unsat => return Joint::Unexplained(Box::new(model)),
            SolverAnswer::Unknown(reason) => return Joint::Unknown(reason),
            SolverAnswer::Sat(choice) => candidates.push(candidate(built, &choice, &source)),
        }
    }
    Joint::Unknown(Unknown::BoundReached(Bound::Choices(CANDIDATES)))
}

/// Searches a state in which the source behaves whatever it chooses.
pub fn inhabited(built: &mut Built<'_>, runner: &mut QueryRunner<'_>, alone: bool) -> Inhabited {
    let source = source_symbols(built);
    let mut assertions = built.states.known.clone();
    // The target's choices do not matter here.
    assertions.retain(|it| Some(*it) != built.states.given);
    assertions.push(built.asks.source_behaves);
    let choices = depends_on(built, &source, built.asks.source_behaves);
    if choices {
        assertions.push(built.asks.source_legal);
    }
    for _ in 0..CANDIDATES {
        let model = match runner.ask(built, QuestionKind::Behaves { alone }, &assertions) {
            SolverAnswer::Unsat => return Inhabited::No,
            SolverAnswer::Unknown(reason) => return Inhabited::Unknown(reason),
            SolverAnswer::Sat(model) => model,
        };
        if !choices {
            return Inhabited::Yes(Box::new(model));
        }
        let known =
            known(built, &model, &source, &[built.asks.source_behaves, built.asks.source_legal]);
        let behaves = built.pool.substitute(built.asks.source_behaves, &known);
        let legal = built.pool.substitute(built.asks.source_legal, &known);
        let misbehaves = built.pool.not(behaves);
        match runner.ask(built, QuestionKind::Misbehaves, &[legal, misbehaves]) {
            SolverAnswer::Unsat => return Inhabited::Yes(Box::new(model)),
            SolverAnswer::Unknown(reason) => return Inhabited::Unknown(reason),
            SolverAnswer::Sat(choice) => {
                let candidate = candidate(built, &choice, &source);
                let roots = [built.asks.source_behaves, built.asks.source_legal];
                let made = made(built, &source, &candidate, &roots);
                let behaves = built.pool.substitute(built.asks.source_behaves, &made);
                let legal = built.pool.substitute(built.asks.source_legal, &made);
                assertions.push(built.pool.implies(legal, behaves));
            }
        }
    }
    Inhabited::Unknown(Unknown::BoundReached(Bound::Choices(CANDIDATES)))
}

/// Whether a term depends on what the source chooses.
fn depends_on(built: &Built<'_>, source: &BTreeSet<Symbol>, term: Term) -> bool {
    built.pool.reachable(&[term]).into_iter().any(|term| match *built.pool.node(term) {
        Node::Apply(symbol, _) => source.contains(&symbol),
        _ => false,
    })
}

fn source_symbols(built: &Built<'_>) -> BTreeSet<Symbol> {
    built.source.choices.iter().map(|open| open.symbol).collect()
}

/// First guesses: zero everywhere, whatever the target returns in the same lane, and what the
/// target chose for its own step of the same kind.
fn templates(built: &mut Built<'_>) -> Vec<Candidate> {
    let mut same = Candidate::new();
    for open in &built.source.choices {
        let sort = built.pool.symbol_sort(open.symbol);
        for number in (0..built.entry.bound).filter(|_| open.choice != Choice::Order) {
            let here = |lane: &Term| built.pool.bits_of(*lane) == Some(u128::from(number));
            let returned = built.returned.iter().filter(|(lane, _)| here(lane));
            let mut fitting = returned.map(|(_, bits)| *bits).enumerate();
            // Leaf for leaf where a result is chosen; whatever fits where one scalar is.
            let bits = fitting.find(|&(leaf, bits)| {
                (matches!(open.choice, Choice::Draw(_)) || leaf == open.leaf)
                    && built.pool.sort(bits) == sort
            });
            same.extend(bits.map(|(_, bits)| ((open.symbol, number), bits)));
        }
    }
    let mut guesses = vec![Candidate::new(), same];
    guesses.extend(target_choices(built, false));
    guesses.extend(target_choices(built, true));
    // Lanes are serialized by their numbers, where nothing better is known.
    for open in built.source.choices.iter().filter(|open| open.choice == Choice::Order) {
        for lane in 0..built.entry.bound {
            let width = built.pool.symbol_sort(open.symbol);
            let Sort::Bits(width) = width else { continue };
            let rank = built.pool.bits(u128::from(lane), width);
            for guess in &mut guesses {
                guess.entry((open.symbol, lane)).or_insert(rank);
            }
        }
    }
    guesses
}

/// The target's choices, used as the source's.
fn target_choices(built: &mut Built<'_>, from_the_end: bool) -> Option<Candidate> {
    let pairs = pairs(built, from_the_end);
    let mut candidate = Candidate::new();
    for (source, target) in pairs {
        for lane in 0..built.entry.bound {
            let number = built.pool.bits(u128::from(lane), 32);
            let chosen = built.pool.apply(target, number);
            candidate.insert((source, lane), chosen);
        }
    }
    (!candidate.is_empty()).then_some(candidate)
}

fn constant(built: &mut Built<'_>, sort: Sort, value: GroundValue) -> Term {
    match sort {
        Sort::Bits(width) => built.pool.bits(value.as_bits(), width),
        Sort::Bool | Sort::Tag => built.pool.bool(value.as_bits() & 1 == 1),
    }
}

/// The choice of the source in a model.
fn candidate(built: &mut Built<'_>, choice: &Model, source: &BTreeSet<Symbol>) -> Candidate {
    let mut candidate = Candidate::new();
    for &symbol in source {
        let sort = built.pool.symbol_sort(symbol);
        for lane in 0..built.entry.bound {
            let value = constant(built, sort, choice.apply(symbol, lane));
            candidate.insert((symbol, lane), value);
        }
    }
    candidate
}

/// For each term below `roots` in which the source chooses: its value under this choice.
fn made(
    built: &mut Built<'_>,
    source: &BTreeSet<Symbol>,
    candidate: &Candidate,
    roots: &[Term],
) -> Replacements {
    let mut made = Replacements::new();
    for term in built.pool.reachable(roots) {
        if let Node::Apply(symbol, lane) = *built.pool.node(term)
            && source.contains(&symbol)
        {
            let sort = built.pool.symbol_sort(symbol);
            let zero = constant(built, sort, GroundValue::Bits(0));
            let values = (0..built.entry.bound)
                .map(|lane| (lane, candidate.get(&(symbol, lane)).copied().unwrap_or(zero)))
                .collect();
            let value = in_lane(built, lane, values, zero, &made);
            made.insert(term, value);
        }
    }
    made
}

/// The value of a lane whose number is a term, which may itself depend on what is replaced.
fn in_lane(
    built: &mut Built<'_>,
    lane: Term,
    values: Vec<(u32, Term)>,
    otherwise: Term,
    replaced: &Replacements,
) -> Term {
    let lane = built.pool.substitute(lane, replaced);
    let mut value = otherwise;
    for (number, in_lane) in values {
        let number = built.pool.bits(u128::from(number), 32);
        let here = built.pool.equal(lane, number);
        value = built.pool.ite(here, in_lane, value);
    }
    value
}

/// A state that none of the candidates explains, and in which none of them misbehaves.
fn unexplained(
    built: &mut Built<'_>,
    source: &BTreeSet<Symbol>,
    candidates: &[Candidate],
) -> Vec<Term> {
    let mut assertions = built.states.known.clone();
    let mut disagree = Vec::new();
    for candidate in candidates {
        let roots = [built.asks.source_behaves, built.asks.source_legal, built.asks.disagrees];
        let made = made(built, source, candidate, &roots);
        let behaves = built.pool.substitute(built.asks.source_behaves, &made);
        let legal = built.pool.substitute(built.asks.source_legal, &made);
        let disagrees = built.pool.substitute(built.asks.disagrees, &made);
        // A candidate that is illegal in this state neither misbehaves nor agrees.
        assertions.push(built.pool.implies(legal, behaves));
        disagree.push(built.pool.implies(legal, disagrees));
    }
    let disagree = built.pool.all(disagree);
    let bad = built.pool.or(built.asks.target_fails, disagree);
    assertions.push(bad);
    assertions
}

/// The model's values of everything below `roots`, except the source's choices.
fn known(
    built: &mut Built<'_>,
    model: &Model,
    source: &BTreeSet<Symbol>,
    roots: &[Term],
) -> Replacements {
    let mut known = Replacements::new();
    for term in built.pool.reachable(roots) {
        let value = match *built.pool.node(term) {
            Node::Variable(symbol) => {
                let sort = built.pool.sort(term);
                constant(built, sort, model.variable(symbol))
            }
            Node::Apply(symbol, lane) if !source.contains(&symbol) => {
                let sort = built.pool.symbol_sort(symbol);
                let zero = constant(built, sort, GroundValue::Bits(0));
                // All arguments for which the model has a value: lanes, or memory addresses.
                let mut said: Vec<(u32, GroundValue)> = model
                    .applications()
                    .filter(|(of, ..)| *of == symbol)
                    .map(|(_, lane, value)| (lane, value))
                    .collect();
                said.sort_unstable_by_key(|(lane, _)| *lane);
                let values = said.iter().map(|&(lane, it)| (lane, constant(built, sort, it)));
                let values = values.collect();
                in_lane(built, lane, values, zero, &known)
            }
            _ => continue,
        };
        known.insert(term, value);
    }
    known
}

/// In the state of a model: a legal choice of the source that misbehaves, or that agrees with a
/// target that behaves.
fn explanation(built: &mut Built<'_>, model: &Model, source: &BTreeSet<Symbol>) -> Term {
    let roots = [
        built.asks.source_behaves,
        built.asks.source_legal,
        built.asks.target_fails,
        built.asks.disagrees,
    ];
    let known = known(built, model, source, &roots);
    let behaves = built.pool.substitute(built.asks.source_behaves, &known);
    let fails = built.pool.substitute(built.asks.target_fails, &known);
    let disagrees = built.pool.substitute(built.asks.disagrees, &known);
    let misbehaves = built.pool.not(behaves);
    let bad = built.pool.or(fails, disagrees);
    let agrees = built.pool.not(bad);
    let legal = built.pool.substitute(built.asks.source_legal, &known);
    let explains = built.pool.or(misbehaves, agrees);
    built.pool.and(legal, explains)
}
