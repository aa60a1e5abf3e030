//! Links the Z3 that was chosen, and compiles what keeps tools alive between modules.

use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "persistent/persistent.c";

fn main() {
    laneproof_link::z3();
    println!("cargo::rerun-if-changed={SOURCE}");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("persistent.so");
    if !compiled(&out) {
        // Each module gets a process of its own then.
        std::fs::write(&out, b"").unwrap_or_default();
    }
}

/// Where the program is for Linux and there is a compiler of C for it.
fn compiled(out: &Path) -> bool {
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return false;
    }
    let compiler = cc::Build::new().opt_level(2).cargo_warnings(false).try_get_compiler();
    let Ok(compiler) = compiler else { return false };
    let mut command: Command = compiler.to_command();
    command.args(["-shared", "-fPIC", "-Wall", "-Wextra", "-o"]).arg(out).arg(SOURCE).arg("-ldl");
    command.status().is_ok_and(|status| status.success())
}
