//! A form in a loaded module.

use std::collections::BTreeSet;
use std::sync::Arc;

use arbitrary::Unstructured;
use laneproof_module::{Id, LoadError, Named, Program, load_bytes, load_text_unvalidated};
use laneproof_semantics::denote::{Argument, GroupScope, Instance};

use crate::form::{Form, is_memory};
use crate::module_text::{FUNCTION, module_text};
use crate::target::Target;

/// An instruction in a module of its own, ready to be executed.
#[derive(Debug)]
pub struct Prepared {
    /// What was chosen.
    pub form: Form,
    /// The module's text.
    pub text: String,
    /// The module.
    pub program: Program,
    /// The function whose body is the instruction.
    pub function: Id,
    /// The instruction as the evaluator sees it.
    pub instance: Instance,
    /// Why the validator would not have the module, where it would not: the same instruction
    /// with constants that it can see to be wrong.
    pub invalid: Option<String>,
}

/// Why there is nothing to execute.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The bytes did not suffice.
    #[error("too few bytes")]
    Bytes(#[from] arbitrary::Error),
    /// The module could not be loaded, not even unvalidated.
    #[error("{error}\n{text}")]
    Load {
        /// What the loader says.
        error: Box<LoadError>,
        /// The module.
        text: String,
    },
}

impl Prepared {
    /// Chooses a form for a target and loads its module.
    ///
    /// # Errors
    ///
    /// When the bytes do not suffice, or when the module does not load: a mistake here.
    pub fn arbitrary(target: &Target, u: &mut Unstructured<'_>) -> Result<Self, PrepareError> {
        Self::of(Form::arbitrary(target, u)?)
    }

    /// Loads the module of a form: at its version or, where that does not have the
    /// instruction yet, at the newest one.
    pub fn of(form: Form) -> Result<Self, PrepareError> {
        let mut invalid = None;
        for version in [form.version, (1, 6)] {
            let text = module_text(&form, version);
            match load_bytes(text.as_bytes(), FUNCTION) {
                Ok(program) => return Ok(Self::assembled(form, text, program, None)),
                Err(LoadError::Invalid(complaint)) => invalid = Some(complaint.message),
                // Older versions do not know all names.
                Err(LoadError::Assembly(_)) => {}
                Err(error) => return Err(PrepareError::Load { error: Box::new(error), text }),
            }
        }
        let text = module_text(&form, (1, 6));
        match load_text_unvalidated(&text, FUNCTION) {
            Ok(program) => Ok(Self::assembled(form, text, program, invalid)),
            Err(error) => Err(PrepareError::Load { error: Box::new(error), text }),
        }
    }

    fn assembled(form: Form, text: String, program: Program, invalid: Option<String>) -> Self {
        let capabilities: BTreeSet<String> = program
            .preamble
            .capabilities
            .iter()
            .map(|capability| capability.name().to_owned())
            .collect();
        let instance = Instance {
            arguments: form.arguments.clone(),
            result: form.result.clone(),
            capabilities: Arc::new(capabilities),
            version: program.preamble.version,
            modes: Arc::default(),
            decorations: form.decorations.clone(),
        };
        let function = program.function(FUNCTION).map_or(0, |function| function.id);
        Self { form, text, program, function, instance, invalid }
    }

    /// Its lanes are a workgroup's.
    pub fn spans_workgroup(&self) -> bool {
        self.form.scope == GroupScope::Workgroup
    }

    /// The position of an operand of the specification in the module's instruction.
    pub fn position(&self, operand: usize) -> usize {
        let before = self.form.arguments.iter().take(operand);
        // In an extended instruction, the set and its number come first.
        let first = if self.form.target.is_extended() { 2 } else { 0 };
        first + before.filter(|argument| **argument != Argument::Absent).count()
    }
}

/// Whether an instruction has memory.
pub fn has_memory(prepared: &Prepared) -> bool {
    prepared.form.arguments.iter().any(is_memory)
}
