//! Reductions and scans in logarithmic steps: Blelloch, Brent–Kung, rings, two levels, partitions.

use crate::family::{ALL, ANY, Family, UINT, family};
use crate::text::{Text, exclusive, inclusive, pick, reduce, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const SIZE: &str = "gl_SubgroupSize";

pub(crate) const FAMILIES: &[Family] = &[
    family("steps/blelloch", "fg3", ALL, ANY, blelloch),
    family("steps/brent-kung", "fg3", ALL, ANY, brent_kung),
    family("steps/ring", "fs3", ALL, ANY, ring),
    family("steps/rotated-ring", "fs3", ALL, ANY, rotated_ring),
    family("steps/scan-by-lane", "fgs3", ALL, ANY, scan_by_lane),
    family("steps/shifted-first", "fgs3", ALL, ANY, shifted_first),
    family("steps/scan-then-last", "fgs3", ALL, ANY, scan_then_last),
    family("steps/two-levels", "fg3", ALL, ANY, two_levels),
    family("steps/quads-then-lanes", "f3", ALL, ANY, quads_then_lanes),
    family("steps/reduce-to-first", "fgs3", ALL, ANY, reduce_to_first),
    family("steps/partition-jumping", "gs3", ALL, UINT, partition_jumping),
    family("steps/live-ranks", "gs3", ALL, UINT, live_ranks),
    family("steps/clustered-scan", "fgd3", ALL, ANY, clustered_scan),
    family("steps/cluster-by-up", "f3", ALL, ANY, cluster_by_up),
    family("steps/masked-butterfly", "gs3", ALL, ANY, masked_butterfly),
    family("steps/pairs-first", "fs3", ALL, ANY, pairs_first),
];

/// Up the tree: the last lane of each subtree has the subtree's result.
fn up_sweep(writer: &Writer, first: u32) -> String {
    format!(
        "for (uint k = {first}u; k < {SIZE}; k <<= 1u) {{\n{} y = subgroupShuffleXor(r, k);\n{}}}\n",
        writer.ty(),
        writer.guarded("r", "y", &format!("({LANE} & (2u * k - 1u)) == 2u * k - 1u")),
    )
}

fn blelloch(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let zero = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let lanes = pick(variant, ["k - 1u", "k - 1u", "k"]);
    let target = format!(
        "{ty} r = x;\n{}if ({LANE} == {SIZE} - 1u) r = {zero};\n\
         for (uint k = {SIZE} >> 1u; k > 0u; k >>= 1u) {{\n{ty} y = subgroupShuffleXor(r, k);\n\
         uint low = {LANE} & (2u * k - 1u);\n{ty} old = r;\n{}\
         if (low == {lanes}) r = y;\n}}\nreturn r;\n",
        up_sweep(writer, 1),
        writer.guarded("r", "y", "low == 2u * k - 1u"),
    );
    Text::of(writer, exclusive(writer), target.replace(&format!("{ty} old = r;\n"), ""))
}

fn brent_kung(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let from = pick(variant, [">> 2u", ">> 3u", ">> 2u"]);
    let own = if variant == 2 { "k" } else { "k - 1u" };
    let target = format!(
        "{ty} r = x;\n{}for (uint k = {SIZE} {from}; k > 0u; k >>= 1u) {{\n\
         {ty} y = subgroupShuffleUp(r, k);\n{}}}\nreturn r;\n",
        up_sweep(writer, 1),
        writer.guarded("r", "y", &format!("({LANE} & (2u * k - 1u)) == {own} && {LANE} >= 2u * k")),
    );
    Text::of(writer, inclusive(writer), target)
}

fn ring(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(if variant == 1 { 2 } else { 1 }, |step| {
        let of = if variant == 2 { "x" } else { "r" };
        let other = format!("subgroupShuffle({of}, ({LANE} + {step}) & ({SIZE} - 1u))");
        format!("r = {};\n", writer.combine("r", &other))
    });
    Text::of(writer, reduce(writer), format!("{} r = x;\n{body}return r;\n", writer.ty()))
}

fn rotated_ring(writer: &Writer, variant: usize) -> Text {
    let first = if variant == 1 { 2 } else { 1 };
    let body = writer.doubling(first, |step| {
        let sign = if variant == 2 { "|" } else { "-" };
        let other = format!("subgroupShuffle(r, ({LANE} {sign} {step}) & ({SIZE} - 1u))");
        format!("r = {};\n", writer.combine("r", &other))
    });
    Text::of(writer, reduce(writer), format!("{} r = x;\n{body}return r;\n", writer.ty()))
}

fn scan_by_lane(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\nuint from = ({LANE} >= {step}) ? {LANE} - {step} : {LANE};\n\
             {} y = subgroupShuffle(r, from);\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &format!("{LANE} {order} {step}")),
        )
    });
    Text::of(writer, inclusive(writer), format!("{} r = x;\n{body}return r;\n", writer.ty()))
}

