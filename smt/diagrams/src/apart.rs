//! Sums whose atoms have parts in common, taken apart into these: a word and its halves, extended
//! sums of which only the low bits count, small payloads beside counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, FormId, Forms, NARROW, sorted};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::order::Concern;
use crate::sums::zeros;
use crate::word::{Word, shifted};

/// Bits of a value that stand at some place of another where a condition holds.
#[derive(Clone, Copy)]
struct Range {
    low: u32,
    high: u32,
    place: u32,
    here: Bdd,
}

/// What bits a value has of another one, and what else it is.
struct Ranges {
    of: FormId,
    list: Vec<Range>,
    rest: Word,
}

impl Forms {
    /// The same sum, in which atoms that share parts are made of these.
    pub(crate) fn taken_apart(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let id = self.concatenations(id)?;
        let worth = |forms: &Self, atom: AtomId| match *forms.atom(atom) {
            Atom::Function(Function::ZeroExtend | Function::SignExtend, _) => true,
            Atom::Form(inner) => forms.form(inner).operator == Operator::And,
            _ => false,
        };
        if !self.form(id).parts.iter().any(|(atom, _)| worth(self, *atom)) {
            return self.small_by_lanes(id);
        }
        let id = self.extended_sums(id)?;
        let id = self.at_seams(id)?;
        self.small_by_lanes(id)
    }

    /// What is put together side by side, beside other atoms, is the sum of its two sides.
    fn concatenations(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let form = self.form(id).clone();
        let (mut together, mut parts) = (Vec::new(), Vec::new());
        for (atom, word) in form.parts.iter().cloned() {
            match self.sides(atom) {
                Some(sides) => together.push((sides, word)),
                None => parts.push((atom, word)),
            }
        }
        if together.is_empty() || parts.is_empty() {
            return Ok(id);
        }
        let mut values = vec![self.intern(Form { parts, ..form.clone() })?];
        for ((high, low), word) in together {
            let up = match self.diagrams.has(BrokenLaw::SideNotMoved) {
                true => word.clone(),
                false => shifted(&word, self.form(low).width, form.width),
            };
            for (side, word) in [(high, up), (low, word)] {
                let side = self.extend(side, false, form.width)?;
                values.push(self.scaled(side, &word)?);
            }
        }
        self.total(&values)
    }

    /// Of an extended sum that is multiplied by 2^k only the low bits count: it is the sum of its
    /// extended parts.
    fn extended_sums(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let form = self.form(id).clone();
        let mut whole = Form { parts: Vec::new(), ..form.clone() };
        let mut sums = Vec::new();
        for (atom, word) in form.parts {
            let inner = match self.atom(atom) {
                Atom::Function(Function::ZeroExtend | Function::SignExtend, arguments) => {
                    Some(arguments[0])
                }
                _ => None,
            };
            let is_sum = inner.filter(|&it| {
                let inner = self.form(it);
                let counts = inner.width + zeros(&word, form.width) >= form.width;
                inner.operator == Operator::Sum
                    && inner.parts.len() > 1
                    && (counts || self.diagrams.has(BrokenLaw::HighBitsCount))
            });
            match is_sum {
                Some(inner) => sums.push((inner, word)),
                None => whole.parts.push((atom, word)),
            }
        }
        if sums.is_empty() {
            return Ok(id);
        }
        let mut values = vec![self.intern(whole)?];
        for (inner, word) in sums {
            let inner = self.form(inner).clone();
            let wide = |word: &Word| Word::of(word.bits(inner.width), form.width);
            let rest = self.of_word(wide(&inner.rest), form.width)?;
            values.push(self.scaled(rest, &word)?);
            for (atom, times) in &inner.parts {
                let part = self.of_atom(*atom)?;
                let part = self.extend(part, false, form.width)?;
                let part = self.scaled(part, &wide(times))?;
                values.push(self.scaled(part, &word)?);
            }
        }
        self.total(&values)
    }

    /// A value beside parts of it is the sum of its parts, each at its place.
    fn at_seams(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let form = self.form(id).clone();
        let mut made: Vec<(AtomId, Word, Option<Ranges>)> = Vec::new();
        let mut seams: BTreeMap<FormId, BTreeSet<u32>> = BTreeMap::new();
        for (atom, word) in form.parts.iter().cloned() {
            let ranges = self.ranges_of_atom(atom)?;
            if let Some(ranges) = &ranges {
                let seams = seams.entry(ranges.of).or_default();
                for range in &ranges.list {
                    seams.extend([range.low, range.high + 1]);
                }
            }
            made.push((atom, word, ranges));
        }
        // What stands alone stays whole.
        let shared = |ranges: &Ranges| seams[&ranges.of].len() > 2;
        if !made.iter().any(|(_, _, ranges)| ranges.as_ref().is_some_and(shared)) {
            return Ok(id);
        }
        let width = form.width;
        let mut kept = Form { parts: Vec::new(), ..form.clone() };
        let mut values = Vec::new();
        for (atom, word, ranges) in made {
            let Some(ranges) = ranges.filter(shared) else {
                kept.parts.push((atom, word));
                continue;
            };
            let rest = self.of_word(ranges.rest.clone(), width)?;
            values.push(self.scaled(rest, &word)?);
            for range in &ranges.list {
                let within = seams[&ranges.of].range(range.low..=range.high).copied();
                let starts: Vec<u32> = within.collect();
                let ends = starts.iter().skip(1).map(|next| next - 1).chain([range.high]);
                for (&low, high) in starts.iter().zip(ends) {
                    let piece = self.extract(ranges.of, high, low)?;
                    let piece = self.extend(piece, false, width)?;
                    let place = match self.diagrams.has(BrokenLaw::PieceNotInPlace) {
                        true => range.place,
                        false => range.place + low - range.low,
                    };
                    let weight = shifted(&Word::flag(range.here, width), place, width);
                    let piece = self.scaled(piece, &weight)?;
                    values.push(self.scaled(piece, &word)?);
                }
            }
        }
        values.push(self.intern(kept)?);
        self.total(&values)
    }

