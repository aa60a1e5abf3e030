//! Floating point where the result is exact or does not depend on an order.

use crate::family::{EXTREMES, Family, SUM, UINT, family};
use crate::style::Operator;
use crate::text::{Text, pick, reduce, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";

pub(crate) const FAMILIES: &[Family] = &[
    family("float/set-bits", "b-9", EXTREMES, UINT, set_bits),
    family("float/lanes", "sb-9", EXTREMES, UINT, lanes),
    family("float/butterfly", "fs-9", EXTREMES, UINT, butterfly),
    family("float/butterfly-by-comparison", "fs-9", EXTREMES, UINT, by_comparison),
    family("float/scan", "fs-9", EXTREMES, UINT, scan),
    family("float/positive-as-integers", "-9", EXTREMES, UINT, positive),
    family("float/through-double", "-9", EXTREMES, UINT, through_double),
    family("float/limited", "-9", EXTREMES, UINT, limited),
    family("float/scaled", "-9", EXTREMES, UINT, scaled),
    family("float/magnitude", "-9", &[Operator::Max], UINT, magnitude),
    family("float/lane-of-extreme", "-9", EXTREMES, UINT, lane_of_extreme),
    family("float/sum-of-small", "-9", SUM, UINT, sum_of_small),
    family("float/sum-of-small-in-steps", "fs-9", SUM, UINT, sum_in_steps),
    family("float/scan-of-small", "fs-9", SUM, UINT, scan_of_small),
    family("float/prefix-of-small", "-9", SUM, UINT, prefix_of_small),
    family("float/sum-of-small-by-lanes", "b-9", SUM, UINT, sum_by_lanes),
    family("float/count", "b-9", SUM, UINT, count),
    family("float/signs", "b-9", SUM, UINT, signs),
];

/// Of a number that is no NaN and not zero.
fn of_number(source: &str, target: String) -> Text {
    let source = format!("assumeEXT(!isnan(x) && x != 0.0);\n{source}");
    Text::with("float x", "float", source, target)
}

fn infinity(writer: &Writer, variant: usize) -> &'static str {
    match (writer.operator, variant) {
        (_, 1) => "1.0",
        (Operator::Min, _) => "uintBitsToFloat(0x7f800000u)",
        _ => "uintBitsToFloat(0xff800000u)",
    }
}

fn set_bits(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["i", "i", "i | 1u"]);
    let one = writer.operator.infix("r", &format!("subgroupShuffle(x, {lane})"));
    let steps = writer.set_bits("subgroupBallot(true)", &format!("r = {one};\n"));
    let from = infinity(writer, variant);
    of_number(&reduce(writer), format!("float r = {from};\n{steps}return r;\n"))
}

fn lanes(writer: &Writer, variant: usize) -> Text {
    let body = writer.lanes(if variant == 2 { 1 } else { 0 }, |lane| {
        let one = writer.operator.infix("r", "y");
        let bit = writer.bit("live", lane);
        format!("if ({bit}) {{\nfloat y = subgroupShuffle(x, {lane});\nr = {one};\n}}\n")
    });
    let from = infinity(writer, variant);
    let target =
        format!("uvec4 live = subgroupBallot(true);\nfloat r = {from};\n{body}return r;\n");
    of_number(&reduce(writer), target)
}

fn butterfly(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(if variant == 1 { 2 } else { 1 }, |step| {
        let other = if variant == 2 { "x" } else { "r" };
        let both = writer.operator.infix("r", &format!("subgroupShuffleXor({other}, {step})"));
        format!("r = {both};\n")
    });
    of_number(&reduce(writer), format!("float r = x;\n{body}return r;\n"))
}

fn by_comparison(writer: &Writer, variant: usize) -> Text {
    let order = match (writer.operator, variant) {
        (Operator::Min, 1) => ">",
        (Operator::Min, _) | (_, 1) => "<",
        _ => ">",
    };
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!("{{\nfloat y = subgroupShuffleXor(r, {step});\nr = (y {order} r) ? y : r;\n}}\n")
    });
    of_number(&reduce(writer), format!("float r = x;\n{body}return r;\n"))
}

fn scan(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let both = writer.operator.infix("r", "y");
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\nfloat y = subgroupShuffleUp(r, {step});\n\
             if ({LANE} {order} {step}) r = {both};\n}}\n"
        )
    });
    let source = returned(&writer.group("Inclusive", "x"));
    of_number(&source, format!("float r = x;\n{body}return r;\n"))
}

fn positive(writer: &Writer, variant: usize) -> Text {
    let name = writer.operator.name();
    let source = format!("assumeEXT(x > 0.0);\n{}", reduce(writer));
    let bits =
        pick(variant, ["floatBitsToUint(x)", "floatBitsToUint(-x)", "(floatBitsToUint(x) >> 1)"]);
    let target = returned(&format!("uintBitsToFloat(subgroup{name}({bits}))"));
    Text::with("float x", "float", source, target)
}

fn through_double(writer: &Writer, variant: usize) -> Text {
    let name = writer.operator.name();
    let value = pick(variant, ["double(x)", "double(-x)", "double(x) + 1.0"]);
    of_number(&reduce(writer), returned(&format!("float(subgroup{name}({value}))")))
}

