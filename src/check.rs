//! `laneproof check`: does the semantics allow an observation?

mod cases;
mod text;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use laneproof_interpreter::{Choices, LaneValue, Leeway, Readings, RunOptions, call, run_entry};
use laneproof_module::{Named, Program};
use laneproof_oracle::{
    Blind, Observation, ObservedList, ObservedRun, Offence, OracleVerdict, Possible, SearchClock,
    SearchLimits, judge, write_stop, write_value,
};
use laneproof_semantics::Type;
use laneproof_semantics::language::margin::DeviceProfile;
use laneproof_verify::{Evaluated, latitude_in, readings};
use serde_json::{Map, Value, json};

use crate::answer::{Answer, Exit};
use crate::document as files;
use crate::failure::Failure;
use crate::run::why;
use crate::setting::{Setting, seconds};
use crate::start::{Start, Started, known_keys};
use crate::supervisor::Pending;
use crate::validate::device;

/// Ask whether what was observed somewhere else is allowed: results of a function, or the memory
/// that an entry point leaves
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    start: Start,
    /// The observed results, in the form in which `run` prints them; what is missing is not
    /// compared, and null means that a value is undefined
    #[arg(long, value_name = "FILE.json", required_unless_present = "cases")]
    observed: Option<PathBuf>,
    /// Many at once: a line of JSON each, with `inputs` and `observed` in the forms of those files
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["inputs", "observed"])]
    cases: Option<PathBuf>,
    /// The facts of the device on which they were observed, as for `validate`: a file, or the
    /// name of a built-in one; the embedded profile of OpenCL allows larger errors
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,
    /// How long to search for choices that explain a case
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    timeout: Duration,
}

/// The most runs.
const RUNS: u64 = 1 << 18;

/// What every case is judged on: the module, and how what it leaves open is read.
struct Ground<'a> {
    program: &'a Program,
    primitives: &'a Evaluated<'a>,
    readings: Readings,
    leeway: Leeway,
}

/// One observed run: inputs, outputs, and its name in messages.
struct Case<'a> {
    inputs: &'a Value,
    observed: &'a Value,
    name: &'a str,
}

/// The case and its verdict.
struct Judged {
    observation: Observation,
    verdict: OracleVerdict,
}

/// A value that no choice explains.
struct Unexplained<'o> {
    part: &'o ObservedList,
    /// Of the lane or the element.
    index: usize,
    observed: Value,
    /// What each scalar of it can be; `None` where it is explained.
    possible: Vec<Option<&'o Possible>>,
}

/// The answer before anything is known.
pub fn pending() -> Pending {
    let json = json!({ "verdict": "unknown", "reason": null });
    Pending { bad: false, text: String::new(), json }
}

