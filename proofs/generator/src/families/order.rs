//! Orders, values packed into one word, segments of the lanes.

use crate::family::{ALL, ANY, EXTREMES, Family, SUMS, UINT, family};
use crate::style::Operator;
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const BITS: &[Operator] = &[Operator::And, Operator::Or, Operator::Xor];

pub(crate) const FAMILIES: &[Family] = &[
    family("order/lane-packed-in-64", "-7", EXTREMES, UINT, lane_packed),
    family("order/lane-by-butterfly", "fs-7", EXTREMES, UINT, lane_by_butterfly),
    family("order/lane-by-lanes", "b-7", EXTREMES, UINT, lane_by_lanes),
    family("order/value-packed-with-lane", "-7", EXTREMES, UINT, value_packed),
    family("order/least-by-bits", "-7", &[Operator::Min], UINT, least_by_bits),
    family("order/two-packed", "-7", BITS, UINT, two_packed),
    family("order/stable-rank", "b-7", &[Operator::Min], UINT, stable_rank),
    family("order/negated-key", "-7", EXTREMES, UINT, negated_key),
    family("order/limits", "-7", EXTREMES, UINT, limits),
    family("segment/in-steps", "fgs7", ALL, ANY, in_steps),
    family("segment/by-heads", "fgs7", ALL, ANY, by_heads),
    family("segment/by-difference", "f7", SUMS, ANY, by_difference),
    family("segment/reset-carry", "fg7", ALL, ANY, reset_carry),
    family("segment/count", "fb-7", &[Operator::Add], UINT, count),
];

fn lane_of_extreme(writer: &Writer) -> String {
    format!(
        "uint m = {};\nreturn subgroupBallotFindLSB(subgroupBallot(x == m));\n",
        writer.group("", "x")
    )
}

fn lane_packed(writer: &Writer, variant: usize) -> Text {
    let least = writer.operator == Operator::Min;
    let shift = pick(variant, ["32", "1", "32"]);
    let flipped = least == (variant == 2);
    let lane = if flipped { format!("(127u - {LANE})") } else { LANE.to_owned() };
    let last = if flipped { "127u - lane" } else { "lane" };
    let target = format!(
        "uint64_t key = (uint64_t(x) << {shift}) | uint64_t({lane});\n\
         uint lane = uint({} & 0xffUL);\nreturn {last};\n",
        writer.group("", "key")
    );
    Text::of(writer, lane_of_extreme(writer), target)
}

fn better(writer: &Writer, variant: usize) -> String {
    let order = if writer.operator == Operator::Min { "<" } else { ">" };
    match variant {
        0 => format!("y {order} v || (y == v && j < l)"),
        1 => format!("y {order} v || (y == v && j > l)"),
        _ => format!("y {order}= v"),
    }
}

fn lane_by_butterfly(writer: &Writer, variant: usize) -> Text {
    let better = better(writer, variant);
    let body = writer.doubling(1, |step| {
        format!(
            "{{\nuint y = subgroupShuffleXor(v, {step});\nuint j = subgroupShuffleXor(l, {step});\n\
             if ({better}) {{\nv = y;\nl = j;\n}}\n}}\n"
        )
    });
    let target = format!("uint v = x;\nuint l = {LANE};\n{body}return l;\n");
    Text::of(writer, lane_of_extreme(writer), target)
}

fn lane_by_lanes(writer: &Writer, variant: usize) -> Text {
    let steps = writer.set_bits(
        "subgroupBallot(true)",
        &format!(
            "uint y = subgroupShuffle(x, i);\nuint j = i;\nif ({}) {{\nv = y;\nl = j;\n}}\n",
            better(writer, variant)
        ),
    );
    let target = format!("uint v = x;\nuint l = {LANE};\n{steps}return l;\n");
    Text::of(writer, lane_of_extreme(writer), target)
}

