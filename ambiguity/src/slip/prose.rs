//! What is said of slips that are found in prose: what is wrong, and what would help.

use super::EditorialFault;

impl EditorialFault {
    /// What a word needs another sentence for, or what a document says in two ways.
    pub(super) const fn of_prose(self) -> &'static str {
        match self {
            Self::FirstOfNoOrder => {
                "An invocation is called the first or last one: no sentence says by which number, or \
                 whether one that is not active counts"
            }
            Self::NoOrder => {
                "Values of invocations are combined: no sentence says in which order, or that the order \
                 is open, though a scan and a sum in floating point depend on it"
            }
            Self::NoIdentity => {
                "An exclusive scan leaves an invocation's own value out, and gives the first one the identity \
                 of the operation: no sentence says so here, or which one is the first"
            }
            Self::InOtherWords => {
                "A sentence requires the same thing twice, the second time in other words: no sentence \
                 says which of the two holds where they differ"
            }
            Self::DoneAndDraft => {
                "The status says that the document is done, and its newest revision is called a draft"
            }
            Self::WordAndNumeral => {
                "The same things are counted by a word in one place and by a numeral elsewhere"
            }
            Self::NestedQuotes => "A quotation stands in another one, with the same marks for both",
            Self::ArticleOfAName => "A name has an article in one place and none elsewhere",
            Self::CalledAsAnother => {
                "Several instructions are called by words that are in the name of one of them, and not \
                 in that of another"
            }
            Self::MixedCase => {
                "A name begins with a capital in some of its words and not in others"
            }
            Self::TypesOfOne => {
                "One vector is said to be of several types, which its components share"
            }
            Self::CalledAType => "An operand is said to be a type: it has one",
            Self::AddedNowhere => {
                "Something new is added, and no sentence says to which section of the specification"
            }
            Self::RuleAmongConditions => {
                "A list of conditions has an item that is none, but says what is so"
            }
            Self::IndexInBrackets => {
                "An index in brackets is no notation of SPIR-V: no sentence says whether it counts \
                 elements of the type pointed to, or bytes"
            }
            Self::IdentifiedByItself => {
                "An operand identifies an invocation, and no sentence says by which number: the section \
                 names no built-in variable"
            }
            Self::ScopeOfTheOverview => {
                "The overview speaks of subgroups, and an instruction may have a workgroup as its scope"
            }
            Self::OtherClass => {
                "An instruction is added to, or looked for in, a section for instructions of another class \
                 than the one that SPIR-V puts it into"
            }
            _ => self.of_parallels(),
        }
    }

    /// What things are called, and what is said of two that belong together.
    const fn of_parallels(self) -> &'static str {
        match self {
            Self::NamedByCapability => {
                "Instructions are told by a capability that they need, and some are enabled by any one of \
                 several: no sentence says whether these are meant, too"
            }
            Self::CalledByWords => "An instruction is called by words, and not by its name",
            Self::FirstAndSecond => {
                "The same is said of a first and of a second thing, in words that do not fit each other"
            }
            Self::GivenAnew => {
                "One line ends in 'otherwise', and the next one gives the whole anew in the place of what \
                 is otherwise"
            }
            Self::SignTwice => {
                "The type of an operand has no sign, and the operand is said to be read without one, too: \
                 the second follows from the first"
            }
            Self::OtherEquivalents => {
                "Types of the same parts have names of another language that differ: no sentence says \
                 whether such a number may have a sign in one place and not in the other"
            }
            Self::QuotedOnly => {
                "A word is quoted, as if it meant something of its own, and no other sentence has it: none \
                 says what that is"
            }
            _ => self.of_omissions(),
        }
    }

    pub(super) const fn remedy_of_prose(self) -> &'static str {
        match self {
            Self::FirstOfNoOrder => {
                "By which number they are ordered, as SubgroupLocalInvocationId."
            }
            Self::NoOrder => "In the order of SubgroupLocalInvocationId, or in any order.",
            Self::NoIdentity => {
                "Which one is the first, and that it gets the identity of the operation."
            }
            Self::InOtherWords => "One of the two, and what follows from it as a note.",
            Self::DoneAndDraft => "Initial revision, or a status that says that it is a draft.",
            Self::WordAndNumeral => "The one or the other in all places.",
            Self::NestedQuotes => "Other marks for the inner one.",
            Self::ArticleOfAName => "The name without the article, in all places.",
            Self::CalledAsAnother => "The name of what both are, or each by its own.",
            Self::MixedCase => "The name as SPIR-V writes it.",
            Self::TypesOfOne => "The type in the singular.",
            Self::CalledAType => "The same of the operand's type.",
            Self::AddedNowhere => "The section, by its number and title.",
            Self::RuleAmongConditions => "A sentence of its own behind the list.",
            Self::IndexInBrackets => "What the index counts, in words.",
            Self::IdentifiedByItself => "The built-in variable, as SubgroupLocalInvocationId.",
            Self::ScopeOfTheOverview => {
                "Both scopes in the overview, or what the other one is for."
            }
            Self::OtherClass => "The section for the instructions of its class.",
            Self::NamedByCapability => {
                "The instructions by their names, or all instructions that the capability enables."
            }
            Self::CalledByWords => "The name of the instruction.",
            Self::FirstAndSecond => "One wording for both.",
            Self::GivenAnew => "One line with all cases, or what is otherwise without its name.",
            Self::SignTwice => "One of the two.",
            Self::OtherEquivalents => "The same names for the same type, or how its sign is read.",
            Self::QuotedOnly => "What the word means, or a sentence without it.",
            _ => self.remedy_of_omissions(),
        }
    }
}
