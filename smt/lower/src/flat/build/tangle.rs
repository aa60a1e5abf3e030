//! Where lanes are together under every reading of `reconvergence`.
//!
//! Lanes that came the same way are together. Lanes that came by different ways are together for
//! certain only where the core text says so: at the merge block of a construct whose header all
//! lanes that entered executed together. Elsewhere it depends on the reading whether lanes that meet
//! at a block execute it together. Lanes of a switch with different selector values need not be
//! together under any reading: their *tangles* are recorded.

use std::collections::HashMap;

use laneproof_module::spirv::Op;
use laneproof_module::{Block, Id, InstructionClass, Item, Loop, Named, Place, Site, Terminator};

use super::Builder;
use crate::flat::{ActivityId, Flat, FlatValue, ValueId};

/// The lanes of a case of a switch, which may be several tangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TangleId(pub u32);

/// How lanes come to be together in a case of a switch (SPV_KHR_maximal_reconvergence, Divergence):
/// those that come to it by one way with one selector value, or fell through together; and with them
/// such others of these as the implementation chooses.
#[derive(Clone, Debug)]
pub struct Tangle {
    /// Which lanes executed the switch together; `None`: all that entered.
    pub home: Option<TangleId>,
    /// All ways to the case.
    pub ways: Vec<Way>,
    /// The implementation has a choice.
    pub open: bool,
    /// The text is silent about tangles of lanes that meet here.
    pub unclear: bool,
    /// The case.
    pub site: Site,
}

/// A way to a case of a switch.
#[derive(Clone, Debug)]
pub struct Way {
    /// The label of the block that lanes come from.
    pub from: Id,
    /// The lanes that come this way.
    pub activity: ActivityId,
    /// How they come.
    pub arrival: SwitchArrival,
}

/// How lanes come to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchArrival {
    /// By a switch on this value; only one value leads there.
    One(ValueId),
    /// By a switch on this value.
    Several(ValueId),
    /// In the tangles in which they were before.
    Tangle(Option<TangleId>),
}

/// A target of a switch.
#[derive(Clone, Copy)]
struct Case {
    switch: Id,
    home: Option<TangleId>,
    /// Other switches have it, too.
    shared: bool,
}

/// What is known of the lanes of a call.
#[derive(Clone, Default)]
pub(in crate::flat) struct Tangles {
    /// For each block and each way to it: whether the lanes that come by it were together, and how
    /// they arrive.
    pub(super) ways: HashMap<Id, Vec<(bool, SwitchArrival)>>,
    /// Merge blocks, continue targets and loop headers, where lanes are together that were so at
    /// the construct's header.
    homes: HashMap<Id, Option<TangleId>>,
    /// Cases of switches, with the label of the switch's block and its tangle.
    cases: HashMap<Id, Case>,
    /// For each merge block, whether all lanes executed the construct's header together.
    pub(super) merges: HashMap<Id, bool>,
    /// The same of each way back to the caller.
    returns: Vec<bool>,
}

