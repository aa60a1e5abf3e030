//! What a source assumes: which lanes are active, bounds, values that are equal, flags.

use crate::family::{ALL, ANY, DUAL, Family, SUM, UINT, ZERO, family};
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const LIVE: &str = "uvec4 live = subgroupBallot(true);\n";

pub(crate) const FAMILIES: &[Family] = &[
    family("assumed/first-lanes-scan", "gs1", ALL, ANY, first_lanes_scan),
    family("assumed/first-lanes-exclusive", "g1", ALL, ANY, first_lanes_exclusive),
    family("assumed/first-lanes-rank", "b-1", SUM, UINT, first_lanes_rank),
    family("assumed/first-lanes-last", "b1", ALL, ANY, first_lanes_last),
    family("assumed/first-lanes-tree", "gs1", ALL, ANY, first_lanes_tree),
    family("assumed/first-lane", "-1", SUM, ANY, first_lane),
    family("assumed/one-word", "-1", SUM, UINT, one_word),
    family("assumed/equal-everywhere", "-1", SUM, UINT, equal_everywhere),
    family("assumed/equal-operand", "d1", DUAL, UINT, equal_operand),
    family("assumed/equal-by-ballot", "b-1", SUM, UINT, equal_by_ballot),
    family("assumed/equal-sum", "b-1", SUM, UINT, equal_sum),
    family("assumed/bounded", "-1", SUM, UINT, bounded),
    family("assumed/bounded-index", "-1", SUM, ANY, bounded_index),
    family("assumed/one-flag", "d1", ZERO, UINT, one_flag),
    family("assumed/no-flag", "d1", ALL, UINT, no_flag),
    family("assumed/known-bits", "d1", ALL, UINT, known_bits),
];

/// The active lanes are those below some lane.
fn first_lanes(variant: usize, source: &str) -> String {
    let assumption = pick(
        variant % 2,
        [
            "subgroupBallotBitCount(live) == subgroupBallotFindMSB(live) + 1u",
            "subgroupBallotExclusiveBitCount(live) == gl_SubgroupInvocationID",
            "",
        ],
    );
    format!("{LIVE}assumeEXT({assumption});\n{source}")
}

/// One of the two ways to say it, by the operator.
fn spelled(writer: &Writer) -> usize {
    usize::from(writer.operator.is_idempotent())
}

fn first_lanes_scan(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\n{} y = subgroupShuffleUp(r, {step});\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &format!("{LANE} {order} {step}")),
        )
    });
    let source = first_lanes(spelled(writer), &returned(&writer.group("Inclusive", "x")));
    Text::of(writer, source, format!("{} r = x;\n{body}return r;\n", writer.ty()))
}

fn first_lanes_exclusive(writer: &Writer, variant: usize) -> Text {
    let by = pick(variant, ["1u", "2u", "1u"]);
    let from = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let target = format!(
        "{ty} all = {};\n{ty} y = subgroupShuffleUp(all, {by});\n{ty} r = {from};\n{}return r;\n",
        writer.group("Inclusive", "x"),
        writer.guarded("r", "y", &format!("{LANE} >= {by}")),
        ty = writer.ty(),
    );
    let source = first_lanes(spelled(writer), &returned(&writer.group("Exclusive", "x")));
    Text::of(writer, source, target)
}

fn first_lanes_rank(writer: &Writer, variant: usize) -> Text {
    let rank = writer.count("(live & gl_SubgroupLtMask)");
    let all = writer.count("live");
    let source = format!("{LIVE}return ({rank}) * 256u + ({all});\n");
    let source = source.replacen(LIVE, &first_lanes(0, ""), 1);
    let target = match variant {
        0 => format!("{LIVE}return {LANE} * 256u + subgroupBallotFindMSB(live) + 1u;\n"),
        1 => format!("{LIVE}return {LANE} * 256u + subgroupBallotFindMSB(live);\n"),
        _ => format!("return {LANE} * 256u + gl_SubgroupSize;\n"),
    };
    Text::of(writer, source, target)
}

fn first_lanes_last(writer: &Writer, variant: usize) -> Text {
    let count = writer.count("live");
    let last = pick(variant, ["n - 1u", "0u", "gl_SubgroupSize - 1u"]);
    let target = format!(
        "{LIVE}uint n = {count};\n{} r = {};\nreturn subgroupShuffle(r, {last});\n",
        writer.ty(),
        writer.group("Inclusive", "x"),
    );
    Text::of(writer, first_lanes(spelled(writer), &returned(&writer.group("", "x"))), target)
}

/// A tree whose lanes stop at the last active one.
fn first_lanes_tree(writer: &Writer, variant: usize) -> Text {
    let of = pick(variant, ["r, 0u", "x, 0u", "r, n - 1u"]);
    let body = writer.doubling(1, |step| {
        let inside = format!("{LANE} + {step} < n");
        format!(
            "{{\n{ty} y = subgroupShuffle(r, ({inside}) ? {LANE} + {step} : {LANE});\n{}}}\n",
            writer.guarded("r", "y", &inside),
            ty = writer.ty(),
        )
    });
    let target = format!(
        "{LIVE}uint n = subgroupBallotFindMSB(live) + 1u;\n{} r = x;\n{body}\
         return subgroupShuffle({of});\n",
        writer.ty()
    );
    Text::of(writer, first_lanes(spelled(writer), &returned(&writer.group("", "x"))), target)
}

