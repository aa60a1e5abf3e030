//! Products multiplied out: polynomials of payloads, whose coefficients are words.
//!
//! A product of sums stays a product, as a reduction by products has as many factors as lanes and
//! twice as many terms with each. Only where two values are compared that are not alike are they
//! multiplied out, up to a number of terms.

use std::collections::BTreeMap;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Choices, Form, FormId, Forms, Polynomial};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::Word;

/// Polynomials have no more terms.
const TERMS: usize = 1 << 12;
/// Exponents that are multiplied out have no more binary digits.
const DIGITS: u32 = 3;

impl Polynomial {
    fn word(rest: Word) -> Self {
        Self { terms: BTreeMap::new(), rest }
    }
}

impl Forms {
    /// Where two values of one width differ by nothing once they are multiplied out, and where
    /// nothing is left of their atoms; nothing if that would change neither of them.
    pub(crate) fn equal_multiplied_out(
        &mut self,
        a: FormId,
        b: FormId,
    ) -> Result<Option<[Bdd; 2]>, Exhausted> {
        let changes = |it: &FormId| {
            self.has_sum_in_product(*it) || self.has_bits_of_two(*it) || self.has_complement(*it)
        };
        if ![a, b].iter().any(changes) {
            return Ok(None);
        }
        // A choice among many payloads stays one factor, if that will do.
        let whole = self.difference_multiplied_out(a, b, Choices::Whole)?;
        match whole {
            Some([_, decided]) if decided == Bdd::TRUE => Ok(whole),
            _ => Ok(self.difference_multiplied_out(a, b, Choices::Apart)?.or(whole)),
        }
    }

    fn difference_multiplied_out(
        &mut self,
        a: FormId,
        b: FormId,
        choices: Choices,
    ) -> Result<Option<[Bdd; 2]>, Exhausted> {
        let width = self.form(a).width;
        let Some(first) = self.multiplied_out(a, choices)? else { return Ok(None) };
        let Some(second) = self.multiplied_out(b, choices)? else { return Ok(None) };
        let minus_one = Word::number(u128::MAX, width);
        let mut difference = first;
        self.add_scaled(&mut difference, &second, &minus_one, width)?;
        let mut atoms = Bdd::FALSE;
        for word in difference.terms.values() {
            let any = self.diagrams.word_any(word)?;
            atoms = self.diagrams.or(atoms, any)?;
        }
        let left = self.diagrams.word_any(&difference.rest)?;
        Ok(Some([!left, !atoms]))
    }

    /// A sum that is in each state a multiple of one atom, or has no atom, as a product: the atom
    /// takes part where its multiplicity is not 0, and the multiplicity is a factor.
    pub(crate) fn scaled_selection(&mut self, form: &Form) -> Result<Option<Form>, Exhausted> {
        if form.operator != Operator::Sum {
            return Ok(None);
        }
        let width = form.width;
        let mut any = self.diagrams.word_any(&form.rest)?;
        let mut rest = form.rest.clone();
        let mut parts = Vec::new();
        for (atom, word) in &form.parts {
            let here = self.diagrams.word_any(word)?;
            if !self.diagrams.disjoint(any, here)? {
                return Ok(None);
            }
            any = self.diagrams.or(any, here)?;
            let one = Word::number(1, width);
            let times = if self.diagrams.has(BrokenLaw::ScaleForgotten) { &one } else { word };
            rest = self.diagrams.word_ite(here, times, &rest, width)?;
            parts.push((*atom, Word::flag(here, 2)));
        }
        Ok(Some(Form { operator: Operator::Product, width, parts, rest }))
    }

    /// Some product in it has a sum, or a factor that is present only in some states beside sums.
    fn has_sum_in_product(&self, id: FormId) -> bool {
        let form = self.form(id);
        let product = |atom: AtomId| match *self.atom(atom) {
            Atom::Form(inner) => Some(inner).filter(|&it| self.is_product(it)),
            _ => None,
        };
        match form.operator {
            Operator::Sum => form.parts.iter().any(|(atom, _)| product(*atom).is_some()),
            Operator::Product => form.parts.iter().any(|(atom, _)| match *self.atom(*atom) {
                Atom::Form(inner) => self.form(inner).operator == Operator::Sum,
                _ => false,
            }),
            _ => false,
        }
    }

    /// It adds bits that one of two values has, or either.
    fn has_bits_of_two(&self, id: FormId) -> bool {
        let form = self.form(id);
        form.operator == Operator::Sum
            && form.parts.iter().any(|(atom, _)| match *self.atom(*atom) {
                Atom::Form(inner) => where_of_two(self.form(inner)).is_some(),
                _ => false,
            })
    }

    /// It adds complements.
    fn has_complement(&self, id: FormId) -> bool {
        let form = self.form(id);
        let is_one = |atom| matches!(self.atom(atom), Atom::Function(Function::Complement, _));
        form.operator == Operator::Sum && form.parts.iter().any(|(atom, _)| is_one(*atom))
    }

