//! The declarations of the entry points that are compared.

use laneproof_encode::Declared;
use laneproof_module::Extent;
use laneproof_module::spirv::ExecutionMode;
use laneproof_obligation::Required;
use laneproof_outcome::Unknown;

use crate::options::Side;

/// The unsupported combination of workgroups.
const DIFFERENT: &str = "a state of two different declared workgroups";
const COMPUTED: &str = "a workgroup's size that is computed from specialization constants";

/// The workgroup in which both sides are called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workgroup {
    /// Its size.
    pub(crate) declared: Declared,
    /// No side is an entry point, and one uses the constant that is decorated `WorkgroupSize`.
    pub(crate) by_use: bool,
}

/// The workgroup that the entry points declare, or that follows from a use of the constant that is
/// decorated `WorkgroupSize`; `None` if there is neither, because callers are ignored.
pub(crate) fn workgroup(
    source: Side<'_>,
    target: Option<Side<'_>>,
) -> Result<Option<Workgroup>, Unknown> {
    let workgroup = match (of(source), target.and_then(of)) {
        (Some(a), Some(b)) if a.declared != b.declared => {
            return Err(Unknown::unsupported(DIFFERENT));
        }
        (Some(a), Some(b)) => Some(Workgroup { by_use: a.by_use && b.by_use, ..a }),
        (a, b) => a.or(b),
    };
    match workgroup {
        Some(it) if it.declared.0.contains(&Extent::Computed) => {
            Err(Unknown::unsupported(COMPUTED))
        }
        workgroup => Ok(workgroup),
    }
}

/// What the entry points require of subgroups, the same on both sides.
pub(crate) fn required(source: Side<'_>, target: Option<Side<'_>>) -> Result<Required, Unknown> {
    let of_source = required_by(source)?;
    match target.map(required_by).transpose()? {
        Some(of_target) if of_target != of_source => Err(Unknown::unsupported(
            "a state of two entry points that require different subgroups",
        )),
        _ => Ok(of_source),
    }
}

fn required_by(side: Side<'_>) -> Result<Required, Unknown> {
    let mut required = Required::default();
    let mut entries = side.program.entry_points.iter();
    let entry = entries.find(|it| it.function == side.function.id);
    for (mode, literals) in entry.into_iter().flat_map(|entry| &entry.modes) {
        match mode {
            ExecutionMode::SubgroupSize => required.size = literals.first().copied(),
            ExecutionMode::SubgroupsPerWorkgroup => required.subgroups = literals.first().copied(),
            ExecutionMode::SubgroupsPerWorkgroupId => {
                return Err(Unknown::unsupported("SubgroupsPerWorkgroupId"));
            }
            _ => {}
        }
    }
    Ok(required)
}

fn of(side: Side<'_>) -> Option<Workgroup> {
    let mut entries = side.program.entry_points.iter();
    if let Some(entry) = entries.find(|it| it.function == side.function.id) {
        return Some(Workgroup { declared: Declared(entry.workgroup_size?), by_use: false });
    }
    let constant = side.program.preamble.workgroup_size.as_ref()?;
    constant
        .users
        .contains(&side.function.id)
        .then_some(Workgroup { declared: Declared(constant.sides), by_use: true })
}
