//! A slip of the pen in a document, and what kind of slip it is.

mod nature;
mod omissions;
mod presumed;
mod prose;
mod vague;

use serde::{Deserialize, Serialize};

/// What kind of slip it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditorialFault {
    /// The same word twice.
    DoubledWord,
    /// `must` with no verb after it.
    MissingVerb,
    /// `a` before a vowel, or `an` before a consonant.
    Article,
    /// A section number with a letter in the place of a number.
    Placeholder,
    /// A word with an underscore and a letter at its end, as a conversion leaves it.
    Mangled,
    /// A blank before a full stop or a comma.
    Punctuation,
    /// A word that is nearly one that the document uses often.
    Misspelt,
    /// A token that the document spells in another way elsewhere.
    TwoSpellings,
    /// A unit joined to its number as if it were an adjective.
    Unit,
    /// A number and its unit before a noun, without the hyphen that makes them one adjective.
    NoHyphen,
    /// Items of a list that run on in one line, their marks among the words.
    ListRunTogether,
    /// A noun in the singular that the document has in the plural everywhere else.
    Number,
    /// A sentence that announces something, at the end of its section.
    CutOff,
    /// A list announced in the plural, with one item.
    ListOfOne,
    /// What a web page shows in place of a part of itself.
    Residue,
    /// A verb in the plural before one list.
    Agreement,
    /// `may only`, which permits and forbids.
    MayOnly,
    /// `should`, without a consequence.
    Advice,
    /// Several names for one thing.
    SeveralNames,
    /// A word for what the opposite of an instruction does.
    Opposite,
    /// What is written, and where from.
    Direction,
    /// A section that documents of its kind have is missing.
    NoSection,
    /// A word that leaves open what is meant.
    Vague,
    /// A modal in the place of another one in a sentence of a sibling.
    Modality,
    /// A token with two numbers.
    Numbers,
    /// A word that the same sentence about other instructions has.
    LeftOutWord,
    /// The same answer with a full stop and without.
    TwoEndings,
    /// A name that lacks a word which it has elsewhere.
    CutShort,
    /// Two words for one operation: a sum of one thing plus another.
    TwiceOver,
    /// A word that is said of itself.
    OfItself,
    /// A link that leads nowhere.
    EmptyLink,
    /// `and/or`.
    AndOr,
    /// A matter that is left to an implementation, without a way to learn how it decides.
    LeftToImplementation,
    /// `may allow`: more than the text names.
    MayAllow,
    /// `some`, of things that are not named.
    Unnamed,
    /// An operand in small letters beside others in capitals.
    SmallOperand,
    /// Something that a title announces and the section says nothing of.
    InTitleOnly,
    /// A name without the mark-up that it has elsewhere.
    Unmarked,
    /// A name with two kinds of mark-up.
    TwoMarks,
    /// Lists of the same names in several orders.
    TwoOrders,
    /// A verb in the singular and in the plural after lists of one kind.
    TwoNumbers,
    /// A type by names of another language, without its parts.
    OtherNamesOnly,
    /// A clause that a sentence on the same thing has.
    LeftOutClause,
    /// `will`, of what is to meet a requirement.
    Will,
    /// `the` before a name with a number.
    SpareArticle,
    /// No article before a name and what it is the name of.
    NoArticle,
    /// What is said of a list of numbers is true of what these are numbers of.
    OtherSubject,
    /// A later version is required than the one that is modified.
    LaterVersion,
    /// A version that stands with `or newer` elsewhere.
    OrNewer,
    /// Several wordings of one thing.
    SeveralWordings,
    /// The result in the place of its type.
    TypesForResult,
    /// A class of instructions by another name than the grammar's.
    NoSuchClass,
    /// A token in other case than the grammar's.
    OtherCase,
    /// An extension's document that names another extension in the place of its own.
    OtherExtension,
    /// An instruction that neither the grammar nor the document has.
    NoSuchInstruction,
    /// A capability that neither the grammar nor another place of the document has.
    NoSuchCapability,
    /// An operand whose type no sentence gives, where sentences give those of others.
    UntypedOperand,
    /// A row of operands of which the number of words is not that of its cells.
    WordCount,
    /// An operand of which no sentence speaks.
    UnspokenOperand,
    /// A rule for an operand that the instruction's row does not have.
    NoSuchOperand,
    /// What may be undefined, without a condition.
    UndefinedWhen,
    /// A parenthesis without its other half.
    Unbalanced,
    /// The first of several things, in no order.
    FirstOfNoOrder,
    /// A reduction or scan without an order.
    NoOrder,
    /// An exclusive scan without an identity.
    NoIdentity,
    /// The same again, in other words.
    InOtherWords,
    /// A status that leaves nothing open, of a draft.
    DoneAndDraft,
    /// A number as a word and as a numeral.
    WordAndNumeral,
    /// A quotation inside of one with the same marks.
    NestedQuotes,
    /// An article before a name that has none elsewhere.
    ArticleOfAName,
    /// An instruction called by words of another one's name.
    CalledAsAnother,
    /// An instruction among those of another class.
    OtherClass,
    /// A name with a capital in some of its words.
    MixedCase,
    /// Several types of the components of one vector.
    TypesOfOne,
    /// An operand that is called a type.
    CalledAType,
    /// Something new that is added to no section.
    AddedNowhere,
    /// A rule in a list of conditions.
    RuleAmongConditions,
    /// An index as C writes it.
    IndexInBrackets,
    /// An invocation by a number that is named nowhere.
    IdentifiedByItself,
    /// An overview of another scope than the instruction's.
    ScopeOfTheOverview,
    /// Instructions by the name of a capability.
    NamedByCapability,
    /// An instruction by words in the place of its name.
    CalledByWords,
    /// A first thing in one wording and the second in another.
    FirstAndSecond,
    /// What is otherwise, with the name of the whole again.
    GivenAnew,
    /// A type without a sign, and a value that is read without one.
    SignTwice,
    /// Names of another language that differ for types of the same parts.
    OtherEquivalents,
    /// A word in quotation marks that no other sentence has.
    QuotedOnly,
    /// Invocations of a subgroup, without the word for whether they are active.
    ActiveOrAll,
    /// What must be accepted, without the condition that sentences beside it have.
    WithoutCondition,
    /// A first value of several components.
    FirstOfComponents,
    /// A specification without its version.
    Unversioned,
    /// The component type of what may be a scalar.
    ComponentOfAScalar,
    /// What is optional where it is supported.
    OptionalWhere,
    /// An instruction that is said to be added by several extensions.
    AddedByOne,
    /// Two rules in one sentence.
    TwoRules,
    /// The result as if an operand had that name.
    ResultAsOperand,
    /// An extension that is called one of several languages.
    KindOfAName,
    /// What must be accepted, as a list of what may be.
    MustThenMay,
    /// A title of something else.
    TitleOfOther,
    /// A bound in one direction of two.
    OneDirection,
    /// No rules, beside requirements.
    NoneButMust,
    /// Vectors that are compared as if they were scalars.
    EqualVectors,
    /// Undefined behavior by the value of a constant.
    ConstantUndefined,
    /// Writes without an order.
    NoMemoryOrder,
    /// What is uniform within a scope.
    UniformWithin,
    /// A greatest version, and nothing of earlier ones.
    GreatestOnly,
    /// `These instructions`, which were listed with a value of an operand.
    TheseUnderACondition,
}