    /// Bits of two values as a sum: by `a + b = (a ^ b) + 2 * (a & b)` and `a + b = (a | b) + (a & b)`, of which the
    /// first adds without carries and then the carries.
    fn bits_of_two(&mut self, form: &Form) -> Result<Option<FormId>, Exhausted> {
        let Some(here) = where_of_two(form) else { return Ok(None) };
        let width = form.width;
        let parts: Vec<(AtomId, Word)> =
            form.parts.iter().map(|(atom, _)| (*atom, Word::flag(Bdd::TRUE, 2))).collect();
        let mut values = Vec::new();
        for (atom, _) in &parts {
            values.push(self.of_atom(*atom)?);
        }
        let (operator, rest) = (Operator::And, Operator::And.neutral(width));
        let both = self.intern(Form { operator, width, parts, rest })?;
        let times: u128 = match form.operator {
            Operator::And => 1,
            Operator::Xor if !self.diagrams.has(BrokenLaw::CarriesCountOnce) => {
                2_u128.wrapping_neg()
            }
            _ => 1_u128.wrapping_neg(),
        };
        let mut sum = self.scaled(both, &Word::number(times, width))?;
        if form.operator != Operator::And {
            values.push(sum);
            sum = self.total(&values)?;
        }
        self.scaled(sum, &Word::flag(here, width)).map(Some)
    }

    fn is_product(&self, id: FormId) -> bool {
        self.form(id).operator == Operator::Product
    }

    /// A value as a polynomial, if that has not too many terms.
    fn multiplied_out(
        &mut self,
        id: FormId,
        choices: Choices,
    ) -> Result<Option<Polynomial>, Exhausted> {
        if let Some(known) = self.memo.polynomials.get(&(id, choices)) {
            return Ok(known.clone());
        }
        let together = self.put_together(id)?;
        let form = self.form(together).clone();
        let polynomial = match form.operator {
            Operator::Sum => self.sum_multiplied_out(&form, choices)?,
            Operator::Product => self.product_multiplied_out(&form, choices)?,
            _ => match self.bits_of_two(&form)? {
                Some(sum) => self.multiplied_out(sum, choices)?,
                None => Some(self.single(together, form.width)),
            },
        };
        self.memo.polynomials.insert((id, choices), polynomial.clone());
        Ok(polynomial)
    }

    fn single(&self, id: FormId, width: u32) -> Polynomial {
        Polynomial { terms: BTreeMap::from([(id, Word::number(1, width))]), rest: Word::zero() }
    }

    /// An atom as a polynomial.
    fn atom_multiplied_out(
        &mut self,
        atom: AtomId,
        width: u32,
        choices: Choices,
    ) -> Result<Option<Polynomial>, Exhausted> {
        match *self.atom(atom) {
            Atom::Form(inner) => self.multiplied_out(inner, choices),
            Atom::Function(Function::Complement, ref arguments) => {
                self.complement_multiplied_out(arguments[0], width, choices)
            }
            _ => {
                let id = self.of_atom(atom)?;
                Ok(Some(self.single(id, width)))
            }
        }
    }

    /// The complement of a value: −1 less it.
    fn complement_multiplied_out(
        &mut self,
        id: FormId,
        width: u32,
        choices: Choices,
    ) -> Result<Option<Polynomial>, Exhausted> {
        let Some(value) = self.multiplied_out(id, choices)? else { return Ok(None) };
        let minus_one = Word::number(u128::MAX, width);
        let mut difference = match self.diagrams.has(BrokenLaw::ComplementIsOpposite) {
            true => Polynomial::word(Word::zero()),
            false => Polynomial::word(minus_one.clone()),
        };
        self.add_scaled(&mut difference, &value, &minus_one, width)?;
        Ok(Some(difference))
    }

    fn sum_multiplied_out(
        &mut self,
        form: &Form,
        choices: Choices,
    ) -> Result<Option<Polynomial>, Exhausted> {
        let mut sum = Polynomial::word(form.rest.clone());
        for (atom, word) in &form.parts {
            let Some(part) = self.atom_multiplied_out(*atom, form.width, choices)? else {
                return Ok(None);
            };
            self.add_scaled(&mut sum, &part, word, form.width)?;
            if sum.terms.len() > TERMS {
                return Ok(None);
            }
        }
        Ok(Some(sum))
    }

    fn product_multiplied_out(
        &mut self,
        form: &Form,
        choices: Choices,
    ) -> Result<Option<Polynomial>, Exhausted> {
        let width = form.width;
        let mut product = Polynomial::word(form.rest.clone());
        for (atom, exponent) in &form.parts {
            let Some(factor) = self.power(*atom, exponent, width, choices)? else {
                return Ok(None);
            };
            let Some(next) = self.multiplied(&product, &factor, width)? else { return Ok(None) };
            product = next;
        }
        Ok(Some(product))
    }

