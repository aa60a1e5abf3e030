//! Documents of observations, in the form of the documents of runs. Results, outputs, bindings and
//! arguments that are not listed were not observed; a list is complete.

use laneproof_interpreter::{
    Buffer, EntryMemory, Finished, KernelArgument, LaneValue, scalar_size,
};
use laneproof_module::Function;
use laneproof_semantics::Type;
use serde_json::{Map, Value};

use super::entry::{element, image_words, layout, set_and_binding};
use super::function::{data, fits, wrong_lanes};
use super::scalar::scalar_named;
use super::{DocumentError, OPEN, only, read_value};
use crate::judge::Cell;

/// The place of a part of an observation in the outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Result,
    Output(usize),
    /// Which lanes have become helpers.
    Helpers,
    Binding((u32, u32)),
    PushConstants,
    Argument(usize),
}

/// A list of values that was observed.
#[derive(Clone, Debug)]
pub struct ObservedList {
    /// What it is: `result`, `outputs.x`, `helpers`, `bindings.0.1`, `push_constants`, `arguments[2]`.
    pub name: String,
    /// One value a lane, or one an element.
    pub by_lane: bool,
    /// The type of a value.
    pub ty: Type,
    /// Its values.
    pub values: Vec<LaneValue>,
    source: Source,
}

/// All that was observed.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The lists, in the order in which their scalars are [`Observation::cells`].
    pub parts: Vec<ObservedList>,
}

impl Observation {
    /// What a function returned and left behind its pointers, from
    /// `{"result": {"type", "lanes"}, "outputs": {NAME: {"type", "lanes"}}, "helpers": [LANE]}`, and
    /// in the memory of its `inputs`.
    ///
    /// # Errors
    ///
    /// When the document has another form, a value does not fit, or nothing was observed.
    pub fn of_function(
        document: &Value,
        inputs: &Value,
        function: &Function,
        existing: u32,
    ) -> Result<Self, DocumentError> {
        let mut parts = bound(document, inputs)?;
        if let Some(given) = document.get("result") {
            let ty = function.result.data();
            let ty = ty.ok_or_else(|| DocumentError::new("result", "the function returns none"))?;
            parts.push(lanes(given, "result".into(), ty, existing, Source::Result)?);
        }
        let outputs = object(document, "outputs")?;
        let pointers: Vec<_> = function.parameters.iter().filter(|it| it.is_output()).collect();
        for (name, given) in &outputs {
            let place = format!("outputs.{name}");
            let number = pointers.iter().position(|parameter| parameter.name == *name);
            let known = number.and_then(|number| Some((number, data(&pointers[number].ty)?)));
            let (number, ty) = known.ok_or_else(|| {
                DocumentError::new(&place, "the function has no such parameter that is an output")
            })?;
            parts.push(lanes(given, place, ty, existing, Source::Output(number))?);
        }
        if let Some(given) = document.get("helpers") {
            parts.push(helpers(given, existing)?);
        }
        Self::of(parts)
    }

    /// What an entry point left in memory, from a document as its `inputs`.
    ///
    /// # Errors
    ///
    /// When the document has another form or describes other memory, or nothing was observed.
    pub fn of_memory(document: &Value, inputs: &Value) -> Result<Self, DocumentError> {
        let mut parts = bound(document, inputs)?;
        let none = Vec::new();
        let given = inputs.get("arguments").and_then(Value::as_array).unwrap_or(&none);
        let arguments = match document.get("arguments") {
            None => &none,
            Some(Value::Array(arguments)) if arguments.len() == given.len() => arguments,
            Some(_) => {
                let reason = format!("expected a list of {}", given.len());
                return Err(DocumentError::new("arguments", reason));
            }
        };
        for (number, (argument, input)) in arguments.iter().zip(given).enumerate() {
            let place = format!("arguments[{number}]");
            // Values are only passed on, and null means that it was not observed.
            if argument.is_null() || input.get("value").is_some() {
                continue;
            }
            let part = |value: &Value| value.get("buffer").cloned();
            let (observed, input) = match (part(argument), part(input)) {
                (Some(observed), Some(input)) => (observed, input),
                _ => (argument.clone(), input.clone()),
            };
            parts.push(memory(&observed, &input, place, Source::Argument(number))?);
        }
        Self::of(parts)
    }

