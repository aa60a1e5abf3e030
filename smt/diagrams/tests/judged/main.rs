//! A judge that lists all states: what decision diagrams call a contradiction has no state.
#![allow(clippy::expect_used)]

mod bits;
mod builder;
mod carried;
mod chosen;
mod counts;
mod equals;
mod few;
mod floats;
mod limited;
mod mapped;
mod neutral;
mod noticed;
mod numbers;
mod packed;
mod places;
mod random;
mod ranks;
mod records;
mod served;
mod shared;
mod single;
mod steps;

use std::env;
use std::time::{Duration, Instant};

use laneproof_diagrams::{BrokenLaw, StepLimit, has_no_state_by};
use laneproof_semantics::term::{Binary, GroundValue, Interpretation, Pool, Sort, Symbol, Term};
use proptest::prelude::*;

use self::builder::Builder;
use self::floats::FloatCase;
use self::random::Random;

const LANES: u32 = 3;
const WIDTH: u32 = 2;

/// Which lanes take part, what each of them holds, and one value that all share.
struct State {
    member: Symbol,
    payload: Symbol,
    bits: u32,
}

/// States there are: a bit and a payload for each lane, and one payload more.
const STATES: u32 = 1 << (LANES * (1 + WIDTH) + WIDTH);

impl Interpretation for State {
    fn variable(&self, _: Symbol) -> GroundValue {
        GroundValue::Bits(u128::from(self.bits >> (LANES * (1 + WIDTH))))
    }

    fn apply(&self, symbol: Symbol, lane: u32) -> GroundValue {
        let lane = lane % LANES;
        if symbol == self.member {
            return GroundValue::Bool(self.bits >> lane & 1 == 1);
        }
        assert_eq!(symbol, self.payload);
        GroundValue::Bits(u128::from(self.bits >> (LANES + WIDTH * lane) & ((1 << WIDTH) - 1)))
    }
}

/// Assertions of which the bytes say what they are.
struct Case {
    pool: Pool,
    member: Symbol,
    payload: Symbol,
    assertions: [Term; 3],
}

impl Case {
    fn of(bytes: &[u8], depth: u32) -> Self {
        let mut pool = Pool::new();
        let member = pool.symbol("member", Sort::Bool);
        let payload = pool.symbol("payload", Sort::Bits(WIDTH));
        let shared = pool.fresh("shared", Sort::Bits(WIDTH));
        let mut builder =
            Builder { pool, member, payload, shared, bytes: bytes.iter(), only: None };
        let assertions = [builder.truth(depth), builder.truth(depth), builder.truth(2)];
        Self { pool: builder.pool, member, payload, assertions }
    }

