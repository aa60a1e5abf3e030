//! Plain texts of documents without clauses: sound ones, in which nothing is found, and the same with
//! one place spoiled.
#![allow(clippy::unwrap_used, missing_docs)]

use laneproof_ambiguity::ReadDocument;
use laneproof_ambiguity::sentences::sections;

const TEXTS: [(&str, &str); 3] = [
    ("shift", include_str!("../texts/plain/shift.txt")),
    ("environment", include_str!("../texts/plain/environment.txt")),
    ("builtin", include_str!("../texts/plain/builtin.txt")),
];

fn text(name: &str) -> &'static str {
    TEXTS.iter().find(|(known, _)| *known == name).unwrap().1
}

/// What is found in the words of a document: the kind, and the words.
fn found(text: &str) -> Vec<String> {
    let read = ReadDocument::new("mine".to_owned(), sections(text));
    let slips = read.slips.into_iter().flatten();
    let word = |slip: &laneproof_ambiguity::slip::Slip| serde_json::json!(slip.fault);
    slips.map(|slip| format!("{}: {}", word(&slip).as_str().unwrap(), slip.words)).collect()
}

#[test]
fn nothing_is_found_in_sound_texts() {
    for (name, text) in TEXTS {
        assert_eq!(found(text), [""; 0], "{name}");
    }
}

/// A text, what stands there, what stands there when it is spoiled, and what is found then.
const SPOILED: [(&str, &str, &str, &[&str]); 16] = [
    (
        "shift",
        "SubgroupLocalInvocationId is the sum",
        "subgroupLocalInvocationId is the sum",
        &["other-case: subgroupLocalInvocationId / SubgroupLocalInvocationId"],
    ),
    (
        "shift",
        "OpExtension \"SPV_EXT_subgroup_shift\"",
        "OpExtension \"SPV_KHR_subgroup_rotate\"",
        &["other-extension: SPV_KHR_subgroup_rotate / SPV_EXT_subgroup_shift"],
    ),
    (
        "shift",
        "value is undefined if there is no such active invocation.",
        "value may be undefined.",
        &["undefined-when: resulting value may be undefined"],
    ),
    ("shift", "6\n\n6802\n", "5\n\n6802\n", &["word-count: 5 / 6"]),
    (
        "shift",
        "Result Type must be a scalar or vector of floating-point type, integer type, or Boolean type.",
        "",
        &["unspoken-operand: Result Type"],
    ),
    ("shift", "Delta must be a scalar", "Offset must be a scalar", &["no-such-operand: Offset"]),
    (
        "environment",
        "**OpGroupNonUniformIMul**",
        "**OpGroupNonUniformIMull**",
        &["no-such-instruction: OpGroupNonUniformIMull"],
    ),
    (
        "shift",
        "Modify Section 3.42.24, Non-Uniform Instructions, adding the new instruction:",
        "Add the new instruction:",
        &["added-nowhere: Add the new instruction"],
    ),
    ("environment", "most 128) on", "most 128 on", &["unbalanced: (and at \u{2026}"]),
    (
        "builtin",
        "GroupNonUniform\n",
        "GroupNonuniform\n",
        &["other-case: GroupNonuniform / GroupNonUniform"],
    ),
    (
        "builtin",
        "6812\n\nSubgroupHalfIdEXT",
        "6813\n\nSubgroupHalfIdEXT",
        &["numbers: SubgroupHalfIdEXT: 6812, 6813"],
    ),
    ("builtin", "must be a scalar", "must a scalar", &["missing-verb: must a"]),
    ("environment", "of 64 and a *Signedness* of 0, if", "of 64, if", &[]),
    (
        "environment",
        "*Execution* must be",
        "*Execution* should be",
        &["advice: OpGroupNonUniformIMul, Execution should be Subgroup."],
    ),
    (
        "shift",
        "Delta must be a scalar of 32-bit integer type, whose Signedness operand is 0.",
        "",
        &["untyped-operand: Delta"],
    ),
    (
        "shift",
        "Capability:\n\nGroupNonUniformShiftEXT",
        "Capability:\n\nGroupNonUniformShiftKHR",
        &["no-such-capability: GroupNonUniformShiftKHR"],
    ),
];

#[test]
fn what_is_spoiled_is_found_and_nothing_else() {
    let mut wrong = Vec::new();
    for (name, sound, spoiled, expected) in SPOILED {
        let whole = text(name);
        assert_eq!(whole.matches(sound).count(), 1, "{name}: {sound}");
        let found = found(&whole.replace(sound, spoiled));
        if found != expected {
            wrong.push(format!("{name}, {spoiled}: {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
