//! Documents of an entry point: `bindings` and `push_constants` of a shader, `arguments` of a
//! kernel. After the run the same document comes back with what the memory then holds.

use laneproof_interpreter::{Buffer, EntryMemory, Image, KernelArgument, LaneValue, scalar_size};
use laneproof_semantics::{Scalar, Type};
use serde_json::{Map, Value, json};

use super::scalar::{read_scalar, scalar_named, write_scalar};
use super::{DocumentError, OPEN, only, read_value, write_value};

/// The memory that a document gives to an entry point.
///
/// # Errors
///
/// When the document has another form, or a value does not fit its type.
pub fn read_memory(document: &Value) -> Result<EntryMemory, DocumentError> {
    let mut memory = EntryMemory::default();
    if let Some(bindings) = document.get("bindings") {
        let bindings = bindings
            .as_object()
            .ok_or_else(|| DocumentError::new("bindings", "expected an object, as {\"0.2\": …}"))?;
        for (name, buffer) in bindings {
            let at = format!("bindings.{name}");
            let place = set_and_binding(name)
                .ok_or_else(|| DocumentError::new(&at, "expected SET.BINDING, as 0.2"))?;
            if let Some(image) = buffer.get("image") {
                only(buffer, &["image"], &at)?;
                memory.images.insert(place, read_image(image, &format!("{at}.image"))?);
            } else {
                memory.bindings.insert(place, read_buffer(buffer, &at)?);
            }
        }
    }
    if let Some(buffer) = document.get("push_constants") {
        memory.push_constants = Some(read_buffer(buffer, "push_constants")?);
    }
    if let Some(arguments) = document.get("arguments") {
        let arguments =
            arguments.as_array().ok_or_else(|| DocumentError::new("arguments", "not a list"))?;
        for (index, argument) in arguments.iter().enumerate() {
            let at = format!("arguments[{index}]");
            only(argument, part_of(argument), &at)?;
            memory.arguments.push(match (argument.get("buffer"), argument.get("image")) {
                (Some(buffer), _) => {
                    KernelArgument::Buffer(read_buffer(buffer, &format!("{at}.buffer"))?)
                }
                (None, Some(image)) => {
                    KernelArgument::Image(read_image(image, &format!("{at}.image"))?)
                }
                (None, None) => {
                    let ty = element(argument, &at)?;
                    let value = argument
                        .get("value")
                        .ok_or_else(|| DocumentError::new(&at, "has no buffer, image or value"))?;
                    KernelArgument::Value(read_value(value, &ty, &format!("{at}.value"))?)
                }
            });
        }
    }
    Ok(memory)
}

/// The keys of an argument of its kind.
fn part_of(argument: &Value) -> &'static [&'static str] {
    match (argument.get("buffer"), argument.get("image")) {
        (Some(_), _) => &["buffer"],
        (None, Some(_)) => &["image"],
        (None, None) => &["type", "value"],
    }
}

/// One binding has one name: `00.4` would be another key for `0.4`.
pub(super) fn set_and_binding(name: &str) -> Option<(u32, u32)> {
    let (set, binding) = name.split_once('.')?;
    let (set, binding): (u32, u32) = (set.parse().ok()?, binding.parse().ok()?);
    (format!("{set}.{binding}") == name).then_some((set, binding))
}

/// The type that an object names.
pub(super) fn element(object: &Value, place: &str) -> Result<Type, DocumentError> {
    let named = object.get("type").and_then(Value::as_str).and_then(scalar_named);
    match named {
        Some((scalar, 1)) => Ok(Type::Scalar(scalar)),
        Some((element, count)) => Ok(Type::Vector { element, count }),
        None => {
            let found = match object.get("type") {
                None => "none".to_owned(),
                Some(other) => other.to_string(),
            };
            let reason = format!(
                "expected as `type` one of bool, u8 to u64, i8 to i64, f16, bf16, f32, f64, or a vector, as \
                 u32x4; found {found}"
            );
            Err(DocumentError::new(place, reason))
        }
    }
}

/// The scalars of an element and how far apart two elements are, in bytes. A vector of three
/// takes the room of four, as it does in buffers of OpenCL and of std430.
pub(super) fn layout(ty: &Type) -> (Vec<Scalar>, usize) {
    let scalars = ty.leaves();
    let size = scalars.first().map_or(1, |scalar| scalar_size(*scalar) as usize);
    let room = if scalars.len() == 3 { 4 } else { scalars.len() };
    (scalars, size * room)
}

