//! Assembly text: which line each instruction stands on, and to words.

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions, DisassembleOptions};

/// What the assembler says, and where, line and column from 1.
pub(crate) struct Complaint {
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) byte: usize,
}

/// Assembles for one version of SPIR-V. Numeric ids keep their numbers, so that messages speak
/// of the ids that the author wrote.
pub(crate) fn assemble(text: &str, environment: TargetEnv) -> Result<Vec<u32>, Complaint> {
    let assembler = assembler::create(Some(environment));
    let options = AssemblerOptions { preserve_numeric_ids: true };
    match assembler.assemble(text, options) {
        Ok(binary) => Ok(binary.as_words().to_vec()),
        Err(error) => Err(match error.diagnostic {
            Some(found) => Complaint {
                message: found.message,
                line: found.line + 1,
                column: found.column + 1,
                byte: found.index.min(text.len()),
            },
            None => Complaint { message: error.inner.to_string(), line: 1, column: 1, byte: 0 },
        }),
    }
}

/// A module as assembly, with friendly names; `None` where the words are not a module.
pub fn disassemble(words: &[u32]) -> Option<String> {
    let options = DisassembleOptions { comment: false, ..DisassembleOptions::default() };
    let assembler = assembler::create(Some(TargetEnv::Universal_1_6));
    assembler.disassemble(words, options).ok().flatten()
}

/// The version that the disassembler notes in the comment at the head of its output. Text
/// itself has no other place for it.
pub(crate) fn noted_version(text: &str) -> Option<TargetEnv> {
    let comments = text.lines().map(str::trim).take_while(|line| line.starts_with(';'));
    let version = comments
        .filter_map(|line| line.trim_start_matches(';').trim().strip_prefix("Version:"))
        .next()?;
    match version.trim() {
        "1.0" => Some(TargetEnv::Universal_1_0),
        "1.1" => Some(TargetEnv::Universal_1_1),
        "1.2" => Some(TargetEnv::Universal_1_2),
        "1.3" => Some(TargetEnv::Universal_1_3),
        "1.4" => Some(TargetEnv::Universal_1_4),
        "1.5" => Some(TargetEnv::Universal_1_5),
        "1.6" => Some(TargetEnv::Universal_1_6),
        _ => None,
    }
}

/// The line of each instruction's opcode, from 1, in order: the assembler turns the n-th
/// opcode into the n-th instruction.
pub(crate) fn instruction_lines(text: &str) -> Vec<u32> {
    let mut lines = Vec::new();
    let (mut line, mut at) = (1, 0);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => (line, at) = (line + 1, at + 1),
            b' ' | b'\t' | b'\r' => at += 1,
            b';' => {
                let rest = &bytes[at..];
                at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            }
            _ => {
                if matches!(bytes[at..], [b'O', b'p', b'A'..=b'Z', ..]) {
                    lines.push(line);
                }
                let end = word_end(bytes, at);
                line += bytes[at..end].iter().filter(|&&byte| byte == b'\n').count() as u32;
                at = end;
            }
        }
    }
    lines
}

/// One past the word that starts at `at`; quotes hold spaces, a backslash takes the next byte.
fn word_end(bytes: &[u8], mut at: usize) -> usize {
    let mut quoted = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' => quoted = !quoted,
            b' ' | b'\t' | b'\r' | b'\n' | b';' if !quoted => break,
            _ => {}
        }
        at += 1;
    }
    at.min(bytes.len())
}
