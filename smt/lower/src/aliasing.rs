//! Memories that may be one: then what is found in one may have been left in the other.
//!
//! Variables are apart from each other unless both are decorated `Aliased` (SPIR-V, "Aliasing"). Here
//! every memory is a region apart, which is one of the states that there are: a refutation in it
//! counts, a proof does not.

use std::collections::BTreeSet;

use crate::flat::{Flat, RegionKind, Touch};

/// Which memories that both sides touch may be one, in words, where some of them is written.
pub fn aliases(source: &Flat, target: Option<&Flat>) -> Option<String> {
    let sides = || [Some(source), target].into_iter().flatten();
    let touched: BTreeSet<RegionKind> = sides()
        .flat_map(|flat| flat.memory.regions.iter().filter(|it| it.aliased && it.scalar.is_some()))
        .map(|region| region.kind)
        .collect();
    let written = |kind: RegionKind| sides().any(|flat| writes(flat, kind));
    [true, false].into_iter().find_map(|visible| {
        let alike: Vec<RegionKind> =
            touched.iter().copied().filter(|kind| kind.is_visible() == visible).collect();
        let names: Vec<String> = alike.iter().map(RegionKind::to_string).collect();
        (alike.len() > 1 && alike.into_iter().any(written)).then(|| {
            format!("{} are decorated `Aliased` and may be one memory", names.join(" and "))
        })
    })
}

fn writes(flat: &Flat, kind: RegionKind) -> bool {
    let is = |region: usize| flat.memory.regions[region].kind == kind;
    flat.memory.accesses.iter().any(|access| match &access.what {
        Touch::Load(_) => false,
        Touch::Store(scalars, _) => is(scalars.address.region),
        Touch::Step(step) => {
            flat.step(*step).pointers.iter().flatten().any(|address| is(address.region))
        }
    })
}
