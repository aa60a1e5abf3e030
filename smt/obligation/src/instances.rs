//! Instantiation of quantifiers over lanes.
//!
//! A universal quantifier holds in each instance lane if it holds, and fails in a witness lane if
//! it does not. A set of lanes has membership facts at each instance lane; sets that differ do so
//! in a witness lane. A reduction has its axioms. The instance lanes are those that occur in terms:
//! whose payload or bit is read, or that are witnesses.

mod pairs;

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use self::pairs::Reduction;
use laneproof_encode::{
    ANY, CountAxioms, DEEPEST, HERE, LARGEST, LaneQuantifiers, READING, Sets, as_predicates,
    equal_products, lane_sort, made_of_sets, small, some_lane,
};
use laneproof_semantics::denote::{DenoteError, LaneQuantifier};
use laneproof_semantics::term::{Binary, Node, Pool, Scan, Sort, Symbol, Term};
use laneproof_solve::{Algebra, Law, algebra, combined};

/// The most instance lanes: more would cost more than they help.
const LANES: usize = 16;
/// The most instance lanes in a brief query.
const FEW_LANES: usize = 6;
/// The most instance lanes where reductions are joined: each has many facts then.
const LANES_OF_SCANS: usize = 10;
/// How often instances may add new lanes.
const ITERATIONS: usize = 4;
/// With more instances than this, the other views are faster.
const INSTANCES: usize = 500;
/// The same for quantifiers that are known to hold for any two lanes: how often instances are made, and
/// how many there may be.
const ITERATIONS_OF_PAIRS: usize = 7;
const INSTANCES_OF_PAIRS: usize = 5000;

/// Adds to `terms` the axioms about the quantifiers and counts in them, and replaces each of these
/// by a simpler term. `active` is the set of lanes that entered, `lane` one of them. Returns
/// whether counting axioms were used.
pub fn instantiated(
    pool: &mut Pool,
    quantifiers: &LaneQuantifiers,
    terms: &mut Vec<Term>,
    active: Term,
    lane: Option<Term>,
    deadline: Instant,
) -> Result<bool, DenoteError> {
    let mut counting = CountAxioms::default();
    let counts = counting.of(pool, terms, lane, deadline);
    terms.extend(counts);
    let mut sets = quantifiers.sets();
    if let Node::Variable(entered) = *pool.node(active) {
        sets.insert(entered);
    }
    let mut instances = Instances::new(quantifiers, sets, (counting, lane), deadline);
    let known = instances.of(pool, terms)?;
    terms.extend(known);
    terms.extend(equal_products(pool, terms));
    // This is long for many related lanes; otherwise it shortens proofs.
    let instantiated = instances
        .instantiated
        .iter()
        .copied()
        .filter(|_| !quantifiers.instance_lanes.focus.is_empty());
    as_predicates(pool, terms, &instances.sets, &instances.lanes, instantiated);
    Ok(instances.counting.any())
}

/// A quantifier that a lane evaluates.
#[derive(Clone, Copy)]
struct Application {
    /// Its value there.
    term: Term,
    symbol: Symbol,
    /// The lane that evaluates it.
    here: Term,
}

/// Axioms about several reductions that are stated already.
#[derive(Default)]
struct Paired {
    /// Pairs of reductions with an equality axiom.
    compared: HashSet<(Term, Term)>,
    /// Reductions that may be the combination of two others.
    joined: HashSet<(Term, Term, Term)>,
    /// Pairs of reductions where one may have an additional lane, and that lane.
    stepped: HashSet<(Term, Term, Term)>,
}

/// The instances of the quantifiers in some terms.
struct Instances<'s> {
    quantifiers: &'s LaneQuantifiers,
    sets: Sets,
    lanes: Vec<Term>,
    /// The number of lanes that the query itself names.
    named_first: usize,
    /// Quantifiers and lanes that are instantiated already.
    instantiated: HashSet<(Term, Term)>,
    /// Quantifiers and equations that have a witness lane.
    named: HashSet<Term>,
    /// Axioms about several reductions that are stated already.
    paired: Paired,
    witnesses: usize,
    /// Counts, in the query and in its instances.
    counting: CountAxioms,
    /// The lane that one of two counted masks may have in addition.
    lane: Option<Term>,
    /// No more lanes are added: given quantifiers are instantiated at the lanes that the rest
    /// names.
    settled: bool,
    deadline: Instant,
}

