//! Where lanes that diverged are together again, by either reading: small functions in every state.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bodies;

use std::collections::BTreeSet;

use laneproof_interpreter::{
    Call, CallArgument, Enumerate, LaneValue, Readings, Reconvergence, RunOptions, Sizes, Stop,
    SwitchTangles, TangleReadings, Zeros, call,
};
use laneproof_module::{Program, load_text_unvalidated};

use bodies::{BODIES, module};

/// What each lane returns.
type Results = Vec<Option<u64>>;

/// Lanes of every state: two Booleans and a number each.
const LANES: u32 = 3;
const NUMBERS: u64 = 3;

fn request(program: &Program, state: u64) -> Call<'_> {
    let of_lane = |lane: u32| state / (4 * NUMBERS).pow(lane) % (4 * NUMBERS);
    let argument = |part: &dyn Fn(u64) -> u64| {
        let lanes = (0..LANES).map(|lane| LaneValue(vec![Some(part(of_lane(lane)))]));
        CallArgument::PerLane(lanes.collect())
    };
    Call {
        program,
        function: program.function("f").unwrap().id,
        sizes: Sizes::full(LANES),
        active: (1 << LANES) - 1,
        arguments: vec![
            argument(&|it| it & 1),
            argument(&|it| it >> 1 & 1),
            argument(&|it| it / 4),
        ],
    }
}

/// How lanes are together; those of one block of a switch, where they reconverge, for certain.
fn reading(reconvergence: Reconvergence) -> RunOptions<'static> {
    let tangles = TangleReadings { reconvergence, switches: SwitchTangles::Together };
    let readings = Readings { tangles, ..Readings::default() };
    RunOptions { readings, ..RunOptions::default() }
}

/// What all choices give.
fn outcomes(request: &Call<'_>, options: &RunOptions<'_>) -> BTreeSet<Results> {
    let mut choices = Enumerate::new(1 << 12);
    let mut found = BTreeSet::new();
    while choices.next() {
        found.insert(results(call(request, options, &mut choices).unwrap()));
    }
    assert!(choices.complete());
    found
}

fn results(finished: laneproof_interpreter::Finished) -> Results {
    finished.results.iter().map(|value| value.as_ref().and_then(|it| it.0[0])).collect()
}

const WEAK: Reconvergence = Reconvergence::UniformControlFlow;
const STRONG: Reconvergence = Reconvergence::MergeBlocks;

#[test]
fn only_what_depends_on_the_reading_has_other_outcomes_by_the_weaker_one() {
    for (name, body, depends) in BODIES {
        let program = load_text_unvalidated(&module(body), name).unwrap();
        let (mut differs, mut several) = (0, 0);
        for state in 0..(4 * NUMBERS).pow(LANES) {
            let request = request(&program, state);
            let strong = outcomes(&request, &reading(STRONG));
            let weak = outcomes(&request, &reading(WEAK));
            assert_eq!(strong.len(), 1, "{name}");
            assert!(strong.is_subset(&weak), "{name}: {strong:?}, {weak:?}");
            differs += u32::from(strong != weak);
            // The first choice is that all are together.
            let first = results(call(&request, &reading(WEAK), &mut Zeros).unwrap());
            assert_eq!(strong, [first].into(), "{name}");
            // Both choices at once.
            let tangles = TangleReadings { reconvergence: WEAK, ..TangleReadings::default() };
            let readings = Readings { tangles, ..Readings::default() };
            let both = outcomes(&request, &RunOptions { readings, ..RunOptions::default() });
            assert!(weak.is_subset(&both), "{name}: {weak:?}, {both:?}");
            several += u32::from(both.len() > 1);
        }
        assert_eq!(differs > 0, *depends, "{name}: {differs} states");
        assert_eq!(several > 0, *depends, "{name}: {several} states");
    }
}

/// A run that tracks choices stops where one matters, and nowhere else.
#[test]
fn a_run_that_tracks_choices_stops_where_it_matters_which_lanes_are_together() {
    for (name, body, depends) in BODIES {
        let program = load_text_unvalidated(&module(body), name).unwrap();
        let mut stopped = 0;
        for state in 0..(4 * NUMBERS).pow(LANES) {
            let request = request(&program, state);
            let follow = RunOptions { follow: true, in_full: true, ..reading(WEAK) };
            match call(&request, &follow, &mut Zeros) {
                Ok(finished) => {
                    let all = outcomes(&request, &reading(WEAK));
                    assert_eq!(all, [results(finished)].into(), "{name}");
                }
                Err(Stop::NotModelled { why, .. }) => {
                    assert!(why.contains("reconvergence"), "{name}: {why}");
                    stopped += 1;
                }
                Err(stop) => panic!("{name}: {stop}"),
            }
        }
        assert_eq!(stopped > 0, *depends, "{name}: {stopped} states");
    }
}
