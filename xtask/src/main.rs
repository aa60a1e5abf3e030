//! `cargo xtask prove` and `cargo xtask test`: the two commands of a fresh machine. `cargo xtask
//! toolchains` fetches other people's tools for `laneproof fuzz`.
//!
//! The first two settle which Z3 is linked (see [`z3`]) and then leave the work to cargo.

mod error;
mod names;
mod side_by_side;
mod toolchains;
mod z3;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use error::Error;

const USAGE: &str = "\
usage: cargo xtask COMMAND [ARGUMENT…]

  prove [ARGUMENT…]   fetch Z3, build, and run `laneproof prove`
  test [ARGUMENT…]    fetch Z3, build, and run every test of the workspace
  tests               the same, two test binaries at a time
  toolchains          fetch other people's tools into a private folder, for `laneproof fuzz`
  toolchains intel    fetch Intel's OpenCL runtime, too, which has a licence of its own
  z3                  fetch Z3 only; plain `cargo build --release` then works

LANEPROOF_Z3=system|DIRECTORY chooses another Z3 than the pinned one.
";

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    let done = match command.to_str() {
        Some("prove") => cargo(&["run", "--release", "--locked", "--", "prove"], &rest),
        Some("test") => cargo(&["test", "--release", "--locked", "--workspace"], &rest),
        Some("tests") if rest.is_empty() => side_by_side(),
        Some("z3") if rest.is_empty() => settle_z3().map(|_| ExitCode::SUCCESS),
        Some("toolchains") if rest.is_empty() => toolchains::fetch().map(|()| ExitCode::SUCCESS),
        Some("toolchains") if rest == ["intel"] => {
            toolchains::fetch_intel().map(|()| ExitCode::SUCCESS)
        }
        Some("help" | "--help" | "-h") => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprint!("{USAGE}");
            Ok(ExitCode::from(2))
        }
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

/// The repository's root: this package is one folder below it.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// Chooses the Z3, says which in one line on standard error, and records it for the build scripts.
fn settle_z3() -> Result<z3::Library, Error> {
    let library = z3::find(&z3::Choice::from_environment()?)?;
    z3::record(root(), &library)?;
    eprintln!("Z3: {library}");
    Ok(library)
}

/// Runs cargo in the root and hands its exit status on, because `prove`'s status is its answer.
fn cargo(command: &[&str], arguments: &[OsString]) -> Result<ExitCode, Error> {
    let mut cargo = cargo_with(&environment()?);
    let program = cargo.get_program().to_owned();
    let status = cargo.args(command).args(arguments).status();
    let status = status.map_err(|source| Error::start(&program, source))?;
    // No status means that a signal ended it.
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

/// Runs every test, two test binaries at a time.
fn side_by_side() -> Result<ExitCode, Error> {
    let environment = environment()?;
    side_by_side::test(root(), || cargo_with(&environment), &environment)
}

/// What cargo and test binaries find the chosen Z3 by.
fn environment() -> Result<Vec<(&'static str, OsString)>, Error> {
    let library = settle_z3()?;
    let Some(directory) = library.directory() else { return Ok(Vec::new()) };
    // Test binaries of packages that do not record a run path find the library this way.
    let variable = names::SEARCH_VARIABLE;
    let inherited = env::var_os(variable).unwrap_or_default();
    let paths = std::iter::once(directory.to_owned()).chain(env::split_paths(&inherited));
    let paths = env::join_paths(paths).map_err(|_| Error::Path(directory.into()))?;
    Ok(vec![(variable, paths)])
}

/// Cargo in the root, by the same program as before.
fn cargo_with(environment: &[(&str, OsString)]) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(program);
    cargo.current_dir(root()).envs(environment.iter().cloned());
    cargo
}
