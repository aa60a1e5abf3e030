//! Comparisons that are left open, of values that are the same in some states only.
//!
//! A comparison is a variable, the same for the same forms. Two forms can have one value in some states, as an
//! extreme so far and that of all lanes where no lane follows. There, comparisons with the one are those with the
//! other: a function gives the same of the same. That is conjoined to what is left, only for what it depends on.

use rustc_hash::FxHashSet;

use crate::Exhausted;
use crate::bdd::{Bdd, Level};
use crate::fault::BrokenLaw;
use crate::form::{Form, FormId, Forms};
use crate::opaque::Relation;
use crate::word::Word;

/// More pairs of comparisons are not looked at.
const PAIRS: usize = 1 << 10;

impl Forms {
    /// The states of `left` in which comparisons of the same values are the same.
    pub(crate) fn congruent(&mut self, left: Bdd) -> Result<Bdd, Exhausted> {
        if left == Bdd::FALSE {
            return Ok(left);
        }
        let levels: FxHashSet<Level> = self.diagrams.support(left).into_iter().collect();
        let mut open: Vec<(FormId, FormId, Relation, Bdd)> = Vec::new();
        for (&(relation, a, b), &holds) in &self.relations {
            if self.diagrams.support(holds).iter().any(|level| levels.contains(level)) {
                open.push((a, b, relation, holds));
            }
        }
        open.sort_unstable_by_key(|&(a, b, _, holds)| (a, b, holds));
        let mut left = left;
        let mut pairs = 0;
        for (place, &(a, b, relation, first)) in open.iter().enumerate() {
            for &(c, d, other, second) in &open[place + 1..] {
                if relation != other || self.form(a).width != self.form(c).width {
                    continue;
                }
                pairs += 1;
                if pairs > PAIRS {
                    return Ok(left);
                }
                let mut same = self.same_pairs([a, b], [c, d])?;
                if matches!(relation, Relation::Equal | Relation::Zero) {
                    let crossed = self.same_pairs([a, b], [d, c])?;
                    same = self.diagrams.or(same, crossed)?;
                }
                let differ = self.diagrams.xor(first, second)?;
                let wrong = self.diagrams.and(same, differ)?;
                left = self.diagrams.and(left, !wrong)?;
                if left == Bdd::FALSE {
                    return Ok(left);
                }
            }
        }
        Ok(left)
    }

    /// Where both values of two pairs are certainly the same.
    fn same_pairs(&mut self, [a, b]: [FormId; 2], [c, d]: [FormId; 2]) -> Result<Bdd, Exhausted> {
        match self.same_parts(a, c)? {
            Bdd::FALSE => Ok(Bdd::FALSE),
            first => {
                let second = self.same_parts(b, d)?;
                self.diagrams.and(first, second)
            }
        }
    }

    /// Where two values are put together of the same parts.
    fn same_parts(&mut self, a: FormId, b: FormId) -> Result<Bdd, Exhausted> {
        if a == b {
            return Ok(Bdd::TRUE);
        }
        let operator = self.form(a).operator;
        let (a, b) = match operator == self.form(b).operator {
            true => (self.form(a).clone(), self.form(b).clone()),
            // One of the two may be a choice of one part.
            false => (self.form(a).clone(), self.by(b, operator)?),
        };
        let mut same = match self.diagrams.has(BrokenLaw::SamePartsAlone) {
            true => Bdd::TRUE,
            false => self.diagrams.word_equal(&a.rest, &b.rest)?,
        };
        let atoms = a.parts.iter().chain(&b.parts).map(|(atom, _)| *atom);
        let atoms: std::collections::BTreeSet<_> = atoms.collect();
        let times = |form: &Form, atom| {
            let part = form.parts.iter().find(|(it, _)| *it == atom);
            part.map_or_else(Word::zero, |(_, word)| word.clone())
        };
        for atom in atoms {
            if same == Bdd::FALSE {
                break;
            }
            let equal = self.diagrams.word_equal(&times(&a, atom), &times(&b, atom))?;
            same = self.diagrams.and(same, equal)?;
        }
        Ok(same)
    }
}
