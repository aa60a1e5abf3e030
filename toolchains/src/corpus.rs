//! Modules of the user's own: every tool takes them and what comes out is valid.

use std::path::{Path, PathBuf};

use laneproof_module::{LoadError, load_bytes};

use crate::apply::{Applied, apply, bytes_of};
use crate::campaign::{Plan, Summary};
use crate::error::ToolError;
use crate::find::{Found, Places};
use crate::tool::Kind;

/// Puts every module in a folder through the tools that transform. Their inputs are not known, so
/// only crashes, hangs and invalid modules are seen.
///
/// # Errors
///
/// A folder that cannot be read.
pub fn corpus(
    folder: &Path,
    tools: &[Found],
    places: &Places,
    plan: &Plan,
    summary: &mut Summary,
    report: &dyn Fn(&str),
) -> Result<(), ToolError> {
    let unreadable = |source| ToolError::Unreadable { name: folder.display().to_string(), source };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).map_err(unreadable)?.flatten().map(|it| it.path()).collect();
    files.sort();
    let unwritable = |source| ToolError::Unwritable { name: "a temporary folder".into(), source };
    let scratch = tempfile::tempdir().map_err(unwritable)?;
    let usable: Vec<&Found> = tools
        .iter()
        .filter(|it| it.tool.kind != Kind::Execute && it.tool.built_in.is_none())
        .collect();
    for file in files.iter().filter(|file| file.is_file()) {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let name = file.display().to_string();
        let Some(words) = words(&bytes, &name) else { continue };
        for found in &usable {
            let variant = match found.tool.variants.len() {
                0 => Vec::new(),
                count => found.tool.variants[plan.seed as usize % count].clone(),
            };
            let wrong = match apply(&found.tool, &variant, &words, places, scratch.path()) {
                Applied::Crashed(reason) => Some(format!("crash: {reason}")),
                Applied::Hung => Some("hang".to_owned()),
                Applied::Module(words) => match load_bytes(&bytes_of(&words), "output") {
                    Err(error @ LoadError::Invalid(_)) => Some(format!("invalid output: {error}")),
                    _ => None,
                },
                _ => None,
            };
            let row = summary.rows.entry(found.tool.name.clone()).or_default();
            row.modules += 1;
            match wrong {
                Some(wrong) => {
                    row.wrong += 1;
                    let line =
                        format!("{} {}: {name}: {wrong}", found.tool.name, variant.join(" "));
                    report(&line);
                    summary.of_corpus.push(line);
                }
                None => row.fine += 1,
            }
        }
    }
    Ok(())
}

/// The words of a valid module, binary or assembly.
fn words(bytes: &[u8], name: &str) -> Option<Vec<u32>> {
    if load_bytes(bytes, name).is_err() {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.starts_with(&0x0723_0203u32.to_le_bytes()) => {
            laneproof_module::assemble_text(text, name).ok()
        }
        _ => Some(crate::apply::words_of(bytes)),
    }
}
