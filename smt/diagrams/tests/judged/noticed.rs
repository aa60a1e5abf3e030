//! Laws that do not hold, and random cases that show it.

use laneproof_diagrams::BrokenLaw;

use super::{Case, Random, in_part};

/// Numbers of cases among which one has to show each law that does not hold.
const CASES: u32 = 20_000;

/// The laws, and the number of the first cases that show each of them. Where `LANEPROOF_CASES` is set, these
/// are searched for, and printed.
const SHOWN_AT: [(BrokenLaw, u32); 71] = [
    (BrokenLaw::FixedSomewhere, 0),
    (BrokenLaw::SummandNeverWraps, 0),
    (BrokenLaw::OneCase, 0),
    (BrokenLaw::ClassWithoutBegin, 0),
    (BrokenLaw::DifferentSumsDiffer, 0),
    (BrokenLaw::DecidedSomewhere, 0),
    (BrokenLaw::OpenIsFixed, 0),
    (BrokenLaw::NeutralOutdoes, 1),
    (BrokenLaw::WithinOthers, 2),
    (BrokenLaw::RecordIsLast, 2),
    (BrokenLaw::AnyPartIsExtreme, 2),
    (BrokenLaw::OrderedEverywhere, 2),
    (BrokenLaw::EachIsFirst, 5),
    (BrokenLaw::PlaceNotDivided, 5),
    (BrokenLaw::LimitElsewhere, 18),
    (BrokenLaw::HighBitsOfSum, 24),
    (BrokenLaw::PieceNotInPlace, 25),
    (BrokenLaw::OneIsZero, 25),
    (BrokenLaw::LowAlone, 27),
    (BrokenLaw::PlaceNotMoved, 32),
    (BrokenLaw::SignForgotten, 32),
    (BrokenLaw::OrderNotTurned, 36),
    (BrokenLaw::ComplementIsOpposite, 36),
    (BrokenLaw::PartOfOthers, 36),
    (BrokenLaw::MapNeverWraps, 38),
    (BrokenLaw::EqualElsewhere, 40),
    (BrokenLaw::LastCounts, 42),
    (BrokenLaw::NothingChosen, 44),
    (BrokenLaw::NeutralElsewhere, 44),
    (BrokenLaw::ValueIsZero, 44),
    (BrokenLaw::NoChoiceLost, 48),
    (BrokenLaw::CarriesOfParts, 51),
    (BrokenLaw::AnyBitsInOrder, 53),
    (BrokenLaw::AnyNumberAbsorbs, 53),
    (BrokenLaw::AbsentIsZero, 53),
    (BrokenLaw::NothingBesideMask, 58),
    (BrokenLaw::CarryForgotten, 65),
    (BrokenLaw::PlaceOfEitherCase, 68),
    (BrokenLaw::AnyNumberIsNeutral, 109),
    (BrokenLaw::OneLane, 112),
    (BrokenLaw::ApartEverywhere, 142),
    (BrokenLaw::NothingCarried, 158),
    (BrokenLaw::SummandIsCommon, 176),
    (BrokenLaw::CarriesCountOnce, 176),
    (BrokenLaw::SameEverywhere, 215),
    (BrokenLaw::SumNeverWraps, 217),
    (BrokenLaw::HighBitsCount, 217),
    (BrokenLaw::SomeForAll, 326),
    (BrokenLaw::TotalWithoutSign, 333),
    (BrokenLaw::SmallIsOne, 337),
    (BrokenLaw::QuotientOfAll, 501),
    (BrokenLaw::RestNotMultiplied, 692),
    (BrokenLaw::TwiceInXor, 737),
    (BrokenLaw::EachBeside, 958),
    (BrokenLaw::ExtensionHasSign, 1010),
    (BrokenLaw::CareOfOneSide, 1092),
    (BrokenLaw::ScaleForgotten, 1268),
    (BrokenLaw::SumOfLanesNeverWraps, 1434),
    (BrokenLaw::OperatorNotExchanged, 1448),
    (BrokenLaw::OthersNotLimited, 1764),
    (BrokenLaw::RestNotLimited, 1796),
    (BrokenLaw::SamePartsAlone, 1976),
    (BrokenLaw::AnyMap, 2106),
    (BrokenLaw::AnyIsAbsorbed, 2259),
    (BrokenLaw::FixedElsewhere, 2432),
    (BrokenLaw::TableWithoutPlace, 2434),
    (BrokenLaw::OrderKept, 2619),
    (BrokenLaw::RestNotBeside, 3356),
    (BrokenLaw::BelowAlone, 4093),
    (BrokenLaw::ExponentWraps, 5710),
    (BrokenLaw::SideNotMoved, 11595),
];

/// A case that is made only when it is asked for.
type Unmade = Box<dyn Fn() -> Case>;

/// Where the bytes of random cases come from.
struct Streams {
    random: Random,
    others: Random,
    parts: Random,
    maps: Random,
    sums: Random,
    chosen: Random,
    views: Random,
    ranks: Random,
    equals: Random,
    records: Random,
    places: Random,
    /// Of what is packed, of sums of bits, of lanes served in turn, of conversions, of what is computed in turn, of
    /// complements, and of steps.
    last: [Random; 7],
}

