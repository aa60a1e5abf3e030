//! One execution of a function: what its `<id>`s hold, and where its lanes are.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use laneproof_module::{Id, Type};

use crate::lane::lanes;
use crate::memory::Address;
use crate::value::Value;

/// What an `<id>` holds in the lanes of a subgroup.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// Plain data.
    Data(Rc<Value>),
    /// A pointer in each lane; `None` is an undefined one.
    Pointer(Vec<Option<Address>>),
}

impl Slot {
    /// How much room it takes.
    pub fn cells(&self) -> usize {
        match self {
            Slot::Data(value) => value.cells(),
            Slot::Pointer(pointers) => pointers.len(),
        }
    }

    /// Takes over what `from` holds in the lanes of `set`.
    pub fn copy_lanes(&mut self, from: &Slot, set: u128) {
        match (self, from) {
            (Slot::Data(to), Slot::Data(from)) => Rc::make_mut(to).copy_lanes(from, set),
            (Slot::Pointer(to), Slot::Pointer(from)) => {
                for lane in lanes(set) {
                    to[lane as usize] = from[lane as usize];
                }
            }
            // An `<id>` has one type, so it never changes between the two.
            (to, from) => *to = from.clone(),
        }
    }
}

/// A slot with its type.
#[derive(Clone, Debug)]
pub(crate) struct Register<'p> {
    /// The declared type.
    pub ty: &'p Type,
    /// What it holds.
    pub slot: Slot,
}

/// Hashes `<id>`s: they are small and dense, one multiplication spreads them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, id: u32) {
        self.0 = (self.0.rotate_left(29) ^ u64::from(id)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A map by `<id>`.
pub(crate) type IdMap<T> = HashMap<Id, T, BuildHasherDefault<IdHasher>>;

/// What one subgroup holds in a function's execution.
#[derive(Clone, Debug)]
pub(crate) struct GroupFrame<'p> {
    /// Results and parameters. A lane keeps what it last computed.
    pub registers: IdMap<Register<'p>>,
    /// The block that each lane comes from, for `OpPhi`.
    pub came_from: Vec<Id>,
    /// Lanes that wait at a block, by its label.
    pub waiting: IdMap<u128>,
    /// Lanes that have returned.
    pub returned: u128,
    /// What they returned.
    pub result: Option<Slot>,
}

/// One execution of a function by all subgroups of a workgroup.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'p> {
    /// By subgroup.
    pub groups: Vec<GroupFrame<'p>>,
}

impl<'p> Frame<'p> {
    /// A frame in which nothing has happened yet; `lanes` is the number in each subgroup.
    pub fn new(lanes: impl Iterator<Item = u32>) -> Self {
        let groups = lanes
            .map(|lanes| GroupFrame {
                registers: IdMap::default(),
                came_from: vec![0; lanes as usize],
                waiting: IdMap::default(),
                returned: 0,
                result: None,
            })
            .collect();
        Self { groups }
    }
}
