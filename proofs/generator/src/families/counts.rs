//! Counts and masks as numbers, over words of a ballot.

use crate::family::{Family, SUM, UINT, family};
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const SOME: &str = "uvec4 some = subgroupBallot(x > 4u);\n";

pub(crate) const FAMILIES: &[Family] = &[
    family("count/by-words", "-6", SUM, UINT, by_words),
    family("count/complement", "b-6", SUM, UINT, complement),
    family("count/inclusive", "b-6", SUM, UINT, inclusive),
    family("count/rank-from-above", "b-6", SUM, UINT, rank_from_above),
    family("count/prefix-in-steps", "fgs-6", SUM, UINT, prefix_in_steps),
    family("count/prefix-by-mask", "-6", SUM, UINT, prefix_by_mask),
    family("count/parity-of-prefix", "b-6", SUM, UINT, parity_of_prefix),
    family("count/nth-by-search", "b-6", SUM, UINT, nth_by_search),
    family("count/nth-by-clearing", "b-6", SUM, UINT, nth_by_clearing),
    family("count/lowest-by-count", "-6", SUM, UINT, lowest_by_count),
    family("count/highest-by-words", "-6", SUM, UINT, highest_by_words),
    family("count/lowest-by-loop", "sb-6", SUM, UINT, lowest_by_loop),
    family("count/is-first", "b-6", SUM, UINT, is_first),
    family("count/both-ranks", "b-6", SUM, UINT, both_ranks),
    family("count/of-equal", "b-w6", SUM, UINT, of_equal),
    family("count/distinct", "b-6", SUM, UINT, distinct),
    family("count/inverse-ballot", "b-6", SUM, UINT, inverse_ballot),
    family("count/majority", "b-6", SUM, UINT, majority),
    family("count/in-cluster", "-6", SUM, UINT, in_cluster),
    family("count/compacted-value", "b-6", SUM, UINT, compacted_value),
];

fn by_words(writer: &Writer, variant: usize) -> Text {
    let (from, last) =
        (pick(variant, ["0u", "1u", "0u"]), pick(variant, ["some[w]", "some[w]", "some[w] >> 1"]));
    let target = format!(
        "{SOME}uint r = 0u;\nfor (uint w = {from}; w < 4u; w++) r += uint(bitCount({last}));\nreturn r;\n"
    );
    Text::of(writer, returned("subgroupBallotBitCount(subgroupBallot(x > 4u))"), target)
}

fn complement(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<=", "<", "<="]);
    let (all, none) = (
        writer.count("subgroupBallot(true)"),
        writer.count(&format!("subgroupBallot(x {order} 4u)")),
    );
    let all = if variant == 2 { "gl_SubgroupSize".to_owned() } else { all };
    let source = returned(&writer.count("subgroupBallot(x > 4u)"));
    Text::of(writer, source, returned(&format!("({all}) - ({none})")))
}

fn inclusive(writer: &Writer, variant: usize) -> Text {
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupLtMask"]);
    let own = pick(variant, ["(x > 4u)", "(x > 4u)", "true"]);
    let rank = writer.count(&format!("(some & {below})"));
    let target = format!("{SOME}return ({rank}) + ({own} ? 1u : 0u);\n");
    Text::of(writer, returned("subgroupBallotInclusiveBitCount(subgroupBallot(x > 4u))"), target)
}

fn rank_from_above(writer: &Writer, variant: usize) -> Text {
    let above = pick(variant, ["gl_SubgroupGeMask", "gl_SubgroupGtMask", "gl_SubgroupLeMask"]);
    let (all, after) = (writer.count("some"), writer.count(&format!("(some & {above})")));
    let target = format!("{SOME}return ({all}) - ({after});\n");
    Text::of(writer, returned("subgroupExclusiveAdd(x > 4u ? 1u : 0u)"), target)
}

