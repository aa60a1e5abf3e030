//! Answers kept from run to run.
//!
//! An answer is kept under everything that it depends on: the entry's text and attachments, the
//! specification, what the setup asks for, the solver's version and the very build of the tool.
//! So nothing has to be thrown away, and a stale answer is never found. Answers that a time limit
//! brought about are not kept: more time, or a quieter machine, may give another.

use std::io;
use std::path::{Path, PathBuf};

use laneproof_semantics::Specification;
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
    /// What every answer depends on: this build of the tool, the solver, the specification.
    common: Vec<u8>,
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
    /// A cache in `folder`, which is made if need be, of answers under `specification`. `build`
    /// tells this build of the tool from others: the bytes of its executable, say.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made.
    pub fn open(
        folder: &Path,
        read_only: bool,
        build: &[u8],
        specification: &Specification,
    ) -> io::Result<Self> {
        if !read_only {
            std::fs::create_dir_all(folder)?;
        }
        let texts = specification.sources.iter().map(|source| source.text.as_bytes());
        let common = digest([build, solver_version().as_bytes()].into_iter().chain(texts));
        Ok(Self { folder: folder.to_owned(), read_only, common })
    }

    /// What was found before, if it was kept and is whole.
    pub(crate) fn find(file: &Path) -> Option<Kept> {
        let kept = std::fs::read(file).ok()?;
        serde_json::from_slice(&kept).ok()
    }

    /// Keeps an answer. One that cannot be written is found again next time.
    pub(crate) fn keep(&self, file: &Path, report: &Report, answer: &Kept) {
        if self.read_only || report.is_out_of_time() {
            return;
        }
        let _ = self.write(file, answer);
    }

    /// All of a file or nothing: others may read it at the same time.
    fn write(&self, path: &Path, answer: &Kept) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.folder)?;
        serde_json::to_writer(&mut file, answer)?;
        file.persist(path)?;
        Ok(())
    }

    /// Where the answer of an entry is kept.
    pub(crate) fn file(&self, entry: &Entry, setup: &Setup<'_>) -> PathBuf {
        let attached = entry.attachments.iter();
        let attached = attached.flat_map(|it| [it.name.as_bytes(), it.text.as_bytes()]);
        let timeout = setup.timeout.as_nanos().to_le_bytes();
        let profile = setup.profile.unwrap_or_default().as_bytes();
        let own = [&self.common[..], profile, &timeout, entry.text.as_bytes()];
        let key = digest(own.into_iter().chain(attached));
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(key + ".json")
    }
}

/// Each part goes in with its length before it, so that none can run into the next.
fn digest<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().to_vec()
}
