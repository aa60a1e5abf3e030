//! Generated modules are valid, load, and mean something to the interpreter.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use std::sync::Arc;

use laneproof_generator::{
    Foreign, Generated, ModuleProfile, Request, coverage, generate_seeded, shrunk, tidied,
    with_scalars,
};
use laneproof_interpreter::{EntryCall, EntryMemory, RunOptions, Stop, Zeros, run_entry};
use laneproof_module::{assemble_text, load_bytes};
use laneproof_oracle::read_memory;
use laneproof_semantics::ModuleKind;

const MODULE_KINDS: [ModuleKind; 2] = [ModuleKind::Shader, ModuleKind::Kernel];
const SIZES: [u32; 6] = [4, 8, 16, 32, 64, 128];

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn run(generated: &Generated, module_kind: ModuleKind) -> Result<EntryMemory, Stop> {
    let program = load_bytes(&bytes(&generated.words), "generated")
        .map_err(|error| Stop::BadCall { reason: format!("INVALID: {error}") })?;
    let memory = read_memory(&generated.inputs.document(module_kind)).unwrap();
    let entry = &program.entry_points[0];
    let subgroup = generated.tree.target.subgroup_size;
    let workgroup = [generated.tree.target.workgroup, 1, 1];
    let call = EntryCall { program: &program, entry, workgroup, subgroup, max: subgroup };
    run_entry(&call, memory, &RunOptions { races: true, ..RunOptions::default() }, &mut Zeros)
}

