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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::{Duration, Instant};

    use laneproof_semantics::term::{Binary, Pool, Sort};

    use crate::{StepLimit, has_no_state};

    /// A number can be equal to its opposite and not be 0: that two products are equal is something else than that
    /// a difference is 0, also where they are that difference and its opposite.
    #[test]
    fn opposites_that_are_equal_need_not_be_zero() {
        const WIDTH: u32 = 16;
        let mut pool = Pool::new();
        let member = pool.symbol("member", Sort::Bool);
        let payload = pool.symbol("payload", Sort::Bits(WIDTH));
        let lanes = [0, 1, 2].map(|lane| pool.bits(lane, 32));
        let [here, single] = [0, 1].map(|lane| pool.apply(member, lanes[lane]));
        let [x, y, z] = lanes.map(|lane| pool.apply(payload, lane));
        let [zero, one, two, minus_one] = [0, 1, 2, 0xffff].map(|number| pool.bits(number, WIDTH));
        let mut product = |condition, then, otherwise| {
            let factor = pool.ite(condition, then, otherwise);
            pool.binary(Binary::Mul, x, factor)
        };
        let first = product(here, one, y);
        let second = product(here, minus_one, z);
        let multiple = product(single, one, two);
        let equal = pool.equal(first, second);
        let is_zero = pool.equal(multiple, zero);
        let is_not = pool.not(is_zero);
        let opposites = pool.all(vec![here, single, equal, is_not]);
        // Nothing is known of lanes beforehand.
        let elsewhere = pool.not(here);
        let [is_one, is_two] = [one, two].map(|number| pool.equal(x, number));
        let nowhere = pool.all(vec![elsewhere, is_one, is_two]);
        let either = pool.or(opposites, nowhere);
        let deadline = Instant::now() + Duration::from_secs(60);
        let limit = StepLimit { steps: 1 << 16, deadline };
        // Where x is half of the numbers that there are.
        assert_eq!(has_no_state(&pool, &[either], limit), Ok(false));
    }
}
