//! Comparisons of forms, as far as conditions decide them. The rest is an uninterpreted truth
//! value, the same for equal operands.

use laneproof_semantics::term::FloatOp;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, FEW, Form, FormId, Forms, Selection};
use crate::numbers::Numbers;
use crate::opaque::{Function, Relation};
use crate::operator::Operator;
use crate::order::Concern;
use crate::word::Word;

/// Choices are compared pair by pair where there are not more pairs.
const PAIRS: usize = 1 << 10;

impl Forms {
    /// Two values of one width are equal.
    pub(crate) fn equal(&mut self, a: FormId, b: FormId) -> Result<Bdd, Exhausted> {
        if a == b {
            return Ok(Bdd::TRUE);
        }
        if self.has_units(a) || self.has_units(b) {
            return match [a, b].iter().all(|&it| self.form(it).operator == Operator::Sum) {
                true => self.equal_sums(a, b),
                false => {
                    let (a, b) = (self.put_together(a)?, self.put_together(b)?);
                    self.equal(a, b)
                }
            };
        }
        if let (Some(x), Some(y)) = (self.as_word(a).cloned(), self.as_word(b).cloned()) {
            if self.are_wide_constants(a, b) {
                return Ok(self.relation(Relation::Equal, a.min(b), a.max(b)));
            }
            return match self.place(a, &y).or_else(|| self.place(b, &x)) {
                Some(here) => Ok(here),
                None => self.diagrams.word_equal(&x, &y),
            };
        }
        if let Some(equal) = self.equal_by_structure(a, b)? {
            return Ok(equal);
        }
        if let Some(equal) = self.equal_integers(a, b)? {
            return Ok(equal);
        }
        if let Some(equal) = self.equal_side_by_side(a, b)? {
            return Ok(equal);
        }
        if let Some(equal) = self.equal_to_extreme(a, b)? {
            return Ok(equal);
        }
        if let Some(equal) = self.equal_chosen(a, b)? {
            return Ok(equal);
        }
        if let Some(equal) = self.equal_in_other_order(a, b)? {
            return Ok(equal);
        }
        if let Some(equal) = self.equal_by_multiples([a, b])? {
            return Ok(equal);
        }
        let operator = match (self.form(a).operator, self.form(b).operator) {
            (Operator::Sum, other) | (other, _) => other,
        };
        if operator == Operator::Sum {
            return self.equal_sums(a, b);
        }
        let alike = match self.reordered(a, b)? {
            Some((again, certain)) => {
                let alike = self.alike(again, b, self.form(b).operator)?;
                self.diagrams.and(certain, alike)?
            }
            None => self.alike(a, b, operator)?,
        };
        if alike == Bdd::TRUE {
            return Ok(alike);
        }
        let limited = [self.without_limited(a)?, self.without_limited(b)?];
        if limited != [a, b] {
            return self.equal(limited[0], limited[1]);
        }
        if operator != Operator::Product
            && self.atoms_of_both(a, b) <= 1
            && let (Some(x), Some(y)) = (self.bits_of_one(a)?, self.bits_of_one(b)?)
        {
            return self.diagrams.word_equal(&x, &y);
        }
        let chosen = [self.chosen_one_by_one(a)?, self.chosen_one_by_one(b)?];
        if chosen != [a, b] {
            return self.equal(chosen[0], chosen[1]);
        }
        let unknown = self.relation(Relation::Equal, a.min(b), a.max(b));
        let unknown = self.diagrams.or(alike, unknown)?;
        match self.equal_multiplied_out(a, b)? {
            Some([equal, decided]) => self.diagrams.ite(decided, equal, unknown),
            None => Ok(unknown),
        }
    }

    /// Payloads that lanes hold, or one and an extreme of some, are equal by what is known of all of them, or
    /// by their bits.
    fn equal_by_structure(&mut self, a: FormId, b: FormId) -> Result<Option<Bdd>, Exhausted> {
        if let Some(equal) = self.equal_by_class(a, b)? {
            return Ok(Some(equal));
        }
        if let Some(equal) = self.equal_to_record(a, b)? {
            return Ok(Some(equal));
        }
        let Some([x, y]) = self.few_bits_of_both(a, b)? else { return Ok(None) };
        self.diagrams.word_equal(&x, &y).map(Some)
    }

