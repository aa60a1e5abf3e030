//! What lanes have in common is worked out once, and what depends on no result once for all results
//! that are judged in a state: no lane's result is another one for it.
#![allow(missing_docs, clippy::unwrap_used)]

use arbitrary::Unstructured;
use laneproof_cross_check::{observe, perturbed};
use laneproof_forms::{CheckedSubject, Numbers, Prepared, drawn, has_memory, state, targets};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::evaluate::{
    Evaluation, GivenResults, LaneResult, Subgroup, evaluate, evaluate_apart,
};

/// What clauses say of each lane.
type Said = Result<Vec<Option<LaneResult>>, DenoteError>;

/// The verdicts on several results in one state: by one shared evaluation, by one evaluation for
/// each result, and lane by lane.
fn in_three_ways(
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    given: &[GivenResults<'_>],
) -> [Vec<Said>; 3] {
    let specification = Specification::built_in();
    let instruction = match &prepared.form.target.subject {
        CheckedSubject::Instruction(instruction) => instruction.as_ref().clone(),
        CheckedSubject::BuiltIn(built_in) => built_in.as_instruction(),
    };
    let (instruction, instance) = (&instruction, &prepared.instance);
    let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
        drawn(prepared.position(operand), leaf, lane, width)
    };
    let ways = [evaluate, evaluate_apart].map(|way| {
        let mut said =
            |given| way(specification, settled, instruction, instance, subgroup, &mut draw, given);
        given.iter().map(|&given| said(given)).collect()
    });
    let [each, apart] = ways;
    let mut evaluation =
        Evaluation::new(specification, settled, instruction, instance, subgroup, &mut draw)
            .unwrap();
    let all = given.iter().map(|&given| evaluation.lanes(given).map(<[_]>::to_vec)).collect();
    [all, each, apart]
}

#[test]
fn lanes_together_are_lanes_apart() {
    let specification = Specification::built_in();
    let profiles = ["vulkan", "opencl"];
    let settled = profiles.map(|profile| Settled::by(&specification.profiles[profile]));
    // Silence shows what the readings of the profiles cover.
    let settled = settled.map(|it| it.with("read-of-inactive-lane", "silence"));
    let (mut values, mut others) = (0, 0);
    for (number, target) in targets(specification).0.iter().enumerate() {
        let mut numbers = Numbers::new(number as u64);
        for _ in 0..6 {
            let bytes = numbers.bytes(2048);
            let mut u = Unstructured::new(&bytes);
            let prepared = Prepared::arbitrary(target, &mut u).unwrap();
            if has_memory(&prepared) {
                continue;
            }
            for most in [4, 4, 8, 16] {
                let subgroup = state(&prepared, most, &mut u).unwrap();
                let observed = observe(&prepared, &subgroup).unwrap();
                let changed = perturbed(&prepared, &subgroup, &observed, 3, &mut numbers);
                let first = laneproof_cross_check::given(&Ok::<_, ()>(observed)).unwrap().to_vec();
                let mut given: Vec<GivenResults<'_>> = vec![Some(&first[..])];
                given.extend(changed.iter().map(|changed| Some(&changed.lanes[..])));
                // Nothing given, what was given before, and less than there are lanes.
                given.extend([None, Some(&first[..]), first.get(..1)]);
                for settled in &settled {
                    let [all, each, apart] = in_three_ways(settled, &prepared, &subgroup, &given);
                    assert_eq!(each, apart, "{}{subgroup:?}", prepared.text);
                    assert_eq!(all, apart, "{}{subgroup:?}", prepared.text);
                    for result in all.iter().flatten().flatten().flatten() {
                        let is_value = matches!(result, LaneResult::Value(_));
                        *(if is_value { &mut values } else { &mut others }) += 1;
                    }
                }
            }
        }
    }
    assert_eq!((values, others), (165_380, 36030));
}
