//! The parser that `grammar.pest` describes, in a crate of its own: the generated code is large, changes
//! rarely and is fast enough at the lowest optimization level, so it is compiled once.
#![allow(missing_docs)] // of the `enum` of rules, which the derivation writes

/// Text to pairs of rules; `semantics/spec/LANGUAGE.md` says what they mean.
#[derive(pest_derive::Parser)]
#[grammar = "grammar.pest"]
pub struct Grammar;