impl Check {
    /// Looks for a run that gives it.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let program = self.start.load()?;
        let settled = self.start.settled(&setting.specification, &program)?;
        let primitives = Evaluated::new(&setting.specification, &settled, &program);
        let ground = Ground {
            program: &program,
            primitives: &primitives,
            readings: readings(&settled),
            leeway: Leeway::new(
                latitude_in(&setting.specification, &settled, self.device_profile()?),
                &program,
            ),
        };
        if let Some(cases) = &self.cases {
            return self.all(&ground, cases, setting);
        }
        let inputs = self.start.inputs()?;
        // The command line requires it without cases.
        let observed = self.observed.as_deref().unwrap_or(Path::new(""));
        let case = Case {
            inputs: &inputs,
            observed: &files::json(observed)?,
            name: &files::name(observed),
        };
        self.one(&ground, &case, setting)
    }

    /// The profile of the device, which is the full one unless its facts say otherwise.
    fn device_profile(&self) -> Result<DeviceProfile, Failure> {
        let device = self.device.as_deref().map(device).transpose()?;
        Ok(match device.is_some_and(|device| device.is_embedded()) {
            true => DeviceProfile::Embedded,
            false => DeviceProfile::Full,
        })
    }

    /// Looks for a run that gives what was observed in one case.
    fn one(
        &self,
        ground: &Ground<'_>,
        case: &Case<'_>,
        setting: &Setting<'_>,
    ) -> Result<Answer, Failure> {
        let Judged { observation, verdict } = self.judged(ground, case)?;
        let (exit, word) = match &verdict {
            OracleVerdict::Allowed | OracleVerdict::Behavior(_) => (Exit::Good, "allowed"),
            OracleVerdict::NotAllowed { .. } => (Exit::Bad, "not-allowed"),
            OracleVerdict::Undecided { .. } => (Exit::Undecided, "unknown"),
            OracleVerdict::BadCall(reason) => return Err(self.start.bad_call(reason)),
        };
        let reason = reason(&verdict, ground.program);
        let unexplained = match &verdict {
            OracleVerdict::NotAllowed { offences, .. }
            | OracleVerdict::Undecided { offences, .. } => unexplained(&observation, offences),
            _ => Vec::new(),
        };
        let mut json = json!({ "verdict": word, "reason": reason });
        if let OracleVerdict::Behavior(stop) = &verdict {
            json["undefined_behavior"] =
                write_stop(stop, ground.program)["undefined_behavior"].clone();
        }
        let list = |by_lane: bool| -> Vec<Value> {
            let of = unexplained.iter().filter(|it| it.part.by_lane == by_lane);
            of.map(|it| document(it, &observation, ground.program)).collect()
        };
        for (key, values) in [("lanes", list(true)), ("elements", list(false))] {
            if !values.is_empty() {
                json[key] = values.into();
            }
        }
        let text = text::answer(
            word,
            &reason,
            &unexplained,
            (&observation, ground.program),
            setting.terminal,
        );
        Ok(Answer { exit, text, json })
    }

    fn judged(&self, ground: &Ground<'_>, case: &Case<'_>) -> Result<Judged, Failure> {
        let Case { inputs, observed, name } = *case;
        let Ground { program, primitives, readings, ref leeway } = *ground;
        let started = self.start.started(program, inputs)?;
        let wrong = |reason: String| Failure::Inputs { name: name.to_owned(), reason };
        let blind = Blind::of(program);
        let deadline = Some(Instant::now() + self.timeout);
        let options = |follow: bool| RunOptions {
            deadline,
            primitives: Some(primitives),
            readings,
            races: true,
            fences: true,
            follow,
            in_full: true,
            leeway: Some(leeway),
            ..RunOptions::default()
        };
        let limits = SearchLimits { runs: RUNS, time: self.timeout, clock: SearchClock::Wall };
        let ask = |observation: &Observation, subject: ObservedRun<'_>| {
            judge(&observation.cells(), subject, blind, limits)
        };
        let (observation, verdict) = match started {
            Started::Function(function, request, memory) => {
                let known = ["result", "outputs", "helpers", "bindings", "push_constants"];
                known_keys(observed, &known).map_err(wrong)?;
                let existing = request.sizes.existing;
                let observation = Observation::of_function(observed, inputs, function, existing)
                    .map_err(|error| wrong(error.to_string()))?;
                let subject = |follow: bool, choices: &mut dyn Choices| {
                    let options = RunOptions { reachable: memory.reachable(), ..options(follow) };
                    let finished = call(&request, &options, choices)?;
                    let left = memory.left(&finished);
                    Ok(observation.in_finished(&finished, request.active, &left))
                };
                let verdict = ask(&observation, &subject);
                (observation, verdict)
            }
            Started::Entry(request, memory) => {
                let known = ["bindings", "push_constants", "arguments"];
                known_keys(observed, &known).map_err(wrong)?;
                let observation = Observation::of_memory(observed, inputs)
                    .map_err(|error| wrong(error.to_string()))?;
                let subject = |follow: bool, choices: &mut dyn Choices| {
                    let left = run_entry(&request, memory.clone(), &options(follow), choices)?;
                    Ok(observation.in_memory(&left))
                };
                let verdict = ask(&observation, &subject);
                (observation, verdict)
            }
        };
        Ok(Judged { observation, verdict })
    }
}

fn reason(verdict: &OracleVerdict, program: &Program) -> String {
    match verdict {
        OracleVerdict::Allowed => "some choice gives it".to_owned(),
        OracleVerdict::Behavior(stop) => {
            format!("everything is: some choice ends in {}", why(stop, program))
        }
        OracleVerdict::NotAllowed { jointly: false, .. } => "no choice gives it".to_owned(),
        OracleVerdict::NotAllowed { jointly: true, .. } => {
            "some choice gives each value, but none gives all of them together".to_owned()
        }
        OracleVerdict::Undecided { reason, .. } | OracleVerdict::BadCall(reason) => reason.clone(),
    }
}

