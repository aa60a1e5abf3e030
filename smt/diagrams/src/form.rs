//! Guarded normal forms: what a payload is made of, as a function of the state.
//!
//! A [`Form`] combines *atoms* (uninterpreted payloads) by one operator, each under a condition or
//! with a multiplicity that is a word. Operators commute and associate, so two ways to combine the
//! same atoms under the same conditions have one form, in whatever order.

mod combine;
pub(crate) mod limits;
pub(crate) mod number;
pub(crate) mod orders;
mod places;

use std::collections::BTreeMap;

use laneproof_semantics::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Exhausted;
use crate::bdd::{Bdd, Diagrams};
use crate::fault::BrokenLaw;
use crate::opaque::{Function, Relation};
use crate::operator::Operator;
use crate::order::{Concern, Order, Records};
use crate::sorted::Classes;
use crate::word::Word;
use limits::LimitFacts;
use number::FloatFacts;
use orders::OrderFacts;

/// A payload that forms are made of, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct AtomId(u32);

/// A form, by its number: equal numbers, equal values in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FormId(u32);

/// The value of an atom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// A free constant of the question.
    Free(Term),
    /// A form by another operator.
    Form(FormId),
    /// An uninterpreted function: equal arguments give equal results.
    Function(Function, Vec<FormId>),
    /// The number 1, for the contributions of a lane; and its width.
    Unit(u32, u32),
}

/// Atoms combined by an operator. The meaning of a part's word is the operator's: a multiplicity
/// modulo 2^width, an exponent, or a condition (0 or 1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Form {
    pub(crate) operator: Operator,
    pub(crate) width: u32,
    /// Sorted by atom; no word is 0.
    pub(crate) parts: Vec<(AtomId, Word)>,
    /// What is combined with them and has no atoms.
    pub(crate) rest: Word,
}

impl Form {
    /// The atom that it is the sum of and of its rest.
    pub(crate) fn atom_beside_rest(&self) -> Option<AtomId> {
        match self.parts.as_slice() {
            [(atom, word)]
                if self.operator == Operator::Sum
                    && word.as_flag(self.width) == Some(Bdd::TRUE) =>
            {
                Some(*atom)
            }
            _ => None,
        }
    }

    /// The atom that it is.
    pub(crate) fn single_atom(&self) -> Option<AtomId> {
        self.atom_beside_rest().filter(|_| self.rest.is_zero())
    }

    /// How often an atom is in it, if it is one of its parts.
    pub(crate) fn times(&self, atom: AtomId) -> Option<&Word> {
        let place = self.parts.binary_search_by_key(&atom, |(atom, _)| *atom).ok()?;
        Some(&self.parts[place].1)
    }

    /// A word alone.
    pub(crate) fn word(rest: Word, width: u32) -> Self {
        Self { operator: Operator::Sum, width, parts: Vec::new(), rest }
    }
}

/// Up to this width free constants are compared bit by bit.
pub(crate) const NARROW: u32 = 8;

/// Values that are one of up to so many are looked at one by one.
pub(crate) const FEW: usize = 4;

/// A form that is one atom, or a word, in each state: which one under which condition.
pub(crate) struct Selection {
    pub(crate) chosen: Vec<(AtomId, Bdd)>,
    /// Where an atom is chosen; elsewhere it is `rest`.
    pub(crate) any: Bdd,
    pub(crate) rest: Word,
}

/// How factors are treated that are not sums and are present only in some states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Choices {
    /// They stay as they are.
    Whole,
    /// Each is a sum of itself and 1, under conditions.
    Apart,
}

/// A sum of products of atoms, each as often as its word says.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    pub(crate) terms: BTreeMap<FormId, Word>,
    pub(crate) rest: Word,
}

/// What forms are made of.
#[derive(Default)]
struct Atoms {
    /// Each with its width.
    list: Vec<(Atom, u32)>,
    /// By atom and width: what is extended does not say how far.
    numbers: FxHashMap<(Atom, u32), AtomId>,
    bits: FxHashMap<(AtomId, u32), Bdd>,
    /// Which lane an atom concerns.
    concerns: FxHashMap<AtomId, Concern>,
}

