//! Addresses and sizes of memory, as a part of the state.

use laneproof_semantics::denote::{Argument, Group, Texels};
use laneproof_semantics::term::{Binary, Sort, Term};

use super::SymbolicGroup;
use super::content::PointedBuffer;

/// Elements of a buffer, and of a row of an image, at most: few are enough to be outside of.
const MOST_ELEMENTS: u128 = 1 << 10;
/// The most rows of an image whose elements are used.
const MOST_ROWS: u128 = 1 << 6;
/// Where a buffer begins: below this, which alignments divide.
const ADDRESSES: u128 = 1 << 8;
/// The bytes that an element of an image may have.
const TEXEL_BYTES: [u128; 5] = [1, 2, 4, 8, 16];

impl SymbolicGroup<'_> {
    /// What a pointer operand leads to.
    pub fn buffer(&mut self, target: usize) -> PointedBuffer {
        let pool = &mut self.pool;
        *self.memory.buffers.entry(target).or_insert_with(|| {
            let [base, length] = ["base", "length"]
                .map(|what| pool.fresh(format!("{what}.{target}"), Sort::Bits(32)));
            PointedBuffer { base, length }
        })
    }

    /// The number of the element that a pointer operand points to.
    pub fn pointer(&mut self, target: usize, lane: Term) -> Term {
        let pointer = self.named(format!("pointer.{target}"), Sort::Bits(32));
        self.pool.apply(pointer, lane)
    }

    /// The address that a pointer operand is, in bytes.
    pub fn address(&mut self, target: usize, lane: Term) -> Term {
        let PointedBuffer { base, .. } = self.buffer(target);
        let first = self.pointer(target, lane);
        let bytes = self.pointee(target).map_or(4, |scalar| scalar.width() / 8);
        let pool = &mut self.pool;
        let bytes = pool.bits(u128::from(bytes), 32);
        let past = pool.binary(Binary::Mul, first, bytes);
        pool.add(base, past)
    }

    /// The elements of an image operand. Its rows begin at words.
    pub fn elements_of_image(&mut self, target: usize) -> Texels {
        if let Some(known) = self.memory.texels.get(&target) {
            return *known;
        }
        let pool = &mut self.pool;
        let [row, bytes] = ["texels", "texel.bytes"]
            .map(|what| pool.fresh(format!("{what}.{target}"), Sort::Bits(32)));
        let mut row_bytes = row;
        for size in TEXEL_BYTES {
            let (number, amount) = (pool.bits(size, 32), pool.bits(size.ilog2().into(), 32));
            let here = pool.equal(bytes, number);
            let whole = pool.binary(Binary::ShiftLeft, row, amount);
            row_bytes = pool.ite(here, whole, row_bytes);
        }
        let texels = Texels { row, bytes, row_bytes };
        self.memory.texels.insert(target, texels);
        texels
    }

    /// Sizes that memory has, and pointers into it.
    pub(super) fn some_memory(&mut self) -> Vec<Term> {
        let mut facts = Vec::new();
        let buffers: Vec<_> =
            self.memory.buffers.iter().map(|(&target, &buffer)| (target, buffer)).collect();
        for (target, PointedBuffer { base, length }) in buffers {
            for lane in 0..self.sizes.bound {
                let lane = self.pool.bits(u128::from(lane), 32);
                let first = self.pointer(target, lane);
                facts.push(self.pool.less(first, length));
            }
            facts.push(self.at_most(length, MOST_ELEMENTS));
            facts.push(self.at_most(base, ADDRESSES - 1));
        }
        let texels: Vec<_> =
            self.memory.texels.iter().map(|(&target, &texels)| (target, texels)).collect();
        for (target, Texels { row, bytes, row_bytes }) in texels {
            let pool = &mut self.pool;
            let sizes = TEXEL_BYTES.map(|size| {
                let size = pool.bits(size, 32);
                pool.equal(bytes, size)
            });
            let none = pool.bits(0, 32);
            facts.extend([pool.any(sizes), pool.less(none, row)]);
            facts.push(self.at_most(row, MOST_ELEMENTS));
            if let Some(&(width, height)) = self.memory.extents.get(&target) {
                let pool = &mut self.pool;
                let [three, two] = [3, 2].map(|number| pool.bits(number, 32));
                let up = pool.add(row_bytes, three);
                let words = pool.binary(Binary::ShiftRight, up, two);
                facts.push(pool.equal(width, words));
                facts.push(self.at_most(height, MOST_ROWS));
            }
        }
        facts
    }

    /// All that states have of memory, asked about or not.
    pub fn all_memory(&mut self) {
        for (target, argument) in self.instance.arguments.iter().enumerate() {
            match argument {
                Argument::Pointer(_) => {
                    self.buffer(target);
                    self.named(format!("pointer.{target}"), Sort::Bits(32));
                }
                Argument::Image => {
                    // The size of an image that is unknown is always known as terms.
                    let _ = self.extent(target);
                    self.elements_of_image(target);
                }
                _ => {}
            }
        }
    }

    fn at_most(&mut self, term: Term, most: u128) -> Term {
        let most = self.pool.bits(most, 32);
        self.pool.less_equal(term, most)
    }
}
