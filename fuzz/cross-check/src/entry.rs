//! From bytes to a verdict: what fuzz targets and property tests call.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use laneproof_forms::{PrepareError, Prepared, Target, state, targets};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

use crate::compare::{Disagreement, compare};
use crate::observe::Agreement;

static TARGETS: LazyLock<Vec<Target>> = LazyLock::new(|| targets(Specification::built_in()).0);

static SETTLED: LazyLock<Settled> = LazyLock::new(|| {
    let profile = Specification::built_in().profiles.get("vulkan");
    let settled = profile.map(|profile| Settled::by(profile)).unwrap_or_default();
    // The interpreter's view of it.
    settled.with("implementation-defined", "undefined-value")
});

/// Holds the two meanings of an instruction against each other that bytes choose, in a state
/// of up to `most` lanes that they choose too. `None` where the bytes do not suffice.
///
/// # Errors
///
/// If the meanings differ, or if the generated module is invalid.
pub fn check(bytes: &[u8], most: u32) -> Result<Option<Agreement>, Box<Disagreement>> {
    let mut u = Unstructured::new(bytes);
    let Ok(target) = u.choose(&TARGETS) else { return Ok(None) };
    let prepared = match Prepared::arbitrary(target, &mut u) {
        Ok(prepared) => prepared,
        Err(PrepareError::Bytes(_)) => return Ok(None),
        Err(PrepareError::Load { error, text }) => {
            return Err(Box::new(Disagreement {
                evaluator: "has nothing to evaluate".into(),
                interpreter: error.to_string(),
                case: text,
            }));
        }
    };
    let Ok(subgroup) = state(&prepared, most, &mut u) else { return Ok(None) };
    compare(Specification::built_in(), &SETTLED, &prepared, &subgroup).map(Some)
}
