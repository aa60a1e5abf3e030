//! What stands in a field of a module, as it is read: what it means beside a rule, `values` tells.

use laneproof_module::Id;

/// What stands in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldContent {
    /// A type.
    Type(Id),
    /// A value of this type, a constant's number beside it.
    Value {
        /// The value.
        id: Id,
        /// Its type.
        ty: Option<Id>,
        /// What it is, where it is a constant that nobody can specialize.
        number: Option<u64>,
    },
    /// An enumerant, an extension's name, a version: by kind and name.
    Word(String, String),
    /// A literal number.
    Number(u64),
    /// An optional operand that is left out.
    Absent,
}
