//! What execution modes ask for in arithmetic: rounding toward zero, zeros in place of subnormal
//! numbers.

use rustc_apfloat::Round;

use crate::float_format::Format;
use crate::latitude::Margin;
use crate::outcome::Stop;
use crate::step::Step;
use crate::width::truncate;

/// The stop for an execution mode that is not supported.
pub(super) fn controlled(step: &Step<'_, '_, '_>) -> Stop {
    step.not_modelled("an execution mode asks for other rounding, or to flush subnormal numbers")
}

/// What execution modes ask for, a flushed number with its sign.
pub(super) fn by_modes<const N: usize>(
    format: Format,
    margin: Margin,
    mut inputs: [u64; N],
    formats: [Option<Format>; N],
    compute: &impl Fn([u64; N], Round) -> u64,
) -> u64 {
    let zero =
        |format: Format, bits: u64| match margin.requested.flushes && format.is_subnormal(bits) {
            true => bits & !format.magnitude(bits),
            false => bits,
        };
    for (input, format) in inputs.iter_mut().zip(formats) {
        *input = format.map_or(*input, |format| zero(format, *input));
    }
    // The first is the one that is asked for.
    let round = margin.rounds()[0];
    zero(format, truncate(format.width(), compute(inputs, round)))
}
