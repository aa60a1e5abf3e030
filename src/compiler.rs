//! glslang in a process of its own, which ends when it takes too long or too much memory: a few
//! lines of macros can ask for more than there is of both.

use std::io::{Read as _, Write as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use laneproof_frontends::{Compilers, Glslang, InProcess, Refusal};
use rustix::process::{Resource, Rlimit, Signal, getppid, setrlimit};
use wait_timeout::ChildExt as _;

/// The variable that makes a process a compiler: the number of the process that asks it.
const COMPILER: &str = "LANEPROOF_COMPILER";
/// How long a file may take to compile. What people write takes a part of a second.
const LONGEST: Duration = Duration::from_secs(20);
/// Address space of the compiler, in MiB, the program itself included.
const MEMORY: u64 = 2048;

/// The compilers of a command.
pub fn compilers() -> Compilers<'static> {
    Compilers::glslang(&Apart)
}

/// Asks a process of its own.
struct Apart;

impl Glslang for Apart {
    fn words(&self, text: &str) -> Result<Vec<u32>, Refusal> {
        let failed = |error: std::io::Error| Refusal::Other(format!("it does not run: {error}"));
        let mut child = Command::new(std::env::current_exe().map_err(failed)?)
            .env(COMPILER, std::process::id().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        std::thread::scope(|scope| {
            // It reads all before it writes; a compiler that ends early closes the pipe.
            scope.spawn(|| input.and_then(|mut input| input.write_all(text.as_bytes()).ok()));
            let answer = scope.spawn(|| {
                let mut answer = Vec::new();
                output.and_then(|mut output| output.read_to_end(&mut answer).ok());
                answer
            });
            let status = child.wait_timeout(LONGEST).map_err(failed)?;
            if status.is_none() {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                let limit = LONGEST.as_secs();
                return Err(Refusal::Bound(format!("did not finish within {limit} s")));
            }
            let answer = answer.join().unwrap_or_default();
            serde_json::from_slice::<Result<Vec<u32>, Refusal>>(&answer).unwrap_or_else(|_| {
                Err(Refusal::Bound(format!("did not finish within {MEMORY} MiB of memory")))
            })
        })
    }
}

/// Answers as a compiler, if this process is one.
pub fn as_compiler() -> Option<ExitCode> {
    let asks = std::env::var(COMPILER).ok()?.parse().ok();
    if asks != getppid().map(|parent| parent.as_raw_nonzero().get()) {
        return None;
    }
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    let limit = |resource, most: u64| {
        let within = rustix::process::getrlimit(resource).maximum.map_or(most, |it| it.min(most));
        let _ = setrlimit(resource, Rlimit { current: Some(within), maximum: Some(within) });
    };
    limit(Resource::As, MEMORY << 20);
    // Also if the parent ends silently.
    limit(Resource::Cpu, LONGEST.as_secs() + 1);
    // It aborts if memory is exhausted: no core dump is wanted.
    limit(Resource::Core, 0);
    let mut text = String::new();
    let answer = match std::io::stdin().lock().read_to_string(&mut text) {
        Ok(_) => deep(&text),
        Err(error) => Err(Refusal::Other(error.to_string())),
    };
    let written = serde_json::to_writer(std::io::stdout().lock(), &answer);
    Some(if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Expressions nest: on a deep stack.
fn deep(text: &str) -> Result<Vec<u32>, Refusal> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(laneproof_verify::STACK)
            .spawn_scoped(scope, || InProcess.words(text));
        let other = |reason: &str| Err(Refusal::Other(reason.to_owned()));
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => other("glslang's thread ended"),
            Err(_) => other("glslang's thread does not start"),
        }
    })
}
