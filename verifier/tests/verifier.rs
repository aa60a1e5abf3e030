//! The library as a compiler's tests use it.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use laneproof_verifier::{Error, Profile, UnknownKind, Verdict, Verifier, assert_refines};

const ROTATE: &str = "#version 460
#extension GL_KHR_shader_subgroup_rotate : require
uint f(uint x) { return subgroupRotate(x, 1u); }";

const BY_INDEX: &str = "#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_basic : require
uint f(uint x) {
    return subgroupShuffle(x, (gl_SubgroupInvocationID + 1u) & (gl_SubgroupSize - 1u));
}";

const OFF_BY_ONE: &str = "#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_basic : require
uint f(uint x) {
    return subgroupShuffle(x, (gl_SubgroupInvocationID + 2u) & (gl_SubgroupSize - 1u));
}";

fn verifier() -> Verifier {
    Verifier::new().sizes([8, 4]).profile(Profile::Vulkan).function("f")
}

#[test]
fn what_refines_is_proved_and_what_does_not_is_refuted() {
    assert_refines!(verifier(), ROTATE, BY_INDEX);
    let report = verifier().verify(ROTATE, OFF_BY_ONE).unwrap();
    assert_eq!(report.verdict(), Verdict::Refuted);
    let found = report.counterexample().unwrap();
    assert!(found.confirmed && [4, 8].contains(&found.subgroup_size));
}

#[test]
fn a_report_is_displayed_as_the_command_line_prints_it_and_serialized_as_its_document() {
    let report = verifier().verify(ROTATE, OFF_BY_ONE).unwrap();
    let text = report.to_string();
    assert!(text.starts_with("refuted at SubgroupSize"), "{text}");
    assert!(text.contains("lane"), "a table of lanes: {text}");
    let document = serde_json::to_value(&report).unwrap();
    assert_eq!(document["verdict"], "refuted");
    assert!(document["counterexample"]["lanes"].is_array());
}

#[test]
#[should_panic(expected = "the target does not refine the source:\nrefuted at SubgroupSize")]
fn a_failed_assertion_shows_the_report() {
    assert_refines!(verifier(), ROTATE, OFF_BY_ONE);
}

#[test]
fn words_go_in_as_a_compiler_writes_them() {
    let assembly = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n\
        OpName %f \"f\"\nOpDecorate %f LinkageAttributes \"f\" Export\n%u = OpTypeInt 32 0\n\
        %t = OpTypeFunction %u %u\n%f = OpFunction %u None %t\n%x = OpFunctionParameter %u\n\
        %l = OpLabel\nOpReturnValue %x\nOpFunctionEnd\n";
    let words = laneproof_module::assemble_text(assembly, "f").unwrap();
    assert_refines!(verifier(), words.as_slice(), assembly);
}

#[test]
fn errors_are_typed_and_name_the_side() {
    let nothing = verifier().verify(ROTATE, "#version 460\nuint g() { return y; }");
    let error = nothing.unwrap_err();
    assert!(matches!(error, Error::Source(_)), "{error}");
    assert!(error.to_string().starts_with("target"), "{error}");
    let error = verifier().function("h").verify(ROTATE, BY_INDEX).unwrap_err();
    assert!(matches!(error, Error::Claim(_)) && error.to_string().contains("`h`"), "{error}");
    for sizes in [&[3][..], &[]] {
        let error = verifier().sizes(sizes.iter().copied()).verify(ROTATE, OFF_BY_ONE).unwrap_err();
        assert!(matches!(error, Error::Verify(_)), "{error}");
    }
}

#[test]
fn a_limit_that_is_reached_is_no_answer() {
    let report = verifier().total_timeout(Duration::ZERO).verify(ROTATE, BY_INDEX).unwrap();
    assert_eq!(report.unknown().map(|it| it.kind()), Some(UnknownKind::Timeout), "{report}");
    assert!(!report.is_proved());
}

#[test]
fn a_machine_primitive_is_a_specification_of_a_few_lines() {
    let error = verifier().specification("mine.lps", "instruction {").unwrap_err();
    assert!(matches!(error, Error::Specification(_)), "{error}");
}

#[test]
fn what_is_not_compared_can_be_asked_for() {
    let shared = "#version 460
        shared uint last;
        uint src(uint x) { last = x; return x; }
        uint tgt(uint x) { last = x + 1u; return x; }";
    let report = verifier().sizes([2]).verify_claim(shared).unwrap();
    assert!(report.is_proved(), "{report}");
    assert_eq!(report.not_compared().len(), 1, "{report}");
    assert!(report.not_compared()[0].to_string().contains("shared memory"), "{report}");
}

/// An entry point beside the compared functions is passed over in words, if it writes memory.
#[test]
fn entry_points_beside_the_compared_functions_are_named() {
    let module = |main: &str| {
        format!(
            "#version 460
            layout(local_size_x = 2) in;
            layout(binding = 0) buffer Data {{ uint data[]; }};
            uint f(uint x) {{ return x + 1u; }}
            void main() {{ uint x = f(7u); {main} }}"
        )
    };
    let stores = "data[gl_LocalInvocationIndex] = x;";
    for (source, target, named) in [(stores, stores, 1), (stores, "", 0), ("", "", 0)] {
        let (source, target) = (module(source), module(target));
        let report = verifier().sizes([2]).verify(&*source, &*target).unwrap();
        assert!(report.is_proved(), "{report}");
        let words: Vec<_> = report.not_compared().iter().map(ToString::to_string).collect();
        assert_eq!(words.len(), named, "{report}");
        assert!(words.iter().all(|it| it.starts_with("entry points: ")), "{report}");
    }
}
