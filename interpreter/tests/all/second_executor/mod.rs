//! The interpreter, held against a second executor on random structured functions: the same outcomes,
//! under all that an implementation may choose of the tangles in switches, and where all are together.
//!
//! `LANEPROOF_FUNCTIONS` sets the number of functions, `LANEPROOF_SEED` the seed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod executor;
mod walk;

use std::collections::BTreeSet;

use laneproof_generator::{Numbers, function_module};
use laneproof_interpreter::{
    Call, CallArgument, Enumerate, LaneValue, Readings, RunOptions, Sizes, Stop, SwitchTangles,
    call,
};
use laneproof_module::{assemble_text, load_text_unvalidated};

use executor::Outcome;
use walk::{RUNS, expected};

const FUNCTIONS: u64 = 600;

/// The same by the interpreter.
fn found(
    program: &laneproof_module::Program,
    lanes: &[Vec<u32>],
    together: bool,
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
    let switch_tangles = match together {
        true => SwitchTangles::Together,
        false => SwitchTangles::ImplementationChooses,
    };
    let readings = Readings { switch_tangles, ..Readings::default() };
    let options = RunOptions { readings, step_limit: 100_000, ..RunOptions::default() };
    let mut choices = Enumerate::new(RUNS);
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

#[test]
fn random_functions_have_the_same_outcomes() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let functions = asked("LANEPROOF_FUNCTIONS").unwrap_or(FUNCTIONS);
    let mut numbers = Numbers::new(asked("LANEPROOF_SEED").unwrap_or(7));
    let (mut compared, mut chosen, mut undefined) = (0u64, 0u64, 0u64);
    for _ in 0..functions {
        let text = function_module(&mut numbers);
        let words =
            assemble_text(&text, "random").unwrap_or_else(|error| panic!("{error}\n{text}"));
        let program = load_text_unvalidated(&text, "random")
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let main = program.function("main").expect("main").id;
        let lanes: Vec<Vec<u32>> = (0..2 + numbers.below(3))
            .map(|_| vec![numbers.below(4) as u32, numbers.below(4) as u32])
            .collect();
        for together in [true, false] {
            let Some(expected) = expected(&words, main, &lanes, together) else { continue };
            let Some(found) = found(&program, &lanes, together) else {
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
