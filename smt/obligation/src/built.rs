//! An obligation as terms.

use laneproof_encode::{
    EncodedSide, EncodingPlan, EntryState, GuardedConsequence, by_laws, equal_products,
};
use laneproof_semantics::denote::Leaf;
use laneproof_semantics::term::{Pool, Term};

/// Which states count.
pub struct States {
    /// No memory is larger than a replay can take.
    pub small: Term,
    /// What holds of every state that counts.
    pub known: Vec<Term>,
    /// That part of it which says that what the target leaves open is legal.
    pub given: Option<Term>,
}

/// What refinement asks in them.
pub struct Conditions {
    /// The source behaves, as far as the view looks.
    pub source_behaves: Term,
    /// What the source leaves open is legal: whatever else it might be does not count.
    pub source_legal: Term,
    /// The target misbehaves in a lane that entered.
    pub target_fails: Term,
    /// Results disagree in a lane that entered.
    pub disagrees: Term,
    /// Where texts say nothing.
    pub silence: Vec<GuardedConsequence>,
    /// Some loop takes more iterations than are unrolled, where the source behaves.
    pub overrun: Term,
}

/// From what the terms abstract.
#[derive(Clone, Copy, Debug)]
pub struct Abstracted {
    /// Payloads were tags.
    pub moved: bool,
    /// Reductions were terms of their own.
    pub folded: bool,
    /// What is asked of all lanes was known by instances.
    pub quantified: bool,
}

/// An obligation, ready for a solver: refuted in a state in which the source behaves and the
/// target fails or disagrees.
pub struct Built<'f> {
    /// The terms.
    pub pool: Pool,
    /// The state in which both sides are entered.
    pub entry: EntryState,
    /// The lane that stands for all, where there is one.
    pub lane: Option<Term>,
    /// Which states count.
    pub states: States,
    /// What refinement asks in them.
    pub asks: Conditions,
    /// What the target returns: lane and bits, leaf by leaf.
    pub returned: Vec<(Term, Term)>,
    /// Result leaves of source and target in the lane that stands for all.
    pub results: Vec<(Leaf, Leaf)>,
    /// The source, as far as it was encoded.
    pub source: EncodedSide<'f>,
    /// The target, likewise.
    pub target: Option<EncodedSide<'f>>,
    /// A proof holds whatever other subgroups of the workgroup do.
    pub covers_others: bool,
    /// From what the terms abstract.
    pub abstracted: Abstracted,
}

impl Built<'_> {
    /// Counts by their laws, where the plan goes by laws; whether there were any.
    pub fn count_by_laws(&mut self, plan: &EncodingPlan, assertions: &mut Vec<Term>) -> bool {
        if !plan.laws {
            return false;
        }
        let counts = by_laws(&mut self.pool, assertions, self.lane);
        assertions.extend(&counts);
        assertions.extend(equal_products(&mut self.pool, assertions));
        !counts.is_empty()
    }
}
