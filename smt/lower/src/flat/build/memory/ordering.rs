//! The order of accesses to memory: barriers, memory operands in the Vulkan memory model, and
//! atomics with memory semantics.

use laneproof_module::spirv::{MemoryAccess, MemoryModel};
use laneproof_module::{Id, MemoryKind, MemoryOperands, Operand, Place};
use laneproof_semantics::denote::GroupScope;

use super::super::Builder;
use super::{Access, Touch, unmodelled};
use crate::flat::region::Order;
use crate::flat::{ActivityId, Event, Flat, Unmodelled};

/// The scope of a workgroup.
pub(super) const WHOLE: u64 = 2;
/// The scope of a subgroup.
const SUBGROUP: u64 = 3;
/// Memory semantics that order other accesses.
pub(super) const ORDERING: u64 = 0x2 | 0x4 | 0x8 | 0x10;
/// Those that release what was done before, and acquire it for what is done after.
pub(super) const RELEASING: u64 = 0x4 | 0x8 | 0x10;
pub(super) const ACQUIRING: u64 = 0x2 | 0x8 | 0x10;
/// Acquire and release at once, or sequentially consistent.
const BOTH_WAYS: u64 = 0x8 | 0x10;
/// A volatile atomic.
const VOLATILE: u64 = 0x8000;

/// Makes what was written available; makes it visible.
const MAKE_AVAILABLE: u64 = 0x2000;
const MAKE_VISIBLE: u64 = 0x4000;

/// A barrier: its scopes and semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Barrier {
    execution: u64,
    memory: u64,
    semantics: u64,
    /// Its semantics name memory of these kinds.
    named: [bool; 3],
    /// Memory of these kinds is ordered by the memory barriers around it.
    pub(super) fenced: [bool; 3],
    /// The lanes that reach it, where these need not be all: all of them, or none.
    reached_by: Option<ActivityId>,
}

impl Barrier {
    /// All lanes reach it, whatever the state.
    pub fn is_always_reached(&self) -> bool {
        self.reached_by.is_none()
    }

    /// It orders accesses before it with accesses after it, in memory of a kind: buffers, workgroup
    /// memory, images.
    pub(super) fn orders(&self, kind: usize) -> bool {
        self.fenced[kind] || self.semantics & BOTH_WAYS != 0 && self.named[kind]
    }

    /// It does so for accesses before it or for accesses after it.
    pub(super) fn orders_a_way(&self, kind: usize) -> bool {
        self.semantics & ORDERING != 0 && self.named[kind]
    }

    /// It orders them between all lanes that meet at it, so that a memory barrier beside it with
    /// these semantics adds nothing.
    pub(super) fn covers(&self, kind: usize, semantics: u64) -> bool {
        const WAYS: u64 = MAKE_AVAILABLE | MAKE_VISIBLE;
        self.orders(kind)
            && (self.execution == SUBGROUP || self.memory != SUBGROUP)
            && semantics & WAYS & !self.semantics == 0
    }

    /// It does so between subgroups, too.
    pub(super) fn between_subgroups(&self) -> bool {
        self.execution == WHOLE && self.memory != SUBGROUP
    }
}

/// The memory operands of an access: its alignment (1 if none is given), and its order.
#[derive(Clone, Copy, Debug)]
pub(in crate::flat) struct AccessOperands {
    pub alignment: u64,
    pub order: Order,
}

/// What orders two accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderedBy {
    /// Barriers, wherever both happen.
    All,
    /// A barrier where some lane, and so every one, has one of these activities.
    One(Vec<ActivityId>),
    /// Nothing.
    Nothing,
}

impl Flat {
    /// A barrier is between two conflicting accesses, and does not order them in the Vulkan memory
    /// model.
    pub fn is_unordered(&self) -> bool {
        self.memory.accesses.iter().enumerate().any(|(number, second)| {
            self.memory.accesses[..number].iter().any(|first| self.is_pair_unordered(first, second))
        })
    }

    fn is_pair_unordered(&self, first: &Access, second: &Access) -> bool {
        let touched = self.touched(first);
        let common = touched.iter().filter(|it| self.touched(second).contains(it));
        let [wrote, writes] = [first, second].map(|it| !it.only_reads());
        if !wrote && !writes {
            return false;
        }
        common.copied().any(|region| {
            [false, true].into_iter().any(|apart| {
                let between: Vec<&Barrier> = self
                    .passed_between([first, second], region, apart)
                    .filter(|it| self.is_met_between(it, first, second))
                    .collect();
                !between.is_empty() && !orders_all(&between, (first, wrote), (second, writes))
            })
        })
    }

