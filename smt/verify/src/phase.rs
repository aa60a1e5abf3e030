//! The phases of the work on an obligation.

/// The phase of an attempt. It determines the share of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// One small size, for quick refutations.
    Scout,
    /// Briefly.
    Glance,
    /// All sizes at once, less briefly.
    Look,
    /// One symbolic lane of one size.
    OneLane,
    /// By decision diagrams alone.
    Diagrams,
    /// With all strategies.
    Full,
    /// A whole workgroup by number.
    Workgroup,
    /// Traces, in any subgroup of any workgroup.
    Traces,
}
