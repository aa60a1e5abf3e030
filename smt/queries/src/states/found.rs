//! A state read from a model.

use laneproof_semantics::denote::Argument;
use laneproof_semantics::evaluate::{Bits, Subgroup};
use laneproof_semantics::term::GroundValue;
use laneproof_solve::Model;

use super::{FoundState, InstructionStates};

impl InstructionStates<'_> {
    /// The results that a model gives to what is left open.
    pub(super) fn results(&self, model: &Model) -> Option<Vec<Option<Vec<Bits>>>> {
        let open: Vec<_> = self.group.open_results().collect();
        if open.is_empty() {
            return None;
        }
        let leaves = self.instance.result.as_ref().map_or(0, |ty| ty.leaf_count());
        let of = |lane: u32, leaf: usize| {
            let symbol = open.iter().find(|(known, _)| *known == leaf).map(|(_, symbol)| *symbol);
            let value = symbol.and_then(|symbol| model.chosen(symbol, lane));
            Some(value.map_or(0, GroundValue::as_bits) as u64)
        };
        let lane = |lane| Some((0..leaves).map(|leaf| of(lane, leaf)).collect());
        Some((0..self.existing).map(lane).collect())
    }

    pub(super) fn read(&mut self, model: &Model, telling: bool) -> FoundState {
        FoundState { subgroup: self.subgroup(model, telling), results: self.results(model) }
    }

    fn subgroup(&mut self, model: &Model, telling: bool) -> Subgroup {
        let number = |constant: GroundValue| constant.as_bits();
        let [size, max_size, active] =
            [self.group.sizes.size, self.group.sizes.max_size, self.group.sizes.active]
                .map(|term| number(self.value(model, term)));
        let mut operands = Vec::new();
        for (operand, argument) in self.instance.arguments.iter().enumerate() {
            let leaves = match argument {
                Argument::Value(ty) => ty.leaves().len(),
                Argument::Values(types) => types.iter().map(|ty| ty.leaves().len()).sum(),
                _ => {
                    operands.push(Vec::new());
                    continue;
                }
            };
            let mut lanes = Vec::new();
            for lane in 0..self.existing {
                let of = |leaf| self.leaf(model, operand, leaf, lane);
                lanes.push((0..leaves).map(of).collect());
            }
            operands.push(lanes);
        }
        Subgroup {
            existing: self.existing,
            size: size as u32,
            max_size: max_size as u32,
            active,
            workgroup: None,
            operands,
            memory: self.memory(model, telling),
        }
    }

    /// The value in a lane; zero if it is not used.
    fn leaf(&self, model: &Model, operand: usize, leaf: usize, lane: u32) -> Bits {
        let Some([bits, mark]) = self.group.operands.get(&(operand, leaf)) else { return Some(0) };
        let chosen = |symbol| model.chosen(symbol, lane);
        let undefined = matches!(chosen(*mark), Some(GroundValue::Bool(true)));
        let value = chosen(*bits).map_or(0, GroundValue::as_bits) as u64;
        (!undefined).then_some(value)
    }
}
