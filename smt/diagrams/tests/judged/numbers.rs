//! Laws about floating-point numbers, their maps and sums.

use laneproof_diagrams::BrokenLaw;

use super::floats::FloatCase;
use super::{Random, contradictions, in_part};

/// Numbers of sixteen bits take their time: this many cases where the number of instances is asked for, else
/// a few.
const CASES: u32 = 24;
const FEW: u32 = 8;

/// Laws of floating-point numbers that do not hold, and the number of the random case that shows it:
/// numbers of sixteen bits take their time, so what shows nothing is left out.
const SHOWN_OF_NUMBERS: [(BrokenLaw, u32); BrokenLaw::OF_NUMBERS.len()] = [
    (BrokenLaw::NegationKeepsOrder, 15),
    (BrokenLaw::ZerosAreOrdered, 297),
    (BrokenLaw::NanIsOrdered, 5780),
    (BrokenLaw::AnyMember, 36),
    (BrokenLaw::OpenIsChosen, 5168),
    (BrokenLaw::InfinityIsNeutral, 430),
    (BrokenLaw::SameElsewhere, 108),
    (BrokenLaw::OrdersAgree, 112),
];

/// Laws about maps and sums of numbers that do not hold, and the number of the random case that shows it.
const SHOWN_OF_MAPS: [(BrokenLaw, u32); BrokenLaw::OF_MAPS.len()] = [
    (BrokenLaw::SumsAreRoundedOnce, 2),
    (BrokenLaw::AnyIsRoundedUp, 9),
    (BrokenLaw::NoRoundingToMinusZero, 0),
    (BrokenLaw::RoundingNotTurned, 16),
    (BrokenLaw::FlipsKeepOrder, 10),
    (BrokenLaw::NanIsMapped, 1410),
    (BrokenLaw::FactorKeepsOrder, 844),
    (BrokenLaw::NothingUnderflows, 28),
    (BrokenLaw::RoundedAndBack, 516),
    (BrokenLaw::AnyMaskKeepsNumbers, 273),
    (BrokenLaw::IntegersAreExact, 3),
    (BrokenLaw::SumIsExact, 0),
    (BrokenLaw::KeysKeepOrder, 4),
    (BrokenLaw::SetBitsAreNoNan, 9),
];

/// Laws about limits that do not hold, and the number of the random case that shows it.
const SHOWN_OF_LIMITS: [(BrokenLaw, u32); BrokenLaw::OF_LIMITS.len()] =
    [(BrokenLaw::LimitedEverywhere, 18), (BrokenLaw::NumberNeverCounts, 2)];

/// The random case of this number about maps or sums of numbers.
fn case_of_maps(fault: BrokenLaw, bytes: &[u8]) -> FloatCase {
    match fault {
        BrokenLaw::IntegersAreExact => FloatCase::summed(bytes),
        BrokenLaw::SumsAreRoundedOnce => FloatCase::added(bytes),
        BrokenLaw::SumIsExact => FloatCase::rounded_sum(),
        BrokenLaw::KeysKeepOrder => FloatCase::by_keys(bytes),
        BrokenLaw::SetBitsAreNoNan => FloatCase::masked(bytes),
        BrokenLaw::AnyIsRoundedUp
        | BrokenLaw::NoRoundingToMinusZero
        | BrokenLaw::RoundingNotTurned => FloatCase::rounded(bytes),
        _ => FloatCase::mapped(bytes),
    }
}

/// Each of these laws is noticed in the random case of its number.
fn are_noticed(
    shown: &[(BrokenLaw, u32)],
    seed: u64,
    build: impl Fn(BrokenLaw, &[u8]) -> FloatCase,
) {
    for &(fault, number) in shown {
        let mut random = Random(seed);
        for _ in 0..number {
            random.bytes();
        }
        let case = build(fault, &random.bytes());
        assert!(case.shows(fault), "{fault:?} is not noticed in case {number}");
    }
}

#[test]
fn laws_of_numbers_that_do_not_hold_are_noticed() {
    assert_eq!(SHOWN_OF_NUMBERS.map(|(fault, _)| fault), BrokenLaw::OF_NUMBERS);
    are_noticed(&SHOWN_OF_NUMBERS, 0xa54f_f53a_5f1d_36f1, |_, bytes| FloatCase::of(bytes));
}

/// What takes part where tests of numbers hold is known as if that were asserted.
#[test]
fn numbers_behind_tests_are_compared() {
    let mut random = Random(0x510e_527f_ade6_82d1);
    let (cases, expected) = if in_part() { (FEW * 2, (3, 4)) } else { (CASES * 4, (20, 30)) };
    let counts = contradictions((0..cases).map(|_| {
        let case = FloatCase::behind_tests(&random.bytes());
        (case.is_refused(None), case.has_state())
    }));
    assert_eq!(counts, expected);
}

