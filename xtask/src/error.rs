//! What can go wrong before cargo runs, each with what to do about it.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::names::{ENVIRONMENT, LIBRARY_NAME, OLDEST};

/// Why no Z3 was settled, or cargo did not start.
#[derive(Debug)]
pub enum Error {
    /// [`ENVIRONMENT`] is neither a known word nor a directory that holds the library.
    Choice(PathBuf),
    /// The system's library was requested, and pkg-config knows none that is new enough.
    NoSystemLibrary,
    /// The package could not be fetched or unpacked; what the last tool said.
    NoPackage(String),
    /// A tool for fuzzing could not be had; what is missing.
    NoToolchain(String),
    /// The user has no home, so there is no folder for data.
    NoHome,
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
            Self::Choice(path) => write!(
                f,
                "{ENVIRONMENT}={}: expected `system`, `pypi`, or a directory that holds \
                 {LIBRARY_NAME} (itself, or in its `lib` or `bin`)",
                path.display()
            ),
            Self::NoSystemLibrary => write!(
                f,
                "pkg-config knows no Z3 of version {OLDEST} or newer: install it \
                 (Debian and Ubuntu: `apt install libz3-dev pkg-config`, Fedora: `dnf install \
                 z3-devel pkgconf`, macOS: `brew install z3 pkgconf`), or leave \
                 {ENVIRONMENT} unset, which takes the pinned one"
            ),
            Self::NoPackage(reason) => write!(
                f,
                "the pinned Z3 could not be had:\n{}\nIt needs Python 3 with pip (`apt install \
                 python3-pip`) and Linux on x86-64 or macOS. Elsewhere, or without the network: \
                 {ENVIRONMENT}=system takes an installed Z3 of version {OLDEST} or newer, and \
                 {ENVIRONMENT}=DIRECTORY the {LIBRARY_NAME} there; another version may leave some \
                 questions undecided",
                reason.trim_end()
            ),
            Self::NoHome => write!(f, "no home folder to keep Z3 in: set HOME"),
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
