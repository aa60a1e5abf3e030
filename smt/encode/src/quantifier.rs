//! Quantifiers over lanes, whatever the size, by instantiation.
//!
//! One term for each of 128 lanes buries what a proof needs: a few lanes that occur in terms
//! anyway. Here a quantifier is a function of the lane that evaluates it; `instances`, in the crate
//! of obligations, adds the axioms at some lanes. All axioms are true of the real functions, so
//! proofs are sound; a model may be spurious.

use std::collections::{BTreeSet, HashMap, HashSet};

use laneproof_semantics::denote::{DenoteError, LaneQuantifier};
use laneproof_semantics::term::{Binary, Node, Pool, Sort, Symbol, Term};
use laneproof_solve::combined;

use crate::distribution::{factors, reduced_by, summands};
use crate::fold::{effective, is_simple_choice, multiple};
use crate::lane::{LARGEST, lane_sort};
use crate::membership::Sets;

/// Placeholders from here on stand for any lane while clauses are read.
pub const READING: u8 = 100;
/// Quantifiers are not nested deeper.
pub const DEEPEST: u8 = 8;
/// Stands for any lane in a quantifier's definition.
pub const ANY: u8 = 120;
/// Stands for the lane that evaluates a quantifier.
pub const HERE: u8 = 121;

/// At which lanes quantifiers are instantiated.
#[derive(Default)]
pub struct InstanceLanes {
    /// The lanes that a query is about; instantiated first.
    pub focus: Vec<Term>,
    /// Only a few lanes are used, and of the axioms about reductions only equality of two.
    pub brief: bool,
    /// Two instances of a reduction may combine to a third.
    pub joins: bool,
    /// Lanes that one reduction may have in addition to another.
    pub added: Vec<Term>,
    /// A reduction may be over one lane only: other lanes are instantiated, too.
    pub singles: bool,
}

/// The quantifiers of an obligation.
#[derive(Default)]
pub struct LaneQuantifiers {
    allowed: bool,
    depth: u8,
    symbols: HashMap<LaneQuantifier, Symbol>,
    /// The definitions of quantifiers, over the placeholders [`ANY`] and [`HERE`].
    pub definitions: HashMap<Symbol, LaneQuantifier>,
    /// Quantifiers that are known to hold.
    pub given: HashSet<Symbol>,
    /// Quantifiers that are instantiated only at the lanes in focus.
    pub of_focus: HashSet<Symbol>,
    /// Quantifiers that are instantiated only at lanes that the query itself names.
    pub of_named: HashSet<Symbol>,
    /// At which lanes quantifiers are instantiated.
    pub instance_lanes: InstanceLanes,
    /// Operators with their identities.
    pub operators: BTreeSet<(Term, Term)>,
    /// Whether reductions of sums are taken apart.
    pub sums: Sums,
}

/// Whether a reduction of sums is the sum of the reductions of each summand. Two reductions of the same
/// sums are compared faster whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// They stay whole.
    pub whole: bool,
    /// One of them stayed whole.
    pub met: bool,
}

impl LaneQuantifiers {
    /// No quantifiers yet; whether they are allowed.
    pub fn new(allowed: bool) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// The sets that quantifiers define.
    pub fn sets(&self) -> Sets {
        let sets = self.definitions.iter().filter(|(_, it)| matches!(it, LaneQuantifier::Set(_)));
        sets.map(|(symbol, _)| *symbol).collect()
    }

    /// Records that a universal quantifier holds, so it needs no witness of a failure.
    pub fn give(&mut self, pool: &Pool, quantifier: Term) {
        if let Node::Apply(symbol, _) = *pool.node(quantifier) {
            self.given.insert(symbol);
        }
    }

    /// The same; it is instantiated only at the lanes in focus.
    pub fn give_to_focus(&mut self, pool: &Pool, quantifier: Term) {
        self.give(pool, quantifier);
        if let Node::Apply(symbol, _) = *pool.node(quantifier) {
            self.of_focus.insert(symbol);
        }
    }

    /// The same; it is instantiated only at lanes that a query names.
    pub fn give_to_named(&mut self, pool: &Pool, quantifier: Term) {
        self.give(pool, quantifier);
        if let Node::Apply(symbol, _) = *pool.node(quantifier) {
            self.of_named.insert(symbol);
        }
    }

    /// True if some reduction is described by axioms.
    pub fn reduces(&self) -> bool {
        self.symbols.keys().any(|it| matches!(it, LaneQuantifier::Fold { .. }))
    }

    /// A placeholder for any lane; `None` if lanes are encoded by number.
    pub fn enter(&mut self, pool: &mut Pool) -> Option<Term> {
        if !self.allowed {
            return None;
        }
        let any = pool.placeholder(READING + self.depth.min(DEEPEST), lane_sort());
        self.depth += 1;
        Some(any)
    }

    /// Leaves the quantifier that was entered last.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// All lanes of a set exist: they are below `existing`.
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
        // A quantifier that does not depend on the lane that evaluates it is one constant.
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

    /// A reduction as a combination of the reductions of its summands; where all lanes choose alike
    /// between two parts, as a choice between two reductions.
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
        let of = |value| LaneQuantifier::Fold { operator, identity, member, value };
        if let Node::Ite(condition, then, otherwise) = *pool.node(value)
            && !pool.reachable(&[condition]).contains(&any)
            && is_simple_choice(pool, [then, otherwise])
        {
            let [then, otherwise] = [
                self.term(pool, any, here, &of(then))?,
                self.term(pool, any, here, &of(otherwise))?,
            ];
            return Ok(Some(pool.ite(condition, then, otherwise)));
        }
        let Some(over) = reduced_by(pool, operator) else { return Ok(None) };
        let summands = summands(pool, over, value);
        if self.sums.whole && summands.is_some() {
            self.sums.met = true;
        } else if let Some(summands) = summands {
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

/// The value of a trivial quantifier.
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

/// The placeholders of enclosing quantifiers.
fn readings(pool: &mut Pool, quantifier: &LaneQuantifier) -> Vec<Term> {
    let within: HashSet<Term> = pool.reachable(&parts(quantifier)).into_iter().collect();
    (READING..READING + DEEPEST)
        .map(|index| pool.placeholder(index, lane_sort()))
        .filter(|any| within.contains(any))
        .collect()
}
