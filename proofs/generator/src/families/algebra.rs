//! Operations before and after a reduction or a scan, and reductions of parts.

use crate::family::{ALL, ANY, DUAL, EXTREMES, Family, SUM, SUMS, UINT, UNSIGNED, family};
use crate::style::Operator;
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";

pub(crate) const FAMILIES: &[Family] = &[
    family("algebra/of-both", "d4", ALL, ANY, of_both),
    family("algebra/scan-of-both", "d4", ALL, ANY, scan_of_both),
    family("algebra/part-and-rest", "g4", ALL, ANY, part_and_rest),
    family("algebra/uniform-operand", "d4", DUAL, UNSIGNED, uniform_operand),
    family("algebra/of-result", "4", DUAL, ANY, of_result),
    family("algebra/shifted-sum", "-4", SUM, UINT, shifted_sum),
    family("algebra/added-to-extreme", "-4", EXTREMES, UINT, added_to_extreme),
    family("algebra/negated-sum", "4", SUM, UNSIGNED, negated_sum),
    family("algebra/difference", "-4", SUM, UINT, difference),
    family("algebra/parity-of-sum", "-4", SUM, UINT, parity_of_sum),
    family("algebra/powers", "-4", SUM, UINT, powers),
    family("algebra/square-of-sum", "-4", SUM, UINT, square_of_sum),
    family(
        "algebra/uniform-mask",
        "d4",
        &[Operator::Or, Operator::Xor, Operator::And],
        UNSIGNED,
        uniform_mask,
    ),
    family("algebra/exclusive-by-shift", "fg4", ALL, ANY, exclusive_by_shift),
    family("algebra/reductions-as-scan", "gs4", ALL, ANY, reductions_as_scan),
    family("algebra/total-less-scan", "4", SUMS, ANY, total_less_scan),
    family("algebra/scan-by-parity", "g4", ALL, ANY, scan_by_parity),
    family("algebra/moved-first", "f4", ALL, ANY, moved_first),
    family("algebra/clusters-by-masks", "f4", ALL, ANY, clusters_by_masks),
    family("algebra/cluster-of-clusters", "f4", ALL, ANY, cluster_of_clusters),
    family("algebra/nearest-scan", "f4", ALL, ANY, nearest_scan),
];

fn of_both(writer: &Writer, variant: usize) -> Text {
    let source = returned(&writer.group("", &writer.operator.infix("x", "y")));
    let (a, b) = (writer.group("", "x"), writer.group("", "y"));
    let target = match variant {
        0 => writer.combine(&a, &b),
        1 => writer.combine(&a, "y"),
        _ => a,
    };
    Text::of_two(writer, source, returned(&target))
}

fn scan_of_both(writer: &Writer, variant: usize) -> Text {
    let source = returned(&writer.group("Inclusive", &writer.operator.infix("x", "y")));
    let kind = pick(variant, ["Inclusive", "Exclusive", ""]);
    let target = writer.combine(&writer.group("Inclusive", "x"), &writer.group(kind, "y"));
    Text::of_two(writer, source, returned(&target))
}

fn part_and_rest(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let neutral = writer.neutral();
    let first = writer.group("", &format!("here ? x : {neutral}"));
    let second = match variant {
        1 => writer.group("", &format!("here ? {neutral} : {}", writer.not_neutral())),
        _ => writer.group("", &format!("here ? {neutral} : x")),
    };
    let guarded = writer.guarded("part", "rest", if variant == 2 { "here" } else { "true" });
    let target = format!(
        "bool here = ({LANE} & 1u) == 0u;\n{ty} part = {first};\n{ty} rest = {second};\n\
         {guarded}return part;\n"
    );
    Text::of(writer, returned(&writer.group("", "x")), target)
}

fn uniform_operand(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let head = format!("{ty} u = subgroupBroadcastFirst(y);\n");
    let before = writer.group("", &writer.combine("x", "u"));
    let after = match variant {
        0 => writer.combine(&writer.group("", "x"), "u"),
        1 => writer.combine(&writer.group("", "x"), "y"),
        _ => writer.group("", "x"),
    };
    let (source, target) =
        (format!("{head}return {before};\n"), format!("{head}return {after};\n"));
    Text::of_two(writer, source, target)
}

/// By an operator that a second application does not change.
fn of_result(writer: &Writer, variant: usize) -> Text {
    let value = match variant {
        0 => writer.group("", &writer.group("", "x")),
        1 => writer.group("", &writer.group("Inclusive", &format!("(x ^ {}(1))", writer.ty()))),
        _ => writer.group("Exclusive", &writer.group("", "x")),
    };
    Text::of(writer, returned(&writer.group("", "x")), returned(&value))
}

