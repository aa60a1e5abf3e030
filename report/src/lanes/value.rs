//! Values of lanes, short enough for a table.

use laneproof_semantics::{FloatFormat, Scalar, Type};
use laneproof_verify::TypedValue;

/// The text for an undefined value.
pub const UNDEFINED: &str = "undefined";

/// What marks a value that is one of several.
pub const OPEN: &str = "?";

/// What the mark of an open value means.
pub const OPEN_MEANS: &str = "?: one of several values that are allowed: it is computed from an \
    undefined value, or the semantics leaves it to the implementation";

/// The text for a missing value.
pub const NONE: &str = "-";

/// Integers below this are easier to read in decimal.
const DECIMAL: u64 = 10_000;

/// Characters of a float in decimal; all of 32 bits but a few have no more.
const LONGEST_FLOAT: usize = 13;

/// True where something of the value is undefined.
pub fn is_undefined(shown: &TypedValue) -> bool {
    shown.leaves.as_ref().is_some_and(|leaves| leaves.contains(&None))
}

/// A value in a few characters.
pub fn text(shown: &TypedValue) -> String {
    of_type(&shown.ty, shown.leaves.as_deref(), shown.open)
}

/// The same of a type and its scalars.
pub fn of_type(ty: &Type, leaves: Option<&[Option<u64>]>, open: bool) -> String {
    let Some(leaves) = leaves else { return NONE.to_owned() };
    if leaves.iter().all(Option::is_none) && !leaves.is_empty() {
        return UNDEFINED.to_owned();
    }
    let mark = if open { OPEN } else { "" };
    format!("{}{mark}", nested(&mut leaves.iter().copied(), ty))
}

fn nested(leaves: &mut dyn Iterator<Item = Option<u64>>, ty: &Type) -> String {
    let parts: Vec<String> = match ty {
        Type::Scalar(element) => return scalar(leaves.next().flatten(), *element),
        Type::Vector { element, count } => {
            (0..*count).map(|_| scalar(leaves.next().flatten(), *element)).collect()
        }
        Type::Array { element, length } => (0..*length).map(|_| nested(leaves, element)).collect(),
        Type::Struct(members) => members.iter().map(|member| nested(leaves, member)).collect(),
    };
    format!("({})", parts.join(", "))
}

fn scalar(bits: Option<u64>, ty: Scalar) -> String {
    let Some(bits) = bits else { return UNDEFINED.to_owned() };
    match ty {
        Scalar::Bool => (bits & 1 == 1).to_string(),
        Scalar::Int { width, signed } => {
            let negative = signed && bits >> (width - 1) & 1 == 1;
            let magnitude = (1_u128 << width) - u128::from(bits);
            if negative && magnitude < u128::from(DECIMAL) {
                format!("-{magnitude}")
            } else if bits < DECIMAL {
                bits.to_string()
            } else {
                format!("{bits:#x}")
            }
        }
        Scalar::Float(FloatFormat::Double) => {
            let number = f64::from_bits(bits);
            decimal(number.is_nan(), number.to_string(), format!("{number:e}"), bits)
        }
        Scalar::Float(FloatFormat::Single) => single(f32::from_bits(bits as u32), bits),
        // The upper half of a 32-bit value.
        Scalar::Float(FloatFormat::Bfloat16) => single(f32::from_bits((bits << 16) as u32), bits),
        Scalar::Float(FloatFormat::Half) => single(half(bits), bits),
    }
}

fn single(number: f32, bits: u64) -> String {
    decimal(number.is_nan(), number.to_string(), format!("{number:e}"), bits)
}

/// The shorter of two decimal forms; bits where both are long. NaNs differ by their bits.
fn decimal(is_nan: bool, plain: String, scientific: String, bits: u64) -> String {
    let shorter = if scientific.len() < plain.len() { scientific } else { plain };
    match shorter.len() {
        _ if is_nan => format!("NaN {bits:#x}"),
        ..=LONGEST_FLOAT => shorter,
        _ => format!("{bits:#x}"),
    }
}

/// A number of IEEE 754's binary16, which binary32 has, too.
fn half(bits: u64) -> f32 {
    let (exponent, fraction) = ((bits >> 10 & 0x1f) as u32, (bits & 0x3ff) as u32);
    let magnitude = match exponent {
        0 => fraction as f32 * 2f32.powi(-24),
        0x1f if fraction == 0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 & 1 == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_decimal_where_that_is_short() {
        let float = |width| Scalar::Float(FloatFormat::ieee(width).unwrap());
        let brain = Scalar::Float(FloatFormat::Bfloat16);
        for (ty, bits, text) in [
            (float(32), 0x3f80_0000, "1"),
            (float(32), 0x8000_0000, "-0"),
            (float(32), 0x3dcc_cccd, "0.1"),
            (float(32), 0x100, "3.59e-43"),
            (float(32), 0x7149_f2ca, "1e30"),
            (float(32), 0xff80_0000, "-inf"),
            (float(32), 0x7fc0_0001, "NaN 0x7fc00001"),
            (float(64), 0x3ff8_0000_0000_0000, "1.5"),
            (float(64), 0x3fd5_5555_5555_5555, "0x3fd5555555555555"),
            (float(16), 0x3c00, "1"),
            (float(16), 0x8000, "-0"),
            (float(16), 0x0001, "5.9604645e-8"),
            (float(16), 0x03ff, "6.097555e-5"),
            (float(16), 0x7bff, "65504"),
            (float(16), 0xfc00, "-inf"),
            (float(16), 0x7e01, "NaN 0x7e01"),
            (brain, 0x3fc0, "1.5"),
        ] {
            assert_eq!(scalar(Some(bits), ty), text, "{bits:#x}");
        }
    }
}
