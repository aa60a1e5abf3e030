//! Algebra across a reduction, orders, packing, branches.

use crate::style::{Guard, Operator};
use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";

pub(crate) fn last_of_scan(writer: &Writer, variant: usize) -> Text {
    let find = pick(variant, ["MSB", "LSB", "MSB"]);
    let kind = pick(variant, ["Inclusive", "Inclusive", "Exclusive"]);
    let scan = writer.group(kind, "x");
    let target = format!(
        "{} y = {scan};\nreturn subgroupShuffle(y, subgroupBallotFind{find}(subgroupBallot(true)));\n",
        writer.ty()
    );
    Text::of(writer, returned(&writer.group("", "x")), target)
}

pub(crate) fn exclusive_and_own(writer: &Writer, variant: usize) -> Text {
    let first = writer.group(if variant == 2 { "" } else { "Exclusive" }, "x");
    let last = if variant == 1 { "r".to_owned() } else { writer.combine("r", "x") };
    let target = format!("{} r = {first};\nreturn {last};\n", writer.ty());
    Text::of(writer, returned(&writer.group("Inclusive", "x")), target)
}

pub(crate) fn inclusive_less_own(writer: &Writer, variant: usize) -> Text {
    let operation = if writer.operator == Operator::Add { "-" } else { "^" };
    let kind = pick(variant, ["Inclusive", "Exclusive", ""]);
    let target = returned(&format!("{} {operation} x", writer.group(kind, "x")));
    Text::of(writer, returned(&writer.group("Exclusive", "x")), target)
}

pub(crate) fn difference_of_scans(writer: &Writer, variant: usize) -> Text {
    let last = pick(variant, ["| 3u", "| 3u", "| 1u"]);
    let kind = pick(variant, ["Exclusive", "Inclusive", "Exclusive"]);
    let (to, from) = (writer.group("Inclusive", "x"), writer.group(kind, "x"));
    let target = format!(
        "{ty} to = subgroupShuffle({to}, {LANE} {last});\n\
         {ty} from = subgroupShuffle({from}, {LANE} & ~3u);\nreturn to - from;\n",
        ty = writer.ty()
    );
    Text::of(writer, returned(&writer.group("Clustered", "x, 4u")), target)
}

pub(crate) fn uniform(writer: &Writer, variant: usize) -> Text {
    let source =
        format!("uint u = subgroupBroadcastFirst(x);\n{}", returned(&writer.group("", "u")));
    let count = writer.count("subgroupBallot(true)");
    let more = pick(variant, ["", " + 1u", " - 1u"]);
    let result = match writer.operator {
        Operator::Add => format!("u * ({count}{more})"),
        Operator::Xor => format!("u * (({count}{more}) & 1u)"),
        Operator::Mul => {
            let target = format!(
                "uint u = subgroupBroadcastFirst(x);\nuint r = 1u;\nuint n = {count}{more};\n\
                 for (uint i = 0u; i < n; i++) r *= u;\nreturn r;\n"
            );
            return Text::of(writer, source, target);
        }
        _ => pick(variant, ["u", "~u", "0u"]).to_owned(),
    };
    let target = format!("uint u = subgroupBroadcastFirst(x);\n{}", returned(&result));
    Text::of(writer, source, target)
}

pub(crate) fn dual(writer: &Writer, variant: usize) -> Text {
    let other = match writer.operator {
        Operator::And => "Or",
        Operator::Or => "And",
        Operator::Min => "Max",
        _ => "Min",
    };
    let target = match variant {
        0 => format!("~subgroup{other}(~x)"),
        1 => format!("~subgroup{}(~x)", writer.operator.name()),
        _ => format!("~subgroup{other}(x)"),
    };
    Text::of(writer, returned(&writer.group("", "x")), returned(&target))
}

pub(crate) fn one_lane(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let lane = pick(variant, ["", " + 1u", ""]);
    let part = match (writer.style.guard, variant) {
        (_, 2) => "x".to_owned(),
        (Guard::Mask, _) => format!("x * {ty}({LANE} == first{lane})"),
        _ => format!("({LANE} == first{lane}) ? x : {ty}(0)"),
    };
    let target = format!(
        "uint first = subgroupBallotFindLSB(subgroupBallot(true));\nreturn {};\n",
        writer.group("", &part)
    );
    Text::of(writer, returned("subgroupBroadcastFirst(x)"), target)
}

pub(crate) fn shifted(writer: &Writer, variant: usize) -> Text {
    let (shift, other) = (">> 3", pick(variant, [">> 3", ">> 2", ""]));
    let source = format!("{ty}({} {shift})", writer.group("", "x"), ty = writer.ty());
    let target = writer.group("", &format!("{}(x {other})", writer.ty()));
    Text::of(writer, returned(&source), returned(&target))
}

