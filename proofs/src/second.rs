//! A second opinion: questions that were answered "no such state" are put to another solver.
//!
//! What is proved rests on these answers. The other solver gets each question as a file of
//! SMT-LIB 2, as any tool that reads it would.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde::Serialize;
use thiserror::Error;
use wait_timeout::ChildExt as _;

/// Another solver: a program that is given the name of a file, and says `sat`, `unsat` or
/// `unknown`.
#[derive(Clone, Debug)]
pub struct SecondSolver {
    program: String,
    arguments: Vec<String>,
    /// For each question.
    limit: Duration,
}

/// Why a second solver cannot be asked.
#[derive(Debug, Error)]
pub enum SecondError {
    /// No words, or a quotation that does not end.
    #[error("`{0}` is no command: expected a program and its arguments")]
    Command(String),
    /// It does not answer as a solver would.
    #[error(
        "`{program}` is not a solver that reads SMT-LIB 2 from a file: of an empty problem it must \
         print `sat`, and it printed {}",
        if said.is_empty() { "nothing".to_owned() } else { format!("`{said}`") }
    )]
    NoSolver {
        /// The program.
        program: String,
        /// What it said.
        said: String,
    },
    /// It does not start.
    #[error("`{program}` does not start: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// A question cannot be written or read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        source: io::Error,
    },
}

/// What the second solver said of an entry's questions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Opinion {
    /// Questions that it answers alike.
    pub confirmed: usize,
    /// Questions that it leaves open, or that it cannot read.
    pub open: usize,
    /// Questions that it answers otherwise: the files, which are left where they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicted: Vec<PathBuf>,
}

impl SecondSolver {
    /// The command as a shell would split it; `limit` is for each question.
    ///
    /// # Errors
    ///
    /// It is no command, or does not answer an empty problem.
    pub fn new(command: &str, limit: Duration) -> Result<Self, SecondError> {
        let mut words = shlex::split(command).unwrap_or_default().into_iter();
        let program = words.next().ok_or_else(|| SecondError::Command(command.to_owned()))?;
        let solver = Self { program, arguments: words.collect(), limit };
        let file = |source| SecondError::File { path: "an empty problem".into(), source };
        let problem = tempfile::Builder::new()
            .prefix("laneproof-")
            .suffix(".smt2")
            .tempfile()
            .map_err(file)?;
        fs::write(problem.path(), "(set-logic QF_BV)\n(check-sat)\n").map_err(file)?;
        match solver.ask(problem.path())? {
            said if said == "sat" => Ok(solver),
            said => Err(SecondError::NoSolver { program: solver.program, said }),
        }
    }

    /// Asks it all questions in `folder` to which the answer was "no such state".
    pub(crate) fn opinion(&self, folder: &Path) -> Result<Opinion, SecondError> {
        let file = |path: &Path| {
            let path = path.display().to_string();
            move |source| SecondError::File { path, source }
        };
        let mut questions = Vec::new();
        for found in fs::read_dir(folder).map_err(file(folder))? {
            questions.push(found.map_err(file(folder))?.path());
        }
        questions.sort();
        let mut opinion = Opinion::default();
        for question in questions {
            let text = fs::read_to_string(&question).map_err(file(&question))?;
            if !text.contains("(set-info :status unsat)") {
                continue;
            }
            match self.ask(&question)?.as_str() {
                "unsat" => opinion.confirmed += 1,
                "sat" => opinion.contradicted.push(question),
                _ => opinion.open += 1,
            }
        }
        Ok(opinion)
    }

    /// The first word that it says of a question; nothing where it takes too long.
    fn ask(&self, question: &Path) -> Result<String, SecondError> {
        let start = |source| SecondError::Start { program: self.program.clone(), source };
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(question);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // The command may be a script around the solver: both are ended together.
        let (mut child, group) = Group::start(&mut command).map_err(start)?;
        let ended = child.wait_timeout(self.limit).map_err(start)?;
        drop(group);
        if ended.is_none() {
            child.wait().map_err(start)?;
            return Ok(String::new());
        }
        let mut said = String::new();
        if let Some(mut output) = child.stdout.take() {
            // What is no text is no answer.
            let _ = output.read_to_string(&mut said);
        }
        Ok(said.split_whitespace().next().unwrap_or_default().to_owned())
    }
}

/// Process groups of solvers that are at work; `None` once this process is about to end.
static AT_WORK: Mutex<Option<Vec<Pid>>> = Mutex::new(Some(Vec::new()));

fn at_work() -> MutexGuard<'static, Option<Vec<Pid>>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A solver's process group, which ends with this value.
struct Group(Option<Pid>);

impl Group {
    /// Starts a solver, unless this process is about to end: what started then would outlive it.
    fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        let mut at_work = at_work();
        let Some(groups) = at_work.as_mut() else {
            return Err(io::ErrorKind::Interrupted.into());
        };
        let leader = command.process_group(0).spawn()?;
        let group = i32::try_from(leader.id()).ok().and_then(Pid::from_raw);
        groups.extend(group);
        Ok((leader, Self(group)))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(groups) = at_work().as_mut() {
            groups.retain(|it| Some(*it) != self.0);
        }
        if let Some(group) = self.0 {
            // A process that has ended already cannot be killed.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Ends all second solvers with all that they started, for a process that is about to end: no
/// further one is started.
pub fn end_second_solvers() {
    for group in at_work().take().into_iter().flatten() {
        let _ = kill_process_group(group, Signal::KILL);
    }
}
