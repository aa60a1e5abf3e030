//! Slips of the pen, on small documents of our own; and on sound ones, which have none.
#![allow(clippy::panic, missing_docs)]

use laneproof_ambiguity::slip::EditorialFault;

use super::faults::found;

/// A sentence with a slip, and the same without it.
const PAIRS: [(EditorialFault, &str, &str, &str); 55] = [
    (EditorialFault::DoubledWord, "It must must be so.", "must must", "It must be so."),
    (
        EditorialFault::MissingVerb,
        "It must Physical64.",
        "must Physical64",
        "It must be Physical64.",
    ),
    (EditorialFault::Article, "Down to a invocation.", "a invocation", "Down to an invocation."),
    (EditorialFault::Placeholder, "Section 7.1.X is new.", "7.1.X", "Section 7.1.2 is new."),
    (EditorialFault::Mangled, "The invocation_s own id.", "invocation_s", "A size_t of its own."),
    (EditorialFault::Punctuation, "One is a NaN .", "NaN .", "One is a NaN."),
    (
        EditorialFault::Unit,
        "A multiple of 64-bytes.",
        "64-bytes",
        "A 64-byte multiple of 64 bytes.",
    ),
    (
        EditorialFault::NoHyphen,
        "A vector of 32 bit words.",
        "32 bit words",
        "A vector of 32-bit words; each has 1 bit more than 31 bits, of which bit 3 is set.",
    ),
    (
        EditorialFault::Agreement,
        "The following are a list.",
        "are a list",
        "Below is a list; all are a must.",
    ),
    (EditorialFault::CutOff, "Open an issue at:", "issue at:", "Open an issue."),
    (
        EditorialFault::Residue,
        "JavaScript must be enabled.",
        "JavaScript must",
        "A name must be given.",
    ),
    (
        EditorialFault::TwoSpellings,
        "A GroupOperation is one of the Group Operation values.",
        "GroupOperation",
        "A Group Operation, whose group operation is Reduce.",
    ),
    (EditorialFault::Punctuation, "A flag , a size.", "flag ,", "A flag, a size."),
    (
        EditorialFault::LaterVersion,
        "It is written against the Plain Specification, Version 1.3.\n\nIt requires Plain 1.5.",
        "1.3 / Plain 1.5",
        "It is written against the Plain Specification, Version 1.5.\n\nIt requires Plain 1.3.",
    ),
    (
        EditorialFault::OrNewer,
        "It requires Plain 2.1.\n\nFor Plain 2.0 or newer it turns.",
        "Plain 2.1 / Plain 2.0 or newer",
        "It requires Plain 2.1 or newer.\n\nFor Plain 2.0 or newer it turns.",
    ),
    (
        EditorialFault::MayOnly,
        "Data may only be moved.",
        "Data may only be moved",
        "Only Data may be moved.",
    ),
    (
        EditorialFault::Advice,
        "Care should be taken.",
        "Care should be taken",
        "Care must be taken.",
    ),
    (
        EditorialFault::SeveralNames,
        "A texel is an image element.",
        "texel / image element",
        "A texel is an element of an image.",
    ),
    (
        EditorialFault::SeveralNames,
        "Each work item is an invocation.",
        "work item / invocation",
        "An out-of-range index may name what is out-of-bounds, and a ballot is no bitmask.",
    ),
    (
        EditorialFault::SeveralNames,
        "It must accept pairs, and triples are supported.",
        "must accept / are supported",
        "It must accept pairs, and it must accept triples in support.",
    ),
    (
        EditorialFault::Direction,
        "Writes one component from the pointer.",
        "Writes \u{2026} from the pointer.",
        "Writes one component to the pointer.",
    ),
    (
        EditorialFault::TwiceOver,
        "It is the sum of one id plus another.",
        "sum of \u{2026} plus",
        "It is the sum of one id and another, plus one.",
    ),
    (
        EditorialFault::OfItself,
        "Each subset has the same value of value.",
        "value of value",
        "Each subset has the same value of Value.",
    ),
    (
        EditorialFault::EmptyLink,
        "See the `Page `__ of it.",
        "Page `__",
        "See the `Page <https://example.org>`__ of it.",
    ),
    (
        EditorialFault::AndOr,
        "It is legal as the result and/or the value.",
        "result and/or the",
        "It is legal as the result and the value, or as either.",
    ),
    (
        EditorialFault::LeftToImplementation,
        "Whether it turns is implementation defined.",
        "is implementation defined",
        "An implementation that turns defines a query.",
    ),
    (
        EditorialFault::MayAllow,
        "Environments may allow additional types.",
        "may allow additional types",
        "Environments may turn, and allow types that a query lists.",
    ),
    (
        EditorialFault::Unnamed,
        "Of these some types may require a capability.",
        "some types may require",
        "Some lanes turn, and pairs require a capability.",
    ),
    (
        EditorialFault::SmallOperand,
        "<id> Value\n\n<id> Delta\n\nOptional <id> ballot",
        "ballot",
        "<id> Value\n\n<id> Delta\n\nOptional <id> Ballot",
    ),
    (
        EditorialFault::Unmarked,
        "A *Pair Count*, a *Pair Count*, and one Pair Count more.",
        "Pair Count",
        "A *Pair Count*, a *Pair Count*, and the *Pair Count*s of Pair Counts.",
    ),
    (
        EditorialFault::TwoMarks,
        "A **Pair**, a **Pair**, and a *Pair*.",
        "*Pair* / **Pair**",
        "A **Pair**, a **Pair**, and a *Triple*.",
    ),
    (
        EditorialFault::TwoOrders,
        "It takes Red, Green, or Blue.\n\nIt gives Blue, Green, or Red.",
        "Blue, Green, Red / Red, Green, Blue",
        "It takes Red, Green, or Blue.\n\nIt gives Red, Green, or Black.",
    ),
    (
        EditorialFault::TwoNumbers,
        "If oneFlags, twoFlags, or sixFlags include A.\n\nIf oneFlags, twoFlags, or sixFlags includes B.",
        "include / includes",
        "If oneFlags, twoFlags, or sixFlags includes A.\n\nOneFlags, twoFlags, and sixFlags include B.",
    ),
    (
        EditorialFault::OtherNamesOnly,
        "**OpTypeInt** with a width of 32.\n\n**OpTypeInt** (equivalent to int).",
        "OpTypeInt",
        "**OpTypeInt** with a width of 32 (equivalent to int).\n\n**OpTypeFloat** (equivalent to float).",
    ),
    (
        EditorialFault::LeftOutClause,
        "If it is a buffer that is part of another, then the size must be 4, in addition to the \
         limits of a device.\n\nIf it is a buffer that is part of another, then the size must be 8.",
        "in addition to the limits of",
        "If it is a buffer that is part of another, then the size must be 4, in addition to the \
         limits of a device.\n\nIf it is a buffer that is part of another, then the row must be 8.",
    ),
    (
        EditorialFault::Will,
        "The environment will meet it.",
        "environment will meet it",
        "The environment must meet what a pair will be.",
    ),
    (EditorialFault::Vague, "The first few words.", "first few words", "The first two words."),
    (
        EditorialFault::SpareArticle,
        "It goes by id 0 to the id 2, and by id 4.",
        "the id 2",
        "It goes by id 0 to id 2, and from the id to the next.",
    ),
    (
        EditorialFault::NoArticle,
        "Use OpGroupAll instruction.",
        "Use OpGroupAll instruction",
        "Use the OpGroupAll instruction.",
    ),
    (
        EditorialFault::OtherSubject,
        "Widths are 8, 16, and 32, and must have no sign.",
        "are 8 \u{2026} and must have",
        "Widths are 8, 16, and 32, and types must have no sign.",
    ),
    (
        EditorialFault::SeveralWordings,
        "Else behavior is undefined; a zero results in undefined behavior.",
        "behavior is undefined / results in undefined behavior",
        "Else behavior is undefined; with a zero, behavior is undefined.",
    ),
    (
        EditorialFault::TwiceOver,
        "It reads from any arbitrary place.",
        "any arbitrary",
        "It reads from an arbitrary place, or any.",
    ),
    (
        EditorialFault::SeveralWordings,
        "It is used to load and store blocks.\n\nAn instruction to read and write blocks.",
        "load and store / read and write",
        "It is used to read and write blocks.\n\nAn instruction to read or write blocks.",
    ),
    (
        EditorialFault::Vague,
        "The appropriate OpExtension must be present.",
        "The appropriate OpExtension",
        "The following OpExtension must be present, as appropriate.",
    ),
    (
        EditorialFault::Vague,
        "Each lane may read multiple image elements.",
        "multiple image elements",
        "Each lane reads multiple elements, and may be a multiple of four.",
    ),
    (
        EditorialFault::TypesForResult,
        "It must accept the following types for Result and Data.",
        "types for Result",
        "It must accept the following types for Data, supported for the Result Type.",
    ),
    (
        EditorialFault::TypesForResult,
        "Valid types for *Result Type* and *Value* are scalars.",
        "types for Result Type",
        "The *Result Type* may be a scalar.",
    ),
    (
        EditorialFault::NoSuchClass,
        "The Groups instructions turn.",
        "Groups instructions",
        "The Group instructions turn, as Turns instructions do.",
    ),
    (
        EditorialFault::CutOff,
        "A pair of numbers.\n\nA pair of numbers.\n\nA pair of numbers.\n\nA pair of numbers.\n\n\
         A pair of numbers.\n\nScalars and a pair of",
        "a pair of [numbers",
        "A pair of numbers.\n\nA pair of numbers.\n\nA pair of numbers.\n\nA pair of numbers.\n\n\
         A pair of words.\n\nScalars and a pair of",
    ),
    (
        EditorialFault::ListOfOne,
        "Modify it, adding these rows to its table:\n\n17\n\nTurn",
        "these rows",
        "Modify it, adding these rows to its table:\n\n17\n\nTurn\n\n18\n\nShift",
    ),
    (
        EditorialFault::OtherCase,
        "A lane is below subgroupSize.",
        "subgroupSize / SubgroupSize",
        "A lane is below SubgroupSize, which is properties.subgroupSize or A::subgroupSize.",
    ),
    (
        EditorialFault::NoSuchInstruction,
        "It is what OpGroupTurn does.",
        "OpGroupTurn",
        "It is what OpGroupAll and OpTypeVectors do, OpGroup* is, and OpenCL has.",
    ),
    (
        EditorialFault::OtherExtension,
        "Nothing.\n\nName Strings\n\nSPV_EXT_turn\n\nValid Usage\n\nOpExtension \"SPV_EXT_flip\"",
        "SPV_EXT_flip / SPV_EXT_turn",
        "Nothing.\n\nName Strings\n\nSPV_EXT_turn\n\nValid Usage\n\nOpExtension \"SPV_EXT_turn\"",
    ),
    (
        EditorialFault::UndefinedWhen,
        "The resulting value may be undefined.",
        "value may be undefined",
        "The resulting value may be undefined if Lane is even, else it is Value.",
    ),
    (
        EditorialFault::NoSection,
        "Nothing.\n\nName Strings\n\nEXT_turn\n\nExtension Name\n\nEXT_turn\n\n\
         Notice\n\nMine.\n\nToken Number Assignments\n\nNone.",
        "Validation Rules",
        "Nothing.\n\nName Strings\n\nEXT_turn\n\nExtension Name\n\nEXT_turn\n\n\
         Notice\n\nMine.\n\nToken Number Assignments\n\nNone.\n\nValidation Rules\n\nNone.",
    ),
];

