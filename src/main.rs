//! laneproof on the command line: one file a subcommand, each of which calls the libraries and
//! says what they answer. Scripts rely on exit status and JSON documents.

mod ambiguities;
mod answer;
mod check;
mod failure;
mod json;
mod lanes;
mod progress;
mod prove;
mod run;
mod sarif;
mod setting;
mod spec;
mod start;
mod table;
mod verdict;
mod verify;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use mimalloc::MiMalloc;

use crate::answer::{Answer, Exit, print};
use crate::failure::Failure;
use crate::setting::{Shared, Terminal};

/// Evaluator and interpreter make many small things that live shortly.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Prove, run and explore SPIR-V's subgroup instructions.
#[derive(Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_STATUS)]
struct Arguments {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str = "\
Exit status: 0 the answer is good, 1 it is bad, 2 the command could not be carried out as asked, \
3 undecided.";

#[derive(Subcommand)]
enum Command {
    Verify(verify::Verify),
    Prove(prove::Prove),
    Run(run::Run),
    Check(check::Check),
    Spec(spec::Spec),
    Ambiguities(ambiguities::Ambiguities),
}

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    let json = given.iter().any(|word| word == "--json");
    let terminal = Terminal::of(&given);
    let arguments = match parse(&given, &terminal) {
        Ok(arguments) => arguments,
        Err(error) if json && error.use_stderr() => {
            return print(&terminal, true, Err(Failure::Usage(error)));
        }
        Err(error) => {
            // The message is all there is to say, whether or not anybody reads it.
            let _ = error.print();
            return if error.use_stderr() { Exit::Unusable } else { Exit::Good }.into();
        }
    };
    laneproof_proofs::quiet();
    print(&terminal, json, worker::deep(|| carry_out(&arguments, &terminal)))
}

fn parse(given: &[OsString], terminal: &Terminal) -> Result<Arguments, clap::Error> {
    let command = Arguments::command().color(terminal.choice);
    Arguments::from_arg_matches(&command.try_get_matches_from(given)?)
}

fn carry_out(arguments: &Arguments, terminal: &Terminal) -> Result<Answer, Failure> {
    let setting = arguments.shared.setting(terminal)?;
    match &arguments.command {
        Command::Verify(verify) => verify.carry_out(&setting),
        Command::Prove(prove) => prove.carry_out(&setting),
        Command::Run(run) => run.carry_out(&setting),
        Command::Check(check) => check.carry_out(&setting),
        Command::Spec(spec) => spec.carry_out(&setting),
        Command::Ambiguities(ambiguities) => ambiguities.carry_out(&setting),
    }
}
