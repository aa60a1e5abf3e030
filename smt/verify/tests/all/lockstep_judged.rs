//! Two loops side by side, by induction alone, held against the judge: what is proved of every
//! size is so in each state of a few lanes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::judge::{Limits, judge};
use crate::support::pair::Pair;
use crate::support::waterfalls::{RIGHT, Recipe};
use crate::support::{by_extent, sampled};
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Options, Verdict, verify};

const LIMITS: Limits = Limits { states: 100_000, runs: 1 << 8, runs_of_pair: 400_000 };

/// One pair in this many is asked about where all would be too many, unless all are.
const STRIDE: usize = 7;

const HEAD: &str = "; two loops
; lanes: 2
; active: all
; memory: 4
OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformVote
OpCapability VariablePointersStorageBuffer
OpMemoryModel Logical GLSL450
OpName %src \"src\"
OpName %tgt \"tgt\"
OpDecorate %cells ArrayStride 1
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
%two = OpTypeInt 2 0
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%subgroup = OpConstant %uint 3
%t0 = OpConstant %two 0
%t1 = OpConstant %two 1
%t2 = OpConstant %two 2
%cells = OpTypeRuntimeArray %two
%block = OpTypeStruct %cells
%buffer = OpTypePointer StorageBuffer %block
%cell = OpTypePointer StorageBuffer %two
%u0 = OpConstant %uint 0
%open = OpUndef %two
%local = OpTypePointer Function %two
%function = OpTypeFunction %two %buffer %two
";

/// A function with a loop of a different number of iterations in each lane; `$a` is its own `<id>`,
/// `{n}` its piece.
const LOOP: &str = "%NAME = OpFunction %two None %function
$b = OpFunctionParameter %buffer
$x = OpFunctionParameter %two
$entry = OpLabel
$place = OpUConvert %uint $x
$own = OpAccessChain %cell $b %u0 $place
$first = OpAccessChain %cell $b %u0 %u0
{0}
$enters = OpINotEqual %bool $x {1}
OpSelectionMerge $end None
OpBranchConditional $enters $in $end
$in = OpLabel
OpBranch $head
$head = OpLabel
$k = OpPhi %two {2} $in $next $again
$acc = OpPhi %two %t0 $in $more $again
$kept = OpPhi %two {6} $in $kept $again
OpLoopMerge $done $again None
OpBranch $test
$test = OpLabel
$on = OpULessThan %bool $k $x
OpBranchConditional $on $body $done
$body = OpLabel
$number = OpUConvert %uint $k
{3}
OpBranch $again
$again = OpLabel
$more = OpIAdd %two $acc $part
$next = OpIAdd %two $k %t1
OpBranch $head
$done = OpLabel
{4}
OpBranch $end
$end = OpLabel
$sum = OpPhi %two %t0 $entry $taken $done
{5}
OpReturnValue $sum
OpFunctionEnd
";

/// What stands in each place: before the loop; who does not enter it; where lanes begin; an iteration;
/// what they take along; after the loop; what else they hold.
const PIECES: [&[&str]; 7] = [
    &["", "OpStore $own %t1", "$seen = OpLoad %two $first", "$half = OpUDiv %two %t1 $x"],
    &["%t1", "%t2"],
    &["%t0", "%t1"],
    &[
        "$part = OpLoad %two $own",
        "$part = OpGroupNonUniformIAdd %two %subgroup Reduce $k",
        "$part = OpCopyObject %two %t1",
        "$there = OpAccessChain %cell $b %u0 $number\n$found = OpLoad %two $there\n\
         $part = OpCopyObject %two %t1",
        "OpStore $own $k\n$part = OpLoad %two $own",
        "$part = OpUDiv %two %t2 $k",
        "$moved = OpGroupNonUniformShuffle %two %subgroup $x $number\n\
         $none = OpISub %two $moved $moved\n$part = OpIAdd %two $none %t1",
        "$stops = OpIEqual %bool $acc %t1\nOpSelectionMerge $on_again None\n\
         OpBranchConditional $stops $out $on_again\n$out = OpLabel\nOpReturnValue $k\n\
         $on_again = OpLabel\n$part = OpCopyObject %two %t1",
        "$elsewhere = OpLoad %two $own\n$part = OpGroupNonUniformIAdd %two %subgroup Reduce $elsewhere",
    ],
    &[
        "$taken = OpCopyObject %two $acc",
        "$taken = OpCopyObject %two $k",
        "$taken = OpISub %two $kept $kept",
        "$taken = OpCopyObject %two %t0",
    ],
    &[
        "",
        "OpStore $own $sum",
        "$late = OpLoad %two $first",
        "OpStore $own %t1",
        "$far = OpUConvert %uint $sum\n$other = OpAccessChain %cell $b %u0 $far\nOpStore $other $sum",
        "$rest = OpUDiv %two %t1 $x",
        "$far = OpUConvert %uint $sum\n$other = OpAccessChain %cell $b %u0 $far\n\
         $late = OpLoad %two $other\nOpStore $own %t1",
    ],
    &["%t0", "%open"],
];

