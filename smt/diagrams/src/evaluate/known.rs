//! Facts about single payloads that follow from the assertions: equalities and bounds.
//!
//! An assertion is true in every state that counts, so its parts are walked from the top: where a
//! disjunction holds and all of its parts fail but one, that one holds. What is reached this way
//! under a condition, an equality or a bound of a free constant, holds in each state in which the
//! condition does. There the constant is the other side of the equality, or its own low bits
//! extended; elsewhere it is itself. That is the same value in each state that satisfies the
//! assertions, so whatever is evaluated with it is right there. A side that is put together from
//! several payloads gets a name, which all payloads that are equal to it share.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::term::{Compare, Node, Pool, Sort, Term};
use rustc_hash::FxHashSet;

use super::Evaluator;
use super::float::{numbers_compared, property_tested};
use super::relations::{Known, Relation, Relations};
use crate::Exhausted;
use crate::bdd::{Bdd, Level};
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, FEW, FormId, NARROW};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::order::{self, SET};
use crate::property::Property;

/// A part of an assertion, true or false, where it is so, and the assertion.
type Parts = BTreeMap<(Term, bool), (Bdd, Term)>;

/// Facts about floating-point numbers lead to others: first that values are no NaN, then that they
/// are no zero, then what relations say.
const PASSES: u32 = 4;

