//! Which tool gets its next module: the one that took the least time so far, so that one slow tool
//! does not keep the others waiting. What a tool's modules are does not depend on that.

use std::collections::BTreeSet;
use std::time::Duration;

use laneproof_proofs::Shard;

use crate::plan::CampaignPlan;

/// What one tool has had.
#[derive(Clone, Debug)]
struct Turn {
    name: String,
    next: u64,
    end: Option<u64>,
    spent: Duration,
    done: u32,
    /// The indices of modules that are at work, or were when the campaign ended.
    running: BTreeSet<u64>,
}

impl Turn {
    /// The time that it has taken, with that of running modules.
    fn share(&self) -> Duration {
        self.spent + self.spent / self.done.max(1) * self.running()
    }

    fn running(&self) -> u32 {
        u32::try_from(self.running.len()).unwrap_or(u32::MAX)
    }
}

/// The tools of a campaign, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    turns: Vec<Turn>,
    shard: Shard,
}

impl Schedule {
    pub fn new<'n>(plan: &CampaignPlan, names: impl Iterator<Item = &'n str>) -> Self {
        let turns = names.map(|name| {
            let first = plan.extent.first.get(name).copied().unwrap_or(0);
            Turn {
                name: name.to_owned(),
                next: first,
                end: plan.extent.count.map(|count| first + count),
                spent: Duration::ZERO,
                done: 0,
                running: BTreeSet::new(),
            }
        });
        Self { turns: turns.collect(), shard: plan.extent.shard }
    }

    /// A tool and the index of its module; `None`: every tool has had all of its modules.
    pub fn next(&mut self) -> Option<(usize, u64)> {
        for turn in &mut self.turns {
            while !self.shard.holds(turn.next) && turn.end.is_none_or(|end| turn.next < end) {
                turn.next += 1;
            }
        }
        let open = |turn: &Turn| turn.end.is_none_or(|end| turn.next < end);
        let numbered = self.turns.iter_mut().enumerate().filter(|(_, turn)| open(turn));
        let (tool, turn) =
            numbered.min_by_key(|(_, turn)| (turn.share(), turn.done + turn.running()))?;
        let index = turn.next;
        turn.next += 1;
        turn.running.insert(index);
        Some((tool, index))
    }

    /// A tool took so long for the module of an index.
    pub fn took(&mut self, tool: usize, index: u64, time: Duration) {
        let turn = &mut self.turns[tool];
        turn.spent += time;
        turn.done += 1;
        turn.running.remove(&index);
    }

    /// A tool gets no more modules.
    pub fn close(&mut self, tool: usize) {
        let turn = &mut self.turns[tool];
        turn.end = Some(turn.next);
    }

    /// By tool, the first index that was not tried to its end.
    pub fn reached(&self) -> impl Iterator<Item = (String, u64)> {
        self.turns.iter().map(|turn| {
            let first = turn.running.first().copied().unwrap_or(turn.next);
            (turn.name.clone(), first)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignExtent;

    /// Two tools; the second takes ten times as long.
    fn counts(plan: &CampaignPlan, modules: usize) -> [u64; 2] {
        let mut schedule = Schedule::new(plan, ["quick", "slow"].into_iter());
        for _ in 0..modules {
            let Some((tool, index)) = schedule.next() else { break };
            schedule.took(tool, index, Duration::from_millis([10, 100][tool]));
        }
        let reached: Vec<u64> = schedule.reached().map(|(_, next)| next).collect();
        [reached[0], reached[1]]
    }

    #[test]
    fn time_is_shared_and_not_modules() {
        let [quick, slow] = counts(&CampaignPlan::default(), 110);
        assert!(quick >= 95 && slow >= 8, "{quick} and {slow}");
    }

    #[test]
    fn each_tool_gets_its_count_from_where_it_was() {
        let first = [("slow".to_owned(), 7)].into();
        let plan = CampaignPlan {
            extent: CampaignExtent { count: Some(20), first, ..CampaignExtent::default() },
            ..CampaignPlan::default()
        };
        assert_eq!(counts(&plan, 1000), [20, 27]);
    }

    /// What was at work when a campaign was interrupted is tried by the next one.
    #[test]
    fn what_was_interrupted_is_tried_again() {
        let mut schedule = Schedule::new(&CampaignPlan::default(), ["only"].into_iter());
        let taken: Vec<u64> =
            std::iter::from_fn(|| schedule.next()).take(4).map(|it| it.1).collect();
        for index in [0, 1, 3] {
            schedule.took(0, index, Duration::ZERO);
        }
        assert_eq!(taken, [0, 1, 2, 3]);
        assert_eq!(schedule.reached().collect::<Vec<_>>(), [("only".to_owned(), 2)]);
    }

    #[test]
    fn shards_have_each_index_once() {
        let mut seen = Vec::new();
        for shard in ["1/3", "2/3", "3/3"] {
            let plan = CampaignPlan {
                extent: CampaignExtent {
                    count: Some(10),
                    shard: shard.parse().unwrap(),
                    ..CampaignExtent::default()
                },
                ..CampaignPlan::default()
            };
            let mut schedule = Schedule::new(&plan, ["only"].into_iter());
            seen.extend(std::iter::from_fn(|| schedule.next()).map(|(_, index)| index));
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..10).collect::<Vec<_>>());
    }
}
