//! Buffers of the modules that are sampled: what is in them before, and whether the same is left.

use std::collections::BTreeMap;
use std::fmt;

use fastrand::Rng;
use laneproof_interpreter::Buffer;
use laneproof_module::spirv::StorageClass;
use laneproof_module::{Global, Id, Program};

/// Bytes of each: more than the lanes of any subgroup index in four words a lane.
const BYTES: usize = 4 * 4 * 256;

/// Bytes of each that are shown.
const SHOWN: usize = 32;

/// A buffer's set and binding.
type Place = (u32, u32);

/// The buffers of a claim before it runs.
#[derive(Clone, Default)]
pub(crate) struct SampledMemory {
    places: BTreeMap<Place, usize>,
    /// Their contents.
    pub(crate) buffers: Vec<Buffer>,
}

impl fmt::Debug for SampledMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |buffer: &Buffer| buffer.iter().take(SHOWN).flatten().copied().collect();
        f.debug_list().entries(self.buffers.iter().map(bytes as fn(&Buffer) -> Vec<u8>)).finish()
    }
}

fn place(global: &Global) -> Option<Place> {
    let is_buffer = matches!(global.storage, StorageClass::StorageBuffer | StorageClass::Uniform);
    global.binding.filter(|_| is_buffer)
}

impl SampledMemory {
    /// All buffers of some modules, with words from `word`; where there is `one`, with the same word
    /// everywhere but there.
    pub(crate) fn any(
        programs: &[&Program],
        one: Option<usize>,
        mut word: impl FnMut(&mut Rng) -> u32,
        rng: &mut Rng,
    ) -> Self {
        let globals = programs.iter().flat_map(|program| program.globals.values());
        let mut memory = Self::default();
        for place in globals.filter_map(place) {
            if memory.places.contains_key(&place) {
                continue;
            }
            memory.places.insert(place, memory.buffers.len());
            let mut words: Vec<u32> = (0..BYTES / 4).map(|_| word(rng)).collect();
            if let Some(one) = one {
                let (own, other) = (words[one], words[one + 1]);
                words.fill(other);
                words[one] = own;
            }
            let bytes = words.into_iter().flat_map(u32::to_le_bytes);
            memory.buffers.push(bytes.map(Some).collect());
        }
        memory
    }

    /// Which variables of a module they are.
    pub(crate) fn variables(&self, program: &Program) -> Vec<(Id, usize)> {
        let globals = program.globals.values();
        globals.filter_map(|it| Some((it.id, *self.places.get(&place(it)?)?))).collect()
    }
}

/// Every byte that is defined in what the source left is the same in what the target left.
pub(crate) fn same(source: &[Buffer], target: &[Buffer]) -> bool {
    source.iter().zip(target).all(|(source, target)| {
        source.iter().zip(target).all(|(expected, found)| expected.is_none() || expected == found)
    })
}
