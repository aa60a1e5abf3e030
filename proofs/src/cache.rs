//! Answers kept from run to run.
//!
//! An answer is kept under everything that it depends on: the entry's text and attachments, the
//! specification, what the setup asks for, the solver's version and the very build of the tool.
//! So nothing has to be thrown away, and a stale answer is never found. Answers that a time limit
//! brought about are not kept: more time, or a quieter machine, may give another.

use std::io;
use std::path::{Path, PathBuf};

use laneproof_smt::{Report, Rung, Verdict, solver_version};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::entry::Entry;
use crate::run::Setup;

/// Where answers are kept.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    read_only: bool,
    /// What tells this build of the tool from others.
    build: Vec<u8>,
}

/// What is kept of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub verdict: Verdict,
    pub rung: Option<Rung>,
    pub reason: Option<String>,
    /// What it took when it was found.
    pub milliseconds: f64,
}

impl Cache {
    /// A cache in `folder`, which is made if need be. `build` tells this build of the tool from
    /// others: the bytes of its executable, say.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made.
    pub fn open(folder: &Path, read_only: bool, build: &[u8]) -> io::Result<Self> {
        if !read_only {
            std::fs::create_dir_all(folder)?;
        }
        let build = Sha256::digest(build).to_vec();
        Ok(Self { folder: folder.to_owned(), read_only, build })
    }

    /// What was found before, if it was kept and is whole.
    pub(crate) fn find(&self, entry: &Entry, setup: &Setup<'_>) -> Option<Kept> {
        let kept = std::fs::read(self.file(entry, setup)).ok()?;
        serde_json::from_slice(&kept).ok()
    }

    /// Keeps an answer. One that cannot be written is found again next time.
    pub(crate) fn keep(&self, entry: &Entry, setup: &Setup<'_>, report: &Report, answer: &Kept) {
        if self.read_only || report.is_out_of_time() {
            return;
        }
        let _ = self.write(&self.file(entry, setup), answer);
    }

    /// All of a file or nothing: others may read it at the same time.
    fn write(&self, path: &Path, answer: &Kept) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.folder)?;
        serde_json::to_writer(&mut file, answer)?;
        file.persist(path)?;
        Ok(())
    }

    fn file(&self, entry: &Entry, setup: &Setup<'_>) -> PathBuf {
        let mut digest = Sha256::new();
        // With its length before it no part can run into the next.
        let mut add = |part: &[u8]| {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        };
        add(&self.build);
        add(solver_version().as_bytes());
        for source in &setup.specification.sources {
            add(source.text.as_bytes());
        }
        add(b"entry");
        add(entry.text.as_bytes());
        for attachment in &entry.attachments {
            add(attachment.name.as_bytes());
            add(attachment.text.as_bytes());
        }
        add(b"setup");
        add(setup.profile.unwrap_or_default().as_bytes());
        add(&setup.timeout.as_nanos().to_le_bytes());
        let key: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(key + ".json")
    }
}
