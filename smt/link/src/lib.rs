//! Finds the Z3 that laneproof links with; for build scripts.
//!
//! Every package with binaries or tests that use Z3 calls [`z3`] in its build script, since a run path,
//! unlike a search path, is not handed on to dependents. So does a crate whose tests depend on
//! `laneproof-verifier`:
//!
//! ```no_run
//! // In `main` of build.rs:
//! laneproof_link::z3();
//! ```
//!
//! The search path of a dependent's own script comes before the one that `z3-sys` prints, so a system
//! library does not win over the chosen one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use directories::ProjectDirs;

/// Prints the link directives for Z3: in a clone, the one that `cargo xtask` chose; elsewhere the one
/// that `LANEPROOF_Z3` names (`system`, or a folder with the library), or the one that `cargo xtask`
/// fetched for this user. Otherwise `z3-sys` asks `pkg-config`.
pub fn z3() {
    println!("cargo::rerun-if-env-changed=LANEPROOF_Z3");
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let clone = package.ancestors().find(|above| above.join("xtask").is_dir());
    let chosen = match clone {
        Some(root) => chosen_in(root),
        None => chosen_elsewhere(),
    };
    match chosen {
        Chosen::Folder(folder) => {
            println!("cargo::rustc-link-search=native={folder}");
            println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
        }
        Chosen::System => {}
        // The linker's complaint about a missing library would not say what to do.
        Chosen::Nothing if !pkg_config_knows_z3() => println!(
            "cargo::warning=pkg-config knows no Z3; if the linker finds none either, run \
             `cargo xtask z3` in a clone of laneproof, or set LANEPROOF_Z3 to a folder with the library"
        ),
        Chosen::Nothing => {}
    }
}

/// Which Z3.
enum Chosen {
    /// The library in this folder.
    Folder(String),
    /// The one that `pkg-config` knows.
    System,
    /// No choice was made.
    Nothing,
}

/// What `cargo xtask` wrote down in a clone.
fn chosen_in(root: &Path) -> Chosen {
    let settings = root.join(".cargo");
    // The whole folder, because a file that does not exist makes every build run this again.
    println!("cargo::rerun-if-changed={}", settings.display());
    match fs::read_to_string(settings.join("z3-directory")) {
        Ok(folder) if folder.is_empty() => Chosen::System,
        Ok(folder) => Chosen::Folder(folder),
        Err(_) => Chosen::Nothing,
    }
}

/// The user's choice, or the library that was fetched for the user.
fn chosen_elsewhere() -> Chosen {
    match env::var("LANEPROOF_Z3") {
        Ok(word) if word == "system" => return Chosen::System,
        Ok(folder) if !folder.is_empty() => return Chosen::Folder(folder),
        _ => {}
    }
    fetched().map_or(Chosen::Nothing, Chosen::Folder)
}

/// The newest library that was fetched into the user's data folder.
fn fetched() -> Option<String> {
    let user = ProjectDirs::from("", "", "laneproof")?;
    let entries = fs::read_dir(user.data_dir()).ok()?.filter_map(Result::ok);
    let libraries = entries.map(|entry| entry.path().join("z3").join("lib"));
    let mut found: Vec<PathBuf> = libraries.filter(|folder| folder.is_dir()).collect();
    found.sort();
    found.pop()?.into_os_string().into_string().ok()
}

fn pkg_config_knows_z3() -> bool {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let known = Command::new(program).args(["--exists", "z3"]).status();
    known.is_ok_and(|status| status.success())
}
