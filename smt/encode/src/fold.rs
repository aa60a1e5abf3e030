//! Reductions as constants, with the axioms that relate them.
//!
//! A sum over 128 lanes under 128 conditions is hard for a solver, and unnecessary if both sides
//! have the same sum. Here a reduction is a constant with these axioms: two reductions by one
//! operator over the same lanes with the same parts are equal; adding a lane combines its part; a
//! reduction over one lane is its part; over no lane, the identity. The operator must be a
//! commutative monoid, which `operator` in the solver's crate checks. The axioms are sound and
//! incomplete.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use laneproof_semantics::denote::{DenoteError, Fold, Part};
use laneproof_semantics::term::{Binary, Node, Pool, Scan, Sort, Term};
use laneproof_solve::{Law, algebra, combined};

use crate::distribution::{Outside, factors, reduced_by};
use crate::lane::LARGEST;

/// The reductions of an obligation.
#[derive(Default)]
pub struct Folds {
    by_axioms: bool,
    terms: HashMap<Fold, Term>,
    order: Vec<Fold>,
    operators: BTreeSet<(Term, Term)>,
}

impl Folds {
    /// No reductions yet; later ones become constants with axioms, or else are computed.
    pub fn new(by_axioms: bool) -> Self {
        Self { by_axioms, ..Self::default() }
    }

    /// The constant for a reduction, if reductions are described by axioms.
    pub fn term(&mut self, pool: &mut Pool, fold: &Fold) -> Option<Term> {
        self.operators.insert((fold.operator, fold.identity));
        if !self.by_axioms {
            return None;
        }
        let mut fold = fold.clone();
        for part in &mut fold.parts {
            (part.member, part.value) = effective(pool, fold.identity, part.member, part.value);
        }
        fold.parts.retain(|part| pool.bool_of(part.member) != Some(false));
        match fold.parts.as_slice() {
            [] => return Some(fold.identity),
            [only] if pool.bool_of(only.member) == Some(true) => return Some(only.value),
            _ => {}
        }
        if let Some(sum) = of_equal_parts(pool, &fold) {
            return Some(sum);
        }
        if let Some(outside) = take_out(pool, &mut fold) {
            let within = self.term(pool, &fold)?;
            let of_some = outside.of(pool, within);
            if outside.keeps(pool, fold.identity) {
                return Some(of_some);
            }
            let some = some_member(pool, &fold);
            return Some(pool.ite(some, of_some, fold.identity));
        }
        if let Some((condition, sides)) = chosen_alike(pool, &fold) {
            let [then, otherwise] = sides;
            let (then, otherwise) = (self.term(pool, &then)?, self.term(pool, &otherwise)?);
            return Some(pool.ite(condition, then, otherwise));
        }
        if let Some(&term) = self.terms.get(&fold) {
            return Some(term);
        }
        let sort = pool.sort(fold.identity);
        let term = pool.fresh(format!("fold.{}", self.order.len()), sort);
        self.terms.insert(fold.clone(), term);
        self.order.push(fold);
        Some(term)
    }

    /// True if no reduction is a constant.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Checks that every operator, here or in `others`, is a commutative monoid.
    ///
    /// # Errors
    ///
    /// If one is not, or was not decided in time.
    pub fn check_lawful(
        &self,
        pool: &mut Pool,
        others: &BTreeSet<(Term, Term)>,
    ) -> Result<(), DenoteError> {
        for (operator, identity) in self.operators.clone().into_iter().chain(others.clone()) {
            match algebra(pool, operator, identity).commutative_monoid {
                Law::Holds => {}
                Law::Undecided => return Err(DenoteError::OutOfTime),
                Law::Fails => {
                    let what = "a reduction whose operator is no commutative monoid";
                    return Err(DenoteError::NotModelled(what.into()));
                }
            }
        }
        Ok(())
    }

