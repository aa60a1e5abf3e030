//! A specification file as it was read.

use std::sync::Arc;

/// A specification file.
#[derive(Clone, Debug)]
pub struct SpecificationFile {
    /// Its name: the path below `semantics/spec`, or what a user gave.
    pub name: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}
