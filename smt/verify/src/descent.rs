//! The order of the work: all sizes at once where that decides, else one size after the other.

mod by_diagrams;
mod one_lane;
mod refuting;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Instant;

use laneproof_encode::SizeSet;
use laneproof_outcome::Unknown;

use self::by_diagrams::Drawn;
use crate::abstraction::Abstraction;
use crate::counterexample::Counterexample;
use crate::error::VerifyError;
use crate::manner::Manner;
use crate::options::Options;
use crate::phase::Phase;
use crate::report::{Reason, VerificationReport};
use crate::session::{Attempt, RunLength, Session};
use crate::stage::{BRIEF, FIRST, INDUCTION, INITIAL, LAST, STAGES, Stage};
use crate::strategy::SCOUTED;
use crate::unrolled::Unrollings;
use crate::verdict::{Obligation, Verdict};

/// The sizes to scout: most wrong targets are wrong with two lanes.
const SCOUT: RangeInclusive<u32> = 2..=4;

/// Whether a stage has settled everything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    Yes,
    No,
}

/// A refutation of one of several sizes.
type Refuted = (Abstraction, Box<Counterexample>);

/// What earlier stages leave to later ones.
struct Descent<'d, 'a> {
    session: &'d mut Session<'a>,
    unrollings: &'a Unrollings<'a>,
    options: &'d Options,
    report: &'d mut VerificationReport,
    /// All sizes at once were tried in full.
    tried_all: bool,
    /// What an encoding of all sizes at once refuted, and a replay confirmed.
    refuted_somewhere: Option<Refuted>,
    /// The refuted obligation of the scout, if there is one.
    scouted: Option<(u32, Obligation, Box<Counterexample>)>,
    /// The obligations that decision diagrams or one symbolic lane proved.
    settled: BTreeMap<u32, Obligation>,
    /// The one size requested was glanced at before decision diagrams; again would find the same.
    glanced: bool,
    /// How far decision diagrams went.
    drawn: Drawn<'a>,
    /// Which strategies more time would not help.
    exhausted: Exhausted,
    /// Why obligations are undecided or vacuous.
    reasons: Vec<Reason>,
}

/// Which strategies more time would not help.
#[derive(Clone, Debug, Default)]
struct Exhausted {
    diagrams: bool,
    induction: bool,
    /// The sizes at which all samples were run to their end.
    runs: BTreeSet<u32>,
}

/// Goes through the stages until one of them settles it.
pub(crate) fn descend<'a>(
    session: &mut Session<'a>,
    unrollings: &'a Unrollings<'a>,
    options: &Options,
    report: &mut VerificationReport,
) -> Result<(), VerifyError> {
    let mut descent = Descent {
        session,
        unrollings,
        options,
        report,
        tried_all: options.states.sizes.len() < 2 || only_induction(options),
        refuted_somewhere: None,
        scouted: None,
        settled: BTreeMap::new(),
        glanced: false,
        drawn: Drawn::default(),
        exhausted: Exhausted::default(),
        reasons: Vec::new(),
    };
    let brief = descent.session.manner == Manner::Brief;
    for &stage in if brief { &STAGES[..FIRST] } else { &STAGES[..] } {
        if descent.applies(stage) && descent.carry_out(stage)? == Settled::Yes {
            break;
        }
    }
    Ok(())
}

/// Only induction is requested.
fn only_induction(options: &Options) -> bool {
    *options.abstractions.allowed() == BTreeSet::from([Abstraction::Induction])
}

