//! Files and bytes to programs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use miette::NamedSource;
use spirv_tools::TargetEnv;

use crate::decode::{Contents, decode};
use crate::error::{InText, Invalid, LoadError};
use crate::limits::{self, MAX_BYTES};
use crate::listing::Listing;
use crate::program::{Place, Program};
use crate::text::{
    Complaint, Start, assemble, instruction_starts, noted_version, of_minor, written_results,
};
use crate::validate::{self, validate};
use crate::words::{Cut, Module, is_binary};
use crate::{bfloat, build};

/// Loads a file, binary or assembly; its first bytes decide, not its name.
///
/// # Errors
///
/// Whatever makes the file not a valid module, with file, place and reason.
pub fn load(path: impl AsRef<Path>) -> Result<Program, LoadError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => load_bytes(&bytes, &name),
        Err(source) => Err(LoadError::Unreadable { name, source }),
    }
}

/// Loads a binary of either byte order, or assembly; `name` is for messages.
///
/// Assembly states no version: the one in a leading `; Version: 1.x` comment is taken or, without
/// one, 1.6, and 1.3 where only that is valid (later versions ask entry points to list all
/// their globals).
///
/// # Errors
///
/// Whatever makes the bytes not a valid module, with file, place and reason.
pub fn load_bytes(bytes: &[u8], name: &str) -> Result<Program, LoadError> {
    if bytes.len() > MAX_BYTES {
        let reason = format!("more than {MAX_BYTES} bytes");
        return Err(LoadError::TooLarge { name: name.into(), place: None, reason });
    }
    if is_binary(bytes) {
        let source = Source { name, text: None };
        let module = source.cut(Module::from_bytes(bytes))?;
        source.check(&module)?;
        return source.program(&module);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| LoadError::NotSpirv { name: name.into() })?;
    let source = Source::of_text(text, name)?;
    source.program(&source.valid_module()?)
}

/// Assembles text into a valid module's words, of the version that [`load_bytes`] takes.
///
/// # Errors
///
/// As [`load_bytes`].
pub fn assemble_text(text: &str, name: &str) -> Result<Vec<u32>, LoadError> {
    let source = Source::of_text(text, name)?;
    Ok(source.valid_module()?.words().to_vec())
}

/// Reads a module for validation: decoded, with places, not validated.
///
/// Assembly states no version: the one in a leading `; Version: 1.x` comment is taken or, without
/// one, the first of `versions` (minor versions of SPIR-V 1) under which the text is valid; the
/// first of all where it is valid under none.
///
/// # Errors
///
/// Bytes that are not a module: unreadable, truncated, too large, text that does not assemble.
pub fn list_bytes(bytes: &[u8], name: &str, versions: &[u8]) -> Result<Listing, LoadError> {
    if bytes.len() > MAX_BYTES {
        let reason = format!("more than {MAX_BYTES} bytes");
        return Err(LoadError::TooLarge { name: name.into(), place: None, reason });
    }
    if is_binary(bytes) {
        let source = Source { name, text: None };
        let module = source.cut(Module::from_bytes(bytes))?;
        return source.listing(module, true);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| LoadError::NotSpirv { name: name.into() })?;
    let source = Source::of_text(text, name)?;
    if let Some(environment) = noted_version(text) {
        return source.listing(source.assembled(environment)?, true);
    }
    let mut first = None;
    for environment in versions.iter().filter_map(|&minor| of_minor(minor)) {
        let module = source.assembled(environment);
        if let Ok(module) = &module
            && source.check(module).is_ok()
        {
            return source.listing(module.clone(), false);
        }
        first.get_or_insert(module);
    }
    let module = first.unwrap_or_else(|| source.assembled(TargetEnv::Universal_1_6))?;
    source.listing(module, false)
}

/// Loads assembly without asking the validator, for tests that want what no environment allows,
/// such as two-bit integers.
///
/// # Errors
///
/// Text that does not assemble, or that is not well-formed enough to make a program of.
pub fn load_text_unvalidated(text: &str, name: &str) -> Result<Program, LoadError> {
    let source = Source::of_text(text, name)?;
    let module = source.assembled(TargetEnv::Universal_1_6)?;
    source.limit(&module)?;
    source.program(&module)
}

/// The input, for messages: its name and, for assembly, the text and the places of its
/// instructions.
struct Source<'a> {
    name: &'a str,
    text: Option<(&'a str, Vec<Start>)>,
}

impl<'a> Source<'a> {
    /// Text must hold an instruction at least, and no null: the assembler would stop there.
    fn of_text(text: &'a str, name: &'a str) -> Result<Self, LoadError> {
        if text.trim().is_empty() {
            return Err(LoadError::Empty { name: name.into() });
        }
        let starts = instruction_starts(text);
        if starts.is_empty() || text.contains('\0') {
            return Err(LoadError::NotSpirv { name: name.into() });
        }
        Ok(Self { name, text: Some((text, starts)) })
    }

    /// The text's module of the version that it notes, or of the newest under which it is valid.
    fn valid_module(&self) -> Result<Module, LoadError> {
        let text = self.text.as_ref().map_or("", |&(text, _)| text);
        let of_version = |environment| {
            let module = self.assembled(environment)?;
            self.check(&module)?;
            Ok(module)
        };
        if let Some(environment) = noted_version(text) {
            return of_version(environment);
        }
        match of_version(TargetEnv::Universal_1_6) {
            Err(error @ LoadError::Invalid(_)) => {
                of_version(TargetEnv::Universal_1_3).map_err(|_| error)
            }
            other => other,
        }
    }

