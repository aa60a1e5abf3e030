//! A module through a tool: what came out.

use std::fs;
use std::path::Path;

use rspirv::binary::Assemble as _;

use crate::find::Places;
use crate::process::{Ending, Program, run};
use crate::tool::{BuiltIn, Tool};

/// What a tool did with a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Another module came out.
    Module(Vec<u32>),
    /// It accepts the module.
    Accepted,
    /// It says why it does not take it.
    Refused(String),
    /// It ended by a signal, or by an assertion of its own.
    Crashed(String),
    /// It had not ended in its time.
    Hung,
    /// It could not be called.
    Failed(String),
}

/// Where the words of a description lead.
pub(crate) struct Files<'f> {
    /// A folder of this call's own.
    pub folder: &'f Path,
}

/// A step's program, with its placeholders filled in.
pub(crate) fn program(
    tool: &Tool,
    words: &[String],
    variant: &[String],
    places: &Places,
    files: &Files<'_>,
) -> Option<Program> {
    let mut filled = Vec::new();
    for word in words {
        if word == "{variant}" {
            filled.extend(variant.iter().cloned());
            continue;
        }
        let mut word = places.word(word);
        for name in ["in", "out", "1", "2", "3", "4"] {
            let path = files.folder.join(format!("{name}.spv")).display().to_string();
            word = word.replace(&format!("{{{name}}}"), &path);
        }
        filled.push(word);
    }
    let (name, arguments) = filled.split_first()?;
    Some(Program {
        file: places.program(name)?,
        arguments: arguments.to_vec(),
        environment: tool.environment.iter().map(|(k, v)| (k.clone(), places.word(v))).collect(),
        limits: tool.limits,
    })
}

/// Puts a module through a tool's steps.
pub fn apply(
    tool: &Tool,
    variant: &[String],
    words: &[u32],
    places: &Places,
    folder: &Path,
) -> Applied {
    if tool.built_in == Some(BuiltIn::Rspirv) {
        return match rspirv::dr::load_words(words) {
            Ok(module) => Applied::Module(module.assemble()),
            Err(error) => Applied::Refused(error.to_string()),
        };
    }
    let (given, result) = (folder.join("in.spv"), folder.join("out.spv"));
    let _ = fs::remove_file(&result);
    if let Err(error) = fs::write(&given, bytes_of(words)) {
        return Applied::Failed(error.to_string());
    }
    for step in &tool.steps {
        let Some(program) = program(tool, step, variant, places, &Files { folder }) else {
            return Applied::Failed(format!("no program `{}`", step[0]));
        };
        match run(&program, tool.limits.time()) {
            Ending::Exited { status: 0, .. } => {}
            Ending::Exited { output, message, status } => {
                let text = said(&message, &output);
                return if is_assertion(&text) {
                    Applied::Crashed(text)
                } else if text.is_empty() {
                    Applied::Refused(format!("exit status {status}"))
                } else {
                    Applied::Refused(text)
                };
            }
            Ending::Signaled { signal, message } => {
                return Applied::Crashed(format!("signal {signal}: {}", said(&message, "")));
            }
            Ending::TimedOut => return Applied::Hung,
            Ending::NotStarted(reason) => return Applied::Failed(reason),
        }
    }
    if !tool.steps.iter().flatten().any(|word| word.contains("{out}")) {
        return Applied::Accepted;
    }
    match fs::read(&result) {
        Ok(bytes) => Applied::Module(words_of(&bytes)),
        Err(error) => Applied::Refused(format!("it wrote no module: {error}")),
    }
}

/// The lines that say why.
fn said(message: &str, output: &str) -> String {
    let text = if message.trim().is_empty() { output } else { message };
    let kept = |line: &&str| {
        !line.is_empty() && !line.starts_with("[WARN") && !line.starts_with("Generating ")
    };
    let lines: Vec<&str> = text.lines().map(str::trim).filter(kept).collect();
    let telling = |line: &&&str| {
        let line = line.to_lowercase();
        ["error", "assert", "panick", "unsupported", "unknown", "fail"]
            .iter()
            .any(|it| line.contains(it))
    };
    let first = lines.iter().find(telling).or_else(|| lines.first());
    let mut text = first.map_or(String::new(), |line| (*line).to_owned());
    // Panics say on the next line why.
    if text.contains("panicked at")
        && let Some(next) = lines.iter().skip_while(|line| **line != text).nth(1)
    {
        text = format!("{text} {next}");
    }
    text.chars().take(300).collect()
}

/// A message of a failed assertion.
fn is_assertion(text: &str) -> bool {
    ["assertion", "Assertion", "panicked at", "UNREACHABLE", "LLVM ERROR", "Stack dump"]
        .iter()
        .any(|part| text.contains(part))
}

/// The bytes of words.
pub fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of bytes; what is left over is lost.
pub(crate) fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}