    /// Values put together from parts side by side are equal where the parts are.
    fn equal_side_by_side(&mut self, a: FormId, b: FormId) -> Result<Option<Bdd>, Exhausted> {
        let width = self.form(a).width;
        let mut place = None;
        for (id, other) in [(a, b), (b, a)] {
            if let Some((_, low)) = self.side_by_side(id) {
                place = Some(self.form(low).width);
            } else if self.order_of(other).is_some() || self.side_by_side(other).is_some() {
                place = place.or(self.seam(id)?);
            }
        }
        let Some(place) = place.filter(|place| (1..width).contains(place)) else { return Ok(None) };
        let (high, other) =
            (self.extract(a, width - 1, place)?, self.extract(b, width - 1, place)?);
        let high = self.equal(high, other)?;
        if high == Bdd::FALSE {
            return Ok(Some(high));
        }
        let (low, other) = (self.extract(a, place - 1, 0)?, self.extract(b, place - 1, 0)?);
        let low = self.equal(low, other)?;
        self.diagrams.and(high, low).map(Some)
    }

    /// One payload and a value that is one of several: equal where it is equal to that one.
    fn equal_chosen(&mut self, a: FormId, b: FormId) -> Result<Option<Bdd>, Exhausted> {
        let (few, many) = match self.form(a).parts.len() <= self.form(b).parts.len() {
            true => (a, b),
            false => (b, a),
        };
        let is_one = |selection: &Selection| match selection.chosen.as_slice() {
            [(_, here)] => *here == Bdd::TRUE,
            _ => false,
        };
        if let Some(equal) = self.equal_by_bound(many, few)? {
            return Ok(Some(equal));
        }
        let parts = self.form(many).parts.len();
        if parts == 0 || parts > PAIRS {
            return Ok(None);
        }
        if self.as_word(few).is_some() {
            return if parts > 1 { self.equal_to_word(many, few) } else { Ok(None) };
        }
        let is_one_of =
            |forms: &mut Self, id| Ok(forms.selection_of_one(id)?.is_some_and(|it| is_one(&it)));
        let (few, many) = match (is_one_of(self, few)?, parts == 1 && is_one_of(self, many)?) {
            (true, false) => (few, many),
            (false, true) => (many, few),
            _ => return Ok(None),
        };
        let Some(selection) = self.selection(many)? else { return Ok(None) };
        let rest = self.of_word(selection.rest, self.form(many).width)?;
        let mut equal = self.equal(few, rest)?;
        equal = self.diagrams.and(equal, !selection.any)?;
        for (atom, here) in selection.chosen {
            let chosen = self.of_atom(atom)?;
            let same = self.equal(few, chosen)?;
            let same = self.diagrams.and(here, same)?;
            equal = self.diagrams.or(equal, same)?;
        }
        Ok(Some(equal))
    }

    /// One of a few payloads, or that beside a mask, and a number: equal where the one is.
    fn equal_to_word(&mut self, value: FormId, number: FormId) -> Result<Option<Bdd>, Exhausted> {
        let form = self.form(value).clone();
        let bitwise = matches!(form.operator, Operator::And | Operator::Or | Operator::Xor);
        if form.parts.len() > FEW || !(bitwise || self.selection(value)?.is_some()) {
            return Ok(None);
        }
        let (mut equal, mut any) = (Bdd::FALSE, Bdd::FALSE);
        for (atom, word) in &form.parts {
            let here = word.bit(0);
            if !self.diagrams.disjoint(any, here)? {
                return Ok(None);
            }
            any = self.diagrams.or(any, here)?;
            let parts = vec![(*atom, Word::number(1, if bitwise { 2 } else { form.width }))];
            let rest = if bitwise { form.rest.clone() } else { Word::zero() };
            let alone = self.intern(Form { parts, rest, ..form.clone() })?;
            let same = self.equal(alone, number)?;
            let here = if self.diagrams.has(BrokenLaw::EachBeside) { Bdd::TRUE } else { here };
            let same = self.diagrams.and(here, same)?;
            equal = self.diagrams.or(equal, same)?;
        }
        let rest = self.of_word(form.rest, form.width)?;
        let same = self.equal(rest, number)?;
        let same = self.diagrams.and(!any, same)?;
        self.diagrams.or(equal, same).map(Some)
    }

