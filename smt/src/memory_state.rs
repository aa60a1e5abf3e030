//! Memory as a replay starts from it and leaves it.

use laneproof_interpreter::{Buffer, Finished};
use laneproof_semantics::term::{Constant, Interpretation};
use laneproof_semantics::{Scalar, Type};

use crate::flat::{RegionKind, scalar_bytes};
use crate::memory::{Content, Memory};
use crate::obligation::Built;
use crate::replay::payload;
use crate::solver::Model;
use crate::verdict::MemoryRow;

/// A memory and what stands in it.
#[derive(Clone, Debug)]
pub(crate) struct MemoryState {
    pub kind: RegionKind,
    pub scalar: Scalar,
    pub scalars: Vec<u64>,
}

impl MemoryState {
    /// Bytes of a scalar.
    pub(crate) fn unit(&self) -> u64 {
        scalar_bytes(self.scalar)
    }

    /// As the interpreter takes it.
    pub(crate) fn bytes(&self) -> Buffer {
        let unit = self.unit() as usize;
        let bytes = |bits: &u64| bits.to_le_bytes().into_iter().take(unit).map(Some);
        self.scalars.iter().flat_map(|bits| bytes(bits).collect::<Vec<_>>()).collect()
    }

    /// The scalars of a buffer that a run left; `None` is an undefined value.
    pub(crate) fn scalars_of(&self, buffer: &Buffer) -> Vec<Option<u64>> {
        let scalar = |bytes: &[Option<u8>]| {
            bytes.iter().rev().try_fold(0u64, |bits, byte| Some(bits << 8 | u64::from((*byte)?)))
        };
        buffer.chunks(self.unit() as usize).map(scalar).collect()
    }
}

/// The memories of a model. `seen` are payloads that disagree.
pub(crate) fn memories(built: &Built<'_>, model: &Model, seen: &[(u32, u32)]) -> Vec<MemoryState> {
    let memory = |(&kind, memory): (&RegionKind, &Memory)| {
        let length = built.pool.evaluate(&[memory.length], model)[0].as_bits() as u32;
        let scalar = |at: u32| -> u64 {
            let width = memory.scalar.width();
            let value: Constant = match memory.content {
                Content::Free(symbol) => model.apply(symbol, at),
                Content::Moved(source) if width >= 32 => {
                    Constant::Bits(u128::from((source + 1) << 16 | at))
                }
                Content::Moved(source) => payload(source, at, width, seen),
            };
            value.as_bits() as u64
        };
        MemoryState { kind, scalar: memory.scalar, scalars: (0..length).map(scalar).collect() }
    };
    built.memories.iter().map(memory).collect()
}

/// What the source left accepts what the target left, scalar by scalar.
pub(crate) fn agree(memories: &[MemoryState], source: &[Buffer], target: &[Buffer]) -> bool {
    memories.iter().zip(source.iter().zip(target)).all(|(memory, (source, target))| {
        let mut pairs = memory.scalars_of(source).into_iter().zip(memory.scalars_of(target));
        pairs.all(|(expected, found)| expected.is_none() || expected == found)
    })
}

/// The scalars that somebody changed.
pub(crate) fn rows(
    memories: &[MemoryState],
    source: Option<&Finished>,
    target: Option<&Finished>,
) -> Vec<MemoryRow> {
    let mut rows = Vec::new();
    for (number, memory) in memories.iter().enumerate() {
        let left = |finished: Option<&Finished>| {
            finished.and_then(|it| it.buffers.get(number)).map(|it| memory.scalars_of(it))
        };
        let (source, target) = (left(source), left(target));
        for (index, &before) in memory.scalars.iter().enumerate() {
            let at = |left: &Option<Vec<Option<u64>>>| left.as_ref().map(|left| left[index]);
            let (source, target) = (at(&source), at(&target));
            let changed = |left: Option<Option<u64>>| left.is_some_and(|left| left != Some(before));
            if changed(source) || changed(target) {
                let offending = match (source, target) {
                    (Some(Some(expected)), Some(found)) => found != Some(expected),
                    _ => false,
                };
                rows.push(MemoryRow {
                    memory: memory.kind.to_string(),
                    index: index as u64,
                    ty: Type::Scalar(memory.scalar),
                    offending,
                    before: Some(before),
                    source,
                    target,
                });
            }
        }
    }
    rows
}
