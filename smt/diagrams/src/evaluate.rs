//! Terms as values: a walk over a pool, operands before what uses them.

mod anyway;
mod choice;
mod flipped;
mod float;
mod known;
mod masked;
mod orders;
mod parts;
mod relations;
mod tested;
mod vector;
mod whole;

use std::collections::BTreeSet;

use laneproof_semantics::term::{Compare, Node, Pool, Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bdd::{Bdd, Diagrams};
use crate::fault::BrokenLaw;
use crate::form::{Atom, FormId, Forms};
use crate::learned::Learned;
use crate::numbers::Numbers;
use crate::opaque::Function;
use crate::order::{self, Order, SET};
use crate::sorted::Classes;
use crate::word::Word;
use crate::{Exhausted, StepLimit};
pub(crate) use flipped::flipped_at;
use float::{Ordered, property_tested};
pub(crate) use float::{numbers_at, operands_of_floats};
use parts::ChosenPart;
use relations::{Known, Relations};

/// A tag has its leaf in the bits above its lane.
const TAG_WIDTH: u32 = 64;

/// How deep an order may stand in a condition to choose by: beside others, and those beside others.
const NESTED: u32 = 2;

/// What a term is in every state.
#[derive(Clone, Copy, Debug)]
enum Value {
    Truth(Bdd),
    Form(FormId),
}

/// Choices by one number, compared with one constant after the other: what a lane that is computed
/// holds.
struct Table {
    entries: Vec<(Term, Term)>,
    otherwise: Term,
}

/// The one of two terms that is no number, and the number that the other one is.
fn beside_number(pool: &Pool, a: Term, b: Term) -> Option<(Term, u128)> {
    match (pool.bits_of(a), pool.bits_of(b)) {
        (None, Some(number)) => Some((a, number)),
        (Some(number), None) => Some((b, number)),
        _ => None,
    }
}

impl Table {
    /// Shorter ones are choices like others.
    const LEAST: usize = 3;

    /// The table that a term is.
    fn at(pool: &Pool, term: Term) -> Option<Self> {
        let (mut entries, mut otherwise, mut number) = (Vec::new(), term, None);
        while let Node::Ite(condition, then, next) = *pool.node(otherwise)
            && let Node::Equal(a, b) = *pool.node(condition)
        {
            let Some((compared, _)) = beside_number(pool, a, b) else { break };
            if *number.get_or_insert(compared) != compared {
                break;
            }
            entries.push((condition, then));
            otherwise = next;
        }
        (entries.len() >= Self::LEAST && pool.sort(term) != Sort::Bool)
            .then_some(Self { entries, otherwise })
    }

    fn operands(&self) -> impl Iterator<Item = Term> + '_ {
        let entries = self.entries.iter().flat_map(|&(condition, entry)| [condition, entry]);
        entries.chain([self.otherwise])
    }
}

/// The values of the terms of one pool.
pub(crate) struct Evaluator<'p> {
    pool: &'p Pool,
    forms: Forms,
    values: FxHashMap<Term, Value>,
    /// Where free functions are applied at lanes given by number.
    applied: FxHashMap<Symbol, Vec<(u32, Term)>>,
    by_bits: &'p BTreeSet<Term>,
    /// Free constants that are something else in some states.
    known: Known,
    /// Free constants of which relations say what they are.
    relations: Relations,
    /// What floating-point operations are done to.
    mapped: &'p FxHashSet<Term>,
    /// Tests of numbers that assertions are about.
    asserted_tests: FxHashSet<Term>,
    /// Numbers of operations whose results implementations define.
    operations: FxHashMap<&'p str, u32>,
}

impl<'p> Evaluator<'p> {
    pub(crate) fn new(
        pool: &'p Pool,
        roots: &[Term],
        learned: &'p Learned,
        limit: StepLimit,
        fault: Option<BrokenLaw>,
    ) -> Self {
        let mut applied: FxHashMap<Symbol, Vec<(u32, Term)>> = FxHashMap::default();
        let mut free = Vec::new();
        let terms = pool.reachable(roots);
        let numbers = order::only_compared(pool, &terms);
        let amounts = order::shifted_by(pool, &terms);
        for term in terms {
            match *pool.node(term) {
                Node::Variable(_) => free.push((None, term)),
                Node::Apply(symbol, lane) => {
                    if let Some(lane) = pool.bits_of(lane) {
                        applied.entry(symbol).or_default().push((lane as u32, term));
                        free.push((Some(lane as u32), term));
                    }
                }
                _ => {}
            }
        }
        let mut diagrams = Diagrams::new(limit, learned.fixed.clone(), fault);
        if let Some(set) = &learned.care {
            diagrams.restrict(set);
        }
        let order = Order::new(pool, &free, [&numbers, &amounts], learned.own_lane);
        let mut forms = Forms::new(diagrams, order, learned.apart);
        if learned.classes {
            forms.facts.classes = Classes::new(pool, applied.clone(), &learned.by_bits);
        }
        forms.facts.records = learned.records;
        Self {
            pool,
            forms,
            values: FxHashMap::default(),
            applied,
            by_bits: &learned.by_bits,
            known: Known::default(),
            relations: Relations::default(),
            mapped: &learned.numbers,
            asserted_tests: FxHashSet::default(),
            operations: FxHashMap::default(),
        }
    }

