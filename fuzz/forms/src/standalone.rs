//! A form as a whole module: an entry point that takes each lane's operands from memory, executes
//! the instruction in the lanes that memory says, and leaves their results there.
//!
//! Memory is words of 32 bits throughout, so that whatever runs the module need not know types:
//!
//! | binding, argument | words a lane | what |
//! | --- | --- | --- |
//! | 0 | the result's leaves | results; lanes that are not active leave theirs |
//! | 1 | 1 | `SubgroupSize` as the lane saw it |
//! | 2 | 1 | not 0: the lane executes the instruction |
//! | 3 and on | the operand's leaves | operands that are no constants |
//!
//! A kernel's pointer operand is two of these: what it leads to, and for each lane the number of the
//! element that it points to. An image operand is an image. An instruction without a result leaves
//! the first one as it is.

use std::fmt::Write as _;

use laneproof_semantics::denote::Argument;
use laneproof_semantics::{Scalar, Type};

use crate::form::Form;
use crate::module_text::{FUNCTION, Writer};
use laneproof_semantics::ModuleKind;

/// A module with an entry point, and what its memory holds.
#[derive(Clone, Debug)]
pub struct Standalone {
    /// The module.
    pub text: String,
    /// What comes from memory, in the order of their bindings or arguments.
    pub operands: Vec<Held>,
}

/// What a binding or argument holds of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Its values, lane by lane.
    Value(usize),
    /// What it leads to.
    Memory(usize),
    /// The element that it points to, lane by lane.
    Place(usize),
}

/// The number of the first binding or argument with an operand in it.
pub const FIRST_OPERAND: usize = 3;

impl Form {
    /// The form in a module with an entry point of `lanes` invocations; `None` where an operand
    /// or the result is not of words of 32 bits or Booleans, and for memory of shaders.
    pub fn standalone(&self, lanes: u32) -> Option<Standalone> {
        let result = self.result.as_ref();
        result.is_none_or(in_words).then_some(())?;
        let mut operands = Vec::new();
        for (operand, argument) in self.arguments.iter().enumerate() {
            match argument {
                Argument::Value(ty) if self.constants[operand].is_none() => {
                    in_words(ty).then_some(())?;
                    operands.push((Held::Value(operand), ty.clone()));
                }
                Argument::Pointer(Type::U32) if self.module_kind == ModuleKind::Kernel => {
                    operands.push((Held::Memory(operand), Type::U32));
                    operands.push((Held::Place(operand), Type::U32));
                }
                Argument::Image if self.module_kind == ModuleKind::Kernel => {
                    operands.push((Held::Memory(operand), Type::U32));
                }
                Argument::Pointer(_) | Argument::Image | Argument::Values(_) => return None,
                _ => {}
            }
        }
        let mut writer = Writer::new(self);
        let subject = writer.subject();
        let entry = GrammarEntry { writer: &mut writer, body: String::new(), fresh: 0 };
        let main = entry.function(result, &operands, lanes);
        let text = writer.module(self.version, &(subject + &main));
        Some(Standalone { text, operands: operands.into_iter().map(|(index, _)| index).collect() })
    }
}

/// Its leaves are words or Booleans.
fn in_words(ty: &Type) -> bool {
    ty.leaves().iter().all(|leaf| *leaf == Scalar::Bool || leaf.width() == 32)
}

struct GrammarEntry<'w, 'f> {
    writer: &'w mut Writer<'f>,
    body: String,
    fresh: usize,
}

