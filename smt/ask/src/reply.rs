//! Skolem templates: the source's choices as functions of the target's, in any view.
//!
//! Where source and target are similar, the source's choice in a lane can often be the target's
//! choice in the same lane. A template replaces the source's choices by such terms. The remaining
//! query has no choice of the source, so one symbolic lane can stand for all lanes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use laneproof_encode::{Choice, OpenChoice};
use laneproof_obligation::Built;
use laneproof_semantics::term::{Node, Sort, Symbol, Term};

/// How the source's choices follow from the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkolemTemplate {
    /// With the target's choice of the same kind, the first with the first and so on; with
    /// zero where there is none.
    Alike,
    /// The same, the last with the last.
    AlikeFromTheEnd,
    /// With what the target returns in that lane.
    Returned,
    /// In any legal way: there is one in each state in which the source behaves, so if the target
    /// agrees with all of them, it agrees with one.
    Any,
}

impl SkolemTemplate {
    /// Those that a solver tries, in this order.
    pub const ALL: [Self; 4] = [Self::Any, Self::Alike, Self::Returned, Self::AlikeFromTheEnd];
    /// Those that decision diagrams try: values on which nothing depends are free in them.
    pub const FREE: [Self; 4] = [Self::Alike, Self::Any, Self::Returned, Self::AlikeFromTheEnd];
    /// The same where relations describe results, which diagrams find if these determine them.
    pub const DETERMINED: [Self; 4] =
        [Self::Any, Self::Alike, Self::Returned, Self::AlikeFromTheEnd];
}

/// The states and target choices that this template does not explain: the source's choice is
/// illegal, or the source behaves and the target fails or disagrees. `given` holds in them, too.
pub fn unanswered(built: &mut Built<'_>, answer: SkolemTemplate, given: &[Term]) -> Vec<Term> {
    let mut roots = vec![
        built.asks.source_behaves,
        built.asks.source_legal,
        built.asks.target_fails,
        built.asks.disagrees,
    ];
    roots.extend(given);
    let replacements = match answer {
        SkolemTemplate::Alike => alike(built, &roots, false),
        SkolemTemplate::AlikeFromTheEnd => alike(built, &roots, true),
        SkolemTemplate::Returned => returned(built, &roots),
        SkolemTemplate::Any => HashMap::new(),
    };
    let mut replaced = |root| built.pool.substitute(root, &replacements);
    let [behaves, legal, fails, disagrees] = [0, 1, 2, 3].map(|place| replaced(roots[place]));
    let given: Vec<Term> = roots[4..].iter().map(|&it| replaced(it)).collect();
    let wrong = built.pool.or(fails, disagrees);
    let wrong = built.pool.and(behaves, wrong);
    let illegal = built.pool.not(legal);
    let mut assertions = built.states.known.clone();
    assertions.extend(given);
    match answer {
        SkolemTemplate::Any => assertions.extend([legal, wrong]),
        _ => assertions.push(built.pool.or(illegal, wrong)),
    }
    assertions
}

/// Each term in which the source chooses, operands before their users.
fn places(built: &Built<'_>, roots: &[Term]) -> Vec<(Term, Symbol, Term)> {
    let source: BTreeSet<Symbol> = built.source.choices.iter().map(|open| open.symbol).collect();
    let place = |term: Term| match *built.pool.node(term) {
        Node::Apply(symbol, lane) if source.contains(&symbol) => Some((term, symbol, lane)),
        _ => None,
    };
    built.pool.reachable(roots).into_iter().filter_map(place).collect()
}

fn alike(built: &mut Built<'_>, roots: &[Term], from_the_end: bool) -> HashMap<Term, Term> {
    let pairs = pairs(built, from_the_end);
    let mut made = HashMap::new();
    for (term, symbol, lane) in places(built, roots) {
        let lane = built.pool.substitute(lane, &made);
        let value = match (pairs.get(&symbol), built.pool.symbol_sort(symbol)) {
            (Some(&target), _) => built.pool.apply(target, lane),
            (None, Sort::Bits(width)) => built.pool.bits(0, width),
            (None, Sort::Bool | Sort::Tag) => built.pool.bool(false),
        };
        made.insert(term, value);
    }
    made
}