#[test]
fn laws_of_tests_that_do_not_hold_are_noticed() {
    let shown = [(BrokenLaw::TestHoldsEverywhere, 6)];
    assert_eq!(shown.map(|(fault, _)| fault), BrokenLaw::OF_TESTS);
    are_noticed(&shown, 0x510e_527f_ade6_82d1, |_, bytes| FloatCase::behind_tests(bytes));
}

#[test]
fn laws_of_maps_that_do_not_hold_are_noticed() {
    assert_eq!(SHOWN_OF_MAPS.map(|(fault, _)| fault), BrokenLaw::OF_MAPS);
    are_noticed(&SHOWN_OF_MAPS, 0x1f83_d9ab_fb41_bd6b, case_of_maps);
}

#[test]
fn laws_of_limits_that_do_not_hold_are_noticed() {
    assert_eq!(SHOWN_OF_LIMITS.map(|(fault, _)| fault), BrokenLaw::OF_LIMITS);
    are_noticed(&SHOWN_OF_LIMITS, 0x1f83_d9ab_fb41_bd6b, |_, bytes| FloatCase::within(bytes));
}

/// Extremes of images and sums of whole numbers are found, where nothing is rounded and no NaN is mapped.
#[test]
fn images_of_numbers_and_their_sums_are_found() {
    let mut random = Random(0x5be0_cd19_137e_2179);
    let counts =
        [FloatCase::mapped as fn(&[u8]) -> FloatCase, FloatCase::summed, FloatCase::by_keys].map(
            |build| {
                let cases = if in_part() { FEW * 2 } else { CASES };
                contradictions((0..cases).map(|_| {
                    let case = build(&random.bytes());
                    (case.is_refused(None), case.has_state())
                }))
            },
        );
    let of_few = [(4, 6), (2, 2), (10, 12)];
    assert_eq!(counts, if in_part() { of_few } else { [(7, 12), (6, 7), (7, 8)] });
}

/// What limits say of extremes is found, as far as numbers are known.
#[test]
fn extremes_within_limits_are_found() {
    let mut random = Random(0x5be0_cd19_137e_2179);
    let (cases, expected) = if in_part() { (FEW, (4, 4)) } else { (CASES * 4, (25, 31)) };
    let counts = contradictions((0..cases).map(|_| {
        let case = FloatCase::within(&random.bytes());
        (case.is_refused(None), case.has_state())
    }));
    assert_eq!(counts, expected);
}

/// Results that relations determine are found, where their numbers are known to be no NaN and no zero.
#[test]
fn most_results_that_are_determined_are_found() {
    let mut random = Random(0x3c6e_f372_fe94_f82b);
    let (found, all) = contradictions((0..if in_part() { 30 } else { 100 }).map(|_| {
        let case = FloatCase::of(&random.bytes());
        (case.is_refused(None), case.has_state())
    }));
    println!("{found} of {all}");
    assert!(found * 100 > all * 50, "{found} of {all}");
}

/// Numbers that are integers are added, where no sum is rounded.
#[test]
fn sums_of_integers_are_found() {
    let mut random = Random(0x1f83_d9ab_fb41_bd6b);
    let (cases, expected) = if in_part() { (FEW, (3, 7)) } else { (CASES, (12, 17)) };
    let counts = contradictions((0..cases).map(|_| {
        let case = FloatCase::added(&random.bytes());
        (case.is_refused(None), case.has_state())
    }));
    assert_eq!(counts, expected);
}

/// Whole numbers beside numbers and beside their opposites are compared.
#[test]
fn whole_numbers_are_compared() {
    let mut random = Random(0x1f83_d9ab_fb41_bd6b);
    let (cases, expected) = if in_part() { (40, 13) } else { (200, 76) };
    let counts = contradictions((0..cases).map(|_| {
        let case = FloatCase::rounded(&random.bytes());
        (case.is_refused(None), case.has_state())
    }));
    assert_eq!(counts, (expected, expected));
}

/// What bits that masks set or clear say of a number is found.
#[test]
fn numbers_with_known_bits_are_tested() {
    let mut random = Random(0x1f83_d9ab_fb41_bd6b);
    let (cases, expected) = if in_part() { (80, 26) } else { (400, 148) };
    let counts = contradictions((0..cases).map(|_| {
        let case = FloatCase::masked(&random.bytes());
        (case.is_refused(None), case.has_state())
    }));
    assert_eq!(counts, (expected, expected));
}
