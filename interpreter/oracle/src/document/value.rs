//! Values: lists as deep as their type.

use laneproof_interpreter::LaneValue;
use laneproof_semantics::Type;
use serde_json::Value;

use super::DocumentError;
use super::scalar::{read_scalar, write_scalar};

/// A value of type `ty`.
///
/// # Errors
///
/// When the value is not one of the type, with its place under `place`.
pub fn read_value(value: &Value, ty: &Type, place: &str) -> Result<LaneValue, DocumentError> {
    let mut leaves = Vec::with_capacity(ty.leaf_count());
    push(value, ty, place, &mut leaves)?;
    Ok(LaneValue(leaves))
}

fn push(
    value: &Value,
    ty: &Type,
    place: &str,
    leaves: &mut Vec<Option<u64>>,
) -> Result<(), DocumentError> {
    if let Type::Scalar(scalar) = ty {
        leaves.push(read_scalar(value, *scalar, place)?);
        return Ok(());
    }
    // All of it undefined.
    if value.is_null() {
        leaves.resize(leaves.len() + ty.leaf_count(), None);
        return Ok(());
    }
    let parts = parts(ty);
    let items = value.as_array().filter(|items| items.len() == parts.len());
    let items = items
        .ok_or_else(|| DocumentError::new(place, format!("expected a list of {}", parts.len())))?;
    for (index, (item, part)) in items.iter().zip(&parts).enumerate() {
        push(item, part, &format!("{place}[{index}]"), leaves)?;
    }
    Ok(())
}

/// A value of type `ty` as JSON.
pub fn write_value(value: &LaneValue, ty: &Type) -> Value {
    let mut leaves = value.0.iter().copied();
    pull(&mut leaves, ty)
}

fn pull(leaves: &mut impl Iterator<Item = Option<u64>>, ty: &Type) -> Value {
    match ty {
        Type::Scalar(scalar) => write_scalar(leaves.next().flatten(), *scalar),
        _ => parts(ty).iter().map(|part| pull(&mut *leaves, part)).collect(),
    }
}

/// The types of the constituents.
fn parts(ty: &Type) -> Vec<Type> {
    match ty {
        Type::Scalar(_) => Vec::new(),
        Type::Vector { element, count } => vec![Type::Scalar(*element); *count as usize],
        Type::Array { element, length } => vec![(**element).clone(); *length as usize],
        Type::Struct(members) => members.to_vec(),
    }
}
