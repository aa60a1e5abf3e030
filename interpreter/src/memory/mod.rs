//! What pointers point to.

mod image;

use std::collections::BTreeSet;

use laneproof_module::{MemoryKind, Program};
use laneproof_semantics::Scalar;

use crate::fence::{Fence, Fences};
use crate::race::{Atomicity, Races};
use crate::shape::{Unit, scalar_size};
use crate::value::Value;
pub use image::Image;

/// The bytes of a buffer; `None` is a byte of an undefined value.
pub type Buffer = Vec<Option<u8>>;

/// A place in memory: an object and an offset into it, in the object's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Index of the object.
    pub object: usize,
    /// Leaves or bytes from its start.
    pub offset: u64,
}

/// A piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// Each lane of one subgroup has its own.
    Private(Value),
    /// Each lane of one subgroup has its own: a pointer; `None` is an undefined one.
    Pointers(Vec<Option<Address>>),
    /// One for the workgroup, leaf by leaf.
    Shared(Vec<Option<u64>>),
    /// One for all, byte by byte; `None` is a byte of an undefined value.
    Bytes(Buffer),
    /// An image: it has no addresses inside.
    Image(Image),
}

/// An access outside an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfBounds;

/// The memory that a barrier puts in order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Orders {
    pub workgroup: bool,
    pub buffers: bool,
    pub images: bool,
}

impl Orders {
    /// The memory that semantics name.
    pub fn named(semantics: u64, program: &Program) -> Self {
        let names = |kind: MemoryKind| semantics & kind.semantics(program) != 0;
        Self {
            workgroup: names(MemoryKind::Workgroup),
            buffers: names(MemoryKind::Buffers),
            images: names(MemoryKind::Images),
        }
    }
}

/// All objects of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    objects: Vec<Object>,
    /// Those that are memory of the workgroup, leaf by leaf or, where they are laid out, in bytes.
    of_workgroup: BTreeSet<usize>,
    /// Detects races, if that is requested.
    pub races: Option<Races>,
    /// What memory barriers order together with barriers.
    fences: Fences,
    /// What instructions other than those on atomic flags wrote, by object and offset, where there
    /// are such flags.
    modified: Option<BTreeSet<(usize, u64)>>,
}

impl Memory {
    /// No objects; watches races and what atomic flags depend on, if asked to.
    pub fn watched(races: bool, flags: bool) -> Self {
        Self {
            races: races.then(Races::default),
            modified: flags.then(BTreeSet::new),
            ..Self::default()
        }
    }

    /// The offsets of a scalar.
    fn offsets(&self, at: Address, scalar: Scalar) -> impl Iterator<Item = (usize, u64)> + use<> {
        let size = match self.unit(at.object) {
            Unit::Byte => scalar_size(scalar),
            Unit::Leaf => 1,
        };
        (0..size).map(move |past| (at.object, at.offset.saturating_add(past)))
    }

    /// An instruction that is not one on atomic flags wrote a scalar; or, when that is undone, none
    /// did.
    pub fn note_modified(&mut self, at: Address, scalar: Scalar, modified: bool) {
        let offsets = self.offsets(at, scalar);
        if let Some(all) = &mut self.modified {
            match modified {
                true => all.extend(offsets),
                false => offsets.for_each(|offset| _ = all.remove(&offset)),
            }
        }
    }

    /// Whether such an instruction wrote a scalar, or a part of it.
    pub fn was_modified(&self, at: Address, scalar: Scalar) -> bool {
        let all = self.modified.as_ref();
        all.is_some_and(|all| self.offsets(at, scalar).any(|offset| all.contains(&offset)))
    }

    /// Adds an object; its index.
    pub fn add(&mut self, object: Object) -> usize {
        self.objects.push(object);
        self.objects.len() - 1
    }

    /// Adds an object of the workgroup's memory; its index.
    pub fn add_of_workgroup(&mut self, object: Object) -> usize {
        let index = self.add(object);
        self.of_workgroup.insert(index);
        index
    }

    /// An object is part of the workgroup's memory.
    pub fn is_of_workgroup(&mut self, object: usize) {
        self.of_workgroup.insert(object);
    }

