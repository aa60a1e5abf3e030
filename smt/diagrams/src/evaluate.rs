//! Terms as values: a walk over a pool, operands before what uses them.

mod known;

use std::collections::BTreeSet;

use laneproof_semantics::term::{Compare, Node, Pool, Scan, Sort, Symbol, Term};
use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Diagrams, Level};
use crate::fault::Fault;
use crate::form::{Atom, FormId, Forms};
use crate::function::Function;
use crate::operator::Operator;
use crate::order::{self, Order, SET};
use crate::word::Word;
use crate::{Exhausted, Learned, Limit};
use known::Known;

/// Lanes are numbers below this.
const LANES: u32 = 128;
/// A tag's leaf stands above its lane.
const TAG_WIDTH: u32 = 64;

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

impl Table {
    /// Shorter ones are choices like others.
    const LEAST: usize = 3;

    /// The table that a term is.
    fn at(pool: &Pool, term: Term) -> Option<Self> {
        let (mut entries, mut otherwise, mut number) = (Vec::new(), term, None);
        while let Node::Ite(condition, then, next) = *pool.node(otherwise)
            && let Node::Equal(a, b) = *pool.node(condition)
        {
            let compared = match (pool.bits_of(a), pool.bits_of(b)) {
                (None, Some(_)) => a,
                (Some(_), None) => b,
                _ => break,
            };
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
    /// Numbers of operations whose results implementations define.
    operations: FxHashMap<&'p str, u32>,
}

impl<'p> Evaluator<'p> {
    pub(crate) fn new(
        pool: &'p Pool,
        roots: &[Term],
        learned: &'p Learned,
        limit: Limit,
        fault: Option<Fault>,
    ) -> Self {
        let mut applied: FxHashMap<Symbol, Vec<(u32, Term)>> = FxHashMap::default();
        let mut free = Vec::new();
        for term in pool.reachable(roots) {
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
        Self {
            pool,
            forms: Forms::new(diagrams, Order::new(pool, &free), learned.apart),
            values: FxHashMap::default(),
            applied,
            by_bits: &learned.by_bits,
            known: Known::default(),
            operations: FxHashMap::default(),
        }
    }

    pub(crate) fn diagrams(&mut self) -> &mut Diagrams {
        &mut self.forms.diagrams
    }

    /// A variable that is a bit of a free constant.
    pub(crate) fn is_free(&self, level: Level) -> bool {
        order::is_free(level)
    }

    /// Both, if the second one is a function of free bits alone; else the first one.
    pub(crate) fn and_free(&mut self, known: Bdd, more: Bdd) -> Result<Bdd, Exhausted> {
        match self.diagrams().support(more).into_iter().all(order::is_free) {
            true => self.diagrams().and(known, more),
            false => Ok(known),
        }
    }

    /// The free constants of which single bits were asked for.
    pub(crate) fn looked_at(&self) -> BTreeSet<Term> {
        self.forms.looked_at().collect()
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
        let Node::Ite(condition, then, otherwise) = *node else { return Pool::operands(node) };
        if self.pool.sort(term) == Sort::Bool {
            return Pool::operands(node);
        }
        let parts = match self.pool.node(condition) {
            Node::And(list) | Node::Or(list) => list.to_vec(),
            _ => vec![condition],
        };
        let mut needed = vec![then, otherwise];
        for part in parts {
            match order_of(self.pool, part) {
                Some((_, a, b, _)) => needed.extend([a, b]),
                None => needed.push(part),
            }
        }
        needed
    }

    /// Where a condition holds of which all that it needs is known.
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
                let (c, a, b) = (self.truth(*condition), self.truth(*then), self.truth(*otherwise));
                self.diagrams().ite(c, a, b)?
            }
            Node::Equal(a, b) if pool.sort(*a) == Sort::Bool => {
                let (a, b) = (self.truth(*a), self.truth(*b));
                !self.diagrams().xor(a, b)?
            }
            Node::Equal(a, b) => self.forms.equal(self.form(*a), self.form(*b))?,
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.form(*a), self.form(*b));
                match relation {
                    Compare::Less => self.forms.less(a, b, false)?,
                    Compare::LessSigned => self.forms.less(a, b, true)?,
                    Compare::LessEqual => !self.forms.less(b, a, false)?,
                    Compare::LessEqualSigned => !self.forms.less(b, a, true)?,
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
        debug_assert!(number < LANES);
        let number = self.forms.of_word(Word::number(u128::from(number), 32), 32)?;
        self.forms.equal(lane, number)
    }

    /// A free bit-vector: what it is known to be, elsewhere itself.
    fn free_vector(&mut self, term: Term) -> Result<FormId, Exhausted> {
        let own = self.own_vector(term)?;
        match self.known.get(&term) {
            Some(&(here, form)) => self.forms.ite(here, form, own),
            None => Ok(own),
        }
    }

    /// A free bit-vector itself: an atom, or a word where its bits are looked at.
    fn own_vector(&mut self, term: Term) -> Result<FormId, Exhausted> {
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

    fn vector(&mut self, term: Term) -> Result<FormId, Exhausted> {
        let pool = self.pool;
        let width = pool.width(term);
        match pool.node(term) {
            Node::Bits(value, width) => self.forms.of_word(Word::number(*value, *width), *width),
            Node::Variable(_) => self.free_vector(term),
            Node::Apply(symbol, lane) => match self.forms.is_free(term) {
                true => self.free_vector(term),
                false => self.applied_vector(*symbol, *lane, width),
            },
            Node::Tag(leaf, lane) => {
                let lane = self.forms.bits(self.form(*lane))?;
                let leaf = Word::number(u128::from(*leaf), TAG_WIDTH - 32);
                let bits = [lane.bits(32), leaf.bits(TAG_WIDTH - 32)].concat();
                self.forms.of_word(Word::of(bits, TAG_WIDTH), TAG_WIDTH)
            }
            Node::Ite(condition, then, otherwise) => match Table::at(pool, term) {
                Some(table) => self.looked_up(&table),
                None => self.choice(*condition, *then, *otherwise),
            },
            Node::Linear(parts, constant) => {
                let mut scaled = vec![self.forms.of_word(Word::number(*constant, width), width)?];
                for (part, factor) in parts {
                    let factor = Word::number(*factor, width);
                    scaled.push(self.forms.scaled(self.form(*part), &factor)?);
                }
                let sum = self.forms.total(&scaled)?;
                self.note_moved_places(parts, *constant, sum);
                Ok(sum)
            }
            Node::Binary(operation, a, b) => {
                self.forms.binary(*operation, self.form(*a), self.form(*b), width)
            }
            Node::BitNot(a) => self.forms.complement(self.form(*a)),
            Node::Extract(a, high, low) => self.forms.extract(self.form(*a), *high, *low),
            Node::ZeroExtend(a, width) => self.forms.extend(self.form(*a), false, *width),
            Node::SignExtend(a, width) => self.forms.extend(self.form(*a), true, *width),
            Node::Concat(high, low) => self.forms.concat(self.form(*high), self.form(*low)),
            Node::FromBits(bits) => {
                let bits = bits.iter().map(|&bit| self.truth(bit)).collect();
                self.forms.of_word(Word::of(bits, width), width)
            }
            Node::Scan(scan, a) => self.scan(*scan, *a),
            Node::Float(operation, format, operands) => {
                let mut arguments: Vec<FormId> =
                    operands.iter().map(|&operand| self.form(operand)).collect();
                if operation.commutes() {
                    arguments.sort_unstable();
                }
                self.forms.opaque(Function::Float(*operation, *format), arguments, width)
            }
            Node::Implementation(operation, _, operands) => {
                let next = self.operations.len() as u32;
                let number = *self.operations.entry(operation).or_insert(next);
                let mut arguments = Vec::new();
                for &operand in operands {
                    arguments.push(self.as_form(operand)?);
                }
                self.forms.opaque(Function::Implementation(number), arguments, width)
            }
            Node::Payload(format, number, payload) => {
                let arguments = vec![self.form(*number), self.form(*payload)];
                self.forms.opaque(Function::Payload(*format), arguments, width)
            }
            Node::Canonical(format, number) => {
                let number = self.form(*number);
                self.forms.opaque(Function::Canonical(*format), vec![number], width)
            }
            other => unreachable!("no bit-vector: {other:?}"),
        }
    }

    fn scan(&mut self, scan: Scan, vector: Term) -> Result<FormId, Exhausted> {
        let width = self.pool.width(vector);
        let bits = self.forms.bits(self.form(vector))?.bits(width);
        let numbered = (0..width).zip(bits.iter().copied());
        let places = match scan {
            Scan::Count => {
                return self.forms.count(&bits);
            }
            Scan::Lowest => self.diagrams().first(numbered, width)?,
            Scan::Highest => self.diagrams().first(numbered.rev(), width)?,
        };
        let found = self.diagrams().word_of_places(&places, 32)?;
        let found = self.forms.of_word(found, 32)?;
        self.forms.note_places(found, places);
        Ok(found)
    }

    /// What is a constant more than a place is a place, too.
    fn note_moved_places(&mut self, parts: &[(Term, u128)], constant: u128, sum: FormId) {
        let [(part, 1)] = *parts else { return };
        let mask = u128::MAX >> (128 - self.pool.width(part));
        let constant = if self.forms.diagrams.has(Fault::PlaceNotMoved) { 0 } else { constant };
        let Some(places) = self.forms.places(self.form(part)) else { return };
        let moved = |&(place, here): &(u128, Bdd)| (place.wrapping_add(constant) & mask, here);
        let places = places.iter().map(moved).collect();
        self.forms.note_places(sum, places);
    }

    /// What stands in a table at a computed place.
    fn looked_up(&mut self, table: &Table) -> Result<FormId, Exhausted> {
        let mut entries = Vec::new();
        let mut nowhere = Bdd::TRUE;
        for &(condition, entry) in &table.entries {
            let here = self.truth(condition);
            let here = self.diagrams().and(here, nowhere)?;
            nowhere = self.diagrams().and(nowhere, !here)?;
            entries.push((here, self.form(entry)));
        }
        entries.push((nowhere, self.form(table.otherwise)));
        self.forms.one_of(&entries)
    }

    /// A choice between two values; of two values in order, the lesser or the greater.
    fn choice(
        &mut self,
        condition: Term,
        then: Term,
        otherwise: Term,
    ) -> Result<FormId, Exhausted> {
        let (a, b) = (self.form(then), self.form(otherwise));
        if let Some(extreme) = self.extreme(condition, a, b)? {
            return Ok(extreme);
        }
        let pool = self.pool;
        let (all, list) = match pool.node(condition) {
            Node::And(list) => (true, &**list),
            Node::Or(list) => (false, &**list),
            _ => (true, &[][..]),
        };
        // One part of the condition may be such an order; then the others decide whether it counts.
        for (place, &part) in list.iter().enumerate() {
            let Some(extreme) = self.extreme(part, a, b)? else { continue };
            let others = [&list[..place], &list[place + 1..]].concat();
            let others = self.junction(all, &others)?;
            return match all {
                true => self.forms.ite(others, extreme, b),
                false => self.forms.ite(others, a, extreme),
            };
        }
        let condition = self.condition(condition)?;
        self.forms.ite(condition, a, b)
    }

    /// The lesser or the greater of `a` and `b`, if it is chosen by their order.
    fn extreme(
        &mut self,
        condition: Term,
        a: FormId,
        b: FormId,
    ) -> Result<Option<FormId>, Exhausted> {
        let Some((relation, x, y, negated)) = order_of(self.pool, condition) else {
            return Ok(None);
        };
        let (x, y) = (self.form(x), self.form(y));
        let first = match (a, b) {
            _ if (a, b) == (x, y) => true,
            _ if (a, b) == (y, x) => false,
            _ => return Ok(None),
        };
        let signed = matches!(relation, Compare::LessSigned | Compare::LessEqualSigned);
        let operator = Operator::Extreme { greatest: first == negated, signed };
        self.forms.combine(operator, a, b).map(Some)
    }
}

/// The order that a condition asks for, or the opposite of one.
fn order_of(pool: &Pool, condition: Term) -> Option<(Compare, Term, Term, bool)> {
    match *pool.node(condition) {
        Node::Compare(relation, x, y) => Some((relation, x, y, false)),
        Node::Not(inner) => match *pool.node(inner) {
            Node::Compare(relation, x, y) => Some((relation, x, y, true)),
            _ => None,
        },
        _ => None,
    }
}
