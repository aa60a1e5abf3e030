//! Literals of `bfloat16` in assembly.
//!
//! The reference assembler (SDK 1.4.341) encodes them as half precision without a word, so
//! that `1.0` would mean 2⁻⁷. They are encoded again here.

use std::collections::HashSet;

use rspirv::spirv::{FPEncoding, Op};

use crate::text::{Complaint, Start, next_word};
use crate::words::Module;

/// The words of a module with the `bfloat16` literals of its text encoded again; `starts` are
/// the places of the text's opcodes.
pub(crate) fn corrected(
    module: &Module,
    text: &str,
    starts: &[Start],
) -> Result<Vec<u32>, Complaint> {
    const FLOAT: u32 = Op::TypeFloat as u32;
    const CONSTANT: u32 = Op::Constant as u32;
    const SPEC_CONSTANT: u32 = Op::SpecConstant as u32;
    const ENCODING: u32 = FPEncoding::BFloat16KHR as u32;

    let mut words = module.words().to_vec();
    let mut types = HashSet::new();
    for (ordinal, instruction) in module.instructions().enumerate() {
        match *instruction {
            [first, id, 16, ENCODING] if first & 0xffff == FLOAT => {
                types.insert(id);
            }
            [first, ty, _, literal]
                if matches!(first & 0xffff, CONSTANT | SPEC_CONSTANT) && types.contains(&ty) =>
            {
                let start = starts.get(ordinal).filter(|_| starts.len() == module.len());
                let Some(at) = module.start(ordinal) else {
                    unreachable!("a module has the instructions that it lists")
                };
                let at = at as usize + 3;
                words[at] = encode(text, start, literal)?;
            }
            _ => {}
        }
    }
    Ok(words)
}

/// The bits of the literal in the constant that starts here; `assembled` is the assembler's result,
/// which is right if the author wrote the bits (`!0x3f80`).
fn encode(text: &str, start: Option<&Start>, assembled: u32) -> Result<u32, Complaint> {
    let Some(start) = start else {
        let message = "a bfloat16 constant in a text with instructions in raw words".into();
        return Err(Complaint { message, line: 1, column: 1, byte: 0 });
    };
    let opcode = next_word(text, start.byte);
    let ty = next_word(text, opcode.end);
    let literal = next_word(text, ty.end);
    let written = text.get(literal.clone()).unwrap_or_default();
    if written.starts_with('!') {
        return Ok(assembled);
    }
    let exact = written.parse::<f64>().ok().filter(|value| value.is_finite()).and_then(|value| {
        let single = value as f32;
        let bits = single.to_bits();
        (f64::from(single) == value && bits & 0xffff == 0).then_some(bits >> 16)
    });
    exact.ok_or_else(|| {
        let before = &text[..literal.start];
        Complaint {
            message: format!(
                "'{written}' is not exactly a bfloat16 in decimal: write its bits, as in !0x3f80"
            ),
            line: before.matches('\n').count() + 1,
            column: before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1,
            byte: literal.start,
        }
    })
}
