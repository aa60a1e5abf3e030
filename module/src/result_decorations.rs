//! What decorations say of results.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::FPRoundingMode;

use crate::names::Named;
use crate::place::Id;

/// A rounding mode as a decoration with its operand.
pub fn rounding_decoration(mode: FPRoundingMode) -> String {
    format!("FPRoundingMode {}", mode.name())
}

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
    /// Those that are decorated `FPRoundingMode`, with the mode.
    pub rounding: BTreeMap<Id, FPRoundingMode>,
}

impl ResultDecorations {
    /// What is said of some results is said of those that stand for them, too.
    pub(crate) fn extend_to(&mut self, stand_ins: &[(Id, Id)]) {
        for (stand_in, original) in stand_ins {
            for set in [&mut self.uncontracted, &mut self.relaxed] {
                if set.contains(original) {
                    set.insert(*stand_in);
                }
            }
            if let Some(bits) = self.fast_math.get(original).copied() {
                self.fast_math.insert(*stand_in, bits);
            }
        }
    }
}