fn shifted_first(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let first = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\n{ty} y = subgroupShuffleUp(r, {step});\n{}}}\n",
            writer.guarded("r", "y", &format!("{LANE} >= {step}")),
        )
    });
    let target = format!(
        "{ty} before = subgroupShuffleUp(x, 1u);\n{ty} r = ({LANE} == 0u) ? {first} : before;\n\
         {body}return r;\n"
    );
    Text::of(writer, exclusive(writer), target)
}

fn scan_then_last(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["gl_SubgroupSize - 1u", "0u", "gl_SubgroupSize - 1u"]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\n{} y = subgroupShuffleUp(r, {step});\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &format!("{LANE} >= {step}")),
        )
    });
    let target = format!("{} r = x;\n{body}return subgroupShuffle(r, {lane});\n", writer.ty());
    Text::of(writer, reduce(writer), target)
}

/// Four lanes, then the sums of the fours before.
fn two_levels(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let order = pick(variant, [">=", ">", ">="]);
    let last = pick(variant, ["3u", "3u", "2u"]);
    let target = format!(
        "{ty} r = x;\nfor (uint k = 1u; k < 4u; k <<= 1u) {{\n{ty} y = subgroupShuffleUp(r, k);\n{}}}\n\
         {ty} carry = {};\nfor (uint c = 0u; c < {SIZE}; c += 4u) {{\n\
         {ty} y = subgroupShuffle(r, c + {last});\nif (c + 4u <= {LANE}) carry = {};\n}}\n\
         return {};\n",
        writer.guarded("r", "y", &format!("({LANE} & 3u) {order} k")),
        writer.neutral(),
        writer.combine("carry", "y"),
        writer.combine("carry", "r"),
    );
    Text::of(writer, inclusive(writer), target)
}

fn quads_then_lanes(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let second = pick(variant, ["2u", "1u", "2u"]);
    let first = pick(variant, ["0u", "0u", "4u"]);
    let one = writer.combine("x", "subgroupShuffleXor(x, 1u)");
    let two = match variant {
        1 => writer.combine("r", "x"),
        _ => writer.combine("r", &format!("subgroupShuffleXor(r, {second})")),
    };
    let target = format!(
        "{ty} r = {one};\nr = {two};\n{ty} all = {};\n\
         for (uint c = {first}; c < {SIZE}; c += 4u) all = {};\nreturn all;\n",
        writer.neutral(),
        writer.combine("all", "subgroupShuffle(r, c)"),
    );
    Text::of(writer, reduce(writer), target)
}

fn reduce_to_first(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["0u", "1u", "0u"]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\n{} y = subgroupShuffleXor(r, {step});\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &format!("({LANE} & (2u * {step} - 1u)) == 0u")),
        )
    });
    let target = format!("{} r = x;\n{body}return subgroupShuffle(r, {lane});\n", writer.ty());
    Text::of(writer, reduce(writer), target)
}

/// Within the lanes of the same key, by pointers to the lane before.
fn partition_jumping(writer: &Writer, variant: usize) -> Text {
    let scan = |condition: &str| {
        writer.group("Inclusive", &format!("({condition}) ? x : {}", writer.neutral()))
    };
    let source = format!(
        "bool k = (c & 1u) != 0u;\nuint yes = {};\nuint no = {};\nreturn k ? yes : no;\n",
        scan("k"),
        scan("!k")
    );
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupLtMask"]);
    let steps = writer.doubling(if variant == 2 { 2 } else { 1 }, |_| {
        format!(
            "{{\nuint y = subgroupShuffle(r, before);\nuint further = subgroupShuffle(before, before);\n\
             uint more = subgroupShuffle(has, before);\n{}before = further;\n\
             has = (has != 0u && more != 0u) ? 1u : 0u;\n}}\n",
            writer.guarded("r", "y", "has != 0u"),
        )
    });
    let target = format!(
        "bool k = (c & 1u) != 0u;\nuvec4 yes = subgroupBallot(k);\nuvec4 no = subgroupBallot(!k);\n\
         uvec4 lower = (k ? yes : no) & {below};\n\
         uint has = any(notEqual(lower, uvec4(0))) ? 1u : 0u;\n\
         uint before = (has != 0u) ? subgroupBallotFindMSB(lower) : {LANE};\nuint r = x;\n{steps}return r;\n"
    );
    Text::with("uint x, uint c", "uint", source, target)
}

