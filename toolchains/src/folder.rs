//! The folder of a finding.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::apply::bytes_of;
use crate::error::ToolError;
use crate::finding::{ToolFinding, assembly};

/// The file of a finding that is for programs.
const FINDING: &str = "finding.json";

/// The keys of the defects, and of what a reading explains, that earlier campaigns have left in a
/// folder.
pub fn kept(out: &Path) -> BTreeMap<String, bool> {
    let folders = fs::read_dir(out).into_iter().flatten().flatten();
    let documents = folders.filter_map(|folder| {
        let text = fs::read(folder.path().join(FINDING)).ok()?;
        serde_json::from_slice::<Value>(&text).ok()
    });
    let keyed = documents.filter_map(|document| {
        let defect = document["readings"].as_array().is_none_or(Vec::is_empty);
        Some((document["key"].as_str()?.to_owned(), defect))
    });
    keyed.collect()
}

impl ToolFinding {
    /// Writes its folder into `out`.
    ///
    /// # Errors
    ///
    /// Where a file cannot be written.
    pub fn write(&mut self, out: &Path) -> Result<(), ToolError> {
        let folder = out.join(self.key.replace('/', "_"));
        let unwritable = |source: std::io::Error| ToolError::Unwritable {
            name: folder.display().to_string(),
            source,
        };
        let fresh = !folder.exists();
        fs::create_dir_all(&folder).map_err(unwritable)?;
        let module = self.generated.words.as_slice();
        let inputs = self.generated.inputs.document(self.generated.tree.target.module_kind);
        let mut files: Vec<(&str, Vec<u8>)> = vec![
            ("module.spv", bytes_of(module)),
            ("module.spvasm", assembly(module).into_bytes()),
            ("inputs.json", pretty(&inputs)),
        ];
        if let Some(output) = &self.fault.output {
            files.push(("output.spv", bytes_of(output)));
            files.push(("output.spvasm", assembly(output).into_bytes()));
        }
        if let Some(expected) = &self.fault.expected {
            files.push(("expected.json", pretty(expected)));
        }
        if let Some(observed) = &self.fault.observed {
            files.push(("observed.json", pretty(observed)));
        }
        files.push(("report.md", self.report().into_bytes()));
        self.folder = Some(folder.clone());
        // Last: a folder that has it has everything.
        files.push((FINDING, pretty(&self.json())));
        for (name, bytes) in files {
            if let Err(source) = fs::write(folder.join(name), bytes) {
                self.folder = None;
                // Half a finding would look like a whole one.
                if fresh {
                    let _ = fs::remove_dir_all(&folder);
                }
                return Err(unwritable(source));
            }
        }
        Ok(())
    }
}

fn pretty(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}
