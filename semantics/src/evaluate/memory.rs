//! Memory of the evaluator: buffers of scalars, images of words.

use std::collections::BTreeMap;

use super::Bits;
use crate::denote::MemoryPlace;
use crate::term::{Pool, Term};

/// What a pointer or image operand leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Scalars one after the other.
    Buffer {
        /// The address of the first one, in bytes.
        address: u64,
        /// The scalars.
        elements: Vec<Bits>,
        /// For each existing lane the element that its pointer points to.
        pointers: Vec<u32>,
    },
    /// A two-dimensional image, whose rows begin at words.
    Image {
        /// Words of 32 bits in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The words, row by row.
        words: Vec<Bits>,
        /// Elements in a row.
        texels: u32,
        /// Bytes of an element: a power of two.
        texel_bytes: u32,
    },
}

/// A part of memory that is written as a whole: operand, and element of a buffer or byte of an
/// image.
pub(super) type Place = (usize, usize);

/// What was written, and by which lane.
pub(super) type Written = BTreeMap<Place, (Bits, u32)>;

impl Memory {
    /// Which element or word a lane names, if there is one.
    pub(super) fn index(&self, pool: &Pool, spot: MemoryPlace, lane: u32) -> Option<usize> {
        let number = |term: Term| pool.bits_of(term).and_then(|it| usize::try_from(it).ok());
        match (self, spot) {
            (Self::Buffer { elements, pointers, .. }, MemoryPlace::Element(past)) => {
                let first = *pointers.get(lane as usize)?;
                let index = first.wrapping_add(u32::try_from(number(past)?).ok()?) as usize;
                Some(index).filter(|&index| index < elements.len())
            }
            (Self::Image { .. }, MemoryPlace::Word { column, row }) => {
                self.word_index(number(column)?, number(row)?)
            }
            (Self::Image { .. }, MemoryPlace::Part { byte, row }) => {
                self.word_index(number(byte)? / 4, number(row)?)
            }
            _ => None,
        }
    }

    fn word_index(&self, column: usize, row: usize) -> Option<usize> {
        let Self::Image { width, height, .. } = *self else { return None };
        let inside = column < width as usize && row < height as usize;
        inside.then_some(row * width as usize + column)
    }

    /// The element or word of this index.
    pub(super) fn at(&self, index: usize) -> Bits {
        match self {
            Self::Buffer { elements: content, .. } | Self::Image { words: content, .. } => {
                content.get(index).copied().flatten()
            }
        }
    }

    /// Parts of this memory: those of the element of a buffer, or of `size` bytes of a word, as
    /// far as the word reaches.
    pub(super) fn parts(&self, index: usize, first: usize, size: usize, value: Bits) -> Parts {
        match self {
            Self::Buffer { .. } => vec![(index, value)],
            Self::Image { .. } => (0..size.min(4 - first.min(4)))
                .map(|byte| {
                    let bits = value.map(|value| value >> (8 * byte) & 0xff);
                    (index * 4 + first + byte, bits)
                })
                .collect(),
        }
    }

    /// Puts what was written to `target` in its place.
    pub(super) fn write(&mut self, target: usize, written: &Written) {
        let mine = written.range((target, 0)..(target + 1, 0));
        match self {
            Self::Buffer { elements, .. } => {
                for (&(_, index), &(value, _)) in mine {
                    elements[index] = value;
                }
            }
            Self::Image { words, .. } => {
                let mut bytes: BTreeMap<usize, [Option<Bits>; 4]> = BTreeMap::new();
                for (&(_, byte), &(value, _)) in mine {
                    bytes.entry(byte / 4).or_default()[byte % 4] = Some(value);
                }
                for (index, new) in bytes {
                    words[index] = with_bytes(words[index], new);
                }
            }
        }
    }
}

/// Elements or bytes, with what goes there.
pub(super) type Parts = Vec<(usize, Bits)>;

/// A word with some bytes replaced. A word with an undefined byte is undefined.
fn with_bytes(old: Bits, new: [Option<Bits>; 4]) -> Bits {
    new.iter().enumerate().try_fold(0, |word, (place, byte)| {
        let byte = match byte {
            Some(byte) => *byte,
            None => old.map(|old| old >> (8 * place) & 0xff),
        };
        byte.map(|byte| word | byte << (8 * place))
    })
}
