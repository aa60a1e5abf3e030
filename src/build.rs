//! Links the chosen Z3, and records the commit of the build.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

fn main() {
    laneproof_link::z3();
    if let Some(commit) = packaged().or_else(checked_out) {
        println!("cargo::rustc-env=LANEPROOF_COMMIT={commit}");
    }
}

/// The commit that a package was made of, which cargo wrote into it.
fn packaged() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    let digits: String = after.chars().filter(char::is_ascii_hexdigit).take(12).collect();
    (digits.len() == 12).then_some(digits)
}

/// The checked-out commit.
fn checked_out() -> Option<String> {
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(words: &[&str]) -> Option<String> {
    let folder = env::var_os("CARGO_MANIFEST_DIR")?;
    let rendered = Command::new("git").args(words).current_dir(folder).output().ok()?;
    let text = String::from_utf8(rendered.stdout).ok()?.trim().to_owned();
    (rendered.status.success() && !text.is_empty()).then_some(text)
}