    fn of(parts: Vec<ObservedList>) -> Result<Self, DocumentError> {
        match parts.iter().all(|part| part.values.is_empty()) {
            true => Err(DocumentError::new("", "nothing in it was observed")),
            false => Ok(Self { parts }),
        }
    }

    /// Scalar by scalar.
    pub fn cells(&self) -> Vec<Cell> {
        let of = |part: &ObservedList| {
            let scalars = part.ty.leaves();
            let values = part.values.iter();
            let cells = values.flat_map(|value| {
                let leaves = scalars.iter().zip(&value.0);
                leaves.map(|(scalar, bits)| Cell { scalar: *scalar, observed: *bits })
            });
            cells.collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// What a call gave in the place of each cell, and left in memory. `active`: the lanes whose
    /// outputs count.
    pub fn in_finished(
        &self,
        finished: &Finished,
        active: u128,
        left: &EntryMemory,
    ) -> Vec<Option<u64>> {
        let of = |part: &ObservedList| -> Vec<Option<u64>> {
            let helpers = |lane: usize| vec![Some((finished.helpers >> lane & 1) as u64)];
            let lane = |lane: usize| match part.source {
                _ if active >> lane & 1 == 0 => None,
                Source::Result => finished.results.get(lane)?.as_ref(),
                Source::Output(number) => finished.outputs.get(number)?.get(lane),
                _ => None,
            };
            if !part.by_lane {
                return in_memory(part, left);
            }
            let count = part.ty.leaf_count();
            let lanes = 0..part.values.len();
            lanes
                .flat_map(|number| match lane(number) {
                    _ if part.source == Source::Helpers => helpers(number),
                    Some(value) => value.0.clone(),
                    None => vec![None; count],
                })
                .collect()
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// What memory holds in the place of each cell.
    pub fn in_memory(&self, left: &EntryMemory) -> Vec<Option<u64>> {
        self.parts.iter().flat_map(|part| in_memory(part, left)).collect()
    }
}

/// What memory holds in the place of a part.
fn in_memory(part: &ObservedList, left: &EntryMemory) -> Vec<Option<u64>> {
    let bytes = match part.source {
        Source::Binding(place) => {
            let image = || left.images.get(&place).map(|image| &image.bytes);
            left.bindings.get(&place).or_else(image)
        }
        Source::PushConstants => left.push_constants.as_ref(),
        Source::Argument(number) => match left.arguments.get(number) {
            Some(KernelArgument::Buffer(buffer)) => Some(buffer),
            Some(KernelArgument::Image(image)) => Some(&image.bytes),
            _ => None,
        },
        _ => None,
    };
    scalars(bytes.unwrap_or(&Buffer::new()), &part.ty, part.values.len())
}

/// What was observed of bindings and push constants.
fn bound(document: &Value, inputs: &Value) -> Result<Vec<ObservedList>, DocumentError> {
    let mut parts = Vec::new();
    let given = object(inputs, "bindings")?;
    for (name, binding) in &object(document, "bindings")? {
        let place = format!("bindings.{name}");
        let source = set_and_binding(name).map(Source::Binding);
        let input = given.get(name).zip(source);
        let (input, source) = input.ok_or_else(|| no_such(&place))?;
        parts.push(memory(binding, input, place, source)?);
    }
    if let Some(constants) = document.get("push_constants") {
        let place = "push_constants".to_owned();
        let input = inputs.get("push_constants").ok_or_else(|| no_such(&place))?;
        parts.push(memory(constants, input, place, Source::PushConstants)?);
    }
    Ok(parts)
}

fn no_such(place: &str) -> DocumentError {
    DocumentError::new(place, "the inputs have no such memory")
}

fn object(document: &Value, key: &str) -> Result<Map<String, Value>, DocumentError> {
    match document.get(key) {
        None => Ok(Map::new()),
        Some(Value::Object(object)) => Ok(object.clone()),
        Some(_) => Err(DocumentError::new(key, "not an object")),
    }
}

fn lanes(
    given: &Value,
    place: String,
    ty: Type,
    existing: u32,
    source: Source,
) -> Result<ObservedList, DocumentError> {
    only(given, &["type", "lanes", OPEN], &place)?;
    if let Some(name) = given.get("type") {
        let named = name.as_str().and_then(scalar_named);
        if name.as_str() != Some(&ty.to_string()) && !named.is_some_and(|named| fits(named, &ty)) {
            return Err(DocumentError::of_type(&place, &ty, name));
        }
    }
    let listed = given.get("lanes").unwrap_or(&Value::Null);
    let values = listed
        .as_array()
        .filter(|values| values.len() == existing as usize)
        .ok_or_else(|| DocumentError::new(&place, wrong_lanes(existing, listed)))?;
    let values = read_list(values, &ty, &format!("{place}.lanes"))?;
    Ok(ObservedList { name: place, by_lane: true, ty, values, source })
}

/// The lanes that have become helpers, from the list of their numbers.
fn helpers(given: &Value, existing: u32) -> Result<ObservedList, DocumentError> {
    let number = |it: &Value| it.as_u64().filter(|it| *it < u64::from(existing));
    let listed: Option<Vec<u64>> =
        given.as_array().and_then(|list| list.iter().map(number).collect());
    let reason = || DocumentError::new("helpers", "expected a list of numbers of lanes");
    let listed = listed.ok_or_else(reason)?;
    let is_helper = |lane| LaneValue(vec![Some(u64::from(listed.contains(&lane)))]);
    Ok(ObservedList {
        name: "helpers".into(),
        by_lane: true,
        ty: Type::BOOL,
        values: (0..u64::from(existing)).map(is_helper).collect(),
        source: Source::Helpers,
    })
}

fn memory(
    given: &Value,
    input: &Value,
    place: String,
    source: Source,
) -> Result<ObservedList, DocumentError> {
    if let Some(image) = input.get("image") {
        let observed = given.get("image").ok_or_else(|| DocumentError::new(&place, "no image"))?;
        only(given, &["image"], &place)?;
        let (ty, expected) =
            (Type::Scalar(laneproof_semantics::Scalar::uint(32)), image_words(image, &place)?);
        let values =
            read_list(image_words(observed, &place)?, &ty, &format!("{place}.image.words"))?;
        if values.len() != expected.len() {
            return Err(DocumentError::new(&place, "the image is of another size"));
        }
        return Ok(ObservedList { name: place, by_lane: false, ty, values, source });
    }
    let (ty, declared) = (element(given, &place)?, element(input, &place)?);
    only(given, &["type", "values", OPEN], &place)?;
    if ty != declared {
        return Err(DocumentError::new(&place, format!("the inputs have {declared} there")));
    }
    let list = |value: &Value| value.get("values").and_then(Value::as_array).cloned();
    let (values, expected) = (list(given), list(input).unwrap_or_default());
    let found = values.as_ref().map_or(0, Vec::len);
    let values = values.filter(|values| values.len() == expected.len()).ok_or_else(|| {
        let expected = expected.len();
        let reason =
            format!("`values` must be a list of {expected}, as in the inputs; found {found}");
        DocumentError::new(&place, reason)
    })?;
    let values = read_list(&values, &ty, &format!("{place}.values"))?;
    Ok(ObservedList { name: place, by_lane: false, ty, values, source })
}

fn read_list(values: &[Value], ty: &Type, place: &str) -> Result<Vec<LaneValue>, DocumentError> {
    let values = values.iter().enumerate();
    values.map(|(number, value)| read_value(value, ty, &format!("{place}[{number}]"))).collect()
}

/// The scalars of the elements of a buffer.
fn scalars(bytes: &Buffer, ty: &Type, elements: usize) -> Vec<Option<u64>> {
    let (leaves, stride) = layout(ty);
    let mut found = Vec::with_capacity(elements * leaves.len());
    for element in 0..elements {
        let mut at = element * stride;
        for scalar in &leaves {
            let size = scalar_size(*scalar) as usize;
            let place = bytes.get(at..at + size).unwrap_or_default();
            let bits = place
                .iter()
                .rev()
                .try_fold(0, |bits, byte| byte.map(|byte| bits << 8 | u64::from(byte)));
            found.push(bits.filter(|_| place.len() == size));
            at += size;
        }
    }
    found
}
