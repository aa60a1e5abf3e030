//! Flattening and the encoding, held against the second executor of control flow: what it finds in a
//! state is what the prover proves of that state, and of nothing else.
//!
//! `LANEPROOF_FUNCTIONS` sets the number of functions, `LANEPROOF_SEED` the seed.

#[path = "../../../../interpreter/tests/all/second_executor/executor.rs"]
mod executor;
#[path = "../../../../interpreter/tests/all/second_executor/walk.rs"]
mod walk;
#[path = "../../../../interpreter/tests/all/second_executor/ways.rs"]
mod ways;

use std::collections::BTreeSet;
use std::fmt::Write;

use laneproof_generator::{Numbers, function_module};
use laneproof_module::{Program, assemble_text, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_verify::{
    AllowedAbstractions, Options, Side, States, Verdict, VerificationReport, verify,
};

use executor::Outcome;
use walk::{expected, outcomes};
use ways::Weak;

const FUNCTIONS: u64 = 120;
/// The most choices by the weaker reading; functions with more are passed over.
const WEAK_RUNS: u64 = 1 << 9;
/// Where the functions begin, unless `LANEPROOF_SEED` says otherwise.
const SEED: u64 = 11;

/// What goes before the types of a generated module, and what goes behind its functions.
const CAPABILITY: &str =
    "OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"\nOpMemoryModel";
const DECORATIONS: &str = "OpName %src \"src\"\nOpName %tgt \"tgt\"\n\
     OpDecorate %which BuiltIn SubgroupLocalInvocationId\n%uint =";
const INPUT: &str =
    "%input = OpTypePointer Input %uint\n%which = OpVariable %input Input\n%undef =";

/// A number for each lane, as instructions and the `<id>` of the lane's own.
fn by_lane(name: &str, numbers: &[u32]) -> (String, String) {
    let mut body = format!("%{name}lane = OpLoad %uint %which\n");
    let mut last = format!("%n{}", numbers[0]);
    for (lane, number) in numbers.iter().enumerate().skip(1) {
        let _ = write!(
            body,
            "%{name}is{lane} = OpIEqual %bool %{name}lane %n{lane}\n\
             %{name}v{lane} = OpSelect %uint %{name}is{lane} %n{number} {last}\n"
        );
        last = format!("%{name}v{lane}");
    }
    (body, last)
}

/// The module with a function `src` that calls `main` in one state, and `tgt`, which returns these
/// numbers.
fn claim(module: &str, lanes: &[Vec<u32>], results: &[u32]) -> String {
    let part = |place: usize| lanes.iter().map(|it| it[place]).collect::<Vec<u32>>();
    let [(xs, x), (ys, y)] = [by_lane("x", &part(0)), by_lane("y", &part(1))];
    let (table, result) = by_lane("r", results);
    let mut numbers: Vec<u32> = lanes.iter().flatten().copied().collect();
    numbers.extend(0..lanes.len() as u32);
    numbers.extend(results);
    numbers.sort_unstable();
    numbers.dedup();
    let constants: String =
        numbers.iter().map(|it| format!("%n{it} = OpConstant %uint {it}\n")).collect();
    let module = module
        .replacen("OpMemoryModel", CAPABILITY, 1)
        .replacen("%uint =", DECORATIONS, 1)
        .replacen("%undef =", &format!("{constants}{INPUT}"), 1);
    format!(
        "{module}%src = OpFunction %uint None %type\n%sx = OpFunctionParameter %uint\n\
         %sy = OpFunctionParameter %uint\n%sentry = OpLabel\n{xs}{ys}\
         %ex = OpIEqual %bool %sx {x}\n%ey = OpIEqual %bool %sy {y}\n\
         OpAssumeTrueKHR %ex\nOpAssumeTrueKHR %ey\n\
         %sr = OpFunctionCall %uint %main %sx %sy\nOpReturnValue %sr\nOpFunctionEnd\n\
         %tgt = OpFunction %uint None %type\n%tx = OpFunctionParameter %uint\n\
         %ty = OpFunctionParameter %uint\n%tentry = OpLabel\n{table}\
         OpReturnValue {result}\nOpFunctionEnd\n"
    )
}

/// The only outcome of a function, if every lane returns a defined number in it.
fn only_outcome(text: &str, program: &Program, lanes: &[Vec<u32>]) -> Option<Vec<u32>> {
    let words = assemble_text(text, "random").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found = expected(&words, program.function("main").expect("main").id, lanes, false)?;
    match found.into_iter().collect::<Vec<_>>().as_slice() {
        [outcome] => defined(outcome),
        _ => None,
    }
}

/// The numbers that the lanes return, if all do.
fn defined(outcome: &Outcome) -> Option<Vec<u32>> {
    match outcome {
        Outcome::Returned(results) => results.iter().map(|it| it.flatten()).collect(),
        Outcome::UndefinedBehavior => None,
    }
}

/// All outcomes by the weaker reading of `reconvergence`, if every lane returns a defined number in
/// each of them.
fn weak_outcomes(text: &str, program: &Program, lanes: &[Vec<u32>]) -> Option<BTreeSet<Vec<u32>>> {
    let words = assemble_text(text, "random").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let main = program.function("main").expect("main").id;
    let run = |executor: &mut executor::Executor<'_>| Weak::new(executor, false).run(main, lanes);
    outcomes(&words, false, WEAK_RUNS, &run)?.iter().map(defined).collect()
}

/// What the prover says of a claim about one state.
fn judged(
    text: &str,
    lanes: usize,
    per_lane: bool,
    readings: &[(&str, &str)],
) -> VerificationReport {
    let program =
        load_text_unvalidated(text, "claim").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let side = |name| Side { program: &program, function: program.function(name).unwrap() };
    let owned =
        |(name, alternative): &(&str, &str)| ((*name).to_owned(), (*alternative).to_owned());
    let options = Options {
        states: States { sizes: vec![lanes as u32], all_active: true, ..States::default() },
        abstractions: AllowedAbstractions::default().per_lane(per_lane),
        readings: readings.iter().map(owned).collect(),
        ..Options::default()
    };
    verify(Specification::built_in(), side("src"), Some(side("tgt")), &options).unwrap()
}

#[test]
fn what_the_second_executor_finds_is_proved_and_what_it_does_not_find_is_refuted() {
    crate::support::deep(what_is_found_is_proved_and_nothing_else);
}

fn what_is_found_is_proved_and_nothing_else() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let functions = asked("LANEPROOF_FUNCTIONS").unwrap_or(FUNCTIONS);
    let seed = asked("LANEPROOF_SEED").unwrap_or(SEED);
    let mut numbers = Numbers::new(seed);
    let (mut proved, mut refuted, mut open) = (0u64, 0u64, 0u64);
    for _ in 0..functions {
        let text = function_module(&mut numbers);
        let lanes: Vec<Vec<u32>> = (0..1 << numbers.below(3))
            .map(|_| vec![numbers.below(4) as u32, numbers.below(4) as u32])
            .collect();
        let program = load_text_unvalidated(&text, "random").expect("a module");
        let Some(mut results) = only_outcome(&text, &program, &lanes) else { continue };
        let wrong = numbers.below(4) == 0;
        if wrong {
            let lane = numbers.below(lanes.len() as u64) as usize;
            results[lane] ^= 1 << numbers.below(32);
        }
        let text = claim(&text, &lanes, &results);
        // By turns without abstractions.
        let report = judged(&text, lanes.len(), numbers.below(2) == 0, &[]);
        match (report.verdict, wrong) {
            (Verdict::Proved, false) => proved += 1,
            (Verdict::Refuted, true) => refuted += 1,
            (Verdict::Unknown, _) => open += 1,
            (verdict, _) => panic!("{verdict}, {lanes:?}: {results:?}\n{text}"),
        }
    }
    println!("{proved} proved, {refuted} refuted, {open} unknown, of {functions}");
    if functions == FUNCTIONS && seed == SEED {
        assert_eq!((proved, refuted, open), (68, 31, 0));
    }
}

