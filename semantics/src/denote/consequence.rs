//! The consequences that readings give.

use super::instance::{DenoteError, Settled};
use crate::Specification;
use crate::language::ast::Consequence;

impl Specification {
    /// What a reading of consequences gives as it is settled; silence where it is not.
    ///
    /// # Errors
    ///
    /// Where it is settled by an alternative that names no consequence.
    pub fn consequence(
        &self,
        settled: &Settled,
        reading: &str,
    ) -> Result<Consequence, DenoteError> {
        let Some(alternative) = settled.alternative(reading) else {
            return Ok(Consequence::Silence);
        };
        self.readings
            .get(reading)
            .and_then(|reading| reading.alternatives.iter().find(|(name, _)| name == alternative))
            .and_then(|(_, consequence)| *consequence)
            .ok_or_else(|| {
                let message = format!("reading {reading} has no consequence `{alternative}`");
                DenoteError::Specification(message)
            })
    }
}
