//! One module through one tool: is what came out right?

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use laneproof_generator::{Generated, ModuleProfile, Request, Tree};
use laneproof_interpreter::{EntryMemory, Readings, Stop};
use laneproof_oracle::SearchLimits;
use laneproof_semantics::ModuleKind;
use serde_json::Value;

use crate::apply::{Applied, apply};
use crate::device::{Answer, Device};
use crate::difference::first;
use crate::find::Places;
use crate::outcome::{FaultKind, Outcome};
use crate::persistent::Persistent;
use crate::prover::{Depth, Proof, ToolLimits, refines};
use crate::reference::{Judgement, ORACLE, Subject, agrees, defined_share};
use crate::tool::{BuiltInTool, Tool, ToolKind};

/// How long it always may.
const GLANCE: Duration = Duration::from_millis(25);

/// The time of the oracle is at most a tool's own, divided by this, beside what it always may take.
const SHARE: u32 = 5;

/// How far the oracle may look for a choice after so long in the tool and in the oracle. What is
/// not allowed shows at once, nearly always; what is allowed by a choice that is hard to find is left
/// undecided, so that the tool sees more modules.
pub(crate) fn allowance(tool: Duration, oracle: Duration) -> SearchLimits {
    let time = (tool / SHARE).saturating_sub(oracle).clamp(GLANCE, ORACLE.time);
    SearchLimits { time, ..ORACLE }
}

/// Where the time went, and how much was defined.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// In the tool.
    pub tool: Duration,
    /// In the interpreter and the oracle.
    pub oracle: Duration,
    /// In the prover.
    pub prover: Duration,
    /// Whether the prover decided, if it was used.
    pub decided: Option<bool>,
    /// Bytes of outputs that are defined.
    pub defined: u64,
    /// Bytes of outputs.
    pub outputs: u64,
}

/// What examining needs.
pub struct Bench<'b> {
    /// The tool.
    pub tool: &'b Tool,
    /// Which of its variants.
    pub variant: &'b [String],
    /// Where programs are.
    pub places: &'b Places,
    /// A folder for files.
    pub folder: &'b Path,
    /// Results on which no difference is seen go to the prover.
    pub prove: bool,
    /// How far the oracle may look for a choice.
    pub oracle: SearchLimits,
    /// A process that stays alive between modules.
    pub persistent: Option<&'b RefCell<Persistent>>,
    /// The campaign ends.
    pub stop: &'b AtomicBool,
}

impl Bench<'_> {
    fn apply(&self, words: &[u32]) -> Applied {
        apply(self.tool, self.variant, words, self.places, self.folder, self.persistent, self.stop)
    }
}

/// The request that a tool's gate makes of the generator.
pub fn request(tool: &Tool, profile: ModuleProfile, module_kind: ModuleKind, size: u32) -> Request {
    let mut request = Request::new(profile, module_kind, size);
    if let Some(version) = tool.gate.version() {
        request.version = version;
    }
    request.maximal_reconvergence &= !tool.gate.no_maximal_reconvergence;
    request.allowed.capabilities = tool.gate.capabilities();
    request.allowed.extended_types = !tool.gate.plain_types;
    request.allowed.scalar_types = tool.gate.scalar_types;
    request.allowed.without = names(&tool.gate.without);
    request
}

fn names(opcodes: &[String]) -> BTreeSet<&'static str> {
    let listed = |name: &str| opcodes.iter().any(|it| it == name);
    let table = rspirv::grammar::INSTRUCTION_TABLE.iter();
    table.map(|entry| entry.opname).filter(|name| listed(name)).collect()
}

/// Examines a module that is valid.
pub fn examine(
    bench: &Bench<'_>,
    generated: &Generated,
    device: Option<&mut Device>,
    cost: &mut Cost,
) -> Outcome {
    let tool = bench.tool;
    if tool.kind != ToolKind::Execute && tool.built_in != Some(BuiltInTool::Engines) {
        return examine_result(bench, generated, cost);
    }
    let (subject, expected) = match meaning(generated, cost) {
        Ok(meaning) => meaning,
        Err(outcome) => return outcome,
    };
    if tool.built_in.is_some() {
        let start = Instant::now();
        let outcome = crate::own::examine(&subject, &expected, generated);
        cost.tool += start.elapsed();
        return outcome;
    }
    let start = Instant::now();
    let answer = match device {
        Some(device) => device.run(generated, bench.folder, bench.stop),
        None => Answer::Failed("no device was started".to_owned()),
    };
    cost.tool += start.elapsed();
    ran_elsewhere(bench, answer, &subject, &generated.tree, &expected, cost)
}

