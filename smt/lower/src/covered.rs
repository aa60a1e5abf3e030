//! Whether all lanes of a function are in one of some activities, by a syntactic check.

use std::collections::{BTreeSet, HashMap};

use crate::flat::{Activity, ActivityId, BranchTest, Flat};

/// The ways by which lanes leave an activity, by number.
type Ways<'f> = Vec<(usize, &'f BranchTest)>;

impl Flat {
    /// Every lane that enters comes to one of these activities, whichever way it goes at branches.
    pub(crate) fn all_lanes_are_in(&self, parts: &[ActivityId]) -> bool {
        let activities = &self.lanes.activities;
        let mut ways: HashMap<usize, Ways<'_>> = HashMap::new();
        for (number, activity) in activities.iter().enumerate() {
            if let Activity::Edge(from, test) = activity {
                ways.entry(from.0 as usize).or_default().push((number, test));
            }
        }
        let mut covered = vec![false; activities.len()];
        parts.iter().for_each(|part| covered[part.0 as usize] = true);
        // What comes from an activity has a greater number.
        for (number, activity) in activities.iter().enumerate().rev() {
            let leaves = ways.get(&number).is_some_and(|ways| each_way_leads(ways, &covered));
            covered[number] |= leaves;
            if covered[number]
                && let Activity::Union(parts) = activity
            {
                parts.iter().for_each(|part| covered[part.0 as usize] = true);
            }
        }
        activities.iter().zip(covered).any(|(it, covered)| *it == Activity::Entry && covered)
    }
}

/// Some branch leads to covered activities, whichever way a lane goes.
fn each_way_leads(ways: &Ways<'_>, covered: &[bool]) -> bool {
    let led: Vec<&BranchTest> =
        ways.iter().filter(|(way, _)| covered[*way]).map(|(_, test)| *test).collect();
    led.iter().any(|test| match test {
        BranchTest::Holds(value) => led.contains(&&BranchTest::Fails(*value)),
        BranchTest::Differs(value, others) => {
            let numbers: BTreeSet<u64> = led
                .iter()
                .filter_map(|test| match test {
                    BranchTest::Equals(of, numbers) if of == value => Some(numbers),
                    _ => None,
                })
                .flatten()
                .copied()
                .collect();
            others.iter().all(|number| numbers.contains(number))
        }
        _ => false,
    })
}
