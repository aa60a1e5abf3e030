//! One value in every lane of a subgroup, stored leaf by leaf.

use crate::lane::{LaneValue, below, lanes};

/// The leaves of a value in all lanes: leaf-major, with one set of lanes for each leaf
/// that says where it is an undefined value. What is the same in all lanes may be stored once.
/// It may have room for more lanes than the subgroup that reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    lanes: usize,
    leaves: usize,
    /// How far apart two neighbouring lanes are: 1, or 0 where all lanes share.
    stride: usize,
    /// The bits of all leaves, then two words for each leaf that are its set of lanes: one
    /// allocation, as a value is made for almost every instruction.
    words: Vec<u64>,
}

impl Value {
    /// A value of `leaves` scalars that is undefined in all `lanes`.
    pub fn undefined(leaves: usize, lanes: u32) -> Self {
        let lanes = lanes as usize;
        let mut words = vec![0; leaves * (lanes + 2)];
        words[leaves * lanes..].fill(u64::MAX);
        Self { lanes, leaves, stride: 1, words }
    }

    /// The same leaves in all lanes.
    pub fn same(leaves: &[Option<u64>], lanes: u32) -> Self {
        let marks = leaves.iter().map(|leaf| if leaf.is_some() { 0 } else { u64::MAX });
        Self {
            lanes: lanes as usize,
            leaves: leaves.len(),
            stride: 0,
            words: leaves
                .iter()
                .map(|leaf| leaf.unwrap_or_default())
                .chain(marks.flat_map(|mark| [mark, mark]))
                .collect(),
        }
    }

    /// How much room it takes: one for each scalar that is stored.
    pub fn cells(&self) -> usize {
        if self.stride == 0 { self.leaves } else { self.leaves * self.lanes }
    }

    /// How many scalars it has.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    fn index(&self, leaf: usize, lane: u32) -> usize {
        if self.stride == 0 { leaf } else { leaf * self.lanes + lane as usize }
    }

    /// A leaf in a lane; `None` is an undefined value.
    pub fn get(&self, leaf: usize, lane: u32) -> Option<u64> {
        let defined = self.undefined_in(leaf) >> lane & 1 == 0;
        if defined { self.words.get(self.index(leaf, lane)).copied() } else { None }
    }

    /// The bits of a leaf in a lane where it is known to be defined.
    pub fn bits(&self, leaf: usize, lane: u32) -> u64 {
        if leaf >= self.leaves {
            return 0;
        }
        self.words.get(self.index(leaf, lane)).copied().unwrap_or_default()
    }

    /// The lanes in which a leaf is undefined.
    pub fn undefined_in(&self, leaf: usize) -> u128 {
        let at = self.cells() + 2 * leaf;
        match self.words.get(at..at + 2) {
            Some([low, high]) => u128::from(*high) << 64 | u128::from(*low),
            _ => u128::MAX,
        }
    }

    /// Says in which of the lanes of `set` a leaf is undefined.
    pub fn mark(&mut self, leaf: usize, set: u128, undefined: u128) {
        let at = self.cells() + 2 * leaf;
        let marks = self.undefined_in(leaf) & !set | undefined & set;
        if let Some([low, high]) = self.words.get_mut(at..at + 2) {
            (*low, *high) = (marks as u64, (marks >> 64) as u64);
        }
    }

    /// Sets a leaf in a lane. A leaf that the value does not have is ignored: only an invalid
    /// module has one.
    pub fn set(&mut self, leaf: usize, lane: u32, value: Option<u64>) {
        if leaf >= self.leaves {
            return;
        }
        self.spread();
        if let Some(bits) = value {
            let index = self.index(leaf, lane);
            self.words[index] = bits;
        }
        self.mark(leaf, 1 << lane, if value.is_some() { 0 } else { u128::MAX });
    }

    /// Gives every lane a copy of its own.
    pub fn spread(&mut self) {
        if self.stride == 0 {
            let (bits, marks) = self.words.split_at(self.leaves);
            let copies = bits.iter().flat_map(|bits| std::iter::repeat_n(*bits, self.lanes));
            self.words = copies.chain(marks.iter().copied()).collect();
            self.stride = 1;
        }
    }

    /// True for a value of `leaves` scalars with room for exactly `lanes` lanes of their own.
    pub fn has_shape(&self, leaves: usize, lanes: u32) -> bool {
        self.stride == 1 && self.lanes == lanes as usize && self.leaves() == leaves
    }

    /// A leaf lane by lane, where every lane has a copy of its own; the bits of lanes in which
    /// it is undefined mean nothing.
    pub fn row(&self, leaf: usize) -> Option<&[u64]> {
        if self.stride == 0 || leaf >= self.leaves {
            return None;
        }
        self.words.get(leaf * self.lanes..(leaf + 1) * self.lanes)
    }

    /// A leaf lane by lane, to be written; [`Value::mark`] says where it is undefined.
    pub fn row_mut(&mut self, leaf: usize) -> Option<&mut [u64]> {
        self.spread();
        if leaf >= self.leaves {
            return None;
        }
        self.words.get_mut(leaf * self.lanes..(leaf + 1) * self.lanes)
    }

    /// Takes over what `from` holds in the lanes of `set`.
    pub fn copy_lanes(&mut self, from: &Value, set: u128) {
        for leaf in 0..self.leaves() {
            let (Some(to), Some(row)) = (self.row_mut(leaf), from.row(leaf)) else {
                lanes(set).for_each(|lane| self.set(leaf, lane, from.get(leaf, lane)));
                continue;
            };
            if set == below(to.len() as u32) && row.len() >= to.len() {
                to.copy_from_slice(&row[..to.len()]);
            } else {
                lanes(set).map(|lane| lane as usize).for_each(|lane| to[lane] = row[lane]);
            }
            self.mark(leaf, set, from.undefined_in(leaf));
        }
    }

    /// All leaves of one lane.
    pub fn lane(&self, lane: u32) -> LaneValue {
        LaneValue((0..self.leaves()).map(|leaf| self.get(leaf, lane)).collect())
    }

    /// Sets all leaves of one lane. Missing ones become undefined.
    pub fn set_lane(&mut self, lane: u32, value: &LaneValue) {
        for leaf in 0..self.leaves() {
            self.set(leaf, lane, value.0.get(leaf).copied().flatten());
        }
    }
}