/// The module as the interpreter takes it, and what it leaves in memory; otherwise why it has no
/// meaning to compare with.
fn meaning(generated: &Generated, cost: &mut Cost) -> Result<(Subject, EntryMemory), Outcome> {
    let start = Instant::now();
    let subject = Subject::load(&generated.words, generated)
        .map_err(|error| Outcome::Discarded(error.to_string()))?;
    let ran = subject.run();
    cost.oracle += start.elapsed();
    let expected = ran.map_err(|stop| Outcome::Discarded(stop.to_string()))?;
    let (defined, outputs) = defined_share(&expected);
    cost.defined += defined;
    cost.outputs += outputs;
    Ok((subject, expected))
}

/// Examines a tool's result for a module. The meaning of the module is computed only if it is needed.
fn examine_result(bench: &Bench<'_>, generated: &Generated, cost: &mut Cost) -> Outcome {
    let start = Instant::now();
    let applied = bench.apply(&generated.words);
    cost.tool += start.elapsed();
    let result = match applied {
        // The tool has nothing to do, or is content.
        Applied::Module(words) if words == generated.words => return Outcome::Fine,
        Applied::Accepted => return Outcome::Fine,
        Applied::Failed(reason) => return Outcome::Undecided(reason),
        Applied::Interrupted => return Outcome::Interrupted,
        Applied::Module(words) => Ok(words),
        Applied::NoModule(reason) => Err(Outcome::fault(FaultKind::InvalidOutput, reason)),
        Applied::Refused(reason) if says_unsupported(bench.tool, &reason) => {
            Err(Outcome::Unsupported(reason))
        }
        Applied::Refused(reason) => Err(Outcome::fault(FaultKind::RejectedValid, reason)),
        Applied::Crashed(reason) => Err(Outcome::fault(FaultKind::Crash, reason)),
        Applied::Hung => Err(Outcome::fault(FaultKind::Hang, hung(bench.tool))),
    };
    let (subject, expected) = match meaning(generated, cost) {
        Ok(meaning) => meaning,
        Err(outcome) => return outcome,
    };
    let words = match result {
        Ok(words) => words,
        Err(outcome) => return outcome,
    };
    let start = Instant::now();
    let (outcome, target) = transformed(&words, &subject, &expected, &generated.tree, bench.oracle);
    cost.oracle += start.elapsed();
    match target {
        Some(target) if bench.prove && outcome == Outcome::Fine => {
            let start = Instant::now();
            let proof = refines(&subject, &target, Depth::Strategies, ToolLimits::SHORT);
            cost.prover += start.elapsed();
            cost.decided = Some(!matches!(proof, Proof::Unknown(_) | Proof::Spurious(_)));
            match proof {
                Proof::Refuted(how) => with_output(Outcome::fault(FaultKind::Refuted, how), &words),
                _ => outcome,
            }
        }
        _ => outcome,
    }
}

/// A fault keeps the module that came out.
fn with_output(outcome: Outcome, words: &[u32]) -> Outcome {
    match outcome {
        Outcome::Fault(mut fault) => {
            fault.output = Some(words.to_vec());
            Outcome::Fault(fault)
        }
        other => other,
    }
}

/// Judges what a device returned.
fn ran_elsewhere(
    bench: &Bench<'_>,
    answer: Answer,
    subject: &Subject,
    tree: &Tree,
    expected: &EntryMemory,
    cost: &mut Cost,
) -> Outcome {
    let observed = match answer {
        Answer::Memory(observed) => observed,
        Answer::Unsupported(reason) => return Outcome::Unsupported(reason),
        Answer::Failed(reason) => return Outcome::Undecided(reason),
        Answer::Interrupted => return Outcome::Interrupted,
        Answer::Refused(reason) if says_unsupported(bench.tool, &reason) => {
            return Outcome::Unsupported(reason);
        }
        Answer::Refused(reason) => return Outcome::fault(FaultKind::RejectedValid, reason),
        Answer::Crashed(reason) => return Outcome::fault(FaultKind::Crash, reason),
        Answer::Hung => return Outcome::fault(FaultKind::Hang, hung(bench.tool)),
    };
    let start = Instant::now();
    let outcome = judged(&observed, subject, tree, expected, bench.oracle);
    cost.oracle += start.elapsed();
    outcome
}