/// What was worked out: lanes often hold the same.
#[derive(Default)]
pub(crate) struct Memo {
    combined: FxHashMap<(Operator, FormId, FormId), FormId>,
    chosen: FxHashMap<(Bdd, FormId, FormId), FormId>,
    /// Extremes of a sum are being put together: what is put together then is not looked at again.
    pub(crate) joins_extremes: bool,
    /// Forms whose units were put together.
    pub(crate) together: FxHashMap<FormId, FormId>,
    /// How large values are at most.
    pub(crate) bounds: FxHashMap<FormId, u128>,
    /// Values multiplied out, if they have not too many terms.
    pub(crate) polynomials: FxHashMap<(FormId, Choices), Option<Polynomial>>,
}

/// What is known of values, because something is assumed of them.
#[derive(Default)]
pub(crate) struct Facts {
    /// Where they are no NaN or no zero.
    pub(crate) floats: FloatFacts,
    /// How they are ordered.
    pub(crate) orders: OrderFacts,
    /// Which numbers they are never below or above.
    pub(crate) limits: LimitFacts,
    /// Which payloads are equal, if they are sorted.
    pub(crate) classes: Classes,
    /// Payloads are compared with extremes as wholes, see [`crate::records`].
    pub(crate) records: Option<Records>,
    /// What is compared is of interest in these states only.
    pub(crate) within: Option<Bdd>,
}

/// All forms of a question, each once.
pub(crate) struct Forms {
    pub(crate) diagrams: Diagrams,
    forms: Vec<Form>,
    known: FxHashMap<Form, FormId>,
    atoms: Atoms,
    /// Of numbers that are places of bits: each that it may be, and where it is that one.
    places: FxHashMap<FormId, Vec<(u128, Bdd)>>,
    pub(crate) memo: Memo,
    /// Words that are a free constant, bit by bit.
    whole: FxHashSet<FormId>,
    /// Uninterpreted comparisons.
    pub(crate) relations: FxHashMap<(Relation, FormId, FormId), Bdd>,
    /// What is known of values.
    pub(crate) facts: Facts,
    pub(crate) order: Order,
    /// Sums without atoms are kept apart by lane.
    apart: bool,
}

impl Forms {
    /// No forms yet.
    pub(crate) fn new(diagrams: Diagrams, order: Order, apart: bool) -> Self {
        Self {
            diagrams,
            forms: Vec::new(),
            known: FxHashMap::default(),
            atoms: Atoms::default(),
            places: FxHashMap::default(),
            memo: Memo::default(),
            whole: FxHashSet::default(),
            relations: FxHashMap::default(),
            facts: Facts::default(),
            order,
            apart,
        }
    }

    /// The lane beside whose variables a comparison of values of two lanes stands.
    pub(crate) fn lane_of_both(&self, a: u32, b: u32) -> u32 {
        self.order.lane_of_both(a, b)
    }

    /// Sums without atoms are kept apart by lane.
    pub(crate) fn keeps_apart(&self) -> bool {
        self.apart
    }

