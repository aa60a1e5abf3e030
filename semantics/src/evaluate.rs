//! The evaluator: one instruction, run by one subgroup, as its clauses say.

use std::sync::Arc;

use crate::denote::{
    DenoteError, Group, Instance, Leaf, Outcome, Settled, State, denote, denote_built_in,
};
use crate::language::ast::{BuiltIn, Instruction};
use crate::term::{Pool, Sort, Term};
use crate::{Scalar, Specification};

/// A scalar's bits, zero-extended; `None` is an undefined value.
pub type Bits = Option<u64>;

/// A subgroup about to execute an instruction.
#[derive(Clone, Debug)]
pub struct Subgroup {
    /// How many lanes exist.
    pub existing: u32,
    /// `SubgroupSize`.
    pub size: u32,
    /// `SubgroupMaxSize`.
    pub max_size: u32,
    /// The lanes that execute it.
    pub active: u128,
    /// Operands, in the specification's order: for each existing lane its leaves. Empty for
    /// operands that are no values.
    pub operands: Vec<Vec<Vec<Bits>>>,
}

/// What computing with an undefined value draws: by operand, leaf, lane and width in bits.
pub type Draw<'d> = &'d mut dyn FnMut(usize, usize, u32, u32) -> u64;

/// What each active lane was given, by lane and leaf: choices are made so as to give it, where
/// they can.
pub type Given<'g> = Option<&'g [Option<Vec<Bits>>]>;

/// What became of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaneResult {
    /// A value, leaf by leaf; no leaves where the instruction has no result.
    Value(Vec<Bits>),
    /// Undefined behavior, by the clause that says so.
    UndefinedBehavior(Arc<str>),
    /// The text gives no consequence here.
    Silence(Arc<str>),
    /// What the lane was given is none of the results that the clauses leave open.
    Illegal,
}

/// Executes an instruction; the result of each active lane, `None` for the others. What the
/// clauses leave open is as `given`; without that a NaN is the canonical one.
///
/// # Errors
///
/// Where the specification does not give the instruction an executable meaning, or where it
/// does not fit the instance; [`DenoteError::Undecided`] where it is too much to find out
/// whether a given result is legal.
pub fn evaluate(
    specification: &Specification,
    settled: &Settled,
    instruction: &Instruction,
    instance: &Instance,
    subgroup: &Subgroup,
    draw: Draw<'_>,
    given: Given<'_>,
) -> Result<Vec<Option<LaneResult>>, DenoteError> {
    each_active_lane(instance, subgroup, draw, given, |group, lane| {
        denote(specification, settled, instruction, instance, group, lane)
    })
}

/// Reads a built-in variable; its value in each active lane.
///
/// # Errors
///
/// As [`evaluate`].
pub fn evaluate_built_in(
    specification: &Specification,
    settled: &Settled,
    built_in: &BuiltIn,
    instance: &Instance,
    subgroup: &Subgroup,
) -> Result<Vec<Option<LaneResult>>, DenoteError> {
    each_active_lane(instance, subgroup, &mut |_, _, _, _| 0, None, |group, lane| {
        denote_built_in(specification, settled, built_in, instance, group, lane)
    })
}

fn each_active_lane(
    instance: &Instance,
    subgroup: &Subgroup,
    draw: Draw<'_>,
    given: Given<'_>,
    mut outcome: impl FnMut(&mut Known<'_, '_>, Term) -> Result<Outcome, DenoteError>,
) -> Result<Vec<Option<LaneResult>>, DenoteError> {
    let mut group = Known { pool: Pool::new(), instance, subgroup, draw, given };
    (0..subgroup.existing)
        .map(|lane| {
            if subgroup.active >> lane & 1 == 0 {
                return Ok(None);
            }
            let lane = group.pool.bits(u128::from(lane), 32);
            let outcome = outcome(&mut group, lane)?;
            group.result(&outcome).map(Some)
        })
        .collect()
}

/// A group in which everything is known: every term folds to a constant.
struct Known<'a, 'd> {
    pool: Pool,
    instance: &'a Instance,
    subgroup: &'a Subgroup,
    draw: Draw<'d>,
    given: Given<'d>,
}

