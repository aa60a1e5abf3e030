//! The questions that settle an obligation: in words, as pages, and put to trials, to decision
//! diagrams or to the solver.

mod joint;
mod question;
mod reply;
mod trial;

pub use joint::{Inhabited, Joint, inhabited, search};
pub use question::{QueryRunner, Kind, Questions, Stage};
pub use reply::{Answer, pairs, unanswered};
pub use sampling::sampled;