    /// Assertions that a builder makes of the bytes.
    fn built(bytes: &[u8], assertions: impl FnOnce(&mut Builder<'_>) -> [Term; 3]) -> Self {
        let mut case = Self::of(&[], 1);
        let mut pool = std::mem::take(&mut case.pool);
        let (member, payload) = (case.member, case.payload);
        let shared = pool.fresh("other", Sort::Bits(WIDTH));
        let mut builder =
            Builder { pool, member, payload, shared, bytes: bytes.iter(), only: None };
        case.assertions = assertions(&mut builder);
        case.pool = builder.pool;
        case
    }

    /// Two payloads by one operation are equal or differ, and an operand has a value.
    fn narrow(bytes: &[u8], depth: u32) -> Self {
        let mut case = Self::of(&[], 1);
        let bytes = bytes.iter();
        let pool = std::mem::take(&mut case.pool);
        // No operand of a small case is shared.
        let shared = case.assertions[0];
        let (member, payload) = (case.member, case.payload);
        let mut builder = Builder { pool, member, payload, shared, bytes, only: None };
        let operations = [Binary::Add, Binary::Mul, Binary::And, Binary::Or, Binary::Xor];
        builder.only = Some(operations[usize::from(builder.next(5))]);
        let differ = builder.next(2) == 0;
        let a = builder.payload(depth);
        let depth = u32::from(builder.next(3));
        let b = builder.payload(depth);
        let (c, d) = (builder.payload(0), builder.payload(0));
        let mut pool = builder.pool;
        let (mut first, second) = (pool.equal(a, b), pool.equal(c, d));
        if differ {
            first = pool.not(first);
        }
        case.assertions = [first, second, second];
        case.pool = pool;
        case
    }

    /// Two payloads compared twice, either way round.
    fn ordered(bytes: &[u8]) -> Self {
        let mut case = Self::of(&[], 1);
        let pool = std::mem::take(&mut case.pool);
        let (member, payload, shared) = (case.member, case.payload, case.assertions[0]);
        let bytes = bytes.iter();
        let only = Some(Binary::Add);
        let mut builder = Builder { pool, member, payload, shared, bytes, only };
        let (a, b) = (builder.payload(1), builder.payload(1));
        for place in 0..2 {
            let (a, b) = if builder.next(2) == 0 { (a, b) } else { (b, a) };
            let relation = builder.relation();
            let mut order = builder.pool.compare(relation, a, b);
            if builder.next(2) == 0 {
                order = builder.pool.not(order);
            }
            case.assertions[place] = order;
        }
        case.assertions[2] = case.assertions[1];
        case.pool = builder.pool;
        case
    }

    /// Values of several parts compared, and what is known of single ones.
    fn wide(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let depth = u32::from(builder.next(3)) + 1;
            let about_all = builder.about_wide(depth);
            let beside = match builder.next(3) {
                0 => builder.truth(0),
                1 => builder.about_one(),
                _ => builder.about_wide(1),
            };
            let last = match builder.next(2) {
                0 => builder.truth(0),
                _ => builder.about_one(),
            };
            [about_all, beside, last]
        })
    }

    /// A product of sums and of factors that take part in some states only, and what it would be
    /// multiplied out, with a mistake now and then.
    fn distributed(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let (a, b, factor) = (builder.simple(), builder.simple(), builder.simple());
            let (here, there) = (builder.truth(0), builder.truth(0));
            let (zero, one) = (builder.pool.bits(0, WIDTH), builder.pool.bits(1, WIDTH));
            let guarded = builder.next(2) == 0;
            let part = if guarded { builder.pool.ite(there, b, zero) } else { b };
            let sum = builder.pool.binary(Binary::Add, a, part);
            let takes_part = builder.next(3) != 0;
            let by = if takes_part { builder.pool.ite(here, factor, one) } else { factor };
            let product = builder.pool.binary(Binary::Mul, sum, by);
            let mut terms = Vec::new();
            for part in [a, part] {
                let times = if builder.next(8) == 0 { one } else { factor };
                let times = builder.pool.binary(Binary::Mul, part, times);
                let otherwise = if builder.next(4) == 0 { zero } else { part };
                terms.push(if takes_part {
                    builder.pool.ite(here, times, otherwise)
                } else {
                    times
                });
            }
            let multiplied = builder.pool.binary(Binary::Add, terms[0], terms[1]);
            let equal = builder.pool.equal(product, multiplied);
            let equal = builder.mostly_not(equal);
            let beside = match builder.next(3) {
                0 => builder.about_one(),
                _ => builder.truth(0),
            };
            [equal, beside, builder.truth(0)]
        })
    }

    /// A product of multiples of payloads, each of which takes part in some states only, and the
    /// product of the payloads times that of the factors, with a mistake now and then.
    fn scaled(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let one = builder.pool.bits(1, WIDTH);
            let (mut product, mut parts, mut factors) = (one, one, one);
            for _ in 0..=builder.next(3) {
                let (value, here) = (builder.payload(0), builder.truth(0));
                let factor = u128::from(builder.next(3)) + 1;
                let factor = builder.pool.bits(factor, WIDTH);
                let multiple = builder.pool.binary(Binary::Mul, value, factor);
                for (all, one_more) in
                    [(&mut product, multiple), (&mut parts, value), (&mut factors, factor)]
                {
                    let one_more = if builder.next(16) == 0 { one } else { one_more };
                    let taking_part = builder.pool.ite(here, one_more, one);
                    *all = builder.pool.binary(Binary::Mul, *all, taking_part);
                }
            }
            let together = builder.pool.binary(Binary::Mul, parts, factors);
            let equal = builder.pool.equal(product, together);
            [builder.mostly_not(equal), builder.about_one(), builder.truth(0)]
        })
    }

    /// A sum of what the lanes hold, each under a condition, and the same by parts of each value:
    /// weighed counts of its bits, or sums of its bits at their places, with a mistake now and then.
    fn by_parts(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let small = builder.small_payloads();
            let equal = builder.sums_by_parts();
            [small, builder.mostly_not(equal), builder.truth(0)]
        })
    }

    /// Quotients, and sums that are there in some states only.
    fn quotients(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let [quotient, value] = builder.about_a_quotient();
            match builder.next(2) {
                0 => [quotient, value, builder.truth(0)],
                _ => [builder.about_a_guarded_sum(), builder.truth(0), builder.about_one()],
            }
        })
    }

    /// What is known of single payloads, and something about all.
    fn known(bytes: &[u8], depth: u32) -> Self {
        Self::built(bytes, |builder| {
            let single = [builder.about_one(), builder.about_one()];
            let about_all = match builder.next(2) {
                0 => builder.truth(depth),
                _ => {
                    // Votes that differ, in each of two alternatives.
                    let (a, b) = (builder.truth(2), builder.truth(2));
                    let (c, d) = (builder.truth(0), builder.truth(0));
                    let differ = builder.pool.equal(a, b);
                    let differ = builder.pool.not(differ);
                    let either = builder.pool.or(c, d);
                    builder.pool.and(either, differ)
                }
            };
            [single[0], single[1], about_all]
        })
    }

    /// Bits that follow from each other, and something large about them.
    fn linked(bytes: &[u8]) -> Self {
        let mut case = Self::of(bytes, 4);
        let mut pool = std::mem::take(&mut case.pool);
        let bit = |pool: &mut Pool, lane: u32| {
            let lane = pool.bits(u128::from(lane), 32);
            pool.apply(case.member, lane)
        };
        let mut links = Vec::new();
        for (lane, byte) in (1..LANES).zip(bytes) {
            let (mut a, mut b) = (bit(&mut pool, lane - 1), bit(&mut pool, lane));
            if byte & 64 != 0 {
                (a, b) = (b, a);
            }
            if byte & 128 != 0 {
                b = pool.not(b);
            }
            let not_a = pool.not(a);
            links.push(pool.or(not_a, b));
        }
        case.assertions[2] = pool.all(links);
        case.pool = pool;
        case
    }

    /// The diagrams call it a contradiction.
    fn is_refused(&self, fault: Option<BrokenLaw>) -> bool {
        let limit =
            StepLimit { steps: 1 << 22, deadline: Instant::now() + Duration::from_secs(60) };
        has_no_state_by(&self.pool, &self.assertions, limit, fault).unwrap_or(false)
    }

    /// Some state satisfies it.
    fn has_state(&self) -> bool {
        (0..STATES).any(|bits| {
            let state = State { member: self.member, payload: self.payload, bits };
            self.pool.evaluate(&self.assertions, &state).iter().all(|it| it.is_true())
        })
    }
}

