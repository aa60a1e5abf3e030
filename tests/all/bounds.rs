//! Functions with an error bound: what lies inside of it is allowed, what lies far outside is not.
//! The exact results come from the standard library in double precision, which is exact enough for
//! the formats that are asked for here.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod rows;
mod widths;

use std::collections::BTreeSet;
use std::time::Duration;

use laneproof_interpreter::{
    Call, CallArgument, Choices, LaneValue, Leeway, RunOptions, Sizes, call,
};
use laneproof_module::spirv::{GlslStd450Op, Op, OpenclStd100Op};
use laneproof_module::{Named, Program, load_bytes};
use laneproof_oracle::{Blind, Cell, OracleVerdict, SearchClock, SearchLimits, judge};
use laneproof_semantics::language::formula::Formula;
use laneproof_semantics::language::margin::{DeviceProfile, MarginKind};
use laneproof_semantics::{FloatFormat, Scalar, Specification};
use laneproof_verify::{latitude_in, settle};

use rows::{Bound, OPENCL, VULKAN};

/// Bits of the fraction, and the least exponent of a normal number.
fn shape(width: u32) -> (i32, i32) {
    if width == 16 { (10, -14) } else { (23, -126) }
}

/// The unit in the last place of numbers as large as this one.
fn unit(width: u32, number: f64) -> f64 {
    let (fraction, least) = shape(width);
    2.0_f64.powi((number.abs().log2().floor() as i32).max(least) - fraction)
}

/// The bits of a number of the format, rounded toward zero or away from it.
fn bits(width: u32, number: f64, away: bool) -> u64 {
    let step = unit(width, number);
    let count = number.abs() / step;
    let number = if away { count.ceil() } else { count.floor() } * step * number.signum();
    match width {
        16 => {
            let magnitude = number.abs();
            let exponent = magnitude.log2().floor();
            let fraction = (magnitude / exponent.exp2() - 1.0) * 1024.0;
            let sign = u64::from(number.is_sign_negative()) << 15;
            if magnitude == 0.0 {
                sign
            } else {
                sign | ((exponent as i64 + 15) as u64) << 10 | fraction as u64
            }
        }
        _ => u64::from((number as f32).to_bits()),
    }
}

