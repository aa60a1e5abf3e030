//! WGSL through naga.

mod broken;

use std::error::Error;

use miette::{LabeledSpan, NamedSource};
use naga::back::spv;
use naga::front::wgsl::Frontend;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, Span};

use crate::error::{Refused, SourceError};

/// The SPIR-V version for naga.
const VERSION: (u8, u8) = (1, 6);

/// Compiles a module, all functions of it, with their names.
pub(crate) fn words(text: &str, name: &str) -> Result<Vec<u32>, SourceError> {
    let accepted = without_subgroups(text);
    let (module, information) = broken::caught(|| read(&accepted, text, name))
        .map_err(|words| fault(&words, None, text, name))??;
    let write = |module: &Module| write(module, &information, &accepted, name);
    let written = broken::caught(|| write(&module)).map_err(|words| {
        let again = |module: &Module| broken::caught(|| write(module)).err();
        let culprit = broken::culprit(&module, |cut| again(cut).as_ref() == Some(&words));
        fault(&words, culprit, text, name)
    })?;
    written.map_err(|error| refused(chain(&error), Vec::new(), "", text, name))
}

/// A module that naga's validator accepts.
fn read(accepted: &str, text: &str, name: &str) -> Result<(Module, ModuleInfo), SourceError> {
    let options = naga::front::wgsl::Options {
        capabilities: Capabilities::all(),
        ..naga::front::wgsl::Options::new()
    };
    let module = Frontend::new_with_options(options).parse(accepted).map_err(|error| {
        let labels = error.labels().map(|(span, words)| (span, words.to_owned())).collect();
        let notes = error.notes().collect::<Vec<_>>().join("\n");
        match notes.contains("recursion limit") {
            true => refused("nested too deep for naga's parser".to_owned(), labels, "", text, name),
            false => refused(error.message().to_owned(), labels, &notes, text, name),
        }
    })?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let information = validator.validate(&module).map_err(|error| {
        // What it labels expressions with are its own names of them.
        let label =
            |words: &str| if words.starts_with("naga::") { "here" } else { words }.to_owned();
        let labels = error.spans().map(|(span, words)| (*span, label(words))).collect();
        refused(plain(&chain(error.as_inner())), labels, "", text, name)
    })?;
    Ok((module, information))
}

fn write(
    module: &Module,
    information: &ModuleInfo,
    accepted: &str,
    name: &str,
) -> Result<Vec<u32>, spv::Error> {
    let options = spv::Options {
        lang_version: VERSION,
        flags: spv::WriterFlags::DEBUG,
        // naga's bound on the iterations of a loop is for drivers, and not part of WGSL.
        force_loop_bounding: false,
        debug_info: Some(spv::DebugInfo {
            source_code: accepted,
            file_name: name,
            language: spv::SourceLanguage::WGSL,
        }),
        ..spv::Options::default()
    };
    spv::write_vec(module, information, &options, None)
}

/// naga panics: an error of its own, whose words may say what it has no code for.
fn fault(words: &str, culprit: Option<Span>, text: &str, name: &str) -> SourceError {
    let labels = culprit.map(|span| (span, "here".to_owned())).into_iter().collect();
    let message = format!(
        "not supported by naga, which compiles WGSL: it ends with an internal error, \"{words}\""
    );
    let help = "write it in another way, or give SPIR-V that another compiler makes of it";
    refused(message, labels, help, text, name)
}

/// naga has WGSL's subgroup operations, but does not know the directive that enables them, so it is
/// replaced by spaces.
fn without_subgroups(text: &str) -> String {
    let line = |line: &str| {
        let Some(names) = line.trim_start().strip_prefix("enable ") else { return line.to_owned() };
        let Some((names, rest)) = names.split_once(';') else { return line.to_owned() };
        let others: Vec<&str> =
            names.split(',').map(str::trim).filter(|name| *name != "subgroups").collect();
        let kept = match others.as_slice() {
            [] => String::new(),
            others => format!("enable {};", others.join(", ")),
        };
        let width = line.len() - rest.len();
        format!("{kept:<width$}{rest}")
    };
    text.split_inclusive('\n').map(line).collect()
}

/// An error and all its causes, as one line.
fn chain(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words += &format!(": {error}");
        cause = error.source();
    }
    words
}

/// A message without naga's internal numbers: ` [0]`, ` Some([1])`.
fn plain(message: &str) -> String {
    let mut parts = message.split(" Some([").flat_map(|part| part.split(" ["));
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let closed = rest.strip_prefix("])").or_else(|| rest.strip_prefix(']'));
        match closed.filter(|_| rest.len() < part.len()) {
            Some(rest) => out.push_str(rest),
            None => out.push_str(&format!(" [{part}")),
        }
    }
    out
}

fn refused(
    message: String,
    labels: Vec<(Span, String)>,
    notes: &str,
    text: &str,
    name: &str,
) -> SourceError {
    let placed = labels.into_iter().filter_map(|(span, words)| Some((span.to_range()?, words)));
    let complaints: Vec<LabeledSpan> = placed
        .map(|(range, words)| LabeledSpan::new(Some(words), range.start, range.len()))
        .collect();
    let first = complaints.first();
    let before = first.and_then(|first| text.get(..first.offset()));
    SourceError::Refused(Box::new(Refused {
        name: name.to_owned(),
        line: before.map(|before| before.matches('\n').count() + 1),
        message,
        text: NamedSource::new(name, text.to_owned()),
        complaints,
        notes: (!notes.is_empty()).then(|| notes.to_owned()),
    }))
}