/// Lanes need not reconverge at merge blocks: what some way gives is not refuted, and nothing else is
/// proved.
#[test]
fn by_the_weaker_reading_no_outcome_is_refuted_and_nothing_else_is_proved() {
    crate::support::deep(no_outcome_is_refuted_and_nothing_else_is_proved);
}

fn no_outcome_is_refuted_and_nothing_else_is_proved() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let functions = asked("LANEPROOF_FUNCTIONS").unwrap_or(FUNCTIONS);
    let seed = asked("LANEPROOF_SEED").unwrap_or(SEED);
    let mut numbers = Numbers::new(seed);
    let mut counts = WeakCounts::default();
    for _ in 0..functions {
        let text = function_module(&mut numbers);
        let lanes: Vec<Vec<u32>> = (0..2 + numbers.below(3))
            .map(|_| vec![numbers.below(4) as u32, numbers.below(4) as u32])
            .collect();
        let lanes = &lanes[..1 << lanes.len().ilog2()];
        let program = load_text_unvalidated(&text, "random").expect("a module");
        let Some(all) = weak_outcomes(&text, &program, lanes) else { continue };
        let place = numbers.below(all.len() as u64) as usize;
        let mut results = all.iter().nth(place).expect("an outcome").clone();
        // Where one lane gives what it does in another outcome, all of them may be none.
        let mixed = all.iter().nth(numbers.below(all.len() as u64) as usize).expect("an outcome");
        let lane = numbers.below(lanes.len() as u64) as usize;
        match numbers.below(4) {
            0 => results[lane] ^= 1 << numbers.below(32),
            1 => results[lane] = mixed[lane],
            _ => {}
        }
        let permitted = all.contains(&results);
        let text = claim(&text, lanes, &results);
        let reading = [("reconvergence", "uniform-control-flow")];
        let report = judged(&text, lanes.len(), numbers.below(2) == 0, &reading);
        counts.several += u64::from(all.len() > 1);
        match (report.verdict, permitted) {
            (Verdict::Proved, true) => counts.proved += 1,
            (Verdict::Refuted, false) if all.len() > 1 => counts.refuted_all_ways += 1,
            (Verdict::Refuted, false) => counts.refuted += 1,
            (Verdict::Unknown, _) => counts.open += 1,
            (verdict, _) => panic!("{verdict}, {lanes:?}: {results:?}, of {all:?}\n{text}"),
        }
    }
    println!("{counts:?}");
    if functions == FUNCTIONS && seed == SEED {
        let expected =
            WeakCounts { several: 8, proved: 24, refuted: 26, refuted_all_ways: 1, open: 54 };
        assert_eq!(counts, expected);
    }
}

/// Verdicts by the weaker reading.
#[derive(Debug, Default, PartialEq, Eq)]
struct WeakCounts {
    /// The source may do several things.
    several: u64,
    proved: u64,
    refuted: u64,
    /// Refuted, whichever of several things the source does.
    refuted_all_ways: u64,
    open: u64,
}
