//! Every file in `tests/pass` holds functions and, in comments, cases: sizes, active set,
//! arguments by lane and what must come out. This walks them all.
//!
//! ```text
//! ; function NAME
//! ; case size=4 existing=3 max=8 active=0x5
//! ; in 1 2 3            one value a lane; scalars of one value joined by commas; `u` undefined
//! ; in all 7            the same in every lane
//! ; out 3 - u           `-`: the lane did not return; `void`: it returned no value
//! ; left 1 2 3          what is left in the next pointer parameter
//! ; undefined behavior in 0,2: REASON
//! ; assumption fails in 1
//! ; not modelled: OpName
//! ; step limit
//! ; a loop never ends (lanes [0, 1])
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use laneproof_interpreter::{Call, CallArgument, LaneValue, RunOptions, Sizes, Stop, Zeros, call};
use laneproof_module::Program;

#[derive(Default)]
struct Case {
    line: usize,
    function: String,
    head: String,
    inputs: Vec<String>,
    expected: Vec<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut function = String::new();
    let mut cases: Vec<Case> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(comment) = line.strip_prefix("; ") else { continue };
        if let Some(name) = comment.strip_prefix("function ") {
            function = name.to_string();
        } else if let Some(head) = comment.strip_prefix("case") {
            let head = head.to_string();
            let function = function.clone();
            cases.push(Case { line: index + 1, function, head, ..Case::default() });
        } else if let Some(values) = comment.strip_prefix("in ") {
            cases.last_mut().expect("a case before its inputs").inputs.push(values.into());
        } else if [
            "out",
            "left ",
            "undefined ",
            "assumption ",
            "not modelled",
            "step limit",
            "a loop",
        ]
        .iter()
        .any(|start| comment.starts_with(start))
        {
            cases.last_mut().expect("a case before its outcome").expected.push(comment.into());
        }
    }
    cases
}

fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

fn lane_value(text: &str) -> LaneValue {
    if text == "void" {
        return LaneValue(Vec::new());
    }
    LaneValue(text.split(',').map(|leaf| (leaf != "u").then(|| number(leaf))).collect())
}

fn field(head: &str, name: &str) -> Option<u64> {
    head.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).map(number)
}

fn show(values: &[Option<LaneValue>]) -> String {
    let leaf = |leaf: &Option<u64>| leaf.map_or("u".into(), |bits| format!("{bits:#x}"));
    values
        .iter()
        .map(|value| match value {
            Some(value) if value.0.is_empty() => "void".into(),
            Some(value) => value.0.iter().map(leaf).collect::<Vec<_>>().join(","),
            None => "-".into(),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn normal(values: &str) -> String {
    let values: Vec<_> =
        values.split_whitespace().map(|text| (text != "-").then(|| lane_value(text))).collect();
    show(&values)
}

/// What came out, in the words of a case.
fn outcome(program: &Program, case: &Case) -> Vec<String> {
    let subgroup = field(&case.head, "size").unwrap_or(4) as u32;
    let existing = field(&case.head, "existing").map_or(subgroup, |lanes| lanes as u32);
    let max = field(&case.head, "max").map_or(subgroup, |max| max as u32);
    let active = field(&case.head, "active").map_or(u128::MAX >> (128 - existing), u128::from);
    let arguments = case
        .inputs
        .iter()
        .map(|values| match values.strip_prefix("all ") {
            Some(value) => CallArgument::Uniform(lane_value(value)),
            None => CallArgument::PerLane(values.split_whitespace().map(lane_value).collect()),
        })
        .collect();
    let function = program.function(&case.function).expect("the function of a case").id;
    let sizes = Sizes { existing, subgroup, max };
    let call_to_make = Call { program, function, sizes, active, arguments };
    let options = RunOptions { step_limit: 10_000, ..RunOptions::default() };
    let join = |lanes: Vec<u32>| lanes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    match call(&call_to_make, &options, &mut Zeros) {
        Ok(finished) => {
            let mut out = vec![format!("out {}", show(&finished.results))];
            for output in finished.outputs {
                let output: Vec<_> = output.into_iter().map(Some).collect();
                out.push(format!("left {}", show(&output)));
            }
            out
        }
        Err(Stop::UndefinedBehavior { lanes, reason, .. }) => {
            vec![format!("undefined behavior in {}: {reason}", join(lanes))]
        }
        Err(Stop::AssumptionFailed { lanes, .. }) => {
            vec![format!("assumption fails in {}", join(lanes))]
        }
        Err(Stop::NotModelled { instruction, .. }) => vec![format!("not modelled: {instruction}")],
        Err(Stop::StepLimit | Stop::MemoryLimit) => vec!["step limit".into()],
        Err(stop) => vec![stop.to_string()],
    }
}

#[test]
fn every_case_comes_out_as_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pass");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut ran, mut wrong) = (0, Vec::new());
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let program = match laneproof_module::load_bytes(text.as_bytes(), &name) {
            Ok(program) => program,
            Err(error) => panic!("{name}: {error}"),
        };
        for case in cases(&text) {
            ran += 1;
            let expected: Vec<_> = case
                .expected
                .iter()
                .map(|line| match line.split_once(' ') {
                    Some((word @ ("out" | "left"), values)) => format!("{word} {}", normal(values)),
                    _ => line.clone(),
                })
                .collect();
            let got = outcome(&program, &case);
            // What is left in pointers counts only where a case asks for it.
            let compared = if expected.len() == 1 { &got[..1] } else { &got[..] };
            if compared != expected {
                wrong.push(format!("{name}:{}: expected {expected:?}, got {got:?}", case.line));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert_eq!((files.len(), ran), (FILES, CASES), "files and cases that were walked");
}

const FILES: usize = 22;
const CASES: usize = 205;