    pub(crate) fn form(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize]
    }

    pub(crate) fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms.list[id.0 as usize].0
    }

    pub(crate) fn atom_width(&self, id: AtomId) -> u32 {
        self.atoms.list[id.0 as usize].1
    }

    /// A fresh variable, beside those of the lane that it concerns.
    pub(crate) fn unknown(&mut self, concern: Concern) -> Bdd {
        let level = self.order.another(concern);
        self.diagrams.variable(level)
    }

    /// Which lane a value concerns, whatever decides when it counts.
    pub(crate) fn concern_of(&mut self, id: FormId) -> Concern {
        let form = self.form(id).clone();
        if form.parts.is_empty() {
            let bits = form.rest.bits(form.width);
            let concern = bits.into_iter().map(|bit| self.diagrams.concern(bit));
            return concern.fold(Concern::None, Concern::and);
        }
        let mut all = Concern::None;
        for (atom, word) in form.parts {
            let unit = matches!(self.atom(atom), Atom::Unit(..));
            let bits = if unit { word.bits(form.width) } else { Vec::new() };
            let bits = bits.into_iter().map(|bit| self.diagrams.concern(bit));
            all = bits.fold(all, Concern::and).and(self.concern_of_atom(atom));
        }
        all
    }

    pub(crate) fn concern_of_atom(&mut self, id: AtomId) -> Concern {
        if let Some(&known) = self.atoms.concerns.get(&id) {
            return known;
        }
        let concern = match self.atom(id).clone() {
            Atom::Free(term) => self.order.concern_of(term),
            Atom::Form(form) => self.concern_of(form),
            Atom::Unit(..) => Concern::None,
            Atom::Function(_, arguments) => arguments
                .into_iter()
                .map(|argument| self.concern_of(argument))
                .fold(Concern::None, Concern::and),
        };
        self.atoms.concerns.insert(id, concern);
        concern
    }

    pub(crate) fn atom_of(&mut self, atom: Atom, width: u32) -> AtomId {
        let atom = (atom, width);
        if let Some(&known) = self.atoms.numbers.get(&atom) {
            return known;
        }
        let id = AtomId(self.atoms.list.len() as u32);
        self.atoms.list.push(atom.clone());
        self.atoms.numbers.insert(atom, id);
        id
    }

    /// One bit of an atom.
    pub(crate) fn atom_bit(&mut self, atom: AtomId, place: u32) -> Bdd {
        if let Some(&known) = self.atoms.bits.get(&(atom, place)) {
            return known;
        }
        let bit = match *self.atom(atom) {
            Atom::Free(term) => self.free_bit(term, place),
            Atom::Unit(..) => Bdd::constant(place == 0),
            _ => {
                let concern = self.concern_of_atom(atom);
                self.unknown(concern)
            }
        };
        self.atoms.bits.insert((atom, place), bit);
        bit
    }

    /// One bit of a free constant.
    pub(crate) fn free_bit(&mut self, constant: Term, place: u32) -> Bdd {
        self.diagrams.variable(self.order.bit(constant, place))
    }

    /// It is a free constant of the question.
    pub(crate) fn is_free(&self, term: Term) -> bool {
        self.order.has(term)
    }

    /// The free constants whose single bits are used.
    pub(crate) fn looked_at(&self) -> impl Iterator<Item = Term> {
        self.atoms.bits.keys().filter_map(|(atom, _)| match *self.atom(*atom) {
            Atom::Free(term) => Some(term),
            _ => None,
        })
    }

    pub(crate) fn atom_word(&mut self, atom: AtomId) -> Word {
        let width = self.atom_width(atom);
        let bits = (0..width).map(|place| self.atom_bit(atom, place)).collect();
        Word::of(bits, width)
    }

    /// The atom that is this form.
    pub(crate) fn as_atom(&mut self, id: FormId) -> AtomId {
        let form = self.form(id);
        let width = form.width;
        form.single_atom().unwrap_or_else(|| self.atom_of(Atom::Form(id), width))
    }

    /// The form that is this atom.
    pub(crate) fn of_atom(&mut self, atom: AtomId) -> Result<FormId, Exhausted> {
        if let Atom::Form(form) = *self.atom(atom) {
            return Ok(form);
        }
        let width = self.atom_width(atom);
        let parts = vec![(atom, Word::number(1, width))];
        self.intern(Form { operator: Operator::Sum, width, parts, rest: Word::zero() })
    }

    pub(crate) fn of_word(&mut self, word: Word, width: u32) -> Result<FormId, Exhausted> {
        self.intern(Form::word(word, width))
    }

    /// Notes of a word that it is a free constant, bit by bit.
    pub(crate) fn note_whole(&mut self, id: FormId) {
        self.whole.insert(id);
    }

    /// Both are free constants, too wide to be compared bit by bit: their bits are far from each
    /// other in the order.
    pub(crate) fn are_wide_constants(&self, a: FormId, b: FormId) -> bool {
        a != b && self.form(a).width > NARROW && [a, b].iter().all(|it| self.whole.contains(it))
    }

    /// The word that a form is, if it has no atoms.
    pub(crate) fn as_word(&self, id: FormId) -> Option<&Word> {
        let form = self.form(id);
        form.parts.is_empty().then_some(&form.rest)
    }

    /// The number of a form, which is brought to the simplest operator first.
    pub(crate) fn intern(&mut self, mut form: Form) -> Result<FormId, Exhausted> {
        self.diagrams.step()?;
        if form.parts.is_empty() {
            form.operator = Operator::Sum;
        } else if form.operator == Operator::Xor && self.is_sign(&form.rest, form.width) {
            // To flip the highest bit is to add it.
            let sign = std::mem::replace(&mut form.rest, Word::zero());
            let (width, inner) = (form.width, self.intern(form)?);
            form = self.by(inner, Operator::Sum)?;
            form.rest = self.diagrams.word_add(&form.rest, &sign, Bdd::FALSE, width)?;
        } else if let Some(sum) = self.flip_of_choice(&form)? {
            form = sum;
        } else if form.operator != Operator::Sum {
            if let Some(image) = self.map_taken_out(&form)? {
                return Ok(image);
            }
            form = self.as_selection_sum(form)?;
        }
        if form.operator == Operator::Sum {
            form = self.without_sums(form)?;
            form = self.with_extremes_together(form)?;
            form = self.without_lone_unit(form)?;
        }
        if let Some(atom) = form.single_atom()
            && let Atom::Form(inner) = *self.atom(atom)
        {
            return Ok(inner);
        }
        if let Some(&known) = self.known.get(&form) {
            return Ok(known);
        }
        let id = FormId(self.forms.len() as u32);
        self.known.insert(form.clone(), id);
        self.forms.push(form);
        Ok(id)
    }

    /// Sums in a sum are taken apart.
    fn without_sums(&mut self, form: Form) -> Result<Form, Exhausted> {
        let nested = |forms: &Self, atom: AtomId| match *forms.atom(atom) {
            Atom::Form(inner) if forms.form(inner).operator == Operator::Sum => Some(inner),
            _ => None,
        };
        if form.parts.iter().all(|(atom, _)| nested(self, *atom).is_none()) {
            return Ok(form);
        }
        let (width, mut rest) = (form.width, form.rest);
        let mut parts = BTreeMap::new();
        for (atom, word) in &form.parts {
            let Some(inner) = nested(self, *atom) else {
                self.add_part(&mut parts, Operator::Sum, width, *atom, word)?;
                continue;
            };
            let inner = self.form(inner).clone();
            for (atom, times) in &inner.parts {
                let word = self.diagrams.word_mul(times, word, width)?;
                self.add_part(&mut parts, Operator::Sum, width, *atom, &word)?;
            }
            let more = self.diagrams.word_mul(&inner.rest, word, width)?;
            rest = self.diagrams.word_add(&rest, &more, Bdd::FALSE, width)?;
        }
        Ok(Form { operator: Operator::Sum, width, parts: sorted(parts), rest })
    }

    /// Where in each state one atom at most takes part, and the rest is neutral there, nothing is
    /// combined: a sum says the same. So it does of extremes of one atom and a number, each of which
    /// becomes an atom.
    fn as_selection_sum(&mut self, form: Form) -> Result<Form, Exhausted> {
        let neutral = form.operator.neutral(form.width);
        let mut any = Bdd::FALSE;
        for (_, word) in &form.parts {
            let Some(flag) = word.as_flag(2) else { return Ok(form) };
            if !self.diagrams.disjoint(any, flag)? {
                return Ok(form);
            }
            any = self.diagrams.or(any, flag)?;
        }
        let is_neutral = self.diagrams.word_equal(&form.rest, &neutral)?;
        if !self.diagrams.disjoint(any, !is_neutral)? {
            let always = form.parts.len() == 1 && any == Bdd::TRUE;
            return match form.operator {
                Operator::Extreme { .. } if !always && form.parts.len() <= FEW => {
                    self.as_selection_of_limited(&form, any)
                }
                _ => Ok(form),
            };
        }
        let rest = self.diagrams.word_ite(any, &Word::zero(), &form.rest, form.width)?;
        let parts = form.parts.into_iter().map(|(atom, word)| {
            let flag = word.as_flag(2).unwrap_or(Bdd::FALSE);
            (atom, Word::flag(flag, form.width))
        });
        Ok(Form { operator: Operator::Sum, width: form.width, parts: parts.collect(), rest })
    }

    /// The same of parts of which one at most takes part in each state, and of a number beside it.
    pub(crate) fn as_selection_of_limited(
        &mut self,
        form: &Form,
        any: Bdd,
    ) -> Result<Form, Exhausted> {
        let (operator, width) = (Operator::Sum, form.width);
        let mut parts = BTreeMap::new();
        for (atom, word) in &form.parts {
            let here = word.bit(0);
            let rest = self.diagrams.word_within(&form.rest, here, width);
            let alone = vec![(*atom, Word::number(1, 2))];
            let alone = self.intern(Form { operator: form.operator, width, parts: alone, rest })?;
            let alone = self.as_atom(alone);
            self.add_part(&mut parts, operator, width, alone, &Word::flag(here, width))?;
        }
        let rest = match self.diagrams.has(BrokenLaw::NeutralElsewhere) {
            true => Word::zero(),
            false => self.diagrams.word_ite(any, &Word::zero(), &form.rest, width)?,
        };
        Ok(Form { operator, width, parts: sorted(parts), rest })
    }
}

/// The parts that take part anywhere, in order.
pub(crate) fn sorted(parts: BTreeMap<AtomId, Word>) -> Vec<(AtomId, Word)> {
    parts.into_iter().filter(|(_, word)| !word.is_zero()).collect()
}
