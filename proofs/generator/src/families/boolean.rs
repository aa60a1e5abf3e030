//! Boolean reductions and counts as ballots.

use crate::text::{Text, pick, returned};
use crate::write::Writer;

const LANE: &str = "gl_SubgroupInvocationID";

/// A function of one number that returns a number.
fn of(writer: &Writer, source: &str, target: &str) -> Text {
    Text::of(writer, returned(source), returned(target))
}

fn ballot(condition: &str) -> String {
    format!("subgroupBallot({condition})")
}

pub(crate) fn all(writer: &Writer, variant: usize) -> Text {
    let value = pick(variant, ["x > 4u", "x >= 4u", "x < 4u"]);
    let (some, every) = (writer.count(&ballot(value)), writer.count(&ballot("true")));
    of(writer, "subgroupAll(x > 4u) ? 1u : 0u", &format!("({some}) == ({every}) ? 1u : 0u"))
}

pub(crate) fn any(writer: &Writer, variant: usize) -> Text {
    let value = pick(variant, ["x > 4u", "x >= 4u", "true"]);
    let some = writer.count(&ballot(value));
    of(writer, "subgroupAny(x > 4u) ? 1u : 0u", &format!("({some}) != 0u ? 1u : 0u"))
}

pub(crate) fn parity(writer: &Writer, variant: usize) -> Text {
    let some = writer.count(&ballot("(x & 1u) != 0u"));
    let last = pick(variant, ["& 1u", "& 3u", "+ 1u & 1u"]);
    of(writer, "subgroupXor(x & 1u)", &format!("({some}) {last}"))
}

pub(crate) fn count(writer: &Writer, variant: usize) -> Text {
    let some = writer.count(&ballot(pick(variant, ["x > 4u", "x >= 4u", "true"])));
    of(writer, "subgroupAdd(x > 4u ? 1u : 0u)", &some)
}

pub(crate) fn prefix(writer: &Writer, variant: usize) -> Text {
    let mask = pick(variant, ["gl_SubgroupLtMask", "gl_SubgroupLeMask", "gl_SubgroupGtMask"]);
    let some = writer.count(&format!("({} & {mask})", ballot("x > 4u")));
    of(writer, "subgroupExclusiveAdd(x > 4u ? 1u : 0u)", &some)
}

pub(crate) fn rank(writer: &Writer, variant: usize) -> Text {
    let order = pick(variant, ["<", "<=", "<"]);
    let body = writer.lanes(u32::from(variant == 2), |lane| {
        let here = format!("{lane} {order} {LANE} && {}", writer.bit("live", lane));
        writer.guarded("r", "1u", &here)
    });
    let target = format!("uvec4 live = {};\nuint r = 0u;\n{body}return r;\n", ballot("x > 4u"));
    Text::of(writer, returned("subgroupExclusiveAdd(x > 4u ? 1u : 0u)"), target)
}

/// The lane of a rank, and back.
pub(crate) fn selected(writer: &Writer, variant: usize) -> Text {
    let own = writer.count(&format!("({} & gl_SubgroupLtMask)", ballot("true")));
    let less = pick(variant, ["0u", "1u", "2u"]);
    let body = writer.set_bits(&ballot("true"), "if (n == rank) r = i;\nn = n + 1u;\n");
    let target = format!("uint rank = {own};\nuint r = ~0u;\nuint n = {less};\n{body}return r;\n");
    Text::of(writer, returned(LANE), target)
}
