//! Constants, and their replacements.

use std::collections::BTreeMap;

use laneproof_module::spirv::Op;
use laneproof_module::{Id, Operand, Program};
use rspirv::dr::{Instruction, Module};

use super::{Change, Kind};

/// The constants of a module by id, and the widths of its numbers by type.
pub(super) struct Constants<'m> {
    constants: BTreeMap<Id, &'m Instruction>,
    types: BTreeMap<Id, &'m Instruction>,
    program: &'m Program,
}

impl<'m> Constants<'m> {
    pub(super) fn of(module: &'m Module, program: &'m Program) -> Self {
        let by_id = |wanted: fn(Op) -> bool| {
            let all = module.types_global_values.iter().filter(|it| wanted(it.class.opcode));
            all.filter_map(|it| Some((it.result_id?, it))).collect()
        };
        Self {
            constants: by_id(|op| {
                matches!(
                    op,
                    Op::Constant | Op::ConstantTrue | Op::ConstantFalse | Op::ConstantComposite
                )
            }),
            types: by_id(|op| matches!(op, Op::TypeInt | Op::TypeFloat)),
            program,
        }
    }

    /// What an operand becomes instead of the constant that it is: its neighbours. A vector's
    /// components are changed one at a time.
    pub(super) fn others(&self, id: Id, operand: usize) -> Vec<Change> {
        let Some(constant) = self.constants.get(&id) else { return Vec::new() };
        let Some(ty) = constant.result_type else { return Vec::new() };
        let before = match (self.program.integer(id), constant.class.opcode) {
            (Some(number), Op::Constant) => number.to_string(),
            (_, Op::ConstantTrue) => "true".into(),
            (_, Op::ConstantFalse) => "false".into(),
            _ => self.program.name_of(id),
        };
        let change = |after: String, op, operands| Change {
            before: before.clone(),
            after,
            kind: Kind::Constant { operand, ty, op, operands },
        };
        match constant.class.opcode {
            Op::ConstantTrue => vec![change("false".into(), Op::ConstantFalse, vec![])],
            Op::ConstantFalse => vec![change("true".into(), Op::ConstantTrue, vec![])],
            Op::Constant => {
                let all = self.neighbours(ty, &constant.operands).into_iter();
                all.map(|(shown, literal)| change(shown, Op::Constant, vec![literal])).collect()
            }
            _ => self
                .composites(constant)
                .map(|(shown, it)| change(shown, Op::ConstantComposite, it))
                .collect(),
        }
    }

    /// A composite with one component for another: those that some other constant of the module
    /// is.
    fn composites(&self, constant: &Instruction) -> impl Iterator<Item = (String, Vec<Operand>)> {
        let whole = constant.operands.clone();
        (0..whole.len()).filter_map(move |place| {
            let id = whole[place].id_ref_any()?;
            let ty = self.constants.get(&id)?.result_type;
            let alike = |it: &&&Instruction| it.result_type == ty && it.result_id != Some(id);
            let other = self.constants.values().find(alike)?.result_id?;
            let mut operands = whole.clone();
            operands[place] = Operand::IdRef(other);
            let shown = format!("component {place} {}", self.program.name_of(other));
            Some((shown, operands))
        })
    }

    /// One more and one less, of a floating-point number its negative and twice as much.
    fn neighbours(&self, ty: Id, operands: &[Operand]) -> Vec<(String, Operand)> {
        let Some(ty) = self.types.get(&ty) else { return Vec::new() };
        let Some(Operand::LiteralBit32(width)) = ty.operands.first() else { return Vec::new() };
        let (bits, make): (u64, fn(u64) -> Operand) = match operands.first() {
            Some(Operand::LiteralBit32(bits)) => {
                (u64::from(*bits), |bits| Operand::LiteralBit32(bits as u32))
            }
            Some(Operand::LiteralBit64(bits)) => (*bits, Operand::LiteralBit64),
            _ => return Vec::new(),
        };
        let signed = ty.operands.get(1) == Some(&Operand::LiteralBit32(1));
        let mask = u64::MAX >> (64 - width.clamp(&1, &64));
        let others = match ty.class.opcode {
            Op::TypeFloat => vec![bits ^ (1 << (width - 1)), bits ^ (1 << (width - 2))],
            _ => vec![bits.wrapping_add(1), bits.wrapping_sub(1)],
        };
        let shown = |bits: u64| match ty.class.opcode {
            Op::TypeFloat => format!("{bits:#x}"),
            _ => bits.to_string(),
        };
        // A narrow number's word holds zeros above it, or copies of its sign.
        let word = |bits: u64| match signed && *width < 32 && bits >> (width - 1) & 1 == 1 {
            true => bits | !mask & 0xffff_ffff,
            false => bits,
        };
        others.into_iter().map(|it| it & mask).map(|it| (shown(it), make(word(it)))).collect()
    }
}