impl GrammarEntry<'_, '_> {
    fn function(mut self, result: Option<&Type>, operands: &[(Held, Type)], lanes: u32) -> String {
        let buffers = self.buffers(operands);
        let void = self.writer.void();
        let word = self.writer.ty(&Type::U32);
        let condition = self.writer.ty(&Type::BOOL);
        let zero = self.word(0);
        let parameters = self.declare(&word, &buffers, lanes);
        let mut out = format!("%main = OpFunction {void} None %main_function\n");
        out += &parameters;
        out += "%enter = OpLabel\n";
        let lane = self.bind(&format!("OpLoad {word} %lane_input"));
        let size = self.bind(&format!("OpLoad {word} %size_input"));
        self.store(1, &lane, &size);
        let flag = self.load(2, &lane, &word);
        let takes_part = self.bind(&format!("OpINotEqual {condition} {flag} {zero}"));
        let _ = writeln!(self.body, "OpSelectionMerge %leave None");
        let _ = writeln!(self.body, "OpBranchConditional {takes_part} %active %leave");
        self.body += "%active = OpLabel\n";
        let mut arguments = Vec::new();
        for (number, (held, ty)) in operands.iter().enumerate() {
            let buffer = FIRST_OPERAND + number;
            arguments.push(match held {
                Held::Memory(_) => format!("%b{buffer}"),
                Held::Value(_) | Held::Place(_) => self.operand(buffer, ty, &lane),
            });
        }
        let ty = result.map_or_else(|| void.clone(), |ty| self.writer.ty(ty));
        let call = format!("OpFunctionCall {ty} %{FUNCTION} {}", arguments.join(" "));
        let value = self.bind(&call);
        if let Some(result) = result {
            self.leave(result, &value, &lane);
        }
        out += &self.body;
        out + "OpBranch %leave\n%leave = OpLabel\nOpReturn\nOpFunctionEnd\n"
    }

