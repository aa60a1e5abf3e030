//! Pairs with a waterfall loop on one side, right ones and such with pieces exchanged.
//!
//! The loop takes some lane's value, and lanes that compare with it in some way hold an answer and
//! leave. What is a right loop for one source is a mutant for another.

use std::fmt::Write;

/// A pair, piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipe {
    /// What the side without a loop returns.
    pub plain: u8,
    /// How lanes leave and take their answer along.
    pub style: u8,
    /// Whose value is taken.
    pub first: u8,
    /// Which lanes it is meant for.
    pub mine: u8,
    /// Which lanes leave.
    pub leaves: u8,
    /// What they hold then.
    pub answer: u8,
    /// What becomes of the value from round to round.
    pub update: u8,
    /// The loop is the source.
    pub swapped: bool,
}

/// How many alternatives each piece has, in the order above.
pub const ALTERNATIVES: [u8; 7] = [9, 4, 5, 5, 6, 9, 5];

/// Pairs of which the loop is right: the pieces, in the order above.
pub const RIGHT: [[u8; 7]; 12] = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 1],
    [0, 2, 0, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 2, 0],
    [3, 2, 0, 0, 0, 3, 1],
    [3, 0, 0, 0, 1, 3, 0],
    [4, 3, 0, 0, 0, 4, 0],
    [5, 1, 0, 0, 0, 5, 0],
    [5, 2, 0, 0, 0, 5, 1],
    [6, 1, 0, 0, 0, 6, 0],
    [7, 1, 0, 0, 0, 7, 0],
    [2, 3, 0, 0, 0, 2, 0],
];

/// What a prover falls for that forgets a step: loops that never end and say nothing wrong, that
/// tear apart lanes which agree, whose lanes leave with nothing in hand.
pub const TRAPS: [[u8; 7]; 6] = [
    [2, 0, 2, 3, 0, 2, 0],
    [2, 3, 0, 3, 0, 2, 0],
    [0, 0, 0, 0, 5, 0, 0],
    [5, 0, 0, 0, 5, 5, 0],
    [0, 0, 0, 0, 0, 0, 4],
    [2, 2, 2, 3, 1, 2, 0],
];

impl Recipe {
    pub fn new(pieces: [u8; 7], swapped: bool) -> Self {
        let [plain, style, first, mine, leaves, answer, update] = pieces;
        Self { plain, style, first, mine, leaves, answer, update, swapped }
    }

    /// The module. With one parameter lanes are told apart by what they sum up.
    pub fn text(&self, parameters: usize, lanes: &str) -> String {
        let ty = if self.plain < 2 { "%uvec4" } else { "%two" };
        let mut text = format!("; lanes: {lanes}\n{HEAD}");
        let kinds = " %two".repeat(parameters);
        let _ = writeln!(text, "%function = OpTypeFunction {ty}{kinds}");
        let _ = writeln!(text, "%held = OpTypePointer Function {ty}");
        let none = if ty == "%two" { "%c0" } else { "%none" };
        let sides = if self.swapped { ["tgt", "src"] } else { ["src", "tgt"] };
        for (side, name) in sides.into_iter().enumerate() {
            let mut body = Body { text: String::new(), name };
            body.line(&format!("%{name} = OpFunction {ty} None %function"));
            body.line("$v = OpFunctionParameter %two");
            if parameters > 1 {
                body.line("$x = OpFunctionParameter %two");
            }
            body.line("$entry = OpLabel");
            if side == 1 && self.style == 2 {
                body.line("$kept = OpVariable %held Function");
            }
            if parameters == 1 {
                body.line("$x = OpIAdd %two $v %c1");
            }
            match side {
                0 => body.line(PLAIN[usize::from(self.plain)]),
                _ => self.iterate(&mut body, ty, none),
            }
            body.line("OpFunctionEnd");
            text.push_str(&body.text);
        }
        text
    }

