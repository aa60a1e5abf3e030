//! Judges of results that are given in advance, and the oracle that leads them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::time::Duration;

use crate::support::{Numbers, SameResult, of_halves};
use laneproof_interpreter::{
    Call, CallArgument, Choices, Enumerate, LaneValue, RunOptions, Sizes, Stop, call,
};
use laneproof_module::{Program, Site};
use laneproof_oracle::{Blind, Cell, OracleVerdict, SearchClock, SearchLimits, judge};
use laneproof_semantics::Scalar;

fn request<'p>(program: &'p Program, values: &[Option<u64>]) -> Call<'p> {
    let lanes = values.iter().map(|bits| LaneValue(vec![*bits])).collect();
    let sizes = Sizes { existing: values.len() as u32, subgroup: 8, max: 8 };
    Call {
        program,
        function: program.function("f").expect("f").id,
        sizes,
        active: sizes.lanes(),
        arguments: vec![CallArgument::PerLane(lanes)],
    }
}

/// Small numbers that round, huge ones, zeros of both signs, one infinity.
const PARTS: [u64; 12] = [
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3c01, 0x6800, 0xe800, 0x0001, 0x7bff, 0x5555, 0x9234, 0x7c00,
];

/// All sums of up to five numbers by walking all orders; the judge says the same of each number
/// near them.
#[test]
fn a_sum_is_judged_as_the_walk_of_all_orders_says() {
    let program = of_halves("%r = OpGroupNonUniformFAdd %f16 %subgroup Reduce %x");
    let mut numbers = Numbers(1);
    let (mut legal, mut illegal) = (0, 0);
    for round in 0..150 {
        let count = 1 + round % 4;
        let values: Vec<Option<u64>> =
            (0..count).map(|_| Some(PARTS[numbers.below(12) as usize])).collect();
        let request = request(&program, &values);
        let mut walk = Enumerate::new(20_000);
        let mut sums = BTreeSet::new();
        while walk.next() {
            let finished = call(&request, &RunOptions::default(), &mut walk).unwrap();
            sums.insert(finished.results[0].clone().unwrap().0[0].unwrap());
            if sums.iter().any(|sum| sum & 0x7fff > 0x7c00) {
                break;
            }
        }
        if sums.iter().any(|sum| sum & 0x7fff > 0x7c00) {
            continue;
        }
        let near = sums.iter().flat_map(|sum| [sum ^ 1, *sum, sum ^ 0x8000, sum + 2]);
        for sum in near.filter(|sum| sum & 0x7fff <= 0x7c00).collect::<Vec<_>>() {
            let found = call(&request, &RunOptions::default(), &mut SameResult(sum));
            let expected = sums.contains(&sum);
            match found {
                Ok(_) => assert!(expected, "{sum:#x} of {values:x?}"),
                Err(Stop::Illegal { .. }) => assert!(!expected, "{sum:#x} of {values:x?}"),
                Err(other) => panic!("{other}"),
            }
            *(if expected { &mut legal } else { &mut illegal }) += 1;
        }
    }
    assert_eq!((legal, illegal), (186, 401));
}

const LIMITS: SearchLimits =
    SearchLimits { runs: 4096, time: Duration::from_secs(20), clock: SearchClock::Wall };

fn ask(program: &Program, values: &[Option<u64>], observed: &[Option<u64>]) -> OracleVerdict {
    ask_counting(program, values, observed).0
}

/// The verdict, and how many runs it took.
fn ask_counting(
    program: &Program,
    values: &[Option<u64>],
    observed: &[Option<u64>],
) -> (OracleVerdict, u64) {
    let request = request(program, values);
    let cells: Vec<Cell> =
        observed.iter().map(|bits| Cell { scalar: Scalar::F16, observed: *bits }).collect();
    let runs = std::cell::Cell::new(0);
    let subject = |follow: bool, choices: &mut dyn Choices| {
        runs.set(runs.get() + 1);
        let options = RunOptions { follow, in_full: follow, fences: true, ..RunOptions::default() };
        let results = call(&request, &options, choices)?.results;
        Ok(results.into_iter().map(|value| value?.0[0]).collect())
    };
    (judge(&cells, &subject, Blind::default(), LIMITS), runs.get())
}

