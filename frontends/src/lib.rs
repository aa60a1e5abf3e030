//! Source languages in: compute shaders in GLSL (`.comp`, `.glsl`) and WGSL (`.wgsl`), compiled by
//! glslang and naga; everything else is SPIR-V for `module` to read.

#[cfg(feature = "glsl")]
mod definitions;
mod error;
#[cfg(feature = "glsl")]
mod glsl;
#[cfg(feature = "glsl")]
mod glslang;
mod language;
mod source;
mod spelling;
#[cfg(feature = "wgsl")]
mod wgsl;

use std::marker::PhantomData;
use std::path::Path;

use laneproof_module::Program;

pub use error::{Refused, SourceError};
#[cfg(feature = "glsl")]
pub use glslang::{Glslang, InProcess, Refusal};
pub use language::Language;
pub use source::{Source, standard_input};
pub use spelling::{in_spirv, spellings};

/// Bytes of a source file at most: these compilers take a deep stack for a long expression.
pub const MAX_SOURCE_BYTES: usize = 256 << 10;

/// Loads a file: GLSL or WGSL, otherwise SPIR-V, binary or assembly; `-` is standard input.
///
/// # Errors
///
/// What the compiler says of the source, in its own words and with the line; or whatever makes
/// the module that it wrote, or that the file holds, not a valid one.
pub fn load(path: impl AsRef<Path>) -> Result<Program, SourceError> {
    Source::read(path.as_ref())?.program(&Compilers::default())
}

/// Compilers that may run outside of this process.
pub struct Compilers<'a> {
    /// For GLSL.
    #[cfg(feature = "glsl")]
    pub glslang: &'a dyn Glslang,
    /// For all others this process.
    others: PhantomData<&'a ()>,
}

impl Default for Compilers<'_> {
    fn default() -> Self {
        Self {
            #[cfg(feature = "glsl")]
            glslang: &InProcess,
            others: PhantomData,
        }
    }
}

#[cfg(feature = "glsl")]
impl<'a> Compilers<'a> {
    /// These, and glslang so.
    pub fn glslang(glslang: &'a dyn Glslang) -> Self {
        Self { glslang, ..Self::default() }
    }
}

/// Compiles a source text and loads the module; `name` is for messages.
///
/// # Errors
///
/// As [`load`].
pub fn compile(language: Language, text: &str, name: &str) -> Result<Program, SourceError> {
    compile_with(language, text, name, &Compilers::default())
}

#[cfg_attr(not(feature = "glsl"), allow(unused_variables))]
fn compile_with(
    language: Language,
    text: &str,
    name: &str,
    compilers: &Compilers<'_>,
) -> Result<Program, SourceError> {
    if text.len() > MAX_SOURCE_BYTES {
        return Err(SourceError::TooLarge { name: name.into(), language });
    }
    match language {
        #[cfg(feature = "glsl")]
        Language::Glsl => {
            glsl::load(compilers.glslang, text, name).map_err(|error| error.of(language, text))
        }
        #[cfg(feature = "wgsl")]
        Language::Wgsl => {
            let words = wgsl::words(text, name).map_err(|error| error.of(language, text))?;
            load_words(&words, text, name)
        }
        #[cfg(not(all(feature = "glsl", feature = "wgsl")))]
        _ => Err(SourceError::LeftOut { name: name.into(), language }),
    }
}

/// The words of the module that a text compiles to.
#[cfg_attr(not(feature = "glsl"), allow(unused_variables))]
fn compiled_words(
    language: Language,
    text: &str,
    name: &str,
    compilers: &Compilers<'_>,
) -> Result<Vec<u32>, SourceError> {
    match language {
        #[cfg(feature = "glsl")]
        Language::Glsl => {
            glsl::words_of(compilers.glslang, text, name).map_err(|error| error.of(language, text))
        }
        #[cfg(feature = "wgsl")]
        Language::Wgsl => wgsl::words(text, name).map_err(|error| error.of(language, text)),
        #[cfg(not(all(feature = "glsl", feature = "wgsl")))]
        _ => Err(SourceError::LeftOut { name: name.into(), language }),
    }
}

#[cfg(any(feature = "glsl", feature = "wgsl"))]
fn load_words(words: &[u32], text: &str, name: &str) -> Result<Program, SourceError> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut program = laneproof_module::load_bytes(&bytes, name)?;
    program.debug.source = Some(text.into());
    Ok(program)
}
