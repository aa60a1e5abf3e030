//! Whether an instruction is given the types that its document has for it.

use std::collections::BTreeMap;

use super::instance::{Argument, DenoteError, Instance};
use crate::language::ast::{OperandType, SpecInstruction, TypeRule};
use crate::term::Sort;
use crate::{Scalar, Type};

/// Clauses say nothing of an instruction on other types than those that are declared.
///
/// # Errors
///
/// A type that is not among them, or two types for one variable: terms of different sorts cannot be
/// compared.
pub(super) fn in_types(
    instruction: &SpecInstruction,
    instance: &Instance,
) -> Result<(), DenoteError> {
    let operands = instruction.operands.iter().zip(&instance.arguments);
    let given = operands.filter_map(|(operand, argument)| match (&operand.ty, argument) {
        (OperandType::Variable(variable), Argument::Value(ty))
        | (OperandType::Pointer(variable), Argument::Pointer(ty)) => Some((variable, ty)),
        _ => None,
    });
    let result = match (&instruction.result, &instance.result) {
        (Some(OperandType::Variable(variable)), Some(ty)) => Some((variable, ty)),
        _ => None,
    };
    fixed(instruction, instance)?;
    let mut first: BTreeMap<&str, &Type> = BTreeMap::new();
    let rule = |variable: &str| {
        instruction.type_rules.iter().find(move |rule| *rule.variable == *variable)
    };
    for (variable, ty) in given.chain(result) {
        // A pair is of the types of its members.
        let members = rule(variable).and_then(|it| it.pair_of.as_ref());
        let members = members.into_iter().flatten().zip(ty.members());
        for (variable, ty) in [(variable, ty)].into_iter().chain(members) {
            let other = *first.entry(variable).or_insert(ty);
            if !has_sorts_of(ty, other) {
                let what = format!("{} on {other} and {ty}", instruction.name);
                return Err(DenoteError::NotModelled(what));
            }
            if rule(variable).is_some_and(|rule| !admits(rule, ty)) {
                return Err(DenoteError::NotModelled(format!("{} on {ty}", instruction.name)));
            }
        }
    }
    Ok(())
}

/// The same of operands and results whose type is no variable's.
fn fixed(instruction: &SpecInstruction, instance: &Instance) -> Result<(), DenoteError> {
    // Those of a componentwise instruction are seen one component at a time.
    if instruction.componentwise {
        return Ok(());
    }
    let operands = instruction.operands.iter().zip(&instance.arguments);
    let given = operands.filter_map(|(operand, argument)| match argument {
        Argument::Value(ty) => Some((&*operand.name, &operand.ty, ty)),
        _ => None,
    });
    let result = instruction.result.iter().zip(&instance.result);
    let result = result.map(|(declared, ty)| ("the result", declared, ty));
    match given.chain(result).find(|(_, declared, ty)| !is_declared(declared, ty)) {
        Some((name, _, ty)) => {
            let what = format!("{} with {name} of type {ty}", instruction.name);
            Err(DenoteError::NotModelled(what))
        }
        None => Ok(()),
    }
}

/// The type is the declared one, or what is declared is a variable or no value.
fn is_declared(declared: &OperandType, ty: &Type) -> bool {
    match (declared, ty) {
        (OperandType::Bool, ty) => *ty == Type::BOOL,
        (OperandType::Int(width), Type::Scalar(scalar)) => {
            scalar.is_int() && scalar.width() == *width
        }
        (OperandType::AnyInt, Type::Scalar(scalar)) => scalar.is_int(),
        (OperandType::Ballot, Type::Vector { element, count: 4 }) => {
            element.is_int() && element.width() == 32
        }
        (OperandType::Int(_) | OperandType::AnyInt | OperandType::Ballot, _) => false,
        _ => true,
    }
}

/// Both have leaves of the same sorts; signs are not distinguished.
fn has_sorts_of(one: &Type, other: &Type) -> bool {
    let sorts = |ty: &Type| ty.leaves().into_iter().map(Sort::from).collect::<Vec<_>>();
    one == other || sorts(one) == sorts(other)
}

fn admits(rule: &TypeRule, ty: &Type) -> bool {
    if rule.pair_of.is_some() {
        return ty.members().len() == 2;
    }
    if rule.any || rule.component_of.is_some() {
        return true;
    }
    let shape = match ty {
        Type::Scalar(_) => rule.scalar,
        Type::Vector { .. } => rule.vector,
        _ => false,
    };
    let element = ty.element();
    shape && element.is_some_and(|element| rule.elements.iter().any(|it| is(it, element)))
}

/// A word of a `where` line denotes this scalar; signs are not distinguished.
fn is(word: &str, scalar: Scalar) -> bool {
    match (word, scalar) {
        ("bool", Scalar::Bool) | ("int", Scalar::Int { .. }) | ("float", Scalar::Float(_)) => true,
        (sized, Scalar::Int { width, .. }) => sized.strip_prefix('u') == Some(&width.to_string()),
        (sized, Scalar::Float(format)) => {
            sized.strip_prefix('f') == Some(&format.width().to_string())
        }
        (_, Scalar::Bool) => false,
    }
}
