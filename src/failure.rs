//! Why a command could not be carried out, for people and for programs.

use laneproof_environment::DeviceFileError;
use laneproof_frontends::SourceError;
use laneproof_module::LoadError;
use laneproof_proofs::{CatalogueError, RunError};
use laneproof_semantics::SpecificationError;
use laneproof_verify::{ClaimError, VerifyError};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use thiserror::Error;

use crate::excerpt::{Excerpt, escaped};
use crate::terminal::Terminal;

/// Why a command could not be carried out.
#[derive(Debug, Error, Diagnostic)]
pub enum Failure {
    /// The command line itself.
    #[error("{}", usage(.0))]
    Usage(clap::Error),
    /// A file that is too large.
    #[error("{name}: too large: more than {most} bytes")]
    TooLarge {
        /// The file.
        name: String,
        /// How many it may have.
        most: u64,
    },
    /// A file cannot be read.
    #[error("{name}: cannot be read: {source}")]
    Unreadable {
        /// The file.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file with the name of standard output.
    #[error("{name}: standard output is where the answer goes; name a file")]
    StandardOutput {
        /// The name.
        name: String,
    },
    /// A folder cannot be written to.
    #[error("{name}: cannot be written: {source}")]
    Unwritable {
        /// The folder.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The documents are of no help.
    #[error(transparent)]
    Documents(laneproof_ambiguity::QuotesError),
    /// A module does not load.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Load(LoadError),
    /// A source file does not compile.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Source(SourceError),
    /// A source where a module is expected.
    #[error("{name}: {language}, where a module is expected (SPIR-V binary or assembly)")]
    Uncompiled {
        /// The file.
        name: String,
        /// What it is in.
        language: laneproof_frontends::Language,
        /// How to make a module of it.
        #[help]
        help: String,
    },
    /// A specification file does not read.
    #[error("{}", placed(.0))]
    #[diagnostic(transparent)]
    Specification(Box<SpecificationError>),
    /// A device file does not read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    DeviceFile(Box<DeviceFileError>),
    /// Neither a device file nor a built-in one.
    #[error("{name}: cannot be read: {source}")]
    NoDevice {
        /// The requested name.
        name: String,
        /// The system's reason.
        source: std::io::Error,
        /// What there is.
        #[help]
        help: String,
    },
    /// A specification file that says nothing.
    #[error("{name}: is empty; a specification file declares something, as an instruction")]
    Empty {
        /// The file.
        name: String,
    },
    /// No entries of the catalogue.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A module makes no claim.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// One function of one module, and nothing to compare it with.
    #[error(
        "{module}: --function names one of two functions: name the other with --target-function, or \
         give a second file"
    )]
    OneFunction {
        /// The module.
        module: String,
    },
    /// A module without an entry point, or with several.
    #[error(
        "{module}: {}name a function with --function (there {functions})",
        match names.as_str() {
            "" => "there is no entry point; ".to_owned(),
            names => format!("name an entry point with --entry (there are {names}), or "),
        }
    )]
    NoEntry {
        /// The module.
        module: String,
        /// Its entry points.
        names: String,
        /// The functions that it has, as the end of a sentence.
        functions: String,
    },
    /// A module without the requested entry point.
    #[error(
        "{module}: has no entry point `{entry}`; it has {}; --function calls a function (there \
         {functions})",
        if names.is_empty() { "none" } else { names }
    )]
    NoSuchEntry {
        /// The module.
        module: String,
        /// The requested name.
        entry: String,
        /// Its entry points.
        names: String,
        /// The functions that it has, as the end of a sentence.
        functions: String,
    },
    /// A campaign of fuzzing cannot be run.
    #[error(transparent)]
    Tool(#[from] laneproof_toolchains::ToolError),
    /// A device's process cannot go on.
    #[error("{0}")]
    Device(String),
    /// Inputs that cannot be used.
    #[error("{name}: {reason}")]
    Inputs {
        /// The file.
        name: String,
        /// Why not.
        reason: String,
    },
    /// The specification knows no such name.
    #[error("the specification says nothing of `{name}`")]
    NotSpecified {
        /// The requested name.
        name: String,
        /// What is called alike.
        #[help]
        help: String,
    },
    /// There is no such environment.
    #[error("--environment: there is no environment `{name}`; expected one of {}", known.join(", "))]
    NoEnvironment {
        /// The requested name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
        /// What is called alike.
        #[help]
        help: Option<String>,
    },
    /// A claim or options that make no sense.
    #[error("{name}: {source}")]
    Verify {
        /// The file of the source.
        name: String,
        /// Why not.
        source: VerifyError,
        /// What is called alike.
        #[help]
        help: Option<String>,
    },
    /// A second solver that cannot be asked.
    #[error("--check-with: {0}")]
    Second(laneproof_proofs::SecondError),
    /// A cache key that cannot be used.
    #[error("cache key: {0}")]
    CacheKey(laneproof_proofs::KeyError),
    /// A user without a home.
    #[error("this user has no folder for a cache key; name a file with --cache-key")]
    NoCacheKey,
    /// Something panicked.
    #[error("{0}")]
    Fault(String),
    /// A thread could not be started.
    #[error("no threads to run on: {0}")]
    Threads(String),
    /// Several failures.
    #[error("{} entries cannot be run", .0.len())]
    Several(Vec<Failure>),
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl From<SpecificationError> for Failure {
    fn from(error: SpecificationError) -> Self {
        Self::Specification(Box::new(error))
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Second(error) => Self::Second(error),
            RunError::Source(SourceError::Load(error)) => Self::Load(error),
            RunError::Source(error) => Self::Source(error),
            RunError::Specification(error) => Self::Specification(error),
            RunError::Claim(error) => Self::Claim(error),
            RunError::Verify { entry, source } => Self::of_verify(entry, source),
            RunError::Fault { entry, fault } => Self::Fault(format!("{entry}: {fault}")),
            RunError::Threads(reason) => Self::Threads(reason),
        }
    }
}

