//! Group operations in branches, cases, loops and waterfalls, as masked ones outside.

use crate::family::{ALL, ANY, Family, SUM, SUMS, UINT, ZERO, family};
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";

pub(crate) const FAMILIES: &[Family] = &[
    family("control/both-sides", "8", ALL, ANY, both_sides),
    family("control/nested", "8", ALL, ANY, nested),
    family("control/cases", "8", ALL, ANY, cases),
    family("control/loop-over-keys", "8", ALL, ANY, loop_over_keys),
    family("control/waterfall-by-mask", "bw8", ALL, UINT, waterfall_by_mask),
    family("control/waterfall-by-flag", "w8", ALL, UINT, waterfall_by_flag),
    family("control/waterfall-of-loads", "-w8", SUM, UINT, waterfall_of_loads),
    family("control/two-loops", "b8", ALL, ANY, two_loops),
    family("control/loop-in-branch", "b8", ALL, ANY, loop_in_branch),
    family("control/nested-loops", "gb8", ALL, ANY, nested_loops),
    family("control/uniform-return", "8", ZERO, UINT, uniform_return),
    family("control/lane-return", "8", ZERO, UINT, lane_return),
    family("control/trip-count", "s8", SUMS, UINT, trip_count),
    family("control/barrier-in-loop", "d8", ALL, UINT, barrier_in_loop),
    family("control/return-before-barrier", "d8", ALL, UINT, return_before_barrier),
    family("control/served-one-by-one", "8", ALL, ANY, served),
    family("control/accumulated-before", "8", SUMS, UINT, accumulated),
    family("control/continue", "b8", ALL, ANY, continued),
];

/// Of a payload and a number that decides.
fn deciding(writer: &Writer, source: String, target: String) -> Text {
    let ty = writer.ty();
    Text::with(&format!("{ty} x, uint c"), ty, source, target)
}

/// The operation on the values of lanes where a condition holds.
fn masked(writer: &Writer, condition: &str, value: &str) -> String {
    writer.group("", &format!("({condition}) ? {value} : {}", writer.neutral()))
}

fn both_sides(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let group = writer.group("", "x");
    let source = format!(
        "{ty} r = x;\nif (c > 3u) {{\nr = {group};\n}} else {{\nr = {group};\n}}\nreturn r;\n"
    );
    let (yes, no) = (
        pick(variant, ["c > 3u", "c >= 3u", "c > 3u"]),
        pick(variant, ["!(c > 3u)", "!(c > 3u)", "true"]),
    );
    let target = format!(
        "{ty} yes = {};\n{ty} no = {};\nreturn (c > 3u) ? yes : no;\n",
        masked(writer, yes, "x"),
        masked(writer, no, "x"),
    );
    deciding(writer, source, target)
}

fn nested(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let group = writer.group("", "x");
    let source =
        format!("{ty} r = x;\nif (c > 3u) {{\nif ((c & 1u) != 0u) r = {group};\n}}\nreturn r;\n");
    let both = pick(variant, ["&&", "||", "&&"]);
    let condition = format!("c > 3u {both} (c & 1u) != 0u");
    let last = if variant == 2 { "c > 3u" } else { condition.as_str() };
    let target =
        format!("{ty} all = {};\nreturn ({last}) ? all : x;\n", masked(writer, &condition, "x"));
    deciding(writer, source, target)
}

fn cases(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let kind = |kind: &str| writer.group(kind, "x");
    let source = format!(
        "{ty} r = x;\nswitch (c & 3u) {{\ncase 0u:\nr = {};\nbreak;\ncase 1u:\nr = {};\nbreak;\n\
         default:\nr = x;\nbreak;\n}}\nreturn r;\n",
        kind(""),
        kind("Inclusive"),
    );
    let of = pick(variant, ["Inclusive", "Exclusive", "Inclusive"]);
    let first = pick(variant, ["k == 0u", "k == 0u", "k <= 1u"]);
    let scan = writer.group(of, &format!("(k == 1u) ? x : {}", writer.neutral()));
    let target = format!(
        "uint k = c & 3u;\n{ty} zero = {};\n{ty} one = {scan};\n\
         return (k == 0u) ? zero : ((k == 1u) ? one : x);\n",
        masked(writer, first, "x"),
    );
    deciding(writer, source, target)
}

