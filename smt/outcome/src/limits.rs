//! Limits of time: of one obligation, of a strategy's share of it, and of all obligations together. A
//! query also has a limit of the solver's own work, which normally ends it first, so that verdicts do
//! not depend on the load of the machine.

use std::time::{Duration, Instant};

use crate::slowdown::Slowdown;
use crate::unknown::{TimeLimit, Unknown};

/// When to stop.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The limit of each obligation, with all of its queries.
    obligation: Duration,
    /// The same where this is a portion of it.
    whole: Duration,
    /// By what it was extended, as the machine is busy.
    slowdown: Slowdown,
    /// What to report when it is reached.
    reached: TimeLimit,
    /// The limit of all obligations together, and when it ends.
    total: Option<(Duration, Instant)>,
    /// When the current obligation began.
    pub started: Instant,
    /// The most time that one query may take.
    share: Duration,
    /// The obligation's limit before any time has passed; the limit of work is computed from it.
    nominal: Duration,
    /// The same for one query.
    nominal_share: Duration,
    /// Reserved for the queries after a proof.
    kept: Duration,
}

/// The solver's units of work for each second of a question's share: about half of what it does in a
/// second in the catalogue's questions, on two loaded cores (1.6 million in the slowest tenth, 4 in the
/// median). So work ends most questions before the time does, on a machine half as fast, too.
const UNITS_PER_SECOND: u64 = 2_000_000;

/// `1 / KEPT` of an obligation's limit is reserved for the queries after a proof.
const KEPT: u32 = 10;

impl Limits {
    /// The limits as the first obligation begins.
    pub fn new(obligation: Duration, total: Option<Duration>) -> Self {
        Self::on_a_busy_machine(obligation, total, Slowdown::NONE)
    }

    /// The same on a machine that is as busy as this: each obligation takes as much work as on an idle one,
    /// and more time. The limit of all together is on the clock.
    pub fn on_a_busy_machine(
        nominal: Duration,
        total: Option<Duration>,
        slowdown: Slowdown,
    ) -> Self {
        let started = Instant::now();
        // A limit that overflows the clock is no limit.
        let total = total.and_then(|limit| Some((limit, started.checked_add(limit)?)));
        let obligation = slowdown.on_the_clock(nominal);
        let reached = whole_limit(obligation, slowdown);
        Self {
            obligation,
            whole: obligation,
            slowdown,
            reached,
            total,
            started,
            share: obligation,
            nominal,
            nominal_share: nominal,
            kept: obligation / KEPT,
        }
    }

    /// The limits of an attempt that may take `1 / parts` of the remaining time.
    pub fn portion(&self, parts: u32) -> Self {
        let portion = self.left() / parts.max(1);
        let obligation = self.started.elapsed() + portion;
        let reached = if parts > 1 { TimeLimit::Share(portion) } else { self.reached };
        let nominal = self.nominal / parts.max(1);
        Self {
            obligation,
            reached,
            share: portion,
            nominal,
            nominal_share: nominal,
            kept: Duration::ZERO,
            ..self.clone()
        }
    }

    /// The limits of queries that may take together what one of them may take now.
    pub fn of_all_queries(&self) -> Self {
        let share = self.left();
        let whole = self.share >= self.obligation;
        let reached = if whole { self.reached } else { TimeLimit::Share(share) };
        let obligation = self.started.elapsed() + share;
        Self { obligation, reached, share, kept: Duration::ZERO, ..self.clone() }
    }

    /// The limits of what follows a refutation, which ends the obligation: as much work as before, and all
    /// the time that is left of the obligation, so that a busy machine does the same as an idle one.
    pub fn once_refuted(&self) -> Self {
        let reached = whole_limit(self.whole, self.slowdown);
        let (obligation, share) = (self.whole, self.whole);
        Self { obligation, reached, share, kept: Duration::ZERO, ..self.clone() }
    }

    /// The next obligation begins.
    pub fn restart(&mut self) {
        self.started = Instant::now();
        self.share = self.obligation;
        self.nominal_share = self.nominal;
        self.kept = self.obligation / KEPT;
    }

    /// Queries may now take all that is left of the obligation's limit.
    pub fn finish(&mut self) {
        self.share = self.obligation;
        self.nominal_share = self.nominal;
        self.kept = Duration::ZERO;
    }

    /// From now on a query may take `1 / parts` of the obligation's limit.
    pub fn divide(&mut self, parts: u32) {
        self.share = self.obligation / parts.max(1);
        self.nominal_share = self.nominal / parts.max(1);
    }

    /// The solver's units of work that a query may take now; independent of the time that has passed.
    pub fn units(&self) -> u32 {
        let millis = u64::try_from(self.nominal_share.as_millis()).unwrap_or(u64::MAX);
        let units = millis.saturating_mul(UNITS_PER_SECOND / 1000);
        u32::try_from(units).unwrap_or(u32::MAX).max(1)
    }

    /// The time that a query may take now.
    pub fn left(&self) -> Duration {
        let own = self.obligation.saturating_sub(self.kept + self.started.elapsed());
        let own = own.min(self.share);
        match self.total {
            Some((_, end)) => own.min(end.saturating_duration_since(Instant::now())),
            None => own,
        }
    }

    /// The deadline of a query that begins now.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.left()
    }

    /// The limit of all obligations together is reached.
    pub fn all_over(&self) -> bool {
        self.total.is_some_and(|(_, end)| end <= Instant::now())
    }

    /// Which limit was reached, if nothing is left.
    pub fn over(&self) -> Option<Unknown> {
        if !self.left().is_zero() {
            return None;
        }
        Some(Unknown::TimedOut(match self.total {
            Some((limit, _)) if self.all_over() => TimeLimit::All(limit),
            _ => self.reached,
        }))
    }
}

