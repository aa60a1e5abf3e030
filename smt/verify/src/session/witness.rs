//! States in which a source behaves, found by running it, so that no query is needed.
//!
//! A run without choices is the only behavior of the source in that state. So a run that terminates
//! is a witness; one that does not proves nothing.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use laneproof_ask::{sampled_bits, sampled_random};
use laneproof_encode::{Declared, LARGEST, Standpoint, lanes_below};
use laneproof_interpreter::{Choices, LaneValue, Open};
use laneproof_lower::{FlatInput, RegionKind, scalar_bytes};
use laneproof_module::{Extent, LaneIndices, Site};
use laneproof_obligation::{MemoryShape, Required};

use super::Session;
use crate::counterexample::WorkgroupShape;
use crate::memory_state::MemoryState;
use crate::replay::{Mode, State, run};

/// Invocations of a small workgroup.
const FEW: u32 = 8;
/// Default number of scalars in a memory.
const SCALARS: u64 = 1 << 10;
/// The most scalars in a memory.
const MOST_SCALARS: u64 = 1 << 16;
/// Words in a row, and rows, of an image.
const SIDES: [u32; 2] = [512, 8];

/// The values of parameters and memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Filling {
    Zeros,
    Ones,
    /// The index of the lane or the scalar.
    Numbers,
    /// Those of the sample of this number.
    Sampled(u64),
}

const FILLINGS: [Filling; 3] = [Filling::Zeros, Filling::Numbers, Filling::Ones];

/// What is filled.
#[derive(Hash)]
enum Filled {
    /// A leaf of the parameter of this position.
    Parameter(usize, usize),
    /// The memory of this number.
    Memory(usize),
}

impl Filling {
    /// The bits at a lane or a scalar; `None`: the same in all lanes.
    fn of(self, filled: &Filled, place: Option<u32>, width: u32) -> u64 {
        let bits = match self {
            Self::Zeros => 0,
            Self::Ones => 1,
            Self::Numbers => place.unwrap_or(0).into(),
            Self::Sampled(number) => sampled(number, filled, place, width),
        };
        bits & mask(width)
    }
}

/// A value of a sample: as in the samples of questions, and in every second one as assumptions or a
/// rare case may demand, otherwise for each parameter and memory: mostly zeros, small numbers of
/// some range, one number in all lanes, or any.
fn sampled(number: u64, filled: &Filled, place: Option<u32>, width: u32) -> u64 {
    if (number / 2).is_multiple_of(2) {
        return sampled_bits(number, filled, place, width) as u64;
    }
    let about = sampled_random(number, filled, u32::MAX) as u64;
    let here = sampled_random(number, filled, place.unwrap_or(0)) as u64;
    match about % 4 {
        0 if here.is_multiple_of(8) => 1 + about / 4 % 2,
        0 => 0,
        1 => here % (2 + about / 4 % 4),
        2 => about / 4,
        _ => here,
    }
}

/// Records whether there was a choice.
#[derive(Default)]
struct Chosen(bool);

impl Choices for Chosen {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        self.0 = true;
        0
    }

    fn open(&mut self, _: &Site, _: u32, _: usize, _: u32) -> Option<u64> {
        self.0 = true;
        None
    }

    fn payload(&mut self, _: &Site, _: u32, _: usize) -> Option<u64> {
        self.0 = true;
        None
    }

    fn either(&mut self, _: &Site, _: u32) -> Option<bool> {
        self.0 = true;
        None
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        self.0 = true;
        0
    }

    fn marker(&mut self, _: &Site, _: u32, _: usize, _: Open) -> Option<u64> {
        self.0 = true;
        None
    }
}