fn loop_over_keys(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let source = format!(
        "uint k = c & 3u;\n{ty} r = x;\nfor (uint j = 0u; j < 4u; j++) {{\n\
         if (k == j) r = {};\n}}\nreturn r;\n",
        writer.group("", "x")
    );
    let last = pick(variant, ["4u", "3u", "4u"]);
    let order = pick(variant, ["==", "==", ">="]);
    let target = format!(
        "uint k = c & 3u;\n{ty} r = x;\nfor (uint j = 0u; j < {last}; j++) {{\n\
         {ty} all = {};\nr = (k == j) ? all : r;\n}}\nreturn r;\n",
        masked(writer, &format!("k {order} j"), "x")
    );
    deciding(writer, source, target)
}

/// By key, of four.
fn partitioned(writer: &Writer) -> String {
    let ty = writer.ty();
    format!(
        "uint k = c & 3u;\n{ty} r = x;\nfor (uint j = 0u; j < 4u; j++) {{\n{ty} all = {};\n\
         r = (k == j) ? all : r;\n}}\nreturn r;\n",
        writer.group("", &format!("(k == j) ? x : {}", writer.neutral()))
    )
}

fn waterfall_by_mask(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let value = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let count = writer.count("left");
    let lane = pick(
        variant,
        [
            "subgroupBallotFindLSB(left)",
            "subgroupBallotFindLSB(left)",
            "subgroupBallotFindMSB(left)",
        ],
    );
    let other = if variant == 2 { "k >= u" } else { "k == u" };
    let target = format!(
        "uint k = c & 3u;\n{ty} r = x;\nuvec4 left = subgroupBallot(true);\n\
         while (({count}) != 0u) {{\nuint u = subgroupShuffle(k, {lane});\n\
         {ty} all = {};\nif (k == u) r = all;\nleft = left & ~subgroupBallot(k == u);\n}}\nreturn r;\n",
        writer.group("", &format!("({other}) ? x : {value}"))
    );
    deciding(writer, partitioned(writer), target)
}

fn waterfall_by_flag(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let mine = pick(variant, ["!done && k == u", "!done && k >= u", "k == u || done"]);
    let target = format!(
        "uint k = c & 3u;\n{ty} r = x;\nbool done = false;\nwhile (subgroupAny(!done)) {{\n\
         uint lane = subgroupBallotFindLSB(subgroupBallot(!done));\nuint u = subgroupShuffle(k, lane);\n\
         bool mine = {mine};\n{ty} all = {};\nif (mine) {{\nr = all;\ndone = true;\n}}\n}}\nreturn r;\n",
        masked(writer, "mine", "x")
    );
    deciding(writer, partitioned(writer), target)
}

/// A value that is looked up by a uniform index each time.
fn waterfall_of_loads(writer: &Writer, variant: usize) -> Text {
    let source = "return subgroupShuffle(x, c & (gl_SubgroupSize - 1u));\n".to_owned();
    let own = pick(variant, ["i == first", "i >= first", "i == first"]);
    let lane = pick(variant, ["first", "first", "first ^ 1u"]);
    let target = format!(
        "uint i = c & (gl_SubgroupSize - 1u);\nuint r = 0u;\nbool done = false;\n\
         while (subgroupAny(!done)) {{\n\
         uint lane = subgroupBallotFindLSB(subgroupBallot(!done));\n\
         uint first = subgroupShuffle(i, lane);\nuint v = subgroupShuffle(x, {lane});\n\
         if (!done && {own}) {{\nr = v;\ndone = true;\n}}\n}}\nreturn r;\n"
    );
    deciding(writer, source, target)
}