impl Builder<'_> {
    /// All lanes that reach a block execute it together, for certain.
    pub(super) fn arrive_together(&mut self, label: Id) -> bool {
        if self.maximal {
            return true;
        }
        let frame = self.frame();
        let Some(incoming) = frame.incoming.get(&label) else { return false };
        let ways = frame.tangles.ways.get(&label).map_or(&[][..], Vec::as_slice);
        if let ([_], [(together, _)]) = (incoming.as_slice(), ways) {
            return *together;
        }
        let merges = frame.tangles.merges.get(&label) == Some(&true);
        let all = incoming.iter().map(|(_, activity)| *activity).collect();
        merges && self.flat.union(all) == Some(self.entry)
    }

    /// A loop begins: lanes that enter it together are together at its merge block.
    pub(super) fn open_construct(&mut self, inner: &Loop) {
        let Loop { header, merge, continue_target, .. } = *inner;
        let end = match inner.body.items.first() {
            Some(Item::Block(block)) => block.end,
            _ => Place::default(),
        };
        self.frame_mut().tangles.homes.remove(&header);
        let tangle = self.arrive_in_tangle(header, end);
        for label in [header, merge, continue_target] {
            self.frame_mut().tangles.homes.insert(label, tangle);
        }
        let together = self.arrive_together(header);
        let incoming = self.frame().incoming.get(&header).into_iter().flatten();
        let all = incoming.map(|(_, activity)| *activity).collect();
        let all_lanes = together && self.flat.union(all) == Some(self.entry);
        self.frame_mut().tangles.merges.insert(merge, all_lanes);
    }

    /// In which tangle lanes come to a block.
    pub(super) fn arrive_in_tangle(&mut self, label: Id, end: Place) -> Option<TangleId> {
        let frame = self.frame();
        if let Some(&home) = frame.tangles.homes.get(&label) {
            return home;
        }
        let incoming = frame.incoming.get(&label).map_or(&[][..], Vec::as_slice);
        let ways = frame.tangles.ways.get(&label).map_or(&[][..], Vec::as_slice);
        let ways: Vec<Way> = incoming
            .iter()
            .zip(ways)
            .map(|(&(from, activity), &(_, arrival))| Way { from, activity, arrival })
            .collect();
        let case = frame.tangles.cases.get(&label).copied();
        let first = ways.first().map_or(SwitchArrival::Tangle(None), |way| way.arrival);
        let (home, unclear) = match (case, first) {
            (Some(Case { home, shared: false, .. }), _) => (home, false),
            (None, SwitchArrival::Tangle(tangle))
                if ways.iter().all(|way| way.arrival == first) =>
            {
                return tangle;
            }
            _ => (None, true),
        };
        let open = !matches!(ways.as_slice(), [Way { arrival: SwitchArrival::One(_), .. }]);
        let site = self.site(end);
        self.flat.lanes.tangles.push(Tangle { home, ways, open, unclear, site });
        Some(TangleId(self.flat.lanes.tangles.len() as u32 - 1))
    }

    /// A block begins that is the header of a selection, or ends in a switch: after it lanes are
    /// together as they are now.
    pub(super) fn open_selection(&mut self, block: &Block) {
        let tangle = self.at.tangle;
        for label in [block.selection_merge, block.switch_join].into_iter().flatten() {
            self.frame_mut().tangles.homes.insert(label, tangle);
        }
    }

    /// How lanes come to the cases of a switch: which targets a switch may send lanes of different
    /// values to, and which not.
    pub(super) fn open_cases(&mut self, block: &Block, selector: ValueId) {
        let Terminator::Switch { default, cases, .. } = &block.terminator else { return };
        if self.is_uniform(selector) {
            return;
        }
        let tangle = self.at.tangle;
        let known = &mut self.frame_mut().tangles.cases;
        for target in cases.iter().map(|(_, target)| *target).chain([*default]) {
            let case = Case { switch: block.label, home: tangle, shared: false };
            let known = known.entry(target).or_insert(case);
            *known = Case { shared: known.switch != block.label, ..case };
        }
    }

    /// How lanes come to a case by as many literals.
    pub(super) fn arrival(&self, selector: ValueId, literals: usize) -> SwitchArrival {
        match (self.is_uniform(selector), literals) {
            (true, _) => SwitchArrival::Tangle(self.at.tangle),
            (false, 1) => SwitchArrival::One(selector),
            (false, _) => SwitchArrival::Several(selector),
        }
    }

    /// A value is equal in all lanes, by a syntactic check.
    fn is_uniform(&self, value: ValueId) -> bool {
        match self.flat.value(value) {
            FlatValue::Constant(_) => true,
            FlatValue::Parameter(position) => {
                self.flat.interface.inputs.get(*position).is_some_and(|input| input.uniform)
            }
            _ => false,
        }
    }

    /// Which lanes are together here may be a choice.
    pub(super) fn is_split(&self) -> bool {
        self.flat.is_split(self.at.tangle)
    }

    /// Forgets the ways to a block, as its lanes are known.
    pub(super) fn forget_ways(&mut self, label: Id) {
        self.frame_mut().tangles.ways.remove(&label);
    }

    /// Lanes return from here.
    pub(super) fn return_here(&mut self) {
        let together = self.at.together;
        self.frame_mut().tangles.returns.push(together);
    }

    /// All lanes that return from a call are together, for certain.
    pub(super) fn come_back_together(&self) -> bool {
        self.maximal || self.frame().tangles.returns == [true]
    }
}

impl Flat {
    /// The tangle of this number.
    pub fn tangle(&self, id: TangleId) -> &Tangle {
        &self.lanes.tangles[id.0 as usize]
    }

    /// Some group instruction is executed in such a case.
    pub fn chooses_tangles(&self) -> bool {
        self.steps.iter().any(|step| {
            let opcode = Op::of_name(&step.instruction.name);
            // Instructions of an extended set look at their own lane; a user's primitive may not.
            let extended = step.instruction.extended_set().is_some();
            let class = opcode.map_or(InstructionClass::Unclassified, InstructionClass::of);
            self.is_split(step.tangle) && !extended && class.may_depend_on_others()
        })
    }

    /// Which lanes are together in a tangle is a choice, or was one in a switch around it.
    pub fn is_split(&self, tangle: Option<TangleId>) -> bool {
        let mut around = tangle;
        while let Some(id) = around {
            let tangle = self.tangle(id);
            if tangle.open || tangle.unclear {
                return true;
            }
            around = tangle.home;
        }
        false
    }
}
