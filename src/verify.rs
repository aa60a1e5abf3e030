//! `laneproof verify`: does a target refine its source?

mod heeded;
mod saved;

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use laneproof_frontends::Source;
use laneproof_module::Program;
use laneproof_proofs::invariants;
use laneproof_verify::{Claim, Named, Options, States, Verdict, VerificationReport, verify};

use crate::answer::{Answer, Exit};
use crate::compilers;
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use crate::sarif::{Sarif, SarifFinding, SarifRegion, line_of_claim};
use crate::setting::{Setting, one_of_sizes, reading, seconds, subgroups};
use crate::supervisor::Pending;
use heeded::{Flags, Heeded};
use laneproof_report::explain;
use laneproof_report::{json, verdict};

/// What is compared.
#[derive(Args)]
struct Modules {
    /// A module with functions `src` and `tgt`, or with a Boolean function `property`; or the source
    #[arg(value_name = "FILE|SOURCE")]
    source: PathBuf,
    /// The module of the target, if it is in another file
    target: Option<PathBuf>,
    /// The source's function [default: of one module `src`, of two `src` and `tgt`, or their only
    /// entry points]
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// The target's function, where it has another name [default: in two modules, the same]
    #[arg(long, value_name = "NAME", requires = "function")]
    target_function: Option<String>,
}

/// The states that the claim is about.
#[derive(Args)]
struct LookedAt {
    /// Subgroup sizes, powers of two [default: all up to 128]
    #[arg(long, value_name = "S,…", value_delimiter = ',', value_parser = one_of_sizes)]
    sizes: Vec<u32>,
    /// Verify whole workgroups of this number of subgroups [default: one subgroup; where an instruction
    /// is about a workgroup, workgroups of 1, 2 and 3 subgroups, of sizes 1, 2 and 4 unless
    /// --sizes says otherwise]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = subgroups)]
    subgroups: Vec<u32>,
    /// The lanes that enter: any nonempty set of those that exist, or all of them [default: any]
    #[arg(long, value_enum)]
    active: Option<Active>,
    /// Fewer lanes may exist than the subgroup size says
    #[arg(long)]
    partial: bool,
    /// The subgroup may be any of its workgroup [default: the first, whose `SubgroupId` is 0]
    #[arg(long)]
    any_subgroup: bool,
}

/// How long it may take.
#[derive(Args)]
struct Limits {
    /// Time limit of each obligation
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// Time limit of all obligations together
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    total_timeout: Duration,
}

/// Prove that a target refines its source, or show the lanes in which it does not
///
/// Of a file with a header as in a catalogue, the header says what no flag does: states, profile, readings,
/// specification files.
#[derive(Args)]
pub struct Verify {
    #[command(flatten)]
    modules: Modules,
    #[command(flatten)]
    states: LookedAt,
    /// How open points are read: vulkan, opencl, level-zero, literal [default: by the module's kind]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Settle one open point otherwise than the profile does (repeatable)
    #[arg(long, value_name = "NAME=ALTERNATIVE", value_parser = reading)]
    reading: Vec<(String, String)>,
    #[command(flatten)]
    limits: Limits,
    /// Continue after the first size that is refuted
    #[arg(long)]
    all: bool,
    /// Say, size by size, which strategies ran, why each did not apply or gave up, and how long it
    /// took; of an undecided module, what may help
    #[arg(long)]
    explain: bool,
    /// Also compare what pointer parameters point to at the end
    #[arg(long)]
    outputs: bool,
    /// Write every question that the solver is asked into this folder as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    smt2: Option<PathBuf>,
    /// A loop invariant, true in any lane whenever the loop's header is reached: it is checked, and
    /// added to those in the files' headers (repeatable)
    #[arg(long, value_name = "CLAUSE")]
    invariant: Vec<String>,
    /// Write the counterexample's parameters into this file, as inputs of `run` and `check`
    #[arg(long, value_name = "FILE.json")]
    save_counterexample: Option<PathBuf>,
    #[command(flatten)]
    sarif: Sarif,
}

/// The line to look at: of the target's undefined behavior, of its function in the source that it
/// was compiled from, or of its function in assembly.
fn line(report: &VerificationReport, target: &Module, function: u32) -> usize {
    let behavior = report.counterexample.as_ref().and_then(|it| it.undefined_behavior.as_ref());
    let of_behavior = behavior.and_then(|it| it.origin.as_ref()).map(|origin| origin.line);
    let mut lines = target.program.debug.lines.range(function..);
    let of_function = || lines.next().map(|(_, line)| line.line);
    match of_behavior.or_else(of_function) {
        Some(line) => line as usize,
        None => target.source.text().map_or(1, line_of_claim),
    }
}

/// A file, and its module.
struct Module {
    source: Source,
    program: Program,
}

impl Module {
    fn read(path: &Path) -> Result<Self, Failure> {
        let source = Source::read(path)?;
        let program = source.program(&compilers())?;
        Ok(Self { source, program })
    }