    /// The barriers between two accesses, in their order, that order a region; `apart` for lanes of different
    /// subgroups.
    fn passed_between(
        &self,
        [first, second]: [&Access; 2],
        region: usize,
        apart: bool,
    ) -> impl Iterator<Item = &Barrier> {
        let kind = self.memory_kind(region);
        let passed = self.memory.barriers[first.barriers..second.barriers].iter();
        passed.filter(move |it| it.orders(kind) && (!apart || it.between_subgroups()))
    }

    /// Where both accesses happen, their lanes have met at this barrier in between: one of the two happens
    /// only where the barrier is reached.
    fn is_met_between(&self, barrier: &Barrier, first: &Access, second: &Access) -> bool {
        let needs = |at: ActivityId| {
            [first, second].iter().any(|it| self.lanes.dominators.includes(at, it.activity))
        };
        barrier.reached_by.is_none_or(needs)
    }

    /// Two accesses, not both reads, are ordered only where some barrier between them is reached.
    pub fn is_ordered_by_branches(&self) -> bool {
        let accesses = || self.memory.accesses.iter().enumerate();
        self.memory.barriers.iter().any(|it| !it.is_always_reached())
            && accesses().any(|(second, it)| {
                let mut before = accesses()
                    .take(second)
                    .filter(|(_, first)| !first.only_reads() || !it.only_reads());
                before.any(|(first, _)| {
                    let touched = self.touched(it);
                    self.touched(&self.memory.accesses[first])
                        .iter()
                        .filter(|it| touched.contains(it))
                        .any(|&region| {
                            let by = |apart| self.ordered_by([first, second], region, apart);
                            [false, true].map(by).iter().any(|it| matches!(it, OrderedBy::One(_)))
                        })
                })
            })
    }

    /// What orders two accesses to a region by different lanes; `apart` if these are in different
    /// subgroups.
    pub fn ordered_by(&self, accesses: [usize; 2], region: usize, apart: bool) -> OrderedBy {
        let [first, second] = [accesses[0].min(accesses[1]), accesses[0].max(accesses[1])]
            .map(|it| &self.memory.accesses[it]);
        let mut branches = Vec::new();
        for barrier in self.passed_between([first, second], region, apart) {
            match barrier.reached_by {
                Some(at) if !self.is_met_between(barrier, first, second) => branches.push(at),
                _ => return OrderedBy::All,
            }
        }
        if branches.is_empty() { OrderedBy::Nothing } else { OrderedBy::One(branches) }
    }

    /// The regions that an access touches.
    pub(super) fn touched(&self, access: &Access) -> Vec<usize> {
        match &access.what {
            Touch::Load(scalars) | Touch::Store(scalars, _) => vec![scalars.address.region],
            Touch::Step(step) => {
                self.step(*step).pointers.iter().flatten().map(|it| it.region).collect()
            }
        }
    }
}

/// These barriers, in their order, order two accesses of different lanes.
fn orders_all(
    between: &[&Barrier],
    (first, wrote): (&Access, bool),
    (second, writes): (&Access, bool),
) -> bool {
    if first.order.private || second.order.private {
        return false;
    }
    let makes = |what: u64| move |barrier: &&&Barrier| barrier.semantics & what != 0;
    let available = match first.order.available {
        true => Some(0),
        false => between.iter().position(|it| makes(MAKE_AVAILABLE)(&it)),
    };
    match (wrote, writes, available) {
        // A read before the barrier is ordered by waiting.
        (false, ..) => true,
        (true, _, None) => false,
        (true, true, Some(_)) if !matches!(second.what, Touch::Step(_)) => true,
        (true, _, Some(from)) => {
            second.order.visible || between[from..].iter().any(|it| makes(MAKE_VISIBLE)(&it))
        }
    }
}