    /// The same objects with the same in them.
    pub fn same_as(&self, other: &Self) -> bool {
        self.objects == other.objects && self.modified == other.modified
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Forgets the objects from `len` on: the variables of a function that has returned.
    pub fn truncate(&mut self, len: usize) {
        self.objects.truncate(len);
    }

    /// The object of this index.
    pub fn object(&self, index: usize) -> Option<&Object> {
        self.objects.get(index)
    }

    /// The image of this index, if it is one.
    pub fn image(&self, index: usize) -> Option<&Image> {
        match self.objects.get(index) {
            Some(Object::Image(image)) => Some(image),
            _ => None,
        }
    }

    /// An object, to write to it.
    pub fn object_mut(&mut self, index: usize) -> Option<&mut Object> {
        self.objects.get_mut(index)
    }

    /// What offsets into the object count.
    pub fn unit(&self, object: usize) -> Unit {
        match self.objects.get(object) {
            Some(Object::Bytes(_)) => Unit::Byte,
            _ => Unit::Leaf,
        }
    }

    /// How the accesses that follow touch memory.
    pub fn touch_by(&self, atomicity: Atomicity) {
        if let Some(races) = &self.races {
            races.touch_by(atomicity);
        }
    }

    /// Which subgroup the accesses that follow are of.
    pub fn enter(&self, group: usize) {
        if let Some(races) = &self.races {
            races.enter(group);
        }
    }

    /// Every lane of the workgroup, or of one subgroup, has passed a barrier.
    pub fn barrier(&self, group: Option<usize>, orders: Orders) {
        if let Some(races) = &self.races {
            let orders = [orders.workgroup, orders.buffers, orders.images];
            races.barrier(group, |object| orders[self.kind_of(object)]);
        }
    }

    /// All lanes of all subgroups have waited for each other.
    pub fn wait(&self, groups: u128) {
        self.fences.wait(groups);
    }

    /// All lanes of a subgroup have executed a memory barrier; `groups` are all subgroups.
    pub fn fence(&self, fence: Fence, group: usize, groups: u128, orders: Orders) {
        let kinds = [orders.workgroup, orders.buffers, orders.images];
        let [workgroup, buffers, images] = self.fences.fence(fence, group, groups, kinds);
        if workgroup || buffers || images {
            self.barrier(None, Orders { workgroup, buffers, images });
        }
    }

    /// Memory of the workgroup, a buffer, an image.
    fn kind_of(&self, object: usize) -> usize {
        match self.objects.get(object) {
            _ if self.of_workgroup.contains(&object) => 0,
            Some(Object::Image(_)) => 2,
            _ => 1,
        }
    }

    /// A lane reads a byte of an image, or writes it.
    pub fn touch_image(&self, object: usize, byte: usize, lane: u32, writes: bool) {
        if let Some(races) = &self.races {
            self.fences.touch(self.kind_of(object));
            races.note(object, byte as u64, lane, writes);
        }
    }

    fn note(&self, at: Address, lane: u32, writes: bool) {
        if let (Some(races), Some(Object::Shared(_) | Object::Bytes(_))) =
            (&self.races, self.objects.get(at.object))
        {
            self.fences.touch(self.kind_of(at.object));
            races.note(at.object, at.offset, lane, writes);
        }
    }

    /// One scalar, as `lane` sees it.
    pub fn read(&self, at: Address, scalar: Scalar, lane: u32) -> Result<Option<u64>, OutOfBounds> {
        self.note(at, lane, false);
        let offset = usize::try_from(at.offset).map_err(|_| OutOfBounds)?;
        match self.objects.get(at.object).ok_or(OutOfBounds)? {
            Object::Private(value) if offset < value.leaves() => Ok(value.get(offset, lane)),
            Object::Shared(leaves) => leaves.get(offset).copied().ok_or(OutOfBounds),
            Object::Bytes(bytes) => {
                let end = offset.checked_add(scalar_size(scalar) as usize).ok_or(OutOfBounds)?;
                let bytes = bytes.get(offset..end).ok_or(OutOfBounds)?;
                let read = bytes
                    .iter()
                    .rev()
                    .try_fold(0u64, |bits, byte| byte.map(|byte| bits << 8 | u64::from(byte)));
                Ok(read.map(|bits| match scalar {
                    Scalar::Bool => u64::from(bits != 0),
                    _ => bits,
                }))
            }
            Object::Private(_) | Object::Pointers(_) | Object::Image(_) => Err(OutOfBounds),
        }
    }

    /// Writes one scalar for `lane`.
    pub fn write(
        &mut self,
        at: Address,
        scalar: Scalar,
        lane: u32,
        value: Option<u64>,
    ) -> Result<(), OutOfBounds> {
        self.note(at, lane, true);
        let offset = usize::try_from(at.offset).map_err(|_| OutOfBounds)?;
        match self.objects.get_mut(at.object).ok_or(OutOfBounds)? {
            Object::Private(object) if offset < object.leaves() => {
                object.set(offset, lane, value);
            }
            Object::Shared(leaves) => *leaves.get_mut(offset).ok_or(OutOfBounds)? = value,
            Object::Bytes(bytes) => {
                let end = offset.checked_add(scalar_size(scalar) as usize).ok_or(OutOfBounds)?;
                let place = bytes.get_mut(offset..end).ok_or(OutOfBounds)?;
                for (index, byte) in place.iter_mut().enumerate() {
                    *byte = value.map(|bits| (bits >> (8 * index)) as u8);
                }
            }
            Object::Private(_) | Object::Pointers(_) | Object::Image(_) => {
                return Err(OutOfBounds);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_orders_workgroup_memory_however_it_is_laid_out() {
        let bytes = || Object::Bytes(vec![None; 4]);
        let orders = Orders { workgroup: true, ..Orders::default() };
        for (of_workgroup, races) in [(true, 0), (false, 0b11)] {
            let mut memory = Memory::watched(true, false);
            let object = match of_workgroup {
                true => memory.add_of_workgroup(bytes()),
                false => memory.add(bytes()),
            };
            let at = Address { object, offset: 0 };
            memory.note(at, 0, true);
            memory.barrier(None, orders);
            memory.note(at, 1, false);
            assert_eq!(memory.races.unwrap().found(), races);
        }
    }
}
