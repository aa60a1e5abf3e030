//! The order of events.

use laneproof_encode::Effects;
use laneproof_semantics::term::{Pool, Term};

/// The events that exclude a state, and the overruns of loops, in program order. An event after a
/// loop that overran is not reached, so it excludes nothing.
#[derive(Default)]
pub(crate) struct Precedence {
    excluded: Vec<(usize, Term)>,
    overruns: Vec<(usize, Term)>,
}

impl Precedence {
    pub(crate) fn note(&mut self, effects: &Effects, property: bool) {
        self.overruns.extend(&effects.overruns);
        // Undefined behavior of a property excuses nothing.
        let counts = |broken: &bool| *broken || !property;
        let excluded = effects.excluded.iter().filter(|(.., broken)| counts(broken));
        self.excluded.extend(excluded.map(|&(event, condition, _)| (event, condition)));
    }

    /// Some loop overruns that is reached before the state is excluded.
    pub(crate) fn overrun(&self, pool: &mut Pool) -> Term {
        let mut all = Vec::new();
        for &(event, condition) in &self.overruns {
            let before = self.excluded.iter().filter(|(earlier, _)| *earlier < event);
            let before: Vec<Term> = before.map(|(_, condition)| *condition).collect();
            let excluded = pool.any(before);
            let counts = pool.not(excluded);
            all.push(pool.and(condition, counts));
        }
        pool.any(all)
    }
}