impl<'s> Instances<'s> {
    fn new(
        quantifiers: &'s LaneQuantifiers,
        sets: Sets,
        (counting, lane): (CountAxioms, Option<Term>),
        deadline: Instant,
    ) -> Self {
        Self {
            counting,
            lane,
            quantifiers,
            sets,
            lanes: Vec::new(),
            named_first: 0,
            instantiated: HashSet::new(),
            named: HashSet::new(),
            paired: Paired::default(),
            witnesses: 0,
            settled: false,
            deadline,
        }
    }

    /// Instances at the lanes that `terms` name, and at those that the instances name.
    fn of(&mut self, pool: &mut Pool, terms: &[Term]) -> Result<Vec<Term>, DenoteError> {
        let mut known = Vec::new();
        let mut all = terms.to_vec();
        let named: HashSet<Term> = pool.reachable(&all).into_iter().collect();
        let focus = self.quantifiers.instance_lanes.focus.iter().copied();
        self.lanes.extend(focus.filter(|lane| named.contains(lane)));
        if !self.quantifiers.of_named.is_empty() {
            let closed = closed_terms(pool, &all);
            self.look_at(pool, &closed);
        }
        self.named_first = self.lanes.len();
        self.iterations(pool, &mut all, &mut known, ITERATIONS)?;
        if !self.quantifiers.given.is_empty() {
            self.settled = true;
            self.iterations(pool, &mut all, &mut known, ITERATIONS_OF_PAIRS)?;
        }
        Ok(known)
    }

    fn iterations(
        &mut self,
        pool: &mut Pool,
        all: &mut Vec<Term>,
        known: &mut Vec<Term>,
        iterations: usize,
    ) -> Result<(), DenoteError> {
        for _ in 0..iterations {
            let closed = closed_terms(pool, all);
            let mut new = Vec::new();
            if !self.settled {
                new = self.named_lanes(pool, &closed);
                self.look_at(pool, &closed);
            }
            let applications = self.applications(pool, &closed);
            let most = if self.settled { INSTANCES_OF_PAIRS } else { INSTANCES };
            for &at in &applications {
                if Instant::now() > self.deadline || known.len() + new.len() > most {
                    return Err(DenoteError::OutOfTime);
                }
                if self.settled || !self.quantifiers.given.contains(&at.symbol) {
                    self.instantiate(pool, at, &mut new);
                }
            }
            self.pairs(pool, &applications, &mut new);
            let counts = self.counting.of(pool, &mut new, self.lane, self.deadline);
            new.extend(counts);
            if new.is_empty() {
                break;
            }
            all.extend(&new);
            known.append(&mut new);
        }
        Ok(())
    }

    /// Quantifiers that a lane of the problem evaluates, not nested in another quantifier.
    fn applications(&self, pool: &Pool, closed: &[Term]) -> Vec<Application> {
        let quantifiers = &self.quantifiers.definitions;
        closed
            .iter()
            .filter_map(|&term| match *pool.node(term) {
                Node::Apply(symbol, here) if quantifiers.contains_key(&symbol) => {
                    Some(Application { term, symbol, here })
                }
                _ => None,
            })
            .collect()
    }

    fn witness(&mut self, pool: &mut Pool, what: &str) -> Term {
        self.witnesses += 1;
        some_lane(pool, format!("{what}.{}", self.witnesses))
    }

    /// Lanes whose payloads, draws or bits the terms read.
    fn look_at(&mut self, pool: &Pool, closed: &[Term]) {
        let made = made_of_sets(pool, &self.sets, closed);
        for &term in closed {
            match *pool.node(term) {
                Node::Apply(symbol, lane)
                    if pool.bits_of(lane).is_none()
                        || !self.quantifiers.definitions.contains_key(&symbol) =>
                {
                    self.look(lane);
                }
                Node::Tag(_, lane) => self.look(lane),
                Node::Bit(_, lane) if pool.sort(lane) == lane_sort() => self.look(lane),
                Node::Scan(Scan::Lowest | Scan::Highest, mask) if made.contains(&mask) => {
                    self.look(term);
                }
                _ => {}
            }
        }
    }

