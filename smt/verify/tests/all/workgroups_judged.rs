//! Random pairs in workgroups of a few lanes, judged by running both in every state that there is.
//!
//! A pair is a few acts on one Boolean a lane, and the same acts changed in a place: votes and
//! scans of a subgroup or of the whole workgroup, what lanes store and load in its memory, barriers
//! of either scope. A state is an active set and the values of its lanes; there are few of these.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::time::Duration;

use crate::acts::{Act, Numbers, acts, body, changed, prologue};

use laneproof_interpreter::{
    CallArgument, Choices, LaneValue, RunOptions, Stop, WorkgroupCall, call_in_workgroup,
};
use laneproof_module::{Function, Grid, Program, Site, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_verify::{Options as Asked, Side, States, Verdict, verify};

/// Pairs in a run, unless `LANEPROOF_WORKGROUP_PAIRS` says otherwise; `LANEPROOF_SEED` asks for others.
const PAIRS: u32 = 60;

fn function(name: &str, acts: &[Act], tag: &str) -> String {
    let (text, value) = body(acts, tag, &format!("%x{tag}"));
    format!(
        "%{name} = OpFunction %bool None %type\n%x{tag} = OpFunctionParameter %bool\n\
         %entry{tag} = OpLabel\n{}{text}OpReturnValue {value}\nOpFunctionEnd\n",
        prologue(tag)
    )
}

fn module(source: &[Act], target: &[Act]) -> String {
    let text = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
        OpCapability Groups\nOpCapability GroupNonUniformVote\n\
        OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformArithmetic\n\
        OpCapability GroupUniformArithmeticKHR\n\
        OpExtension \"SPV_KHR_uniform_group_instructions\"\n\
        OpMemoryModel Physical64 OpenCL\nOpName %src \"src\"\nOpName %tgt \"tgt\"\n\
        OpDecorate %id BuiltIn SubgroupLocalInvocationId\n\
        OpDecorate %number BuiltIn SubgroupId\nOpDecorate %index BuiltIn LocalInvocationIndex\n\
        %bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%type = OpTypeFunction %bool %bool\n\
        %u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n%u8 = OpConstant %u32 8\n\
        %true = OpConstantTrue %bool\n\
        %workgroup = OpConstant %u32 2\n%subgroup = OpConstant %u32 3\n\
        %ordered = OpConstant %u32 0x108\n\
        %triple = OpTypeVector %u32 3\n%row = OpConstantComposite %triple %u1 %u0 %u0\n\
        %slots = OpTypeArray %bool %u8\n%to_slots = OpTypePointer Workgroup %slots\n\
        %to_slot = OpTypePointer Workgroup %bool\n%to_u32 = OpTypePointer Input %u32\n\
        %scratch = OpVariable %to_slots Workgroup\n%id = OpVariable %to_u32 Input\n\
        %number = OpVariable %to_u32 Input\n%index = OpVariable %to_u32 Input\n";
    text.to_owned() + &function("src", source, "_s") + &function("tgt", target, "_t")
}

/// Draws zero, and remembers that it was asked.
#[derive(Default)]
struct Asks(bool);

impl Choices for Asks {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        self.0 = true;
        0
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        self.0 = true;
        0
    }
}

/// A workgroup: subgroups, their size, its shape.
type Shape = (u32, u32, [u32; 3]);

/// The results of the active lanes; `None` where the behavior is undefined. And whether there were
/// choices.
fn run(
    program: &Program,
    function: &Function,
    (_, subgroup, size): Shape,
    active: u128,
    given: u32,
) -> (Option<Vec<Option<LaneValue>>>, bool) {
    let lanes = size.iter().product();
    let value = |lane: u32| LaneValue::scalar(u64::from(given >> lane & 1));
    let request = WorkgroupCall {
        program,
        function: function.id,
        grid: Grid::of_one(size),
        subgroup,
        max: subgroup,
        active,
        arguments: vec![CallArgument::PerLane((0..lanes).map(value).collect())],
    };
    let options = RunOptions { races: true, fences: true, ..RunOptions::default() };
    let mut asks = Asks::default();
    let ended = match call_in_workgroup(&request, &options, &mut asks) {
        Ok(finished) => Some(finished.results),
        Err(Stop::UndefinedBehavior { .. }) => None,
        Err(stop) => panic!("{stop}"),
    };
    (ended, asks.0)
}

/// What runs in all states say.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ruling {
    Refines,
    Refuted,
    /// The source never behaves.
    Vacuous,
    /// There are choices, so one run does not decide.
    Open,
}

