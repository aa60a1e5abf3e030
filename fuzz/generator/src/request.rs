//! What to generate.

use std::collections::BTreeSet;
use std::sync::Arc;

use rspirv::dr::{Instruction, Operand as Word};
use rspirv::spirv::Capability;

use crate::foreign::{Foreign, is_left_out};
use laneproof_semantics::ModuleKind;

/// Which kind of module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModuleProfile {
    /// One group instruction, on many types and inputs.
    Single,
    /// Straight-line code with several.
    Kernel,
    /// Selections, switches, loops, early exits and calls around them.
    Divergent,
    /// Variables, workgroup memory, barriers and atomics beside them.
    Memory,
    /// Calls of functions from elsewhere: both sides of an entry of the catalogue.
    Lowered,
}

impl ModuleProfile {
    /// All profiles.
    pub const ALL: [Self; 5] =
        [Self::Single, Self::Kernel, Self::Divergent, Self::Memory, Self::Lowered];

    /// The profile's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Kernel => "kernel",
            Self::Divergent => "divergent",
            Self::Memory => "memory",
            Self::Lowered => "lowered",
        }
    }
}

/// What the instructions of a module may be.
#[derive(Clone, Debug)]
pub struct AllowedInstructions {
    /// Group instructions may be in places where the implementation chooses which lanes are
    /// together: in a case of a switch with several selector values.
    pub loose_switches: bool,
    /// Group instructions may work on 8-, 16- and 64-bit types.
    pub extended_types: bool,
    /// Group instructions work on scalars only, as OpenCL's environment has most of them.
    pub scalar_types: bool,
    /// The capabilities that may be used beside those of the flavor; `None`: any.
    pub capabilities: Option<BTreeSet<Capability>>,
    /// Opcodes that must not be used.
    pub without: BTreeSet<&'static str>,
}

/// What the generator may use.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which kind of module.
    pub profile: ModuleProfile,
    /// For which environment.
    pub flavor: ModuleKind,
    /// SPIR-V's version.
    pub version: (u8, u8),
    /// The subgroup size that it will run at.
    pub subgroup_size: u32,
    /// The last subgroup may have fewer lanes.
    pub partial: bool,
    /// Declare `MaximallyReconvergesKHR`.
    pub maximal_reconvergence: bool,
    /// What the instructions of a module may be.
    pub allowed: AllowedInstructions,
    /// How many statements, about.
    pub statements: usize,
    /// Modules whose functions may be called; those that the request does not allow are left out.
    pub foreign: Arc<[Arc<Foreign>]>,
}

impl Request {
    /// Whether it allows a module's functions.
    pub fn admits(&self, foreign: &Foreign) -> bool {
        let capability = |it: &Instruction| match it.operands.first() {
            Some(Word::Capability(capability)) => {
                is_left_out(*capability) || self.allows(*capability)
            }
            _ => false,
        };
        foreign.flavor == self.flavor
            && (foreign.sizes.is_empty() || foreign.sizes.contains(&self.subgroup_size))
            && foreign.module.capabilities.iter().all(capability)
            && !foreign
                .module
                .all_inst_iter()
                .any(|it| self.allowed.without.contains(it.class.opname))
    }

    /// A request without restrictions.
    pub fn new(profile: ModuleProfile, flavor: ModuleKind, subgroup_size: u32) -> Self {
        Self {
            profile,
            flavor,
            version: (1, 6),
            subgroup_size,
            partial: false,
            maximal_reconvergence: flavor == ModuleKind::Shader,
            allowed: AllowedInstructions {
                loose_switches: false,
                extended_types: true,
                scalar_types: false,
                capabilities: None,
                without: BTreeSet::new(),
            },
            statements: 24,
            foreign: Arc::from([]),
        }
    }

    /// Whether a capability may be used.
    pub fn allows(&self, capability: Capability) -> bool {
        self.allowed.capabilities.as_ref().is_none_or(|allowed| allowed.contains(&capability))
    }
}