    fn look(&mut self, lane: Term) {
        let most =
            match (self.quantifiers.instance_lanes.brief, self.quantifiers.instance_lanes.joins) {
                (true, _) => FEW_LANES,
                (false, true) => LANES_OF_SCANS,
                (false, false) => LANES,
            };
        if !self.settled && self.lanes.len() < most && !self.lanes.contains(&lane) {
            self.lanes.push(lane);
        }
    }

    /// Vectors that differ do so in some bit.
    fn named_lanes(&mut self, pool: &mut Pool, closed: &[Term]) -> Vec<Term> {
        let mut new = Vec::new();
        let made = made_of_sets(pool, &self.sets, closed);
        let mut seen = HashSet::new();
        for &term in closed {
            let Node::Equal(a, b) = *pool.node(term) else { continue };
            if !matches!(pool.sort(a), Sort::Bits(_))
                || self.named.contains(&term)
                || !(made.contains(&a) || made.contains(&b))
            {
                continue;
            }
            self.named.insert(term);
            let width = pool.width(a);
            self.witnesses += 1;
            let place = small(pool, format!("differs.{}", self.witnesses), width - 1);
            let width = pool.bits(u128::from(width), 32);
            let inside = pool.less(place, width);
            let (in_a, in_b) = (pool.bit(a, place), pool.bit(b, place));
            let same = pool.equal(in_a, in_b);
            let differs = pool.not(same);
            let shown = pool.and(inside, differs);
            new.push(pool.or(term, shown));
            self.behind(pool, a, place, &mut seen);
            self.behind(pool, b, place, &mut seen);
        }
        new
    }

    /// The lane that bit `place` of a term is about, unless it was `seen`.
    fn behind(
        &mut self,
        pool: &mut Pool,
        term: Term,
        place: Term,
        seen: &mut HashSet<(Term, Term)>,
    ) {
        if !seen.insert((term, place)) {
            return;
        }
        match *pool.node(term) {
            Node::Extract(inner, _, low) => {
                let low = pool.bits(u128::from(low), 32);
                let place = pool.add(place, low);
                self.behind(pool, inner, place, seen);
            }
            Node::Concat(high, low) => {
                let split = pool.bits(u128::from(pool.width(low)), 32);
                let above = pool.binary(Binary::Sub, place, split);
                self.behind(pool, low, place, seen);
                self.behind(pool, high, above, seen);
            }
            Node::ZeroExtend(inner, _) | Node::BitNot(inner) => {
                self.behind(pool, inner, place, seen)
            }
            Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b) | Node::Ite(_, a, b) => {
                self.behind(pool, a, place, seen);
                self.behind(pool, b, place, seen);
            }
            Node::Apply(..) | Node::Variable(_) => self.look(place),
            _ => {}
        }
    }

    fn instantiate(&mut self, pool: &mut Pool, at: Application, new: &mut Vec<Term>) {
        let Some(definition) = self.quantifiers.definitions.get(&at.symbol) else { return };
        match definition.clone() {
            LaneQuantifier::Every(holds) => self.every(pool, at, holds, new),
            LaneQuantifier::Set(holds) => {
                let lanes = self.missing_lanes(at.term);
                let facts = lanes.into_iter().map(|lane| within_set(pool, at, holds, lane));
                new.extend(facts);
            }
            LaneQuantifier::Fold { .. } if self.quantifiers.instance_lanes.brief => {}
            LaneQuantifier::Fold { operator, identity, member, value } => {
                let Application { term, symbol, here } = at;
                let reduction = Reduction { term, symbol, here, operator, identity, member, value };
                let algebra = algebra(pool, operator, identity);
                if self.named.insert(term) {
                    self.some_part(pool, &reduction, &algebra, new);
                }
                for lane in self.missing_lanes(term) {
                    self.one_part(pool, &reduction, &algebra, lane, new);
                }
            }
        }
    }

    /// What holds in every lane holds in each instance lane, and else fails in a witness.
    fn every(&mut self, pool: &mut Pool, at: Application, holds: Term, new: &mut Vec<Term>) {
        if self.named.insert(at.term) && !self.settled {
            let lane = self.witness(pool, "fails");
            let there = instance(pool, holds, lane, at.here);
            let fails = pool.not(there);
            new.push(pool.or(at.term, fails));
            self.look(lane);
        }
        let of_focus = self.quantifiers.of_focus.contains(&at.symbol);
        let of_named = self.quantifiers.of_named.contains(&at.symbol);
        for lane in self.missing_lanes(at.term) {
            let named = self.lanes[..self.named_first].contains(&lane);
            let focused = self.quantifiers.instance_lanes.focus.contains(&lane);
            if (of_focus && !focused) || (of_named && !named) {
                continue;
            }
            let there = instance(pool, holds, lane, at.here);
            new.push(pool.implies(at.term, there));
        }
    }

    /// If all parts of a reduction are the identity, so is the reduction; for an idempotent operator and
    /// equal parts, it is that part.
    fn some_part(
        &mut self,
        pool: &mut Pool,
        &Reduction { term, here, identity, member, value, .. }: &Reduction,
        algebra: &Algebra,
        new: &mut Vec<Term>,
    ) {
        let lane = self.witness(pool, "member");
        let member = instance(pool, member, lane, here);
        let part = instance(pool, value, lane, here);
        let gives_nothing = pool.equal(part, identity);
        let gives = pool.not(gives_nothing);
        let mut some = pool.and(member, gives);
        if algebra.selective == Law::Holds {
            // If each combination is one of its two operands, the reduction is one of the parts.
            let chosen = pool.equal(term, part);
            some = pool.and(some, chosen);
        }
        let nothing = pool.equal(term, identity);
        new.push(pool.or(nothing, some));
        self.look(lane);
        let any = pool.placeholder(ANY, lane_sort());
        if algebra.idempotent == Law::Holds && !pool.reachable(&[value]).contains(&any) {
            let same = pool.equal(term, part);
            new.push(pool.or(nothing, same));
        }
    }

    /// If a lane is a member and the reduction is not its part, there is another member.
    fn one_part(
        &mut self,
        pool: &mut Pool,
        &Reduction { term, here, operator, member, value, .. }: &Reduction,
        algebra: &Algebra,
        lane: Term,
        new: &mut Vec<Term>,
    ) {
        let member_here = instance(pool, member, lane, here);
        let value_here = instance(pool, value, lane, here);
        let other = self.witness(pool, "another");
        if self.quantifiers.instance_lanes.singles {
            self.look(other);
        }
        let member_there = instance(pool, member, other, here);
        let same_lane = pool.equal(lane, other);
        let elsewhere = pool.not(same_lane);
        let another = pool.and(elsewhere, member_there);
        let alone = pool.equal(term, value_here);
        let either = pool.or(alone, another);
        new.push(pool.implies(member_here, either));
        if algebra.idempotent == Law::Holds {
            // Combining its part again changes nothing.
            let again = combined(pool, operator, term, value_here);
            let absorbed = pool.equal(again, term);
            new.push(pool.implies(member_here, absorbed));
        }
    }

    /// The instance lanes at which a quantifier is not instantiated yet.
    fn missing_lanes(&mut self, term: Term) -> Vec<Term> {
        let instantiated = &mut self.instantiated;
        self.lanes.iter().copied().filter(|&lane| instantiated.insert((term, lane))).collect()
    }
}

