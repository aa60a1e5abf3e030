//! Results that assertions describe by relations: one of some numbers that no other one outdoes, the
//! lesser or the greater of two.
//!
//! Where all numbers in question are known to be no NaN and no zero, such a relation has one
//! solution, the least or greatest of them in the order of their bits, and the free constant is that
//! in every state that satisfies the assertions. Elsewhere it is itself.

use laneproof_semantics::term::{Compare, FloatFormat, FloatNote, Node, Pool, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Evaluator;
use super::choice::Choice;
use super::float::{Operand, numbers_compared};
use super::whole::Sum;
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::FormId;
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::property::Property;

/// Where a free constant is something else, and what.
pub(super) type Known = FxHashMap<Term, (Bdd, FormId)>;

/// The relations of free constants, and the terms that assert them.
#[derive(Default)]
pub(super) struct Relations {
    of: FxHashMap<Term, Relation>,
    /// Assertions of which nothing is used but what is known of free constants.
    spent: FxHashSet<Term>,
}

impl Relations {
    pub(super) fn get(&self, constant: &Term) -> Option<&Relation> {
        self.of.get(constant)
    }

    pub(super) fn insert(&mut self, constant: Term, relation: Relation, origin: Term) {
        // A sum may turn out not to be known.
        if !matches!(relation.says, Says::Sum(_)) {
            self.spent.insert(origin);
        }
        self.of.entry(constant).or_insert(relation);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.of.clear();
        self.spent.clear();
    }
}

/// What is asserted of a free constant.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// Where it is asserted.
    here: Bdd,
    /// Its format.
    format: FloatFormat,
    says: Says,
}

#[derive(Clone, Debug)]
enum Says {
    /// It is one of these, which limits of it are.
    OneOf { members: Vec<Member>, limits: Vec<Limit> },
    /// It is the number that is chosen, or one of two, where the choice is open.
    Chosen(Choice),
    /// It is the sum of some numbers in some order.
    Sum(Sum),
}

/// A value that a constant may be, where all guards hold.
#[derive(Clone, Debug)]
struct Member {
    guards: Vec<Term>,
    value: Term,
}

/// A number that does not outdo the constant, where no alternative holds and all conditions do.
#[derive(Clone, Debug)]
struct Limit {
    alternatives: Vec<Term>,
    conditions: Vec<Term>,
    value: Operand,
    /// It is not greater, else not less.
    greatest: bool,
}

impl Relation {
    /// What its value depends on.
    pub(super) fn operands(&self, pool: &Pool) -> Vec<Term> {
        match &self.says {
            Says::OneOf { members, limits } => {
                let members = members.iter().flat_map(|it| it.guards.iter().chain([&it.value]));
                let limits = limits.iter().flat_map(Limit::terms);
                members.copied().chain(limits).collect()
            }
            Says::Chosen(choice) => choice.operands(),
            Says::Sum(sum) => sum.operands(pool),
        }
    }

    /// Of a conjunction: a constant is one of some numbers, is no NaN, and no number outdoes it.
    pub(super) fn one_of(
        pool: &Pool,
        list: &[Term],
        here: Bdd,
        is_constant: impl Fn(Term) -> bool,
    ) -> Option<(Term, Self)> {
        let (constant, format) = list.iter().find_map(|&part| match *pool.node(part) {
            Node::Not(test) => match pool.float_note(test)? {
                FloatNote::Nan(number, format) if is_constant(number) => Some((number, format)),
                _ => None,
            },
            _ => None,
        })?;
        let mut members = None;
        let mut limits = Vec::new();
        for &part in list {
            if members.is_none()
                && let Node::Or(ways) = pool.node(part)
                && let Some(found) =
                    ways.iter().map(|&way| Member::of(pool, way, constant)).collect()
            {
                members = Some(found);
            } else if let Some(limit) = Limit::of(pool, part, constant) {
                limits.push(limit);
            }
        }
        // Of one number alone it is said at once that it is the constant.
        let alone = || {
            list.iter().find_map(|&part| match *pool.node(part) {
                Node::Equal(..) => Member::of(pool, part, constant).map(|member| vec![member]),
                _ => None,
            })
        };
        let members: Vec<Member> = members.or_else(alone)?;
        Some((constant, Self { here, format, says: Says::OneOf { members, limits } }))
    }

