//! Equal payloads are in one class: that equality is transitive is built into the diagrams.
//!
//! Lanes are gone through in order. Each joins one of the classes that lanes before it are in, or begins one:
//! of its variables, one for each class that there may be, the first that is true says which class it joins.
//! Two lanes hold the same where they are in one class. In every state each lane is in the class of those
//! that hold what it holds, so some assignment of the variables is that state. Where a lane takes no part, as
//! the lanes outside a set, it is in no class, and its comparisons are uninterpreted.

use laneproof_semantics::term::{Node, Pool, Symbol, Term};
use rustc_hash::FxHashSet;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, FormId, Forms};
use crate::order::Concern;
use crate::sorted::{MOST, Sorted};

/// Fewer comparisons for equality need no classes.
const FEW: usize = 3;

/// Payloads are compared for equality in the question.
pub(crate) fn are_compared(pool: &Pool, assertions: &[Term]) -> bool {
    let lane_of = |term: Term| match *pool.node(term) {
        Node::Apply(_, lane) => pool.bits_of(lane),
        _ => None,
    };
    let terms = pool.reachable(assertions);
    if terms.iter().filter_map(|&it| lane_of(it)).any(|lane| lane >= u128::from(MOST)) {
        return false;
    }
    // Terms that payloads are a part of; operands come before what uses them.
    let mut of_payloads = FxHashSet::default();
    let mut comparisons = 0;
    for term in terms {
        let operands = Pool::operands(pool.node(term));
        if lane_of(term).is_some() || operands.iter().any(|it| of_payloads.contains(it)) {
            of_payloads.insert(term);
        }
        let Node::Equal(a, b) = *pool.node(term) else { continue };
        let is_number = pool.width(a) > 1;
        let one = lane_of(a).or(lane_of(b)).is_some();
        if is_number && one && [a, b].iter().all(|it| of_payloads.contains(it)) {
            comparisons += 1;
            if comparisons == FEW {
                return true;
            }
        }
    }
    false
}

impl Forms {
    /// Two payloads that lanes hold are equal, if they are sorted into classes.
    pub(crate) fn equal_by_class(
        &mut self,
        a: FormId,
        b: FormId,
    ) -> Result<Option<Bdd>, Exhausted> {
        let member = |forms: &Self, id: FormId| match *forms.atom(forms.form(id).single_atom()?) {
            Atom::Free(term) => forms.facts.classes.members.get(&term).copied(),
            _ => None,
        };
        let (Some((symbol, first)), Some((other, second))) = (member(self, a), member(self, b))
        else {
            return Ok(None);
        };
        if symbol != other {
            return Ok(None);
        }
        self.sort_into_classes(symbol)?;
        let sorted = &self.facts.classes.sorted[&symbol];
        let [x, y] = [first, second].map(|lane| sorted.joined[&lane].clone());
        let mut same = Bdd::FALSE;
        for (x, y) in x.into_iter().zip(y) {
            let both = self.diagrams.and(x, y)?;
            same = self.diagrams.or(same, both)?;
        }
        let [x, y] = [self.takes_part(first), self.takes_part(second)];
        let inside = self.diagrams.and(x, y)?;
        if inside == Bdd::TRUE {
            return Ok(Some(same));
        }
        let elsewhere = self.relation(crate::opaque::Relation::Equal, a.min(b), a.max(b));
        self.diagrams.ite(inside, same, elsewhere).map(Some)
    }

    /// Where a lane is in the set of those that take part.
    fn takes_part(&mut self, lane: u32) -> Bdd {
        match self.facts.classes.set {
            Some(set) => self.free_bit(set, lane),
            None => Bdd::TRUE,
        }
    }

    fn sort_into_classes(&mut self, symbol: Symbol) -> Result<(), Exhausted> {
        if self.facts.classes.sorted.contains_key(&symbol) {
            return Ok(());
        }
        let lanes = self.facts.classes.functions[&symbol].clone();
        let mut sorted = Sorted { number: vec![Bdd::TRUE], ..Sorted::default() };
        for (lane, _) in lanes {
            let here = self.takes_part(lane);
            // More classes so far than the one that is looked at, whose variables were all false.
            let (mut more, mut none) = (Bdd::TRUE, Bdd::TRUE);
            let mut joined = Vec::new();
            let mut number = Vec::new();
            for class in 0..sorted.number.len() {
                let so_many = sorted.number[class];
                more = self.diagrams.and(more, !so_many)?;
                let chosen = self.unknown(Concern::Lane(lane));
                let joins = self.diagrams.and(more, chosen)?;
                let begins = match self.diagrams.has(BrokenLaw::ClassWithoutBegin) {
                    true => Bdd::FALSE,
                    false => so_many,
                };
                let either = self.diagrams.or(joins, begins)?;
                let either = self.diagrams.and(none, either)?;
                joined.push(self.diagrams.and(here, either)?);
                let begins = self.diagrams.and(so_many, none)?;
                let begins = self.diagrams.and(here, begins)?;
                number.push((so_many, begins));
                none = self.diagrams.and(none, !chosen)?;
            }
            let mut counts = vec![Bdd::FALSE; number.len() + 1];
            for (class, (so_many, begins)) in number.into_iter().enumerate() {
                let stays = self.diagrams.and(so_many, !begins)?;
                counts[class] = self.diagrams.or(counts[class], stays)?;
                counts[class + 1] = self.diagrams.or(counts[class + 1], begins)?;
            }
            sorted.number = counts;
            sorted.joined.insert(lane, joined);
        }
        self.facts.classes.sorted.insert(symbol, sorted);
        Ok(())
    }
}
