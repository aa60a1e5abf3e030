//! The entry point: prepares both sides, runs the strategies, and judges the outcome.

use std::time::Instant;

use laneproof_ask::Questions;
use laneproof_encode::{LARGEST, Standpoint};
use laneproof_lower::Flat;
use laneproof_module::spirv::{ExecutionModel, Op};
use laneproof_module::{Direction, EntryPoint, Instruction, Parameter, Program};
use laneproof_obligation::{Entering, Leaves, Problem};
use laneproof_outcome::Unknown;
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::language::not_an_expression;
use laneproof_solve::QueryFileError;

use crate::case::Case;
use crate::comparable::{check_compared, check_types};
use crate::directions::Agreed;
use crate::error::VerifyError;
use crate::exactness::{rest_on_barriers, rest_on_exactness};
use crate::options::{Options, Side};
use crate::presumption::{NotCompared, Presumption};
use crate::profile::settle;
use crate::replay::Subject;
use crate::report::VerificationReport;
use crate::session::Session;
use crate::unrolled::Unrollings;
use crate::unsettled::DEEPEST;
use crate::verdict::Verdict;
use crate::{entry_points, pure, reconvergence};

/// Does `target` refine `source`? Without a target: is `source`, a property, always true?
///
/// # Errors
///
/// If the two cannot be compared, or the options are invalid.
pub fn verify(
    specification: &Specification,
    source: Side<'_>,
    target: Option<Side<'_>>,
    options: &Options,
) -> Result<VerificationReport, VerifyError> {
    check_options(options)?;
    check_types(source.function, target.map(|it| it.function))?;
    if let Some(agreed) = target.and_then(|target| Agreed::of(source, target))
        && let Some([source, target]) = agreed.sides()
    {
        if let Some(name) = agreed.left_out.as_ref().filter(|_| options.outputs) {
            return Err(VerifyError::Types(format!(
                "parameter `{name}` goes in only in one of the two, and is a pointer of the other, so \
                 there is no final value to compare: leave --outputs out, or give both as SPIR-V \
                 (`laneproof compile`)"
            )));
        }
        let mut report = verify(specification, source, Some(target), options)?;
        report.not_compared.extend(agreed.left_out.is_some().then_some(NotCompared::OneWay));
        return Ok(report);
    }
    let kernel = source.program.is_kernel();
    let (profile, settled) =
        settle(specification, kernel, options.profile.as_deref(), &options.readings)?;
    let unrollings = Unrollings::new(specification, source, target);
    let first = match unrollings.first() {
        Ok(first) => first,
        Err(why) => return Ok(unknown(&profile, why)),
    };
    let pure = unrollings.as_pure_functions();
    let declared = |parameter: &Parameter| parameter.direction == Direction::Out;
    let outputs = options.outputs || source.function.parameters.iter().any(declared);
    if target.is_some() {
        check_compared(source.function, &first.source, first.target.as_ref(), outputs)?;
    }
    let workgroup = match entry_points::workgroup(source, target) {
        Ok(workgroup) => workgroup,
        Err(why) => return Ok(unknown(&profile, why)),
    };
    let required = match entry_points::required(source, target) {
        Ok(required) => required,
        Err(why) => return Ok(unknown(&profile, why)),
    };
    let case = Case {
        required,
        specification,
        profile: &profile,
        kernel,
        workgroup,
        first,
        unrollings: &unrollings,
        pure: pure.as_ref(),
        outputs,
        source: subject(source, &first.source),
        target: target.zip(first.target.as_ref()).map(|(side, flat)| subject(side, flat)),
    };
    let questions = Questions::new(options.smt2.clone(), &profile);
    let report = decide(&case, &settled, options, &questions, 0)?;
    match questions.unwritten() {
        Some(QueryFileError { path, why }) => {
            Err(VerifyError::Unwritten { path: path.clone(), why: why.clone() })
        }
        None => Ok(report),
    }
}

/// Sizes, numbers of subgroups and invariants are what they must be, whatever the modules are.
fn check_options(options: &Options) -> Result<(), VerifyError> {
    if options.states.sizes.is_empty() {
        return Err(VerifyError::NoSize);
    }
    if let Some(size) =
        options.states.sizes.iter().find(|size| !size.is_power_of_two() || **size > LARGEST)
    {
        return Err(VerifyError::Size(*size));
    }
    let odd = options.states.subgroups.iter().find(|number| !(1..=LARGEST).contains(*number));
    if let Some(&number) = odd {
        return Err(VerifyError::Subgroups(number));
    }
    for text in &options.invariants {
        if let Some((byte, reason)) = not_an_expression(text) {
            let column = text.get(..byte).map_or(0, |before| before.chars().count()) + 1;
            return Err(VerifyError::Invariant { text: text.clone(), column, reason });
        }
    }
    Ok(())
}

