//! What `run` and `check` begin with: a module, what of it is run, by how many lanes, from which
//! inputs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use laneproof_frontends::Source;
use laneproof_interpreter::{BoundBuffers, Call, EntryCall, EntryMemory, Readings, Sizes};
use laneproof_module::spirv::ExecutionMode;
use laneproof_module::{EntryPoint, Function, Program};
use laneproof_oracle::{read_arguments, read_memory, read_scalar};
use laneproof_semantics::denote::Settled;
use laneproof_semantics::{Scalar, Specification};
use laneproof_verify::{ClaimError, functions, not_followed, only, settle};
use serde_json::{Value, json};

use crate::compilers;
use crate::document;
use crate::excerpt::escaped;
use crate::failure::Failure;
use crate::setting::{reading, size};

/// Flags of a run.
#[derive(Args)]
pub struct Start {
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
    /// The value of the specialization constant with this SpecId (repeatable) [default: the
    /// module's own]
    #[arg(long, value_name = "ID=VALUE", value_parser = spec_constant)]
    spec_constant: Vec<(u32, Value)>,
    /// Parameters, bindings or arguments; an image is {"image": {"width": W, "height": H,
    /// "words": […]}}
    #[arg(long, value_name = "FILE.json")]
    inputs: Option<PathBuf>,
    /// How open points are read [default: by the module's kind]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Settle one open point otherwise than the profile does (repeatable)
    #[arg(long, value_name = "NAME=ALTERNATIVE", value_parser = reading)]
    reading: Vec<(String, String)>,
}

/// Lanes of a subgroup where nothing says how many there are.
const LANES: u32 = 32;

fn mask(text: &str) -> Result<u128, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let mask = u128::from_str_radix(digits, 16).ok().filter(|mask| *mask != 0);
    mask.ok_or_else(|| "expected a hexadecimal mask of at least one lane, as 0xff".to_owned())
}

/// A value is as in inputs, quoted or not.
fn spec_constant(text: &str) -> Result<(u32, Value), String> {
    let (spec_id, value) = text.split_once('=').ok_or("expected ID=VALUE, as 3=16")?;
    let spec_id = spec_id.trim().parse().map_err(|_| "expected ID=VALUE, as 3=16")?;
    let plain = || Value::String(value.trim().to_owned());
    let value = serde_json::from_str(value).ok().filter(|value: &Value| !value.is_null());
    Ok((spec_id, value.unwrap_or_else(plain)))
}

fn workgroup(text: &str) -> Result<[u32; 3], String> {
    let sizes: Option<Vec<u32>> = text.split(',').map(|size| size.trim().parse().ok()).collect();
    let mut sizes = sizes.filter(|sizes| (1..=3).contains(&sizes.len()) && !sizes.contains(&0));
    let sizes = sizes.as_mut().ok_or("expected one to three positive numbers, as 8,4,1")?;
    sizes.resize(3, 1);
    Ok([sizes[0], sizes[1], sizes[2]])
}

/// What is to be run, from what.
pub enum Started<'p> {
    /// A function, in one subgroup, with the buffers that it may access.
    Function(&'p Function, Call<'p>, BoundBuffers),
    /// An entry point, in one workgroup.
    Entry(EntryCall<'p>, EntryMemory),
}

impl Start {
    /// Reads the module.
    pub fn load(&self) -> Result<Program, Failure> {
        let program = Source::read(&self.file)?.program(&compilers())?;
        if self.spec_constant.is_empty() {
            return Ok(program);
        }
        let mut values = BTreeMap::new();
        for (spec_id, value) in &self.spec_constant {
            let mut known = program.specialization_constants();
            // One that there is not is for the module to say.
            let found = known.find(|(known, ..)| known == spec_id);
            let scalar = found.map_or(Scalar::uint(64), |(_, scalar, _)| scalar);
            let place = format!("--spec-constant {spec_id}");
            let bits = read_scalar(value, scalar, &place)
                .map_err(|error| self.bad_call(&error.to_string()))?;
            values.insert(*spec_id, bits.unwrap_or(0));
        }
        program.specialized(&values).map_err(|error| self.bad_call(&error.to_string()))
    }

    /// Reads the inputs; by default an empty document.
    pub fn inputs(&self) -> Result<Value, Failure> {
        self.inputs.as_deref().map_or_else(|| Ok(json!({})), document::json)
    }

