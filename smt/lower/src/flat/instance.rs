//! A module's instruction beside its specification: which operand is which.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_module::spirv::{Op, Scope};
use laneproof_module::{EntryPoint, Named, Operand, Program};
use laneproof_semantics::denote::Argument;
use laneproof_semantics::language::ast::{OperandType, SpecInstruction};
use laneproof_semantics::{Specification, Type};

/// The specification of an opcode, under any of its names.
pub fn specified(specification: &Specification, opcode: Op) -> Option<Arc<SpecInstruction>> {
    let found = |name: &&str| specification.instructions.get(*name).cloned();
    opcode.names().iter().find_map(found)
}

/// Names of all capabilities of a program, older ones and vendors' too.
pub fn capability_names(program: &Program) -> Arc<BTreeSet<String>> {
    let all = program.preamble.capabilities.iter().flat_map(|capability| capability.names());
    Arc::new(all.map(|&name| name.to_owned()).collect())
}

/// Names of the execution modes of a program's entry points, and whether all of them have it.
pub fn execution_modes(program: &Program) -> Arc<BTreeMap<String, bool>> {
    let entries = &program.entry_points;
    let has = |entry: &EntryPoint, mode| entry.modes.iter().any(|(it, _)| *it == mode);
    let modes = entries.iter().flat_map(|entry| &entry.modes);
    let all = modes.flat_map(|&(mode, _)| {
        let everywhere = entries.iter().all(|entry| has(entry, mode));
        mode.names().iter().map(move |&name| (name.to_owned(), everywhere))
    });
    Arc::new(all.collect())
}

/// The module's operand for an operand of the specification.
pub enum GivenOperand {
    /// The operand is not there.
    Absent,
    /// An argument that is no `<id>` of a value.
    Argument(Argument),
    /// The `<id>` of one value.
    Value(u32),
    /// The `<id>` of a pointer.
    Pointer(u32),
    /// The `<id>` of an image.
    Image(u32),
    /// All remaining values.
    Values(Vec<u32>),
}

fn literal(operand: &Operand) -> Result<u32, String> {
    match operand {
        Operand::LiteralBit32(value) => Ok(*value),
        other => Err(format!("a literal number, not {other}")),
    }
}

/// Pairs the specification's operands with the module's, each with its position there. `type_of`
/// returns the type of an `<id>`'s value.
pub fn pair(
    instruction: &SpecInstruction,
    operands: &[Operand],
    program: &Program,
    type_of: impl Fn(u32) -> Option<Type>,
) -> Result<Vec<(GivenOperand, usize)>, String> {
    let mut given = Vec::with_capacity(instruction.operands.len());
    let mut rest = operands.iter().enumerate().peekable();
    for declared in &instruction.operands {
        let position = rest.peek().map_or(operands.len(), |(position, _)| *position);
        let what = match &declared.ty {
            OperandType::Literals => {
                let literals = rest.by_ref().map(|(_, operand)| literal(operand));
                GivenOperand::Argument(Argument::Literals(literals.collect::<Result<_, _>>()?))
            }
            OperandType::Values => GivenOperand::Values(
                rest.by_ref().filter_map(|(_, operand)| operand.id_ref_any()).collect(),
            ),
            expected => match rest.peek() {
                None if declared.optional => GivenOperand::Absent,
                None => return Err(format!("operand {}", declared.name)),
                Some((_, operand)) => match (expected, operand) {
                    (OperandType::Scope, Operand::IdScope(id)) => {
                        let scope = scope_name(program, *id)?;
                        rest.next();
                        GivenOperand::Argument(Argument::Enumerant(vec![scope.into()]))
                    }
                    (OperandType::Enumerant(_), Operand::GroupOperation(operation)) => {
                        rest.next();
                        GivenOperand::Argument(enumerant(operation.names()))
                    }
                    (OperandType::Enumerant(_), Operand::PackedVectorFormat(format)) => {
                        rest.next();
                        GivenOperand::Argument(enumerant(format.names()))
                    }
                    (_, Operand::IdMemorySemantics(id)) => {
                        let id = *id;
                        rest.next();
                        GivenOperand::Value(id)
                    }
                    (OperandType::Pointer(_), Operand::IdRef(id)) => {
                        let id = *id;
                        rest.next();
                        GivenOperand::Pointer(id)
                    }
                    (OperandType::Opaque, Operand::IdRef(_)) => {
                        rest.next();
                        GivenOperand::Argument(Argument::Opaque)
                    }
                    (OperandType::Image, Operand::IdRef(id)) => {
                        let id = *id;
                        rest.next();
                        GivenOperand::Image(id)
                    }
                    (_, Operand::IdRef(id)) if declared.zero && !is_zero(program, *id) => {
                        return Err(format!("a {} other than 0", declared.name));
                    }
                    (_, Operand::IdRef(id)) => {
                        let id = *id;
                        let fits = type_of(id).is_some_and(|ty| fits(expected, &ty));
                        if !fits && declared.optional {
                            GivenOperand::Absent
                        } else {
                            rest.next();
                            GivenOperand::Value(id)
                        }
                    }
                    (_, other) => return Err(format!("operand {other}")),
                },
            },
        };
        given.push((what, position));
    }
    match rest.next() {
        Some((_, operand)) => Err(format!("a further operand {operand}")),
        None => Ok(given),
    }
}

fn is_zero(program: &Program, id: u32) -> bool {
    let constant = program.constants.get(&id).filter(|constant| constant.is_fixed());
    constant.is_some_and(|constant| constant.leaves.iter().all(|leaf| *leaf == Some(0)))
}

/// Optional operands are recognized by their types: a cluster size is a scalar, a ballot is not.
fn fits(expected: &OperandType, ty: &Type) -> bool {
    match expected {
        OperandType::Ballot => *ty == Type::BALLOT || matches!(ty, Type::Vector { count: 4, .. }),
        OperandType::Int(_) | OperandType::AnyInt => {
            matches!(ty, Type::Scalar(scalar) if scalar.is_int())
        }
        OperandType::Bool => *ty == Type::BOOL,
        _ => true,
    }
}

/// An enumerant by all of its names.
fn enumerant(names: &[&'static str]) -> Argument {
    Argument::Enumerant(names.iter().map(|&name| name.into()).collect())
}

fn scope_name(program: &Program, id: u32) -> Result<&'static str, String> {
    let constant = program.constants.get(&id).filter(|constant| constant.is_fixed());
    let value = constant.and_then(|constant| *constant.leaves.first()?);
    value
        .and_then(|value| Scope::from_u32(value as u32))
        .map(Named::name)
        .ok_or_else(|| format!("the scope {}", program.name_of(id)))
}