impl Descent<'_, '_> {
    fn applies(&self, stage: Stage) -> bool {
        let (options, loops) = (self.options, self.unrollings.loops());
        let alone = only_induction(options);
        match stage {
            Stage::Scout => !self.tried_all && self.scouted_size().is_some(),
            Stage::AllSizes(_) => {
                (!self.tried_all || self.is_one_of_many_lanes()) && !loops && self.is_open()
            }
            Stage::OneLane => !loops && !alone && self.is_open(),
            Stage::Diagrams(LAST) if self.is_beyond_diagrams() => false,
            Stage::Diagrams(_) => {
                self.is_open()
                    && !(alone || self.exhausted.diagrams)
                    && options.abstractions.contains(Abstraction::Diagrams)
            }
            // One attempt is enough if nothing else is to be tried, or if the user stated an
            // invariant.
            Stage::Induction(parts) if alone || !options.invariants.is_empty() => {
                parts == INITIAL && self.may_induct()
            }
            Stage::InductionInstead(_) if alone || !options.invariants.is_empty() => false,
            Stage::Induction(_) | Stage::InductionInstead(_) if self.exhausted.induction => false,
            Stage::InductionInstead(_) => self.may_induct() && self.is_beyond_diagrams(),
            // It had more time before.
            Stage::Induction(BRIEF) if self.is_beyond_diagrams() => false,
            // A stated invariant is looked at in any case.
            Stage::RunsFirst(_) | Stage::Runs(..) if !options.invariants.is_empty() => false,
            Stage::RunsFirst(_) => self.is_one_of_many_lanes(),
            Stage::Runs(..) => !alone && self.scouted.is_none(),
            Stage::Induction(_) | Stage::AfterLoops(_) => self.may_induct(),
            Stage::AllSizesWithLoops => !self.tried_all && loops,
            Stage::AllSizesInFull(_) => {
                let sizes = &options.states.sizes;
                !self.tried_all && !loops && sizes.iter().any(|&size| size > SCOUTED)
            }
            Stage::EachSize => true,
        }
    }

    fn carry_out(&mut self, stage: Stage) -> Result<Settled, VerifyError> {
        Ok(match stage {
            Stage::Scout => self.scout(),
            Stage::AllSizes(phase) => {
                let settled = self.all_sizes(phase);
                if settled == Settled::No {
                    self.session.restart();
                }
                settled
            }
            Stage::OneLane => self.one_lane(),
            Stage::Diagrams(parts) => self.diagrams(parts),
            Stage::Induction(parts) | Stage::InductionInstead(parts) => self.induction(parts),
            Stage::RunsFirst(parts) => self.runs(parts, RunLength::Short),
            Stage::Runs(parts, length) => self.runs(parts, length),
            Stage::AfterLoops(parts) => self.after_loops(parts),
            Stage::AllSizesWithLoops => self.all_sizes(Phase::Glance),
            Stage::AllSizesInFull(parts) => self.some_of_all_sizes_in_full(parts),
            Stage::EachSize => {
                if self.each_size() == Settled::No {
                    self.conclude()?;
                }
                Settled::Yes
            }
        })
    }

    fn may_induct(&self) -> bool {
        let alone = only_induction(self.options);
        let one_size = self.options.states.sizes.len() < 2 && self.settled.is_empty();
        self.options.abstractions.contains(Abstraction::Induction)
            && (!self.tried_all || alone || one_size)
    }

    /// One size is requested, with too many lanes to encode one by one quickly: quantifiers and
    /// axioms may decide it.
    fn is_one_of_many_lanes(&self) -> bool {
        matches!(self.options.states.sizes[..], [size] if size > SCOUTED)
            && !only_induction(self.options)
    }

    fn scouted_size(&self) -> Option<u32> {
        self.options.states.sizes.iter().copied().find(|size| SCOUT.contains(size))
    }

    fn scout(&mut self) -> Settled {
        let Some(size) = self.scouted_size() else { return Settled::No };
        if let Attempt::Refuted(abstraction, found) =
            self.session.run_strategies(&SizeSet::One(size), Phase::Scout)
        {
            let obligation =
                self.session.obligation(Some(size), Verdict::Refuted, Some(abstraction));
            self.scouted = Some((size, obligation, found));
            self.tried_all = true;
        }
        self.session.restart();
        Settled::No
    }

    /// Nothing is refuted, and some size is not proved.
    fn is_open(&self) -> bool {
        let refuted = self.scouted.is_some() || self.refuted_somewhere.is_some();
        !refuted && self.settled.len() < self.options.states.sizes.len()
    }

    /// All sizes at once, in a phase that is brief.
    fn all_sizes(&mut self, phase: Phase) -> Settled {
        if let Some(unrolled) = self.unrollings.doubling() {
            self.session.unrolled(unrolled, false);
        }
        let attempt = self.session.run_strategies(&self.all(), phase);
        if let Ok(first) = self.unrollings.first() {
            self.session.unrolled(first, true);
        }
        match attempt {
            Attempt::Proved(abstraction) => {
                every_size(self.session, abstraction, self.options, self.report);
                return Settled::Yes;
            }
            Attempt::Refuted(abstraction, found) => {
                self.tried_all = true;
                self.refuted_somewhere = Some((abstraction, found));
            }
            Attempt::Unknown(_) => {}
        }
        Settled::No
    }

