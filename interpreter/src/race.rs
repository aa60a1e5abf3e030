//! Data races: two lanes touch one scalar, at least one of them writes, not both by atomics whose
//! scopes include each other, and no barrier lies between them.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

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

/// An access, as it counts for races.
#[derive(Clone, Copy)]
struct Access {
    group: usize,
    lane: u32,
    atomicity: Atomicity,
    writes: bool,
}

impl Access {
    /// A bit for its atomicity, and whether it writes.
    fn kind(self) -> u8 {
        1 << (2 * self.atomicity as u8 + u8::from(self.writes))
    }
}

/// The accesses to a scalar.
#[derive(Clone, Debug)]
enum Accesses {
    /// By one lane alone, which races with no other lane: so it is with nearly every scalar. Kinds of
    /// accesses since the last barrier of its subgroup, and of the workgroup.
    OneLane {
        group: usize,
        lane: u32,
        kinds: [u8; 2],
    },
    Lanes(Groups),
}

impl Accesses {
    /// The same, however many lanes there may be.
    fn into_groups(self) -> Groups {
        let (group, lane, kinds) = match self {
            Self::Lanes(groups) => return groups,
            Self::OneLane { group, lane, kinds } => (group, lane, kinds),
        };
        let mut groups = vec![<[Touched; 2]>::default(); group + 1];
        for (touched, kinds) in groups[group].iter_mut().zip(kinds) {
            for atomicity in Atomicity::ALL {
                for writes in [false, true] {
                    let access = Access { group, lane, atomicity, writes };
                    let made = kinds & access.kind() != 0;
                    touched.0[atomicity as usize][usize::from(writes)] = u128::from(made) << lane;
                }
            }
        }
        groups
    }

    /// Adds an access; the lanes that race because of it, in its subgroup.
    fn add(&mut self, access: Access) -> u128 {
        let Access { group, lane, atomicity, writes } = access;
        match self {
            Self::OneLane { kinds, .. } if *kinds == [0; 2] => {
                *self = Self::OneLane { group, lane, kinds: [access.kind(); 2] };
                return 0;
            }
            Self::OneLane { group, lane, kinds }
                if (*group, *lane) == (access.group, access.lane) =>
            {
                kinds.iter_mut().for_each(|it| *it |= access.kind());
                return 0;
            }
            Self::OneLane { .. } | Self::Lanes(_) => {}
        }
        let mut groups = std::mem::replace(self, Self::Lanes(Vec::new())).into_groups();
        if groups.len() <= group {
            groups.resize(group + 1, Default::default());
        }
        let (own, mut racing) = (1u128 << lane, 0);
        for (other, [since_own, since_all]) in groups.iter().enumerate() {
            let same = other == group;
            let touched = if same { since_own } else { since_all };
            let rivals = touched.rivals(atomicity, writes, same);
            let rivals = rivals & if same { !own } else { u128::MAX };
            if rivals != 0 {
                // Lanes are named in the subgroup that comes upon the others.
                racing |= own | if same { rivals } else { 0 };
            }
        }
        for touched in &mut groups[group] {
            touched.0[atomicity as usize][usize::from(writes)] |= own;
        }
        *self = Self::Lanes(groups);
        racing
    }

    /// A barrier of a subgroup, or of the workgroup, ends what was before.
    fn end(&mut self, subgroup: Option<usize>) {
        match (self, subgroup) {
            (Self::OneLane { kinds, .. }, None) => *kinds = [0; 2],
            (Self::OneLane { group, kinds, .. }, Some(subgroup)) if *group == subgroup => {
                kinds[0] = 0;
            }
            (Self::OneLane { .. }, Some(_)) => {}
            (Self::Lanes(groups), None) => groups.clear(),
            (Self::Lanes(groups), Some(subgroup)) => {
                groups.get_mut(subgroup).into_iter().for_each(|it| it[0] = Touched::default());
            }
        }
    }
}

/// Watches accesses to memory that lanes share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    /// By object and offset.
    touched: RefCell<FxHashMap<(usize, u64), Accesses>>,
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
        let (group, atomicity) = (self.group.get(), self.atomicity.get());
        let none = Accesses::OneLane { group, lane, kinds: [0; 2] };
        let mut all = self.touched.borrow_mut();
        let accesses = all.entry((object, offset)).or_insert(none);
        let racing = accesses.add(Access { group, lane, atomicity, writes });
        self.found.set(self.found.get() | racing);
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
        for ((object, _), accesses) in self.touched.borrow_mut().iter_mut() {
            if orders(*object) {
                accesses.end(group);
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

    /// What all accesses say that are not over, one with another.
    #[derive(Default)]
    struct Listed(Vec<(Access, [bool; 2])>);

    impl Listed {
        fn add(&mut self, access: Access) -> u128 {
            let mut racing = 0;
            for (before, [since_own, since_all]) in &self.0 {
                let same = before.group == access.group;
                let open = if same { *since_own && before.lane != access.lane } else { *since_all };
                let ordered = before.atomicity.is_ordered_with(access.atomicity, same);
                if open && !ordered && (before.writes || access.writes) {
                    racing |= 1 << access.lane | if same { 1 << before.lane } else { 0 };
                }
            }
            self.0.push((access, [true; 2]));
            racing
        }

        fn end(&mut self, subgroup: Option<usize>) {
            for (before, since) in &mut self.0 {
                match subgroup {
                    None => *since = [false; 2],
                    Some(group) => since[0] &= before.group != group,
                }
            }
        }
    }

    /// However few lanes there are: the short form for one lane says what the list says.
    #[test]
    fn each_access_races_with_what_is_not_over() {
        let (mut number, mut races, mut raced) = (1u64, 0, 0);
        let mut below = |end: u64| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (number >> 33) % end
        };
        for _ in 0..4000 {
            let none = Accesses::OneLane { group: 0, lane: 0, kinds: [0; 2] };
            let (mut short, mut listed) = (none, Listed::default());
            let lanes = 1 + below(3);
            for _ in 0..1 + below(8) {
                if below(4) == 0 {
                    let subgroup = [None, Some(0), Some(1)][below(3) as usize];
                    short.end(subgroup);
                    listed.end(subgroup);
                    continue;
                }
                let access = Access {
                    group: below(2) as usize,
                    lane: below(lanes) as u32,
                    atomicity: Atomicity::ALL[below(3) as usize],
                    writes: below(2) == 0,
                };
                let racing = short.add(access);
                assert_eq!(racing, listed.add(access), "{short:?}");
                races += 1;
                raced += u32::from(racing != 0);
            }
        }
        assert!(raced > races / 10 && raced < races, "{raced} of {races}");
    }
}