fn two_loops(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let live = "subgroupBallot(true)";
    let step = |into: &str, of: &str| {
        format!("{into} = {};\n", writer.combine(into, &format!("subgroupShuffle({of}, i)")))
    };
    let source = format!(
        "{ty} a = {};\n{ty} b = {};\nreturn {};\n",
        writer.group("", "x"),
        writer.group("", "y"),
        writer.combine("a", "b")
    );
    let first = writer.set_bits(live, &step("a", "x"));
    let second = writer.set_bits(live, &step("b", pick(variant, ["y", "y", "x"])));
    let (start, neutral) = match variant {
        1 => (writer.not_neutral(), writer.neutral()),
        _ => (writer.neutral(), writer.neutral()),
    };
    let target = format!(
        "{ty} a = {start};\n{ty} b = {neutral};\n{{\n{first}}}\n{{\n{second}}}\nreturn {};\n",
        writer.combine("a", "b")
    );
    Text::of_two(writer, source, target)
}

fn loop_in_branch(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let source = format!("{ty} r = x;\nif (c > 3u) r = {};\nreturn r;\n", writer.group("", "x"));
    let one = writer.combine("a", "subgroupShuffle(x, i)");
    let live = if variant == 1 { "live" } else { "subgroupBallot(true)" };
    let steps = writer.set_bits(live, &format!("a = {one};\n"));
    let from = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let least = if variant == 1 { "4u" } else { "3u" };
    let target = format!(
        "{ty} r = x;\nuvec4 live = subgroupBallot(c > {least});\nif (c > 3u) {{\n{ty} a = {from};\n\
         {steps}r = a;\n}}\nreturn r;\n"
    );
    deciding(writer, source, target)
}

fn nested_loops(writer: &Writer, variant: usize) -> Text {
    let outer =
        pick(variant, ["gl_SubgroupSize >> 2", "gl_SubgroupSize >> 3", "gl_SubgroupSize >> 2"]);
    let inner = pick(variant, ["4u", "4u", "3u"]);
    let one = writer.guarded("r", "subgroupShuffle(x, i)", &writer.bit("live", "i"));
    let target = format!(
        "uvec4 live = subgroupBallot(true);\n{} r = {};\nfor (uint j = 0u; j < {inner}; j++) {{\n\
         for (uint h = 0u; h < {outer}; h++) {{\nuint i = h * 4u + j;\nif ({}) {{\n{one}}}\n}}\n}}\n\
         return r;\n",
        writer.ty(),
        writer.neutral(),
        writer.bit("live", "i"),
    );
    Text::of(writer, returned(&writer.group("", "x")), target)
}

/// Where nothing is to be done, all leave.
fn uniform_return(writer: &Writer, variant: usize) -> Text {
    let test =
        pick(variant, ["subgroupAll(x == 0u)", "subgroupAny(x == 0u)", "subgroupAll(x <= 1u)"]);
    let target = format!("if ({test}) return 0u;\nreturn {};\n", writer.group("", "x"));
    Text::of(writer, returned(&writer.group("", "x")), target)
}

fn lane_return(writer: &Writer, variant: usize) -> Text {
    let source = format!("uint all = {};\nreturn (x == 0u) ? 0u : all;\n", writer.group("", "x"));
    let test = pick(variant, ["x == 0u", "x <= 1u", "x == 0u"]);
    let last = if variant == 2 { writer.group("Inclusive", "x") } else { writer.group("", "x") };
    Text::of(writer, source, format!("if ({test}) return 0u;\nreturn {last};\n"))
}

fn trip_count(writer: &Writer, variant: usize) -> Text {
    let group = writer.group("", "x + i");
    let head = "uint n = subgroupBroadcastFirst(y) & 7u;\n";
    let source = format!(
        "{head}uint r = 0u;\nfor (uint i = 0u; i < n; i++) r = {};\nreturn r;\n",
        writer.combine("r", &group)
    );
    let first = pick(variant, ["0u", "1u", "0u"]);
    let value = pick(variant, ["x + j", "x + j", "x"]);
    let target = format!(
        "{head}uint r = 0u;\nuint left = n;\nuint j = {first};\nwhile (left > 0u) {{\n\
         r = {};\nj = j + 1u;\nleft = left - 1u;\n}}\nreturn r;\n",
        writer.combine("r", &writer.group("", value))
    );
    Text::of_two(writer, source, target)
}

