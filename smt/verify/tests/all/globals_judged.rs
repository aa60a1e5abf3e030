//! Random pairs that store in variables of the module: what is left in one that another function or
//! another module may read is compared, and what is left in one that nothing else reads is not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use laneproof_interpreter::{
    Call, CallArgument, LaneValue, Reachable, RunOptions, Sizes, Zeros, call,
};
use laneproof_module::{Program, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_verify::{Options as Asked, Side, States, Verdict, verify};

use crate::support::seed;

const PAIRS: u32 = 120;
/// Others read the first, nothing else the second.
const VARIABLES: [&str; 2] = ["seen", "own"];

/// Who may read the first variable.
#[derive(Clone, Copy, Debug)]
enum Reader {
    /// A function that neither of the two calls.
    Function,
    /// Another module has the variable, too.
    Module,
    /// A function that only the two call, and that other modules may call as well.
    Exported,
}

const READERS: [Reader; 3] = [Reader::Function, Reader::Module, Reader::Exported];

/// What is stored: a number, the parameter, what a variable holds and a number; in which variable.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Number(usize, u64),
    Parameter(usize),
    Sum(usize, usize, u64),
}

fn below(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % end
}

fn act(state: &mut u64) -> Act {
    let to = below(state, 2) as usize;
    match below(state, 3) {
        0 => Act::Number(to, below(state, 3)),
        1 => Act::Parameter(to),
        _ => Act::Sum(to, below(state, 2) as usize, below(state, 2)),
    }
}

/// Another act in place of one, or one less, or two exchanged.
fn changed(acts: &[Act], state: &mut u64) -> Vec<Act> {
    let mut acts = acts.to_vec();
    let at = below(state, acts.len() as u64) as usize;
    match below(state, 4) {
        0 => acts[at] = act(state),
        1 if acts.len() > 1 => drop(acts.remove(at)),
        2 => acts.swap(at, 0),
        _ => {}
    }
    acts
}

/// Both variables hold numbers at first, and what the second holds in the end is returned.
fn function(name: &str, acts: &[Act], reader: Reader) -> String {
    let mut text = format!(
        "%{name} = OpFunction %u32 None %function\n%{name}_x = OpFunctionParameter %u32\n\
         %{name}_entry = OpLabel\nOpStore %seen %n0\nOpStore %own %n0\n"
    );
    for (number, act) in acts.iter().enumerate() {
        let id = format!("%{name}_{number}");
        let (to, value) = match *act {
            Act::Number(to, value) => (to, format!("%n{value}")),
            Act::Parameter(to) => (to, format!("%{name}_x")),
            Act::Sum(to, from, more) => {
                let from = VARIABLES[from];
                writeln!(text, "{id}_old = OpLoad %u32 %{from}").unwrap();
                writeln!(text, "{id} = OpIAdd %u32 {id}_old %n{more}").unwrap();
                (to, id)
            }
        };
        writeln!(text, "OpStore %{} {value}", VARIABLES[to]).unwrap();
    }
    if matches!(reader, Reader::Exported) {
        writeln!(text, "%{name}_called = OpFunctionCall %u32 %other").unwrap();
    }
    writeln!(text, "%{name}_left = OpLoad %u32 %own\nOpReturnValue %{name}_left\nOpFunctionEnd")
        .unwrap();
    text
}

fn module(source: &[Act], target: &[Act], reader: Reader) -> String {
    let linked = match reader {
        Reader::Function => "",
        Reader::Module => "OpDecorate %seen LinkageAttributes \"seen\" Export\n",
        Reader::Exported => "OpDecorate %other LinkageAttributes \"other\" Export\n",
    };
    let mut text = format!(
        "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n\
        OpName %src \"src\"\nOpName %tgt \"tgt\"\nOpName %seen \"seen\"\nOpName %own \"own\"\n{linked}\
        %u32 = OpTypeInt 32 0\n%function = OpTypeFunction %u32 %u32\n%reading = OpTypeFunction %u32\n\
        %private = OpTypePointer Private %u32\n%seen = OpVariable %private Private\n\
        %own = OpVariable %private Private\n"
    );
    for number in 0..3 {
        writeln!(text, "%n{number} = OpConstant %u32 {number}").unwrap();
    }
    if !matches!(reader, Reader::Module) {
        text.push_str(
            "%other = OpFunction %u32 None %reading\n%other_entry = OpLabel\n\
             %found = OpLoad %u32 %seen\nOpReturnValue %found\nOpFunctionEnd\n",
        );
    }
    text + &function("src", source, reader) + &function("tgt", target, reader)
}

/// What a function returns, and leaves in the variable that is seen.
fn left(program: &Program, name: &str, x: u64) -> (Vec<Option<LaneValue>>, Vec<Vec<LaneValue>>) {
    let seen = *program.debug.names.iter().find(|(_, name)| *name == "seen").unwrap().0;
    let options = RunOptions {
        reachable: Reachable { left: &[seen], ..Reachable::default() },
        ..RunOptions::default()
    };
    let request = Call {
        program,
        function: program.function(name).unwrap().id,
        sizes: Sizes { existing: 1, subgroup: 1, max: 1 },
        active: 1,
        arguments: vec![CallArgument::PerLane(vec![LaneValue::scalar(x)])],
    };
    let finished = call(&request, &options, &mut Zeros).unwrap();
    assert_eq!(finished.outputs.len(), 1);
    (finished.results, finished.outputs)
}

#[test]
fn what_others_read_is_compared_and_nothing_else() {
    let mut state = seed();
    let mut seen: BTreeMap<Verdict, u32> = BTreeMap::new();
    for number in 0..PAIRS as usize {
        let reader = READERS[number % READERS.len()];
        let source: Vec<Act> = (0..1 + below(&mut state, 4)).map(|_| act(&mut state)).collect();
        let target = changed(&source, &mut state);
        let text = module(&source, &target, reader);
        let program = load_text_unvalidated(&text, "globals").unwrap();
        let [a, b] = ["src", "tgt"].map(|name| {
            let function = program.function(name).unwrap();
            Side { program: &program, function }
        });
        let options =
            Asked { states: States { sizes: vec![1], ..States::default() }, ..Asked::default() };
        let report = verify(Specification::built_in(), a, Some(b), &options).unwrap();
        let same = (0..8).all(|x| left(&program, "src", x) == left(&program, "tgt", x));
        let expected = if same { Verdict::Proved } else { Verdict::Refuted };
        assert_eq!(report.verdict, expected, "{:?} {reader:?}\n{text}", report.reason);
        *seen.entry(report.verdict).or_default() += 1;
    }
    println!("{seen:?}");
    assert!(seen.len() == 2 && seen.values().all(|&count| count >= 10), "{seen:?}");
}