fn first_lane(writer: &Writer, variant: usize) -> Text {
    let source = "assumeEXT(subgroupBallotBitExtract(subgroupBallot(true), 0u));\n\
                  return subgroupBroadcastFirst(x);\n"
        .to_owned();
    let lane = pick(variant, ["0u", "1u", "gl_SubgroupSize - 1u"]);
    Text::of(writer, source, returned(&format!("subgroupShuffle(x, {lane})")))
}

fn one_word(writer: &Writer, variant: usize) -> Text {
    let source = "assumeEXT(gl_SubgroupSize <= 32u);\n\
                  return subgroupBallotExclusiveBitCount(subgroupBallot(x > 4u));\n"
        .to_owned();
    let one = pick(variant, ["1u", "2u", "1u"]);
    let order = pick(variant, [">", ">", ">="]);
    let target = format!(
        "return uint(bitCount(subgroupBallot(x {order} 4u).x & (({one} << {LANE}) - 1u)));\n"
    );
    Text::of(writer, source, target)
}

fn equal_everywhere(writer: &Writer, variant: usize) -> Text {
    let source =
        "assumeEXT(subgroupAllEqual(y));\nreturn subgroupBroadcastFirst(y) * 3u + x;\n".to_owned();
    let target = pick(variant, ["y * 3u + x", "x * 3u + x", "y * 3u + subgroupBroadcastFirst(x)"]);
    Text::of_two(writer, source, returned(target))
}

fn equal_operand(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "assumeEXT(subgroupAllEqual(y));\nreturn {};\n",
        writer.group("", &writer.operator.infix("x", "y"))
    );
    let target = match variant {
        0 => writer.combine(&writer.group("", "x"), "y"),
        1 => writer.group("", "x"),
        _ => writer.combine("x", "y"),
    };
    Text::of_two(writer, source, returned(&target))
}

fn equal_by_ballot(writer: &Writer, variant: usize) -> Text {
    let (same, all) = (
        writer.count("subgroupBallot(y == subgroupBroadcastFirst(y))"),
        writer.count("subgroupBallot(true)"),
    );
    let source = format!("assumeEXT(({same}) == ({all}));\nreturn subgroupMin(y);\n");
    let target = pick(variant, ["y", "x", "y + 1u"]);
    Text::of_two(writer, source, returned(target))
}

fn equal_sum(writer: &Writer, variant: usize) -> Text {
    let source = "assumeEXT(subgroupAllEqual(y));\nreturn subgroupInclusiveAdd(y);\n".to_owned();
    let mask = pick(variant, ["gl_SubgroupLeMask", "gl_SubgroupLtMask", "gl_SubgroupGeMask"]);
    let count = writer.count(&format!("(subgroupBallot(true) & {mask})"));
    Text::of_two(writer, source, returned(&format!("y * ({count})")))
}

/// Sums that fit in half a word.
fn bounded(writer: &Writer, variant: usize) -> Text {
    let source =
        "assumeEXT(x < 256u && y < 256u);\nuint a = subgroupAdd(x);\nuint b = subgroupAdd(y);\n\
                  return a * 3u + b;\n"
            .to_owned();
    let (shift, mask) = (pick(variant, ["16", "2", "16"]), pick(variant, ["0xffffu", "3u", "3u"]));
    let target = format!(
        "uint p = subgroupAdd((x << {shift}) | y);\nreturn (p >> {shift}) * 3u + (p & {mask});\n"
    );
    Text::of_two(writer, source, target)
}

fn bounded_index(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let mask = pick(variant, ["3u", "1u", "2u"]);
    let source = "assumeEXT(c < 4u);\nreturn subgroupShuffle(x, c);\n".to_owned();
    let target = format!("return subgroupShuffle(x, c & {mask});\n");
    Text::with(&format!("{ty} x, uint c"), ty, source, target)
}

fn one_flag(writer: &Writer, variant: usize) -> Text {
    let source =
        "uvec4 one = subgroupBallot(y > 4u);\nassumeEXT(subgroupBallotBitCount(one) == 1u);\n\
                  return subgroupShuffle(x, subgroupBallotFindLSB(one));\n"
            .to_owned();
    let order = pick(variant, [">", ">=", ">"]);
    let other = if variant == 2 { "x" } else { "0u" };
    let target = writer.group("", &format!("(y {order} 4u) ? x : {other}"));
    Text::of_two(writer, source, returned(&target))
}

fn no_flag(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "assumeEXT(!subgroupAny(x == 7u));\nreturn {};\n",
        writer.group("", &format!("(x == 7u) ? {} : x", writer.neutral()))
    );
    let value = pick(variant, ["x", "x & 6u", "x ^ 1u"]);
    Text::of(writer, source, returned(&writer.group("", value)))
}

/// Bits that are known.
fn known_bits(writer: &Writer, variant: usize) -> Text {
    let source = format!("assumeEXT((x >> 2) == 0u);\nreturn {};\n", writer.group("", "x"));
    let mask = pick(variant, ["3u", "1u", "2u"]);
    Text::of(writer, source, returned(&writer.group("", &format!("x & {mask}"))))
}
