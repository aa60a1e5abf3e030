//! What a module is for.

/// Which environment a module is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModuleKind {
    /// A `GLCompute` entry point, logical addressing.
    Shader,
    /// A `Kernel` entry point, physical addressing.
    Kernel,
}