impl Streams {
    fn new() -> Self {
        Self {
            random: Random(0x2545_f491_4f6c_dd1d),
            others: Random(0x9e37_79b9_7f4a_7c15),
            parts: Random(0xbb67_ae85_84ca_a73b),
            maps: Random(0x510e_527f_ade6_82d1),
            sums: Random(0x1f83_d9ab_fb41_bd6b),
            chosen: Random(0x5be0_cd19_137e_2179),
            views: Random(0xcbbb_9d5d_c105_9ed8),
            ranks: Random(0x629a_292a_367c_d507),
            equals: Random(0x9159_015a_3070_dd17),
            records: Random(0x152f_ecd8_f70e_5939),
            places: Random(0x67b4_7bb1_8c5f_0a13),
            last: [
                0x8eb4_4a87_68e5_81d1,
                0xdb0c_2e0d_6483_11f5,
                0x3c6e_f372_fe94_f82b,
                0xa54f_f53a_5f1d_36f1,
                0x510e_527f_ade6_82d3,
                0x9b05_688c_2b3e_6c1f,
                0x1f83_d9ab_fb41_bd69,
            ]
            .map(Random),
        }
    }

    /// The cases of the next number.
    fn cases(&mut self, number: u32) -> Vec<Unmade> {
        let made = |random: &mut Random, build: fn(&[u8]) -> Case| -> Unmade {
            let bytes = random.bytes();
            Box::new(move || build(&bytes))
        };
        let bytes = self.random.bytes();
        let depth = number % 4;
        let mut cases: Vec<Unmade> = vec![match depth {
            0 => Box::new(move || Case::of(&bytes, 4)),
            depth => Box::new(move || Case::narrow(&bytes, depth)),
        }];
        let others: &[fn(&[u8]) -> Case] = match depth {
            0 => &[Case::ordered, Case::linked, Case::distributed, Case::scaled],
            _ => &[Case::wide, |bytes| Case::known(bytes, 3)],
        };
        cases.extend(others.iter().map(|build| made(&mut self.others, *build)));
        let parts: [fn(&[u8]) -> Case; 6] = [
            Case::by_parts,
            Case::quotients,
            Case::neutral,
            Case::limited,
            Case::converted,
            Case::few,
        ];
        match depth {
            0 => {
                cases.push(made(&mut self.chosen, Case::limited_of_chosen));
                cases.push(made(&mut self.views, Case::summand_seen_by_lanes));
                cases.push(made(&mut self.ranks, Case::ranks));
                cases.push(made(&mut self.equals, Case::equals));
                cases.push(made(&mut self.equals, Case::one_for_all));
                cases.push(made(&mut self.records, Case::records));
                cases.push(made(&mut self.places, Case::places));
                cases.push(made(&mut self.last[0], Case::packed));
                cases.push(made(&mut self.last[1], Case::sums_of_bits));
                cases.push(made(&mut self.last[2], Case::served));
                cases.push(made(&mut self.last[3], Case::converted_where_known));
                cases.push(made(&mut self.last[4], Case::computed_in_turn));
                cases.push(made(&mut self.last[5], Case::sums_of_complements));
                cases.push(made(&mut self.last[6], Case::counted_in_steps));
            }
            1 => cases.extend(parts.map(|build| made(&mut self.parts, build))),
            2 => cases.extend(Case::OF_MAPS.map(|build| made(&mut self.maps, build))),
            3 => cases.extend(Case::OF_SUMS.map(|build| made(&mut self.sums, build))),
            _ => {}
        }
        cases
    }
}

/// The laws that random cases have to show: others are shown elsewhere.
fn laws() -> Vec<BrokenLaw> {
    use BrokenLaw as Law;
    let apart = [&Law::OF_NUMBERS[..], &Law::OF_MAPS, &Law::OF_LIMITS, &Law::OF_TESTS].concat();
    let alone = Case::SHOWN.iter().chain(&Case::SHOWN_BY_CHOICES).map(|(shown, _)| *shown);
    let alone: Vec<BrokenLaw> =
        alone.chain([BrokenLaw::EqualZerosAreOne, BrokenLaw::LimitMayBeZero]).collect();
    let mut laws = BrokenLaw::ALL.to_vec();
    laws.retain(|fault| !apart.contains(fault) && !alone.contains(fault));
    laws
}

/// Of the laws, those that the cases of each number show first.
fn searched() -> Vec<(BrokenLaw, u32)> {
    let mut streams = Streams::new();
    let mut unnoticed = laws();
    let mut shown = Vec::new();
    for number in 0..CASES {
        for make in streams.cases(number) {
            let case = make();
            // What is a contradiction anyway shows nothing.
            if case.is_refused(None) {
                continue;
            }
            unnoticed.retain(|&fault| {
                let noticed = case.is_refused(Some(fault)) && case.has_state();
                shown.extend(noticed.then_some((fault, number)));
                !noticed
            });
        }
        if unnoticed.is_empty() {
            break;
        }
    }
    assert_eq!(unnoticed, []);
    shown
}

/// The judge notices each law that does not hold: something is called a contradiction by it that
/// has a state.
#[test]
fn laws_that_do_not_hold_are_noticed() {
    if !in_part() {
        let shown = searched();
        println!("{shown:?}");
        assert_eq!(shown, SHOWN_AT);
        return;
    }
    let mut streams = Streams::new();
    let mut unnoticed = laws();
    for number in 0..=SHOWN_AT[SHOWN_AT.len() - 1].1 {
        let cases = streams.cases(number);
        for &(fault, _) in SHOWN_AT.iter().filter(|(_, at)| *at == number) {
            let shows = |case: Case| {
                !case.is_refused(None) && case.is_refused(Some(fault)) && case.has_state()
            };
            assert!(cases.iter().any(|make| shows(make())), "{fault:?}, cases of number {number}");
            unnoticed.retain(|other| *other != fault);
        }
    }
    assert_eq!(unnoticed, [], "no number of a case is known that shows these");
}
