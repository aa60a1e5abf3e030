//! One execution of a function: what its `<id>`s hold, and where its lanes are.

use std::rc::Rc;

use laneproof_module::{Id, ModuleType};

use crate::lane::lanes;
use crate::memory::Address;
use crate::operand::Source;
use crate::plan::Plan;
use crate::tangle::Tangles;
use crate::value::Value;
use crate::ways::Ways;

/// What an `<id>` holds in the lanes of a subgroup.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub ty: &'p ModuleType,
    /// What it holds.
    pub slot: Slot,
}

/// What one subgroup holds in a function's execution.
#[derive(Clone, Debug)]
pub(crate) struct GroupFrame<'p> {
    /// The function.
    pub plan: Rc<Plan<'p>>,
    /// Results and parameters, by number. A lane keeps what it last computed.
    pub registers: Vec<Option<Register<'p>>>,
    /// Lanes that wait at a block, by its number.
    pub waiting: Vec<u128>,
    /// Lanes that came along an edge to a block where they wait, by the edge's number.
    pub arrived: Vec<u128>,
    /// Lanes that have returned.
    pub returned: u128,
    /// What they returned.
    pub result: Option<Slot>,
}

impl<'p> GroupFrame<'p> {
    /// The register of an `<id>`, if it has one and it holds something.
    pub fn register(&self, id: Id) -> Option<&Register<'p>> {
        self.registers[self.plan.register(id)?].as_ref()
    }

    /// The place for the register of an `<id>`.
    pub fn place(&mut self, id: Id) -> Option<&mut Option<Register<'p>>> {
        let number = self.plan.register(id)?;
        self.registers.get_mut(number)
    }

    /// The plain data that `source` holds.
    pub fn data(&self, source: Source) -> Option<&Value> {
        match source {
            Source::Register(number) => match self.registers[number].as_ref()? {
                Register { slot: Slot::Data(value), .. } => Some(value),
                Register { slot: Slot::Pointer(_), .. } => None,
            },
            Source::Constant(number) => self.plan.constant(number).map(|value| &**value),
        }
    }
}

/// One execution of a function by all subgroups of a workgroup.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'p> {
    /// By subgroup.
    pub groups: Vec<GroupFrame<'p>>,
    /// Which lanes are together, of all subgroups.
    pub tangles: Tangles,
    /// The same where lanes need not reconverge at merge blocks.
    pub ways: Option<Box<Ways>>,
}

impl<'p> Frame<'p> {
    /// A frame of `groups` subgroups in which nothing has happened yet.
    pub fn new(plan: &Rc<Plan<'p>>, groups: usize) -> Self {
        let group = || GroupFrame {
            plan: Rc::clone(plan),
            registers: vec![None; plan.registers],
            waiting: vec![0; plan.blocks],
            arrived: vec![0; plan.edges],
            returned: 0,
            result: None,
        };
        let tangles = Tangles::new(plan.nodes, groups);
        Self { groups: std::iter::repeat_with(group).take(groups).collect(), tangles, ways: None }
    }

    /// Lanes are at the same places and hold the same in the registers that `steer` them, in one
    /// function.
    pub fn goes_on_as(&self, other: &Self, steer: &[bool]) -> bool {
        let holds = |a: &Option<Register<'p>>, b: &Option<Register<'p>>| {
            a.as_ref().map(|it| &it.slot) == b.as_ref().map(|it| &it.slot)
        };
        self.tangles == other.tangles
            && self.ways == other.ways
            && self.groups.iter().zip(&other.groups).all(|(a, b)| {
                let registers = a.registers.iter().zip(&b.registers).zip(steer);
                (&a.waiting, &a.arrived, a.returned) == (&b.waiting, &b.arrived, b.returned)
                    && a.registers.len() == b.registers.len()
                    && registers.filter(|(_, steers)| **steers).all(|((a, b), _)| holds(a, b))
            })
    }
}
