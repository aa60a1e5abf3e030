//! Files that a command reads: texts and JSON documents, each of a size that can be held.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use laneproof_frontends::standard_input;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::failure::Failure;

/// Bytes of a document of inputs or outputs.
pub const MOST_INPUTS: u64 = 1 << 28;
/// The most bytes of a text that people write: a specification, notes.
pub const MOST_TEXT: u64 = 4 << 20;

/// A text of at most `most` bytes, without a byte order mark; an endless device is too large, too.
pub fn text(path: &Path, most: u64) -> Result<String, Failure> {
    let mut bytes = bytes(path, most)?;
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(.."\u{feff}".len());
    }
    String::from_utf8(bytes).map_err(|_| {
        let source = std::io::Error::other("it is not text in UTF-8");
        Failure::Unreadable { name: name(path), source }
    })
}

/// A file, or standard input for `-`, of at most `most` bytes.
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let read = match path == Path::new("-") {
        true => standard_input(usize::try_from(most).unwrap_or(usize::MAX - 1)),
        false => File::open(path).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(most + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        }),
    };
    let bytes = read.map_err(|source| Failure::Unreadable { name: name(path), source })?;
    match bytes.len() as u64 > most {
        true => Err(Failure::TooLarge { name: name(path), most }),
        false => Ok(bytes),
    }
}

/// Refuses a file that others read whole, where it is too large or never ends.
pub fn bounded(path: &Path, most: u64) -> Result<(), Failure> {
    match std::fs::metadata(path) {
        Ok(file) if file.len() > most || file.file_type().is_char_device() => {
            Err(Failure::TooLarge { name: name(path), most })
        }
        _ => Ok(()),
    }
}

/// What messages call a file.
pub fn name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// A JSON document.
pub fn json(path: &Path) -> Result<Value, Failure> {
    json_text(&text(path, MOST_INPUTS)?, &name(path))
}

/// A text as a JSON document; `name` is what messages call it.
pub fn json_text(text: &str, name: &str) -> Result<Value, Failure> {
    let Document(value) = serde_json::from_str(text).map_err(|error| {
        let reason = format!("not a JSON document: {error}");
        Failure::Inputs { name: name.to_owned(), reason }
    })?;
    Ok(value)
}

/// A document in which no object has a key twice: otherwise the last value would win silently.
struct Document(Value);

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Parts).map(Self)
    }
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Document(value)) = parts.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = parts.next_key::<String>()? {
            if members.contains_key(&key) {
                return Err(A::Error::custom(format!("the key `{key}` stands twice")));
            }
            let Document(value) = parts.next_value()?;
            members.insert(key, value);
        }
        Ok(members.into())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_what_it_says_unless_a_key_stands_twice() {
        for text in [
            r#"{"a": [1, -2, 3.5, "x", null, true], "b": {"a": 18446744073709551615}}"#,
            "[]",
            "null",
            r#"{"z": 1, "a": 2}"#,
        ] {
            let Document(read) = serde_json::from_str(text).unwrap();
            assert_eq!(read.to_string(), text.replace(": ", ":").replace(", ", ","));
        }
        for text in [r#"{"a": 1, "a": 1}"#, r#"[{"b": {"a": 1, "b": 2, "a": 3}}]"#] {
            let error = serde_json::from_str::<Document>(text).err().unwrap().to_string();
            assert!(error.contains("`a` stands twice"), "{error}");
        }
    }
}
