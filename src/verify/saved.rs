//! A counterexample as inputs that `run` and `check` take.

use std::path::Path;

use laneproof_interpreter::LaneValue;
use laneproof_oracle::write_value;
use laneproof_semantics::Type;
use laneproof_verify::{Counterexample, InitialMemory, RegionKind};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output;

/// Why a counterexample is not written.
const OTHER: &str = "has memory that inputs of a function do not say: behind parameters, an \
                     image, or of the workgroup";

/// The parameters of its lanes, and the buffers.
///
/// # Errors
///
/// What of it cannot be given to `run`.
fn inputs(found: &Counterexample) -> Result<Value, &'static str> {
    if found.workgroup.is_some() {
        return Err("has several subgroups, and a function is run in one");
    }
    if found.place.is_some() || found.grid.is_some() {
        return Err("depends on the place of the subgroup or of its lanes in a workgroup");
    }
    let mut inputs = Map::new();
    let mut bindings: Map<String, Value> = Map::new();
    for memory in &found.initial {
        let buffer = buffer(memory);
        match memory.kind {
            RegionKind::Binding(set, binding) => {
                bindings.insert(format!("{set}.{binding}"), buffer);
            }
            RegionKind::PushConstants => {
                inputs.insert("push_constants".to_owned(), buffer);
            }
            _ => return Err(OTHER),
        }
    }
    if !bindings.is_empty() {
        inputs.insert("bindings".to_owned(), bindings.into());
    }
    let parameters = parameters(found).ok_or(OTHER)?;
    inputs.insert("parameters".to_owned(), parameters.into());
    Ok(inputs.into())
}

fn buffer(memory: &InitialMemory) -> Value {
    let ty = Type::Scalar(memory.scalar);
    let values = memory.values.iter().map(|bits| write_value(&LaneValue(vec![Some(*bits)]), &ty));
    json!({ "type": ty.to_string(), "values": values.collect::<Vec<_>>() })
}

/// What each lane is given; `None` where a lane has no such value.
fn parameters(found: &Counterexample) -> Option<Map<String, Value>> {
    let mut parameters: Map<String, Value> = Map::new();
    for row in &found.lanes {
        for shown in &row.inputs {
            let value = shown.leaves.as_ref().map(|leaves| {
                let leaves = leaves.to_vec();
                write_value(&LaneValue(leaves), &shown.ty)
            });
            let parameter = parameters
                .entry(shown.name.clone())
                .or_insert_with(|| json!({ "type": shown.ty.to_string(), "lanes": [] }));
            parameter["lanes"].as_array_mut()?.push(value?);
        }
    }
    Some(parameters)
}

/// Writes the inputs, and says which command shows one of the functions again.
pub fn save(
    found: &Counterexample,
    path: &Path,
    module: &Path,
    function: &str,
) -> Result<String, Failure> {
    let name = path.display().to_string();
    let inputs = match inputs(found) {
        Ok(inputs) => inputs,
        Err(reason) => return Ok(format!("{name}: not written, the counterexample {reason}\n")),
    };
    output::write(path, format!("{inputs:#}\n").as_bytes())?;
    let active = found.lanes.iter().filter(|row| row.active);
    let active = active.fold(0u128, |mask, row| mask | 1 << row.lane);
    let max = match found.max_size == found.subgroup_size {
        true => String::new(),
        false => format!(" --max-size {}", found.max_size),
    };
    Ok(format!(
        "It is shown by: laneproof run {} --function {function} --subgroup-size {}{max} \
         --active {active:#x} --inputs {name}\n",
        module.display(),
        found.subgroup_size,
    ))
}
