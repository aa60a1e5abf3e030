//! What orders accesses to memory: barriers, and the operands of atomics that might.

use laneproof_module::{Id, Operand, Place};

use super::build::Builder;
use super::memory::unmodelled;
use super::{ActivityId, Event, Unmodelled};

/// The scope of a workgroup.
const WHOLE: u64 = 2;
/// The scope of a subgroup.
const SUBGROUP: u64 = 3;
/// Memory semantics that order other accesses.
const ORDERING: u64 = 0x2 | 0x4 | 0x8 | 0x10;
/// Acquire and release at once, or sequentially consistent.
const BOTH_WAYS: u64 = 0x8 | 0x10;
/// Uniform and cross-workgroup memory.
const BUFFERS: u64 = 0x40 | 0x200;
/// Workgroup memory.
const WORKGROUP: u64 = 0x100;
/// Images.
const IMAGES: u64 = 0x800;
/// A volatile atomic.
const VOLATILE: u64 = 0x8000;

impl Builder<'_> {
    /// `OpControlBarrier` that all lanes reach.
    pub(super) fn barrier(
        &mut self,
        ids: &[Id],
        activity: ActivityId,
        place: Place,
    ) -> Result<(), Unmodelled> {
        let numbers: Vec<Option<u64>> = ids.iter().map(|&id| self.fixed(id)).collect();
        let [Some(execution), Some(memory), Some(semantics)] = numbers[..] else {
            return Err(unmodelled("such a barrier", place));
        };
        if activity != self.entry {
            return Err(unmodelled("a barrier that some lanes may not reach", place));
        }
        self.flat.barrier_apart |= !self.together;
        // Workgroup, subgroup; device, workgroup, subgroup, queue family.
        if !matches!(execution, WHOLE | SUBGROUP) || !matches!(memory, 1 | WHOLE | SUBGROUP | 5) {
            return Err(unmodelled("a barrier of this scope", place));
        }
        if execution == WHOLE {
            self.flat.events.push(Event::Gathered(activity));
        }
        if semantics & BOTH_WAYS != 0 {
            let between_subgroups = execution == WHOLE && memory != SUBGROUP;
            for (kind, storage) in [BUFFERS, WORKGROUP, IMAGES].into_iter().enumerate() {
                let orders = u32::from(semantics & storage != 0);
                self.flat.epochs.of_subgroup[kind] += orders;
                self.flat.epochs.of_workgroup[kind] += orders * u32::from(between_subgroups);
            }
        }
        Ok(())
    }

    /// What an instruction of the specification says of memory besides its clauses.
    pub(super) fn memory_operands(
        &mut self,
        operands: &[Operand],
        place: Place,
    ) -> Result<(), Unmodelled> {
        for operand in operands {
            match operand {
                Operand::IdMemorySemantics(id) => {
                    let semantics = self.fixed(*id);
                    let semantics = semantics.filter(|it| it & VOLATILE == 0);
                    let semantics = semantics.ok_or_else(|| unmodelled("such an atomic", place))?;
                    if semantics & ORDERING != 0 {
                        self.ordering = self.ordering.or(Some(place));
                    }
                    self.atomics += 1;
                }
                Operand::IdScope(id) if self.fixed(*id) == Some(4) => {
                    return Err(unmodelled("an atomic of one lane alone", place));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// An atomic may order plain accesses as a barrier does, by what it finds: that is not
    /// carried.
    pub(super) fn check_ordering(&self) -> Result<(), Unmodelled> {
        match self.ordering {
            Some(place) if self.flat.accesses.len() > self.atomics => {
                Err(unmodelled("an atomic that orders plain accesses", place))
            }
            _ => Ok(()),
        }
    }
}
