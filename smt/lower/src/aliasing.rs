//! Memories that may be one: then what is found in one may have been left in the other.
//!
//! Variables are apart from each other unless both are decorated `Aliased` (SPIR-V, "Aliasing"). Here
//! every memory is a region apart, which is one of the states that there are: a refutation in it
//! counts, a proof does not.
//!
//! Pointer parameters share a region but for those that alias nothing. The source says which these
//! are: what it does where they overlap is undefined. A target that has more of them, and writes,
//! is undefined in states in which the source is not.

use std::collections::BTreeSet;

use laneproof_module::Function;

use crate::flat::{Flat, RegionKind, Touch};

/// Positions of the pointer parameters that nothing else aliases.
pub fn apart(function: &Function) -> BTreeSet<usize> {
    let alone = function.parameters.iter().enumerate().filter(|(_, parameter)| parameter.alone);
    alone.map(|(position, _)| position).collect()
}

/// Which parameters of the target alias nothing, in words, where they may in the source, and the
/// target writes what they may point to.
pub fn promises_more(source: &BTreeSet<usize>, target: &Function, flat: &Flat) -> Option<String> {
    let may_overlap = |position: &usize| {
        flat.interface.inputs.get(*position).is_some_and(|it| it.points.is_some())
    };
    let more: Vec<&str> = (apart(target).difference(source).filter(|it| may_overlap(it)))
        .map(|position| target.parameters[*position].name.as_str())
        .collect();
    let pointers = flat.interface.inputs.iter().filter(|it| it.points.is_some()).count();
    let written = [RegionKind::Arguments, RegionKind::WorkgroupArguments];
    let written = written.into_iter().any(|kind| writes(flat, kind));
    (!more.is_empty() && pointers > 1 && written).then(|| {
        format!(
            "the target takes {} to alias nothing, which the source does not say",
            more.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
        )
    })
}

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

/// Something of this kind is written, or changed by an instruction that may.
pub(crate) fn writes(flat: &Flat, kind: RegionKind) -> bool {
    touches(flat, kind, false)
}

/// Something of this kind is read, or by an instruction that may.
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
