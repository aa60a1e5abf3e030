//! What is phrased as something else than it is, and what is named by half: each fault in several
//! documents, and sound ones near it.
#![allow(missing_docs)]

use laneproof_ambiguity::slip::EditorialFault;

use super::faults::{Fault, INSTRUCTION, OVERVIEW, all_found, mistaken};

const CHANGE: &str = "EXT_turn\n\nModifications to the SPIR-V Specification\n\nInstructions\n\nWORDS\n\n\
                      OpTurnEXT\n\nTurn it.\n\nIssues\n\nNone.";

const FAULTS: [Fault; 11] = [
    Fault {
        fault: EditorialFault::MixedCase,
        text: OVERVIEW,
        found: &[
            ("For the control Barrier Instruction it is 0.", "control Barrier"),
            ("The image Read instructions turn.", "image Read"),
        ],
        sound: &[
            "For the control barrier instruction it is 0.",
            "For the Control Barrier instruction it is 0.",
            "For the new Barrier instruction it is 0.",
        ],
    },
    Fault {
        fault: EditorialFault::TypesOfOne,
        text: OVERVIEW,
        found: &[
            ("It must be a vector of 32-bit integer types.", "vector of 32-bit integer types"),
            ("A small vector of floating-point types turns.", "vector of floating-point types"),
        ],
        sound: &[
            "It must be a vector of 32-bit integer type.",
            "It must be a vector of one of these types.",
            "A scalar, or vectors of integer types.",
            "A vector of components, and types of them.",
        ],
    },
    Fault {
        fault: EditorialFault::Vague,
        text: OVERVIEW,
        found: &[
            ("The last one is the higher bit number of the mask.", "the higher bit number"),
            ("It takes the larger value.", "the larger value"),
        ],
        sound: &[
            "The last one is the highest bit number of the mask.",
            "It takes the larger value of the two.",
            "The value is larger than the other.",
            "It turns the higher half.",
        ],
    },
    Fault {
        fault: EditorialFault::CutShort,
        text: OVERVIEW,
        found: &[
            ("It must be added to the SPIR-V for a layer.", "the SPIR-V for"),
            ("It turns the SPIR-V.", "the SPIR-V"),
        ],
        sound: &[
            "It must be added to the SPIR-V module for a layer.",
            "See the SPIR-V specification; what SPIR-V is it says.",
        ],
    },
    Fault {
        fault: EditorialFault::SeveralNames,
        text: "EXT_turn\n\nOverview\n\nAdd the operand \"<id> Mask\".\n\nWORDS\n\nIssues\n\nNone.",
        found: &[("The Mask parameter is 0.", "operand / Mask parameter")],
        sound: &["The Mask operand is 0.", "A function parameter is 0."],
    },
    Fault {
        fault: EditorialFault::CalledAType,
        text: INSTRUCTION,
        found: &[
            ("Value must be a scalar or vector type.", "Value must be a scalar or vector type"),
            ("*Ptr* must be a pointer type.", "Ptr must be a pointer type"),
        ],
        sound: &[
            "The type of Value must be a scalar or vector type.",
            "Result Type must be a scalar type.",
            "Value must be a scalar of integer type.",
            "Value must be a 32-bit scalar.",
        ],
    },
    Fault {
        fault: EditorialFault::AddedNowhere,
        text: CHANGE,
        found: &[("Add the new instruction:", "Add the new instruction")],
        sound: &[
            "Add the new instruction to Section 3.32:",
            "Modify Section 3.32, Group Instructions.\n\nAdd the new instruction:",
            "Add a sentence.",
        ],
    },
    Fault {
        fault: EditorialFault::RuleAmongConditions,
        text: OVERVIEW,
        found: &[
            (
                "A set is whole if:\n\n• one turns, and\n\n• further ones are ignored.",
                "are ignored",
            ),
            ("It is so when:\n\n• behavior is undefined, or\n\n• it turns.", "is undefined"),
        ],
        sound: &[
            "A set is whole if:\n\n• one turns, and\n\n• no further one does.\n\nBits are ignored.",
            "It is so when:\n\n• one turns, or\n\n• it is odd.",
            "This holds:\n\n• one turns, and\n\n• further ones are ignored.",
        ],
    },
    Fault {
        fault: EditorialFault::IndexInBrackets,
        text: INSTRUCTION,
        found: &[("It reads:\n\nData[ Number + 1 ]\n\nand turns.", "Data[ Number + 1 ]")],
        sound: &[
            "It reads the element of Data whose number is Number plus one.",
            "It reads:\n\nData[ Number ]\n\nwhere Data[n] is the element number n.",
            "[1] A note.",
        ],
    },
    Fault {
        fault: EditorialFault::IdentifiedByItself,
        text: INSTRUCTION,
        found: &[
            ("It is that of the invocation identified by Id.", "invocation identified by Id"),
            ("What it gets is of the lane whose id is Delta.", "lane whose id is Delta"),
            // A built-in variable of shaders has the operand's name.
            (
                "It is that of the invocation identified by InvocationId.\n\n4\n\n6100\n\n\
                 <id> InvocationId\n\n<id> InvocationId\n\n<id> InvocationId",
                "invocation identified by InvocationId",
            ),
        ],
        sound: &[
            "It is that of the invocation identified by Id, its SubgroupLocalInvocationId.",
            "It is that of the invocation identified by Id.\n\nId is a SubgroupLocalInvocationId.",
            "It is that of each invocation.",
        ],
    },
    Fault {
        fault: EditorialFault::ScopeOfTheOverview,
        text: "EXT_turn\n\nOverview\n\nIt turns values within a subgroup.\n\nInstructions\n\nOpTurnEXT\n\n\
               Turn it.\n\nExecution is a Scope.\n\nWORDS\n\nIssues\n\nNone.",
        found: &[("It must be either Workgroup or Subgroup.", "within a subgroup")],
        sound: &["It must be Subgroup.", "A Subgroup is part of a Workgroup."],
    },
];

