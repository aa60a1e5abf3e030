//! What a conforming device may return is never called impossible: operations on floating point
//! over border cases and random numbers, each with results that the environment's texts permit,
//! computed here in double precision without the engines' help.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use laneproof_interpreter::{
    Call, CallArgument, Choices, LaneValue, Leeway, RunOptions, Sizes, call,
};
use laneproof_module::{Program, load_bytes};
use laneproof_oracle::{Blind, Cell, OracleVerdict, SearchClock, SearchLimits, judge};
use laneproof_semantics::{Scalar, Specification};
use laneproof_verify::{latitude, settle};

/// An operation of two numbers, and its result before it is rounded.
pub(crate) type Operation = (&'static str, fn(f64, f64) -> f64);

pub(crate) const OPERATIONS: [Operation; 4] = [
    ("OpFAdd", |a, b| a + b),
    ("OpFSub", |a, b| a - b),
    ("OpFMul", |a, b| a * b),
    ("OpFDiv", |a, b| a / b),
];

fn module(environment: &str, body: &str) -> Program {
    let head = match environment {
        "vulkan" => "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450",
        _ => {
            "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
             OpMemoryModel Physical64 OpenCL"
        }
    };
    let text = format!(
        "{head}\nOpName %src \"src\"\n%f32 = OpTypeFloat 32\n%function = OpTypeFunction %f32 %f32 %f32\n\
         %src = OpFunction %f32 None %function\n%x = OpFunctionParameter %f32\n\
         %y = OpFunctionParameter %f32\n%entry = OpLabel\n{body}\nOpReturnValue %a\nOpFunctionEnd\n"
    );
    load_bytes(text.as_bytes(), "conforming").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What the oracle says of one lane's result.
fn verdict(environment: &str, program: &Program, inputs: [f32; 2], observed: u32) -> OracleVerdict {
    let specification = Specification::built_in();
    let kernel = environment != "vulkan";
    let (_, settled) = settle(specification, kernel, Some(environment), &[]).unwrap();
    let leeway = Leeway::new(latitude(specification, &settled), program);
    let options = |follow: bool| RunOptions {
        follow,
        in_full: true,
        leeway: Some(&leeway),
        ..RunOptions::default()
    };
    let lane = |number: f32| {
        CallArgument::PerLane(vec![LaneValue(vec![Some(u64::from(number.to_bits()))])])
    };
    let function = program.function("src").unwrap().id;
    let request = Call {
        program,
        function,
        sizes: Sizes::full(1),
        active: 1,
        arguments: inputs.map(lane).to_vec(),
    };
    let scalar = Scalar::F32;
    let cells = [Cell { scalar, observed: Some(u64::from(observed)) }];
    let subject = |follow: bool, choices: &mut dyn Choices| {
        let finished = call(&request, &options(follow), choices)?;
        Ok(vec![finished.results[0].as_ref().and_then(|it| it.0[0])])
    };
    let limits =
        SearchLimits { runs: 1 << 12, time: Duration::from_secs(5), clock: SearchClock::Wall };
    judge(&cells, &subject, Blind::default(), limits)
}

fn numbers() -> Vec<f32> {
    let mut numbers = vec![
        0.0,
        -0.0,
        1.0,
        -1.5,
        3.0,
        f32::MIN_POSITIVE,
        f32::MIN_POSITIVE / 2.0,
        -f32::from_bits(1),
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    let mut state = 7_u32;
    for _ in 0..24 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        numbers.push(f32::from_bits(state));
    }
    numbers
}

fn is_special(number: f32) -> bool {
    number.is_nan() || number.is_infinite()
}

/// Results that an environment's texts permit, without any claim to have all of them.
fn permitted(
    environment: &str,
    name: &str,
    apply: fn(f64, f64) -> f64,
    inputs: [f32; 2],
) -> Vec<u32> {
    let flush = |number: f32| if number.is_subnormal() { 0.0 * number } else { number };
    let mut results = Vec::new();
    for [a, b] in [inputs, inputs.map(flush)] {
        // Twice as many bits and two more: rounded twice is rounded once.
        let nearest = apply(f64::from(a), f64::from(b)) as f32;
        results.extend(
            [nearest, flush(nearest), -flush(nearest)]
                .into_iter()
                .filter(|it| it.to_bits() == nearest.to_bits() || nearest.is_subnormal()),
        );
        if name == "OpFDiv" && nearest.is_normal() && (b.is_normal() && b.recip().is_normal()) {
            for steps in [-1_i32, 1] {
                let near = f32::from_bits(nearest.to_bits().wrapping_add_signed(steps));
                results.extend([near].into_iter().filter(|near| near.is_normal()));
            }
        }
    }
    if environment == "vulkan" && inputs.into_iter().chain(results.clone()).any(is_special) {
        results.extend([0.0, 42.0, f32::NAN]);
    }
    results.into_iter().map(f32::to_bits).collect()
}

#[test]
fn no_conforming_result_is_called_impossible() {
    let mut asked = 0;
    for environment in ["vulkan", "opencl", "level-zero"] {
        for (name, apply) in OPERATIONS {
            let program = module(environment, &format!("%a = {name} %f32 %x %y"));
            for a in numbers() {
                for b in numbers() {
                    for observed in permitted(environment, name, apply, [a, b]) {
                        let found = verdict(environment, &program, [a, b], observed);
                        assert!(
                            !matches!(found, OracleVerdict::NotAllowed { .. }),
                            "{environment}: {name} {a:e} {b:e} gave {:e}",
                            f32::from_bits(observed)
                        );
                        asked += 1;
                    }
                }
            }
        }
    }
    assert_eq!(asked, 73476);
}

#[test]
fn what_lies_outside_of_all_bounds_is_called_impossible() {
    for environment in ["vulkan", "opencl", "level-zero"] {
        for (name, apply) in OPERATIONS {
            let program = module(environment, &format!("%a = {name} %f32 %x %y"));
            for [a, b] in [[1.0_f32, 3.0], [10.0, -7.0], [1.0e-3, 2.5e4]] {
                let nearest = apply(f64::from(a), f64::from(b)) as f32;
                for wrong in [nearest.to_bits() + 8, (-nearest).to_bits(), f32::NAN.to_bits()] {
                    let found = verdict(environment, &program, [a, b], wrong);
                    assert!(
                        matches!(found, OracleVerdict::NotAllowed { .. }),
                        "{environment}: {name} {a:e} {b:e} gave {:e}: {found:?}",
                        f32::from_bits(wrong)
                    );
                }
            }
        }
    }
}

/// A product and a sum, fused: allowed by all, unless a decoration or mode forbids it.
#[test]
fn a_product_and_a_sum_may_be_rounded_once() {
    let (x, y) = (1.0_f32 + f32::EPSILON, 3.0_f32);
    let fused = f64::from(x).mul_add(f64::from(x), f64::from(y)) as f32;
    for environment in ["vulkan", "opencl"] {
        let body = "%p = OpFMul %f32 %x %x\n%a = OpFAdd %f32 %p %y";
        let program = module(environment, body);
        let found = verdict(environment, &program, [x, y], fused.to_bits());
        assert!(!matches!(found, OracleVerdict::NotAllowed { .. }), "{environment}: {found:?}");
    }
}

/// What the oracle says of a kernel's function of two integers, in one lane.
fn verdict_of_integers(program: &Program, inputs: [u32; 2], observed: u32) -> OracleVerdict {
    let specification = Specification::built_in();
    let (_, settled) = settle(specification, true, Some("opencl"), &[]).unwrap();
    let leeway = Leeway::new(latitude(specification, &settled), program);
    let function = program.function("src").unwrap().id;
    let arguments = inputs.map(|it| CallArgument::PerLane(vec![LaneValue(vec![Some(it.into())])]));
    let request =
        Call { program, function, sizes: Sizes::full(1), active: 1, arguments: arguments.to_vec() };
    let scalar = Scalar::Int { width: 32, signed: false };
    let cells = [Cell { scalar, observed: Some(observed.into()) }];
    let subject = |follow: bool, choices: &mut dyn Choices| {
        let leeway = Some(&leeway);
        let options = RunOptions { follow, in_full: true, leeway, ..RunOptions::default() };
        let finished = call(&request, &options, choices)?;
        Ok(vec![finished.results[0].as_ref().and_then(|it| it.0[0])])
    };
    let limits =
        SearchLimits { runs: 1 << 12, time: Duration::from_secs(5), clock: SearchClock::Wall };
    judge(&cells, &subject, Blind::default(), limits)
}

/// A product of more than 24 bits is a number that the implementation defines: none is impossible,
/// to branch on it is no undefined behavior, and a product that fits has one value.
#[test]
fn products_of_24_bits_are_the_implementations_beyond_them() {
    let kernel = |body: &str| {
        let text = format!(
            "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
             %std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n\
             OpName %src \"src\"\n%u32 = OpTypeInt 32 0\n%bool = OpTypeBool\n\
             %zero = OpConstant %u32 0\n%one = OpConstant %u32 1\n\
             %function = OpTypeFunction %u32 %u32 %u32\n%src = OpFunction %u32 None %function\n\
             %x = OpFunctionParameter %u32\n%y = OpFunctionParameter %u32\n%entry = OpLabel\n\
             {body}\nOpReturnValue %r\nOpFunctionEnd\n"
        );
        load_bytes(text.as_bytes(), "products").unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    for name in ["u_mul24", "s_mul24"] {
        let product = kernel(&format!("%r = OpExtInst %u32 %std {name} %x %y"));
        for observed in [0, 0x0300_0000, 17, u32::MAX] {
            let found = verdict_of_integers(&product, [0x0100_0000, 3], observed);
            assert!(!matches!(found, OracleVerdict::NotAllowed { .. }), "{name} gave {observed}");
        }
        let found = verdict_of_integers(&product, [5, 3], 16);
        assert!(matches!(found, OracleVerdict::NotAllowed { .. }), "{name}: {found:?}");
        let branch = kernel(&format!(
            "%p = OpExtInst %u32 %std {name} %x %y\n%c = OpUGreaterThan %bool %p %one\n\
             OpSelectionMerge %end None\nOpBranchConditional %c %then %end\n%then = OpLabel\n\
             OpBranch %end\n%end = OpLabel\n%r = OpPhi %u32 %one %then %zero %entry"
        ));
        for observed in [0, 1] {
            let found = verdict_of_integers(&branch, [0x0100_0000, 3], observed);
            let known = matches!(found, OracleVerdict::Allowed | OracleVerdict::Undecided { .. });
            assert!(known, "{name}: {found:?}");
        }
    }
}
