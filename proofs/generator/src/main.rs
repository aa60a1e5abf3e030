//! `cargo lowerings`: what share of generated lowerings is decided, by kind, family and style.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Parser;
use laneproof_lowerings::{
    Form, GeneratorReport, LoweringInstance, Measurement, Row, Selected, instances, measure,
};
use laneproof_proofs::Shard;
use laneproof_verify::STACK;

/// What share of generated lowerings the prover decides
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Seconds for each obligation
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// An optimizer; without it, the instances that want one are left out
    #[arg(long, value_name = "PATH")]
    spirv_opt: Option<PathBuf>,
    /// Only runs the instances in the interpreter: are they right and wrong as they claim?
    #[arg(long)]
    only_run: bool,
    /// Writes the modules there
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// Writes there what was measured, one line of JSON an instance, as it comes
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Measures nothing, and reports on what several processes have written by `--json`
    #[arg(long, value_name = "FILES", num_args = 1..)]
    report: Vec<PathBuf>,
    /// Tells the names of the instances, and measures nothing
    #[arg(long)]
    list: bool,
    /// Tells each verdict as it comes
    #[arg(long)]
    verbose: bool,
}

/// Which instances
#[derive(clap::Args)]
struct Choice {
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
    /// One instance in this many, picked by its name
    #[arg(long, default_value_t = 1)]
    every: u64,
    /// Part I of N of them
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Leaves the wrong ones out
    #[arg(long)]
    right: bool,
    /// Subgroup sizes
    #[arg(long, value_delimiter = ',', default_value = "4,32,128")]
    sizes: Vec<u32>,
}

impl Choice {
    fn instances(&self, has_optimizer: bool) -> Vec<LoweringInstance> {
        let selected = match (self.aside, self.all) {
            (true, _) => Selected::Aside,
            (false, true) => Selected::All,
            (false, false) => Selected::Open,
        };
        let mut all = instances(self.seed, selected, &self.sizes);
        all.retain(|it| it.name().contains(&self.only));
        all.retain(|it| !self.right || it.variant == 0);
        all.retain(|it| has_optimizer || it.style.form != Form::Optimized);
        let every = self.every.max(1);
        all.retain(|it| it.number() % every == 0 && self.shard.holds(it.number() / every));
        all
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let work = thread::Builder::new().stack_size(STACK);
    let work = work.spawn(move || run(&arguments).map_err(|error| error.to_string()));
    match work.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(false))) => ExitCode::FAILURE,
        Ok(Ok(Err(error))) => failed(&error),
        Ok(Err(_)) => failed("the measurement panicked"),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(error: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(2)
}

/// Whether no instance is decided wrongly.
fn run(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let mut report = GeneratorReport::default();
    for file in &arguments.report {
        for line in BufReader::new(File::open(file)?).lines() {
            report.add(serde_json::from_str(&line?)?);
        }
    }
    if arguments.report.is_empty() {
        measure_all(arguments, &mut report)?;
    }
    if !arguments.list {
        write!(io::stdout(), "{report}")?;
    }
    Ok(report.is_sound())
}

fn measure_all(arguments: &Arguments, report: &mut GeneratorReport) -> Result<(), Box<dyn Error>> {
    let mut rows = arguments.json.as_ref().map(File::create).transpose()?;
    let measurement = Measurement {
        timeout: Duration::from_secs_f64(arguments.timeout),
        spirv_opt: arguments.spirv_opt.clone(),
        only_run: arguments.only_run,
    };
    for instance in arguments.choice.instances(arguments.spirv_opt.is_some()) {
        if arguments.list {
            writeln!(io::stdout(), "{}", instance.name())?;
            continue;
        }
        if let Some(folder) = &arguments.write {
            write_texts(&instance, folder)?;
        }
        let row = Row::new(&instance, &measure(&instance, &measurement));
        if arguments.verbose {
            writeln!(io::stderr(), "{:8.3} {} {}", row.seconds, row.outcome, row.name)?;
        }
        if let Some(rows) = &mut rows {
            writeln!(rows, "{}", serde_json::to_string(&row)?)?;
        }
        report.add(row);
    }
    Ok(())
}

fn write_texts(instance: &LoweringInstance, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in instance.files() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