/// The second number of the lane with the extreme first one.
fn value_packed(writer: &Writer, variant: usize) -> Text {
    let least = writer.operator == Operator::Min;
    let source = format!(
        "uint k = x & 0xffffu;\nuint m = {};\n\
         return subgroupShuffle(y, subgroupBallotFindLSB(subgroupBallot(k == m)));\n",
        writer.group("", "k")
    );
    let lane = if least { LANE.to_owned() } else { format!("(127u - {LANE})") };
    let back = if least { "(key & 127u)" } else { "(127u - (key & 127u))" };
    let shift = pick(variant, ["7", "6", "7"]);
    let value = pick(variant, ["y", "y", "x"]);
    let target = format!(
        "uint key = {};\nreturn subgroupShuffle({value}, {back});\n",
        writer.group("", &format!("(((x & 0xffffu) << {shift}) | {lane})"))
    );
    Text::of_two(writer, source, target)
}

fn least_by_bits(writer: &Writer, variant: usize) -> Text {
    let (from, kept) = match variant {
        0 => (8, "here"),
        1 => (7, "here"),
        _ => (8, "live"),
    };
    let target = format!(
        "bool live = true;\nuint r = 0u;\nfor (uint n = {from}u; n > 0u; n--) {{\n\
         bool here = live && ((x >> (n - 1u)) & 1u) == 0u;\n\
         if (subgroupAny(here)) {{\nlive = {kept};\n}} else {{\nr |= 1u << (n - 1u);\n}}\n}}\n\
         return r;\n"
    );
    Text::of(writer, returned("subgroupMin(x & 0xffu)"), target)
}

fn two_packed(writer: &Writer, variant: usize) -> Text {
    let (a, b) = (writer.group("", "x & 0xffffu"), writer.group("", "y & 0xffffu"));
    let source = returned(&format!("({a} << 16) | {b}"));
    let packed = match variant {
        0 => "(x << 16) | (y & 0xffffu)",
        1 => "(x << 16) | y",
        _ => "(y << 16) | (x & 0xffffu)",
    };
    Text::of_two(writer, source, returned(&writer.group("", packed)))
}

/// How many lanes come before in a stable order.
fn stable_rank(writer: &Writer, variant: usize) -> Text {
    let live = "subgroupBallot(true)";
    let steps = writer.set_bits(
        live,
        &format!(
            "uint v = subgroupShuffle(k, i);\n\
             if (v < k || (v == k && i < {LANE})) r = r + 1u;\n"
        ),
    );
    let head = "uint k = x & 0xffffu;\nuint r = 0u;\n";
    let source = format!("{head}{steps}return r;\n");
    let key = pick(
        variant,
        ["(k << 7) | gl_SubgroupInvocationID", "k", "(k << 7) | (127u - gl_SubgroupInvocationID)"],
    );
    let steps = writer.set_bits(live, "if (subgroupShuffle(key, i) < key) r = r + 1u;\n");
    Text::of(writer, source, format!("{head}uint key = {key};\n{steps}return r;\n"))
}

fn negated_key(writer: &Writer, variant: usize) -> Text {
    let other = if writer.operator == Operator::Min { "Max" } else { "Min" };
    let source = returned(&writer.group("", "x & 0xffffu"));
    let (from, to) = match variant {
        0 => ("0xffffu", "0xffffu"),
        1 => ("0xffffu", "0xfffeu"),
        _ => ("0x7fffu", "0x7fffu"),
    };
    let target = returned(&format!("{to} - subgroup{other}({from} - (x & 0xffffu))"));
    Text::of(writer, source, target)
}

/// Between two limits, before or after.
fn limits(writer: &Writer, variant: usize) -> Text {
    let source = returned(&format!("min(max({}, 5u), 70u)", writer.group("", "x")));
    let inner = pick(variant, ["min(max(x, 5u), 70u)", "min(x, 70u)", "max(min(x, 5u), 70u)"]);
    Text::of(writer, source, returned(&writer.group("", inner)))
}

/// A scan that starts anew where a flag is set.
fn segmented(writer: &Writer, target: String) -> Text {
    let ty = writer.ty();
    let source = format!(
        "bool head = c > 3u;\n{ty} r = {};\nfor (uint i = 0u; i < gl_SubgroupSize; i++) {{\n\
         {ty} y = subgroupShuffle(x, i);\nuint f = subgroupShuffle(head ? 1u : 0u, i);\n\
         if (i <= {LANE}) r = (f != 0u) ? y : {};\n}}\nreturn r;\n",
        writer.neutral(),
        writer.combine("r", "y"),
    );
    Text::with(&format!("{ty} x, uint c"), ty, source, target)
}

