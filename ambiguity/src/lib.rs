//! Finds, in the documents as they are written, every place where the text gives no answer, two
//! answers, or an answer that depends on how it is read, and the smallest state that shows it.
//!
//! The texts come from [`laneproof_semantics::as_written`], with a choice point wherever a term has
//! a shape that can be read in several ways. The queries are the same for every instruction; no
//! instruction is special-cased. The [`ledger`], with the status of every sentence, shows what a
//! search without findings covers.

mod case;
mod consistency;
mod copies;
pub mod editorial;
mod effect;
mod finding;
mod found;
pub mod ledger;
mod litmus;
mod naming;
mod observed;
mod omissions;
mod once;
pub mod origin;
mod own_names;
mod parallels;
mod phrasing;
mod picture;
mod place;
mod plain;
mod presumed;
mod probe;
mod prose;
mod queries;
mod question;
mod quotes;
mod rank;
mod reading_outcome;
mod related;
mod report;
mod reworded;
mod row;
pub mod rules;
mod search;
pub mod sentences;
mod siblings;
pub mod slip;
mod spelling;
mod stage;
mod staged;
mod tables;
mod telling;
mod versions;
mod view;
mod witness;
mod wording;

pub use finding::{Evidence, Finding, FindingKind, MemoryView, Scene, Visibility, Witness};
pub use litmus::{Lane, Litmus, LitmusError, Otherwise, Prediction, Tells, litmus};
pub use observed::observed;
pub use place::SentencePlace;
pub use plain::ReadDocument;
pub use queries::remarks as search_remarks;
pub use queries::rules as search_rules;
pub use question::LANES;
pub use quotes::{Quotes, QuotesError};
pub use reading_outcome::ReadingOutcome;
pub use report::{Accounted, Harmless, SearchReport};
pub use search::{SearchOptions, extent, search};
pub use staged::Staged;
pub use view::{LaneOperand, LaneView};
