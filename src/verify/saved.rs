//! A counterexample as inputs that `run` and `check` take.

use std::path::Path;

use laneproof_interpreter::LaneValue;
use laneproof_interpreter::document::write_value;
use laneproof_verify::Counterexample;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output;

/// The parameters of its lanes; `None` where more than parameters went in: memory, a whole
/// workgroup.
fn inputs(found: &Counterexample) -> Option<Value> {
    if found.workgroup.is_some() || !found.memory.is_empty() {
        return None;
    }
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
    Some(json!({ "parameters": parameters }))
}

/// Writes the inputs, and says which command shows one of the functions again.
pub fn save(
    found: &Counterexample,
    path: &Path,
    module: &Path,
    function: &str,
) -> Result<String, Failure> {
    let name = path.display().to_string();
    let Some(inputs) = inputs(found) else {
        let reason = "not written: the counterexample has memory or several subgroups, which \
                      inputs of a function do not say";
        return Ok(format!("{name}: {reason}\n"));
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
