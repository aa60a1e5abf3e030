//! Where entries come from: compiled in, or a user's files and folders.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use laneproof_module::MAX_BYTES;
use laneproof_semantics::machine;
use thiserror::Error;

use crate::entry::{Attachment, Entry};
use crate::header::HeaderError;
use crate::pattern::Pattern;
use crate::shard::Shard;

static THEOREMS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/theorems");
static LOWERINGS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/lowerings");

/// The extensions of the files that are entries: SPIR-V assembly, GLSL and WGSL.
const EXTENSIONS: [&str; 4] = ["spvasm", "comp", "glsl", "wgsl"];

/// How deep folders may lie in each other: a link to a folder above must not be followed forever.
const DEEPEST: usize = 16;

/// Entries, ordered by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// Why no catalogue came out.
#[derive(Debug, Error)]
pub enum CatalogueError {
    /// A header does not read.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A file or folder does not read.
    #[error("{path}: cannot be read as an entry of the catalogue: {source}")]
    Unreadable {
        /// Which one.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// A file that an entry's header names is not beside it.
    #[error("{entry}: its header asks for `{file}`: {reason}")]
    Attachment {
        /// The entry.
        entry: String,
        /// The file that it names.
        file: String,
        /// Why it does not read.
        reason: String,
    },
    /// Folders lie too deep in each other.
    #[error("{0}: folders lie deeper than {DEEPEST}, or a link leads back up")]
    TooDeep(String),
    /// A name that means standard input elsewhere, and would be a part of most names here.
    #[error(
        "`-`: entries are not read from standard input; name a file, a folder or part of a name"
    )]
    StandardInput,
    /// A word matches no entry.
    #[error("`{0}` is neither a file, nor a folder with entries, nor part of the name of one")]
    Nothing(String),
}

impl Catalogue {
    /// The catalogue that is compiled in.
    ///
    /// # Errors
    ///
    /// None that a build whose tests pass can meet.
    pub fn built_in() -> Result<Self, CatalogueError> {
        let mut entries = Vec::new();
        compiled(&THEOREMS, Path::new(""), &THEOREMS, &mut entries)?;
        compiled(&LOWERINGS, Path::new("lowerings"), &LOWERINGS, &mut entries)?;
        Ok(Self::ordered(entries))
    }

    /// A user's file, or all entries in and below a user's folder.
    ///
    /// # Errors
    ///
    /// Something does not read, as a file or as an entry.
    pub fn at(path: &Path) -> Result<Self, CatalogueError> {
        let mut entries = Vec::new();
        if path.is_dir() {
            below(path, path, 0, &mut entries)?;
        } else {
            let folder = path.parent().unwrap_or(Path::new(""));
            entries.push(on_disk(folder, path)?);
        }
        Ok(Self::ordered(entries))
    }

    /// The entries for a user's words: each word is a path that exists, or else a [`Pattern`] of
    /// compiled-in names; without words, everything that is compiled in.
    ///
    /// # Errors
    ///
    /// As [`Catalogue::at`], or a word that names nothing.
    pub fn gather(words: &[String]) -> Result<Self, CatalogueError> {
        if words.is_empty() {
            return Self::built_in();
        }
        let mut entries = Vec::new();
        if words.iter().any(|word| word == "-") {
            return Err(CatalogueError::StandardInput);
        }
        for word in words {
            let found = if Path::new(word).exists() {
                Self::at(Path::new(word))?.entries
            } else {
                let pattern = Pattern::new(word.as_str());
                let all = Self::built_in()?.entries;
                all.into_iter().filter(|entry| pattern.fits(&entry.name)).collect()
            };
            if found.is_empty() {
                return Err(CatalogueError::Nothing(word.clone()));
            }
            entries.extend(found);
        }
        Ok(Self::ordered(entries))
    }

    /// A part of it.
    #[must_use]
    pub fn shard(self, shard: Shard) -> Self {
        Self { entries: shard.of(self.entries) }
    }

