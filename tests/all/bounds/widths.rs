//! Half and double precision: the four operations in each, and functions of double precision.

use laneproof_oracle::OracleVerdict;

use super::rows::{Bound, OPENCL};
use super::{bits, module, verdict_of_bits};
use crate::conforming::OPERATIONS;

/// Normal numbers of half precision with normal results, and not all of them exact.
const PAIRS: [[f64; 2]; 7] = [
    [1.0, 3.0],
    [-2.5, 0.75],
    [1000.0, 0.333_007_812_5],
    [0.1, 0.7],
    [7.0, -11.0],
    [1.000_976_562_5, 1.998_046_875],
    [-0.052, 19.0],
];

fn asked(environment: &str, name: &str, width: u32, inputs: &[u64], observed: u64, legal: bool) {
    let program = module(environment, name, width, inputs.len());
    let found = verdict_of_bits(environment, &program, width, inputs, observed);
    let right = match legal {
        true => !matches!(found, OracleVerdict::NotAllowed { .. }),
        false => matches!(found, OracleVerdict::NotAllowed { .. }),
    };
    assert!(right, "{environment} f{width} {name} {inputs:x?} gave {observed:#x}: {found:?}");
}

/// A number of half precision from its bits; all here are normal.
fn half(bits: u64) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let fraction = 1.0 + (bits & 0x3ff) as f64 / 1024.0;
    sign * fraction * 2.0_f64.powi((bits >> 10 & 31) as i32 - 15)
}

/// Results are rounded to either side in Vulkan, and to the nearest number or toward zero in the
/// kernels' environments; a quotient has an error in units besides.
#[test]
fn operations_of_half_precision_have_either_rounding() {
    for environment in ["vulkan", "opencl", "level-zero"] {
        for (name, apply) in OPERATIONS {
            for inputs in PAIRS {
                let inputs = inputs.map(|it| bits(16, it, false));
                let exact = apply(half(inputs[0]), half(inputs[1]));
                let [inner, outer] = [false, true].map(|away| bits(16, exact, away));
                let [far, near] = [inner, outer].map(|it| (half(it) - exact).abs());
                let outer_is_nearer = near < far || near == far && outer % 2 == 0;
                let outer_is_legal = outer_is_nearer
                    || inner == outer
                    || environment == "vulkan"
                    || name == "OpFDiv";
                asked(environment, name, 16, &inputs, inner, true);
                asked(environment, name, 16, &inputs, outer, outer_is_legal);
                for wrong in [inner - 4, outer + 4, outer ^ 0x8000, 0x7e00] {
                    asked(environment, name, 16, &inputs, wrong, false);
                }
            }
        }
    }
}

/// In kernels double precision is rounded to the nearest number, and nothing is flushed; in Vulkan it is
/// as exact as single precision at least.
#[test]
fn operations_of_double_precision_are_correctly_rounded_in_kernels() {
    for (name, apply) in OPERATIONS {
        for [a, b] in PAIRS.into_iter().chain([[0.1, 1.0e-300], [1.0e300, 1.0e-7]]) {
            let inputs = [a, b].map(f64::to_bits);
            let nearest = apply(a, b).to_bits();
            for environment in ["opencl", "level-zero"] {
                asked(environment, name, 64, &inputs, nearest, true);
                for wrong in [nearest - 1, nearest + 1, nearest ^ 1 << 63] {
                    asked(environment, name, 64, &inputs, wrong, false);
                }
            }
            for near in [nearest - 1, nearest, nearest + 1] {
                asked("vulkan", name, 64, &inputs, near, true);
            }
            if (apply(a, b) as f32).is_normal() {
                asked("vulkan", name, 64, &inputs, nearest ^ 1 << 63, false);
            }
        }
    }
    let subnormal = f64::from_bits(3).to_bits();
    for environment in ["opencl", "level-zero"] {
        asked(environment, "OpFAdd", 64, &[subnormal, 0], subnormal, true);
        asked(environment, "OpFAdd", 64, &[subnormal, 0], 0, false);
    }
}

