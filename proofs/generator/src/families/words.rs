//! Words taken apart: bits, halves, keys, counts of several sets, orders of numbers.

use crate::style::Operator;
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";

fn ballot(condition: &str) -> String {
    format!("subgroupBallot({condition})")
}

/// Of two words.
fn of_two(writer: &Writer, source: String, target: String) -> Text {
    Text { parameters: "uint x, uint y".to_owned(), ..Text::of(writer, source, target) }
}

/// A float that is a number and not zero, and what it becomes.
fn of_float(writer: &Writer, source: &str, target: String) -> Text {
    let source = format!("assumeEXT(!isnan(x) && x != 0.0);\n{source}");
    Text {
        parameters: "float x".to_owned(),
        result: "float".to_owned(),
        ..Text::of(writer, source, target)
    }
}

pub(crate) fn halves_added(writer: &Writer, variant: usize) -> Text {
    let low = pick(variant, ["x & 0xffffu", "x & 0x7fffu", "x & 0xffffu"]);
    let shift = pick(variant, ["16", "16", "15"]);
    let target = format!("subgroupAdd({low}) + (subgroupAdd(x >> 16) << {shift})");
    Text::of(writer, returned("subgroupAdd(x)"), returned(&target))
}

pub(crate) fn bits_added(writer: &Writer, variant: usize) -> Text {
    let (bits, condition) = match variant {
        0 => (8, "((x >> b) & 1u) != 0u"),
        1 => (7, "((x >> b) & 1u) != 0u"),
        _ => (8, "((x >> b) & 1u) == 0u"),
    };
    let some = writer.count(&ballot(condition));
    let target = format!(
        "uint r = 0u;\nfor (uint b = 0u; b < {bits}u; b++) r += ({some}) << b;\nreturn r;\n"
    );
    Text::of(writer, returned("subgroupAdd(x & 0xffu)"), target)
}

pub(crate) fn bits_joined(writer: &Writer, variant: usize) -> Text {
    let vote = match (writer.operator == Operator::Or, variant) {
        (true, 0 | 2) | (false, 1) => "subgroupAny",
        _ => "subgroupAll",
    };
    let bits = if variant == 2 { 15 } else { 16 };
    let target = format!(
        "uint r = 0u;\nfor (uint b = 0u; b < {bits}u; b++) {{\n\
         if ({vote}(((x >> b) & 1u) != 0u)) r |= 1u << b;\n}}\nreturn r;\n"
    );
    Text::of(writer, returned(&writer.group("", "x & 0xffffu")), target)
}

pub(crate) fn greatest_by_bits(writer: &Writer, variant: usize) -> Text {
    let (from, kept) = match variant {
        0 => (8, "here"),
        1 => (7, "here"),
        _ => (8, "live"),
    };
    let target = format!(
        "bool live = true;\nuint r = 0u;\nfor (uint n = {from}u; n > 0u; n--) {{\n\
         bool here = live && ((x >> (n - 1u)) & 1u) != 0u;\n\
         if (subgroupAny(here)) {{\nr |= 1u << (n - 1u);\nlive = {kept};\n}}\n}}\nreturn r;\n"
    );
    Text::of(writer, returned("subgroupMax(x & 0xffu)"), target)
}

pub(crate) fn two_sets(writer: &Writer, variant: usize) -> Text {
    let (a, b) = (ballot("x > 4u"), ballot("y > 9u"));
    let (both, either) = (format!("({a} & {b})"), format!("({a} | {b})"));
    let source = format!("return {} + {};\n", writer.count(&a), writer.count(&b));
    let other = if variant == 1 { format!("({a} ^ {b})") } else { either };
    let last = if variant == 2 { writer.count(&a) } else { writer.count(&both) };
    of_two(writer, source, format!("return {} + {last};\n", writer.count(&other)))
}

pub(crate) fn set_less_other(writer: &Writer, variant: usize) -> Text {
    let (a, b) = (ballot("x > 4u"), ballot("y > 9u"));
    let source = "return subgroupAdd((x > 4u && !(y > 9u)) ? 1u : 0u);\n".to_owned();
    let less = match variant {
        0 => format!("({a} & {b})"),
        1 => b.clone(),
        _ => format!("({a} | {b})"),
    };
    let (all, less) = (writer.count(&a), writer.count(&less));
    of_two(writer, source, format!("return ({all}) - ({less});\n"))
}

