//! What comes about before what.

use laneproof_encode::Effects;
use laneproof_semantics::term::{Pool, Term};

/// What excludes a state, and where loops go on, in the order in which it comes about. What
/// comes after a loop that is cut short never happened, so it excludes nothing.
#[derive(Default)]
pub(crate) struct Precedence {
    excluded: Vec<(usize, Term)>,
    overruns: Vec<(usize, Term)>,
}

impl Precedence {
    pub(crate) fn note(&mut self, effects: &Effects, property: bool) {
        self.overruns.extend(&effects.overruns);
        // The undefined behavior of a property is no excuse.
        let counts = |broken: &bool| *broken || !property;
        let excluded = effects.excluded.iter().filter(|(.., broken)| counts(broken));
        self.excluded.extend(excluded.map(|&(event, condition, _)| (event, condition)));
    }

    /// Some loop goes on that is reached without exclusion.
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
