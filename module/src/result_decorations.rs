//! What decorations say of results.

use std::collections::{BTreeMap, BTreeSet};

use crate::place::Id;

/// What decorations say of results, by `<id>`.
#[derive(Clone, Debug, Default)]
pub struct ResultDecorations {
    /// Those that are decorated `NoContraction`.
    pub uncontracted: BTreeSet<Id>,
    /// Those that are decorated `RelaxedPrecision`.
    pub relaxed: BTreeSet<Id>,
    /// Of an `OpPtrAccessChain` the `ArrayStride` of its base's type, in bytes.
    pub strides: BTreeMap<Id, u32>,
    /// Those that are decorated `FPFastMathMode`, with its bits.
    pub fast_math: BTreeMap<Id, u32>,
}