impl EditorialFault {
    pub(crate) fn word(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|it| it.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    pub(crate) const fn summary(self) -> &'static str {
        match self {
            Self::DoubledWord => "A word stands twice",
            Self::MissingVerb => "A verb is missing after a modal",
            Self::Article => "An article does not fit the word after it",
            Self::Placeholder => "A section number was not filled in, here or in the heading above",
            Self::Mangled => "A token or word is mangled",
            Self::Punctuation => "A blank stands before a punctuation mark",
            Self::Misspelt => "A word is misspelt, or of the wrong form",
            Self::TwoSpellings => "A token is spelt in two ways in one document",
            Self::NoHyphen => "Words that make one adjective stand before a noun without a hyphen",
            Self::Unit => "A unit is joined to its number where it is no adjective",
            Self::ListRunTogether => "The items of a list run on in one paragraph",
            Self::Number => "A noun is in the singular where the document has the plural elsewhere",
            Self::CutOff => "A sentence is cut off: what it announces does not follow",
            Self::ListOfOne => "A list is announced in the plural, and has one item",
            Self::Residue => "A part of a web page stands in the place of text",
            Self::Agreement => "A verb is in the plural, and what it is said of in the singular",
            Self::MayOnly => {
                "A sentence says 'may only', which permits something and may forbid all else: no \
                 'must' says that it does, or that a module which does otherwise is invalid"
            }
            Self::Advice => {
                "A sentence advises with 'should': it requires nothing, and no sentence says whether a \
                 module that does otherwise is valid"
            }
            Self::SeveralNames => {
                "What seems to be one thing has several names in one document, and no sentence \
                 says that they mean the same"
            }
            Self::Opposite => {
                "A sentence about an instruction speaks of what its counterpart does, as if copied \
                 from there"
            }
            Self::Direction => "What is written is said to go from a place, not to one",
            Self::NoSection => "A section that documents of extensions have is missing",
            Self::Modality => {
                "A sentence has another modal than the same sentence about another instruction"
            }
            Self::Numbers => "A token has one number in one place and another one elsewhere",
            Self::LeftOutWord => {
                "A word is missing that the same sentence has in the sections on other instructions"
            }
            Self::TwoEndings => "The same short answer stands with a full stop and without one",
            Self::CutShort => "A name lacks a word that it has everywhere else",
            Self::TwiceOver => "One thing is said by two words, where one is enough",
            Self::OfItself => "An operand is called by the very word for what it holds",
            Self::EmptyLink => "A link has a text and no address",
            Self::AndOr => {
                "A sentence joins two things by 'and/or': no sentence says which of them is needed \
                 where, and whether one alone is enough"
            }
            Self::LeftToImplementation => {
                "Something is left to the implementation: no sentence says how a program learns \
                 what an implementation decides, or what is valid where it does not know"
            }
            Self::MayAllow => {
                "A sentence lets others allow more than it names: no sentence says what, or how a \
                 program learns of it"
            }
            Self::Unnamed => {
                "A sentence is about some things of a kind, and no sentence says which of them"
            }
            Self::SmallOperand => {
                "An operand is written in small letters, and the others of the document with a capital"
            }
            Self::InTitleOnly => {
                "A title announces instructions of several kinds, and the section names none of one of them"
            }
            _ => self.in_other_words(),
        }
    }

