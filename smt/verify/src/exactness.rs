//! Readings that a verdict rests on beside those of clauses: under which floating-point results are
//! exact, and what a barrier is.

use std::collections::BTreeSet;

use laneproof_interpreter::asked_otherwise;
use laneproof_module::spirv::Op;
use laneproof_module::{Instruction, Operand, Program};
use laneproof_outcome::Unknown;
use laneproof_semantics::denote::Settled;

use crate::case::Case;
use crate::identical::identical;
use crate::latitude::latitude;
use crate::options::Side;
use crate::replay::Subject;
use crate::report::VerificationReport;
use crate::verdict::Verdict;

/// The alternative that leaves floating-point results to the environment.
const LEFT: &str = "left-to-devices";

/// Makes the verdict depend on the readings under which floating-point results are exact, if devices
/// may give other results; if one of them is settled otherwise, the verdict is unknown. Returns
/// whether it depends on them.
pub(crate) fn rest_on_exactness(
    report: &mut VerificationReport,
    case: &Case<'_>,
    settled: &Settled,
) -> bool {
    let latitude = latitude(case.specification, settled);
    let sides = [Some(case.source), case.target].into_iter().flatten();
    let readings: BTreeSet<&str> = sides.flat_map(|side| latitude.concerns(side.program)).collect();
    let otherwise = |reading: &&&str| settled.alternative(reading).is_some_and(|it| **it == *LEFT);
    if let Some(reading) = readings.iter().find(otherwise) {
        refuse(
            report,
            format!("what is left to devices in floating point (the reading {reading})"),
        );
    }
    let mut sides = [Some(case.source), case.target].into_iter().flatten();
    // Functions that are the same do the same, however arithmetic is done.
    let same = report.verdict == Verdict::Proved
        && case.target.is_some_and(|target| identical(side(case.source), side(target)));
    if let Some(asked) = sides.find_map(|side| asked_otherwise(side.program))
        && !same
    {
        refuse(report, format!("{asked}, for which an execution mode asks,"));
    }
    let rests_on = readings.iter().map(|reading| (*reading).to_owned());
    report.rests_on.extend(rests_on);
    report.rests_on.sort();
    report.rests_on.dedup();
    !readings.is_empty()
}

/// Makes the verdict depend on what a kernel's barrier of a subgroup is that some lanes do not reach,
/// if no document of the environment says it; a barrier of those that come is not supported.
pub(crate) fn rest_on_barriers(
    report: &mut VerificationReport,
    case: &Case<'_>,
    settled: &Settled,
) {
    const READING: &str = "barrier-of-some-lanes";
    let environment = settled.environment().map_or("opencl", |name| &**name);
    let mut sides = [Some(case.source), case.target].into_iter().flatten();
    let open = !case.specification.holds("OpenCL", environment);
    if !sides.any(|side| has_barriers(side.program)) {
        return;
    }
    if settled.alternative(READING).is_some_and(|it| **it == *"those-that-come") && open {
        refuse(report, format!("a barrier of those lanes that reach it (the reading {READING})"));
    }
    if open {
        report.rests_on.push(READING.to_owned());
        report.rests_on.sort();
        report.rests_on.dedup();
    }
}

/// A kernel with barriers of subgroups.
fn has_barriers(program: &Program) -> bool {
    const SUBGROUP: u64 = 3;
    let of_subgroup = |instruction: &Instruction| match instruction.operands.first() {
        Some(Operand::IdScope(id)) if instruction.opcode == Op::ControlBarrier => {
            let scope = program.constants.get(id).and_then(|it| it.leaves.first().copied());
            scope == Some(Some(SUBGROUP))
        }
        _ => false,
    };
    let blocks = program.functions.iter().flat_map(|function| function.body.blocks());
    program.is_kernel() && blocks.flat_map(|block| &block.instructions).any(of_subgroup)
}

fn side(subject: Subject<'_>) -> Side<'_> {
    Side { program: subject.program, function: subject.function }
}

/// Makes the verdict unknown: arithmetic of this kind is not supported.
fn refuse(report: &mut VerificationReport, what: String) {
    report.verdict = Verdict::Unknown;
    report.all_sizes = false;
    report.counterexample = None;
    report.obligations.clear();
    report.gives_up(Unknown::unsupported(what));
}
