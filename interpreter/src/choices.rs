//! The choices of a run, and how they are decided.

use laneproof_module::Site;
use laneproof_semantics::Scalar;

/// A way to a case of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arrival {
    /// The label of the block that lanes come from.
    pub from: u32,
    /// The selector's value, where that block ends in the switch; else they fall through.
    pub selector: Option<u64>,
}

/// Decides everything that the semantics leaves open.
pub trait Choices {
    /// The bits of an undefined value of `width` bits that an instruction computes with:
    /// asked once for each site, operand (its index in the instruction), leaf and lane.
    fn draw(&mut self, site: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64;

    /// The bits of an open result with several legal values, if they are given in advance; called for
    /// each leaf and active lane. Only a legal result is used.
    fn open(&mut self, _site: &Site, _lane: u32, _leaf: usize, _width: u32) -> Option<u64> {
        None
    }

    /// Bits that name the NaN which a leaf of a result is in a lane, where they are given in
    /// advance: those of the NaN's sign and fraction, a fraction of 0 standing for the quiet one.
    fn payload(&mut self, _site: &Site, _lane: u32, _leaf: usize) -> Option<u64> {
        None
    }

    /// Which of two values a lane takes that a document leaves to it, where that is given in
    /// advance: the first one where this is true.
    fn either(&mut self, _site: &Site, _lane: u32) -> Option<bool> {
        None
    }

    /// Any other choice among `options` alternatives, numbered from 0.
    fn pick(&mut self, site: &Site, options: u64) -> u64;

    /// A result was the exact one where an environment permits others ([`crate::RunOptions::leeway`]):
    /// runs do not walk through all that there are.
    fn margin(&mut self) {}
    /// A number that names the tangle in which lanes execute a case of a switch, if it is given in
    /// advance; called once for all lanes that come to it the same way. Lanes that were not together
    /// before the switch have separate tangles anyway.
    fn tangle(&mut self, _site: &Site, _arrival: &Arrival, _lanes: &[u32]) -> Option<u64> {
        None
    }

    /// Whether `OpKill` makes helper invocations, where that is given in advance; else it ends lanes.
    fn kill_demotes(&mut self) -> Option<bool> {
        None
    }

    /// In a run that tracks choices ([`crate::RunOptions::follow`]): a marker for an open scalar,
    /// different from all other bits. `None` if there is none left: then the scalar is arbitrary.
    fn marker(&mut self, _site: &Site, _lane: u32, _leaf: usize, _open: Open) -> Option<u64> {
        None
    }

    /// The open scalar of a marker.
    fn stands_for(&self, _bits: u64) -> Option<Open> {
        None
    }

    /// Lanes are serialized at this place of memory in several instructions between which nothing
    /// orders them: they need not keep in step. `commuting`: in any order they leave the same there.
    fn out_of_step(&mut self, _object: usize, _offset: u64, _commuting: bool) {}

    /// Whether the updates at this address commute, as an earlier run recorded it.
    fn was_out_of_step(&self, _object: usize, _offset: u64) -> Option<bool> {
        None
    }
}

/// What is open in a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// It is a NaN of this type; which one is open.
    Nan(Scalar),
    /// It is one of several numbers of this type, such as some order of a reduction gives.
    Reduction(Scalar),
    /// It is what a lane finds in memory in its update, of this type.
    Update(Scalar),
}

/// Every undefined value is drawn as 0, every other choice is the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeros;

impl Choices for Zeros {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        0
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        0
    }
}

/// Walks every combination of choices, one run after the other:
///
/// ```
/// # use laneproof_interpreter::{Choices, Enumerate};
/// # use laneproof_module::Site;
/// let mut choices = Enumerate::new(100);
/// let mut seen = Vec::new();
/// while choices.next() {
///     let site = Site::default();
///     seen.push((choices.pick(&site, 2), choices.draw(&site, 0, 0, 0, 1)));
/// }
/// assert_eq!(seen, [(0, 0), (0, 1), (1, 0), (1, 1)]);
/// assert!(choices.complete());
/// ```
#[derive(Clone, Debug)]
pub struct Enumerate {
    /// Digits of the odometer: value and how many there are, in the order they were asked.
    digits: Vec<(u64, u128)>,
    /// The next digit.
    position: usize,
    runs: u64,
    cap: u64,
    complete: bool,
}

impl Enumerate {
    /// An enumeration that gives up after `cap` runs.
    pub fn new(cap: u64) -> Self {
        Self { digits: Vec::new(), position: 0, runs: 0, cap, complete: false }
    }

    /// Prepares the next run; false if there is none, or if the cap is reached.
    #[allow(clippy::should_implement_trait)] // a run is not an item: nothing is yielded
    pub fn next(&mut self) -> bool {
        if self.complete || (self.runs > 0 && !self.advance()) {
            self.complete = true;
            return false;
        }
        if self.runs == self.cap {
            return false;
        }
        self.runs += 1;
        self.position = 0;
        true
    }

    /// True when every combination has been run; false when the cap cut the walk short.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// False once it is certain that the cap is reached before every combination was run: each choice of
    /// the last run is still to be walked through, one value after the other.
    pub fn may_complete(&self) -> bool {
        let left = |&(value, options): &(u64, u128)| options.saturating_sub(u128::from(value) + 1);
        let asked = &self.digits[..self.position.min(self.digits.len())];
        let left = asked.iter().map(left).fold(0, u128::saturating_add);
        self.complete || u128::from(self.runs).saturating_add(left) <= u128::from(self.cap)
    }

    /// How many runs were prepared.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Turns the odometer on by one; false when all digits are back at zero.
    fn advance(&mut self) -> bool {
        // Digits that the last run did not ask for belong to another branch of choices.
        self.digits.truncate(self.position);
        while let Some((value, options)) = self.digits.pop() {
            if u128::from(value) + 1 < options {
                self.digits.push((value + 1, options));
                return true;
            }
        }
        false
    }

    fn digit(&mut self, options: u128) -> u64 {
        if self.position == self.digits.len() {
            self.digits.push((0, options));
        }
        let value = self.digits[self.position].0;
        self.position += 1;
        value
    }
}

impl Choices for Enumerate {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, width: u32) -> u64 {
        self.digit(1 << width.min(64))
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        self.digit(u128::from(options))
    }
}
