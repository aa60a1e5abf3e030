//! What a module says for people only: names, and the lines of the source that it was compiled from
//! (SPIR-V, Debug Instructions).

use std::collections::BTreeMap;
use std::sync::Arc;

use rspirv::spirv::Op;

use crate::place::Id;
use crate::words::{is, literal_string, printable};

/// Names and lines.
#[derive(Clone, Debug, Default)]
pub struct Debug {
    /// `OpName`s of everything that has one.
    pub names: BTreeMap<Id, String>,
    /// What assembly calls the results of instructions, without the percent sign.
    pub written: BTreeMap<Id, String>,
    /// Where instructions come from, by the index of their first word in the binary.
    pub lines: BTreeMap<u32, SourceLine>,
    /// The source text, if the compiler embeds it.
    pub source: Option<Arc<str>>,
}

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file as the compiler named it; empty where it did not.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

impl Debug {
    /// The text of a line of the source, trimmed, with control characters escaped.
    pub fn text(&self, line: &SourceLine) -> Option<String> {
        let source = self.source.as_ref()?;
        source.lines().nth(line.line.checked_sub(1)? as usize).map(|it| printable(it.trim()))
    }
}

/// Reads debug instructions in the module's order.
#[derive(Default)]
pub(crate) struct Reader {
    debug: Debug,
    strings: BTreeMap<Id, Arc<str>>,
    /// What the last `OpLine` says, until its scope ends.
    current: Option<SourceLine>,
}

impl Reader {
    /// Takes in an instruction that starts at this word of the binary.
    pub(crate) fn read(&mut self, instruction: &[u32], word: u32) {
        let opcode = |opcode| is(instruction, opcode);
        match instruction {
            [_, id, name @ ..] if opcode(Op::Name) => {
                self.debug.names.insert(*id, printable(&literal_string(name)));
            }
            [_, id, text @ ..] if opcode(Op::String) => {
                self.strings.insert(*id, printable(&literal_string(text)).into());
            }
            // Where they know none, some compilers note line 0, others the start of the file.
            [_, file, line, column, ..] if opcode(Op::Line) => {
                let file = self.strings.get(file).cloned().unwrap_or_default();
                let known = *line > 0 && (*line, *column) != (1, 1);
                self.current = known.then_some(SourceLine { file, line: *line });
            }
            _ if opcode(Op::NoLine) => self.current = None,
            _ => {
                if let Some(line) = &self.current {
                    self.debug.lines.insert(word, line.clone());
                }
                // A line holds to the end of its block.
                if ENDS.into_iter().any(opcode) {
                    self.current = None;
                }
            }
        }
    }

    pub(crate) fn finish(self) -> Debug {
        self.debug
    }
}

/// What ends a block, and with it what `OpLine` says.
const ENDS: [Op; 8] = [
    Op::Branch,
    Op::BranchConditional,
    Op::Switch,
    Op::Return,
    Op::ReturnValue,
    Op::Kill,
    Op::TerminateInvocation,
    Op::Unreachable,
];
