//! Results through memory that the workgroup shares.

use crate::family::{ALL, ANY, Family, SUM, UINT, family};
use crate::style::Operator;
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";
const SIZE: &str = "gl_SubgroupSize";
const MEET: &str = "subgroupBarrier();\n";
const NO_PRODUCT: &[Operator] =
    &[Operator::Add, Operator::Min, Operator::Max, Operator::And, Operator::Or, Operator::Xor];

pub(crate) const FAMILIES: &[Family] = &[
    family("memory/scan-by-one-lane", "f0", ALL, ANY, scan_by_one_lane),
    family("memory/scan-in-steps", "fs0", ALL, ANY, scan_in_steps),
    family("memory/tree", "f0", ALL, ANY, tree),
    family("memory/reduce-by-one-lane", "b0", ALL, ANY, reduce_by_one_lane),
    family("memory/reduce-by-all", "gs0", ALL, ANY, reduce_by_all),
    family("memory/broadcast", "-0", SUM, ANY, broadcast),
    family("memory/exchange", "-0", SUM, ANY, exchange),
    family("memory/reversed", "-0", SUM, ANY, reversed),
    family("memory/result-broadcast", "0", ALL, ANY, result_broadcast),
    family("memory/compaction", "b-0", SUM, UINT, compaction),
    family("memory/atomic", "0", NO_PRODUCT, UINT, atomic),
    family("memory/aggregated-atomic", "0", NO_PRODUCT, UINT, aggregated),
    family("memory/histogram", "b-0", SUM, UINT, histogram),
    family("memory/strides", "f-0", SUM, UINT, strides),
];

fn sharing(writer: &Writer, source: String, target: String) -> Text {
    let shared = format!("{} cells[128]", writer.ty());
    Text::of(writer, source, target).sharing(&shared)
}

fn scan_by_one_lane(writer: &Writer, variant: usize) -> Text {
    let first = pick(variant, ["0u", "1u", "0u"]);
    let both = writer.combine("a", "cells[i]");
    let step = match variant {
        2 => format!(
            "{} old = cells[i];\ncells[i] = a;\na = {};\n",
            writer.ty(),
            writer.combine("a", "old")
        ),
        _ => format!("a = {both};\ncells[i] = a;\n"),
    };
    let target = format!(
        "cells[{LANE}] = x;\n{MEET}if ({LANE} == 0u) {{\n{} a = {};\n\
         for (uint i = {first}; i < {SIZE}; i++) {{\n{step}}}\n}}\n{MEET}return cells[{LANE}];\n",
        writer.ty(),
        writer.neutral(),
    );
    sharing(writer, returned(&writer.group("Inclusive", "x")), target)
}

fn scan_in_steps(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, [">=", ">", ">="]);
    let body = writer.doubling(if variant == 2 { 2 } else { 1 }, |step| {
        format!(
            "{{\n{} y = cells[({LANE} >= {step}) ? ({LANE} - {step}) : {LANE}];\n{MEET}\
             if ({LANE} {order} {step}) cells[{LANE}] = {};\n{MEET}}}\n",
            writer.ty(),
            writer.combine("cells[gl_SubgroupInvocationID]", "y"),
        )
    });
    let target = format!("cells[{LANE}] = x;\n{MEET}{body}return cells[{LANE}];\n");
    sharing(writer, returned(&writer.group("Inclusive", "x")), target)
}

fn tree(writer: &Writer, variant: usize) -> Text {
    let from = pick(variant, [">> 1u", ">> 2u", ">> 1u"]);
    let cell = pick(variant, ["0u", "0u", "1u"]);
    let both =
        writer.combine("cells[gl_SubgroupInvocationID]", "cells[gl_SubgroupInvocationID + k]");
    let target = format!(
        "cells[{LANE}] = x;\n{MEET}for (uint k = {SIZE} {from}; k > 0u; k >>= 1u) {{\n\
         if ({LANE} < k) cells[{LANE}] = {both};\n{MEET}}}\nreturn cells[{cell}];\n"
    );
    sharing(writer, returned(&writer.group("", "x")), target)
}

