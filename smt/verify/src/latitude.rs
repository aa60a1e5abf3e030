//! The precision of an environment's arithmetic, for the interpreter.

use std::sync::Arc;

use laneproof_interpreter::{Allowance, Allowed, Latitude};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::language::margin::{DeviceProfile, MarginKind};

/// The precision of arithmetic in the settled environment, on devices with OpenCL's full profile.
pub fn latitude(specification: &Specification, settled: &Settled) -> Latitude {
    latitude_in(specification, settled, DeviceProfile::Full)
}

/// The precision of arithmetic in the settled environment, on devices with this profile.
pub fn latitude_in(
    specification: &Specification,
    settled: &Settled,
    profile: DeviceProfile,
) -> Latitude {
    let environment =
        settled.environment().map_or(Specification::environment_of(false), |name| name);
    let words = |list: &[Arc<str>]| list.iter().map(|word| word.to_string()).collect();
    let margins = specification.margins_in(environment);
    let margins = margins.filter(|margin| margin.profile.is_none_or(|it| it == profile));
    let allowances = margins.map(|margin| Allowance {
        allowed: match margin.kind {
            MarginKind::Flushed => Allowed::Flushed,
            MarginKind::Finite => Allowed::Finite,
            MarginKind::EitherWay => Allowed::EitherWay,
            MarginKind::TowardZero => Allowed::TowardZero,
            MarginKind::Rearranged => Allowed::Rearranged,
            MarginKind::Contracted => Allowed::Contracted,
            MarginKind::Error => Allowed::Error,
            MarginKind::Absolute => Allowed::Absolute,
            MarginKind::Inherited => Allowed::Inherited,
            MarginKind::Anything => Allowed::Anything,
            MarginKind::Single => Allowed::Single,
            MarginKind::OutOfRange => Allowed::OutOfRange,
            MarginKind::LargeDivisors => Allowed::LargeDivisors,
        },
        bound: margin.bound.clone(),
        formats: words(&margin.formats),
        instructions: margin.instructions.clone(),
        unless: margin.unless.as_ref().map(|word| word.to_string()),
    });
    Latitude { allowances: allowances.collect() }
}
