//! Numbers wider and narrower than a word: halves, bytes, carries.

use crate::family::{EXTREMES, Family, SUM, UINT, family};
use crate::style::{Operator, Payload};
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const WIDE: &[Payload] = &[Payload::Uint64];
const BITS: &[Operator] = &[Operator::And, Operator::Or, Operator::Xor];
const JOIN: &str = "(uint64_t(h) << 32) | uint64_t(l)";
const SPLIT: &str = "uint l = uint(x & 0xffffffffUL);\nuint h = uint(x >> 32);\n";

pub(crate) const FAMILIES: &[Family] = &[
    family("wide/carries-in-butterfly", "fs-d5", SUM, WIDE, carries),
    family("wide/carries-in-lanes", "b-d5", SUM, WIDE, carries_in_lanes),
    family("wide/carries-in-scan", "fs-d5", SUM, WIDE, carries_in_scan),
    family("wide/sum-of-quarters", "-d5", SUM, WIDE, sum_of_quarters),
    family("wide/product-of-halves", "b-d5", &[Operator::Mul], WIDE, product_of_halves),
    family("wide/extreme-in-butterfly", "fs-d5", EXTREMES, WIDE, extreme_in_butterfly),
    family("wide/extreme-in-lanes", "b-d5", EXTREMES, WIDE, extreme_in_lanes),
    family("wide/scan-of-bits", "d5", BITS, WIDE, scan_of_bits),
    family("wide/shuffle-of-halves", "-d5", SUM, WIDE, shuffle_of_halves),
    family("wide/first-by-halves", "-d5", SUM, WIDE, first_by_halves),
    family("wide/counts-in-bytes", "b-d5", SUM, UINT, counts_in_bytes),
    family("wide/two-sums-in-one", "-d5", SUM, UINT, two_sums),
    family("wide/sum-in-wide", "-d5", SUM, UINT, sum_in_wide),
    family("wide/mean", "-d5", SUM, UINT, mean),
    family("wide/narrow-scan", "-d5", SUM, &[Payload::Uint16], narrow_scan),
    family("wide/signed-halves", "-d5", SUM, &[Payload::Int], signed_halves),
];

/// Adds two halves to `l` and `h`.
fn added(variant: usize) -> &'static str {
    pick(
        variant,
        [
            "uint s = l + a;\nh = h + b + ((s < l) ? 1u : 0u);\nl = s;\n",
            "uint s = l + a;\nh = h + b;\nl = s;\n",
            "uint s = l + a;\nh = h + b + ((s <= l) ? 1u : 0u);\nl = s;\n",
        ],
    )
}

fn carries(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(1, |step| {
        format!(
            "{{\nuint a = subgroupShuffleXor(l, {step});\nuint b = subgroupShuffleXor(h, {step});\n{}}}\n",
            added(variant)
        )
    });
    Text::of(writer, returned("subgroupAdd(x)"), format!("{SPLIT}{body}return {JOIN};\n"))
}

fn carries_in_lanes(writer: &Writer, variant: usize) -> Text {
    let steps = writer.set_bits(
        "subgroupBallot(true)",
        &format!(
            "uint a = subgroupShuffle(own, i);\nuint b = subgroupShuffle(other, i);\n{}",
            added(variant)
        ),
    );
    let target = format!(
        "uint own = uint(x & 0xffffffffUL);\nuint other = uint(x >> 32);\nuint l = 0u;\nuint h = 0u;\n\
         {steps}return {JOIN};\n"
    );
    Text::of(writer, returned("subgroupAdd(x)"), target)
}

fn carries_in_scan(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(1, |step| {
        format!(
            "{{\nuint a = subgroupShuffleUp(l, {step});\nuint b = subgroupShuffleUp(h, {step});\n\
             if ({LANE} >= {step}) {{\n{}}}\n}}\n",
            added(variant)
        )
    });
    let source = returned("subgroupInclusiveAdd(x)");
    Text::of(writer, source, format!("{SPLIT}{body}return {JOIN};\n"))
}

