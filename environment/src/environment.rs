//! The environments.

use std::fmt;
use std::str::FromStr;

use laneproof_module as module;

/// Where a module is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Environment {
    /// Vulkan's: shaders.
    Vulkan,
    /// OpenCL's: kernels.
    OpenCl,
    /// oneAPI Level Zero's: kernels.
    LevelZero,
}

impl Environment {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Vulkan, Self::OpenCl, Self::LevelZero];

    /// Its name on the command line and in the names of rules.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vulkan => "vulkan",
            Self::OpenCl => "opencl",
            Self::LevelZero => "level-zero",
        }
    }

    /// The reference validator's environment, where it has one.
    pub fn reference(self) -> Option<module::ValidationEnvironment> {
        match self {
            Self::Vulkan => Some(module::ValidationEnvironment::Vulkan),
            Self::OpenCl => Some(module::ValidationEnvironment::OpenCl),
            Self::LevelZero => None,
        }
    }

    /// Minor versions of SPIR-V 1 that assembly without a version is tried as, in this order.
    pub fn versions(self) -> &'static [u8] {
        match self {
            Self::Vulkan => &[6, 3, 5, 4, 0],
            Self::OpenCl | Self::LevelZero => &[2, 3, 4, 6, 0],
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Environment {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|it| it.name() == name);
        found.ok_or_else(|| "expected vulkan, opencl or level-zero".to_owned())
    }
}
