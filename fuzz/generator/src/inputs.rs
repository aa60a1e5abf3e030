//! What a module's buffers hold: values that find mistakes.

use laneproof_semantics::Scalar;
use serde_json::{Value, json};

use crate::numbers::Numbers;
use crate::tree::{ATOMIC_WORDS, Tree, scalar_words};
use laneproof_semantics::ModuleKind;

/// The initial value of outputs.
const UNWRITTEN: u32 = 0x5eed_0bad;

/// The words of each buffer, by binding or argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// One list a buffer.
    pub buffers: Vec<Vec<u32>>,
}

/// How an input is spread over the invocations.
enum Spread {
    Same(u64),
    Few([u64; 3]),
    Small,
    Edges,
    Any,
    Numbered,
}

impl Inputs {
    /// Inputs for a module.
    pub fn chosen(tree: &Tree, numbers: &mut Numbers) -> Self {
        let invocations = tree.target.workgroup as usize;
        let each = tree.input_words() as usize;
        let mut words = vec![0; invocations * each];
        let mut column = 0;
        for (number, input) in tree.inputs.iter().enumerate() {
            for scalar in input.ty.leaves() {
                let spread = match number {
                    // Something that leads lanes different ways.
                    0 => Spread::Small,
                    _ => spread(scalar, numbers),
                };
                for invocation in 0..invocations {
                    let bits = value(&spread, scalar, invocation as u64, numbers);
                    let at = invocation * each + column;
                    words[at] = bits as u32;
                    if scalar_words(scalar) == 2 {
                        words[at + 1] = (bits >> 32) as u32;
                    }
                }
                column += scalar_words(scalar) as usize;
            }
        }
        let outputs = vec![UNWRITTEN; invocations * tree.output_words.max(1) as usize];
        let lanes = vec![UNWRITTEN; invocations * 3];
        let atomics = (0..ATOMIC_WORDS).map(|_| numbers.bits() as u32 & 0xff).collect();
        Self { buffers: vec![words, outputs, lanes, atomics] }
    }

    /// Whether an input of a floating-point type is a NaN, an infinity or a subnormal number, or so
    /// small that a product is subnormal.
    pub fn has_special_floats(&self, tree: &Tree) -> bool {
        self.with_plain_floats(tree) != *self
    }

    /// The same with one in the place of each such number.
    #[must_use]
    pub fn with_plain_floats(&self, tree: &Tree) -> Self {
        let mut plain = self.clone();
        let Some(words) = plain.buffers.first_mut() else { return plain };
        let each = tree.input_words() as usize;
        let mut column = 0;
        for scalar in tree.inputs.iter().flat_map(|input| input.ty.leaves()) {
            let wide = scalar_words(scalar) as usize;
            if scalar.is_float() {
                for at in (column..words.len()).step_by(each.max(1)) {
                    let high = if wide == 2 { words[at + 1] } else { 0 };
                    let bits = u64::from(words[at]) | u64::from(high) << 32;
                    if let Some(one) = special(scalar, bits) {
                        words[at] = one as u32;
                        if wide == 2 {
                            words[at + 1] = (one >> 32) as u32;
                        }
                    }
                }
            }
            column += wide;
        }
        plain
    }

    /// The document that `run` and `check` take.
    pub fn document(&self, module_kind: ModuleKind) -> Value {
        let buffer = |words: &Vec<u32>| json!({ "type": "u32", "values": words });
        match module_kind {
            ModuleKind::Shader => {
                let named = self.buffers.iter().enumerate();
                let named = named.map(|(index, words)| (format!("0.{index}"), buffer(words)));
                json!({ "bindings": named.collect::<serde_json::Map<_, _>>() })
            }
            ModuleKind::Kernel => {
                let list = self.buffers.iter().map(|words| json!({ "buffer": buffer(words) }));
                json!({ "arguments": list.collect::<Vec<_>>() })
            }
        }
    }
}

fn spread(scalar: Scalar, numbers: &mut Numbers) -> Spread {
    match numbers.below(8) {
        0 => Spread::Same(edge(scalar, numbers)),
        1 | 2 => Spread::Few([0; 3].map(|_| edge(scalar, numbers))),
        3 => Spread::Any,
        4 => Spread::Edges,
        5 | 6 => Spread::Small,
        _ => Spread::Numbered,
    }
}

fn value(spread: &Spread, scalar: Scalar, invocation: u64, numbers: &mut Numbers) -> u64 {
    let bits = match spread {
        Spread::Same(bits) => *bits,
        Spread::Few(choices) => choices[numbers.below(3) as usize],
        Spread::Any => numbers.bits(),
        Spread::Edges => edge(scalar, numbers),
        Spread::Small if scalar.is_float() => small_float(scalar, numbers),
        Spread::Small => numbers.below(9),
        Spread::Numbered if scalar.is_float() => small_float(scalar, numbers),
        Spread::Numbered => 0x0101_0101_0101_0101u64.wrapping_mul(invocation + 1),
    };
    match scalar.width() {
        64.. => bits,
        width => bits & ((1 << width) - 1),
    }
}

/// The bits of one, where these are of a NaN, an infinity, a subnormal number, or one so small
/// that a product is.
fn special(scalar: Scalar, bits: u64) -> Option<u64> {
    let (width, fraction) = match scalar.width() {
        16 => (16, 10),
        32 => (32, 23),
        _ => (64, 52),
    };
    let ones = (1u64 << (width - 1 - fraction)) - 1;
    let exponent = bits >> fraction & ones;
    let zero = bits & ((1 << (width - 1)) - 1) == 0;
    let one = ones >> 1;
    let small = exponent < one - one / 3 && !zero;
    (exponent == ones || small).then_some(one << fraction)
}

/// Integers whose sums and products are exact, for a few of them.
fn small_float(scalar: Scalar, numbers: &mut Numbers) -> u64 {
    let list: [u64; 4] = match scalar.width() {
        16 => [0x3c00, 0xbc00, 0x4000, 0x0000],
        32 => [0x3f80_0000, 0xbf80_0000, 0x4000_0000, 0],
        _ => [0x3ff0 << 48, 0xbff0 << 48, 0x4000 << 48, 0],
    };
    list[numbers.below(4) as usize]
}

/// A value at the end of some range.
fn edge(scalar: Scalar, numbers: &mut Numbers) -> u64 {
    let width = scalar.width();
    let sign = 1u64 << (width - 1);
    let any = numbers.bits();
    let list = match scalar {
        Scalar::Float(format) => {
            let fraction = format.fraction();
            let exponent = |ones: u32| ((1u64 << ones) - 1) << fraction;
            let (infinity, one) = (exponent(width - 1 - fraction), exponent(width - 2 - fraction));
            let quiet = infinity | 1 << (fraction - 1);
            vec![0, sign, infinity, infinity | sign, quiet, one, one | sign, infinity - 1]
        }
        _ => vec![0, 1, 2, sign, sign - 1, u64::MAX, u64::MAX - 1, any],
    };
    list[numbers.below(list.len() as u64) as usize]
}
