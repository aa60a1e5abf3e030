//! GLSL through glslang.

use laneproof_module::{Function, Program};
use miette::{LabeledSpan, NamedSource};

use crate::definitions::{Definition, definitions, is_named_in_directives};
use crate::error::{Refused, SourceError};
use crate::glslang::{Glslang, Refusal};
use crate::load_words;

/// The functions of a claim.
const CLAIMS: [&str; 3] = ["src", "tgt", "property"];

/// Compiles a compute shader for Vulkan 1.3. Where it has no `main`, one that calls every function
/// is added for the time being, as glslang leaves out what is not called.
pub(crate) fn load(glslang: &dyn Glslang, text: &str, name: &str) -> Result<Program, SourceError> {
    let found = definitions(text);
    if has_main(text, &found) {
        let mut program = load_words(&words(glslang, text, text, name)?, text, name)?;
        tell_directions(&mut program, &found);
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
    let mut program =
        load_words(&words(glslang, &with_main(text, &found), text, name)?, text, name)?;
    let added: Vec<u32> = program.entry_points.drain(..).map(|entry| entry.function).collect();
    program.functions.retain(|function| !added.contains(&function.id));
    tell_directions(&mut program, &found);
    Ok(program)
}

/// The words of the module, compiled with an added `main` if there is none.
pub(crate) fn words_of(
    glslang: &dyn Glslang,
    text: &str,
    name: &str,
) -> Result<Vec<u32>, SourceError> {
    let found = definitions(text);
    match has_main(text, &found) {
        true => words(glslang, text, text, name),
        false => words(glslang, &with_main(text, &found), text, name),
    }
}

fn has_main(text: &str, found: &[Definition]) -> bool {
    found.iter().any(|definition| definition.name == "main") || is_named_in_directives(text)
}

/// With a `main` that calls every function.
fn with_main(text: &str, found: &[Definition]) -> String {
    let calls: String = found.iter().map(Definition::call).collect();
    format!("{text}\nvoid main() {{\n{calls}}}\n")
}

/// Which parameters are outputs: SPIR-V, where glslang passes all by pointer, does not say.
fn tell_directions(program: &mut Program, found: &[Definition]) {
    for definition in found {
        let of_name = |function: &&mut Function| {
            function.name.as_ref() == Some(&definition.name)
                && function.parameters.len() == definition.directions().len()
        };
        // Overloads differ in their types, which are not read here.
        let mut named: Vec<&mut Function> = program.functions.iter_mut().filter(of_name).collect();
        if let [function] = named.as_mut_slice() {
            for (parameter, direction) in
                function.parameters.iter_mut().zip(definition.directions())
            {
                parameter.direction = direction;
            }
        }
    }
}

/// The module's words; `text` is the part of the `whole` that its author knows.
fn words(
    glslang: &dyn Glslang,
    whole: &str,
    text: &str,
    name: &str,
) -> Result<Vec<u32>, SourceError> {
    glslang.words(whole).map_err(|refusal| match refusal {
        Refusal::Log(log) => refused(&complaints(&log), text, name),
        Refusal::Other(reason) => refused(&[Complaint { line: None, words: reason }], text, name),
        Refusal::Bound(bound) => SourceError::Bound { name: name.to_owned(), bound },
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
    reword(&mut complaints);
    // The count of errors is only useful without other messages.
    if complaints.len() > 1 {
        complaints.retain(|it| !it.words.ends_with("No code generated."));
    }
    complaints
}

/// What glslang says too shortly.
fn reword(complaints: &mut Vec<Complaint>) {
    const INCLUDE: &str = "'#include' : ";
    const DEEP: &str = "'' :  memory exhausted";
    let included = |it: &Complaint| it.words.starts_with(INCLUDE);
    let lines: Vec<_> = complaints.iter().filter(|it| included(it)).map(|it| it.line).collect();
    // What follows from it.
    complaints.retain(|it| !lines.contains(&it.line) || included(it));
    for complaint in complaints.iter_mut() {
        if included(complaint) {
            complaint.words =
                "`#include` is not supported, a claim is one file: paste the text, or \
                               expand it with `glslang -E`"
                    .to_owned();
        } else if complaint.words == DEEP {
            complaint.words = "nested too deep for glslang's parser".to_owned();
        } else if let Some(words) = complaint.words.strip_prefix("'' :  ") {
            complaint.words = words.to_owned();
        } else if let Some(words) = without_extension(&complaint.words) {
            complaint.words = words;
        }
    }
    complaints.dedup();
}

/// What a built-in needs that the source does not ask for.
fn without_extension(words: &str) -> Option<String> {
    let (name, extension) = words.split_once(" : required extension not requested: ")?;
    let name = name.strip_prefix('\'')?.strip_suffix('\'')?;
    let is_one = extension.starts_with("GL_") && !extension.contains(char::is_whitespace);
    // Of a call with an operand of such a type, glslang names the type alone.
    // With its storage before it: ` in f16vec2`, ` temp uint64_t`.
    let what = match name.strip_prefix(' ').and_then(|it| it.rsplit(' ').next()) {
        Some(of) => format!("a built-in of `{of}`"),
        None => format!("`{name}`"),
    };
    is_one.then(|| format!("{what} needs {extension}; add `#extension {extension} : require`"))
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
