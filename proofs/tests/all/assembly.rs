//! Every file of the catalogue assembles, and the validator accepts it for the universal
//! environment.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions};
use spirv_tools::val::{self, Validator};

/// All files of this extension below a folder, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What is wrong with a file, or nothing.
fn complaint(path: &Path, validate: bool) -> Option<String> {
    let text = fs::read_to_string(path).unwrap();
    let assembler = assembler::create(Some(TargetEnv::Universal_1_6));
    let binary = match assembler.assemble(&text, AssemblerOptions::default()) {
        Ok(binary) => binary,
        Err(error) => return Some(format!("{}: {error}", path.display())),
    };
    if !validate {
        return None;
    }
    let validator = val::create(Some(TargetEnv::Universal_1_6));
    let error = validator.validate(&binary, None).err()?;
    Some(format!("{}: {error}", path.display()))
}

#[test]
fn every_theorem_and_lowering_is_a_valid_module() {
    for (folder, least) in [("theorems", 380), ("lowerings", 550)] {
        let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), "spvasm");
        let complaints: Vec<String> =
            files.iter().filter_map(|path| complaint(path, true)).collect();
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(files.len() >= least, "only {} {folder}", files.len());
    }
}

/// The validator knows no two-bit integers, so these pairs are assembled only.
#[test]
fn every_pair_that_pins_refinement_assembles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../smt/verify/tests/refinement");
    let pairs = files(&folder, "spvasm");
    let complaints: Vec<String> = pairs.iter().filter_map(|path| complaint(path, false)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert_eq!(pairs.len(), 285);
}
