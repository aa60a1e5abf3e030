//! All lanes at once, whatever their number: what is asked of every lane, by instances.
//!
//! To write out 128 lanes under 128 conditions buries what a proof needs: a few lanes that
//! terms speak of anyway. Here a question about all lanes is a function of the lane that asks
//! it; [`crate::instances`] says what is known of these functions. What follows from that holds,
//! as all of it is true of the functions that are meant; a model may be none of the problem's.

use std::collections::{BTreeSet, HashMap, HashSet};

use laneproof_semantics::denote::{DenoteError, LaneQuantifier};
use laneproof_semantics::term::{Binary, Node, Pool, Sort, Symbol, Term};
use laneproof_solve::combined;

use crate::distribution::{factors, reduced_by, summands};
use crate::fold::{effective, multiple};
use crate::lane::{LARGEST, lane_sort};
use crate::membership::Sets;

/// Placeholders from here on stand for any lane while clauses are read.
pub const READING: u8 = 100;
/// LaneQuantifiers within quantifiers go no deeper.
pub const DEEPEST: u8 = 8;
/// Stands for any lane in a quantifier's definition.
pub const ANY: u8 = 120;
/// Stands for the lane in which a quantifier is made.
pub const HERE: u8 = 121;

/// At which lanes what is said of all lanes is used.
#[derive(Default)]
pub struct Reach {
    /// Lanes that a question is about, looked at before any other.
    pub focus: Vec<Term>,
    /// Only few lanes are looked at, and of reductions it is said only when two are equal.
    pub brief: bool,
    /// One reduction made in two lanes may be a third, together.
    pub joins: bool,
    /// Lanes whose part a reduction may have more than another one.
    pub added: Vec<Term>,
    /// A reduction may be over one lane only: any other is looked at.
    pub singles: bool,
}

/// The quantifiers of an obligation.
#[derive(Default)]
pub struct LaneQuantifiers {
    allowed: bool,
    depth: u8,
    symbols: HashMap<LaneQuantifier, Symbol>,
    /// What a quantifier is, over the placeholders [`ANY`] and [`HERE`].
    pub definitions: HashMap<Symbol, LaneQuantifier>,
    /// Of these it is known that they hold in every lane.
    pub given: HashSet<Symbol>,
    /// Of these, only what they say of the lanes in focus is used.
    pub of_focus: HashSet<Symbol>,
    /// Of these, only what they say of lanes that the question itself names.
    pub of_named: HashSet<Symbol>,
    /// At which lanes what is said of all lanes is used.
    pub reach: Reach,
    /// Operators with their identities.
    pub operators: BTreeSet<(Term, Term)>,
}

impl LaneQuantifiers {
    /// No quantifier yet; whether any may come.
    pub fn new(allowed: bool) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// The sets that quantifiers found.
    pub fn sets(&self) -> Sets {
        let sets = self.definitions.iter().filter(|(_, it)| matches!(it, LaneQuantifier::Set(_)));
        sets.map(|(symbol, _)| *symbol).collect()
    }

    /// Notes that a quantifier over every lane holds: no lane that fails it needs a name.
    pub fn give(&mut self, pool: &Pool, quantifier: Term) {
        if let Node::Apply(symbol, _) = *pool.node(quantifier) {
            self.given.insert(symbol);
        }
    }

    /// Of a quantifier that holds only the instances at the lanes in focus matter.
    pub fn give_to_focus(&mut self, pool: &Pool, quantifier: Term) {
        self.give(pool, quantifier);
        if let Node::Apply(symbol, _) = *pool.node(quantifier) {
            self.of_focus.insert(symbol);
        }
    }

    /// Of a quantifier that holds only the instances at lanes that a question names matter.
    pub fn give_to_named(&mut self, pool: &Pool, quantifier: Term) {
        self.give(pool, quantifier);
        if let Node::Apply(symbol, _) = *pool.node(quantifier) {
            self.of_named.insert(symbol);
        }
    }

    /// True when some reduction is known by its laws.
    pub fn reduces(&self) -> bool {
        self.symbols.keys().any(|it| matches!(it, LaneQuantifier::Fold { .. }))
    }

    /// A lane that stands for any, unless lanes are looked at by number.
    pub fn enter(&mut self, pool: &mut Pool) -> Option<Term> {
        if !self.allowed {
            return None;
        }
        let any = pool.placeholder(READING + self.depth.min(DEEPEST), lane_sort());
        self.depth += 1;
        Some(any)
    }

    /// What is asked next is asked in no quantifier.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// That the lanes of a set exist: those below `existing`.
    pub fn all_exist(
        &mut self,
        pool: &mut Pool,
        set: Term,
        existing: Term,
    ) -> Result<Option<Term>, DenoteError> {
        let Some(any) = self.enter(pool) else { return Ok(None) };
        let member = pool.bit(set, any);
        let exists = pool.less(any, existing);
        let quantifier = LaneQuantifier::Every(pool.implies(member, exists));
        let nowhere = pool.bits(0, 32);
        let known = self.term(pool, any, nowhere, &quantifier)?;
        self.leave();
        Ok(Some(known))
    }