/// A definition at one lane, evaluated by another.
fn instance(pool: &mut Pool, body: Term, lane: Term, here: Term) -> Term {
    let replacements = HashMap::from([
        (pool.placeholder(ANY, lane_sort()), lane),
        (pool.placeholder(HERE, lane_sort()), here),
    ]);
    pool.substitute(body, &replacements)
}

/// A lane is in a set if and only if the definition holds for it.
fn within_set(pool: &mut Pool, set: Application, holds: Term, lane: Term) -> Term {
    let there = instance(pool, holds, lane, set.here);
    let end = pool.bits(u128::from(LARGEST), 32);
    let a_lane = pool.less(lane, end);
    let within = pool.bit(set.term, lane);
    let agrees = pool.equal(within, there);
    pool.implies(a_lane, agrees)
}

/// Everything below `terms` without free placeholders.
fn closed_terms(pool: &mut Pool, terms: &[Term]) -> Vec<Term> {
    let mut open: HashSet<Term> = (READING..=READING + DEEPEST)
        .chain([ANY, HERE])
        .map(|index| pool.placeholder(index, lane_sort()))
        .collect();
    let mut closed = Vec::new();
    for term in pool.reachable(terms) {
        if open.contains(&term) {
            continue;
        }
        if Pool::operands(pool.node(term)).iter().any(|operand| open.contains(operand)) {
            open.insert(term);
        } else {
            closed.push(term);
        }
    }
    closed
}