fn read_buffer(buffer: &Value, place: &str) -> Result<Buffer, DocumentError> {
    let ty = element(buffer, place)?;
    only(buffer, &["type", "values", OPEN], place)?;
    let values = buffer
        .get("values")
        .and_then(Value::as_array)
        .ok_or_else(|| DocumentError::new(place, "has no list `values`"))?;
    let (scalars, stride) = layout(&ty);
    let mut bytes = Buffer::with_capacity(values.len() * stride);
    for (index, value) in values.iter().enumerate() {
        let value = read_value(value, &ty, &format!("{place}.values[{index}]"))?;
        for (scalar, leaf) in scalars.iter().zip(value.0) {
            let size = scalar_size(*scalar) as usize;
            bytes.extend((0..size).map(|byte| leaf.map(|bits| (bits >> (8 * byte)) as u8)));
        }
        bytes.resize((index + 1) * stride, None);
    }
    Ok(bytes)
}

/// The words of an image.
pub(super) fn image_words<'v>(
    image: &'v Value,
    place: &str,
) -> Result<&'v Vec<Value>, DocumentError> {
    let words = image.get("words").and_then(Value::as_array);
    words.ok_or_else(|| DocumentError::new(place, "has no list `words`"))
}

/// An image: its size, and its words row by row.
fn read_image(image: &Value, place: &str) -> Result<Image, DocumentError> {
    only(image, &["width", "height", "words"], place)?;
    let size = |name: &str| {
        let number = image.get(name).and_then(Value::as_u64);
        number
            .and_then(|number| u32::try_from(number).ok())
            .filter(|number| *number > 0)
            .ok_or_else(|| {
                DocumentError::new(
                    place,
                    format!("expected as `{name}` a number from 1 to 4294967295"),
                )
            })
    };
    let (width, height) = (size("width")?, size("height")?);
    let words = image_words(image, place)?;
    let expected = u64::from(width) * u64::from(height);
    if words.len() as u64 != expected {
        let reason = format!("has {} words, where its size says {expected}", words.len());
        return Err(DocumentError::new(place, reason));
    }
    let mut bytes = Buffer::with_capacity(4 * words.len());
    for (index, word) in words.iter().enumerate() {
        let word = read_scalar(word, Scalar::uint(32), &format!("{place}.words[{index}]"))?;
        bytes.extend((0..4).map(|byte| word.map(|bits| (bits >> (8 * byte)) as u8)));
    }
    Ok(Image { width, height, bytes })
}

fn write_image(image: &Image) -> Value {
    let words = image.bytes.chunks_exact(4).map(|bytes| {
        let bytes = bytes.iter().rev();
        let word =
            bytes.map(|byte| byte.map(u64::from)).try_fold(0, |bits, byte| Some(bits << 8 | byte?));
        write_scalar(word, Scalar::uint(32))
    });
    let words: Vec<Value> = words.collect();
    json!({ "width": image.width, "height": image.height, "words": words })
}

/// The document of `memory`, in the types of the document that it was read from.
pub fn write_memory(memory: &EntryMemory, document: &Value) -> Value {
    Value::Object(memory_members(memory, document))
}

/// The members of [`write_memory`]'s document.
pub(super) fn memory_members(memory: &EntryMemory, document: &Value) -> Map<String, Value> {
    let mut out = Map::new();
    if let Some(Value::Object(bindings)) = document.get("bindings") {
        let bindings = bindings.iter().filter_map(|(name, given)| {
            let place = set_and_binding(name)?;
            if let Some(image) = memory.images.get(&place) {
                return Some((name.clone(), json!({ "image": write_image(image) })));
            }
            let buffer = memory.bindings.get(&place)?;
            Some((name.clone(), write_buffer(buffer, given)?))
        });
        out.insert("bindings".into(), Value::Object(bindings.collect()));
    }
    if let (Some(buffer), Some(given)) = (&memory.push_constants, document.get("push_constants")) {
        out.extend(write_buffer(buffer, given).map(|buffer| ("push_constants".into(), buffer)));
    }
    if let Some(Value::Array(given)) = document.get("arguments") {
        let arguments =
            memory.arguments.iter().zip(given).map(|(argument, given)| match argument {
                KernelArgument::Buffer(buffer) => {
                    let written = given.get("buffer").and_then(|given| write_buffer(buffer, given));
                    json!({ "buffer": written })
                }
                KernelArgument::Image(image) => json!({ "image": write_image(image) }),
                KernelArgument::Value(_) => given.clone(),
            });
        out.insert("arguments".into(), Value::Array(arguments.collect()));
    }
    out
}

fn write_buffer(buffer: &Buffer, given: &Value) -> Option<Value> {
    let ty = element(given, "").ok()?;
    let (scalars, stride) = layout(&ty);
    let values: Vec<Value> = buffer
        .chunks_exact(stride)
        .map(|bytes| {
            let mut at = 0;
            let leaves = scalars.iter().map(|scalar| {
                let size = scalar_size(*scalar) as usize;
                let bytes = bytes.get(at..at + size)?;
                at += size;
                bytes.iter().rev().try_fold(0, |bits, byte| Some(bits << 8 | u64::from((*byte)?)))
            });
            write_value(&LaneValue(leaves.collect()), &ty)
        })
        .collect();
    Some(json!({ "type": given.get("type")?, "values": values }))
}
