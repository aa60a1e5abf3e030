//! Functions of payloads: applied to each alternative of a form if possible, else uninterpreted.

use std::collections::BTreeMap;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, FormId, Forms, sorted};
use crate::numbers::Numbers;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::Word;

impl Forms {
    /// The result of an uninterpreted function.
    pub(crate) fn opaque(
        &mut self,
        function: Function,
        arguments: Vec<FormId>,
        width: u32,
    ) -> Result<FormId, Exhausted> {
        let mut known = Vec::new();
        for argument in arguments {
            known.push(self.put_together(argument)?);
        }
        let atom = self.atom_of(Atom::Function(function, known), width);
        self.of_atom(atom)
    }

    /// A function of one argument that is worked out for words and named for atoms. `fold` tells
    /// by which operators it can be applied to each part instead.
    fn mapped(
        &mut self,
        function: Function,
        id: FormId,
        width: u32,
        of_word: &dyn Fn(&mut Self, &Word) -> Word,
    ) -> Result<FormId, Exhausted> {
        let Some(selection) = self.selection(id)? else {
            return self.opaque(function, vec![id], width);
        };
        let mut rest = of_word(self, &selection.rest);
        rest = self.diagrams.word_ite(selection.any, &Word::zero(), &rest, width)?;
        let mut parts = BTreeMap::new();
        for (atom, flag) in selection.chosen {
            let image = self.image(function, atom, width)?;
            let image = self.by(image, Operator::Sum)?;
            for (atom, word) in &image.parts {
                let word = self.diagrams.word_ite(flag, word, &Word::zero(), width)?;
                self.add_part(&mut parts, Operator::Sum, width, *atom, &word)?;
            }
            rest = self.diagrams.word_ite(flag, &image.rest, &rest, width)?;
        }
        self.intern(Form { operator: Operator::Sum, width, parts: sorted(parts), rest })
    }

    /// What a function gives of one atom.
    fn image(&mut self, function: Function, atom: AtomId, width: u32) -> Result<FormId, Exhausted> {
        let argument = self.of_atom(atom)?;
        let inner = match self.atom(atom) {
            Atom::Function(inner, arguments) => Some((*inner, arguments.clone())),
            Atom::Free(_) | Atom::Form(_) | Atom::Unit(..) => None,
        };
        match (function, inner) {
            (Function::Complement, Some((Function::Complement, arguments))) => Ok(arguments[0]),
            (Function::ZeroExtend, Some((Function::ZeroExtend, arguments))) => {
                self.extend(arguments[0], false, width)
            }
            (
                Function::Extract { high, low },
                Some((Function::ZeroExtend | Function::SignExtend, arguments)),
            ) if high < self.form(arguments[0]).width => self.extract(arguments[0], high, low),
            (
                Function::Extract { low, .. },
                Some((extension @ (Function::ZeroExtend | Function::SignExtend), arguments)),
            ) => {
                // What is above the number that was extended repeats its sign, or is 0.
                let (inner, signed) = (arguments[0], extension == Function::SignExtend);
                let top = self.form(inner).width - 1;
                if low > top && !signed {
                    return self.of_word(Word::zero(), width);
                }
                let part = self.extract(inner, top, low.min(top))?;
                let signed = signed || self.diagrams.has(BrokenLaw::ExtensionHasSign);
                self.extend(part, signed, width)
            }
            (
                Function::Extract { high, low },
                Some((Function::Extract { low: below, .. }, arguments)),
            ) => self.extract(arguments[0], high + below, low + below),
            (Function::Extract { high, low }, Some((Function::Concat, arguments))) => {
                let split = self.form(arguments[1]).width;
                if high < split {
                    self.extract(arguments[1], high, low)
                } else if low >= split {
                    self.extract(arguments[0], high - split, low - split)
                } else {
                    self.opaque(function, vec![argument], width)
                }
            }
            _ => self.opaque(function, vec![argument], width),
        }
    }

    /// A function applied to each part of a form by `operator`, which it does not change.
    pub(crate) fn through(
        &mut self,
        form: &Form,
        operator: Operator,
        width: u32,
        apply: &dyn Fn(&mut Self, FormId) -> Result<FormId, Exhausted>,
        rest: Word,
    ) -> Result<FormId, Exhausted> {
        let mut whole = Form { operator, width, parts: Vec::new(), rest };
        let mut parts = BTreeMap::new();
        for (atom, word) in &form.parts {
            let part = self.of_atom(*atom)?;
            let image = apply(self, part)?;
            let image = self.as_atom(image);
            let word = match operator {
                Operator::Sum => Word::of(word.bits(width), width),
                _ => word.clone(),
            };
            self.add_part(&mut parts, operator, width, image, &word)?;
        }
        whole.parts = sorted(parts);
        self.combined(whole)
    }

