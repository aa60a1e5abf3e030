//! The phases of the work on an obligation.

/// In which phase something is tried: that says how much time it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// One small size, for what refutes quickly, if anything does.
    Scout,
    /// For a moment.
    Glance,
    /// By decision diagrams alone.
    Diagrams,
    /// With all strategies.
    Full,
    /// A whole workgroup by number.
    Workgroup,
    /// Memory access by access, in any subgroup of any workgroup.
    Traces,
}