    fn all(&self) -> SizeSet {
        SizeSet::All(self.options.states.sizes.clone())
    }

    /// All sizes at once, by induction over the iterations of a loop.
    fn induction(&mut self, parts: u32) -> Settled {
        let alone = only_induction(self.options);
        let begun = Instant::now();
        let parts = match self.options.invariants.is_empty() {
            _ if alone => 1,
            true => parts,
            false => INDUCTION,
        };
        match self.induced(parts) {
            Attempt::Proved(abstraction) => {
                every_size(self.session, abstraction, self.options, self.report);
                return Settled::Yes;
            }
            Attempt::Unknown(why) if alone => {
                self.report.gives_up(why);
                return Settled::Yes;
            }
            Attempt::Refuted(..) | Attempt::Unknown(_) => {
                // A strategy that gives up long before its limit has nothing left to try.
                self.exhausted.induction =
                    begun.elapsed() < self.options.on_the_clock() / parts / 4;
                self.session.restart();
            }
        }
        Settled::No
    }

    fn induced(&mut self, parts: u32) -> Attempt {
        if !self.unrollings.loops() {
            return Attempt::Unknown(Unknown::incomplete("there is no loop"));
        }
        // In the last attempt the whole limit, if an invariant is likely.
        let all = if parts > INDUCTION { parts } else { 1 };
        match self.unrollings.cut() {
            Ok(cut) => self.session.induct(cut, &self.options.states.sizes, [parts, all]),
            Err(reason) => Attempt::Unknown(reason),
        }
    }

    /// One size after the other; a proof of all sizes at once ends the work.
    fn each_size(&mut self) -> Settled {
        for &size in &self.options.states.sizes {
            if size > SCOUTED && !std::mem::replace(&mut self.tried_all, true) {
                match self.all_sizes_in_full() {
                    Attempt::Proved(abstraction) if self.report.counterexample.is_none() => {
                        every_size(self.session, abstraction, self.options, self.report);
                        return Settled::Yes;
                    }
                    Attempt::Refuted(abstraction, found) => {
                        self.refuted_somewhere = Some((abstraction, found));
                        if self.settle_somewhere() == Settled::Yes {
                            return Settled::Yes;
                        }
                    }
                    Attempt::Proved(_) | Attempt::Unknown(_) => {}
                }
            }
            if let Some((_, obligation, found)) = self.scouted.take_if(|it| it.0 == size) {
                self.report.counterexample.get_or_insert(*found);
                self.report.settle(obligation, self.options.settled.as_ref());
                if !self.options.all {
                    break;
                }
                continue;
            }
            if let Some(obligation) = self.settled.remove(&size) {
                self.report.obligations.push(obligation);
                continue;
            }
            if self.one_size(size) == Verdict::Refuted && !self.options.all {
                break;
            }
        }
        Settled::No
    }

    /// Combines the verdicts of all sizes.
    ///
    /// # Errors
    ///
    /// If a confirmed refutation of all sizes at once contradicts proofs of each size.
    fn conclude(&mut self) -> Result<(), VerifyError> {
        let report = &mut *self.report;
        let verdicts: BTreeSet<Verdict> = report.obligations.iter().map(|it| it.verdict).collect();
        report.verdict = together(&verdicts);
        if report.verdict == Verdict::Proved && self.refuted_somewhere.is_some() {
            // Two encodings of one obligation contradict each other, so one of them is wrong.
            return Err(VerifyError::Internal(
                "the encoding of all sizes at once and those of one size each contradict each other",
            ));
        }
        let unknown = report.verdict == Verdict::Unknown;
        let reasons = std::mem::take(&mut self.reasons);
        report.explain(reasons.into_iter().find(|it| it.unknown.is_some() == unknown));
        report.rests_on = self.session.rests_on();
        Ok(())
    }

