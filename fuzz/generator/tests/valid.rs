//! Generated modules are valid, load, and mean something to the interpreter.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use laneproof_generator::{Flavor, Generated, Profile, Request, coverage, generate_seeded, shrunk};
use laneproof_interpreter::document::read_memory;
use laneproof_interpreter::{EntryCall, EntryMemory, Options, Stop, Zeros, run_entry};
use laneproof_module::load_bytes;

const FLAVORS: [Flavor; 2] = [Flavor::Shader, Flavor::Kernel];
const SIZES: [u32; 6] = [4, 8, 16, 32, 64, 128];

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn run(generated: &Generated, flavor: Flavor) -> Result<EntryMemory, Stop> {
    let program = load_bytes(&bytes(&generated.words), "generated")
        .map_err(|error| Stop::BadCall { reason: format!("INVALID: {error}") })?;
    let memory = read_memory(&generated.inputs.document(flavor)).unwrap();
    let entry = &program.entry_points[0];
    let subgroup = generated.tree.subgroup_size;
    let workgroup = [generated.tree.workgroup, 1, 1];
    let call = EntryCall { program: &program, entry, workgroup, subgroup, max: subgroup };
    run_entry(&call, memory, &Options { races: true, ..Options::default() }, &mut Zeros)
}

/// Every module loads, which includes the validator; most run to their end.
#[test]
fn modules_are_valid() {
    let count: u64 = std::env::var("LANEPROOF_MODULES").map_or(60, |it| it.parse().unwrap());
    let (mut ends, mut all) = (BTreeMap::<String, u64>::new(), 0u64);
    let mut covered = BTreeSet::new();
    for flavor in FLAVORS {
        for profile in Profile::ALL {
            for seed in 0..count {
                let mut request = Request::new(profile, flavor, SIZES[seed as usize % SIZES.len()]);
                request.partial = seed % 5 == 0;
                request.loose_switches = seed % 7 == 0;
                let Some(generated) = generate_seeded(&request, seed) else {
                    panic!("no module of seed {seed}")
                };
                covered.extend(coverage(&generated.tree));
                all += 1;
                let end = match run(&generated, flavor) {
                    Ok(_) => "ran".to_owned(),
                    Err(Stop::UndefinedBehavior { instruction, reason, .. }) => {
                        format!(
                            "{flavor:?} {}: undefined behavior {instruction}: {reason}",
                            profile.name()
                        )
                    }
                    Err(other) => format!("{flavor:?} {}: {other}", profile.name()),
                };
                *ends.entry(end).or_default() += 1;
            }
        }
    }
    let ran = ends.get("ran").copied().unwrap_or_default();
    println!("{all} modules, {ran} ran, {} forms of group instructions", covered.len());
    for (end, count) in &ends {
        println!("{count:6} {end}");
    }
    assert!(!ends.keys().any(|end| end.contains("INVALID")), "modules that are not valid");
    assert!(ran * 10 >= all * 9, "{ran} of {all} ran");
}

/// Smaller trees are mostly valid too: a reducer gets somewhere.
#[test]
fn smaller_trees_are_mostly_valid() {
    let (mut valid, mut all) = (0, 0);
    for seed in 0..6 {
        let request = Request::new(Profile::Divergent, Flavor::Shader, 8);
        let Some(generated) = generate_seeded(&request, seed) else { continue };
        for tree in shrunk(&generated.tree).into_iter().step_by(3) {
            let words = laneproof_generator::words(&tree);
            all += 1;
            match load_bytes(&bytes(&words), "smaller") {
                Ok(_) => valid += 1,
                Err(error) => println!("{error}"),
            }
        }
    }
    assert!(valid * 10 >= all * 8, "{valid} of {all}");
}