/// What stands in the section of an instruction is about that instruction.
#[test]
fn a_word_of_the_opposite_instruction_is_found() {
    let text = |sentence: &str| {
        format!("EXT_turn\n\nInstructions\n\nOpTurnWriteEXT\n\n{sentence}\n\nIssues\n\nNone.")
    };
    let wrong = "Data is read as it is, so each lane writes it.";
    assert_eq!(found(&text(wrong)), [(EditorialFault::Opposite, "Data is read".to_owned())]);
    assert_eq!(found(&text("Data is written as it is, so each lane writes it.")), []);
    assert_eq!(found(&text("Unlike what is read, what is written is aligned.")), []);
}

#[test]
fn each_slip_is_found_and_its_sound_twin_is_not() {
    for (fault, slip, words, sound) in PAIRS {
        let text =
            |sentence: &str| format!("EXT_turn\n\nOverview\n\n{sentence}\n\nIssues\n\nNone.");
        let slips = found(&text(slip));
        let [(kind, shown)] = slips.as_slice() else { panic!("{slip}: {slips:?}") };
        assert_eq!(*kind, fault, "{slip}");
        assert!(shown.contains(words), "{slip}: {shown}");
        assert_eq!(found(&text(sound)), [], "{sound}");
    }
}

/// What a web page left is no sentence of the document's.
#[test]
fn residue_is_no_wording() {
    let text = "EXT_turn\n\nOverview\n\nJavaScript must be enabled.\n\nIt is required to be so.\n\n\
                Issues\n\nNone.";
    assert_eq!(found(text), [(EditorialFault::Residue, "JavaScript must be enabled.".to_owned())]);
}