    /// The bits of another value that an atom is made of; nothing for a number that lanes add to.
    fn ranges_of_atom(&mut self, atom: AtomId) -> Result<Option<Ranges>, Exhausted> {
        let width = self.atom_width(atom);
        let inner = match self.atom(atom) {
            Atom::Unit(..) => return Ok(None),
            Atom::Function(Function::ZeroExtend, arguments) => {
                return self.ranges_of(arguments[0]);
            }
            Atom::Function(Function::Extract { high, low }, arguments) => {
                Some((*high, *low, arguments[0]))
            }
            Atom::Form(form) if self.form(*form).operator == Operator::And => {
                let form = self.form(*form).clone();
                return self.masked_ranges(&form);
            }
            _ => None,
        };
        let (high, low, of) = match inner {
            Some(inner) => inner,
            None => (width - 1, 0, self.of_atom(atom)?),
        };
        let list = vec![Range { low, high, place: 0, here: Bdd::TRUE }];
        Ok(Some(Ranges { of, list, rest: Word::zero() }))
    }

    /// The same of a form that is one atom in each state.
    fn ranges_of(&mut self, id: FormId) -> Result<Option<Ranges>, Exhausted> {
        let form = self.form(id).clone();
        match form.single_atom() {
            Some(atom) => self.ranges_of_atom(atom),
            None if form.operator == Operator::And => self.masked_ranges(&form),
            None => Ok(None),
        }
    }

    /// What a mask leaves of one atom that takes part somewhere; elsewhere the mask itself.
    fn masked_ranges(&mut self, form: &Form) -> Result<Option<Ranges>, Exhausted> {
        let [(atom, word)] = form.parts.as_slice() else { return Ok(None) };
        let here = word.bit(0);
        let Some(ranges) = self.ranges_of_atom(*atom)?.filter(|it| it.rest.is_zero()) else {
            return Ok(None);
        };
        let mut list = Vec::new();
        for range in &ranges.list {
            let mut open: Option<Range> = None;
            for low in range.low..=range.high {
                let place = range.place + low - range.low;
                let set = self.diagrams.and(form.rest.bit(place), here)?;
                let set = self.diagrams.and(set, range.here)?;
                if let Some(before) = open.filter(|before| before.here == set) {
                    open = Some(Range { high: low, ..before });
                } else {
                    list.extend(open.replace(Range { low, high: low, place, here: set }));
                }
            }
            list.extend(open);
        }
        list.retain(|range| range.here != Bdd::FALSE);
        let rest = self.diagrams.word_ite(here, &Word::zero(), &form.rest, form.width)?;
        Ok(Some(Ranges { list, rest, ..ranges }))
    }

    /// Payloads of few bits beside what lanes add by themselves: their bits are added by their lanes,
    /// too. Where others stand beside them nothing is gained, unless nothing is left then.
    fn small_by_lanes(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        if !self.keeps_apart() || !self.has_units(id) {
            return Ok(id);
        }
        let form = self.form(id).clone();
        let small = |forms: &Self, atom: AtomId| match forms.atom(atom) {
            Atom::Unit(..) => true,
            Atom::Function(Function::ZeroExtend, arguments) => {
                forms.form(arguments[0]).width <= NARROW
            }
            _ => false,
        };
        if form.parts.iter().all(|(atom, _)| small(self, *atom)) {
            return self.by_lanes(&form);
        }
        if !self.each_beside_its_lane(&form) {
            return Ok(id);
        }
        let added = self.by_lanes(&form)?;
        Ok(if self.as_word(added).is_some() { added } else { id })
    }

    /// Each payload is one lane's that adds a number by itself, too, and the only one of that lane.
    fn each_beside_its_lane(&mut self, form: &Form) -> bool {
        let (mut adding, mut payloads) = (BTreeSet::new(), BTreeSet::new());
        for (atom, _) in &form.parts {
            match *self.atom(*atom) {
                Atom::Unit(lane, _) => {
                    adding.insert(lane);
                }
                _ => match self.concern_of_atom(*atom) {
                    Concern::Lane(lane) if payloads.insert(lane) => {}
                    _ => return false,
                },
            }
        }
        payloads.is_subset(&adding)
    }

    /// A sum whose payloads are numbers that lanes add by themselves, bit by bit.
    fn by_lanes(&mut self, form: &Form) -> Result<FormId, Exhausted> {
        let width = form.width;
        let (mut parts, mut constant) = (BTreeMap::new(), form.rest.clone());
        for (atom, word) in &form.parts {
            if matches!(self.atom(*atom), Atom::Unit(..)) {
                self.add_part(&mut parts, Operator::Sum, width, *atom, word)?;
                continue;
            }
            let mut bits = self.bits_of_atom(*atom)?;
            if self.diagrams.has(BrokenLaw::SmallIsOne) {
                bits = Word::of(vec![bits.bit(0), Bdd::FALSE], width);
            }
            let added = self.diagrams.word_mul(&bits, word, width)?;
            let (unit, word) = self.put_down(&added, &mut constant, width)?;
            self.add_part(&mut parts, Operator::Sum, width, unit, &word)?;
        }
        let parts = sorted(parts);
        self.intern(Form { operator: Operator::Sum, width, parts, rest: constant })
    }
}
