//! Profiles and settled readings.

use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

use crate::error::VerifyError;

/// The readings as a profile settles them, overridden by `readings`; with the profile's name. By
/// default the profile follows from the module's kind.
///
/// # Errors
///
/// If there is no such profile, reading or alternative.
pub fn settle(
    specification: &Specification,
    kernel: bool,
    profile: Option<&str>,
    readings: &[(String, String)],
) -> Result<(String, Settled), VerifyError> {
    let default = Specification::environment_of(kernel);
    let name = profile.unwrap_or(default).to_owned();
    let Some(profile) = specification.profiles.get(name.as_str()) else {
        let known = specification.profiles.keys().map(ToString::to_string).collect();
        return Err(VerifyError::Profile(name, known));
    };
    let environment = profile.environment.as_deref().unwrap_or(default);
    let mut settled = Settled::by(profile).in_environment(environment);
    for (reading, alternative) in readings {
        let Some(known) = specification.readings.get(reading.as_str()) else {
            let known = specification.readings.keys().map(ToString::to_string).collect();
            return Err(VerifyError::Reading(reading.clone(), known));
        };
        let alternatives: Vec<&str> = known.alternatives.iter().map(|(name, _)| &**name).collect();
        if !alternatives.contains(&alternative.as_str()) {
            let fits = alternatives.into_iter().map(str::to_owned).collect();
            return Err(VerifyError::Alternative(reading.clone(), alternative.clone(), fits));
        }
        settled = settled.with(reading, alternative);
    }
    Ok((name, settled))
}
