//! What lanes have in common is worked out once: no lane's result is another one for it.
#![allow(missing_docs, clippy::unwrap_used)]

use arbitrary::Unstructured;
use laneproof_fuzz::{
    Numbers, Prepared, Subject, drawn, evaluated, has_memory, observe, perturbed, state, targets,
};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::evaluate::{Bits, LaneResult, Subgroup, evaluate_apart};

/// What clauses say of each lane that has this result.
type Said = Result<Vec<Option<LaneResult>>, DenoteError>;

fn both(
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    given: &[Option<Vec<Bits>>],
) -> (Said, Said) {
    let specification = Specification::built_in();
    let together = evaluated(specification, settled, prepared, subgroup, Some(given));
    let instruction = match &prepared.form.target.subject {
        Subject::Instruction(instruction) => instruction.as_ref().clone(),
        Subject::BuiltIn(built_in) => built_in.as_instruction(),
    };
    let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
        drawn(prepared.position(operand), leaf, lane, width)
    };
    let (instance, draw) = (&prepared.instance, &mut draw);
    let given = Some(given);
    let apart =
        evaluate_apart(specification, settled, &instruction, instance, subgroup, draw, given);
    (together, apart)
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
                let mut given =
                    vec![laneproof_fuzz::given(&Ok::<_, ()>(observed.clone())).unwrap().to_vec()];
                let changed = perturbed(&prepared, &subgroup, &observed, 2, &mut numbers);
                given.extend(changed.into_iter().map(|changed| changed.lanes));
                for (given, settled) in
                    given.iter().flat_map(|given| settled.iter().map(move |it| (given, it)))
                {
                    let (together, apart) = both(settled, &prepared, &subgroup, given);
                    assert_eq!(together, apart, "{}{subgroup:?}", prepared.text);
                    for result in together.iter().flatten().flatten() {
                        let is_value = matches!(result, LaneResult::Value(_));
                        *(if is_value { &mut values } else { &mut others }) += 1;
                    }
                }
            }
        }
    }
    assert!(values > 30_000 && others > 5_000, "{values} {others}");
}