/// Pairs the source's choices with the target's of the same kind: first those for the same
/// undefined value, then in the order of their steps, or from the last one backwards. Choices on
/// which nothing depends are left out.
pub fn pairs(built: &Built<'_>, from_the_end: bool) -> BTreeMap<Symbol, Symbol> {
    let Some(target) = &built.target else { return BTreeMap::new() };
    let mut roots = vec![
        built.asks.source_behaves,
        built.asks.source_legal,
        built.asks.target_fails,
        built.asks.disagrees,
    ];
    roots.extend(built.states.given);
    let mut stands_for = HashMap::new();
    let mut occur = BTreeSet::new();
    for term in built.pool.reachable(&roots) {
        match *built.pool.node(term) {
            Node::Apply(symbol, _) => {
                occur.insert(symbol);
            }
            Node::Ite(condition, then, otherwise) => {
                for (drawn, known) in [(then, otherwise), (otherwise, then)] {
                    if let Node::Apply(symbol, lane) = *built.pool.node(drawn) {
                        stands_for.entry(symbol).or_insert((condition, known, lane));
                    }
                }
            }
            _ => {}
        }
    }
    let ordered = |choices: &[OpenChoice]| -> Vec<OpenChoice> {
        let mut choices = choices.to_vec();
        choices.retain(|open| occur.contains(&open.symbol));
        choices.sort_by_key(|open| (open.step, open.choice, open.leaf));
        if from_the_end {
            choices.reverse();
        }
        choices
    };
    // The target may have swapped the operands.
    let kind = |open: &OpenChoice| std::mem::discriminant(&open.choice);
    let mut ours = ordered(&built.source.choices);
    let mut theirs = ordered(&target.choices);
    let mut pairs = BTreeMap::new();
    for same_value in [true, false] {
        ours.retain(|open| {
            let sort = built.pool.symbol_sort(open.symbol);
            let value = stands_for.get(&open.symbol);
            let fits = |other: &OpenChoice| match same_value {
                true => value.is_some() && value == stands_for.get(&other.symbol),
                false => other.leaf == open.leaf && kind(other) == kind(open),
            };
            let place = theirs
                .iter()
                .position(|other| built.pool.symbol_sort(other.symbol) == sort && fits(other));
            let Some(place) = place else { return true };
            pairs.insert(open.symbol, theirs.remove(place).symbol);
            false
        });
    }
    pairs
}

/// In the lanes of the view, the target's result in that lane, leaf for leaf. In other lanes the
/// choice stays free, so a proof covers all of its values.
fn returned(built: &mut Built<'_>, roots: &[Term]) -> HashMap<Term, Term> {
    let mut made = HashMap::new();
    for (term, symbol, lane) in places(built, roots) {
        let sort = built.pool.symbol_sort(symbol);
        let open = built.source.choices.iter().find(|open| open.symbol == symbol).cloned();
        let lane = built.pool.substitute(lane, &made);
        let mut value = built.pool.apply(symbol, lane);
        let mut leaves: HashMap<Term, usize> = HashMap::new();
        for (there, bits) in built.returned.clone() {
            let leaf = leaves.entry(there).or_default();
            let fits = built.pool.sort(bits) == sort
                && open.as_ref().is_some_and(|open| {
                    matches!(open.choice, Choice::Draw(_)) || open.leaf == *leaf
                });
            *leaf += 1;
            if fits {
                let here = built.pool.equal(lane, there);
                value = built.pool.ite(here, bits, value);
            }
        }
        made.insert(term, value);
    }
    made
}
