//! What a clause can ask of the instance that it is evaluated for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::Type;
use crate::language::ast::ReadingProfile;
use crate::term::{Pool, Sort, Term};

/// A scalar that a lane holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// Its bits: of sort `Bool` for a Boolean, else `Bits`, or `Tag` where it is only moved.
    /// Without meaning where `undefined` holds.
    pub bits: Term,
    /// Holds where the value is an undefined value.
    pub undefined: Term,
}

/// Sizes in clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// `SubgroupSize`.
    SubgroupSize,
    /// `SubgroupMaxSize`.
    SubgroupMaxSize,
    /// How many lanes exist.
    ExistingLanes,
}

/// Whose lanes a group has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupScope {
    /// A subgroup's, numbered by `SubgroupLocalInvocationId`.
    Subgroup,
    /// A workgroup's, numbered by `LocalInvocationIndex`.
    Workgroup,
}

/// A position of a lane in its subgroup, its workgroup or the grid. Axes are 0, 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LanePosition {
    /// `SubgroupLocalInvocationId`.
    Id,
    /// `SubgroupId`.
    SubgroupId,
    /// `NumSubgroups`.
    NumSubgroups,
    /// `LocalInvocationIndex`.
    Index,
    /// `WorkDim`.
    WorkDim,
    /// `WorkgroupSize` along an axis.
    WorkgroupSize(usize),
    /// `EnqueuedWorkgroupSize` along an axis.
    EnqueuedWorkgroupSize(usize),
    /// `WorkgroupId` along an axis.
    WorkgroupId(usize),
    /// `NumWorkgroups` along an axis.
    NumWorkgroups(usize),
    /// `GlobalOffset` along an axis.
    GlobalOffset(usize),
}

/// An operand as the module has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// Left out.
    Absent,
    /// A value of this type; `Group::operand` gives it lane by lane.
    Value(Type),
    /// Literal numbers.
    Literals(Vec<u32>),
    /// All remaining values, by type; `Group::operand` gives their leaves one after the other.
    Values(Vec<Type>),
    /// An enumerant (a scope too), by every name that the grammar has for it.
    Enumerant(Vec<Arc<str>>),
    /// A pointer to buffer memory whose pointee has this type; [`Group::load`] reads there.
    Pointer(Type),
    /// A two-dimensional image of elements of four bytes; [`Group::load`] reads its 32-bit words,
    /// [`Group::extent`] tells its size.
    Image,
    /// An argument that no clause uses.
    Opaque,
}

/// How readings are settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    alternatives: BTreeMap<Arc<str>, Arc<str>>,
    environment: Option<Arc<str>>,
}

impl Settled {
    /// As a profile settles them.
    pub fn by(profile: &ReadingProfile) -> Self {
        Self { alternatives: profile.settles.iter().cloned().collect(), environment: None }
    }

    /// The same, in an environment; otherwise the module's kind says which documents hold.
    pub fn in_environment(mut self, environment: &str) -> Self {
        self.environment = Some(environment.into());
        self
    }

    /// The environment that was named.
    pub fn environment(&self) -> Option<&Arc<str>> {
        self.environment.as_ref()
    }

    /// The alternative chosen for a reading.
    pub fn alternative(&self, reading: &str) -> Option<&Arc<str>> {
        self.alternatives.get(reading)
    }

    /// The same, with one reading settled (anew).
    pub fn with(mut self, reading: &str, alternative: &str) -> Self {
        self.alternatives.insert(reading.into(), alternative.into());
        self
    }
}

/// An instruction of a module.
#[derive(Clone, Debug)]
pub struct Instance {
    /// One for each operand of the specification, in order.
    pub arguments: Vec<Argument>,
    /// Type of the result.
    pub result: Option<Type>,
    /// Names of the capabilities that hold in the module.
    pub capabilities: Arc<BTreeSet<String>>,
    /// Names of the execution modes of the module's entry points; false of those that some have and
    /// some have not.
    pub modes: Arc<BTreeMap<String, bool>>,
    /// SPIR-V version of the module.
    pub version: (u8, u8),
    /// Names of the decorations of the result that change what the instruction does.
    pub decorations: BTreeSet<String>,
}

impl Instance {
    /// The module is a kernel's.
    pub fn is_kernel(&self) -> bool {
        self.capabilities.contains("Kernel")
    }
}

/// A reduction over lanes: each lane's part with the condition that it is a member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The operator applied to [`Pool::placeholder`]s 0 and 1 of its sort: one term for one
    /// operator, whatever it is called.
    pub operator: Term,
    /// The operator's identity.
    pub identity: Term,
    /// The possible members.
    pub parts: Vec<Part>,
}

