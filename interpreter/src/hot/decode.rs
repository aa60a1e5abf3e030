//! Which instructions have a short form.

use laneproof_module::spirv::Op;
use laneproof_module::{Id, Instruction, Operand};

use super::action::Action;
use super::float::{FloatAction, Truth};
use super::shuffle::Pattern;
use super::{Hot, Operands};
use crate::float_format::{Format, format};
use crate::operand::Known;

/// Longer values are computed in full.
const MAX_LEAVES: usize = 16;

impl<'p> Hot<'p> {
    /// The short form of an instruction, if it has one.
    pub fn of(instruction: &'p Instruction, decoder: &mut impl Operands) -> Option<Self> {
        if !instruction.decorations.is_empty() {
            return None;
        }
        let places = places(instruction.opcode)?;
        let (id, ty) = (instruction.result?, instruction.ty.as_ref()?);
        let to = decoder.result(id)?;
        let result = decoder.known(id)?;
        if result.leaves > MAX_LEAVES {
            return None;
        }
        let mut known = [result; 3];
        for (index, known) in known.iter_mut().enumerate() {
            // An action with fewer operands gets its last one again.
            let place = places[index.min(places.len() - 1)];
            *known = decoder.known(operand(instruction, place)?)?;
        }
        let action = action(instruction.opcode, known, result)?;
        let fits = |known: &Known| known.leaves == result.leaves || known.leaves == 1;
        let fit = match action {
            Action::Shuffle(_) => {
                const SUBGROUP: u64 = 3;
                let scope = decoder.constant(operand(instruction, 0)?)?;
                scope == SUBGROUP && known[0].leaves == result.leaves
            }
            Action::Select => {
                fits(&known[0]) && known[1..].iter().all(|arm| arm.leaves == result.leaves)
            }
            _ => known.iter().all(fits),
        };
        fit.then(|| Self {
            action,
            id,
            to,
            ty,
            leaves: result.leaves,
            width: result.element.width(),
            from: known.map(|known| known.source),
        })
    }
}

fn operand(instruction: &Instruction, place: usize) -> Option<Id> {
    match instruction.operands.get(place)? {
        Operand::IdRef(id) | Operand::IdScope(id) => Some(*id),
        _ => None,
    }
}

/// The positions of an action's operands in the instruction.
fn places(opcode: Op) -> Option<&'static [usize]> {
    Some(match opcode {
        Op::SNegate | Op::Not | Op::LogicalNot | Op::FNegate | Op::IsNan => &[0],
        Op::UConvert | Op::SConvert | Op::Bitcast => &[0],
        Op::Select => &[0, 1, 2],
        Op::GroupNonUniformBroadcastFirst => &[1],
        Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformShuffle
        | Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown => &[1, 2],
        _ => &[0, 1],
    })
}

fn action(opcode: Op, [a, b, _]: [Known; 3], result: Known) -> Option<Action> {
    let width = a.element.width();
    let flip = 1 << (width - 1);
    Some(match opcode {
        Op::SNegate => Action::Negate,
        Op::IAdd => Action::Add,
        Op::ISub => Action::Subtract,
        Op::IMul => Action::Multiply,
        Op::UDiv => Action::Divide,
        Op::UMod => Action::Remainder,
        Op::Not | Op::LogicalNot => Action::Not,
        Op::BitwiseAnd | Op::LogicalAnd => Action::And,
        Op::BitwiseOr | Op::LogicalOr => Action::Or,
        Op::BitwiseXor | Op::LogicalNotEqual => Action::Xor,
        Op::LogicalEqual => Action::Same,
        Op::ShiftLeftLogical => Action::ShiftLeft,
        Op::ShiftRightLogical => Action::ShiftRight,
        Op::ShiftRightArithmetic => Action::ShiftRightSigned,
        Op::IEqual => Action::Equal,
        Op::INotEqual => Action::NotEqual,
        Op::ULessThan => Action::Less { flip: 0, swap: false },
        Op::UGreaterThan => Action::Less { flip: 0, swap: true },
        Op::SLessThan => Action::Less { flip, swap: false },
        Op::SGreaterThan => Action::Less { flip, swap: true },
        Op::ULessThanEqual => Action::LessOrEqual { flip: 0, swap: false },
        Op::UGreaterThanEqual => Action::LessOrEqual { flip: 0, swap: true },
        Op::SLessThanEqual => Action::LessOrEqual { flip, swap: false },
        Op::SGreaterThanEqual => Action::LessOrEqual { flip, swap: true },
        Op::UConvert => Action::Resize,
        Op::SConvert => Action::SignExtend(width),
        // Other shapes cut the bits anew.
        Op::Bitcast if a.leaves == result.leaves && width == result.element.width() => {
            Action::Resize
        }
        Op::Select => Action::Select,
        Op::GroupNonUniformBroadcast => Action::Shuffle(Pattern::UniformId),
        Op::GroupNonUniformBroadcastFirst => Action::Shuffle(Pattern::First),
        Op::GroupNonUniformShuffle => Action::Shuffle(Pattern::Id),
        Op::GroupNonUniformShuffleXor => Action::Shuffle(Pattern::Xor),
        Op::GroupNonUniformShuffleUp => Action::Shuffle(Pattern::Up),
        Op::GroupNonUniformShuffleDown => Action::Shuffle(Pattern::Down),
        _ => {
            let action = float_action(opcode)?;
            match (format(a.element)?, format(b.element)?) {
                (Format::Single, Format::Single) => Action::Single(action),
                (Format::Double, Format::Double) => Action::Double(action),
                (Format::Half | Format::Bfloat16 | Format::Single | Format::Double, _) => {
                    return None;
                }
            }
        }
    })
}

fn float_action(opcode: Op) -> Option<FloatAction> {
    let compare = |less, equal, greater, unordered| {
        FloatAction::Compare(Truth { less, equal, greater, unordered })
    };
    let (no, yes) = (false, true);
    Some(match opcode {
        Op::FAdd => FloatAction::Add,
        Op::FSub => FloatAction::Subtract,
        Op::FMul | Op::VectorTimesScalar => FloatAction::Multiply,
        Op::FDiv => FloatAction::Divide,
        Op::FNegate => FloatAction::Negate,
        Op::FOrdEqual => compare(no, yes, no, no),
        Op::FOrdNotEqual => compare(yes, no, yes, no),
        Op::FOrdLessThan => compare(yes, no, no, no),
        Op::FOrdLessThanEqual => compare(yes, yes, no, no),
        Op::FOrdGreaterThan => compare(no, no, yes, no),
        Op::FOrdGreaterThanEqual => compare(no, yes, yes, no),
        Op::FUnordEqual => compare(no, yes, no, yes),
        Op::FUnordNotEqual => compare(yes, no, yes, yes),
        Op::FUnordLessThan => compare(yes, no, no, yes),
        Op::FUnordLessThanEqual => compare(yes, yes, no, yes),
        Op::FUnordGreaterThan => compare(no, no, yes, yes),
        Op::FUnordGreaterThanEqual => compare(no, yes, yes, yes),
        Op::Ordered => compare(yes, yes, yes, no),
        Op::Unordered | Op::IsNan => compare(no, no, no, yes),
        _ => return None,
    })
}
