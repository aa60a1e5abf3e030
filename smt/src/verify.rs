//! Down the ladder: the cheapest sound encoding first, and what each answer is worth.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use laneproof_module::{Direction, Function as ModuleFunction, Parameter, Program, Type};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::language::not_an_expression;

use crate::declared::{Declared, Standpoint};
use crate::flat::Flat;
use crate::latitude::latitude;
use crate::obligation::{LARGEST, Problem};
use crate::page::Unwritten;
use crate::question::Questions;
use crate::reconvergence;
use crate::replay::Subject;
use crate::rungs::Desk;
use crate::unknown::{Unknown, Unsupported};
use crate::unrolled::{Unrolled, Unrollings};
use crate::unsettled::DEEPEST;
use crate::verdict::{NotCompared, Obligation, Presumption, Report, Rung, Verdict};
use crate::workgroups;

/// A function to be verified.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its module.
    pub program: &'a Program,
    /// The function.
    pub function: &'a ModuleFunction,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// Subgroup sizes, powers of two up to 128, ascending.
    pub sizes: Vec<u32>,
    /// Nobody named the sizes: of whole workgroups, a few small ones are looked at.
    pub any_size: bool,
    /// The question is about whole workgroups of so many subgroups, each number in turn. Where
    /// none is named it is about one subgroup, unless some instruction speaks of a workgroup.
    pub subgroups: Vec<u32>,
    /// All existing lanes enter, instead of any nonempty set of them.
    pub all_active: bool,
    /// Fewer lanes may exist than SubgroupSize; in a workgroup, in its last subgroup.
    pub partial: bool,
    /// The subgroup may be any of its workgroup; else its `SubgroupId` is 0.
    pub any_subgroup: bool,
    /// Name of the profile; by the module's kind where none is named.
    pub profile: Option<String>,
    /// Readings settled otherwise than by the profile.
    pub readings: Vec<(String, String)>,
    /// For each obligation.
    pub timeout: Duration,
    /// For all together.
    pub total_timeout: Option<Duration>,
    /// Goes on after the first refuted size.
    pub all: bool,
    /// Compares what is left in pointer parameters, also where the source language does not say
    /// that they are outputs.
    pub outputs: bool,
    /// Writes every question of the solver's there as SMT-LIB 2.
    pub smt2: Option<PathBuf>,
    /// Invariants of the loop, each a clause about any lane: used where they hold, always checked.
    pub invariants: Vec<String>,
    /// Takes the report as it stands whenever an obligation is settled: its verdict is the one that
    /// these obligations allow, and unknown where the others may change it.
    pub settled: Option<Sender<Report>>,
    /// Uses these abstractions only, the exact one always among them; unless induction is all
    /// that is asked for.
    pub rungs: BTreeSet<Rung>,
    /// Abstracts from nothing: every lane is written out, as bits, one size at a time. What the
    /// rungs are measured against.
    pub written_out: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            sizes: vec![1, 2, 4, 8, 16, 32, 64, 128],
            any_size: false,
            subgroups: Vec::new(),
            all_active: false,
            partial: false,
            any_subgroup: false,
            profile: None,
            readings: Vec::new(),
            timeout: Duration::from_secs(10),
            total_timeout: None,
            all: false,
            outputs: false,
            smt2: None,
            invariants: Vec::new(),
            settled: None,
            rungs: BTreeSet::from(LADDER),
            written_out: false,
        }
    }
}

