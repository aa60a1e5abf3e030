//! The catalogue: theorems about subgroup instructions, and lowerings as production compilers
//! have them, each an ordinary SPIR-V assembly file that says which verdict it must get.
//!
//! `README.md` describes the form of a file; a user's own files of that form are read alike.

mod cache;
mod cache_key;
mod catalogue;
mod entry;
mod header;
mod mutation;
mod pace;
mod pattern;
mod run;
mod run_error;
mod sample;
mod sample_memory;
mod second;
mod shard;

pub use cache::Cache;
pub use cache_key::{CacheKey, KeyError};
pub use catalogue::{Catalogue, CatalogueError};
pub use entry::{Attachment, Entry};
pub use header::{
    Active, Header, HeaderError, HeaderProblem, HeaderStates, SubgroupChoice, invariants,
};
pub use mutation::{Fate, Mutant, Mutation, mutants, mutate_all};
pub use pattern::Pattern;
pub use run::{EntryOutcome, Setup, run, run_all};
pub use run_error::RunError;
pub use sample::{Sampled, sample};
pub use second::{Opinion, SecondError, SecondSolver, end_second_solvers};
pub use shard::{Shard, ShardError};
