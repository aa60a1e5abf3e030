//! Modules as they come in.

use std::path::{Path, PathBuf};

use laneproof_frontends::{Compilers, Language, Source, compile};
use laneproof_module::{Program, load_bytes};

use crate::error::Error;

/// A module to verify.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Input {
    /// The words of a SPIR-V module.
    Words(Vec<u32>),
    /// Text: SPIR-V assembly, GLSL or WGSL, recognized by its beginning.
    Text(String),
    /// GLSL; a shader without `main` gets one.
    Glsl(String),
    /// WGSL.
    Wgsl(String),
    /// A file in any of these, by its extension or by how it begins.
    File(PathBuf),
}

impl From<&[u32]> for Input {
    fn from(words: &[u32]) -> Self {
        Self::Words(words.to_vec())
    }
}

impl From<&Vec<u32>> for Input {
    fn from(words: &Vec<u32>) -> Self {
        Self::Words(words.clone())
    }
}

impl From<Vec<u32>> for Input {
    fn from(words: Vec<u32>) -> Self {
        Self::Words(words)
    }
}

impl From<&str> for Input {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Input {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&Path> for Input {
    fn from(file: &Path) -> Self {
        Self::File(file.to_path_buf())
    }
}

impl Input {
    /// What messages call it, where it has no name of its own.
    pub(crate) fn name(&self, role: &str) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            _ => role.to_owned(),
        }
    }

    pub(crate) fn program(&self, role: &str) -> Result<Program, Error> {
        let name = self.name(role);
        Ok(match self {
            Self::Words(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                load_bytes(&bytes, &name).map_err(laneproof_frontends::SourceError::from)?
            }
            Self::Text(text) => {
                Source::of_text(Path::new(&name), text.clone())?.program(&Compilers::default())?
            }
            Self::Glsl(text) => compile(Language::Glsl, text, &name)?,
            Self::Wgsl(text) => compile(Language::Wgsl, text, &name)?,
            Self::File(path) => Source::read(path)?.program(&Compilers::default())?,
        })
    }
}
