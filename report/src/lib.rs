//! Reports of the prover for people and for programs: words, lane tables, JSON documents.

pub mod explain;
pub mod frame;
pub mod json;
pub mod lanes;
mod page;
pub mod table;
pub mod verdict;

pub use page::Page;