    /// The types of a kernel's parameters.
    fn buffers(&self, operands: &[(Held, Type)]) -> Vec<&'static str> {
        let of_operand = |(held, _): &(Held, Type)| match held {
            Held::Memory(operand) => match self.writer.form.arguments[*operand] {
                Argument::Image => "%image",
                _ => "%element",
            },
            Held::Value(_) | Held::Place(_) => "%word_pointer",
        };
        let own = std::iter::repeat_n("%word_pointer", FIRST_OPERAND);
        own.chain(operands.iter().map(of_operand)).collect()
    }

    /// Built-in inputs, buffers and the entry point; the parameters of its function.
    fn declare(&mut self, word: &str, buffers: &[&str], lanes: u32) -> String {
        let shader = self.writer.form.module_kind == ModuleKind::Shader;
        let (model, name) = if shader { ("GLCompute", "main") } else { ("Kernel", "litmus") };
        if shader {
            self.writer.capabilities.push("GroupNonUniform".into());
        }
        self.writer.entries = format!(
            "OpEntryPoint {model} %main \"{name}\" %lane_input %size_input\n\
             OpExecutionMode %main LocalSize {lanes} 1 1\n"
        );
        let mut decorations = "OpDecorate %lane_input BuiltIn SubgroupLocalInvocationId\n\
                               OpDecorate %size_input BuiltIn SubgroupSize\n"
            .to_owned();
        let mut declared = format!(
            "%input_pointer = OpTypePointer Input {word}\n\
             %lane_input = OpVariable %input_pointer Input\n\
             %size_input = OpVariable %input_pointer Input\n"
        );
        let mut parameters = String::new();
        let numbers = 0..buffers.len();
        if shader {
            decorations += "OpDecorate %words ArrayStride 4\nOpDecorate %buffer Block\n\
                            OpMemberDecorate %buffer 0 Offset 0\n";
            let _ = write!(
                declared,
                "%words = OpTypeRuntimeArray {word}\n%buffer = OpTypeStruct %words\n\
                 %buffer_pointer = OpTypePointer StorageBuffer %buffer\n\
                 %word_pointer = OpTypePointer StorageBuffer {word}\n"
            );
            for number in numbers {
                let _ = write!(
                    decorations,
                    "OpDecorate %b{number} DescriptorSet 0\nOpDecorate %b{number} Binding {number}\n"
                );
                let variable = "OpVariable %buffer_pointer StorageBuffer";
                let _ = writeln!(declared, "%b{number} = {variable}");
            }
            declared += "%main_function = OpTypeFunction %void\n";
        } else {
            let _ = writeln!(declared, "%word_pointer = OpTypePointer CrossWorkgroup {word}");
            let types = buffers.join(" ");
            let _ = writeln!(declared, "%main_function = OpTypeFunction %void {types}");
            for (number, ty) in buffers.iter().enumerate() {
                let _ = writeln!(parameters, "%b{number} = OpFunctionParameter {ty}");
            }
        }
        self.writer.decorations += &decorations;
        self.writer.declarations += &declared;
        parameters
    }

    /// An operand of this lane, out of the words of a buffer.
    fn operand(&mut self, buffer: usize, ty: &Type, lane: &str) -> String {
        let word = self.writer.ty(&Type::U32);
        let leaves = ty.leaves();
        let mut values = Vec::new();
        for (leaf, scalar) in leaves.iter().enumerate() {
            let index = self.index(lane, leaves.len(), leaf);
            let bits = self.load(buffer, &index, &word);
            let own = self.writer.ty(&Type::Scalar(*scalar));
            values.push(match scalar {
                Scalar::Bool => {
                    let zero = self.word(0);
                    self.bind(&format!("OpINotEqual {own} {bits} {zero}"))
                }
                _ if own == word => bits,
                _ => self.bind(&format!("OpBitcast {own} {bits}")),
            });
        }
        match values.as_slice() {
            [one] => one.clone(),
            all => {
                let ty = self.writer.ty(ty);
                self.bind(&format!("OpCompositeConstruct {ty} {}", all.join(" ")))
            }
        }
    }

    /// Stores the leaves of a result as words.
    fn leave(&mut self, ty: &Type, value: &str, lane: &str) {
        let word = self.writer.ty(&Type::U32);
        let leaves = ty.leaves();
        for (leaf, scalar) in leaves.iter().enumerate() {
            let own = self.writer.ty(&Type::Scalar(*scalar));
            let part = match leaves.len() {
                1 => value.to_owned(),
                _ => self.bind(&format!("OpCompositeExtract {own} {value} {leaf}")),
            };
            let bits = match scalar {
                Scalar::Bool => {
                    let (one, zero) = (self.word(1), self.word(0));
                    self.bind(&format!("OpSelect {word} {part} {one} {zero}"))
                }
                _ if own == word => part,
                _ => self.bind(&format!("OpBitcast {word} {part}")),
            };
            let index = self.index(lane, leaves.len(), leaf);
            self.store(0, &index, &bits);
        }
    }

    /// The index of a lane's word, with `words` words per lane.
    fn index(&mut self, lane: &str, words: usize, word: usize) -> String {
        if words == 1 {
            return lane.to_owned();
        }
        let ty = self.writer.ty(&Type::U32);
        let (count, place) = (self.word(words as u64), self.word(word as u64));
        let first = self.bind(&format!("OpIMul {ty} {lane} {count}"));
        self.bind(&format!("OpIAdd {ty} {first} {place}"))
    }

    fn place(&mut self, buffer: usize, index: &str) -> String {
        match self.writer.form.module_kind {
            ModuleKind::Shader => {
                let zero = self.word(0);
                self.bind(&format!("OpAccessChain %word_pointer %b{buffer} {zero} {index}"))
            }
            ModuleKind::Kernel => {
                self.bind(&format!("OpInBoundsPtrAccessChain %word_pointer %b{buffer} {index}"))
            }
        }
    }

    fn load(&mut self, buffer: usize, index: &str, ty: &str) -> String {
        let at = self.place(buffer, index);
        self.bind(&format!("OpLoad {ty} {at} Aligned 4"))
    }

    fn store(&mut self, buffer: usize, index: &str, value: &str) {
        let at = self.place(buffer, index);
        let _ = writeln!(self.body, "OpStore {at} {value} Aligned 4");
    }

    fn word(&mut self, number: u64) -> String {
        self.writer.constant(&Type::U32, number)
    }

    /// A name for what an instruction gives.
    fn bind(&mut self, instruction: &str) -> String {
        let name = format!("%v{}", self.fresh);
        self.fresh += 1;
        let _ = writeln!(self.body, "{name} = {instruction}");
        name
    }
}
