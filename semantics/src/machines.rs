//! Machines that subgroup instructions are lowered to: specification files of their primitives,
//! apart from what SPIR-V says.

use include_dir::{Dir, include_dir};

static MACHINES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/machines");

/// The names of the machines' files, in order.
pub fn machines() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        MACHINES.files().filter_map(|file| file.path().file_name()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The text of a machine's file (`AMD_GCN.lps`).
pub fn machine(name: &str) -> Option<&'static str> {
    MACHINES.get_file(name)?.contents_utf8()
}