    /// The states of `left` in which comparisons of the same values are the same.
    pub(crate) fn congruent(&mut self, left: Bdd) -> Result<Bdd, Exhausted> {
        self.forms.congruent(left)
    }

    pub(crate) fn diagrams(&mut self) -> &mut Diagrams {
        &mut self.forms.diagrams
    }

    /// Both, if the second one is a function of free bits alone; else the first one.
    pub(crate) fn and_free(&mut self, known: Bdd, more: Bdd) -> Result<Bdd, Exhausted> {
        match self.diagrams().support(more).into_iter().all(order::is_free) {
            true => self.diagrams().and(known, more),
            false => Ok(known),
        }
    }

    /// The free constants whose single bits are used.
    pub(crate) fn looked_at(&self) -> BTreeSet<Term> {
        let forms = &self.forms;
        forms.looked_at().filter(|&term| !forms.is_float(term)).collect()
    }

    /// Where a Boolean holds, of the states of `within`.
    pub(crate) fn truth_within(&mut self, term: Term, within: Bdd) -> Result<Bdd, Exhausted> {
        if let Node::And(list) = self.pool.node(term) {
            let mut holds = within;
            for &part in list {
                if holds == Bdd::FALSE {
                    break;
                }
                self.evaluate(part)?;
                let part = self.truth(part);
                holds = self.diagrams().and(holds, part)?;
            }
            return Ok(holds);
        }
        self.evaluate(term)?;
        let truth = self.truth(term);
        self.diagrams().and(within, truth)
    }

