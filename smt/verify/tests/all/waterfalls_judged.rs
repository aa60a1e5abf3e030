//! Waterfall loops by induction alone, held against the judge: what is proved of every size is so
//! in each state of a few lanes.
//!
//! `LANEPROOF_WATERFALLS` asks for another number of pairs, `LANEPROOF_SEED` for others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::judge::{Limits, judge};
use crate::support::pair::Pair;
use crate::support::waterfalls::{ALTERNATIVES, RIGHT, Recipe, TRAPS};
use crate::support::{by_extent, sampled, seed};
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Options, Verdict, verify};

const PAIRS: usize = 70;
const LIMITS: Limits = Limits { states: 100_000, runs: 1 << 8, runs_of_pair: 200_000 };
/// One in this many is asked about, unless `LANEPROOF_WHOLE` is set or a number is asked for.
const STRIDE: usize = 6;
/// The least number of pairs that are proved, and of pairs that the judge refutes: of all, and of the sample.
const PROVED: [usize; 2] = [15, 2];
const REFUTED: [usize; 2] = [50, 5];

/// The right ones, the same with the loop as the source, traps, and such with one or two pieces
/// exchanged.
fn recipes(count: usize) -> Vec<Recipe> {
    let mut draws = Draws(seed() - 1);
    let mut all: Vec<Recipe> = Vec::new();
    for swapped in [false, true] {
        all.extend(RIGHT.iter().map(|&pieces| Recipe::new(pieces, swapped)));
    }
    all.extend(TRAPS.iter().map(|&pieces| Recipe::new(pieces, false)));
    let mut seen: BTreeSet<Recipe> = all.iter().copied().collect();
    while all.len() < count {
        let mut pieces = RIGHT[draws.below(RIGHT.len())];
        for _ in 0..1 + draws.below(2) {
            let piece = draws.below(pieces.len());
            pieces[piece] = draws.below(usize::from(ALTERNATIVES[piece])) as u8;
        }
        let recipe = Recipe::new(pieces, draws.below(4) == 0);
        if seen.insert(recipe) {
            all.push(recipe);
        }
    }
    all
}

/// SplitMix64: the same pairs in every run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}

/// The outcome of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcome {
    proved: bool,
    judged: Option<Verdict>,
}

fn outcome(text: &str) -> Outcome {
    let pair = Pair::parse("waterfall", text);
    let (source, target) = pair.sides();
    let options =
        Options { timeout: Duration::from_secs(2), ..pair.options(&[Abstraction::Induction]) };
    let report = verify(Specification::built_in(), source, target, &options).unwrap();
    let judged = judge(&pair, LIMITS).map(|it| it.verdict);
    Outcome { proved: report.verdict == Verdict::Proved, judged }
}

#[test]
fn nothing_is_proved_that_the_judge_refutes() {
    let asked = std::env::var("LANEPROOF_WATERFALLS").ok().and_then(|text| text.parse().ok());
    let recipes = match asked {
        Some(count) => recipes(count),
        None => sampled(recipes(PAIRS), STRIDE),
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(recipe) = recipes.get(next.fetch_add(1, Ordering::Relaxed)) {
            for parameters in [2, 1] {
                let text = recipe.text(parameters, "1,2,4");
                found.push((recipe, outcome(&text), text));
            }
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let count = |wanted: &dyn Fn(&Outcome) -> bool| found.iter().filter(|it| wanted(&it.1)).count();
    let proved = count(&|it| it.proved);
    let open = count(&|it| !it.proved && it.judged == Some(Verdict::Proved));
    let refuted = count(&|it| it.judged == Some(Verdict::Refuted));
    let undecided = count(&|it| it.judged.is_none());
    println!("{proved} proved, {open} right but open, {refuted} refuted, {undecided} not judged");
    let wrong: Vec<String> = found
        .iter()
        .filter(|(_, it, _)| it.proved && it.judged.is_some_and(|it| it != Verdict::Proved))
        .map(|(recipe, outcome, text)| format!("{recipe:?}: {outcome:?}\n{text}"))
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    // Other pairs may be fewer of either kind.
    let others = crate::support::seed() != 1;
    let [least_proved, least_refuted] = [PROVED, REFUTED].map(|[all, few]| by_extent(all, few));
    assert!(proved >= least_proved || others, "only {proved} are proved");
    assert!(refuted >= least_refuted || others, "only {refuted} are refuted");
}
