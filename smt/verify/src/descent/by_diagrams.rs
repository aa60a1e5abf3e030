//! Decision diagrams, and when no more time of theirs would help.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use laneproof_encode::SizeSet;

use super::{Descent, Settled, bounded};
use crate::abstraction::Abstraction;
use crate::phase::Phase;
use crate::session::Attempt;
use crate::stage::LAST;
use crate::strategy::SCOUTED;
use crate::unrolled::Unrolled;
use crate::verdict::Verdict;

/// A size that would take this many times the limit by how the time grew up to it is not tried.
const FAR: u32 = 2;

/// How far decision diagrams went.
#[derive(Default)]
pub(super) struct Drawn<'a> {
    /// The unrolling with which they go on.
    unrolled: Option<&'a Unrolled>,
    /// What the sizes took that they decided.
    sizes: BTreeMap<u32, Effort>,
}

/// What a size took.
#[derive(Clone, Copy)]
struct Effort {
    time: Duration,
    /// The unrolled iterations of a loop.
    iterations: u32,
}

impl Descent<'_, '_> {
    /// Decision diagrams, one size after the other. If they do not prove a small size, they are not
    /// tried on larger ones.
    pub(super) fn diagrams(&mut self, parts: u32) -> Settled {
        let mut sizes = self.options.states.sizes.clone();
        sizes.sort_unstable();
        sizes.retain(|size| !self.settled.contains_key(size));
        if let Some(unrolled) = self.drawn.unrolled {
            self.session.unrolled(unrolled, true);
        }
        for size in sizes {
            if self.is_far(size, parts) {
                break;
            }
            self.unroll_for(size);
            self.session.restart();
            let begun = Instant::now();
            let Some(attempt) = self.one_by_diagrams(size, parts) else { break };
            let Attempt::Proved(abstraction) = attempt else {
                self.exhausted.diagrams |= matches!(&attempt, Attempt::Unknown(why)
                    if !why.is_limit());
                break;
            };
            let (verdict, _) = self.session.vacuity(size);
            if verdict == Verdict::Unknown {
                break;
            }
            self.settles(size, verdict, abstraction);
            let iterations = self.session.iterations_unrolled();
            self.drawn.sizes.insert(size, Effort { time: begun.elapsed(), iterations });
        }
        self.session.restart();
        self.drawn.unrolled = self.unrollings.with(self.session.iterations_unrolled());
        if let Ok(first) = self.unrollings.first() {
            self.session.unrolled(first, true);
        }
        self.tried_all |= self.settled.len() == self.options.states.sizes.len();
        Settled::No
    }

    /// A size is proved, or vacuous.
    pub(super) fn settles(&mut self, size: u32, verdict: Verdict, abstraction: Abstraction) {
        let obligation = self.session.obligation(Some(size), verdict, Some(abstraction));
        self.settled.insert(size, obligation);
        let so_far = self.settled.values().cloned().collect();
        self.report.notify(so_far, self.options.settled.as_ref());
    }

    /// Decision diagrams for one size; `None` if a glance refuted it.
    fn one_by_diagrams(&mut self, size: u32, parts: u32) -> Option<Attempt> {
        let only = SizeSet::One(size);
        let one = self.options.states.sizes.len() == 1 && !self.unrollings.loops();
        let quick = one && !std::mem::replace(&mut self.glanced, true);
        match quick.then(|| self.session.run_strategies(&only, Phase::Glance)) {
            Some(proved @ Attempt::Proved(_)) => Some(proved),
            Some(Attempt::Refuted(abstraction, found)) => {
                let obligation =
                    self.session.obligation(Some(size), Verdict::Refuted, Some(abstraction));
                self.scouted = Some((size, obligation, found));
                None
            }
            Some(Attempt::Unknown(_)) | None => {
                self.session.restart();
                let unrollings = self.unrollings;
                Some(
                    self.session.within(parts, |session| {
                        bounded(session, unrollings, &only, Phase::Diagrams)
                    }),
                )
            }
        }
    }

    /// Decision diagrams have not settled some size of very few lanes in the time that they had: what
    /// grows so fast is not settled in several times that time, and larger sizes are not either. Or from
    /// size to size the time grows so fast that the next one would take longer than there is.
    pub(super) fn is_beyond_diagrams(&self) -> bool {
        let sizes = self.options.states.sizes.iter().copied();
        if sizes.clone().any(|size| size < SCOUTED && !self.drawn.sizes.contains_key(&size)) {
            return true;
        }
        let open = sizes.filter(|size| !self.settled.contains_key(size)).min();
        open.is_some_and(|size| self.is_far(size, LAST))
    }

    /// A size will take several times this fraction of the limit.
    fn is_far(&self, size: u32, parts: u32) -> bool {
        let share = self.options.on_the_clock() / parts;
        self.extrapolated(size).is_some_and(|time| time / FAR > share)
    }

    /// A loop over lanes takes twice as many iterations with twice as many lanes: then these are not asked
    /// for, one number after the other.
    fn unroll_for(&mut self, size: u32) {
        let unrolled = self.session.iterations_unrolled();
        let Some([half, quarter]) = self.efforts_before(size) else { return };
        if half.iterations > quarter.iterations
            && half.iterations == unrolled
            && let Some(more) = self.unrollings.after(unrolled)
        {
            self.session.unrolled(more, true);
        }
    }

    /// The time that a size will take, if it is as many times that of half the size as that is of a quarter.
    fn extrapolated(&self, size: u32) -> Option<Duration> {
        let [half, quarter] = self.efforts_before(size)?.map(|it| it.time);
        Some(half.mul_f64(half.as_secs_f64() / quarter.as_secs_f64().max(1e-3)))
    }

    /// What half the size took, and a quarter.
    fn efforts_before(&self, size: u32) -> Option<[Effort; 2]> {
        let [half, quarter] = [2, 4].map(|parts| self.drawn.sizes.get(&(size / parts)).copied());
        Some([half?, quarter?])
    }
}