/// The row of an instruction's operands and the sentences before it.
#[test]
fn a_row_fits_its_section() {
    use EditorialFault::{NoSuchOperand, UnspokenOperand, UntypedOperand, WordCount};
    let text = |sentences: &str, count: &str, cells: &str| {
        let cells = cells.replace(", ", "\n\n");
        format!(
            "EXT_turn\n\nInstructions\n\nOpTurnEXT\n\nTurn Value.\n\n{sentences}\n\n{count}\n\n6100\n\n\
             {cells}\n\nIssues\n\nNone."
        )
    };
    let types = "Result Type must be a scalar type.\n\nThe type of Value must be the same.\n\nDelta must be a 32-bit integer type scalar.";
    let cells = "<id> Result Type, <id> Result, <id> Value, <id> Delta";
    let fault = |fault, words: &str| vec![(fault, words.to_owned())];
    assert_eq!(found(&text(types, "5", cells)), []);
    assert_eq!(found(&text(types, "6", cells)), fault(WordCount, "6 / 5"));
    let more = format!("{cells}, Optional <id> Size");
    let size = format!("{types}\n\nSize is the size of it.");
    assert_eq!(found(&text(&size, "5 + variable", &more)), []);
    assert_eq!(found(&text(&size, "5", &more)), fault(WordCount, "5 / 5 + variable"));
    assert_eq!(found(&text(types, "5 + variable", &more)), fault(UnspokenOperand, "Size"));
    let other = types.replace("Delta must", "The type of Shift must");
    let both = [fault(UnspokenOperand, "Delta"), fault(NoSuchOperand, "Shift")].concat();
    assert_eq!(found(&text(&other, "5", cells)), both);
    let without = types.replace("Result Type must be a scalar type.\n\n", "");
    assert_eq!(found(&text(&without, "5", cells)), fault(UnspokenOperand, "Result Type"));
    let untyped = types.replace("The type of Value must be the same.\n\n", "");
    assert_eq!(found(&text(&untyped, "5", cells)), fault(UntypedOperand, "Value"));
    // Cells of a row may be divided, and operands without a word of their own are not counted.
    let divided = "<id>, Result Type, Result <id>, <id>, Value, <id>, Delta";
    assert_eq!(found(&text(types, "5", divided)), []);
    let enumerated = format!("{cells}, Group Operation, Operation");
    assert_eq!(found(&text(types, "9", &enumerated)), []);
}

