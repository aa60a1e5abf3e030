//! What the sweeps share: states to visit, and a source of numbers.
#![allow(dead_code)] // each test uses its own part

use laneproof_interpreter::{
    Call, CallArgument, Choices, EntryCall, Finished, LaneValue, RunOptions, Sizes, Stop, Zeros,
    run_entry,
};
use laneproof_module::{Program, Site};
use laneproof_oracle::{read_memory, write_memory, write_stop};
use serde_json::Value;

/// A reproducible source of numbers (a linear congruential generator, upper half).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = self.0 >> 32;
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        high << 32 | self.0 >> 32
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Sizes and active sets: full and partial subgroups of every size, M = S and M = 2·S; all
/// lanes, one lane, and some.
pub fn states(numbers: &mut Numbers) -> Vec<(Sizes, u128)> {
    let mut states = Vec::new();
    for exponent in 0..8 {
        let subgroup = 1u32 << exponent;
        let mut counts = vec![subgroup, subgroup - 1, subgroup / 2 + 1];
        counts.retain(|count| *count > 0);
        counts.dedup();
        for existing in counts {
            for max in [subgroup, (2 * subgroup).min(128)] {
                let sizes = Sizes { existing, subgroup, max };
                let all = if existing == 128 { u128::MAX } else { (1 << existing) - 1 };
                let mut sets = vec![all, 1 << numbers.below(u64::from(existing))];
                for _ in 0..3 {
                    let some = u128::from(numbers.next()) << 64 | u128::from(numbers.next());
                    sets.push(some & all);
                }
                sets.retain(|set| *set != 0);
                states.extend(sets.into_iter().map(|set| (sizes, set)));
            }
        }
    }
    states
}

pub fn load(text: &str) -> Program {
    match laneproof_module::load_bytes(text.as_bytes(), "generated") {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// The function `f` of a number of 16 bits, whose result `%r` these instructions compute.
pub fn of_halves(body: &str) -> Program {
    load(&format!(
        r#"
OpCapability Shader
OpCapability Linkage
OpCapability Float16
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpMemoryModel Logical GLSL450
OpName %f "f"
%f16 = OpTypeFloat 16
%u32 = OpTypeInt 32 0
%subgroup = OpConstant %u32 3
%fn = OpTypeFunction %f16 %f16
%f = OpFunction %f16 None %fn
%x = OpFunctionParameter %f16
%l = OpLabel
{body}
OpReturnValue %r
OpFunctionEnd
"#
    ))
}

/// Gives every lane this result.
pub struct SameResult(pub u64);

impl Choices for SameResult {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        0
    }

    fn open(&mut self, _: &Site, _: u32, _: usize, _: u32) -> Option<u64> {
        Some(self.0)
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        0
    }
}

/// Runs the only entry point of a module; the document that it leaves, or says why not.
pub fn run_only_entry(text: &str, workgroup: [u32; 3], subgroup: u32, document: &Value) -> Value {
    let program = load(text);
    let entry = &program.entry_points[0];
    let call = EntryCall { program: &program, entry, workgroup, subgroup, max: subgroup };
    let memory = read_memory(document).expect("a good document");
    match run_entry(&call, memory, &RunOptions::default(), &mut Zeros) {
        Ok(memory) => write_memory(&memory, document),
        Err(stop) => write_stop(&stop, &program),
    }
}

/// A scalar argument in each lane.
pub fn per_lane(values: &[u64]) -> CallArgument {
    CallArgument::PerLane(values.iter().map(|value| LaneValue::scalar(*value)).collect())
}

pub fn run(
    program: &Program,
    function: &str,
    (sizes, active): (Sizes, u128),
    arguments: Vec<CallArgument>,
) -> Result<Finished, Stop> {
    let function = program.function(function).expect("the function").id;
    let call = Call { program, function, sizes, active, arguments };
    laneproof_interpreter::call(&call, &RunOptions::default(), &mut Zeros)
}

/// The scalar that a lane returned; `None` for an undefined value.
pub fn scalar(finished: &Finished, lane: u32) -> Option<u64> {
    finished.results[lane as usize].as_ref().expect("an active lane returns").0[0]
}

pub fn in_set(set: u128, lane: i128) -> bool {
    (0..128).contains(&lane) && set >> lane & 1 == 1
}