fn shifted_sum(writer: &Writer, variant: usize) -> Text {
    let head = "uint u = subgroupBroadcastFirst(y) & 7u;\n";
    let other = pick(variant, ["u", "(y & 7u)", "(u + 1u)"]);
    let source = format!("{head}return subgroupAdd(x) << u;\n");
    Text::of_two(writer, source, format!("{head}return subgroupAdd(x << {other});\n"))
}

fn added_to_extreme(writer: &Writer, variant: usize) -> Text {
    let head = "uint u = subgroupBroadcastFirst(y) & 0xffffu;\n";
    let value = writer.group("", "x & 0xffffu");
    let inner = match variant {
        0 => "(x & 0xffffu) + u",
        1 => "x + u",
        _ => "(x & 0xffffu) + (y & 0xffffu)",
    };
    let source = format!("{head}return {value} + u;\n");
    Text::of_two(writer, source, format!("{head}return {};\n", writer.group("", inner)))
}

fn negated_sum(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let target = match variant {
        0 => "-subgroupAdd(-x)".to_owned(),
        1 => "-subgroupAdd(~x)".to_owned(),
        _ => format!("-subgroupAdd(-x - {ty}(1))"),
    };
    Text::of(writer, returned("subgroupAdd(x)"), returned(&format!("{ty}({target})")))
}

fn difference(writer: &Writer, variant: usize) -> Text {
    let target = pick(
        variant,
        [
            "subgroupAdd(x) - subgroupAdd(y)",
            "subgroupAdd(x) - y",
            "subgroupAdd(y) - subgroupAdd(x)",
        ],
    );
    Text::of_two(writer, returned("subgroupAdd(x - y)"), returned(target))
}

fn parity_of_sum(writer: &Writer, variant: usize) -> Text {
    let target =
        pick(variant, ["subgroupAdd(x) & 1u", "subgroupOr(x) & 1u", "subgroupAdd(x >> 1) & 1u"]);
    Text::of(writer, returned("subgroupXor(x & 1u)"), returned(target))
}

fn powers(writer: &Writer, variant: usize) -> Text {
    let bound = pick(variant, ["n > 31u", "n > 31u", "n > 2u"]);
    let bits = pick(variant, ["x & 1u", "x & 3u", "x & 1u"]);
    let target =
        format!("uint n = subgroupAdd({bits});\nreturn ({bound}) ? 0u : (1u << (n & 31u));\n");
    Text::of(writer, returned("subgroupMul(1u << (x & 1u))"), target)
}

fn square_of_sum(writer: &Writer, variant: usize) -> Text {
    let source = "uint s = subgroupAdd(x);\nreturn s * s;\n".to_owned();
    let target = match variant {
        0 => "subgroupAdd(x * subgroupAdd(x))",
        1 => "subgroupAdd(x * x)",
        _ => "subgroupAdd(x * subgroupInclusiveAdd(x))",
    };
    Text::of(writer, source, returned(target))
}

fn uniform_mask(writer: &Writer, variant: usize) -> Text {
    let head = format!("{} u = subgroupBroadcastFirst(y);\n", writer.ty());
    let sign = if writer.operator == Operator::And { "|" } else { "&" };
    let other = pick(variant, ["u", "y", "~u"]);
    let before = writer.group("", &format!("x {sign} {other}"));
    let source = format!("{head}return {} {sign} u;\n", writer.group("", "x"));
    Text::of_two(writer, source, format!("{head}return {before};\n"))
}

fn exclusive_by_shift(writer: &Writer, variant: usize) -> Text {
    let by = pick(variant, ["1u", "2u", "1u"]);
    let first = if variant == 2 { writer.not_neutral() } else { writer.neutral() };
    let target = format!(
        "{ty} all = {};\n{ty} y = subgroupShuffleUp(all, {by});\n{ty} r = {first};\n\
         {}return r;\n",
        writer.group("Inclusive", "x"),
        writer.guarded("r", "y", &format!("{LANE} >= {by}")),
        ty = writer.ty(),
    );
    Text::of(writer, returned(&writer.group("Exclusive", "x")), target)
}

fn reductions_as_scan(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<=", "<", "<="]);
    let body = writer.lanes(if variant == 2 { 1 } else { 0 }, |lane| {
        let part = writer.group("", &format!("({LANE} {order} {lane}) ? x : {}", writer.neutral()));
        let own = writer.guarded("r", "part", &format!("{LANE} == {lane}"));
        format!("{{\n{} part = {part};\n{own}}}\n", writer.ty())
    });
    let target = format!("{} r = {};\n{body}return r;\n", writer.ty(), writer.neutral());
    Text::of(writer, returned(&writer.group("Inclusive", "x")), target)
}