/// A loop in one arm of a branch: lanes of the other go around it, and what they hold is in a
/// variable.
const AROUND: &str = "%NAME = OpFunction %two None %function
$b = OpFunctionParameter %buffer
$x = OpFunctionParameter %two
$entry = OpLabel
$v = OpVariable %local Function
$place = OpUConvert %uint $x
$own = OpAccessChain %cell $b %u0 $place
$enters = OpINotEqual %bool $x %t1
$long = OpIEqual %bool $x %t2
$some = OpGroupNonUniformAny %bool %subgroup $long
$either = OpSelect %two $some %t2 %t1
$mine = OpSelect %two $enters %t2 %t1
{0}
OpSelectionMerge $end None
OpBranchConditional $enters {1}
$in = OpLabel
{2}
OpBranch $head
$head = OpLabel
$k = OpPhi %two %t0 $in $next $again
OpLoopMerge $done $again None
OpBranch $test
$test = OpLabel
$on = OpULessThan %bool $k $x
OpBranchConditional $on $body $done
$body = OpLabel
$was = OpLoad %two $v
$more = OpIAdd %two $was %t1
{3}
OpBranch $again
$again = OpLabel
$next = OpIAdd %two $k %t1
OpBranch $head
$done = OpLabel
OpBranch $end
$out = OpLabel
{4}
OpBranch $end
$end = OpLabel
$left = OpLoad %two $v
{5}
OpReturnValue $sum
OpFunctionEnd
";

/// What stands in each place: what the variable holds at first; which arm has the loop; what it
/// holds when the loop is entered; an iteration; the other arm; what is done with it in the end.
const PIECES_AROUND: [&[&str]; 6] = [
    &["OpStore $v %t1", "OpStore $v $mine", "OpStore $v $either", "OpStore $v $x", ""],
    &["$in $out", "$out $in"],
    &["OpStore $v %t0", "", "OpStore $v $x"],
    &["OpStore $v $more", "OpStore $v $k", "OpStore $v $x", ""],
    &["", "OpStore $v %t2", "OpStore $v $either"],
    &[
        "$sum = OpCopyObject %two $left",
        "$sum = OpGroupNonUniformUMax %two %subgroup Reduce $left",
        "OpStore $own $left\n$sum = OpCopyObject %two %t0",
        "$far = OpUConvert %uint $left\n$other = OpAccessChain %cell $b %u0 $far\n\
         OpStore $other %t1\n$sum = OpCopyObject %two %t0",
    ],
];

/// The bases of pairs: induction proves all of these.
const BASES_AROUND: [[usize; 6]; 6] = [
    [0, 0, 0, 0, 0, 0],
    [2, 1, 1, 0, 0, 0],
    [0, 0, 1, 0, 1, 1],
    [3, 0, 0, 1, 0, 2],
    [2, 1, 2, 0, 2, 1],
    [3, 0, 1, 3, 0, 3],
];

/// Right all the same: the target, and the base that it stands beside. What lanes hold at first is
/// overwritten in the one arm or in the other.
const TWINS_AROUND: [([usize; 6], usize); 4] = [
    ([1, 0, 0, 0, 0, 0], 0),
    ([0, 1, 2, 0, 2, 1], 4),
    ([1, 1, 2, 0, 2, 1], 4),
    ([4, 1, 2, 0, 2, 1], 4),
];

/// The bases of pairs; whether induction proves it.
const BASES: [([usize; 7], bool); 10] = [
    ([0, 0, 0, 0, 0, 1, 0], true),
    ([0, 0, 0, 1, 0, 0, 0], true),
    ([0, 1, 0, 2, 0, 1, 0], true),
    ([1, 0, 1, 8, 0, 3, 0], true),
    ([2, 0, 0, 3, 1, 2, 0], true),
    ([3, 1, 1, 5, 0, 4, 0], true),
    ([1, 0, 0, 2, 1, 6, 0], true),
    ([0, 0, 0, 2, 3, 0, 1], true),
    ([0, 0, 0, 7, 0, 1, 0], true),
    // A store in an iteration.
    ([0, 0, 0, 4, 0, 0, 0], false),
];

fn function(name: &str, pieces: [usize; 7]) -> String {
    assembled(name, LOOP, &PIECES, &pieces)
}

fn assembled(name: &str, template: &str, alternatives: &[&[&str]], pieces: &[usize]) -> String {
    let mut text = template.replace("NAME", name);
    for (place, &piece) in pieces.iter().enumerate() {
        text = text.replace(&format!("{{{place}}}"), alternatives[place][piece]);
    }
    text.replace('$', &format!("%{name}_"))
}

/// The module of two loops that lanes may go around.
fn module_around(source: [usize; 6], target: [usize; 6]) -> String {
    let [source, target] = [("src", source), ("tgt", target)]
        .map(|(name, pieces)| assembled(name, AROUND, &PIECES_AROUND, &pieces));
    format!("{HEAD}{source}{target}")
}