/// How many instances of each kind are judged, unless `LANEPROOF_CASES` asks for another number.
const INSTANCES: u32 = 128;

fn instances() -> u32 {
    env::var("LANEPROOF_CASES").map_or(INSTANCES, |it| it.parse().expect("a number of cases"))
}

/// Where the number of instances is asked for, counts are of as many cases as they can be; else of one in
/// this many.
const PART: u32 = 5;

fn in_part() -> bool {
    env::var_os("LANEPROOF_CASES").is_none()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(instances()))]

    #[test]
    fn what_is_called_a_contradiction_has_no_state(
        bytes in prop::collection::vec(any::<u8>(), 8..96),
        depth in 2_u32..6,
    ) {
        let of_maps = Case::OF_MAPS.map(|build| build(&bytes));
        for (number, case) in [
            Case::of(&bytes, depth),
            Case::ordered(&bytes),
            Case::linked(&bytes),
            Case::wide(&bytes),
            Case::known(&bytes, depth),
            Case::distributed(&bytes),
            Case::scaled(&bytes),
            Case::by_parts(&bytes),
            Case::quotients(&bytes),
            Case::neutral(&bytes),
            Case::limited(&bytes),
            Case::converted(&bytes),
            Case::chosen_alike(&bytes),
            Case::few(&bytes),
            Case::limited_of_chosen(&bytes),
            Case::summand_seen_by_lanes(&bytes),
            Case::ranks(&bytes),
            Case::equals(&bytes),
            Case::one_for_all(&bytes),
            Case::records(&bytes),
            Case::places(&bytes),
            Case::packed(&bytes),
            Case::sums_of_bits(&bytes),
            Case::served(&bytes),
            Case::computed_in_turn(&bytes),
            Case::converted_where_known(&bytes),
            Case::sums_of_complements(&bytes),
            Case::counted_in_steps(&bytes),
        ]
        .into_iter()
        .chain(of_maps)
        .chain(Case::OF_SUMS.map(|build| build(&bytes)))
        .enumerate()
        {
            let fails = case.is_refused(None) && case.has_state();
            prop_assert!(!fails, "case {number}: {}", case.assertions.map(|it| case.pool.render(it)).join("\n"));
        }
    }
}

