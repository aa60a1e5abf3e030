//! Loops over lanes with a carry, two accumulators, an order of their own.

use crate::family::{ALL, ANY, Family, family};
use crate::text::{Text, exclusive, inclusive, pick, reduce};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const SIZE: &str = "gl_SubgroupSize";
const LIVE: &str = "uvec4 live = subgroupBallot(true);\n";

pub(crate) const FAMILIES: &[Family] = &[
    family("lanes/first-then-rest", "b2", ALL, ANY, first_then_rest),
    family("lanes/handed-on", "fgs2", ALL, ANY, handed_on),
    family("lanes/around", "fs2", ALL, ANY, around),
    family("lanes/pairs", "f2", ALL, ANY, pairs),
    family("lanes/two-accumulators", "gb2", ALL, ANY, two_accumulators),
    family("lanes/carry-before", "gsb2", ALL, ANY, carry_before),
    family("lanes/scan-falling", "gb2", ALL, ANY, scan_falling),
    family("lanes/strided", "gb2", ALL, ANY, strided),
    family("lanes/up-to-own", "gb2", ALL, ANY, up_to_own),
    family("lanes/of-partition", "gsb2", ALL, ANY, of_partition),
    family("lanes/scan-of-partition", "gsb2", ALL, ANY, scan_of_partition),
    family("lanes/reduce-and-scan", "b2", ALL, ANY, reduce_and_scan),
    family("lanes/halves-of-ballot", "g2", ALL, ANY, halves_of_ballot),
    family("lanes/exclusive-set-bits", "gb2", ALL, ANY, exclusive_set_bits),
    family("lanes/last-first", "2", ALL, ANY, last_first),
];

fn first_then_rest(writer: &Writer, variant: usize) -> Text {
    let other = pick(variant, ["i != first", "i > first + 1u", "i == first"]);
    let one = writer.combine("r", "subgroupShuffle(x, i)");
    let steps = writer.set_bits("live", &format!("if ({other}) r = {one};\n"));
    let target = format!(
        "{LIVE}uint first = subgroupBallotFindLSB(live);\n{} r = subgroupBroadcastFirst(x);\n{steps}\
         return r;\n",
        writer.ty()
    );
    Text::of(writer, reduce(writer), target)
}

/// Each lane takes the result of the one before it.
fn handed_on(writer: &Writer, variant: usize) -> Text {
    let order = if variant == 1 { ">=" } else { "==" };
    let before = if variant == 2 { "x" } else { "r" };
    let body = writer.lanes(1, |lane| {
        format!(
            "{{\n{} y = subgroupShuffle({before}, {lane} - 1u);\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &format!("{LANE} {order} {lane}")),
        )
    });
    // Idempotent operators forgive what is taken twice, but not what is taken too late.
    let body = match (variant, writer.operator.is_idempotent()) {
        (1, true) => body.replace(" - 1u)", " & 1u)"),
        _ => body,
    };
    Text::of(writer, inclusive(writer), format!("{} r = x;\n{body}return r;\n", writer.ty()))
}

fn around(writer: &Writer, variant: usize) -> Text {
    let step = if variant == 2 { "2u * " } else { "" };
    let body = writer.lanes(if variant == 1 { 2 } else { 1 }, |lane| {
        let other = format!("subgroupShuffle(x, ({LANE} + {step}{lane}) & ({SIZE} - 1u))");
        format!("r = {};\n", writer.combine("r", &other))
    });
    Text::of(writer, reduce(writer), format!("{} r = x;\n{body}return r;\n", writer.ty()))
}

fn pairs(writer: &Writer, variant: usize) -> Text {
    let (a, b) = (pick(variant, ["i", "i", "i + 1u"]), "i + 1u");
    let first = pick(variant, ["0u", "2u", "0u"]);
    let both =
        writer.combine(&format!("subgroupShuffle(x, {a})"), &format!("subgroupShuffle(x, {b})"));
    let target = format!(
        "{} r = {};\nfor (uint i = {first}; i < {SIZE}; i += 2u) r = {};\nreturn r;\n",
        writer.ty(),
        writer.neutral(),
        writer.combine("r", &both),
    );
    Text::of(writer, reduce(writer), target)
}

/// A value of a live lane, or nothing.
fn taken(writer: &Writer, into: &str, lane: &str) -> String {
    let value = format!("subgroupShuffle(x, {lane})");
    let bit = writer.bit("live", lane);
    format!("if ({bit}) {{\n{}}}\n", writer.guarded(into, &value, &bit))
}

