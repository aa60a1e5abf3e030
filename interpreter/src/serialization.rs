//! Which lanes update which memory. In one instruction lanes are serialized in an order that is chosen; between
//! several instructions this interpreter goes in step, while lanes need not: where nothing orders
//! them, its orders are not all there are.

use std::collections::HashMap;

use laneproof_module::Site;

use laneproof_module::spirv::Op;

use crate::choices::Choices;

/// Updates that leave the same in memory in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// It writes nothing.
    Reads,
    /// Integers are added and subtracted.
    Sums,
    /// One operation that is associative and commutative.
    Same(Op),
    /// The last one counts.
    Ordered,
}

impl Family {
    /// The family of an atomic instruction.
    pub fn of(opcode: Op) -> Self {
        match opcode {
            Op::AtomicLoad => Self::Reads,
            Op::AtomicIIncrement | Op::AtomicIDecrement | Op::AtomicIAdd | Op::AtomicISub => {
                Self::Sums
            }
            Op::AtomicUMin
            | Op::AtomicUMax
            | Op::AtomicSMin
            | Op::AtomicSMax
            | Op::AtomicAnd
            | Op::AtomicOr
            | Op::AtomicXor => Self::Same(opcode),
            _ => Self::Ordered,
        }
    }

    /// The family of both together.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Reads, other) | (other, Self::Reads) => other,
            _ => Self::Ordered,
        }
    }
}

/// The updates at one place since the last barrier.
#[derive(Clone, Debug)]
struct Place {
    /// The instructions, and by each the lanes, as subgroup and lane.
    instances: Vec<(Site, Vec<(usize, u32)>)>,
    family: Family,
}

/// All updates since the last barrier, by object and offset.
#[derive(Clone, Debug, Default)]
pub(crate) struct SerializationOrder(HashMap<(usize, u64), Place>);

impl SerializationOrder {
    /// A lane makes an update; tells `choices` where that may be out of step.
    pub fn note(
        &mut self,
        site: &Site,
        (group, lane): (usize, u32),
        (object, offset): (usize, u64),
        family: Family,
        choices: &mut dyn Choices,
    ) {
        let place = self.0.entry((object, offset));
        let place = place.or_insert_with(|| Place { instances: Vec::new(), family });
        place.family = place.family.with(family);
        let own = (group, lane);
        let stranger = place
            .instances
            .iter()
            .any(|(other, lanes)| other != site && lanes.iter().any(|lane| *lane != own));
        match place.instances.last_mut() {
            Some((last, lanes)) if last == site => lanes.push(own),
            _ => place.instances.push((site.clone(), vec![own])),
        }
        if stranger && place.family != Family::Reads {
            choices.out_of_step(object, offset, place.family != Family::Ordered);
        }
    }

    /// Every lane has passed a barrier.
    pub fn barrier(&mut self) {
        self.0.clear();
    }
}
