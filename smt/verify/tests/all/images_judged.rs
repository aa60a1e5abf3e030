//! Random pairs of functions that read and write blocks of a small image: where a run shows that
//! the target is no refinement, `verify` does not say that it is one.
//!
//! `LANEPROOF_IMAGE_PAIRS` asks for another number of pairs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use laneproof_interpreter::{
    Call, CallArgument, Image, LaneValue, Reachable, RunOptions, Sizes, Stop, Zeros, call,
};
use laneproof_module::{Function, Program, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_verify::{Options as Asked, Side, States, Verdict, verify};

const PAIRS: u32 = 60;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % bound
    }

    fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len() as u64) as usize]
    }
}

/// What a function does to its image, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    /// Writes scalars of this width at a byte and a row.
    Write(u32, i32, i32),
    /// Reads such.
    Read(u32, i32, i32),
    Barrier,
}

fn act(numbers: &mut Numbers) -> Act {
    let width = numbers.one_of(&[8, 16, 32, 32, 64]);
    let row = numbers.one_of(&[-1, 0, 0, 1]);
    match numbers.below(7) {
        0 => Act::Barrier,
        1..=3 => Act::Write(width, numbers.one_of(&[-4, 0, 0, 4, 8]), row),
        _ => Act::Read(width, numbers.one_of(&[-4, -1, 0, 0, 1, 2, 4]), row),
    }
}

/// Another function that does almost the same.
fn changed(acts: &[Act], numbers: &mut Numbers) -> Vec<Act> {
    let mut acts = acts.to_vec();
    let place = numbers.below(acts.len() as u64) as usize;
    match numbers.below(5) {
        0 => acts.insert(place, act(numbers)),
        1 if acts.len() > 1 => _ = acts.remove(place),
        2 => acts.rotate_left(place),
        3 => acts[place] = act(numbers),
        _ => acts.insert(place, acts[place]),
    }
    acts
}

/// A function that returns the last number that it read, or what it was given.
fn function(name: &str, acts: &[Act], tag: &str) -> String {
    let mut text = format!(
        "%{name} = OpFunction %u32 None %type\n%image{tag} = OpFunctionParameter %img\n\
         %x{tag} = OpFunctionParameter %u32\n%entry{tag} = OpLabel\n"
    );
    for width in [8, 16, 64] {
        writeln!(text, "%x{tag}{width} = OpUConvert %u{width} %x{tag}").unwrap();
    }
    // Both halves of it matter, and they differ.
    writeln!(text, "%x{tag}both = OpIMul %u64 %x{tag}64 %halves").unwrap();
    let mut last = format!("%x{tag}");
    for (number, act) in acts.iter().enumerate() {
        let at = |byte: &i32, row: &i32| format!("%at_{}_{}", byte + 8, row + 1);
        match act {
            Act::Barrier => writeln!(text, "OpControlBarrier %scope %scope %ordered").unwrap(),
            Act::Write(width, byte, row) => {
                let value = match width {
                    32 => format!("%x{tag}"),
                    64 => format!("%x{tag}both"),
                    _ => format!("%x{tag}{width}"),
                };
                let at = at(byte, row);
                writeln!(text, "OpSubgroupImageBlockWriteINTEL %image{tag} {at} {value}").unwrap();
            }
            Act::Read(width, byte, row) => {
                let (ty, at) = (format!("%u{width}"), at(byte, row));
                let read = format!("OpSubgroupImageBlockReadINTEL {ty} %image{tag} {at}");
                writeln!(text, "%read{tag}{number} = {read}").unwrap();
                last = format!("%read{tag}{number}");
                if *width == 64 {
                    writeln!(text, "%up{tag}{number} = OpShiftRightLogical %u64 {last} %half")
                        .unwrap();
                    last = format!("%up{tag}{number}");
                }
                if *width != 32 {
                    writeln!(text, "%wide{tag}{number} = OpUConvert %u32 {last}").unwrap();
                    last = format!("%wide{tag}{number}");
                }
            }
        }
    }
    writeln!(text, "OpReturnValue {last}\nOpFunctionEnd").unwrap();
    text
}

fn module(source: &[Act], target: &[Act]) -> String {
    let mut text = String::from(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
         OpCapability ImageBasic\nOpCapability SubgroupImageBlockIOINTEL\n\
         OpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpExtension \"SPV_INTEL_subgroups\"\n\
         OpMemoryModel Physical64 OpenCL\nOpName %src \"src\"\nOpName %tgt \"tgt\"\n\
         %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u16 = OpTypeInt 16 0\n%u8 = OpTypeInt 8 0\n\
         %u64 = OpTypeInt 64 0\n%half = OpConstant %u64 32\n%halves = OpConstant %u64 0x300000001\n\
         %pair = OpTypeVector %u32 2\n\
         %img = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite\n\
         %type = OpTypeFunction %u32 %img %u32\n\
         %scope = OpConstant %u32 3\n%ordered = OpConstant %u32 0x808\n",
    );
    for byte in -4..=8 {
        writeln!(text, "%byte_{} = OpConstant %u32 {}", byte + 8, byte as u32).unwrap();
    }
    for row in -1..=1 {
        writeln!(text, "%row_{} = OpConstant %u32 {}", row + 1, row as u32).unwrap();
        for byte in -4..=8 {
            let (byte, row) = (byte + 8, row + 1);
            let parts = format!("%byte_{byte} %row_{row}");
            writeln!(text, "%at_{byte}_{row} = OpConstantComposite %pair {parts}").unwrap();
        }
    }
    text + &function("src", source, "_s") + &function("tgt", target, "_t")
}

