//! Names of types in lists.

use laneproof_semantics::{Scalar, Type};

/// A type as documents of inputs name it.
pub fn type_name(ty: &Type) -> String {
    let scalar = ty.element().unwrap_or(Scalar::Bool);
    match ty.leaf_count() {
        1 => scalar.to_string(),
        count => format!("{scalar}x{count}"),
    }
}
