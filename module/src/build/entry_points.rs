//! Entry points with what their execution modes say.

use std::collections::HashMap;

use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, ExecutionMode, Op};

use super::Builder;
use super::workgroup_size::users;
use crate::decode::Decoded;
use crate::program::{Constant, Derivation, EntryPoint, Extent, Id, SideOperation, WorkgroupSize};
use crate::words::printable;

impl Builder {
    /// Adds all entry points; constants must be there.
    pub(super) fn add_entry_points(&mut self, globals: &[Decoded], functions: &[Decoded]) {
        let mut modes: HashMap<Id, Vec<(ExecutionMode, Vec<u32>)>> = HashMap::new();
        let mut sizes: HashMap<Id, [Extent; 3]> = HashMap::new();
        for instruction in globals {
            let (Op::ExecutionMode | Op::ExecutionModeId) = instruction.opcode else { continue };
            if let [Operand::IdRef(function), Operand::ExecutionMode(mode), rest @ ..] =
                instruction.operands.as_slice()
            {
                let values = rest.iter().filter_map(|operand| self.mode_value(operand)).collect();
                modes.entry(*function).or_default().push((*mode, values));
                if matches!(mode, ExecutionMode::LocalSize | ExecutionMode::LocalSizeId)
                    && let [x, y, z] = rest
                {
                    sizes.insert(*function, [x, y, z].map(|axis| self.extent(axis)));
                }
            }
        }
        // The built-in constant takes precedence over the modes.
        let workgroup_size = self.workgroup_size();
        self.program.preamble.workgroup_size =
            workgroup_size.zip(self.workgroup_size_constant()).map(|(sides, constant)| {
                WorkgroupSize { sides, users: users(constant, globals, functions) }
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
                let declared = workgroup_size.or_else(|| sizes.get(function).copied());
                self.program.entry_points.push(EntryPoint {
                    model: *model,
                    function: *function,
                    name: printable(name),
                    local_size: self.resolved_workgroup_size().or_else(|| local_size(&modes)),
                    workgroup_size: declared,
                    maximally_reconverges: modes
                        .iter()
                        .any(|(mode, _)| *mode == ExecutionMode::MaximallyReconvergesKHR),
                    modes,
                });
            }
        }
    }

    /// The constant that is decorated `WorkgroupSize`.
    fn workgroup_size_constant(&self) -> Option<Id> {
        let mut constants = self.program.constants.keys().copied();
        constants.find(|&id| self.annotations.built_in(id) == Some(BuiltIn::WorkgroupSize))
    }

    fn resolved_workgroup_size(&self) -> Option<[u32; 3]> {
        let constant = &self.program.constants[&self.workgroup_size_constant()?];
        match constant.leaves[..] {
            [Some(x), Some(y), Some(z)] => Some([x as u32, y as u32, z as u32]),
            _ => None,
        }
    }

    fn workgroup_size(&self) -> Option<[Extent; 3]> {
        let constant = &self.program.constants[&self.workgroup_size_constant()?];
        match (&constant.derived, self.resolved_workgroup_size()) {
            (Some(Derivation::Composite(parts)), _) => {
                let axes: [Id; 3] = parts.as_slice().try_into().ok()?;
                Some(axes.map(|axis| self.extent(&Operand::IdRef(axis))))
            }
            (Some(Derivation::Operation(..)), _) => Some([Extent::Computed; 3]),
            (None, sides) => Some(sides?.map(Extent::Fixed)),
        }
    }

    /// A literal, or what is known of a constant.
    fn extent(&self, operand: &Operand) -> Extent {
        let Some(id) = operand.id_ref_any() else {
            return self.mode_value(operand).map_or(Extent::Computed, Extent::Fixed);
        };
        match self.program.constants.get(&id) {
            Some(constant) if constant.is_fixed() => {
                self.mode_value(operand).map_or(Extent::Computed, Extent::Fixed)
            }
            Some(Constant { spec_id: Some(spec_id), .. }) => Extent::Specialized(*spec_id),
            Some(Constant { ty, derived: Some(Derivation::Operation(opcode, words)), .. }) if matches!(ty.element(), Some(scalar) if scalar.width() == 32) => {
                self.operated(*opcode, words).unwrap_or(Extent::Computed)
            }
            _ => Extent::Computed,
        }
    }

    /// An operation on one specialization constant and a number.
    fn operated(&self, opcode: Op, operands: &[Operand]) -> Option<Extent> {
        let [left, right] = operands else { return None };
        let [number, value] = [left, right].map(|operand| self.extent(operand));
        let operation = match opcode {
            Op::IAdd => SideOperation::Plus,
            Op::ISub => SideOperation::Minus,
            Op::IMul => SideOperation::Times,
            Op::UDiv => SideOperation::DividedBy,
            _ => return None,
        };
        let (spec_id, number) = match (number, value, operation) {
            (Extent::Specialized(_), Extent::Fixed(0), SideOperation::DividedBy) => return None,
            (Extent::Specialized(spec_id), Extent::Fixed(number), _)
            | (
                Extent::Fixed(number),
                Extent::Specialized(spec_id),
                SideOperation::Plus | SideOperation::Times,
            ) => (spec_id, number),
            _ => return None,
        };
        Some(Extent::Operated(spec_id, operation, number))
    }

    /// A mode's literal, the value of the constant that it names, or the width of the type.
    fn mode_value(&self, operand: &Operand) -> Option<u32> {
        if let Operand::LiteralBit32(value) = operand {
            return Some(*value);
        }
        let id = operand.id_ref_any()?;
        match self.program.types.get(&id) {
            Some(ty) => Some(ty.data()?.element()?.width()),
            None => self.program.integer(id)?.try_into().ok(),
        }
    }
}

fn local_size(modes: &[(ExecutionMode, Vec<u32>)]) -> Option<[u32; 3]> {
    modes
        .iter()
        .find(|(mode, _)| matches!(mode, ExecutionMode::LocalSize | ExecutionMode::LocalSizeId))
        .and_then(|(_, values)| values.as_slice().try_into().ok())
}