impl Known<'_, '_> {
    fn result(&self, outcome: &Outcome) -> Result<LaneResult, DenoteError> {
        let holds = |condition: Term| {
            self.pool.bool_of(condition).ok_or_else(|| {
                DenoteError::NotModelled("a result that only a relation describes".into())
            })
        };
        for cause in &outcome.undefined_behavior {
            if holds(cause.condition)? {
                return Ok(LaneResult::UndefinedBehavior(cause.clause.clone()));
            }
        }
        for cause in &outcome.silence {
            if holds(cause.condition)? {
                return Ok(LaneResult::Silence(cause.clause.clone()));
            }
        }
        for &relation in &outcome.such_that {
            match self.pool.bool_of(relation) {
                Some(true) => {}
                Some(false) => return Ok(LaneResult::Illegal),
                None if self.given.is_some() => {
                    return Err(DenoteError::Undecided("a result in any order".into()));
                }
                None => holds(relation).map(|_| ())?,
            }
        }
        let leaves = outcome.leaves.iter().map(|leaf| {
            if holds(leaf.undefined)? {
                return Ok(None);
            }
            match self.pool.constant(leaf.bits) {
                Some(constant) => Ok(Some(constant.as_bits() as u64)),
                None => Err(DenoteError::NotModelled("a result that stays open".into())),
            }
        });
        Ok(LaneResult::Value(leaves.collect::<Result<_, DenoteError>>()?))
    }

    /// What a lane was given; an undefined value stands for any, 0 among them.
    fn given_bits(&self, leaf: usize, lane: Term) -> Option<u64> {
        let lane = self.pool.bits_of(lane)? as usize;
        let leaves = self.given?.get(lane)?.as_ref()?;
        leaves.get(leaf).map(|bits| bits.unwrap_or(0))
    }

    fn scalars(&self, operand: usize) -> Vec<Scalar> {
        use crate::denote::Argument;
        match self.instance.arguments.get(operand) {
            Some(Argument::Value(ty)) => ty.leaves(),
            Some(Argument::Values(types)) => types.iter().flat_map(crate::Type::leaves).collect(),
            _ => Vec::new(),
        }
    }
}

impl Group for Known<'_, '_> {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let lane = self.pool.bits_of(lane).unwrap_or(u128::MAX) as usize;
        let scalars = self.scalars(operand);
        // A lane that does not exist holds nothing: what is read there is a presupposition's
        // business, not a value's.
        let given = self.subgroup.operands.get(operand).and_then(|lanes| lanes.get(lane));
        let leaves = scalars.into_iter().enumerate().map(|(leaf, scalar)| {
            let bits = given.and_then(|leaves| leaves.get(leaf).copied()).flatten();
            let undefined = self.pool.bool(bits.is_none());
            let bits = bits.unwrap_or(0);
            let bits = match scalar {
                Scalar::Bool => self.pool.bool(bits != 0),
                other => self.pool.bits(u128::from(bits), other.width()),
            };
            Leaf { bits, undefined }
        });
        Ok(leaves.collect())
    }

    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        let lane = self.pool.bits_of(lane).unwrap_or(0) as u32;
        match sort {
            Sort::Bits(width) => {
                let drawn = (self.draw)(operand, leaf, lane, width);
                self.pool.bits(u128::from(drawn), width)
            }
            Sort::Bool | Sort::Tag => {
                let drawn = (self.draw)(operand, leaf, lane, 1);
                self.pool.bool(drawn & 1 == 1)
            }
        }
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        let active = self.pool.bits(self.subgroup.active, 128);
        Ok(self.pool.bit(active, lane))
    }

    fn exists(&mut self, lane: Term) -> Term {
        let existing = self.pool.bits(u128::from(self.subgroup.existing), 32);
        self.pool.less(lane, existing)
    }

    fn state(&mut self, state: State) -> Term {
        let value = match state {
            State::SubgroupSize => self.subgroup.size,
            State::SubgroupMaxSize => self.subgroup.max_size,
            State::ExistingLanes => self.subgroup.existing,
            State::SubgroupId => 0,
            State::NumSubgroups => 1,
        };
        self.pool.bits(u128::from(value), 32)
    }

    fn lane_bound(&self) -> u32 {
        self.subgroup.existing
    }

    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        match self.given_bits(leaf, lane) {
            Some(bits) => match sort {
                Sort::Bits(width) => self.pool.bits(u128::from(bits), width),
                Sort::Bool | Sort::Tag => self.pool.bool(bits & 1 == 1),
            },
            None => self.pool.fresh(format!("result.{leaf}.{}", lane.number()), sort),
        }
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        let bits = self.given_bits(leaf, lane).unwrap_or(0);
        match sort {
            Sort::Bits(width) => self.pool.bits(u128::from(bits), width),
            Sort::Bool | Sort::Tag => self.pool.bool(false),
        }
    }
}
