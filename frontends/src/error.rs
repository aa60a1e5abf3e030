//! Why a source file gives no module.

use laneproof_module::LoadError;
use miette::{Diagnostic, LabeledSpan, NamedSource};
use thiserror::Error;

#[cfg(any(feature = "glsl", feature = "wgsl"))]
use crate::language::looks_like;
use crate::{Language, MAX_SOURCE_BYTES};

/// Why a source file gives no module. Each message names the file.
#[derive(Debug, Error, Diagnostic)]
pub enum SourceError {
    /// The file cannot be read.
    #[error("{name}: cannot be read: {source}")]
    Unreadable {
        /// The file.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Bytes that are no UTF-8.
    #[error("{name}: not {language}: not a text in UTF-8")]
    NotText {
        /// The file.
        name: String,
        /// What its extension promises.
        language: Language,
    },
    /// More than [`MAX_SOURCE_BYTES`].
    #[error("{name}: too large: more than {MAX_SOURCE_BYTES} bytes of {language}")]
    TooLarge {
        /// The file.
        name: String,
        /// Its language.
        language: Language,
    },
    /// A text in one language under a name that promises another.
    #[error(
        "{name}: looks like {other}, and its name says {language}: name the file {}",
        other.extension()
    )]
    #[cfg(any(feature = "glsl", feature = "wgsl"))]
    Mistaken {
        /// The file.
        name: String,
        /// What its extension promises.
        language: Language,
        /// What it looks like.
        other: Language,
    },
    /// A language that other compilers make SPIR-V of.
    #[error(
        "{name}: {language} is not supported{instead}; laneproof reads a GLSL compute shader (.comp, .glsl), \
         WGSL (.wgsl) or SPIR-V (.spv, .spvasm)"
    )]
    Foreign {
        /// The file.
        name: String,
        /// What its extension says.
        language: &'static str,
        /// How to make SPIR-V of it, as a part of the sentence; empty where nothing does.
        instead: &'static str,
    },
    /// Built without the compiler.
    #[error("{name}: this laneproof was built without the front end for {language}")]
    LeftOut {
        /// The file.
        name: String,
        /// The language.
        language: Language,
    },
    /// The compiler was ended before it had finished.
    #[error("{name}: glslang {bound}: a macro or a type may expand to more than that allows")]
    Bound {
        /// The file.
        name: String,
        /// What it took, and how much of it it may.
        bound: String,
    },
    /// A requested function that the compiler drops.
    #[error(
        "{name}: glslang leaves out `{function}`, which `main` does not call: call it there, or \
         leave `main` out and let every function be called"
    )]
    Uncalled {
        /// The file.
        name: String,
        /// The function.
        function: String,
    },
    /// The compiler refuses the source.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Refused(Box<Refused>),
    /// The module, the compiler's or the file's own, is not one.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Load(#[from] LoadError),
}

#[cfg(any(feature = "glsl", feature = "wgsl"))]
impl SourceError {
    /// The same of a text that was read as `language`: if the compiler refuses it because it is in
    /// another one, that is the message.
    pub(crate) fn of(self, language: Language, text: &str) -> Self {
        match (self, looks_like(text)) {
            (Self::Refused(refused), Some(other)) if other != language => {
                Self::Mistaken { name: refused.name, language, other }
            }
            (error, _) => error,
        }
    }
}

/// The compiler's words.
#[derive(Debug, Error, Diagnostic)]
#[error("{name}{place}: {message}", place = line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Refused {
    /// The file.
    pub name: String,
    /// The line of the first complaint, from 1, where it has one.
    pub line: Option<usize>,
    /// The first complaint, and how many follow.
    pub message: String,
    /// The source.
    #[source_code]
    pub text: NamedSource<String>,
    /// Each complaint where it points to.
    #[label(collection, "here")]
    pub complaints: Vec<LabeledSpan>,
    /// What else the compiler says.
    #[help]
    pub notes: Option<String>,
}