impl Session<'_> {
    /// The source behaves in some state of this size that was run; of the `whole` workgroup, if
    /// that is small enough to run.
    pub(super) fn is_witnessed(&self, size: u32, whole: bool) -> bool {
        // Reconvergence and serialization are not run in every possible way.
        let group = &self.problem.group;
        if group.subgroups.is_some() || self.doubt.refutations.is_some() {
            return false;
        }
        // Samples are not chosen for what execution modes require.
        if group.required != Required::default() {
            return false;
        }
        let rows = match self.problem.group.declared.is_some_and(|it| it.fixed().is_none()) {
            true => vec![size, size.min(FEW), 1],
            false => vec![size],
        };
        let samples = FILLINGS.into_iter().flat_map(|it| rows.iter().map(move |row| (it, *row)));
        samples.into_iter().any(|(filling, row)| {
            let Some(state) = self.sample(size, filling, row, whole) else { return false };
            let all = lanes_below(state.existing);
            let alone = (!self.problem.group.all_active && !whole).then_some(1);
            alone.into_iter().chain([all]).any(|active| {
                let state = State { active, ..state.clone() };
                let (specification, settled) = (self.problem.specification, self.problem.settled);
                let mut chosen = Chosen::default();
                let ended =
                    run(self.source, &state, specification, settled, &mut chosen, Mode::Plain)
                        .is_ok();
                ended && !chosen.0 && self.source_read_otherwise(&state).is_none()
            })
        })
    }

    /// A state of this size, without its active set; a workgroup of specialized size is a row of
    /// `row` invocations.
    pub(super) fn sample(
        &self,
        size: u32,
        filling: Filling,
        row: u32,
        whole: bool,
    ) -> Option<State> {
        let (sides, specialized) = match self.problem.group.declared {
            Some(declared) => {
                let (sides, specialized) = sides(declared, row)?;
                (Some(sides), specialized)
            }
            None => (None, BTreeMap::new()),
        };
        let invocations = sides.map_or(Some(size), laneproof_encode::invocations)?;
        if self.problem.group.standpoint == Standpoint::Lone && invocations > size {
            return None;
        }
        let whole = whole && invocations <= LARGEST;
        let existing = if whole { invocations } else { invocations.min(size) };
        let workgroup = sides.filter(|_| whole);
        let subgroups = invocations.div_ceil(size);
        let inputs = self.source.flat.interface.inputs.iter().enumerate();
        let parameters = inputs
            .map(|(position, input)| {
                self.parameter(position, input, filling, &specialized, existing)
            })
            .collect();
        let shapes = self.problem.shapes.iter().enumerate();
        let mut memories = shapes
            .map(|(number, shape)| memory(shape, number, filling))
            .collect::<Option<Vec<_>>>()?;
        memories.sort_by_key(|it| it.kind);
        let mut grid = laneproof_module::Grid::of_one(sides.unwrap_or([size, 1, 1]));
        grid.dimensions = 3;
        Some(State {
            size,
            max_size: size,
            existing,
            place: None,
            lane_indices: LaneIndices { grid, indices: (0..existing).collect() },
            indexed: false,
            gridded: false,
            workgroup: workgroup.map(|size| WorkgroupShape { subgroups, size }),
            active: 1,
            parameters,
            memories,
        })
    }

    fn parameter(
        &self,
        position: usize,
        input: &FlatInput,
        filling: Filling,
        specialized: &BTreeMap<u32, u32>,
        existing: u32,
    ) -> Vec<LaneValue> {
        let known = input.spec_id.and_then(|it| specialized.get(&it)).copied().map(u64::from);
        let value = |lane: u32| {
            let place = (!input.uniform).then_some(lane);
            let leaf = |(leaf, scalar): (usize, laneproof_semantics::Scalar)| {
                let (filled, width) = (Filled::Parameter(position, leaf), scalar.width());
                Some(match input.points {
                    Some(_) => 0,
                    None => known.map_or_else(
                        || filling.of(&filled, place, width),
                        |known| known & mask(width),
                    ),
                })
            };
            LaneValue(input.ty.leaves().into_iter().enumerate().map(leaf).collect())
        };
        (0..existing).map(value).collect()
    }
}

/// A workgroup of this declaration, if it is specialized a row of `row` invocations if there is one,
/// and the values of the specialization constants, by `SpecId`.
fn sides(declared: Declared, row: u32) -> Option<([u32; 3], BTreeMap<u32, u32>)> {
    let mut specialized = BTreeMap::new();
    for side in declared.0 {
        let wanted = if specialized.is_empty() { row } else { 1 };
        let (spec_id, value) = match side {
            Extent::Fixed(_) => continue,
            Extent::Specialized(spec_id) => (spec_id, Some(wanted)),
            Extent::Operated(spec_id, operation, number) => {
                (spec_id, operation.undone(wanted, number))
            }
            Extent::Computed => return None,
        };
        if let Entry::Vacant(open) = specialized.entry(spec_id) {
            open.insert(value?);
        }
    }
    let sides = declared.0.map(|side| match side {
        Extent::Fixed(side) => side,
        Extent::Specialized(spec_id) => specialized[&spec_id],
        Extent::Operated(spec_id, operation, number) => operation.of(specialized[&spec_id], number),
        Extent::Computed => 1,
    });
    Some((sides, specialized))
}

fn memory(shape: &MemoryShape, number: usize, filling: Filling) -> Option<MemoryState> {
    let unit = scalar_bytes(shape.scalar);
    let (count, sides) = match shape.kind {
        RegionKind::Image(_) => {
            let [width, height] = SIDES;
            (u64::from(width * height) * 4 / unit.min(4), Some((width, height)))
        }
        _ => (shape.least.div_ceil(unit).max(SCALARS), None),
    };
    (count <= MOST_SCALARS).then(|| {
        let filled = Filled::Memory(number);
        let width = shape.scalar.width();
        let scalars =
            (0..count as u32).map(|place| filling.of(&filled, Some(place), width)).collect();
        MemoryState { kind: shape.kind, scalar: shape.scalar, scalars, sides }
    })
}

fn mask(width: u32) -> u64 {
    if width >= u64::BITS { u64::MAX } else { (1 << width) - 1 }
}