    /// The axioms about the constants. `lane` is a lane that one reduction may have in addition to
    /// another (32 bits).
    ///
    /// # Errors
    ///
    /// When `deadline` has passed.
    pub fn axioms(
        &self,
        pool: &mut Pool,
        lane: Option<Term>,
        deadline: Instant,
    ) -> Result<Vec<Term>, DenoteError> {
        let mut axioms = Vec::new();
        let mut in_lane = HashMap::new();
        if let Some(lane) = lane {
            for fold in &self.order {
                in_time(deadline)?;
                in_lane.extend(part_at(pool, fold, lane).map(|part| (fold, part)));
            }
        }
        for a in &self.order {
            in_time(deadline)?;
            axioms.push(self.of_nothing(pool, a));
            axioms.extend(self.of_one_value(pool, a));
            if let (Some(lane), Some(part)) = (lane, in_lane.get(a)) {
                axioms.push(self.of_one_lane(pool, a, lane, *part));
            }
            for b in &self.order {
                if a == b || a.operator != b.operator {
                    continue;
                }
                in_time(deadline)?;
                if self.terms[a] < self.terms[b] {
                    let same = same_parts(pool, a, b, None);
                    let equal = pool.equal(self.terms[a], self.terms[b]);
                    axioms.push(pool.implies(same, equal));
                }
                if let (Some(lane), Some(part)) = (lane, in_lane.get(b)) {
                    let without = match in_lane.get(a) {
                        Some((member, _)) => pool.not(*member),
                        None => pool.bool(true),
                    };
                    axioms.push(self.of_one_more(pool, [a, b], lane, *part, without));
                }
            }
        }
        Ok(axioms)
    }

    /// A reduction over no lane is the identity.
    fn of_nothing(&self, pool: &mut Pool, fold: &Fold) -> Term {
        let some = some_member(pool, fold);
        let identity = pool.equal(self.terms[fold], fold.identity);
        pool.or(some, identity)
    }

    /// For idempotent operators: a reduction of equal parts is that part.
    fn of_one_value(&self, pool: &mut Pool, fold: &Fold) -> Option<Term> {
        let value = fold.parts.first()?.value;
        if fold.parts.iter().any(|part| part.value != value)
            || algebra(pool, fold.operator, fold.identity).idempotent != Law::Holds
        {
            return None;
        }
        let some = some_member(pool, fold);
        let same = pool.equal(self.terms[fold], value);
        Some(pool.implies(some, same))
    }

    /// A reduction over one lane is that lane's part.
    fn of_one_lane(
        &self,
        pool: &mut Pool,
        fold: &Fold,
        lane: Term,
        (member, value): (Term, Term),
    ) -> Term {
        let mut conditions = Vec::new();
        for part in &fold.parts {
            let here = is_lane(pool, lane, part.lane);
            let outside = pool.not(part.member);
            conditions.push(pool.or(here, outside));
        }
        conditions.push(member);
        let alone = pool.all(conditions);
        let same = pool.equal(self.terms[fold], value);
        pool.implies(alone, same)
    }

    /// If `more` has the parts of `fewer` and that of one more lane, it is their combination.
    fn of_one_more(
        &self,
        pool: &mut Pool,
        [fewer, more]: [&Fold; 2],
        lane: Term,
        (member, value): (Term, Term),
        without: Term,
    ) -> Term {
        let same_otherwise = same_parts(pool, fewer, more, Some(lane));
        let condition = pool.all([member, without, same_otherwise]);
        let combined = combined(pool, fewer.operator, self.terms[fewer], value);
        let equal = pool.equal(self.terms[more], combined);
        pool.implies(condition, equal)
    }
}

/// A part that is the identity under some condition is left out under that condition.
pub fn effective(
    pool: &mut Pool,
    identity: Term,
    mut member: Term,
    mut value: Term,
) -> (Term, Term) {
    while let Node::Ite(condition, yes, no) = *pool.node(value) {
        let (condition, part) = match identity {
            it if it == no => (condition, yes),
            it if it == yes => (pool.not(condition), no),
            _ => break,
        };
        member = pool.and(member, condition);
        value = part;
    }
    (member, value)
}

/// Equal parts combined, as a function of their number.
pub enum Multiple {
    /// A sum of them: their number times the part.
    Sum(Term),
    /// An exclusive or: the part or nothing, by the parity of their number.
    Parity(Term),
}

/// The combination of equal parts by `operator`, if it is such a function.
pub fn multiple(pool: &mut Pool, operator: Term, identity: Term, part: Term) -> Option<Multiple> {
    if pool.bits_of(identity) != Some(0) {
        return None;
    }
    let sort = pool.sort(part);
    let [a, b] = [0, 1].map(|index| pool.placeholder(index, sort));
    let sum = pool.binary(Binary::Add, a, b);
    let parity = pool.binary(Binary::Xor, a, b);
    match operator {
        it if it == sum => Some(Multiple::Sum(part)),
        it if it == parity => Some(Multiple::Parity(part)),
        _ => None,
    }
}

impl Multiple {
    /// The parts of the lanes in a mask combined.
    pub fn of(&self, pool: &mut Pool, mask: Term) -> Term {
        let count = pool.scan(Scan::Count, mask);
        match *self {
            Self::Sum(part) => {
                let count = pool.resize(count, pool.width(part));
                pool.binary(Binary::Mul, count, part)
            }
            Self::Parity(part) => {
                let lowest = pool.bits(0, 32);
                let odd = pool.bit(count, lowest);
                let nothing = pool.bits(0, pool.width(part));
                pool.ite(odd, part, nothing)
            }
        }
    }
}

