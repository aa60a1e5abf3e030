//! `laneproof run`: a module in the interpreter, lane by lane.

mod text;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use laneproof_interpreter::document::{
    read_arguments, read_memory, write_finished, write_memory, write_stop,
};
use laneproof_interpreter::{Call, EntryCall, Options, Sizes, Stop, Zeros, call, run_entry};
use laneproof_module::{EntryPoint, Function, Program, load};
use laneproof_proofs::functions;
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_smt::Evaluated;
use serde_json::{Value, json};

use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::setting::{Setting, size};

/// Run a function in one subgroup, or an entry point in one workgroup, in the interpreter
#[derive(Args)]
pub struct Run {
    /// A module
    file: PathBuf,
    /// Lanes of a subgroup, a power of two [default: as many as the inputs have lanes, or 32]
    #[arg(long, value_name = "N", value_parser = size)]
    subgroup_size: Option<u32>,
    /// SubgroupMaxSize [default: the subgroup size]
    #[arg(long, value_name = "M", value_parser = size)]
    max_size: Option<u32>,
    /// Invocations of the workgroup [default: the module's LocalSize, or one subgroup]
    #[arg(long, value_name = "X,Y,Z", value_parser = workgroup, conflicts_with = "function")]
    workgroup: Option<[u32; 3]>,
    /// The lanes that call the function, as a hexadecimal mask [default: all that exist]
    #[arg(long, value_name = "MASK", value_parser = mask, requires = "function")]
    active: Option<u128>,
    /// The function to call
    #[arg(long, value_name = "NAME", conflicts_with = "entry")]
    function: Option<String>,
    /// The entry point to run [default: the only one]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Parameters, bindings or arguments; an image is {"image": {"width": W, "height": H,
    /// "words": […]}}
    #[arg(long, value_name = "FILE.json")]
    inputs: Option<PathBuf>,
}

/// Lanes of a subgroup where nothing says how many there are.
const LANES: u32 = 32;

/// No inputs need more bytes; a device that never ends has more.
const MOST_BYTES: u64 = 1 << 28;

fn mask(text: &str) -> Result<u128, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let mask = u128::from_str_radix(digits, 16).ok().filter(|mask| *mask != 0);
    mask.ok_or_else(|| "expected a hexadecimal mask of at least one lane, as 0xff".to_owned())
}

fn workgroup(text: &str) -> Result<[u32; 3], String> {
    let sizes: Option<Vec<u32>> = text.split(',').map(|size| size.trim().parse().ok()).collect();
    let mut sizes = sizes.filter(|sizes| (1..=3).contains(&sizes.len()) && !sizes.contains(&0));
    let sizes = sizes.as_mut().ok_or("expected one to three positive numbers, as 8,4,1")?;
    sizes.resize(3, 1);
    Ok([sizes[0], sizes[1], sizes[2]])
}