fn sum_of_quarters(writer: &Writer, variant: usize) -> Text {
    let quarter = |number: u32| {
        let shift = 16 * number;
        let mask = if variant == 1 && number == 0 { "0x7fffUL" } else { "0xffffUL" };
        let to = if variant == 2 && number == 3 { 47 } else { shift };
        format!("(uint64_t(subgroupAdd(uint((x >> {shift}) & {mask}))) << {to})")
    };
    let all: Vec<String> = (0..4).map(quarter).collect();
    Text::of(writer, returned("subgroupAdd(x)"), returned(&all.join(" + ")))
}

fn product_of_halves(writer: &Writer, variant: usize) -> Text {
    let cross = pick(variant, ["l * b + h * a", "l * b", "l * a + h * b"]);
    let steps = writer.set_bits(
        "subgroupBallot(true)",
        &format!(
            "uint a = subgroupShuffle(own, i);\nuint b = subgroupShuffle(other, i);\n\
             uint64_t low = uint64_t(l) * uint64_t(a);\n\
             h = uint(low >> 32) + {cross};\nl = uint(low & 0xffffffffUL);\n"
        ),
    );
    let target = format!(
        "uint own = uint(x & 0xffffffffUL);\nuint other = uint(x >> 32);\nuint l = 1u;\nuint h = 0u;\n\
         {steps}return {JOIN};\n"
    );
    Text::of(writer, returned("subgroupMul(x)"), target)
}

/// Whether `b`, `a` is better than `h`, `l`.
fn better(writer: &Writer, variant: usize) -> String {
    let order = if writer.operator == Operator::Min { "<" } else { ">" };
    match variant {
        0 => format!("b {order} h || (b == h && a {order} l)"),
        1 => format!("b {order} h || a {order} l"),
        _ => format!("b {order} h"),
    }
}

fn extreme_in_butterfly(writer: &Writer, variant: usize) -> Text {
    let better = better(writer, variant);
    let body = writer.doubling(1, |step| {
        format!(
            "{{\nuint a = subgroupShuffleXor(l, {step});\nuint b = subgroupShuffleXor(h, {step});\n\
             if ({better}) {{\nl = a;\nh = b;\n}}\n}}\n"
        )
    });
    Text::of(writer, returned(&writer.group("", "x")), format!("{SPLIT}{body}return {JOIN};\n"))
}

fn extreme_in_lanes(writer: &Writer, variant: usize) -> Text {
    let steps = writer.set_bits(
        "subgroupBallot(true)",
        &format!(
            "uint a = subgroupShuffle(own, i);\nuint b = subgroupShuffle(other, i);\n\
             if ({}) {{\nl = a;\nh = b;\n}}\n",
            better(writer, variant)
        ),
    );
    let target = format!(
        "uint own = uint(x & 0xffffffffUL);\nuint other = uint(x >> 32);\nuint l = own;\nuint h = other;\n\
         {steps}return {JOIN};\n"
    );
    Text::of(writer, returned(&writer.group("", "x")), target)
}

fn scan_of_bits(writer: &Writer, variant: usize) -> Text {
    let kind = pick(variant, ["Inclusive", "Inclusive", "Exclusive"]);
    let (low, high) = (writer.operator.name(), if variant == 1 { "l" } else { "h" });
    let target = format!(
        "{SPLIT}uint a = subgroup{kind}{low}(l);\nuint b = subgroupInclusive{low}({high});\n\
         return (uint64_t(b) << 32) | uint64_t(a);\n"
    );
    Text::of(writer, returned(&writer.group("Inclusive", "x")), target)
}

fn shuffle_of_halves(writer: &Writer, variant: usize) -> Text {
    let other = pick(variant, ["1u", "2u", "1u"]);
    let shift = if variant == 2 { "31" } else { "32" };
    let target = format!(
        "{SPLIT}uint a = subgroupShuffleXor(l, 1u);\nuint b = subgroupShuffleXor(h, {other});\n\
         return (uint64_t(b) << {shift}) | uint64_t(a);\n"
    );
    Text::of(writer, returned("subgroupShuffleXor(x, 1u)"), target)
}