fn reduce_by_one_lane(writer: &Writer, variant: usize) -> Text {
    let from = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let cell = pick(variant, ["i", "i", "first"]);
    let one = writer.combine("a", &format!("cells[{cell}]"));
    let steps = writer.set_bits("live", &format!("a = {one};\n"));
    let target = format!(
        "uvec4 live = subgroupBallot(true);\nuint first = subgroupBallotFindLSB(live);\n\
         cells[{LANE}] = x;\n{MEET}if ({LANE} == first) {{\n{} a = {from};\n{steps}\
         cells[first] = a;\n}}\n{MEET}return cells[first];\n",
        writer.ty(),
    );
    sharing(writer, returned(&writer.group("", "x")), target)
}

fn reduce_by_all(writer: &Writer, variant: usize) -> Text {
    let neutral = writer.neutral();
    let from = if variant == 1 { writer.not_neutral() } else { neutral };
    let body = writer.lanes(if variant == 2 { 1 } else { 0 }, |lane| {
        let one = format!("cells[{lane}]");
        writer.guarded("r", &one, &writer.bit("live", lane))
    });
    let target = format!(
        "uvec4 live = subgroupBallot(true);\ncells[{LANE}] = x;\n{MEET}{} r = {from};\n\
         {body}return r;\n",
        writer.ty()
    );
    // A cell that no lane wrote is not defined, and only chosen or masked out.
    sharing(writer, returned(&writer.group("", "x")), target)
}

fn broadcast(writer: &Writer, variant: usize) -> Text {
    let lane = pick(variant, ["first", "0u", "subgroupBallotFindMSB(live)"]);
    let target = format!(
        "uvec4 live = subgroupBallot(true);\nuint first = subgroupBallotFindLSB(live);\n\
         if ({LANE} == {lane}) cells[0] = x;\n{MEET}return cells[0];\n"
    );
    sharing(writer, returned("subgroupBroadcastFirst(x)"), target)
}

fn exchange(writer: &Writer, variant: usize) -> Text {
    let other = pick(variant, ["^ 1u", "^ 2u", "| 1u"]);
    let target = format!("cells[{LANE}] = x;\n{MEET}return cells[{LANE} {other}];\n");
    sharing(writer, returned("subgroupShuffleXor(x, 1u)"), target)
}

fn reversed(writer: &Writer, variant: usize) -> Text {
    let last = pick(variant, ["1u", "2u", "1u"]);
    let own = if variant == 2 { format!("({LANE} ^ 1u)") } else { LANE.to_owned() };
    let source = format!("subgroupShuffle(x, {SIZE} - 1u - {LANE})");
    let target = format!(
        "cells[{LANE}] = x;\n{MEET}return cells[({SIZE} - {last} - {own}) & ({SIZE} - 1u)];\n"
    );
    sharing(writer, returned(&source), target)
}

fn result_broadcast(writer: &Writer, variant: usize) -> Text {
    let value = if variant == 1 { "x".to_owned() } else { writer.group("", "x") };
    let lane = if variant == 2 { "cells[1]" } else { "cells[0]" };
    let target = format!(
        "{} all = {value};\nuint first = subgroupBallotFindLSB(subgroupBallot(true));\n\
         if ({LANE} == first) cells[0] = all;\n{MEET}return {lane};\n",
        writer.ty()
    );
    sharing(writer, returned(&writer.group("", "x")), target)
}