    /// Complement, bit by bit.
    pub(crate) fn complement(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let form = self.form(id).clone();
        let width = form.width;
        if let Some(mut dual) = form.operator.dual() {
            let mut rest = self.diagrams.word_not(&form.rest);
            if self.diagrams.has(BrokenLaw::OperatorNotExchanged) {
                (dual, rest) = (form.operator, form.rest.clone());
            }
            return self.through(&form, dual, width, &Self::complement, rest);
        }
        let is_flip = form.operator == Operator::Sum && self.is_sign(&form.rest, width);
        if form.operator == Operator::Xor || is_flip {
            let form = self.by(id, Operator::Xor)?;
            let rest = self.diagrams.word_not(&form.rest);
            return self.intern(Form { rest, ..form });
        }
        if !self.has_units(id) && self.selection(id)?.is_some() {
            return self.mapped(Function::Complement, id, width, &|forms, word| {
                forms.diagrams.word_not(word)
            });
        }
        // −1 − x.
        let minus_one = Word::number(u128::MAX, width);
        let negated = self.scaled(id, &minus_one)?;
        let minus_one = self.of_word(minus_one, width)?;
        self.combine(Operator::Sum, negated, minus_one)
    }

    /// Bits `high` down to `low`.
    pub(crate) fn extract(&mut self, id: FormId, high: u32, low: u32) -> Result<FormId, Exhausted> {
        let id = self.put_together(id)?;
        let form = self.form(id).clone();
        let width = high - low + 1;
        if width == form.width {
            return Ok(id);
        }
        let cut =
            |word: &Word| Word::of((low..=high).map(|place| word.bit(place)).collect(), width);
        let again = |forms: &mut Self, part| forms.extract(part, high, low);
        let rest = cut(&form.rest);
        match form.operator {
            Operator::And | Operator::Or | Operator::Xor => {
                self.through(&form, form.operator, width, &again, rest)
            }
            Operator::Sum if form.parts.is_empty() => self.of_word(rest, width),
            Operator::Sum if self.selection(id)?.is_some() => {
                self.mapped(Function::Extract { high, low }, id, width, &|_, word| cut(word))
            }
            Operator::Sum if low == 0 || self.diagrams.has(BrokenLaw::HighBitsOfSum) => {
                self.through(&form, Operator::Sum, width, &again, rest)
            }
            Operator::Product if low == 0 || self.diagrams.has(BrokenLaw::HighBitsOfProduct) => {
                self.through(&form, Operator::Product, width, &again, rest)
            }
            Operator::Sum => match self.extract_sum(&form, high, low)? {
                Some(bits) => Ok(bits),
                None => self.extract_carried(id, high, low),
            },
            Operator::Extreme { .. } if low == 0 => self.narrowed(id, &form, width),
            Operator::Extreme { .. } => self.extract_extreme(id, high, low),
            _ => self.opaque(Function::Extract { high, low }, vec![id], width),
        }
    }

    /// The low part of an extreme whose atoms were extended from that width: the extreme of what
    /// they were.
    fn narrowed(&mut self, id: FormId, form: &Form, width: u32) -> Result<FormId, Exhausted> {
        let Operator::Extreme { of, .. } = form.operator else {
            return self.opaque(Function::Extract { high: width - 1, low: 0 }, vec![id], width);
        };
        let extension = match of {
            Numbers::Signed => Function::SignExtend,
            Numbers::Unsigned => Function::ZeroExtend,
            Numbers::Magnitude => return self.extract_extreme(id, width - 1, 0),
        };
        let extended = form.parts.iter().all(|(atom, _)| match self.atom(*atom) {
            Atom::Function(function, arguments) => {
                *function == extension && self.form(arguments[0]).width == width
            }
            _ => false,
        });
        if !extended {
            return self.extract_extreme(id, width - 1, 0);
        }
        let again = |forms: &mut Self, part| forms.extract(part, width - 1, 0);
        let low = form.rest.bits(width);
        let above = if of == Numbers::Signed { low[width as usize - 1] } else { Bdd::FALSE };
        if (width..form.width).all(|place| form.rest.bit(place) == above) {
            return self.through(form, form.operator, width, &again, Word::of(low, width));
        }
        if form.rest != form.operator.neutral(form.width) {
            return self.extract_extreme(id, width - 1, 0);
        }
        let mut any = Bdd::FALSE;
        for (_, word) in &form.parts {
            any = self.diagrams.or(any, word.bit(0))?;
        }
        let neutral = form.operator.neutral(width);
        let narrow = self.through(form, form.operator, width, &again, neutral)?;
        let nothing = Word::of(form.rest.bits(width), width);
        let nothing = self.of_word(nothing, width)?;
        self.ite(any, narrow, nothing)
    }

