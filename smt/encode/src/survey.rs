//! All lanes at once, whatever their number: what is asked of every lane, by instances.
//!
//! To write out 128 lanes under 128 conditions buries what a proof needs: a few lanes that
//! terms speak of anyway. Here a question about all lanes is a function of the lane that asks
//! it; [`crate::instances`] says what is known of these functions. What follows from that holds,
//! as all of it is true of the functions that are meant; a model may be none of the problem's.

use std::collections::{BTreeSet, HashMap, HashSet};

use laneproof_semantics::denote::{DenoteError, Survey};
use laneproof_semantics::term::{Node, Pool, Sort, Symbol, Term};

use crate::fold::{effective, multiple};
use crate::lane::{LARGEST, lane_sort};
use crate::membership::Sets;

/// Placeholders from here on stand for any lane while clauses are read.
pub const READING: u8 = 100;
/// Surveys within surveys go no deeper.
pub const DEEPEST: u8 = 8;
/// Stands for any lane in a survey's definition.
pub const ANY: u8 = 120;
/// Stands for the lane in which a survey is made.
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

/// The surveys of an obligation.
#[derive(Default)]
pub struct Surveys {
    allowed: bool,
    depth: u8,
    symbols: HashMap<Survey, Symbol>,
    /// What a survey is, over the placeholders [`ANY`] and [`HERE`].
    pub definitions: HashMap<Symbol, Survey>,
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

impl Surveys {
    /// No quantifier yet; whether any may come.
    pub fn new(allowed: bool) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// The sets that surveys found.
    pub fn sets(&self) -> Sets {
        let sets = self.definitions.iter().filter(|(_, it)| matches!(it, Survey::Set(_)));
        sets.map(|(symbol, _)| *symbol).collect()
    }

    /// Notes that a survey of every lane holds: no lane that fails it needs a name.
    pub fn give(&mut self, pool: &Pool, survey: Term) {
        if let Node::Apply(symbol, _) = *pool.node(survey) {
            self.given.insert(symbol);
        }
    }

    /// Of a survey that holds only the instances at the lanes in focus matter.
    pub fn give_to_focus(&mut self, pool: &Pool, survey: Term) {
        self.give(pool, survey);
        if let Node::Apply(symbol, _) = *pool.node(survey) {
            self.of_focus.insert(symbol);
        }
    }

    /// Of a survey that holds only the instances at lanes that a question names matter.
    pub fn give_to_named(&mut self, pool: &Pool, survey: Term) {
        self.give(pool, survey);
        if let Node::Apply(symbol, _) = *pool.node(survey) {
            self.of_named.insert(symbol);
        }
    }

    /// True when some reduction is known by its laws.
    pub fn reduces(&self) -> bool {
        self.symbols.keys().any(|it| matches!(it, Survey::Fold { .. }))
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
        let survey = Survey::Every(pool.implies(member, exists));
        let nowhere = pool.bits(0, 32);
        let known = self.term(pool, any, nowhere, &survey)?;
        self.leave();
        Ok(Some(known))
    }

    /// A survey by the lane `any`, made in lane `here`.
    pub fn term(
        &mut self,
        pool: &mut Pool,
        any: Term,
        here: Term,
        survey: &Survey,
    ) -> Result<Term, DenoteError> {
        if self.depth > DEEPEST {
            return Err(DenoteError::NotModelled("a survey that deep".into()));
        }
        let mut survey = survey.clone();
        if let Survey::Fold { operator, identity, member, value } = &mut survey {
            self.operators.insert((*operator, *identity));
            (*member, *value) = effective(pool, *identity, *member, *value);
        }
        let survey = &survey;
        if let Some(known) = plain(pool, any, survey) {
            return Ok(known);
        }
        let bound = pool.placeholder(ANY, lane_sort());
        let survey = replaced(pool, survey, any, bound);
        let outer = readings(pool, &survey);
        let captured = match *outer.as_slice() {
            [] => here,
            [one] => one,
            _ => return Err(DenoteError::NotModelled("a survey that names two lanes".into())),
        };
        if let Survey::Fold { operator, identity, member, value } = survey
            && !pool.reachable(&[value]).contains(&bound)
            && let Some(multiple) = multiple(pool, operator, identity, value)
        {
            let set = self.term(pool, bound, here, &Survey::Set(member))?;
            return Ok(multiple.of(pool, set));
        }
        let place = pool.placeholder(HERE, lane_sort());
        let general = match pool.bits_of(captured) {
            Some(_) => survey.clone(),
            None => replaced(pool, &survey, captured, place),
        };
        // What does not depend on the lane that asks is one constant.
        let captured = if general == survey { pool.bits(0, 32) } else { captured };
        let symbol = match self.symbols.get(&general) {
            Some(&symbol) => symbol,
            None => {
                let (kind, sort) = match general {
                    Survey::Every(_) => ("every", Sort::Bool),
                    Survey::Set(_) => ("set", Sort::Bits(LARGEST)),
                    Survey::Fold { identity, .. } => ("fold", pool.sort(identity)),
                };
                let symbol = pool.symbol(format!("{kind}.{}", self.symbols.len()), sort);
                self.symbols.insert(general.clone(), symbol);
                self.definitions.insert(symbol, general);
                symbol
            }
        };
        Ok(pool.apply(symbol, captured))
    }
}

/// What a survey comes to where that is plain.
fn plain(pool: &mut Pool, any: Term, survey: &Survey) -> Option<Term> {
    let depends = |pool: &Pool, term: Term| pool.reachable(&[term]).contains(&any);
    match *survey {
        Survey::Every(holds) => pool.bool_of(holds).map(|_| holds),
        Survey::Set(holds) => match *pool.node(holds) {
            Node::Bool(false) => Some(pool.bits(0, LARGEST)),
            Node::Bit(mask, index) if index == any && !depends(pool, mask) => {
                Some(pool.resize(mask, LARGEST))
            }
            _ => None,
        },
        Survey::Fold { member, identity, .. } if pool.bool_of(member) == Some(false) => {
            Some(identity)
        }
        Survey::Fold { .. } => None,
    }
}

fn replaced(pool: &mut Pool, survey: &Survey, lane: Term, by: Term) -> Survey {
    let replacements = HashMap::from([(lane, by)]);
    let mut new = |term: Term| pool.substitute(term, &replacements);
    match *survey {
        Survey::Every(holds) => Survey::Every(new(holds)),
        Survey::Set(holds) => Survey::Set(new(holds)),
        Survey::Fold { operator, identity, member, value } => {
            Survey::Fold { operator, identity, member: new(member), value: new(value) }
        }
    }
}

fn parts(survey: &Survey) -> Vec<Term> {
    match *survey {
        Survey::Every(holds) | Survey::Set(holds) => vec![holds],
        Survey::Fold { member, value, .. } => vec![member, value],
    }
}

/// The lanes that stand for any in enclosing surveys.
fn readings(pool: &mut Pool, survey: &Survey) -> Vec<Term> {
    let within: HashSet<Term> = pool.reachable(&parts(survey)).into_iter().collect();
    (READING..READING + DEEPEST)
        .map(|index| pool.placeholder(index, lane_sort()))
        .filter(|any| within.contains(any))
        .collect()
}
