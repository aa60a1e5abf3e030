//! laneproof on the command line: one file for each subcommand, which calls the libraries and
//! prints their answers. Scripts rely on exit status and JSON documents.

mod ambiguities;
mod answer;
mod check;
mod compile;
#[cfg(feature = "glsl")]
mod compiler;
mod document;
mod excerpt;
mod failure;
mod fuzz;
mod manual;
mod output;
mod progress;
mod prove;
mod run;
mod sarif;
mod setting;
mod spec;
mod start;
mod supervisor;
mod terminal;
mod validate;
mod verify;
mod version;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use mimalloc::MiMalloc;

use crate::answer::{Answer, print, rendered, usage};
use crate::failure::Failure;
use crate::setting::Shared;
use crate::supervisor::{Bounds, Channel, MemoryLimit, as_worker, supervise};
use crate::terminal::Terminal;

/// Evaluator and interpreter make many small things that live shortly.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Prove, run and explore SPIR-V's subgroup instructions.
#[derive(Parser)]
#[command(version = version::VERSION.as_str(), max_term_width = 100, after_help = EXIT_STATUS)]
struct Arguments {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str = "\
Exit status: 0 the answer is good, 1 it is bad, 2 the command could not be carried out as asked, \
3 undecided.";

#[cfg(feature = "glsl")]
use compiler::compilers;
/// The compilers of a command.
#[cfg(not(feature = "glsl"))]
fn compilers() -> laneproof_frontends::Compilers<'static> {
    laneproof_frontends::Compilers::default()
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Verify),
    Prove(prove::Prove),
    Run(run::Run),
    Compile(compile::Compile),
    Check(check::Check),
    Spec(spec::Spec),
    Ambiguities(ambiguities::Ambiguities),
    Validate(validate::Validate),
    Fuzz(fuzz::Fuzz),
    Completions(manual::Completions),
    Man(manual::Manual),
    /// Run jobs on a device: what `fuzz` starts for a tool that executes
    #[command(hide = true)]
    Device(fuzz::Device),
}

fn main() -> ExitCode {
    #[cfg(feature = "glsl")]
    if let Some(exit) = compiler::as_compiler() {
        return exit;
    }
    let given: Vec<OsString> = std::env::args_os().collect();
    let json = given.iter().any(|word| word == "--json");
    let handed_on = as_worker();
    let is_worker = handed_on.is_some();
    let terminal = handed_on.map_or_else(|| Terminal::of(&given), |it| it.terminal);
    match parse(&given, &terminal) {
        Err(error) => usage(error, &terminal, json),
        Ok(arguments) if is_worker => work(&arguments, &terminal, json),
        // It talks to its parent on standard output, and its parent ends it.
        Ok(Arguments { command: Command::Device(device), .. }) => {
            print(&rendered(&terminal, json, device.carry_out()))
        }
        Ok(arguments) => supervise(&given, &terminal, &arguments.bounds(), json),
    }
}

fn parse(given: &[OsString], terminal: &Terminal) -> Result<Arguments, clap::Error> {
    let command = Arguments::command().color(terminal.choice);
    Arguments::from_arg_matches(&command.try_get_matches_from(given)?)
}

impl Arguments {
    /// What the command may take.
    fn bounds(&self) -> Bounds {
        let total = match &self.command {
            Command::Verify(verify) => Some((verify.total_timeout(), "--total-timeout")),
            Command::Run(run) => Some((run.timeout(), "--timeout")),
            _ => None,
        };
        let jobs = match &self.command {
            Command::Prove(_) | Command::Ambiguities(_) | Command::Fuzz(_) => self.shared.jobs(),
            _ => 1,
        };
        let pending = match &self.command {
            Command::Verify(verify) => Some(verify.pending()),
            Command::Check(_) => Some(check::pending()),
            _ => None,
        };
        let memory = MemoryLimit::of(self.shared.memory.saturating_mul(jobs));
        let heeds_interrupts = matches!(self.command, Command::Fuzz(_));
        Bounds { total, memory, pending, heeds_interrupts }
    }
}

/// Runs the command, and sends the output to the supervisor.
fn work(arguments: &Arguments, terminal: &Terminal, json: bool) -> ExitCode {
    laneproof_verify::quiet();
    let answer = worker::deep(|| carry_out(arguments, terminal));
    // Messages quote what was read: printing it may fail like everything else.
    let printed = laneproof_verify::guarded(|| rendered(terminal, json, answer));
    let printed =
        printed.unwrap_or_else(|fault| rendered(terminal, json, Err(Failure::Fault(fault))));
    Channel.answer(printed);
    ExitCode::SUCCESS
}

fn carry_out(arguments: &Arguments, terminal: &Terminal) -> Result<Answer, Failure> {
    let setting = arguments.shared.setting(terminal)?;
    match &arguments.command {
        Command::Verify(verify) => verify.carry_out(&setting),
        Command::Prove(prove) => prove.carry_out(&setting),
        Command::Run(run) => run.carry_out(&setting),
        Command::Check(check) => check.carry_out(&setting),
        Command::Compile(compile) => compile.carry_out(),
        Command::Spec(spec) => spec.carry_out(&setting),
        Command::Ambiguities(ambiguities) => ambiguities.carry_out(&setting),
        Command::Validate(validate) => validate.carry_out(&setting),
        Command::Fuzz(fuzz) => fuzz.carry_out(&setting),
        Command::Completions(completions) => Ok(completions.carry_out(Arguments::command())),
        Command::Man(manual) => manual.carry_out(Arguments::command()),
        Command::Device(device) => device.carry_out(),
    }
}
