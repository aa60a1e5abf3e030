//! Stages that only refute.

use laneproof_encode::SizeSet;

use super::{Descent, Settled};
use crate::abstraction::Abstraction;
use crate::counterexample::Counterexample;
use crate::phase::Phase;
use crate::session::{Attempt, RunLength};
use crate::strategy::SCOUTED;
use crate::verdict::{Obligation, Verdict};

impl Descent<'_, '_> {
    /// The functions differ after loops that leave equal values, in a replayed state. That decides,
    /// unless `--all` is given.
    pub(super) fn after_loops(&mut self, parts: u32) -> Settled {
        let applies = !self.options.all && self.unrollings.loops();
        let cut = self.unrollings.cut().ok().filter(|_| applies);
        let sizes = &self.options.states.sizes;
        let found = cut.and_then(|cut| self.session.differs_after_loops(cut, sizes, parts));
        let Some((size, abstraction, found)) = found else {
            self.session.restart();
            return Settled::No;
        };
        self.is_refuted(size, abstraction, found)
    }

    /// Sampled runs of the sizes that are still open. A refutation decides, unless `--all` is given.
    pub(super) fn runs(&mut self, parts: u32, length: RunLength) -> Settled {
        let mut open = self.options.states.sizes.clone();
        let below = self.refuted_somewhere.as_ref().map_or(u32::MAX, |(_, found)| found.size);
        open.retain(|size| {
            *size < below && !self.settled.contains_key(size) && !self.exhausted.runs.contains(size)
        });
        open.sort_unstable();
        for size in open {
            self.session.restart();
            let unrollings = self.unrollings;
            let (attempt, unended) = self.session.runs(size, unrollings, parts, length);
            if !unended {
                self.exhausted.runs.insert(size);
            }
            match attempt {
                Attempt::Refuted(abstraction, found) if !self.options.all => {
                    return self.is_refuted(size, abstraction, found);
                }
                Attempt::Refuted(abstraction, found) => {
                    let obligation =
                        self.session.obligation(Some(size), Verdict::Refuted, Some(abstraction));
                    self.scouted = Some((size, obligation, found));
                    break;
                }
                Attempt::Proved(_) | Attempt::Unknown(_) => {}
            }
        }
        self.session.restart();
        self.settle_somewhere()
    }

    /// A refutation of all sizes at once is one of the size that its state has, or of a few lanes if
    /// these are quickly refuted, too. That decides, unless `--all` is given.
    pub(super) fn settle_somewhere(&mut self) -> Settled {
        if self.options.all {
            return Settled::No;
        }
        let Some((abstraction, found)) = self.refuted_somewhere.take() else { return Settled::No };
        let mut few = self.options.states.sizes.clone();
        few.retain(|&size| size <= SCOUTED && size < found.size);
        few.sort_unstable();
        for size in few {
            self.session.restart();
            let attempt = self.session.run_strategies(&SizeSet::One(size), Phase::Scout);
            if let Attempt::Refuted(abstraction, found) = attempt {
                return self.is_refuted(size, abstraction, found);
            }
        }
        self.is_refuted(found.size, abstraction, found)
    }

    /// A refutation of one size is all that the report needs.
    pub(super) fn is_refuted(
        &mut self,
        size: u32,
        abstraction: Abstraction,
        found: Box<Counterexample>,
    ) -> Settled {
        let subgroups = found.workgroup.map(|it| it.subgroups);
        let obligation = Obligation {
            subgroups,
            ..self.session.obligation(Some(size), Verdict::Refuted, Some(abstraction))
        };
        self.report.obligations.extend(std::mem::take(&mut self.settled).into_values());
        self.report.verdict = Verdict::Refuted;
        self.report.obligations.push(obligation);
        self.report.counterexample = Some(*found);
        self.report.rests_on = self.session.rests_on();
        Settled::Yes
    }
}
