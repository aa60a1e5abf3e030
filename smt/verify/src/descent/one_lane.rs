//! One symbolic lane of one size after the other.

use laneproof_encode::SizeSet;

use super::{Descent, Settled};
use crate::phase::Phase;
use crate::session::Attempt;
use crate::verdict::Verdict;

impl Descent<'_, '_> {
    /// One symbolic lane of each size that is still open, from the smallest. Where it does not prove one,
    /// it is not tried on larger ones.
    pub(super) fn one_lane(&mut self) -> Settled {
        let mut open = self.options.states.sizes.clone();
        open.retain(|size| !self.settled.contains_key(size));
        open.sort_unstable();
        for size in open {
            self.session.restart();
            match self.session.run_strategies(&SizeSet::One(size), Phase::OneLane) {
                Attempt::Proved(abstraction) => {
                    let (verdict, _) = self.session.vacuity(size);
                    if verdict == Verdict::Unknown {
                        break;
                    }
                    self.settles(size, verdict, abstraction);
                }
                Attempt::Refuted(abstraction, found) if !self.options.all => {
                    return self.is_refuted(size, abstraction, found);
                }
                Attempt::Refuted(..) | Attempt::Unknown(_) => break,
            }
        }
        self.session.restart();
        self.tried_all |= self.settled.len() == self.options.states.sizes.len();
        Settled::No
    }
}
