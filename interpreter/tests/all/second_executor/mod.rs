//! The interpreter, held against a second executor on random structured functions: the same outcomes,
//! under all that an implementation may choose of the tangles in switches, and where all are together;
//! and where lanes need not reconverge at merge blocks.
//!
//! `LANEPROOF_FUNCTIONS` sets the number of functions, `LANEPROOF_SEED` the seed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod executor;
mod walk;
mod ways;

use std::collections::BTreeSet;

use laneproof_generator::{Numbers, function_module};
use laneproof_interpreter::{
    Call, CallArgument, Enumerate, LaneValue, Readings, Reconvergence, RunOptions, Sizes, Stop,
    SwitchTangles, TangleReadings, call,
};
use laneproof_module::{assemble_text, load_text_unvalidated};

use executor::Outcome;
use walk::{RUNS, expected, outcomes};
use ways::Weak;

const FUNCTIONS: u64 = 600;
/// The most choices by the weaker reading; functions with more are passed over.
const WEAK_RUNS: u64 = 1 << 9;

/// The same by the interpreter.
fn found(
    program: &laneproof_module::Program,
    lanes: &[Vec<u32>],
    together: bool,
    reconvergence: Reconvergence,
    runs: u64,
) -> Option<BTreeSet<Outcome>> {
    let count = lanes.len() as u32;
    let argument = |place: usize| {
        let values = lanes.iter().map(|values| LaneValue(vec![Some(u64::from(values[place]))]));
        CallArgument::PerLane(values.collect())
    };
    let request = Call {
        program,
        function: program.function("main").expect("main").id,
        sizes: Sizes { existing: count, subgroup: count, max: count },
        active: (1 << count) - 1,
        arguments: vec![argument(0), argument(1)],
    };
    let switches = match together {
        true => SwitchTangles::Together,
        false => SwitchTangles::ImplementationChooses,
    };
    let tangles = TangleReadings { reconvergence, switches };
    let readings = Readings { tangles, ..Readings::default() };
    let options = RunOptions { readings, step_limit: 100_000, ..RunOptions::default() };
    let mut choices = Enumerate::new(runs);
    let mut all = BTreeSet::new();
    while choices.next() {
        all.insert(match call(&request, &options, &mut choices) {
            Ok(finished) => Outcome::Returned(
                finished
                    .results
                    .iter()
                    .map(|value| value.as_ref().map(|it| it.0[0].map(|bits| bits as u32)))
                    .collect(),
            ),
            Err(Stop::UndefinedBehavior { .. }) => Outcome::UndefinedBehavior,
            Err(stop) => panic!("{stop}"),
        });
    }
    choices.complete().then_some(all)
}

/// A number that the caller asks for.
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// A random function, assembled, and what the lanes call it with.
struct Sampled {
    text: String,
    words: Vec<u32>,
    program: laneproof_module::Program,
    main: u32,
    lanes: Vec<Vec<u32>>,
}

impl Sampled {
    fn new(numbers: &mut Numbers) -> Self {
        let text = function_module(numbers);
        let words =
            assemble_text(&text, "random").unwrap_or_else(|error| panic!("{error}\n{text}"));
        let program = load_text_unvalidated(&text, "random")
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let main = program.function("main").expect("main").id;
        let lanes = (0..2 + numbers.below(3))
            .map(|_| vec![numbers.below(4) as u32, numbers.below(4) as u32])
            .collect();
        Self { text, words, program, main, lanes }
    }
}

#[test]
fn random_functions_have_the_same_outcomes() {
    let functions = asked("LANEPROOF_FUNCTIONS").unwrap_or(FUNCTIONS);
    let mut numbers = Numbers::new(asked("LANEPROOF_SEED").unwrap_or(7));
    let (mut compared, mut chosen, mut undefined) = (0u64, 0u64, 0u64);
    for _ in 0..functions {
        let Sampled { text, words, program, main, lanes } = Sampled::new(&mut numbers);
        for together in [true, false] {
            let Some(expected) = expected(&words, main, &lanes, together) else { continue };
            let merge_blocks = Reconvergence::MergeBlocks;
            let Some(found) = found(&program, &lanes, together, merge_blocks, RUNS) else {
                panic!("the interpreter chooses more\n{text}");
            };
            assert_eq!(found, expected, "{lanes:?}, together: {together}\n{text}");
            compared += 1;
            chosen += u64::from(found.len() > 1);
            undefined += u64::from(found.contains(&Outcome::UndefinedBehavior));
        }
    }
    println!("{compared} compared, {chosen} with a choice that shows, {undefined} undefined");
    assert!(compared > functions, "only {compared} were compared");
    assert!(chosen > functions / 20, "only {chosen} have a choice that shows");
}

/// How often random functions were compared by the weaker reading.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    /// With every choice made, whether it makes a difference there or not.
    eager: u64,
    /// With the choices that make a difference.
    lazy: u64,
    /// Functions with too many choices.
    passed_over: u64,
    /// Of those that were compared: there is an outcome that merge blocks exclude.
    chosen: u64,
}

/// The lanes of these functions need not reconverge at merge blocks.
#[test]
fn random_functions_have_the_same_outcomes_by_the_weaker_reading() {
    let functions = asked("LANEPROOF_FUNCTIONS").unwrap_or(FUNCTIONS);
    let seed = asked("LANEPROOF_SEED").unwrap_or(8);
    let mut numbers = Numbers::new(seed);
    let mut counts = Compared::default();
    for _ in 0..functions {
        let Sampled { text, words, program, main, lanes } = Sampled::new(&mut numbers);
        for together in [true, false] {
            let by_words = |eager: bool| {
                outcomes(&words, together, WEAK_RUNS, &|executor| {
                    Weak::new(executor, eager).run(main, &lanes)
                })
            };
            let (expected, eager) = match by_words(true) {
                Some(expected) => (Some(expected), true),
                None => (by_words(false), false),
            };
            let Some(expected) = expected else {
                counts.passed_over += 1;
                continue;
            };
            let found = |way, runs| found(&program, &lanes, together, way, runs);
            let Some(weak) = found(Reconvergence::UniformControlFlow, WEAK_RUNS) else {
                panic!("the interpreter chooses more\n{text}");
            };
            assert_eq!(weak, expected, "{lanes:?}, together: {together}\n{text}");
            let Some(strong) = found(Reconvergence::MergeBlocks, RUNS) else { continue };
            assert!(strong.is_subset(&weak), "{lanes:?}, together: {together}\n{text}");
            *if eager { &mut counts.eager } else { &mut counts.lazy } += 1;
            counts.chosen += u64::from(strong != weak);
        }
    }
    println!("{counts:?}");
    if functions == FUNCTIONS && seed == 8 {
        let expected = Compared { eager: 1152, lazy: 45, passed_over: 3, chosen: 91 };
        assert_eq!(counts, expected);
    }
}
