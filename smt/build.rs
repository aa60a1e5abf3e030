//! Links the Z3 that `cargo xtask` chose where that is not the system's.
//!
//! Every package with binaries or tests that use Z3 names this script, since a run path, unlike a
//! search path, is not handed on to dependents. The search path of a dependent's own script comes
//! before the one that `z3-sys` prints, so a system library does not win over the chosen one.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Says where the Z3 is, as a build script does; that of another package calls it.
pub fn main() {
    let package = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    // The catalogue is compiled in: a file that comes or goes has to rebuild its package.
    let compiled_in = ["theorems", "lowerings"].map(|folder| Path::new(&package).join(folder));
    for folder in compiled_in.iter().filter(|folder| folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    let Some(root) = Path::new(&package).ancestors().find(|above| above.join("xtask").is_dir())
    else {
        return;
    };
    let settings = root.join(".cargo");
    // The whole folder, because a file that does not exist makes every build run this again.
    println!("cargo::rerun-if-changed={}", settings.display());
    match fs::read_to_string(settings.join("z3-directory")).as_deref() {
        // The system's was chosen; z3-sys finds it.
        Ok("") => {}
        Ok(directory) => {
            println!("cargo::rustc-link-search=native={directory}");
            println!("cargo::rustc-link-arg=-Wl,-rpath,{directory}");
        }
        // The linker's complaint about a missing library would not say what to do.
        Err(_) if !pkg_config_knows_z3() => println!(
            "cargo::warning=pkg-config knows no Z3; if the linker finds none either, \
             run `cargo xtask z3`"
        ),
        Err(_) => {}
    }
}

fn pkg_config_knows_z3() -> bool {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let known = Command::new(program).args(["--exists", "z3"]).status();
    known.is_ok_and(|status| status.success())
}