fn module(environment: &str, name: &str, width: u32, operands: usize) -> Program {
    let kernel = environment != "vulkan";
    let (head, set, model) = match kernel {
        false => ("OpCapability Shader", "GLSL.std.450", "Logical GLSL450"),
        true => ("OpCapability Kernel\nOpCapability Addresses", "OpenCL.std", "Physical64 OpenCL"),
    };
    let instruction = match name.strip_prefix("Op") {
        Some(_) => format!("{name} %float"),
        None => format!("OpExtInst %float %set {name}"),
    };
    let names: Vec<String> = (0..operands).map(|number| format!("%x{number}")).collect();
    let parameters: String =
        names.iter().map(|it| format!("{it} = OpFunctionParameter %float\n")).collect();
    let text = format!(
        "{head}\nOpCapability Linkage\nOpCapability Float16\nOpCapability Float64\n%set = OpExtInstImport \"{set}\"\n\
         OpMemoryModel {model}\nOpName %src \"src\"\n%float = OpTypeFloat {width}\n\
         %function = OpTypeFunction %float{}\n%src = OpFunction %float None %function\n{parameters}\
         %entry = OpLabel\n%a = {instruction} {}\nOpReturnValue %a\nOpFunctionEnd\n",
        " %float".repeat(operands),
        names.join(" ")
    );
    load_bytes(text.as_bytes(), "bounds").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn verdict(
    environment: &str,
    program: &Program,
    width: u32,
    inputs: &[f64],
    observed: u64,
) -> OracleVerdict {
    let inputs: Vec<u64> = inputs.iter().map(|it| bits(width, *it, false)).collect();
    verdict_of_bits(environment, program, width, &inputs, observed)
}

pub(crate) fn verdict_of_bits(
    environment: &str,
    program: &Program,
    width: u32,
    inputs: &[u64],
    observed: u64,
) -> OracleVerdict {
    let specification = Specification::built_in();
    let kernel = environment != "vulkan";
    let profile = DeviceProfile::Full;
    let (_, settled) = settle(specification, kernel, Some(environment), &[]).unwrap();
    let leeway = Leeway::new(latitude_in(specification, &settled, profile), program);
    judged(program, &leeway, width, inputs, observed)
}

fn judged(
    program: &Program,
    leeway: &Leeway,
    width: u32,
    inputs: &[u64],
    observed: u64,
) -> OracleVerdict {
    let argument = |bits: &u64| CallArgument::PerLane(vec![LaneValue(vec![Some(*bits)])]);
    let request = Call {
        program,
        function: program.function("src").unwrap().id,
        sizes: Sizes::full(1),
        active: 1,
        arguments: inputs.iter().map(argument).collect(),
    };
    let cells = [Cell {
        scalar: Scalar::Float(FloatFormat::ieee(width).unwrap()),
        observed: Some(observed),
    }];
    let subject = |follow: bool, choices: &mut dyn Choices| {
        let leeway = Some(leeway);
        let options = RunOptions { follow, in_full: true, leeway, ..RunOptions::default() };
        let finished = call(&request, &options, choices)?;
        Ok(vec![finished.results[0].as_ref().and_then(|it| it.0[0])])
    };
    let limits =
        SearchLimits { runs: 1 << 10, time: Duration::from_secs(5), clock: SearchClock::Wall };
    judge(&cells, &subject, Blind::default(), limits)
}

/// The error that is surely allowed, and one that is surely too large.
fn errors(bound: Bound, width: u32, inputs: &[f64], exact: f64) -> [f64; 2] {
    let of = |single: f64, half: f64| if width == 16 { half } else { single };
    let allowed = match bound {
        Bound::Units(single, half) => of(single, half) * unit(width, exact),
        Bound::Exponential => (of(3.0, 1.0) + 2.0 * inputs[0].abs()) * unit(width, exact),
        Bound::Absolute(single, half) => of(single, half),
        // What follows from the formulas is far below these.
        Bound::Formula => return [0.0, of(0.05, 0.75) * exact.abs().max(1.0)],
    };
    [allowed, allowed * 1.01 + unit(width, exact)]
}

#[test]
fn results_inside_a_bound_are_allowed_and_far_ones_are_not() {
    let mut asked = 0;
    for (environment, rows) in [("vulkan", VULKAN), ("opencl", OPENCL), ("level-zero", OPENCL)] {
        for &(name, exact, bound, operands) in rows {
            for width in [16, 32] {
                let program = module(environment, name, width, operands[0].len());
                for inputs in operands {
                    let exact = exact(inputs);
                    let [inside, outside] = errors(bound, width, inputs, exact);
                    for (error, legal) in [
                        (0.0, true),
                        (inside, true),
                        (-inside, true),
                        (outside, false),
                        (-outside, false),
                    ] {
                        let near = exact + error;
                        let observed = bits(width, near, (near.abs() > exact.abs()) != legal);
                        let found = verdict(environment, &program, width, inputs, observed);
                        let right = match legal {
                            true => matches!(found, OracleVerdict::Allowed),
                            false => matches!(found, OracleVerdict::NotAllowed { .. }),
                        };
                        assert!(
                            right,
                            "{environment} f{width} {name} {inputs:?}: {near:e} ({observed:#x}) for {exact:e}: {found:?}"
                        );
                        asked += 1;
                    }
                }
            }
        }
    }
    assert!(asked > 3_000, "{asked}");
}

/// Special operands have the results of ISO C in the OpenCL environment, and no others.
#[test]
fn prescribed_results_have_no_error_and_others_end_at_the_largest_number() {
    let cases: &[(&str, &[f64], f64, f64)] = &[
        ("exp", &[0.0], 1.0, 1.000_000_119),
        ("exp", &[f64::NEG_INFINITY], 0.0, 1.0e-30),
        ("log", &[0.0], f64::NEG_INFINITY, -3.0e38),
        ("log", &[1.0], 0.0, 1.0e-30),
        ("cos", &[0.0], 1.0, 0.999_999_94),
        ("pow", &[3.0, 0.0], 1.0, 1.000_000_119),
        ("pow", &[0.0, 2.0], 0.0, 1.0e-30),
        ("sinpi", &[3.0], 0.0, 1.0e-30),
        ("atan2pi", &[1.0, 0.0], 0.5, 0.500_000_06),
        ("sqrt", &[0.0], 0.0, 1.0e-30),
        ("hypot", &[0.0, 2.5], 2.5, 2.500_000_238),
        // Beyond all numbers, and below them.
        ("exp", &[100.0], f64::INFINITY, 1.0),
        ("exp", &[100.0], f64::from(f32::MAX), -1.0),
        ("exp", &[1.0e10], f64::INFINITY, f64::NAN),
        ("exp", &[-200.0], 0.0, 1.0),
    ];
    for (name, inputs, right, wrong) in cases {
        let program = module("opencl", name, 32, inputs.len());
        for (observed, legal) in [(right, true), (wrong, false)] {
            let single = |it: &f64| u64::from((*it as f32).to_bits());
            let (operands, observed) =
                (inputs.iter().map(single).collect::<Vec<_>>(), single(observed));
            let found = verdict_of_bits("opencl", &program, 32, &operands, observed);
            let as_expected = match legal {
                true => matches!(found, OracleVerdict::Allowed),
                false => matches!(found, OracleVerdict::NotAllowed { .. }),
            };
            assert!(as_expected, "{name} {inputs:?} gave {observed:#x}: {found:?}");
        }
    }
}

/// A product and a sum have two results where they may be rounded once, and what other operations
/// come to together has a range where they may be reordered.
#[test]
fn combined_operations_have_the_results_of_either_way_and_no_others() {
    let text = |environment: &str, body: &str| {
        let kernel = environment != "vulkan";
        let head = match kernel {
            false => "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450",
            true => {
                "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
                 OpMemoryModel Physical64 OpenCL"
            }
        };
        let text = format!(
            "{head}\nOpName %src \"src\"\n%float = OpTypeFloat 32\n\
             %function = OpTypeFunction %float %float %float %float\n\
             %src = OpFunction %float None %function\n%x = OpFunctionParameter %float\n\
             %y = OpFunctionParameter %float\n%z = OpFunctionParameter %float\n%entry = OpLabel\n\
             {body}\nOpReturnValue %a\nOpFunctionEnd\n"
        );
        load_bytes(text.as_bytes(), "combined").unwrap()
    };
    let [x, y, z] = [1.0_f32 + f32::EPSILON, 3.0_f32 + 3.0 * f32::EPSILON, -1.5];
    let inputs = [x, y, z].map(f64::from);
    let fused = x.mul_add(y, z);
    let twice = x * y + z;
    assert_ne!(fused, twice);
    let body = "%p = OpFMul %float %x %y\n%a = OpFAdd %float %p %z";
    let far = fused + 1.0e-5;
    for environment in ["opencl", "level-zero", "vulkan"] {
        let program = text(environment, body);
        for (observed, legal) in [(fused, true), (twice, true), (far, false)] {
            let found = verdict(environment, &program, 32, &inputs, u64::from(observed.to_bits()));
            let right = match legal {
                true => matches!(found, OracleVerdict::Allowed),
                false => matches!(found, OracleVerdict::NotAllowed { .. }),
            };
            assert!(right, "{environment} gave {observed:e}: {found:?}");
        }
    }
    // Only these two.
    let program = text("opencl", body);
    let other = f32::from_bits(fused.to_bits().max(twice.to_bits()) + 1);
    let found = verdict("opencl", &program, 32, &inputs, u64::from(other.to_bits()));
    assert!(matches!(found, OracleVerdict::NotAllowed { .. }), "{found:?}");
    // The sum of three may be taken in any order, and a quotient of a product may be its factor.
    for (body, observed, wrong) in [
        ("%s = OpFAdd %float %x %y\n%a = OpFAdd %float %s %z", x + (y + z), x + y + z + 1.0e-4),
        ("%p = OpFMul %float %x %y\n%a = OpFDiv %float %p %x", y, y + 1.0e-4),
    ] {
        let program = text("vulkan", body);
        for (observed, legal) in [(observed, true), (wrong, false)] {
            let found = verdict("vulkan", &program, 32, &inputs, u64::from(observed.to_bits()));
            let right = match legal {
                true => matches!(found, OracleVerdict::Allowed),
                false => matches!(found, OracleVerdict::NotAllowed { .. }),
            };
            assert!(right, "{body} gave {observed:e}: {found:?}");
        }
    }
}

/// Devices of the embedded profile may be further away.
#[test]
fn the_embedded_profile_allows_larger_errors() {
    let specification = Specification::built_in();
    let (_, settled) = settle(specification, true, Some("opencl"), &[]).unwrap();
    let program = module("opencl", "exp", 32, 1);
    // Between 3 and 4 units away.
    let near = bits(32, 1.5_f64.exp(), false) + 4;
    for (profile, legal) in [(DeviceProfile::Full, false), (DeviceProfile::Embedded, true)] {
        let leeway = Leeway::new(latitude_in(specification, &settled, profile), &program);
        let found = judged(&program, &leeway, 32, &[bits(32, 1.5, false)], near);
        let right = match legal {
            true => matches!(found, OracleVerdict::Allowed),
            false => matches!(found, OracleVerdict::NotAllowed { .. }),
        };
        assert!(right, "{profile:?}: {found:?}");
    }
}

/// A function of three vectors of three components, as a module with their components as parameters.
fn of_vectors(environment: &str, name: &str, operands: usize, vector: bool) -> Program {
    let kernel = environment != "vulkan";
    let (head, set, model) = match kernel {
        false => ("OpCapability Shader", "GLSL.std.450", "Logical GLSL450"),
        true => ("OpCapability Kernel\nOpCapability Addresses", "OpenCL.std", "Physical64 OpenCL"),
    };
    let result = if vector { "%vector" } else { "%float" };
    let instruction = match name.strip_prefix("Op") {
        Some(_) => format!("{name} {result}"),
        None => format!("OpExtInst {result} %set {name}"),
    };
    let (mut parameters, mut body, mut names) = (String::new(), String::new(), String::new());
    for operand in 0..operands {
        for component in 0..3 {
            parameters += &format!("%x{operand}{component} = OpFunctionParameter %float\n");
        }
        body += &format!(
            "%v{operand} = OpCompositeConstruct %vector %x{operand}0 %x{operand}1 %x{operand}2\n"
        );
        names += &format!(" %v{operand}");
    }
    let last = match vector {
        true => format!("%r = {instruction}{names}\n%a = OpCompositeExtract %float %r 0"),
        false => format!("%a = {instruction}{names}"),
    };
    let text = format!(
        "{head}\nOpCapability Linkage\n%set = OpExtInstImport \"{set}\"\nOpMemoryModel {model}\n\
         OpName %src \"src\"\n%float = OpTypeFloat 32\n%vector = OpTypeVector %float 3\n\
         %function = OpTypeFunction %float{}\n%src = OpFunction %float None %function\n{parameters}\
         %entry = OpLabel\n{body}{last}\nOpReturnValue %a\nOpFunctionEnd\n",
        " %float".repeat(3 * operands)
    );
    load_bytes(text.as_bytes(), "vectors").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn functions_of_vectors_have_bounds_as_well() {
    const A: [f64; 3] = [1.5, -2.0, 0.75];
    const B: [f64; 3] = [0.5, 3.0, -1.25];
    const C: [f64; 3] = [-0.5, 0.25, 2.0];
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|at| a[at] * b[at]).sum::<f64>();
    let length = dot(A, A).sqrt();
    let between = [A[0] - B[0], A[1] - B[1], A[2] - B[2]];
    let cross = A[1] * B[2] - A[2] * B[1];
    let toward = if dot(C, B) < 0.0 { A[0] } else { -A[0] };
    let rows: [(&str, usize, bool, f64); 11] = [
        ("OpDot", 2, false, dot(A, B)),
        ("Length", 1, false, length),
        ("Distance", 2, false, dot(between, between).sqrt()),
        ("Normalize", 1, true, A[0] / length),
        ("Cross", 2, true, cross),
        ("FaceForward", 3, true, toward),
        ("Reflect", 2, true, A[0] - 2.0 * dot(A, B) * B[0]),
        ("length", 1, false, length),
        ("distance", 2, false, dot(between, between).sqrt()),
        ("normalize", 1, true, A[0] / length),
        ("cross", 2, true, cross),
    ];
    for (name, operands, vector, exact) in rows {
        let environments: &[&str] = match name {
            "OpDot" => &["vulkan", "opencl", "level-zero"],
            name if name.starts_with(char::is_uppercase) => &["vulkan"],
            _ => &["opencl", "level-zero"],
        };
        for environment in environments {
            let program = of_vectors(environment, name, operands, vector);
            let all: Vec<f64> = [A, B, C].concat();
            let inputs = &all[..3 * operands];
            let far = exact + 1.0e-3 * exact.abs().max(1.0);
            for (observed, legal) in [(exact, true), (far, false), (-exact, false)] {
                let observed = u64::from((observed as f32).to_bits());
                let found = verdict(environment, &program, 32, inputs, observed);
                let right = match legal {
                    true => matches!(found, OracleVerdict::Allowed),
                    false => matches!(found, OracleVerdict::NotAllowed { .. }),
                };
                assert!(right, "{environment} {name}: {observed:#x} for {exact:e}: {found:?}");
            }
        }
    }
}

/// Bounds name instructions that there are, or functions that other bounds call; and this file has a
/// row for each function of numbers that has one.
#[test]
fn bounds_are_of_instructions_and_have_rows() {
    fn called(formula: &Formula, names: &mut BTreeSet<String>) {
        match formula {
            Formula::Call(name, arguments) => {
                names.insert(name.to_string());
                arguments.iter().for_each(|argument| called(argument, names));
            }
            Formula::Power(inner, _) | Formula::Negated(inner) => called(inner, names),
            Formula::Combined(left, _, right) => {
                called(left, names);
                called(right, names);
            }
            Formula::Choice(parts) => parts.iter().for_each(|part| called(part, names)),
            Formula::Number(_) | Formula::Name(_) => {}
        }
    }
    let mut known: BTreeSet<String> = BTreeSet::new();
    known.extend((0..8192).filter_map(Op::from_u32).map(|it| it.name().to_owned()));
    known.extend((0..512).filter_map(GlslStd450Op::from_u32).map(|it| format!("{it:?}")));
    known.extend((0..512).filter_map(OpenclStd100Op::from_u32).map(|it| format!("{it:?}")));
    let margins = &Specification::built_in().margins;
    for bound in margins.iter().filter_map(|margin| margin.bound.as_ref()) {
        called(&bound.formula, &mut known);
    }
    let rows: BTreeSet<&str> = VULKAN.iter().chain(OPENCL).map(|row| row.0).collect();
    // Of vectors, of other operands, or as exact as others that have rows.
    let others = [
        "OpFDiv",
        "OpDot",
        "Length",
        "Distance",
        "Cross",
        "Normalize",
        "FaceForward",
        "Reflect",
        "Refract",
        "refracted",
        "smooth_step",
        "length",
        "distance",
        "normalize",
        "cross",
        "pown",
        "rootn",
        "mix",
        "smoothstep",
    ];
    for margin in margins.iter().filter(|margin| margin.kind.has_bound()) {
        for it in &margin.instructions {
            let name = &*it.name;
            assert!(known.contains(name), "there is no {name}");
            let loose = name.starts_with("half_") || name.starts_with("fast_");
            assert!(rows.contains(name) || others.contains(&name) || loose, "{name} has no row");
        }
    }
    let anything = margins.iter().filter(|margin| margin.kind == MarginKind::Anything);
    for it in anything.flat_map(|margin| &margin.instructions) {
        assert!(known.contains(&*it.name), "there is no {}", it.name);
    }
}
