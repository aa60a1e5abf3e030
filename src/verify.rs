//! `laneproof verify`: does a target refine its source?

use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use laneproof_module::{MAX_BYTES, Program};
use laneproof_proofs::{Claim, functions, invariants, only};
use laneproof_smt::{Options, Report, Side, Verdict, verify};

use crate::answer::{Answer, Exit};
use crate::document;
use crate::explain;
use crate::failure::Failure;
use crate::load;
use crate::sarif::{Finding, Sarif, line_of_claim};
use crate::setting::{Setting, reading, seconds, size, subgroups};
use crate::supervisor::Pending;
use crate::{json, verdict};

/// Prove that a target refines its source, or show the lanes in which it does not
#[derive(Args)]
pub struct Verify {
    /// A module with functions `src` and `tgt`, or with a Boolean function `property`; or the source
    #[arg(value_name = "FILE|SOURCE")]
    source: PathBuf,
    /// The module of the target, where it is another one
    target: Option<PathBuf>,
    /// The function to compare in two modules [default: their only entry points]
    #[arg(long, value_name = "NAME", requires = "target")]
    function: Option<String>,
    /// Subgroup sizes, powers of two [default: all up to 128]
    #[arg(long, value_name = "S,…", value_delimiter = ',', value_parser = size)]
    sizes: Vec<u32>,
    /// Look at whole workgroups of so many subgroups [default: at one subgroup; where an instruction
    /// speaks of a workgroup, at workgroups of 1, 2 and 3 subgroups, of sizes 1, 2 and 4 unless
    /// --sizes says otherwise]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = subgroups)]
    subgroups: Vec<u32>,
    /// The lanes that enter: any nonempty set of those that exist, or all of them
    #[arg(long, value_enum, default_value_t = Active::Any)]
    active: Active,
    /// Fewer lanes may exist than the subgroup size says
    #[arg(long)]
    partial: bool,
    /// The subgroup may be any of its workgroup [default: the first, whose `SubgroupId` is 0]
    #[arg(long)]
    any_subgroup: bool,
    /// How open points are read: vulkan, opencl, level-zero, literal [default: by the module's kind]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Settle one open point otherwise than the profile does (repeatable)
    #[arg(long, value_name = "NAME=ALTERNATIVE", value_parser = reading)]
    reading: Vec<(String, String)>,
    /// For each obligation
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// For all obligations together
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    total_timeout: Duration,
    /// Go on after the first size that is refuted
    #[arg(long)]
    all: bool,
    /// Say, size by size, which strategies ran, why each did not apply or gave up, and how long it
    /// took; of an undecided module, what may help
    #[arg(long)]
    explain: bool,
    /// Compare what is left in pointer parameters too
    #[arg(long)]
    outputs: bool,
    /// Write every question that the solver is asked into this folder as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    smt2: Option<PathBuf>,
    /// What holds of any lane whenever the loop's header is reached, besides what the headers of
    /// the files state as `invariant` (repeatable); it is always checked
    #[arg(long, value_name = "CLAUSE")]
    invariant: Vec<String>,
    #[command(flatten)]
    sarif: Sarif,
}

/// Which lanes enter.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Active {
    Any,
    All,
}

impl Verify {
    /// For all obligations together.
    pub fn total_timeout(&self) -> Duration {
        self.total_timeout
    }

    /// The answer before anything is settled.
    pub fn pending(&self) -> Pending {
        Pending { bad: false, text: String::new(), json: json::unsettled(self.profile.as_deref()) }
    }

