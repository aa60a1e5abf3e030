//! The parser that `grammar.pest` describes, in a crate of its own: it is large when it is generated, changes
//! seldom and is quick enough at the lowest optimization level, so nobody waits for it twice.
#![allow(missing_docs)] // of the `enum` of rules, which the derivation writes

/// Text to pairs of rules; `semantics/spec/LANGUAGE.md` says what they mean.
#[derive(pest_derive::Parser)]
#[grammar = "grammar.pest"]
pub struct Grammar;