    /// What is said in one way in one place and in another elsewhere, or in words that leave it open.
    const fn in_other_words(self) -> &'static str {
        match self {
            Self::Unmarked => "A name lacks the mark-up that it has in most places",
            Self::TwoMarks => "A name has one kind of mark-up in one place and another elsewhere",
            Self::TwoOrders => "The same names are listed in several orders",
            Self::TwoNumbers => {
                "After lists whose items 'or' joins, the verb is in the plural in one place and in the \
                 singular elsewhere"
            }
            Self::OtherNamesOnly => {
                "A type is given by the names of another language only, where other sentences of the \
                 document give its parts: no sentence says which Width it may have, or that the names \
                 decide"
            }
            Self::LeftOutClause => {
                "Of two sentences that share a condition, one has a further requirement, and the \
                 other does not: no sentence says whether it was left out on purpose"
            }
            Self::Will => {
                "A sentence says what something 'will' do, as if it were known: no 'must' makes it a \
                 requirement"
            }
            Self::SpareArticle => {
                "An article stands before a number where other sentences have none"
            }
            Self::NoArticle => "An article is missing",
            Self::OtherSubject => {
                "A sentence goes on with 'and must' after a list of numbers: what it says is not true \
                 of these numbers, but of the type that they belong to"
            }
            Self::LaterVersion => {
                "The document modifies one version of a specification, and requires a later one: no module \
                 of the version that it modifies may use it"
            }
            Self::OrNewer => {
                "A version is required, and no sentence says whether a newer one will do, as a sentence \
                 says elsewhere"
            }
            Self::SeveralWordings => "The same thing is said in several wordings",
            Self::TypesForResult => {
                "A sentence gives types for the result or for its type: what an instruction names is \
                 the Result Type, of which there is one"
            }
            Self::NoSuchClass => {
                "Instructions are called by the name of no class that SPIR-V divides instructions into"
            }
            _ => self.of_a_name_or_row(),
        }
    }

    /// What is the matter with a name, or with the row of an instruction's operands.
    const fn of_a_name_or_row(self) -> &'static str {
        match self {
            Self::OtherCase => {
                "A name differs from one that SPIR-V has in capital and small letters only"
            }
            Self::OtherExtension => {
                "Modules are told to declare another extension than the one that the document is about"
            }
            Self::NoSuchInstruction => {
                "An instruction is named that neither SPIR-V nor the document has"
            }
            Self::NoSuchCapability => {
                "An instruction needs a capability that neither SPIR-V nor another section of the \
                 document has"
            }
            Self::UntypedOperand => {
                "No sentence says of what type an operand must be, as sentences say of other operands \
                 of the instruction"
            }
            Self::WordCount => {
                "The row of an instruction's operands says that it has one number of words, and has \
                 cells for another"
            }
            Self::UnspokenOperand => {
                "An operand is in the row of its instruction, and no sentence of the section says of \
                 what type it must be, or what it is for"
            }
            Self::NoSuchOperand => {
                "A rule is for an operand that the row of the instruction does not have"
            }
            Self::Unbalanced => "A parenthesis is opened and not closed",
            Self::UndefinedWhen => {
                "Something may be undefined, and no sentence says when it is, and when it is not"
            }
            Self::Vague => "A word leaves open what is meant",
            _ => self.of_prose(),
        }
    }

    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::DoubledWord => "The word once.",
            Self::MissingVerb => "The verb, as other sentences have it.",
            Self::Article => "The article that fits.",
            Self::Placeholder => "The number of the section.",
            Self::Mangled | Self::Misspelt => "The word that is meant.",
            Self::Punctuation => "No blank before the mark.",
            Self::TwoSpellings => "One spelling in all places.",
            Self::NoHyphen => "A hyphen between them.",
            Self::Unit => "A blank between the number and its unit.",
            Self::ListRunTogether => "Each item on a line of its own.",
            Self::Number => "The plural, as elsewhere.",
            Self::CutOff => "What is announced, or a sentence that announces nothing.",
            Self::ListOfOne => "The singular, or the items that are missing.",
            Self::Residue => "The text without it.",
            Self::Agreement => "The verb in the singular.",
            Self::MayOnly => "'Must not' for what is forbidden, or 'may' alone.",
            Self::Advice => "'Must' and what follows if it is not so, or a note.",
            Self::SeveralNames => "One name in all places, or what tells the things apart.",
            Self::Opposite => "The word for what this instruction does.",
            Self::Direction => "The place that is written to.",
            Self::NoSection => "The section, or a sentence that says why there is none.",
            Self::Vague => "What is meant, in full.",
            Self::Modality => "One modal for all, or what tells the instructions apart.",
            Self::Numbers => "The number that was assigned, in all places.",
            Self::LeftOutWord => "The word, as in the other sentences.",
            Self::TwoEndings => "A full stop in all places, or in none.",
            Self::CutShort => "The name in full.",
            Self::TwiceOver => "One of the two words.",
            Self::OfItself => "The operand's own name, spelt as in its table.",
            Self::EmptyLink => "The address, or no link.",
            Self::AndOr => "'And' or 'or', for each instruction that is meant.",
            Self::LeftToImplementation => "A query for it, or what a valid module may rely on.",
            Self::MayAllow => "What may be allowed, and where it is said.",
            Self::Unnamed => "Which of them, each by its name.",
            Self::SmallOperand => "The operand's name with a capital, in all places.",
            Self::InTitleOnly => "Sentences about that kind, or a title without it.",
            Self::Unmarked => "The mark-up, as in the other places.",
            Self::TwoMarks => "One kind of mark-up in all places.",
            Self::TwoOrders => "One order in all places.",
            Self::TwoNumbers => "The singular in all places.",
            Self::OtherNamesOnly => "The Width and Signedness of the type, beside the names.",
            Self::LeftOutClause => "The same requirement in both sentences, or why one has none.",
            Self::Will => "'Must', or a note.",
            Self::SpareArticle => "The same words without the article.",
            Self::NoArticle => "The article.",
            Self::OtherSubject => "A sentence of its own, with the type as its subject.",
            Self::LaterVersion => "What is modified in the version that is required.",
            Self::SeveralWordings => "One wording in all places.",
            Self::TypesForResult => "What the Result Type may be.",
            Self::NoSuchClass => "The name of the class, or the instructions by their names.",
            Self::OrNewer => "'Or newer', or that no other version will do.",
            Self::OtherCase => "The name as SPIR-V has it.",
            Self::OtherExtension => "The name of the extension, as under Name Strings.",
            Self::NoSuchInstruction => "The name of an instruction that there is.",
            Self::NoSuchCapability => "The name of a capability that there is.",
            Self::UntypedOperand => "The types that the operand must have.",
            Self::WordCount => "One word for the opcode, and one for each operand.",
            Self::UnspokenOperand => "A sentence on the operand, or a row without it.",
            Self::NoSuchOperand => "The operand's name as the row has it.",
            Self::UndefinedWhen => "When it is undefined.",
            Self::Unbalanced => "Both parentheses, or none.",
            _ => self.remedy_of_prose(),
        }
    }
}

/// A slip in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// The sentence's number in its section, from 1.
    pub sentence: u32,
    /// What is wrong.
    pub fault: EditorialFault,
    /// The words in which it is.
    pub words: String,
}