pub(crate) fn uniform_factor(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let mut text = Text::of(writer, String::new(), String::new());
    text.parameters = format!("{ty} x, {ty} y");
    let factor = format!("{ty} u = subgroupBroadcastFirst(y);\n");
    text.source = format!("{factor}return {};\n", writer.group("", "x * u"));
    let other = pick(variant, ["u", "y", "(u + u)"]);
    text.target = format!("{factor}return {other} * {};\n", writer.group("", "x"));
    text
}

pub(crate) fn extended(writer: &Writer, variant: usize) -> Text {
    let target = match variant {
        0 => format!("uint16_t({})", writer.group("", "uint(x)")),
        1 => format!("uint16_t({})", writer.group("", "uint(x) + 1u")),
        _ => format!("uint16_t({} >> 1u)", writer.group("", "uint(x)")),
    };
    Text::of(writer, returned(&writer.group("", "x")), returned(&target))
}

pub(crate) fn uniform_choice(writer: &Writer, variant: usize) -> Text {
    let mut text = Text::of(writer, String::new(), String::new());
    text.parameters = "uint x, uint y, uint z".to_owned();
    let choice = "bool c = subgroupBroadcastFirst(z) > 7u;\n";
    let (first, second) = (writer.group("", "x"), writer.group("", "y"));
    text.source = format!("{choice}return c ? {first} : {second};\n");
    let one = pick(variant, ["c ? x : y", "c ? y : x", "z > 7u ? x : y"]);
    text.target = format!("{choice}return {};\n", writer.group("", one));
    text
}

pub(crate) fn halves(writer: &Writer, variant: usize) -> Text {
    let name = writer.operator.name();
    let worst = if writer.operator == Operator::Min { "0xffffffffu" } else { "0u" };
    let best = if writer.operator == Operator::Min { "0u" } else { "0xffffffffu" };
    let other = pick(variant, [worst, best, "l"]);
    let target = format!(
        "uint h = uint(x >> 32);\nuint l = uint(x & 0xffffffffUL);\nuint top = subgroup{name}(h);\n\
         uint low = subgroup{name}(h == top ? l : {other});\n\
         return (uint64_t(top) << 32) | uint64_t(low);\n"
    );
    Text::of(writer, returned(&writer.group("", "x")), target)
}

pub(crate) fn lane_of_least(writer: &Writer, variant: usize) -> Text {
    let small = if variant == 2 { "(x & 0xfffffeu)" } else { "(x & 0xffffffu)" };
    let source = "uint v = x & 0xffffffu;\n\
                  return subgroupBallotFindLSB(subgroupBallot(v == subgroupMin(v)));\n";
    let mask = if variant == 1 { "1u" } else { "255u" };
    let shift = if variant == 1 { "1" } else { "8" };
    let target = format!("return subgroupMin(({small} << {shift}) | {LANE}) & {mask};\n");
    Text::of(writer, source.to_owned(), target)
}

pub(crate) fn branch(writer: &Writer, variant: usize) -> Text {
    let ty = writer.ty();
    let mut text = Text::of(writer, String::new(), String::new());
    text.parameters = format!("{ty} x, uint c");
    let inside = writer.group("", "x");
    text.source = format!("{ty} r = x;\nif (c > 3u) r = {inside};\nreturn r;\n");
    let other = if variant == 1 { writer.not_neutral() } else { writer.neutral() };
    let condition = if variant == 2 { "c >= 3u" } else { "c > 3u" };
    let masked = writer.group("", &format!("({condition}) ? x : {other}"));
    text.target = format!("{ty} all = {masked};\nreturn (c > 3u) ? all : x;\n");
    text
}

pub(crate) fn waterfall(writer: &Writer, variant: usize) -> Text {
    let mut text = Text::of(writer, String::new(), String::new());
    text.parameters = "uint x, uint c".to_owned();
    text.source = "uint k = c & 1u;\n\
                   uint even = subgroupAdd(k == 0u ? x : 0u);\n\
                   uint odd = subgroupAdd(k == 1u ? x : 0u);\nreturn k == 0u ? even : odd;\n"
        .to_owned();
    let own = pick(variant, ["k == first", "k <= first", "k == first"]);
    let value = if variant == 2 { "x + k" } else { "x" };
    text.target = format!(
        "uint k = c & 1u;\nuint r = 0u;\nfor (;;) {{\nuint first = subgroupBroadcastFirst(k);\n\
         if ({own}) {{\nr = subgroupAdd({value});\nbreak;\n}}\n}}\nreturn r;\n"
    );
    text
}
