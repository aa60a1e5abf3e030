//! The prover beside runs: modules refine themselves, and nothing that it says of their neighbors is
//! contradicted.
#![allow(clippy::unwrap_used, clippy::panic)]

use laneproof_generator::{ModuleProfile, Numbers, Request, generate_seeded};
use laneproof_semantics::ModuleKind;
use laneproof_toolchains::{Depth, Proof, examine_proof, mutated};

#[test]
fn proofs_and_runs_agree() {
    let (mut proved, mut refuted, mut unknown) = (0, 0, Vec::new());
    for seed in 0..6 {
        let module_kind = [ModuleKind::Shader, ModuleKind::Kernel][seed as usize % 2];
        let mut request = Request::new(ModuleProfile::Single, module_kind, 4);
        request.statements = 3;
        let Some(generated) = generate_seeded(&request, seed) else { continue };
        let neighbor = mutated(&generated.words, &mut Numbers::new(seed));
        for neighbor in [None, neighbor.as_deref()] {
            match examine_proof(&generated, neighbor, Depth::Strategies) {
                Ok(Proof::Proved) => proved += 1,
                Ok(Proof::Refuted(how)) => {
                    assert!(how.contains("SubgroupSize 4"), "{how}");
                    refuted += 1;
                }
                Ok(Proof::Unknown(why) | Proof::Spurious(why)) => unknown.push(why),
                Ok(Proof::Wrong(what)) | Err(what) => panic!("seed {seed}: {what}"),
            }
        }
    }
    println!("{proved} proved, {refuted} refuted, {}: {unknown:#?}", unknown.len());
    assert!(proved >= 3, "{proved} proved, {refuted} refuted: {unknown:#?}");
}
