//! Files and folders that a command writes beside its answer.

use std::fs::{File, create_dir_all, metadata};
use std::io::{Error, ErrorKind, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::failure::Failure;

/// Writes a file. Standard output, by whatever name, is where the answer goes.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") || is_standard_output(path) {
        return Err(Failure::StandardOutput { name: path.display().to_string() });
    }
    let written = File::create(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|source| unwritable(path, source))
}

/// Whether a file can be written, before there is anything to write: what it holds stays.
pub fn writable(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") || is_standard_output(path) {
        return Err(Failure::StandardOutput { name: path.display().to_string() });
    }
    let new = path.symlink_metadata().is_err();
    let opened = File::options().append(true).create(true).open(path);
    opened.map_err(|source| unwritable(path, source))?;
    if new {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Creates a folder if necessary.
pub fn folder(path: &Path) -> Result<(), Failure> {
    create_dir_all(path).map_err(|source| unwritable(path, source))
}

/// A file or a folder that cannot be written, and why.
pub fn unwritable(path: &Path, source: Error) -> Failure {
    let source = match source.kind() {
        ErrorKind::AlreadyExists => Error::other("it is a file, not a folder"),
        _ => source,
    };
    Failure::Unwritable { name: path.display().to_string(), source }
}

/// The file is what this process calls its standard output.
fn is_standard_output(path: &Path) -> bool {
    let identity = |path| metadata(path).map(|file| (file.dev(), file.ino()));
    identity(path).is_ok_and(|file| identity(Path::new("/dev/stdout")).is_ok_and(|it| it == file))
}