    fn name(&self) -> String {
        self.source.name().to_owned()
    }
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
        self.limits.total_timeout
    }

    /// The answer before anything is settled.
    pub fn pending(&self) -> Pending {
        Pending { bad: false, text: String::new(), json: json::unsettled(self.profile.as_deref()) }
    }

    /// Asks, and says what came out.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let started = Instant::now();
        if let Some(folder) = &self.smt2 {
            output::folder(folder)?;
        }
        let source = Module::read(&self.modules.source)?;
        let target = self.modules.target.as_deref().map(Module::read).transpose()?;
        let name = source.name();
        let heeded = self.heeded(&source, setting)?;
        let specification = heeded.specification(&setting.specification)?;
        let options = self.options(&source, target.as_ref(), &heeded);
        let claim = match &target {
            None if self.modules.function.is_none() => Claim::of(&source.program, &name)?,
            None if self.modules.target_function.is_none() => {
                // A name that the module does not have is the nearer mistake.
                self.pair(&source, &source)?;
                return Err(Failure::OneFunction { module: name });
            }
            None => self.pair(&source, &source)?,
            Some(target) => self.pair(&source, target)?,
        };
        let property = self.modules.target.is_none() && claim.target.is_none();
        let question = |took| verdict::ReportContext {
            options: &options,
            specification: &specification,
            took,
            property,
        };
        let progress = Progress::over(options.states.sizes.len(), setting.terminal);
        let report = thread::scope(|scope| {
            let (settled, reports) = channel();
            let asked = Options { settled: Some(settled), ..options.clone() };
            scope.spawn(|| {
                for report in reports {
                    progress.reach(report.obligations.len());
                    setting.channel.pending(pending(
                        &report,
                        &question(started.elapsed()),
                        setting,
                    ));
                }
            });
            verify(&specification, claim.source, claim.target, &asked)
        });
        progress.finish();
        let report = report.and_then(VerificationReport::with_well_formed_invariants);
        let report = report.map_err(|source| Failure::of_verify(name, source))?;
        let place = claim.target.unwrap_or(claim.source).function.place.word;
        let line = line(&report, target.as_ref().unwrap_or(&source), place);
        self.sarif.write(&self.finding(&report, line))?;
        let question = question(started.elapsed());
        let mut text = verdict::text(&report, &question, &setting.terminal.page);
        text.extend(heeded.note().map(|note| format!("\n{note}")));
        let mut json = json::report(&report);
        if self.explain {
            text += &explain::text(&report, &setting.terminal.page);
            json["strategies"] = explain::json(&report);
        }
        if let (Some(path), Some(found)) = (&self.save_counterexample, &report.counterexample) {
            let side = claim.target.unwrap_or(claim.source);
            let function = side.function.name.as_deref().unwrap_or_default();
            let module = self.modules.target.as_ref().unwrap_or(&self.modules.source);
            text += &format!("\n{}", saved::save(found, path, module, function)?);
        }
        Ok(Answer { exit: Exit::from(report.verdict), text, json })
    }

    /// What a reader of the target should see of the answer.
    fn finding(&self, report: &VerificationReport, line: usize) -> Vec<SarifFinding> {
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
        let file = self.modules.target.as_ref().unwrap_or(&self.modules.source).clone();
        vec![SarifFinding {
            rule: rule.to_owned(),
            level: None,
            message,
            file,
            region: SarifRegion::Line(line),
        }]
    }

    /// What the header of a single file says of its claim.
    fn heeded(&self, source: &Module, setting: &Setting<'_>) -> Result<Heeded, Failure> {
        let Modules { source: path, target: None, function: None, .. } = &self.modules else {
            return Ok(Heeded::none());
        };
        let flags = Flags {
            states: &self.states,
            profile: self.profile.as_deref(),
            readings: &self.reading,
        };
        Heeded::of(path, source, &flags, setting)
    }

    fn options(&self, source: &Module, target: Option<&Module>, heeded: &Heeded) -> Options {
        let standard = Options::default();
        let mut sizes = self.states.sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        let mut subgroups = self.states.subgroups.clone();
        subgroups.sort_unstable();
        subgroups.dedup();
        Options {
            states: heeded.states(States {
                any_size: sizes.is_empty(),
                sizes: if sizes.is_empty() { standard.states.sizes } else { sizes },
                subgroups,
                all_active: self.states.active == Some(Active::All),
                partial: self.states.partial,
                any_subgroup: self.states.any_subgroup,
            }),
            profile: self.profile.clone().or_else(|| heeded.profile()),
            readings: heeded.readings(&self.reading),
            timeout: self.limits.timeout,
            total_timeout: Some(self.limits.total_timeout),
            all: self.all,
            outputs: self.outputs,
            smt2: self.smt2.clone(),
            invariants: self.invariants(source, target),
            ..standard
        }
    }

    /// What the headers of the files state, then what the command line does.
    fn invariants(&self, source: &Module, target: Option<&Module>) -> Vec<String> {
        let modules = [Some(source), target].into_iter().flatten();
        // A binary has no header.
        let stated = modules.filter_map(|module| module.source.text());
        let stated: Vec<String> = stated.flat_map(invariants).collect();
        [stated, self.invariant.clone()].concat()
    }

    /// The functions that are compared.
    fn pair<'a>(&self, source: &'a Module, target: &'a Module) -> Result<Claim<'a>, Failure> {
        let named =
            |module: &'a Module| Named { program: &module.program, name: module.source.name() };
        let functions = self.modules.function.as_deref();
        let functions =
            functions.map(|name| [name, self.modules.target_function.as_deref().unwrap_or(name)]);
        Ok(Claim::between(named(source), named(target), functions)?)
    }
}

/// What is known when some obligations are settled: either one is refuted, or all is open.
fn pending(
    report: &VerificationReport,
    question: &verdict::ReportContext<'_>,
    setting: &Setting<'_>,
) -> Pending {
    let bad = report.verdict == Verdict::Refuted;
    let text = match bad {
        true => verdict::text(report, question, &setting.terminal.page),
        false => verdict::settled(report, question, &setting.terminal.page),
    };
    Pending { bad, text, json: json::report(report) }
}
