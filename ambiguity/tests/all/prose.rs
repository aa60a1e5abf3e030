//! What words of a sentence need another sentence for, and what a document says in two ways: each fault
//! in several wordings, and sound texts near it, in which nothing is found.
#![allow(missing_docs)]

use laneproof_ambiguity::slip::EditorialFault;

use super::faults::found;

/// A fault, sentences that have it with the words that are shown, and sentences that have none.
struct Fault {
    fault: EditorialFault,
    found: &'static [(&'static str, &'static str)],
    sound: &'static [&'static str],
}

const FAULTS: [Fault; 10] = [
    Fault {
        fault: EditorialFault::FirstOfNoOrder,
        found: &[
            ("Bit 0 is for the first invocation.", "the first invocation"),
            ("The value is that of the last active invocation.", "the last active invocation"),
            ("It is 0 in the first lane, and 1 in others.", "the first lane"),
        ],
        sound: &[
            "Bit 0 is for the first invocation in the order of SubgroupLocalInvocationId.",
            "Bit 0 is for the first invocation.\n\nInvocations are ordered by their numbers.",
            "The first component, the first value and the last element are 0.",
            "It is the lowest invocation that turns.",
            "It is the next or last invocation in its row.",
            "The value is that of the first invocation to arrive.",
        ],
    },
    Fault {
        fault: EditorialFault::InOtherWords,
        found: &[
            (
                "It must be even; in other words, it must be aligned.",
                "in other words, it must be aligned",
            ),
            (
                "It is required to be 0, that is to say, it must not turn.",
                "that is to say, it must not turn",
            ),
        ],
        sound: &[
            "Each lane has a number; in other words, lanes differ.",
            "It must be even; in other words, half of it is a number, too.",
            "The name that is to be used must be said in other sentences.",
        ],
    },
    Fault {
        fault: EditorialFault::Vague,
        found: &[
            ("With a unique value computed for each subset.", "unique value computed"),
            ("A unique mask returned to each lane.", "unique mask returned"),
            ("It is only guaranteed to work correctly in uniform control flow.", "work correctly"),
            ("The instruction behaves properly if all lanes turn.", "behaves properly"),
        ],
        sound: &[
            "Each lane has a unique number.",
            "With one value computed for each subset.",
            "A unique value is assigned to each lane.",
            "It is correctly rounded.",
            "It works correctly in uniform control flow. Elsewhere behavior is undefined.",
            "The function is correct.",
        ],
    },
    Fault {
        fault: EditorialFault::NoHyphen,
        found: &[
            ("Or one is a floating point NaN.", "floating point NaN"),
            ("Each floating point operand turns.", "floating point operand"),
        ],
        sound: &[
            "Or one is a floating-point NaN.",
            "A sum in floating point is not exact.",
            "What is floating point is rounded.",
            "Types are integer or floating point.",
        ],
    },
    Fault {
        fault: EditorialFault::TwiceOver,
        found: &[
            ("For devices supporting `properties`.supported.", "supporting `properties`.supported"),
            ("For lanes including flags.includes a bit.", "including flags.includes"),
        ],
        sound: &[
            "For devices that report properties.supported as true.",
            "For devices supporting properties.limits.",
            "Supporting it.",
        ],
    },
    Fault {
        fault: EditorialFault::NestedQuotes,
        found: &[
            ("Add: \"It is \"in the set\".\"", "\"in the set\".\""),
            ("Add \"One \"turns\" here\".", "\"turns\" here\"."),
            ("Add: \"One turns.\n\nThey are \"in one set\", all of them.\"", "\"in one set\","),
        ],
        sound: &[
            "Add: \"It is 'in the set'.\"",
            "Values are moved \"up\" or \"down\".\n\nUp is towards higher numbers, and down is towards lower ones.",
            "Add: \"One turns.\n\nThey are in one set.\"",
            "A size of 12\" or 16\" turns.",
        ],
    },
    Fault {
        fault: EditorialFault::NoIdentity,
        found: &[
            (
                "An exclusive scan operation over the invocations in order of their numbers.",
                "exclusive scan",
            ),
            ("It has the exclusive scan of all values in the order of lanes.", "exclusive scan"),
        ],
        sound: &[
            "An exclusive scan over the invocations in order of their numbers, from the identity.",
            "An inclusive scan over the invocations in order of their numbers.",
            "An exclusive scan may be used.",
        ],
    },
    Fault {
        fault: EditorialFault::NoOrder,
        found: &[
            ("A reduction operation performed across the invocations.", "reduction operation"),
            ("An inclusive scan operation over the invocations.", "scan operation"),
        ],
        sound: &[
            "A reduction operation performed across the invocations, in any order.",
            "An inclusive scan operation over the invocations by SubgroupLocalInvocationId.",
            "Use a reduction operation.",
        ],
    },
    Fault {
        fault: EditorialFault::WordAndNumeral,
        found: &[
            ("A vector has two parts.\n\nThe other one has 2 parts.", "two parts / 2 parts"),
            ("It is of four bytes, and a multiple of 4 bytes.", "four bytes / 4 bytes"),
            (
                "A pair of two components.\n\nVectors of 2, 4, or 8 components.",
                "two components / 2 components",
            ),
        ],
        sound: &[
            "A vector has two parts.\n\nThe other one has 16 parts.",
            "It is of four bytes, and a 4-byte word.",
            "A pair of two components.\n\nVectors of 4 or 8 components.",
            "In two of the 2 components.",
        ],
    },
    Fault {
        fault: EditorialFault::CalledAsAnother,
        found: &[
            (
                "The image read instructions OpImageRead and OpImageSampleExplicitLod have none.",
                "image read instructions \u{2026} OpImageSampleExplicitLod",
            ),
            (
                "For the atomic instructions **OpAtomicLoad** and **OpLoad** it is 0.",
                "atomic instructions \u{2026} OpLoad",
            ),
        ],
        sound: &[
            "The image read instructions OpImageRead and OpImageSparseRead have none.",
            "For the instructions OpAtomicLoad and OpLoad it is 0.",
            "The arithmetic instructions OpIAdd and OpFAdd are 0.",
            "The image instructions OpImageRead and OpImageSampleExplicitLod have none.",
        ],
    },
];

