//! The device's process alone: reads jobs from standard input.
//!
//! ```text
//! cargo run --release -p laneproof-device --example serve -- [NAME] [SIZE]
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().filter(|name| !name.is_empty());
    let size = arguments.next().and_then(|size| size.parse().ok());
    match laneproof_device::serve(laneproof_device::Interface::Vulkan, name.as_deref(), size) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
