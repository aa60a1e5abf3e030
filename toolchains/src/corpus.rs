//! Modules of the user's own, and neighbors of them: every tool takes them and what comes out is valid.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use laneproof_generator::Numbers;
use laneproof_module::{LoadError, load_bytes};

use crate::apply::{Applied, apply, bytes_of};
use crate::error::ToolError;
use crate::examine::says_unsupported;
use crate::find::{LocatedTool, Places};
use crate::finding::subject;
use crate::lowerings::{files_below, module_words};
use crate::mutated::mutated;
use crate::plan::{CampaignEvent, CampaignPlan, Summary};
use crate::tool::ToolKind;

/// How many neighbors each module has.
const NEIGHBORS: u64 = 3;

/// A module that is tried.
struct Tried {
    /// Its file, and which neighbor it is.
    name: String,
    words: Vec<u32>,
    changed: bool,
}

/// Within the time limit, runs the transforming tools on every module in a folder, and on some with one change. Inputs are
/// unknown, so only crashes, hangs and invalid modules are found; the campaign calls functions that take and return
/// scalars and vectors.
///
/// # Errors
///
/// A folder that cannot be read.
pub fn corpus(
    folder: &Path,
    tools: &[LocatedTool],
    places: &Places,
    plan: &CampaignPlan,
    summary: &mut Summary,
    stop: &AtomicBool,
    report: &dyn Fn(CampaignEvent<'_>),
) -> Result<(), ToolError> {
    let (start, time) = (Instant::now(), plan.extent.time);
    let unreadable = |source| ToolError::Unreadable { name: folder.display().to_string(), source };
    std::fs::read_dir(folder).map_err(unreadable)?;
    let unwritable = |source| ToolError::Unwritable { name: "a temporary folder".into(), source };
    let scratch = tempfile::tempdir().map_err(unwritable)?;
    let usable: Vec<&LocatedTool> = tools
        .iter()
        .filter(|it| it.tool.kind != ToolKind::Execute && it.tool.built_in.is_none())
        .collect();
    let ends = || stop.load(Ordering::Relaxed) || time.is_some_and(|time| start.elapsed() >= time);
    for file in files_below(folder) {
        // Reading a module and changing it takes time, too.
        if ends() {
            break;
        }
        let tried = tried(&file, plan.seed);
        match tried.is_empty() {
            true => summary.of_corpus.others += 1,
            false => summary.of_corpus.modules += 1,
        }
        for tried in tried {
            for found in &usable {
                if ends() {
                    break;
                }
                let variant = variant(found, plan.seed);
                let applied =
                    apply(&found.tool, variant, &tried.words, places, scratch.path(), None, stop);
                if applied == Applied::Interrupted {
                    continue;
                }
                let row = summary.rows.entry(found.tool.name.clone()).or_default();
                row.modules += 1;
                let wrong = match judged(applied, found) {
                    Judged::Right => {
                        row.fine += 1;
                        continue;
                    }
                    Judged::Unsupported(reason) => {
                        row.unsupported += 1;
                        row.reason("unsupported", &reason);
                        continue;
                    }
                    Judged::Undecided(reason) => {
                        row.undecided += 1;
                        row.reason("undecided", &reason);
                        continue;
                    }
                    Judged::Wrong(what) => what,
                };
                row.wrong += 1;
                let name = keep(&tried, plan).unwrap_or_else(|error| {
                    summary.unwritten.push(error.to_string());
                    tried.name.clone()
                });
                let subject = subject(&found.tool.name, &variant.join(" "));
                let line = format!("{subject}: {name}: {wrong}");
                report(CampaignEvent::Line(&line));
                summary.of_corpus.wrong.push(line);
            }
        }
    }
    summary.interrupted = stop.load(Ordering::Relaxed);
    Ok(())
}

/// The module of a file and its neighbors.
fn tried(file: &Path, seed: u64) -> Vec<Tried> {
    let name = file.display().to_string();
    let words = std::fs::read(file).ok().and_then(|bytes| module_words(&bytes, &name));
    let Some(words) = words else { return Vec::new() };
    let neighbors = (0..NEIGHBORS).filter_map(|number| {
        let words = mutated(&words, &mut Numbers::new(seed.wrapping_add(number)))?;
        Some(Tried { name: format!("{name}~{number}"), words, changed: true })
    });
    let neighbors: Vec<Tried> = neighbors.collect();
    std::iter::once(Tried { name, words, changed: false }).chain(neighbors).collect()
}

fn variant(found: &LocatedTool, seed: u64) -> &[String] {
    match found.tool.commands.variants.len() as u64 {
        0 => &[],
        count => &found.tool.commands.variants[(seed % count) as usize],
    }
}

/// What is known of what a tool did with a valid module.
enum Judged {
    Right,
    Unsupported(String),
    Undecided(String),
    Wrong(String),
}

fn judged(applied: Applied, found: &LocatedTool) -> Judged {
    let accepts = found.tool.kind == ToolKind::Accept;
    match applied {
        Applied::Crashed(reason) => Judged::Wrong(format!("crash: {reason}")),
        Applied::Hung => Judged::Wrong("hang".to_owned()),
        Applied::NoModule(reason) => Judged::Wrong(format!("invalid output: {reason}")),
        Applied::Module(words) => match load_bytes(&bytes_of(&words), "output") {
            Err(error @ LoadError::Invalid(_)) => Judged::Wrong(format!("invalid output: {error}")),
            _ => Judged::Right,
        },
        Applied::Refused(reason) if accepts && !says_unsupported(&found.tool, &reason) => {
            Judged::Wrong(format!("rejected valid: {reason}"))
        }
        // What the tool's description says of what it takes holds for generated modules only.
        Applied::Refused(reason) => Judged::Unsupported(reason),
        Applied::Failed(reason) => Judged::Undecided(reason),
        Applied::Accepted | Applied::Interrupted => Judged::Right,
    }
}

/// Where a module is: what was changed is written first, where there is a folder for it.
fn keep(tried: &Tried, plan: &CampaignPlan) -> Result<String, ToolError> {
    let (true, Some(out)) = (tried.changed, &plan.out) else { return Ok(tried.name.clone()) };
    let folder = out.join("corpus");
    let name = tried.name.replace(['/', '\\'], "_");
    let file = folder.join(format!("{}.spv", name.trim_start_matches('_')));
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&file, bytes_of(&tried.words)));
    let name = file.display().to_string();
    match written {
        Ok(()) => Ok(name),
        Err(source) => Err(ToolError::Unwritable { name, source }),
    }
}
