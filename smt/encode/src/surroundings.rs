//! The workgroup and the grid around a subgroup. Which invocations of the workgroup a subgroup has,
//! and in which order, is arbitrary.

use laneproof_module::{Grid, LaneIndices};
use laneproof_semantics::denote::{DenoteError, LanePosition};
use laneproof_semantics::term::{GroundValue, Pool, Sort, Symbol, Term};
use laneproof_solve::Model;

use crate::declared::{WIDE, product};

/// Bits of a side of a workgroup; no device has a longer side.
const SIDE: u32 = 16;

/// The workgroup and the grid along each axis.
#[derive(Clone, Debug)]
struct Axes {
    /// `WorkgroupSize` along each axis, 32 bits each, as all that follow.
    sides: [Term; 3],
    workgroup: [Term; 3],
    workgroups: [Term; 3],
    offset: [Term; 3],
}

/// What the functions depend on.
#[derive(Clone, Debug, Default)]
struct Consulted {
    /// The lanes whose index is used, and constrained.
    lanes: Vec<Term>,
    /// An index is used.
    indexed: bool,
    /// The size of the workgroup is used.
    sized: bool,
    /// Something of the grid is used.
    gridded: bool,
}

/// A free workgroup in a free grid.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// `LocalInvocationIndex` of each lane, and the lane that has it.
    index: Symbol,
    lane_at: Symbol,
    /// The workgroup and the grid along each axis.
    axes: Axes,
    /// The sides are those that entry points declare.
    declared: bool,
    /// The number of invocations, 32 bits, if they are the subgroup's lanes.
    alone: Option<Term>,
    /// Each lane is the invocation of its own number.
    in_order: bool,
    /// Facts are asserted about each lane whose index is used: a number, or the symbolic lane that
    /// entered.
    says: bool,
    /// What the functions depend on.
    asked: Consulted,
}

impl Surroundings {
    /// Any workgroup in any grid; with these sides if they are `declared`, and with this number of
    /// invocations if a subgroup is `alone` in it. The workgroups of a `kernel` are numbered from 0,
    /// those of a shader from where its dispatch begins.
    pub fn any(
        pool: &mut Pool,
        kernel: bool,
        declared: Option<[Term; 3]>,
        alone: Option<Term>,
        says: bool,
    ) -> Self {
        let mut some = |name: &str, width: u32| {
            let number = pool.fresh(name, Sort::Bits(width));
            pool.zero_extend(number, 32)
        };
        let axes = [0, 1, 2];
        let before = axes.map(|axis| some(&format!("WorkgroupId.{axis}"), 31));
        let after = axes.map(|axis| some(&format!("workgroups.after.{axis}"), 31));
        let base = axes.map(|axis| (!kernel).then(|| some(&format!("dispatch.base.{axis}"), 31)));
        let more = axes.map(|axis| some(&format!("WorkgroupSize.{axis}.less.1"), SIDE));
        let offset = axes.map(|axis| some(&format!("GlobalOffset.{axis}"), 32));
        let one = pool.bits(1, 32);
        Self {
            index: pool.symbol("LocalInvocationIndex", Sort::Bits(32)),
            lane_at: pool.symbol("lane.at", Sort::Bits(32)),
            axes: Axes {
                sides: declared.unwrap_or_else(|| more.map(|more| pool.add(more, one))),
                workgroup: axes.map(|axis| match base[axis] {
                    Some(base) => pool.add(base, before[axis]),
                    None => before[axis],
                }),
                workgroups: axes.map(|axis| {
                    let up_to_here = pool.add(before[axis], one);
                    pool.add(up_to_here, after[axis])
                }),
                offset,
            },
            declared: declared.is_some(),
            alone,
            in_order: false,
            says,
            asked: Consulted::default(),
        }
    }

    /// The workgroup is one that entry points declare.
    pub fn is_declared(&self) -> bool {
        self.declared
    }

    /// From now on this workgroup of this grid, each lane the invocation of its own number; the
    /// sides stay those that are declared.
    pub fn fix(&mut self, pool: &mut Pool, grid: &Grid) {
        self.in_order = true;
        let mut numbers = |of: [u32; 3]| of.map(|number| pool.bits(number.into(), 32));
        self.axes = Axes {
            sides: if self.declared { self.axes.sides } else { numbers(grid.size) },
            workgroup: numbers(grid.id),
            workgroups: numbers(grid.count),
            offset: numbers(grid.offset),
        };
    }

