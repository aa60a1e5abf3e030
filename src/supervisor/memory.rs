//! How much memory the worker has, and how much it may have.

use rustix::process::{Resource, getrlimit};

const MIB: u64 = 1 << 20;

/// Bytes of address space that suffice for the program and its threads' stacks, before it proves
/// anything.
const AMPLE: u64 = 4096 * MIB;

/// A limit of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// The requested limit of resident memory, in MiB.
    pub asked: u64,
    /// Bytes of address space that the system grants, where it limits them (`ulimit -v`).
    granted: Option<u64>,
}

/// What a process takes, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    /// Address space.
    space: u64,
    /// Resident memory.
    resident: u64,
}

impl Used {
    /// The most of each.
    pub fn most(self, other: Self) -> Self {
        let (space, resident) = (self.space.max(other.space), self.resident.max(other.resident));
        Self { space, resident }
    }
}

impl MemoryLimit {
    /// This number of MiB, under the system's own limit.
    pub fn of(asked: u64) -> Self {
        Self { asked, granted: getrlimit(Resource::As).current }
    }

    /// MiB that the solver may take: it gives up with an answer, where others abort.
    pub fn of_solver(self) -> u64 {
        let granted = self.granted.map_or(u64::MAX, |granted| granted / MIB);
        // Threads' stacks and the program itself take address space, too.
        (self.asked / 8 * 7).min(granted / 2).max(1)
    }

    /// MiB of address space, if the system grants less than the program itself needs.
    pub fn scarce(self) -> Option<u64> {
        self.granted.filter(|granted| *granted < AMPLE).map(|granted| granted / MIB)
    }

    /// Resident memory exceeds the limit.
    pub fn is_exceeded(self, used: &Used) -> bool {
        used.resident > self.asked.saturating_mul(MIB)
    }

    /// So much is used that the next allocation may have failed: growing vectors double, and stacks
    /// are allocated in one piece between two samples.
    pub fn is_nearly_used(self, used: &Used) -> bool {
        let space = self.granted.is_some_and(|granted| used.space >= granted / 2);
        self.scarce().is_some()
            || space
            || used.resident.saturating_mul(2) >= self.asked.saturating_mul(MIB)
    }
}

/// What a process takes now, where the system tells.
pub fn used(process: u32) -> Option<Used> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let mut pages = text.split(' ').map(|number| number.trim().parse::<u64>().ok());
    let page = rustix::param::page_size() as u64;
    let mut bytes = || pages.next()?.map(|pages| pages * page);
    Some(Used { space: bytes()?, resident: bytes()? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn this_process_takes_some_memory_and_no_more_than_there_is() {
        let Some(used) = used(std::process::id()) else { return };
        assert!(used.resident > MIB && used.space >= used.resident);
        let memory = |asked, granted| MemoryLimit { asked, granted };
        assert!(memory(0, None).is_exceeded(&used));
        assert!(!memory(1 << 30, None).is_exceeded(&used));
        assert!(memory(1 << 30, Some(used.space)).is_nearly_used(&used));
        let ample = AMPLE.max(used.space) * 3;
        assert!(!memory(1 << 30, Some(ample)).is_nearly_used(&used));
        assert!(memory(1 << 30, Some(AMPLE - 1)).is_nearly_used(&used));
    }

    #[test]
    fn the_solver_gets_less_than_what_is_asked_for_and_granted() {
        let memory = |asked, granted| MemoryLimit { asked, granted };
        assert_eq!(memory(4096, None).of_solver(), 3584);
        assert_eq!(memory(4096, Some(2048 * MIB)).of_solver(), 1024);
    }
}
