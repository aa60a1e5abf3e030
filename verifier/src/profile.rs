//! What settles the points that specifications leave open.

/// A profile: which environment's documents hold, and which readings settle open points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Vulkan's environment; the default for shaders.
    Vulkan,
    /// OpenCL's environment; the default for kernels.
    OpenCl,
    /// Level Zero's environment.
    LevelZero,
    /// No reading is settled: only what the texts say.
    Literal,
}

impl Profile {
    /// The name that the specification's files have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vulkan => "vulkan",
            Self::OpenCl => "opencl",
            Self::LevelZero => "level-zero",
            Self::Literal => "literal",
        }
    }
}