/// In this profile grids consist of whole workgroups.
const LEVEL_ZERO: &str = "level-zero";

fn unknown(profile: &str, why: Unknown) -> VerificationReport {
    let mut report = VerificationReport::undecided(profile);
    report.gives_up(why);
    report
}

/// The verdict under these readings; if one is consulted that is not settled, under each of its
/// alternatives.
fn decide(
    case: &Case<'_>,
    settled: &Settled,
    options: &Options,
    questions: &Questions,
    depth: usize,
) -> Result<VerificationReport, VerifyError> {
    let started = Instant::now();
    let problem = Problem {
        specification: case.specification,
        settled,
        source: case.source.flat,
        target: case.target.map(|target| target.flat),
        group: Entering {
            kernel: case.kernel,
            partial: options.states.partial,
            standpoint: Standpoint::First,
            all_active: options.states.all_active,
            subgroups: None,
            declared: case.workgroup.map(|it| it.declared),
            required: case.required,
            alone: false,
            others: false,
        },
        outputs: case.outputs,
        shapes: &case.first.shapes,
        same: Leaves::default(),
        fixed: None,
    };
    let doubt = &case.first.doubt;
    let mut session = Session::new(problem, case.source, case.target, options, questions, doubt);
    session.unrolled(case.first, true);
    session.unrolls(case.unrollings);
    let mut report = pure::answer(&mut session, case, case.pure, options)?;
    report.tried = session.log().to_vec();
    report.invariants = session.invariants().to_vec();
    session.forget_choices_of_target(&mut report);
    reconvergence::judge(&mut report, settled, session.rests_on.apart);
    rest_on_barriers(&mut report, case, settled);
    let inexact = rest_on_exactness(&mut report, case, settled);
    report.presumes = presumptions(&session, case, &report, inexact);
    report.not_compared = case.not_compared();
    let Some(unsettled) = session.unsettled() else { return Ok(report) };
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

/// What the verdict presumes about the states.
fn presumptions(
    session: &Session<'_>,
    case: &Case<'_>,
    report: &VerificationReport,
    inexact: bool,
) -> Vec<Presumption> {
    let mut presumes = vec![Presumption::ConvergedEntry];
    if case.workgroup.is_some_and(|it| it.by_use) {
        presumes.push(Presumption::DeclaredWorkgroup);
    }
    if session.looks_at_first_only() {
        presumes.push(Presumption::FirstSubgroup);
    }
    if report.verdict == Verdict::Proved && session.undisturbed() {
        presumes.push(Presumption::NoConcurrentAccess);
    }
    if report.verdict == Verdict::Proved && case.source.flat.may_see_callers() {
        presumes.push(Presumption::FreshWorkgroupMemory);
    }
    if report.verdict == Verdict::Proved {
        presumes.extend(of_states_left_out(case));
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

/// What a proof presumes because some states are not encoded.
fn of_states_left_out(case: &Case<'_>) -> impl Iterator<Item = Presumption> {
    let sides = || [Some(case.source), case.target].into_iter().flatten();
    let of_images = sides().any(|side| side.flat.accesses_images());
    let with_helpers = sides().any(|side| may_enter_as_helper(side.program));
    let presumed = [
        (of_images, Presumption::SmallImages),
        (with_helpers, Presumption::NoHelpersAtEntry),
        (may_be_cut(case), Presumption::UniformWorkgroups),
    ];
    presumed.into_iter().filter(|(is_left_out, _)| *is_left_out).map(|(_, presumption)| presumption)
}

/// Its grid may end within a workgroup, and it reads what differs then.
fn may_be_cut(case: &Case<'_>) -> bool {
    let read = |name: &str| {
        let mut sides = [Some(case.source), case.target].into_iter().flatten();
        sides.any(|side| side.flat.reads_built_in(name))
    };
    let of_grid = ["EnqueuedWorkgroupSize", "NumEnqueuedSubgroups", "GlobalSize", "GlobalLinearId"];
    let compared =
        of_grid.into_iter().any(read) || read("WorkgroupSize") && read("GlobalInvocationId");
    compared && case.kernel && case.profile != LEVEL_ZERO
}

/// Lanes may be helper invocations from the start: the module has fragment shaders, or functions that
/// only these may call.
fn may_enter_as_helper(program: &Program) -> bool {
    let fragment = |entry: &EntryPoint| entry.model == ExecutionModel::Fragment;
    let about_helpers = |instruction: &Instruction| {
        matches!(instruction.opcode, Op::IsHelperInvocationEXT | Op::DemoteToHelperInvocation)
    };
    let blocks = program.functions.iter().flat_map(|function| function.body.blocks());
    program.entry_points.iter().any(fragment)
        || blocks.flat_map(|block| &block.instructions).any(about_helpers)
}

fn subject<'a>(side: Side<'a>, flat: &'a Flat) -> Subject<'a> {
    Subject { program: side.program, function: side.function, flat }
}