    /// Of a disjunction: a constant is the sum of some numbers in some order.
    pub(super) fn sum_of(
        pool: &Pool,
        term: Term,
        here: Bdd,
        is_constant: impl Fn(Term) -> bool,
    ) -> Option<(Term, Self)> {
        let (constant, format, sum) = Sum::at(pool, term)?;
        is_constant(constant).then_some((constant, Self { here, format, says: Says::Sum(sum) }))
    }

    /// Of a choice by a condition: one of two numbers, or else the chosen one of them.
    pub(super) fn chosen(
        pool: &Pool,
        [open, either, only]: [Term; 3],
        here: Bdd,
        is_constant: impl Fn(Term) -> bool,
    ) -> Option<(Term, Self)> {
        let same = |term: Term| match *pool.node(term) {
            Node::Equal(a, b) => Some([pool.number(a), pool.number(b)]),
            _ => None,
        };
        let Node::Equal(a, b) = *pool.node(only) else { return None };
        // The same number, whatever NaN.
        let format = [a, b].into_iter().find_map(|side| match *pool.node(side) {
            Node::Canonical(format, _) => Some(format),
            _ => None,
        })?;
        let sides = same(only)?;
        let constant = sides.into_iter().find(|&side| is_constant(side))?;
        let other = |[a, b]: [Term; 2]| match (a == constant, b == constant) {
            (true, false) => Some(b),
            (false, true) => Some(a),
            _ => None,
        };
        let chosen = other(sides)?;
        let Node::Ite(_, x, y) = *pool.node(chosen) else { return None };
        let Node::Or(ways) = pool.node(either) else { return None };
        let [first, second] = ways[..] else { return None };
        let two = [other(same(first)?)?, other(same(second)?)?];
        let of_both = [pool.number(x), pool.number(y)];
        let as_chosen = two == of_both || two == [of_both[1], of_both[0]];
        let choice = Choice::new(pool, open, two, chosen);
        as_chosen.then_some((constant, Self { here, format, says: Says::Chosen(choice) }))
    }
}

impl Member {
    /// A conjunction of guards and of an equality of the constant.
    fn of(pool: &Pool, way: Term, constant: Term) -> Option<Self> {
        let parts = match pool.node(way) {
            Node::And(list) => list.to_vec(),
            _ => vec![way],
        };
        let mut value = None;
        let mut guards = Vec::new();
        for part in parts {
            match *pool.node(part) {
                Node::Equal(a, b) if a == constant && value.is_none() => value = Some(b),
                Node::Equal(a, b) if b == constant && value.is_none() => value = Some(a),
                _ => guards.push(part),
            }
        }
        // Where it is no NaN, it is that number.
        Some(Self { guards, value: pool.number(value?) })
    }
}

impl Limit {
    /// What it depends on.
    fn terms(&self) -> impl Iterator<Item = Term> {
        let value = match self.value {
            Operand::Term(value) => Some(value),
            Operand::Number(..) => None,
        };
        self.alternatives.iter().chain(&self.conditions).copied().chain(value)
    }

    fn of(pool: &Pool, part: Term, constant: Term) -> Option<Self> {
        let ways = match pool.node(part) {
            Node::Or(list) => list.to_vec(),
            _ => vec![part],
        };
        let mut limit = None;
        let mut alternatives = Vec::new();
        for way in ways {
            match Self::of_way(pool, way, constant) {
                Some(found) if limit.is_none() => limit = Some(found),
                _ => alternatives.push(way),
            }
        }
        Some(Self { alternatives, ..limit? })
    }

