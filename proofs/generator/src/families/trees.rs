//! Reductions in levels, trees that end in one lane, scans from above, values that are uniform.

use crate::text::{Text, pick};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";

fn reduce(writer: &Writer) -> String {
    format!("return {};\n", writer.group("", "x"))
}

pub(crate) fn two_levels(writer: &Writer, variant: usize) -> Text {
    let (step, width) = if variant == 1 { (4, 3) } else { (4, 4) };
    let inner = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let one = writer.guarded("part", "subgroupShuffle(x, i)", &writer.bit("live", "i"));
    let target = format!(
        "uvec4 live = subgroupBallot(true);\n{ty} r = {neutral};\n\
         for (uint c = 0u; c < gl_SubgroupSize; c += {step}u) {{\n{ty} part = {inner};\n\
         for (uint j = 0u; j < {width}u; j++) {{\nuint i = c + j;\n\
         if ({bit}) {{\n{one}}}\n}}\nr = {both};\n}}\nreturn r;\n",
        ty = writer.ty(),
        neutral = writer.neutral(),
        bit = writer.bit("live", "i"),
        both = writer.combine("r", "part"),
    );
    Text::of(writer, reduce(writer), target)
}

pub(crate) fn clusters_then_leaders(writer: &Writer, variant: usize) -> Text {
    let (ty, neutral) = (writer.ty(), writer.neutral());
    let part = writer.group("Clustered", "x, 4u");
    let mask = pick(variant, ["3u", "1u", "7u"]);
    let target = format!(
        "{ty} part = {part};\n{ty} lead = ({LANE} & {mask}) == 0u ? part : {neutral};\n\
         return {};\n",
        writer.group("", "lead")
    );
    Text::of(writer, reduce(writer), target)
}

pub(crate) fn falling_butterfly(writer: &Writer, variant: usize) -> Text {
    let from =
        pick(variant, ["gl_SubgroupSize >> 1u", "gl_SubgroupSize >> 2u", "gl_SubgroupSize >> 1u"]);
    let last = if variant == 2 { "1u" } else { "0u" };
    let step = writer.combine("r", "subgroupShuffleXor(r, k)");
    let target = format!(
        "{} r = x;\nfor (uint k = {from}; k > {last}; k >>= 1u) r = {step};\nreturn r;\n",
        writer.ty()
    );
    Text::of(writer, reduce(writer), target)
}

pub(crate) fn tree_down(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["0u", "1u", "0u"]);
    let first = if variant == 2 { 2 } else { 1 };
    let body = writer.doubling(first, |step| {
        let one = format!("subgroupShuffle(r, min({LANE} + {step}, gl_SubgroupSize - 1u))");
        let inside = format!("{LANE} + {step} < gl_SubgroupSize");
        format!("{{\n{} y = {one};\n{}}}\n", writer.ty(), writer.guarded("r", "y", &inside))
    });
    let target = format!("{} r = x;\n{body}return subgroupBroadcast(r, {lane});\n", writer.ty());
    Text::of(writer, reduce(writer), target)
}

/// The sum of a lane and all above it.
pub(crate) fn from_above(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let own = if variant == 1 { " - x" } else { "" };
    let source =
        format!("return {} - {};\n", writer.group("", "x"), writer.group("Exclusive", "x"));
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        let other = format!("subgroupShuffleDown(r, {step})");
        let inside = format!("{LANE} + {step} < gl_SubgroupSize");
        format!("{{\n{ty} y = {other};\n{}}}\n", writer.guarded("r", "y", &inside))
    });
    Text::of(writer, source, format!("{ty} r = x;\n{body}return r{own};\n"))
}

pub(crate) fn falling_lanes(writer: &Writer, variant: usize) -> Text {
    let last = if variant == 1 { "1u" } else { "0u" };
    let start = if variant == 2 { "gl_SubgroupSize - 1u" } else { "gl_SubgroupSize" };
    let one = writer.guarded("r", "y", &writer.bit("live", "i"));
    let target = format!(
        "uvec4 live = subgroupBallot(true);\n{ty} r = {};\n\
         for (uint n = {start}; n > {last}; n--) {{\nuint i = n - 1u;\n\
         {ty} y = subgroupShuffle(x, {bit} ? i : {LANE});\n{one}}}\nreturn r;\n",
        writer.neutral(),
        ty = writer.ty(),
        bit = writer.bit("live", "i"),
    );
    Text::of(writer, reduce(writer), target)
}

/// The loop ends at the last active lane.
pub(crate) fn early_exit(writer: &Writer, variant: usize) -> Text {
    let from = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let order = pick(variant, ["i == last", "i == last", "i >= 1u"]);
    let both = writer.combine("r", "subgroupShuffle(x, i)");
    let target = format!(
        "uvec4 live = subgroupBallot(true);\nuint last = subgroupBallotFindMSB(live);\n\
         {} r = {from};\nfor (uint i = 0u; i < gl_SubgroupSize; i++) {{\n\
         if (!({})) continue;\nr = {both};\nif ({order}) break;\n}}\nreturn r;\n",
        writer.ty(),
        writer.bit("live", "i"),
    );
    Text::of(writer, reduce(writer), target)
}

/// What is assumed to be the same everywhere.
pub(crate) fn assumed_uniform(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "assumeEXT(subgroupAllEqual(y));\nreturn {} + y;\n",
        writer.group("", "x > y ? x : y")
    );
    let other = pick(variant, ["u", "u", "(u + 1u)"]);
    let own = if variant == 1 { "x" } else { "u" };
    let target = format!(
        "uint u = subgroupBroadcastFirst(y);\nuint m = max(x, {other});\nreturn {} + {own};\n",
        writer.group("", "m")
    );
    Text { parameters: "uint x, uint y".to_owned(), ..Text::of(writer, source, target) }
}

pub(crate) fn all_equal(writer: &Writer, variant: usize) -> Text {
    let target = match variant {
        0 => "subgroupMin(x) == subgroupMax(x)",
        1 => "subgroupMin(x) == x",
        _ => "subgroupAny(x == subgroupBroadcastFirst(x))",
    };
    let target = format!("return {target} ? 1u : 0u;\n");
    Text::of(writer, "return subgroupAllEqual(x) ? 1u : 0u;\n".to_owned(), target)
}

/// A reduction by an operator that picks is one of its operands.
pub(crate) fn one_of_its_parts(writer: &Writer, variant: usize) -> Text {
    let best = writer.group("", "x");
    let holds = pick(variant, ["subgroupAny", "subgroupAll", "subgroupAny"]);
    let of = if variant == 2 { "best + 1u" } else { "best" };
    let target = format!("uint best = {best};\nreturn {holds}(x == {of}) ? 1u : 0u;\n");
    Text::of(writer, "return 1u;\n".to_owned(), target)
}

pub(crate) fn elected(writer: &Writer, variant: usize) -> Text {
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupGtMask"]);
    let rank = writer.count(&format!("(subgroupBallot(true) & {below})"));
    let target = format!("return ({rank}) == 0u ? x : 0u;\n");
    Text::of(writer, "return subgroupElect() ? x : 0u;\n".to_owned(), target)
}