    /// What laws prove of all sizes in a part of the limit need not wait until diagrams of each size
    /// have taken theirs.
    fn some_of_all_sizes_in_full(&mut self, parts: u32) -> Settled {
        self.session.restart();
        let all = self.all();
        let attempt =
            self.session.within(parts, |session| session.run_strategies(&all, Phase::Full));
        self.session.restart();
        match attempt {
            Attempt::Proved(abstraction) => {
                every_size(self.session, abstraction, self.options, self.report);
                Settled::Yes
            }
            Attempt::Refuted(abstraction, found) => {
                self.tried_all = true;
                self.refuted_somewhere = Some((abstraction, found));
                self.settle_somewhere()
            }
            Attempt::Unknown(_) => Settled::No,
        }
    }

    fn all_sizes_in_full(&mut self) -> Attempt {
        self.session.restart();
        let doubling = self.unrollings.doubling();
        if let Some(unrolled) =
            doubling.filter(|it| it.iterations > self.session.iterations_unrolled())
        {
            self.session.unrolled(unrolled, false);
        }
        self.session.run_strategies(&self.all(), Phase::Full)
    }

    fn one_size(&mut self, size: u32) -> Verdict {
        self.session.restart();
        let at = || format!("at SubgroupSize {size}");
        let attempt = bounded(self.session, self.unrollings, &SizeSet::One(size), Phase::Full);
        let (verdict, abstraction) = match attempt {
            Attempt::Proved(abstraction) => {
                let (verdict, unknown) = self.session.vacuity(size);
                if verdict != Verdict::Proved {
                    self.reasons.push(Reason { obligation: at(), unknown });
                }
                (verdict, Some(abstraction))
            }
            Attempt::Refuted(abstraction, counterexample) => {
                self.report.counterexample.get_or_insert(*counterexample);
                (Verdict::Refuted, Some(abstraction))
            }
            Attempt::Unknown(why) => {
                self.reasons.push(Reason { obligation: at(), unknown: Some(why) });
                (Verdict::Unknown, None)
            }
        };
        self.report.settle(
            self.session.obligation(Some(size), verdict, abstraction),
            self.options.settled.as_ref(),
        );
        verdict
    }
}

/// Repeats the work with more unrolled iterations as long as there were too few.
pub(crate) fn bounded<'a>(
    session: &mut Session<'a>,
    unrollings: &'a Unrollings<'a>,
    sizes: &SizeSet,
    phase: Phase,
) -> Attempt {
    loop {
        let attempt = session.run_strategies(sizes, phase);
        if !matches!(attempt, Attempt::Unknown(_)) || !session.exceeded() {
            return attempt;
        }
        let Some(more) = unrollings.after(session.iterations_unrolled()) else { return attempt };
        session.unrolled(more, unrollings.after(more.iterations).is_none());
    }
}

/// One obligation covers all requested sizes.
pub(crate) fn every_size(
    session: &mut Session<'_>,
    abstraction: Abstraction,
    options: &Options,
    report: &mut VerificationReport,
) {
    let each: Vec<_> =
        options.states.sizes.iter().map(|&size| (size, session.vacuity(size))).collect();
    let verdicts: BTreeSet<Verdict> = each.iter().map(|(_, (verdict, _))| *verdict).collect();
    report.verdict = together(&verdicts);
    report.all_sizes = verdicts.len() == 1;
    report.obligations = match report.all_sizes {
        true => vec![session.obligation(None, report.verdict, Some(abstraction))],
        // It is vacuous for a size without a state.
        false => {
            let of = |(size, (verdict, _)): &(u32, (Verdict, _))| {
                session.obligation(Some(*size), *verdict, Some(abstraction))
            };
            each.iter().map(of).collect()
        }
    };
    let unknown = each.into_iter().find_map(|(_, (_, unknown))| unknown);
    report.explain(Some(Reason { obligation: String::new(), unknown }));
    report.rests_on = session.rests_on();
}

/// Refuted beats unknown beats proved; vacuous only if every size is.
pub(crate) fn together(verdicts: &BTreeSet<Verdict>) -> Verdict {
    [Verdict::Refuted, Verdict::Unknown, Verdict::Proved, Verdict::Vacuous]
        .into_iter()
        .find(|verdict| verdicts.contains(verdict))
        .unwrap_or_else(|| unreachable!("a claim has obligations"))
}