#[test]
fn what_is_announced_may_follow_in_a_section_below() {
    let text = "\
EXT_turn

New Capabilities

TurnEXT

Instructions

Modify Section 3.42.24, Non-Uniform Instructions, adding the new instruction:

OpTurnEXT

Turn the value.

Capability:
TurnEXT

Issues

None.";
    assert_eq!(found(text), []);
}

#[test]
fn a_token_has_one_spelling() {
    let text = "EXT_turn\n\nOverview\n\nA SubgroupSize of 2.\n\nThe SubgroupSize, or SubGroupSize.";
    assert_eq!(found(text), [(EditorialFault::TwoSpellings, "SubGroupSize".to_owned())]);
}

#[test]
fn a_list_in_the_plural_has_several_items() {
    let text = |items: &str| {
        format!(
            "EXT_turn\n\nOverview\n\nThe following capabilities must be there:\n\n{items}\n\nIssues\n\nNone."
        )
    };
    let one = (EditorialFault::ListOfOne, "following capabilities".to_owned());
    assert_eq!(found(&text("Turn")), [one]);
    assert_eq!(found(&text("Turn\n\nShift")), []);
    assert_eq!(found(&text("**Turn**\n\n**Shift**, which is the same.")), []);
    assert_eq!(found(&text("A capability is declared, or none is.")), []);
}

