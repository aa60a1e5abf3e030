//! The shared library out of PyPI's `z3-solver`, the same for everybody.
//!
//! pip downloads the wheel (pinned with its hashes in `z3-solver.txt`), Python's zipfile unpacks
//! the library's folder; nothing is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};

use directories::ProjectDirs;

use super::Library;
use crate::error::Error;
use crate::names::LIBRARY_NAME;

/// Package, version and hashes, in the form that pip reads.
const REQUIREMENT: &str = include_str!("../../z3-solver.txt");

/// Unpacks the wheel in the directory `argv[1]` there, its library's folder only.
const UNPACK: &str = "\
import glob, sys, zipfile
[wheel] = glob.glob(sys.argv[1] + '/*.whl')
with zipfile.ZipFile(wheel) as archive:
    archive.extractall(sys.argv[1], [n for n in archive.namelist() if n.startswith('z3/lib/')])
";

/// The package's library in the user's data folder, fetched unless it lies there already: a program
/// that is linked with it goes on working when the clone is gone.
pub fn library() -> Result<Library, Error> {
    let version = pinned_version(REQUIREMENT)
        .ok_or_else(|| Error::NoPackage("xtask/z3-solver.txt pins no version".into()))?;
    let user = ProjectDirs::from("", "", "laneproof").ok_or(Error::NoHome)?;
    let home = user.data_dir().join(format!("z3-solver-{version}"));
    let directory = home.join("z3").join("lib");
    if !directory.join(LIBRARY_NAME).is_file() {
        fetch(user.data_dir(), version, &home)?;
    }
    Ok(Library::Package { version: version.into(), directory })
}

/// Downloads and unpacks next to `home`, then renames: an interrupted fetch is never taken for one
/// that succeeded.
fn fetch(data: &Path, version: &str, home: &Path) -> Result<(), Error> {
    eprintln!("fetching Z3 {version} (the PyPI package z3-solver, about 54 MB)");
    let partial = data.join(format!("partial-{}", process::id()));
    fs::create_dir_all(&partial).map_err(|source| Error::file(&partial, source))?;
    let fetched = unpack_into(&partial).and_then(|()| {
        // Another process may have been faster; its files are as good.
        match fs::rename(&partial, home) {
            Err(_) if home.is_dir() => Ok(()),
            other => other.map_err(|source| Error::file(home, source)),
        }
    });
    let left = partial.is_dir();
    if left {
        fs::remove_dir_all(&partial).map_err(|source| Error::file(&partial, source))?;
    }
    fetched
}

fn unpack_into(partial: &Path) -> Result<(), Error> {
    let requirement = partial.join("requirement.txt");
    fs::write(&requirement, REQUIREMENT).map_err(|source| Error::file(&requirement, source))?;
    let mut download = python();
    download
        .args(["-m", "pip", "--disable-pip-version-check", "--no-input", "download", "--quiet"])
        .args(["--no-deps", "--only-binary", ":all:", "--require-hashes"])
        .arg("--requirement")
        .arg(&requirement)
        .arg("--dest")
        .arg(partial);
    succeed(download)?;
    let mut unpack = python();
    unpack.args(["-c", UNPACK]).arg(partial);
    succeed(unpack)?;
    for wheel in wheels(partial)? {
        fs::remove_file(&wheel).map_err(|source| Error::file(&wheel, source))?;
    }
    let library = partial.join("z3").join("lib").join(LIBRARY_NAME);
    if library.is_file() {
        Ok(())
    } else {
        Err(Error::NoPackage(format!("the wheel for this platform holds no {LIBRARY_NAME}")))
    }
}

fn python() -> Command {
    Command::new("python3")
}

/// Runs a command to a good end, or returns what it complained of.
fn succeed(mut command: Command) -> Result<(), Error> {
    let program = command.get_program().to_owned();
    match command.output() {
        Ok(Output { status, .. }) if status.success() => Ok(()),
        Ok(Output { stderr, .. }) => {
            Err(Error::NoPackage(String::from_utf8_lossy(&stderr).into_owned()))
        }
        Err(source) => Err(Error::NoPackage(Error::start(&program, source).to_string())),
    }
}

fn wheels(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(directory).map_err(|source| Error::file(directory, source))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|end| end == "whl")).collect())
}

/// The version in `z3-solver==VERSION`.
fn pinned_version(requirement: &str) -> Option<&str> {
    let line = requirement.lines().find_map(|line| line.strip_prefix("z3-solver=="))?;
    line.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requirement_pins_one_version_and_a_hash_for_each_platform() {
        let version = pinned_version(REQUIREMENT).unwrap();
        assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{version}");
        let hashes: Vec<&str> = REQUIREMENT.split("--hash=sha256:").skip(1).collect();
        assert_eq!(hashes.len(), 3);
        for hash in hashes {
            let digits = hash.split_whitespace().next().unwrap();
            assert_eq!(digits.len(), 64, "{digits}");
            assert!(digits.bytes().all(|digit| digit.is_ascii_hexdigit()), "{digits}");
        }
    }

    #[test]
    fn a_failing_tool_s_own_words_reach_the_user() {
        let mut command = python();
        command.args(["-c", "import sys; sys.exit('no such wheel')"]);
        let error = succeed(command).unwrap_err().to_string();
        assert!(error.contains("no such wheel"), "{error}");
        assert!(error.contains("LANEPROOF_Z3=system"), "{error}");
        assert!(error.contains("python3-pip"), "{error}");
    }
}
