//! Source languages in: compute shaders in GLSL (`.comp`, `.glsl`) and WGSL (`.wgsl`), compiled by
//! glslang and naga; everything else is SPIR-V for `module` to read.

#[cfg(feature = "glsl")]
mod definitions;
mod error;
#[cfg(feature = "glsl")]
mod glsl;
#[cfg(feature = "wgsl")]
mod wgsl;

use std::fs::File;
use std::io::Read as _;
use std::marker::PhantomData;
use std::path::Path;

use laneproof_module::Program;

pub use error::{Refused, SourceError};
#[cfg(feature = "glsl")]
pub use glsl::{Glslang, InProcess, Refusal};

/// Bytes of a source file at most: these compilers take a deep stack for a long expression.
pub const MAX_SOURCE_BYTES: usize = 256 << 10;

/// Loads a file: by its extension GLSL or WGSL, otherwise SPIR-V, binary or assembly.
///
/// # Errors
///
/// What the compiler says of the source, in its own words and with the line; or whatever makes
/// the module that it wrote, or that the file holds, not a valid one.
pub fn load(path: impl AsRef<Path>) -> Result<Program, SourceError> {
    load_with(path, &Compilers::default())
}

/// The same, by these compilers.
///
/// # Errors
///
/// As [`load`].
pub fn load_with(
    path: impl AsRef<Path>,
    compilers: &Compilers<'_>,
) -> Result<Program, SourceError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let Some(language) = Language::of(path) else {
        return Ok(laneproof_module::load(path)?);
    };
    let mut bytes = Vec::new();
    let most = MAX_SOURCE_BYTES as u64;
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|source| SourceError::Unreadable { name: name.clone(), source })?;
    let text = String::from_utf8(bytes)
        .map_err(|_| SourceError::NotText { name: name.clone(), language })?;
    compile_with(language, &text, &name, compilers)
}

/// Compilers that may run somewhere else than in this process.
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
        Language::Glsl => glsl::load(compilers.glslang, text, name),
        #[cfg(feature = "wgsl")]
        Language::Wgsl => load_words(&wgsl::words(text, name)?, name),
        #[cfg(not(all(feature = "glsl", feature = "wgsl")))]
        _ => Err(SourceError::LeftOut { name: name.into(), language }),
    }
}

#[cfg(any(feature = "glsl", feature = "wgsl"))]
fn load_words(words: &[u32], name: &str) -> Result<Program, SourceError> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Ok(laneproof_module::load_bytes(&bytes, name)?)
}

/// A source language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The OpenGL shading language, as Vulkan has it.
    Glsl,
    /// The WebGPU shading language.
    Wgsl,
}

impl Language {
    /// The language of a file, by its extension; `None` for SPIR-V.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "comp" | "glsl" => Some(Self::Glsl),
            "wgsl" => Some(Self::Wgsl),
            _ => None,
        }
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Glsl => "GLSL",
            Self::Wgsl => "WGSL",
        })
    }
}
