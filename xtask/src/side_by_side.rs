//! Every test of the workspace, two test binaries side by side. Cargo runs one after the other, and where
//! each has a long test at its end, a core is idle until that has ended.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use crate::error::Error;

/// How many run at a time. Each has an equal part of the cores.
const AT_ONCE: usize = 2;

/// What takes longest begins first: the folder of a package, and the name of a test binary.
const LONGEST: [(&str, &str); 8] = [
    ("smt/verify", "all"),
    ("", "wrong"),
    ("ambiguity", "all"),
    ("smt/diagrams", "judged"),
    ("", "cli"),
    ("", "all"),
    ("environment", "all"),
    ("", "mutation"),
];

/// A test binary.
#[derive(Debug, PartialEq, Eq)]
struct Binary {
    /// The folder of its package, in which it runs.
    folder: PathBuf,
    executable: PathBuf,
}

impl Binary {
    /// What cargo says of a built artifact in a line, if that is a test binary.
    fn of(line: &str) -> Option<Self> {
        let manifest = text_after(line, "\"manifest_path\":\"")?;
        let executable = text_after(line, "\"executable\":\"")?;
        // Programs are built as well: those that tests start.
        let (_, profile) = line.split_once("\"profile\":{")?;
        let (profile, _) = profile.split_once('}')?;
        profile.contains("\"test\":true").then_some(())?;
        let folder = Path::new(&manifest).parent()?.to_owned();
        Some(Self { folder, executable: executable.into() })
    }

    /// Its name, without what cargo appends.
    fn name(&self) -> String {
        let stem = self.executable.file_stem().unwrap_or_default().to_string_lossy();
        stem.rsplit_once('-').map_or(stem.to_string(), |(name, _)| name.to_owned())
    }

    /// Its place among those that take longest; the others come after them.
    fn place(&self, root: &Path) -> usize {
        let folder = self.folder.strip_prefix(root).unwrap_or(&self.folder);
        let is = |(of, name): &(&str, &str)| folder == Path::new(of) && self.name() == *name;
        LONGEST.iter().position(is).unwrap_or(LONGEST.len())
    }

    /// Runs it: whether all its tests pass, and what it prints on either stream.
    fn run(&self, threads: usize, environment: &[(&str, OsString)]) -> io::Result<(bool, Vec<u8>)> {
        let (mut reader, writer) = io::pipe()?;
        let mut command = Command::new(&self.executable);
        command.arg(format!("--test-threads={threads}")).current_dir(&self.folder);
        command.env("CARGO_MANIFEST_DIR", &self.folder).envs(environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn()?;
        // It holds the other end of the pipe.
        drop(command);
        let mut printed = Vec::new();
        reader.read_to_end(&mut printed)?;
        Ok((child.wait()?.success(), printed))
    }
}

/// The text that begins after `start`, as JSON writes it.
fn text_after(line: &str, start: &str) -> Option<String> {
    let (_, rest) = line.split_once(start)?;
    let mut text = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            // Only what a path may have: a backslash or a quotation mark.
            '\\' => text.push(characters.next()?),
            other => text.push(other),
        }
    }
}

/// Builds all tests and runs them; a test that fails stops no other one.
///
/// `cargo` is a command that runs cargo with the right libraries, and `environment` what test binaries need.
pub fn test(
    root: &Path,
    cargo: impl Fn() -> Command,
    environment: &[(&str, OsString)],
) -> Result<ExitCode, Error> {
    let program = cargo().get_program().to_owned();
    let built = cargo()
        .args(["test", "--release", "--locked", "--workspace", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|source| Error::start(&program, source))?;
    if !built.status.success() {
        return Ok(ExitCode::FAILURE);
    }
    let built = String::from_utf8_lossy(&built.stdout);
    let mut binaries: Vec<Binary> = built.lines().filter_map(Binary::of).collect();
    binaries.sort_by_key(|it| it.place(root));
    let failed = run_all(root, binaries, environment)?;
    let examples = cargo()
        .args(["test", "--release", "--locked", "--workspace", "--doc", "--no-fail-fast"])
        .status()
        .map_err(|source| Error::start(&program, source))?;
    for binary in &failed {
        println!("failed: {binary}");
    }
    Ok(if failed.is_empty() && examples.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the binaries in their order and prints what each has to say when it ends. Those that fail, by name.
fn run_all(
    root: &Path,
    binaries: Vec<Binary>,
    environment: &[(&str, OsString)],
) -> Result<Vec<String>, Error> {
    let threads = available_parallelism().map_or(1, |cores| cores.get().div_ceil(AT_ONCE));
    let waiting = Mutex::new(VecDeque::from(binaries));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let failed = Mutex::new(Vec::new());
    let work = || -> Result<(), Error> {
        while let Some(binary) = next() {
            let started = Instant::now();
            let (passed, printed) = binary
                .run(threads, environment)
                .map_err(|source| Error::start(binary.executable.as_os_str(), source))?;
            let folder = binary.folder.strip_prefix(root).unwrap_or(&binary.folder).display();
            let title = format!("{} of ./{folder}", binary.name());
            report(&title, started.elapsed(), &printed);
            if !passed {
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(title);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    Ok(failed.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Prints what a binary printed, as a whole.
fn report(title: &str, took: Duration, printed: &[u8]) {
    let mut out = io::stdout().lock();
    // Where nobody reads any more, the exit status still says whether tests failed.
    _ = writeln!(out, "\n     Running {title}, {:.0} s", took.as_secs_f64());
    _ = out.write_all(printed);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::{Path, PathBuf};

    use super::Binary;

    const LINE: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///w/smt/verify#laneproof-verify@0.1.0","manifest_path":"/w/smt/verify/Cargo.toml","target":{"kind":["test"],"crate_types":["bin"],"name":"all","src_path":"/w/smt/verify/tests/all/main.rs","edition":"2024","doc":false,"doctest":false,"test":true},"profile":{"opt_level":"3","debuginfo":0,"debug_assertions":false,"overflow_checks":true,"test":true},"features":[],"filenames":["/w/a \"b\\c\"/all-0123"],"executable":"/w/a \"b\\c\"/all-0123","fresh":true}"#;

    #[test]
    fn a_test_binary_is_found_in_what_cargo_says() {
        let binary = Binary::of(LINE).unwrap();
        assert_eq!(binary.folder, Path::new("/w/smt/verify"));
        assert_eq!(binary.executable, PathBuf::from(r#"/w/a "b\c"/all-0123"#));
        assert_eq!((binary.name().as_str(), binary.place(Path::new("/w"))), ("all", 0));
    }

    #[test]
    fn other_artifacts_are_none() {
        let of_program = r#""overflow_checks":true,"test":false"#;
        let program = LINE.replace(r#""overflow_checks":true,"test":true"#, of_program);
        assert!(program.contains(of_program));
        assert_eq!(Binary::of(&program), None);
        let library =
            LINE.replace(r#""executable":"/w/a \"b\\c\"/all-0123""#, r#""executable":null"#);
        assert!(library.contains("null"));
        assert_eq!(Binary::of(&library), None);
        assert_eq!(Binary::of(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
