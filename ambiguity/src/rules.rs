//! What the documents say of modules, made ready to be compared.
//!
//! A rule names its instructions by what a capability enables, its types by shape and element, its
//! enumerants as the document spells them. [`Book`] writes this out: for every field of every
//! instruction, the values that each demand names. [`judge`] asks the book about one module.

mod book;
mod circumstances;
mod judge;
mod known;
mod values;
mod witness;

pub use book::{Book, Fault, ResolvedDemand, UnknownName};
pub(crate) use circumstances::in_words;
pub use circumstances::{Circumstances, always, smallest};
pub use judge::judge;
pub(crate) use judge::{
    NOTHING, accepted, has_several, is_about, lacking, longest_list, needed, prohibits, sort, unfit,
};
pub use known::Known;
pub(crate) use known::needs;
pub use values::{Element, FieldValue, Ty};
pub use witness::ModuleWitness;