    /// The position of a lane, 32 bits.
    pub fn lane_position(
        &mut self,
        pool: &mut Pool,
        lane_position: LanePosition,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        Ok(match lane_position {
            LanePosition::Index => {
                self.asked.indexed = true;
                if self.in_order {
                    return Ok(lane);
                }
                if self.says && !self.asked.lanes.contains(&lane) {
                    self.asked.lanes.push(lane);
                }
                pool.apply(self.index, lane)
            }
            // All workgroups of the grid are full.
            LanePosition::WorkgroupSize(axis) | LanePosition::EnqueuedWorkgroupSize(axis) => {
                self.asked.sized = true;
                self.axes.sides[axis]
            }
            _ => return self.in_grid(lane_position),
        })
    }

    /// The position of the workgroup, 32 bits.
    pub fn in_grid(&mut self, lane_position: LanePosition) -> Result<Term, DenoteError> {
        self.asked.gridded = true;
        Ok(match lane_position {
            LanePosition::WorkgroupId(axis) => self.axes.workgroup[axis],
            LanePosition::NumWorkgroups(axis) => self.axes.workgroups[axis],
            LanePosition::GlobalOffset(axis) => self.axes.offset[axis],
            _ => return Err(DenoteError::NotModelled("the number of axes of the grid".into())),
        })
    }

    /// The facts about what is used: lanes are different invocations, all are in the workgroup, and
    /// the existing lanes fit into it.
    pub fn facts(&self, pool: &mut Pool, existing: Term) -> Vec<Term> {
        let mut facts = Vec::new();
        let mut invocations =
            (self.asked.sized || self.declared).then(|| product(pool, self.axes.sides));
        if let Some(alone) = self.alone {
            let alone = pool.zero_extend(alone, WIDE);
            facts.extend(invocations.map(|all| pool.equal(all, alone)));
            invocations = Some(alone);
        }
        if let Some(invocations) = invocations {
            let existing = pool.zero_extend(existing, WIDE);
            facts.push(pool.less_equal(existing, invocations));
        }
        if let Some(invocations) = invocations {
            let most = pool.bits(u128::from(u32::MAX), WIDE);
            facts.push(pool.less_equal(invocations, most));
        }
        // A lane that does not exist is no invocation.
        for &lane in &self.asked.lanes {
            let exists = pool.less(lane, existing);
            let index = pool.apply(self.index, lane);
            let there = pool.apply(self.lane_at, index);
            let mut holds = vec![pool.equal(there, lane)];
            if let Some(invocations) = invocations {
                let index = pool.zero_extend(index, WIDE);
                holds.push(pool.less(index, invocations));
            }
            let holds = pool.all(holds);
            facts.push(pool.implies(exists, holds));
        }
        facts
    }

    /// The indices of the lanes in a model. Lanes without a value in the model get the remaining
    /// indices, because a replay may read what the query did not use.
    pub fn lane_indices(&self, pool: &Pool, model: &Model, existing: u32) -> LaneIndices {
        let chosen: Vec<Option<u32>> = (0..existing)
            .map(|lane| model.chosen(self.index, lane).map(|it| it.as_bits() as u32))
            .collect();
        let mut left = (0..).filter(|it| !chosen.contains(&Some(*it)));
        let indices: Vec<u32> =
            chosen.iter().map(|it| it.or_else(|| left.next()).unwrap_or(u32::MAX)).collect();
        let mut grid = self.grid(pool, model);
        if !self.asked.sized && !self.declared {
            let last = indices.iter().copied().max().unwrap_or(0);
            grid.size = match last.checked_add(1) {
                Some(size) => [size, 1, 1],
                None => [1 << SIDE, 1 << SIDE, 1],
            };
        }
        LaneIndices { grid, indices }
    }

    /// The grid in a model.
    pub fn grid(&self, pool: &Pool, model: &Model) -> Grid {
        let number = |term: Term| {
            pool.evaluate(&[term], model).first().map_or(0, |it: &GroundValue| it.as_bits() as u32)
        };
        Grid {
            size: self.axes.sides.map(number),
            id: self.axes.workgroup.map(number),
            count: self.axes.workgroups.map(number),
            offset: self.axes.offset.map(number),
            dimensions: 3,
        }
    }

    /// `LocalInvocationIndex` is used.
    pub fn is_indexed(&self) -> bool {
        self.asked.indexed
    }

    /// The workgroup's size or its grid is used.
    pub fn is_gridded(&self) -> bool {
        self.asked.sized || self.asked.gridded
    }

    /// Functions of lanes and of indices that make each lane the invocation of its own number.
    pub fn in_order(&self) -> [Symbol; 2] {
        [self.index, self.lane_at]
    }
}