/// What comes after a lane.
fn total_less_scan(writer: &Writer, variant: usize) -> Text {
    let less = if writer.operator == Operator::Add { "-" } else { "^" };
    let (total, scan) = (writer.group("", "x"), writer.group("Inclusive", "x"));
    let source = returned(&format!("{total} {less} {scan}"));
    let exclusive = writer.group(if variant == 1 { "Inclusive" } else { "Exclusive" }, "x");
    let own = if variant == 2 { "" } else { " - x" };
    let own = if writer.operator == Operator::Xor { own.replace('-', "^") } else { own.to_owned() };
    Text::of(writer, source, returned(&format!("({total} {less} {exclusive}){own}")))
}

fn scan_by_parity(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let neutral = writer.neutral();
    let kind = pick(variant, ["Inclusive", "Exclusive", "Inclusive"]);
    let bit = pick(variant, ["2u", "2u", "1u"]);
    let even = writer.group("Inclusive", &format!("(({LANE} & 2u) == 0u) ? x : {neutral}"));
    let odd = writer.group(kind, &format!("(({LANE} & {bit}) != 0u) ? x : {neutral}"));
    let target = format!(
        "{ty} r = {even};\n{ty} odd = {odd};\n{}return r;\n",
        writer.guarded("r", "odd", "true")
    );
    Text::of(writer, returned(&writer.group("Inclusive", "x")), target)
}

/// Which lane has what does not matter to a reduction.
fn moved_first(writer: &Writer, variant: usize) -> Text {
    let lane = match variant {
        0 => format!("({LANE} * 5u + 3u) & (gl_SubgroupSize - 1u)"),
        1 => format!("({LANE} * 2u) & (gl_SubgroupSize - 1u)"),
        _ => format!("({LANE} | 1u)"),
    };
    let target = format!(
        "{} y = subgroupShuffle(x, {lane});\nreturn {};\n",
        writer.ty(),
        writer.group("", "y")
    );
    Text::of(writer, returned(&writer.group("", "x")), target)
}

fn clusters_by_masks(writer: &Writer, variant: usize) -> Text {
    let shift = pick(variant, ["2", "1", "2"]);
    let from = pick(variant, ["0u", "0u", "4u"]);
    let part = writer.group("", &format!("(({LANE} >> {shift}) == c) ? x : {}", writer.neutral()));
    let target = format!(
        "{ty} r = x;\nfor (uint n = {from}; n < gl_SubgroupSize; n += 4u) {{\nuint c = n >> 2;\n\
         {ty} part = {part};\nif (({LANE} >> 2) == c) r = part;\n}}\nreturn r;\n",
        ty = writer.ty()
    );
    Text::of(writer, returned(&writer.group("Clustered", "x, 4u")), target)
}

fn cluster_of_clusters(writer: &Writer, variant: usize) -> Text {
    let by = pick(variant, ["2u", "1u", "3u"]);
    let pairs = writer.group("Clustered", "x, 2u");
    let both = writer.combine("two", &format!("subgroupShuffleXor(two, {by})"));
    let both = match (variant, writer.operator.is_idempotent()) {
        // A partner's partner has the same: not for these.
        (2, _) => writer.combine("two", &format!("subgroupShuffleXor(x, {by})")),
        _ => both,
    };
    let target = format!("{} two = {pairs};\nreturn {both};\n", writer.ty());
    Text::of(writer, returned(&writer.group("Clustered", "x, 4u")), target)
}

/// A scan from the scan of pairs.
fn nearest_scan(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let bit = pick(variant, ["1u", "0u", "1u"]);
    let both = writer.combine("before", "own");
    let pair = writer.combine("x", "subgroupShuffleXor(x, 1u)");
    let kind = if variant == 2 { "Inclusive" } else { "Exclusive" };
    let scan = writer.group(kind, &format!("(({LANE} & 1u) == 0u) ? pair : {}", writer.neutral()));
    let target = format!(
        "{ty} pair = {pair};\n{ty} scan = {scan};\n\
         {ty} before = subgroupShuffle(scan, {LANE} & ~1u);\n\
         {ty} own = (({LANE} & 1u) == {bit}) ? pair : x;\nreturn {both};\n"
    );
    Text::of(writer, returned(&writer.group("Inclusive", "x")), target)
}
