//! Where what is open goes: a run that leaves it open, read.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use laneproof_interpreter::{Choices, Open, Stop, format, truncate};
use laneproof_module::Site;

use laneproof_semantics::Scalar;

use super::guide::{Guide, Spot};
use super::{Cell, ObservedRun, Offence, Possible, fits};

/// Hands out markers.
struct Follower<'a> {
    seed: u64,
    /// The open scalar of each marker.
    markers: HashMap<u64, (Spot, Open)>,
    /// What wide ones are, by each half, the upper one counted as such.
    halves: HashMap<(bool, u64), u64>,
    /// The record of an earlier run.
    out_of_step: &'a BTreeMap<(usize, u64), bool>,
    /// Something was chosen after all.
    chose: bool,
}

/// How often a marker is looked for that is like no other.
const ATTEMPTS: u32 = 16;

/// The lower half of 64 bits, and the upper one.
fn halves(bits: u64) -> [(bool, u64); 2] {
    [(false, truncate(32, bits)), (true, bits >> 32)]
}

impl Choices for Follower<'_> {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        self.chose = true;
        0
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        self.chose = true;
        0
    }

    fn marker(&mut self, site: &Site, lane: u32, leaf: usize, open: Open) -> Option<u64> {
        let (Open::Nan(scalar) | Open::Reduction(scalar) | Open::Update(scalar)) = open;
        let width = scalar.width();
        for _ in 0..ATTEMPTS {
            self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let noise = truncate(width, self.seed ^ self.seed >> 29);
            let bits = match (format(scalar), scalar) {
                // A NaN, which no arithmetic gives here: it would be a marker of its own.
                (Some(format), _) => format.named(noise),
                (None, Scalar::Int { width: 32.., .. }) => noise,
                _ => return None,
            };
            let parts = halves(bits);
            if width > 32 && parts.iter().any(|part| self.halves.contains_key(part)) {
                continue;
            }
            if let Entry::Vacant(place) = self.markers.entry(bits) {
                place.insert(((site.clone(), lane, leaf), open));
                if width > 32 {
                    self.halves.extend(parts.map(|part| (part, bits)));
                }
                return Some(bits);
            }
        }
        None
    }

    fn stands_for(&self, bits: u64) -> Option<Open> {
        let whole = || {
            let halves = [false, true].map(|upper| self.halves.get(&(upper, bits)));
            halves.into_iter().flatten().find_map(|whole| self.markers.get(whole))
        };
        self.markers.get(&bits).or_else(whole).map(|(_, open)| *open)
    }

    fn was_out_of_step(&self, object: usize, offset: u64) -> Option<bool> {
        self.out_of_step.get(&(object, offset)).copied()
    }
}

/// What must hold of every run that gives what was observed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Demands {
    /// Cells that are something else in every run.
    pub offences: Vec<Offence>,
    /// What an instruction must have given: the value, and a cell that shows it.
    pub given: BTreeMap<(Site, u32, usize), (u64, usize)>,
    /// Which of them are NaNs and nothing else.
    pub nans: Vec<(Site, u32, usize)>,
}

impl Demands {
    /// Hints for runs.
    pub fn guide(&self) -> Guide {
        let mut guide = Guide::default();
        for (spot, (bits, _)) in &self.given {
            let hints =
                if self.nans.contains(spot) { &mut guide.payloads } else { &mut guide.open };
            hints.insert(spot.clone(), *bits);
        }
        guide
    }
}

/// Follows what is open; `None` where that tells nothing of all runs. Twice, under different
/// markers: values that look like markers by chance make a difference.
pub(super) fn demands(
    cells: &[Cell],
    subject: ObservedRun<'_>,
    out_of_step: &BTreeMap<(usize, u64), bool>,
) -> Result<Demands, String> {
    let [first, second] = [0x5851_f42d_4c95_7f2d, 0x1405_7b7e_f767_814f].map(|seed| {
        let mut follower = Follower {
            seed,
            markers: HashMap::new(),
            halves: HashMap::new(),
            out_of_step,
            chose: false,
        };
        let found = subject(true, &mut follower).map_err(why)?;
        if follower.chose {
            return Err("not every choice can be followed".to_owned());
        }
        read(cells, &found, &follower)
    });
    let (first, second) = (first?, second?);
    if first == second { Ok(first) } else { Err("what is open is mistaken".to_owned()) }
}

