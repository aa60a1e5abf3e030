//! Data races: two lanes touch one scalar, at least one of them writes and not both by atomics,
//! and no barrier lies between them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Who touched a scalar since the last barrier, as sets of lanes.
#[derive(Clone, Copy, Debug, Default)]
struct Touched {
    read: u128,
    written: u128,
    read_atomically: u128,
    written_atomically: u128,
}

/// Watches accesses to memory that lanes share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    /// By object and offset.
    touched: RefCell<HashMap<(usize, u64), Touched>>,
    /// The lanes that race.
    found: Cell<u128>,
    /// What is going on is an atomic instruction.
    atomic: Cell<bool>,
}

impl Races {
    /// A lane reads a scalar, or writes it.
    pub fn note(&self, object: usize, offset: u64, lane: u32, writes: bool) {
        let mut all = self.touched.borrow_mut();
        let touched = all.entry((object, offset)).or_default();
        let own = 1u128 << lane;
        let anyone = touched.read | touched.written;
        let rivals = match (self.atomic.get(), writes) {
            (false, true) => anyone | touched.read_atomically | touched.written_atomically,
            (false, false) => touched.written | touched.written_atomically,
            (true, true) => anyone,
            (true, false) => touched.written,
        } & !own;
        if rivals != 0 {
            self.found.set(self.found.get() | rivals | own);
        }
        *match (self.atomic.get(), writes) {
            (false, false) => &mut touched.read,
            (false, true) => &mut touched.written,
            (true, false) => &mut touched.read_atomically,
            (true, true) => &mut touched.written_atomically,
        } |= own;
    }

    /// Whether the accesses that follow are atomic.
    pub fn atomic(&self, atomic: bool) {
        self.atomic.set(atomic);
    }

    /// Every lane has passed a barrier: what was before is over.
    pub fn barrier(&self) {
        self.touched.borrow_mut().clear();
    }

    /// The lanes that race.
    pub fn found(&self) -> u128 {
        self.found.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::lanes;

    /// One lane after another touches one scalar: do they race?
    fn race(touches: [(u32, bool, bool); 2]) -> Vec<u32> {
        let races = Races::default();
        for (lane, atomic, writes) in touches {
            races.atomic(atomic);
            races.note(0, 4, lane, writes);
        }
        lanes(races.found()).collect()
    }

    #[test]
    fn two_lanes_race_when_one_writes_and_not_both_are_atomic() {
        for atomics in [[false, false], [false, true], [true, false], [true, true]] {
            for writes in [[false, false], [false, true], [true, false], [true, true]] {
                let [first, second] = [0, 1].map(|it| (it as u32, atomics[it], writes[it]));
                let expected = writes != [false, false] && atomics != [true, true];
                let found = race([first, second]);
                assert_eq!(
                    found,
                    if expected { vec![0, 1] } else { vec![] },
                    "{atomics:?} {writes:?}"
                );
            }
        }
    }

    #[test]
    fn a_lane_does_not_race_with_itself_nor_across_a_barrier() {
        assert_eq!(race([(3, false, true), (3, false, true)]), [0u32; 0]);
        let races = Races::default();
        races.note(0, 4, 0, true);
        races.barrier();
        races.note(0, 4, 1, true);
        assert_eq!(races.found(), 0);
    }
}
