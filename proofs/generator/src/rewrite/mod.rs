//! Ways to write a target otherwise: each is written once, and applied to every family in which it
//! finds something to change.

mod choices;
mod counted;
mod loops;

use std::fmt;

use crate::shader::Stmt;

/// A way to write a target otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rewriting {
    /// As the family has it.
    #[default]
    Plain,
    /// `while` for `for`.
    While,
    /// The test is at the end of the loop, and once before it.
    Rotated,
    /// The loop is left by a `break`.
    Endless,
    /// A return for the break.
    Returned,
    /// The first iteration is before the loop.
    Peeled,
    /// Two iterations in one.
    Paired,
    /// The counter counts what is left.
    Down,
    /// The counter is a logarithm, or the step is computed from it.
    Exponent,
    /// The counter has a sign.
    SignedCounter,
    /// `!=` for `<`.
    Unequal,
    /// Branches for choices.
    Branches,
    /// Choices for branches.
    Choices,
    /// Operands exchanged.
    Mirrored,
    /// The test is the other way round.
    Negated,
}

impl Rewriting {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Plain,
        Self::While,
        Self::Rotated,
        Self::Endless,
        Self::Returned,
        Self::Peeled,
        Self::Paired,
        Self::Down,
        Self::Exponent,
        Self::SignedCounter,
        Self::Unequal,
        Self::Branches,
        Self::Choices,
        Self::Mirrored,
        Self::Negated,
    ];

    /// The body so written; `None` where there is nothing to change.
    pub(crate) fn apply(self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let body = body.to_vec();
        let before = body.clone();
        let after = match self {
            Self::Plain => return Some(body),
            Self::While => loops::as_while(body),
            Self::Rotated => loops::rotated(body),
            Self::Endless => loops::endless(body),
            Self::Returned => loops::returned(loops::endless(body))?,
            Self::Peeled => counted::peeled(body),
            Self::Paired => counted::paired(body),
            Self::Down => counted::down(body),
            Self::Exponent => counted::exponent(body),
            Self::SignedCounter => counted::with_sign(body),
            Self::Unequal => counted::unequal(body),
            Self::Branches => choices::branches(body),
            Self::Choices => choices::choices(body),
            Self::Mirrored => choices::mirrored(body),
            Self::Negated => choices::negated(body),
        };
        (after != before).then_some(after)
    }
}

impl fmt::Display for Rewriting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::While => "while",
            Self::Rotated => "rotated",
            Self::Endless => "endless",
            Self::Returned => "returned",
            Self::Peeled => "peeled",
            Self::Paired => "paired",
            Self::Down => "down",
            Self::Exponent => "exponent",
            Self::SignedCounter => "signed-counter",
            Self::Unequal => "unequal",
            Self::Branches => "branches",
            Self::Choices => "choices",
            Self::Mirrored => "mirrored",
            Self::Negated => "negated",
        })
    }
}