/// What is reported of an obligation's limit on the clock.
fn whole_limit(clock: Duration, slowdown: Slowdown) -> TimeLimit {
    if slowdown == Slowdown::NONE {
        TimeLimit::Obligation(clock)
    } else {
        TimeLimit::Extended(clock)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// Limits whose current obligation began an hour ago.
    fn after_an_hour(obligation: Duration, total: Option<Duration>) -> Limits {
        let mut limits = Limits::new(obligation, total);
        limits.started = limits.started.checked_sub(HOUR).unwrap();
        limits
    }

    #[test]
    fn nothing_is_left_after_the_limit_and_the_next_obligation_has_all_of_it() {
        let mut limits = after_an_hour(HOUR, None);
        assert_eq!(limits.left(), Duration::ZERO);
        assert_eq!(limits.over(), Some(Unknown::TimedOut(TimeLimit::Obligation(HOUR))));
        limits.restart();
        assert!(limits.left() > HOUR / 2);
        assert_eq!(limits.over(), None);
    }

    #[test]
    fn a_share_is_a_bound_on_what_is_left() {
        let mut limits = after_an_hour(4 * HOUR, None);
        assert!(limits.left() > 2 * HOUR);
        limits.divide(8);
        assert_eq!(limits.left(), HOUR / 2);
        limits.restart();
        assert!(limits.left() > 3 * HOUR);
    }

    #[test]
    fn queries_share_what_one_may_take() {
        let mut limits = after_an_hour(4 * HOUR, None);
        limits.divide(8);
        let mut all = limits.of_all_queries();
        assert!(all.left() <= HOUR / 2 && all.left() > HOUR / 3);
        assert_eq!(all.units(), limits.units());
        // The first query takes half an hour, and nothing is left of the share.
        all.started = all.started.checked_sub(HOUR / 2).unwrap();
        assert!(matches!(all.over(), Some(Unknown::TimedOut(TimeLimit::Share(_)))));
        assert_eq!(limits.over(), None);
    }

    #[test]
    fn a_refutation_may_take_the_time_of_the_obligation_and_no_more_work() {
        let mut limits = after_an_hour(4 * HOUR, None);
        limits.divide(8);
        let portion = limits.portion(16);
        let refuted = portion.once_refuted();
        assert!(portion.left() < HOUR && refuted.left() > 2 * HOUR);
        assert_eq!(refuted.units(), portion.units());
        assert_eq!(after_an_hour(HOUR, None).portion(2).once_refuted().left(), Duration::ZERO);
        let none_left = after_an_hour(4 * HOUR, Some(Duration::ZERO));
        assert_eq!(none_left.once_refuted().left(), Duration::ZERO);
    }

    /// A query's limit of work follows from its share, not from the time that is left.
    #[test]
    fn work_does_not_depend_on_what_has_passed() {
        let minute = Duration::from_secs(60);
        let mut limits = Limits::new(minute, None);
        limits.started = limits.started.checked_sub(minute / 2).unwrap();
        assert!(limits.left() < minute / 2);
        assert_eq!(limits.units(), 120_000_000);
        limits.divide(4);
        assert_eq!(limits.units(), 30_000_000);
        assert_eq!(limits.portion(3).units(), 40_000_000);
        limits.restart();
        assert_eq!(limits.units(), 120_000_000);
        assert_eq!(Limits::new(Duration::ZERO, None).units(), 1);
        assert_eq!(Limits::new(Duration::MAX, None).units(), u32::MAX);
    }

    /// A busy machine gives more time, and every question the same work.
    #[test]
    fn a_busy_machine_extends_the_time_and_not_the_work() {
        let busy = Slowdown::of(3 * HOUR, HOUR);
        let limits = |slowdown| {
            let mut limits = Limits::on_a_busy_machine(HOUR, None, slowdown);
            limits.started = limits.started.checked_sub(2 * HOUR).unwrap();
            limits
        };
        let (idle, mut extended) = (limits(Slowdown::NONE), limits(busy));
        assert_eq!(idle.over(), Some(Unknown::TimedOut(TimeLimit::Obligation(HOUR))));
        assert!(extended.over().is_none() && extended.left() > HOUR / 2);
        assert_eq!(extended.units(), Limits::new(HOUR, None).units());
        for parts in [1, 3, 8] {
            let portions = [&idle, &extended].map(|it| it.portion(parts).units());
            assert_eq!(portions[0], portions[1]);
        }
        extended.started = extended.started.checked_sub(2 * HOUR).unwrap();
        let limit = TimeLimit::Extended(3 * HOUR);
        assert_eq!(extended.once_refuted().over(), Some(Unknown::TimedOut(limit)));
        let total = Limits::on_a_busy_machine(HOUR, Some(Duration::ZERO), busy);
        assert!(total.all_over());
    }

    #[test]
    fn something_is_kept_for_the_last_questions() {
        let mut limits = after_an_hour(HOUR + HOUR / 20, None);
        assert!(limits.over().is_some());
        limits.finish();
        assert!(limits.left() > HOUR / 30 && limits.left() <= HOUR / 20);
    }

    #[test]
    fn the_limit_of_all_together_holds_over_each() {
        let mut limits = Limits::new(HOUR, Some(Duration::ZERO));
        limits.restart();
        assert!(limits.all_over());
        assert_eq!(limits.over(), Some(Unknown::TimedOut(TimeLimit::All(Duration::ZERO))));
        assert!(!Limits::new(HOUR, Some(Duration::MAX)).all_over());
    }
}
