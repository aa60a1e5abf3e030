//! The side with the loop, in text.

use super::pieces::{ANSWER, FIRST, MINE, UPDATE};
use super::{Body, Recipe};

/// Lanes stay until all are served, and know whether they are.
const SERVED: std::ops::RangeInclusive<u8> = 3..=6;
/// The same, and what they hold is right from the first, until they are served.
const RIGHT_AT_FIRST: u8 = 4;
/// The same, and which lanes are served together is drawn in each iteration.
const DRAWN: u8 = 5;
/// The same, and some lanes that were served wait again when others are.
const RETURN: u8 = 6;
/// Lanes leave with their answer, after a division that may be by 0 before the loop, or after it.
const DIVIDED: [u8; 2] = [7, 8];
/// An answer of which a part was found before the loop.
const HALF_KNOWN: u8 = 9;

impl Recipe {
    pub(super) fn iterate(&self, body: &mut Body, ty: &str, none: &str) {
        let stays = SERVED.contains(&self.style);
        if self.answer == HALF_KNOWN {
            body.line("$whole = OpGroupNonUniformPartitionNV %uvec4 $v");
        }
        if self.style == DIVIDED[0] {
            body.line("$quotient = OpUDiv %two $v $x");
        }
        body.line("OpBranch $head");
        body.line("$head = OpLabel");
        body.line("$cur = OpPhi %two $v $entry $new $again");
        body.line("$k = OpPhi %two %c0 $entry $more $again");
        if stays {
            let first = if self.style == RIGHT_AT_FIRST && ty == "%two" { "$v" } else { none };
            body.line("$served = OpPhi %bool %false $entry $now $again");
            body.line(&format!("$kept = OpPhi {ty} {first} $entry $next $again"));
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
        body.line(match self.first {
            0 if stays => "$first = OpCopyObject %two $led",
            other => FIRST[usize::from(other)],
        });
        if self.style == DRAWN {
            body.line("$drawn = OpLogicalNot %bool %open");
            body.line("$lead = OpGroupNonUniformShuffle %bool %subgroup $drawn $leader");
            body.line("$alike = OpLogicalEqual %bool $drawn $lead");
            body.line("$mine = OpLogicalAnd %bool $alike $waits");
        } else {
            body.line(&MINE[usize::from(self.mine)].replace('@', "mine"));
        }
        self.leaving(body);
        self.answered(body, ty, none);
        body.line("$again = OpLabel");
        body.line(UPDATE[usize::from(self.update)]);
        body.line("$more = OpIAdd %two $k %c1");
        body.line("OpBranch $head");
        body.line("$done = OpLabel");
        if self.style == DIVIDED[1] {
            body.line("$quotient = OpUDiv %two $v $x");
        }
        match self.style {
            0 | 7 | 8 => body.line("OpReturnValue $r"),
            1 => body.line("OpUnreachable"),
            2 => {
                body.line(&format!("$left = OpLoad {ty} $kept"));
                body.line("OpReturnValue $left");
            }
            _ => body.line("OpReturnValue $kept"),
        }
    }

    /// Which lanes leave, and the state for later iterations.
    fn leaving(&self, body: &mut Body) {
        if self.leaves == 7 {
            body.line("$other = OpINotEqual %bool $x %c1");
            body.line("$later = OpGroupNonUniformAll %bool %subgroup $other");
        } else {
            body.line("$later = OpINotEqual %bool $k %c0");
        }
        match self.leaves {
            0 => body.line("$leaves = OpCopyObject %bool $mine"),
            1 => {
                body.line("$late = OpIEqual %bool $k %c3");
                body.line("$leaves = OpLogicalOr %bool $mine $late");
            }
            5 => {
                body.line("$marked = OpIEqual %bool $x %c1");
                body.line("$either = OpLogicalOr %bool $marked $later");
                body.line("$leaves = OpLogicalAnd %bool $mine $either");
            }
            6 | 7 => {
                body.line("$leads = OpGroupNonUniformElect %bool %subgroup");
                body.line("$together = OpLogicalAnd %bool $mine $later");
                body.line("$leaves = OpLogicalOr %bool $leads $together");
            }
            other => body.line(&MINE[usize::from(other)].replace('@', "leaves")),
        }
    }

    /// The values of lanes that leave, and how they leave.
    fn answered(&self, body: &mut Body, ty: &str, none: &str) {
        // A result of the other type belongs to no lane.
        let of_sets = self.answer < 2 || self.answer == HALF_KNOWN;
        let answer = match of_sets == (self.plain < 2) {
            _ if self.style == DRAWN && ty == "%two" => {
                "$gone = OpLogicalAnd %bool $alike $served\n\
                 $short = OpGroupNonUniformAny %bool %subgroup $gone\n\
                 $off = OpIAdd %two $v %c1\n\
                 $r = OpSelect %two $short $off $v"
                    .to_owned()
            }
            true => ANSWER[usize::from(self.answer)].replace("TYPE", ty),
            false => format!("$r = OpCopyObject {ty} {none}"),
        };
        match self.style {
            0 | 7 | 8 => {
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
                body.line("$so_far = OpLogicalOr %bool $served $leaves");
                body.line("$returns = OpIEqual %bool $x %c1");
                body.line(match self.style {
                    RETURN => "$now = OpSelect %bool $returns $leaves $so_far",
                    _ => "$now = OpCopyObject %bool $so_far",
                });
                body.line("OpBranch $again");
            }
        }
    }
}