fn rule(program: &Program, shapes: &[Shape]) -> Ruling {
    let [source, target] = ["src", "tgt"].map(|name| program.function(name).unwrap());
    let (mut behaved, mut open) = (false, false);
    for &shape in shapes {
        let lanes: u32 = shape.2.iter().product();
        for active in 1..1u128 << lanes {
            for given in 0..1 << lanes {
                let (expected, chosen) = run(program, source, shape, active, given);
                // One choice that misbehaves excludes the state.
                let Some(expected) = expected else { continue };
                if chosen {
                    open = true;
                    continue;
                }
                behaved = true;
                let (found, chosen) = run(program, target, shape, active, given);
                let agree = |found: Vec<Option<LaneValue>>| {
                    expected.iter().zip(&found).all(|(expected, found)| {
                        let known = expected.as_ref().is_some_and(|it| it.0 != [None]);
                        !known || expected == found
                    })
                };
                if !found.is_some_and(agree) {
                    return Ruling::Refuted;
                }
                open |= chosen;
            }
        }
    }
    match (open, behaved) {
        (true, _) => Ruling::Open,
        (false, true) => Ruling::Refines,
        (false, false) => Ruling::Vacuous,
    }
}

#[test]
fn verdicts_are_those_of_all_states() {
    let pairs = std::env::var("LANEPROOF_WORKGROUP_PAIRS").ok().and_then(|it| it.parse().ok());
    let mut numbers = Numbers(crate::support::seed());
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..pairs.unwrap_or(PAIRS) {
        let source = acts(&mut numbers);
        let target = changed(&source, &mut numbers);
        let program = load_text_unvalidated(&module(&source, &target), "pair").unwrap();
        let [a, b] = ["src", "tgt"].map(|name| {
            let function = program.function(name).unwrap();
            Side { program: &program, function }
        });
        let (subgroups, size) = numbers.of(&[(2, 2), (2, 2), (3, 1), (1, 2), (2, 1)]);
        let partial = size > 1 && numbers.below(3) == 0;
        let lanes = subgroups * size;
        let counts: std::ops::RangeInclusive<u32> =
            if partial { lanes - size + 1..=lanes } else { lanes..=lanes };
        let shapes: Vec<Shape> = counts
            .flat_map(|lanes: u32| {
                let flat = (1..=lanes).filter(move |x| lanes.is_multiple_of(*x));
                flat.map(move |x| (subgroups, size, [x, lanes / x, 1]))
            })
            .collect();
        let options = Asked {
            states: States {
                sizes: vec![size],
                subgroups: vec![subgroups],
                partial,
                ..States::default()
            },
            timeout: Duration::from_secs(20),
            ..Asked::default()
        };
        let report = verify(Specification::built_in(), a, Some(b), &options).unwrap();
        let ruling = rule(&program, &shapes);
        let case = format!(
            "{source:#?}\n{target:#?}\n{subgroups} × {size}, partial: {partial}: {} {:?}, {ruling:?}",
            report.verdict, report.reason
        );
        // The callers of these functions are unknown, and so is memory that is read first.
        let reason = report.reason.as_deref().unwrap_or_default();
        let callers =
            report.verdict == Verdict::Unknown && reason.contains("what its callers left");
        // Of a barrier in a branch that lanes may take differently no verdict is asked; a wrong one is not
        // excused.
        let in_branch = |acts: &[Act]| acts.iter().any(|it| matches!(it, Act::BarrierWhere(..)));
        let branches = report.verdict == Verdict::Unknown
            && reason.contains("a barrier that some lanes may not reach")
            && (in_branch(&source) || in_branch(&target));
        let right = match ruling {
            _ if callers || branches => true,
            Ruling::Refines => report.verdict == Verdict::Proved,
            Ruling::Refuted => report.verdict == Verdict::Refuted,
            Ruling::Vacuous => report.verdict == Verdict::Vacuous,
            // Another choice may misbehave in each state that was run, so none may be left.
            Ruling::Open => true,
        };
        assert!(right, "{case}");
        assert!(report.counterexample.as_ref().is_none_or(|it| it.confirmed), "{case}");
        assert!(report.obligations.iter().all(|it| it.subgroups == Some(subgroups)), "{case}");
        let counted = match (callers, branches) {
            (true, _) => "Callers".to_owned(),
            (_, true) => "Branches".to_owned(),
            _ => format!("{ruling:?}"),
        };
        *seen.entry(counted).or_default() += 1;
    }
    println!("{seen:?}");
    let count = |what: &str| seen.get(what).copied().unwrap_or_default();
    let few = 10 * count("Callers") <= seen.values().sum();
    assert!(few || crate::support::seed() != 1, "{seen:?}");
    let least = if pairs.is_some() { [20, 20, 5] } else { [8, 8, 2] };
    let kinds = ["Refines", "Refuted", "Vacuous"].into_iter().zip(least);
    let enough = kinds.into_iter().all(|(what, least)| count(what) >= least);
    assert!(enough || crate::support::seed() != 1, "{seen:?}");
}