    /// Extended to a width, with the sign where `signed`.
    pub(crate) fn extend(
        &mut self,
        id: FormId,
        signed: bool,
        width: u32,
    ) -> Result<FormId, Exhausted> {
        let id = self.put_together(id)?;
        let form = self.form(id).clone();
        let narrow = form.width;
        if width == narrow {
            return Ok(id);
        }
        let wide = |word: &Word| {
            let above = if signed { word.bit(narrow - 1) } else { Bdd::FALSE };
            let mut bits = word.bits(narrow);
            bits.resize(width as usize, above);
            Word::of(bits, width)
        };
        let function = if signed { Function::SignExtend } else { Function::ZeroExtend };
        let again = |forms: &mut Self, part| forms.extend(part, signed, width);
        let rest = wide(&form.rest);
        match form.operator {
            Operator::And | Operator::Or | Operator::Xor => {
                self.through(&form, form.operator, width, &again, rest)
            }
            Operator::Extreme { of, .. } if of == Numbers::signed(signed) => {
                self.through(&form, form.operator, width, &again, rest)
            }
            Operator::Sum if !signed && !form.parts.is_empty() && self.selection(id)?.is_none() => {
                match self.extend_sum(&form, width)? {
                    Some(sum) => Ok(sum),
                    None => self.opaque(function, vec![id], width),
                }
            }
            _ => self.mapped(function, id, width, &|_, word| wide(word)),
        }
    }

    /// High part and low part side by side.
    pub(crate) fn concat(&mut self, high: FormId, low: FormId) -> Result<FormId, Exhausted> {
        let (high, low) = (self.put_together(high)?, self.put_together(low)?);
        let (above, below) = (self.form(high).width, self.form(low).width);
        let width = above + below;
        if let (Some(high), Some(low)) = (self.as_word(high), self.as_word(low)) {
            let bits = [low.bits(below), high.bits(above)].concat();
            return self.of_word(Word::of(bits, width), width);
        }
        let (Some(highs), Some(lows)) = (self.selection(high)?, self.selection(low)?) else {
            return self.opaque(Function::Concat, vec![high, low], width);
        };
        // Both sides choose one at a time: the pairs that there are.
        let side = |forms: &mut Self, selection: crate::form::Selection, width| {
            let mut choices = Vec::new();
            for (atom, flag) in selection.chosen {
                choices.push((forms.of_atom(atom)?, flag));
            }
            choices.push((forms.of_word(selection.rest, width)?, !selection.any));
            Ok::<_, Exhausted>(choices)
        };
        let (highs, lows) = (side(self, highs, above)?, side(self, lows, below)?);
        let mut whole = self.of_word(Word::zero(), width)?;
        for &(high, above) in &highs {
            for &(low, below) in &lows {
                let both = self.diagrams.and(above, below)?;
                if both != Bdd::FALSE {
                    let pair = self.pair(high, low, width)?;
                    whole = self.ite(both, pair, whole)?;
                }
            }
        }
        Ok(whole)
    }

    /// Two parts side by side, which may be those of one atom.
    fn pair(&mut self, high: FormId, low: FormId, width: u32) -> Result<FormId, Exhausted> {
        if let (Some(a), Some(b)) = (self.as_word(high), self.as_word(low)) {
            let below = self.form(low).width;
            let bits = [b.bits(below), a.bits(width - below)].concat();
            return self.of_word(Word::of(bits, width), width);
        }
        let part = |forms: &Self, id: FormId| match forms.form(id).parts.as_slice() {
            [(atom, _)] => match forms.atom(*atom) {
                Atom::Function(Function::Extract { high, low }, arguments) => {
                    Some((*high, *low, arguments[0]))
                }
                _ => None,
            },
            _ => None,
        };
        if let (Some((top, above, a)), Some((below, bottom, b))) =
            (part(self, high), part(self, low))
            && a == b
            && above == below + 1
        {
            return self.extract(a, top, bottom);
        }
        self.opaque(Function::Concat, vec![high, low], width)
    }
}