/// The first paragraph of clap's message, which says it all, as one line.
fn usage(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> =
        text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}

impl Failure {
    /// An error of the prover about this file, or an internal error.
    pub fn of_verify(name: String, source: VerifyError) -> Self {
        match source {
            VerifyError::Internal(_) => Self::Fault(format!("{name}: {source}")),
            source => {
                let help = match &source {
                    VerifyError::Profile(name, known)
                    | VerifyError::Reading(name, known)
                    | VerifyError::Alternative(_, name, known) => alike(name, known),
                    _ => None,
                };
                Self::Verify { name, source, help }
            }
        }
    }

    /// One failure for any number of them.
    pub fn together(mut failures: Vec<Self>) -> Option<Self> {
        if failures.len() > 1 { Some(Self::Several(failures)) } else { failures.pop() }
    }

    /// Something went wrong inside.
    pub fn is_fault(&self) -> bool {
        match self {
            Self::Fault(_) | Self::Threads(_) => true,
            Self::Tool(laneproof_toolchains::ToolError::Broke { .. }) => true,
            // A thread that does not start is no fault of the module.
            Self::Load(LoadError::NoThread { .. })
            | Self::Source(SourceError::Load(LoadError::NoThread { .. })) => true,
            Self::Several(failures) => failures.iter().any(Self::is_fault),
            _ => false,
        }
    }

    /// One line: file, place, reason.
    pub fn line(&self) -> String {
        if let Self::Several(failures) = self {
            let lines: Vec<String> = failures.iter().map(Self::line).collect();
            return format!("{self}: {}", lines.join("; "));
        }
        let help = self.help().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{self}{help}")
    }

    /// With the place in its text where there is one.
    pub fn shown(&self, terminal: &Terminal) -> String {
        let theme = match (terminal.attended, terminal.error_color) {
            (true, true) => GraphicalTheme::unicode(),
            (true, false) => GraphicalTheme::unicode_nocolor(),
            _ => GraphicalTheme::none(),
        };
        // A log is searched line by line: there, lines are not broken.
        let width = if terminal.attended { terminal.page.width } else { usize::MAX / 2 };
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .without_cause_chain()
            .with_width(width)
            .with_context_lines(2);
        let mut out = String::new();
        if let Self::Several(failures) = self {
            for failure in failures {
                out.push_str(&failure.shown(terminal));
            }
        }
        match handler.render_report(&mut out, &Excerpt::of(self)) {
            Ok(()) => out,
            Err(_) => format!("{}\n", escaped(&self.line())),
        }
    }
}

/// How alike two names must be for the one to be meant by the other.
const ALIKE: f64 = 0.8;

/// Asks whether the known name that is most like this one is meant.
pub fn alike<'n, N: AsRef<str> + 'n>(
    name: &str,
    known: impl IntoIterator<Item = &'n N>,
) -> Option<String> {
    let name = name.to_lowercase();
    let known = known.into_iter().map(AsRef::as_ref);
    let near = known.map(|it| (strsim::jaro_winkler(&name, &it.to_lowercase()), it));
    let nearest = near.filter(|(similarity, _)| *similarity > ALIKE);
    let (_, nearest) = nearest.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!("did you mean `{nearest}`?"))
}

/// A mistake in a specification file, after its place.
fn placed(error: &SpecificationError) -> String {
    match place(error) {
        Some(place) => format!("{place}: {error}"),
        None => error.to_string(),
    }
}

/// `file:line:column` of a diagnostic's first label.
fn place(diagnostic: &dyn Diagnostic) -> Option<String> {
    let label = diagnostic.labels()?.next()?;
    let contents = diagnostic.source_code()?.read_span(label.inner(), 0, 0).ok()?;
    let name = contents.name().unwrap_or_default();
    Some(format!("{name}:{}:{}", contents.line() + 1, contents.column() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_that_contradict_each_other_are_an_internal_error_to_report() {
        let failure = Failure::of_verify("a.spvasm".into(), VerifyError::Internal("planted"));
        assert!(failure.is_fault());
        let line = failure.line();
        assert!(line.contains("internal error in laneproof, please report it: planted"), "{line}");
        let refused = Failure::of_verify("a.spvasm".into(), VerifyError::Property("`u32`".into()));
        assert!(!refused.is_fault());
    }
}