    /// The entry of this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    fn ordered(mut entries: Vec<Entry>) -> Self {
        entries.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
        entries.dedup_by(|a, b| a.path == b.path);
        Self { entries }
    }
}

/// The compiled-in entries in and below a folder of `root`, whose names begin with `prefix`.
fn compiled(
    root: &Dir<'static>,
    prefix: &Path,
    folder: &Dir<'static>,
    entries: &mut Vec<Entry>,
) -> Result<(), CatalogueError> {
    for file in folder.files().filter(|file| is_entry(file.path())) {
        let text = file.contents_utf8().unwrap_or_default().to_owned();
        let path = prefix.join(file.path());
        let name = name(&path);
        let entry = Entry::parse(path, name, text)?;
        entries.push(attach(entry, |spec| {
            let found = root.get_file(folder.path().join(spec));
            let text = found.and_then(|file| file.contents_utf8());
            text.map(str::to_owned).ok_or_else(|| "no such file is compiled in".to_owned())
        })?);
    }
    folder.dirs().try_for_each(|folder| compiled(root, prefix, folder, entries))
}

/// The entries in and below a folder on disk, named from `root` on.
fn below(
    root: &Path,
    folder: &Path,
    depth: usize,
    entries: &mut Vec<Entry>,
) -> Result<(), CatalogueError> {
    if depth > DEEPEST {
        return Err(CatalogueError::TooDeep(folder.display().to_string()));
    }
    let unreadable = |source| unreadable(folder, source);
    for found in fs::read_dir(folder).map_err(unreadable)? {
        let path = found.map_err(unreadable)?.path();
        if path.is_dir() {
            below(root, &path, depth + 1, entries)?;
        } else if is_entry(&path) {
            entries.push(on_disk(root, &path)?);
        }
    }
    Ok(())
}

/// One file on disk, named from `root` on.
fn on_disk(root: &Path, path: &Path) -> Result<Entry, CatalogueError> {
    let read = text(path).map_err(|source| unreadable(path, source))?;
    let name = name(path.strip_prefix(root).unwrap_or(path));
    let entry = Entry::parse(path.to_owned(), name, read)?;
    attach(entry, |spec| beside(path, spec))
}

impl Entry {
    /// A file on disk with this text; `None` if its comment is no header.
    pub fn of_text(path: &Path, text: &str) -> Option<Result<Self, CatalogueError>> {
        let entry = Self::parse(path.to_owned(), name(path), text.to_owned()).ok()?;
        Some(attach(entry, |spec| beside(path, spec)))
    }
}

/// A file that is named by one beside it.
fn beside(path: &Path, name: &str) -> Result<String, String> {
    text(&path.with_file_name(name)).map_err(|error| error.to_string())
}

/// A text that is no larger than a module may be.
fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_string(&mut text)?;
    match text.len() {
        ..=MAX_BYTES => Ok(text),
        _ => Err(io::Error::other(format!("more than {MAX_BYTES} bytes"))),
    }
}

/// An entry with the files that its header names: beside it, or of a machine that is built in.
fn attach(
    mut entry: Entry,
    read: impl Fn(&str) -> Result<String, String>,
) -> Result<Entry, CatalogueError> {
    for spec in &entry.header.specs {
        let text = read(spec).or_else(|reason| machine(spec).map(str::to_owned).ok_or(reason));
        let text = text.map_err(|reason| CatalogueError::Attachment {
            entry: entry.path.display().to_string(),
            file: spec.clone(),
            reason,
        })?;
        entry.attachments.push(Attachment { name: spec.clone(), text });
    }
    Ok(entry)
}

fn unreadable(path: &Path, source: io::Error) -> CatalogueError {
    CatalogueError::Unreadable { path: path.display().to_string(), source }
}

fn is_entry(path: &Path) -> bool {
    path.extension().is_some_and(|own| EXTENSIONS.iter().any(|extension| own == *extension))
}

/// A path without its extension, with slashes on every system.
fn name(path: &Path) -> String {
    let stem: PathBuf = path.with_extension("");
    let parts: Vec<_> = stem.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
