//! External tools: how to call them, their results, and whether the oracle allows these.
//!
//! Tools are data ([`Tool`], files in `tools/`). A [`campaign`] makes modules, puts each through
//! the tools that take it, and holds what comes out against the interpreter and the oracle. What
//! is wrong is reduced and becomes a [`ToolFinding`].

mod apply;
mod breakage;
mod campaign;
mod command;
mod corpus;
mod device;
mod difference;
mod error;
mod examine;
mod find;
mod finding;
mod folder;
mod loose;
mod lowerings;
mod mutated;
mod outcome;
mod own;
mod persistent;
mod plan;
mod process;
mod prover;
mod reduce;
mod reference;
mod report;
mod schedule;
mod tool;

pub use campaign::campaign;
pub use corpus::corpus;
pub use device::{About, start_to_list};
pub use error::ToolError;
pub use find::{LocatedTool, Places, find, stated};
pub use finding::ToolFinding;
pub use folder::kept;
pub use laneproof_generator::{Foreign, ModuleProfile};
pub use lowerings::{changed_functions_in, functions_in, lowering};
pub use mutated::mutated;
pub use outcome::{FaultKind, ToolFault};
pub use own::examine_own;
pub use plan::{
    CampaignEvent, CampaignExtent, CampaignPlan, OfCorpus, ProverTally, Summary, Times, ToolRow,
};
pub use process::end_tools;
pub use prover::{Depth, Proof, examine_proof};
pub use reduce::instructions;
pub use tool::{
    BuiltInTool, Commands, Gate, Requirements, Tool, ToolKind, ToolLimits, built_in, read,
};
