//! Facts about single payloads that follow from the assertions: equalities and bounds.
//!
//! An assertion is true in every state that counts, so its parts are walked from the top: where a
//! disjunction holds and all of its parts fail but one, that one holds. What is reached this way
//! under a condition, an equality or a bound of a free constant, holds in each state in which the
//! condition does. There the constant is the other side of the equality, or its own low bits
//! extended; elsewhere it is itself. That is the same value in each state that satisfies the
//! assertions, so whatever is evaluated with it is right there. A side that is put together from
//! several payloads gets a name, which all payloads that are equal to it share.

use std::collections::BTreeMap;

use laneproof_semantics::term::{Compare, Node, Pool, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Evaluator;
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, FormId};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::order::SET;

/// Where a free constant is something else, and what.
pub(super) type Known = FxHashMap<Term, (Bdd, FormId)>;

/// A part of an assertion, true or false, and where it is so.
type Parts = BTreeMap<(Term, bool), Bdd>;

impl Evaluator<'_> {
    /// Derives such facts from these literals, which hold in every state in question.
    pub(crate) fn learn(&mut self, literals: &[(Term, bool)]) -> Result<(), Exhausted> {
        let payloads = self.of_payloads(literals);
        let mut open = Parts::new();
        let about = literals.iter().filter(|(term, _)| payloads.contains(term));
        open.extend(about.map(|&literal| (literal, Bdd::TRUE)));
        let mut known = Known::default();
        // Operands come before what uses them: all that leads to a part was seen before it.
        while let Some(((term, holds), here)) = open.pop_last() {
            self.diagrams().step()?;
            match *self.pool.node(term) {
                Node::Equal(a, b) if holds && self.pool.sort(a) != Sort::Bool => {
                    self.learn_equal(&mut known, a, b, here)?;
                }
                Node::Compare(relation, a, b) => {
                    let bound = match (relation, holds) {
                        (Compare::Less, true) => Some((a, b, 1)),
                        (Compare::LessEqual, true) => Some((a, b, 0)),
                        (Compare::Less, false) => Some((b, a, 0)),
                        (Compare::LessEqual, false) => Some((b, a, 1)),
                        (Compare::LessSigned | Compare::LessEqualSigned, _) => None,
                    };
                    if let Some((small, limit, less)) = bound
                        && let Some(limit) = self.pool.bits_of(limit)
                    {
                        self.learn_bound(&mut known, small, limit.checked_sub(less), here)?;
                    }
                }
                _ => self.learn_parts(&payloads, &mut open, (term, holds), here)?,
            }
        }
        if !known.is_empty() {
            self.values.clear();
            self.known = known;
        }
        Ok(())
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
    fn is_payload(&self, term: Term) -> bool {
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
        here: Bdd,
    ) -> Result<(), Exhausted> {
        let pool = self.pool;
        match pool.node(term) {
            Node::Not(part) => self.add(open, (*part, !holds), here),
            Node::And(list) | Node::Or(list) => {
                let all = matches!(pool.node(term), Node::And(_)) == holds;
                let about = |part: &&Term| payloads.contains(*part);
                if all {
                    for &part in list.iter().filter(about) {
                        self.add(open, (part, holds), here)?;
                    }
                    return Ok(());
                }
                let mut some = list.iter().filter(about);
                let (Some(&only), None) = (some.next(), some.next()) else { return Ok(()) };
                let mut here = here;
                for &other in list.iter().filter(|it| !payloads.contains(*it)) {
                    let other = self.truth_of(other)?;
                    here = self.diagrams().and(here, other.complement_if(holds))?;
                }
                self.add(open, (only, holds), here)
            }
            Node::Ite(condition, then, otherwise) if !payloads.contains(condition) => {
                let condition = self.truth_of(*condition)?;
                for (part, condition) in [(*then, condition), (*otherwise, !condition)] {
                    if payloads.contains(&part) {
                        let here = self.diagrams().and(here, condition)?;
                        self.add(open, (part, holds), here)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn truth_of(&mut self, term: Term) -> Result<Bdd, Exhausted> {
        self.evaluate(term)?;
        Ok(self.truth(term))
    }

    fn add(&mut self, open: &mut Parts, literal: (Term, bool), here: Bdd) -> Result<(), Exhausted> {
        let before = open.get(&literal).copied().unwrap_or(Bdd::FALSE);
        let either = self.diagrams().or(before, here)?;
        if either != Bdd::FALSE {
            open.insert(literal, either);
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
        let (member, other) = match (self.is_payload(a), self.is_payload(b)) {
            (true, true) => (a.max(b), a.min(b)),
            (true, false) => (a, b),
            (false, true) => (b, a),
            (false, false) => return self.learn_extremes(known, a, b, here),
        };
        self.evaluate(other)?;
        let form = self.form(other);
        let is_plain = self.is_payload(other) || self.pool.bits_of(other).is_some();
        let form = if is_plain { form } else { self.named(form, member)? };
        self.note(known, member, here, form)
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
                Operator::Extreme { greatest: first, signed },
                Operator::Extreme { greatest: second, signed: other },
            ) => first != second && signed == other,
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
        let own = self.own_vector(small)?;
        let low = self.forms.extract(own, bits - 1, 0)?;
        let low = self.forms.extend(low, false, width)?;
        self.note(known, small, here, low)
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

    /// Records that a constant has that value there. Earlier facts stay.
    fn note(
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
            Some(_) => {}
        }
        Ok(())
    }
}