fn prefix_in_steps(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        let here = format!("{LANE} {order} {step}");
        format!(
            "{{\nuint y = subgroupShuffleUp(r, {step});\n{}}}\n",
            writer.guarded("r", "y", &here)
        )
    });
    let target = format!("uint r = (x > 4u) ? 1u : 0u;\n{body}return r;\n");
    Text::of(writer, returned("subgroupBallotInclusiveBitCount(subgroupBallot(x > 4u))"), target)
}

/// The mask of the lanes below, word by word, as arithmetic.
fn prefix_by_mask(writer: &Writer, variant: usize) -> Text {
    let one = pick(variant, ["1u", "2u", "1u"]);
    let order = pick(variant, ["<", "<", "<="]);
    let target = format!(
        "{SOME}uint own = {LANE} >> 5u;\nuint part = ({one} << ({LANE} & 31u)) - 1u;\nuint r = 0u;\n\
         for (uint w = 0u; w < 4u; w++) {{\n\
         uint mask = (w {order} own) ? 0xffffffffu : ((w == own) ? part : 0u);\n\
         r += uint(bitCount(some[w] & mask));\n}}\nreturn r;\n"
    );
    Text::of(writer, returned("subgroupBallotExclusiveBitCount(subgroupBallot(x > 4u))"), target)
}

fn parity_of_prefix(writer: &Writer, variant: usize) -> Text {
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupGtMask"]);
    let count = writer.count(&format!("(subgroupBallot((x & 1u) != 0u) & {below})"));
    let source = returned("subgroupExclusiveXor(x & 1u)");
    Text::of(writer, source, returned(&format!("({count}) & 1u")))
}

/// The lane of a rank, or all bits.
fn nth(writer: &Writer) -> String {
    let steps = writer.set_bits("some", "if (n == wanted) r = i;\nn = n + 1u;\n");
    format!("{SOME}uint wanted = y & 127u;\nuint r = ~0u;\nuint n = 0u;\n{steps}return r;\n")
}

fn nth_by_search(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let from = pick(variant, ["16u", "16u", "1u"]);
    let target = format!(
        "{SOME}uint n = y & 127u;\nuint r = ~0u;\nfor (uint w = 0u; w < 4u; w++) {{\n\
         uint word = some[w];\nuint all = uint(bitCount(word));\nif (n < all && r == ~0u) {{\n\
         uint at = 0u;\nuint left = n;\nfor (uint k = {from}; k > 0u; k >>= 1u) {{\n\
         uint below = uint(bitCount((word >> at) & ((1u << k) - 1u)));\n\
         if (left {order} below) {{\nleft -= below;\nat += k;\n}}\n}}\nr = 32u * w + at;\n}}\n\
         n -= (n < all) ? 0u : all;\n}}\nreturn r;\n"
    );
    // Once it is found, the rest must not find it again.
    Text::of_two(writer, nth(writer), target)
}

fn nth_by_clearing(writer: &Writer, variant: usize) -> Text {
    let from = pick(variant, ["0u", "1u", "0u"]);
    let clear = pick(variant, ["word &= word - 1u", "word &= word - 1u", "word &= word - 2u"]);
    let all = writer.count("some");
    let target = format!(
        "{SOME}uint wanted = y & 127u;\nuint total = {all};\nuint r = ~0u;\n\
         if (wanted < total) {{\nuint w = 0u;\nuint word = some[0];\n\
         for (uint n = {from}; n <= wanted; n++) {{\nwhile (word == 0u && w < 3u) {{\n\
         w = w + 1u;\nword = some[w];\n}}\nr = 32u * w + uint(findLSB(word));\n{clear};\n}}\n}}\n\
         return r;\n"
    );
    Text::of_two(writer, nth(writer), target)
}

