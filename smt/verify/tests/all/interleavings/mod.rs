//! Small programs of the invocations of a workgroup that share memory: what they are, and what all
//! interleavings of them leave. Nothing here uses the interpreter or the clauses.

pub mod executor;
pub mod recipe;
pub mod text;

/// A memory of two-bit scalars. The first two are words of one buffer, the last is of the workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    First,
    Second,
    Scratch,
}

pub const PLACES: usize = 3;

/// What a lane computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Number(u8),
    /// The word that is the lane's own, of a buffer that is only read.
    Given,
    /// The same of the first active lane of the subgroup, and this much more.
    Uniform(u8),
    /// Its index in the workgroup.
    Index,
    /// What the act of this number left; 0 where it was not executed.
    Result(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Subgroup,
    Workgroup,
    Device,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    Add,
    Sub,
    UMin,
    UMax,
    SMin,
    And,
    Or,
    Xor,
    Exchange,
    /// With what it is compared.
    CompareExchange(Operand),
    Load,
    Store,
}

/// How the lanes of a subgroup combine what they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Add,
    ExclusiveAdd,
    Max,
    Or,
    Xor,
    BroadcastFirst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Atomic(Atomic, Place, Scope, Operand),
    Load(Place),
    Store(Place, Operand),
    /// The lanes that wait for each other, those whose memory is ordered, and whether that is the
    /// buffer's and the workgroup's.
    Barrier(Scope, Scope, [bool; 2]),
    /// A memory barrier: the lanes whose memory it orders, of the buffer and of the workgroup.
    Fence(Scope, [bool; 2]),
    /// Always in all active lanes of a subgroup.
    Group(Group, Operand),
    Sum(Operand, Operand),
}

/// Which lanes execute an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    All,
    /// The first active lane of each subgroup.
    Elected,
    /// Those whose own word is odd.
    Odd,
    /// The first of the workgroup.
    IndexZero,
    /// All of the first subgroup.
    FirstSubgroup,
    /// Those to which the act of this number left an odd word.
    Odds(usize),
}

pub type Act = (Guard, Op);

/// What every lane executes, and what it writes to its own word of another buffer in the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    pub acts: Vec<Act>,
    pub result: Option<Operand>,
}

impl Side {
    pub fn operands(&self) -> impl Iterator<Item = Operand> + '_ {
        let of_acts = self.acts.iter().flat_map(|(_, op)| match *op {
            Op::Atomic(Atomic::CompareExchange(with), _, _, value) => vec![with, value],
            Op::Atomic(_, _, _, value) | Op::Store(_, value) | Op::Group(_, value) => vec![value],
            Op::Sum(a, b) => vec![a, b],
            Op::Load(_) | Op::Barrier(..) | Op::Fence(..) => Vec::new(),
        });
        of_acts.chain(self.result)
    }

    pub fn guards(&self, guard: Guard) -> bool {
        self.acts.iter().any(|it| it.0 == guard)
    }

    pub fn uses_given(&self) -> bool {
        let given = |it: Operand| matches!(it, Operand::Given | Operand::Uniform(_));
        self.guards(Guard::Odd) || self.operands().any(given)
    }

    /// Which lane is in which subgroup makes a difference beside their indices.
    pub fn uses_index(&self) -> bool {
        self.guards(Guard::IndexZero) || self.operands().any(|it| it == Operand::Index)
    }

    /// What a function does not use, nobody needs to bind.
    pub fn uses_buffer(&self) -> bool {
        self.touches(Place::First) || self.touches(Place::Second)
    }

    pub fn touches(&self, place: Place) -> bool {
        self.acts.iter().any(|(_, op)| match *op {
            Op::Atomic(_, at, ..) | Op::Load(at) | Op::Store(at, _) => at == place,
            Op::Barrier(..) | Op::Fence(..) | Op::Group(..) | Op::Sum(..) => false,
        })
    }
}

/// A workgroup of so many invocations, in subgroups of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub lanes: usize,
    pub size: usize,
}
