//! What is said of what a sentence presumes.

use super::EditorialFault;

impl EditorialFault {
    /// What a sentence presumes that no other one says; none of other faults.
    pub(super) const fn of_presumed(self) -> Option<&'static str> {
        Some(match self {
            Self::UniformWithin => {
                "Something must be dynamically uniform within a scope: SPIR-V says what that is among the \
                 invocations of an invocation group, and no sentence says what it is within another scope"
            }
            Self::GreatestOnly => {
                "The greatest version that is supported is named: no sentence says whether all earlier ones \
                 are, too"
            }
            Self::TheseUnderACondition => {
                "Instructions are listed together with a value of one of their operands, and a later \
                 sentence is about 'these instructions': no sentence says whether it holds for them with \
                 other values, too"
            }
            _ => return None,
        })
    }

    pub(super) const fn remedy_of_presumed(self) -> Option<&'static str> {
        Some(match self {
            Self::UniformWithin => {
                "The same value in all active invocations of the scope that execute the instruction together."
            }
            Self::GreatestOnly => "All versions up to that one, or which ones.",
            Self::TheseUnderACondition => {
                "The condition again in that sentence, or that it holds whatever the operand is."
            }
            _ => return None,
        })
    }
}
