//! The memories of both sides, as the sides use them.

use laneproof_lower::{Flat, RegionKind, Touch};
use laneproof_semantics::Scalar;
use laneproof_semantics::term::Sort;

/// A memory of both sides, as the sides use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryShape {
    /// Which memory it is.
    pub kind: RegionKind,
    /// The type of its scalars.
    pub scalar: Scalar,
    /// Its least size in bytes.
    pub least: u64,
}

/// The memories of both sides; why they cannot be compared.
pub fn shapes(source: &Flat, target: Option<&Flat>) -> Result<Vec<MemoryShape>, String> {
    let mut shapes: Vec<MemoryShape> = Vec::new();
    let of_target = target.map_or(&[][..], |target| &target.memory.regions);
    for (region, required) in source
        .memory
        .regions
        .iter()
        .map(|it| (it, true))
        .chain(of_target.iter().map(|it| (it, false)))
    {
        let Some(scalar) = region.scalar.filter(|_| region.kind.is_visible()) else { continue };
        // A bound resource is at least as large as the source declares.
        let declared = || source.memory.regions.iter().find(|it| it.kind == region.kind);
        let least = if required { region.least } else { declared().map_or(0, |it| it.least) };
        match shapes.iter_mut().find(|shape| shape.kind == region.kind) {
            Some(known) if matches!(region.kind, RegionKind::Image(_)) => {
                if scalar.width() < known.scalar.width() {
                    known.scalar = scalar;
                }
            }
            Some(known) if Sort::from(known.scalar) != Sort::from(scalar) => {
                return Err(format!("{} in scalars of different widths", region.kind));
            }
            Some(known) => known.least = known.least.max(least),
            None => shapes.push(MemoryShape { kind: region.kind, scalar, least }),
        }
    }
    let both = |kind: fn(&RegionKind) -> bool| shapes.iter().any(|shape| kind(&shape.kind));
    if both(|kind| matches!(kind, RegionKind::Arguments))
        && both(|kind| matches!(kind, RegionKind::Binding(..)))
    {
        return Err("pointer parameters beside bound buffers that they may point into".into());
    }
    let images = shapes.iter().filter(|it| matches!(it.kind, RegionKind::Image(_))).count();
    if images > 1 && [Some(source), target].into_iter().flatten().any(writes_images) {
        return Err("an image that is written beside others that it may be".into());
    }
    Ok(shapes)
}

/// Some instruction may write to an image.
fn writes_images(flat: &Flat) -> bool {
    flat.memory.accesses.iter().any(|access| {
        let Touch::Step(step) = access.what else { return false };
        let step = flat.step(step);
        let mut addresses = step.pointers.iter().flatten();
        let image =
            addresses.any(|it| matches!(flat.memory.regions[it.region].kind, RegionKind::Image(_)));
        image && step.instance.result.is_none()
    })
}
