//! Shaders and kernels.

/// Which kind of module it is: by its capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModuleKind {
    /// `Shader`: `GLCompute` entry points, logical addressing.
    Shader,
    /// `Kernel`: `Kernel` entry points, physical addressing.
    Kernel,
}

impl ModuleKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Shader, Self::Kernel];

    /// The capability.
    pub const fn capability(self) -> &'static str {
        match self {
            Self::Shader => "Shader",
            Self::Kernel => "Kernel",
        }
    }

    /// The profile of modules for which none is named.
    pub const fn profile(self) -> &'static str {
        match self {
            Self::Shader => "vulkan",
            Self::Kernel => "opencl",
        }
    }
}
