//! The key that authenticates cached answers: without it no answer can be forged.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use thiserror::Error;

/// Bytes of a key that is made, and at least of one that is given.
const BYTES: usize = 32;
/// Bytes of a key that is given, at most.
const MOST: u64 = 1 << 16;

/// A secret that authenticates answers.
#[derive(Clone)]
pub struct CacheKey(Vec<u8>);

impl std::fmt::Debug for CacheKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CacheKey")
    }
}

/// Why there is no key.
#[derive(Debug, Error)]
pub enum KeyError {
    /// It cannot be read or made.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Others could know it, or have made it.
    #[error(
        "{0}: others may read or write it, or own it: a key is a file of your own that nobody else \
         may open (`chmod 600`)"
    )]
    Open(PathBuf),
    /// Too short to be a secret, or no file at all.
    #[error("{0}: expected a file of {BYTES} to {MOST} random bytes")]
    Size(PathBuf),
}

impl CacheKey {
    /// The key in a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, others may read or write it, or it is too short.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let wrong = |source| KeyError::File { path: path.to_owned(), source };
        // What is no file, as a pipe, is not opened: it may never be written to.
        if !std::fs::metadata(path).map_err(wrong)?.is_file() {
            return Err(KeyError::Size(path.to_owned()));
        }
        let file = File::open(path).map_err(wrong)?;
        let found = file.metadata().map_err(wrong)?;
        let user = rustix::process::geteuid().as_raw();
        if found.uid() != user || found.mode() & 0o077 != 0 {
            return Err(KeyError::Open(path.to_owned()));
        }
        let mut key = Vec::new();
        file.take(MOST + 1).read_to_end(&mut key).map_err(wrong)?;
        match key.len() {
            BYTES.. if key.len() as u64 <= MOST => Ok(Self(key)),
            _ => Err(KeyError::Size(path.to_owned())),
        }
    }

    /// The key in a file, which is created if it does not exist.
    ///
    /// # Errors
    ///
    /// As [`CacheKey::read`]; or it cannot be made.
    pub fn read_or_make(path: &Path) -> Result<Self, KeyError> {
        match Self::make(path) {
            Err(KeyError::File { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {
                Self::read(path)
            }
            made => made,
        }
    }

    /// Written beside its place and put there whole: another process may do the same now.
    fn make(path: &Path) -> Result<Self, KeyError> {
        let wrong = |source| KeyError::File { path: path.to_owned(), source };
        if path.symlink_metadata().is_ok() {
            return Err(wrong(io::ErrorKind::AlreadyExists.into()));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(wrong)?;
        let mut key = vec![0; BYTES];
        getrandom::fill(&mut key).map_err(|error| wrong(io::Error::other(error)))?;
        let draft = path.with_extension(format!("{}", std::process::id()));
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&draft);
        let written = file.and_then(|mut file| file.write_all(&key));
        let linked = written.and_then(|()| std::fs::hard_link(&draft, path));
        let _ = std::fs::remove_file(&draft);
        linked.map_err(wrong).map(|()| Self(key))
    }

    /// The authentication code of these parts, each with its length.
    fn code(&self, parts: [&[u8]; 2]) -> Option<Hmac<Sha256>> {
        let mut code = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        for part in parts {
            code.update(&(part.len() as u64).to_le_bytes());
            code.update(part);
        }
        Some(code)
    }

    /// The code of an answer that is kept under a name.
    pub(crate) fn sign(&self, name: &str, answer: &[u8]) -> Vec<u8> {
        let code = self.code([name.as_bytes(), answer]);
        code.map_or_else(Vec::new, |code| code.finalize().into_bytes().to_vec())
    }

    /// Whether this is the code of that answer.
    pub(crate) fn confirms(&self, name: &str, answer: &[u8], code: &[u8]) -> bool {
        let expected = self.code([name.as_bytes(), answer]);
        expected.is_some_and(|expected| expected.verify_slice(code).is_ok())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_nobody_else_may_know_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below").join("key");
        let key = CacheKey::read_or_make(&path).unwrap();
        assert_eq!(key.0, CacheKey::read_or_make(&path).unwrap().0);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for mode in [0o604, 0o640, 0o602] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert!(matches!(CacheKey::read_or_make(&path), Err(KeyError::Open(_))), "{mode:o}");
        }
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, "short").unwrap();
        assert!(matches!(CacheKey::read(&path), Err(KeyError::Size(_))));
        assert!(matches!(CacheKey::read(folder.path()), Err(KeyError::Size(_))));
    }

    #[test]
    fn a_code_is_of_one_key_one_name_and_one_answer() {
        let key = CacheKey(vec![1; BYTES]);
        let code = key.sign("name", b"answer");
        assert!(key.confirms("name", b"answer", &code));
        assert!(!key.confirms("nam", b"eanswer", &code));
        assert!(!key.confirms("name", b"Answer", &code));
        assert!(!key.confirms("name", b"answer", &[]));
        assert!(!CacheKey(vec![2; BYTES]).confirms("name", b"answer", &code));
    }
}
