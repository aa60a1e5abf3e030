//! Which Z3 is linked: the pinned one of the PyPI package or, on request, the system's or one in a
//! given directory.

mod wheel;

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::names::{ENVIRONMENT, LIBRARY_NAME, OLDEST};

/// Where the choice is recorded, below the root: the directory of the library, or nothing for the
/// system's. `smt/link` reads it, so plain cargo links the same library.
const RECORD: &str = ".cargo/z3-directory";

/// The user's choice.
#[derive(Debug, PartialEq, Eq)]
pub enum Choice {
    /// The pinned library of the PyPI package, the same for everybody: without a wish, too.
    Package,
    /// The system's library, whatever its version decides.
    System,
    /// The library in this directory, or in its `lib` or `bin`.
    Directory(PathBuf),
}

impl Choice {
    /// Reads [`ENVIRONMENT`]; unset and empty mean the pinned one.
    pub fn from_environment() -> Result<Self, Error> {
        let choice = Self::parse(env::var_os(ENVIRONMENT).unwrap_or_default());
        match choice {
            // Build scripts run in other directories.
            Self::Directory(path) => match path.canonicalize() {
                Ok(absolute) => Ok(Self::Directory(absolute)),
                Err(_) => Err(Error::Choice(path)),
            },
            other => Ok(other),
        }
    }

    fn parse(value: OsString) -> Self {
        match value.to_str() {
            Some("" | "pypi") => Self::Package,
            Some("system") => Self::System,
            _ => Self::Directory(value.into()),
        }
    }
}

/// A Z3 to link.
#[derive(Debug, PartialEq, Eq)]
pub enum Library {
    /// pkg-config knows where it is.
    System {
        /// Its version, from pkg-config.
        version: String,
    },
    /// Out of the PyPI package.
    Package {
        /// The package's version.
        version: String,
        /// Where [`LIBRARY_NAME`] lies.
        directory: PathBuf,
    },
    /// Where the user said.
    Directory(PathBuf),
}

impl Library {
    /// The directory for the linker and the loader, if any.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::System { .. } => None,
            Self::Package { directory, .. } | Self::Directory(directory) => Some(directory),
        }
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System { version } => {
                write!(f, "{version}, the system's (pkg-config), not the pinned one")
            }
            Self::Package { version, directory } => {
                write!(f, "{version} from PyPI's z3-solver, in {}", directory.display())
            }
            Self::Directory(directory) => {
                write!(f, "the one in {} ({ENVIRONMENT})", directory.display())
            }
        }
    }
}

/// Finds the library of the user's choice, and fetches the package if necessary.
pub fn find(choice: &Choice) -> Result<Library, Error> {
    match choice {
        Choice::System => match system_version() {
            Some(version) => Ok(Library::System { version }),
            None => Err(Error::NoSystemLibrary),
        },
        Choice::Package => wheel::library(),
        Choice::Directory(path) => ["", "lib", "bin"]
            .into_iter()
            .map(|below| if below.is_empty() { path.clone() } else { path.join(below) })
            .find(|directory| directory.join(LIBRARY_NAME).is_file())
            .map(Library::Directory)
            .ok_or_else(|| Error::Choice(path.clone())),
    }
}

/// The version of a system library that is new enough. Asked in the way in which `z3-sys` will ask.
fn system_version() -> Option<String> {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let ask = |question: &[&str]| {
        let mut command = Command::new(&program);
        command.args(question).arg("z3").stderr(Stdio::null());
        command.output().ok().filter(|output| output.status.success())
    };
    ask(&["--atleast-version", OLDEST])?;
    let version = String::from_utf8(ask(&["--modversion"])?.stdout).ok()?;
    Some(version.trim().to_owned())
}

/// Records the choice for the build scripts; an unchanged choice leaves the file alone, since
/// touching it would link everything anew.
pub fn record(root: &Path, library: &Library) -> Result<(), Error> {
    let path = root.join(RECORD);
    let line = match library.directory() {
        None => "",
        // Cargo takes paths from build scripts as lines of UTF-8.
        Some(directory) => directory.to_str().ok_or_else(|| Error::Path(directory.into()))?,
    };
    if fs::read_to_string(&path).is_ok_and(|recorded| recorded == line) {
        return Ok(());
    }
    fs::write(&path, line).map_err(|source| Error::file(&path, source))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    /// A fresh directory that looks like a root.
    fn scratch(name: &str) -> PathBuf {
        let path = env::temp_dir().join(format!("laneproof-xtask-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join(".cargo")).unwrap();
        path
    }

    #[test]
    fn every_word_of_the_variable_is_understood() {
        let expected = [
            ("", Choice::Package),
            ("system", Choice::System),
            ("pypi", Choice::Package),
            ("/opt/z3", Choice::Directory("/opt/z3".into())),
            ("systems", Choice::Directory("systems".into())),
        ];
        for (word, choice) in expected {
            assert_eq!(Choice::parse(word.into()), choice, "{word:?}");
        }
    }

    #[test]
    fn a_directory_is_searched_where_packages_and_releases_put_the_library() {
        for below in ["", "lib", "bin"] {
            let root = scratch(&format!("search-{below}"));
            let directory = if below.is_empty() { root.clone() } else { root.join(below) };
            let choice = Choice::Directory(root.clone());
            assert!(matches!(find(&choice), Err(Error::Choice(path)) if path == root));
            fs::create_dir_all(&directory).unwrap();
            fs::write(directory.join(LIBRARY_NAME), "").unwrap();
            assert_eq!(find(&choice).unwrap(), Library::Directory(directory));
            fs::remove_dir_all(root).unwrap();
        }
    }

    #[test]
    fn the_record_follows_the_choice_and_is_touched_only_by_a_change() {
        let root = scratch("record");
        let path = root.join(RECORD);
        let here = Library::Directory("/opt/z3/lib".into());
        record(&root, &here).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "/opt/z3/lib");

        // Moved back, so that a second writing shows however coarse the clock is.
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        record(&root, &here).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);

        record(&root, &Library::System { version: OLDEST.into() }).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        fs::remove_dir_all(root).unwrap();
    }
}