pub(crate) fn packed_counts(writer: &Writer, variant: usize) -> Text {
    let source = "return subgroupAdd(x & 1u) * 3u + subgroupAdd(y & 1u);\n".to_owned();
    let shift = if variant == 1 { 2 } else { 16 };
    let (first, second) = if variant == 2 { ("y", "x") } else { ("x", "y") };
    let target = format!(
        "uint p = subgroupAdd((({first} & 1u) << {shift}) | ({second} & 1u));\n\
         return (p >> {shift}) * 3u + (p & {mask}u);\n",
        mask = (1u32 << shift) - 1,
    );
    of_two(writer, source, target)
}

pub(crate) fn sign_flipped(writer: &Writer, variant: usize) -> Text {
    let flip = pick(variant, ["0x80000000u", "0x40000000u", "0u"]);
    let name = writer.operator.name();
    let target = format!("int(subgroup{name}(uint(x) ^ {flip}) ^ {flip})");
    Text::of(writer, returned(&writer.group("", "x")), returned(&target))
}

pub(crate) fn prefix_by_words(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["1u << n", "2u << n", "1u << (n >> 1u)"]);
    let target = format!(
        "uvec4 all = {};\nuint r = 0u;\nuint n = {LANE} & 31u;\n\
         for (uint w = 0u; w < {LANE} >> 5u; w++) r += uint(bitCount(all[w]));\n\
         return r + uint(bitCount(all[{LANE} >> 5u] & (({order}) - 1u)));\n",
        ballot("x > 4u"),
    );
    let source = format!("subgroupBallotExclusiveBitCount({})", ballot("x > 4u"));
    Text::of(writer, returned(&source), target)
}

pub(crate) fn cluster_vote(writer: &Writer, variant: usize) -> Text {
    let (mask, from) = (pick(variant, ["15u", "7u", "15u"]), pick(variant, ["28u", "28u", "24u"]));
    let target = format!(
        "uvec4 some = {};\nuint four = (some[{LANE} >> 5u] >> ({LANE} & {from})) & {mask};\n\
         return four != 0u ? 1u : 0u;\n",
        ballot("x > 4u"),
    );
    Text::of(writer, returned("subgroupClusteredOr(x > 4u ? 1u : 0u, 4u)"), target)
}

pub(crate) fn value_of_first(writer: &Writer, variant: usize) -> Text {
    let source = "uvec4 some = subgroupBallot(y > 4u);\nbool none = all(equal(some, uvec4(0)));\n\
                  return none ? 0u : subgroupShuffle(x, subgroupBallotFindLSB(some));\n";
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupGtMask"]);
    let rank = writer.count(&format!("({} & {below})", ballot("y > 4u")));
    let part = format!("(y > 4u && ({rank}) == 0u) ? x : 0u");
    let target = format!("uint part = {part};\n{}", returned(&writer.group("", "part")));
    of_two(writer, source.to_owned(), target)
}

pub(crate) fn extreme_of_floats(writer: &Writer, variant: usize) -> Text {
    let (name, negative) = match writer.operator {
        Operator::Min => ("Min", "~bits"),
        _ => ("Max", "~bits"),
    };
    let (sign, negative) = match variant {
        0 => ("0x80000000u", negative),
        1 => ("0u", negative),
        _ => ("0x80000000u", "bits"),
    };
    let target = format!(
        "uint bits = floatBitsToUint(x);\n\
         uint key = (bits >> 31) != 0u ? {negative} : (bits ^ {sign});\n\
         uint best = subgroup{name}(key);\n\
         return uintBitsToFloat((best >> 31) != 0u ? (best ^ 0x80000000u) : ~best);\n"
    );
    of_float(writer, &returned(&writer.group("", "x")), target)
}

pub(crate) fn negated_floats(writer: &Writer, variant: usize) -> Text {
    let other = if writer.operator == Operator::Min { "Max" } else { "Min" };
    let target = match variant {
        0 => format!("-subgroup{other}(-x)"),
        1 => format!("subgroup{other}(-x)"),
        _ => format!("-subgroup{}(-x)", writer.operator.name()),
    };
    of_float(writer, &returned(&writer.group("", "x")), returned(&target))
}
