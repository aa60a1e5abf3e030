//! The text of a lowering, right or wrong.

use crate::write::Writer;

/// The bodies of two functions that claim to be the same.
pub(crate) struct Text {
    pub(crate) parameters: String,
    pub(crate) result: String,
    pub(crate) source: String,
    pub(crate) target: String,
}

impl Text {
    /// Of one payload, which is the result's type, too.
    pub(crate) fn of(writer: &Writer, source: String, target: String) -> Self {
        let ty = writer.ty();
        Self { parameters: format!("{ty} x"), result: ty.to_owned(), source, target }
    }
}

/// Which of a right text and two wrong ones.
pub(crate) fn pick(variant: usize, texts: [&str; 3]) -> &str {
    texts[variant.min(2)]
}
