//! Memories that may alias: a read of one may see a write to the other.
//!
//! Two variables do not alias unless both are decorated `Aliased` (SPIR-V, "Aliasing"). The encoding
//! keeps all memories separate, which is one of the possible states: a refutation in it counts, a
//! proof does not.
//!
//! Pointer parameters share a region, except those that alias nothing. The source says which these
//! are: overlap is undefined behavior in the source. A target with more of them that writes has
//! undefined behavior in states in which the source has none.

use std::collections::BTreeSet;

use laneproof_module::Function;

use crate::flat::{Flat, RegionKind, Touch};

/// Positions of the pointer parameters that alias nothing.
pub fn apart(function: &Function) -> BTreeSet<usize> {
    let alone = function.parameters.iter().enumerate().filter(|(_, parameter)| parameter.alone);
    alone.map(|(position, _)| position).collect()
}

/// Names the target's parameters that alias nothing but may alias in the source, if the target
/// writes what they may point to.
pub fn promises_more(source: &BTreeSet<usize>, target: &Function, flat: &Flat) -> Option<String> {
    let may_overlap = |position: &usize| {
        flat.interface.inputs.get(*position).is_some_and(|it| it.points.is_some())
    };
    let more: Vec<&str> = (apart(target).difference(source).filter(|it| may_overlap(it)))
        .map(|position| target.parameters[*position].name.as_str())
        .collect();
    let pointers = flat.interface.inputs.iter().filter(|it| it.points.is_some()).count();
    (!more.is_empty() && pointers > 1 && writes(flat, RegionKind::Arguments)).then(|| {
        format!(
            "the target takes {} to alias nothing, which the source does not say",
            more.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
        )
    })
}

/// Names the memories that both sides access and that may alias, if one of them is written.
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

/// Some region of this kind may be written.
pub(crate) fn writes(flat: &Flat, kind: RegionKind) -> bool {
    touches(flat, kind, false)
}

/// Some region of this kind may be read.
pub(crate) fn reads(flat: &Flat, kind: RegionKind) -> bool {
    touches(flat, kind, true)
}

fn touches(flat: &Flat, kind: RegionKind, reading: bool) -> bool {
    let is = |region: usize| flat.memory.regions[region].kind == kind;
    flat.memory.accesses.iter().any(|access| match &access.what {
        Touch::Load(scalars) => reading && is(scalars.address.region),
        Touch::Store(scalars, _) => !reading && is(scalars.address.region),
        Touch::Step(step) => {
            flat.step(*step).pointers.iter().flatten().any(|address| is(address.region))
        }
    })
}
