//! Links the Z3 that `cargo xtask` chose where that is not the system's.
//!
//! Every package with binaries or tests that use Z3 names this script, since a run path, unlike a
//! search path, is not handed on to dependents. The search path of a dependent's own script comes
//! before the one that `z3-sys` prints, so a system library does not win over the chosen one.

use std::env;
use std::fs;
use std::path::Path;

fn main() {
    let package = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let Some(root) = Path::new(&package).ancestors().find(|above| above.join("xtask").is_dir())
    else {
        return;
    };
    let settings = root.join(".cargo");
    // The whole folder, because a file that does not exist makes every build run this again.
    println!("cargo::rerun-if-changed={}", settings.display());
    if let Ok(directory) = fs::read_to_string(settings.join("z3-directory")) {
        println!("cargo::rustc-link-search=native={directory}");
        println!("cargo::rustc-link-arg=-Wl,-rpath,{directory}");
    }
}
