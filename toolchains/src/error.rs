//! Why a campaign cannot be run.

use thiserror::Error;

/// Why a campaign cannot be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ToolError {
    /// A file cannot be read.
    #[error("{name}: cannot be read: {source}")]
    Unreadable {
        /// The file.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file or folder cannot be written.
    #[error("{name}: cannot be written: {source}")]
    Unwritable {
        /// The file or folder.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A description does not read.
    #[error("{name}: {reason}")]
    Malformed {
        /// The file.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file describes a tool by a name that another one has.
    #[error("{file}: there is another tool called `{name}`; give this one a name of its own")]
    NamedTwice {
        /// The file.
        file: String,
        /// The name.
        name: String,
    },
    /// No tool has this name.
    #[error("no tool is called `{name}`; expected one of {known}")]
    NoSuchTool {
        /// The requested name.
        name: String,
        /// The tools that there are.
        known: String,
    },
    /// A requested tool is not on this machine.
    #[error("`{name}` was not found: {missing}; {get}")]
    NotFound {
        /// The tool.
        name: String,
        /// What is missing.
        missing: String,
        /// How to get it.
        get: String,
    },
    /// A requested tool is on this machine, but does not start.
    #[error("`{name}` does not start: {reason}")]
    NotStarted {
        /// The tool.
        name: String,
        /// What it says.
        reason: String,
    },
    /// A fault of our own, while a module was examined.
    #[error("{fault}; module {index} of `{name}` with `--seed {seed}`")]
    Broke {
        /// The tool.
        name: String,
        /// The module's index in the campaign.
        index: u64,
        /// The campaign's seed.
        seed: u64,
        /// The message of the internal error.
        fault: String,
    },
}