fn of_equal_parts(pool: &mut Pool, fold: &Fold) -> Option<Term> {
    let value = fold.parts.first()?.value;
    if fold.parts.iter().any(|part| part.value != value) {
        return None;
    }
    let multiple = multiple(pool, fold.operator, fold.identity, value)?;
    let never = pool.bool(false);
    let mut members = vec![never; LARGEST as usize];
    for part in &fold.parts {
        members[part.lane as usize] = part.member;
    }
    let mask = pool.from_bits(members);
    Some(multiple.of(pool, mask))
}

/// No side of a choice is a choice again, of which each would be two reductions.
pub(crate) fn is_simple_choice(pool: &Pool, sides: [Term; 2]) -> bool {
    !sides.into_iter().any(|side| matches!(pool.node(side), Node::Ite(..)))
}

/// The condition by which all parts are chosen, and the reductions between which it chooses.
fn chosen_alike(pool: &Pool, fold: &Fold) -> Option<(Term, [Fold; 2])> {
    let Node::Ite(by, ..) = *pool.node(fold.parts.first()?.value) else { return None };
    let simple = |part: &Part| match *pool.node(part.value) {
        Node::Ite(_, then, otherwise) => is_simple_choice(pool, [then, otherwise]),
        _ => false,
    };
    if !fold.parts.iter().all(simple) {
        return None;
    }
    let mut sides = [fold.clone(), fold.clone()];
    for number in 0..fold.parts.len() {
        match *pool.node(fold.parts[number].value) {
            Node::Ite(condition, then, otherwise) if condition == by => {
                sides[0].parts[number].value = then;
                sides[1].parts[number].value = otherwise;
            }
            _ => return None,
        }
    }
    Some((by, sides))
}

/// Takes a factor that is common to all parts out of the reduction.
fn take_out(pool: &mut Pool, fold: &mut Fold) -> Option<Outside> {
    let over = reduced_by(pool, fold.operator)?;
    let first = fold.parts.first()?.value;
    for (outside, _) in factors(pool, over, first, |_| true) {
        let own = |part: &Part| {
            let found = factors(pool, over, part.value, |it| outside.is_by(it));
            found.into_iter().find(|(it, _)| *it == outside).map(|(_, own)| own)
        };
        if let Some(own) = fold.parts.iter().map(own).collect::<Option<Vec<Term>>>() {
            for (part, own) in fold.parts.iter_mut().zip(own) {
                part.value = own;
            }
            return Some(outside);
        }
    }
    None
}

fn in_time(deadline: Instant) -> Result<(), DenoteError> {
    if Instant::now() > deadline { Err(DenoteError::OutOfTime) } else { Ok(()) }
}

fn some_member(pool: &mut Pool, fold: &Fold) -> Term {
    let members: Vec<Term> = fold.parts.iter().map(|part| part.member).collect();
    pool.any(members)
}

fn is_lane(pool: &mut Pool, lane: Term, number: u32) -> Term {
    let number = pool.bits(u128::from(number), 32);
    pool.equal(lane, number)
}

/// Whether `lane` takes part in a reduction, and with what.
fn part_at(pool: &mut Pool, fold: &Fold, lane: Term) -> Option<(Term, Term)> {
    let member = of_lane(pool, fold, lane, |part| part.member)?;
    let value = of_lane(pool, fold, lane, |part| part.value)?;
    let mut listed = Vec::new();
    for part in &fold.parts {
        listed.push(is_lane(pool, lane, part.lane));
    }
    let listed = pool.any(listed);
    Some((pool.and(listed, member), value))
}

/// The value of `of` in `lane`: one term with the lane's number replaced, if all lanes have the
/// same term up to that number; else a choice among their terms.
fn of_lane(pool: &mut Pool, fold: &Fold, lane: Term, of: impl Fn(&Part) -> Term) -> Option<Term> {
    let number = pool.placeholder(u8::MAX, Sort::Bits(32));
    let mut general: BTreeSet<Term> = BTreeSet::new();
    for part in &fold.parts {
        let here = pool.bits(u128::from(part.lane), 32);
        general.insert(pool.substitute(of(part), &HashMap::from([(here, number)])));
    }
    if general.len() == 1 {
        let general = general.pop_first()?;
        return Some(pool.substitute(general, &HashMap::from([(number, lane)])));
    }
    let mut chosen = of(fold.parts.last()?);
    for part in fold.parts.iter().rev() {
        let here = is_lane(pool, lane, part.lane);
        chosen = pool.ite(here, of(part), chosen);
    }
    Some(chosen)
}

