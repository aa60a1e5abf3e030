//! What a function promises of its runs: a compiler may rely on it, and nothing that is computed
//! shows it.

use std::collections::{HashMap, HashSet};

use rspirv::dr::Operand;
use rspirv::spirv::{
    Decoration, FunctionControl, FunctionParameterAttribute as Attribute, LoopControl, Op,
};

use super::Builder;
use crate::decode::Decoded;
use crate::names::{InstructionClass, Named};
use crate::program::{Assertion, Id, Line, ParameterPromises, Part, Promises};

/// Loop controls that say how many iterations there are, or how far apart they depend on each other.
const ITERATIONS: LoopControl = LoopControl::MIN_ITERATIONS
    .union(LoopControl::MAX_ITERATIONS)
    .union(LoopControl::ITERATION_MULTIPLE)
    .union(LoopControl::DEPENDENCY_INFINITE)
    .union(LoopControl::DEPENDENCY_LENGTH);

impl Builder {
    /// The promises of a function, from its `OpFunction` and the instructions after it.
    pub(super) fn promises(&self, first: &Decoded, body: &[Decoded]) -> Promises {
        let assertions: Vec<Assertion> =
            body.iter().filter_map(|found| self.assertion(found)).collect();
        Promises {
            body: if assertions.is_empty() { Vec::new() } else { self.alike(body) },
            assertions,
            effects: effects(first, body).map(|what| Assertion { what, place: first.place }),
        }
    }

    /// What an instruction other than a parameter promises.
    fn assertion(&self, found: &Decoded) -> Option<Assertion> {
        let what = match found.opcode {
            Op::FunctionParameter => return None,
            Op::LoopMerge => {
                let Some(Operand::LoopControl(control)) = found.operands.get(2) else {
                    return None;
                };
                let declared = control.intersection(ITERATIONS);
                (!declared.is_empty()).then(|| {
                    let names: Vec<&str> = declared.iter_names().map(|(name, _)| name).collect();
                    format!("a loop has the control {}", names.join(" and "))
                })
            }
            opcode => {
                let id = found.result?;
                let has = |decoration| self.annotations.has(id, decoration);
                let uniform = has(Decoration::Uniform) || has(Decoration::UniformId);
                // A variable is placed as its decoration asks.
                let aligned = opcode != Op::Variable
                    && [Decoration::Alignment, Decoration::AlignmentId].into_iter().any(has);
                let bytes = self.annotations.literal(id, Decoration::Alignment);
                let what = match (uniform, bytes) {
                    (true, _) => "is `Uniform`".to_owned(),
                    (false, Some(bytes)) => format!("has the `Alignment` {bytes}"),
                    (false, None) => "has an `Alignment`".to_owned(),
                };
                (uniform || aligned).then(|| format!("the result of {} {what}", opcode.name()))
            }
        };
        what.map(|what| Assertion { what, place: found.place })
    }

    /// The instructions of a function, alike where only the ids differ that it defines.
    fn alike(&self, body: &[Decoded]) -> Vec<Line> {
        let defined = body.iter().filter_map(|found| found.result);
        let positions: HashMap<Id, usize> = defined.enumerate().map(|(at, id)| (id, at)).collect();
        let operand = |operand: &Operand| match operand.id_ref_any() {
            Some(id) => match positions.get(&id) {
                Some(&position) => Part::Defined(position),
                None => Part::Outer(id),
            },
            None => Part::Literal(operand.clone()),
        };
        let line = |found: &Decoded| Line {
            opcode: found.opcode,
            ty: found.ty,
            operands: found.operands.iter().map(operand).collect(),
            altering: found.result.map(|id| self.annotations.altering(found.opcode, id)),
            declared: self.assertion(found).map(|it| it.what),
        };
        body.iter().map(line).collect()
    }

