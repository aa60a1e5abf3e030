//! Data races: two lanes touch one scalar, at least one of them writes, not both by atomics whose
//! scopes include each other, and no barrier lies between them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// How a lane touches memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Atomicity {
    /// Not by an atomic, or by one of the lane's own scope.
    #[default]
    Plain,
    /// By an atomic whose scope is the subgroup.
    OfSubgroup,
    /// By an atomic whose scope includes the workgroup.
    OfWorkgroup,
}

impl Atomicity {
    const ALL: [Self; 3] = [Self::Plain, Self::OfSubgroup, Self::OfWorkgroup];

    /// Accesses of two lanes are ordered, whichever comes first.
    fn is_ordered_with(self, other: Self, same_subgroup: bool) -> bool {
        match same_subgroup {
            true => self != Self::Plain && other != Self::Plain,
            false => self == Self::OfWorkgroup && other == Self::OfWorkgroup,
        }
    }
}

/// The lanes that accessed a scalar since the last barrier, by atomicity: those that read it, and
/// those that wrote it.
#[derive(Clone, Copy, Debug, Default)]
struct Touched([[u128; 2]; 3]);

impl Touched {
    /// The lanes with which an access conflicts.
    fn rivals(&self, atomicity: Atomicity, writes: bool, same_subgroup: bool) -> u128 {
        let apart = |it: &Atomicity| !it.is_ordered_with(atomicity, same_subgroup);
        Atomicity::ALL.into_iter().filter(apart).fold(0, |rivals, it| {
            let [read, written] = self.0[it as usize];
            rivals | written | if writes { read } else { 0 }
        })
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
    /// How what is going on touches memory.
    atomicity: Cell<Atomicity>,
}

impl Races {
    /// A lane reads a scalar, or writes it.
    pub fn note(&self, object: usize, offset: u64, lane: u32, writes: bool) {
        let mut all = self.touched.borrow_mut();
        let groups = all.entry((object, offset)).or_default();
        let (own, atomicity, group) = (1u128 << lane, self.atomicity.get(), self.group.get());
        if groups.len() <= group {
            groups.resize(group + 1, Default::default());
        }
        for (other, [since_own, since_all]) in groups.iter().enumerate() {
            let same = other == group;
            let touched = if same { since_own } else { since_all };
            let rivals = touched.rivals(atomicity, writes, same);
            let rivals = rivals & if same { !own } else { u128::MAX };
            if rivals != 0 {
                // Lanes are named in the subgroup that comes upon the others.
                self.found.set(self.found.get() | own | if same { rivals } else { 0 });
            }
        }
        for touched in &mut groups[group] {
            touched.0[atomicity as usize][usize::from(writes)] |= own;
        }
    }

    /// How the accesses that follow touch memory.
    pub fn touch_by(&self, atomicity: Atomicity) {
        self.atomicity.set(atomicity);
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

    /// A lane, how it touches memory, and whether it writes.
    type Touch = (u32, Atomicity, bool);

    /// One lane after another touches one scalar: do they race?
    fn race(touches: [Touch; 2]) -> Vec<u32> {
        let races = Races::default();
        for (lane, atomicity, writes) in touches {
            races.touch_by(atomicity);
            races.note(0, 4, lane, writes);
        }
        lanes(races.found()).collect()
    }

    /// The kinds of two accesses: how they touch memory, and whether they write.
    fn kinds() -> impl Iterator<Item = [(Atomicity, bool); 2]> {
        let kinds = Atomicity::ALL.map(|it| [(it, false), (it, true)]).concat();
        let others = kinds.clone();
        kinds
            .into_iter()
            .flat_map(move |first| others.clone().into_iter().map(move |it| [first, it]))
    }

    #[test]
    fn two_lanes_race_when_one_writes_and_not_both_are_atomic() {
        for [first, second] in kinds() {
            let atomic = first.0 != Atomicity::Plain && second.0 != Atomicity::Plain;
            let expected = (first.1 || second.1) && !atomic;
            let found = race([(0, first.0, first.1), (1, second.0, second.1)]);
            assert_eq!(found, if expected { vec![0, 1] } else { vec![] }, "{first:?} {second:?}");
        }
    }

    #[test]
    fn subgroups_race_unless_both_atomics_include_the_workgroup() {
        for [first, second] in kinds() {
            let wide = [first.0, second.0] == [Atomicity::OfWorkgroup; 2];
            let expected = (first.1 || second.1) && !wide;
            let races = Races::default();
            for (group, (atomicity, writes)) in [first, second].into_iter().enumerate() {
                races.enter(group);
                races.touch_by(atomicity);
                races.note(0, 4, 0, writes);
            }
            assert_eq!(races.found(), u128::from(expected), "{first:?} {second:?}");
        }
    }

    #[test]
    fn a_lane_does_not_race_with_itself_nor_across_a_barrier() {
        assert_eq!(race([(3, Atomicity::Plain, true); 2]), [0u32; 0]);
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
