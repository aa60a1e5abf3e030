//! Undefined values that cells show as they are, or as one half of them: what they must have been.

use std::collections::HashMap;

use super::Cell;
use super::guide::ChoiceMade;
use laneproof_interpreter::truncate;

/// Runs with random choices; a Boolean matches by chance with probability 2^-PROBES.
pub(super) const PROBES: usize = 16;

/// Choices of a run, each undefined value being noise.
pub(super) fn noise(choices: &[ChoiceMade], seed: u64) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let digits = choices.iter().map(|it| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let bits = state ^ state >> 29;
        // The low bits of such a generator are poor.
        let bits = bits.rotate_left(32);
        if it.drawn { u64::try_from(u128::from(bits) % it.options).unwrap_or(0) } else { it.value }
    });
    digits.collect()
}

/// Choices under which cells that show an undefined value show what was observed. What cells showed
/// in each probe goes by chance only if it does so in all.
pub(super) fn shown(
    cells: &[Cell],
    choices: &[ChoiceMade],
    probes: &[(Vec<u64>, Vec<Option<u64>>)],
) -> Vec<u64> {
    let mut digits: Vec<u64> = choices.iter().map(|it| it.value).collect();
    let mut signatures: HashMap<Vec<u64>, (usize, u32)> = HashMap::new();
    for (at, it) in choices.iter().enumerate().filter(|(_, it)| it.drawn) {
        let wide = it.options > 1 << 32;
        let signature = |shift: u32| -> Vec<u64> {
            let part = |digits: &Vec<u64>| match wide {
                true => truncate(32, digits[at] >> shift),
                false => digits[at],
            };
            probes.iter().map(|(digits, _)| part(digits)).collect()
        };
        signatures.insert(signature(0), (at, 0));
        if wide {
            let whole = probes.iter().map(|(digits, _)| digits[at]).collect();
            signatures.insert(whole, (at, 0));
            signatures.insert(signature(32), (at, 32));
        }
    }
    for (number, cell) in cells.iter().enumerate() {
        let seen: Option<Vec<u64>> = probes.iter().map(|(_, found)| found[number]).collect();
        let (Some(seen), Some(observed)) = (seen, cell.observed) else { continue };
        let Some(&(at, shift)) = signatures.get(&seen) else { continue };
        let bits = observed << shift;
        if u128::from(bits) < choices[at].options {
            let kept = match (shift, cell.scalar.width()) {
                (0, 64..) => 0,
                (0, width) => digits[at] & !truncate(width, u64::MAX),
                _ => truncate(shift, digits[at]),
            };
            digits[at] = kept | bits;
        }
    }
    digits
}
