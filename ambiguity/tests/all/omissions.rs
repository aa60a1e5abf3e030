//! What a sentence leaves out that others beside it have, and what is said of one thing as if it were
//! another: each fault in several wordings, and sound texts near it, in which nothing is found.
#![allow(missing_docs)]

use laneproof_ambiguity::slip::EditorialFault;

use super::faults::{Fault, INSTRUCTION, OVERVIEW, found, mistaken};

const WRITING: &str = "EXT_turn\n\nInstructions\n\nOpTurnEXT\n\nWORDS\n\nCapability:\n\nKernel\n\n\
                       Issues\n\nNone.";
const TITLE: &str = "EXT_turn\n\nTurning Types\n-------------\n\nWORDS\n\nIssues\n\nNone.";
const RULES: &str = "EXT_turn\n\nInstructions\n\nOpTurnEXT\n\nTurn it.\n\nThe type of Data must be an \
                     integer type.\n\nCapability:\n\nKernel\n\nValidation Rules\n\nWORDS\n\nIssues\n\nNone.";

const FAULTS: [Fault; 24] = [
    Fault {
        fault: EditorialFault::ActiveOrAll,
        text: OVERVIEW,
        found: &[
            (
                "A value is read for each invocation in the subgroup.",
                "each invocation in the subgroup",
            ),
            ("For any two invocations it differs.", "any two invocations"),
            (
                "It says which other invocations in the group have it.",
                "other invocations in the group",
            ),
        ],
        sound: &[
            "A value is read for each active invocation in the subgroup.",
            "It need not be the same value for each invocation in the subgroup.",
            "For any two active invocations it differs.",
            "A value is read for each invocation in the subgroup that executes it.",
            "Invocations in the subgroup have values.",
            "Any two invocations in different subsets of it have different values.",
        ],
    },
    Fault {
        fault: EditorialFault::WithoutCondition,
        text: OVERVIEW,
        found: &[
            (
                "If it turns, the environment must accept the following names:\n\na\n\nb\n\nIt must accept \
                 the following types for Data:\n\nc\n\nd",
                "must accept the following types",
            ),
            (
                "The environment must accept modules that use the following names:\n\na\n\nb\n\nWhen it \
                 turns, it must accept the following types:\n\nc\n\nd",
                "must accept modules that use the following names",
            ),
        ],
        sound: &[
            "It must accept the following names:\n\na\n\nb\n\nIt must accept the following types:\n\nc\n\nd",
            "If it turns, it must accept the following names:\n\na\n\nb\n\nIf not, it must accept the \
             following types:\n\nc\n\nd",
            "If it turns, it must be one of the following:\n\na\n\nb\n\nIt must accept the following \
             types:\n\nc\n\nd",
        ],
    },
    Fault {
        fault: EditorialFault::FirstOfComponents,
        text: INSTRUCTION,
        found: &[
            ("The components are turned: the first value, then the second value.", "first value"),
            (
                "It reads one or more components.\n\nThe first value is 0, the second value 1.",
                "first value",
            ),
        ],
        sound: &[
            "The components are turned: the first value, component 0, then the second value.",
            "The first value is turned, then the second value.",
            "The first component is the first value, and the second value is the next.",
        ],
    },
    Fault {
        fault: EditorialFault::Unversioned,
        text: OVERVIEW,
        found: &[
            (
                "It turns as defined in the OpenCL Environment Specification.",
                "the OpenCL Environment Specification",
            ),
            ("Types are stored using IEEE-754 semantics.", "IEEE-754"),
        ],
        sound: &[
            "It turns as defined in the OpenCL Environment Specification, Version 2.2.",
            "Types are stored using IEEE-754-2008 semantics.",
            "It is described in the SPIR-V specification.",
            "It is defined in the next section.",
        ],
    },
    Fault {
        fault: EditorialFault::ComponentOfAScalar,
        text: OVERVIEW,
        found: &[
            (
                "It may be a scalar or vector type, and its component type must be integer.",
                "scalar or vector \u{2026} its component type",
            ),
            (
                "Types may be a vector or scalar; their component type must turn.",
                "vector or scalar \u{2026} their component type",
            ),
        ],
        sound: &[
            "It must be a vector type, and its component type must be integer.",
            "It may be a scalar or vector type of integers.",
            "It may be a scalar or vector type.\n\nOf a vector the component type must be integer.",
        ],
    },
    Fault {
        fault: EditorialFault::OptionalWhere,
        text: OVERVIEW,
        found: &[
            (
                "Halves are optionally supported for devices supporting them.",
                "optionally supported \u{2026} devices supporting",
            ),
            (
                "It is optionally available where supported.",
                "optionally available \u{2026} where supported",
            ),
        ],
        sound: &[
            "Halves are optionally supported.",
            "Halves are supported for devices supporting them.",
            "For devices supporting it, what else is optionally supported is listed.",
        ],
    },
    Fault {
        fault: EditorialFault::AddedByOne,
        text: OVERVIEW,
        found: &[(
            "Use SPV_EXT_shader_atomic_float_add and SPV_EXT_shader_atomic_float16_add.\n\nFor the \
             instruction OpAtomicFAddEXT added by these extensions it is 0.",
            "OpAtomicFAddEXT added by these extensions",
        )],
        sound: &[
            "Use SPV_EXT_shader_atomic_float_add.\n\nFor the instruction OpAtomicFAddEXT added by these \
             extensions it is 0.",
            "Use SPV_EXT_shader_atomic_float_add and SPV_EXT_shader_atomic_float16_add.\n\nFor the \
             instruction OpAtomicFAddEXT added by this extension it is 0.",
            "Use SPV_EXT_shader_atomic_float_add and SPV_EXT_shader_atomic_float16_add.\n\nFor the \
             instruction OpTurnEXT added by these extensions it is 0.",
        ],
    },
    Fault {
        fault: EditorialFault::TwoRules,
        text: OVERVIEW,
        found: &[
            (
                "Delta is treated as unsigned and the resulting value is undefined if it turns.",
                "and the resulting value is undefined",
            ),
            (
                "Delta must be constant, and behavior is undefined if a lane turns.",
                "and behavior is undefined",
            ),
        ],
        sound: &[
            "Delta is treated as unsigned.\n\nThe resulting value is undefined if it turns.",
            "The resulting value is undefined if Delta is 0 and a lane turns.",
            "Delta is treated as unsigned and must not be 0.",
        ],
    },
    Fault {
        fault: EditorialFault::ResultAsOperand,
        text: INSTRUCTION,
        found: &[
            ("It reads a part of Result data.", "Result data"),
            ("The Result value is 0.", "Result value"),
        ],
        sound: &[
            "It reads the result.",
            "The value of Result is 0.",
            "Result Type is that of the value.",
        ],
    },
    Fault {
        fault: EditorialFault::KindOfAName,
        text: OVERVIEW,
        found: &[
            (
                "It is for the GL_turn GLSL extension.\n\nThe Vulkan GL_turn extension turns.",
                "GLSL / Vulkan",
            ),
            (
                "It is for the GL_turn GLSL extension.\n\nSee the Vulkan GL_turn GLSL extension.",
                "GLSL / Vulkan GLSL",
            ),
        ],
        sound: &[
            "It is for the GL_turn GLSL extension.\n\nSee the GL_turn GLSL extension.",
            "It is for the GL_turn GLSL extension.\n\nSee the GL_turn extension.",
            "It is for the GL_turn GLSL extension.\n\nSee the VK_turn Vulkan extension.",
        ],
    },
    Fault {
        fault: EditorialFault::MustThenMay,
        text: OVERVIEW,
        found: &[
            (
                "It must accept the following semantics:\n\nFor turns:\n\nThe Scope may be Subgroup.",
                "must accept \u{2026} may be",
            ),
            (
                "The device must support the following behavior:\n\nIn turns:\n\nThe value may be 0.",
                "must support \u{2026} may be",
            ),
        ],
        sound: &[
            "It must accept the following semantics:\n\nFor turns:\n\nThe Scope is Subgroup.",
            "It has the following semantics:\n\nFor turns:\n\nThe Scope may be Subgroup.",
            "It must accept the following semantics:\n\nFor turns:\n\nThe Scope must be what may be turned.",
        ],
    },
    Fault {
        fault: EditorialFault::TitleOfOther,
        text: TITLE,
        found: &[(
            "The following instructions turn:\n\n- OpLoad\n- OpStore",
            "Turning Types / instructions",
        )],
        sound: &[
            "The following types turn:\n\n- OpTypeInt\n- OpTypeFloat",
            "These instructions turn.",
            "Types are turned by the following instructions:\n\n- OpLoad\n- OpStore",
        ],
    },
    Fault {
        fault: EditorialFault::OneDirection,
        text: OVERVIEW,
        found: &[
            ("Bounds are checked to the image width.\n\nThe y-component is a row.", "image width"),
            (
                "The y-component turns.\n\nIt is bound by the width of the image.",
                "width of the image",
            ),
        ],
        sound: &[
            "Bounds are checked to the image width and height.\n\nThe y-component is a row.",
            "Bounds are checked to the image width.",
            "The image width is 4.\n\nThe y-component is a row.",
        ],
    },
    Fault {
        fault: EditorialFault::NoneButMust,
        text: RULES,
        found: &[("None.", "None"), ("None", "None")],
        sound: &["Data must turn.", "See the sections on instructions."],
    },
    Fault {
        fault: EditorialFault::EqualVectors,
        text: INSTRUCTION,
        found: &[
            (
                "The type of Value must be scalar or vector.\n\nLanes of a set have the same value.",
                "have the same value",
            ),
            ("Values of a scalar or vector type turn.\n\nUnless one is a NaN they turn.", "a nan"),
        ],
        sound: &[
            "The type of Value must be scalar or vector.\n\nAll components of them are equal.",
            "The type of Value must be scalar.\n\nLanes of a set have the same value.",
            "The type of Value must be scalar or vector, as that of the result.",
        ],
    },
    Fault {
        fault: EditorialFault::ConstantUndefined,
        text: INSTRUCTION,
        found: &[
            (
                "Size must come from a constant instruction.\n\nBehavior is undefined unless Size turns.",
                "Size",
            ),
            (
                "Size must be a constant.\n\nIf Size is 0, executing it is undefined behavior.",
                "Size",
            ),
        ],
        sound: &[
            "Size must be a constant.\n\nSize must be at least 1.",
            "Behavior is undefined unless Size turns.",
            "Size must be a constant.\n\nBehavior is undefined unless Delta turns.",
        ],
    },
    Fault {
        fault: EditorialFault::NoMemoryOrder,
        text: WRITING,
        found: &[
            ("Writes Data to the place of Ptr.", "Writes"),
            ("Stores a value in an image.", "Stores"),
        ],
        sound: &[
            "Writes Data to the place of Ptr, as a non-atomic store does.",
            "Reads what lies at Ptr.",
            "Stores nothing.",
        ],
    },
    Fault {
        fault: EditorialFault::Vague,
        text: OVERVIEW,
        found: &[
            ("It is turned too late.", "It is turned too late"),
            ("Checking occurs too early.", "Checking occurs too early"),
        ],
        sound: &["It is too late to turn.", "It is late.", "Too many turn."],
    },
    Fault {
        fault: EditorialFault::Vague,
        text: OVERVIEW,
        found: &[
            ("If the pointer is computed from an argument, it turns.", "computed from"),
            ("It turns if a pointer is derived from another.", "derived from"),
        ],
        sound: &[
            "The result is computed from its operands.",
            "If a pointer is an argument, it turns.",
        ],
    },
    Fault {
        fault: EditorialFault::Vague,
        text: OVERVIEW,
        found: &[
            ("There is no restriction on the y-component.", "no restriction on the y-component"),
            ("No restrictions on rows hold.", "No restrictions on rows hold"),
        ],
        sound: &[
            "There is no restriction on the alignment of the y-component.",
            "There is no restriction on the values of rows.",
        ],
    },
    Fault {
        fault: EditorialFault::Vague,
        text: OVERVIEW,
        found: &[
            ("The last one (up to SubgroupSize) turns.", "up to SubgroupSize"),
            ("Bits up to SubgroupMaxSize turn.", "up to SubgroupMaxSize"),
            ("It is at least the negative SubgroupMaxSize.", "negative SubgroupMaxSize"),
        ],
        sound: &[
            "The last one, up to SubgroupSize inclusive, turns.",
            "It is up to the lanes to turn.",
            "It is at least the negation of SubgroupMaxSize.",
        ],
    },
    Fault {
        fault: EditorialFault::Vague,
        text: OVERVIEW,
        found: &[
            ("First let the index be equivalent to the sum.", "be equivalent to"),
            (
                "It turns if placed strictly within uniform control flow.",
                "strictly within uniform control flow",
            ),
        ],
        sound: &[
            "Let the index be equal to the sum.",
            "The types are equivalent to those of C.",
            "It turns within uniform control flow.",
        ],
    },
    Fault {
        fault: EditorialFault::SeveralNames,
        text: OVERVIEW,
        found: &[
            ("Each invocation turns, but a lane that is off does not.", "lane / invocation"),
            (
                "Of an Image Format size of 4 it turns, and of an element size of 8 it does not.",
                "image format size / element size",
            ),
        ],
        sound: &["Each invocation turns.", "A lane turns.", "Of an element size of 4 it turns."],
    },
    Fault {
        fault: EditorialFault::NamedByCapability,
        text: OVERVIEW,
        found: &[
            (
                "For instructions requiring these capabilities it is 0.",
                "instructions requiring these capabilities",
            ),
            (
                "An instruction needing this capability turns.",
                "instruction needing this capability",
            ),
        ],
        sound: &[
            "For instructions that a capability enables it is 0.",
            "These capabilities require a device.",
        ],
    },
];

#[test]
fn each_wording_of_a_fault_is_found_and_sound_ones_are_not() {
    let wrong = mistaken(&FAULTS, |fault, text| {
        let mut slips = found(text);
        slips.retain(|(kind, _)| *kind == fault);
        slips
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