/// Why there is nothing to verify.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The two functions do not have the same type.
    #[error("source and target disagree in type: {0}")]
    Types(String),
    /// A property returns something else than a Boolean.
    #[error("the property returns no Boolean")]
    Property,
    /// There is no such profile.
    #[error("there is no profile `{0}` (there are {1})")]
    Profile(String, String),
    /// There is no such reading.
    #[error("there is no reading `{0}` (there are {1})")]
    Reading(String, String),
    /// A reading has no such alternative.
    #[error("reading `{0}` cannot be settled as `{1}`, only as {2}")]
    Alternative(String, String, String),
    /// A workgroup that has no subgroup, or more invocations than are carried.
    #[error("{0} is no number of subgroups: there are 1 to {LARGEST}")]
    Subgroups(u32),
    /// An invariant that is no expression.
    #[error("the invariant `{text}` does not read, at column {column}: {reason}")]
    Invariant {
        /// The invariant.
        text: String,
        /// Where, in characters from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A question could not be written where it was to be written.
    #[error("{}: cannot be written: {why}", path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// Something that is always so was not so: whatever was to be said, it is not said.
    #[error("internal error in laneproof, please report it: {0}")]
    Internal(&'static str),
    /// A size that no subgroup has.
    #[error("{0} is not a subgroup size: sizes are powers of two up to {LARGEST}")]
    Size(u32),
}

/// Does `target` refine `source`? Without a target: is `source`, a property, always true?
///
/// # Errors
///
/// When the two cannot be compared, or the options make no sense.
pub fn verify(
    specification: &Specification,
    source: Side<'_>,
    target: Option<Side<'_>>,
    options: &Options,
) -> Result<Report, VerifyError> {
    if let Some(size) =
        options.sizes.iter().find(|size| !size.is_power_of_two() || **size > LARGEST)
    {
        return Err(VerifyError::Size(*size));
    }
    let odd = options.subgroups.iter().find(|number| !(1..=LARGEST).contains(*number));
    if let Some(&number) = odd {
        return Err(VerifyError::Subgroups(number));
    }
    for text in &options.invariants {
        if let Some((byte, reason)) = not_an_expression(text) {
            let column = text.get(..byte).map_or(0, |before| before.chars().count()) + 1;
            return Err(VerifyError::Invariant { text: text.clone(), column, reason });
        }
    }
    check_types(source.function, target.map(|it| it.function))?;
    let kernel = source.program.is_kernel();
    let (profile, settled) =
        settle(specification, kernel, options.profile.as_deref(), &options.readings)?;
    let unrollings = Unrollings::new(specification, source, target);
    let first = match unrollings.first() {
        Ok(first) => first,
        Err(why) => return Ok(unknown(&profile, why)),
    };
    let declared = |parameter: &Parameter| parameter.direction == Direction::Out;
    let outputs = options.outputs || source.function.parameters.iter().any(declared);
    if target.is_some() {
        check_compared(source.function, &first.source, first.target.as_ref(), outputs)?;
    }
    let declared = match Declared::of(source, target) {
        Ok(declared) => declared,
        Err(why) => return Ok(unknown(&profile, why)),
    };
    let case = Case {
        specification,
        profile: &profile,
        kernel,
        declared,
        first,
        unrollings: &unrollings,
        outputs,
        source: subject(source, &first.source),
        target: target.zip(first.target.as_ref()).map(|(side, flat)| subject(side, flat)),
    };
    let questions = Questions::new(options.smt2.clone(), &profile);
    let report = decide(&case, &settled, options, &questions, 0)?;
    match questions.unwritten() {
        Some(Unwritten { path, why }) => {
            Err(VerifyError::Unwritten { path: path.clone(), why: why.clone() })
        }
        None => Ok(report),
    }
}

/// What is decided, whatever the readings.
pub(crate) struct Case<'a> {
    specification: &'a Specification,
    pub(crate) profile: &'a str,
    kernel: bool,
    /// The workgroup that the entry points declare.
    pub(crate) declared: Option<Declared>,
    pub(crate) first: &'a Unrolled,
    pub(crate) unrollings: &'a Unrollings<'a>,
    /// What is left in parameters is compared.
    outputs: bool,
    source: Subject<'a>,
    target: Option<Subject<'a>>,
}

fn unknown(profile: &str, why: Unknown) -> Report {
    let mut report = undecided(profile);
    report.gives_up(why);
    report
}

pub(crate) fn undecided(profile: &str) -> Report {
    Report {
        verdict: Verdict::Unknown,
        profile: profile.to_owned(),
        reason: None,
        unknown: None,
        tried: Vec::new(),
        obligations: Vec::new(),
        all_sizes: false,
        counterexample: None,
        rests_on: Vec::new(),
        presumes: Vec::new(),
        not_compared: Vec::new(),
        invariants: Vec::new(),
    }
}

/// How a reading of floating point is settled that leaves results to the environment.
const LEFT: &str = "left-to-devices";

