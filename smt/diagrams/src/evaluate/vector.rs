//! Terms that are bit-vectors, as forms.

use laneproof_semantics::term::{Compare, Node, Scan, Term};

use super::float::Ordered;
use super::parts::ChosenPart;
use super::{Evaluator, NESTED, TAG_WIDTH, Table, Value, flipped_at};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::FormId;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::Word;

impl Evaluator<'_> {
    pub(super) fn vector(&mut self, term: Term) -> Result<FormId, Exhausted> {
        let pool = self.pool;
        let width = pool.width(term);
        if let Some((number, flips)) = flipped_at(pool, term) {
            return self.forms.flipped(self.form(number), flips);
        }
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
            Node::Ite(condition, then, otherwise) => {
                if let Some(table) = Table::at(pool, term) {
                    return self.looked_up(&table);
                }
                if let Some(chosen) = ChosenPart::at(pool, term) {
                    return self.chosen_part(term, &chosen);
                }
                let chosen = self.choice(*condition, *then, *otherwise)?;
                self.note_chosen_places([*condition, *then, *otherwise], chosen)?;
                Ok(chosen)
            }
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
                let arguments: Vec<FormId> =
                    operands.iter().map(|&operand| self.form(operand)).collect();
                self.forms.float(*operation, *format, arguments)
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
                self.up_to_nan(arguments[0], *format, Function::Payload(*format), arguments)
            }
            Node::Canonical(format, number) => {
                let number = self.form(*number);
                self.up_to_nan(number, *format, Function::Canonical(*format), vec![number])
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

    /// What is one place or another, or a constant, is a place.
    fn note_chosen_places(
        &mut self,
        [condition, then, otherwise]: [Term; 3],
        chosen: FormId,
    ) -> Result<(), Exhausted> {
        let sides = [self.form(then), self.form(otherwise)];
        if !sides.iter().any(|&it| self.forms.places(it).is_some()) {
            return Ok(());
        }
        let mut wheres = [self.condition(condition)?; 2];
        wheres[1] = !wheres[1];
        if self.forms.diagrams.has(BrokenLaw::PlaceOfEitherCase) {
            wheres = [Bdd::TRUE; 2];
        }
        let mut all: Vec<(u128, Bdd)> = Vec::new();
        for (side, within) in sides.into_iter().zip(wheres) {
            let width = self.forms.form(side).width;
            let constant = || self.forms.as_word(side)?.constant(width);
            let places = match (self.forms.places(side), constant()) {
                (Some(places), _) => places.to_vec(),
                (None, Some(number)) => vec![(number, Bdd::TRUE)],
                (None, None) => return Ok(()),
            };
            for (place, here) in places {
                let here = self.diagrams().and(here, within)?;
                match all.iter_mut().find(|(known, _)| *known == place) {
                    Some((_, known)) => *known = self.forms.diagrams.or(*known, here)?,
                    None if here != Bdd::FALSE => all.push((place, here)),
                    None => {}
                }
            }
        }
        self.forms.note_places(chosen, all);
        Ok(())
    }

    /// What is a constant more than a place is a place, too.
    fn note_moved_places(&mut self, parts: &[(Term, u128)], constant: u128, sum: FormId) {
        let [(part, 1)] = *parts else { return };
        let mask = u128::MAX >> (128 - self.pool.width(part));
        let constant = if self.forms.diagrams.has(BrokenLaw::PlaceNotMoved) { 0 } else { constant };
        let Some(places) = self.forms.places(self.form(part)) else { return };
        let moved = |&(place, here): &(u128, Bdd)| (place.wrapping_add(constant) & mask, here);
        let places = places.iter().map(moved).collect();
        self.forms.note_places(sum, places);
    }

    /// The entry of a table at a computed index.
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
        if let Some((value, exact)) = self.by_order(condition, [a, b], Bdd::TRUE, NESTED)? {
            return self.where_exact(exact, value, condition, [a, b]);
        }
        if let Some(value) = self.carry_chosen(condition, [a, b])? {
            return Ok(value);
        }
        if let Some(value) = self.chosen_anyway(condition, [a, b])? {
            return Ok(value);
        }
        let condition = self.condition(condition)?;
        let value = self.forms.ite(condition, a, b)?;
        self.forms.with_one_sign(value)
    }

    /// A choice between numbers that differ by one, where a sum carries.
    fn carry_chosen(
        &mut self,
        condition: Term,
        [a, b]: [FormId; 2],
    ) -> Result<Option<FormId>, Exhausted> {
        let (sum, part, [more, less]) = match *self.pool.node(condition) {
            Node::Compare(Compare::Less, sum, part) => (sum, part, [a, b]),
            Node::Compare(Compare::LessEqual, part, sum) => (sum, part, [b, a]),
            _ => return Ok(None),
        };
        let (sum, part) = (self.form(sum), self.form(part));
        let width = self.forms.form(more).width;
        if self.forms.form(sum).width != width
            || !self.forms.is_summand(part, sum)?
            || !self.forms.is_one_more(more, less)?
        {
            return Ok(None);
        }
        let carry = self.forms.carry(sum, part)?;
        self.forms.combine(Operator::Sum, less, carry).map(Some)
    }

    /// The choice of the lesser or the greater of two values in order, and where it is. One part of
    /// the condition may be their order; then the others decide whether it counts. Only the states
    /// count in which `decides` holds.
    fn by_order(
        &mut self,
        condition: Term,
        [a, b]: [FormId; 2],
        decides: Bdd,
        depth: u32,
    ) -> Result<Option<(FormId, Bdd)>, Exhausted> {
        if Ordered::at(self.pool, condition).is_some() {
            return self.extreme(condition, [a, b], decides);
        }
        let pool = self.pool;
        let (all, list) = match pool.node(condition) {
            Node::And(list) if depth > 0 => (true, &**list),
            Node::Or(list) if depth > 0 => (false, &**list),
            _ => return Ok(None),
        };
        for (place, &part) in list.iter().enumerate() {
            let is_nested = matches!(pool.node(part), Node::And(_) | Node::Or(_));
            if !(is_nested && depth > 1) && Ordered::at(pool, part).is_none() {
                continue;
            }
            let mut others = [&list[..place], &list[place + 1..]].concat();
            // Of values that are the same either is the lesser and the greater one.
            others.retain(|&other| all || !self.says_equal(other, [a, b]));
            let others = self.junction(all, &others)?;
            let here = self.diagrams().and(decides, others.complement_if(!all))?;
            let Some((extreme, exact)) = self.by_order(part, [a, b], here, depth - 1)? else {
                continue;
            };
            let value = match all {
                true => self.forms.ite(others, extreme, b)?,
                false => self.forms.ite(others, a, extreme)?,
            };
            // Where the order does not decide, nothing depends on it.
            let exact = self.diagrams().or(exact, others.complement_if(all))?;
            return Ok(Some((value, exact)));
        }
        Ok(None)
    }

    /// The condition holds only where two values are the same.
    fn says_equal(&mut self, condition: Term, [a, b]: [FormId; 2]) -> bool {
        let pool = self.pool;
        match pool.node(condition) {
            Node::And(parts) => match self.diagrams().has(BrokenLaw::SomePartIsEqual) {
                true => true,
                false => parts.iter().any(|&part| self.says_equal(part, [a, b])),
            },
            Node::Equal(x, y) => {
                let form = |it: &Term| match self.values.get(it) {
                    Some(Value::Form(form)) => Some(*form),
                    _ => None,
                };
                let sides = [form(x), form(y)];
                sides == [Some(a), Some(b)] || sides == [Some(b), Some(a)]
            }
            _ => false,
        }
    }

    /// A choice that is `value` where that is `exact`.
    fn where_exact(
        &mut self,
        exact: Bdd,
        value: FormId,
        condition: Term,
        [a, b]: [FormId; 2],
    ) -> Result<FormId, Exhausted> {
        if exact == Bdd::TRUE {
            return Ok(value);
        }
        let condition = self.condition(condition)?;
        let otherwise = self.forms.ite(condition, a, b)?;
        self.forms.ite(exact, value, otherwise)
    }

    /// The lesser or the greater of `a` and `b`, if it is chosen by their order, and where it is. Only
    /// the states count in which `decides` holds.
    pub(super) fn extreme(
        &mut self,
        condition: Term,
        [a, b]: [FormId; 2],
        decides: Bdd,
    ) -> Result<Option<(FormId, Bdd)>, Exhausted> {
        let Some(order) = Ordered::at(self.pool, condition) else { return Ok(None) };
        if let Some(extreme) = self.extreme_by(order, [a, b], decides)? {
            return Ok(Some(extreme));
        }
        let kept = self.diagrams().has(BrokenLaw::KeysKeepOrder);
        let Some(order) = order.of_flipped(self.pool, kept) else { return Ok(None) };
        for number in order.terms() {
            self.evaluate(number)?;
        }
        self.extreme_by(order, [a, b], decides)
    }

    fn extreme_by(
        &mut self,
        Ordered { sides, negated, of, total }: Ordered,
        [a, b]: [FormId; 2],
        decides: Bdd,
    ) -> Result<Option<(FormId, Bdd)>, Exhausted> {
        let (x, y) = (self.operand(sides[0])?, self.operand(sides[1])?);
        // A number in diagrams against a constant is compared at once.
        if self.is_word_beside_constant([x, y]) {
            return Ok(None);
        }
        let first = match () {
            () if self.are_same_within(decides, [a, b], [x, y])? => true,
            () if self.are_same_within(decides, [a, b], [y, x])? => false,
            () => return Ok(None),
        };
        let exact = if total { Bdd::TRUE } else { self.forms.one_is_nonzero(a, b)? };
        if exact == Bdd::FALSE {
            return Ok(None);
        }
        let operator = Operator::Extreme { greatest: first == negated, of };
        let extreme = self.forms.combine(operator, a, b)?;
        Ok(Some((extreme, exact)))
    }

    /// Both are the same two values in the states of `within`.
    fn are_same_within(
        &mut self,
        within: Bdd,
        some: [FormId; 2],
        others: [FormId; 2],
    ) -> Result<bool, Exhausted> {
        for (one, other) in some.into_iter().zip(others) {
            let within = match self.diagrams().has(BrokenLaw::SameElsewhere) {
                true => !within,
                false => within,
            };
            if one == other {
                continue;
            }
            let words = [one, other].map(|it| self.forms.as_word(it).cloned());
            let same = match words {
                // Bit by bit: most differ at once.
                [Some(one), Some(other)] => self.diagrams().are_words_same(within, &one, &other)?,
                _ => self.forms.ite(within, other, one)? == one,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Neither has atoms, and one of them is a constant.
    fn is_word_beside_constant(&self, two: [FormId; 2]) -> bool {
        let is_constant = |id: FormId| {
            let width = self.forms.form(id).width;
            self.forms.as_word(id).is_some_and(|word| word.constant(width).is_some())
        };
        two.iter().all(|&it| self.forms.as_word(it).is_some()) && two.into_iter().any(is_constant)
    }
}