    /// Where both have the same atoms and the same rest.
    fn alike(&mut self, a: FormId, b: FormId, operator: Operator) -> Result<Bdd, Exhausted> {
        let (a, b) = (self.by(a, operator)?, self.by(b, operator)?);
        let mut alike = self.diagrams.word_equal(&a.rest, &b.rest)?;
        let zero = Word::zero();
        let only_in_b = b.parts.iter().filter(|(atom, _)| a.times(*atom).is_none());
        let mut pairs: Vec<(Word, Word)> =
            only_in_b.map(|(_, word)| (zero.clone(), word.clone())).collect();
        for (atom, word) in &a.parts {
            pairs.push((word.clone(), b.times(*atom).unwrap_or(&zero).clone()));
        }
        for (x, y) in pairs {
            if alike == Bdd::FALSE {
                break;
            }
            let same = self.diagrams.word_equal(&x, &y)?;
            alike = self.diagrams.and(alike, same)?;
        }
        Ok(alike)
    }

    /// Sums are equal where their difference is zero.
    fn equal_sums(&mut self, a: FormId, b: FormId) -> Result<Bdd, Exhausted> {
        let width = self.form(a).width;
        let minus_one = Word::number(u128::MAX, width);
        let difference = self.difference(a, b)?;
        let difference = self.taken_apart(difference)?;
        let difference = self.without_atoms_within(difference)?;
        if let Some(zero) = self.is_zero_by_lanes(difference)? {
            return Ok(zero);
        }
        let difference = self.put_together(difference)?;
        let difference = self.with_equal_high_parts(difference)?;
        let form = self.form(difference).clone();
        let left = self.diagrams.word_any(&form.rest)?;
        if form.parts.is_empty() {
            return Ok(!left);
        }
        let mut atoms = Bdd::FALSE;
        for (_, word) in &form.parts {
            let any = self.diagrams.word_any(word)?;
            atoms = self.diagrams.or(atoms, any)?;
        }
        if atoms == Bdd::FALSE {
            return Ok(!left);
        }
        if let [(_, times)] = form.parts.as_slice()
            && times.constant(width).is_some()
        {
            let bits = self.bits(difference)?;
            let any = self.diagrams.word_any(&bits)?;
            return Ok(!any);
        }
        if self.diagrams.has(BrokenLaw::DifferentSumsDiffer) {
            return self.diagrams.ite(atoms, Bdd::FALSE, !left);
        }
        // Without atoms it is known; with them it is not.
        let opposite = self.scaled(difference, &minus_one)?;
        let concern = self.concern_of_both(a, b);
        let (first, second) = (difference.min(opposite), difference.max(opposite));
        let unknown = self.relation_beside(Relation::Zero, first, second, concern);
        let equal = self.diagrams.ite(atoms, unknown, !left)?;
        match self.equal_multiplied_out(a, b)? {
            Some([known, decided]) => self.diagrams.ite(decided, known, equal),
            None => Ok(equal),
        }
    }

