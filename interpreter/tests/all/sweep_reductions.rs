//! Every integer and Boolean reduction, in every group operation, over subgroups of every size,
//! held against sums that are written down lane by lane in wide integers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::{Numbers, in_set, load, per_lane, run, scalar, states};
use laneproof_interpreter::{CallArgument, LaneValue};

/// Sign-extended value of the lower `width` bits.
fn number(width: u32, bits: u64) -> i128 {
    let bits = i128::from(bits) & ((1 << width) - 1);
    if bits >> (width - 1) == 1 { bits - (1 << width) } else { bits }
}

/// The operation over the contributions of lanes, without any identity; the identity for none.
fn expected(name: &str, width: u32, values: &[u64]) -> u64 {
    let unsigned = || values.iter().copied();
    let signed = || values.iter().map(|value| number(width, *value));
    let none_set = 0;
    let all_set = ((1u128 << width) - 1) as u64;
    let counted = |bit: u32| unsigned().filter(|value| value >> bit & 1 == 1).count();
    let by_bit = |set: &dyn Fn(usize) -> bool| {
        (0..width).filter(|bit| set(counted(*bit))).fold(0, |bits, bit| bits | 1 << bit)
    };
    let result = match name {
        "IAdd" => values.iter().map(|value| u128::from(*value)).sum::<u128>() as u64,
        "IMul" => values.iter().fold(1u64, |product, value| product.wrapping_mul(*value)),
        "SMin" => signed().min().map_or(all_set >> 1, |least| least as u64),
        "SMax" => signed().max().map_or(1 << (width - 1), |greatest| greatest as u64),
        "UMin" => unsigned().min().unwrap_or(all_set),
        "UMax" => unsigned().max().unwrap_or(none_set),
        "BitwiseAnd" | "LogicalAnd" => by_bit(&|count| count == values.len()),
        "BitwiseOr" | "LogicalOr" => by_bit(&|count| count > 0),
        "BitwiseXor" | "LogicalXor" => by_bit(&|count| count % 2 == 1),
        _ => panic!("{name}"),
    };
    result & all_set
}

const OPERATIONS: [&str; 12] = [
    "IAdd",
    "IMul",
    "SMin",
    "SMax",
    "UMin",
    "UMax",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "LogicalAnd",
    "LogicalOr",
    "LogicalXor",
];

fn module(name: &str, width: u32) -> String {
    let ty = if name.starts_with("Logical") {
        "OpTypeBool".to_string()
    } else {
        format!("OpTypeInt {width} 0")
    };
    let mut text = String::from(
        r#"OpCapability Shader
OpCapability Linkage
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformPartitionedNV
OpExtension "SPV_NV_shader_subgroup_partitioned"
OpMemoryModel Logical GLSL450
OpName %reduce "Reduce"
OpName %inclusive "InclusiveScan"
OpName %exclusive "ExclusiveScan"
OpName %preduce "PartitionedReduceNV"
OpName %pinclusive "PartitionedInclusiveScanNV"
OpName %pexclusive "PartitionedExclusiveScanNV"
"#,
    );
    for exponent in 0..8 {
        text += &format!("OpName %c{exponent} \"Clustered{}\"\n", 1 << exponent);
    }
    // The word type comes under a name of its own only where the operand type is another.
    text += &match ty.as_str() {
        "OpTypeInt 32 0" => {
            "%t = OpTypeInt 32 0\n%ballot = OpTypeVector %t 4\n%scope = OpConstant %t 3\n"
                .to_string()
        }
        _ => format!(
            "%t = {ty}\n%w = OpTypeInt 32 0\n%ballot = OpTypeVector %w 4\n%scope = OpConstant %w 3\n"
        ),
    };
    let word = if ty == "OpTypeInt 32 0" { "%t" } else { "%w" };
    for exponent in 0..8 {
        text += &format!("%k{exponent} = OpConstant {word} {}\n", 1 << exponent);
    }
    text += "%f1 = OpTypeFunction %t %t\n%f2 = OpTypeFunction %t %t %ballot\n";
    let mut function = |label: &str, kind: &str, operation: &str, extra: &str| {
        let second = if kind == "%f2" {
            format!("%b_{label} = OpFunctionParameter %ballot\n")
        } else {
            String::new()
        };
        text += &format!(
            "%{label} = OpFunction %t None {kind}\n%x_{label} = OpFunctionParameter %t\n{second}%l_{label} = OpLabel\n%r_{label} = OpGroupNonUniform{name} %t %scope {operation} %x_{label} {extra}\nOpReturnValue %r_{label}\nOpFunctionEnd\n"
        );
    };
    function("reduce", "%f1", "Reduce", "");
    function("inclusive", "%f1", "InclusiveScan", "");
    function("exclusive", "%f1", "ExclusiveScan", "");
    for exponent in 0..8 {
        function(&format!("c{exponent}"), "%f1", "ClusteredReduce", &format!("%k{exponent}"));
    }
    function("preduce", "%f2", "PartitionedReduceNV", "%b_preduce");
    function("pinclusive", "%f2", "PartitionedInclusiveScanNV", "%b_pinclusive");
    function("pexclusive", "%f2", "PartitionedExclusiveScanNV", "%b_pexclusive");
    text
}

