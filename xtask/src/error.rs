//! What can go wrong before cargo runs, each with what to do about it.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::z3::{ENVIRONMENT, LIBRARY_NAME, OLDEST};

/// Why no Z3 was settled, or cargo did not start.
#[derive(Debug)]
pub enum Error {
    /// [`ENVIRONMENT`] is neither a known word nor a directory that holds the library.
    Wish(PathBuf),
    /// The system's library was asked for, and pkg-config knows none that is new enough.
    NoSystemLibrary,
    /// The package could not be fetched or unpacked; what the last tool said.
    NoPackage(String),
    /// A tool for fuzzing could not be had; what is missing.
    NoToolchain(String),
    /// A file or directory could not be read or written.
    File(PathBuf, io::Error),
    /// A program could not be started.
    Start(PathBuf, io::Error),
    /// A path that no search variable can hold, because it contains the separator.
    Path(PathBuf),
}

impl Error {
    /// `source` happened to `path`.
    pub fn file(path: &Path, source: io::Error) -> Self {
        Self::File(path.into(), source)
    }

    /// `program` did not start because of `source`.
    pub fn start(program: &OsStr, source: io::Error) -> Self {
        Self::Start(program.into(), source)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wish(path) => write!(
                f,
                "{ENVIRONMENT}={}: expected `system`, `pypi`, or a directory that holds \
                 {LIBRARY_NAME} (itself, or in its `lib` or `bin`)",
                path.display()
            ),
            Self::NoSystemLibrary => write!(
                f,
                "pkg-config knows no Z3 of version {OLDEST} or newer: install it \
                 (Debian and Ubuntu: `apt install libz3-dev pkg-config`, Fedora: `dnf install \
                 z3-devel pkgconf`, macOS: `brew install z3 pkgconf`), or set \
                 {ENVIRONMENT}=pypi"
            ),
            Self::NoPackage(reason) => write!(
                f,
                "the PyPI package z3-solver could not be had:\n{}\nInstall Z3 {OLDEST} or newer \
                 for development (Debian and Ubuntu: `apt install libz3-dev pkg-config`), or \
                 Python 3 with pip (`apt install python3-pip`), or set {ENVIRONMENT} to a \
                 directory that holds {LIBRARY_NAME}",
                reason.trim_end()
            ),
            Self::NoToolchain(what) => {
                write!(f, "could not be had: {what}; the tools that are installed still work")
            }
            Self::File(path, source) => write!(f, "{}: {source}", path.display()),
            Self::Start(program, source) => {
                write!(f, "cannot start {}: {source}", program.display())
            }
            Self::Path(path) => {
                write!(f, "{}: no library path can hold this directory's name", path.display())
            }
        }
    }
}

impl std::error::Error for Error {}
