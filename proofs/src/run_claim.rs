//! What a module claims: that `tgt` refines `src`, or that `property` holds.

use laneproof_module::{Function, Program};
use laneproof_smt::Side;
use thiserror::Error;

/// The functions that an obligation is about.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// What must be refined, or must be true.
    pub source: Side<'a>,
    /// What must refine it; `None`: the source is a property.
    pub target: Option<Side<'a>>,
}

/// Why a module claims nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClaimError {
    /// Neither pair nor property.
    #[error(
        "{module}: expected functions `src` and `tgt`, or a function `property`; there {functions}"
    )]
    Missing {
        /// The module.
        module: String,
        /// The functions that it has instead, as the end of a sentence.
        functions: String,
    },
    /// Pair and property.
    #[error("{0}: `property` stands beside `src` or `tgt`, so which claim is meant is not clear")]
    Both(String),
}

impl<'a> Claim<'a> {
    /// The claim of one module; `name` is what errors call it.
    ///
    /// # Errors
    ///
    /// The functions are not there, or make two claims.
    pub fn of(program: &'a Program, name: &str) -> Result<Self, ClaimError> {
        let side =
            |function: &str| program.function(function).map(|function| Side { program, function });
        match (side("src"), side("tgt"), side("property")) {
            (Some(source), Some(target), None) => Ok(Self { source, target: Some(target) }),
            (None, None, Some(source)) => Ok(Self { source, target: None }),
            (None, None, None) | (Some(_), None, None) | (None, Some(_), None) => {
                Err(ClaimError::Missing { module: name.to_owned(), functions: functions(program) })
            }
            _ => Err(ClaimError::Both(name.to_owned())),
        }
    }
}

/// The functions of a module, as the end of a sentence that begins with "there".
pub fn functions(program: &Program) -> String {
    let named = |function: &Function| match &function.name {
        Some(name) => format!("`{name}`"),
        None => format!("`{}`", program.name_of(function.id)),
    };
    match &program.functions[..] {
        [] => "is no function at all".to_owned(),
        [only] => format!("is only {}", named(only)),
        several => format!("are {}", several.iter().map(named).collect::<Vec<_>>().join(", ")),
    }
}