fn in_steps(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let further = if variant == 2 { "f = g;\n" } else { "f = f | g;\n" };
    let body = writer.doubling(1, |step| {
        let here = format!("{LANE} {order} {step} && f == 0u");
        format!(
            "{{\n{} y = subgroupShuffleUp(r, {step});\nuint g = subgroupShuffleUp(f, {step});\n{}\
             if ({LANE} >= {step}) {{\n{further}}}\n}}\n",
            writer.ty(),
            writer.guarded("r", "y", &here),
        )
    });
    let ty = writer.ty();
    segmented(writer, format!("{ty} r = x;\nuint f = (c > 3u) ? 1u : 0u;\n{body}return r;\n"))
}

fn by_heads(writer: &Writer, variant: usize) -> Text {
    let mask = pick(variant, ["gl_SubgroupLeMask", "gl_SubgroupLtMask", "gl_SubgroupLeMask"]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        let here = format!("{LANE} >= from + {step}");
        format!(
            "{{\n{} y = subgroupShuffleUp(r, {step});\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &here),
        )
    });
    let target = format!(
        "uvec4 heads = subgroupBallot(c > 3u) & {mask};\n\
         uint from = any(notEqual(heads, uvec4(0))) ? subgroupBallotFindMSB(heads) : 0u;\n\
         {} r = x;\n{body}return r;\n",
        writer.ty()
    );
    segmented(writer, target)
}

fn by_difference(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let less = if writer.operator == Operator::Add { "-" } else { "^" };
    let mask = pick(variant, ["gl_SubgroupLeMask", "gl_SubgroupLtMask", "gl_SubgroupLeMask"]);
    let kind = pick(variant, ["Exclusive", "Exclusive", "Inclusive"]);
    let target = format!(
        "uvec4 heads = subgroupBallot(c > 3u) & {mask};\n\
         uint from = any(notEqual(heads, uvec4(0))) ? subgroupBallotFindMSB(heads) : 0u;\n\
         {ty} to = {};\n{ty} before = {};\nreturn to {less} subgroupShuffle(before, from);\n",
        writer.group("Inclusive", "x"),
        writer.group(kind, "x"),
    );
    segmented(writer, target)
}

fn reset_carry(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let from = if variant == 1 { "1u" } else { "0u" };
    let reset = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let target = format!(
        "uvec4 heads = subgroupBallot(c > 3u);\n{ty} carry = {};\n{ty} r = x;\n\
         for (uint i = {from}; i < gl_SubgroupSize; i++) {{\n\
         {ty} y = subgroupShuffle(x, i);\nif ({}) carry = {reset};\n\
         carry = {};\nif ({LANE} == i) r = carry;\n}}\nreturn r;\n",
        writer.neutral(),
        writer.bit("heads", "i"),
        writer.combine("carry", "y"),
    );
    segmented(writer, target)
}

/// Which segment a lane is in, and how far from its head.
fn count(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "uvec4 heads = subgroupBallot(x > 3u) & gl_SubgroupLeMask;\nuint n = {};\n\
         uint from = (n != 0u) ? subgroupBallotFindMSB(heads) : 0u;\nreturn n * 256u + {LANE} - from;\n",
        writer.count("heads"),
    );
    let order = pick(variant, ["<=", "<", "<="]);
    let step = pick(variant, ["1u", "1u", "2u"]);
    let target = format!(
        "uvec4 heads = subgroupBallot(x > 3u);\nuint n = 0u;\nuint far = 0u;\n\
         for (uint i = 0u; i < gl_SubgroupSize; i++) {{\nif (i {order} {LANE}) {{\n\
         bool head = {};\nn = head ? n + 1u : n;\nfar = (head || i == 0u) ? 0u : far + {step};\n}}\n}}\n\
         return n * 256u + far;\n",
        writer.bit("heads", "i"),
    );
    Text::of(writer, source, target)
}
