//! Operands that no clause uses, or that clauses use only if they are zero: no verdict depends on
//! them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_interpreter::{Call, CallArgument, Finished, LaneValue, Sizes, Stop, Zeros, call};
use laneproof_module::{Program, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_verify::{Evaluated, Options, Side, States, Verdict, VerificationReport, verify};

fn with_primitive(header: &str) -> Specification {
    let primitive = format!("document D revision 1 \"D\"\nprimitive machine {header}");
    let specification = Specification::built_in().extended_with("machine.lps", &primitive);
    specification.expect("a good specification")
}

/// A primitive `machine` of this header, called with `%x` and another argument; the target
/// returns its own `%x`.
fn verified(header: &str, argument: &str) -> VerificationReport {
    let (specification, program) = (with_primitive(header), calling(argument));
    let side = |name| Side { program: &program, function: program.function(name).expect(name) };
    let options =
        Options { states: States { sizes: vec![2], ..States::default() }, ..Options::default() };
    verify(&specification, side("src"), Some(side("tgt")), &options).unwrap()
}

/// `src` calls it, `tgt` does not.
fn calling(argument: &str) -> Program {
    let text = format!(
        r#"OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpName %src "src"
OpName %tgt "tgt"
OpName %machine "machine"
OpDecorate %machine LinkageAttributes "machine" Import
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %uint %uint %uint
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%machine = OpFunction %uint None %fn
%a = OpFunctionParameter %uint
%b = OpFunctionParameter %uint
OpFunctionEnd
%src = OpFunction %uint None %fn
%x = OpFunctionParameter %uint
%y = OpFunctionParameter %uint
%l = OpLabel
%r = OpFunctionCall %uint %machine %x {argument}
OpReturnValue %r
OpFunctionEnd
%tgt = OpFunction %uint None %fn
%x_t = OpFunctionParameter %uint
%y_t = OpFunctionParameter %uint
%l_t = OpLabel
OpReturnValue %x_t
OpFunctionEnd
"#
    );
    load_text_unvalidated(&text, "generated").expect("it assembles")
}

/// What the interpreter makes of the call in two lanes, the second argument being as given.
fn run(header: &str, second: [u64; 2], active: u128) -> Result<Finished, Stop> {
    let (specification, program) = (with_primitive(header), calling("%y"));
    let settled = Settled::default();
    let primitives = Evaluated::new(&specification, &settled, &program);
    let lanes = |values: [u64; 2]| {
        CallArgument::PerLane(values.map(|value| LaneValue(vec![Some(value)])).to_vec())
    };
    let request = Call {
        program: &program,
        function: program.function("src").expect("src").id,
        sizes: Sizes { existing: 2, subgroup: 2, max: 2 },
        active,
        arguments: vec![lanes([5, 6]), lanes(second)],
    };
    let options =
        laneproof_interpreter::RunOptions { primitives: Some(&primitives), ..Default::default() };
    call(&request, &options, &mut Zeros)
}

fn unknown(report: &VerificationReport, why: &str) {
    assert_eq!(report.verdict, Verdict::Unknown, "{:?}", report.reason);
    let reason = report.reason.as_deref().expect("a reason");
    assert!(reason.contains(why), "{reason}");
}

#[test]
fn a_result_that_nobody_looks_at_is_no_undefined_value() {
    let header = "operands Value : u32, Other : u32 result opaque [1] \"Something\"";
    unknown(&verified(header, "%y"), "the result of machine");
    assert!(matches!(run(header, [0, 0], 0b11), Err(Stop::NotModelled { .. })));
}

#[test]
fn an_instruction_is_known_where_its_operand_is_zero() {
    let header = "operands Value : u32, Count : u32 zero result u32 [1] \"It\" result is Value";
    assert_eq!(verified(header, "%zero").verdict, Verdict::Proved);
    for other in ["%one", "%y"] {
        unknown(&verified(header, other), "a Count other than 0 of machine");
    }
    assert!(run(header, [0, 0], 0b11).is_ok());
    assert!(run(header, [0, 1], 0b01).is_ok(), "lane 1 does not come");
    assert!(matches!(run(header, [0, 1], 0b11), Err(Stop::NotModelled { .. })));
}
