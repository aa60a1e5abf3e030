//! What is said of omissions: what a sentence lacks that others beside it have.

use super::EditorialFault;

impl EditorialFault {
    /// What a sentence leaves out, or has in a place that is another thing's.
    pub(super) const fn of_omissions(self) -> &'static str {
        if let Some(presumed) = self.of_presumed() {
            return presumed;
        }
        match self {
            Self::ActiveOrAll => {
                "Something is said of invocations of a subgroup, and not whether that takes in those that \
                 exist and do not execute the instruction"
            }
            Self::WithoutCondition => {
                "Sentences say what an environment must accept; one beside them has a condition, and no \
                 sentence says whether the others hold under it, too"
            }
            Self::FirstOfComponents => {
                "Sentences speak of a first and a second value, and of components: no sentence says which \
                 component is the first value"
            }
            Self::Unversioned => {
                "Another specification decides what holds, and no sentence says which version of it"
            }
            Self::ComponentOfAScalar => {
                "What may be a scalar is to have a component type: a scalar has none, and no sentence \
                 says that its own type is meant"
            }
            Self::MustThenMay => {
                "What must be accepted is a list of what 'may' be: no sentence says whether that must be \
                 accepted, and whether what is not listed stays legal"
            }
            Self::OneDirection => {
                "A bound is given in one direction of an image, and places are named in another one, too: \
                 no sentence says what is checked there"
            }
            Self::NoneButMust => {
                "The section on validation rules says that there are none, and sentences elsewhere say \
                 what 'must' be so: no sentence says which of these make a module invalid"
            }
            Self::EqualVectors => {
                "An operand may be a vector, and its values are compared: no sentence says whether \
                 vectors are equal, or a NaN, by one component or by all"
            }
            Self::ConstantUndefined => {
                "An operand must be a constant, and behavior is undefined for some of its values: no \
                 sentence says whether a module is valid whose constant has one"
            }
            Self::NoMemoryOrder => {
                "An instruction writes to memory, and no sentence of the document says how that is \
                 ordered with other accesses, or what makes it visible to other invocations"
            }
            Self::OptionalWhere => {
                "Something is optionally supported where a condition holds that is its support: nothing \
                 optional is left there"
            }
            Self::AddedByOne => {
                "An instruction is said to be added by several extensions, and one of these adds it by \
                 SPIR-V's grammar"
            }
            Self::TwoRules => {
                "How an operand is read, and when something is undefined, stand in one sentence that is \
                 joined by 'and': the second is not about the operand alone"
            }
            Self::ResultAsOperand => {
                "What an instruction reads or gives is called by a name that no operand of it has"
            }
            Self::KindOfAName => {
                "An extension is called one of one language or interface in one place, and of another \
                 elsewhere"
            }
            // `TitleOfOther`.
            _ => "A title announces one kind of things, and the section begins with another",
        }
    }

    pub(super) const fn remedy_of_omissions(self) -> &'static str {
        if let Some(presumed) = self.remedy_of_presumed() {
            return presumed;
        }
        match self {
            Self::ActiveOrAll => "For active invocations, or for all that exist.",
            Self::WithoutCondition => "The condition, as the sentence beside it has it.",
            Self::FirstOfComponents => {
                "The first value is component 0, the second component 1, and so on."
            }
            Self::Unversioned => "The version, or which ones will do.",
            Self::ComponentOfAScalar => "The type of a scalar, or the component type of a vector.",
            Self::MustThenMay => "What must be accepted, in addition to what is legal without it.",
            Self::OneDirection => "The bounds in both directions.",
            Self::NoneButMust => "The rules that a validator checks, or no such section.",
            Self::EqualVectors => {
                "Equal where all components are, and a NaN where one component is."
            }
            Self::ConstantUndefined => {
                "A module is invalid where the constant is so, or behavior is undefined."
            }
            Self::NoMemoryOrder => "Accesses are as those of non-atomic loads and stores.",
            Self::OptionalWhere => "Supported where the condition holds.",
            Self::AddedByOne => "The extension that adds the instruction.",
            Self::TwoRules => "A sentence for each.",
            Self::ResultAsOperand => "The result.",
            Self::KindOfAName => "The same kind in all places.",
            // `TitleOfOther`.
            _ => "A title that names what the section begins with.",
        }
    }
}
