//! `--litmus`: a folder of modules, one a finding, and a list of them with why others have none.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use laneproof_ambiguity::{SearchReport, litmus};
use laneproof_semantics::as_written::AsWritten;
use serde_json::{Value, json};

/// All files by their place in the folder; each finding then says where its own lie.
pub fn files(
    texts: &AsWritten,
    report: &mut SearchReport,
    folder: &Path,
) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut list: Vec<Value> = Vec::new();
    let mut text = String::new();
    let mut without = String::new();
    for finding in &mut report.findings {
        let name = finding.file_stem();
        match litmus(texts, finding) {
            Ok(litmus) => {
                for (file, text) in &litmus.files {
                    files.push((Path::new(&name).join(file), text.clone()));
                }
                finding.evidence.litmus = Some(folder.join(&name).display().to_string());
                let environment = litmus.environment;
                let size = litmus.subgroup.size;
                let _ = writeln!(
                    text,
                    "- [{}]({name}/README.md): {environment}, {size} lanes{}",
                    finding.id,
                    if litmus.rank.is_none() { ", which machines hardly have" } else { "" },
                );
                list.push(json!({
                    "id": finding.id,
                    "folder": name,
                    "environment": environment,
                    "subgroup_size": size,
                    "ordinary_sizes": litmus.rank.is_some(),
                }));
            }
            Err(reason) => {
                let _ = writeln!(without, "- {}: {reason}", finding.id);
                list.push(json!({ "id": finding.id, "without": reason.to_string() }));
                finding.evidence.without_litmus = Some(reason.to_string());
            }
        }
    }
    let head = match text.is_empty() {
        true => "No finding has a module.\n",
        false => {
            "Each folder holds a module, the memory to run it with, and what each way of reading a \
             sentence predicts.\n\n"
        }
    };
    text = format!("# Litmus tests\n\n{head}{text}");
    if !without.is_empty() {
        let _ = write!(text, "\n## Without a module\n\n{without}");
    }
    files.push(("README.md".into(), text));
    files.push(("index.json".into(), format!("{:#}\n", json!({ "litmus": list }))));
    files
}
