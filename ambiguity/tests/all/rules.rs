//! What is found in rules about modules, and what is not, in sentences that were written for it
//! and in the documents.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeSet;

use laneproof_ambiguity::rules::{Book, judge};
use laneproof_ambiguity::{Finding, FindingKind, search_rules};
use laneproof_semantics::as_written::AsWritten;

/// The kinds of choice points, with one file of sentences and no other.
fn texts(file: &str) -> AsWritten {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../semantics/text");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/texts");
    let read = |path: String| (path.clone(), std::fs::read_to_string(path).unwrap());
    let files = ["kinds.lps", "words.lps"].map(|name| read(format!("{folder}/{name}")));
    AsWritten::from_files(files.into_iter().chain([read(format!("{own}/{file}"))]).collect())
        .unwrap()
}

fn ids(findings: &[Finding]) -> BTreeSet<&str> {
    findings.iter().map(|finding| finding.id.as_str()).collect()
}

#[test]
fn rules_that_only_differ_yield_nothing() {
    let texts = texts("sound_rules.lps");
    assert_eq!(texts.specification.rules.len(), 19);
    let (findings, harmless) = search_rules(&texts);
    assert_eq!(ids(&findings), BTreeSet::new());
    assert_eq!(harmless, []);
}

#[test]
fn each_planted_fault_is_found_and_no_other() {
    let texts = texts("planted_rules.lps");
    let expected = BTreeSet::from([
        "cross-document/more-types-than-are-taken/PLANTED_environment/OpPlantedMove",
        "cross-document/no-value-left/PLANTED_environment/Execution",
        // A list for several instructions, of which each takes its part.
        "cross-document/types-of-other-instructions/PLANTED_environment/Data",
        "dead-clause/no-such-module/PLANTED_environment/ImageFormat",
        "gap/capability-not-accepted/PLANTED_environment",
        "gap/legal-but-not-promised/PLANTED_environment/Execution",
        "gap/operand-without-a-use/PLANTED_base/Second",
        "gap/strange-things/PLANTED_base",
        "gap/types-not-listed/PLANTED_environment/Data",
        "gap/unmet-requirement-of-the-host/PLANTED_again",
        "gap/vectors-for-some/PLANTED_environment/Data-of-Planted",
        "ill-typed/no-such-component/PLANTED_base/Data",
        "ill-typed/no-such-operand/PLANTED_base/Nothing",
        "overlap/no-value-left/PLANTED_environment/Capability",
        "overlap/no-value-left/PLANTED_environment/Memory",
        "overlap/permitted-and-prohibited/PLANTED_environment/Memory",
        "token/Subgruop",
        "token/rule-said-twice/PLANTED_again/Execution",
        // The misspelt scope is the one of the sentence before.
        "token/rule-said-twice/PLANTED_environment/Execution",
    ]);
    let (findings, harmless) = search_rules(&texts);
    assert_eq!(ids(&findings), expected);
    assert_eq!(harmless, []);
}

/// Without one of two sentences that contradict each other the finding is gone.
#[test]
fn a_fault_that_is_mended_is_not_found() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/texts/planted_rules.lps");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../semantics/text");
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let text = read(own);
    let mended = [
        ("or vector(2) of u32\n  [3] \"Two", "of u32\n  [3] \"Two", "more-types-than-are-taken"),
        (
            "requires Execution of OpPlantedWait : Subgroup",
            "requires Execution of OpPlantedWait : Workgroup",
            "no-value-left/PLANTED_environment/Execution",
        ),
        (
            "mentions ImageFormat of Image of OpPlantedLone : Rgba8",
            "mentions ImageFormat of Image of OpPlantedLone : Unknown",
            "no-such-module",
        ),
        (
            "accepts Memory of OpPlantedWait : Invocation",
            "accepts Memory of OpPlantedWait : Device",
            "permitted-and-prohibited",
        ),
        (
            "forbids Memory of OpPlantedWait : Device, Workgroup",
            "forbids Memory of OpPlantedWait : Device",
            "no-value-left/PLANTED_environment/Memory",
        ),
        ("Subgruop", "Subgroup", "token/Subgruop"),
        (
            "accepts Data of OpPlantedWait : scalar or",
            "accepts Data of OpPlantedWait :",
            "no-such-component",
        ),
    ];
    for (wrong, right, cause) in mended {
        assert!(text.contains(wrong), "{wrong}");
        let kinds = ["kinds.lps", "words.lps"]
            .map(|name| (name.to_owned(), read(&format!("{folder}/{name}"))));
        let mine = ("mine.lps".to_owned(), text.replace(wrong, right));
        let texts = AsWritten::from_files(kinds.into_iter().chain([mine]).collect()).unwrap();
        let (found, _) = search_rules(&texts);
        assert!(!ids(&found).iter().any(|id| id.contains(cause)), "{cause}: {:?}", ids(&found));
    }
}

