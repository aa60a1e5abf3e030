//! The work on two sides as functions of what each lane loads at its own place.

use laneproof_encode::{EncodingPlan, Standpoint, View};
use laneproof_lower::Flat;
use laneproof_obligation::{Built, Problem};
use laneproof_outcome::Limits;

use super::{RestsOn, Session};
use crate::case::Case;
use crate::manner::Manner;
use crate::options::Options;
use crate::replay::Subject;
use crate::unrolled::{Doubt, Unrolled, Unrollings};

/// Of the limit of all obligations, the pure functions have `1 / SHARE`.
const SHARE: u32 = 2;
/// Before that the sides as they stand have the first stages, in a declared workgroup `1 / BRIEF` of an
/// obligation's limit for all sizes together.
const BRIEF: u32 = 4;

impl<'a> Session<'a> {
    /// A session about the sides as they stand, with a little time.
    pub(crate) fn briefly(&self, case: &Case<'a>, options: &Options) -> Self {
        let problem = Problem { ..self.problem };
        // Stages have shares of what is left; a whole workgroup has no stages.
        let parts = if case.workgroup.is_some() { BRIEF } else { 1 };
        let limit = options
            .total_timeout
            .map_or(options.on_the_clock(), |it| it.min(options.on_the_clock()));
        let limits = options.limits(Some(limit / parts));
        let sides = (self.source, self.target);
        let mut session = self.beside(Manner::Brief, problem, sides, limits, self.doubt);
        session.unrolled(case.first, true);
        session.unrolls(case.unrollings);
        session
    }

    /// A session about the pure functions.
    pub(crate) fn of_pure_functions(
        &self,
        first: &'a Unrolled,
        pure: &'a Unrollings<'a>,
        case: &Case<'a>,
        options: &Options,
    ) -> Self {
        let shares = |flat: &Flat| flat.shares_memory();
        let crowded = shares(&first.source) || first.target.as_ref().is_some_and(shares);
        let mut group = self.problem.group;
        // Subgroups that are full are those of any workgroup.
        let sizes = &options.states.sizes;
        if !crowded && fills(case, sizes) {
            group.declared = None;
        }
        let flat = |subject: Subject<'a>, flat: &'a Flat| Subject { flat, ..subject };
        let target = case.target.zip(first.target.as_ref());
        let problem = Problem {
            source: &first.source,
            target: first.target.as_ref(),
            group,
            shapes: &first.shapes,
            ..self.problem
        };
        let source = flat(case.source, &first.source);
        let limit = options.total_timeout.map(|limit| limit / SHARE);
        let limits = options.limits(limit);
        let target = target.map(|(it, of)| flat(it, of));
        let mut session = self.beside(
            Manner::Pure { differ: false },
            problem,
            (source, target),
            limits,
            &first.doubt,
        );
        session.unrolls(pure);
        session.unrolled(first, true);
        session.of_subgroup(Standpoint::Any, crowded);
        session.find_full_subgroups(sizes);
        session.find_uniform_parameters(sizes);
        session
    }

    /// Another session, with limits of its own.
    fn beside(
        &self,
        manner: Manner,
        problem: Problem<'a>,
        (source, target): (Subject<'a>, Option<Subject<'a>>),
        limits: Limits,
        doubt: &'a Doubt,
    ) -> Self {
        let mut session = Self::new(problem, source, target, self.options, self.questions, doubt);
        session.effort.limits = limits;
        session.manner = manner;
        session
    }

    /// What another session has found counts here, too.
    pub(crate) fn absorb(&mut self, other: Self) {
        let RestsOn { readings, source_readings, asks_for_place, undisturbed, apart } =
            other.rests_on;
        self.rests_on.readings.extend(readings);
        self.rests_on.source_readings.extend(source_readings);
        self.rests_on.asks_for_place |= asks_for_place;
        self.rests_on.undisturbed |= undisturbed;
        self.rests_on.apart.source |= apart.source;
        self.rests_on.apart.target |= apart.target;
        self.effort.log.extend(other.effort.log);
        self.invariants = other.invariants;
    }

    /// It is about pure functions.
    pub(super) fn is_pure(&self) -> bool {
        matches!(self.manner, Manner::Pure { .. })
    }

    /// The pure functions differ in a state: what is left of their time is better used for the sides.
    pub(super) fn note_difference(&mut self, built: &Built<'_>, plan: &EncodingPlan) {
        let exact = plan.view == View::EveryLane && !built.abstracted.folded && !plan.diagrams;
        if exact && let Manner::Pure { differ } = &mut self.manner {
            *differ |= built.source.choices.is_empty();
        }
    }
}

/// Every subgroup of the declared workgroup has all of its lanes.
fn fills(case: &Case<'_>, sizes: &[u32]) -> bool {
    let invocations = case.workgroup.and_then(|it| it.declared.invocations());
    invocations.is_some_and(|all| sizes.iter().all(|size| all.is_multiple_of(*size)))
}