fn limited(writer: &Writer, variant: usize) -> Text {
    let limit = pick(variant, ["4.0", "5.0", "4.0"]);
    let source = returned(&writer.operator.infix(&writer.group("", "x"), "4.0"));
    let inner = match variant {
        2 => writer.operator.infix("x", "-4.0"),
        _ => writer.operator.infix("x", limit),
    };
    of_number(&source, returned(&writer.group("", &inner)))
}

fn scaled(writer: &Writer, variant: usize) -> Text {
    let factor = pick(variant, ["2.0", "4.0", "-2.0"]);
    let source = returned(&format!("{} * 2.0", writer.group("", "x")));
    of_number(&source, returned(&writer.group("", &format!("x * {factor}"))))
}

fn magnitude(_: &Writer, variant: usize) -> Text {
    let source = returned("subgroupMax(abs(x))");
    let bits = pick(variant, ["& 0x7fffffffu", "& 0x7ffffffeu", "& 0xffffffffu"]);
    let target = returned(&format!("uintBitsToFloat(subgroupMax(floatBitsToUint(x) {bits}))"));
    of_number(&source, target)
}

fn lane_of_extreme(writer: &Writer, variant: usize) -> Text {
    let name = writer.operator.name();
    let source = format!(
        "assumeEXT(!isnan(x) && x != 0.0);\nfloat m = subgroup{name}(x);\n\
         return subgroupBallotFindLSB(subgroupBallot(x == m));\n"
    );
    let (order, last) = match (writer.operator, variant) {
        (Operator::Min, 1) | (Operator::Max, 0 | 2) => (">", "<"),
        _ => ("<", "<"),
    };
    let last = if variant == 2 { ">" } else { last };
    let target = format!(
        "uvec4 live = subgroupBallot(true);\nuint r = {LANE};\n\
         float m = x;\nfor (uint i = 0u; i < gl_SubgroupSize; i++) {{\n\
         if (subgroupBallotBitExtract(live, i)) {{\nfloat y = subgroupShuffle(x, i);\n\
         if (y {order} m || (y == m && i {last} r)) {{\nm = y;\nr = i;\n}}\n}}\n}}\nreturn r;\n"
    );
    Text::with("float x", "uint", source, target)
}

fn sum_of_small(writer: &Writer, variant: usize) -> Text {
    let value = pick(variant, ["float(x & 15u)", "float(x & 31u)", "float((x & 15u) | 1u)"]);
    let target = returned(&format!("uint(subgroupAdd({value}))"));
    Text::of(writer, returned("subgroupAdd(x & 15u)"), target)
}

fn sum_in_steps(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(if variant == 1 { 2 } else { 1 }, |step| {
        format!("r = r + subgroupShuffleXor(r, {step});\n")
    });
    let value = if variant == 2 { "float(x & 31u)" } else { "float(x & 15u)" };
    let target = format!("float r = {value};\n{body}return uint(r);\n");
    Text::of(writer, returned("subgroupAdd(x & 15u)"), target)
}

fn scan_of_small(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\nfloat y = subgroupShuffleUp(r, {step});\n\
             r = r + (({LANE} {order} {step}) ? y : 0.0);\n}}\n"
        )
    });
    let target = format!("float r = float(x & 15u);\n{body}return uint(r);\n");
    Text::of(writer, returned("subgroupInclusiveAdd(x & 15u)"), target)
}

fn prefix_of_small(writer: &Writer, variant: usize) -> Text {
    let kind = pick(variant, ["Exclusive", "Inclusive", "Exclusive"]);
    let more = if variant == 2 { " + 1.0" } else { "" };
    let target = returned(&format!("uint(subgroup{kind}Add(float(x & 15u){more}))"));
    Text::of(writer, returned("subgroupExclusiveAdd(x & 15u)"), target)
}

fn sum_by_lanes(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["i", "i", "i ^ 1u"]);
    let steps = writer.set_bits(
        "subgroupBallot(true)",
        &format!("r = r + float(subgroupShuffle(x, {lane}) & 15u);\n"),
    );
    let from = pick(variant, ["0.0", "1.0", "0.0"]);
    let target = format!("float r = {from};\n{steps}return uint(r);\n");
    Text::of(writer, returned("subgroupAdd(x & 15u)"), target)
}

fn count(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">", ">=", ">"]);
    let no = pick(variant, ["0.0", "0.0", "0.5"]);
    let source = format!("float({})", writer.count("subgroupBallot(x > 4u)"));
    let target = returned(&format!("subgroupAdd((x {order} 4u) ? 1.0 : {no})"));
    Text::with("uint x", "float", returned(&source), target)
}

fn signs(writer: &Writer, variant: usize) -> Text {
    let count = writer.count("subgroupBallot(x < 0.0)");
    let source = format!("((({count}) & 1u) != 0u) ? -1.0 : 1.0");
    let (order, other) = (pick(variant, ["<", ">", "<"]), pick(variant, ["1.0", "1.0", "-1.0"]));
    let target = returned(&format!("subgroupMul((x {order} 0.0) ? -1.0 : {other})"));
    of_number(&returned(&source), target)
}
