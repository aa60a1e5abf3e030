//! Names that the user, the linker and the loader know.

/// The variable that forces the choice.
pub const ENVIRONMENT: &str = "LANEPROOF_Z3";

/// The oldest Z3 that the project is tested with: Debian 12's.
pub const OLDEST: &str = "4.8.12";

/// The name under which the linker looks for the library.
pub const LIBRARY_NAME: &str = if cfg!(target_os = "macos") { "libz3.dylib" } else { "libz3.so" };

/// The variable in which the loader looks for libraries' directories.
pub const SEARCH_VARIABLE: &str =
    if cfg!(target_os = "macos") { "DYLD_LIBRARY_PATH" } else { "LD_LIBRARY_PATH" };
