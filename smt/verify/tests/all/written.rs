//! Questions that are written as SMT-LIB 2: each file is a question that Z3 reads, with the answer
//! that it got here as its status.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::pair::{Pair, files};
use laneproof_module::load_text_unvalidated;
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Options, Side, States, Verdict, verify};
use z3::{Params, SatResult, Solver};

/// Every kind of question comes up.
const KINDS: [&str; 6] = [
    "-main.smt2",
    "-silence.smt2",
    "-joint-unexplained.smt2",
    "-joint-explanation.smt2",
    "-vacuity-behaves.smt2",
    "-vacuity-misbehaves.smt2",
];

/// Without axioms, so that fewer queries are alike.
const ABSTRACTIONS: &[Abstraction] = &[Abstraction::Movement, Abstraction::Bits];

/// The least number of files.
const FILES: usize = 1000;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn written(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// What the file says of its answer.
fn status(text: &str) -> SatResult {
    let line = text.lines().find_map(|line| line.strip_prefix("(set-info :status ")).unwrap();
    match line {
        "sat)" => SatResult::Sat,
        "unsat)" => SatResult::Unsat,
        "unknown)" => SatResult::Unknown,
        other => panic!("no status: {other}"),
    }
}

/// Reads a file and asks again; `None` where that takes too long.
fn again(text: &str) -> Option<SatResult> {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("timeout", 20_000);
    solver.set_params(&params);
    solver.from_string(text);
    assert!(!solver.get_assertions().is_empty(), "nothing was read:\n{text}");
    Some(solver.check()).filter(|answer| *answer != SatResult::Unknown)
}

/// A shuffle from the lane that a parameter names, and the value that is not moved instead: of a
/// lane that is inactive, or that does not exist, the text alone says nothing.
const SHUFFLE: &str = r#"OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SubgroupShuffleINTEL
OpExtension "SPV_INTEL_subgroups"
OpMemoryModel Physical64 OpenCL
OpName %src "src"
OpName %tgt "tgt"
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %uint %uint %uint
%all = OpConstant %uint 0xffffffff
%zero = OpConstant %uint 0
%src = OpFunction %uint None %fn
%x = OpFunctionParameter %uint
%y = OpFunctionParameter %uint
%l = OpLabel
%r = OpSubgroupShuffleDownINTEL %uint %x %y %all
OpReturnValue %r
OpFunctionEnd
%tgt = OpFunction %uint None %fn
%x_t = OpFunctionParameter %uint
%y_t = OpFunctionParameter %uint
%l_t = OpLabel
%r_t = OpSubgroupShuffleDownINTEL %uint %x_t %y_t %all
OpReturnValue %r_t
OpFunctionEnd
"#;

/// Runs each file in a folder again; returns their number and their kinds.
fn asked_again(folder: &Path) -> (usize, BTreeSet<&'static str>) {
    let mut asked = 0;
    let mut kinds = BTreeSet::new();
    for file in written(folder) {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = status(&text);
        assert!(text.starts_with("; Question "), "{}", file.display());
        for word in ["; Is there ", ";   sat: ", ";   unsat: ", "(check-sat)"] {
            assert!(text.contains(word), "{}: no {word}", file.display());
        }
        // A question that had no time to be answered may be answered now.
        if let Some(answer) = again(&text).filter(|_| expected != SatResult::Unknown) {
            assert_eq!(answer, expected, "{}", file.display());
            asked += 1;
        }
        let file = file.file_name().unwrap().to_string_lossy().into_owned();
        kinds.extend(KINDS.into_iter().filter(|kind| file.ends_with(kind)));
    }
    (asked, kinds)
}

#[test]
fn every_file_has_the_status_that_z3_gives_it_again() {
    let pairs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refinement");
    let mut asked = 0;
    let mut kinds = BTreeSet::new();
    for path in files(&pairs) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let pair = Pair::parse(&name, &std::fs::read_to_string(&path).unwrap());
        let (source, target) = pair.sides();
        let folder = folder(&name);
        let options = Options { smt2: Some(folder.clone()), ..pair.options(ABSTRACTIONS) };
        verify(Specification::built_in(), source, target, &options).unwrap();
        let (count, seen) = asked_again(&folder);
        asked += count;
        kinds.extend(seen);
    }
    // No text is silent under a profile: see below.
    kinds.insert("-silence.smt2");
    println!("{asked} files");
    assert_eq!(kinds, KINDS.into_iter().collect());
    assert!(asked >= FILES, "only {asked} files");
}

#[test]
fn silence_and_each_alternative_of_a_reading_have_files_of_their_own() {
    let program = load_text_unvalidated(SHUFFLE, "generated").expect("it assembles");
    let side = |name| Side { program: &program, function: program.function(name).expect(name) };
    let folder = folder("alternatives");
    let options = Options {
        states: States { sizes: vec![2], ..States::default() },
        profile: Some("literal".into()),
        smt2: Some(folder.clone()),
        ..Options::default()
    };
    let report = verify(Specification::built_in(), side("src"), Some(side("tgt")), &options);
    let report = report.unwrap();
    assert_eq!(report.verdict, Verdict::Unknown);
    let (asked, kinds) = asked_again(&folder);
    assert!(kinds.contains("-main.smt2") && kinds.contains("-silence.smt2"), "{kinds:?}");
    let names: Vec<String> = written(&folder)
        .iter()
        .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), asked);
    for alternative in ["index-arithmetic-wrap-32-", "index-arithmetic-exact-"] {
        assert!(names.iter().any(|name| name.contains(alternative)), "{names:?}");
    }
}
