//! Modules that compilers wrote pass in their environment, on a device that has everything.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use laneproof_environment::{Body, Device, Diagnostic, Environment, Severity, validate};
use laneproof_module::list_bytes;
use laneproof_semantics::Specification;

fn modules(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            modules(&path, out);
        } else if path.extension().is_some_and(|it| it == "spv" || it == "spvasm") {
            out.push(path);
        }
    }
}

/// What is said of compilers' modules and is so: modules of functions alone declare `Linkage`, which
/// no Vulkan device takes, and naga and Slang lay out arrays in workgroup memory, which the reference
/// validator forbids.
fn is_right(found: &Diagnostic) -> bool {
    let linkage = found.rule == "vulkan/capability" && found.message.contains("`Linkage`");
    linkage || found.message.starts_with("[VUID-StandaloneSpirv-None-10684]")
}

fn passes(compiler: &str, environment: Environment, device: &str) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut paths = Vec::new();
    modules(&fixtures.join(compiler), &mut paths);
    paths.sort();
    assert!(!paths.is_empty());
    let body = Body::new(environment, Specification::built_in());
    let device = Device::parse(Device::built_in(device).unwrap(), device).unwrap();
    let mut alarms = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let listing = list_bytes(&std::fs::read(&path).unwrap(), &name, environment.versions());
        let found = validate(&body, &listing.unwrap(), Some(&device));
        for it in found.iter().filter(|it| it.severity != Severity::Note && !is_right(it)) {
            alarms.push(format!("{name}:{:?} {} {}", it.line, it.rule, it.message));
        }
        assert!(found.iter().all(|it| it.severity != Severity::Note), "{name}: nothing is open");
    }
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
}

#[test]
fn kernels_by_clang_pass_in_opencl() {
    passes("clang", Environment::OpenCl, "opencl_full");
}

#[test]
fn kernels_by_clang_pass_in_level_zero() {
    passes("clang", Environment::LevelZero, "level_zero_full");
}

#[test]
fn shaders_by_glslang_pass_in_vulkan() {
    passes("glslang", Environment::Vulkan, "vulkan_full");
}

#[test]
fn shaders_by_naga_pass_in_vulkan() {
    passes("naga", Environment::Vulkan, "vulkan_full");
}

#[test]
fn shaders_by_dxc_pass_in_vulkan() {
    passes("dxc", Environment::Vulkan, "vulkan_full");
}

#[test]
fn shaders_by_slang_pass_in_vulkan() {
    passes("slang", Environment::Vulkan, "vulkan_full");
}
