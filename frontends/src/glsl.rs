//! GLSL through glslang.

use glslang::error::GlslangError;
use glslang::{
    Compiler, CompilerOptions, GlslProfile, Shader, ShaderInput, ShaderMessage, ShaderSource,
    ShaderStage, SourceLanguage, SpirvVersion, Target, VulkanVersion,
};
use laneproof_module::Program;
use miette::{LabeledSpan, NamedSource};

use crate::definitions::{Definition, definitions};
use crate::error::{Refused, SourceError};
use crate::load_words;

/// What a text without `#version` is taken for.
const VERSION: (i32, GlslProfile) = (460, GlslProfile::Core);

/// Functions that somebody will look at.
const CLAIMS: [&str; 3] = ["src", "tgt", "property"];

/// Compiles a compute shader for Vulkan 1.3. Where it has no `main`, one that calls every function
/// is added for the time being, as glslang leaves out what is not called.
pub(crate) fn load(text: &str, name: &str) -> Result<Program, SourceError> {
    let found = definitions(text);
    let has_main = found.iter().any(|definition| definition.name == "main");
    if has_main {
        let program = load_words(&words(text, text, name)?, name)?;
        let dropped = |claim: &&&str| {
            found.iter().any(|it| it.name == **claim) && program.function(claim).is_none()
        };
        return match CLAIMS.iter().find(dropped) {
            None => Ok(program),
            Some(claim) => {
                Err(SourceError::Uncalled { name: name.to_owned(), function: (*claim).to_owned() })
            }
        };
    }
    let calls: String = found.iter().map(Definition::call).collect();
    let whole = format!("{text}\nvoid main() {{\n{calls}}}\n");
    let mut program = load_words(&words(&whole, text, name)?, name)?;
    let added: Vec<u32> = program.entry_points.drain(..).map(|entry| entry.function).collect();
    program.functions.retain(|function| !added.contains(&function.id));
    Ok(program)
}

/// The module's words; `text` is the part of the `whole` that its author knows.
fn words(whole: &str, text: &str, name: &str) -> Result<Vec<u32>, SourceError> {
    let plain = |reason: &str| {
        let complaint = Complaint { line: None, words: reason.to_owned() };
        refused(&[complaint], text, name)
    };
    let compiler = Compiler::acquire().ok_or_else(|| plain("glslang does not start"))?;
    // Outside of comments only ASCII is GLSL, and glslang may cut a message within a character:
    // what cannot stand anywhere takes the place of the rest.
    let ascii = |c: char| if c.is_ascii() && c != '\0' { c } else { '@' };
    let source = ShaderSource::from(whole.chars().map(ascii).collect::<String>());
    let versioned = whole.lines().any(|line| line.trim_start().starts_with("#version"));
    let options = CompilerOptions {
        source_language: SourceLanguage::GLSL,
        target: Target::Vulkan {
            version: VulkanVersion::Vulkan1_3,
            spirv_version: SpirvVersion::SPIRV1_6,
        },
        version_profile: (!versioned).then_some(VERSION),
        messages: ShaderMessage::DEFAULT
            | ShaderMessage::SPV_RULES
            | ShaderMessage::VULKAN_RULES
            | ShaderMessage::CASCADING_ERRORS,
    };
    let no_defines: Option<&[(&str, Option<&str>)]> = None;
    let words = ShaderInput::new(&source, ShaderStage::Compute, &options, no_defines, None)
        .and_then(|input| Shader::new(compiler, input).parse()?.compile());
    words.map_err(|error| match error {
        GlslangError::PreprocessError(log)
        | GlslangError::ParseError(log)
        | GlslangError::MapIoError(log)
        | GlslangError::LinkError(log) => refused(&complaints(&log.log), text, name),
        other => plain(&other.to_string()),
    })
}

/// An error of glslang's.
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    line: Option<usize>,
    words: String,
}

/// The errors of a log: `ERROR: 0:LINE: WORDS`, where `0` is the number of the file, and last of
/// all how many they are.
fn complaints(log: &str) -> Vec<Complaint> {
    let errors = log.lines().filter_map(|line| line.trim().strip_prefix("ERROR: "));
    let complaint = |error: &str| {
        let mut parts = error.splitn(3, ':');
        let (file, line, words) = (parts.next(), parts.next(), parts.next());
        let number = file.and_then(|file| file.parse::<usize>().ok());
        match (number, line.and_then(|line| line.parse().ok()), words) {
            (Some(_), line @ Some(_), Some(words)) => {
                Complaint { line, words: words.trim().to_owned() }
            }
            _ => Complaint { line: None, words: error.trim().to_owned() },
        }
    };
    let mut complaints: Vec<Complaint> = errors.map(complaint).collect();
    // The count says nothing new, unless nothing else is said.
    if complaints.len() > 1 {
        complaints.retain(|it| !it.words.ends_with("No code generated."));
    }
    complaints
}

fn refused(complaints: &[Complaint], text: &str, name: &str) -> SourceError {
    let lines = text.lines().count();
    let first = complaints.first();
    let mut message = first.map_or("glslang refuses it", |first| &first.words).to_owned();
    let mut line = first.and_then(|first| first.line);
    if line.is_some_and(|line| line > lines) {
        message = format!("the `main` that is added to call every function: {message}");
        line = None;
    }
    match complaints.len() {
        0 | 1 => {}
        2 => message += " (and one more error)",
        count => message += &format!(" (and {} more errors)", count - 1),
    }
    let label = |complaint: &Complaint| {
        let (start, length) = span(text, complaint.line?)?;
        Some(LabeledSpan::new(Some(complaint.words.clone()), start, length))
    };
    SourceError::Refused(Box::new(Refused {
        name: name.to_owned(),
        line,
        message,
        text: NamedSource::new(name, text.to_owned()),
        complaints: complaints.iter().filter_map(label).collect(),
        notes: None,
    }))
}

/// Start and length in bytes of a line, counted from 1, without the space around it.
fn span(text: &str, line: usize) -> Option<(usize, usize)> {
    let wanted = text.lines().nth(line.checked_sub(1)?)?.trim();
    Some((wanted.as_ptr() as usize - text.as_ptr() as usize, wanted.len()))
}
