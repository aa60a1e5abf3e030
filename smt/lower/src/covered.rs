//! Whether all lanes of an activity are in one of some others, by a syntactic check.

use std::collections::{BTreeSet, HashMap};

use crate::flat::{Activity, ActivityId, BranchTest, Flat, ValueId};

impl Flat {
    /// Every lane that enters is in one of these activities: each branch leads to them both ways.
    pub(crate) fn all_lanes_are_in(&self, parts: &[ActivityId]) -> bool {
        let entry = self.lanes.activities.iter().position(|it| *it == Activity::Entry);
        entry.is_some_and(|entry| Cover::new(self, parts).covers(ActivityId(entry as u32)))
    }
}

struct Cover<'f> {
    activities: &'f [Activity],
    /// The ways by which lanes leave an activity.
    ways: HashMap<ActivityId, Vec<(ActivityId, &'f BranchTest)>>,
    /// Activities with an answer; those in question are not covered by themselves.
    known: HashMap<ActivityId, bool>,
}

impl<'f> Cover<'f> {
    fn new(flat: &'f Flat, parts: &[ActivityId]) -> Self {
        let activities = &flat.lanes.activities;
        let mut ways: HashMap<_, Vec<_>> = HashMap::new();
        for (number, activity) in activities.iter().enumerate() {
            if let Activity::Edge(from, test) = activity {
                ways.entry(*from).or_default().push((ActivityId(number as u32), test));
            }
        }
        let mut cover = Self { activities, ways, known: HashMap::new() };
        parts.iter().for_each(|&part| cover.give(part));
        cover
    }

    /// This is covered, and so is all that comes to it.
    fn give(&mut self, part: ActivityId) {
        if self.known.insert(part, true).is_none()
            && let Activity::Union(ways) = &self.activities[part.0 as usize]
        {
            ways.iter().for_each(|&way| self.give(way));
        }
    }

    fn covers(&mut self, whole: ActivityId) -> bool {
        if let Some(&known) = self.known.get(&whole) {
            return known;
        }
        self.known.insert(whole, false);
        let covered = match &self.activities[whole.0 as usize] {
            Activity::Union(ways) => ways.iter().all(|&way| self.covers(way)),
            _ => self.leaves_covered(whole),
        };
        self.known.insert(whole, covered);
        covered
    }

    /// Some branch leads to covered activities, whichever way a lane goes.
    fn leaves_covered(&mut self, whole: ActivityId) -> bool {
        let ways = self.ways.get(&whole).cloned().unwrap_or_default();
        let mut led: Vec<&BranchTest> = Vec::new();
        for (way, test) in ways {
            if self.covers(way) {
                led.push(test);
            }
        }
        let equals = |value: ValueId| {
            let numbers = led.iter().filter_map(|test| match test {
                BranchTest::Equals(of, numbers) if *of == value => Some(numbers),
                _ => None,
            });
            numbers.flatten().copied().collect::<BTreeSet<u64>>()
        };
        led.iter().any(|test| match test {
            BranchTest::Holds(value) => led.contains(&&BranchTest::Fails(*value)),
            BranchTest::Differs(value, others) => {
                let led = equals(*value);
                others.iter().all(|number| led.contains(number))
            }
            _ => false,
        })
    }
}
