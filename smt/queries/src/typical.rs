//! Typical types for the type variables of an instruction.

use std::collections::BTreeMap;
use std::sync::Arc;

use laneproof_semantics::language::ast::{OperandType, TypeRule};
use laneproof_semantics::{FloatFormat, Scalar, Type};

/// The type of an operand or result that is a value, with these `types` for type variables.
pub fn value(ty: &OperandType, types: &BTreeMap<Arc<str>, Type>) -> Option<Type> {
    Some(match ty {
        OperandType::Variable(name) => types.get(name).cloned().unwrap_or(Type::U32),
        OperandType::Bool => Type::BOOL,
        OperandType::Int(width) => Type::Scalar(Scalar::uint(*width)),
        OperandType::AnyInt => Type::U32,
        OperandType::Ballot => Type::BALLOT,
        _ => return None,
    })
}

/// The first of the component types that are `wanted` which the rule allows, or the first one that
/// it names.
pub fn element(rule: &TypeRule, wanted: &[Scalar]) -> Scalar {
    let named = |name: &str| rule.elements.iter().any(|element| **element == *name);
    let allowed = |scalar: &&Scalar| {
        let (family, sized) = match scalar {
            Scalar::Bool => ("bool", "bool".to_owned()),
            Scalar::Float(format) => ("float", format.name().to_owned()),
            Scalar::Int { width, .. } => ("int", format!("u{width}")),
        };
        rule.any || named(family) || named(&sized)
    };
    let first = || {
        let first = rule.elements.first()?;
        let width = first.get(1..)?.parse().ok()?;
        match first.starts_with('f') {
            true => FloatFormat::ieee(width).map(Scalar::Float),
            false => Some(Scalar::uint(width)),
        }
    };
    let found = wanted.iter().find(allowed).copied();
    found.or_else(first).unwrap_or(Scalar::uint(32))
}
