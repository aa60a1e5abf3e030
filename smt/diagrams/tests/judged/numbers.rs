//! Laws about maps and sums of floating-point numbers.

use laneproof_diagrams::BrokenLaw;

use super::floats::FloatCase;
use super::{Random, contradictions};

/// Numbers of sixteen bits take their time.
const CASES: u32 = 24;

/// Laws about maps and sums of numbers that do not hold, and the number of the random case that shows it.
const SHOWN_OF_MAPS: [(BrokenLaw, u32); BrokenLaw::OF_MAPS.len()] = [
    (BrokenLaw::FlipsKeepOrder, 10),
    (BrokenLaw::NanIsMapped, 1410),
    (BrokenLaw::FactorKeepsOrder, 844),
    (BrokenLaw::NothingUnderflows, 28),
    (BrokenLaw::RoundedAndBack, 516),
    (BrokenLaw::AnyMaskKeepsNumbers, 273),
    (BrokenLaw::IntegersAreExact, 3),
    (BrokenLaw::SumIsExact, 0),
];

/// The random case of this number about maps or sums of numbers.
fn case_of_maps(fault: BrokenLaw, bytes: &[u8]) -> FloatCase {
    match fault {
        BrokenLaw::IntegersAreExact => FloatCase::summed(bytes),
        BrokenLaw::SumIsExact => FloatCase::rounded_sum(),
        _ => FloatCase::mapped(bytes),
    }
}

#[test]
fn laws_of_maps_that_do_not_hold_are_noticed() {
    assert_eq!(SHOWN_OF_MAPS.map(|(fault, _)| fault), BrokenLaw::OF_MAPS);
    for (fault, number) in SHOWN_OF_MAPS {
        let mut random = Random(0x1f83_d9ab_fb41_bd6b);
        for _ in 0..number {
            random.bytes();
        }
        let case = case_of_maps(fault, &random.bytes());
        let noticed = !case.is_refused(None) && case.is_refused(Some(fault)) && case.has_state();
        assert!(noticed, "{fault:?} is not noticed in case {number}");
    }
}

/// Extremes of images and sums of whole numbers are found, where nothing is rounded and no NaN is mapped.
#[test]
fn images_of_numbers_and_their_sums_are_found() {
    let mut random = Random(0x5be0_cd19_137e_2179);
    let counts = [FloatCase::mapped as fn(&[u8]) -> FloatCase, FloatCase::summed].map(|build| {
        contradictions((0..CASES).map(|_| {
            let case = build(&random.bytes());
            (case.is_refused(None), case.has_state())
        }))
    });
    assert_eq!(counts, [(5, 12), (6, 7)]);
}

/// Results that relations determine are found, where their numbers are known to be no NaN and no zero.
#[test]
fn most_results_that_are_determined_are_found() {
    let mut random = Random(0x3c6e_f372_fe94_f82b);
    let (found, all) = contradictions((0..100).map(|_| {
        let case = FloatCase::of(&random.bytes());
        (case.is_refused(None), case.has_state())
    }));
    println!("{found} of {all}");
    assert!(found * 100 > all * 50, "{found} of {all}");
}
