//! The search for a run that gives the observation, or for a reason that there is none.

use std::collections::BTreeSet;

use laneproof_interpreter::Stop;
use laneproof_module::{InstructionClass, Site};

use super::clock::Deadline;
use super::direct::{PROBES, noise, shown};
use super::follow::{Demands, demands};
use super::guide::{ChoiceMade, Guide};
use super::{Cell, ObservedRun, Offence, OracleVerdict, Possible, SearchLimits, fits};

/// The runs that are enumerated first.
const FIRST_WALK: u64 = 1024;

/// The same, if the first run shows that there are too many choices to enumerate.
const FIRST_GLANCE: u64 = 8;

/// The most recorded values of a cell.
const REMEMBERED: usize = 8;

/// The most values that are tried for a choice.
const TRIED: u64 = 128;

/// What is known so far.
pub(super) struct Search<'a> {
    cells: &'a [Cell],
    subject: ObservedRun<'a>,
    runs_left: u64,
    deadline: Deadline,
    /// By cell, what runs gave.
    seen: Vec<BTreeSet<u64>>,
    /// By cell, whether some run gave what was observed.
    explained: Vec<bool>,
    /// The cells that the nearest run does not give.
    nearest: Option<Vec<usize>>,
}

/// How far a run that misses these cells is from what was observed.
type Measure = fn(&[usize]) -> usize;

/// The outcome of runs with random choices.
enum Probed {
    /// The verdict is clear.
    Decided(OracleVerdict),
    /// These choices give these values; the cells listed last differ from the observation.
    Nearer(Vec<u64>, Vec<Option<u64>>, Vec<usize>),
    /// Nothing was learned.
    Nothing,
}

/// The outcome of one run.
enum RunOutcome {
    /// The verdict is clear.
    Decided(OracleVerdict),
    /// These values, and the cells that differ from the observation.
    Missed(Vec<Option<u64>>, Vec<usize>),
    /// A result that a hint gives is not legal.
    Refused(Stop),
}

impl<'a> Search<'a> {
    /// Knows nothing.
    pub fn new(cells: &'a [Cell], subject: ObservedRun<'a>, limits: SearchLimits) -> Self {
        Self {
            cells,
            subject,
            runs_left: limits.runs,
            deadline: Deadline::after(limits.time, limits.clock),
            seen: vec![BTreeSet::new(); cells.len()],
            explained: vec![false; cells.len()],
            nearest: None,
        }
    }

    /// The verdict.
    pub fn decide(mut self) -> OracleVerdict {
        let mut guide = Guide::default();
        if let Some(verdict) = self.walk(&mut guide, FIRST_WALK) {
            return verdict;
        }
        let demands = match demands(self.cells, self.subject, &guide.out_of_step) {
            Ok(demands) if !demands.offences.is_empty() => {
                return OracleVerdict::NotAllowed { offences: demands.offences, jointly: false };
            }
            other => other,
        };
        let known = demands.as_ref().cloned().unwrap_or_default();
        let mut undecided = None;
        if let Some(verdict) = self.led(known, &mut undecided) {
            return verdict;
        }
        let mut guide = Guide::default();
        if let Some(verdict) = self.walk(&mut guide, u64::MAX) {
            return verdict;
        }
        let reason = match (undecided, demands) {
            (Some(stop), _) => stop,
            _ if !guide.out_of_step.is_empty() => {
                "lanes are serialized at one place in several instructions, and need not keep in step"
                    .to_owned()
            }
            _ if guide.has_margin => {
                "what is computed with results that the environment leaves a margin for has no bound \
                 that is known here"
                    .to_owned()
            }
            (None, Err(lost)) => format!("there are too many choices to walk ({lost})"),
            (None, Ok(_)) => "there are too many choices to walk".to_owned(),
        };
        OracleVerdict::Undecided { reason, offences: self.offences() }
    }

    /// Walks up to `most` runs, fewer where these cannot be all; a verdict if there is one.
    fn walk(&mut self, guide: &mut Guide, mut most: u64) -> Option<OracleVerdict> {
        let mut digits = Some(Vec::new());
        let mut runs = 0;
        while let Some(next) = digits {
            if runs == most || self.exhausted() && runs > 0 {
                return None;
            }
            runs += 1;
            guide.begin(next);
            match self.run(guide) {
                RunOutcome::Decided(verdict) => return Some(verdict),
                RunOutcome::Refused(stop) => return Some(undecided(&stop)),
                RunOutcome::Missed(..) => {}
            }
            if most == FIRST_WALK && guide.choice_count() > u128::from(FIRST_WALK) {
                most = FIRST_GLANCE;
            }
            digits = guide.following();
        }
        if !guide.out_of_step.is_empty() || guide.has_margin {
            return None;
        }
        let offences = self.offences();
        let jointly = self.explained.iter().all(|it| *it);
        Some(OracleVerdict::NotAllowed { offences, jointly })
    }