/// A lane's part in a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The lane.
    pub lane: u32,
    /// The condition that it is a member.
    pub member: Term,
    /// What it contributes.
    pub value: Term,
}

/// A place in memory, as one lane names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryPlace {
    /// This many elements (32 bits) past the element that a pointer operand points to.
    Element(Term),
    /// A word of an image: column in words of 32 bits, and row (32 bits each).
    Word {
        /// The column, in words.
        column: Term,
        /// The row.
        row: Term,
    },
    /// A scalar of 8 or 16 bits that is stored inside a word of an image: the byte of the row where
    /// it begins, a multiple of its size, and the row (32 bits each). Only stores use it.
    Part {
        /// The byte.
        byte: Term,
        /// The row.
        row: Term,
    },
}

/// Elements of an image, 32 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texels {
    /// The number of elements in a row.
    pub row: Term,
    /// Bytes of one: a power of two.
    pub bytes: Term,
    /// Bytes of a row of them.
    pub row_bytes: Term,
}

/// What a lane reads from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Read {
    /// The pointer or image operand.
    pub target: usize,
    /// Where.
    pub spot: MemoryPlace,
    /// Holds where it is read.
    pub when: Term,
    /// Of a word of an image, which of its bytes matter, from the lowest on; all where this is
    /// `None`.
    pub bytes: Option<[Term; 4]>,
}

/// A scalar that a lane writes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// The pointer or image operand.
    pub target: usize,
    /// Where.
    pub spot: MemoryPlace,
    /// What is written.
    pub value: Leaf,
    /// Holds where it is written.
    pub when: Term,
}

/// The update that each active lane makes, one lane after another in some order: it reads one
/// scalar and may write it anew. The instruction's result is a function of what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtomicUpdate {
    /// The pointer operand.
    pub target: usize,
    /// Where, for this lane.
    pub spot: MemoryPlace,
    /// Holds where the lane goes there at all; otherwise it leaves memory alone.
    pub when: Term,
    /// A placeholder for the value that the lane reads, in `after` and in the outcome's leaves: a
    /// [`Pool::placeholder`], and a Boolean one for its mark.
    pub before: Leaf,
    /// What it leaves there.
    pub after: Leaf,
    /// Holds where it stores something there, be it what it found.
    pub stores: Term,
}

/// A property of all lanes together, given by a body over one placeholder lane.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LaneQuantifier {
    /// Whether this is true in every lane.
    Every(Term),
    /// The set of lanes in which this is true, 128 bits.
    Set(Term),
    /// A reduction, as [`Fold`] has it.
    Fold {
        /// The operator over [`Pool::placeholder`]s 0 and 1.
        operator: Term,
        /// Its identity.
        identity: Term,
        /// The condition that the lane is a member.
        member: Term,
        /// What the lane contributes.
        value: Term,
    },
}

/// What an instance sees of its group.
pub trait Group {
    /// Where terms live.
    fn pool(&mut self) -> &mut Pool;

    /// The leaves of operand `operand` in `lane` (32 bits), with their marks.
    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError>;

    /// One of these leaves, if there is one of this number.
    fn operand_leaf(
        &mut self,
        operand: usize,
        leaf: usize,
        lane: Term,
    ) -> Result<Option<Leaf>, DenoteError> {
        Ok(self.operand(operand, lane)?.get(leaf).copied())
    }

    /// What computing with an undefined leaf of an operand in a lane draws. The same for the
    /// same arguments.
    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term;

    /// Where a draw counts, if that is looked at: in a lane that does not execute the instruction
    /// nothing uses what it computes, so any value does.
    fn draws_where(&mut self, _lane: Term) -> Result<Option<Term>, DenoteError> {
        Ok(None)
    }

    /// The lane reaches this instance.
    fn active(&mut self, lane: Term) -> Result<Term, DenoteError>;

    /// The lane exists.
    fn exists(&mut self, lane: Term) -> Term;

    /// A size, 32 bits.
    fn state(&mut self, state: State) -> Term;

    /// Whose lanes these are.
    fn scope(&self) -> GroupScope {
        GroupScope::Subgroup
    }

    /// A position of a lane, 32 bits. A subgroup on its own is number 0 of 1, and its workgroup is
    /// unknown otherwise.
    fn lane_position(
        &mut self,
        lane_position: LanePosition,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        match lane_position {
            LanePosition::Id => Ok(lane),
            LanePosition::SubgroupId => Ok(self.pool().bits(0, 32)),
            LanePosition::NumSubgroups => Ok(self.pool().bits(1, 32)),
            _ => Err(DenoteError::NotModelled("the workgroup around a subgroup".into())),
        }
    }

    /// No lane at or past this bound exists.
    fn lane_bound(&self) -> u32;

    /// The result that a relational clause leaves open, in a lane.
    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term;

