//! The questions that settle an obligation: in words, as pages, and put to samples, to decision
//! diagrams or to the solver.

mod joint;
mod question;
mod reply;
mod sampling;

pub use joint::{Inhabited, Joint, inhabited, search};
pub use question::{QueryRunner, QuestionKind, Questions, Stage};
pub use reply::{SkolemTemplate, pairs, unanswered};
pub use sampling::{sampled, sampled_active, sampled_bits, sampled_random};