/// A word that the same sentence about two other instructions has.
#[test]
fn a_word_that_siblings_have_is_missed() {
    let text = |word: &str| {
        let instruction = |name: &str, operand: &str, word: &str| {
            format!("{name}\n\n{operand} need not be the same{word} for all of them.\n\n")
        };
        let first = instruction("OpTurnEXT", "Delta", " value");
        let second = instruction("OpFlipEXT", "Mask", " value");
        let third = instruction("OpMoveEXT", "Index", word);
        format!("EXT_turn\n\nInstructions\n\n{first}{second}{third}Issues\n\nNone.")
    };
    let words = "Index need not be the same [value]".to_owned();
    assert_eq!(found(&text("")), [(EditorialFault::LeftOutWord, words)]);
    assert_eq!(found(&text(" value")), []);
    // Another word is another sentence.
    assert_eq!(found(&text(" number")), []);
}

#[test]
fn a_short_answer_ends_in_one_way() {
    let text = |answer: &str| format!("EXT_turn\n\nNew Builtins\n\n{answer}\n\nIssues\n\nNone.");
    let fault = (EditorialFault::TwoEndings, "None / None.".to_owned());
    assert_eq!(found(&text("None")), [fault]);
    assert_eq!(found(&text("None.")), []);
    assert_eq!(found(&text("Turn")), []);
}

#[test]
fn a_name_stands_in_full() {
    let text = |last: &str| {
        let full = "The 'Turn' Level environment is here.\n\n".repeat(5);
        format!("EXT_turn\n\nOverview\n\n{full}{last}\n\nIssues\n\nNone.")
    };
    let words = "'Turn' environment / 'Turn' Level".to_owned();
    assert_eq!(found(&text("A 'Turn' environment.")), [(EditorialFault::CutShort, words)]);
    assert_eq!(found(&text("A 'Turn' Level environment.")), []);
    assert_eq!(found(&text("A 'Flip' environment.")), []);
}

#[test]
fn what_a_title_announces_is_there() {
    let text = |sentence: &str| {
        format!("Guide\n=====\nAtomic Min and Max\n------------------\n{sentence}\n")
    };
    let fault = (EditorialFault::InTitleOnly, "Atomic Min and Max: Max".to_owned());
    assert_eq!(found(&text("The instruction **OpAtomicSMin** is supported.")), [fault]);
    assert_eq!(found(&text("**OpAtomicSMin** and **OpAtomicSMax** are supported.")), []);
    assert_eq!(found(&text("**OpAtomicSMin** may find a max, too.")), []);
    assert_eq!(found(&text("Nothing is supported.")), []);
}
