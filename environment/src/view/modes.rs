//! Modes that an entry point has for each width of floating point.

use std::collections::BTreeMap;

use laneproof_module::Id;
use laneproof_module::names::name_of_operand;
use laneproof_module::spirv::Op;

use super::View;

/// Modes that exclude each other for one width.
pub struct Kind {
    /// The kind of tokens in rules.
    pub name: &'static str,
    /// In words.
    described: &'static str,
    modes: [&'static str; 2],
}

/// The kinds that rules ask about.
pub const KINDS: [Kind; 2] = [
    Kind {
        name: "DenormMode",
        described: "the mode for subnormal numbers",
        modes: ["DenormPreserve", "DenormFlushToZero"],
    },
    Kind {
        name: "RoundingMode",
        described: "the rounding mode",
        modes: ["RoundingModeRTE", "RoundingModeRTZ"],
    },
];

/// A kind in words.
pub fn described(kind: &str) -> Option<&'static str> {
    KINDS.iter().find(|it| it.name == kind).map(|it| it.described)
}

/// The declarations of modes that are not those which the entry point has for another width: unlike,
/// and unlike where neither width is 32.
pub fn unlike(view: &View<'_>, kind: &Kind) -> Vec<(&'static str, usize)> {
    let mut known: BTreeMap<Id, Vec<(u32, String)>> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, it) in view.instructions().iter().enumerate() {
        let mode = it.operands.get(1).filter(|_| it.opcode == Op::ExecutionMode);
        let mode = mode.and_then(name_of_operand).filter(|it| kind.modes.contains(&&**it));
        let (Some(mode), Some(entry), Some(width)) = (mode, it.id(0), it.literal(2)) else {
            continue;
        };
        let others = known.entry(entry).or_default();
        let mut differing =
            others.iter().filter(|(other, is)| *other != width && *is != mode).peekable();
        if differing.peek().is_some() {
            let beyond = differing.any(|(other, _)| *other != 32 && width != 32);
            found.push((if beyond { "unlike | unlike_beyond_32" } else { "unlike" }, at));
        }
        others.push((width, mode));
    }
    found
}
