//! Sets of lanes as predicates.
//!
//! A set that is only used by instances needs no 128 bits: membership of a lane is a Boolean
//! function of the lane. Equations between such sets, and the first or last lane of one, become
//! constants with axioms at the instances. All axioms are true of the real sets, so proofs from
//! them are sound.

use std::collections::{BTreeSet, HashMap, HashSet};

use laneproof_semantics::term::{Binary, Node, Pool, Scan, Sort, Symbol, Term};

use crate::lane::{LARGEST, small};

/// Sets by their symbols: constants, or functions of a lane.
pub type Sets = HashSet<Symbol>;

/// Replaces sets by predicates in `terms`, and appends the axioms about them in `lanes`. For the
/// sets and lanes in `said`, `terms` already define membership.
pub fn as_predicates(
    pool: &mut Pool,
    terms: &mut Vec<Term>,
    sets: &Sets,
    lanes: &[Term],
    said: impl Iterator<Item = (Term, Term)>,
) {
    let mut replacements = HashMap::new();
    let mut known = Vec::new();
    for term in pool.reachable(terms) {
        match *pool.node(term) {
            Node::Equal(a, b)
                if matches!(pool.sort(a), Sort::Bits(_))
                    && (speaks(pool, sets, a) || speaks(pool, sets, b)) =>
            {
                let same = pool.fresh("same", Sort::Bool);
                replacements.insert(term, same);
                for place in places(pool, sets, [a, b], lanes) {
                    let width = pool.bits(u128::from(pool.width(a)), 32);
                    let inside = pool.less(place, width);
                    let (in_a, in_b) = (pool.bit(a, place), pool.bit(b, place));
                    let agree = pool.equal(in_a, in_b);
                    let given = pool.and(same, inside);
                    known.push(pool.implies(given, agree));
                }
            }
            Node::Scan(scan @ (Scan::Lowest | Scan::Highest), mask) if speaks(pool, sets, mask) => {
                let end = small(pool, "end", pool.width(mask));
                replacements.insert(term, end);
                let width = pool.bits(u128::from(pool.width(mask)), 32);
                let member = pool.bit(mask, end);
                let nowhere = pool.equal(end, width);
                let inside = pool.less(end, width);
                let found = pool.and(inside, member);
                known.push(pool.or(nowhere, found));
                for &lane in lanes {
                    let among = pool.bit(mask, lane);
                    let a_lane = pool.less(lane, width);
                    let among = pool.and(among, a_lane);
                    let not_past = match scan {
                        Scan::Lowest => pool.less_equal(end, lane),
                        _ => pool.less_equal(lane, end),
                    };
                    let some = pool.and(inside, not_past);
                    known.push(pool.implies(among, some));
                }
            }
            _ => {}
        }
    }
    terms.extend(known);
    // The same replaced in each other's instances.
    pool.substitute_in(terms, &replacements);
    let mut defined: Vec<Term> = said.flat_map(|(set, lane)| [set, lane]).collect();
    pool.substitute_in(&mut defined, &replacements);
    let defined = defined.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let predicates = predicates(pool, terms, sets, &defined);
    terms.extend(predicates.congruence);
    pool.substitute_in(terms, &predicates.replacements);
}

/// Whether a vector contains bits of sets.
pub fn speaks(pool: &Pool, sets: &Sets, term: Term) -> bool {
    if set_of(pool, sets, term).is_some() {
        return true;
    }
    match *pool.node(term) {
        Node::Extract(inner, ..) | Node::ZeroExtend(inner, _) | Node::BitNot(inner) => {
            speaks(pool, sets, inner)
        }
        Node::Concat(a, b)
        | Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b)
        | Node::Ite(_, a, b) => speaks(pool, sets, a) || speaks(pool, sets, b),
        _ => false,
    }
}

/// The set that a term is, with the lane that it is a function of.
fn set_of(pool: &Pool, sets: &Sets, term: Term) -> Option<(Symbol, Option<Term>)> {
    match *pool.node(term) {
        Node::Variable(symbol) if sets.contains(&symbol) => Some((symbol, None)),
        Node::Apply(symbol, here) if sets.contains(&symbol) => Some((symbol, Some(here))),
        _ => None,
    }
}

/// The bits of two vectors that belong to one of `lanes`; a part of a set begins at a later lane.
fn places(pool: &mut Pool, sets: &Sets, ends: [Term; 2], lanes: &[Term]) -> Vec<Term> {
    let mut starts = BTreeSet::new();
    for term in pool.reachable(&ends) {
        match *pool.node(term) {
            Node::Extract(inner, _, low) if speaks(pool, sets, inner) => starts.insert(low),
            _ => continue,
        };
    }
    if ends.into_iter().any(|end| pool.width(end) == LARGEST) {
        starts.insert(0);
    }
    let mut places = Vec::new();
    for &lane in lanes {
        for &start in &starts {
            let start = pool.bits(u128::from(start), 32);
            places.push(pool.binary(Binary::Sub, lane, start));
        }
    }
    places
}

struct Predicates {
    replacements: HashMap<Term, Term>,
    congruence: Vec<Term>,
}

/// Membership predicates, for the sets that are used in no other way. Congruence need not be
/// asserted for pairs whose membership is `defined`.
fn predicates(
    pool: &mut Pool,
    terms: &[Term],
    sets: &Sets,
    defined: &HashSet<(Term, Term)>,
) -> Predicates {
    let mut asked: Vec<(Symbol, Option<Term>, Term, Term)> = Vec::new();
    let mut known: HashSet<Term> = HashSet::new();
    let mut whole = Sets::new();
    for term in pool.reachable(terms) {
        let node = pool.node(term).clone();
        if let Node::Bit(vector, lane) = node
            && pool.sort(lane) == Sort::Bits(32)
            && let Some((symbol, here)) = set_of(pool, sets, vector)
        {
            asked.push((symbol, here, lane, term));
            if defined.contains(&(vector, lane)) {
                known.insert(term);
            }
            continue;
        }
        let operands = Pool::operands(&node);
        whole.extend(operands.into_iter().filter_map(|it| Some(set_of(pool, sets, it)?.0)));
    }
    asked.retain(|(symbol, ..)| !whole.contains(symbol));
    let mut replacements = HashMap::new();
    let mut congruence = Vec::new();
    for (index, &(symbol, here, lane, term)) in asked.iter().enumerate() {
        let name = format!("in.{}", pool.symbol_name(symbol));
        let member = pool.fresh(name, Sort::Bool);
        replacements.insert(term, member);
        let end = pool.bits(u128::from(LARGEST), 32);
        let a_lane = pool.less(lane, end);
        congruence.push(pool.implies(member, a_lane));
        for &(other, there, elsewhere, its_term) in &asked[..index] {
            if other != symbol || (known.contains(&term) && known.contains(&its_term)) {
                continue;
            }
            let Some(&its_member) = replacements.get(&its_term) else { continue };
            let same_lane = pool.equal(lane, elsewhere);
            let same_set = match (here, there) {
                (Some(here), Some(there)) => pool.equal(here, there),
                _ => pool.bool(true),
            };
            let same = pool.and(same_lane, same_set);
            let equal = pool.equal(member, its_member);
            congruence.push(pool.implies(same, equal));
        }
    }
    Predicates { replacements, congruence }
}