    /// How open points are read. The interpreter can read some in several ways, the others as the
    /// profile of the module's kind does.
    pub fn settled(
        &self,
        specification: &Specification,
        program: &Program,
    ) -> Result<Settled, Failure> {
        let (kernel, profile) = (program.is_kernel(), self.profile.as_deref());
        let (_, asked) = settle(specification, kernel, profile, &self.reading)
            .map_err(|source| Failure::of_verify(self.module(), source))?;
        match not_followed(specification, &asked, kernel).first() {
            None => Ok(asked),
            Some(name) => Err(self.bad_call(&format!(
                "the interpreter reads `{name}` in one way only, and settles {}",
                Readings::NAMES.join(", ")
            ))),
        }
    }

    /// What the flags and the inputs say.
    pub fn started<'p>(
        &self,
        program: &'p Program,
        inputs: &Value,
    ) -> Result<Started<'p>, Failure> {
        if let Some(name) = &self.function {
            only(program, name, &self.module())?;
            let function = program.function(name).ok_or_else(|| ClaimError::NoFunction {
                module: self.module(),
                function: name.clone(),
                functions: functions(program),
            })?;
            return self.call(program, function, inputs);
        }
        let mut entries = program.entry_points.iter();
        let found = match &self.entry {
            Some(name) => entries.find(|entry| entry.name == *name),
            None => entries.next().filter(|_| program.entry_points.len() == 1),
        };
        let entry = found.ok_or_else(|| {
            let names = program.entry_points.iter().map(|entry| format!("`{}`", entry.name));
            let names = names.collect::<Vec<_>>().join(", ");
            let (module, functions) = (self.module(), functions(program));
            match self.entry.clone() {
                Some(entry) => Failure::NoSuchEntry { module, entry, names, functions },
                None => Failure::NoEntry { module, names, functions },
            }
        })?;
        self.enter(program, entry, inputs)
    }

    fn call<'p>(
        &self,
        program: &'p Program,
        function: &'p Function,
        inputs: &Value,
    ) -> Result<Started<'p>, Failure> {
        if inputs.get("arguments").is_some() {
            return Err(self.bad_inputs(
                "`arguments` goes with an entry point (--entry), and a function takes `parameters`"
                    .to_owned(),
            ));
        }
        let known = ["parameters", "bindings", "push_constants"];
        known_keys(inputs, &known).map_err(|reason| self.bad_inputs(reason))?;
        let memory = self.memory(program, inputs)?;
        if let Some((set, binding)) = memory.images.keys().next() {
            return Err(self.bad_inputs(format!(
                "binding {set}.{binding} is an image, which only entry points get (--entry)"
            )));
        }
        let listed = lanes(inputs);
        let subgroup = self.subgroup_size.unwrap_or(match listed {
            Some(count) => count.clamp(1, 128).next_power_of_two(),
            None => LANES,
        });
        // Fewer lanes in the lists: fewer exist.
        let existing = listed.unwrap_or(subgroup).clamp(1, subgroup);
        let sizes = Sizes { existing, subgroup, max: self.max(subgroup)? };
        let arguments = read_arguments(inputs, function, existing).map_err(|error| {
            let reason = if self.inputs.is_none() { missing(function) } else { error.to_string() };
            self.bad_inputs(reason)
        })?;
        let active = self.active.unwrap_or(sizes.lanes());
        let absent = active & !sizes.lanes();
        if absent != 0 {
            let (lane, last) = (absent.trailing_zeros(), existing - 1);
            return Err(self.bad_call(&format!(
                "--active {active:#x} names lane {lane}; the lanes that exist are 0 to {last} \
                 (--inputs, --subgroup-size)"
            )));
        }
        let call = Call { program, function: function.id, sizes, active, arguments };
        Ok(Started::Function(function, call, BoundBuffers::new(program, memory)))
    }

    fn enter<'p>(
        &self,
        program: &'p Program,
        entry: &'p EntryPoint,
        inputs: &Value,
    ) -> Result<Started<'p>, Failure> {
        let known = ["bindings", "push_constants", "arguments"];
        known_keys(inputs, &known).map_err(|reason| self.bad_inputs(reason))?;
        let memory = self.memory(program, inputs)?;
        let workgroup = self.workgroup.or(entry.local_size);
        let subgroup = self.required_size(entry, workgroup)?;
        let call = EntryCall {
            program,
            entry,
            workgroup: workgroup.unwrap_or([subgroup, 1, 1]),
            subgroup,
            max: self.max(subgroup)?,
        };
        Ok(Started::Entry(call, memory))
    }

    /// The subgroup size that the options say, or the entry point's execution modes; an error where
    /// they contradict each other.
    fn required_size(
        &self,
        entry: &EntryPoint,
        workgroup: Option<[u32; 3]>,
    ) -> Result<u32, Failure> {
        let required = |wanted| {
            let mut modes = entry.modes.iter().filter(|(mode, _)| *mode == wanted);
            modes.find_map(|(_, literals)| literals.first().copied())
        };
        let size = required(ExecutionMode::SubgroupSize);
        let subgroups = required(ExecutionMode::SubgroupsPerWorkgroup);
        let invocations = workgroup.map(|sides| sides.iter().map(|it| u64::from(*it)).product());
        let makes = |size: u32| {
            let subgroups = subgroups.map(u64::from);
            let found = invocations.map_or(Some(1), |it: u64| it.div_ceil(size.into()).into());
            subgroups.is_none() || subgroups == found
        };
        let said = self.subgroup_size.or(size);
        let sizes = [LANES, 64, 128, 16, 8, 4, 2, 1];
        let chosen = said.or_else(|| sizes.into_iter().find(|size| makes(*size)));
        match (chosen, size) {
            (Some(chosen), Some(size)) if chosen != size => Err(self.bad_call(&format!(
                "--subgroup-size {chosen} contradicts the entry point's execution mode \
                 `SubgroupSize {size}`"
            ))),
            (Some(chosen), _) if makes(chosen) => Ok(chosen),
            _ => Err(self.bad_call(&format!(
                "the entry point's execution mode `SubgroupsPerWorkgroup {}` is not met \
                 (--subgroup-size, --workgroup)",
                subgroups.unwrap_or_default()
            ))),
        }
    }

    /// The memory that the inputs give, with a warning where the module has no use for it.
    fn memory(&self, program: &Program, inputs: &Value) -> Result<EntryMemory, Failure> {
        let memory = read_memory(inputs).map_err(|error| self.bad_inputs(error.to_string()))?;
        let bound = |place: &(u32, u32)| {
            program.globals.values().any(|global| global.binding == Some(*place))
        };
        let places = memory.bindings.keys().chain(memory.images.keys());
        for (set, binding) in places.filter(|place| !bound(place)) {
            let file = self.inputs.as_ref().unwrap_or(&self.file).display().to_string();
            eprintln!(
                "warning: {}: nothing in the module is bound to {set}.{binding}",
                escaped(&file)
            );
        }
        Ok(memory)
    }

    /// SubgroupMaxSize.
    fn max(&self, subgroup: u32) -> Result<u32, Failure> {
        match self.max_size {
            Some(max) if max < subgroup => Err(self.bad_call(&format!(
                "--max-size {max} is less than the subgroup size, {subgroup} (--subgroup-size)"
            ))),
            max => Ok(max.unwrap_or(subgroup)),
        }
    }

    /// A call that makes no sense.
    pub fn bad_call(&self, reason: &str) -> Failure {
        Failure::Inputs { name: self.module(), reason: reason.to_owned() }
    }

    fn module(&self) -> String {
        document::name(&self.file)
    }

    fn bad_inputs(&self, reason: String) -> Failure {
        let name = document::name(self.inputs.as_ref().unwrap_or(&self.file));
        Failure::Inputs { name, reason }
    }
}

