//! What this program is made of.

use std::sync::LazyLock;

/// Its version, the commit that it was built from where that is known, and the Z3 that it runs.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("LANEPROOF_COMMIT").map(|it| format!("{it}, ")).unwrap_or_default();
    format!("{} ({commit}{})", env!("CARGO_PKG_VERSION"), laneproof_verify::solver_version())
});
