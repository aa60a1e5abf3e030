//! Values in order as small numbers in the same order.

use std::collections::BTreeSet;

/// How values from 0 to below a limit are numbered: each known one has a number of its own, and between two
/// of them, below the least and above the greatest there are as many numbers as values that are not known,
/// or as there are values there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Codes {
    /// Known values, each with its number, in order.
    known: Vec<(u128, u128)>,
    /// How many numbers there are.
    count: u128,
}

impl Codes {
    /// Numbers for the known ones of `values` values and `unknown` others.
    pub(super) fn new(known: &BTreeSet<u128>, unknown: u128, values: u128) -> Self {
        let (mut numbered, mut count, mut begin) = (Vec::new(), 0, 0);
        for &value in known {
            count += unknown.min(value - begin);
            numbered.push((value, count));
            (count, begin) = (count + 1, value + 1);
        }
        count += unknown.min(values - begin);
        Self { known: numbered, count }
    }

    /// How many numbers there are.
    pub(super) const fn count(&self) -> u128 {
        self.count
    }

    /// The number of a known value.
    pub(super) fn code(&self, value: u128) -> Option<u128> {
        let place = self.known.binary_search_by_key(&value, |(value, _)| *value).ok()?;
        Some(self.known[place].1)
    }

    /// The value that a number stands for.
    pub(super) fn value(&self, code: u128) -> u128 {
        let next = self.known.partition_point(|(_, number)| *number < code);
        match (self.known.get(next), next.checked_sub(1).map(|it| self.known[it])) {
            (Some(&(value, number)), _) if number == code => value,
            (_, Some((before, number))) => before + (code - number),
            (Some(&(value, number)), None) => value - (number - code),
            (None, None) => code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of known values from 0 to 7, with every number of others.
    #[test]
    fn numbers_are_ordered_as_their_values_and_leave_room_for_others() {
        for known in 0u32..256 {
            let known: BTreeSet<u128> =
                (0u32..8).filter(|value| known >> value & 1 == 1).map(u128::from).collect();
            for unknown in 0..=8 {
                let codes = Codes::new(&known, unknown, 8);
                let values: Vec<u128> = (0..codes.count()).map(|code| codes.value(code)).collect();
                assert!(values.is_sorted_by(|a, b| a < b) && values.iter().all(|it| *it < 8));
                assert!(
                    known.iter().all(|&it| codes.code(it).map(|it| codes.value(it)) == Some(it))
                );
                let mut edges: Vec<u128> = known.iter().map(|it| it + 1).collect();
                edges.insert(0, 0);
                for (place, &begin) in edges.iter().enumerate() {
                    let end = edges.get(place + 1).map_or(8, |it| it - 1);
                    let between = values.iter().filter(|it| (begin..end).contains(it)).count();
                    assert_eq!(between as u128, unknown.min(end - begin), "{known:?} {unknown}");
                }
            }
        }
    }
}