fn barrier_in_loop(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["1u", "2u", "1u"]);
    let both = writer.combine("r", "cells[gl_SubgroupInvocationID ^ k]");
    let source = {
        let a = writer.combine("x", "subgroupShuffleXor(x, 1u)");
        format!("uint a = {a};\nreturn {};\n", writer.combine("a", "subgroupShuffleXor(a, 2u)"))
    };
    let last = if variant == 2 { "2u" } else { "4u" };
    let target = format!(
        "uint r = x;\nfor (uint k = {lane}; k < {last}; k <<= 1u) {{\ncells[{LANE}] = r;\n\
         subgroupBarrier();\nr = {both};\nsubgroupBarrier();\n}}\nreturn r;\n"
    );
    Text::of(writer, source, target).sharing("uint cells[128]")
}

fn return_before_barrier(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "uint u = subgroupBroadcastFirst(y);\nuint r = {};\nreturn (u > 1u) ? x : r;\n",
        writer.combine("x", "subgroupShuffleXor(x, 1u)")
    );
    let test = pick(variant, ["u > 1u", "u >= 1u", "u > 1u"]);
    let other = pick(variant, ["1u", "1u", "2u"]);
    let target = format!(
        "uint u = subgroupBroadcastFirst(y);\nif ({test}) return x;\ncells[{LANE}] = x;\n\
         subgroupBarrier();\nreturn {};\n",
        writer.combine("x", &format!("cells[gl_SubgroupInvocationID ^ {other}]"))
    );
    Text::of_two(writer, source, target).sharing("uint cells[128]")
}

/// One lane after the other, until none is left.
fn served(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let order = pick(variant, ["==", "<=", "=="]);
    let from = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let target = format!(
        "{ty} r = {from};\nbool done = false;\nwhile (subgroupAny(!done)) {{\n\
         uint lane = subgroupBallotFindLSB(subgroupBallot(!done));\n\
         {ty} y = subgroupShuffle(x, lane);\nr = {};\nif ({LANE} {order} lane + {}u) done = true;\n}}\n\
         return r;\n",
        writer.combine("r", "y"),
        u32::from(variant == 1),
    );
    Text::of(writer, returned(&writer.group("", "x")), target)
}

fn accumulated(writer: &Writer, variant: usize) -> Text {
    let source = format!(
        "uint r = 0u;\nfor (uint j = 0u; j < 4u; j++) {{\nr = {};\n}}\nreturn r;\n",
        writer.combine("r", &writer.group("", "(x >> j) & 7u"))
    );
    let last = pick(variant, ["4u", "3u", "4u"]);
    let mask = pick(variant, ["7u", "7u", "6u"]);
    let target = format!(
        "uint a = 0u;\nfor (uint j = 0u; j < {last}; j++) {{\na = {};\n}}\nreturn {};\n",
        writer.combine("a", &format!("(x >> j) & {mask}")),
        writer.group("", "a"),
    );
    Text::of(writer, source, target)
}

fn continued(writer: &Writer, variant: usize) -> Text {
    let test = format!("!({})", writer.bit("live", "i"));
    let from = pick(variant, ["0u", "1u", "0u"]);
    let lane = pick(variant, ["i", "i", "i & 2u"]);
    let target = format!(
        "uvec4 live = subgroupBallot(c > 3u);\n{} r = {};\n\
         for (uint i = {from}; i < gl_SubgroupSize; i++) {{\nif ({test}) continue;\n\
         r = {};\n}}\nreturn r;\n",
        writer.ty(),
        writer.neutral(),
        writer.combine("r", &format!("subgroupShuffle(x, {lane})"))
    );
    deciding(writer, returned(&masked(writer, "c > 3u", "x")), target)
}