    /// Asks, and says what came out.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let started = Instant::now();
        let options = self.options();
        if let Some(folder) = &self.smt2 {
            std::fs::create_dir_all(folder).map_err(|source| Failure::Unwritable {
                name: folder.display().to_string(),
                source,
            })?;
        }
        let name = self.source.display().to_string();
        let source = load(&self.source)?;
        let target = self.target.as_deref().map(load).transpose()?;
        let claim = match &target {
            None => Claim::of(&source, &name)?,
            Some(target) => self.pair(&source, target)?,
        };
        let property = self.target.is_none() && claim.target.is_none();
        let question = |took| verdict::Question {
            options: &options,
            specification: &setting.specification,
            took,
            property,
        };
        let report = thread::scope(|scope| {
            let (settled, reports) = channel();
            let asked = Options { settled: Some(settled), ..options.clone() };
            scope.spawn(|| {
                for report in reports {
                    setting.channel.pending(pending(
                        &report,
                        &question(started.elapsed()),
                        setting,
                    ));
                }
            });
            verify(&setting.specification, claim.source, claim.target, &asked)
        });
        let report = report.map_err(|source| Failure::of_verify(name, source))?;
        self.sarif.write(&self.finding(&report))?;
        let question = question(started.elapsed());
        let mut text = verdict::text(&report, &question, setting.terminal);
        let mut json = json::report(&report);
        if self.explain {
            text += &explain::text(&report, setting.terminal);
            json["strategies"] = explain::json(&report);
        }
        Ok(Answer { exit: Exit::from(report.verdict), text, json })
    }

    /// What a reader of the target should see of the answer.
    fn finding(&self, report: &Report) -> Vec<Finding> {
        let rule = match report.verdict {
            Verdict::Proved => return Vec::new(),
            Verdict::Refuted => "refuted",
            Verdict::Vacuous => "vacuous",
            Verdict::Unknown => "unknown",
        };
        let message = match (&report.counterexample, &report.reason) {
            (Some(found), _) => {
                let lanes = found.lanes.iter().filter(|row| row.offending);
                let lanes: Vec<String> = lanes.map(|row| row.lane.to_string()).collect();
                let size = found.subgroup_size;
                match lanes.as_slice() {
                    [] => format!("The target does not refine the source at SubgroupSize {size}."),
                    lanes => format!(
                        "The target does not refine the source at SubgroupSize {size}: lanes that \
                         disagree: {}.",
                        lanes.join(", ")
                    ),
                }
            }
            (None, Some(reason)) => reason.clone(),
            (None, None) => report.verdict.to_string(),
        };
        let file = self.target.as_ref().unwrap_or(&self.source).clone();
        let text = document::text(&file, MAX_BYTES as u64);
        let line = text.map_or(1, |text| line_of_claim(&text));
        vec![Finding { rule: rule.to_owned(), level: None, message, file, line }]
    }

    fn options(&self) -> Options {
        let standard = Options::default();
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        let mut subgroups = self.subgroups.clone();
        subgroups.sort_unstable();
        subgroups.dedup();
        Options {
            any_size: sizes.is_empty(),
            sizes: if sizes.is_empty() { standard.sizes } else { sizes },
            subgroups,
            all_active: self.active == Active::All,
            partial: self.partial,
            any_subgroup: self.any_subgroup,
            profile: self.profile.clone(),
            readings: self.reading.clone(),
            timeout: self.timeout,
            total_timeout: Some(self.total_timeout),
            all: self.all,
            outputs: self.outputs,
            smt2: self.smt2.clone(),
            invariants: self.invariants(),
            ..standard
        }
    }

    /// What the headers of the files state, then what the command line does.
    fn invariants(&self) -> Vec<String> {
        let files = [Some(&self.source), self.target.as_ref()].into_iter().flatten();
        // A binary has no header, and what cannot be read is told by whoever loads it.
        let stated = files.filter_map(|file| document::text(file, MAX_BYTES as u64).ok());
        let stated: Vec<String> = stated.flat_map(|text| invariants(&text)).collect();
        [stated, self.invariant.clone()].concat()
    }

    /// The same function of two modules, or their single entry points.
    fn pair<'a>(&self, source: &'a Program, target: &'a Program) -> Result<Claim<'a>, Failure> {
        let modules =
            [(&self.source, source), (self.target.as_ref().unwrap_or(&self.source), target)];
        let side = |(path, program): (&PathBuf, &'a Program)| {
            let module = path.display().to_string();
            if let Some(name) = &self.function {
                only(program, name, &module)?;
            }
            let found = match (&self.function, &program.entry_points[..]) {
                (Some(name), _) => program.function(name),
                (None, [only]) => program.function_by_id(only.function),
                (None, several) => {
                    let functions = functions(program);
                    return Err(Failure::EntryPoints { module, count: several.len(), functions });
                }
            };
            let function = self.function.clone().unwrap_or_default();
            let functions = functions(program);
            found.map(|function| Side { program, function }).ok_or(Failure::NoFunction {
                module,
                function,
                functions,
            })
        };
        let name = format!("{} and {}", modules[0].0.display(), modules[1].0.display());
        let [source, target] = modules.map(side);
        Ok(Claim::pair(source?, target?, &name)?)
    }
}

/// What is known when some obligations are settled: either one is refuted, or all is open.
fn pending(report: &Report, question: &verdict::Question<'_>, setting: &Setting<'_>) -> Pending {
    let bad = report.verdict == Verdict::Refuted;
    let text = match bad {
        true => verdict::text(report, question, setting.terminal),
        false => verdict::settled(report, setting.terminal),
    };
    Pending { bad, text, json: json::report(report) }
}