/// The standard library is exact to two units, so bounds are asked for two inside, and outside.
#[test]
fn functions_of_double_precision_have_their_bounds() {
    let mut rows = 0;
    for &(name, exact, bound, operands) in OPENCL {
        let Bound::Units(units, _) = bound else { continue };
        // The rows multiply by a rounded pi first.
        if ["cospi", "sinpi", "tanpi"].contains(&name) {
            continue;
        }
        // So exact an integral takes too long, and is undecided.
        let undecided = ["erf", "erfc", "tgamma"].contains(&name);
        // The only function here that is better in double precision.
        let units = if name == "sqrt" { 0.0 } else { units };
        rows += 1;
        for environment in ["opencl", "level-zero"] {
            for inputs in operands {
                let nearest = exact(inputs).to_bits();
                let inputs: Vec<u64> = inputs.iter().map(|it| it.to_bits()).collect();
                let inside = (units as u64).saturating_sub(2);
                for observed in [nearest - inside, nearest, nearest + inside] {
                    asked(environment, name, 64, &inputs, observed, true);
                }
                // Zero has no number of the other sign below it.
                if nearest << 1 == 0 || undecided {
                    continue;
                }
                // Below a power of two there are twice as many numbers in a unit.
                let outside = if units == 0.0 { 2 } else { 2 * units as u64 + 4 };
                for observed in [nearest - outside, nearest + outside, nearest ^ 1 << 63] {
                    asked(environment, name, 64, &inputs, observed, false);
                }
            }
        }
    }
    assert!(rows > 40, "{rows}");
}

/// A remainder's name, its width and operands, what it may give and what it may not.
type Remainder = (&'static str, u32, [u64; 2], &'static [u64], &'static [u64]);

/// A remainder is rounded as a sum is, and what is subnormal may be a zero; the sign of a zero is not said.
#[test]
fn remainders_without_a_bound_are_rounded_as_sums_are() {
    let cases: [Remainder; 8] = [
        // What a remainder by zero is, and one of an infinity, is not said.
        ("OpFRem", 32, [0x3f80_0000, 0x8000_0000], &[0, 0x40e0_0000, 0x7fc0_0000], &[]),
        ("OpFMod", 32, [0x7f80_0000, 0x3f80_0000], &[0, 0x40e0_0000, 0x7fc0_0000], &[]),
        ("OpFMod", 16, [0xacc1, 0x5341], &[0x533e, 0x533f], &[0x533d, 0x5340, 0xd33f]),
        ("OpFMod", 16, [0x240f, 0xc245], &[0xc23c, 0xc23d], &[0xc23b, 0xc23e]),
        ("OpFMod", 32, [0xb5f0_0000, 0x4300_0000], &[0x4300_0000], &[0x4300_0001, 0x42ff_fffe]),
        ("OpFRem", 32, [0x0000_0007, 0x3f80_0000], &[7, 0, 0x8000_0000], &[6, 0x3f80_0000]),
        ("OpFRem", 32, [0xc080_0000, 0x4000_0000], &[0, 0x8000_0000], &[1, 0x4000_0000]),
        ("OpFRem", 16, [0xc400, 0x4200], &[0xbc00], &[0x3c00, 0xbc01]),
    ];
    for environment in ["opencl", "level-zero"] {
        for (name, width, inputs, legal, wrong) in cases {
            for &observed in legal {
                asked(environment, name, width, &inputs, observed, true);
            }
            for &observed in wrong {
                asked(environment, name, width, &inputs, observed, false);
            }
        }
    }
    // A remainder of double precision need not be more exact than single precision in Vulkan.
    let inputs = [1.0_f64.to_bits() + 12_345, 0.3_f64.to_bits()];
    for observed in [0.1_f64.to_bits(), 0.1_f64.to_bits() + 9_999] {
        asked("vulkan", "OpFMod", 64, &inputs, observed, true);
    }
}
