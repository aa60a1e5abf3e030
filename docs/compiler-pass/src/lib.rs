//! A pass for targets that shuffle but do not rotate: `OpGroupNonUniformRotateKHR` over the whole
//! subgroup becomes a shuffle from the lane that is Delta above, counted round the subgroup.

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, Op, StorageClass, Word};

/// Lowers every rotation of a module that has no cluster size.
///
/// The module must have the type of an unsigned 32-bit integer, which Delta has.
pub fn lower_rotations(module: &mut Module) {
    let Some(uint) = unsigned(module) else { return };
    let mut ids = Ids(module.header.as_ref().map_or(1, |header| header.bound));
    let [lane, size, one] = [ids.fresh(), ids.fresh(), ids.fresh()];
    let mut rotations = 0;
    for block in module.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        let instructions = std::mem::take(&mut block.instructions);
        for instruction in instructions {
            match rotation(&instruction) {
                Some(rotation) => {
                    rotations += 1;
                    block.instructions.extend(shuffled(&rotation, uint, [lane, size, one], &mut ids));
                }
                None => block.instructions.push(instruction),
            }
        }
    }
    if rotations > 0 {
        declare(module, uint, [lane, size, one], &mut ids);
    }
    if let Some(header) = &mut module.header {
        header.bound = ids.0;
    }
}

/// Makes `<id>`s that the module does not have.
struct Ids(Word);

impl Ids {
    fn fresh(&mut self) -> Word {
        self.0 += 1;
        self.0 - 1
    }
}

/// A rotation over the subgroup.
struct Rotation {
    ty: Word,
    result: Word,
    scope: Word,
    value: Word,
    delta: Word,
}

fn rotation(instruction: &Instruction) -> Option<Rotation> {
    if instruction.class.opcode != Op::GroupNonUniformRotateKHR {
        return None;
    }
    // With a fourth operand it rotates in clusters: not supported by this pass.
    let [Operand::IdScope(scope), Operand::IdRef(value), Operand::IdRef(delta)] =
        instruction.operands[..]
    else {
        return None;
    };
    let (ty, result) = (instruction.result_type?, instruction.result_id?);
    Some(Rotation { ty, result, scope, value, delta })
}

/// The shuffle from lane `(lane + delta) & (size - 1)`.
fn shuffled(
    rotation: &Rotation,
    uint: Word,
    [lane, size, one]: [Word; 3],
    ids: &mut Ids,
) -> Vec<Instruction> {
    let [own, lanes, above, mask, from] = std::array::from_fn(|_| ids.fresh());
    let number = |opcode, result, operands: &[Word]| {
        let operands = operands.iter().map(|&id| Operand::IdRef(id)).collect();
        Instruction::new(opcode, Some(uint), Some(result), operands)
    };
    let shuffle = vec![
        Operand::IdScope(rotation.scope),
        Operand::IdRef(rotation.value),
        Operand::IdRef(from),
    ];
    vec![
        number(Op::Load, own, &[lane]),
        number(Op::Load, lanes, &[size]),
        number(Op::IAdd, above, &[own, rotation.delta]),
        number(Op::ISub, mask, &[lanes, one]),
        number(Op::BitwiseAnd, from, &[above, mask]),
        Instruction::new(
            Op::GroupNonUniformShuffle,
            Some(rotation.ty),
            Some(rotation.result),
            shuffle,
        ),
    ]
}

/// The built-in variables and the constant that shuffles are computed with.
fn declare(module: &mut Module, uint: Word, [lane, size, one]: [Word; 3], ids: &mut Ids) {
    let pointer = ids.fresh();
    let input = Operand::StorageClass(StorageClass::Input);
    module.types_global_values.extend([
        Instruction::new(
            Op::TypePointer,
            None,
            Some(pointer),
            vec![input.clone(), Operand::IdRef(uint)],
        ),
        Instruction::new(Op::Variable, Some(pointer), Some(lane), vec![input.clone()]),
        Instruction::new(Op::Variable, Some(pointer), Some(size), vec![input]),
        Instruction::new(Op::Constant, Some(uint), Some(one), vec![Operand::LiteralBit32(1)]),
    ]);
    let built_ins = [(lane, BuiltIn::SubgroupLocalInvocationId), (size, BuiltIn::SubgroupSize)];
    module.annotations.extend(built_ins.map(|(variable, built_in)| {
        let operands = vec![
            Operand::IdRef(variable),
            Operand::Decoration(Decoration::BuiltIn),
            Operand::BuiltIn(built_in),
        ];
        Instruction::new(Op::Decorate, None, None, operands)
    }));
    let capabilities = [Capability::GroupNonUniform, Capability::GroupNonUniformShuffle];
    module.capabilities.extend(capabilities.map(|capability| {
        Instruction::new(Op::Capability, None, None, vec![Operand::Capability(capability)])
    }));
}

/// The type of unsigned 32-bit integers.
fn unsigned(module: &Module) -> Option<Word> {
    let wanted = [Operand::LiteralBit32(32), Operand::LiteralBit32(0)];
    let is_it = |it: &&Instruction| it.class.opcode == Op::TypeInt && it.operands == wanted;
    module.types_global_values.iter().find(is_it)?.result_id
}