    /// An atom as often as a word says.
    fn power(
        &mut self,
        atom: AtomId,
        exponent: &Word,
        width: u32,
        choices: Choices,
    ) -> Result<Option<Polynomial>, Exhausted> {
        let is_sum = match *self.atom(atom) {
            Atom::Form(inner) => self.form(inner).operator == Operator::Sum,
            _ => false,
        };
        // The last bit is a sign, and no exponent is less than 0.
        let digits = exponent.length() - 1;
        let constant = exponent.constant(u128::BITS).is_some();
        let kept = !is_sum && (constant || choices == Choices::Whole);
        if digits > DIGITS || exponent.bit(digits) != Bdd::FALSE || kept {
            let parts = vec![(atom, exponent.clone())];
            let rest = Word::number(1, width);
            let power = self.intern(Form { operator: Operator::Product, width, parts, rest })?;
            return Ok(Some(self.single(power, width)));
        }
        let Some(mut square) = self.atom_multiplied_out(atom, width, choices)? else {
            return Ok(None);
        };
        let mut product = Polynomial::word(Word::number(1, width));
        for place in 0..digits {
            if place > 0 {
                let Some(next) = self.multiplied(&square, &square, width)? else {
                    return Ok(None);
                };
                square = next;
            }
            let factor = self.where_it_takes_part(&square, exponent.bit(place), width)?;
            let Some(next) = self.multiplied(&product, &factor, width)? else { return Ok(None) };
            product = next;
        }
        Ok(Some(product))
    }

    /// A factor where it is present, elsewhere 1.
    fn where_it_takes_part(
        &mut self,
        base: &Polynomial,
        here: Bdd,
        width: u32,
    ) -> Result<Polynomial, Exhausted> {
        let lost = self.diagrams.has(BrokenLaw::NoChoiceLost);
        let mut factor = Polynomial::word(Word::flag(if lost { Bdd::FALSE } else { !here }, width));
        self.add_scaled(&mut factor, base, &Word::flag(here, width), width)?;
        Ok(factor)
    }

    /// Adds `factor` times `more` to `sum`.
    fn add_scaled(
        &mut self,
        sum: &mut Polynomial,
        more: &Polynomial,
        factor: &Word,
        width: u32,
    ) -> Result<(), Exhausted> {
        for (&term, word) in &more.terms {
            let word = self.diagrams.word_mul(word, factor, width)?;
            self.add_term(&mut sum.terms, term, &word, width)?;
        }
        let rest = self.diagrams.word_mul(&more.rest, factor, width)?;
        sum.rest = self.diagrams.word_add(&sum.rest, &rest, Bdd::FALSE, width)?;
        Ok(())
    }

    fn add_term(
        &mut self,
        terms: &mut BTreeMap<FormId, Word>,
        term: FormId,
        word: &Word,
        width: u32,
    ) -> Result<(), Exhausted> {
        if word.is_zero() {
            return Ok(());
        }
        self.diagrams.step()?;
        let before = terms.remove(&term).unwrap_or_else(Word::zero);
        let both = self.diagrams.word_add(&before, word, Bdd::FALSE, width)?;
        if !both.is_zero() {
            terms.insert(term, both);
        }
        Ok(())
    }

    /// Each term by each, if there are not too many.
    fn multiplied(
        &mut self,
        a: &Polynomial,
        b: &Polynomial,
        width: u32,
    ) -> Result<Option<Polynomial>, Exhausted> {
        if a.terms.len() * b.terms.len() > TERMS * 4 {
            return Ok(None);
        }
        let mut product = Polynomial::word(self.diagrams.word_mul(&a.rest, &b.rest, width)?);
        for (some, rest) in [(a, &b.rest), (b, &a.rest)] {
            let rest = match self.diagrams.has(BrokenLaw::RestNotMultiplied) {
                true => &Word::number(1, width),
                false => rest,
            };
            for (&term, word) in &some.terms {
                let word = self.diagrams.word_mul(word, rest, width)?;
                self.add_term(&mut product.terms, term, &word, width)?;
            }
        }
        for (&x, word) in &a.terms {
            for (&y, other) in &b.terms {
                let word = self.diagrams.word_mul(word, other, width)?;
                if !word.is_zero() {
                    let term = self.combine(Operator::Product, x, y)?;
                    self.add_term(&mut product.terms, term, &word, width)?;
                }
            }
            if product.terms.len() > TERMS {
                return Ok(None);
            }
        }
        Ok(Some(product))
    }
}

/// Where two values take part, of which there are the bits that both have, one has, or either; elsewhere there
/// are none.
fn where_of_two(form: &Form) -> Option<Bdd> {
    let [(_, first), (_, second)] = form.parts.as_slice() else { return None };
    let here = first.as_flag(2).filter(|_| first == second)?;
    let none_elsewhere = match form.operator {
        Operator::Xor | Operator::Or => form.rest.is_zero(),
        Operator::And => {
            here != Bdd::TRUE && (0..form.width).all(|place| form.rest.bit(place) == here)
        }
        _ => false,
    };
    none_elsewhere.then_some(here)
}
