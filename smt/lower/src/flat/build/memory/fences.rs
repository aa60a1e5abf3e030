//! Memory barriers: what they order with the help of barriers and of atomics beside them.

use laneproof_module::spirv::MemoryModel;
use laneproof_module::{Id, MemoryKind, Place};

use super::super::Builder;
use super::ordering::{ACQUIRING, Barrier, ORDERING, OrderedBy, RELEASING, WHOLE};
use super::{Access, Touch, unmodelled};
use crate::flat::{ActivityId, Flat, Unmodelled};

/// `OpMemoryBarrier`: the accesses and barriers before it, and the kinds of memory that it orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence {
    accesses: usize,
    barriers: usize,
    scope: u64,
    semantics: u64,
    named: [bool; 3],
    /// All lanes execute it.
    by_all: bool,
}

impl Fence {
    fn orders(&self, kind: usize) -> bool {
        self.orders_by(kind, ORDERING)
    }

    fn orders_by(&self, kind: usize, ways: u64) -> bool {
        self.semantics & ways != 0 && self.named[kind]
    }

    /// It concerns all of the workgroup: its scope is the device, the workgroup or the queue family.
    fn is_wide(&self) -> bool {
        matches!(self.scope, 1 | WHOLE | 5)
    }
}

/// What orders accesses without a lane waiting for others.
#[derive(Clone, Debug, Default)]
pub(in crate::flat) struct Ordered {
    /// An atomic that orders other accesses.
    pub(super) by_atomic: Option<Place>,
    /// The number of operands with memory semantics so far.
    pub(super) atomics: usize,
    fences: Vec<(Fence, Place)>,
}

impl Ordered {
    pub(in crate::flat) fn has_atomics(&self) -> bool {
        self.atomics > 0
    }

    fn fences(&self) -> impl Iterator<Item = &Fence> {
        self.fences.iter().map(|(fence, _)| fence)
    }
}

impl Flat {
    /// Some access before `first` and some access from `second` on may conflict in memory of this
    /// kind, and `counts`.
    fn meets_across(
        &self,
        kind: usize,
        [first, second]: [usize; 2],
        counts: impl Fn([usize; 2], usize) -> bool,
    ) -> bool {
        let accesses = || self.memory.accesses.iter().enumerate();
        accesses().take(first).any(|(before, one)| {
            accesses().skip(second).any(|(behind, other)| {
                !(one.only_reads() && other.only_reads())
                    && self.in_common(one, other).any(|region| {
                        self.memory_kind(region) == kind && counts([before, behind], region)
                    })
            })
        })
    }

    /// The regions of the first access that the second may touch.
    fn in_common(&self, one: &Access, other: &Access) -> impl Iterator<Item = usize> {
        let aliased = |it: usize| self.memory.regions[it].aliased;
        let touched = self.touched(other);
        let meets = move |region: usize| {
            touched.iter().any(|&it| it == region || aliased(region) && aliased(it))
        };
        self.touched(one).into_iter().filter(move |&region| meets(region))
    }

    /// An access may be an atomic.
    fn may_be_atomic(&self, number: usize) -> bool {
        matches!(self.memory.accesses[number].what, Touch::Step(_))
    }
}

