//! Proves lowerings of SPIR-V's subgroup instructions from a compiler's own tests.
//!
//! A [`Verifier`] asks whether one function refines another: for every subgroup size that it names,
//! every set of active lanes and all inputs. Modules go in as SPIR-V words, as assembly, as GLSL or
//! as WGSL.
//!
//! ```
//! use laneproof_verifier::{Profile, Verdict, Verifier};
//!
//! let before = "#version 460
//!     #extension GL_KHR_shader_subgroup_vote : require
//!     uint every(bool asked) { return subgroupAll(asked) ? 1u : 0u; }";
//! let after = "#version 460
//!     #extension GL_KHR_shader_subgroup_vote : require
//!     uint every(bool asked) { return subgroupAny(!asked) ? 0u : 1u; }";
//! let verifier = Verifier::new().sizes([32, 64]).profile(Profile::Vulkan).function("every");
//! let report = verifier.verify(before, after)?;
//! assert_eq!(report.verdict(), Verdict::Proved, "{report}");
//! # Ok::<(), laneproof_verifier::Error>(())
//! ```
//!
//! [`assert_refines!`] does the same in one line, and prints the table of lanes when it fails.

mod assertion;
mod deep;
mod error;
mod input;
mod profile;
mod report;
mod verifier;

pub use error::Error;
pub use input::Input;
pub use laneproof_verify::{
    ComparedFunction, Counterexample, LaneRow, MemoryRow, NotCompared, Obligation, Origin, Output,
    PlaceInWorkgroup, Presumption, TypedValue, UndefinedBehavior, Unknown, UnknownKind, Verdict,
    WorkgroupShape,
};
pub use profile::Profile;
pub use report::Report;
pub use verifier::Verifier;
