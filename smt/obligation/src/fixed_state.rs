//! Encodings of one state, which is known.

use std::collections::BTreeMap;

use laneproof_encode::{Content, InputLeaf, Memories, MemoryExtent};
use laneproof_lower::RegionKind;
use laneproof_module::Grid;
use laneproof_semantics::term::{Pool, Sort, Symbol};

/// A state whose active set, parameters and memories are constants of the encoding, and whose lanes
/// are invocations in order: what does not happen in it takes no terms.
#[derive(Clone, Debug)]
pub struct FixedState {
    /// The workgroup and the grid.
    pub grid: Grid,
    /// The lanes that enter.
    pub active: u128,
    /// The bits of the leaves, by parameter and lane.
    pub parameters: Vec<Vec<Vec<u64>>>,
    /// The bits of the scalars of memories, images excepted.
    pub memories: BTreeMap<RegionKind, Vec<u64>>,
}

impl FixedState {
    /// Gives the symbols of parameters their values.
    pub(crate) fn parameters(&self, pool: &mut Pool, inputs: &[Vec<InputLeaf>]) {
        for (leaves, lanes) in inputs.iter().zip(&self.parameters) {
            for (number, leaf) in leaves.iter().enumerate() {
                let at = |lane: &Vec<u64>| lane.get(number).copied();
                match *leaf {
                    InputLeaf::PerLane(symbol) => {
                        for (lane, bits) in (0..).zip(lanes.iter().filter_map(at)) {
                            fix(pool, symbol, Some(lane), bits);
                        }
                    }
                    InputLeaf::Uniform(symbol) => {
                        if let Some(bits) = lanes.first().and_then(at) {
                            fix(pool, symbol, None, bits);
                        }
                    }
                    InputLeaf::Moved(_) | InputLeaf::MovedUniform(_) => {}
                }
            }
        }
    }

    /// Gives memories their lengths, and their symbols the values.
    pub(crate) fn memories(&self, pool: &mut Pool, memories: &mut Memories) {
        for (kind, scalars) in &self.memories {
            let Some(memory) = memories.get_mut(kind) else { continue };
            memory.extent = MemoryExtent::Line(pool.bits(scalars.len() as u128, 32));
            if let Content::Free(symbol) = memory.content {
                for (place, &bits) in (0..).zip(scalars) {
                    fix(pool, symbol, Some(place), bits);
                }
            }
        }
    }
}

fn fix(pool: &mut Pool, symbol: Symbol, place: Option<u32>, bits: u64) {
    let value = match pool.symbol_sort(symbol) {
        Sort::Bits(width) => pool.bits(bits.into(), width),
        Sort::Bool => pool.bool(bits & 1 == 1),
        Sort::Tag => return,
    };
    pool.fix(symbol, place, value);
}