/// Where there are too many orders to walk, what some order gives is found, and what none gives is
/// refused, in a few runs.
#[test]
fn many_choices_are_followed_before_they_are_walked() {
    let program = of_halves("%r = OpGroupNonUniformFAdd %f16 %subgroup Reduce %x");
    // 2048 and seven times 1: the ones count where they are added to each other first.
    let mut values = [Some(0x3c00); 8];
    values[0] = Some(0x6800);
    let mut allowed = 0;
    for sum in 0x6800..0x6808 {
        let (verdict, runs) = ask_counting(&program, &values, &[Some(sum); 8]);
        assert!(runs < 64, "{sum:#x} took {runs} runs");
        match verdict {
            OracleVerdict::Allowed => allowed += 1,
            OracleVerdict::NotAllowed { .. } => {
                assert!(sum > 0x6804, "{sum:#x} is the sum of some order")
            }
            other => panic!("{sum:#x}: {other:?}"),
        }
    }
    // 2048, 2050, 2052, 2054 and, rounded up, 2056.
    assert!((4..=5).contains(&allowed), "{allowed}");
}

/// What runs under choices of all kinds gave is never "not allowed".
#[test]
fn what_some_run_gives_is_allowed() {
    let bodies = [
        "%r = OpGroupNonUniformFAdd %f16 %subgroup Reduce %x",
        "%r = OpGroupNonUniformFAdd %f16 %subgroup ExclusiveScan %x",
        "%r = OpGroupNonUniformFMul %f16 %subgroup InclusiveScan %x",
        "%r = OpGroupNonUniformFMin %f16 %subgroup Reduce %x",
        "%a = OpFDiv %f16 %x %x\n%r = OpGroupNonUniformFAdd %f16 %subgroup Reduce %a",
        "%a = OpFAdd %f16 %x %x\n%r = OpGroupNonUniformFMax %f16 %subgroup InclusiveScan %a",
        "%a = OpGroupNonUniformFAdd %f16 %subgroup Reduce %x\n%r = OpFSub %f16 %a %x",
    ];
    let mut numbers = Numbers(2);
    let mut allowed = 0;
    for body in bodies {
        let program = of_halves(body);
        for _ in 0..40 {
            let values: Vec<Option<u64>> = (0..1 + numbers.below(8))
                .map(|_| Some(PARTS[numbers.below(12) as usize]).filter(|bits| bits % 7 != 3))
                .collect();
            let mut drawn = Drawn(Numbers(numbers.next()));
            let finished = call(&request(&program, &values), &RunOptions::default(), &mut drawn);
            let results = finished.unwrap().results;
            let observed: Vec<_> = results.into_iter().map(|value| value.unwrap().0[0]).collect();
            match ask(&program, &values, &observed) {
                OracleVerdict::Allowed => allowed += 1,
                OracleVerdict::Undecided { .. } => {}
                other => panic!("{body}\n{values:x?} gave {observed:x?}: {other:?}"),
            }
        }
    }
    assert_eq!(allowed, 197);
}

/// Chooses at random.
struct Drawn(Numbers);

impl Choices for Drawn {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, width: u32) -> u64 {
        self.0.below(1 << width.min(63))
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        self.0.below(options)
    }
}

#[test]
fn what_is_given_in_advance_is_judged_with_the_others() {
    let program = of_halves("%r = OpGroupNonUniformFAdd %f16 %subgroup Reduce %x");
    let one = Some(0x3c00);
    let two = vec![Some(0x4000); 2];
    assert_eq!(ask(&program, &[one, one], &two), OracleVerdict::Allowed);
    let verdict = ask(&program, &[one, one], &[Some(0x4000), Some(0x4001)]);
    assert!(matches!(verdict, OracleVerdict::NotAllowed { .. }), "{verdict:?}");
    let verdict = ask(&program, &[one, one], &[Some(0x4000), None]);
    assert!(matches!(verdict, OracleVerdict::NotAllowed { .. }), "{verdict:?}");
}