/// The missing inputs of a function.
fn missing(function: &Function) -> String {
    let names = function.parameters.iter().map(|parameter| format!("`{}`", parameter.name));
    let names = names.collect::<Vec<_>>().join(", ");
    let several = function.parameters.len() > 1;
    let (s, verb) = if several { ("s", "need values") } else { ("", "needs values") };
    let name = function.parameters.first().map_or("x", |parameter| &*parameter.name);
    format!(
        "the parameter{s} {names} {verb}: --inputs FILE.json, as \
         {{\"parameters\": {{\"{name}\": {{\"lanes\": [1, 2, 3, 4]}}}}}}"
    )
}

/// A misspelt key would otherwise be ignored.
pub fn known_keys(document: &Value, known: &[&str]) -> Result<(), String> {
    let Value::Object(object) = document else {
        return Err("the document is not an object".to_owned());
    };
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(format!("unknown key `{key}`; expected `{}`", known.join("`, `"))),
    }
}

/// How many lanes the first list of lanes has that is not empty.
fn lanes(inputs: &Value) -> Option<u32> {
    let parameters = inputs.get("parameters")?.as_object()?;
    let lists = parameters.values().filter_map(|value| value.get("lanes")?.as_array());
    let mut counts = lists.map(|list| u32::try_from(list.len()).unwrap_or(u32::MAX));
    counts.find(|count| *count > 0)
}
