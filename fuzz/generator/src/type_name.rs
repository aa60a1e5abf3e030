//! Names of types in lists.

use laneproof_semantics::{Scalar, Type};

/// A type as documents of inputs name it.
pub fn type_name(ty: &Type) -> String {
    let scalar = match ty.element().unwrap_or(Scalar::Bool) {
        Scalar::Bool => "bool".to_owned(),
        Scalar::Int { width, signed: true } => format!("i{width}"),
        Scalar::Int { width, .. } => format!("u{width}"),
        Scalar::Float { width, .. } => format!("f{width}"),
    };
    match ty.leaf_count() {
        1 => scalar,
        count => format!("{scalar}x{count}"),
    }
}
