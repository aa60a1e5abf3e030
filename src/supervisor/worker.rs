//! The worker's side: what it is handed on, and what it does about signals.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::process::{Signal, getpid, getppid, kill_process};
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use super::{Bounds, signals};
use crate::terminal::Terminal;

/// The variable that makes a process a worker.
pub const WORKER: &str = "LANEPROOF_WORKER";

/// The signal by which the supervisor ends a worker. It differs from an interrupt of the whole process group.
pub const END: Signal = Signal::USR1;
/// The signal by which the supervisor asks a worker that answers interrupts to come to an end.
pub const ASK: Signal = Signal::USR2;

/// What only the supervisor can know.
#[derive(Serialize, Deserialize)]
pub struct HandedOn {
    /// Where answers go in the end.
    pub terminal: Terminal,
    /// MiB of the solver's.
    solver_memory: u64,
    /// The process that set it: a child of a worker is not a worker.
    supervisor: u32,
}

/// The value of [`WORKER`].
pub fn handed_on(terminal: &Terminal, bounds: &Bounds) -> String {
    let solver_memory = bounds.memory.of_solver();
    let handed_on =
        HandedOn { terminal: terminal.clone(), solver_memory, supervisor: std::process::id() };
    serde_json::to_string(&handed_on).unwrap_or_default()
}

/// What this process was handed on, if it is a worker. From here on signals are the supervisor's.
pub fn as_worker() -> Option<HandedOn> {
    let handed_on: HandedOn = serde_json::from_str(&std::env::var(WORKER).ok()?).ok()?;
    let parent = getppid().map(|parent| parent.as_raw_nonzero().get());
    if parent != i32::try_from(handed_on.supervisor).ok() {
        return None;
    }
    laneproof_verify::limit_memory(handed_on.solver_memory);
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(END));
    // Terminals and batch systems send a signal to both: the supervisor answers it.
    if let Ok(signals) = Signals::new(signals::handled().into_iter().chain([SIGUSR1, SIGUSR2])) {
        let _ = thread::Builder::new().spawn(move || watch_signals(signals));
    }
    Some(handed_on)
}

/// A command that handles interrupts itself was interrupted.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Records interrupts. On the end signal it ends the child processes, and then this process.
fn watch_signals(mut signals: Signals) {
    for signal in signals.forever() {
        if signal == SIGUSR2 {
            INTERRUPTED.store(true, Ordering::Relaxed);
        }
        if signal == SIGUSR1 {
            laneproof_proofs::end_second_solvers();
            laneproof_toolchains::end_tools();
            // Without a farewell to libraries that are at work on other threads.
            let _ = kill_process(getpid(), Signal::KILL);
        }
    }
}
