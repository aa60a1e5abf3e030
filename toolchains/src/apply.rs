//! A module through a tool: what came out.

use std::cell::RefCell;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use laneproof_module::limits::MAX_BYTES;
use rspirv::binary::Assemble as _;
use rspirv::spirv::MAGIC_NUMBER as MAGIC;

use crate::find::Places;
use crate::persistent::Persistent;
use crate::process::{Ending, ToolProgram, run, signal_name};
use crate::tool::{BuiltInTool, Tool};

/// What a tool did with a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Another module came out.
    Module(Vec<u32>),
    /// It says that it has done its work, and what came out is no module.
    NoModule(String),
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
    /// The campaign ended first.
    Interrupted,
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
) -> Option<ToolProgram> {
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
    Some(ToolProgram {
        file: places.program(name)?,
        arguments: arguments.to_vec(),
        environment: places.environment(tool),
        limits: tool.limits,
    })
}

/// Puts a module through a tool's steps, until `stop` is set; through a process that stays alive
/// where there is one.
pub fn apply(
    tool: &Tool,
    variant: &[String],
    words: &[u32],
    places: &Places,
    folder: &Path,
    persistent: Option<&RefCell<Persistent>>,
    stop: &AtomicBool,
) -> Applied {
    if tool.built_in == Some(BuiltInTool::Rspirv) {
        return match rspirv::dr::load_words(words) {
            Ok(module) => Applied::Module(module.assemble()),
            Err(error) => Applied::Refused(error.to_string()),
        };
    }
    // A folder of the call's own: what an earlier one has left there is not this one's.
    let files = match tempfile::tempdir_in(folder) {
        Ok(files) => files,
        Err(error) => return Applied::Failed(error.to_string()),
    };
    let (given, result) = (files.path().join("in.spv"), files.path().join("out.spv"));
    if let Err(error) = fs::write(&given, bytes_of(words)) {
        return Applied::Failed(error.to_string());
    }
    for step in &tool.commands.steps {
        let files = Files { folder: files.path() };
        let Some(program) = program(tool, step, variant, places, &files) else {
            return Applied::Failed(format!("no program `{}`", step[0]));
        };
        let kept = persistent.and_then(|persistent| {
            let name = Path::new(&step[0]).file_name()?.to_str()?;
            let mut persistent = persistent.borrow_mut();
            persistent.run(&program, name, files.folder, tool.limits.time(), stop)
        });
        let ending = kept.unwrap_or_else(|| run(&program, tool.limits.time(), stop));
        if let Some(ended) = ended(ending) {
            return ended;
        }
    }
    if !tool.commands.steps.iter().flatten().any(|word| word.contains("{out}")) {
        return Applied::Accepted;
    }
    match written(&result) {
        Ok(words) => Applied::Module(words),
        Err(reason) => Applied::NoModule(format!("exit status 0, but {reason}")),
    }
}

/// What the end of a step says of the module; nothing where the next step follows.
fn ended(ending: Ending) -> Option<Applied> {
    match ending {
        Ending::Exited { status: 0, .. } => None,
        Ending::Exited { output, message, status } => {
            let text = said(&message, &output);
            Some(if is_assertion(&text) {
                Applied::Crashed(text)
            } else if text.is_empty() {
                Applied::Refused(format!("exit status {status}, without a message"))
            } else {
                Applied::Refused(text)
            })
        }
        // The terminal, or a system without memory: not what the tool does.
        Ending::Signaled { signal: signal @ (1 | 2 | 9 | 15), .. } => {
            Some(Applied::Failed(format!("ended from outside by {}", signal_name(signal))))
        }
        Ending::Signaled { signal, message } => {
            let (signal, text) = (signal_name(signal), said(&message, ""));
            Some(Applied::Crashed(match text.is_empty() {
                true => signal,
                false => format!("{signal}: {text}"),
            }))
        }
        Ending::TimedOut => Some(Applied::Hung),
        Ending::Interrupted => Some(Applied::Interrupted),
        Ending::NotStarted(reason) => Some(Applied::Failed(reason)),
    }
}

/// The words of the module in a file.
///
/// # Errors
///
/// Reads the words of a file; or why they are not a module, as the end of a sentence.
fn written(file: &Path) -> Result<Vec<u32>, String> {
    match fs::symlink_metadata(file) {
        Ok(found) if !found.is_file() => return Err("what it wrote is not a file".to_owned()),
        Ok(found) if found.len() > MAX_BYTES as u64 => {
            return Err(format!("it wrote {} bytes", found.len()));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err("it wrote no module".to_owned());
        }
        Err(error) => return Err(format!("what it wrote cannot be read: {error}")),
    }
    let bytes = fs::read(file).map_err(|it| format!("what it wrote cannot be read: {it}"))?;
    let Some(magic) = bytes.first_chunk::<4>() else {
        return Err(match bytes.len() {
            0 => "the file that it wrote is empty".to_owned(),
            _ => "the file that it wrote has no magic number".to_owned(),
        });
    };
    let magic = u32::from_le_bytes(*magic);
    let (words, left) = bytes.as_chunks::<4>();
    let words = words.iter().copied().map(u32::from_le_bytes);
    match magic {
        _ if magic != MAGIC && magic.swap_bytes() != MAGIC => {
            Err(format!("the file that it wrote begins with {magic:#010x}, not SPIR-V's magic"))
        }
        _ if !left.is_empty() => {
            Err(format!("it wrote {} bytes, which are no whole number of words", bytes.len()))
        }
        MAGIC => Ok(words.collect()),
        // The other byte order is SPIR-V, too.
        _ => Ok(words.map(u32::swap_bytes).collect()),
    }
}

/// The lines that say why.
pub(crate) fn said(message: &str, output: &str) -> String {
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
    // Panics say on the next line why, and what ends in a colon does.
    if (text.contains("panicked at") || text.ends_with(':'))
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

/// The words of the bytes of a valid module.
pub(crate) fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}