    /// `a` is less than `b`, which have one width.
    pub(crate) fn less(&mut self, a: FormId, b: FormId, of: Numbers) -> Result<Bdd, Exhausted> {
        if a == b {
            return Ok(Bdd::FALSE);
        }
        if self.are_wide_constants(a, b) {
            return self.less_whole(a, b, of);
        }
        let (a, b) = (self.put_together(a)?, self.put_together(b)?);
        let width = self.form(a).width;
        if let Some(less) = self.less_integers(a, b, of)? {
            return Ok(less);
        }
        if let Some(less) = self.less_by_bounds([a, b], of)? {
            return Ok(less);
        }
        if let Some([x, y]) = self.few_bits_of_both(a, b)? {
            return self.diagrams.word_less(&x, &y, of, width);
        }
        let (a, b) = (self.chosen_one_by_one(a)?, self.chosen_one_by_one(b)?);
        let one_atom = self.atoms_of_both(a, b) <= 1 && !self.compares_alone(a, b, of);
        if one_atom && let (Some(x), Some(y)) = (self.bits_of_one(a)?, self.bits_of_one(b)?) {
            return self.diagrams.word_less(&x, &y, of, width);
        }
        if let Some(less) = self.less_record(a, b, of)? {
            return Ok(less);
        }
        if let Some(less) = self.less_extreme(a, b, of)? {
            return Ok(less);
        }
        if let Some(less) = self.less_by_multiples([a, b], of)? {
            return Ok(less);
        }
        match (self.values_of(a)?, self.values_of(b)?) {
            (Some(x), Some(y)) if (2..=PAIRS).contains(&(x.len() * y.len())) => {
                self.less_chosen([&x, &y], of, width)
            }
            _ => self.less_whole(a, b, of),
        }
    }

    /// An uninterpreted order, which is only known to be total.
    pub(crate) fn less_whole(
        &mut self,
        a: FormId,
        b: FormId,
        of: Numbers,
    ) -> Result<Bdd, Exhausted> {
        let less = self.less_alone(a, b, of)?;
        self.less_by_limits((of, a, b), less)
    }

    /// The same without what other comparisons say.
    pub(crate) fn less_alone(
        &mut self,
        a: FormId,
        b: FormId,
        of: Numbers,
    ) -> Result<Bdd, Exhausted> {
        let equal = match a != b && self.compares_alone(a, b, of) {
            true => self.relation(Relation::Equal, a.min(b), a.max(b)),
            false => self.equal(a, b)?,
        };
        let relation = Relation::Less(of);
        let first = self.relation(relation, a.min(b), a.max(b));
        let turned = a > b && !self.diagrams.has(BrokenLaw::OrderNotTurned);
        let less = self.diagrams.and(!equal, if turned { !first } else { first })?;
        self.less_as_known((of, a, b), less)
    }

    /// Two values with one atom at most are compared as wholes, though their bits would say more.
    fn compares_alone(&mut self, a: FormId, b: FormId, of: Numbers) -> bool {
        let floats = self.facts.floats.alone && of == Numbers::Magnitude;
        let alone = floats && self.atoms_of_both(a, b) <= 1;
        self.facts.floats.asked |= alone;
        alone
    }

