//! What the entry points that are compared declare.

use laneproof_encode::Declared;
use laneproof_module::Extent;
use laneproof_outcome::Unknown;

use crate::options::Side;

/// What is not supported of the workgroups that two functions are entered in.
const DIFFERENT: &str = "a state of two different declared workgroups";
const COMPUTED: &str = "a workgroup's size that is computed from specialization constants";

/// The workgroup that both sides declare; `None` where neither is an entry point, as callers
/// are ignored.
pub(crate) fn declared(
    source: Side<'_>,
    target: Option<Side<'_>>,
) -> Result<Option<Declared>, Unknown> {
    let of = |side: Side<'_>| {
        let mut entries = side.program.entry_points.iter();
        entries.find(|it| it.function == side.function.id).and_then(|it| it.workgroup_size)
    };
    let declared = match (of(source), target.and_then(of)) {
        (Some(a), Some(b)) if a != b => return Err(Unknown::unsupported(DIFFERENT)),
        (a, b) => a.or(b),
    };
    match declared {
        Some(sides) if sides.contains(&Extent::Computed) => Err(Unknown::unsupported(COMPUTED)),
        declared => Ok(declared.map(Declared)),
    }
}
