//! Two loops that count, each in its own way, by induction alone, held against the judge.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use crate::support::by_extent;
use crate::support::judge::{Limits, judge};
use crate::support::pair::Pair;
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Options, Verdict, verify};

const LIMITS: Limits = Limits { states: 100_000, runs: 1 << 8, runs_of_pair: 400_000 };

const HEAD: &str = "; two loops that count
; lanes: 2
; active: any
OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformArithmetic
OpMemoryModel Logical GLSL450
OpName %src \"src\"
OpName %tgt \"tgt\"
%two = OpTypeInt 2 0
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%subgroup = OpConstant %uint 3
%t0 = OpConstant %two 0
%t1 = OpConstant %two 1
%t2 = OpConstant %two 2
%t3 = OpConstant %two 3
%local = OpTypePointer Function %two
%function = OpTypeFunction %two %two
";

/// A loop that tests before its body.
const AT_TOP: &str = "OpBranch $head
$head = OpLabel
$i = OpPhi %two $from $entry $i_next $again
$k = OpPhi %two {3} $entry $k_next $again
$acc = OpPhi %two %t0 $entry $more $again
OpLoopMerge $done $again None
OpBranch $test
$test = OpLabel
$on = {2}
OpBranchConditional $on $body $done
$body = OpLabel
{5}
OpBranch $again
$again = OpLabel
$i_next = {1}
$k_next = {4}
OpBranch $head
$done = OpLabel
{6}
";

/// The same rotated: it tests behind its body, and a branch around it does before.
const AT_BOTTOM: &str = "OpStore $v %t0
OpStore $w {3}
$i = OpCopyObject %two $from
$on = {2}
OpSelectionMerge $done None
OpBranchConditional $on $in $done
$in = OpLabel
OpBranch $head
$head = OpLabel
$i_at = OpPhi %two $from $in $i_next $again
OpLoopMerge $out $again None
OpBranch $body
$body = OpLabel
$k = OpLoad %two $w
$acc = OpLoad %two $v
{5:$i_at}
OpBranch $again
$again = OpLabel
OpStore $v $more
$i_next = {1:$i_at}
$k_next = {4}
$on_next = {2:$i_next}
{KEPT}
OpBranchConditional $on_next $head $out
$out = OpLabel
OpBranch $done
$done = OpLabel
$acc_out = OpLoad %two $v
$k_out = OpLoad %two $w
{6:out}
";

const AROUND: &str = "%NAME = OpFunction %two None %function
$n = OpFunctionParameter %two
$entry = OpLabel
$v = OpVariable %local Function
$w = OpVariable %local Function
$from = {0}
LOOPOpReturnValue $sum
OpFunctionEnd
";

/// Where it begins; how it goes on; how long; where the other number begins, and goes on; the body;
/// what is returned.
const PIECES: [&[&str]; 7] = [
    &[
        "OpCopyObject %two %t0",
        "OpCopyObject %two $n",
        "OpISub %two $n %t1",
        "OpCopyObject %two %t1",
    ],
    &["OpIAdd %two $i %t1", "OpISub %two $i %t1", "OpIAdd %two $i %t2"],
    &[
        "OpULessThan %bool $i $n",
        "OpINotEqual %bool $i $n",
        "OpINotEqual %bool $i %t0",
        "OpULessThan %bool %t0 $i",
        "OpULessThanEqual %bool $i $n",
    ],
    &["%t0", "%t1", "$n"],
    &[
        "OpIAdd %two $k %t1",
        "OpIAdd %two $k %t3",
        "OpIAdd %two $k $n",
        "OpShiftLeftLogical %two $k %t1",
    ],
    &[
        "$more = OpIAdd %two $acc %t1",
        "$more = OpIAdd %two $acc $i",
        "$more = OpIAdd %two $acc $k",
        "$part = OpIMul %two $i %t3\n$more = OpIAdd %two $acc $part",
        "$part = OpIMul %two $i $n\n$more = OpIAdd %two $acc $part",
        "$part = OpShiftLeftLogical %two %t1 $i\n$more = OpIAdd %two $acc $part",
        "$all = OpGroupNonUniformIAdd %two %subgroup Reduce $n\n$more = OpIAdd %two $acc $all",
    ],
    &[
        "$sum = OpCopyObject %two $acc",
        "$sum = OpGroupNonUniformIAdd %two %subgroup Reduce $acc",
        "$sum = OpIAdd %two $acc $k",
        "$sum = OpCopyObject %two %t0",
    ],
];

