//! Modules of the user's own: every tool takes them and what comes out is valid.

use std::path::Path;

use laneproof_module::{LoadError, load_bytes};

use crate::apply::{Applied, apply, bytes_of};
use crate::campaign::{Event, Plan, Summary};
use crate::error::ToolError;
use crate::find::{Found, Places};
use crate::lowerings::{files_below, module_words};
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
    report: &dyn Fn(Event<'_>),
) -> Result<(), ToolError> {
    let unreadable = |source| ToolError::Unreadable { name: folder.display().to_string(), source };
    std::fs::read_dir(folder).map_err(unreadable)?;
    let unwritable = |source| ToolError::Unwritable { name: "a temporary folder".into(), source };
    let scratch = tempfile::tempdir().map_err(unwritable)?;
    let usable: Vec<&Found> = tools
        .iter()
        .filter(|it| it.tool.kind != Kind::Execute && it.tool.built_in.is_none())
        .collect();
    for file in files_below(folder) {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let name = file.display().to_string();
        let Some(words) = module_words(&bytes, &name) else { continue };
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
                    report(Event::Line(&line));
                    summary.of_corpus.push(line);
                }
                None => row.fine += 1,
            }
        }
    }
    Ok(())
}
