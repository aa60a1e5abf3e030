//! What cargo knows of the workspace.

use std::process::Command;

use serde_json::Value;

/// The platform that is built for: what others need was never fetched.
fn platform() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc starts");
    let version = String::from_utf8(output.stdout).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a line that names the host").to_owned()
}

/// What cargo says of the workspace and of all that it depends on here, without the network.
pub fn of_workspace() -> Value {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", &platform(), "--manifest-path", manifest])
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}