    fn assembled(&self, environment: TargetEnv) -> Result<Module, LoadError> {
        let (text, starts) = match &self.text {
            Some((text, starts)) => (*text, starts.as_slice()),
            None => ("", [].as_slice()),
        };
        let complain = |complaint: Complaint| {
            LoadError::Assembly(Box::new(InText {
                name: self.name.into(),
                line: complaint.line,
                column: complaint.column,
                message: complaint.message,
                text: NamedSource::new(self.name, text.to_owned()),
                at: complaint.byte.into(),
            }))
        };
        let words = assemble(text, environment).map_err(complain)?;
        let module = self.cut(Module::from_words(words))?;
        let words = bfloat::corrected(&module, text, starts).map_err(complain)?;
        self.cut(Module::from_words(words))
    }

    fn cut(&self, module: Result<Module, Cut>) -> Result<Module, LoadError> {
        let name = self.name.to_owned();
        module.map_err(|cut| match cut {
            Cut::Short(reason) => LoadError::Truncated { name, reason },
            Cut::Instruction(word) => {
                let reason = format!("the instruction at word {word} is longer than the module");
                LoadError::Truncated { name, reason }
            }
            Cut::Empty(word) => {
                let place = Some(Place { word, line: 0 });
                LoadError::Malformed { name, place, reason: "an instruction of no words".into() }
            }
        })
    }

    /// The place of the instruction with this ordinal. Its line is unknown after raw words (`!0x…`)
    /// in the text that encode whole instructions.
    fn place(&self, module: &Module, ordinal: usize) -> Place {
        let line = match &self.text {
            Some((_, starts)) if starts.len() == module.len() => {
                starts.get(ordinal).map(|start| start.line)
            }
            _ => None,
        };
        let word = module.start(ordinal).unwrap_or_default();
        Place { word, line: line.unwrap_or_default() }
    }

    fn limit(&self, module: &Module) -> Result<(), LoadError> {
        limits::check(module).map_err(|(ordinal, reason)| {
            let place = ordinal.map(|ordinal| self.place(module, ordinal));
            LoadError::TooLarge { name: self.name.into(), place, reason }
        })
    }

    /// Limits first: they keep the validator from working for hours.
    fn check(&self, module: &Module) -> Result<(), LoadError> {
        self.limit(module)?;
        validate(module).map_err(|complaint| {
            let (message, ordinal) = match complaint {
                validate::Complaint::Invalid(message, ordinal) => (message, ordinal),
                validate::Complaint::TooLong => {
                    let seconds = limits::MAX_VALIDATION.as_secs();
                    let reason = format!("not validated within {seconds} seconds");
                    return LoadError::TooLarge { name: self.name.into(), place: None, reason };
                }
                validate::Complaint::NotStarted(source) => {
                    return LoadError::NoThread { name: self.name.into(), source };
                }
            };
            let at = ordinal.filter(|&ordinal| ordinal < module.len());
            let place = at.map(|ordinal| self.place(module, ordinal));
            let text = self.text.as_ref().map(|&(text, _)| text);
            LoadError::Invalid(Box::new(Invalid {
                name: self.name.into(),
                place,
                message,
                text: text.map(|text| NamedSource::new(self.name, text.to_owned())),
                at: place.zip(text).and_then(|(place, text)| line_span(text, place.line)),
            }))
        })
    }

    fn listing(&self, module: Module, version_is_stated: bool) -> Result<Listing, LoadError> {
        self.limit(&module)?;
        let malformed = |(place, reason)| {
            let name = self.name.to_owned();
            LoadError::Malformed { name, place, reason }
        };
        let places: Vec<Place> = (0..module.len()).map(|it| self.place(&module, it)).collect();
        let contents = self.named(decode(&module, |it| places[it]).map_err(malformed)?);
        Ok(Listing::new(module, places, contents, version_is_stated))
    }

    /// With the names that the text has for what its instructions result in.
    fn named(&self, mut contents: Contents) -> Contents {
        if let Some((text, _)) = &self.text {
            let results = contents.instructions.iter().map(|it| (it.place.line, it.result));
            contents.debug.written = written_results(text, results);
        }
        contents
    }

    fn program(&self, module: &Module) -> Result<Program, LoadError> {
        let name = || self.name.to_owned();
        let malformed = |(place, reason)| LoadError::Malformed { name: name(), place, reason };
        let contents = decode(module, |ordinal| self.place(module, ordinal)).map_err(malformed)?;
        let contents = self.named(contents);
        build::program(module.version(), contents.into(), &BTreeMap::new()).map_err(|failure| {
            match failure {
                build::Failure::TooLarge(place, reason) => {
                    LoadError::TooLarge { name: name(), place: Some(place), reason }
                }
                build::Failure::Malformed(place, reason) => malformed((Some(place), reason)),
            }
        })
    }
}

/// The bytes of a line, counted from 1, without the space around it.
fn line_span(text: &str, line: u32) -> Option<miette::SourceSpan> {
    let wanted = text.lines().nth(line.checked_sub(1)? as usize)?.trim();
    let start = wanted.as_ptr() as usize - text.as_ptr() as usize;
    Some((start, wanted.len()).into())
}
