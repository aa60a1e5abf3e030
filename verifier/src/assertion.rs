//! Refinement asserted in a line of a test.

/// Asserts that `target` refines `source`; a failure shows the report, with the table of lanes of a
/// counterexample. The first argument may be a verifier; by default it is
/// [`Verifier::new`](crate::Verifier::new).
///
/// ```
/// use laneproof_verifier::{Verifier, assert_refines};
///
/// let twice = "#version 460
///     uint f(uint x) { return x + x; }";
/// let shifted = "#version 460
///     uint f(uint x) { return x << 1; }";
/// assert_refines!(Verifier::new().function("f"), twice, shifted);
/// ```
///
/// # Panics
///
/// If the target does not refine the source, if that is undecided, or if there is nothing to
/// compare.
#[macro_export]
macro_rules! assert_refines {
    ($verifier:expr, $source:expr, $target:expr $(,)?) => {
        match $crate::Verifier::verify(&$verifier, $source, $target) {
            Ok(report) if report.is_proved() => {}
            Ok(report) => ::std::panic!("the target does not refine the source:\n{report}"),
            Err(error) => ::std::panic!("refinement could not be asked: {error}"),
        }
    };
    ($source:expr, $target:expr $(,)?) => {
        $crate::assert_refines!($crate::Verifier::new(), $source, $target)
    };
}