/// Every module loads, which includes the validator; most run to their end.
#[test]
fn modules_are_valid() {
    let count: u64 = std::env::var("LANEPROOF_MODULES").map_or(60, |it| it.parse().unwrap());
    let (mut ends, mut all) = (BTreeMap::<String, u64>::new(), 0u64);
    let mut covered = BTreeSet::new();
    for module_kind in MODULE_KINDS {
        for profile in ModuleProfile::ALL {
            for seed in 0..count {
                let mut request =
                    Request::new(profile, module_kind, SIZES[seed as usize % SIZES.len()]);
                request.partial = seed % 5 == 0;
                request.allowed.loose_switches = seed % 7 == 0;
                let Some(generated) = generate_seeded(&request, seed) else {
                    panic!("no module of seed {seed}")
                };
                covered.extend(coverage(&generated.tree));
                all += 1;
                let end = match run(&generated, module_kind) {
                    Ok(_) => "ran".to_owned(),
                    Err(Stop::UndefinedBehavior { instruction, reason, .. }) => {
                        format!(
                            "{module_kind:?} {}: undefined behavior {instruction}: {reason}",
                            profile.name()
                        )
                    }
                    Err(other) => format!("{module_kind:?} {}: {other}", profile.name()),
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
        let request = Request::new(ModuleProfile::Divergent, ModuleKind::Shader, 8);
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

/// What a reducer has cut is valid, too, without what it does not use, and has nothing unused.
#[test]
fn tidied_modules_are_valid() {
    let mut shorter = 0;
    for (seed, profile) in (0..8).flat_map(|seed| ModuleProfile::ALL.map(|profile| (seed, profile)))
    {
        for module_kind in [ModuleKind::Shader, ModuleKind::Kernel] {
            let request = Request::new(profile, module_kind, 16);
            let Some(generated) = generate_seeded(&request, seed) else { continue };
            let cut = shrunk(&generated.tree).into_iter().step_by(7).take(6);
            let cut = cut.map(|tree| Generated::new(tree, generated.inputs.clone()));
            for whole in std::iter::once(generated.clone()).chain(cut) {
                if load_bytes(&bytes(&whole.words), "cut").is_err() {
                    continue;
                }
                let all_at_once = tidied(&whole, false).into_iter().next();
                let words = all_at_once.map_or(whole.words.len(), |tidy| tidy.words.len());
                shorter += usize::from(words < whole.words.len());
                for tidy in tidied(&whole, true) {
                    let size = |it: &Generated| it.tree.target.subgroup_size;
                    assert_eq!(size(&tidy), size(&whole));
                }
                for tidy in tidied(&whole, false) {
                    let text = laneproof_module::disassemble(&tidy.words).unwrap_or_default();
                    let loaded = load_bytes(&bytes(&tidy.words), "tidy");
                    assert!(loaded.is_ok(), "{profile:?} {seed}: {:?}\n{text}", loaded.err());
                    let expected = tidy.tree.target.workgroup * tidy.tree.input_words();
                    assert_eq!(tidy.inputs.buffers[0].len(), expected as usize, "{text}");
                }
                // What is tidy loses no more than lanes.
                let mut tidy = whole;
                while let Some(next) = tidied(&tidy, false).into_iter().next() {
                    tidy = next;
                }
                assert_eq!(tidied(&tidy, false).len(), 0);
                assert!(tidy.tree.target.workgroup <= 4);
            }
        }
    }
    assert_eq!(shorter, 540);
}

/// Scalars in the place of vectors of one type: valid but for what has to be a vector, and what is a
/// vector beside it.
#[test]
fn scalars_for_vectors_are_often_valid() {
    let (mut valid, mut all) = (0, 0);
    for seed in 0..20 {
        for module_kind in [ModuleKind::Shader, ModuleKind::Kernel] {
            let request = Request::new(ModuleProfile::Single, module_kind, 8);
            let Some(generated) = generate_seeded(&request, seed) else { continue };
            for scalar in with_scalars(&generated) {
                assert_ne!(scalar, generated);
                let each = scalar.tree.input_words() as usize;
                assert!(scalar.inputs.buffers[0].len() % each.max(1) == 0);
                all += 1;
                valid += usize::from(load_bytes(&bytes(&scalar.words), "scalars").is_ok());
            }
        }
    }
    assert_eq!((valid, all), (22, 36));
}

/// Two functions of another module, which has types, built-ins and an import of its own.
const SIDES: &str = r#"
OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformRotateKHR
OpCapability ExpectAssumeKHR
OpExtension "SPV_KHR_subgroup_rotate"
OpExtension "SPV_KHR_expect_assume"
%ext = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpName %src "src"
OpName %tgt "tgt"
OpDecorate %delta Uniform
OpDecorate %delta_t Uniform
OpDecorate %lane BuiltIn SubgroupLocalInvocationId
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%to_uint = OpTypePointer Input %uint
%function = OpTypeFunction %uint %uint %uint
%subgroup = OpConstant %uint 3
%last = OpConstant %uint 7
%true = OpConstantTrue %bool
%lane = OpVariable %to_uint Input
%src = OpFunction %uint None %function
%x = OpFunctionParameter %uint
%delta = OpFunctionParameter %uint
%entry = OpLabel
OpAssumeTrueKHR %true
%r = OpGroupNonUniformRotateKHR %uint %subgroup %x %delta
OpReturnValue %r
OpFunctionEnd
%tgt = OpFunction %uint None %function
%x_t = OpFunctionParameter %uint
%delta_t = OpFunctionParameter %uint
%entry_t = OpLabel
%id_t = OpLoad %uint %lane
%sum_t = OpIAdd %uint %id_t %delta_t
%from_t = OpBitwiseAnd %uint %sum_t %last
%small_t = OpExtInst %uint %ext UMin %from_t %last
%r_t = OpGroupNonUniformShuffle %uint %subgroup %x_t %small_t
OpReturnValue %r_t
OpFunctionEnd
"#;

/// Functions from elsewhere can be called, both on the same arguments, and mean the same there:
/// where all lanes are together, what the two sides leave is equal.
#[test]
fn functions_from_elsewhere_are_called() {
    let words = assemble_text(SIDES, "sides").unwrap();
    let foreign = Arc::new(Foreign::read("sides", &words, &["src", "tgt"]).unwrap());
    assert!(foreign.functions.iter().all(|it| it.parameters[1].uniform), "uniform parameters");
    let mut request = Request::new(ModuleProfile::Lowered, ModuleKind::Shader, 8);
    request.foreign = vec![foreign].into();
    let (mut pairs, mut ran) = (0, 0);
    for seed in 0..40 {
        let generated = generate_seeded(&request, seed).unwrap();
        assert!(generated.tree.foreign.is_some(), "no call");
        assert!(coverage(&generated.tree).iter().any(|it| it.instruction.contains("Rotate")));
        let memory = run(&generated, ModuleKind::Shader).unwrap_or_else(|stop| panic!("{stop}"));
        ran += 1;
        let outputs = &memory.bindings[&(0, 1)];
        let each = generated.tree.output_words as usize;
        let straight = generated.tree.body.statements.iter().filter_map(|it| match it {
            laneproof_generator::TreeStatement::Output { word, .. } => Some(*word as usize),
            _ => None,
        });
        let straight: Vec<usize> = straight.collect();
        for pair in straight.chunks_exact(2) {
            for lane in 0..generated.tree.target.workgroup as usize {
                let word = |at: usize| &outputs[(lane * each + at) * 4..][..4];
                assert_eq!(word(pair[0]), word(pair[1]), "lane {lane} of seed {seed}");
                pairs += 1;
            }
        }
    }
    assert!(ran == 40 && pairs > 100, "{ran} ran, {pairs} pairs");
}

/// What cannot be taken along is refused: memory, imports.
#[test]
fn modules_with_memory_are_not_called() {
    let memory = SIDES.replace(
        "%lane = OpVariable",
        "%to_shared = OpTypePointer Workgroup %uint\n%shared = OpVariable %to_shared Workgroup\n\
         %lane = OpVariable",
    );
    let words = assemble_text(&memory, "memory").unwrap();
    assert!(Foreign::read("memory", &words, &[]).is_none());
}