    /// Runs in which instructions give what they must have given.
    fn led(&mut self, demands: Demands, undecided: &mut Option<String>) -> Option<OracleVerdict> {
        let mut guide = demands.guide();
        let mut offences: Vec<Offence> = Vec::new();
        loop {
            if self.exhausted() {
                return None;
            }
            guide.begin(Vec::new());
            match self.run(&mut guide) {
                RunOutcome::Decided(verdict) => return Some(verdict),
                RunOutcome::Missed(found, missed) if offences.is_empty() => {
                    let (digits, found, missed) = match self.probed(&mut guide) {
                        Probed::Decided(verdict) => return Some(verdict),
                        Probed::Nearer(digits, now, fewer) if fewer.len() < missed.len() => {
                            (digits, now, fewer)
                        }
                        _ => (Vec::new(), found, missed),
                    };
                    // Fewer cells missed is nearer; or a later first one, as of what lanes append.
                    let count: Measure = |missed| missed.len();
                    let first: Measure = |missed| usize::MAX - missed.first().unwrap_or(&0);
                    return [count, first].into_iter().find_map(|measure| {
                        guide.begin(digits.clone());
                        let _ = self.run(&mut guide);
                        self.climb(&mut guide, found.clone(), measure(&missed), measure)
                    });
                }
                RunOutcome::Missed(..) => break,
                RunOutcome::Refused(stop) => {
                    if let Stop::Undecided { .. } = stop {
                        *undecided = Some(stop.to_string());
                    }
                    offences.extend(refused(&stop, &demands, &mut guide)?);
                }
            }
        }
        offences.sort_by_key(|offence| offence.cell);
        Some(OracleVerdict::NotAllowed { offences, jointly: false })
    }

    /// Changes one choice after the other where that brings a run nearer to what was observed.
    fn climb(
        &mut self,
        guide: &mut Guide,
        mut found: Vec<Option<u64>>,
        mut distance: usize,
        measure: Measure,
    ) -> Option<OracleVerdict> {
        let chosen = |guide: &Guide| guide.choices.iter().map(|it| it.value).collect::<Vec<u64>>();
        let (mut digits, mut at) = (chosen(guide), 0);
        while let Some(choices) = guide.choices.get(at).copied() {
            let mut best = choices.value;
            for value in self.candidates(choices, &found) {
                if self.exhausted() {
                    return None;
                }
                let mut changed = digits.clone();
                changed[at] = value;
                guide.begin(changed);
                match self.run(guide) {
                    RunOutcome::Decided(verdict) => return Some(verdict),
                    RunOutcome::Missed(now, missed) if measure(&missed) < distance => {
                        (best, distance, found) = (value, measure(&missed), now);
                    }
                    _ => {}
                }
            }
            digits[at] = best;
            guide.begin(digits);
            if let RunOutcome::Decided(verdict) = self.run(guide) {
                return Some(verdict);
            }
            // What is chosen may lead to other choices.
            (digits, at) = (chosen(guide), at + 1);
        }
        None
    }

    /// Runs in which undefined values are noise, and one in which those that cells show are what was
    /// observed.
    fn probed(&mut self, guide: &mut Guide) -> Probed {
        let choices = guide.choices.clone();
        if !choices.iter().any(|it| it.drawn) {
            return Probed::Nothing;
        }
        let mut probes = Vec::new();
        for seed in 1..=PROBES as u64 {
            if self.exhausted() {
                return Probed::Nothing;
            }
            let digits = noise(&choices, seed);
            guide.begin(digits.clone());
            match self.run(guide) {
                RunOutcome::Decided(verdict) => return Probed::Decided(verdict),
                RunOutcome::Missed(found, _) if guide.choices.len() == choices.len() => {
                    probes.push((digits, found));
                }
                _ => return Probed::Nothing,
            }
        }
        let digits = shown(self.cells, &choices, &probes);
        guide.begin(digits.clone());
        match self.run(guide) {
            RunOutcome::Decided(verdict) => Probed::Decided(verdict),
            RunOutcome::Missed(found, missed) => Probed::Nearer(digits, found, missed),
            RunOutcome::Refused(_) => Probed::Nothing,
        }
    }

