//! What a sentence presumes that no other one says: each fault in several wordings, and sound texts
//! near it, in which nothing is found.
#![allow(missing_docs)]

use laneproof_ambiguity::slip::EditorialFault;

use super::faults::{Fault, INSTRUCTION, OVERVIEW, all_found, mistaken};

const FAULTS: [Fault; 3] = [
    Fault {
        fault: EditorialFault::UniformWithin,
        text: INSTRUCTION,
        found: &[
            (
                "Delta must be dynamically uniform within Execution.",
                "dynamically uniform within Execution",
            ),
            (
                "*Id* must be dynamically uniform across *Scope*.",
                "dynamically uniform across Scope",
            ),
        ],
        sound: &[
            "Delta must be dynamically uniform.",
            "Delta must be dynamically uniform within the invocation group.",
            "Delta must be dynamically uniform within Execution.\n\nIt is dynamically uniform within \
             Execution if all active invocations of Execution have the same value.",
            "Control flow is uniform within Execution.",
        ],
    },
    Fault {
        fault: EditorialFault::GreatestOnly,
        text: OVERVIEW,
        found: &[
            (
                "The maximum SPIR-V version supported by a device is named by its property.",
                "maximum SPIR-V version",
            ),
            ("A property has the newest version that a device accepts.", "newest version"),
        ],
        sound: &[
            "The maximum SPIR-V version supported by a device is named by its property.\n\nEarlier \
             versions are supported, too.",
            "All versions up to the maximum SPIR-V version supported by a device may be used.",
            "The maximum number of lanes supported by a device is named by its property.",
            "The newest version of this document has two sections.",
        ],
    },
    Fault {
        fault: EditorialFault::TheseUnderACondition,
        text: OVERVIEW,
        found: &[
            (
                "The following instructions must be supported with *Scope* for *Execution* equal to \
                 **Subgroup**:\n\n**OpGroupAll**\n\n**OpGroupAny**\n\nFor these instructions, Value is a \
                 scalar.",
                "For these instructions",
            ),
            (
                "The following are accepted with Flag equal to 1:\n\n**OpGroupAll**\n\nFor those \
                 instructions, Value is a scalar.",
                "For those instructions",
            ),
        ],
        sound: &[
            "The following instructions must be supported:\n\nOpGroupAll\n\nFor these instructions, \
             Value is a scalar.",
            "The following instructions must be supported with Execution equal to \
             Subgroup:\n\nOpGroupAll\n\nFor these instructions with Execution equal to Subgroup, Value \
             is a scalar.",
            "The following instructions must be supported with Execution equal to \
             Subgroup:\n\nOpGroupAll\n\nFor OpGroupAll, Value is a scalar.",
            "The following instructions must be supported with Execution equal to \
             Subgroup:\n\nOpGroupAll\n\nThe following instructions turn:\n\nOpGroupAny\n\nFor these \
             instructions, Value is a scalar.",
        ],
    },
];

#[test]
fn what_a_sentence_presumes_is_found_where_no_other_one_says_it() {
    let wrong = mistaken(&FAULTS, |fault, text| {
        all_found(text).into_iter().filter(|(it, _)| *it == fault).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
