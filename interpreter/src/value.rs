//! One value in every lane of a subgroup, stored leaf by leaf.

use crate::lane::{LaneValue, below, lanes};

/// The leaves of a value in all lanes: leaf-major, with one set of lanes for each leaf
/// that says where it is an undefined value. What is the same in all lanes may be stored once.
/// It may have room for more lanes than the subgroup that reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    lanes: usize,
    /// How far apart two neighbouring lanes are in `bits`: 1, or 0 where all lanes share.
    stride: usize,
    bits: Vec<u64>,
    undefined: Vec<u128>,
}

impl Value {
    /// A value of `leaves` scalars that is undefined in all `lanes`.
    pub fn undefined(leaves: usize, lanes: u32) -> Self {
        let lanes = lanes as usize;
        let undefined = vec![u128::MAX; leaves];
        Self { lanes, stride: 1, bits: vec![0; leaves * lanes], undefined }
    }

    /// The same leaves in all lanes.
    pub fn same(leaves: &[Option<u64>], lanes: u32) -> Self {
        let undefined = leaves.iter().map(|leaf| if leaf.is_some() { 0 } else { u128::MAX });
        Self {
            lanes: lanes as usize,
            stride: 0,
            bits: leaves.iter().map(|leaf| leaf.unwrap_or_default()).collect(),
            undefined: undefined.collect(),
        }
    }

    /// How much room it takes: one for each scalar that is stored.
    pub fn cells(&self) -> usize {
        self.bits.len()
    }

    /// How many scalars it has.
    pub fn leaves(&self) -> usize {
        self.undefined.len()
    }

    fn index(&self, leaf: usize, lane: u32) -> usize {
        if self.stride == 0 { leaf } else { leaf * self.lanes + lane as usize }
    }

    /// A leaf in a lane; `None` is an undefined value.
    pub fn get(&self, leaf: usize, lane: u32) -> Option<u64> {
        let defined = self.undefined.get(leaf)? >> lane & 1 == 0;
        if defined { self.bits.get(self.index(leaf, lane)).copied() } else { None }
    }

    /// The bits of a leaf in a lane where it is known to be defined.
    pub fn bits(&self, leaf: usize, lane: u32) -> u64 {
        self.bits.get(self.index(leaf, lane)).copied().unwrap_or_default()
    }

    /// The lanes in which a leaf is undefined.
    pub fn undefined_in(&self, leaf: usize) -> u128 {
        self.undefined.get(leaf).copied().unwrap_or(u128::MAX)
    }

    /// Sets a leaf in a lane. One that the value does not have is left out: only a module that
    /// the validator rejects asks for it.
    pub fn set(&mut self, leaf: usize, lane: u32, value: Option<u64>) {
        self.spread();
        let index = self.index(leaf, lane);
        let place = (self.undefined.get_mut(leaf), self.bits.get_mut(index));
        let (Some(undefined), Some(place)) = place else { return };
        match value {
            Some(bits) => {
                *undefined &= !(1 << lane);
                *place = bits;
            }
            None => *undefined |= 1 << lane,
        }
    }

    /// Gives every lane a copy of its own.
    pub fn spread(&mut self) {
        if self.stride == 0 {
            let copies = |bits: &u64| std::iter::repeat_n(*bits, self.lanes);
            self.bits = self.bits.iter().flat_map(copies).collect();
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
        let start = leaf * self.lanes;
        if self.stride == 0 { None } else { self.bits.get(start..start + self.lanes) }
    }

    /// A leaf lane by lane, and the set of lanes in which it is undefined, to be written.
    pub fn row_mut(&mut self, leaf: usize) -> Option<(&mut [u64], &mut u128)> {
        self.spread();
        let start = leaf * self.lanes;
        let row = self.bits.get_mut(start..start + self.lanes)?;
        Some((row, self.undefined.get_mut(leaf)?))
    }

    /// Takes over what `from` holds in the lanes of `set`.
    pub fn copy_lanes(&mut self, from: &Value, set: u128) {
        for leaf in 0..self.leaves() {
            let marks = from.undefined_in(leaf);
            let (Some((to, undefined)), Some(from)) = (self.row_mut(leaf), from.row(leaf)) else {
                lanes(set).for_each(|lane| self.set(leaf, lane, from.get(leaf, lane)));
                continue;
            };
            *undefined = *undefined & !set | marks & set;
            if set == below(to.len() as u32) && from.len() >= to.len() {
                to.copy_from_slice(&from[..to.len()]);
            } else {
                lanes(set).map(|lane| lane as usize).for_each(|lane| to[lane] = from[lane]);
            }
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
