//! Generates whole SPIR-V modules: group instructions in selections, switches, loops and calls,
//! beside memory, barriers and atomics, with the inputs that they run on.
//!
//! Everything is chosen by an [`arbitrary::Unstructured`]: the same bytes give the same module.
//! Modules are valid by construction; which lanes' results are defined is for an engine to say.
//!
//! ```
//! use arbitrary::Unstructured;
//! use laneproof_generator::{ModuleProfile, Request, generate};
//! use laneproof_semantics::ModuleKind;
//!
//! let request = Request::new(ModuleProfile::Divergent, ModuleKind::Shader, 8);
//! let generated = generate(&request, &mut Unstructured::new(&[7; 512]))?;
//! assert_eq!(generated.words[0], 0x0723_0203);
//! # Ok::<(), arbitrary::Error>(())
//! ```

mod across;
mod control;
mod coverage;
mod emit;
mod foreign;
mod function;
mod group;
mod group_statement;
mod grow;
mod inputs;
mod lowered;
mod numbers;
mod request;
mod results;
mod scalars;
mod shrink;
mod straight;
mod tidy;
mod tree;
mod type_name;

use arbitrary::{Result, Unstructured};

pub use coverage::{ActiveSetShape, Covered, coverage};
pub use emit::words;
pub use foreign::{Foreign, ForeignFunction, ForeignParameter};
pub use function::function_module;
pub use inputs::Inputs;
pub use numbers::{Numbers, mixed};
pub use request::{AllowedInstructions, ModuleProfile, Request};
pub use scalars::with_scalars;
pub use shrink::shrunk;
pub use tidy::tidied;
pub use tree::*;
pub use type_name::type_name;

/// A module and what it runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its tree.
    pub tree: Tree,
    /// Its words.
    pub words: Vec<u32>,
    /// What its buffers hold.
    pub inputs: Inputs,
}

impl Generated {
    /// The module of a tree.
    pub fn new(tree: Tree, inputs: Inputs) -> Self {
        let words = words(&tree);
        Self { tree, words, inputs }
    }
}

/// Generates a module.
///
/// # Errors
///
/// Where `u` has no bytes to choose with.
pub fn generate(request: &Request, u: &mut Unstructured<'_>) -> Result<Generated> {
    let tree = grow::grow(request, u)?;
    let inputs = Inputs::chosen(&tree, &mut Numbers::new(u.arbitrary()?));
    Ok(Generated::new(tree, inputs))
}

/// Generates the module of a seed.
pub fn generate_seeded(request: &Request, seed: u64) -> Option<Generated> {
    let bytes = Numbers::new(seed).bytes(4096);
    generate(request, &mut Unstructured::new(&bytes)).ok()
}
