//! A file as it was read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use laneproof_module::{MAX_BYTES, Program, assemble_text, load_bytes};

use crate::language::Language;
use crate::{Compilers, MAX_SOURCE_BYTES, SourceError, compile_with, compiled_words};

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

/// What marks a text as UTF-8 and is no part of it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A file as it was read: its bytes, and the language that they are in.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    bytes: Vec<u8>,
    language: Option<Language>,
}

impl Source {
    /// Reads a file, or standard input for `-`. Its extension decides the language, or else its
    /// content.
    ///
    /// # Errors
    ///
    /// It cannot be read, is too large, or is in a language that no front end is for.
    pub fn read(path: &Path) -> Result<Self, SourceError> {
        let is_standard = path == Path::new(STANDARD_INPUT);
        let name = match is_standard {
            true => "standard input".to_owned(),
            false => path.display().to_string(),
        };
        not_foreign(path, &name)?;
        let by_name = Language::of(path);
        let most = by_name.map_or(MAX_BYTES, |_| MAX_SOURCE_BYTES);
        let read = match is_standard {
            true => standard_input(most),
            false => File::open(path).and_then(|file| up_to(most, file)),
        };
        let mut bytes =
            read.map_err(|source| SourceError::Unreadable { name: name.clone(), source })?;
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let language = by_name.or_else(|| Language::by_content(std::str::from_utf8(&bytes).ok()?));
        Ok(Self { name, bytes, language })
    }

    /// A text that has been read already; its file's extension decides the language, as for
    /// [`Source::read`].
    ///
    /// # Errors
    ///
    /// It is in a language that no front end is for.
    pub fn of_text(path: &Path, text: String) -> Result<Self, SourceError> {
        let name = path.display().to_string();
        not_foreign(path, &name)?;
        let language = Language::of(path).or_else(|| Language::by_content(&text));
        Ok(Self { name, bytes: text.into_bytes(), language })
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The language that is compiled to SPIR-V; `None` where it is SPIR-V.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// What was read.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// It is in a language that is compiled to SPIR-V.
    pub fn is_compiled(&self) -> bool {
        self.language.is_some()
    }

    /// Its text; a binary has none.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|text| !text.contains('\0'))
    }

    /// The module, by these compilers.
    ///
    /// # Errors
    ///
    /// What the compiler says of the source, in its own words and with the line; or whatever makes
    /// the module that it wrote, or that the file holds, not a valid one.
    pub fn program(&self, compilers: &Compilers<'_>) -> Result<Program, SourceError> {
        match self.language {
            None => Ok(load_bytes(&self.bytes, &self.name)?),
            Some(language) => {
                compile_with(language, self.text_in(language)?, &self.name, compilers)
            }
        }
    }

    /// The words of the module.
    ///
    /// # Errors
    ///
    /// As [`Source::program`].
    pub fn words(&self, compilers: &Compilers<'_>) -> Result<Vec<u32>, SourceError> {
        match (self.language, self.text()) {
            (Some(language), _) => {
                compiled_words(language, self.text_in(language)?, &self.name, compilers)
            }
            (None, Some(text)) => Ok(assemble_text(text, &self.name)?),
            (None, None) => {
                load_bytes(&self.bytes, &self.name)?;
                let words = self.bytes.as_chunks::<4>().0.iter();
                Ok(words.map(|word| u32::from_le_bytes(*word)).collect())
            }
        }
    }

    fn text_in(&self, language: Language) -> Result<&str, SourceError> {
        let name = || self.name.clone();
        // What is cut within a character is too large before it is no text.
        if self.bytes.len() > MAX_SOURCE_BYTES {
            return Err(SourceError::TooLarge { name: name(), language });
        }
        std::str::from_utf8(&self.bytes)
            .map_err(|_| SourceError::NotText { name: name(), language })
    }
}

/// Standard input, which can be read once: at most `most` bytes and one more.
///
/// # Errors
///
/// It cannot be read, has been read already, or is empty.
pub fn standard_input(most: usize) -> io::Result<Vec<u8>> {
    static READ: AtomicBool = AtomicBool::new(false);
    if READ.swap(true, Ordering::SeqCst) {
        return Err(io::Error::other("only one file can be standard input"));
    }
    let bytes = up_to(most, io::stdin().lock())?;
    match bytes.is_empty() {
        true => Err(io::Error::other("it is empty")),
        false => Ok(bytes),
    }
}

/// One byte more than may be, so that the reader of the bytes sees that there are too many.
fn up_to(most: usize, from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Refuses a file that its extension says is in a language that no front end is for.
fn not_foreign(path: &Path, name: &str) -> Result<(), SourceError> {
    match path.extension().and_then(|it| foreign(it.to_str()?)) {
        Some((language, instead)) => {
            Err(SourceError::Foreign { name: name.to_owned(), language, instead })
        }
        None => Ok(()),
    }
}

/// Languages that other compilers make SPIR-V of, by the extensions of their files, and how.
fn foreign(extension: &str) -> Option<(&'static str, &'static str)> {
    Some(match extension {
        "hlsl" | "fx" => ("HLSL", ": compile it to SPIR-V with `dxc -spirv`"),
        "slang" => ("Slang", ": compile it to SPIR-V with `slangc -target spirv`"),
        "cl" | "clcpp" => ("OpenCL C", ": compile it to SPIR-V with clang and llvm-spirv"),
        "metal" | "msl" => ("Metal's shading language", ""),
        "cu" | "hip" => ("CUDA or HIP", ""),
        "ll" | "bc" => ("LLVM IR", ": translate it to SPIR-V with llvm-spirv or llc"),
        "vert" | "frag" | "geom" | "tesc" | "tese" | "mesh" | "task" | "rgen" => {
            ("GLSL of other stages than compute", ": compile it to SPIR-V with `glslang -V`")
        }
        _ => return None,
    })
}
