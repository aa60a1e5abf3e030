//! Words to instructions with typed operands, by rspirv's grammar.

use rspirv::binary::{Consumer, DecodeError, ParseAction, ParseState, Parser};
use rspirv::dr::{self, Operand};
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};
use rspirv::spirv::Op;

use crate::debug::{self, Debug};
use crate::place::{Id, Place};
use crate::words::{Module, is};

/// An instruction anywhere in a module.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// What it is.
    pub opcode: Op,
    /// Its result type.
    pub ty: Option<Id>,
    /// Its result.
    pub result: Option<Id>,
    /// Its operands, without result type and result.
    pub operands: Vec<Operand>,
    /// Its place.
    pub place: Place,
}

impl Decoded {
    /// The operand at this position, when it is an id of any kind.
    pub fn id(&self, index: usize) -> Option<Id> {
        self.operands.get(index).and_then(Operand::id_ref_any)
    }

    /// The operand at this position, when it is a one-word literal.
    pub fn literal(&self, index: usize) -> Option<u32> {
        match self.operands.get(index) {
            Some(Operand::LiteralBit32(value)) => Some(*value),
            _ => None,
        }
    }

    /// All operands from a position on that are ids.
    pub fn ids(&self, from: usize) -> impl Iterator<Item = Id> {
        self.operands.iter().skip(from).filter_map(Operand::id_ref_any)
    }
}

/// All that a module says.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub(crate) instructions: Vec<Decoded>,
    pub(crate) debug: Debug,
}

/// Decodes a module; `place` returns the place of an instruction by its ordinal.
///
/// # Errors
///
/// The place and the reason, where the grammar does not know an instruction.
pub(crate) fn decode(
    module: &Module,
    place: impl Fn(usize) -> Place,
) -> Result<Contents, (Option<Place>, String)> {
    let mut words = module.header().to_vec();
    let mut kept = Vec::new();
    let mut debug = debug::Reader::default();
    for (ordinal, instruction) in module.instructions().enumerate() {
        let at = place(ordinal);
        debug.read(instruction, at.word);
        if !is_debug(instruction) {
            kept.push((at, instruction));
            push_readable(&mut words, instruction);
        }
    }

    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut collector = Collector { kept: &kept, instructions: Vec::with_capacity(kept.len()) };
    let outcome = Parser::new(&bytes, &mut collector).parse();
    let instructions = collector.instructions;
    match outcome {
        Ok(()) => Ok(Contents { instructions, debug: debug.finish() }),
        Err(state) => {
            let place = kept.get(instructions.len()).map(|&(place, _)| place);
            Err((place, reason(&state)))
        }
    }
}

/// Instructions that mean nothing to an engine. Their strings need not be UTF-8 either.
fn is_debug(words: &[u32]) -> bool {
    [
        Op::Nop,
        Op::SourceContinued,
        Op::Source,
        Op::SourceExtension,
        Op::Name,
        Op::MemberName,
        Op::String,
        Op::Line,
        Op::NoLine,
        Op::ModuleProcessed,
    ]
    .into_iter()
    .any(|opcode| is(words, opcode))
}

/// Copies an instruction in a form that rspirv's parser reads: it knows literals of 8, 16, 32
/// and 64 bits only, and of `OpSpecConstantOp` only opcodes with a fixed number of operands.
/// [`Collector`] undoes both.
fn push_readable(out: &mut Vec<u32>, words: &[u32]) {
    let start = out.len();
    out.extend_from_slice(words);
    let copy = &mut out[start..];
    if is(words, Op::SpecConstantOp) {
        copy[0] = (copy[0] & !0xffff) | Op::SpecConstantComposite as u32;
    } else if let ([_, _, width, ..], true) =
        (&mut *copy, is(words, Op::TypeInt) || is(words, Op::TypeFloat))
    {
        *width = match *width {
            1..=32 => 32,
            33..=64 => 64,
            other => other,
        };
    }
}

/// The kinds of an instruction's operands behind its result, the last one again as often as it may
/// stand.
fn operands_of(operands: &[LogicalOperand]) -> impl Iterator<Item = OperandKind> {
    let results = [OperandKind::IdResultType, OperandKind::IdResult];
    let own = operands.iter().filter(move |it| !results.contains(&it.kind));
    own.flat_map(|it| {
        let times = match it.quantifier {
            OperandQuantifier::ZeroOrMore => usize::MAX,
            OperandQuantifier::One | OperandQuantifier::ZeroOrOne => 1,
        };
        std::iter::repeat_n(it.kind, times)
    })
}

struct Collector<'a> {
    /// The instructions that the parser was given, as they were, with their places.
    kept: &'a [(Place, &'a [u32])],
    instructions: Vec<Decoded>,
}

impl Consumer for Collector<'_> {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, _: dr::ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, parsed: dr::Instruction) -> ParseAction {
        let Some(&(place, words)) = self.kept.get(self.instructions.len()) else {
            return ParseAction::Stop;
        };
        let mut opcode = parsed.class.opcode;
        let mut operands = parsed.operands;
        if is(words, Op::SpecConstantOp) {
            opcode = Op::SpecConstantOp;
            let inner = operands.first().and_then(Operand::id_ref_any);
            let known = inner.and_then(|inner| INSTRUCTION_TABLE.lookup_opcode(inner));
            let Some(grammar) = known else {
                return ParseAction::Error("OpSpecConstantOp of an unknown opcode".into());
            };
            operands[0] = Operand::LiteralSpecConstantOpInteger(grammar.opcode);
            let kinds = operands_of(grammar.operands);
            for (operand, kind) in operands[1..].iter_mut().zip(kinds) {
                if let (Operand::IdRef(word), OperandKind::LiteralInteger) = (&*operand, kind) {
                    *operand = Operand::LiteralBit32(*word);
                }
            }
        } else if let (Op::TypeInt | Op::TypeFloat, Some(&width)) = (opcode, words.get(2)) {
            operands[0] = Operand::LiteralBit32(width);
        }
        self.instructions.push(Decoded {
            opcode,
            ty: parsed.result_type,
            result: parsed.result_id,
            operands,
            place,
        });
        ParseAction::Continue
    }
}

/// rspirv's reason without its offsets, which are into our copy.
fn reason(state: &ParseState) -> String {
    match state {
        ParseState::OpcodeUnknown(_, _, opcode) => format!("unknown opcode {opcode}"),
        ParseState::OperandExpected(..) => "an operand is missing".into(),
        ParseState::OperandExceeded(..) => "more operands than the instruction takes".into(),
        ParseState::TypeUnsupported(..) => "a literal of a type without literals".into(),
        ParseState::ConsumerError(error) => error.to_string(),
        ParseState::OperandError(error) => match error {
            DecodeError::StreamExpected(_) | DecodeError::LimitReached(_) => {
                "it ends within an operand".into()
            }
            DecodeError::DecodeStringFailed(..) => "a string that is not UTF-8".into(),
            _ => "an operand has a number that the grammar does not know".into(),
        },
        other => other.to_string(),
    }
}