fn first_by_halves(writer: &Writer, variant: usize) -> Text {
    let (low, high) = (pick(variant, ["l", "h", "l"]), pick(variant, ["h", "h", "(h + 1u)"]));
    let target = format!(
        "{SPLIT}uint a = subgroupBroadcastFirst({low});\nuint b = subgroupBroadcastFirst({high});\n\
         return (uint64_t(b) << 32) | uint64_t(a);\n"
    );
    Text::of(writer, returned("subgroupBroadcastFirst(x)"), target)
}

/// Four counts in one word, each of less than 256 lanes.
fn counts_in_bytes(writer: &Writer, variant: usize) -> Text {
    let count = |number: u32| {
        format!(
            "(({}) << {})",
            writer.count(&format!("subgroupBallot((x & 3u) == {number}u)")),
            8 * number
        )
    };
    let source = returned(&(0..4).map(count).collect::<Vec<_>>().join(" | "));
    let target = pick(
        variant,
        [
            "subgroupAdd(1u << (8u * (x & 3u)))",
            "subgroupAdd(1u << (7u * (x & 3u)))",
            "subgroupOr(1u << (8u * (x & 3u)))",
        ],
    );
    Text::of(writer, source, returned(target))
}

fn two_sums(writer: &Writer, variant: usize) -> Text {
    let source = "uint a = subgroupAdd(x & 0xffu);\nuint b = subgroupAdd((x >> 16) & 0xffu);\n\
                  return (b << 16) | a;\n"
        .to_owned();
    let mask = pick(variant, ["0xff00ffu", "0xff01ffu", "0xfe00ffu"]);
    Text::of(writer, source, returned(&format!("subgroupAdd(x & {mask})")))
}

/// A sum that does not wrap, in 64 bits.
fn sum_in_wide(writer: &Writer, variant: usize) -> Text {
    let source = "uint low = subgroupAdd(x & 0xffffu);\nuint high = subgroupAdd(x >> 16);\n\
                  uint carried = high + (low >> 16);\nreturn carried >> 16;\n"
        .to_owned();
    let target = pick(
        variant,
        [
            "uint(subgroupAdd(uint64_t(x)) >> 32)",
            "uint(subgroupAdd(uint64_t(x)) >> 31)",
            "uint(subgroupAdd(uint64_t(x & 0xffff0000u)) >> 32)",
        ],
    );
    Text::of(writer, source, returned(target))
}

/// The sum of two half sums is the sum.
fn mean(writer: &Writer, variant: usize) -> Text {
    let target = match variant {
        0 => "2u * subgroupAdd(x >> 1) + subgroupAdd(x & 1u)",
        1 => "2u * subgroupAdd(x >> 1) + (x & 1u)",
        _ => "2u * subgroupAdd(x >> 1) + subgroupXor(x & 1u)",
    };
    Text::of(writer, returned("subgroupAdd(x)"), returned(target))
}

fn narrow_scan(writer: &Writer, variant: usize) -> Text {
    let kind = pick(variant, ["Inclusive", "Exclusive", "Inclusive"]);
    let value = if variant == 2 { "uint(x & uint16_t(255))" } else { "uint(x)" };
    let target = returned(&format!("uint16_t(subgroup{kind}Add({value}))"));
    Text::of(writer, returned("subgroupInclusiveAdd(x)"), target)
}

fn signed_halves(writer: &Writer, variant: usize) -> Text {
    let low = pick(variant, ["x & 0xffff", "x & 0x7fff", "x & 0xffff"]);
    let shift = pick(variant, ["16", "16", "15"]);
    let target = format!("subgroupAdd({low}) + (subgroupAdd(x >> 16) << {shift})");
    Text::of(writer, returned("subgroupAdd(x)"), returned(&target))
}
