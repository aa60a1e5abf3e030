//! What an obligation comes to where it is not decided: each kind of "unknown", with its data, from
//! the solver to what people read; and the limits of time under which it is asked.

mod limits;
mod unknown;

pub use limits::Limits;
pub use unknown::{
    Bound, Location, NotReplayed, Question, TimeLimit, Unknown, UnknownKind, Unsupported,
    instruction_at,
};
