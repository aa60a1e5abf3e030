//! Values that tell which operand, lane or address they come from, in the place of zeros.

use laneproof_semantics::denote::Argument;
use laneproof_semantics::evaluate::{Bits, Memory, Subgroup};
use laneproof_semantics::language::ast::OperandType;
use laneproof_semantics::{FloatFormat, Scalar, Type};

use crate::question::Case;

/// Which values say nothing of where they come from.
#[derive(Clone, Copy)]
pub enum Plain {
    /// Zeros.
    Zeros,
    /// Numbers of a few bits, too, such as a solver chooses to tell two values apart.
    AndSmall,
}

/// The operands whose values are replaced.
#[derive(Clone, Copy)]
pub enum Whose {
    /// Those that have the result's type or are stored: what they hold does not say which place or
    /// lane is meant.
    Data,
    /// All whose type is open.
    All,
}

impl Plain {
    fn has(self, bits: u64) -> bool {
        match self {
            Self::Zeros => bits == 0,
            Self::AndSmall => bits < 16,
        }
    }
}

impl Case<'_> {
    /// The state with values that tell their operand and lane in the place of plain ones, where a
    /// value is only moved or computed with; `None` where there are none.
    pub fn telling(&self, subgroup: &Subgroup, plain: Plain, whose: Whose) -> Option<Subgroup> {
        self.telling_of(subgroup, plain, whose, |lane, _| u64::from(lane))
    }

    /// The same where equal values stay equal, and others in their order: each tells its operand
    /// and the number that it was.
    pub fn telling_as_equal(&self, subgroup: &Subgroup, whose: Whose) -> Option<Subgroup> {
        self.telling_of(subgroup, Plain::AndSmall, whose, |_, bits| bits)
    }

    fn telling_of(
        &self,
        subgroup: &Subgroup,
        plain: Plain,
        whose: Whose,
        number: impl Fn(u32, u64) -> u64,
    ) -> Option<Subgroup> {
        let mut telling = subgroup.clone();
        let mut changed = false;
        for (operand, argument) in self.instance.arguments.iter().enumerate() {
            let Argument::Value(ty) = argument else { continue };
            if !self.tells(operand) || !self.is_of(whose, operand) {
                continue;
            }
            for (lane, held) in (0..).zip(&mut telling.operands[operand]) {
                for (leaf, bits) in held.iter_mut().enumerate() {
                    let Some(own) = bits.filter(|it| plain.has(*it)) else { continue };
                    let Ok(number) = u32::try_from(number(lane, own)) else { continue };
                    if let Some(it) = telling_value(ty, operand, leaf, number) {
                        *bits = Some(it);
                        changed = true;
                    }
                }
            }
        }
        for (operand, memory) in &mut telling.memory {
            changed |= tell_places(memory, &self.instance.arguments[*operand], plain);
        }
        changed.then_some(telling)
    }

    fn is_of(&self, whose: Whose, operand: usize) -> bool {
        let (result, operand) = (&self.instruction.result, &self.instruction.operands[operand]);
        match whose {
            Whose::All => true,
            Whose::Data => operand.each || result.as_ref() == Some(&operand.ty),
        }
    }

    /// It is a value of any type: what is moved or computed with, not what says how.
    pub fn tells(&self, operand: usize) -> bool {
        let operand = &self.instruction.operands[operand];
        matches!(operand.ty, OperandType::Variable(_)) && !operand.constant
    }
}

/// Replaces plain values in memory by ones that identify their address, and says whether there were any.
fn tell_places(memory: &mut Memory, argument: &Argument, plain: Plain) -> bool {
    let width = match argument {
        Argument::Pointer(ty) => match ty.leaves().first() {
            Some(Scalar::Int { width, .. }) => Some(*width),
            _ => None,
        },
        _ => None,
    };
    let value = |at: u64| match width {
        Some(8) => (at < 100).then_some(100 + at),
        Some(_) => Some(1000 + at),
        None => None,
    };
    let mut changed = false;
    let mut tell = |bits: &mut Bits, value: Option<u64>| {
        if value.is_some() && bits.is_some_and(|it| plain.has(it)) {
            *bits = value;
            changed = true;
        }
    };
    match memory {
        // Each byte of the first words is another one.
        Memory::Image { words, .. } => {
            (0..32)
                .zip(words)
                .for_each(|(at, bits)| tell(bits, Some(0x1312_1110 + 0x0404_0404 * at)));
        }
        Memory::Buffer { elements, .. } => {
            (0..).zip(elements).for_each(|(at, bits)| tell(bits, value(at)));
        }
    }
    changed
}

/// A value that identifies its operand, component and a number, which is mostly the lane's.
pub fn telling_value(ty: &Type, operand: usize, leaf: usize, own: u32) -> Option<u64> {
    let number = 1000 * (operand as u32 + 1) + 200 * leaf as u32 + own;
    let small = 50 * (operand as u32 + 1) + 20 * leaf as u32 + own;
    match ty.leaves().get(leaf)? {
        Scalar::Int { width: 16.., .. } => Some(u64::from(number)),
        Scalar::Int { .. } => u8::try_from(small).ok().map(u64::from),
        Scalar::Float(FloatFormat::Single) => Some(u64::from((number as f32).to_bits())),
        Scalar::Float(FloatFormat::Half | FloatFormat::Bfloat16 | FloatFormat::Double)
        | Scalar::Bool => None,
    }
}