impl Builder<'_> {
    /// The memory operands of an access; `None` if they are not supported.
    pub(in crate::flat) fn access_operands(&self, operands: &[Operand]) -> Option<AccessOperands> {
        let vulkan = self.module.program.preamble.memory_model == MemoryModel::Vulkan;
        let plain = if vulkan { Order::NONE } else { Order::FULL };
        let Some(first) = operands.first() else {
            return Some(AccessOperands { alignment: 1, order: plain });
        };
        let Operand::MemoryAccess(access) = first else { return None };
        let ways = MemoryAccess::MAKE_POINTER_AVAILABLE | MemoryAccess::MAKE_POINTER_VISIBLE;
        let carried = MemoryAccess::ALIGNED
            | MemoryAccess::NONTEMPORAL
            | MemoryAccess::NON_PRIVATE_POINTER
            | ways;
        if !carried.contains(*access) {
            return None;
        }
        let set = MemoryOperands::of(operands)?.into_iter().next()?;
        let wide = |scope: Option<Id>| {
            // Device, workgroup, queue family.
            matches!(scope.and_then(|id| self.fixed(id)), Some(1 | WHOLE | 5))
        };
        let (available, visible) = (wide(set.available), wide(set.visible));
        let private = !access.contains(MemoryAccess::NON_PRIVATE_POINTER);
        let order = if vulkan { Order { private, available, visible } } else { plain };
        Some(AccessOperands { alignment: set.alignment, order })
    }

    /// The order of a specified instruction that accesses memory; an atomic has all memory
    /// operands.
    pub(in crate::flat) fn order_of_step(&self, atomic: bool) -> Order {
        match self.module.program.preamble.memory_model == MemoryModel::Vulkan && !atomic {
            true => Order::NONE,
            false => Order::FULL,
        }
    }

    /// `OpControlBarrier` that all lanes reach, or none.
    pub(in crate::flat) fn barrier(
        &mut self,
        ids: &[Id],
        activity: ActivityId,
        place: Place,
    ) -> Result<(), Unmodelled> {
        let numbers: Vec<Option<u64>> = ids.iter().map(|&id| self.fixed(id)).collect();
        let [Some(execution), Some(memory), Some(semantics)] = numbers[..] else {
            return Err(unmodelled("such a barrier", place));
        };
        let reached_by = (activity != self.entry).then_some(activity);
        self.flat.memory.barrier_apart |= !self.at.together;
        if self.is_split() {
            return Err(unmodelled("a barrier in a case that lanes may execute apart", place));
        }
        // Workgroup, subgroup; device, workgroup, subgroup, queue family.
        if !matches!(execution, WHOLE | SUBGROUP) || !matches!(memory, 1 | WHOLE | SUBGROUP | 5) {
            return Err(unmodelled("a barrier of this scope", place));
        }
        let scope = if execution == WHOLE { GroupScope::Workgroup } else { GroupScope::Subgroup };
        if let Some(reached_by) = reached_by {
            let entered = self.entry;
            self.flat.events.push(Event::Together { entered, reached_by, scope });
            self.walked.barrier_in_branch = self.walked.barrier_in_branch.or(Some(place));
        }
        // In a kernel that is true of a subgroup's barrier, too (OpenCL SPIR-V environment,
        // Validation Rules).
        if execution == WHOLE || self.module.program.is_kernel() {
            self.flat.events.push(Event::Gathered(activity, scope));
        }
        let named = self.named(semantics);
        let fenced = [false; 3];
        let barrier = Barrier { execution, memory, semantics, named, fenced, reached_by };
        for kind in 0..3 {
            let orders = u32::from(barrier.orders(kind));
            self.flat.memory.epochs.of_subgroup[kind] += orders;
            self.flat.memory.epochs.of_workgroup[kind] +=
                orders * u32::from(barrier.between_subgroups());
        }
        self.flat.memory.barriers.push(barrier);
        Ok(())
    }

    /// The memory operands of a specified instruction.
    pub(in crate::flat) fn memory_operands(
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
                        self.walked.ordered.by_atomic =
                            self.walked.ordered.by_atomic.or(Some(place));
                    }
                    self.walked.ordered.atomics += 1;
                }
                Operand::IdScope(id) => match self.fixed(*id) {
                    Some(4) => return Err(unmodelled("an atomic of one lane alone", place)),
                    // Cross device, device, workgroup, queue family.
                    Some(0..=WHOLE | 5) => {}
                    _ => self.flat.memory.narrow_atomics = true,
                },
                _ => {}
            }
        }
        Ok(())
    }

    /// The kinds of memory that semantics name.
    pub(super) fn named(&self, semantics: u64) -> [bool; 3] {
        MemoryKind::ALL.map(|kind| semantics & kind.semantics(self.module.program) != 0)
    }
}
