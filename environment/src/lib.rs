//! The rules of an environment's documents about modules: data beside the clauses, executed by an
//! engine that special-cases none of them.
//!
//! Four answers are kept apart. A rule is *violated*; something is *not promised*, being outside of
//! what the environment must accept; something *depends on the device*, and the fact is named;
//! behavior is *undefined where this is reached*. A module says what it declares; a device file
//! says what a device supports ([`Device`]).

mod body;
mod circumstance;
mod device;
mod diagnostic;
mod environment;
mod facts;
mod fields;
mod flow;
mod found;
mod judge;
mod known_names;
mod leaves;
mod module_tokens;
mod places;
mod printf;
mod reached;
mod reference;
mod shown;
mod signatures;
mod table;
mod values;
mod view;
mod wording;

use laneproof_module::Listing;

pub use body::{Body, citation, numbered};
pub use device::{Device, DeviceFileError};
pub use diagnostic::{Diagnostic, Severity};
pub use environment::Environment;
pub use facts::{DeviceFact, FactMeaning, FactSort, FactTest, Facts};
pub use table::{RuleFact, RuleRow, Status, table};

use crate::fields::Fields;
use crate::judge::Judge;
use crate::view::View;

/// Everything that is to be said of a module: what the reference validator says, then the rules of
/// the environment's documents.
pub fn validate(body: &Body<'_>, listing: &Listing, device: Option<&Device>) -> Vec<Diagnostic> {
    let view = View::new(listing, Fields::new(body.specifications));
    let mut rules = Judge::findings(&view, body, device);
    rules.extend(reached::findings(&view, body, device));
    let mut found = reference::findings(&view, body, device, &rules);
    found.append(&mut rules);
    let types = signatures::findings(&view, body, &found);
    diagnostic::together(found.into_iter().chain(types).collect())
}

/// What the rules on modules say, and nothing of what constants prove by the clauses of instructions.
pub fn by_rules(body: &Body<'_>, listing: &Listing, device: Option<&Device>) -> Vec<Diagnostic> {
    let view = View::new(listing, Fields::new(body.specifications));
    diagnostic::together(Judge::findings(&view, body, device))
}

/// What the rules of the environment's documents say alone.
pub fn judge(body: &Body<'_>, listing: &Listing, device: Option<&Device>) -> Vec<Diagnostic> {
    let view = View::new(listing, Fields::new(body.specifications));
    let mut found = Judge::findings(&view, body, device);
    found.extend(reached::findings(&view, body, device));
    let types = signatures::findings(&view, body, &found);
    diagnostic::together(found.into_iter().chain(types).collect())
}
