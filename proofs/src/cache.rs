//! Answers kept from run to run.
//!
//! The key of an answer is everything that it depends on: the entry's text and attachments, the
//! specification, the options, the solver's version and the build of the tool. So nothing has to be
//! invalidated. An undecided answer is not cached if any strategy reached a limit of time or memory: more
//! of it, or a less loaded machine, may decide.
//!
//! An answer is trusted if its code proves that it was cached with the same key: by this user, or by a job
//! that was given the key. Anyone who can read the key can forge answers.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Verdict, solver_version};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::cache_key::CacheKey;
use crate::entry::Entry;

/// Bytes of a kept answer, at most.
const MOST_BYTES: u64 = 1 << 16;

/// Where answers are kept.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    read_only: bool,
    key: CacheKey,
    /// What every answer depends on: this build of the tool, the solver, the specification.
    common: Vec<u8>,
}

/// A file of the cache: an answer, as text, and its code.
#[derive(Serialize, Deserialize)]
struct Signed {
    answer: String,
    /// In hexadecimal digits.
    code: String,
}

/// What is kept of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub verdict: Verdict,
    pub abstraction: Option<Abstraction>,
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
        key: CacheKey,
    ) -> io::Result<Self> {
        if !read_only {
            std::fs::create_dir_all(folder)?;
        }
        let texts = specification.sources.iter().map(|source| source.text.as_bytes());
        let common = digest([build, solver_version().as_bytes()].into_iter().chain(texts));
        Ok(Self { folder: folder.to_owned(), read_only, key, common })
    }

    /// The cached answer, if there is one with a valid code.
    pub(crate) fn find(&self, file: &Path) -> Option<Kept> {
        // A pipe in its place would be waited for.
        std::fs::metadata(file).ok().filter(Metadata::is_file)?;
        let mut kept = Vec::new();
        File::open(file).ok()?.take(MOST_BYTES).read_to_end(&mut kept).ok()?;
        let Signed { answer, code } = serde_json::from_slice(&kept).ok()?;
        let confirmed = self.key.confirms(&name(file), answer.as_bytes(), &bytes(&code)?);
        serde_json::from_str(&answer).ok().filter(|_| confirmed)
    }

    /// Keeps an answer. One that cannot be written is found again next time.
    pub(crate) fn keep(&self, file: &Path, answer: &Kept) {
        if !self.read_only {
            let _ = self.write(file, answer);
        }
    }

    /// All of a file or nothing: others may read it at the same time.
    fn write(&self, path: &Path, answer: &Kept) -> io::Result<()> {
        let answer = serde_json::to_string(answer)?;
        let code = digits(&self.key.sign(&name(path), answer.as_bytes()));
        let mut file = NamedTempFile::new_in(&self.folder)?;
        serde_json::to_writer(&mut file, &Signed { answer, code })?;
        file.persist(path)?;
        Ok(())
    }

    /// Where the answer of an entry is kept, asked with this limit and, where it names none, this profile.
    pub(crate) fn file(&self, entry: &Entry, timeout: Duration, profile: Option<&str>) -> PathBuf {
        let attached = entry.attachments.iter();
        let attached = attached.flat_map(|it| [it.name.as_bytes(), it.text.as_bytes()]);
        let timeout = timeout.as_nanos().to_le_bytes();
        let profile = profile.unwrap_or_default().as_bytes();
        // The same text is another module in another language.
        let language = entry.path.extension().unwrap_or_default().as_encoded_bytes();
        let own = [&self.common[..], profile, &timeout, language, entry.text.as_bytes()];
        let key = digest(own.into_iter().chain(attached));
        self.folder.join(digits(&key) + ".json")
    }
}

/// The name under which an answer is kept: a code is of one name.
fn name(file: &Path) -> String {
    file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let byte = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(byte).collect()
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