/// Lane by lane, both take part or neither, and with the same part; `except` for one lane.
/// A lane that a reduction does not list takes no part in it.
fn same_parts(pool: &mut Pool, a: &Fold, b: &Fold, except: Option<Term>) -> Term {
    let by_lane = |fold: &Fold| -> BTreeMap<u32, Part> {
        fold.parts.iter().map(|part| (part.lane, *part)).collect()
    };
    let (in_a, in_b) = (by_lane(a), by_lane(b));
    let lanes: BTreeSet<u32> = in_a.keys().chain(in_b.keys()).copied().collect();
    let mut conditions = Vec::with_capacity(lanes.len());
    for lane in lanes {
        let same = match (in_a.get(&lane), in_b.get(&lane)) {
            (Some(a), Some(b)) => {
                let same_membership = pool.equal(a.member, b.member);
                let same_value = pool.equal(a.value, b.value);
                let agrees = pool.implies(a.member, same_value);
                pool.and(same_membership, agrees)
            }
            (Some(only), None) | (None, Some(only)) => pool.not(only.member),
            (None, None) => continue,
        };
        conditions.push(match except {
            Some(except) => {
                let here = is_lane(pool, except, lane);
                pool.or(here, same)
            }
            None => same,
        });
    }
    pool.all(conditions)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use laneproof_semantics::term::{Compare, GroundValue, Interpretation, Symbol};

    use super::*;

    /// A state: the condition, and two bits for each variable.
    struct State(u32, Vec<Symbol>);

    impl Interpretation for State {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            let place = self.1.iter().position(|it| *it == symbol).unwrap();
            match place {
                0 => GroundValue::Bool(self.0 & 1 == 1),
                _ => GroundValue::Bits(u128::from(self.0 >> (2 * place - 1) & 3)),
            }
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            unreachable!("nothing depends on a lane")
        }
    }

    fn operators(pool: &mut Pool) -> Vec<Term> {
        let [a, b] = [0, 1].map(|index| pool.placeholder(index, Sort::Bits(2)));
        let kinds = [Binary::Add, Binary::Mul, Binary::And, Binary::Or, Binary::Xor];
        let mut all: Vec<Term> = kinds.map(|kind| pool.binary(kind, a, b)).to_vec();
        for relation in [Compare::Less, Compare::LessSigned] {
            let less = pool.compare(relation, a, b);
            all.extend([pool.ite(less, a, b), pool.ite(less, b, a)]);
        }
        all
    }

    /// In all states of two bits: parts that are chosen alike are reduced as the choice between the two
    /// reductions, for every operator.
    #[test]
    fn parts_that_are_chosen_alike_are_chosen_as_a_whole() {
        let mut pool = Pool::new();
        let identity = pool.bits(0, 2);
        let condition = pool.fresh("condition", Sort::Bool);
        let payloads: Vec<Term> =
            (0..4).map(|it| pool.fresh(format!("x.{it}"), Sort::Bits(2))).collect();
        let always = pool.bool(true);
        let value =
            |pool: &mut Pool, lane: usize| pool.ite(condition, payloads[lane], payloads[lane + 2]);
        let parts = [0, 1].map(|lane| Part {
            lane: lane as u32,
            member: always,
            value: value(&mut pool, lane),
        });
        let symbols: Vec<Symbol> = [condition]
            .iter()
            .chain(&payloads)
            .map(|it| match *pool.node(*it) {
                Node::Variable(symbol) => symbol,
                _ => unreachable!("a free constant"),
            })
            .collect();
        for operator in operators(&mut pool) {
            let fold = Fold { operator, identity, parts: parts.to_vec() };
            let (by, sides) = chosen_alike(&pool, &fold).unwrap();
            assert_eq!(by, condition);
            let of = |pool: &mut Pool, fold: &Fold| {
                let [a, b] = [0, 1].map(|lane| fold.parts[lane].value);
                combined(pool, operator, a, b)
            };
            let [then, otherwise] = [of(&mut pool, &sides[0]), of(&mut pool, &sides[1])];
            let whole = of(&mut pool, &fold);
            let chosen = pool.ite(by, then, otherwise);
            for state in 0..1 << 9 {
                let state = State(state, symbols.clone());
                let found = pool.evaluate(&[whole, chosen], &state);
                assert_eq!(found[0], found[1]);
            }
        }
    }
}