/// The lane that is some ranks before among the live ones, found anew in each step.
fn live_ranks(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let steps = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\nuint at = {LANE};\nuint n = 0u;\nfor (uint j = 0u; j < {SIZE}; j++) {{\n\
             if (subgroupBallotBitExtract(live, j)) {{\nif (n + {step} == rank) at = j;\nn = n + 1u;\n}}\n}}\n\
             uint y = subgroupShuffle(r, at);\n{}}}\n",
            writer.guarded("r", "y", &format!("rank {order} {step}")),
        )
    });
    let target = format!(
        "uvec4 live = subgroupBallot(true);\nuint rank = subgroupBallotExclusiveBitCount(live);\n\
         uint r = x;\n{steps}return r;\n"
    );
    Text::of(writer, inclusive(writer), target)
}

/// A scan in each four lanes.
fn clustered_scan(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let source = format!(
        "{ty} r = x;\nfor (uint j = 1u; j < 4u; j++) {{\n\
         {ty} y = subgroupShuffle(x, ({LANE} & 3u) >= j ? {LANE} - j : {LANE});\n\
         if (({LANE} & 3u) >= j) r = {};\n}}\nreturn r;\n",
        writer.combine("r", "y")
    );
    let order = pick(variant, [">=", ">", ">="]);
    let mask = pick(variant, ["3u", "3u", "7u"]);
    let target = format!(
        "{ty} r = x;\nfor (uint k = 1u; k < 4u; k <<= 1u) {{\n{ty} y = subgroupShuffleUp(r, k);\n{}}}\n\
         return r;\n",
        writer.guarded("r", "y", &format!("({LANE} & {mask}) {order} k")),
    );
    Text::of(writer, source, target)
}

fn cluster_by_up(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let (low, high) = (pick(variant, ["1u", "2u", "1u"]), pick(variant, ["2u", "2u", "1u"]));
    let pair = format!("subgroupShuffle(x, ({LANE} & ~{low}) | ((~{LANE}) & {low}))");
    let four = format!("subgroupShuffle(r, {LANE} ^ {high})");
    let (one, two) = (writer.combine("x", &pair), writer.combine("r", &four));
    let two = if variant == 0 { two } else { writer.combine("r", "x") };
    let target = format!("{ty} r = {one};\nreturn {two};\n");
    Text::of(writer, returned(&writer.group("Clustered", "x, 4u")), target)
}

/// With values that change nothing where a lane is not among them.
fn masked_butterfly(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let body = writer.doubling(if variant == 1 { 2 } else { 1 }, |step| {
        let of = if variant == 2 { "x" } else { "r" };
        let bit = format!("subgroupBallotBitExtract(live, {LANE} ^ {step})");
        format!(
            "{{\nuint other = {bit} ? ({LANE} ^ {step}) : {LANE};\n{ty} y = subgroupShuffle({of}, other);\n{}}}\n",
            writer.guarded("r", "y", &bit),
        )
    });
    let source = format!(
        "assumeEXT(subgroupBallotBitCount(subgroupBallot(true)) == {SIZE});\n{}",
        reduce(writer)
    );
    let target = format!("uvec4 live = subgroupBallot(true);\n{ty} r = x;\n{body}return r;\n");
    Text::of(writer, source, target)
}

fn pairs_first(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let body = writer.doubling(if variant == 1 { 4 } else { 2 }, |step| {
        format!("r = {};\n", writer.combine("r", &format!("subgroupShuffleXor(r, {step})")))
    });
    let size = pick(variant, ["2u", "2u", "1u"]);
    let target = format!(
        "{ty} r = {};\n{body}return r;\n",
        writer.group("Clustered", &format!("x, {size}"))
    );
    Text::of(writer, reduce(writer), target)
}
