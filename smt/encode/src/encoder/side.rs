//! One side of an obligation, as far as it was encoded.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use laneproof_lower::{ActivityId, Flat, StepId, ValueId};
use laneproof_semantics::denote::{LaneOutcome, Leaf, Read};
use laneproof_semantics::term::{Node, Pool, Symbol, Term};

use super::memory::Contacts;
use super::serialization::{Order, Time};
use super::{Choice, OpenChoice, RECONVERGENCE};

/// The terms that were built so far, by the lane in which they are evaluated.
#[derive(Default)]
pub(super) struct Encoded {
    pub(super) leaves: HashMap<(ValueId, Term), Vec<Leaf>>,
    pub(super) activities: HashMap<(ActivityId, Option<ActivityId>, Term), Term>,
    pub(super) outcomes: HashMap<(StepId, Term), Rc<LaneOutcome>>,
    /// Operands at computed lanes, as choices among all lanes.
    pub(super) elsewhere: HashMap<(StepId, usize, Term), Vec<Leaf>>,
    /// Whether computed lanes execute a step.
    pub(super) executing: HashMap<(StepId, Term), Term>,
    /// Values that are known to be defined in every lane that computes them. Their values in other
    /// lanes are never used.
    pub(super) defined: HashSet<ValueId>,
}

/// What a side does to memory.
#[derive(Default)]
pub struct MemoryEffects {
    /// The accesses of each lane, by the number of the access.
    pub contacts: HashMap<(usize, Term), Rc<Contacts>>,
    /// What the clauses of a step read in a lane.
    pub looked_at: HashMap<(StepId, Term), Vec<Read>>,
    /// Steps that ask whether another instruction stored something at their address.
    pub asks_modified: HashSet<StepId>,
}

/// How lanes are serialized at atomics.
#[derive(Default)]
pub struct AtomicOrders {
    /// Lanes are serialized in the order of their numbers: one of the side's choices.
    pub in_lane_order: bool,
    /// What happens at each rank, by the number of the access.
    pub times: HashMap<usize, Rc<Vec<Time>>>,
    /// Steps at which lanes are serialized.
    pub orders: HashMap<StepId, Order>,
    /// Whether every order has the same effect.
    pub any_order: HashMap<StepId, bool>,
    /// Whether at most one lane executes it.
    pub alone: HashMap<StepId, bool>,
}

/// Which lanes are together at a step, and the readings on which that depends.
#[derive(Default)]
pub struct Grouping {
    /// Steps that use other lanes' values.
    pub(super) around: HashSet<StepId>,
    /// A step used values of lanes that are with it only by the rule about merge blocks.
    pub(super) apart: bool,
    /// A step used values of lanes that the implementation may have put in other tangles.
    pub split: bool,
    /// All lanes are together in switches: a choice that the source may make.
    pub together: bool,
}

/// The state at the header of the loop that is cut open.
#[derive(Default)]
pub struct LoopHeader {
    /// Which lanes are at the header.
    pub live: Option<Symbol>,
    /// The values of lanes at the header, by slot and leaf: bits, and the undefined mark.
    pub held: HashMap<(usize, usize), (Symbol, Option<Symbol>)>,
}

/// One side of an obligation.
pub struct EncodedSide<'f> {
    /// The function.
    pub flat: &'f Flat,
    pub(super) name: &'static str,
    pub(super) encoded: Encoded,
    /// Its accesses to memory.
    pub memory: MemoryEffects,
    /// How its lanes are serialized.
    pub serialization: AtomicOrders,
    /// Which of its lanes are together.
    pub grouping: Grouping,
    /// Readings that were consulted besides those of clauses.
    pub consulted: BTreeSet<&'static str>,
    /// `OpKill` demotes, if that is a choice.
    pub kill_demotes: Option<Term>,
    pub(super) open: HashMap<(StepId, Choice, usize), Symbol>,
    /// What was drawn or left open so far.
    pub choices: Vec<OpenChoice>,
    /// The header of its loop, where that is cut open.
    pub header: LoopHeader,
}

impl<'f> EncodedSide<'f> {
    /// A side without encoded terms; `name` is the prefix of its choices' names.
    pub fn new(flat: &'f Flat, name: &'static str) -> Self {
        Self {
            flat,
            name,
            encoded: Encoded::default(),
            memory: MemoryEffects::default(),
            serialization: AtomicOrders::default(),
            grouping: Grouping { apart: flat.memory.barrier_apart, ..Grouping::default() },
            consulted: BTreeSet::new(),
            kill_demotes: None,
            open: HashMap::new(),
            choices: Vec::new(),
            header: LoopHeader::default(),
        }
    }

    /// The source of a target. If the target has no choice in switches, all lanes of the source are
    /// together: one of its choices, and mostly the one that explains the target.
    pub fn source(flat: &'f Flat, target: Option<&Flat>) -> Self {
        let together = target.is_some_and(|target| !target.chooses_tangles());
        let mut side = Self::new(flat, "source");
        side.grouping.together = together;
        side
    }

    /// Declares a value defined. Nothing that depends on it may have been encoded before.
    pub fn define(&mut self, value: ValueId) {
        self.encoded.defined.insert(value);
        self.encoded.leaves.retain(|(known, _), _| *known != value);
    }

    /// Forgets the choices that do not occur among `terms`.
    pub fn keep_choices(&mut self, pool: &Pool, terms: &[Term]) {
        let chosen = |term: &Term| match *pool.node(*term) {
            Node::Apply(symbol, _) => Some(symbol),
            _ => None,
        };
        let occur: BTreeSet<Symbol> = terms.iter().filter_map(chosen).collect();
        self.choices.retain(|open| occur.contains(&open.symbol));
    }

    /// The encoded steps whose results a relation leaves open.
    pub fn opened(&self) -> impl Iterator<Item = StepId> {
        self.choices.iter().filter(|open| open.choice == Choice::Result).map(|open| open.step)
    }

    /// The outcomes of steps, in each lane in which they were encoded.
    pub fn outcomes(&self) -> impl Iterator<Item = (StepId, &LaneOutcome)> {
        self.encoded.outcomes.iter().map(|((step, _), outcome)| (*step, &**outcome))
    }

    /// Readings that its steps consulted.
    pub fn readings(&self) -> impl Iterator<Item = &str> {
        let outcomes = self.encoded.outcomes.values();
        let clauses = outcomes.flat_map(|outcome| outcome.readings.iter().map(|name| &**name));
        let others = self.consulted.iter().copied();
        clauses.chain(others).chain(self.grouping.apart.then_some(RECONVERGENCE))
    }

    /// It depends on where lanes reconverge.
    pub fn is_apart(&self) -> bool {
        self.grouping.apart
    }
}
