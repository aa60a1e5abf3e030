//! The waterfall that computes a shuffle: each iteration the first live lane's index is handed out,
//! the value of the lane that it names is broadcast, and the live lanes with that index take it.

use z3::ast::{BV, Bool};

use super::lanes::{ID, PerLane, Subgroup, Verdict, follows, has, is_first, lane, mask, no_lane};

/// Which lanes execute the broadcast inside the loop.
#[derive(Clone, Copy)]
enum Served {
    /// Lanes leave the loop when served: only the live ones are there.
    Leave,
    /// Served lanes stay in the loop until all are served: all active lanes execute it, and "live"
    /// is data, not control flow.
    Stay,
}

struct Waterfall {
    group: Subgroup,
    value: PerLane,
    index: PerLane,
    result: PerLane,
    live: BV,
    first: BV,
}

impl Waterfall {
    fn new() -> Self {
        Self {
            group: Subgroup::any(),
            value: PerLane::new("x", 32),
            index: PerLane::new("index", ID),
            result: PerLane::new("result", 32),
            live: mask("L"),
            first: lane("f"),
        }
    }

    /// The iteration's terms, and that the source's shuffle is defined in these active lanes.
    fn iteration(&self, lanes: &[&BV]) -> Vec<Bool> {
        let mut facts = vec![self.group.facts(), is_first(&self.live, &self.first)];
        for i in lanes {
            let active = |lane: &BV| has(&self.group.active, lane);
            facts.push(active(i).implies(active(&self.index.at(i))));
            facts.push(self.invariant(&has(&self.live, i), &self.result.at(i), i));
        }
        facts
    }

    fn takes(&self, i: &BV) -> Bool {
        has(&self.live, i) & self.index.at(i).eq(self.index.at(&self.first))
    }

    fn invariant(&self, live: &Bool, result: &BV, i: &BV) -> Bool {
        let active = has(&self.group.active, i);
        let right = result.eq(self.value.at(&self.index.at(i)));
        live.implies(&active) & (active & !live).implies(right)
    }

    fn consecution(&self) -> Verdict {
        let i = lane("i");
        let handed = self.value.at(&self.index.at(&self.first));
        let result = self.takes(&i).ite(&handed, &self.result.at(&i));
        let stays = has(&self.live, &i) & !self.takes(&i);
        follows(&self.iteration(&[&i, &self.first]), &self.invariant(&stays, &result, &i))
    }

    /// The broadcast reads a lane that executes it.
    fn reads_a_lane_that_is_there(&self, served: Served) -> Verdict {
        let there = match served {
            Served::Leave => &self.live,
            Served::Stay => &self.group.active,
        };
        let known = self.iteration(&[&self.first]);
        follows(&known, &has(there, &self.index.at(&self.first)))
    }
}

#[test]
fn every_lane_takes_the_value_that_its_index_names() {
    let waterfall = Waterfall::new();
    let i = lane("i");
    let group = || waterfall.group.facts();
    let now = waterfall.invariant(&has(&waterfall.live, &i), &waterfall.result.at(&i), &i);

    let start = [group(), waterfall.live.eq(&waterfall.group.active)];
    assert_eq!(follows(&start, &now), Verdict::Proved);
    assert_eq!(waterfall.consecution(), Verdict::Proved);

    let known = waterfall.iteration(&[&waterfall.first]);
    assert_eq!(follows(&known, &waterfall.takes(&waterfall.first)), Verdict::Proved);

    let end = [group(), waterfall.live.eq(no_lane()), now, has(&waterfall.group.active, &i)];
    let right = waterfall.result.at(&i).eq(waterfall.value.at(&waterfall.index.at(&i)));
    assert_eq!(follows(&end, &right), Verdict::Proved);
}

#[test]
fn a_lane_that_is_read_may_have_left_the_loop() {
    // The broadcast's value is then undefined: as a waterfall out of subgroup instructions this
    // does not refine the shuffle, although every other obligation holds.
    let waterfall = Waterfall::new();
    assert_eq!(waterfall.reads_a_lane_that_is_there(Served::Leave), Verdict::Broken);
}

#[test]
fn lanes_that_stay_until_all_are_served_can_be_read() {
    let waterfall = Waterfall::new();
    assert_eq!(waterfall.reads_a_lane_that_is_there(Served::Stay), Verdict::Proved);
}
