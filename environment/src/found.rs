//! The content of a field of a module; `values` compares it with a rule.

use laneproof_module::Id;

/// The content of a field.
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
        /// Its value, if it is a constant that cannot be specialized.
        number: Option<u64>,
    },
    /// An enumerant, an extension's name, a version: by kind and name.
    Word(String, String),
    /// A literal number.
    Number(u64),
    /// An optional operand that is left out.
    Absent,
}
