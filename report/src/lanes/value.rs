//! Values of lanes, short enough for a table.

use laneproof_semantics::{FloatEncoding, Scalar, Type};
use laneproof_verify::Shown;

/// How an undefined value is shown.
pub const UNDEFINED: &str = "undefined";

/// What marks a value that is one of several.
pub const OPEN: &str = "?";

/// What the mark of an open value means.
pub const OPEN_MEANS: &str = "?: one of several values that are allowed: it is computed from an \
    undefined value, or the semantics leaves it to the implementation";

/// What stands where a lane has no value.
pub const NONE: &str = "-";

/// Integers below this are easier to read in decimal.
const DECIMAL: u64 = 10_000;

/// True where something of the value is undefined.
pub fn is_undefined(shown: &Shown) -> bool {
    shown.leaves.as_ref().is_some_and(|leaves| leaves.contains(&None))
}

/// A value in a few characters.
pub fn text(shown: &Shown) -> String {
    let Some(leaves) = &shown.leaves else { return NONE.to_owned() };
    if leaves.iter().all(Option::is_none) && !leaves.is_empty() {
        return UNDEFINED.to_owned();
    }
    let mark = if shown.open { OPEN } else { "" };
    format!("{}{mark}", nested(&mut leaves.iter().copied(), &shown.ty))
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
        Scalar::Float { width: 64, .. } => float(f64::from_bits(bits), bits),
        Scalar::Float { width: 32, .. } => single(bits as u32, bits),
        // The upper half of a 32-bit value.
        Scalar::Float { encoding: FloatEncoding::Bfloat16, .. } => {
            single((bits << 16) as u32, bits)
        }
        Scalar::Float { .. } => format!("{bits:#06x}"),
    }
}

fn single(pattern: u32, bits: u64) -> String {
    float(f64::from(f32::from_bits(pattern)), bits)
}

/// Short numbers as such, all others as bits.
fn float(number: f64, bits: u64) -> String {
    let text = if number.is_nan() { "NaN".to_owned() } else { number.to_string() };
    match text.len() {
        ..=3 if number.is_nan() => format!("NaN {bits:#x}"),
        ..=8 => text,
        _ => format!("{bits:#x}"),
    }
}