proptest! {
    // Numbers of sixteen bits take their time.
    #![proptest_config(ProptestConfig::with_cases(instances() / 8))]

    #[test]
    fn what_is_called_a_contradiction_of_numbers_has_no_state(
        bytes in prop::collection::vec(any::<u8>(), 8..96),
    ) {
        let kinds = [
            FloatCase::of,
            FloatCase::mapped,
            FloatCase::summed,
            FloatCase::bit_of_converted,
            FloatCase::within,
            FloatCase::rounded,
            FloatCase::added,
        ];
        let case = kinds[usize::from(bytes[0]) % kinds.len()](&bytes[1..]);
        prop_assert!(!case.is_refused(None) || !case.has_state());
    }
}

/// How many of the contradictions among some cases are found, and how many there are. A case is whether
/// the diagrams call it a contradiction, and whether it has a state.
fn contradictions(cases: impl Iterator<Item = (bool, bool)>) -> (usize, usize) {
    cases.fold((0, 0), |(found, all), (refused, has_state)| {
        assert!(!refused || !has_state);
        (found + usize::from(refused), all + usize::from(!has_state))
    })
}

/// Of the contradictions among random assertions about sets and payloads nearly all are found: the
/// property above is about something.
#[test]
fn most_contradictions_are_found() {
    let mut random = Random(0x853c_49e6_748f_ea9b);
    let (found, all) = contradictions((0..if in_part() { 2000 / PART } else { 2000 }).map(|_| {
        let case = Case::of(&random.bytes(), 4);
        (case.is_refused(None), case.has_state())
    }));
    println!("{found} of {all}");
    assert!(found * 100 > all * 93, "{found} of {all}");
}

/// Products of sums are seen to be what they are multiplied out, and sums to be those of their parts.
#[test]
fn what_is_put_together_otherwise_is_seen_to_be_the_same() {
    let mut random = Random(0x6a09_e667_f3bc_c909);
    let builders = [
        (Case::distributed as fn(&[u8]) -> Case, 2000),
        (Case::scaled, 2000),
        (Case::by_parts, 500),
        (Case::quotients, 1000),
        (Case::neutral, 1000),
        (Case::limited, 1000),
        (Case::converted, 1000),
        (Case::chosen_alike, 1000),
    ];
    let of_maps = Case::OF_MAPS.map(|build| (build, 1000));
    let of_sums = Case::OF_SUMS.map(|build| (build, 1000));
    let last = [
        (Case::few as fn(&[u8]) -> Case, 1000),
        (Case::limited_of_chosen, 1000),
        (Case::summand_seen_by_lanes, 1000),
        (Case::ranks, 1000),
        (Case::equals, 1000),
        (Case::one_for_all, 1000),
        (Case::records, 1000),
        (Case::places, 1000),
        (Case::packed, 1000),
        (Case::sums_of_bits, 1000),
        (Case::served, 1000),
        (Case::computed_in_turn, 1000),
        (Case::sums_of_complements, 1000),
        (Case::counted_in_steps, 1000),
    ];
    let all = builders.into_iter().chain(of_maps).chain(of_sums).chain(last);
    let counts = all.map(|(build, cases)| {
        let cases = if in_part() { cases / PART } else { cases };
        contradictions((0..cases).map(|_| {
            let case = build(&random.bytes());
            (case.is_refused(None), case.has_state())
        }))
    });
    let counts: Vec<(usize, usize)> = counts.collect();
    if in_part() {
        assert_eq!(counts, counts::OF_PART);
        return;
    }
    let own = [
        (1073, 1073),
        (1178, 1200),
        (270, 270),
        (815, 886),
        (665, 667),
        (812, 913),
        (254, 395),
        (919, 919),
    ];
    let maps = [(196, 457), (65, 65), (78, 78), (742, 743), (416, 416), (281, 431)];
    let sums = [(546, 546), (57, 364), (655, 707)];
    let last = [(844, 845), (689, 692), (80, 273), (352, 476)];
    assert_eq!(counts, [&own[..], &maps, &sums, &last].concat());
}

/// A case by itself shows each of some of them.
#[test]
fn single_cases_show_laws_that_do_not_hold() {
    for (fault, build) in Case::SHOWN.into_iter().chain(Case::SHOWN_BY_CHOICES) {
        let case = build();
        let noticed = !case.is_refused(None) && case.is_refused(Some(fault)) && case.has_state();
        assert!(noticed, "{fault:?} is not noticed");
    }
    assert!(FloatCase::beside_zero().shows(BrokenLaw::EqualZerosAreOne));
    assert!(FloatCase::not_below_zero().shows(BrokenLaw::LimitMayBeZero));
}
