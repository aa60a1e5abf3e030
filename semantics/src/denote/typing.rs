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
    let mut first: BTreeMap<&str, &Type> = BTreeMap::new();
    for (variable, ty) in given.chain(result) {
        let other = *first.entry(variable).or_insert(ty);
        if !has_sorts_of(ty, other) {
            let what = format!("{} on {other} and {ty}", instruction.name);
            return Err(DenoteError::NotModelled(what));
        }
        let rule = instruction.type_rules.iter().find(|rule| rule.variable == *variable);
        if rule.is_some_and(|rule| !admits(rule, ty)) {
            return Err(DenoteError::NotModelled(format!("{} on {ty}", instruction.name)));
        }
    }
    Ok(())
}

/// Both have leaves of the same sorts; signs are not distinguished.
fn has_sorts_of(one: &Type, other: &Type) -> bool {
    let sorts = |ty: &Type| ty.leaves().into_iter().map(Sort::from).collect::<Vec<_>>();
    one == other || sorts(one) == sorts(other)
}

fn admits(rule: &TypeRule, ty: &Type) -> bool {
    if rule.pair_of.is_some() {
        return matches!(ty, Type::Struct(members) if matches!(&members[..], [a, b] if a == b));
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
        ("bool", Scalar::Bool) | ("int", Scalar::Int { .. }) | ("float", Scalar::Float { .. }) => {
            true
        }
        (sized, Scalar::Int { width, .. }) => sized.strip_prefix('u') == Some(&width.to_string()),
        (sized, Scalar::Float { .. }) => {
            sized.strip_prefix('f') == Some(&scalar.width().to_string())
        }
        _ => false,
    }
}
