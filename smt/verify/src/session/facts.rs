//! What a proof used, for whoever asks why it holds.

use laneproof_encode::{Plan, View};
use laneproof_obligation::Built;

use super::{Session, Step};
use crate::abstraction::Abstraction;
use crate::fact::{Fact, Lanes};

impl Session<'_> {
    /// Notes what a proof by these terms uses.
    pub(super) fn note_facts(&mut self, built: &Built<'_>, plan: &Plan, step: &Step) {
        let loops = self.loops();
        let facts = &mut self.effort.facts;
        let in_part = facts.contains(&Fact::SourceBehaves(Lanes::OneInPart));
        let abstractions = [
            (plan.traced, Fact::SameAccesses),
            (built.abstracted.moved, Fact::Moved),
            (
                built.abstracted.folded || matches!(step, Step::Proved(Abstraction::Laws)),
                Fact::Laws,
            ),
            (plan.diagrams, Fact::Diagrams),
            (built.abstracted.quantified, Fact::Instances),
        ];
        facts.extend(abstractions.into_iter().filter(|(holds, _)| *holds).map(|(_, fact)| fact));
        let assumed = built.pool.bool_of(built.asks.source_behaves) != Some(true);
        if assumed && !in_part && !plan.traced {
            let lanes = match plan.view {
                View::AnyLane => Lanes::One,
                View::AnyLaneOfAll | View::EveryLane | View::Quantified => Lanes::All,
            };
            facts.push(Fact::SourceBehaves(lanes));
        }
        let inputs = &self.problem.source.interface.inputs;
        let leaves = inputs.iter().flat_map(|it| it.ty.leaves().into_iter().map(|_| &it.name));
        let mut same: Vec<&String> = (0..)
            .zip(leaves)
            .filter(|(leaf, _)| self.problem.same.has(*leaf))
            .map(|it| it.1)
            .collect();
        same.dedup();
        facts.extend(same.into_iter().map(|name| Fact::Same(name.clone())));
        if self.unrolling.bound > 0 && loops {
            facts.push(Fact::Unrolled(self.unrolling.bound));
        }
        let sides = [Some(&built.source), built.target.as_ref()];
        let mut readings: Vec<&str> =
            sides.into_iter().flatten().flat_map(|side| side.readings()).collect();
        readings.sort_unstable();
        readings.dedup();
        facts.extend(readings.into_iter().map(|reading| Fact::Reading(reading.to_owned())));
    }
}
