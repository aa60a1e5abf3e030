//! Entry points with what their execution modes say.

use std::collections::HashMap;

use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, ExecutionMode, Op};

use super::Builder;
use crate::decode::Decoded;
use crate::program::{EntryPoint, Id};

impl Builder {
    /// Adds all entry points; constants must be there.
    pub(super) fn add_entry_points(&mut self, globals: &[Decoded]) {
        let mut modes: HashMap<Id, Vec<(ExecutionMode, Vec<u32>)>> = HashMap::new();
        for instruction in globals {
            let (Op::ExecutionMode | Op::ExecutionModeId) = instruction.opcode else { continue };
            if let [Operand::IdRef(function), Operand::ExecutionMode(mode), rest @ ..] =
                instruction.operands.as_slice()
            {
                let values = rest.iter().filter_map(|operand| self.mode_value(operand)).collect();
                modes.entry(*function).or_default().push((*mode, values));
            }
        }
        // The built-in constant takes precedence over the modes.
        let workgroup_size = self
            .program
            .constants
            .iter()
            .find(|&(&id, _)| self.annotations.built_in(id) == Some(BuiltIn::WorkgroupSize))
            .and_then(|(_, constant)| match constant.leaves[..] {
                [Some(x), Some(y), Some(z)] => Some([x as u32, y as u32, z as u32]),
                _ => None,
            });
        for instruction in globals.iter().filter(|found| found.opcode == Op::EntryPoint) {
            if let [
                Operand::ExecutionModel(model),
                Operand::IdRef(function),
                Operand::LiteralString(name),
                ..,
            ] = instruction.operands.as_slice()
            {
                let modes = modes.get(function).cloned().unwrap_or_default();
                self.program.entry_points.push(EntryPoint {
                    model: *model,
                    function: *function,
                    name: name.clone(),
                    local_size: workgroup_size.or_else(|| local_size(&modes)),
                    maximally_reconverges: modes
                        .iter()
                        .any(|(mode, _)| *mode == ExecutionMode::MaximallyReconvergesKHR),
                    modes,
                });
            }
        }
    }

    /// A mode's literal, or the value of the constant that it names.
    fn mode_value(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::LiteralBit32(value) => Some(*value),
            other => self.program.integer(other.id_ref_any()?)?.try_into().ok(),
        }
    }
}

fn local_size(modes: &[(ExecutionMode, Vec<u32>)]) -> Option<[u32; 3]> {
    modes
        .iter()
        .find(|(mode, _)| matches!(mode, ExecutionMode::LocalSize | ExecutionMode::LocalSizeId))
        .and_then(|(_, values)| values.as_slice().try_into().ok())
}
