//! Why a module could not be loaded.

use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

use crate::program::Place;

/// Why a module could not be loaded. Each message names file, place and reason.
#[derive(Debug, Error, Diagnostic)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{name}: cannot be read: {source}")]
    Unreadable {
        /// The file.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Nothing in it, or only spaces.
    #[error("{name}: is empty; expected SPIR-V, a binary or assembly")]
    Empty {
        /// The file.
        name: String,
    },
    /// Neither the magic number nor text.
    #[error(
        "{name}: not SPIR-V: neither its magic number nor assembly text (files in GLSL end in .comp or \
         .glsl, in WGSL in .wgsl)"
    )]
    NotSpirv {
        /// The file.
        name: String,
    },
    /// The binary ends in the middle of something.
    #[error("{name}: truncated: {reason}")]
    Truncated {
        /// The file.
        name: String,
        /// What is missing, and at which word.
        reason: String,
    },
    /// There was no room for the validator's thread: the machine's memory, and not the module.
    #[error("{name}: not validated: no thread starts for it: {source}")]
    NoThread {
        /// The file.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Above one of the [limits](crate::limits).
    #[error("{name}: too large{place}: {reason}", place = At(.place))]
    TooLarge {
        /// The file.
        name: String,
        /// The instruction, where it is one's fault.
        place: Option<Place>,
        /// Which limit.
        reason: String,
    },
    /// The assembler refuses the text.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Assembly(Box<InText>),
    /// The validator refuses the module.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Invalid(Box<Invalid>),
    /// An instruction, enumerant or literal that the grammar does not know.
    #[error("{name}: malformed{place}: {reason}", place = At(.place))]
    Malformed {
        /// The file.
        name: String,
        /// The instruction.
        place: Option<Place>,
        /// What is wrong with it.
        reason: String,
    },
}

/// The assembler's words.
#[derive(Debug, Error, Diagnostic)]
#[error("{name}:{line}:{column}: {message}")]
pub struct InText {
    /// The file.
    pub name: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What the assembler says.
    pub message: String,
    /// The text.
    #[source_code]
    pub text: NamedSource<String>,
    /// Where in the text.
    #[label("here")]
    pub at: SourceSpan,
}

/// The validator's words.
#[derive(Debug, Error, Diagnostic)]
#[error("{name}: invalid{place}: {message}", place = At(.place))]
pub struct Invalid {
    /// The file.
    pub name: String,
    /// The instruction, where the validator names one.
    pub place: Option<Place>,
    /// What the validator says.
    pub message: String,
    /// The assembly that was given.
    #[source_code]
    pub text: Option<NamedSource<String>>,
    /// The instruction's line in it.
    #[label("this instruction")]
    pub at: Option<SourceSpan>,
}

/// " at line 3, word 17".
struct At<'a>(&'a Option<Place>);

impl std::fmt::Display for At<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(Place { word, line: 0 }) => write!(f, " at word {word}"),
            Some(Place { word, line }) => write!(f, " at line {line}, word {word}"),
            None => Ok(()),
        }
    }
}

/// Characters of a tool's message that are kept: it may quote the whole input.
const MESSAGE_LENGTH: usize = 2000;

/// A tool's message, cut where it goes on for too long.
pub(crate) fn brief(message: &str) -> String {
    let message = message.strip_prefix("Error: ").unwrap_or(message);
    match message.char_indices().nth(MESSAGE_LENGTH) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}
