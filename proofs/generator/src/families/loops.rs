//! Reductions and scans by loops over lanes, over bits of ballots, and in logarithmic steps.

use crate::text::{Text, pick};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const ALL: &str = "subgroupBallot(true)";

fn reduce(writer: &Writer) -> String {
    format!("return {};\n", writer.group("", "x"))
}

fn inclusive(writer: &Writer) -> String {
    format!("return {};\n", writer.group("Inclusive", "x"))
}

fn exclusive(writer: &Writer) -> String {
    format!("return {};\n", writer.group("Exclusive", "x"))
}

fn started(writer: &Writer, from: &str, body: &str) -> String {
    format!("{} r = {from};\n{body}return r;\n", writer.ty())
}

pub(crate) fn butterfly(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(if variant == 1 { 2 } else { 1 }, |step| {
        let other = match variant {
            2 => format!("subgroupShuffleXor(x, {step})"),
            _ => format!("subgroupShuffleXor(r, {step})"),
        };
        format!("r = {};\n", writer.combine("r", &other))
    });
    Text::of(writer, reduce(writer), started(writer, "x", &body))
}

pub(crate) fn butterfly_by_lane(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(1, |step| {
        let operation = pick(variant, ["^", "&", "|"]);
        let other = format!("subgroupShuffle(r, {LANE} {operation} {step})");
        format!("r = {};\n", writer.combine("r", &other))
    });
    Text::of(writer, reduce(writer), started(writer, "x", &body))
}

pub(crate) fn lanes(writer: &Writer, variant: usize) -> Text {
    let body = writer.lanes(usize::from(variant == 1) as u32, |lane| {
        let condition = match variant {
            2 => format!("{lane} <= {LANE}"),
            _ => writer.bit("live", lane),
        };
        format!(
            "if ({}) {{\n{} y = subgroupShuffle(x, {lane});\n{}}}\n",
            writer.bit("live", lane),
            writer.ty(),
            writer.guarded("r", "y", &condition),
        )
    });
    let body = format!("uvec4 live = {ALL};\n{body}");
    let from = writer.neutral();
    Text::of(writer, reduce(writer), started(writer, &from, &body))
}

pub(crate) fn set_bits(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["i", "i", "i ^ 1u"]);
    let one = writer.combine("r", &format!("subgroupShuffle(x, {lane})"));
    let body = writer.set_bits(ALL, &format!("r = {one};\n"));
    let from = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    Text::of(writer, reduce(writer), started(writer, &from, &body))
}

pub(crate) fn fast_path(writer: &Writer, variant: usize) -> Text {
    let step = writer.combine("r", "subgroupShuffleXor(r, k)");
    let one = writer.combine("r", "subgroupShuffle(x, i)");
    let slow = writer.set_bits("live", &format!("r = {one};\n"));
    let full = pick(variant, ["== gl_SubgroupSize", "!= 1u", "== gl_SubgroupSize"]);
    let from = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let body = format!(
        "uvec4 live = {ALL};\nif ({} {full}) {{\nr = x;\n\
         for (uint k = 1u; k < gl_SubgroupSize; k <<= 1u) r = {step};\n}} else {{\n{slow}}}\n",
        writer.count("live"),
    );
    Text::of(writer, reduce(writer), started(writer, &from, &body))
}

fn scan_steps(writer: &Writer, variant: usize) -> String {
    writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        let condition = format!("{LANE} {} {step}", pick(variant, [">=", ">", ">="]));
        format!(
            "{{\n{} y = subgroupShuffleUp(r, {step});\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &condition),
        )
    })
}

pub(crate) fn hillis_steele(writer: &Writer, variant: usize) -> Text {
    let body = scan_steps(writer, variant);
    Text::of(writer, inclusive(writer), started(writer, "x", &body))
}

pub(crate) fn hillis_steele_exclusive(writer: &Writer, variant: usize) -> Text {
    let body = scan_steps(writer, if variant == 2 { 2 } else { 0 });
    let first = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let body = format!(
        "{body}{} before = subgroupShuffleUp(r, 1u);\nr = {LANE} == 0u ? {first} : before;\n",
        writer.ty()
    );
    Text::of(writer, exclusive(writer), started(writer, "x", &body))
}

