//! Finds, in the documents as they are written, every place where the text gives no answer, two
//! answers, or an answer that depends on how it is read, and the smallest state that shows it.

pub mod ledger;
pub mod sentences;