impl Builder<'_> {
    /// `OpMemoryBarrier`, wherever lanes execute it.
    pub(in crate::flat) fn fence(
        &mut self,
        ids: &[Id],
        activity: ActivityId,
        place: Place,
    ) -> Result<(), Unmodelled> {
        let numbers: Vec<Option<u64>> = ids.iter().map(|&id| self.fixed(id)).collect();
        let [Some(scope), Some(semantics)] = numbers[..] else {
            return Err(unmodelled("such a memory barrier", place));
        };
        let (accesses, barriers) =
            (self.flat.memory.accesses.len(), self.flat.memory.barriers.len());
        let by_all = activity == self.entry && !self.is_split();
        let named = self.named(semantics);
        let fence = Fence { accesses, barriers, scope, semantics, named, by_all };
        (0..MemoryKind::ALL.len()).for_each(|kind| self.order_by_fences(&fence, kind));
        self.walked.ordered.fences.push((fence, place));
        Ok(())
    }

    /// A memory barrier that releases, a barrier of the workgroup and a memory barrier that acquires, with
    /// no access to this memory from the first to the last: what comes before them is ordered before
    /// what comes after them, between all lanes (Vulkan, "Synchronizes-With"). OpenCL's fences order
    /// by atomics alone, and in the Vulkan memory model accesses say more of themselves.
    fn order_by_fences(&mut self, behind: &Fence, kind: usize) {
        let program = self.module.program;
        if program.is_kernel() || program.preamble.memory_model == MemoryModel::Vulkan {
            return;
        }
        let accesses = &self.flat.memory.accesses;
        let last = accesses.iter().rposition(|access| {
            self.flat.touched(access).iter().any(|&it| self.flat.memory_kind(it) == kind)
        });
        let concerns = |fence: &Fence, ways: u64| {
            fence.by_all && fence.is_wide() && fence.orders_by(kind, ways)
        };
        let before = self.walked.ordered.fences().find(|fence| {
            concerns(fence, RELEASING) && last.is_none_or(|last| fence.accesses > last)
        });
        let Some(first) = before.filter(|_| concerns(behind, ACQUIRING)).map(|it| it.barriers)
        else {
            return;
        };
        let fits = |it: &&mut Barrier| it.between_subgroups() && it.is_always_reached();
        let barriers = &mut self.flat.memory.barriers[first..];
        if barriers.iter().any(|it| it.orders(kind)) {
            return;
        }
        if let Some(barrier) = barriers.iter_mut().find(fits) {
            barrier.fenced[kind] = true;
            self.flat.memory.epochs.of_subgroup[kind] += 1;
            self.flat.memory.epochs.of_workgroup[kind] += 1;
        }
    }

    /// An atomic may order plain accesses as a barrier does, and a memory barrier may order what a
    /// barrier beside it does not. Neither is supported.
    pub(in crate::flat) fn check_ordering(&mut self) -> Result<(), Unmodelled> {
        let Ordered { by_atomic, atomics, .. } = &self.walked.ordered;
        if let Some(place) = by_atomic
            && self.flat.memory.accesses.len() > *atomics
        {
            return Err(unmodelled("an atomic that orders plain accesses", *place));
        }
        let vulkan = self.module.program.preamble.memory_model == MemoryModel::Vulkan;
        if let Some(place) = self.walked.barrier_in_branch
            && (vulkan || *atomics > 0)
            && self.flat.is_ordered_by_branches()
        {
            let what = "a barrier in a branch that orders what is before it and after it";
            return Err(unmodelled(what, place));
        }
        let kinds = || 0..MemoryKind::ALL.len();
        let fences = &self.walked.ordered.fences;
        let signals: Vec<bool> = kinds().map(|kind| self.signals(kind, false)).collect();
        let more = fences.iter().find(|(fence, _)| {
            kinds().any(|kind| self.orders_more(fence, kind) || fence.orders(kind) && signals[kind])
        });
        if let Some((_, place)) = more {
            let what = "a memory barrier that orders more than the barriers beside it do";
            return Err(unmodelled(what, *place));
        }
        let signalling: Vec<usize> = kinds().filter(|&kind| self.signals(kind, true)).collect();
        let between_subgroups = |fence: &&Fence| signalling.iter().any(|&kind| fence.orders(kind));
        self.flat.memory.fences =
            self.walked.ordered.fences().filter(between_subgroups).copied().collect();
        Ok(())
    }

    /// At barriers lanes synchronize. Accesses that a barrier does not order by itself may be ordered
    /// with the help of this memory barrier.
    fn orders_more(&self, fence: &Fence, kind: usize) -> bool {
        let fences = || self.walked.ordered.fences().filter(|it| it.orders(kind));
        let barriers = self.flat.memory.barriers.iter().enumerate();
        fence.orders(kind)
            && barriers.filter(|(_, barrier)| !barrier.covers(kind, fence.semantics)).any(
                |(number, barrier)| {
                    let accesses = self.flat.memory.accesses.iter();
                    let here = accesses.filter(|access| access.barriers <= number).count();
                    let here = barrier.orders_a_way(kind).then_some(here);
                    let before = fences().filter(|it| it.barriers <= number).map(|it| it.accesses);
                    let behind = fences().filter(|it| it.barriers > number).map(|it| it.accesses);
                    match (before.chain(here).max(), behind.chain(here).min()) {
                        (Some(first), Some(second)) => {
                            self.flat.meets_across(kind, [first, second], |_, _| true)
                        }
                        _ => false,
                    }
                },
            )
    }

    /// A lane that executes a memory barrier and then an atomic may tell another one, which executes an
    /// atomic and then a memory barrier, that what comes before the first is done before what comes
    /// after the last; and some of that no barrier orders. `apart` for lanes of different subgroups.
    ///
    /// Lanes do not run in step, so the atomics may stand in any order in the program; and whichever
    /// way a barrier between two accesses puts them, atomics cannot put them otherwise.
    fn signals(&self, kind: usize, apart: bool) -> bool {
        let fences = || self.walked.ordered.fences();
        if !self.walked.ordered.has_atomics() {
            return false;
        }
        // What follows is about all accesses there are, and about what barriers order by themselves.
        if self.loops.cut || self.module.program.preamble.memory_model == MemoryModel::Vulkan {
            return fences().any(|it| it.orders(kind));
        }
        let flat = &self.flat;
        let mut atomics =
            (0..flat.memory.accesses.len()).filter(|&number| flat.may_be_atomic(number));
        let Some(first) = atomics.next() else { return false };
        let last = atomics.next_back().unwrap_or(first);
        let tells = |it: &&Fence| it.orders_by(kind, RELEASING) && it.accesses <= last;
        let learns = |it: &&Fence| it.orders_by(kind, ACQUIRING) && it.accesses > first;
        let before = fences().filter(tells).map(|it| it.accesses).max();
        let behind = fences().filter(learns).map(|it| it.accesses).min();
        let unordered = |accesses: [usize; 2], region: usize| {
            flat.ordered_by(accesses, region, apart) != OrderedBy::All
        };
        before
            .zip(behind)
            .is_some_and(|(before, behind)| flat.meets_across(kind, [before, behind], unordered))
    }
}
