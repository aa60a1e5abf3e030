//! Signals that end a process, except those that its parent has set to be ignored.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The signals that are handled. `nohup` and shells that start background jobs ignore some, which
/// child processes inherit.
pub fn handled() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored_by(&status);
    [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|signal| ignored & (1 << (signal - 1)) == 0)
        .collect()
}

/// The signals that a process ignores, as Linux says it: bit n - 1 is signal n. Systems that do not
/// say it are taken to ignore none.
fn ignored_by(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status() {
        assert_eq!(ignored_by("Name:\tsh\nSigIgn:\t0000000000001004\nSigCgt:\t1\n"), 0x1004);
        assert_eq!(ignored_by(""), 0);
    }
}