    /// A quantifier by the lane `any`, made in lane `here`.
    pub fn term(
        &mut self,
        pool: &mut Pool,
        any: Term,
        here: Term,
        quantifier: &LaneQuantifier,
    ) -> Result<Term, DenoteError> {
        if self.depth > DEEPEST {
            return Err(DenoteError::NotModelled("a quantifier that deep".into()));
        }
        let mut quantifier = quantifier.clone();
        if let LaneQuantifier::Fold { operator, identity, member, value } = &mut quantifier {
            self.operators.insert((*operator, *identity));
            (*member, *value) = effective(pool, *identity, *member, *value);
        }
        let quantifier = &quantifier;
        if let Some(known) = plain(pool, any, quantifier) {
            return Ok(known);
        }
        let bound = pool.placeholder(ANY, lane_sort());
        let quantifier = replaced(pool, quantifier, any, bound);
        let outer = readings(pool, &quantifier);
        let captured = match *outer.as_slice() {
            [] => here,
            [one] => one,
            _ => return Err(DenoteError::NotModelled("a quantifier that names two lanes".into())),
        };
        if let Some(known) = self.by_parts(pool, bound, here, &quantifier)? {
            return Ok(known);
        }
        let place = pool.placeholder(HERE, lane_sort());
        let general = match pool.bits_of(captured) {
            Some(_) => quantifier.clone(),
            None => replaced(pool, &quantifier, captured, place),
        };
        // What does not depend on the lane that asks is one constant.
        let captured = if general == quantifier { pool.bits(0, 32) } else { captured };
        let symbol = match self.symbols.get(&general) {
            Some(&symbol) => symbol,
            None => {
                let (kind, sort) = match general {
                    LaneQuantifier::Every(_) => ("every", Sort::Bool),
                    LaneQuantifier::Set(_) => ("set", Sort::Bits(LARGEST)),
                    LaneQuantifier::Fold { identity, .. } => ("fold", pool.sort(identity)),
                };
                let symbol = pool.symbol(format!("{kind}.{}", self.symbols.len()), sort);
                self.symbols.insert(general.clone(), symbol);
                self.definitions.insert(symbol, general);
                symbol
            }
        };
        Ok(pool.apply(symbol, captured))
    }

    /// A reduction by others of what its parts are made of.
    fn by_parts(
        &mut self,
        pool: &mut Pool,
        any: Term,
        here: Term,
        quantifier: &LaneQuantifier,
    ) -> Result<Option<Term>, DenoteError> {
        let LaneQuantifier::Fold { operator, identity, member, value } = *quantifier else {
            return Ok(None);
        };
        if !pool.reachable(&[value]).contains(&any)
            && let Some(multiple) = multiple(pool, operator, identity, value)
        {
            let set = self.term(pool, any, here, &LaneQuantifier::Set(member))?;
            return Ok(Some(multiple.of(pool, set)));
        }
        let Some(over) = reduced_by(pool, operator) else { return Ok(None) };
        let of = |value| LaneQuantifier::Fold { operator, identity, member, value };
        if let Some(summands) = summands(pool, over, value) {
            let mut all = identity;
            for (value, multiplicity) in summands {
                let one = self.term(pool, any, here, &of(value))?;
                let times = pool.binary(Binary::Mul, one, multiplicity);
                all = combined(pool, operator, all, times);
            }
            return Ok(Some(all));
        }
        let shared = |it: Term| !pool.reachable(&[it]).contains(&any);
        let Some((outside, own)) = factors(pool, over, value, shared).into_iter().next() else {
            return Ok(None);
        };
        let within = self.term(pool, any, here, &of(own))?;
        let of_some = outside.of(pool, within);
        if outside.keeps(pool, identity) {
            return Ok(Some(of_some));
        }
        let none = LaneQuantifier::Every(pool.not(member));
        let none = self.term(pool, any, here, &none)?;
        Ok(Some(pool.ite(none, identity, of_some)))
    }
}

/// What a quantifier comes to where that is plain.
fn plain(pool: &mut Pool, any: Term, quantifier: &LaneQuantifier) -> Option<Term> {
    let depends = |pool: &Pool, term: Term| pool.reachable(&[term]).contains(&any);
    match *quantifier {
        LaneQuantifier::Every(holds) => pool.bool_of(holds).map(|_| holds),
        LaneQuantifier::Set(holds) => match *pool.node(holds) {
            Node::Bool(false) => Some(pool.bits(0, LARGEST)),
            Node::Bit(mask, index) if index == any && !depends(pool, mask) => {
                Some(pool.resize(mask, LARGEST))
            }
            _ => None,
        },
        LaneQuantifier::Fold { member, identity, .. } if pool.bool_of(member) == Some(false) => {
            Some(identity)
        }
        LaneQuantifier::Fold { .. } => None,
    }
}

fn replaced(pool: &mut Pool, quantifier: &LaneQuantifier, lane: Term, by: Term) -> LaneQuantifier {
    let replacements = HashMap::from([(lane, by)]);
    let mut new = |term: Term| pool.substitute(term, &replacements);
    match *quantifier {
        LaneQuantifier::Every(holds) => LaneQuantifier::Every(new(holds)),
        LaneQuantifier::Set(holds) => LaneQuantifier::Set(new(holds)),
        LaneQuantifier::Fold { operator, identity, member, value } => {
            LaneQuantifier::Fold { operator, identity, member: new(member), value: new(value) }
        }
    }
}

fn parts(quantifier: &LaneQuantifier) -> Vec<Term> {
    match *quantifier {
        LaneQuantifier::Every(holds) | LaneQuantifier::Set(holds) => vec![holds],
        LaneQuantifier::Fold { member, value, .. } => vec![member, value],
    }
}

/// The lanes that stand for any in enclosing quantifiers.
fn readings(pool: &mut Pool, quantifier: &LaneQuantifier) -> Vec<Term> {
    let within: HashSet<Term> = pool.reachable(&parts(quantifier)).into_iter().collect();
    (READING..READING + DEEPEST)
        .map(|index| pool.placeholder(index, lane_sort()))
        .filter(|any| within.contains(any))
        .collect()
}