/// Where a loop tests.
#[derive(Clone, Copy, PartialEq)]
enum Tests {
    AtTop,
    AtBottom,
    /// At the bottom, and lanes that leave do not get the other number's last value.
    Forgetfully,
}
use Tests::{AtBottom, AtTop, Forgetfully};

/// A loop: by its pieces, and where it tests.
type Counted = ([usize; 7], Tests);

/// The source, and a target that is right.
const RIGHT: [(Counted, Counted); 13] = [
    (([0, 0, 0, 0, 0, 0, 0], AtTop), ([1, 1, 2, 0, 0, 0, 0], AtTop)),
    (([0, 0, 0, 0, 0, 0, 1], AtTop), ([1, 1, 3, 0, 0, 0, 1], AtTop)),
    (([0, 0, 0, 0, 0, 1, 0], AtTop), ([0, 0, 1, 0, 0, 1, 0], AtTop)),
    (([0, 0, 0, 0, 0, 3, 0], AtTop), ([0, 0, 0, 0, 1, 2, 0], AtTop)),
    (([0, 0, 0, 0, 0, 4, 0], AtTop), ([0, 0, 0, 0, 2, 2, 0], AtTop)),
    (([0, 0, 0, 1, 3, 2, 0], AtTop), ([1, 1, 2, 1, 3, 2, 0], AtTop)),
    (([0, 0, 0, 0, 0, 6, 0], AtTop), ([1, 1, 2, 0, 0, 6, 0], AtTop)),
    (([0, 0, 0, 0, 0, 0, 0], AtTop), ([0, 0, 0, 0, 0, 0, 0], AtBottom)),
    (([0, 0, 0, 0, 0, 1, 1], AtBottom), ([0, 0, 0, 0, 0, 1, 1], AtTop)),
    (([0, 0, 0, 0, 0, 6, 0], AtTop), ([1, 1, 2, 0, 0, 6, 0], AtBottom)),
    (([1, 1, 3, 0, 0, 0, 1], AtBottom), ([0, 0, 1, 0, 0, 0, 1], AtTop)),
    (([0, 0, 0, 0, 0, 3, 0], AtBottom), ([0, 0, 0, 0, 1, 2, 0], AtBottom)),
    (([0, 0, 0, 1, 0, 0, 2], AtTop), ([1, 1, 2, 1, 0, 0, 2], AtBottom)),
];

/// Wrong where a bound is taken for kept that an iteration passes, or for one that holds at first; and
/// where what lanes hold that do not enter the second loop, or that leave it, is not looked at.
const WRONG: [(Counted, Counted); 7] = [
    (([0, 2, 0, 0, 0, 0, 0], AtTop), ([0, 2, 1, 0, 0, 0, 0], AtTop)),
    (([3, 0, 0, 0, 0, 0, 0], AtTop), ([3, 0, 1, 0, 0, 0, 0], AtTop)),
    (([0, 0, 0, 1, 0, 0, 2], AtTop), ([1, 1, 2, 0, 0, 0, 2], AtBottom)),
    (([0, 0, 0, 1, 0, 0, 2], AtTop), ([1, 1, 2, 1, 1, 0, 2], AtBottom)),
    (([0, 0, 0, 0, 0, 0, 0], AtBottom), ([0, 0, 4, 0, 0, 0, 0], AtTop)),
    (([0, 0, 0, 0, 0, 0, 2], AtTop), ([0, 0, 0, 0, 0, 0, 2], Forgetfully)),
    // It does not end.
    (([0, 2, 0, 0, 0, 0, 3], AtTop), ([0, 2, 1, 0, 0, 0, 3], AtBottom)),
];