    fn atoms_of_both(&self, a: FormId, b: FormId) -> usize {
        let parts = |id| self.form(id).parts.iter().map(|(atom, _)| *atom);
        parts(a).chain(parts(b)).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// An uninterpreted truth value.
    pub(crate) fn relation(&mut self, relation: Relation, a: FormId, b: FormId) -> Bdd {
        let concern = self.concern_of_both(a, b);
        self.relation_beside(relation, a, b, concern)
    }

    /// The position of a comparison in the order of variables: beside the variables of a lane that
    /// either operand concerns. Then conditions over all lanes stay small.
    fn concern_of_both(&mut self, a: FormId, b: FormId) -> Concern {
        match (self.concern_of(a), self.concern_of(b)) {
            (Concern::Lane(a), Concern::Lane(b)) => Concern::Lane(self.lane_of_both(a, b)),
            (Concern::Lane(lane), Concern::Several) | (Concern::Several, Concern::Lane(lane)) => {
                Concern::Lane(lane)
            }
            (a, b) => a.and(b),
        }
    }

    /// The same, as a variable beside those of what it concerns.
    fn relation_beside(
        &mut self,
        relation: Relation,
        a: FormId,
        b: FormId,
        concern: Concern,
    ) -> Bdd {
        if let Some(&known) = self.relations.get(&(relation, a, b)) {
            return known;
        }
        let unknown = self.unknown(concern);
        self.relations.insert((relation, a, b), unknown);
        unknown
    }

    /// All bits of a value that has one atom at most.
    fn bits_of_one(&mut self, id: FormId) -> Result<Option<Word>, Exhausted> {
        if self.form(id).parts.len() <= 1 { self.bits(id).map(Some) } else { Ok(None) }
    }

    /// The bits of a value; those of what several atoms are put together from are unknown.
    pub(crate) fn bits(&mut self, id: FormId) -> Result<Word, Exhausted> {
        let id = self.put_together(id)?;
        let form = self.form(id).clone();
        let width = form.width;
        if form.parts.is_empty() {
            return Ok(form.rest);
        }
        if let Some(selection) = self.selection(id)? {
            let mut word = selection.rest;
            for (atom, flag) in selection.chosen {
                let bits = self.bits_of_atom(atom)?;
                word = self.diagrams.word_ite(flag, &bits, &word, width)?;
            }
            return Ok(word);
        }
        let [(atom, times)] = form.parts.as_slice() else {
            let atom = self.atom_of(Atom::Form(id), width);
            return Ok(self.atom_word(atom));
        };
        let bits = self.bits_of_atom(*atom)?;
        match form.operator {
            Operator::Sum => {
                let product = self.diagrams.word_mul(&bits, times, width)?;
                self.diagrams.word_add(&product, &form.rest, Bdd::FALSE, width)
            }
            Operator::Product => {
                let atom = self.atom_of(Atom::Form(id), width);
                Ok(self.atom_word(atom))
            }
            operator => {
                let neutral = operator.neutral(width);
                let bits = self.diagrams.word_ite(times.bit(0), &bits, &neutral, width)?;
                operator.apply(&mut self.diagrams, &bits, &form.rest, width)
            }
        }
    }

    /// The bits of an atom; of a function that moves bits, those that it moves.
    pub(crate) fn bits_of_atom(&mut self, atom: crate::form::AtomId) -> Result<Word, Exhausted> {
        let width = self.atom_width(atom);
        let (function, arguments) = match self.atom(atom) {
            Atom::Function(function, arguments) => (*function, arguments.clone()),
            Atom::Form(form) if self.form(*form).parts.len() <= 1 => return self.bits(*form),
            Atom::Free(_) | Atom::Form(_) | Atom::Unit(..) => return Ok(self.atom_word(atom)),
        };
        let moved = match function {
            Function::Complement => {
                let bits = self.bits(arguments[0])?;
                return Ok(self.diagrams.word_not(&bits));
            }
            Function::Flipped(flips) => {
                let bits = self.bits(arguments[0])?;
                return self.word_flipped(&bits, flips, width);
            }
            Function::Extract { high, low } => {
                let bits = self.bits(arguments[0])?;
                (low..=high).map(|place| bits.bit(place)).collect()
            }
            Function::ZeroExtend | Function::SignExtend
                if self.form(arguments[0]).width < width =>
            {
                let narrow = self.form(arguments[0]).width;
                let word = self.bits(arguments[0])?;
                let signed = function == Function::SignExtend;
                let above = if signed { word.bit(narrow - 1) } else { Bdd::FALSE };
                let mut bits = word.bits(narrow);
                bits.resize(width as usize, above);
                bits
            }
            Function::Concat => {
                let (high, low) = (self.bits(arguments[0])?, self.bits(arguments[1])?);
                let below = self.form(arguments[1]).width;
                [low.bits(below), high.bits(width - below)].concat()
            }
            Function::Float(FloatOp::FromUnsigned, _) => {
                let value = self.of_atom(atom)?;
                let length = u128::BITS - self.bound(value)?.leading_zeros();
                let own = |place| match place < length {
                    true => self.atom_bit(atom, place),
                    false => Bdd::FALSE,
                };
                (0..width).map(own).collect()
            }
            _ => return Ok(self.atom_word(atom)),
        };
        Ok(Word::of(moved, width))
    }
}