fn lowest_by_count(writer: &Writer, variant: usize) -> Text {
    let mask = pick(variant, ["~w & (w - 1u)", "~w & (w - 2u)", "w & (w - 1u)"]);
    let source = format!(
        "{SOME}bool none = all(equal(some, uvec4(0)));\n\
         return none ? 128u : subgroupBallotFindLSB(some);\n"
    );
    let target = format!(
        "{SOME}uint r = 0u;\nbool found = false;\nfor (uint j = 0u; j < 4u; j++) {{\n\
         uint w = some[j];\nuint n = uint(bitCount({mask}));\n\
         r = found ? r : r + n;\nfound = found || w != 0u;\n}}\nreturn r;\n"
    );
    Text::of(writer, source, target)
}

fn highest_by_words(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "{SOME}bool none = all(equal(some, uvec4(0)));\n\
         return none ? 999u : subgroupBallotFindMSB(some);\n"
    );
    let find = pick(variant, ["findMSB(w)", "findLSB(w)", "findMSB(w >> 1)"]);
    let target = format!(
        "{SOME}uint r = 999u;\nfor (uint j = 4u; j > 0u && r == 999u; j--) {{\n\
         uint w = some[j - 1u];\nif (w != 0u) r = 32u * (j - 1u) + uint({find});\n}}\nreturn r;\n"
    );
    Text::of(writer, source, target)
}

fn lowest_by_loop(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "{SOME}bool none = all(equal(some, uvec4(0)));\n\
         return none ? 999u : subgroupBallotFindLSB(some);\n"
    );
    let body = writer.lanes(if variant == 1 { 1 } else { 0 }, |lane| {
        let bit = writer.bit("some", lane);
        let more = if variant == 2 { "" } else { " && r == 999u" };
        format!("if ({bit}{more}) r = {lane};\n")
    });
    Text::of(writer, source, format!("{SOME}uint r = 999u;\n{body}return r;\n"))
}

fn is_first(writer: &Writer, variant: usize) -> Text {
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupGtMask"]);
    let count = writer.count(&format!("(some & {below})"));
    let source = format!(
        "{SOME}bool none = all(equal(some, uvec4(0)));\n\
         return (!none && subgroupBallotFindLSB(some) == {LANE}) ? 1u : 0u;\n"
    );
    let target = format!("{SOME}return (x > 4u && ({count}) == 0u) ? 1u : 0u;\n");
    Text::of(writer, source, target)
}

/// Those of a set first, then the others.
fn both_ranks(writer: &Writer, variant: usize) -> Text {
    let below = |mask: &str| writer.count(&format!("({mask} & gl_SubgroupLtMask)"));
    let all = writer.count("some");
    let source = "uint one = (x > 4u) ? 1u : 0u;\nuint before = subgroupExclusiveAdd(one);\nuint all = subgroupAdd(one);\n\
         uint others = subgroupExclusiveAdd(1u - one);\n\
         return (x > 4u) ? before : all + others;\n"
        .to_owned();
    let (from, condition) =
        (pick(variant, ["", "1u + ", ""]), pick(variant, ["x > 4u", "x > 4u", "x >= 4u"]));
    let target = format!(
        "{SOME}uvec4 none = subgroupBallot(!(x > 4u));\n\
         return ({condition}) ? {} : {from}({all}) + ({});\n",
        below("some"),
        below("none"),
    );
    Text::of(writer, source, target)
}

fn of_equal(writer: &Writer, variant: usize) -> Text {
    let steps =
        writer.set_bits("subgroupBallot(true)", "if (subgroupShuffle(k, i) == k) r = r + 1u;\n");
    let source = format!("uint k = x & 3u;\nuint r = 0u;\n{steps}return r;\n");
    let own = pick(variant, ["k == first", "k == first", "k <= first"]);
    let count = writer.count(&format!("subgroupBallot({own})"));
    let more = if variant == 1 { " + 1u" } else { "" };
    let target = format!(
        "uint k = x & 3u;\nuint r = 0u;\nfor (;;) {{\nuint first = subgroupBroadcastFirst(k);\n\
         uint n = {count}{more};\nif ({own}) {{\nr = n;\nbreak;\n}}\n}}\nreturn r;\n"
    );
    Text::of(writer, source, target)
}

