//! The text of a lowering, right or wrong.

use crate::write::Writer;

/// The bodies of two functions that claim to be the same.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) parameters: String,
    pub(crate) result: String,
    /// Arrays that the workgroup shares, with commas between them.
    pub(crate) shared: String,
    pub(crate) source: String,
    pub(crate) target: String,
}

impl Text {
    /// Of one payload, which is the result's type, too.
    pub(crate) fn of(writer: &Writer, source: String, target: String) -> Self {
        let ty = writer.ty();
        Self {
            parameters: format!("{ty} x"),
            result: ty.to_owned(),
            shared: String::new(),
            source,
            target,
        }
    }

    /// Of two payloads `x` and `y`.
    pub(crate) fn of_two(writer: &Writer, source: String, target: String) -> Self {
        let ty = writer.ty();
        Self { parameters: format!("{ty} x, {ty} y"), ..Self::of(writer, source, target) }
    }

    /// Of parameters of any types.
    pub(crate) fn with(parameters: &str, result: &str, source: String, target: String) -> Self {
        Self {
            parameters: parameters.to_owned(),
            result: result.to_owned(),
            shared: String::new(),
            source,
            target,
        }
    }

    /// With arrays that the workgroup shares.
    pub(crate) fn sharing(self, shared: &str) -> Self {
        Self { shared: shared.to_owned(), ..self }
    }
}

/// Which of a right text and two wrong ones.
pub(crate) fn pick(variant: usize, texts: [&str; 3]) -> &str {
    texts[variant.min(2)]
}

/// A body that only returns.
pub(crate) fn returned(value: &str) -> String {
    format!("return {value};\n")
}

/// The reduction of `x` by the operator, as a result.
pub(crate) fn reduce(writer: &Writer) -> String {
    returned(&writer.group("", "x"))
}

/// The inclusive scan.
pub(crate) fn inclusive(writer: &Writer) -> String {
    returned(&writer.group("Inclusive", "x"))
}

/// The exclusive scan.
pub(crate) fn exclusive(writer: &Writer) -> String {
    returned(&writer.group("Exclusive", "x"))
}