/// What is to be run.
enum Start<'p> {
    Function(&'p Function),
    Entry(&'p EntryPoint),
}

/// How a run ended: its document, or what stopped it.
type Ending = Result<Value, Stop>;

impl Run {
    /// Runs it, and says what came out.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let program = load(&self.file)?;
        let inputs = self.inputs.as_deref().map(read).transpose()?.unwrap_or_else(|| json!({}));
        let start = self.start(&program)?;
        let settled = settled(&setting.specification, &program);
        let primitives = Evaluated::new(&setting.specification, &settled, &program);
        let options = Options { primitives: Some(&primitives), ..Options::default() };
        let ending = match start {
            Start::Function(function) => self.call(&program, function, &inputs, &options)?,
            Start::Entry(entry) => self.enter(&program, entry, &inputs, &options)?,
        };
        match ending {
            Ok(document) => Ok(Answer {
                exit: Exit::Good,
                text: text::document(&document, setting.terminal),
                json: document,
            }),
            Err(stop) => self.stopped(&stop, setting),
        }
    }

    fn start<'p>(&self, program: &'p Program) -> Result<Start<'p>, Failure> {
        let module = || self.file.display().to_string();
        if let Some(name) = &self.function {
            let found = program.function(name).map(Start::Function);
            return found.ok_or_else(|| Failure::NoFunction {
                module: module(),
                function: name.clone(),
                functions: functions(program),
            });
        }
        let mut entries = program.entry_points.iter();
        let found = match &self.entry {
            Some(name) => entries.find(|entry| entry.name == *name),
            None => entries.next().filter(|_| program.entry_points.len() == 1),
        };
        found.map(Start::Entry).ok_or_else(|| {
            let names = program.entry_points.iter().map(|entry| format!("`{}`", entry.name));
            Failure::NoEntry {
                module: module(),
                names: names.collect::<Vec<_>>().join(", "),
                functions: functions(program),
            }
        })
    }

    fn call(
        &self,
        program: &Program,
        function: &Function,
        inputs: &Value,
        options: &Options<'_>,
    ) -> Result<Ending, Failure> {
        self.known_keys(inputs, &["parameters"])?;
        let listed = lanes(inputs);
        let subgroup = self.subgroup_size.unwrap_or(match listed {
            Some(count) => count.clamp(1, 128).next_power_of_two(),
            None => LANES,
        });
        // Fewer lanes in the lists: fewer exist.
        let existing = listed.unwrap_or(subgroup).clamp(1, subgroup);
        let sizes = Sizes { existing, subgroup, max: self.max_size.unwrap_or(subgroup) };
        let arguments = read_arguments(inputs, function, existing).map_err(|error| {
            let names = function.parameters.iter().map(|parameter| format!("`{}`", parameter.name));
            let names = names.collect::<Vec<_>>().join(", ");
            match self.inputs {
                None => self.bad_inputs(format!("the parameters {names} need --inputs")),
                Some(_) => self.bad_inputs(format!("{error} (the parameters are {names})")),
            }
        })?;
        let function_call = Call {
            program,
            function: function.id,
            sizes,
            active: self.active.unwrap_or(sizes.lanes()),
            arguments,
        };
        let ending = call(&function_call, options, &mut Zeros);
        Ok(ending.map(|finished| write_finished(&finished, function)))
    }

    fn enter(
        &self,
        program: &Program,
        entry: &EntryPoint,
        inputs: &Value,
        options: &Options<'_>,
    ) -> Result<Ending, Failure> {
        self.known_keys(inputs, &["bindings", "push_constants", "arguments"])?;
        let memory = read_memory(inputs).map_err(|error| self.bad_inputs(error.to_string()))?;
        let subgroup = self.subgroup_size.unwrap_or(LANES);
        let entry_call = EntryCall {
            program,
            entry,
            workgroup: self.workgroup.or(entry.local_size).unwrap_or([subgroup, 1, 1]),
            subgroup,
            max: self.max_size.unwrap_or(subgroup),
        };
        let ending = run_entry(&entry_call, memory, options, &mut Zeros);
        Ok(ending.map(|memory| write_memory(&memory, inputs)))
    }

    /// A misspelt key would otherwise be an input that nobody reads.
    fn known_keys(&self, inputs: &Value, known: &[&str]) -> Result<(), Failure> {
        let Value::Object(object) = inputs else {
            return Err(self.bad_inputs("the document is not an object".to_owned()));
        };
        match object.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let known = known.join("`, `");
                Err(self.bad_inputs(format!("unknown key `{key}`; expected `{known}`")))
            }
        }
    }

    fn bad_inputs(&self, reason: String) -> Failure {
        let name = self.inputs.as_ref().unwrap_or(&self.file).display().to_string();
        Failure::Inputs { name, reason }
    }

    fn stopped(&self, stop: &Stop, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let exit = match stop {
            Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. } => Exit::Bad,
            Stop::NotModelled { .. } | Stop::Endless { .. } | Stop::StepLimit => Exit::Undecided,
            Stop::BadCall { reason } => {
                let module = self.file.display().to_string();
                return Err(Failure::Inputs { name: module, reason: reason.clone() });
            }
        };
        let json = match stop {
            // To break an assumption is undefined behavior like any other.
            Stop::AssumptionFailed { lanes, site } => json!({ "undefined_behavior": {
                "instruction": "OpAssumeTrueKHR",
                "lanes": lanes,
                "clause": "the assumption is false",
                "word": site.word,
                "path": site.path,
            } }),
            Stop::Endless { .. } | Stop::StepLimit => json!({ "unknown": stop.to_string() }),
            _ => write_stop(stop),
        };
        Ok(Answer { exit, text: text::stop(stop, setting.terminal), json })
    }
}

/// As the profile of the module's kind settles the readings: for functions that it imports.
fn settled(specification: &Specification, program: &Program) -> Settled {
    let name = if program.is_kernel() { "opencl" } else { "vulkan" };
    specification.profiles.get(name).map(|profile| Settled::by(profile)).unwrap_or_default()
}

/// How many lanes the first list of lanes has.
fn lanes(inputs: &Value) -> Option<u32> {
    let parameters = inputs.get("parameters")?.as_object()?;
    let lists = parameters.values().filter_map(|value| value.get("lanes")?.as_array());
    lists.map(|list| u32::try_from(list.len()).unwrap_or(u32::MAX)).next()
}

/// A document in a file.
fn read(path: &Path) -> Result<Value, Failure> {
    let name = path.display().to_string();
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    read.map_err(|source| Failure::Unreadable { name: name.clone(), source })?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::Inputs { name, reason: format!("not a JSON document: {error}") })
}
