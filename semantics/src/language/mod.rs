//! The specification language: syntax, parser, checker.

pub mod ast;
pub mod fact;
pub mod formula;
pub mod intrinsic;
pub mod margin;
mod name;
pub(crate) mod parse;
pub mod rule;
mod walk;

pub use parse::not_an_expression;
