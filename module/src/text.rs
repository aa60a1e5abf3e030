//! Assembly text: the place of each instruction, and its words.

mod alias;

use std::collections::BTreeMap;
use std::ops::Range;

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions, DisassembleOptions};

use crate::error::brief;
use crate::place::Id;
use crate::words::{Module, printable};
use alias::in_known_names;
pub(crate) use alias::in_known_words;

/// What the assembler says, and where, line and column from 1.
pub(crate) struct Complaint {
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) byte: usize,
}

/// Assembles for one version of SPIR-V. Numeric ids keep their numbers, so that messages have the
/// ids that the author wrote.
pub(crate) fn assemble(text: &str, environment: TargetEnv) -> Result<Vec<u32>, Complaint> {
    let assembler = assembler::create(Some(environment));
    let options = AssemblerOptions { preserve_numeric_ids: true };
    match assembler.assemble(&in_known_names(text), options) {
        Ok(binary) => Ok(binary.as_words().to_vec()),
        Err(error) => Err(match error.diagnostic {
            Some(found) => Complaint {
                message: brief(&found.message),
                line: found.line + 1,
                column: found.column + 1,
                byte: found.index.min(text.len()),
            },
            None => Complaint { message: error.inner.to_string(), line: 1, column: 1, byte: 0 },
        }),
    }
}

/// A module as assembly, with friendly names; `None` if the words are not a module. A byte of a
/// name that is not UTF-8 becomes a question mark.
pub fn disassemble(words: &[u32]) -> Option<String> {
    let options = DisassembleOptions { comment: false, ..DisassembleOptions::default() };
    let assembler = assembler::create(Some(TargetEnv::Universal_1_6));
    let written = |words: &[u32]| assembler.disassemble(words, options).ok().flatten();
    written(words).or_else(|| {
        let module = Module::from_words(words.to_vec()).ok()?;
        written(&module.legible())
    })
}

/// The version that the disassembler notes in the comment at the head of its output. Text
/// itself has no other place for it.
pub(crate) fn noted_version(text: &str) -> Option<TargetEnv> {
    let comments = text.lines().map(str::trim).take_while(|line| line.starts_with(';'));
    let version = comments
        .filter_map(|line| line.trim_start_matches(';').trim().strip_prefix("Version:"))
        .next()?;
    of_minor(version.trim().strip_prefix("1.")?.parse().ok()?)
}

/// SPIR-V 1.`minor`, without any environment's rules.
pub(crate) fn of_minor(minor: u8) -> Option<TargetEnv> {
    match minor {
        0 => Some(TargetEnv::Universal_1_0),
        1 => Some(TargetEnv::Universal_1_1),
        2 => Some(TargetEnv::Universal_1_2),
        3 => Some(TargetEnv::Universal_1_3),
        4 => Some(TargetEnv::Universal_1_4),
        5 => Some(TargetEnv::Universal_1_5),
        6 => Some(TargetEnv::Universal_1_6),
        _ => None,
    }
}

/// The place of an instruction's opcode in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Its line, from 1.
    pub(crate) line: u32,
    /// Its first byte.
    pub(crate) byte: usize,
}

/// The places of all opcodes: the assembler turns the n-th one into the n-th instruction.
pub(crate) fn instruction_starts(text: &str) -> Vec<Start> {
    let bytes = text.as_bytes();
    let mut starts = Vec::new();
    let (mut line, mut counted) = (1, 0);
    let mut word = next_word(text, 0);
    while !word.is_empty() {
        if matches!(bytes[word.clone()], [b'O', b'p', b'A'..=b'Z', ..]) {
            let newlines = bytes[counted..word.start].iter().filter(|&&byte| byte == b'\n');
            line += newlines.count() as u32;
            counted = word.start;
            starts.push(Start { line, byte: word.start });
        }
        word = next_word(text, word.end);
    }
    starts
}

/// The line, from 1, of each instruction of a text, in order.
pub fn lines_of_instructions(text: &str) -> Vec<u32> {
    instruction_starts(text).into_iter().map(|start| start.line).collect()
}

/// What a text calls the results of its instructions, given the line of each.
pub(crate) fn written_results(
    text: &str,
    results: impl Iterator<Item = (u32, Option<Id>)>,
) -> BTreeMap<Id, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut before = 0;
    let mut written = BTreeMap::new();
    for (at, result) in results {
        // Of several instructions on a line only the first one's name is there.
        let first = std::mem::replace(&mut before, at) != at;
        let line = (at as usize).checked_sub(1).filter(|_| first).and_then(|at| lines.get(at));
        let name = line.and_then(|line| line.split_once('=')).map(|(name, _)| name.trim());
        if let (Some(id), Some(name)) = (result, name.and_then(|name| name.strip_prefix('%'))) {
            written.insert(id, printable(name));
        }
    }
    written
}

/// The next word after a byte, empty at the end. Space, line ends and comments part words;
/// quotes hold them together, a backslash takes the next byte.
pub(crate) fn next_word(text: &str, from: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut start = from.min(bytes.len());
    while let Some(&byte) = bytes.get(start) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => start += 1,
            b';' => {
                let rest = &bytes[start..];
                start += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            }
            _ => break,
        }
    }
    let mut end = start;
    let mut quoted = false;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'"' => quoted = !quoted,
            b' ' | b'\t' | b'\r' | b'\n' | b';' if !quoted => break,
            _ => {}
        }
        end += 1;
    }
    start..end.min(bytes.len())
}
