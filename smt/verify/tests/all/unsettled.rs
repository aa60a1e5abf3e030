//! Readings that a profile leaves unsettled: tried one by one, and named where they matter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_interpreter::Readings;
use laneproof_module::load_text_unvalidated;
use laneproof_semantics::Specification;
use laneproof_verify::{Options, Side, States, Verdict, VerificationReport, verify};

/// A shuffle down by `%delta`, and what the target returns instead.
fn verified(delta: &str, target: &str, readings: &[(&str, &str)]) -> VerificationReport {
    let text = format!(
        r#"OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SubgroupShuffleINTEL
OpExtension "SPV_INTEL_subgroups"
OpMemoryModel Physical64 OpenCL
OpName %src "src"
OpName %tgt "tgt"
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %uint %uint %uint
%zero = OpConstant %uint 0
%all = OpConstant %uint 0xffffffff
%src = OpFunction %uint None %fn
%x = OpFunctionParameter %uint
%y = OpFunctionParameter %uint
%l = OpLabel
%r = OpSubgroupShuffleDownINTEL %uint %x %y {delta}
OpReturnValue %r
OpFunctionEnd
%tgt = OpFunction %uint None %fn
%x_t = OpFunctionParameter %uint
%y_t = OpFunctionParameter %uint
%l_t = OpLabel
OpReturnValue {target}
OpFunctionEnd
"#
    );
    let program = load_text_unvalidated(&text, "generated").expect("it assembles");
    let side = |name| Side { program: &program, function: program.function(name).expect(name) };
    let own = |pair: &(&str, &str)| (pair.0.to_owned(), pair.1.to_owned());
    let options = Options {
        states: States { sizes: vec![2], all_active: true, ..States::default() },
        profile: Some("literal".into()),
        readings: readings.iter().map(own).collect(),
        ..Options::default()
    };
    verify(Specification::built_in(), side("src"), Some(side("tgt")), &options).unwrap()
}

#[test]
fn a_reading_that_makes_no_difference_is_not_rested_on() {
    let report = verified("%zero", "%x_t", &[]);
    assert_eq!(report.verdict, Verdict::Proved, "{:?}", report.reason);
    assert!(!report.rests_on.contains(&"index-arithmetic".to_owned()), "{:?}", report.rests_on);
    let report = verified("%zero", "%y_t", &[]);
    assert_eq!(report.verdict, Verdict::Refuted, "{:?}", report.reason);
    assert!(report.counterexample.is_some_and(|found| found.confirmed));
    assert!(!report.rests_on.contains(&"index-arithmetic".to_owned()), "{:?}", report.rests_on);
}

/// By 2^32 - 1, lane 1 reads lane 0 if the sum wraps, and is out of range if it does not: of
/// that the text alone says nothing.
#[test]
fn a_reading_that_makes_a_difference_is_named_with_what_each_alternative_gives() {
    let report = verified("%all", "%zero", &[("out-of-range", "undefined-value")]);
    assert_eq!(report.verdict, Verdict::Unknown);
    let reason = report.reason.expect("a reason");
    assert!(
        reason.contains("index-arithmetic")
            && reason.contains("wrap-32 gives refuted")
            && reason.contains("exact gives proved"),
        "{reason}"
    );
    assert!(report.counterexample.is_none());
    for (alternative, expected) in [("wrap-32", Verdict::Refuted), ("exact", Verdict::Proved)] {
        let readings = [("out-of-range", "undefined-value"), ("index-arithmetic", alternative)];
        let report = verified("%all", "%zero", &readings);
        assert_eq!(report.verdict, expected, "{:?}", report.reason);
        assert!(report.rests_on.contains(&"index-arithmetic".to_owned()));
    }
}

/// The interpreter implements every alternative of each reading that it follows.
#[test]
fn the_interpreter_implements_each_alternative() {
    let readings = &Specification::built_in().readings;
    let own = readings.iter().filter(|(name, _)| Readings::NAMES.contains(&&***name));
    let mut names = 0;
    for (name, reading) in own {
        names += 1;
        for (alternative, _) in &reading.alternatives {
            let _ = Readings::default().with(name, alternative);
        }
    }
    assert_eq!(names, Readings::NAMES.len());
}

/// No document that Level Zero takes over says what happens at a barrier that some lanes of a subgroup
/// do not reach: a verdict there rests on a reading. OpenCL's says it.
#[test]
fn a_barrier_of_some_lanes_is_a_reading_where_no_document_says_it() {
    let text = r#"OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Groups
OpMemoryModel Physical64 OpenCL
OpName %src "src"
OpName %tgt "tgt"
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %uint %uint
%none = OpConstant %uint 0
%subgroup = OpConstant %uint 3
%yes = OpConstantTrue %bool
%src = OpFunction %uint None %fn
%x = OpFunctionParameter %uint
%l = OpLabel
OpControlBarrier %subgroup %subgroup %none
OpReturnValue %x
OpFunctionEnd
%tgt = OpFunction %uint None %fn
%x_t = OpFunctionParameter %uint
%l_t = OpLabel
%all = OpGroupAll %bool %subgroup %yes
OpReturnValue %x_t
OpFunctionEnd
"#;
    let program = load_text_unvalidated(text, "generated").expect("it assembles");
    let side = |name| Side { program: &program, function: program.function(name).expect(name) };
    let verdict = |profile: &str, readings: &[(&str, &str)]| {
        let own = |pair: &(&str, &str)| (pair.0.to_owned(), pair.1.to_owned());
        let options = Options {
            states: States { sizes: vec![2], ..States::default() },
            profile: Some(profile.into()),
            readings: readings.iter().map(own).collect(),
            ..Options::default()
        };
        verify(Specification::built_in(), side("src"), Some(side("tgt")), &options).unwrap()
    };
    let rests =
        |report: &VerificationReport| report.rests_on.contains(&"barrier-of-some-lanes".to_owned());
    let opencl = verdict("opencl", &[]);
    assert_eq!((opencl.verdict, rests(&opencl)), (Verdict::Proved, false), "{:?}", opencl.reason);
    let level_zero = verdict("level-zero", &[]);
    assert_eq!((level_zero.verdict, rests(&level_zero)), (Verdict::Proved, true));
    let otherwise = verdict("level-zero", &[("barrier-of-some-lanes", "those-that-come")]);
    assert_eq!(otherwise.verdict, Verdict::Unknown, "{:?}", otherwise.reason);
}
