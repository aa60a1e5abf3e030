//! Jobs from standard input.

use std::fs;
use std::io::{BufRead as _, Write as _};

use serde_json::{Map, Value, json};

use crate::error::DeviceError;

/// What runs modules.
pub(crate) trait Executor {
    /// What it is, as the first line says.
    fn about(&self) -> &Value;

    /// Runs a module on numbered buffers, whose words are what is in them afterwards.
    ///
    /// # Errors
    ///
    /// What the driver says.
    fn run(&mut self, words: &[u32], buffers: &mut [(u32, Vec<u32>)]) -> Result<(), DeviceError>;
}

/// Says what the device is, and runs jobs.
pub(crate) fn serve<E: Executor>(opened: Result<E, DeviceError>) -> Result<(), DeviceError> {
    let mut out = std::io::stdout().lock();
    let mut device = match opened {
        Ok(device) => device,
        Err(error) => {
            writeln!(out, "{}", json!({ "error": error.to_string() }))?;
            return Ok(());
        }
    };
    writeln!(out, "{}", device.about())?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        let answer = match job(&mut device, &line?) {
            Ok(()) => "ok".to_owned(),
            Err(error) if error.is_of_driver() => format!("refused {error}"),
            Err(error) => format!("failed {error}"),
        };
        writeln!(out, "{}", answer.replace(['\n', '\r'], " "))?;
        out.flush()?;
    }
    Ok(())
}

fn job<E: Executor>(device: &mut E, line: &str) -> Result<(), DeviceError> {
    let wrong = |reason: &str| DeviceError::Job(reason.to_owned());
    let mut files = line.split('\t');
    let (Some(module), Some(inputs), Some(observed)) = (files.next(), files.next(), files.next())
    else {
        return Err(wrong("a job is three files"));
    };
    let read =
        |name: &str| fs::read(name).map_err(|error| DeviceError::Job(format!("{name}: {error}")));
    let bytes = read(module)?;
    let words: Vec<u32> = bytes.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect();
    let document: Value = serde_json::from_slice(&read(inputs)?)
        .map_err(|error| DeviceError::Job(error.to_string()))?;
    let mut buffers = match document["arguments"].as_array() {
        Some(arguments) => of_arguments(arguments)?,
        None => of_bindings(&document)?,
    };
    device.run(&words, &mut buffers)?;
    let buffer = |words: &Vec<u32>| json!({ "type": "u32", "values": words });
    let left = if document["arguments"].is_array() {
        let list = buffers.iter().map(|(_, words)| json!({ "buffer": buffer(words) }));
        json!({ "arguments": list.collect::<Vec<_>>() })
    } else {
        let named = buffers.iter().map(|(binding, it)| (format!("0.{binding}"), buffer(it)));
        json!({ "bindings": named.collect::<Map<String, Value>>() })
    };
    fs::write(observed, left.to_string())
        .map_err(|error| DeviceError::Job(format!("{observed}: {error}")))
}

fn of_bindings(document: &Value) -> Result<Vec<(u32, Vec<u32>)>, DeviceError> {
    let wrong = |reason: &str| DeviceError::Job(reason.to_owned());
    let bindings =
        document["bindings"].as_object().ok_or_else(|| wrong("the inputs have no buffers"))?;
    let numbered = bindings.iter().map(|(name, buffer)| {
        let number = name.strip_prefix("0.").and_then(|number| number.parse().ok());
        Ok((number.ok_or_else(|| wrong("a binding is not in set 0"))?, values(buffer)?))
    });
    numbered.collect()
}

fn of_arguments(arguments: &[Value]) -> Result<Vec<(u32, Vec<u32>)>, DeviceError> {
    let numbered = arguments.iter().zip(0..);
    numbered.map(|(argument, number)| Ok((number, values(&argument["buffer"])?))).collect()
}

/// The 32-bit words of a buffer.
fn values(buffer: &Value) -> Result<Vec<u32>, DeviceError> {
    let wrong = |reason: &str| DeviceError::Job(reason.to_owned());
    let values = buffer["values"].as_array().ok_or_else(|| wrong("a buffer has no values"))?;
    let words = values.iter().map(|value| value.as_u64().and_then(|it| u32::try_from(it).ok()));
    words.collect::<Option<_>>().ok_or_else(|| wrong("a value is no 32-bit word"))
}