fn two_accumulators(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let neutral = writer.neutral();
    let second = pick(variant, ["i + 1u", "i", "i + 1u"]);
    let both = if variant == 2 { "a".to_owned() } else { writer.combine("a", "b") };
    let target = format!(
        "{LIVE}{ty} a = {neutral};\n{ty} b = {neutral};\nfor (uint i = 0u; i < {SIZE}; i += 2u) {{\n\
         uint j = {second};\n{}{}}}\nreturn {both};\n",
        taken(writer, "a", "i"),
        taken(writer, "b", "j"),
    );
    Text::of(writer, reduce(writer), target)
}

fn carry_before(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let from = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let body = writer.lanes(0, |lane| {
        let own = format!("if ({LANE} == {lane}) r = carry;\n");
        let rest = format!(
            "if ({bit}) {{\n{ty} y = subgroupShuffle(x, {lane});\n{}}}\n",
            writer.guarded("carry", "y", &writer.bit("live", lane)),
            bit = writer.bit("live", lane),
        );
        if variant == 2 { rest + &own } else { own + &rest }
    });
    let target = format!("{LIVE}{ty} carry = {from};\n{ty} r = {from};\n{body}return r;\n");
    Text::of(writer, exclusive(writer), target)
}

fn scan_falling(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<=", "<", "<="]);
    let last = pick(variant, ["0u", "0u", "1u"]);
    let one = writer.guarded("r", "y", &format!("i {order} {LANE}"));
    let target = format!(
        "{LIVE}{ty} r = {};\nfor (uint n = {SIZE}; n > {last}; n--) {{\nuint i = n - 1u;\n\
         if ({}) {{\n{ty} y = subgroupShuffle(x, i);\n{one}}}\n}}\nreturn r;\n",
        writer.neutral(),
        writer.bit("live", "i"),
        ty = writer.ty(),
    );
    Text::of(writer, inclusive(writer), target)
}

/// In an order of its own: all odd lanes after the even ones, by a bit rotation.
fn strided(writer: &Writer, variant: usize) -> Text {
    let lane = match variant {
        0 => format!("(n * 2u) & ({SIZE} - 1u) | (n >= ({SIZE} >> 1) ? 1u : 0u)"),
        1 => format!("(n * 2u) & ({SIZE} - 1u)"),
        _ => format!("(n * 2u) & ({SIZE} - 1u) | (n > ({SIZE} >> 1) ? 1u : 0u)"),
    };
    let target = format!(
        "{LIVE}{} r = {};\nfor (uint n = 0u; n < {SIZE}; n++) {{\nuint i = {lane};\n{}}}\nreturn r;\n",
        writer.ty(),
        writer.neutral(),
        taken(writer, "r", "i"),
    );
    Text::of(writer, reduce(writer), target)
}

/// All lanes go through all, and take up to themselves by a mask.
fn up_to_own(writer: &Writer, variant: usize) -> Text {
    let mask = pick(variant, ["gl_SubgroupLeMask", "gl_SubgroupLtMask", "gl_SubgroupGeMask"]);
    let one = writer.guarded("r", "y", &writer.bit("mine", "i"));
    let steps =
        writer.set_bits("live", &format!("{} y = subgroupShuffle(x, i);\n{one}", writer.ty()));
    let target = format!(
        "{LIVE}uvec4 mine = live & {mask};\n{} r = {};\n{steps}return r;\n",
        writer.ty(),
        writer.neutral(),
    );
    Text::of(writer, inclusive(writer), target)
}

/// Of the lanes with the same bit.
fn partition(writer: &Writer, kind: &str, target: String) -> Text {
    let ty = writer.ty();
    let part =
        |condition: &str| writer.group(kind, &format!("({condition}) ? x : {}", writer.neutral()));
    let source = format!(
        "bool k = (c & 1u) != 0u;\n{ty} yes = {};\n{ty} no = {};\nreturn k ? yes : no;\n",
        part("k"),
        part("!k")
    );
    let head = "bool k = (c & 1u) != 0u;\nuvec4 yes = subgroupBallot(k);\n\
                uvec4 live = subgroupBallot(true);\nuvec4 same = k ? yes : (live & ~yes);\n";
    Text::with(&format!("{ty} x, uint c"), ty, source, format!("{head}{target}"))
}

