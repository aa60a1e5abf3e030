//! Data races: two lanes touch one scalar, at least one of them writes and not both by atomics,
//! and no barrier lies between them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The lanes that accessed a scalar since the last barrier.
#[derive(Clone, Copy, Debug, Default)]
struct Touched {
    read: u128,
    written: u128,
    read_atomically: u128,
    written_atomically: u128,
}

impl Touched {
    /// The lanes with which an access conflicts.
    fn rivals(&self, atomic: bool, writes: bool) -> u128 {
        let anyone = self.read | self.written;
        match (atomic, writes) {
            (false, true) => anyone | self.read_atomically | self.written_atomically,
            (false, false) => self.written | self.written_atomically,
            (true, true) => anyone,
            (true, false) => self.written,
        }
    }
}

/// By subgroup: since its own last barrier, and since the last one of the workgroup.
type Groups = Vec<[Touched; 2]>;

/// Watches accesses to memory that lanes share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    /// By object and offset.
    touched: RefCell<HashMap<(usize, u64), Groups>>,
    /// The subgroup that executes what is going on.
    group: Cell<usize>,
    /// The lanes that race.
    found: Cell<u128>,
    /// What is going on is an atomic instruction.
    atomic: Cell<bool>,
}

impl Races {
    /// A lane reads a scalar, or writes it.
    pub fn note(&self, object: usize, offset: u64, lane: u32, writes: bool) {
        let mut all = self.touched.borrow_mut();
        let groups = all.entry((object, offset)).or_default();
        let (own, atomic, group) = (1u128 << lane, self.atomic.get(), self.group.get());
        if groups.len() <= group {
            groups.resize(group + 1, Default::default());
        }
        for (other, [since_own, since_all]) in groups.iter().enumerate() {
            let same = other == group;
            let touched = if same { since_own } else { since_all };
            let rivals = touched.rivals(atomic, writes) & if same { !own } else { u128::MAX };
            if rivals != 0 {
                // Lanes are named in the subgroup that comes upon the others.
                self.found.set(self.found.get() | own | if same { rivals } else { 0 });
            }
        }
        for touched in &mut groups[group] {
            *match (atomic, writes) {
                (false, false) => &mut touched.read,
                (false, true) => &mut touched.written,
                (true, false) => &mut touched.read_atomically,
                (true, true) => &mut touched.written_atomically,
            } |= own;
        }
    }

    /// Whether the accesses that follow are atomic.
    pub fn atomic(&self, atomic: bool) {
        self.atomic.set(atomic);
    }

    /// Which subgroup executes what follows.
    pub fn enter(&self, group: usize) {
        self.group.set(group);
    }

    /// Every lane has passed a barrier, of the workgroup or of one subgroup: what was before is
    /// over, in the objects that the barrier orders.
    pub fn barrier(&self, group: Option<usize>, orders: impl Fn(usize) -> bool) {
        for ((object, _), groups) in self.touched.borrow_mut().iter_mut() {
            match group {
                _ if !orders(*object) => {}
                None => groups.clear(),
                Some(group) => {
                    groups.get_mut(group).into_iter().for_each(|it| it[0] = Touched::default());
                }
            }
        }
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
        races.barrier(None, |object| object == 0);
        races.note(0, 4, 1, true);
        assert_eq!(races.found(), 0);
        races.barrier(None, |object| object != 0);
        races.note(0, 4, 2, true);
        assert_eq!(races.found(), 0b110, "the barrier orders other memory");
    }

    #[test]
    fn a_subgroup_s_barrier_orders_nothing_between_subgroups() {
        let races = Races::default();
        races.note(0, 4, 0, true);
        races.barrier(Some(0), |_| true);
        races.note(0, 4, 1, true);
        assert_eq!(races.found(), 0, "within the subgroup it does");
        races.enter(1);
        races.note(0, 4, 1, true);
        assert_eq!(races.found(), 0b10, "lane 1 of subgroup 1 is another lane");
    }
}