fn why(stop: Stop) -> String {
    match stop {
        Stop::NotModelled { instruction, place, why } => {
            let place = match place.line {
                0 => format!("word {}", place.word),
                line => format!("line {line}"),
            };
            format!("{instruction} at {place}: {why}")
        }
        stop => format!("what is open decides what happens: {stop}"),
    }
}

fn read(cells: &[Cell], found: &[Option<u64>], follower: &Follower<'_>) -> Result<Demands, String> {
    let mut demands = Demands::default();
    let mut halved: BTreeMap<u64, [Option<(u64, usize)>; 2]> = BTreeMap::new();
    for (number, (cell, bits)) in cells.iter().zip(found).enumerate() {
        let Some(bits) = *bits else { continue };
        let part = [false, true].into_iter().find_map(|upper| {
            let whole = follower.halves.get(&(upper, bits))?;
            (cell.scalar.width() == 32).then_some((*whole, upper))
        });
        if let (Some((whole, upper)), false) = (part, follower.markers.contains_key(&bits)) {
            let observed = cell.observed.ok_or("half of a scalar is not defined")?;
            let halves = halved.entry(whole).or_default();
            let (first, other) = *halves[usize::from(upper)].get_or_insert((observed, number));
            if first != observed {
                let possible = Possible::SameAs(other);
                demands.offences.push(Offence { cell: number, possible });
            }
            continue;
        }
        let Some((spot, open)) = follower.markers.get(&bits) else {
            if !fits(cell, Some(bits)) {
                let possible = Possible::Values(vec![bits]);
                demands.offences.push(Offence { cell: number, possible });
            }
            continue;
        };
        let (Open::Nan(scalar) | Open::Reduction(scalar) | Open::Update(scalar)) = *open;
        // A narrow one in a wider cell has zeros before it.
        let fits = scalar.width() == cell.scalar.width()
            || scalar.width() < cell.scalar.width()
                && cell.observed.is_some_and(|bits| truncate(scalar.width(), bits) == bits);
        if !fits {
            return Err("a scalar is seen as another type".to_owned());
        }
        demands.add(spot, *open, cell.observed, number);
    }
    for (whole, halves) in halved {
        let [Some((lower, number)), Some((upper, _))] = halves else {
            return Err("half of a scalar is not seen".to_owned());
        };
        let Some((spot, open)) = follower.markers.get(&whole) else { continue };
        demands.add(spot, *open, Some(lower | upper << 32), number);
    }
    Ok(demands)
}

impl Demands {
    /// What is open was observed to be this, in a cell.
    fn add(&mut self, spot: &Spot, open: Open, observed: Option<u64>, number: usize) {
        let (Open::Nan(scalar) | Open::Reduction(scalar) | Open::Update(scalar)) = open;
        let nan = matches!(open, Open::Nan(_));
        let is_nan = |bits| format(scalar).is_some_and(|format| format.is_nan(bits));
        let Some(observed) = observed.filter(|bits| !nan || is_nan(*bits)) else {
            // Of nothing but NaNs a minimum is undefined: that it is so is not excluded.
            if nan {
                self.offences.push(Offence { cell: number, possible: Possible::Nan });
            }
            return;
        };
        if nan {
            self.nans.push(spot.clone());
        }
        let (first, other) = *self.given.entry(spot.clone()).or_insert((observed, number));
        if first != observed {
            let possible = Possible::SameAs(other);
            self.offences.push(Offence { cell: number, possible });
        }
    }
}