    /// Values to try for a choice: all where they are few; else what was observed and what lies
    /// between that and what was found, for sums and exclusive ors.
    fn candidates(&self, choices: ChoiceMade, found: &[Option<u64>]) -> Vec<u64> {
        let ChoiceMade { value, options, drawn } = choices;
        if !drawn || options <= u128::from(TRIED) {
            let few = 0..u64::try_from(options).unwrap_or(u64::MAX).min(TRIED);
            return few.filter(|it| *it != value).collect();
        }
        let mask = (options - 1) as u64;
        let mut values = BTreeSet::from([1, mask, mask >> 1, (mask >> 1) + 1]);
        for (cell, found) in self.cells.iter().zip(found) {
            if values.len() as u64 >= TRIED {
                break;
            }
            let (Some(observed), Some(found)) = (cell.observed, found) else { continue };
            if observed != *found {
                let difference = observed.wrapping_sub(*found);
                let between = [difference, difference.wrapping_neg(), observed ^ found, observed];
                values.extend(between.map(|bits| bits & mask));
            }
        }
        values.into_iter().collect()
    }

    fn run(&mut self, guide: &mut Guide) -> RunOutcome {
        self.runs_left = self.runs_left.saturating_sub(1);
        let found = match (self.subject)(false, guide) {
            Ok(found) => found,
            Err(stop @ (Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. })) => {
                return RunOutcome::Decided(OracleVerdict::Behavior(stop));
            }
            Err(Stop::BadCall { reason }) => {
                return RunOutcome::Decided(OracleVerdict::BadCall(reason));
            }
            Err(stop @ (Stop::Illegal { .. } | Stop::Undecided { .. })) => {
                return RunOutcome::Refused(stop);
            }
            Err(stop) => return RunOutcome::Decided(undecided(&stop)),
        };
        let mut missed = Vec::new();
        for (number, (cell, given)) in self.cells.iter().zip(&found).enumerate() {
            if fits(cell, *given) {
                self.explained[number] = true;
            } else {
                missed.push(number);
            }
            if let (Some(bits), true) = (given, self.seen[number].len() < REMEMBERED) {
                self.seen[number].insert(*bits);
            }
        }
        if missed.is_empty() {
            return RunOutcome::Decided(OracleVerdict::Allowed);
        }
        if self.nearest.as_ref().is_none_or(|nearest| missed.len() < nearest.len()) {
            self.nearest = Some(missed.clone());
        }
        RunOutcome::Missed(found, missed)
    }

    /// What no run so far explains; where each is explained by some, what the nearest lacks.
    fn offences(&self) -> Vec<Offence> {
        let never: Vec<usize> =
            (0..self.cells.len()).filter(|&cell| !self.explained[cell]).collect();
        let cells = match never.is_empty() {
            true => self.nearest.clone().unwrap_or_default(),
            false => never,
        };
        let offence = |cell: usize| Offence {
            cell,
            possible: Possible::Values(self.seen[cell].iter().copied().collect()),
        };
        cells.into_iter().map(offence).collect()
    }

    fn exhausted(&self) -> bool {
        self.runs_left == 0 || self.deadline.is_over()
    }
}

/// Takes away the hints that an instruction refuses, or cannot judge; the cells that are not
/// explained by that. `None` where no hint was to blame.
fn refused(stop: &Stop, demands: &Demands, guide: &mut Guide) -> Option<Vec<Offence>> {
    let (site, illegal) = match stop {
        Stop::Illegal { site, instruction, lanes } => (site, Some((*instruction, lanes))),
        Stop::Undecided { site, .. } => (site, None),
        _ => return None,
    };
    let concerned =
        |at: &Site, lane: u32| at == site && illegal.is_none_or(|(_, lanes)| lanes.contains(&lane));
    let before = guide.open.len();
    guide.open.retain(|(at, lane, _), _| !concerned(at, *lane));
    if guide.open.len() == before {
        return None;
    }
    let Some((opcode, _)) = illegal else { return Some(Vec::new()) };
    let possible = match InstructionClass::of(opcode) {
        InstructionClass::Atomic => Possible::SerializationOrder(opcode, site.word),
        class if class.is_group() => Possible::Order(opcode, site.word),
        _ => Possible::Bounded(opcode, site.word),
    };
    let given = demands.given.iter().filter(|((at, lane, _), _)| concerned(at, *lane));
    let offence = |cell: usize| Offence { cell, possible: possible.clone() };
    Some(given.map(|(_, (_, cell))| offence(*cell)).collect())
}

fn undecided(stop: &Stop) -> OracleVerdict {
    OracleVerdict::Undecided { reason: stop.to_string(), offences: Vec::new() }
}