    /// That a number does not outdo the constant.
    fn of_way(pool: &Pool, way: Term, constant: Term) -> Option<Self> {
        let (parts, negated) = match *pool.node(way) {
            Node::Not(inner) => match pool.node(inner) {
                Node::And(list) => (list.to_vec(), true),
                _ => (vec![inner], true),
            },
            _ => (vec![way], false),
        };
        let mut found = None;
        let mut conditions = Vec::new();
        for part in parts {
            let compared = match *pool.node(part) {
                Node::Compare(relation, x, y) => {
                    numbers_compared(pool, relation, x, y).map(|sides| (relation, sides))
                }
                _ => None,
            };
            match compared {
                Some(compared) if found.is_none() => found = Some(compared),
                _ if is_ordered(pool, part, constant, &mut conditions) => {}
                _ => conditions.push(part),
            }
        }
        let (relation, sides) = found?;
        // The first is not less than the second.
        let [first, second] = match (relation, negated) {
            (Compare::LessSigned, true) => sides,
            (Compare::LessEqualSigned, false) => [sides[1], sides[0]],
            _ => return None,
        };
        let (value, greatest) = match (first, second) {
            (Operand::Term(first), value) if first == constant => (value, true),
            (value, Operand::Term(second)) if second == constant => (value, false),
            _ => return None,
        };
        Some(Self { alternatives: Vec::new(), conditions, value, greatest })
    }
}

/// The part says that no number is a NaN; those but the constant, which is none, become conditions.
fn is_ordered(pool: &Pool, part: Term, constant: Term, conditions: &mut Vec<Term>) -> bool {
    let Node::Not(unordered) = *pool.node(part) else { return false };
    let tests = match pool.node(unordered) {
        Node::Or(list) => list.to_vec(),
        _ => vec![unordered],
    };
    let mut others = Vec::new();
    for test in tests {
        match pool.float_note(test) {
            Some(FloatNote::Nan(number, _)) if number == constant => {}
            Some(FloatNote::Nan(..)) => others.push(test),
            _ => return false,
        }
    }
    // That a test fails is asked of the number, so the whole part is no condition.
    conditions.extend(others);
    true
}

