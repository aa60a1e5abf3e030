//! Images as memory: rows of scalars of one, two or four bytes.
//!
//! The number of a scalar is its row in the upper 16 bits and its position in the row in the lower
//! 16 bits, so that no number depends on the size of the image. A scalar is as wide as the
//! narrowest write of both sides. So every write covers whole scalars, and a read of any byte of a
//! scalar sees every write to it.

use laneproof_lower::{RegionKind, StepId, scalar_bytes};
use laneproof_semantics::denote::{DenoteError, Leaf, MemoryPlace, Read};
use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use crate::encoder::Encoder;
use crate::encoder::memory::{GivenMemory, MemoryExtent};

/// Bits of a row's number, and of a position in a row.
const SIDE: u32 = 16;
/// Words in a row, and rows, at most: their numbers fit, in bytes too.
pub const MOST_WORDS: u128 = 1 << 14;
/// Rows of an image, at most.
pub const MOST_ROWS: u128 = 1 << 16;

/// A scalar of an image that a lane accesses.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its number, 32 bits.
    pub at: Term,
    /// Some byte of it is used.
    pub matters: Term,
    /// Its lowest bit in the value that is read or written.
    pub low: u32,
    /// Bits of the piece.
    pub width: u32,
}

impl GivenMemory {
    /// There is a scalar of this number.
    pub fn holds(&self, pool: &mut Pool, at: Term) -> Term {
        let MemoryExtent::Plane { width, height } = self.extent else {
            let MemoryExtent::Line(length) = self.extent else { return pool.bool(false) };
            return pool.less(at, length);
        };
        let (place, row) = (pool.extract(at, SIDE - 1, 0), pool.extract(at, 2 * SIDE - 1, SIDE));
        let [place, row] = [place, row].map(|it| pool.zero_extend(it, 32));
        // Which word that is.
        let word = (scalar_bytes(self.scalar).trailing_zeros()..2).fold(place, |place, _| {
            let half = pool.extract(place, 31, 1);
            pool.zero_extend(half, 32)
        });
        let [inside, above] = [pool.less(word, width), pool.less(row, height)];
        pool.and(inside, above)
    }
}

impl Encoder<'_, '_, '_> {
    /// The region of an operand that is an image.
    pub fn image_of(&self, step: StepId, target: usize) -> Option<usize> {
        let flat = self.side.flat;
        let region = flat.step(step).pointers.get(target)?.as_ref()?.region;
        matches!(flat.memory.regions[region].kind, RegionKind::Image(_)).then_some(region)
    }

    /// Words in a row, and rows.
    pub fn extent(&mut self, step: StepId, target: usize) -> Result<(Term, Term), DenoteError> {
        let region = self.image_of(step, target);
        let kind = region.map(|region| self.side.flat.memory.regions[region].kind);
        match kind.and_then(|kind| self.world.entry.memories.get(&kind)).map(|memory| memory.extent)
        {
            Some(MemoryExtent::Plane { width, height }) => Ok((width, height)),
            _ => Err(DenoteError::NotModelled("the size of no image".into())),
        }
    }

    /// A spot lies outside of the image.
    pub fn outside_image(&mut self, region: usize, spot: MemoryPlace) -> Result<Term, DenoteError> {
        let kind = self.side.flat.memory.regions[region].kind;
        let extent = self.world.entry.memories.get(&kind).map(|memory| memory.extent);
        let Some(MemoryExtent::Plane { width, height }) = extent else {
            return Err(no_such_place());
        };
        let pool = &mut *self.pool;
        let (column, row) = match spot {
            MemoryPlace::Word { column, row } => (column, row),
            MemoryPlace::Part { byte, row } => {
                let word = pool.extract(byte, 31, 2);
                (pool.zero_extend(word, 32), row)
            }
            MemoryPlace::Element(_) => return Err(no_such_place()),
        };
        let [inside, above] = [pool.less(column, width), pool.less(row, height)];
        let inside = pool.and(inside, above);
        Ok(pool.not(inside))
    }

    /// The scalars of a spot, if it is in bounds; for a write, those that it fills.
    pub fn pieces(
        &mut self,
        region: usize,
        read: &Read,
        written: Option<Leaf>,
    ) -> Result<Vec<Piece>, DenoteError> {
        let unit = scalar_bytes(self.scalar_of(region)?) as u32;
        let pool = &mut *self.pool;
        let (first, row, bytes) = match read.spot {
            MemoryPlace::Word { column, row } => {
                let scalars = pool.bits(u128::from(4 / unit), 32);
                let first = pool.binary(Binary::Mul, column, scalars);
                (first, row, 4)
            }
            MemoryPlace::Part { byte, row } => {
                let low = unit.trailing_zeros();
                let scalar = pool.extract(byte, 31, low);
                let width = written.map_or(8, |leaf| pool.width(leaf.bits));
                (pool.zero_extend(scalar, 32), row, width / 8)
            }
            MemoryPlace::Element(_) => return Err(no_such_place()),
        };
        let row = pool.extract(row, SIDE - 1, 0);
        let mut pieces = Vec::new();
        for number in 0..bytes / unit {
            let past = pool.bits(u128::from(number), 32);
            let place = pool.add(first, past);
            let place = pool.extract(place, SIDE - 1, 0);
            let of = |bytes: [Term; 4]| {
                let range = number * unit..(number + 1) * unit;
                range.map(|byte| bytes[byte as usize % 4]).collect::<Vec<_>>()
            };
            let matters = match read.bytes {
                Some(bytes) => pool.any(of(bytes)),
                None => pool.bool(true),
            };
            let (low, width) = (8 * unit * number, 8 * unit);
            pieces.push(Piece { at: pool.concat(row, place), matters, low, width });
        }
        Ok(pieces)
    }

    /// The bits of a leaf that go to one scalar.
    pub fn slice(&mut self, leaf: Leaf, low: u32, width: u32) -> Result<Leaf, DenoteError> {
        match self.pool.sort(leaf.bits) {
            Sort::Tag if width == 32 => Ok(leaf),
            Sort::Bits(whole) if whole == width => Ok(leaf),
            Sort::Tag => Err(DenoteError::NotMovement(self.pool.tag_sources(leaf.bits))),
            _ => Ok(Leaf { bits: self.pool.extract(leaf.bits, low + width - 1, low), ..leaf }),
        }
    }

    /// Scalars as one value, the lowest bits first. It is undefined if a part that is used is
    /// undefined.
    pub fn joined(&mut self, parts: &[(Piece, Leaf)]) -> Result<Leaf, DenoteError> {
        let pool = &mut *self.pool;
        let mut whole: Option<Leaf> = None;
        for &(piece, leaf) in parts {
            let undefined = pool.and(piece.matters, leaf.undefined);
            let Some(lower) = whole else {
                whole = Some(Leaf { undefined, ..leaf });
                continue;
            };
            for bits in [lower.bits, leaf.bits] {
                if pool.sort(bits) == Sort::Tag {
                    return Err(DenoteError::NotMovement(pool.tag_sources(bits)));
                }
            }
            whole = Some(Leaf {
                bits: pool.concat(leaf.bits, lower.bits),
                undefined: pool.or(lower.undefined, undefined),
            });
        }
        whole.ok_or_else(no_such_place)
    }
}

fn no_such_place() -> DenoteError {
    DenoteError::NotModelled("such a place in an image".into())
}
