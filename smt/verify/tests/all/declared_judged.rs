//! Random pairs of entry points in the workgroup that they declare, judged by running both in every
//! state of it: every active set, and every content of a buffer.
//!
//! The size is declared in all the ways there are, below the subgroup's, a multiple of it or none,
//! or is a specialization constant. Lanes are in the order of `LocalInvocationIndex` in the judge's
//! runs, which is one of the orders that `verify` looks at: so a refutation may be of another order,
//! but no proof may be contradicted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::acts::{Act, Numbers, acts, body, changed, prologue};
use laneproof_interpreter::{
    Choices, Reachable, RunOptions, Stop, WorkgroupCall, call_in_workgroup,
};
use laneproof_module::{Grid, Program, Site, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_verify::{Options as Asked, Side, States, Verdict, verify};

/// Pairs in a run, unless `LANEPROOF_DECLARED_PAIRS` says otherwise.
const PAIRS: u32 = 40;
/// No workgroup has more invocations in the judge's runs.
const MOST: u32 = 4;

/// How a module declares the size of its workgroups.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Mode,
    ModeById,
    Constant,
    Specialized,
    /// An operation on a specialization constant and 2.
    Operated(&'static str),
}

const WAYS: [Way; 7] = [
    Way::Mode,
    Way::Mode,
    Way::ModeById,
    Way::Constant,
    Way::Specialized,
    Way::Operated("IMul %two %x"),
    Way::Operated("UDiv %x %two"),
];

/// The specialization constants of which there is a workgroup that is run, and its length.
fn specialized(way: Way) -> Vec<(u32, u32)> {
    let length = |x| match way {
        Way::Operated("IMul %two %x") => 2 * x,
        Way::Operated(_) => x / 2,
        _ => x,
    };
    (1..=2 * MOST).map(|x| (x, length(x))).filter(|it| (1..=MOST).contains(&it.1)).collect()
}

fn entry(name: &str, acts: &[Act], tag: &str) -> String {
    let (text, value) = body(acts, tag, &format!("%x{tag}"));
    format!(
        "%{name} = OpFunction %void None %main\n%entry{tag} = OpLabel\n{}\
         %from{tag} = OpAccessChain %to_word %data %u0 %l{tag}\n%word{tag} = OpLoad %u32 %from{tag}\n\
         %x{tag} = OpINotEqual %bool %word{tag} %u0\n{text}\
         %out{tag} = OpSelect %u32 {value} %u1 %u0\n\
         %into{tag} = OpAccessChain %to_word %res %u0 %l{tag}\nOpStore %into{tag} %out{tag}\n\
         OpReturn\nOpFunctionEnd\n",
        prologue(tag)
    )
}

fn module(source: &[Act], target: &[Act], way: Way, [x, y]: [u32; 2]) -> String {
    let modes = |function: &str| match way {
        Way::Mode => format!("OpExecutionMode %{function} LocalSize {x} {y} 1\n"),
        Way::ModeById => format!("OpExecutionModeId %{function} LocalSizeId %x %y %u1\n"),
        // What the constant says comes first.
        Way::Constant | Way::Specialized | Way::Operated(_) => {
            format!("OpExecutionMode %{function} LocalSize 1 1 1\n")
        }
    };
    let (decorations, sizes) = match way {
        Way::Mode => (String::new(), String::new()),
        Way::ModeById => {
            (String::new(), format!("%x = OpConstant %u32 {x}\n%y = OpConstant %u32 {y}\n"))
        }
        Way::Constant => (
            "OpDecorate %shape BuiltIn WorkgroupSize\n".to_owned(),
            format!(
                "%x = OpConstant %u32 {x}\n%y = OpConstant %u32 {y}\n\
                 %shape = OpConstantComposite %triple %x %y %u1\n"
            ),
        ),
        Way::Specialized => (
            "OpDecorate %shape BuiltIn WorkgroupSize\nOpDecorate %x SpecId 0\n".to_owned(),
            "%x = OpSpecConstant %u32 1\n%shape = OpSpecConstantComposite %triple %x %u1 %u1\n"
                .to_owned(),
        ),
        Way::Operated(operation) => (
            "OpDecorate %shape BuiltIn WorkgroupSize\nOpDecorate %x SpecId 0\n".to_owned(),
            format!(
                "%x = OpSpecConstant %u32 2\n%two = OpConstant %u32 2\n\
                 %length = OpSpecConstantOp %u32 {operation}\n\
                 %shape = OpSpecConstantComposite %triple %length %u1 %u1\n"
            ),
        ),
    };
    format!(
        "OpCapability Shader\nOpCapability Groups\nOpCapability GroupNonUniformVote\n\
         OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformArithmetic\n\
         OpCapability GroupUniformArithmeticKHR\n\
         OpExtension \"SPV_KHR_uniform_group_instructions\"\n\
         OpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %src \"src\" %id %number %index\n\
         OpEntryPoint GLCompute %tgt \"tgt\" %id %number %index\n\
         {}{}OpName %src \"src\"\nOpName %tgt \"tgt\"\nOpName %data \"data\"\nOpName %res \"res\"\n\
         {decorations}OpDecorate %id BuiltIn SubgroupLocalInvocationId\n\
         OpDecorate %number BuiltIn SubgroupId\nOpDecorate %index BuiltIn LocalInvocationIndex\n\
         OpDecorate %words ArrayStride 4\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %block Block\n\
         OpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0\n\
         OpDecorate %res DescriptorSet 0\nOpDecorate %res Binding 1\n\
         %void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n\
         %main = OpTypeFunction %void\n\
         %u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n%u8 = OpConstant %u32 8\n\
         %true = OpConstantTrue %bool\n\
         %workgroup = OpConstant %u32 2\n%subgroup = OpConstant %u32 3\n\
         %ordered = OpConstant %u32 0x108\n\
         %triple = OpTypeVector %u32 3\n%row = OpConstantComposite %triple %u1 %u0 %u0\n{sizes}\
         %slots = OpTypeArray %bool %u8\n%to_slots = OpTypePointer Workgroup %slots\n\
         %to_slot = OpTypePointer Workgroup %bool\n%to_u32 = OpTypePointer Input %u32\n\
         %words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n\
         %to_block = OpTypePointer StorageBuffer %block\n%to_word = OpTypePointer StorageBuffer %u32\n\
         %data = OpVariable %to_block StorageBuffer\n%res = OpVariable %to_block StorageBuffer\n\
         %scratch = OpVariable %to_slots Workgroup\n%id = OpVariable %to_u32 Input\n\
         %number = OpVariable %to_u32 Input\n%index = OpVariable %to_u32 Input\n{}{}",
        modes("src"),
        modes("tgt"),
        entry("src", source, "_s"),
        entry("tgt", target, "_t")
    )
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

/// The final buffers, byte by byte; `None` where the behavior is undefined. And whether there were
/// choices.
fn run(
    program: &Program,
    function: u32,
    (subgroup, size): (u32, [u32; 3]),
    active: u128,
    given: u32,
) -> (Option<Vec<Option<u8>>>, bool) {
    let word = |value: u32| value.to_le_bytes().map(Some);
    let data: Vec<_> = (0..MOST).flat_map(|lane| word(given >> lane & 1)).collect();
    let res: Vec<_> = (0..MOST).flat_map(|_| word(7)).collect();
    let variable = |name: &str| {
        let named = |id: &&u32| program.name_of(**id) == name;
        *program.globals.keys().find(named).unwrap()
    };
    let request = WorkgroupCall {
        program,
        function,
        grid: Grid::of_one(size),
        subgroup,
        max: subgroup,
        active,
        arguments: Vec::new(),
    };
    let buffers = [data, res];
    let variables = [(variable("data"), 0), (variable("res"), 1)];
    let options = RunOptions {
        races: true,
        fences: true,
        reachable: Reachable { buffers: &buffers, variables: &variables, ..Reachable::default() },
        ..RunOptions::default()
    };
    let mut asks = Asks::default();
    let ended = match call_in_workgroup(&request, &options, &mut asks) {
        Ok(finished) => Some(finished.buffers.concat()),
        Err(Stop::UndefinedBehavior { .. }) => None,
        Err(stop) => panic!("{stop}"),
    };
    (ended, asks.0)
}

/// What runs in all states of a workgroup say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ruling {
    Refines,
    Refuted,
    /// The source never behaves.
    Vacuous,
    /// There are choices, so one run does not decide.
    Open,
}

fn rule(program: &Program, subgroup: u32, size: [u32; 3]) -> Ruling {
    let [source, target] = ["src", "tgt"].map(|name| program.function(name).unwrap().id);
    let (mut behaved, mut open) = (false, false);
    let lanes: u32 = size.iter().product();
    for active in 1..1u128 << lanes {
        for given in 0..1 << lanes {
            let (expected, chosen) = run(program, source, (subgroup, size), active, given);
            // One choice that misbehaves excludes the state.
            let Some(expected) = expected else { continue };
            if chosen {
                open = true;
                continue;
            }
            behaved = true;
            let (found, chosen) = run(program, target, (subgroup, size), active, given);
            let agree = |found: Vec<Option<u8>>| {
                expected.iter().zip(&found).all(|(a, b)| a.is_none() || a == b)
            };
            if !found.is_some_and(agree) {
                return Ruling::Refuted;
            }
            open |= chosen;
        }
    }
    match (open, behaved) {
        (true, _) => Ruling::Open,
        (false, true) => Ruling::Refines,
        (false, false) => Ruling::Vacuous,
    }
}

/// A lane's number is beside its index, or its subgroup's: in another order it is another.
fn tells_seats(acts: &[Act]) -> bool {
    let text = format!("{acts:?}");
    ["{first}", "{early}", "{g}", "Scan", "Broadcast"].iter().any(|it| text.contains(it))
}

#[test]
fn no_proof_is_contradicted_in_the_declared_workgroup() {
    let pairs = std::env::var("LANEPROOF_DECLARED_PAIRS").ok().and_then(|it| it.parse().ok());
    let mut numbers = Numbers(crate::support::seed());
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..pairs.unwrap_or(PAIRS) {
        let source = acts(&mut numbers);
        let target = changed(&source, &mut numbers);
        let way = numbers.of(&WAYS);
        let size = numbers.of(&[[1, 1], [2, 1], [3, 1], [4, 1], [2, 2], [1, 3]]);
        let subgroup = numbers.of(&[1, 2, 4]);
        let text = module(&source, &target, way, size);
        let program = load_text_unvalidated(&text, "pair").unwrap();
        let [a, b] = ["src", "tgt"].map(|name| {
            let function = program.function(name).unwrap();
            Side { program: &program, function }
        });
        let options = Asked {
            states: States { sizes: vec![subgroup], ..States::default() },
            timeout: Duration::from_secs(20),
            ..Asked::default()
        };
        let report = verify(Specification::built_in(), a, Some(b), &options).unwrap();
        let rulings: BTreeSet<Ruling> = match way {
            Way::Specialized | Way::Operated(_) => specialized(way)
                .into_iter()
                .map(|(x, length)| {
                    let program =
                        program.specialized(&BTreeMap::from([(0, u64::from(x))])).unwrap();
                    rule(&program, subgroup, [length, 1, 1])
                })
                .collect(),
            _ => BTreeSet::from([rule(&program, subgroup, [size[0], size[1], 1])]),
        };
        let case = format!(
            "{source:#?}\n{target:#?}\n{way:?} {size:?} in subgroups of {subgroup}: {} {:?}, \
             {rulings:?}\n{text}",
            report.verdict, report.reason
        );
        let only = |ruling: Ruling| rulings.iter().all(|it| *it == ruling);
        let seats = tells_seats(&source) || tells_seats(&target);
        let right = match report.verdict {
            Verdict::Proved => {
                !rulings.contains(&Ruling::Refuted) && (seats || !only(Ruling::Vacuous))
            }
            Verdict::Refuted => {
                let larger = matches!(way, Way::Specialized | Way::Operated(_));
                seats || larger || !only(Ruling::Refines)
            }
            // Where a run makes choices, it shows of no state that the source behaves.
            Verdict::Vacuous => {
                rulings.iter().all(|it| matches!(it, Ruling::Vacuous | Ruling::Open))
            }
            Verdict::Unknown => true,
        };
        assert!(right, "{case}");
        assert!(report.counterexample.as_ref().is_none_or(|it| it.confirmed), "{case}");
        *seen.entry(format!("{} {rulings:?}", report.verdict)).or_default() += 1;
    }
    println!("{seen:#?}");
    let count = |what: &str| -> u32 {
        seen.iter().filter(|(key, _)| key.starts_with(what)).map(|(_, count)| count).sum()
    };
    let least = if pairs.is_some() { 10 } else { 6 };
    let enough = count("proved") >= least && count("refuted") >= least;
    assert!(enough || crate::support::seed() != 1, "{seen:?}");
}