impl Evaluator<'_> {
    /// The bits that have one value where a function holds. What is left open is none of them: it has other
    /// variables once more is known.
    pub(crate) fn fixed_by(&mut self, holds: Bdd) -> Result<Vec<(Level, bool)>, Exhausted> {
        let mut fixed = self.diagrams().fixed_by(holds)?;
        if !self.diagrams().has(BrokenLaw::OpenIsFixed) {
            fixed.retain(|(level, _)| order::is_free(*level));
        }
        Ok(fixed)
    }

    /// Where a hypothesis holds, of the states of `within`, unless that takes more than so many steps once it
    /// is known where its parts do.
    pub(crate) fn assumed_within(
        &mut self,
        steps: u64,
        term: Term,
        within: Bdd,
    ) -> Result<Option<Bdd>, Exhausted> {
        let parts = match self.pool.node(term) {
            Node::And(list) => list.to_vec(),
            _ => vec![term],
        };
        let mut holds = within;
        for part in parts {
            if holds == Bdd::FALSE {
                break;
            }
            let truth = self.truth_of(part)?;
            match self.diagrams().and_in(steps, holds, truth)? {
                Some(both) => holds = both,
                None => return Ok(None),
            }
        }
        Ok(Some(holds))
    }

    /// What is compared from now on is of interest in the states of a set only, if that is a small one.
    pub(crate) fn compare_within(&mut self, set: Bdd) {
        if self.diagrams().is_small(set) {
            self.forms.facts.within = Some(set);
        }
    }

    /// Those of some constants that are known to have few bits in some states.
    pub(crate) fn small(&self, constants: BTreeSet<Term>) -> BTreeSet<Term> {
        let is_narrow = |&atom: &AtomId| match self.forms.atom(atom) {
            Atom::Function(Function::ZeroExtend, of) => self.forms.form(of[0]).width <= NARROW,
            _ => false,
        };
        let is_small = |constant: &Term| {
            self.known.get(constant).is_some_and(|&(_, form)| {
                self.forms.form(form).parts.iter().any(|(atom, _)| is_narrow(atom))
            })
        };
        constants.into_iter().filter(is_small).collect()
    }

    /// Derives such facts from these literals, which hold in every state in question; and, where that is wanted,
    /// from what is tested behind conditions.
    pub(crate) fn learn(
        &mut self,
        literals: &[(Term, bool)],
        from_tests: bool,
    ) -> Result<(), Exhausted> {
        let payloads = self.of_payloads(literals);
        let floats = payloads.iter().any(|&term| self.pool.float_note(term).is_some());
        let mut passes = if floats { PASSES } else { 1 };
        let (mut known, mut tests) = (Known::default(), Vec::new());
        let mut pass = 0;
        while pass < passes {
            pass += 1;
            let mut relations = Relations::default();
            let equalities = pass == passes;
            self.learn_tests(&tests)?;
            let open = self.asserted(literals, &payloads);
            known = self.learn_once(open, (&payloads, equalities), &mut relations)?;
            self.values.clear();
            self.relations = relations;
            if !self.relations.is_empty() {
                self.drop_cycles();
            }
            if pass == 1 && floats && from_tests {
                tests = self.tests_behind_conditions(&payloads);
                self.ask_alone(!tests.is_empty());
                passes += u32::from(!tests.is_empty());
            }
        }
        self.spend_equalities(literals, &known);
        if !known.is_empty() {
            self.values.clear();
            self.known = known;
            if !self.forms.facts.orders.is_empty() {
                // With what is known of payloads, their orders are those of other values.
                let open = self.asserted(literals, &payloads);
                self.learn_once(open, (&payloads, true), &mut Relations::default())?;
                self.values.clear();
            }
        }
        Ok(())
    }

    /// These literals, as far as they are about payloads.
    fn asserted(&self, literals: &[(Term, bool)], payloads: &FxHashSet<Term>) -> Parts {
        let about = literals.iter().filter(|(term, _)| payloads.contains(term));
        about.map(|&literal| (literal, (Bdd::TRUE, literal.0))).collect()
    }

    /// One walk through what is open. Equalities and bounds may be put together from much, which is
    /// short only when the properties of numbers are known: the last walk looks at them.
    fn learn_once(
        &mut self,
        mut open: Parts,
        (payloads, equalities): (&FxHashSet<Term>, bool),
        relations: &mut Relations,
    ) -> Result<Known, Exhausted> {
        let mut known = Known::default();
        // Operands come before what uses them: all that leads to a part was seen before it.
        while let Some(((term, holds), (here, origin))) = open.pop_last() {
            self.diagrams().step()?;
            if self.is_test(term) {
                self.asserted_tests.insert(term);
            }
            if let Some((number, property)) = property_tested(self.pool, term) {
                if !holds {
                    self.learn_property(number, property, here)?;
                }
                continue;
            }
            if let Some((constant, relation)) = self.relation_at((term, holds), here) {
                relations.insert(constant, relation, origin);
                continue;
            }
            match *self.pool.node(term) {
                Node::Equal(a, b) if holds && self.pool.sort(a) != Sort::Bool => {
                    if equalities {
                        self.learn_equal(&mut known, a, b, here)?;
                    }
                }
                Node::Compare(relation, a, b)
                    if numbers_compared(self.pool, relation, a, b).is_some() =>
                {
                    self.learn_limit((term, holds), here)?;
                    for (number, property) in self.properties_by_sign(relation, [a, b], holds) {
                        self.learn_property(number, property, here)?;
                    }
                }
                Node::Compare(relation, a, b) => {
                    self.learn_limit((term, holds), here)?;
                    let bound = match (relation, holds) {
                        (Compare::Less, true) => Some((a, b, 1)),
                        (Compare::LessEqual, true) => Some((a, b, 0)),
                        (Compare::Less, false) => Some((b, a, 0)),
                        (Compare::LessEqual, false) => Some((b, a, 1)),
                        (Compare::LessSigned | Compare::LessEqualSigned, _) => None,
                    };
                    if let Some((small, limit, less)) = bound.filter(|_| equalities)
                        && let Some(limit) = self.pool.bits_of(limit)
                    {
                        self.learn_bound(&mut known, small, limit.checked_sub(less), here)?;
                    } else if equalities {
                        self.learn_order(relation, [a, b], holds, here)?;
                    }
                }
                _ => self.learn_parts(payloads, &mut open, (term, holds), (here, origin))?,
            }
        }
        Ok(known)
    }

    /// A number has a property there.
    pub(super) fn learn_property(
        &mut self,
        number: Term,
        property: Property,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        self.evaluate(number)?;
        let form = self.form(number);
        for (atom, sign_is_kept, chosen) in self.forms.atoms_but_for_sign(form)? {
            if !sign_is_kept && property.is_of_sign() {
                continue;
            }
            let here = self.diagrams().and(here, chosen)?;
            let wrong = self.diagrams().has(BrokenLaw::SameEverywhere);
            self.forms.note_property(atom, property, if wrong { Bdd::TRUE } else { here })?;
        }
        Ok(())
    }

    /// What is asserted of a free constant by a relation, if this part of an assertion is one.
    fn relation_at(&self, (term, holds): (Term, bool), here: Bdd) -> Option<(Term, Relation)> {
        let pool = self.pool;
        let is_constant = |it: Term| self.is_payload(it);
        match pool.node(term) {
            Node::And(list) if holds => Relation::one_of(pool, list, here, is_constant),
            Node::Ite(open, either, only) if holds && pool.sort(*open) == Sort::Bool => {
                Relation::chosen(pool, [*open, *either, *only], here, is_constant)
            }
            Node::Or(_) | Node::AnyOrder(..) if holds => {
                Relation::sum_of(pool, term, here, is_constant)
            }
            _ => None,
        }
    }

    /// What payloads have to do with.
    fn of_payloads(&self, literals: &[(Term, bool)]) -> FxHashSet<Term> {
        let roots: Vec<Term> = literals.iter().map(|(term, _)| *term).collect();
        let mut payloads = FxHashSet::default();
        for term in self.pool.reachable(&roots) {
            let node = self.pool.node(term);
            let some = Pool::operands(node).iter().any(|it| payloads.contains(it));
            if some || self.is_payload(term) {
                payloads.insert(term);
            }
        }
        payloads
    }

    /// It is a free constant, but not a set of lanes, whose single bits are used.
    pub(super) fn is_payload(&self, term: Term) -> bool {
        let is_set = match self.pool.node(term) {
            Node::Variable(_) => self.by_bits.contains(&term),
            _ => false,
        };
        !is_set
            && self.forms.is_free(term)
            && matches!(self.pool.sort(term), Sort::Bits(width) if width != SET)
    }

    /// What follows for the parts of an assertion.
    fn learn_parts(
        &mut self,
        payloads: &FxHashSet<Term>,
        open: &mut Parts,
        (term, holds): (Term, bool),
        (here, origin): (Bdd, Term),
    ) -> Result<(), Exhausted> {
        let pool = self.pool;
        match pool.node(term) {
            Node::Not(part) => self.add(open, (*part, !holds), (here, origin)),
            Node::And(list) | Node::Or(list) => {
                let all = matches!(pool.node(term), Node::And(_)) == holds;
                let about = |part: &&Term| payloads.contains(*part);
                if all {
                    for &part in list.iter().filter(about) {
                        self.add(open, (part, holds), (here, origin))?;
                    }
                    return Ok(());
                }
                let mut some: Vec<Term> = list.iter().filter(about).copied().collect();
                if some.len() > 1 {
                    some.retain(|&part| !self.only_tests(payloads, part));
                }
                let mut here = here;
                for &other in list.iter().filter(|it| !some.contains(it)) {
                    let other = self.truth_of(other)?;
                    here = self.diagrams().and(here, other.complement_if(holds))?;
                }
                if let [only] = some[..] {
                    return self.add(open, (only, holds), (here, origin));
                }
                // What all alternatives say.
                let all = some.iter().map(|&part| self.properties(part, holds));
                let common = all.reduce(|mut a, b| {
                    a.retain(|it| b.contains(it));
                    a
                });
                for (number, property) in common.unwrap_or_default() {
                    self.learn_property(number, property, here)?;
                }
                Ok(())
            }
            Node::Ite(condition, then, otherwise)
                if !payloads.contains(condition) || self.only_tests(payloads, *condition) =>
            {
                let condition = self.truth_of(*condition)?;
                for (part, condition) in [(*then, condition), (*otherwise, !condition)] {
                    if payloads.contains(&part) {
                        let here = self.diagrams().and(here, condition)?;
                        self.add(open, (part, holds), (here, origin))?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn truth_of(&mut self, term: Term) -> Result<Bdd, Exhausted> {
        self.evaluate(term)?;
        Ok(self.truth(term))
    }

    fn add(
        &mut self,
        open: &mut Parts,
        literal: (Term, bool),
        (here, origin): (Bdd, Term),
    ) -> Result<(), Exhausted> {
        let (before, first) = open.get(&literal).copied().unwrap_or((Bdd::FALSE, origin));
        let either = self.diagrams().or(before, here)?;
        if either != Bdd::FALSE {
            open.insert(literal, (either, first));
        }
        Ok(())
    }

    /// Two vectors are equal there.
    fn learn_equal(
        &mut self,
        known: &mut Known,
        a: Term,
        b: Term,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        for (masked, number) in [(a, b), (b, a)] {
            if self.learn_masked(known, masked, number, here)? {
                return Ok(());
            }
        }
        let (member, other) = match (self.is_payload(a), self.is_payload(b)) {
            (true, true) => (a.max(b), a.min(b)),
            (true, false) => (a, b),
            (false, true) => (b, a),
            (false, false) => return self.learn_extremes(known, a, b, here),
        };
        self.evaluate(other)?;
        let form = self.form(other);
        if self.learn_outdone(member, form, here)? {
            return Ok(());
        }
        let is_plain = self.is_payload(other)
            || self.pool.bits_of(other).is_some()
            || self.is_one_function(form)
            || self.has_few_bits(form);
        let form = if is_plain { form } else { self.named(form, member)? };
        self.note(known, member, here, form)
    }

    /// It is the result of one uninterpreted function, in some states or in all.
    fn is_one_function(&self, id: FormId) -> bool {
        let form = self.forms.form(id);
        match form.parts.as_slice() {
            [(atom, word)] => {
                form.operator == Operator::Sum
                    && word.as_flag(form.width).is_some()
                    && matches!(self.forms.atom(*atom), Atom::Function(..))
            }
            _ => false,
        }
    }

    /// It is a number that few conditions decide.
    fn has_few_bits(&self, id: FormId) -> bool {
        let Some(word) = self.forms.as_word(id) else { return false };
        let mut different = word.bits(self.forms.form(id).width);
        different.retain(|&bit| bit != Bdd::TRUE && bit != Bdd::FALSE);
        different.into_iter().collect::<FxHashSet<_>>().len() <= FEW
    }

    /// Of the same payloads the least and the greatest are equal there, or the conjunction and the
    /// disjunction: then all of them are.
    fn learn_extremes(
        &mut self,
        known: &mut Known,
        a: Term,
        b: Term,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        self.evaluate(a)?;
        self.evaluate(b)?;
        let (a, b) = (self.form(a), self.form(b));
        let [of_a, of_b] = [a, b].map(|it| self.forms.form(it).clone());
        let opposite = match (of_a.operator, of_b.operator) {
            (
                Operator::Extreme { greatest: first, of },
                Operator::Extreme { greatest: second, of: other },
            ) => first != second && of == other,
            (Operator::And, Operator::Or) | (Operator::Or, Operator::And) => true,
            _ => false,
        };
        let neutral = [&of_a, &of_b].iter().all(|it| it.rest == it.operator.neutral(it.width));
        if !opposite || !neutral || of_a.parts != of_b.parts {
            return Ok(());
        }
        for (atom, word) in of_a.parts {
            if let Atom::Free(member) = *self.forms.atom(atom) {
                let here = self.diagrams().and(here, word.bit(0))?;
                let form = self.named(a, member)?;
                self.note(known, member, here, form)?;
            }
        }
        Ok(())
    }

    /// A payload is not above `greatest` there.
    fn learn_bound(
        &mut self,
        known: &mut Known,
        small: Term,
        greatest: Option<u128>,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        let Some(greatest) = greatest.filter(|_| self.is_payload(small)) else { return Ok(()) };
        let (width, bits) = (self.pool.width(small), u128::BITS - greatest.leading_zeros());
        if bits == 0 || bits >= width {
            return Ok(());
        }
        let own = self.known_so_far(known, small, here)?;
        let low = self.forms.extract(own, bits - 1, 0)?;
        let low = self.forms.extend(low, false, width)?;
        self.note_more(known, small, here, low)
    }

    /// A name for a value that is put together from several: like `member` a word or not.
    fn named(&mut self, form: FormId, member: Term) -> Result<FormId, Exhausted> {
        let width = self.pool.width(member);
        let name = self.forms.atom_of(Atom::Function(Function::Named, vec![form]), width);
        if self.by_bits.contains(&member) {
            let word = self.forms.atom_word(name);
            return self.forms.of_word(word, width);
        }
        self.forms.of_atom(name)
    }

    /// Records that a constant has that value there. Where more is known already, that stays.
    pub(super) fn note(
        &mut self,
        known: &mut Known,
        member: Term,
        here: Bdd,
        form: FormId,
    ) -> Result<(), Exhausted> {
        let here = if self.diagrams().has(BrokenLaw::SameEverywhere) { Bdd::TRUE } else { here };
        if here == Bdd::FALSE {
            return Ok(());
        }
        match known.get(&member).copied() {
            None => {
                known.insert(member, (here, form));
            }
            Some((before, same)) if same == form => {
                let either = self.diagrams().or(before, here)?;
                known.insert(member, (either, form));
            }
            Some((before, other)) => {
                let first = match self.diagrams().has(BrokenLaw::LastCounts) {
                    true => Bdd::FALSE,
                    false => before,
                };
                let either = self.diagrams().or(before, here)?;
                let value = self.forms.ite(first, other, form)?;
                known.insert(member, (either, value));
            }
        }
        Ok(())
    }
}
