//! An obligation as terms.

use laneproof_encode::{
    Consequence, InputLeaf, Memories, Place, Plan, Side, Surroundings, Workgroup, by_laws,
};
use laneproof_semantics::denote::Leaf;
use laneproof_semantics::term::{Pool, Term};

/// An obligation, ready for a solver: refuted in a state in which the source behaves and the
/// target fails or disagrees.
pub struct Built<'f> {
    /// The terms.
    pub pool: Pool,
    /// No lane at or past this exists.
    pub bound: u32,
    /// `SubgroupSize`, 32 bits.
    pub size: Term,
    /// `SubgroupMaxSize`, 32 bits.
    pub max_size: Term,
    /// How many lanes exist, 32 bits.
    pub existing: Term,
    /// Which subgroup of its workgroup this is.
    pub place: Place,
    /// The workgroup and the grid around it.
    pub surroundings: Surroundings,
    /// The workgroup, where all of its subgroups are carried.
    pub workgroup: Option<Workgroup>,
    /// The lanes that enter, 128 bits.
    pub active: Term,
    /// The lane that stands for all, where there is one.
    pub lane: Option<Term>,
    /// The parameters, leaf by leaf.
    pub inputs: Vec<Vec<InputLeaf>>,
    /// The memories that both sides are given.
    pub memories: Memories,
    /// No memory is larger than a replay can take.
    pub small: Term,
    /// What holds of every state that counts.
    pub state: Vec<Term>,
    /// That part of it which says that what the target leaves open is legal.
    pub given: Option<Term>,
    /// The source behaves, as far as the view looks.
    pub source_behaves: Term,
    /// What the source leaves open is legal: whatever else it might be does not count.
    pub source_legal: Term,
    /// The target misbehaves in a lane that entered.
    pub target_fails: Term,
    /// Results disagree in a lane that entered.
    pub disagrees: Term,
    /// Where texts say nothing.
    pub silence: Vec<Consequence>,
    /// Some loop takes more iterations than are unrolled, where the source behaves.
    pub overrun: Term,
    /// What the target returns: lane and bits, leaf by leaf.
    pub returned: Vec<(Term, Term)>,
    /// Result leaves of source and target in the lane that stands for all.
    pub results: Vec<(Leaf, Leaf)>,
    /// The source, as far as it was encoded.
    pub source: Side<'f>,
    /// The target, likewise.
    pub target: Option<Side<'f>>,
    /// A proof holds whatever other subgroups of the workgroup do.
    pub covers_others: bool,
    /// Payloads were tags.
    pub moved: bool,
    /// Reductions were terms of their own.
    pub folded: bool,
    /// What is asked of all lanes was known by instances.
    pub surveyed: bool,
}

impl Built<'_> {
    /// Counts by their laws, where the plan goes by laws; whether there were any.
    pub fn count_by_laws(&mut self, plan: &Plan, assertions: &mut Vec<Term>) -> bool {
        if !plan.laws {
            return false;
        }
        let counts = by_laws(&mut self.pool, assertions, self.lane);
        assertions.extend(&counts);
        !counts.is_empty()
    }
}