/// What holds one sentence against others, and is about no one module.
const COMPARED: [&str; 19] = [
    "any-condition-will-do",
    "component-types-for-some",
    "condition-for-some-numbers",
    "no-type-of-the-list",
    "operands-without-a-list",
    "part-of-a-type-not-given",
    "parts-of-a-type-not-given",
    "supported-in-general",
    "vectors-for-some",
    "accepted-by-one",
    "required-by-one",
    "condition-of-one",
    "may-where-others-must",
    "is-where-others-must",
    "no-type-given",
    "component-type-not-given",
    "signedness-not-given",
    "width-not-given",
    "component-count-not-given",
];

/// What one document accepts and the other does not is seen from the lists of both.
#[test]
fn what_one_document_accepts_is_shown_beside_what_the_other_does() {
    let (findings, _) = search_rules(AsWritten::built_in());
    let mut compared = 0;
    for finding in findings.iter().filter(|it| it.summary.contains(" does not accept ")) {
        for document in &finding.documents {
            let cited = finding.clauses.iter().any(|it| it.starts_with(&format!("{document}/")));
            assert!(cited, "{}: no sentence of {document}", finding.id);
        }
        compared += 1;
    }
    assert!(compared > 0);
}

/// Causes in what is accepted, that some sentence has accepted without what others ask for.
const ACCEPTED: [&str; 4] = [
    "types-without-their-capability",
    "capability-without-its-extension",
    "any-condition-will-do",
    "condition-for-some-numbers",
];

/// Asked again about the module of a finding, the documents say what the finding says they do.
#[test]
fn each_finding_is_reproduced_by_its_module() {
    let mut reproduced = 0;
    let planted = texts("planted_rules.lps");
    for texts in [AsWritten::built_in(), &planted] {
        let book = Book::of(texts);
        let compared = |it: &Finding| COMPARED.iter().any(|cause| it.id.contains(cause));
        for finding in search_rules(texts).0.into_iter().filter(|it| !compared(it)) {
            let Some(module) = &finding.evidence.module else {
                assert_eq!(finding.kind, FindingKind::Token, "{}", finding.id);
                continue;
            };
            let said = judge(&book, &finding.documents, module);
            let said: BTreeSet<&str> = said.iter().map(|read| read.outcome.as_str()).collect();
            let any = |words: &[&str]| {
                words.iter().any(|word| said.iter().any(|outcome| outcome.starts_with(word)))
            };
            let against = ["is not legal", "takes no such type", "needs "];
            let shows = match finding.kind {
                FindingKind::Overlap | FindingKind::CrossDocument => {
                    any(&["must be accepted", "is legal"]) && any(&against)
                }
                FindingKind::DeadClause => any(&["is mentioned"]) && any(&against),
                FindingKind::IllTyped => {
                    any(&["has no such operand", "is legal", "must be accepted"])
                }
                // What is accepted is shown where it is, and lacks something.
                _ if ACCEPTED.iter().any(|cause| finding.id.contains(cause)) => {
                    any(&["must be accepted"])
                }
                _ => {
                    any(&["says nothing of it", "has a rule for it", "needs ", "is legal"])
                        || finding.readings.len() > 1
                        || finding.summary.contains("not what it is")
                }
            };
            assert!(shows, "{}: {said:?}", finding.id);
            reproduced += 1;
        }
    }
    assert_eq!(reproduced, 44);
}