fn function(name: &str, (pieces, tests): Counted) -> String {
    let kept = match tests {
        Forgetfully => "$kept = OpSelect %two $on_next $k_next $k\nOpStore $w $kept",
        _ => "OpStore $w $k_next",
    };
    let template = if tests == AtTop { AT_TOP } else { AT_BOTTOM };
    let mut text = template.replace("{KEPT}", kept);
    for (place, &piece) in pieces.iter().enumerate() {
        let piece = PIECES[place][piece];
        for other in ["$i_at", "$i_next"] {
            let of_other = piece.replace("$i", other);
            text = text.replace(&format!("{{{place}:{other}}}"), &of_other);
        }
        let of_out = piece.replace("$acc", "$acc_out").replace("$k", "$k_out");
        text = text.replace(&format!("{{{place}:out}}"), &of_out);
        text = text.replace(&format!("{{{place}}}"), piece);
    }
    let text = AROUND.replace("LOOP", &text).replace("{0}", PIECES[0][pieces[0]]);
    text.replace("NAME", name).replace('$', &format!("%{name}_"))
}

fn module((source, target): (Counted, Counted)) -> String {
    format!("{HEAD}{}{}", function("src", source), function("tgt", target))
}

/// Every right target with one piece exchanged, or tested at the other end.
fn exchanged() -> Vec<String> {
    let mut texts = Vec::new();
    for (source, (target, tests)) in RIGHT {
        for (place, pieces) in PIECES.iter().enumerate() {
            for piece in (0..pieces.len()).filter(|piece| *piece != target[place]) {
                let mut other = target;
                other[place] = piece;
                texts.push(module((source, (other, tests))));
            }
        }
        for other in [AtTop, AtBottom, Forgetfully].into_iter().filter(|it| *it != tests) {
            texts.push(module((source, (target, other))));
        }
    }
    texts
}

/// The verdict of induction alone, and that of the judge.
fn outcome(text: &str, timeout: u64) -> (bool, Option<Verdict>) {
    let pair = Pair::parse("counted", text);
    let (source, target) = pair.sides();
    let timeout = Duration::from_secs(timeout);
    let options = Options { timeout, ..pair.options(&[Abstraction::Induction]) };
    let report = verify(Specification::built_in(), source, target, &options).unwrap();
    (report.verdict == Verdict::Proved, judge(&pair, LIMITS).map(|it| it.verdict))
}

#[test]
fn loops_that_count_in_two_ways_are_proved() {
    for pair in RIGHT {
        let text = module(pair);
        assert_eq!(outcome(&text, 120), (true, Some(Verdict::Proved)), "{text}");
    }
}

#[test]
fn what_rests_on_a_relation_that_is_lost_is_not_proved() {
    for pair in WRONG {
        let text = module(pair);
        assert_eq!(outcome(&text, 10), (false, Some(Verdict::Refuted)), "{text}");
    }
}

#[test]
fn loops_that_count_otherwise_are_not() {
    let texts: Vec<String> = exchanged().into_iter().step_by(by_extent(3, 11)).collect();
    let (mut proved, mut refuted) = (0, 0);
    for text in &texts {
        let (is_proved, judged) = outcome(text, 2);
        assert!(!is_proved || judged.is_none_or(|it| it == Verdict::Proved), "{text}");
        proved += usize::from(is_proved);
        refuted += usize::from(judged == Some(Verdict::Refuted));
    }
    println!("of {}: {proved} proved, {refuted} refuted", texts.len());
    let least = by_extent((16, 60), (4, 15));
    assert!(proved >= least.0 && refuted >= least.1, "{proved} proved, {refuted} refuted");
}
