//! The facts that a proof used, for `--explain`.

use laneproof_encode::{EncodedSide, EncodingPlan, View};
use laneproof_obligation::Built;

use super::{Session, Step};
use crate::abstraction::Abstraction;
use crate::fact::{Lanes, ProofFact};

impl Session<'_> {
    /// Records the readings on which the last query depends.
    pub(super) fn note_readings(&mut self, built: &Built<'_>) {
        let sides = [Some(&built.source), built.target.as_ref()];
        for reading in sides.into_iter().flatten().flat_map(|side| side.readings()) {
            self.rests_on.readings.insert(reading.to_string());
        }
        self.rests_on.source_readings.extend(built.source.readings().map(str::to_owned));
        self.rests_on.asks_for_place |= built.entry.place.consulted;
        self.rests_on.apart.source |= built.source.is_apart();
        self.rests_on.apart.target |= built.target.as_ref().is_some_and(EncodedSide::is_apart);
    }

    /// Records the facts that a proof by these terms uses.
    pub(super) fn note_facts(&mut self, built: &Built<'_>, plan: &EncodingPlan, step: &Step) {
        let loops = self.loops();
        let pure = self.is_pure();
        let facts = &mut self.effort.facts;
        let in_part = facts.contains(&ProofFact::SourceBehaves(Lanes::OneInPart));
        let abstractions = [
            (pure, ProofFact::PureFunctions),
            (plan.traced, ProofFact::SameAccesses),
            (built.abstracted.moved, ProofFact::Moved),
            (
                built.abstracted.folded || matches!(step, Step::Proved(Abstraction::Laws)),
                ProofFact::Laws,
            ),
            (plan.diagrams, ProofFact::Diagrams),
            (built.abstracted.quantified, ProofFact::Instances),
        ];
        facts.extend(abstractions.into_iter().filter(|(holds, _)| *holds).map(|(_, fact)| fact));
        let assumed = built.pool.bool_of(built.asks.source_behaves) != Some(true);
        if assumed && !in_part && !plan.traced {
            let lanes = match plan.view {
                View::AnyLane => Lanes::One,
                View::AnyLaneOfAll | View::EveryLane | View::Quantified => Lanes::All,
            };
            facts.push(ProofFact::SourceBehaves(lanes));
        }
        let group = self.problem.group;
        if group.all_active && !self.options.states.all_active && group.subgroups.is_none() {
            facts.push(ProofFact::Full);
        }
        let inputs = &self.problem.source.interface.inputs;
        let leaves = inputs.iter().flat_map(|it| it.ty.leaves().into_iter().map(|_| &it.name));
        let mut same: Vec<&String> = (0..)
            .zip(leaves)
            .filter(|(leaf, _)| self.problem.same.has(*leaf))
            .map(|it| it.1)
            .collect();
        same.dedup();
        facts.extend(same.into_iter().map(|name| ProofFact::Same(name.clone())));
        if self.unrolling.bound > 0 && loops {
            facts.push(ProofFact::Unrolled(self.unrolling.bound));
        }
        let sides = [Some(&built.source), built.target.as_ref()];
        let mut readings: Vec<&str> =
            sides.into_iter().flatten().flat_map(|side| side.readings()).collect();
        readings.sort_unstable();
        readings.dedup();
        facts.extend(readings.into_iter().map(|reading| ProofFact::Reading(reading.to_owned())));
    }
}