#[test]
fn each_phrase_is_found_and_sound_ones_are_not() {
    let wrong = mistaken(&FAULTS, |_, text| all_found(text));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An order to an editor is a heading, and has words of its own.
#[test]
fn orders_to_an_editor_are_read() {
    let found = |order: &str, rows: &str| {
        let text = format!("EXT_turn\n\n{order}\n\n{rows}\n\nIssues\n\nNone.");
        all_found(&text)
    };
    let number = (EditorialFault::Placeholder, "7.1.X".to_owned());
    let rows = (EditorialFault::ListOfOne, "new rows".to_owned());
    let add = "(Modify Section 3.31, Capability, adding new rows to the table)";
    assert_eq!(found("Add a new Section 7.1.X - EXT_turn", "It turns."), [number]);
    assert_eq!(found("Add a new Section 7.1.2 - EXT_turn", "It turns."), []);
    assert_eq!(found(add, "17\n\nTurn"), [rows]);
    assert_eq!(found(add, "17\n\nTurn\n\n18\n\nShift"), []);
    assert_eq!(found(&add.replace("new rows", "a new row"), "17\n\nTurn"), []);
}

/// Of vague words is said what they leave open, where that is known.
#[test]
fn what_vague_words_leave_open_is_said() {
    let open = |words: &str| EditorialFault::Vague.left_open(&[format!("\u{201c}{words}\u{201d}")]);
    for (words, said) in [
        ("unique value computed", ". No sentence says among what it is unique"),
        ("work correctly", ". No sentence says what happens otherwise"),
        ("first few words", ". No sentence says how many"),
        ("multiple image elements", ". No sentence says how many"),
        ("the appropriate OpExtension", ". No sentence says what makes one appropriate"),
        ("checking will occur too late", ". No sentence says by how much"),
        ("computed from", ". No sentence says by which instructions"),
        ("be equivalent to", ". No sentence says whether the two are equal"),
        ("strictly within uniform control flow", ". No sentence says what 'strictly' adds"),
        ("up to SubgroupSize", ". No sentence says whether the number itself is included"),
        ("the higher bit number", ". No sentence says than which other one"),
        ("typically", ""),
    ] {
        assert_eq!(open(words), said, "{words}");
    }
    assert_eq!(EditorialFault::Unnamed.left_open(&["work correctly".to_owned()]), "");
}