/// One root cause, one finding; the same in both environments that copied it from each other.
#[test]
fn the_documents_have_these_faults_in_their_rules() {
    let (findings, harmless) = search_rules(AsWritten::built_in());
    assert_eq!(harmless.len(), 2, "{harmless:?}");
    let expected = BTreeSet::from([
        "cross-document/accepted-by-one/cl_intel_spirv_subgroups/BuiltIn/level_zero",
        "cross-document/accepted-by-one/cl_intel_spirv_subgroups/Execution/level_zero",
        "cross-document/accepted-by-one/level_zero/Data/cl_intel_spirv_subgroups",
        "cross-document/accepted-by-one/level_zero/Value/cl_intel_spirv_subgroups",
        "cross-document/condition-of-one/cl_intel_spirv_subgroups/supports-cl_intel_subgroups_short/level_zero",
        "cross-document/required-by-one/cl_intel_spirv_subgroups/HostPointer/level_zero",
        "cross-document/types-of-other-instructions/level_zero/Value",
        "dead-clause/no-such-module/cl_intel_spirv_subgroups/ImageFormat",
        "gap/any-condition-will-do/level_zero/Extension",
        "gap/any-condition-will-do/level_zero/StorageClass",
        "gap/capability-not-accepted/cl_intel_spirv_subgroups",
        "gap/capability-without-its-extension/level_zero",
        "gap/component-count-not-given/SPV_INTEL_subgroups",
        "gap/component-type-not-given/SPV_INTEL_subgroups",
        "gap/component-type-not-given/SPV_NV_shader_subgroup_partitioned",
        "gap/component-types-for-some/cl_intel_spirv_subgroups/Data-of-Subgroup-f16-f32-f64-u64",
        "gap/component-types-for-some/level_zero/Data-of-Subgroup-f16-f32-f64-u64-u8",
        "gap/component-types-for-some/level_zero/Value-of-Group-bool",
        "gap/condition-for-some-numbers/level_zero/fpFlags",
        "gap/corruption/cl_intel_spirv_subgroups/13",
        "gap/invalid-data/cl_intel_spirv_subgroups/13",
        "gap/is-where-others-must/SPV_INTEL_subgroups/Coordinate",
        "gap/legal-but-not-promised/level_zero/Execution",
        "gap/legal-but-not-promised/level_zero/StorageClass",
        "gap/list-without-a-component-type/level_zero",
        "gap/may-where-others-must/SPV_INTEL_subgroups/Result",
        "gap/needs-a-capability/SPV_INTEL_subgroups",
        "gap/no-defined-behavior/cl_intel_spirv_subgroups/7",
        "gap/no-type-given/SPV_INTEL_subgroups",
        "gap/no-type-given/SPV_NV_shader_subgroup_partitioned",
        "gap/combination-in-no-row/level_zero/Dim-of-OpTypeImage",
        "gap/no-type-of-the-list/level_zero/bool",
        "gap/no-type-of-the-list/level_zero/f16-f32-f64",
        "gap/not-restricted/SPV_INTEL_subgroups/Image",
        "gap/operands-without-a-list/level_zero",
        "gap/part-of-a-type-not-given/level_zero/Type-of-OpTypePointer",
        "gap/parts-of-a-type-not-given/level_zero/OpTypeVector",
        "gap/parts-of-members-not-given/level_zero/OpFunctionParameter",
        "gap/restricted-elsewhere/SPV_INTEL_subgroups/Image",
        "gap/restricted-elsewhere/SPV_INTEL_subgroups/Ptr",
        "gap/rule-for-some/level_zero/ImageOperands",
        "gap/scalars-only/cl_intel_spirv_subgroups/Data-u64-f16-f64",
        "gap/shape-not-given/SPV_INTEL_subgroups",
        "gap/signedness-not-given/SPV_INTEL_subgroups",
        "gap/signedness-not-given/SPV_NV_shader_subgroup_partitioned",
        "gap/subgroup-at-another-scope/SPV_KHR_subgroup_rotate/17",
        "gap/subgroup-at-another-scope/SPV_KHR_subgroup_rotate/4",
        "gap/subgroup-at-another-scope/SPV_NV_shader_subgroup_partitioned/Group-Operation-17",
        "gap/supported-in-general/level_zero/Width-OpTypeFloat",
        "gap/supported-in-general/level_zero/types-of-OpFunctionParameter",
        "gap/types-not-listed/cl_intel_spirv_subgroups/Data",
        "gap/types-not-listed/level_zero/Value",
        "gap/types-without-their-capability/level_zero",
        "gap/unmet-requirement-of-the-host/cl_intel_spirv_subgroups",
        "gap/width-not-given/SPV_INTEL_subgroups",
        "gap/width-not-given/SPV_KHR_subgroup_rotate",
        "token/operands-of-some-only/Result-Value",
        "gap/vectors-for-some/level_zero/Value-of-Group",
        "ill-typed/no-such-component/SPV_INTEL_subgroups/Coordinate",
        "ill-typed/no-such-operand/SPV_INTEL_subgroups/Result",
        "overlap/permitted-and-prohibited/level_zero/ClusterSize",
        "token/Bfloat16ConversionINTEL",
        "token/CrossWorkGroup",
        "token/SPV_INTEL_bloat16_conversion",
        "token/rule-said-twice/SPV_NV_shader_subgroup_partitioned/Extension",
        "token/rule-said-twice/level_zero/MS",
        "token/rule-said-twice/level_zero/Signedness",
    ]);
    assert_eq!(ids(&findings), expected);
    let shuffles = findings.iter().find(|it| it.id.contains("types-not-listed/cl_intel")).unwrap();
    assert_eq!(
        shuffles.instructions.iter().map(String::as_str).collect::<Vec<_>>(),
        ["OpSubgroupShuffleDownINTEL", "OpSubgroupShuffleUpINTEL"]
    );
    assert_eq!(shuffles.documents.len(), 2);
}
