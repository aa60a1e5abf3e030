//! `cargo lowerings`: what share of generated lowerings is decided, by family and style.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Parser;
use laneproof_lowerings::{GeneratorReport, Selected, instances, measure};
use laneproof_verify::STACK;

/// What share of generated lowerings the prover decides
#[derive(Parser)]
struct Arguments {
    /// Decides which cells of family and style are set aside, and their operators and types
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Measures the cells set aside instead of those to work with
    #[arg(long)]
    aside: bool,
    /// Measures all cells
    #[arg(long, conflicts_with = "aside")]
    all: bool,
    /// Only instances whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// One instance in this many
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Leaves the wrong ones out
    #[arg(long)]
    right: bool,
    /// Subgroup sizes
    #[arg(long, value_delimiter = ',', default_value = "4,32,128")]
    sizes: Vec<u32>,
    /// Seconds for each obligation
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// Writes the modules there
    #[arg(long)]
    write: Option<PathBuf>,
    /// Tells each verdict as it comes
    #[arg(long)]
    verbose: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let work = thread::Builder::new().stack_size(STACK).spawn(move || run(&arguments));
    match work.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(false))) => ExitCode::FAILURE,
        Ok(Ok(Err(error))) => failed(&error.to_string()),
        Ok(Err(_)) => failed("the measurement panicked"),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(error: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(2)
}

/// Whether no instance is decided wrongly.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let selected = match (arguments.aside, arguments.all) {
        (true, _) => Selected::Aside,
        (false, true) => Selected::All,
        (false, false) => Selected::Open,
    };
    let mut report = GeneratorReport::default();
    let all = instances(arguments.seed, selected, &arguments.sizes);
    let picked = all.iter().filter(|it| it.name().contains(&arguments.only));
    let picked = picked.filter(|it| !arguments.right || it.variant == 0);
    for instance in picked.step_by(arguments.every.max(1)) {
        if let Some(folder) = &arguments.write {
            std::fs::create_dir_all(folder)?;
            let file = folder.join(instance.name().replace('/', "_") + ".comp");
            std::fs::write(file, &instance.text)?;
        }
        let name = instance.name();
        match measure(instance, Duration::from_secs_f64(arguments.timeout)) {
            Ok(measured) => {
                if arguments.verbose {
                    let (verdict, took) = (measured.verdict, measured.took.as_secs_f64());
                    writeln!(io::stderr(), "{took:8.3} {verdict:?} {name}")?;
                }
                report.add(instance, &measured);
            }
            Err(error) => report.misfits.push(format!("{name}: {error}")),
        }
    }
    write!(io::stdout(), "{report}")?;
    Ok(report.wrong.is_empty())
}