    /// What a parameter promises.
    pub(super) fn parameter_promises(&self, id: Id) -> ParameterPromises {
        let attribute = |attribute| self.annotations.has_attribute(id, attribute);
        let decorated = |decoration| self.annotations.has(id, decoration);
        // What a constant says is not looked up: the least.
        let by_constant = decorated(Decoration::MaxByteOffsetId).then_some(0);
        // A constant that may be specialized may be any.
        let aligned_by = self.annotations.named(id, Decoration::AlignmentId);
        let constant = aligned_by.and_then(|id| self.program.constants.get(&id));
        let constant = constant.filter(|it| it.is_fixed());
        let named = constant.and_then(|it| it.leaves.first().copied()?);
        let named = named.map_or(u32::MAX, |bytes| bytes.try_into().unwrap_or(u32::MAX));
        let by_id = decorated(Decoration::AlignmentId).then_some(named);
        ParameterPromises {
            alignment: self.annotations.literal(id, Decoration::Alignment).max(by_id).unwrap_or(1),
            no_write: attribute(Attribute::NoWrite)
                || attribute(Attribute::NoReadWrite)
                || decorated(Decoration::NonWritable),
            no_read: attribute(Attribute::NoReadWrite) || decorated(Decoration::NonReadable),
            by_value: attribute(Attribute::ByVal),
            farthest: self.annotations.literal(id, Decoration::MaxByteOffset).or(by_constant),
        }
    }
}

/// It is none that computes, and has no effects and no result that depends on more than its operands.
const fn is_inert(opcode: Op) -> bool {
    matches!(
        opcode,
        Op::Function
            | Op::FunctionParameter
            | Op::FunctionEnd
            | Op::Label
            | Op::Phi
            | Op::LoopMerge
            | Op::SelectionMerge
            | Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Unreachable
            | Op::Variable
            | Op::AccessChain
            | Op::InBoundsAccessChain
            | Op::PtrAccessChain
            | Op::InBoundsPtrAccessChain
            | Op::ArrayLength
            | Op::PtrEqual
            | Op::PtrNotEqual
            | Op::PtrDiff
            | Op::LifetimeStart
            | Op::LifetimeStop
            | Op::Nop
            | Op::Undef
            | Op::AssumeTrueKHR
            | Op::ExpectKHR
            | Op::Line
            | Op::NoLine
    )
}

/// That it has no effects, where it says so and its instructions do not show it.
fn effects(first: &Decoded, body: &[Decoded]) -> Option<String> {
    let Some(Operand::FunctionControl(control)) = first.operands.first() else { return None };
    let declared = control.intersection(FunctionControl::PURE | FunctionControl::CONST);
    let mut own: HashSet<Id> = HashSet::new();
    let evident = body.iter().all(|found| {
        let at_own = |index: usize| found.id(index).is_some_and(|id| own.contains(&id));
        let allowed = match found.opcode {
            Op::Load | Op::Store => at_own(0),
            opcode => {
                InstructionClass::of(opcode) == InstructionClass::Computation || is_inert(opcode)
            }
        };
        let address =
            matches!(found.opcode, Op::AccessChain | Op::InBoundsAccessChain) && at_own(0);
        if found.opcode == Op::Variable || address {
            own.extend(found.result);
        }
        allowed
    });
    (!declared.is_empty() && !evident).then(|| {
        let names: Vec<&str> = declared.iter_names().map(|(name, _)| name).collect();
        format!("a function has the control {}", names.join(" and "))
    })
}

#[cfg(test)]
mod tests {
    use rspirv::grammar::INSTRUCTION_TABLE;

    use super::*;
    use crate::place::Place;

    fn of(opcode: Op, operands: Vec<Operand>) -> Decoded {
        Decoded { opcode, ty: None, result: None, operands, place: Place::default() }
    }

    /// A function that promises to have no effects keeps that evidently only where each of its
    /// instructions computes from its own operands: no other lanes, memory, images, pipes, rays.
    #[test]
    fn only_what_depends_on_its_operands_has_no_effects() {
        let control = Operand::FunctionControl(FunctionControl::CONST);
        let function = of(Op::Function, vec![control]);
        let evident = |it: &Op| effects(&function, &[of(*it, Vec::new())]).is_none();
        let all = INSTRUCTION_TABLE.iter().map(|row| row.opcode);
        let evident: Vec<&str> = all.filter(evident).map(Named::name).collect();
        let suspicious = [
            "Group",
            "group",
            "Atomic",
            "Barrier",
            "Image",
            "Pipe",
            "Event",
            "Cooperative",
            "CoopMat",
            "Store",
            "Load",
            "Write",
            "Read",
            "Emit",
            "Ray",
            "DPd",
            "Fwidth",
            "Clock",
            "Call",
            "ExtInst",
            "Helper",
            "Kill",
            "Terminate",
            "CopyMemory",
            "Tensor",
            "Interlock",
        ];
        for name in &evident {
            assert!(!suspicious.iter().any(|word| name.contains(word)), "{name} may have effects");
        }
        assert_eq!(evident.len(), 146);
    }
}
