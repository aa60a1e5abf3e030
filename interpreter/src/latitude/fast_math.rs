//! What fast math permits: by the decoration of a result, else by the default of the entry points
//! (SPIR-V, FP Fast Math Mode).

use laneproof_module::spirv::{ExecutionMode, FPFastMathMode as Flags};
use laneproof_module::{EntryPoint, Instruction, Program};

use super::Margin;
use crate::float_format::Format;

/// Some entry point permits more in this format than the environment.
pub(crate) fn is_default(program: &Program, format: Format) -> bool {
    let mut defaults = program.entry_points.iter().filter_map(|entry| default(entry, format));
    defaults.any(|flags| !flags.is_empty())
}

/// Replaces what the environment says by what the module does, where it speaks of this result.
pub(crate) fn include(
    margin: &mut Margin,
    program: &Program,
    instruction: &Instruction,
    format: Format,
) {
    let result = instruction.result;
    let decorated = result.and_then(|id| program.decorations.fast_math.get(&id)).copied();
    let mut defaults = program.entry_points.iter().map(|entry| default(entry, format));
    let first = defaults.next().flatten();
    if decorated.is_none() && !defaults.all(|it| it == first) {
        margin.anything = true;
        return;
    }
    let Some(mut flags) = decorated.map(Flags::from_bits_retain).or(first) else { return };
    if flags.contains(Flags::FAST) {
        flags |= Flags::all();
    }
    if result.is_some_and(|id| program.decorations.uncontracted.contains(&id)) {
        flags -= Flags::ALLOW_CONTRACT;
    }
    let finite = Flags::NOT_NAN | Flags::NOT_INF;
    margin.finite = flags.contains(finite);
    margin.combining.contracted = flags.contains(Flags::ALLOW_CONTRACT);
    margin.combining.rearranged = flags.contains(Flags::ALLOW_REASSOC);
    // How far the others go is not known here.
    let known = finite | Flags::ALLOW_CONTRACT | Flags::ALLOW_REASSOC;
    let half = flags.intersects(finite) && !margin.finite;
    margin.anything |= half || !known.contains(flags);
}

/// The default of an entry point, by the width of a type.
fn default(entry: &EntryPoint, format: Format) -> Option<Flags> {
    let mut modes = entry.modes.iter();
    modes.find_map(|(mode, values)| match (mode, &values[..]) {
        (ExecutionMode::FPFastMathDefault, [width, rest @ ..]) if *width == format.width() => {
            // Flags that a specialization constant gives may be any.
            Some(rest.first().map_or(Flags::all(), |bits| Flags::from_bits_retain(*bits)))
        }
        _ => None,
    })
}