#[test]
fn reductions_and_scans_are_sums_over_the_right_lanes() {
    let mut numbers = Numbers(1);
    let mut compared = 0;
    for name in OPERATIONS {
        let widths: &[u32] = if name.starts_with("Logical") { &[1] } else { &[8, 32, 64] };
        for width in widths {
            let program = load(&module(name, *width));
            for (sizes, active) in states(&mut numbers) {
                let mask = ((1u128 << width) - 1) as u64;
                let values: Vec<u64> = (0..sizes.existing).map(|_| numbers.next() & mask).collect();
                // Three subsets; lanes that are not active are in none.
                let subset: Vec<u64> = (0..sizes.existing).map(|_| numbers.below(3)).collect();
                let ballots: Vec<LaneValue> = (0..sizes.existing as usize)
                    .map(|lane| {
                        let set = (0..sizes.existing as usize)
                            .filter(|other| {
                                subset[*other] == subset[lane] && in_set(active, *other as i128)
                            })
                            .fold(0u128, |set, other| set | 1 << other);
                        LaneValue(
                            (0..4)
                                .map(|word| Some((set >> (32 * word)) as u64 & 0xffff_ffff))
                                .collect(),
                        )
                    })
                    .collect();
                let cluster = 1u32 << numbers.below(u64::from(sizes.subgroup.ilog2() + 1));
                let clustered = format!("Clustered{cluster}");
                type Takes<'a> = &'a dyn Fn(u32, u32) -> bool;
                let same = |a: u32, b: u32| subset[a as usize] == subset[b as usize];
                let operations: [(&str, Takes<'_>); 7] = [
                    ("Reduce", &|_, _| true),
                    ("InclusiveScan", &|lane, from| from <= lane),
                    ("ExclusiveScan", &|lane, from| from < lane),
                    (&clustered, &|lane, from| from / cluster == lane / cluster),
                    ("PartitionedReduceNV", &|lane, from| same(lane, from)),
                    ("PartitionedInclusiveScanNV", &|lane, from| same(lane, from) && from <= lane),
                    ("PartitionedExclusiveScanNV", &|lane, from| same(lane, from) && from < lane),
                ];
                for (operation, takes) in operations {
                    let mut arguments = vec![per_lane(&values)];
                    if operation.starts_with("Partitioned") {
                        arguments.push(CallArgument::PerLane(ballots.clone()));
                    }
                    let finished = run(&program, operation, (sizes, active), arguments).unwrap();
                    for lane in (0..sizes.existing).filter(|lane| in_set(active, i128::from(*lane)))
                    {
                        let contributions: Vec<u64> = (0..sizes.existing)
                            .filter(|from| in_set(active, i128::from(*from)) && takes(lane, *from))
                            .map(|from| values[from as usize])
                            .collect();
                        assert_eq!(
                            scalar(&finished, lane),
                            Some(expected(name, *width, &contributions)),
                            "{name} {operation} width {width} {sizes:?} active {active:#x} lane {lane}"
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert_eq!(compared, 673_862);
}