/// Each base beside itself with one piece exchanged, or with two.
fn exchanged_around() -> Vec<String> {
    let mut texts = Vec::new();
    let other = |base: [usize; 6], place: usize| {
        let pieces = 0..PIECES_AROUND[place].len();
        pieces.filter(move |piece| *piece != base[place]).map(move |piece| {
            let mut target = base;
            target[place] = piece;
            target
        })
    };
    for base in BASES_AROUND {
        for place in 0..base.len() {
            for target in other(base, place) {
                texts.push(module_around(base, target));
                let second = (place + 1) % base.len();
                texts.extend(other(target, second).take(1).map(|it| module_around(base, it)));
            }
        }
    }
    texts
}

/// The module of two loops.
fn module(source: [usize; 7], target: [usize; 7]) -> String {
    format!("{HEAD}{}{}", function("src", source), function("tgt", target))
}

/// Each base beside itself with a piece exchanged.
fn exchanged() -> Vec<String> {
    let mut texts = Vec::new();
    for (base, _) in BASES {
        for (place, pieces) in PIECES.iter().enumerate() {
            for piece in (0..pieces.len()).filter(|piece| *piece != base[place]) {
                let mut target = base;
                target[place] = piece;
                texts.push(module(base, target));
            }
        }
    }
    texts
}

/// Waterfalls beside each other: in all styles that give the same, and the same with pieces
/// exchanged.
fn waterfalls() -> Vec<String> {
    let mut texts = Vec::new();
    for source in RIGHT.into_iter().step_by(2) {
        for style in [0, 1, 2, 7] {
            let mut target = source;
            target[1] = style;
            let mut all = vec![target];
            if style == source[1] {
                for (place, piece) in
                    [(2, 4), (3, 3), (4, 3), (4, 5), (5, 3), (5, 8), (6, 2), (6, 5)]
                {
                    let mut other = target;
                    other[place] = piece;
                    all.push(other);
                }
            }
            let source = Recipe::new(source, false);
            texts.extend(all.into_iter().map(|it| Recipe::new(it, false).beside(&source, "1,2")));
        }
    }
    texts
}

/// The verdict of induction alone, and that of the judge.
fn outcome(text: &str) -> (bool, Option<Verdict>) {
    within(Duration::from_secs(10), text)
}

/// The same of a pair that must be proved, however busy the machine is.
fn must_be(text: &str) -> (bool, Option<Verdict>) {
    within(Duration::from_secs(120), text)
}

fn within(timeout: Duration, text: &str) -> (bool, Option<Verdict>) {
    let pair = Pair::parse("lockstep", text);
    let (source, target) = pair.sides();
    let options = Options { timeout, ..pair.options(&[Abstraction::Induction]) };
    let report = verify(Specification::built_in(), source, target, &options).unwrap();
    (report.verdict == Verdict::Proved, judge(&pair, LIMITS).map(|it| it.verdict))
}

/// The outcomes of all pairs, with their texts.
fn outcomes(texts: &[String]) -> Vec<(bool, Option<Verdict>, &String)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (proved, judged) = outcome(text);
            found.push((proved, judged, text));
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    })
}

/// How many are proved, and how many the judge refutes; none is both.
fn counted(texts: &[String]) -> (usize, usize) {
    let found = outcomes(texts);
    let proved = found.iter().filter(|it| it.0).count();
    let refuted = found.iter().filter(|it| it.1 == Some(Verdict::Refuted)).count();
    let open = found.iter().filter(|it| !it.0 && it.1 == Some(Verdict::Proved)).count();
    println!("of {}: {proved} proved, {open} right but open, {refuted} refuted", found.len());
    let wrong: Vec<&String> = found
        .iter()
        .filter(|it| it.0 && it.1.is_some_and(|judged| judged != Verdict::Proved))
        .map(|it| it.2)
        .collect();
    assert!(wrong.is_empty(), "{} wrong, such as\n{}", wrong.len(), wrong[0]);
    (proved, refuted)
}

#[test]
fn loops_beside_memory_are_proved_where_they_are_the_same() {
    for (base, carried) in BASES {
        let text = module(base, base);
        let (proved, judged) = must_be(&text);
        assert_eq!((proved, judged), (carried, Some(Verdict::Proved)), "{text}");
    }
    let (_, refuted) = counted(&sampled(exchanged(), STRIDE));
    assert!(refuted >= by_extent(100, 12), "{refuted} refuted");
}

#[test]
fn lanes_that_go_around_two_loops_keep_what_they_held() {
    let same = BASES_AROUND.iter().map(|&base| module_around(base, base));
    for text in same {
        assert_eq!(must_be(&text), (true, Some(Verdict::Proved)), "{text}");
    }
    for (target, base) in TWINS_AROUND {
        let text = module_around(BASES_AROUND[base], target);
        assert_eq!(must_be(&text), (true, Some(Verdict::Proved)), "{text}");
    }
    let (_, refuted) = counted(&sampled(exchanged_around(), STRIDE));
    assert!(refuted >= by_extent(60, 8), "{refuted} refuted");
}

#[test]
fn waterfalls_are_proved_where_both_take_the_same_along() {
    let (proved, refuted) = counted(&sampled(waterfalls(), STRIDE));
    let least = by_extent((12, 35), (1, 4));
    assert!(proved >= least.0 && refuted >= least.1, "{proved} proved, {refuted} refuted");
}