fn partition_loop(writer: &Writer, first: u32, condition: impl Fn(&str) -> String) -> String {
    writer.lanes(first, |lane| {
        format!(
            "if ({}) {{\n{} y = subgroupShuffle(x, {lane});\n{}}}\n",
            writer.bit("live", lane),
            writer.ty(),
            writer.guarded("r", "y", &condition(lane)),
        )
    })
}

fn of_partition(writer: &Writer, variant: usize) -> Text {
    let mask = pick(variant, ["same", "same", "yes"]);
    let body = partition_loop(writer, u32::from(variant == 1), |lane| writer.bit(mask, lane));
    let target = format!("{} r = {};\n{body}return r;\n", writer.ty(), writer.neutral());
    partition(writer, "", target)
}

fn scan_of_partition(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<=", "<", "<="]);
    let mask = pick(variant, ["same", "same", "live"]);
    let body = partition_loop(writer, 0, |lane| {
        format!("({}) && {lane} {order} {LANE}", writer.bit(mask, lane))
    });
    let target = format!("{} r = {};\n{body}return r;\n", writer.ty(), writer.neutral());
    partition(writer, "Inclusive", target)
}

/// Both in one loop, of which one is used.
fn reduce_and_scan(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let source = format!(
        "{ty} all = {};\n{ty} own = {};\nreturn ((c & 1u) != 0u) ? all : own;\n",
        writer.group("", "x"),
        writer.group("Inclusive", "x"),
    );
    let order = pick(variant, ["==", "==", "<="]);
    let one = writer.combine("all", "subgroupShuffle(x, i)");
    let keep = format!("if (i {order} {LANE}) own = all;\n");
    let steps = match variant {
        1 => format!("{keep}all = {one};\n"),
        _ => format!("all = {one};\n{keep}"),
    };
    let swap = if variant == 2 { "own : all" } else { "all : own" };
    let target = format!(
        "{ty} all = {neutral};\n{ty} own = {neutral};\n{}return ((c & 1u) != 0u) ? {swap};\n",
        writer.set_bits("subgroupBallot(true)", &steps),
        neutral = writer.neutral(),
    );
    Text::with(&format!("{ty} x, uint c"), ty, source, target)
}

/// The lower words of a ballot in one loop, the upper ones in another.
fn halves_of_ballot(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let half = |from: &str, to: &str| {
        let one = writer.guarded("r", "y", "((live[i >> 5u] >> (i & 31u)) & 1u) != 0u");
        format!(
            "for (uint i = {from}; i < {to}; i++) {{\n\
             bool there = ((live[i >> 5u] >> (i & 31u)) & 1u) != 0u;\n\
             {ty} y = subgroupShuffle(x, there ? i : {LANE});\n{one}}}\n"
        )
    };
    let middle = format!("{SIZE} >> 1");
    let second = match variant {
        1 => format!("({middle}) + 1u"),
        2 => "0u".to_owned(),
        _ => middle.clone(),
    };
    let last = if variant == 2 { middle.clone() } else { SIZE.to_owned() };
    let target = format!(
        "{LIVE}{ty} r = {};\n{}{}return r;\n",
        writer.neutral(),
        half("0u", &middle),
        half(&second, &last),
    );
    Text::of(writer, reduce(writer), target)
}

fn exclusive_set_bits(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<", "<=", ">"]);
    let one = writer.guarded("r", "y", &format!("i {order} {LANE}"));
    let steps = writer.set_bits(
        "subgroupBallot(true)",
        &format!("{} y = subgroupShuffle(x, i);\n{one}", writer.ty()),
    );
    let target = format!("{} r = {};\n{steps}return r;\n", writer.ty(), writer.neutral());
    Text::of(writer, exclusive(writer), target)
}

/// From the highest bit of a ballot down.
fn last_first(writer: &Writer, variant: usize) -> Text {
    let from = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let lane = if variant == 2 { "subgroupBallotFindLSB(live)" } else { "i" };
    let target = format!(
        "{LIVE}uvec4 left = live;\n{} r = {from};\nwhile (any(notEqual(left, uvec4(0)))) {{\n\
         uint i = subgroupBallotFindMSB(left);\nr = {};\n\
         left[i >> 5u] &= ~(1u << (i & 31u));\n}}\nreturn r;\n",
        writer.ty(),
        writer.combine("r", &format!("subgroupShuffle(x, {lane})")),
    );
    Text::of(writer, reduce(writer), target)
}