/// Scalars that are not explained, as the values that they are in.
fn unexplained<'o>(observation: &'o Observation, offences: &'o [Offence]) -> Vec<Unexplained<'o>> {
    let mut found: Vec<Unexplained<'o>> = Vec::new();
    for offence in offences {
        let Some((part, index, leaf)) = place(observation, offence.cell) else { continue };
        let same = |it: &Unexplained<'_>| it.part.name == part.name && it.index == index;
        if !found.last().is_some_and(same) {
            let value = &part.values[index];
            let observed = write_value(value, &part.ty);
            let possible = vec![None; value.0.len()];
            found.push(Unexplained { part, index, observed, possible });
        }
        if let Some(last) = found.last_mut() {
            last.possible[leaf] = Some(&offence.possible);
        }
    }
    found
}

/// The part, the value in it, and the scalar in that, of a cell.
fn place(observation: &Observation, mut cell: usize) -> Option<(&ObservedList, usize, usize)> {
    for part in &observation.parts {
        let count = part.ty.leaf_count();
        let all = count * part.values.len();
        if cell < all {
            return Some((part, cell / count, cell % count));
        }
        cell -= all;
    }
    None
}

/// A value and what it can be.
fn document(value: &Unexplained<'_>, observation: &Observation, program: &Program) -> Value {
    let mut out = Map::new();
    let key = if value.part.by_lane { "lane" } else { "element" };
    out.insert("of".into(), value.part.name.clone().into());
    out.insert(key.into(), value.index.into());
    out.insert("observed".into(), value.observed.clone());
    let (values, words) = possible(value, observation, program);
    match values {
        Some(values) => out.insert("possible".into(), values.into()),
        None => out.insert("possible".into(), words.join("; ").into()),
    };
    Value::Object(out)
}

/// Values that it can be, where they are known, or words for it.
fn possible(
    value: &Unexplained<'_>,
    observation: &Observation,
    program: &Program,
) -> (Option<Vec<Value>>, Vec<String>) {
    let ty = &value.part.ty;
    let known = |possible: &&Possible| matches!(possible, Possible::Values(_));
    let several = value.possible.len() > 1;
    if value.possible.iter().flatten().all(known) {
        if let [Some(Possible::Values(all))] = value.possible.as_slice() {
            let scalar = |bits: &u64| write_value(&LaneValue(vec![Some(*bits)]), ty);
            return (Some(all.iter().map(scalar).collect()), Vec::new());
        }
        // Of a vector: with the first value of each component that is not explained.
        let observed = value.part.values[value.index].0.iter();
        let leaves = observed.zip(&value.possible).map(|(observed, possible)| match possible {
            Some(Possible::Values(all)) => all.first().copied().or(*observed),
            _ => *observed,
        });
        return (Some(vec![write_value(&LaneValue(leaves.collect()), ty)]), Vec::new());
    }
    let scalars = ty.leaves();
    let words = value.possible.iter().enumerate().filter_map(|(leaf, possible)| {
        let words = match possible.as_ref()? {
            Possible::Values(all) => {
                let one = Type::Scalar(scalars[leaf]);
                let write =
                    |bits: &u64| write_value(&LaneValue(vec![Some(*bits)]), &one).to_string();
                all.iter().map(write).collect::<Vec<_>>().join(" or ")
            }
            Possible::Nan => "a NaN".to_owned(),
            Possible::Order(opcode, word) => {
                format!("what some order of {} gives ({})", opcode.name(), place_of(program, *word))
            }
            Possible::Bounded(opcode, word) => {
                format!(
                    "what {} may give by the environment's bounds ({})",
                    opcode.name(),
                    place_of(program, *word)
                )
            }
            Possible::SerializationOrder(opcode, word) => {
                format!(
                    "what lanes find that update memory at {} ({})",
                    opcode.name(),
                    place_of(program, *word)
                )
            }
            Possible::SameAs(cell) => match place(observation, *cell) {
                Some((part, index, _)) => format!("the same as {}[{index}]", part.name),
                None => "the same as elsewhere".to_owned(),
            },
        };
        Some(if several { format!("component {leaf}: {words}") } else { words })
    });
    (None, words.collect())
}

/// The place of an instruction: in the compiled source, or in the module.
fn place_of(program: &Program, word: u32) -> String {
    match program.debug.lines.get(&word) {
        Some(line) => format!("line {}", line.line),
        None => format!("word {word}"),
    }
}
