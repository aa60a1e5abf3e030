//! Modules that the validator would reject, made from good ones by exchanging words, must not
//! bring the interpreter down: every run ends in a result or in a reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use crate::support::Numbers;
use laneproof_interpreter::{
    Call, CallArgument, EntryCall, EntryMemory, LaneValue, RunOptions, Sizes, Zeros, call,
    run_entry,
};
use laneproof_module::{ModuleType, Program, load_text_unvalidated};

/// Runs everything that a program has, with arguments of the right form.
fn run_all(program: &Program, numbers: &mut Numbers) -> usize {
    let mut runs = 0;
    let subgroup = 1 << numbers.below(4);
    let sizes = Sizes::full(subgroup);
    for function in &program.functions {
        let arguments = function.parameters.iter().map(|parameter| {
            let data = match &parameter.ty {
                ModuleType::Pointer { pointee, .. } => pointee.data(),
                ty => ty.data(),
            };
            let leaves = data.map_or(0, |data| data.leaf_count());
            let value = (0..leaves).map(|_| (numbers.below(9) > 0).then(|| numbers.below(5)));
            CallArgument::Uniform(LaneValue(value.collect()))
        });
        let arguments = arguments.collect();
        let active = sizes.lanes();
        let function = function.id;
        let request = Call { program, function, sizes, active, arguments };
        let options = RunOptions { step_limit: 1_000, trace: true, ..RunOptions::default() };
        let _ = call(&request, &options, &mut Zeros);
        runs += 1;
    }
    for entry in &program.entry_points {
        let request = EntryCall { program, entry, workgroup: [3, 2, 1], subgroup, max: subgroup };
        let mut memory = EntryMemory::default();
        for binding in 0..3 {
            memory.bindings.insert((0, binding), vec![Some(1); 24]);
        }
        let options = RunOptions { step_limit: 1_000, ..RunOptions::default() };
        let _ = run_entry(&request, memory, &options, &mut Zeros);
        runs += 1;
    }
    runs
}

#[test]
fn exchanged_words_end_in_a_result_or_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for folder in ["tests/pass", "../module/tests/accept"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            texts.push(std::fs::read_to_string(entry.unwrap().path()).unwrap());
        }
    }
    let mut numbers = Numbers(17);
    let (mut loaded, mut runs) = (0, 0);
    for text in &texts {
        let lines: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| !line.starts_with(';'))
            .map(|line| line.split_whitespace().collect())
            .collect();
        for _ in 0..ROUNDS {
            let mut mutant = lines.clone();
            for _ in 0..=numbers.below(3) {
                let to = numbers.below(lines.len() as u64) as usize;
                let from = numbers.below(lines.len() as u64) as usize;
                let result = usize::from(mutant[to].get(1) == Some(&"=")) * 3;
                let (to, from) = (&mut mutant[to], &lines[from]);
                if to.len() > result.max(1) && !from.is_empty() {
                    let place =
                        result.max(1) + numbers.below((to.len() - result.max(1)) as u64) as usize;
                    to[place] = from[numbers.below(from.len() as u64) as usize];
                }
            }
            let mutant: Vec<String> = mutant.iter().map(|words| words.join(" ")).collect();
            if let Ok(program) = load_text_unvalidated(&mutant.join("\n"), "mutant") {
                loaded += 1;
                runs += run_all(&program, &mut numbers);
            }
        }
    }
    assert_eq!((texts.len(), loaded), (32, 2230));
    assert_eq!(runs, 14357);
}

const ROUNDS: usize = 400;
