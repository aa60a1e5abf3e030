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

/// What a command of cargo's prints about the workspace, without the network.
pub fn cargo(arguments: &[&str]) -> Vec<u8> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--locked", "--offline", "--manifest-path", manifest])
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// What cargo says of the workspace and of all that it depends on here, without the network.
pub fn of_workspace() -> Value {
    let arguments = ["metadata", "--format-version", "1", "--filter-platform", &platform()];
    serde_json::from_slice(&cargo(&arguments)).expect("JSON")
}
