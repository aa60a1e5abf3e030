//! Documents of a single function: `parameters` in, `result` out.

use laneproof_interpreter::{CallArgument, EntryMemory, Finished, LaneValue};
use laneproof_module::{Function, ModuleType, Parameter};
use laneproof_semantics::{Scalar, Type as Data};
use serde_json::{Map, Value, json};

use super::entry::memory_members;
use super::scalar::scalar_named;
use super::{DocumentError, OPEN, only, read_value, write_value};

/// The arguments of a function from `{"parameters": {NAME: {"type", "lanes"|"value"}}}`, for
/// `existing` lanes.
///
/// # Errors
///
/// When a parameter is missing or unknown, or a value does not fit.
pub fn read_arguments(
    document: &Value,
    function: &Function,
    existing: u32,
) -> Result<Vec<CallArgument>, DocumentError> {
    let none = Map::new();
    let given = match document.get("parameters") {
        Some(Value::Object(given)) => given,
        None if function.parameters.is_empty() => &none,
        _ => {
            return Err(DocumentError::new(
                "parameters",
                "must be an object, a member for each parameter",
            ));
        }
    };
    let known = |name: &String| function.parameters.iter().any(|known| known.name == *name);
    if let Some(name) = given.keys().find(|name| !known(name)) {
        let place = format!("parameters.{name}");
        return Err(DocumentError::new(&place, no_such(function)));
    }
    function
        .parameters
        .iter()
        .map(|parameter| {
            let place = format!("parameters.{}", parameter.name);
            let value = given
                .get(&parameter.name)
                .ok_or_else(|| DocumentError::new(&place, "is missing"))?;
            read_argument(value, parameter, existing, &place)
        })
        .collect()
}

/// The message for a name that is not a parameter.
fn no_such(function: &Function) -> String {
    let names = function.parameters.iter().map(|known| format!("`{}`", known.name));
    match names.collect::<Vec<_>>().as_slice() {
        [] => "the function has no parameters".to_owned(),
        names => format!("the function has no such parameter; expected {}", names.join(", ")),
    }
}

/// Why something is no list of values by lane.
pub(super) fn wrong_lanes(existing: u32, found: &Value) -> String {
    let found = match found {
        Value::Null => "none".to_owned(),
        Value::Array(lanes) => lanes.len().to_string(),
        other => format!("`{other}`"),
    };
    format!("`lanes` must be a list of {existing}, a value for each lane; found {found}")
}

fn read_argument(
    value: &Value,
    parameter: &Parameter,
    existing: u32,
    place: &str,
) -> Result<CallArgument, DocumentError> {
    let ty = data(&parameter.ty)
        .ok_or_else(|| DocumentError::new(place, "the parameter is not plain data"))?;
    only(value, &["type", "lanes", "value", OPEN], place)?;
    let ty = match value.get("type") {
        None => ty,
        // Arrays and structures have no name but how they are written.
        Some(name) if name.as_str() == Some(&ty.to_string()) => ty,
        Some(name) => match name.as_str().and_then(scalar_named).filter(|it| fits(*it, &ty)) {
            // Of integers the document's own signedness says which values there are.
            Some((scalar, 1)) => Data::Scalar(scalar),
            Some((element, count)) => Data::Vector { element, count },
            None => return Err(DocumentError::of_type(place, &ty, name)),
        },
    };
    match (value.get("lanes"), value.get("value")) {
        (Some(Value::Array(lanes)), None) if lanes.len() == existing as usize => {
            let values = lanes.iter().enumerate();
            let values = values
                .map(|(lane, value)| read_value(value, &ty, &format!("{place}.lanes[{lane}]")))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(CallArgument::PerLane(values))
        }
        (Some(Value::Array(lanes)), None) if lanes.is_empty() => {
            let empty = "`lanes` is empty: expected a value for each lane, as in [1, 2, 3, 4]";
            Err(DocumentError::new(place, empty))
        }
        (Some(lanes), None) => Err(DocumentError::new(place, wrong_lanes(existing, lanes))),
        (None, Some(value)) => {
            Ok(CallArgument::Uniform(read_value(value, &ty, &format!("{place}.value"))?))
        }
        (None, None) => Err(DocumentError::new(place, "has neither `lanes` nor `value`")),
        (Some(_), Some(_)) => Err(DocumentError::new(place, "has both `lanes` and `value`")),
    }
}

/// The data of a parameter: what it points to, where it is a pointer.
pub(super) fn data(ty: &ModuleType) -> Option<Data> {
    match ty {
        ModuleType::Pointer { pointee, .. } => pointee.data(),
        ty => ty.data(),
    }
}

/// True when a named type is the declared one. The signedness of integers may differ: it
/// belongs to the instructions.
pub(super) fn fits((scalar, count): (Scalar, u32), ty: &Data) -> bool {
    let same = |declared: Scalar| match (scalar, declared) {
        (Scalar::Int { width, .. }, Scalar::Int { width: declared, .. }) => width == declared,
        _ => scalar == declared,
    };
    match ty {
        Data::Scalar(declared) => count == 1 && same(*declared),
        Data::Vector { element, count: declared } => count == *declared && same(*element),
        Data::Array { .. } | Data::Struct(_) => false,
    }
}

/// What a call left: [`super::write_memory`] of what was bound, and [`write_finished`].
pub fn write_called(
    finished: &Finished,
    function: &Function,
    (memory, document): (&EntryMemory, &Value),
) -> Value {
    let mut left = memory_members(memory, document);
    left.extend(members(finished, function));
    Value::Object(left)
}

/// `{"result": {"type", "lanes"}}`, with `outputs` where parameters are outputs.
pub fn write_finished(finished: &Finished, function: &Function) -> Value {
    Value::Object(members(finished, function))
}

fn members(finished: &Finished, function: &Function) -> Map<String, Value> {
    let lanes = |ty: &Data, values: &mut dyn Iterator<Item = Option<&LaneValue>>| {
        let values: Vec<Value> =
            values.map(|value| value.map_or(Value::Null, |value| write_value(value, ty))).collect();
        json!({ "type": ty.to_string(), "lanes": values })
    };
    let mut document = Map::new();
    if let Some(ty) = function.result.data() {
        let mut results = finished.results.iter().map(Option::as_ref);
        document.insert("result".into(), lanes(&ty, &mut results));
    }
    let pointers = function.parameters.iter().filter(|parameter| parameter.is_output());
    let mut outputs = Map::new();
    for (parameter, left) in pointers.zip(&finished.outputs) {
        if let Some(ty) = data(&parameter.ty) {
            outputs.insert(parameter.name.clone(), lanes(&ty, &mut left.iter().map(Some)));
        }
    }
    if finished.helpers != 0 {
        let helpers: Vec<u32> = (0..128).filter(|lane| finished.helpers >> lane & 1 == 1).collect();
        document.insert("helpers".into(), json!(helpers));
    }
    if !outputs.is_empty() {
        document.insert("outputs".into(), Value::Object(outputs));
    }
    document
}