/// Judges a module that a tool made of the subject; the module too, where it can be run.
fn transformed(
    words: &[u32],
    subject: &Subject,
    expected: &EntryMemory,
    tree: &Tree,
    oracle: SearchLimits,
) -> (Outcome, Option<Subject>) {
    let with = |outcome: Outcome| with_output(outcome, words);
    let target = match subject.load_result(words) {
        Ok(target) => target,
        Err(
            error @ (laneproof_module::LoadError::Invalid(_)
            | laneproof_module::LoadError::Truncated { .. }),
        ) => {
            return (with(Outcome::fault(FaultKind::InvalidOutput, error.to_string())), None);
        }
        Err(error) => return (Outcome::Undecided(error.to_string()), None),
    };
    let outcome = match target.run() {
        Ok(memory) if agrees(expected, &memory) => Outcome::Fine,
        Ok(memory) => with(judged(&target.written(&memory), subject, tree, expected, oracle)),
        Err(stop @ (Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. })) => {
            let mut outcome = Outcome::fault(FaultKind::UndefinedBehavior, stop.to_string());
            if let Outcome::Fault(fault) = &mut outcome {
                fault.expected = Some(subject.written(expected));
            }
            with(outcome)
        }
        Err(stop) => Outcome::Undecided(stop.to_string()),
    };
    (outcome, Some(target))
}

/// Whether some choice leaves what was observed.
fn judged(
    observed: &Value,
    subject: &Subject,
    tree: &Tree,
    expected: &EntryMemory,
    oracle: SearchLimits,
) -> Outcome {
    let document = subject.written(expected);
    let detail = match first(&document, observed, tree) {
        Some((_, _, detail)) => detail,
        None => return Outcome::Fine,
    };
    match subject.judge(observed, Readings::default(), oracle) {
        Judgement::Allowed => Outcome::Fine,
        Judgement::Unknown(reason) => Outcome::Undecided(reason),
        Judgement::NotAllowed => {
            let mut outcome = Outcome::fault(FaultKind::WrongValue, detail);
            if let Outcome::Fault(fault) = &mut outcome {
                fault.expected = Some(document);
                fault.observed = Some(observed.clone());
            }
            outcome
        }
    }
}

fn hung(tool: &Tool) -> String {
    format!("it had not ended after {} seconds, twice", tool.limits.time().as_secs_f64())
}

/// By what it says, a tool does not support a module.
pub(crate) fn says_unsupported(tool: &Tool, reason: &str) -> bool {
    const WORDS: [&str; 7] = [
        "unsupported",
        "unknown extension",
        "not supported",
        "not implemented",
        "unimplemented",
        "unknown capability",
        "cannot be selected",
    ];
    let lower = reason.to_lowercase();
    // A validator needs no support, unless its description says so.
    tool.kind != ToolKind::Accept && WORDS.iter().any(|word| lower.contains(word))
        || tool.unsupported.iter().any(|part| reason.contains(part))
}

/// Examines a module that the reference validator refuses: a tool that accepts has to as well.
pub fn examine_invalid(bench: &Bench<'_>, generated: &Generated) -> Outcome {
    let reason = match Subject::load(&generated.words, generated) {
        Err(error @ laneproof_module::LoadError::Invalid(_)) => error.to_string(),
        Err(error) => return Outcome::Discarded(error.to_string()),
        Ok(_) => return Outcome::Discarded("it is valid".to_owned()),
    };
    match bench.apply(&generated.words) {
        Applied::Accepted => Outcome::fault(FaultKind::AcceptedInvalid, reason),
        Applied::Crashed(reason) => Outcome::fault(FaultKind::Crash, reason),
        Applied::Hung => Outcome::fault(FaultKind::Hang, hung(bench.tool)),
        Applied::Failed(reason) => Outcome::Undecided(reason),
        Applied::Interrupted => Outcome::Interrupted,
        Applied::Refused(_) | Applied::Module(_) | Applied::NoModule(_) => Outcome::Fine,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A validator that refuses what is valid is a finding, unless the module is newer than it.
    #[test]
    fn what_a_version_does_not_know_yet_is_no_finding() {
        let tools = crate::built_in().unwrap();
        let tool = |name: &str| tools.iter().find(|tool| tool.name == name).unwrap();
        for name in ["spirv-opt", "spirv-val"] {
            for reason in [
                "error: line 3: Invalid capability operand: 5087",
                "error: line 7: Invalid execution mode operand: 6023",
            ] {
                assert!(says_unsupported(tool(name), reason), "{name}: {reason}");
            }
            let refused = "error: line 9: Expected Value to be a scalar or vector";
            assert!(!says_unsupported(tool(name), refused), "{name}");
        }
        let flag = "error: line 0: Unknown flag '--canonicalize-ids'. Use --help for a list of valid flags";
        assert!(says_unsupported(tool("spirv-opt"), flag));
    }

    #[test]
    fn the_oracle_takes_a_share_of_the_time() {
        let seconds = Duration::from_secs;
        assert_eq!(allowance(seconds(0), seconds(0)).time, GLANCE);
        assert_eq!(allowance(seconds(10), seconds(9)).time, GLANCE);
        let half = Duration::from_millis(500);
        assert_eq!(allowance(seconds(10), Duration::from_millis(1500)).time, half);
        assert_eq!(allowance(seconds(1000), seconds(9)), ORACLE);
    }
}
