//! Which lanes execute a block together where a module promises no more than uniform control flow
//! (reading `reconvergence`).
//!
//! Lanes of one execution of a block that leave it by one way are a *class*: they are together
//! wherever they come. So are all lanes at the merge block of a construct whose header all of them
//! began together. The implementation may join other classes that come to one block, or that
//! come back from a call by different returns, as it likes.

use std::collections::BTreeSet;

use laneproof_module::Id;

/// Lanes of one subgroup that are together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class {
    /// The subgroup.
    pub group: usize,
    /// Its lanes.
    pub lanes: u128,
    /// All lanes that entered, those of the other subgroups among them, are together with these.
    pub whole: bool,
}

/// A way out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    /// The number of the block that it leads to; `None`: back to the caller.
    pub target: Option<usize>,
    /// The selector's value, if lanes of different values are not together by that alone.
    pub selector: Option<u64>,
}

/// The classes of a function in execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ways {
    /// The lanes that entered the outermost function, by subgroup.
    entered: Vec<u128>,
    /// Classes that wait at a block, by its number.
    waiting: Vec<Vec<Class>>,
    /// The merge blocks of constructs whose header all lanes began together.
    promised: BTreeSet<Id>,
    /// Classes on their way back to the caller.
    returned: Vec<Class>,
    /// The classes of the lanes that execute the current block, some of them joined if that was chosen.
    here: Vec<Class>,
    /// Which classes of the current block are joined was chosen.
    chosen: bool,
    /// All lanes that entered began the current block together.
    converged: bool,
    /// A call in the current block has ended.
    called: bool,
    /// Lanes that leave the current block: how, from which of its classes, and which.
    leaving: Vec<(Way, usize, u128)>,
}

impl Ways {
    /// Lanes come to the block `first` of a function with so many blocks.
    pub fn enter(entered: Vec<u128>, blocks: usize, first: usize, classes: Vec<Class>) -> Self {
        let mut waiting = vec![Vec::new(); blocks];
        if let Some(place) = waiting.get_mut(first) {
            *place = classes;
        }
        Self {
            entered,
            waiting,
            promised: BTreeSet::new(),
            returned: Vec::new(),
            here: Vec::new(),
            chosen: false,
            converged: false,
            called: false,
            leaving: Vec::new(),
        }
    }

    /// The lanes of `active`, by subgroup, all together: as they enter the outermost function.
    pub fn together(active: &[u128]) -> Vec<Class> {
        let some = active.iter().enumerate().filter(|(_, lanes)| **lanes != 0);
        some.map(|(group, lanes)| Class { group, lanes: *lanes, whole: true }).collect()
    }

    /// Lanes begin a block.
    pub fn arrive(&mut self, block: usize, label: Id, active: &[u128]) {
        let classes = std::mem::take(&mut self.waiting[block]);
        let promised = self.promised.contains(&label);
        self.settle(classes, active, promised);
        (self.converged, self.called) = (self.has_all(active), false);
    }

    /// Lanes come back from a function.
    pub fn come_back(&mut self, from: Self, active: &[u128]) {
        self.settle(from.returned, active, false);
        self.called = true;
    }

    /// The lanes of the current block are those of `active`, in these classes.
    fn settle(&mut self, mut classes: Vec<Class>, active: &[u128], promised: bool) {
        classes.sort_by_key(|class| (class.group, class.lanes.trailing_zeros()));
        let together = active == self.entered && (promised || self.is_one(&classes));
        self.here = if together { Self::together(active) } else { classes };
        self.chosen = false;
    }

    /// These are all lanes that entered, in one class.
    fn is_one(&self, classes: &[Class]) -> bool {
        match (classes, &*self.entered) {
            ([Class { whole: true, .. }, ..], _) => true,
            ([class], [entered]) => class.lanes == *entered,
            _ => false,
        }
    }

    /// All lanes that entered began the current block, together.
    fn is_whole(&self) -> bool {
        self.here.first().is_some_and(|class| class.whole)
    }

    /// All lanes that entered are those of `active`, and execute the current block together.
    pub fn has_all(&self, active: &[u128]) -> bool {
        self.is_whole() && active == self.entered
    }

    /// The current block is the header of a construct with this merge block: if all lanes began it
    /// together, they are together again there.
    pub fn promise(&mut self, merge: Id) {
        if self.converged {
            self.promised.insert(merge);
        } else {
            self.promised.remove(&merge);
        }
    }

    /// The classes of a subgroup's lanes in the current block.
    pub fn classes(&self, group: usize, active: u128) -> impl Iterator<Item = u128> {
        let own = self.here.iter().filter(move |class| class.group == group);
        own.map(move |class| class.lanes & active).filter(|lanes| *lanes != 0)
    }

    /// The classes of the current block, of these lanes.
    pub fn now(&self, active: &[u128]) -> Vec<Class> {
        let whole = self.has_all(active);
        let groups = active.iter().enumerate();
        let of_group = |(group, active): (usize, &u128)| {
            let classes = self.classes(group, *active);
            classes.map(|lanes| Class { group, lanes, whole }).collect::<Vec<_>>()
        };
        groups.flat_map(of_group).collect()
    }

    /// Whether it is still open which classes of the current block are joined.
    pub fn is_open(&self) -> bool {
        !self.chosen
    }

    /// Joins classes of the current block: these are together, by subgroup.
    pub fn join(&mut self, tangles: Vec<(usize, u128)>) {
        let whole = self.is_whole();
        let joined = tangles.into_iter().map(|(group, lanes)| Class { group, lanes, whole });
        self.here = joined.collect();
        if self.is_one(&self.here) {
            self.here.iter_mut().for_each(|class| class.whole = true);
            self.converged |= !self.called;
        }
        self.chosen = true;
    }

    /// Lanes of a subgroup leave the current block.
    pub fn leave(&mut self, way: Way, group: usize, set: u128) {
        for (place, class) in self.here.iter().enumerate() {
            let lanes = class.lanes & set;
            if class.group != group || lanes == 0 {
                continue;
            }
            match self.leaving.iter_mut().find(|it| (it.0, it.1) == (way, place)) {
                Some((.., known)) => *known |= lanes,
                None => self.leaving.push((way, place, lanes)),
            }
        }
    }

    /// All lanes of the current block have left it: each class comes where it goes.
    pub fn depart(&mut self) {
        let leaving = std::mem::take(&mut self.leaving);
        let mut taken: Vec<Way> = leaving.iter().map(|(way, ..)| *way).collect();
        taken.sort_unstable();
        taken.dedup();
        for way in taken {
            let by_it = || leaving.iter().filter(|(other, ..)| *other == way);
            let mut lanes = vec![0; self.entered.len()];
            by_it().for_each(|(_, place, set)| lanes[self.here[*place].group] |= set);
            let whole = self.is_whole() && lanes == self.entered;
            let classes = by_it().map(|(_, place, lanes)| {
                let group = self.here[*place].group;
                Class { group, lanes: *lanes, whole }
            });
            let classes: Vec<Class> = classes.collect();
            let to = match way.target {
                Some(block) => &mut self.waiting[block],
                None => &mut self.returned,
            };
            to.extend(classes);
            to.sort_unstable();
        }
        self.here.clear();
    }
}
