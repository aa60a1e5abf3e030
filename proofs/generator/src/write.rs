//! Pieces of GLSL, as a style wants them.

use crate::shader::{Function, parse};
use crate::style::{Ballots, Guard, LoopShape, Operator, Payload, Style};

/// What a lowering is written with.
#[derive(Clone, Copy)]
pub(crate) struct Writer {
    pub(crate) style: Style,
    pub(crate) operator: Operator,
    pub(crate) payload: Payload,
    /// The size of the subgroup, where the text names it.
    pub(crate) size: u32,
}

impl Writer {
    /// The type.
    pub(crate) fn ty(&self) -> &'static str {
        self.payload.name()
    }

    pub(crate) fn neutral(&self) -> String {
        self.payload.neutral(self.operator)
    }

    /// Another value that is not neutral.
    pub(crate) fn not_neutral(&self) -> String {
        match self.operator {
            Operator::Add | Operator::Xor | Operator::Or => format!("{}(1)", self.ty()),
            // What the other extreme starts from.
            Operator::Max => self.payload.neutral(Operator::Min),
            Operator::Mul | Operator::And | Operator::Min => format!("{}(0)", self.ty()),
        }
    }

    /// A group operation by the operator.
    pub(crate) fn group(&self, kind: &str, value: &str) -> String {
        format!("subgroup{kind}{}({value})", self.operator.name())
    }

    pub(crate) fn combine(&self, a: &str, b: &str) -> String {
        if self.style.helper { format!("combine({a}, {b})") } else { self.operator.infix(a, b) }
    }

    /// Functions that the others call.
    pub(crate) fn helpers(&self) -> Vec<Function> {
        if !self.style.helper {
            return Vec::new();
        }
        let (ty, value) = (self.ty(), self.operator.infix("a", "b"));
        parse::functions(&format!("{ty} combine({ty} a, {ty} b) {{ return {value}; }}"))
    }

    /// `target` becomes itself combined with `value` where `condition` holds.
    pub(crate) fn guarded(&self, target: &str, value: &str, condition: &str) -> String {
        let both = self.combine(target, value);
        match self.style.guard {
            Guard::Select => format!("{target} = ({condition}) ? {both} : {target};\n"),
            Guard::Branch => format!("if ({condition}) {target} = {both};\n"),
            Guard::Mask => {
                let ty = self.ty();
                let masks = matches!(self.operator, Operator::Add | Operator::Or | Operator::Xor);
                let part = match masks && self.payload != Payload::Uvec2 {
                    true => format!("(({value}) & (-{ty}({condition})))"),
                    false => format!("(({condition}) ? ({value}) : {})", self.neutral()),
                };
                format!("{target} = {};\n", self.combine(target, &part))
            }
        }
    }

    /// The body for each power of two from `first` that is less than the size.
    pub(crate) fn doubling(&self, first: u32, body: impl Fn(&str) -> String) -> String {
        match self.style.shape {
            LoopShape::BySize | LoopShape::ByConstant => {
                let bound = self.bound();
                let body = body("k");
                format!("for (uint k = {first}u; k < {bound}; k <<= 1u) {{\n{body}}}\n")
            }
            LoopShape::Unrolled => std::iter::successors(Some(first), |step| step.checked_mul(2))
                .take_while(|step| *step < self.size)
                .map(|step| format!("{{\n{}}}\n", body(&format!("{step}u"))))
                .collect(),
        }
    }

    /// The body for each lane from `first`.
    pub(crate) fn lanes(&self, first: u32, body: impl Fn(&str) -> String) -> String {
        match self.style.shape {
            LoopShape::BySize | LoopShape::ByConstant => {
                let bound = self.bound();
                format!("for (uint i = {first}u; i < {bound}; i++) {{\n{}}}\n", body("i"))
            }
            LoopShape::Unrolled => (first..self.size)
                .map(|lane| format!("{{\n{}}}\n", body(&format!("{lane}u"))))
                .collect(),
        }
    }

    fn bound(&self) -> String {
        match self.style.shape {
            LoopShape::BySize => "gl_SubgroupSize".to_owned(),
            LoopShape::ByConstant | LoopShape::Unrolled => format!("{}u", self.size),
        }
    }

    /// A lane's bit of a ballot.
    pub(crate) fn bit(&self, ballot: &str, lane: &str) -> String {
        match self.style.ballots {
            Ballots::Whole => format!("subgroupBallotBitExtract({ballot}, {lane})"),
            Ballots::Words => {
                format!("((({ballot})[({lane}) >> 5u] >> (({lane}) & 31u)) & 1u) != 0u")
            }
        }
    }

    /// The body for each set bit of a ballot, from the lowest; the lane is `i`.
    pub(crate) fn set_bits(&self, ballot: &str, body: &str) -> String {
        match self.style.ballots {
            Ballots::Whole => format!(
                "uvec4 left = {ballot};\n\
                 while (any(notEqual(left, uvec4(0)))) {{\n\
                 uint i = subgroupBallotFindLSB(left);\n{body}\
                 if (left.x != 0u) left.x &= left.x - 1u;\n\
                 else if (left.y != 0u) left.y &= left.y - 1u;\n\
                 else if (left.z != 0u) left.z &= left.z - 1u;\n\
                 else left.w &= left.w - 1u;\n}}\n"
            ),
            Ballots::Words => format!(
                "for (uint w = 0u; w < 4u; w++) {{\n\
                 uint left = ({ballot})[w];\n\
                 while (left != 0u) {{\n\
                 uint i = 32u * w + uint(findLSB(left));\n{body}left &= left - 1u;\n}}\n}}\n"
            ),
        }
    }

    /// How many bits of a ballot are set.
    pub(crate) fn count(&self, ballot: &str) -> String {
        match self.style.ballots {
            Ballots::Whole => format!("subgroupBallotBitCount({ballot})"),
            Ballots::Words => {
                let word = |word| format!("uint(bitCount(({ballot}).{word}))");
                ["x", "y", "z", "w"].map(word).join(" + ")
            }
        }
    }
}
