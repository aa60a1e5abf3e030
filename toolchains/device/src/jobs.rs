//! Jobs from standard input.

use std::fs;
use std::io::{BufRead as _, Write as _};

use serde_json::{Map, Value, json};

use crate::error::DeviceError;
use crate::vulkan::Vulkan;

/// Says what the device is, and runs jobs.
pub(crate) fn serve(opened: Result<Vulkan, DeviceError>) -> Result<(), DeviceError> {
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
            Err(error @ DeviceError::Driver { .. }) => format!("refused {error}"),
            Err(error) => format!("failed {error}"),
        };
        writeln!(out, "{}", answer.replace('\n', " "))?;
        out.flush()?;
    }
    Ok(())
}

fn job(device: &mut Vulkan, line: &str) -> Result<(), DeviceError> {
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
    let bindings =
        document["bindings"].as_object().ok_or_else(|| wrong("the inputs have no bindings"))?;
    let mut buffers = Vec::new();
    for (name, buffer) in bindings {
        let binding = name
            .strip_prefix("0.")
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| wrong("a binding is not in set 0"))?;
        let values = buffer["values"].as_array().ok_or_else(|| wrong("a buffer has no values"))?;
        let words = values.iter().map(|value| value.as_u64().and_then(|it| u32::try_from(it).ok()));
        let words: Option<Vec<u32>> = words.collect();
        buffers.push((binding, words.ok_or_else(|| wrong("a value is no 32-bit word"))?));
    }
    device.run(&words, &mut buffers)?;
    let left: Map<String, Value> = buffers
        .iter()
        .map(|(binding, words)| (format!("0.{binding}"), json!({ "type": "u32", "values": words })))
        .collect();
    fs::write(observed, json!({ "bindings": left }).to_string())
        .map_err(|error| DeviceError::Job(format!("{observed}: {error}")))
}
