//! A binary as words, cut into instructions.

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv::{MAGIC_NUMBER, Op};

/// Words of the header: magic number, version, generator, bound, schema.
const HEADER_WORDS: usize = 5;

/// A module's words and where each instruction starts.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    words: Vec<u32>,
    starts: Vec<u32>,
}

/// Why bytes are not a sequence of instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Fewer bytes than a header, or a last word of fewer than four.
    Short(String),
    /// The instruction at this word says that it is longer than what is left.
    Instruction(u32),
    /// The instruction at this word says that it has no words.
    Empty(u32),
}

/// True when the first four bytes are the magic number, in either order.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|&first| {
        let word = u32::from_le_bytes(first);
        word == MAGIC_NUMBER || word == MAGIC_NUMBER.swap_bytes()
    })
}

impl Module {
    /// Reads words in the order that the magic number shows.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Cut> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            let reason = format!("{} bytes are not a whole number of words", bytes.len());
            return Err(Cut::Short(reason));
        }
        let little = chunks.first().map(|&first| u32::from_le_bytes(first)) == Some(MAGIC_NUMBER);
        let read = if little { u32::from_le_bytes } else { u32::from_be_bytes };
        Self::from_words(chunks.iter().map(|&chunk| read(chunk)).collect())
    }

    /// Cuts words into instructions.
    pub(crate) fn from_words(words: Vec<u32>) -> Result<Self, Cut> {
        if words.len() < HEADER_WORDS {
            let reason = format!("expected a header of five words, found {}", words.len());
            return Err(Cut::Short(reason));
        }
        let mut starts = Vec::new();
        let mut at = HEADER_WORDS;
        while at < words.len() {
            let length = (words[at] >> 16) as usize;
            if length == 0 {
                return Err(Cut::Empty(at as u32));
            }
            if length > words.len() - at {
                return Err(Cut::Instruction(at as u32));
            }
            starts.push(at as u32);
            at += length;
        }
        Ok(Self { words, starts })
    }

    /// All words, the header first.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The header.
    pub(crate) fn header(&self) -> &[u32] {
        &self.words[..HEADER_WORDS]
    }

    /// Major and minor version.
    pub(crate) fn version(&self) -> (u8, u8) {
        let [_, major, minor, _] = self.words[1].to_be_bytes();
        (major, minor)
    }

    /// One more than the largest id.
    pub(crate) fn bound(&self) -> u32 {
        self.words[3]
    }

    /// How many instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The word at which an instruction starts, by its ordinal from 0.
    pub(crate) fn start(&self, ordinal: usize) -> Option<u32> {
        self.starts.get(ordinal).copied()
    }

    /// All words, with a question mark for each byte of a name or another text that is not UTF-8.
    pub(crate) fn legible(mut self) -> Vec<u32> {
        for &start in &self.starts {
            let first = self.words[start as usize];
            let Some(before) = words_before_text(first) else { continue };
            let end = start as usize + (first >> 16) as usize;
            if let Some(text) = self.words.get_mut(start as usize + before..end) {
                make_legible(text);
            }
        }
        self.words
    }

    /// The words of each instruction.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.iter().map(|&start| {
            let start = start as usize;
            &self.words[start..start + (self.words[start] >> 16) as usize]
        })
    }
}

/// A literal string; bytes that are not UTF-8 become replacement characters.
pub(crate) fn literal_string(words: &[u32]) -> String {
    let bytes: Vec<u8> =
        words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How many words of an instruction come before the text that it takes, if it takes one, by its first
/// word: each operand before a text is one word.
fn words_before_text(first: u32) -> Option<usize> {
    let instruction = INSTRUCTION_TABLE.lookup_opcode(first & 0xffff)?;
    let is_text = |kind: OperandKind| kind == OperandKind::LiteralString;
    instruction.operands.iter().position(|operand| is_text(operand.kind)).map(|before| before + 1)
}

fn make_legible(words: &mut [u32]) {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut at = 0;
    while let Err(error) = std::str::from_utf8(&bytes[at..]) {
        at += error.valid_up_to();
        bytes[at] = b'?';
    }
    for (word, chunk) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*chunk);
    }
}

/// A name for output, with control characters escaped.
pub(crate) fn printable(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_control() {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

/// True for an instruction's first word with this opcode.
pub(crate) fn is(words: &[u32], opcode: Op) -> bool {
    words[0] & 0xffff == opcode as u32
}