    /// Bits that name the NaN that leaf `leaf` of the result is in a lane, should it be one; of an
    /// instruction that lanes execute in turn, the NaN that it leaves in memory.
    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term;

    /// A free choice between two values: the first one where this holds.
    fn either(&mut self, _lane: Term) -> Result<Term, DenoteError> {
        Err(DenoteError::NotModelled("a choice between two values".into()))
    }

    /// The scalar at a place that a pointer or image names in `lane`, as it is before the instance
    /// executes.
    fn load(&mut self, _read: Read, _lane: Term) -> Result<Leaf, DenoteError> {
        Err(DenoteError::NotModelled("memory".into()))
    }

    /// Width in words of 32 bits, and height in rows, of the image `target` (32 bits each).
    fn extent(&mut self, _target: usize) -> Result<(Term, Term), DenoteError> {
        Err(DenoteError::NotModelled("an image".into()))
    }

    /// Elements of the image `target`, which are of any size.
    fn texels(&mut self, _target: usize) -> Result<Texels, DenoteError> {
        Err(DenoteError::NotModelled("the elements of an image".into()))
    }

    /// How many elements there are in what pointer `target` leads to, and the one of them that it
    /// points to in `lane` (32 bits each).
    fn reach(&mut self, _target: usize, _lane: Term) -> Result<(Term, Term), DenoteError> {
        Err(DenoteError::NotModelled("where memory ends".into()))
    }

    /// An instruction that does not ask this itself has stored something where pointer `target`
    /// leads in `lane`, before this instance executes.
    fn modified(&mut self, _target: usize, _lane: Term) -> Result<Term, DenoteError> {
        Err(DenoteError::NotModelled("which instruction stored what memory holds".into()))
    }

    /// A new placeholder for any lane (32 bits), if this group quantifies over lanes; otherwise
    /// clauses are evaluated lane by lane. It is in scope until [`Group::leave`].
    fn any_lane(&mut self) -> Option<Term> {
        None
    }

    /// Ends the scope of the last placeholder.
    fn leave(&mut self) {}

    /// What a quantifier comes to, by the lane `any`, when it is made in lane `here`.
    fn quantifier(
        &mut self,
        _any: Term,
        _here: Term,
        _quantifier: LaneQuantifier,
    ) -> Result<Term, DenoteError> {
        Err(DenoteError::NotModelled("a quantifier of all lanes".into()))
    }

    /// The address in pointer `target` of `lane` is a multiple of that many bytes.
    fn aligned(&mut self, _target: usize, _bytes: u32, _lane: Term) -> Result<Term, DenoteError> {
        Err(DenoteError::NotModelled("the alignment of a pointer".into()))
    }

    /// A term for a reduction, where this group has one of its own.
    fn fold(&mut self, _fold: &Fold) -> Option<Term> {
        None
    }
}

/// How many expressions may be evaluated for one lane; the built-in specification needs a small part.
pub const STEPS: u32 = 1 << 23;

/// Why an instruction has no denotation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DenoteError {
    /// Something that is not supported.
    #[error("{0} is not supported")]
    NotModelled(String),
    /// The same, for an instruction at a known place.
    #[error("{what} is not supported ({instruction})")]
    NotModelledIn {
        /// What.
        what: String,
        /// The instruction's name.
        instruction: String,
        /// Index of its first word in the module.
        word: u32,
        /// Line in the assembly that was given, from 1; 0 for a binary.
        line: u32,
    },
    /// The same of what comes of a reading as it is settled: what, and the reading.
    #[error("{0} is not supported where the reading {1} leaves it to the implementation")]
    NotModelledBy(String, Arc<str>),
    /// What is meant depends on a reading that nothing settles; its name and its alternatives.
    #[error("the reading {0} is not settled")]
    Unsettled(Arc<str>, Vec<Arc<str>>),
    /// A payload that is only moved was computed with: not a movement after all.
    #[error("a payload is computed with")]
    NotMovement(BTreeSet<u32>),
    /// There are too many possibilities to walk.
    #[error("{0}: too many possibilities")]
    Undecided(String),
    /// Reading the clauses in one lane takes more than [`STEPS`] steps.
    #[error("the clauses take more than {STEPS} steps in one lane")]
    Steps,
    /// The time limit of the group was reached.
    #[error("timed out while clauses were evaluated")]
    OutOfTime,
    /// The specification does not fit the module or itself.
    #[error("{0}")]
    Specification(String),
}

impl DenoteError {
    /// The same error, for the instruction at this word and line.
    #[must_use]
    pub fn within(self, instruction: &str, word: u32, line: u32) -> Self {
        match self {
            Self::NotModelled(what) => {
                Self::NotModelledIn { what, instruction: instruction.to_owned(), word, line }
            }
            other => other,
        }
    }
}