#[test]
fn each_wording_of_a_fault_is_found_and_sound_ones_are_not() {
    let text = |sentence: &str| format!("EXT_turn\n\nOverview\n\n{sentence}\n\nIssues\n\nNone.");
    let mut wrong = Vec::new();
    for Fault { fault, found: faulty, sound } in FAULTS {
        for (sentence, words) in faulty {
            let slips = found(&text(sentence));
            if !matches!(&*slips, [(kind, shown)] if *kind == fault && shown == words) {
                wrong.push(format!("{sentence}: {slips:?}, expected {words}"));
            }
        }
        for sentence in sound {
            let slips = found(&text(sentence));
            if !slips.is_empty() {
                wrong.push(format!("{sentence}: {slips:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A document with one instruction.
fn document(status: &str, within: &str, instruction: &str, rules: &str, revision: &str) -> String {
    format!(
        "EXT_turn\n\nStatus\n\n{status}\n\nInstructions\n\nModify Section 3.32, {within}, adding:\n\n\
         {instruction}\n\nTurn a value.\n\nCapability:\n\nKernel\n\nValidation Rules\n\n{rules}\n\n\
         Revision History\n\n1\n\n{revision}"
    )
}

/// What a document says of itself in one place and not in another.
#[test]
fn a_document_agrees_with_itself() {
    const SOUND: [&str; 5] = [
        "Complete",
        "Non-Uniform Instructions",
        "OpGroupNonUniformAll",
        "It must turn.",
        "Initial revision",
    ];
    let text = |at: usize, to: &str| {
        let mut parts = SOUND;
        if at < parts.len() {
            parts[at] = to;
        }
        let [status, within, instruction, rules, revision] = parts;
        document(status, within, instruction, rules, revision)
    };
    let fault = |fault, words: &str| vec![(fault, words.to_owned())];
    let draft = fault(EditorialFault::DoneAndDraft, "Complete / Initial draft");
    let class = fault(
        EditorialFault::OtherClass,
        "OpGroupNonUniformAll in Group Instructions / Non-Uniform Instructions",
    );
    assert_eq!(found(&text(9, "")), []);
    assert_eq!(found(&text(4, "Initial draft")), draft);
    assert_eq!(found(&text(0, "Draft").replace("Initial revision", "Initial draft")), []);
    assert_eq!(found(&text(0, "Not complete").replace("Initial revision", "Initial draft")), []);
    assert_eq!(found(&text(1, "Group Instructions")), class);
    assert_eq!(
        found(&text(1, "Non-Uniform Instructions").replace("OpGroupNonUniformAll", "OpAtomicLoad")),
        fault(
            EditorialFault::OtherClass,
            "OpAtomicLoad in Non-Uniform Instructions / Atomic Instructions"
        )
    );
    // Most instructions are in no class that has a section of its own.
    assert_eq!(found(&text(1, "Group Instructions").replace("OpGroupNonUniformAll", "OpLoad")), []);
}

/// A built-in variable has an article of its own in one sentence about instructions, and none in another.
#[test]
fn a_name_has_an_article_or_none() {
    let text = |one: &str, other: &str| {
        format!(
            "EXT_turn\n\nInstructions\n\nOpTurnEXT\n\n{one}\n\nOpFlipEXT\n\n{other}\n\nIssues\n\nNone."
        )
    };
    let words = "the SubgroupMaxSize / SubgroupMaxSize".to_owned();
    let fault = [(EditorialFault::ArticleOfAName, words)];
    let with = "It is less than the SubgroupMaxSize.";
    assert_eq!(found(&text(with, "If it is greater than SubgroupMaxSize then it turns.")), fault);
    assert_eq!(found(&text("The SubgroupMaxSize is 4.", "It is equal to SubgroupMaxSize.")), fault);
    assert_eq!(found(&text(with, "If it is greater than the SubgroupMaxSize then it turns.")), []);
    // The article is that of another word.
    assert_eq!(found(&text(with, "It is that of the SubgroupMaxSize variable.")), []);
    assert_eq!(found(&text(with, "It is equal to SubgroupSize.")), []);
}
