//! Modules whose functions generated ones call: entries of a catalogue, and a user's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use laneproof_generator::{Foreign, Numbers};
use laneproof_module::limits::MAX_BYTES;
use laneproof_proofs::{Active, Header};

use crate::apply::words_of;
use crate::mutated::mutated;

/// The two sides of an entry.
const SIDES: [&str; 2] = ["src", "tgt"];

/// An entry of a catalogue, as text; `None` where it has memory or imports, or is no module.
pub fn lowering(name: &str, text: &str) -> Option<Arc<Foreign>> {
    let words = laneproof_module::assemble_text(text, name).ok()?;
    let mut foreign = Foreign::read(name, &words, &SIDES)?;
    // A user's module need not have a header; its functions are then called at every size.
    if let Ok(Header { states, .. }) = Header::parse(name, text) {
        foreign.sizes = states.sizes;
        foreign.converged |= states.active == Active::All;
    }
    Some(Arc::new(foreign))
}

/// The modules in and below a folder that have functions to call: `src` and `tgt`, or else all
/// that take and return scalars and vectors. Of a large folder those that were read before `stop`
/// was set.
pub fn functions_in(folder: &Path, stop: &AtomicBool) -> Vec<Arc<Foreign>> {
    let files = files_below(folder);
    let read = files.iter().take_while(|_| !stop.load(Ordering::Relaxed));
    read.filter_map(|file| functions_of(file)).collect()
}

fn functions_of(file: &Path) -> Option<Arc<Foreign>> {
    let bytes = std::fs::read(file).ok()?;
    let name = file.display().to_string();
    let words = module_words(&bytes, &name)?;
    if let Ok(text) = std::str::from_utf8(&bytes)
        && let Some(entry) = lowering(&name, text)
    {
        return Some(entry);
    }
    Foreign::read(&name, &words, &[]).map(Arc::new)
}

/// The same functions in modules with one change.
pub fn changed_functions_in(folder: &Path, seed: u64, stop: &AtomicBool) -> Vec<Arc<Foreign>> {
    let numbered = files_below(folder).into_iter().enumerate();
    let read = numbered.take_while(|_| !stop.load(Ordering::Relaxed));
    let changed = read.filter_map(|(number, file)| {
        let name = format!("{}~", file.display());
        let words = module_words(&std::fs::read(&file).ok()?, &name)?;
        let mut numbers = Numbers::new(seed.wrapping_add(number as u64));
        let words = mutated(&words, &mut numbers)?;
        let sides = Foreign::read(&name, &words, &SIDES);
        sides.or_else(|| Foreign::read(&name, &words, &[])).map(Arc::new)
    });
    changed.collect()
}

/// A pipe or a device has no end, and what is larger than any module is none.
fn is_readable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES as u64)
}

/// The files in and below a folder that can be read whole, by name.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            // A link to a folder above must not be followed forever.
            match path.is_dir() {
                true if depth < 8 => open.push((path, depth + 1)),
                true => {}
                false if is_readable(&path) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// The words of a valid module, binary or assembly.
pub(crate) fn module_words(bytes: &[u8], name: &str) -> Option<Vec<u32>> {
    if bytes.starts_with(&0x0723_0203u32.to_le_bytes()) {
        laneproof_module::load_bytes(bytes, name).ok()?;
        return Some(words_of(bytes));
    }
    let text = std::str::from_utf8(bytes).ok()?;
    laneproof_module::assemble_text(text, name).ok()
}