pub(crate) fn sklansky(writer: &Writer, variant: usize) -> Text {
    let body = writer.doubling(1, |step| {
        let below = match variant {
            1 => format!("({LANE} & ~({step} - 1u))"),
            2 => format!("{LANE} - {step}"),
            _ => format!("({LANE} & ~({step} - 1u)) - 1u"),
        };
        let condition = format!("({LANE} & {step}) != 0u");
        format!(
            "{{\nuint below = {condition} ? {below} : {LANE};\n\
             {} y = subgroupShuffle(r, below);\n{}}}\n",
            writer.ty(),
            writer.guarded("r", "y", &condition),
        )
    });
    Text::of(writer, inclusive(writer), started(writer, "x", &body))
}

fn scan_over_lanes(writer: &Writer, first: u32, order: &str) -> String {
    let body = writer.lanes(first, |lane| {
        format!(
            "if ({}) {{\n{} y = subgroupShuffle(x, {lane});\n{}}}\n",
            writer.bit("live", lane),
            writer.ty(),
            writer.guarded("r", "y", &format!("{lane} {order} {LANE}")),
        )
    });
    format!("uvec4 live = {ALL};\n{body}")
}

pub(crate) fn lanes_scan(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<=", "<", "<="]);
    let body = scan_over_lanes(writer, u32::from(variant == 2), order);
    let from = writer.neutral();
    Text::of(writer, inclusive(writer), started(writer, &from, &body))
}

pub(crate) fn lanes_scan_exclusive(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<", "<=", "<"]);
    let body = scan_over_lanes(writer, 0, order);
    let from = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    Text::of(writer, exclusive(writer), started(writer, &from, &body))
}

pub(crate) fn set_bits_scan(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<=", "<", ">="]);
    let one = format!(
        "{} y = subgroupShuffle(x, i);\n{}",
        writer.ty(),
        writer.guarded("r", "y", &format!("i {order} {LANE}")),
    );
    let body = writer.set_bits(ALL, &one);
    let from = writer.neutral();
    Text::of(writer, inclusive(writer), started(writer, &from, &body))
}

pub(crate) fn pointer_jumping(writer: &Writer, variant: usize) -> Text {
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupLtMask"]);
    let steps = writer.doubling(if variant == 2 { 2 } else { 1 }, |_| {
        format!(
            "{{\nuint from = has ? before : {LANE};\n{} y = subgroupShuffle(r, from);\n\
             uint further = subgroupShuffle(before, from);\n\
             bool more = subgroupShuffle(has ? 1u : 0u, from) != 0u;\n\
             {}before = has ? further : before;\nhas = has && more;\n}}\n",
            writer.ty(),
            writer.guarded("r", "y", "has"),
        )
    });
    let body = format!(
        "uvec4 lower = {ALL} & {below};\nbool has = any(notEqual(lower, uvec4(0)));\n\
         uint before = has ? subgroupBallotFindMSB(lower) : {LANE};\n{steps}"
    );
    Text::of(writer, inclusive(writer), started(writer, "x", &body))
}

pub(crate) fn clustered_butterfly(writer: &Writer, variant: usize) -> Text {
    let bound = pick(variant, ["4u", "2u", "8u"]);
    let step = writer.combine("r", "subgroupShuffleXor(r, k)");
    let body = format!("for (uint k = 1u; k < {bound}; k <<= 1u) r = {step};\n");
    let source = format!("return {};\n", writer.group("Clustered", "x, 4u"));
    Text::of(writer, source, started(writer, "x", &body))
}

pub(crate) fn clustered_lanes(writer: &Writer, variant: usize) -> Text {
    let first = pick(variant, ["~3u", "~1u", "~3u"]);
    let from = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let body = format!(
        "uvec4 live = {ALL};\nfor (uint j = 0u; j < 4u; j++) {{\n\
         uint i = ({LANE} & {first}) + j;\nbool here = {};\n\
         {} y = subgroupShuffle(x, here ? i : {LANE});\n{}}}\n",
        writer.bit("live", "i"),
        writer.ty(),
        writer.guarded("r", "y", "here"),
    );
    let source = format!("return {};\n", writer.group("Clustered", "x, 4u"));
    Text::of(writer, source, started(writer, &from, &body))
}