/// The verdict under these readings; where one is met that is not settled, under each of its
/// alternatives.
fn decide(
    case: &Case<'_>,
    settled: &Settled,
    options: &Options,
    questions: &Questions,
    depth: usize,
) -> Result<Report, VerifyError> {
    let started = Instant::now();
    let problem = Problem {
        specification: case.specification,
        settled,
        source: case.source.flat,
        target: case.target.map(|target| target.flat),
        kernel: case.kernel,
        partial: options.partial,
        standpoint: Standpoint::First,
        all_active: options.all_active,
        subgroups: None,
        declared: case.declared,
        alone: false,
        others: false,
        outputs: case.outputs,
        shapes: &case.first.shapes,
    };
    let doubt = &case.first.doubt;
    let mut desk = Desk::new(problem, case.source, case.target, options, questions, doubt);
    desk.unrolled(case.first, true);
    desk.unrolls(case.unrollings);
    let mut report = workgroups::answer(&mut desk, case, options)?;
    report.tried = desk.log().to_vec();
    report.invariants = desk.invariants().to_vec();
    desk.forget_choices_of_target(&mut report);
    reconvergence::judge(&mut report, settled, desk.apart);
    let inexact = rest_on_exactness(&mut report, case, settled);
    report.presumes = presumptions(&desk, &report, inexact);
    report.not_compared = not_compared(case);
    let Some(unsettled) = desk.unsettled() else { return Ok(report) };
    if report.verdict == Verdict::Refuted || depth == DEEPEST {
        return Ok(report);
    }
    let under = |alternative: &String| {
        let mut options = Options { settled: None, ..options.clone() };
        options.total_timeout =
            options.total_timeout.map(|limit| limit.saturating_sub(started.elapsed()));
        let settled = settled.clone().with(&unsettled.reading, alternative);
        let questions = questions.under(&unsettled.reading, alternative);
        decide(case, &settled, &options, &questions, depth + 1)
    };
    let reports = unsettled.alternatives.iter().map(under).collect::<Result<_, _>>()?;
    Ok(unsettled.together(reports).unwrap_or(report))
}

/// The verdict rests on the readings by which results of floating point are exact, where devices may
/// give others; where one of them is settled otherwise, there is none. Whether it does.
fn rest_on_exactness(report: &mut Report, case: &Case<'_>, settled: &Settled) -> bool {
    let latitude = latitude(case.specification, settled);
    let sides = [Some(case.source), case.target].into_iter().flatten();
    let readings: BTreeSet<&str> = sides.flat_map(|side| latitude.concerns(side.program)).collect();
    let otherwise = |reading: &&&str| settled.alternative(reading).is_some_and(|it| **it == *LEFT);
    if let Some(reading) = readings.iter().find(otherwise) {
        let what = format!("what is left to devices in floating point (the reading {reading})");
        report.verdict = Verdict::Unknown;
        report.all_sizes = false;
        report.counterexample = None;
        report.obligations.clear();
        let unsupported = Unsupported { what, instruction: None, location: None };
        report.gives_up(Unknown::Unsupported(unsupported));
    }
    let rests_on = readings.iter().map(|reading| (*reading).to_owned());
    report.rests_on.extend(rests_on);
    report.rests_on.sort();
    report.rests_on.dedup();
    !readings.is_empty()
}

/// What the verdict presumes of the states that it is about.
fn presumptions(desk: &Desk<'_>, report: &Report, inexact: bool) -> Vec<Presumption> {
    let mut presumes = vec![Presumption::ConvergedEntry];
    if desk.looks_at_first_only() {
        presumes.push(Presumption::FirstSubgroup);
    }
    if report.verdict == Verdict::Proved && desk.undisturbed() {
        presumes.push(Presumption::NoConcurrentAccess);
    }
    if report.obligations.iter().any(|it| it.subgroups.is_some_and(|number| number > 1)) {
        presumes.push(Presumption::SubgroupsInOrder);
    }
    if inexact {
        presumes.push(Presumption::ExactArithmetic);
    }
    let vacuous = report.obligations.iter().filter(|it| it.verdict == Verdict::Vacuous);
    let vacuous: Vec<u32> = vacuous.filter_map(|it| it.subgroup_size).collect();
    if report.verdict == Verdict::Proved && !vacuous.is_empty() {
        presumes.push(Presumption::SizesWithAState(vacuous));
    }
    if !report.rests_on.is_empty() {
        presumes.push(Presumption::Readings(report.rests_on.clone()));
    }
    presumes
}