fn distinct(writer: &Writer, variant: usize) -> Text {
    let source = "uint k = x & 3u;\nuint r = 0u;\nfor (uint j = 0u; j < 4u; j++) {\n\
                  if (subgroupAny(k == j)) r = r + 1u;\n}\nreturn r;\n"
        .to_owned();
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupLtMask"]);
    let same = writer.count(&format!("(same & {below})"));
    let firsts = writer.count("subgroupBallot(before == 0u)");
    let from = pick(variant, ["0u", "0u", "1u"]);
    let target = format!(
        "uint k = x & 3u;\nuint before = 0u;\nfor (uint j = {from}; j < 4u; j++) {{\n\
         uvec4 same = subgroupBallot(k == j);\nuint n = {same};\nif (k == j) before = n;\n}}\n\
         return {firsts};\n"
    );
    Text::of(writer, source, target)
}

fn inverse_ballot(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["", " ^ 1u", ""]);
    let bit = writer.bit("some", &format!("({LANE}{lane})"));
    let order = if variant == 2 { ">=" } else { ">" };
    let target = format!("uvec4 some = subgroupBallot(x {order} 4u);\nreturn ({bit}) ? 1u : 0u;\n");
    Text::of(writer, returned("(x > 4u) ? 1u : 0u"), target)
}

fn majority(writer: &Writer, variant: usize) -> Text {
    let (yes, no) =
        (writer.count("subgroupBallot(x > 4u)"), writer.count("subgroupBallot(x <= 4u)"));
    let all = writer.count("subgroupBallot(true)");
    let source = returned(&format!("(({yes}) > ({no})) ? 1u : 0u"));
    let target = match variant {
        0 => format!("(2u * ({yes}) > ({all})) ? 1u : 0u"),
        1 => format!("(2u * ({yes}) >= ({all})) ? 1u : 0u"),
        _ => format!("(2u * ({yes}) > gl_SubgroupSize) ? 1u : 0u"),
    };
    Text::of(writer, source, returned(&target))
}

fn in_cluster(writer: &Writer, variant: usize) -> Text {
    let (mask, from) = (pick(variant, ["15u", "7u", "15u"]), pick(variant, ["28u", "28u", "30u"]));
    let target = format!(
        "{SOME}return uint(bitCount((some[{LANE} >> 5u] >> ({LANE} & {from})) & {mask}));\n"
    );
    Text::of(writer, returned("subgroupClusteredAdd(x > 4u ? 1u : 0u, 4u)"), target)
}

/// The value of the lane whose rank is the own index.
fn compacted_value(writer: &Writer, variant: usize) -> Text {
    let some = "uvec4 some = subgroupBallot(y > 4u);\n";
    let steps = writer.set_bits(
        "some",
        &format!("uint v = subgroupShuffle(x, i);\nif (n == {LANE}) r = v;\nn = n + 1u;\n"),
    );
    let source = format!("{some}uint r = 0u;\nuint n = 0u;\n{steps}return r;\n");
    let from = pick(variant, ["0u", "1u", "0u"]);
    let test = pick(
        variant,
        [
            "n == gl_SubgroupInvocationID",
            "n == gl_SubgroupInvocationID",
            "n >= gl_SubgroupInvocationID",
        ],
    );
    let steps = writer
        .set_bits("some", &format!("if ({test}) {{\nat = i;\nhas = true;\n}}\nn = n + 1u;\n"));
    let target = format!(
        "{some}uint at = {LANE};\nbool has = false;\nuint n = {from};\n{steps}\
         uint v = subgroupShuffle(x, at);\nreturn has ? v : 0u;\n"
    );
    Text::of_two(writer, source, target)
}