/// What a run leaves: results and image; `None` where its behavior is undefined.
type Left = Option<(Vec<Option<u64>>, Image)>;

fn run(program: &Program, function: &Function, sizes: Sizes, image: &Image, given: &[u64]) -> Left {
    let active = (1 << sizes.existing) - 1;
    let lanes = given.iter().map(|value| LaneValue(vec![Some(*value)])).collect();
    let arguments = vec![CallArgument::Image(0), CallArgument::PerLane(lanes)];
    let request = Call { program, function: function.id, sizes, active, arguments };
    let images = [image.clone()];
    let options = RunOptions {
        reachable: Reachable { images: &images, ..Reachable::default() },
        races: true,
        ..RunOptions::default()
    };
    match call(&request, &options, &mut Zeros) {
        Ok(finished) => {
            let of = |lane: &Option<LaneValue>| lane.as_ref().and_then(|value| value.0[0]);
            Some((finished.results.iter().map(of).collect(), finished.images[0].clone()))
        }
        Err(Stop::UndefinedBehavior { .. }) => None,
        Err(stop) => panic!("{stop}"),
    }
}

/// Some small image and lanes in which the source behaves and the target does not, or leaves
/// something else; how many runs of the source behaved.
fn refuted_by_a_run(program: &Program, numbers: &mut Numbers) -> (bool, u32) {
    let [source, target] = ["src", "tgt"].map(|name| program.function(name).unwrap());
    let mut behaved = 0;
    for lanes in [1, 2, 4] {
        for (width, height) in [(1, 1), (2, 1), (3, 2), (4, 3), (8, 2)] {
            let count = 4 * width * height;
            let bytes = (0..count).map(|_| Some(numbers.below(256) as u8)).collect();
            let image = Image { width, height, bytes };
            let given: Vec<u64> = (0..lanes).map(|_| numbers.below(1 << 31)).collect();
            let sizes = Sizes { existing: lanes, subgroup: lanes, max: lanes };
            let Some(expected) = run(program, source, sizes, &image, &given) else { continue };
            behaved += 1;
            if run(program, target, sizes, &image, &given).as_ref() != Some(&expected) {
                return (true, behaved);
            }
        }
    }
    (false, behaved)
}

#[test]
fn no_pair_is_proved_that_a_run_refutes() {
    let pairs = std::env::var("LANEPROOF_IMAGE_PAIRS").ok().and_then(|it| it.parse().ok());
    let mut numbers = Numbers(crate::support::seed());
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..pairs.unwrap_or(PAIRS) {
        let source: Vec<Act> = (0..1 + numbers.below(3)).map(|_| act(&mut numbers)).collect();
        let target = changed(&source, &mut numbers);
        let text = module(&source, &target);
        let program = load_text_unvalidated(&text, "pair").unwrap();
        let [a, b] = ["src", "tgt"].map(|name| {
            let function = program.function(name).unwrap();
            Side { program: &program, function }
        });
        let options = Asked {
            states: States { sizes: vec![1, 2, 4], all_active: true, ..States::default() },
            timeout: Duration::from_secs(5),
            ..Asked::default()
        };
        let report = verify(Specification::built_in(), a, Some(b), &options).unwrap();
        let (refuted, behaved) = refuted_by_a_run(&program, &mut numbers);
        let verdict = report.verdict;
        let case = format!("{source:?}\n{target:?}: {:?}", report.reason);
        assert!(!refuted || verdict == Verdict::Refuted || verdict == Verdict::Unknown, "{case}");
        let confirmed = report.counterexample.as_ref().is_none_or(|it| it.confirmed);
        assert!(confirmed, "{case}");
        // A source that no run excludes is not excluded by the solver.
        assert!(behaved == 0 || verdict != Verdict::Vacuous, "{case}");
        *seen.entry(format!("{verdict} {}", if refuted { "rightly" } else { "" })).or_default() +=
            1;
        if verdict == Verdict::Unknown {
            println!("{case}");
        }
    }
    println!("{seen:?}");
    let count =
        |what: &str| seen.iter().filter(|(it, _)| it.starts_with(what)).map(|it| it.1).sum();
    let (proved, refuted, unknown): (u32, u32, u32) =
        (count("proved"), count("refuted"), count("unknown"));
    let enough = proved >= 8 && refuted >= 20;
    assert!(enough || crate::support::seed() != 1, "{seen:?}");
    assert!(unknown * 5 < proved + refuted, "{seen:?}");
}
