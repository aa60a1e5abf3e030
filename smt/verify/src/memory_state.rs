//! Memory before and after a replay.

use laneproof_encode::{Content, GivenMemory, MemoryExtent};
use laneproof_interpreter::{Buffer, Finished, Image};
use laneproof_lower::{RegionKind, scalar_bytes};
use laneproof_obligation::Built;
use laneproof_semantics::term::{GroundValue, Interpretation};
use laneproof_semantics::{FloatFormat, Scalar, Type};
use laneproof_solve::Model;

use crate::counterexample::{InitialMemory, MemoryRow};

/// A memory and its content.
#[derive(Clone, Debug)]
pub(crate) struct MemoryState {
    pub kind: RegionKind,
    pub scalar: Scalar,
    /// Its scalars in order; those of an image row by row.
    pub scalars: Vec<u64>,
    /// Words in a row, and rows, of an image.
    pub sides: Option<(u32, u32)>,
}

impl MemoryState {
    /// Bytes of a scalar.
    pub(crate) fn unit(&self) -> u64 {
        scalar_bytes(self.scalar)
    }

    /// The memory as a buffer of the interpreter.
    pub(crate) fn bytes(&self) -> Buffer {
        let unit = self.unit() as usize;
        let bytes = |bits: &u64| bits.to_le_bytes().into_iter().take(unit).map(Some);
        self.scalars.iter().flat_map(|bits| bytes(bits).collect::<Vec<_>>()).collect()
    }

    /// The memory as a counterexample has it.
    pub(crate) fn initial(&self) -> InitialMemory {
        InitialMemory { kind: self.kind, scalar: self.scalar, values: self.scalars.clone() }
    }

    /// The memory as an image of the interpreter.
    pub(crate) fn image(&self) -> Option<Image> {
        let (width, height) = self.sides?;
        Some(Image { width, height, bytes: self.bytes() })
    }

    /// The final scalars of a buffer; `None` is an undefined value.
    pub(crate) fn scalars_of(&self, buffer: &Buffer) -> Vec<Option<u64>> {
        let scalar = |bytes: &[Option<u8>]| {
            bytes.iter().rev().try_fold(0u64, |bits, byte| Some(bits << 8 | u64::from((*byte)?)))
        };
        buffer.chunks(self.unit() as usize).map(scalar).collect()
    }
}

/// A payload for an input leaf in a lane, different from all others if its width allows.
pub(crate) fn payload(source: u32, lane: u32, scalar: Scalar, seen: &[(u32, u32)]) -> GroundValue {
    if scalar.width() >= 16 {
        return distinct((source + 1) * 256 + lane, scalar);
    }
    GroundValue::Bits(u128::from(seen.contains(&(source, lane))))
}

/// A small number in its type; different numbers give different bits.
fn distinct(number: u32, scalar: Scalar) -> GroundValue {
    GroundValue::Bits(match scalar {
        Scalar::Float(FloatFormat::Single) if number < 1 << 24 => (number as f32).to_bits().into(),
        Scalar::Float(FloatFormat::Double) => f64::from(number).to_bits().into(),
        Scalar::Float(FloatFormat::Single | FloatFormat::Half | FloatFormat::Bfloat16)
        | Scalar::Bool
        | Scalar::Int { .. } => number.into(),
    })
}

/// The memories of a model. `seen` are payloads that disagree.
pub(crate) fn memories(built: &Built<'_>, model: &Model, seen: &[(u32, u32)]) -> Vec<MemoryState> {
    let memory = |(&kind, memory): (&RegionKind, &GivenMemory)| {
        let number = |term| built.pool.evaluate(&[term], model)[0].as_bits() as u32;
        let (places, sides): (Vec<u32>, _) = match memory.extent {
            MemoryExtent::Line(length) => ((0..number(length)).collect(), None),
            MemoryExtent::Plane { width, height } => {
                let (width, height) = (number(width), number(height));
                let in_row = width * (4 / scalar_bytes(memory.scalar) as u32);
                let row = |row: u32| (0..in_row).map(move |place| row << 16 | place);
                ((0..height).flat_map(row).collect(), Some((width, height)))
            }
        };
        let scalar = |(index, &at): (usize, &u32)| -> u64 {
            let width = memory.scalar.width();
            let value: GroundValue = match memory.content {
                Content::Free(symbol) => model.apply(symbol, at),
                Content::Moved(source) if width >= 32 => {
                    distinct((source + 1) << 16 | index as u32, memory.scalar)
                }
                Content::Moved(source) => payload(source, at, memory.scalar, seen),
            };
            value.as_bits() as u64
        };
        let scalars = places.iter().enumerate().map(scalar).collect();
        MemoryState { kind, scalar: memory.scalar, scalars, sides }
    };
    built.entry.memories.iter().map(memory).collect()
}

/// The final bytes of each memory.
fn left<'f>(memories: &[MemoryState], finished: &'f Finished) -> Vec<Option<&'f Buffer>> {
    let mut buffers = finished.buffers.iter();
    let mut images = finished.images.iter();
    let of = |memory: &MemoryState| match memory.sides {
        Some(_) => images.next().map(|image| &image.bytes),
        None => buffers.next(),
    };
    memories.iter().map(of).collect()
}

/// The source's final content allows the target's, scalar by scalar.
pub(crate) fn agree(memories: &[MemoryState], source: &Finished, target: &Finished) -> bool {
    let both = left(memories, source).into_iter().zip(left(memories, target));
    memories.iter().zip(both).all(|(memory, both)| {
        let (Some(source), Some(target)) = both else { return false };
        let mut pairs = memory.scalars_of(source).into_iter().zip(memory.scalars_of(target));
        pairs.all(|(expected, found)| expected.is_none() || expected == found)
    })
}

/// All final scalars of a run, memory by memory.
pub(crate) fn scalars_left(
    memories: &[MemoryState],
    finished: &Finished,
) -> Vec<(Scalar, Option<u64>)> {
    let of = |(memory, left): (&MemoryState, Option<&Buffer>)| {
        let scalars = left.map(|left| memory.scalars_of(left)).unwrap_or_default();
        scalars.into_iter().map(|bits| (memory.scalar, bits)).collect::<Vec<_>>()
    };
    memories.iter().zip(left(memories, finished)).flat_map(of).collect()
}

/// The scalars that some lane changed.
pub(crate) fn rows(
    memories: &[MemoryState],
    source: Option<&Finished>,
    target: Option<&Finished>,
    same: Option<&Finished>,
) -> Vec<MemoryRow> {
    let mut rows = Vec::new();
    for (number, memory) in memories.iter().enumerate() {
        let left = |finished: Option<&Finished>| {
            let bytes = finished.and_then(|it| *left(memories, it).get(number)?);
            bytes.map(|it| memory.scalars_of(it))
        };
        let (source, target, same) = (left(source), left(target), left(same));
        for (index, &before) in memory.scalars.iter().enumerate() {
            let at = |left: &Option<Vec<Option<u64>>>| left.as_ref().map(|left| left[index]);
            let (source, target, same) = (at(&source), at(&target), at(&same));
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
                    open: target.is_some() && same.is_some_and(|it| Some(it) != target),
                });
            }
        }
    }
    rows
}
