//! Through which types targets compute.

use std::fmt;

/// Through which type a target computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Detour {
    /// Its own.
    #[default]
    Direct,
    /// A vector component by component.
    Components,
    /// A component of a vector.
    OfVector,
    /// A number with a sign by one without.
    Signs,
    /// 32 bits by 64.
    Wider,
    /// 64 bits by halves.
    Halves,
    /// By the complement.
    Complement,
}

impl Detour {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Direct,
        Self::Components,
        Self::OfVector,
        Self::Signs,
        Self::Wider,
        Self::Halves,
        Self::Complement,
    ];
}

impl fmt::Display for Detour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Direct => "direct",
            Self::Components => "components",
            Self::OfVector => "of-vector",
            Self::Signs => "signs",
            Self::Wider => "wider",
            Self::Halves => "halves",
            Self::Complement => "complement",
        })
    }
}
