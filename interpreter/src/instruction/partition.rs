//! Partitions of the active lanes (SPV_NV_shader_subgroup_partitioned).

use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use super::ballot;
use super::inexact_comparison::{self, Answer};
use crate::float_format::format;
use crate::lane::{contains, lanes};
use crate::latitude::Margin;
use crate::outcome::Stop;
use crate::reading::{PartitionEquality, PartitionOtherBits};
use crate::step::Step;
use crate::value::Value;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    if opcode != Op::GroupNonUniformPartitionEXT {
        return Ok(false);
    }
    let scalar = step.element_of(0)?;
    // The text itself speaks of NaNs: nothing is taken to be finite.
    let margin = inexact_comparison::environment(step, scalar);
    let margin = margin.map(|margin| Margin { finite: false, ..margin });
    let value = step.consume(0)?;
    let readings = step.machine.options.readings;
    let partition = Partition {
        value: &value,
        scalar,
        margin,
        equality: readings.partition_equality,
        other_bits: readings.partition_other_bits,
        active: step.active,
        existing: step.sizes().lanes(),
    };
    let masks = match given(step)? {
        Some(masks) if partition.legal(&masks) => masks,
        Some(_) => return Err(step.illegal(lanes(step.active).collect())),
        None => {
            let site = step.site();
            partition.chosen(|options| step.machine.choices.pick(&site, options))
        }
    };
    let result = ballot::of_masks(step, |lane| masks[lane as usize])?;
    step.finish(result)?;
    Ok(true)
}

/// By lane, the ballots that were chosen in advance, if they were in every active lane.
fn given(step: &mut Step<'_, '_, '_>) -> Result<Option<Vec<u128>>, Stop> {
    let words = step.blank_result()?.leaves().min(4);
    let site = step.site();
    let mut masks = vec![0; 128];
    for lane in lanes(step.active) {
        for word in 0..words {
            let Some(bits) = step.machine.choices.open(&site, lane, word, 32) else {
                return Ok(None);
            };
            masks[lane as usize] |= u128::from(bits as u32) << (32 * word);
        }
    }
    Ok(Some(masks))
}

/// What there is to part.
struct Partition<'v> {
    value: &'v Value,
    scalar: Scalar,
    /// What the environment allows.
    margin: Option<Margin>,
    equality: PartitionEquality,
    other_bits: PartitionOtherBits,
    active: u128,
    existing: u128,
}

impl Partition<'_> {
    /// Whether two lanes have the same value. As numbers a NaN equals nothing, itself included.
    fn same(&self, a: u32, b: u32) -> Answer {
        let mut answer = Answer::Only(true);
        for leaf in 0..self.value.leaves() {
            let (a, b) = (self.value.bits(leaf, a), self.value.bits(leaf, b));
            let of_leaf = match self.equality {
                PartitionEquality::Ieee => {
                    inexact_comparison::equal(self.margin, self.scalar, a, b)
                }
                PartitionEquality::Bitwise => Answer::Only(a == b),
            };
            match of_leaf {
                Answer::Only(false) => return of_leaf,
                Answer::Either(_) => answer = of_leaf,
                Answer::Only(true) => {}
            }
        }
        answer
    }

    /// One of the lane's components is a NaN: it may be apart from its like.
    fn has_nan(&self, lane: u32) -> bool {
        format(self.scalar).is_some_and(|format| {
            (0..self.value.leaves()).any(|leaf| format.is_nan(self.value.bits(leaf, lane)))
        })
    }

    /// These ballots, by lane, are a partition: every lane is in its own subset, with lanes of
    /// its value only, and away from lanes of its value only if it has a NaN; the lanes of a
    /// subset agree on it.
    fn legal(&self, masks: &[u128]) -> bool {
        lanes(self.active).all(|lane| {
            let own = masks[lane as usize];
            let stray = own & !self.active;
            contains(own, u64::from(lane))
                && (self.other_bits == PartitionOtherBits::Open || stray == 0)
                && lanes(self.active).filter(|&other| other != lane).all(|other| {
                    let same = self.same(lane, other);
                    if contains(own, u64::from(other)) {
                        same.allows(true) && (masks[other as usize] ^ own) & self.existing == 0
                    } else {
                        same.allows(false) || self.has_nan(lane)
                    }
                })
        })
    }

    /// The partition that is picked: by default the one with the fewest subsets, and no bits of
    /// other lanes. Bits of lanes that do not exist, where they are open, are each lane's own
    /// affair; here they are all set or all clear, one pattern standing for the others.
    fn chosen(&self, mut pick: impl FnMut(u64) -> u64) -> Vec<u128> {
        let mut subsets: Vec<u128> = Vec::new();
        for lane in lanes(self.active) {
            let among = |set: u128| lanes(set).map(move |member| self.same(member, lane));
            let alike: Vec<usize> = (0..subsets.len())
                .filter(|&number| among(subsets[number]).all(|same| same.allows(true)))
                .collect();
            let apart = |number: &usize| among(subsets[*number]).all(|same| same.allows(false));
            let free = self.has_nan(lane) || alike.iter().all(apart);
            let position = match alike.iter().position(|number| !apart(number)) {
                Some(position) if !free => position,
                _ if alike.is_empty() => 0,
                _ => pick(alike.len() as u64 + 1) as usize,
            };
            match alike.get(position) {
                Some(&number) => subsets[number] |= 1 << lane,
                None => subsets.push(1 << lane),
            }
        }
        let mut masks = vec![0; 128];
        for subset in subsets {
            let mut ballot = subset;
            if self.other_bits == PartitionOtherBits::Open {
                for other in lanes(self.existing & !self.active) {
                    ballot |= u128::from(pick(2) == 1) << other;
                }
            }
            for lane in lanes(subset) {
                let stray = self.other_bits == PartitionOtherBits::Open
                    && self.existing != u128::MAX
                    && pick(2) == 1;
                masks[lane as usize] = ballot | if stray { !self.existing } else { 0 };
            }
        }
        masks
    }
}

/// By lane, the subset of the active lanes that it is in, after the ballots of operand
/// `operand`. They must be a valid partition.
pub(super) fn subsets(step: &mut Step<'_, '_, '_>, operand: usize) -> Result<Vec<u128>, Stop> {
    if step.group().whole.is_some() {
        return Err(step.not_modelled("a partition of a workgroup"));
    }
    let ballot = ballot::operand(step, operand)?;
    let existing = step.sizes().lanes();
    let of = |lane| ballot::mask(&ballot, lane) & existing;
    let mut invalid = 0;
    for lane in lanes(step.active) {
        let own = of(lane);
        let agrees = |other| !contains(own, u64::from(other)) || of(other) == own;
        if !contains(own, u64::from(lane)) || !lanes(step.active).all(agrees) {
            invalid |= 1 << lane;
        }
    }
    step.behavior_unless(invalid, "the ballots are no valid partition of the active lanes")?;
    // In a valid partition the active lanes of a ballot are those with the same ballot.
    Ok((0..step.sizes().existing).map(|lane| of(lane) & step.active).collect())
}
