//! An obligation as terms.

use std::time::Instant;

use laneproof_encode::{
    EncodedSide, EncodingPlan, EntryState, GuardedConsequence, by_axioms, equal_products,
};
use laneproof_semantics::denote::Leaf;
use laneproof_semantics::term::{Pool, Term};

/// Which states count.
pub struct States {
    /// Every memory is small enough for a replay.
    pub small: Term,
    /// The facts about the states.
    pub known: Vec<Term>,
    /// The part of it that says that the target's open results are legal.
    pub given: Option<Term>,
}

/// The conditions of refinement.
pub struct Conditions {
    /// The source behaves, in the lanes of the view.
    pub source_behaves: Term,
    /// The source's open results are legal.
    pub source_legal: Term,
    /// The target misbehaves in a lane that entered, or proves nothing about other subgroups there.
    pub target_fails: Term,
    /// The target misbehaves, if something else is asked of it because of other subgroups.
    pub fails_alone: Option<Term>,
    /// Results disagree in a lane that entered.
    pub disagrees: Term,
    /// Where the text is silent.
    pub silence: Vec<GuardedConsequence>,
    /// Some loop takes more iterations than are unrolled, where the source behaves.
    pub overrun: Term,
}

/// The abstractions in the terms.
#[derive(Clone, Copy, Debug)]
pub struct Abstracted {
    /// Payloads are tags.
    pub moved: bool,
    /// Reductions are constants with axioms.
    pub folded: bool,
    /// Quantifiers over lanes are instantiated.
    pub quantified: bool,
}

/// An obligation, ready for a solver: refuted in a state in which the source behaves and the
/// target fails or disagrees.
pub struct Built<'f> {
    /// The terms.
    pub pool: Pool,
    /// The state in which both sides are entered.
    pub entry: EntryState,
    /// The symbolic lane, if the view has one.
    pub lane: Option<Term>,
    /// Which states count.
    pub states: States,
    /// The conditions of refinement.
    pub asks: Conditions,
    /// The target's result: lane and bits, leaf by leaf.
    pub returned: Vec<(Term, Term)>,
    /// Result leaves of source and target in the symbolic lane.
    pub results: Vec<(Leaf, Leaf)>,
    /// The source, as far as it was encoded.
    pub source: EncodedSide<'f>,
    /// The target, likewise.
    pub target: Option<EncodedSide<'f>>,
    /// A proof holds whatever other subgroups of the workgroup do.
    pub covers_others: bool,
    /// The abstractions in the terms.
    pub abstracted: Abstracted,
}

impl Built<'_> {
    /// Replaces counts by constants with axioms, if the plan says so; returns whether there were
    /// any. After `deadline` there are fewer axioms.
    pub fn count_by_axioms(
        &mut self,
        plan: &EncodingPlan,
        assertions: &mut Vec<Term>,
        deadline: Instant,
    ) -> bool {
        if !plan.axioms {
            return false;
        }
        let counts = by_axioms(&mut self.pool, assertions, self.lane, deadline);
        assertions.extend(&counts);
        assertions.extend(equal_products(&mut self.pool, assertions));
        !counts.is_empty()
    }
}
