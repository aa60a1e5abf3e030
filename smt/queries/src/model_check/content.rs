//! What memory holds in a symbolic group.

use laneproof_semantics::denote::Leaf;
use laneproof_semantics::term::Term;

/// What a pointer or image leads to.
#[derive(Clone, Debug)]
pub(super) struct Content {
    /// Elements of a buffer; words of an image, row by row.
    pub(super) scalars: Vec<Leaf>,
    /// Words in a row of an image.
    pub(super) width: Option<u32>,
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug)]
pub struct PointedBuffer {
    /// The address of its first element, in bytes.
    pub base: Term,
    /// How many elements it has.
    pub length: Term,
}