/// What a difference in does not refute.
fn not_compared(case: &Case<'_>) -> Vec<NotCompared> {
    let Some(target) = case.target else { return Vec::new() };
    let either = |of: fn(&Flat) -> bool| of(case.source.flat) || of(target.flat);
    let mut all = Vec::new();
    if either(Flat::has_workgroup_memory) {
        all.push(NotCompared::SharedMemory);
    }
    if either(|flat| flat.writes_globals) {
        all.push(NotCompared::Globals);
    }
    if !case.outputs && either(|flat| !flat.outputs.is_empty()) {
        all.push(NotCompared::PointerParameters);
    }
    all
}

fn subject<'a>(side: Side<'a>, flat: &'a Flat) -> Subject<'a> {
    Subject { program: side.program, function: side.function, flat }
}

fn check_types(
    source: &ModuleFunction,
    target: Option<&ModuleFunction>,
) -> Result<(), VerifyError> {
    let Some(target) = target else {
        let boolean = source.result == Type::Data(laneproof_semantics::Type::BOOL);
        return if boolean { Ok(()) } else { Err(VerifyError::Property) };
    };
    if source.parameters.len() != target.parameters.len() {
        return Err(VerifyError::Types(format!(
            "{} parameters and {}",
            source.parameters.len(),
            target.parameters.len()
        )));
    }
    for (a, b) in source.parameters.iter().zip(&target.parameters) {
        if a.ty != b.ty {
            return Err(VerifyError::Types(format!("parameters `{}` and `{}`", a.name, b.name)));
        }
    }
    for (a, b) in source.parameters.iter().zip(&target.parameters) {
        if a.is_output() != b.is_output() {
            let reason = format!("parameter `{}` is an output of one of them only", a.name);
            return Err(VerifyError::Types(reason));
        }
    }
    if source.result != target.result {
        return Err(VerifyError::Types("what they return".into()));
    }
    Ok(())
}

/// There is something to compare: a result, memory, what is left in parameters.
fn check_compared(
    function: &ModuleFunction,
    source: &Flat,
    target: Option<&Flat>,
    outputs: bool,
) -> Result<(), VerifyError> {
    let leaves = |flat: &Flat| flat.regions.iter().any(|region| region.kind.is_visible());
    let memory = leaves(source) || target.is_some_and(leaves);
    if function.result == Type::Void && !outputs && !memory {
        return Err(VerifyError::Types("neither leaves anything that could be compared".into()));
    }
    Ok(())
}

/// What is settled by a profile, by the module's kind where none is named, and by `readings` on
/// top of it; with the profile's name.
///
/// # Errors
///
/// There is no such profile, reading or alternative.
pub fn settle(
    specification: &Specification,
    kernel: bool,
    profile: Option<&str>,
    readings: &[(String, String)],
) -> Result<(String, Settled), VerifyError> {
    let default = Specification::environment_of(kernel);
    let name = profile.unwrap_or(default).to_owned();
    let Some(profile) = specification.profiles.get(name.as_str()) else {
        let known: Vec<&str> = specification.profiles.keys().map(|name| &**name).collect();
        return Err(VerifyError::Profile(name, known.join(", ")));
    };
    let environment = profile.environment.as_deref().unwrap_or(default);
    let mut settled = Settled::by(profile).in_environment(environment);
    for (reading, alternative) in readings {
        let Some(known) = specification.readings.get(reading.as_str()) else {
            let known: Vec<&str> = specification.readings.keys().map(|name| &**name).collect();
            return Err(VerifyError::Reading(reading.clone(), known.join(", ")));
        };
        let alternatives: Vec<&str> = known.alternatives.iter().map(|(name, _)| &**name).collect();
        if !alternatives.contains(&alternative.as_str()) {
            let fits = alternatives.join(", ");
            return Err(VerifyError::Alternative(reading.clone(), alternative.clone(), fits));
        }
        settled = settled.with(reading, alternative);
    }
    Ok((name, settled))
}

/// What is tried where nobody asks for less.
const LADDER: [Rung; 5] = [Rung::Induction, Rung::Movement, Rung::Laws, Rung::Diagrams, Rung::Bits];

/// What an obligation took.
pub(crate) fn obligation(
    subgroup_size: Option<u32>,
    verdict: Verdict,
    rung: Option<Rung>,
    started: Instant,
    solver: Duration,
) -> Obligation {
    let milliseconds = |time: Duration| (time.as_secs_f64() * 1e5).round() / 100.0;
    Obligation {
        subgroup_size,
        subgroups: None,
        verdict,
        rung,
        milliseconds: milliseconds(started.elapsed()),
        solver_milliseconds: milliseconds(solver),
    }
}