    fn evaluate(&mut self, root: Term) -> Result<(), Exhausted> {
        if self.values.contains_key(&root) {
            return Ok(());
        }
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if self.values.contains_key(&term) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let open = |operand: &Term| !self.values.contains_key(operand);
            match Table::at(self.pool, term) {
                Some(table) => pending.extend(table.operands().filter(open)),
                None => pending.extend(self.needed(term).into_iter().filter(open)),
            }
            if pending.len() == before {
                let value = self.value(term)?;
                self.values.insert(term, value);
                pending.pop();
            }
        }
        Ok(())
    }

    /// What a term's value is made of. Of a choice by an order the operands of that order: where
    /// it chooses the lesser or the greater of them, the order itself is of no interest, and to
    /// look at it would be to look at their bits.
    fn needed(&self, term: Term) -> Vec<Term> {
        let node = self.pool.node(term);
        if let Some(relation) = self.relations.get(&term) {
            return relation.operands(self.pool);
        }
        if let Some(numbers) = numbers_at(self.pool, term) {
            return numbers;
        }
        if let Some((number, _)) = flipped_at(self.pool, term) {
            return vec![number];
        }
        if let Some((number, _)) = property_tested(self.pool, term) {
            return Pool::operands(node).into_iter().chain([number]).collect();
        }
        let Node::Ite(condition, then, otherwise) = *node else {
            return Pool::operands(node).into_vec();
        };
        if self.pool.sort(term) == Sort::Bool {
            // Where both sides are the same, the condition is of no interest.
            return match (self.values.get(&then), self.values.get(&otherwise)) {
                (Some(Value::Truth(a)), Some(Value::Truth(b))) if a != b => vec![condition],
                _ => vec![then, otherwise],
            };
        }
        if let Some(chosen) = ChosenPart::at(self.pool, term) {
            return chosen.operands;
        }
        let mut needed = vec![then, otherwise];
        let mut parts = vec![(condition, NESTED)];
        while let Some((part, depth)) = parts.pop() {
            match (Ordered::at(self.pool, part), self.pool.node(part)) {
                (Some(ordered), _) => needed.extend(ordered.terms()),
                (None, Node::And(list) | Node::Or(list)) if depth > 0 => {
                    parts.extend(list.iter().map(|&part| (part, depth - 1)));
                }
                _ => needed.push(part),
            }
        }
        needed
    }

    /// Where a condition holds whose operands are evaluated.
    fn condition(&mut self, term: Term) -> Result<Bdd, Exhausted> {
        if let Some(Value::Truth(truth)) = self.values.get(&term) {
            return Ok(*truth);
        }
        let truth = match self.pool.node(term) {
            Node::Not(inner) => !self.condition(*inner)?,
            Node::And(list) => self.junction(true, list)?,
            Node::Or(list) => self.junction(false, list)?,
            _ => self.boolean(term)?,
        };
        self.values.insert(term, Value::Truth(truth));
        Ok(truth)
    }

    fn truth(&self, term: Term) -> Bdd {
        match self.values.get(&term) {
            Some(Value::Truth(truth)) => *truth,
            other => unreachable!("a Boolean term has the value {other:?}"),
        }
    }

    fn form(&self, term: Term) -> FormId {
        match self.values.get(&term) {
            Some(Value::Form(form)) => *form,
            other => unreachable!("a term that is no Boolean has the value {other:?}"),
        }
    }

    /// A Boolean as one bit, others as they are.
    fn as_form(&mut self, term: Term) -> Result<FormId, Exhausted> {
        match self.pool.sort(term) {
            Sort::Bool => {
                let flag = Word::flag(self.truth(term), 1);
                self.forms.of_word(flag, 1)
            }
            _ => Ok(self.form(term)),
        }
    }

    fn value(&mut self, term: Term) -> Result<Value, Exhausted> {
        self.diagrams().step()?;
        match self.pool.sort(term) {
            Sort::Bool => self.boolean(term).map(Value::Truth),
            Sort::Bits(_) | Sort::Tag => self.vector(term).map(Value::Form),
        }
    }

    fn boolean(&mut self, term: Term) -> Result<Bdd, Exhausted> {
        if self.fails(term)? {
            return Ok(Bdd::FALSE);
        }
        let truth = match property_tested(self.pool, term) {
            Some((number, property)) if self.forms.facts.floats.alone => {
                self.forms.lacks(self.form(number), property)?
            }
            _ => self.plain_boolean(term)?,
        };
        self.tested(term, truth)
    }

    fn plain_boolean(&mut self, term: Term) -> Result<Bdd, Exhausted> {
        let pool = self.pool;
        Ok(match pool.node(term) {
            Node::Bool(value) => Bdd::constant(*value),
            Node::Variable(_) => self.free_bit(term),
            Node::Apply(symbol, lane) => match self.forms.is_free(term) {
                true => self.free_bit(term),
                false => self.applied_bit(*symbol, *lane)?,
            },
            Node::Not(a) => !self.truth(*a),
            Node::And(list) => self.junction(true, list)?,
            Node::Or(list) => self.junction(false, list)?,
            Node::Ite(condition, then, otherwise) => {
                let (a, b) = (self.truth(*then), self.truth(*otherwise));
                let c = if a == b { Bdd::TRUE } else { self.truth(*condition) };
                self.diagrams().ite(c, a, b)?
            }
            Node::Equal(a, b) if pool.sort(*a) == Sort::Bool => {
                let (a, b) = (self.truth(*a), self.truth(*b));
                !self.diagrams().xor(a, b)?
            }
            Node::Equal(a, b) => self.forms.equal(self.form(*a), self.form(*b))?,
            Node::Compare(relation, a, b) => {
                if let Some(truth) = self.compared(*relation, [*a, *b])? {
                    return Ok(truth);
                }
                let (a, b) = (self.form(*a), self.form(*b));
                match relation {
                    Compare::Less => self.forms.less(a, b, Numbers::Unsigned)?,
                    Compare::LessSigned => self.forms.less(a, b, Numbers::Signed)?,
                    Compare::LessEqual => !self.forms.less(b, a, Numbers::Unsigned)?,
                    Compare::LessEqualSigned => !self.forms.less(b, a, Numbers::Signed)?,
                }
            }
            Node::Bit(vector, index) => self.bit(*vector, *index)?,
            Node::AnyOrder(operation, format, list) => {
                let mut arguments = Vec::new();
                for &operand in list {
                    arguments.push(self.as_form(operand)?);
                }
                self.opaque_bit(Function::AnyOrder(*operation, *format), arguments)?
            }
            other => unreachable!("no Boolean: {other:?}"),
        })
    }

    /// Bits of numbers were left out of account.
    pub(crate) fn asks_numbers_alone(&self) -> bool {
        self.forms.facts.floats.asked
    }

    /// All of these hold, or any of them.
    fn junction(&mut self, all: bool, terms: &[Term]) -> Result<Bdd, Exhausted> {
        let mut truth = Bdd::constant(all);
        for &term in terms {
            let term = self.condition(term)?;
            truth = match all {
                true => self.diagrams().and(truth, term)?,
                false => self.diagrams().or(truth, term)?,
            };
        }
        Ok(truth)
    }

    fn opaque_bit(&mut self, function: Function, arguments: Vec<FormId>) -> Result<Bdd, Exhausted> {
        let result = self.forms.opaque(function, arguments, 1)?;
        Ok(self.forms.bits(result)?.bit(0))
    }

    fn free_bit(&mut self, term: Term) -> Bdd {
        self.forms.free_bit(term, 0)
    }

    /// A Boolean function at a computed lane.
    fn applied_bit(&mut self, symbol: Symbol, lane: Term) -> Result<Bdd, Exhausted> {
        let lane = self.form(lane);
        let mut result = self.opaque_bit(Function::Applied(symbol), vec![lane])?;
        for (number, there) in self.applied.get(&symbol).cloned().unwrap_or_default() {
            let same = self.is_lane(lane, number)?;
            let bit = self.free_bit(there);
            result = self.diagrams().ite(same, bit, result)?;
        }
        Ok(result)
    }

    fn is_lane(&mut self, lane: FormId, number: u32) -> Result<Bdd, Exhausted> {
        let number = self.forms.of_word(Word::number(u128::from(number), 32), 32)?;
        self.forms.equal(lane, number)
    }

    /// A free bit-vector: what it is known to be, elsewhere itself.
    fn free_vector(&mut self, term: Term) -> Result<FormId, Exhausted> {
        let mut value = self.own_vector(term)?;
        if let Some(&(here, form)) = self.known.get(&term) {
            value = self.forms.ite(here, form, value)?;
        }
        match self.related(term)? {
            Some((here, form)) if self.mapped.contains(&term) => {
                self.forms.guarded(here, form, value)
            }
            Some((here, form)) => self.forms.ite(here, form, value),
            None => Ok(value),
        }
    }

    /// A free bit-vector itself: an atom, or a word if its single bits are used.
    pub(super) fn own_vector(&mut self, term: Term) -> Result<FormId, Exhausted> {
        let width = self.pool.width(term);
        let atom = self.forms.atom_of(Atom::Free(term), width);
        if width == SET || self.by_bits.contains(&term) {
            let word = self.forms.atom_word(atom);
            let form = self.forms.of_word(word, width)?;
            self.forms.note_whole(form);
            return Ok(form);
        }
        self.forms.of_atom(atom)
    }

    fn applied_vector(
        &mut self,
        symbol: Symbol,
        lane: Term,
        width: u32,
    ) -> Result<FormId, Exhausted> {
        let lane = self.form(lane);
        let mut result = self.forms.opaque(Function::Applied(symbol), vec![lane], width)?;
        for (number, there) in self.applied.get(&symbol).cloned().unwrap_or_default() {
            let same = self.is_lane(lane, number)?;
            let vector = self.free_vector(there)?;
            result = self.forms.ite(same, vector, result)?;
        }
        Ok(result)
    }

    fn bit(&mut self, vector: Term, index: Term) -> Result<Bdd, Exhausted> {
        let width = self.pool.width(vector);
        let bits = self.forms.bits(self.form(vector))?;
        if let Some(places) = self.forms.places(self.form(index)) {
            let inside = |&(place, _): &(u128, Bdd)| place < u128::from(width);
            let places: Vec<(u128, Bdd)> = places.iter().copied().filter(inside).collect();
            let mut found = Bdd::FALSE;
            for (place, here) in places {
                let set = self.diagrams().and(here, bits.bit(place as u32))?;
                found = self.diagrams().or(found, set)?;
            }
            return Ok(found);
        }
        let index = self.forms.bits(self.form(index))?;
        if let Some(place) = index.constant(32) {
            let inside = place < u128::from(width);
            return Ok(if inside { bits.bit(place as u32) } else { Bdd::FALSE });
        }
        let mut found = Bdd::FALSE;
        for place in 0..width {
            let number = Word::number(u128::from(place), 32);
            let here = self.diagrams().word_equal(&index, &number)?;
            let set = self.diagrams().and(here, bits.bit(place))?;
            found = self.diagrams().or(found, set)?;
        }
        Ok(found)
    }
}