fn compaction(writer: &Writer, variant: usize) -> Text {
    let steps = writer.set_bits(
        "some",
        &format!("uint v = subgroupShuffle(x, i);\nif (n == {LANE}) r = v;\nn = n + 1u;\n"),
    );
    let some = "uvec4 some = subgroupBallot(y > 4u);\n";
    let source = format!("{some}uint r = 0u;\nuint n = 0u;\n{steps}return r;\n");
    let below = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupLtMask"]);
    let rank = writer.count(&format!("(some & {below})"));
    let all = writer.count("some");
    let order = pick(variant, ["<", "<", "<="]);
    let target = format!(
        "{some}uint rank = {rank};\nif (y > 4u) cells[rank] = x;\n{MEET}\
         uint n = {all};\nuint r = 0u;\nif ({LANE} {order} n) r = cells[{LANE}];\nreturn r;\n"
    );
    Text::of_two(writer, source, target).sharing("uint cells[128]")
}

fn atomic(writer: &Writer, variant: usize) -> Text {
    let from = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let value = if variant == 2 { "x & 7u" } else { "x" };
    let target = format!(
        "uint first = subgroupBallotFindLSB(subgroupBallot(true));\n\
         if ({LANE} == first) cells[0] = {from};\n{MEET}atomic{}(cells[0], {value});\n\
         {MEET}return cells[0];\n",
        writer.operator.name(),
    );
    sharing(writer, returned(&writer.group("", "x")), target)
}

/// One lane adds what the lanes of two sets have, one after the other.
fn aggregated(writer: &Writer, variant: usize) -> Text {
    let (name, neutral) = (writer.operator.name(), writer.neutral());
    let part = writer.group("", &format!("c ? x : {neutral}"));
    let rest = writer.group("", &format!("c ? {neutral} : x"));
    let second = if variant == 1 { "part" } else { "rest" };
    let last = if variant == 2 { "part" } else { "cells[0]" };
    let target = format!(
        "uint first = subgroupBallotFindLSB(subgroupBallot(true));\nbool c = (x & 2u) != 0u;\n\
         uint part = {part};\nuint rest = {rest};\nif ({LANE} == first) {{\n\
         cells[0] = {neutral};\natomic{name}(cells[0], part);\natomic{name}(cells[0], {second});\n}}\n\
         {MEET}return {last};\n"
    );
    sharing(writer, returned(&writer.group("", "x")), target)
}

fn histogram(writer: &Writer, variant: usize) -> Text {
    let count = writer.count("subgroupBallot(k == j)");
    let source = format!(
        "uint k = x & 3u;\nuint r = 0u;\nfor (uint j = 0u; j < 4u; j++) {{\nuint n = {count};\n\
         if (k == j) r = n;\n}}\nreturn r;\n"
    );
    let (from, by) = (pick(variant, ["0u", "1u", "0u"]), pick(variant, ["1u", "1u", "k"]));
    let target = format!(
        "uint k = x & 3u;\nuint first = subgroupBallotFindLSB(subgroupBallot(true));\n\
         if ({LANE} == first) {{\nfor (uint j = 0u; j < 4u; j++) cells[j] = {from};\n}}\n\
         {MEET}atomicAdd(cells[k], {by});\n{MEET}return cells[k];\n"
    );
    sharing(writer, source, target)
}

/// A loop over four times the lanes, with a stride.
fn strides(writer: &Writer, variant: usize) -> Text {
    let last = format!("{MEET}return cells[({LANE} * 5u + 3u) & (4u * {SIZE} - 1u)];\n");
    let source =
        format!("for (uint i = {LANE}; i < 4u * {SIZE}; i += {SIZE}) cells[i] = x + i;\n{last}");
    let at = match variant {
        0 => format!("{LANE} + j * {SIZE}"),
        1 => format!("{LANE} + j * ({SIZE} - 1u)"),
        _ => format!("{LANE} * 4u + j"),
    };
    let target =
        format!("for (uint j = 0u; j < 4u; j++) {{\nuint i = {at};\ncells[i] = x + i;\n}}\n{last}");
    Text::of(writer, source, target).sharing("uint cells[512]")
}
