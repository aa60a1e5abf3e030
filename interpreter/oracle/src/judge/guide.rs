//! Choices that are led: some by hints, the rest by a list of digits.

use std::collections::{BTreeMap, HashMap};

use laneproof_interpreter::Choices;
use laneproof_module::Site;

/// A choice that was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceMade {
    /// What was chosen.
    pub value: u64,
    /// Among how many.
    pub options: u128,
    /// The bits of an undefined value.
    pub drawn: bool,
}

/// A scalar of a result: site, lane, leaf.
pub(super) type Spot = (Site, u32, usize);

/// Makes the choices of a run, and records them.
#[derive(Clone, Debug, Default)]
pub(super) struct Guide {
    /// Results that are given.
    pub open: HashMap<Spot, u64>,
    /// NaNs that are given.
    pub payloads: HashMap<Spot, u64>,
    /// The first choices, in their order; later ones are 0, and so are those that this run does not have:
    /// after another choice a list may go on with choices of another kind.
    digits: Vec<u64>,
    /// All choices of the run.
    pub choices: Vec<ChoiceMade>,
    /// Places where lanes are serialized out of step: whether these commute.
    pub out_of_step: BTreeMap<(usize, u64), bool>,
    /// Some result may be another one than the exact one.
    pub has_margin: bool,
}

impl Guide {
    /// Begins a run in which the first choices are these.
    pub fn begin(&mut self, digits: Vec<u64>) {
        self.digits = digits;
        self.choices.clear();
    }

    /// The digits of the next run in a walk of all; none after the last.
    pub fn following(&self) -> Option<Vec<u64>> {
        let last = self.choices.iter().rposition(|it| u128::from(it.value) + 1 < it.options)?;
        let mut digits: Vec<u64> = self.choices[..=last].iter().map(|it| it.value).collect();
        digits[last] += 1;
        Some(digits)
    }

    /// The number of combinations of the choices of this run.
    pub fn choice_count(&self) -> u128 {
        self.choices.iter().fold(1, |all, it| all.saturating_mul(it.options.max(1)))
    }

    fn digit(&mut self, options: u128, drawn: bool) -> u64 {
        let given = self.digits.get(self.choices.len()).copied();
        let value = given.filter(|value| u128::from(*value) < options).unwrap_or(0);
        self.choices.push(ChoiceMade { value, options, drawn });
        value
    }
}

impl Choices for Guide {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, width: u32) -> u64 {
        self.digit(1 << width.min(64), true)
    }

    fn open(&mut self, site: &Site, lane: u32, leaf: usize, _: u32) -> Option<u64> {
        self.open.get(&(site.clone(), lane, leaf)).copied()
    }

    fn payload(&mut self, site: &Site, lane: u32, leaf: usize) -> Option<u64> {
        self.payloads.get(&(site.clone(), lane, leaf)).copied()
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        self.digit(u128::from(options), false)
    }

    fn margin(&mut self) {
        self.has_margin = true;
    }

    fn out_of_step(&mut self, object: usize, offset: u64, commuting: bool) {
        let all = self.out_of_step.entry((object, offset)).or_insert(true);
        *all &= commuting;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list that was made for a number of 64 bits is read where a run picks one of a few.
    #[test]
    fn a_choice_is_one_of_those_that_there_are() {
        let mut guide = Guide::default();
        guide.begin(vec![1, u64::MAX, 2]);
        let site = Site::default();
        assert_eq!(guide.pick(&site, 2), 1);
        assert_eq!(guide.pick(&site, 3), 0);
        assert_eq!(guide.pick(&site, 3), 2);
        assert_eq!(guide.pick(&site, 3), 0);
        assert!(guide.choices.iter().all(|it| u128::from(it.value) < it.options));
    }
}
