//! The abstractions compared with one term per lane, as bits: the same obligations, size by size.
//! Then the queries behind those proofs, as SMT-LIB 2, for Z3 and the solvers in
//! `LANEPROOF_SOLVERS` (commands, separated by `;`).
#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use laneproof_module::load_bytes;
use laneproof_proofs::{Catalogue, Entry};
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, AllowedAbstractions, Options, Verdict, verify};
use laneproof_verify::{Claim, States};
use mimalloc::MiMalloc;
use wait_timeout::ChildExt as _;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// One of each kind: movement, counts, sums, scans, partitions, floating point, loops.
const ENTRIES: [&str; 10] = [
    "rotate/as-shuffle",
    "shuffle-xor/as-shuffle",
    "shuffle-up-down/down-as-two-shuffles",
    "ballot/count-exclusive",
    "vote/all-as-ballot",
    "arithmetic/exclusive-then-add",
    "arithmetic/reduce-as-last",
    "partition/masked-iadd",
    "arithmetic/and-by-de-morgan",
    "waterfall/partition",
];
const SIZES: [u32; 6] = [4, 8, 16, 32, 64, 128];
const LIMIT: Duration = Duration::from_secs(10);

struct Run {
    verdict: Verdict,
    took: Duration,
}

impl Run {
    fn shown(&self) -> String {
        match self.verdict {
            Verdict::Proved => milliseconds(self.took),
            _ => format!("> {}", milliseconds(LIMIT.min(self.took))),
        }
    }
}

fn milliseconds(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64() * 1e3)
}

fn run(entry: &Entry, sizes: &[u32], per_lane: bool, questions: Option<PathBuf>) -> Run {
    let specification = entry.specification(Specification::built_in()).unwrap();
    let program = load_bytes(entry.text.as_bytes(), &entry.name).unwrap();
    let claim = Claim::of(&program, &entry.name).unwrap();
    let asked = entry.header.options();
    let options = Options {
        states: States { sizes: sizes.to_vec(), ..States::default() },
        timeout: LIMIT,
        smt2: questions,
        abstractions: if per_lane {
            AllowedAbstractions::from([Abstraction::Bits]).per_lane(true)
        } else {
            asked.abstractions.clone()
        },
        ..asked
    };
    let started = Instant::now();
    let report = verify(&specification, claim.source, claim.target, &options).unwrap();
    Run { verdict: report.verdict, took: started.elapsed() }
}

fn main() {
    let catalogue = Catalogue::built_in().unwrap();
    let entries = ENTRIES.map(|name| catalogue.entry(name).unwrap());
    println!("milliseconds; `>` where the answer is unknown\n");
    println!("{:38} {:>10} {:>10} {:>10}", "", "lanes", "abstractions", "per lane");
    for entry in entries {
        for size in SIZES.into_iter().filter(|size| entry.header.states.sizes.contains(size)) {
            let [abstracted, plain] = [false, true].map(|plain| run(entry, &[size], plain, None));
            println!(
                "{:38} {size:>10} {:>10} {:>10}",
                entry.name,
                abstracted.shown(),
                plain.shown()
            );
        }
        let every = run(entry, &entry.header.states.sizes, false, None);
        println!("{:38} {:>10} {:>10}", entry.name, "every", every.shown());
    }
    solvers(&entries);
}

/// The queries behind proofs of every size and behind those of 16 lanes, one term each, by solver.
fn solvers(entries: &[&Entry]) {
    let folder = tempfile::tempdir().unwrap();
    let commands = std::env::var("LANEPROOF_SOLVERS").unwrap_or_default();
    let commands: Vec<Vec<String>> =
        commands.split(';').filter_map(shlex::split).filter(|words| !words.is_empty()).collect();
    println!("\n{:38} {:>10} {:>10} seconds by solver", "", "questions", "Z3");
    for (name, per_lane) in
        [("every size, by abstractions", false), ("16 lanes, one term each", true)]
    {
        let mut files = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            let place = folder.path().join(format!("{number}-{per_lane}"));
            fs::create_dir(&place).unwrap();
            let sizes = if per_lane { vec![16] } else { entry.header.states.sizes.clone() };
            run(entry, &sizes, per_lane, Some(place.clone()));
            let found = fs::read_dir(&place).unwrap().map(|it| it.unwrap().path());
            files.extend(
                found.filter(|it| {
                    fs::read_to_string(it).unwrap().contains("(set-info :status unsat)")
                }),
            );
        }
        files.sort();
        let mut cells = vec![by_z3(&files)];
        cells.extend(commands.iter().map(|command| by_command(command, &files)));
        println!("{name:38} {:>10} {}", files.len(), cells.join("   "));
    }
    for command in &commands {
        println!("{:38} {}", "starting only:", start_only(command));
    }
}

fn by_z3(files: &[PathBuf]) -> String {
    let started = Instant::now();
    let mut answered = 0;
    for file in files {
        let solver = z3::Solver::new();
        let mut parameters = z3::Params::new();
        parameters.set_u32("timeout", LIMIT.as_millis() as u32);
        solver.set_params(&parameters);
        solver.from_string(fs::read_to_string(file).unwrap());
        answered += u32::from(solver.check() == z3::SatResult::Unsat);
    }
    format!("{answered} in {:.2}", started.elapsed().as_secs_f64())
}

fn by_command(command: &[String], files: &[PathBuf]) -> String {
    let started = Instant::now();
    let answered = files.iter().filter(|file| ask(command, file) == "unsat").count();
    format!("{answered} in {:.2}", started.elapsed().as_secs_f64())
}

fn ask(command: &[String], file: &PathBuf) -> String {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    if child.wait_timeout(LIMIT).unwrap().is_none() {
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).split_whitespace().next().unwrap_or("").to_owned()
}

/// What a process costs before it has read anything.
fn start_only(command: &[String]) -> String {
    let empty = tempfile::Builder::new().suffix(".smt2").tempfile().unwrap();
    fs::write(empty.path(), "(set-logic QF_BV)\n(check-sat)\n").unwrap();
    let started = Instant::now();
    let said = ask(command, &empty.path().to_path_buf());
    format!("{:.2} s ({}, said `{said}`)", started.elapsed().as_secs_f64(), command.join(" "))
}
