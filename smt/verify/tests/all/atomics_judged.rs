//! Atomics on one place, each function beside each other one, held against all orders in which lanes
//! may execute them: whole lanes one after the other, too, not only instruction by instruction.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::pair::{ABSTRACTION_SETS, Pair};
use crate::support::{by_extent, sampled};
use laneproof_semantics::Specification;
use laneproof_verify::{Options, Verdict, verify};

/// What an atomic makes of two bits.
#[derive(Clone, Copy)]
enum Kind {
    Add,
    Max,
    Exchange,
}

/// What it is given: a number, or the lane's parameter.
#[derive(Clone, Copy)]
enum Operand {
    Number(u8),
    Parameter,
}

type Op = (Kind, Operand);

/// What a lane executes.
enum Body {
    /// One after the other.
    Straight(&'static [Op]),
    /// The first one where the parameter is odd, else the second one.
    Branched([Op; 2]),
}

/// What a lane returns.
#[derive(Clone, Copy)]
enum Returned {
    /// What it found at one of its atomics, and a number more.
    Found(usize, u8),
    /// How much more it found at the second one than at the first.
    Difference,
    Number(u8),
    Parameter,
}

type Program = (Body, Returned);

use Body::{Branched, Straight};
use Kind::{Add, Exchange, Max};
use Operand::{Number, Parameter};

/// One pair in this many is asked about, unless all are.
const STRIDE: usize = 3;

const PROGRAMS: [Program; 16] = [
    (Straight(&[(Add, Number(1))]), Returned::Found(0, 0)),
    (Branched([(Add, Number(1)), (Add, Number(1))]), Returned::Found(0, 0)),
    (Straight(&[(Add, Number(1)), (Add, Number(1))]), Returned::Found(1, 0)),
    (Straight(&[(Add, Number(1)), (Add, Number(1))]), Returned::Found(0, 0)),
    (Straight(&[(Add, Number(2))]), Returned::Found(0, 1)),
    (Straight(&[(Add, Number(2))]), Returned::Found(0, 0)),
    (Straight(&[(Add, Number(1)), (Add, Number(1))]), Returned::Parameter),
    (Straight(&[(Add, Number(2))]), Returned::Parameter),
    (Straight(&[(Add, Number(1)), (Add, Number(0))]), Returned::Difference),
    (Straight(&[(Add, Number(1))]), Returned::Number(1)),
    (Straight(&[(Add, Parameter)]), Returned::Found(0, 0)),
    (Branched([(Add, Parameter), (Add, Parameter)]), Returned::Found(0, 0)),
    (Straight(&[(Exchange, Parameter)]), Returned::Found(0, 0)),
    (Branched([(Exchange, Parameter), (Exchange, Parameter)]), Returned::Found(0, 0)),
    (Straight(&[(Max, Parameter), (Max, Parameter)]), Returned::Parameter),
    (Straight(&[(Max, Parameter)]), Returned::Parameter),
];

const HEAD: &str = "; atomics
; lanes: 1,2
; memory: 1
OpCapability Shader
OpCapability Linkage
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
%cells = OpTypeRuntimeArray %two
%block = OpTypeStruct %cells
%buffer = OpTypePointer StorageBuffer %block
%cell = OpTypePointer StorageBuffer %two
%subgroup = OpConstant %uint 3
%u0 = OpConstant %uint 0
%n0 = OpConstant %two 0
%n1 = OpConstant %two 1
%n2 = OpConstant %two 2
%function = OpTypeFunction %two %buffer %two
";

fn operand(operand: Operand) -> String {
    match operand {
        Number(number) => format!("%n{number}"),
        Parameter => "$x".to_owned(),
    }
}

fn atomic(result: &str, (kind, given): Op) -> String {
    let opcode = match kind {
        Add => "OpAtomicIAdd",
        Max => "OpAtomicUMax",
        Exchange => "OpAtomicExchange",
    };
    format!("{result} = {opcode} %two $a %subgroup %u0 {}\n", operand(given))
}

fn function(name: &str, (body, returned): &Program) -> String {
    let mut text = format!(
        "%{name} = OpFunction %two None %function\n$p = OpFunctionParameter %buffer\n\
         $x = OpFunctionParameter %two\n$entry = OpLabel\n\
         $a = OpAccessChain %cell $p %u0 %u0\n"
    );
    match body {
        Straight(ops) => {
            for (number, &op) in ops.iter().enumerate() {
                text.push_str(&atomic(&format!("$f{number}"), op));
            }
        }
        Branched([odd, even]) => {
            text.push_str(
                "$low = OpBitwiseAnd %two $x %n1\n$odd = OpIEqual %bool $low %n1\n\
                 OpSelectionMerge $end None\nOpBranchConditional $odd $then $else\n$then = OpLabel\n",
            );
            text.push_str(&atomic("$g", *odd));
            text.push_str("OpBranch $end\n$else = OpLabel\n");
            text.push_str(&atomic("$h", *even));
            text.push_str("OpBranch $end\n$end = OpLabel\n$f0 = OpPhi %two $g $then $h $else\n");
        }
    }
    text.push_str(&match returned {
        Returned::Found(of, more) => format!("$r = OpIAdd %two $f{of} %n{more}\n"),
        Returned::Difference => "$r = OpISub %two $f1 $f0\n".to_owned(),
        Returned::Number(number) => format!("$r = OpCopyObject %two %n{number}\n"),
        Returned::Parameter => "$r = OpCopyObject %two $x\n".to_owned(),
    });
    text.push_str("OpReturnValue $r\nOpFunctionEnd\n");
    text.replace('$', &format!("%{name}_"))
}

/// What a lane executes whose parameter is `x`.
fn ops((body, _): &Program, x: u8) -> Vec<Op> {
    match body {
        Straight(ops) => ops.to_vec(),
        Branched(ways) => vec![ways[usize::from(x & 1 == 0)]],
    }
}

/// Adds all outcomes from here on: what each lane returns, and what is left.
fn outcomes(
    program: &Program,
    xs: &[u8],
    cell: u8,
    found: &mut Vec<Vec<u8>>,
    all: &mut BTreeSet<(Vec<u8>, u8)>,
) {
    let mut over = true;
    for (lane, &x) in xs.iter().enumerate() {
        let Some(&(kind, given)) = ops(program, x).get(found[lane].len()) else { continue };
        over = false;
        let given = match given {
            Number(number) => number,
            Parameter => x,
        };
        let left = match kind {
            Add => (cell + given) & 3,
            Max => cell.max(given),
            Exchange => given,
        };
        found[lane].push(cell);
        outcomes(program, xs, left, found, all);
        found[lane].pop();
    }
    if over {
        let returned = xs.iter().zip(found.iter()).map(|(&x, found)| match program.1 {
            Returned::Found(of, more) => (found[of] + more) & 3,
            Returned::Difference => found[1].wrapping_sub(found[0]) & 3,
            Returned::Number(number) => number,
            Returned::Parameter => x,
        });
        all.insert((returned.collect(), cell));
    }
}

/// By definition: in every state each outcome of the target is one of the source.
fn refines(source: &Program, target: &Program) -> bool {
    let of = |program: &Program, xs: &[u8], cell: u8| {
        let mut all = BTreeSet::new();
        outcomes(program, xs, cell, &mut vec![Vec::new(); xs.len()], &mut all);
        all
    };
    let alone = (0..4).map(|x| vec![x]);
    let both = (0..16).map(|it| vec![it & 3, it >> 2]);
    let mut states = alone.chain(both).flat_map(|xs| (0..4).map(move |cell| (xs.clone(), cell)));
    states.all(|(xs, cell)| of(target, &xs, cell).is_subset(&of(source, &xs, cell)))
}

fn verdict(source: &Program, target: &Program) -> Verdict {
    let text = format!("{HEAD}{}{}", function("src", source), function("tgt", target));
    let pair = Pair::parse("atomics", &text);
    let (source, target) = pair.sides();
    let options = Options {
        timeout: Duration::from_secs(5),
        total_timeout: Some(Duration::from_secs(10)),
        ..pair.options(ABSTRACTION_SETS[ABSTRACTION_SETS.len() - 1])
    };
    verify(Specification::built_in(), source, target, &options).unwrap().verdict
}

#[test]
fn nothing_is_refuted_that_some_order_of_the_source_explains() {
    let pairs = sampled((0..PROGRAMS.len() * PROGRAMS.len()).collect(), STRIDE);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(number) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let [a, b] = [number / PROGRAMS.len(), number % PROGRAMS.len()];
            let (source, target) = (&PROGRAMS[a], &PROGRAMS[b]);
            found.push((a, b, verdict(source, target), refines(source, target)));
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let count = |verdict: Verdict| found.iter().filter(|it| it.2 == verdict).count();
    let (proved, refuted) = (count(Verdict::Proved), count(Verdict::Refuted));
    let right = found.iter().filter(|it| it.3).count();
    println!("of {}, {right} right: {proved} proved, {refuted} refuted", found.len());
    let wrong = |it: &&(usize, usize, Verdict, bool)| match it.2 {
        Verdict::Unknown => false,
        Verdict::Proved => !it.3,
        _ => it.3,
    };
    let wrong: Vec<_> = found.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let (least_proved, least_refuted) = by_extent((12, 120), (3, 36));
    assert!(
        proved >= least_proved && refuted >= least_refuted,
        "{proved} proved, {refuted} refuted"
    );
}
