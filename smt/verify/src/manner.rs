//! What a session is about, and how far it goes.

/// What a session is about, and how far it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    /// The sides as they stand, through all stages.
    #[default]
    Full,
    /// The sides as they stand, through the first stages.
    Brief,
    /// Pure functions, which refute nothing.
    Pure {
        /// They differ in some state, so nothing is proved of them either.
        differ: bool,
    },
}
