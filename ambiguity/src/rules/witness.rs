//! The smallest list of facts about a module that shows a finding.

use serde::Serialize;

use super::circumstances::Circumstances;
use super::values::FieldValue;
use crate::spelling::field_in_words;

/// The smallest list of facts about a module that shows something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModuleWitness {
    /// The instruction; empty where it is about the module as a whole.
    pub instruction: String,
    /// The operand, or a field of its type, or a kind of tokens; empty where it is about the
    /// instruction as such.
    pub field: String,
    /// What it is; none where any value shows it.
    pub value: Option<FieldValue>,
    /// What else is so.
    #[serde(flatten)]
    pub circumstances: Circumstances,
}

impl ModuleWitness {
    /// It says nothing but of which operand it is.
    pub fn is_bare(&self) -> bool {
        self.value.is_none() && self.circumstances == Circumstances::default()
    }

    /// The facts, a line each, the instruction first.
    pub fn lines(&self) -> Vec<String> {
        let Self { instruction, field, value, circumstances } = self;
        let value = value.as_ref().map(|value| format!(": {value}")).unwrap_or_default();
        let field = field_in_words(field);
        let first = match (instruction.is_empty(), field.is_empty()) {
            (true, _) => format!("{field}{value}"),
            (_, true) => format!("{instruction}{value}"),
            _ => format!("{field} of {instruction}{value}"),
        };
        [first].into_iter().chain(circumstances.lines()).collect()
    }
}

impl Serialize for FieldValue {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