    fn iterate(&self, body: &mut Body, ty: &str, none: &str) {
        let answer = ANSWER[usize::from(self.answer)].replace("TYPE", ty);
        // An answer of the other type is none of the lanes'.
        let fits = (self.answer < 2) == (self.plain < 2);
        let answer = if fits { answer } else { format!("$r = OpCopyObject {ty} {none}") };
        let first = if self.style == 3 { "$first = OpCopyObject %two $led" } else { "" };
        let first = match self.first {
            0 if self.style == 3 => first,
            other => FIRST[usize::from(other)],
        };
        body.line("OpBranch $head");
        body.line("$head = OpLabel");
        body.line("$cur = OpPhi %two $v $entry $new $again");
        body.line("$k = OpPhi %two %c0 $entry $more $again");
        if self.style == 3 {
            body.line("$served = OpPhi %bool %false $entry $now $again");
            body.line(&format!("$kept = OpPhi {ty} {none} $entry $next $again"));
            body.line("$waits = OpLogicalNot %bool $served");
            body.line("$some = OpGroupNonUniformAny %bool %subgroup $waits");
            body.line("OpLoopMerge $done $again None");
            body.line("OpBranchConditional $some $body $done");
            body.line("$body = OpLabel");
            body.line("$who = OpGroupNonUniformBallot %uvec4 %subgroup $waits");
            body.line("$leader = OpGroupNonUniformBallotFindLSB %uint %subgroup $who");
            body.line("$led = OpGroupNonUniformShuffle %two %subgroup $cur $leader");
        } else {
            body.line("OpLoopMerge $done $again None");
            body.line("OpBranch $body");
            body.line("$body = OpLabel");
        }
        body.line(first);
        body.line(&MINE[usize::from(self.mine)].replace('@', "mine"));
        match self.leaves {
            0 => body.line("$leaves = OpCopyObject %bool $mine"),
            1 => {
                body.line("$late = OpIEqual %bool $k %c3");
                body.line("$leaves = OpLogicalOr %bool $mine $late");
            }
            5 => {
                body.line("$marked = OpIEqual %bool $x %c1");
                body.line("$later = OpINotEqual %bool $k %c0");
                body.line("$either = OpLogicalOr %bool $marked $later");
                body.line("$leaves = OpLogicalAnd %bool $mine $either");
            }
            other => body.line(&MINE[usize::from(other)].replace('@', "leaves")),
        }
        let answer = answer.replace('@', "mine");
        match self.style {
            0 => {
                body.line(&answer);
                body.line("OpBranchConditional $leaves $done $again");
            }
            1 => {
                body.line("OpSelectionMerge $rest None");
                body.line("OpBranchConditional $leaves $in $rest");
                body.line("$in = OpLabel");
                body.line(&answer);
                body.line("OpReturnValue $r");
                body.line("$rest = OpLabel");
                body.line("OpBranch $again");
            }
            2 => {
                body.line("OpSelectionMerge $rest None");
                body.line("OpBranchConditional $mine $in $rest");
                body.line("$in = OpLabel");
                body.line(&answer);
                body.line("OpStore $kept $r");
                body.line("OpBranch $rest");
                body.line("$rest = OpLabel");
                body.line("OpBranchConditional $leaves $done $again");
            }
            _ => {
                body.line(&answer);
                body.line(&format!("$next = OpSelect {ty} $mine $r $kept"));
                body.line("$now = OpLogicalOr %bool $served $leaves");
                body.line("OpBranch $again");
            }
        }
        body.line("$again = OpLabel");
        body.line(UPDATE[usize::from(self.update)]);
        body.line("$more = OpIAdd %two $k %c1");
        body.line("OpBranch $head");
        body.line("$done = OpLabel");
        match self.style {
            0 => body.line("OpReturnValue $r"),
            1 => body.line("OpUnreachable"),
            2 => {
                body.line(&format!("$left = OpLoad {ty} $kept"));
                body.line("OpReturnValue $left");
            }
            _ => body.line("OpReturnValue $kept"),
        }
    }
}

/// Lines of one function; `$a` is its own `<id>`.
struct Body {
    text: String,
    name: &'static str,
}

impl Body {
    fn line(&mut self, line: &str) {
        let line = line.replace('$', &format!("%{}_", self.name));
        let _ = writeln!(self.text, "{line}");
    }
}

const PLAIN: [&str; 9] = [
    "$r = OpGroupNonUniformPartitionNV %uvec4 $v\nOpReturnValue $r",
    "$r = OpGroupNonUniformBallot %uvec4 %subgroup %true\nOpReturnValue $r",
    "OpReturnValue $v",
    "$r = OpIAdd %two $v %c1\nOpReturnValue $r",
    "$r = OpGroupNonUniformShuffle %two %subgroup $x $v\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $r = OpGroupNonUniformIAdd %two %subgroup PartitionedReduceNV $x $p\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $r = OpGroupNonUniformIAdd %two %subgroup PartitionedExclusiveScanNV $x $p\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $r = OpGroupNonUniformUMax %two %subgroup PartitionedReduceNV $x $p\nOpReturnValue $r",
    "$r = OpGroupNonUniformBroadcastFirst %two %subgroup $x\nOpReturnValue $r",
];

const FIRST: [&str; 5] = [
    "$first = OpGroupNonUniformBroadcastFirst %two %subgroup $cur",
    "$first = OpGroupNonUniformUMax %two %subgroup Reduce $cur",
    "$first = OpCopyObject %two $cur",
    "$first = OpCopyObject %two $k",
    "$first = OpGroupNonUniformBroadcastFirst %two %subgroup $v",
];

const MINE: [&str; 5] = [
    "$@ = OpIEqual %bool $cur $first",
    "$@ = OpULessThanEqual %bool $cur $first",
    "$@ = OpGroupNonUniformElect %bool %subgroup",
    "$@ = OpINotEqual %bool $cur $first",
    "$@ = OpIEqual %bool $v $first",
];

const ANSWER: [&str; 9] = [
    "$r = OpGroupNonUniformBallot TYPE %subgroup $mine",
    "$r = OpGroupNonUniformBallot TYPE %subgroup %true",
    "$r = OpCopyObject TYPE $first",
    "$r = OpIAdd TYPE $first %c1",
    "$r = OpGroupNonUniformShuffle TYPE %subgroup $x $first",
    "$r = OpGroupNonUniformIAdd TYPE %subgroup Reduce $x",
    "$r = OpGroupNonUniformIAdd TYPE %subgroup ExclusiveScan $x",
    "$r = OpGroupNonUniformUMax TYPE %subgroup Reduce $x",
    "$r = OpCopyObject TYPE $x",
];

const UPDATE: [&str; 5] = [
    "$new = OpCopyObject %two $v",
    "$new = OpCopyObject %two $cur",
    "$new = OpIAdd %two $cur %c1",
    "$new = OpBitwiseXor %two $cur $first",
    "$new = OpIAdd %two $cur $x",
];

const HEAD: &str = "OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformPartitionedNV
OpExtension \"SPV_NV_shader_subgroup_partitioned\"
OpMemoryModel Logical GLSL450
OpName %src \"src\"
OpName %tgt \"tgt\"
OpName %src_v \"v\"
OpName %tgt_v \"v\"
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%two = OpTypeInt 2 0
%uvec4 = OpTypeVector %uint 4
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%subgroup = OpConstant %uint 3
%c0 = OpConstant %two 0
%c1 = OpConstant %two 1
%c2 = OpConstant %two 2
%c3 = OpConstant %two 3
%none = OpConstantNull %uvec4
";