impl Evaluator<'_> {
    /// The assertion says no more than what is known of free constants.
    pub(crate) fn is_spent(&self, assertion: Term) -> bool {
        self.relations.spent.contains(&assertion)
    }

    /// What a free constant is by its relation, and where.
    pub(super) fn related(&mut self, constant: Term) -> Result<Option<(Bdd, FormId)>, Exhausted> {
        let Some(Relation { here, format, says }) = self.relations.get(&constant).cloned() else {
            return Ok(None);
        };
        match says {
            Says::OneOf { members, limits } => self.least_of(here, &members, &limits),
            Says::Chosen(choice) => {
                self.chosen_of(here, &choice, Property::Number(format)).map(Some)
            }
            Says::Sum(sum) => self.whole_sum(here, format, &sum),
        }
    }

    fn all_hold(&mut self, terms: &[Term], value: bool) -> Result<Bdd, Exhausted> {
        let mut all = Bdd::TRUE;
        for &term in terms {
            let truth = self.truth(term).complement_if(!value);
            all = self.diagrams().and(all, truth)?;
        }
        Ok(all)
    }

    /// One of the members that none of them outdoes. It is no NaN, so a member that it is is none; and
    /// one that is ordered beside it is a limit only where it is none.
    fn least_of(
        &mut self,
        here: Bdd,
        members: &[Member],
        limits: &[Limit],
    ) -> Result<Option<(Bdd, FormId)>, Exhausted> {
        if let [Member { guards, value }] = members
            && guards.is_empty()
        {
            return Ok(Some((here, self.form(*value))));
        }
        let Some(greatest) = limits.first().map(|limit| limit.greatest) else { return Ok(None) };
        if limits.iter().any(|limit| limit.greatest != greatest) {
            return Ok(None);
        }
        // Where each number is a limit.
        let mut limited: FxHashMap<FormId, Bdd> = FxHashMap::default();
        for limit in limits {
            let value = self.operand(limit.value)?;
            let mut counts = self.all_hold(&limit.alternatives, false)?;
            for &condition in &limit.conditions {
                let holds = match self.pool.float_note(condition) {
                    Some(FloatNote::Nan(..)) if self.diagrams().has(BrokenLaw::NanIsOrdered) => {
                        Bdd::TRUE
                    }
                    Some(FloatNote::Nan(..)) => !self.truth(condition),
                    _ => self.truth(condition),
                };
                counts = self.diagrams().and(counts, holds)?;
            }
            self.diagrams().or_at(&mut limited, value, counts)?;
        }
        let (mut certain, mut any) = (here, Bdd::FALSE);
        let mut parts = Vec::new();
        for member in members {
            let takes_part = self.all_hold(&member.guards, true)?;
            let value = self.form(member.value);
            any = self.diagrams().or(any, takes_part)?;
            let mut fits = match self.diagrams().has(BrokenLaw::AnyMember) {
                true => Bdd::TRUE,
                false => limited.get(&value).copied().unwrap_or(Bdd::FALSE),
            };
            if !self.diagrams().has(BrokenLaw::ZerosAreOrdered) {
                // Of numbers none of which is −0 those that are equal are the same.
                let has = self.forms.has_property(value, Property::NotMinusZero)?;
                fits = self.diagrams().and(fits, has)?;
            }
            let fits = self.diagrams().or(!takes_part, fits)?;
            certain = self.diagrams().and(certain, fits)?;
            parts.push((takes_part, value));
        }
        let certain = self.diagrams().and(certain, any)?;
        if certain == Bdd::FALSE {
            return Ok(None);
        }
        let operator = Operator::Extreme { greatest, of: Numbers::Magnitude };
        let width = self.forms.form(parts[0].1).width;
        let neutral = self.forms.of_word(operator.neutral(width), width)?;
        let mut values = Vec::new();
        for (takes_part, value) in parts {
            values.push(self.forms.ite(takes_part, value, neutral)?);
        }
        Ok(Some((certain, self.forms.all_of(operator, &values)?)))
    }

    /// Relations whose operands depend on the constant itself say nothing of use.
    pub(super) fn drop_cycles(&mut self) {
        #[derive(PartialEq)]
        enum Seen {
            Open,
            Done,
        }
        let mut seen: FxHashMap<Term, Seen> = FxHashMap::default();
        let starts: Vec<Term> = self.relations.of.keys().copied().collect();
        let mut pending: Vec<Term> = starts;
        while let Some(&term) = pending.last() {
            match seen.get(&term) {
                Some(Seen::Done) => {
                    pending.pop();
                    continue;
                }
                Some(Seen::Open) => {
                    seen.insert(term, Seen::Done);
                    pending.pop();
                    continue;
                }
                None => {}
            }
            seen.insert(term, Seen::Open);
            let mut below = self.needed(term);
            if !self.relations.of.contains_key(&term) {
                below.extend(Pool::operands(self.pool.node(term)));
            }
            if below.iter().any(|it| seen.get(it) == Some(&Seen::Open)) {
                self.relations.clear();
                return;
            }
            pending.extend(below.into_iter().filter(|it| !seen.contains_key(it)));
        }
    }

    /// Assertions that say only of such constants that they are the same number are not needed: each
    /// is known by itself.
    pub(super) fn spend_equalities(&mut self, literals: &[(Term, bool)], known: &Known) {
        for &(literal, holds) in literals {
            if holds && self.is_about_determined(literal, known) {
                self.relations.spent.insert(literal);
            }
        }
    }

    /// It has equalities of payloads, and all of them are of two such constants.
    fn is_about_determined(&self, term: Term, known: &Known) -> bool {
        let pool = self.pool;
        let related = |term| {
            let number = pool.number(term);
            // Of a constant itself more than its number may be asked.
            self.relations.of.contains_key(&number) || number != term && known.contains_key(&number)
        };
        let (mut pending, mut seen) = (vec![(term, false)], FxHashSet::default());
        let mut equalities = false;
        while let Some((term, negated)) = pending.pop() {
            if self.is_test(term) || !seen.insert((term, negated)) {
                continue;
            }
            match pool.node(term) {
                Node::And(list) | Node::Or(list) => {
                    pending.extend(list.iter().map(|&part| (part, negated)));
                }
                Node::Equal(a, b) if pool.sort(*a) != Sort::Bool => {
                    if negated || !related(*a) || !related(*b) {
                        return false;
                    }
                    equalities = true;
                }
                Node::Not(inner) => pending.push((*inner, true)),
                Node::Compare(..) | Node::AnyOrder(..) | Node::Ite(..) => return false,
                _ => {}
            }
        }
        equalities
    }
}
