//! Scalars and the names of their types.

use std::ops::RangeInclusive;

use laneproof_interpreter::{format, signed, truncate};
use laneproof_semantics::{FloatFormat, Scalar};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Double;
use serde_json::Value;

use super::DocumentError;

/// Components that a vector may have: what modules can declare.
const COMPONENTS: RangeInclusive<u32> = 2..=16;

/// The scalar type and number of components of a name like `u32` or `f16x4`.
pub fn scalar_named(name: &str) -> Option<(Scalar, u32)> {
    let (scalar, count) = match name.split_once('x') {
        Some((scalar, count)) => {
            (scalar, count.parse().ok().filter(|count| COMPONENTS.contains(count))?)
        }
        None => (name, 1),
    };
    let scalar = match scalar {
        "bool" => Scalar::Bool,
        "bf16" => Scalar::Float(FloatFormat::Bfloat16),
        _ => {
            let kind = scalar.get(..1)?;
            let width = scalar.get(1..)?.parse().ok()?;
            match (kind, width) {
                ("u", 8 | 16 | 32 | 64) => Scalar::uint(width),
                ("i", 8 | 16 | 32 | 64) => Scalar::Int { width, signed: true },
                ("f", width) => Scalar::Float(FloatFormat::ieee(width)?),
                _ => return None,
            }
        }
    };
    Some((scalar, count))
}

/// The bits of a scalar; `None` is an undefined value.
///
/// # Errors
///
/// When the value is not one of the type, with `place` in the message.
pub fn read_scalar(
    value: &Value,
    scalar: Scalar,
    place: &str,
) -> Result<Option<u64>, DocumentError> {
    let bits = match (value, scalar) {
        (Value::Null, _) => return Ok(None),
        (Value::Bool(truth), Scalar::Bool) => Some(u64::from(*truth)),
        (Value::String(text), _) => from_text(text, scalar),
        (Value::Number(number), Scalar::Float(_)) => {
            number.as_f64().and_then(|number| finite(number, scalar))
        }
        (Value::Number(number), _) => number
            .as_u64()
            .map(i128::from)
            .or_else(|| number.as_i64().map(i128::from))
            .and_then(|number| integer(number, scalar)),
        _ => None,
    };
    bits.map(Some).ok_or_else(|| {
        let named = format!("{value} is not a value of type {scalar}");
        DocumentError::new(place, named)
    })
}

/// An integer that the type has.
fn integer(number: i128, scalar: Scalar) -> Option<u64> {
    let width = scalar.width();
    let values = match scalar {
        Scalar::Int { signed: true, .. } => -(1 << (width - 1))..1 << (width - 1),
        _ => 0..1 << width,
    };
    values.contains(&number).then(|| truncate(width, number as u64))
}

fn from_text(text: &str, scalar: Scalar) -> Option<u64> {
    if let Some(hex) = text.strip_prefix("0x") {
        let bits = u64::from_str_radix(hex, 16).ok()?;
        return (truncate(scalar.width(), bits) == bits).then_some(bits);
    }
    match scalar {
        Scalar::Float(_) => match text {
            "inf" | "+inf" => from_number(f64::INFINITY, scalar),
            "-inf" => from_number(f64::NEG_INFINITY, scalar),
            "nan" => from_number(f64::NAN, scalar),
            _ => finite(text.parse().ok()?, scalar),
        },
        _ => integer(text.parse().ok()?, scalar),
    }
}

/// The nearest value of a floating-point type, as bits.
fn from_number(number: f64, scalar: Scalar) -> Option<u64> {
    let double = Double::from_bits(u128::from(number.to_bits()));
    Some(format(scalar)?.narrow(double))
}

/// The same of a number that is not beyond the type's range: infinity is asked for by its name.
fn finite(number: f64, scalar: Scalar) -> Option<u64> {
    let bits = from_number(number, scalar)?;
    let there = format(scalar)?.widen(bits).is_infinite();
    (number.is_infinite() || !there).then_some(bits)
}

/// A scalar's bits as JSON; `None`, an undefined value, is `null`.
pub fn write_scalar(bits: Option<u64>, scalar: Scalar) -> Value {
    let Some(bits) = bits else { return Value::Null };
    let format = match (scalar, format(scalar)) {
        (Scalar::Bool, _) => return Value::Bool(bits & 1 == 1),
        (Scalar::Int { width, signed: true }, _) => {
            return signed(width, bits).into();
        }
        (_, Some(format)) => format,
        (_, None) => return bits.into(),
    };
    let number = f64::from_bits(format.widen(bits).to_bits() as u64);
    if number.is_nan() {
        let digits = scalar.width() as usize / 4;
        Value::String(format!("0x{bits:0digits$x}"))
    } else if number.is_infinite() {
        Value::String(if number > 0.0 { "inf" } else { "-inf" }.into())
    } else {
        number.into()
    }
}
