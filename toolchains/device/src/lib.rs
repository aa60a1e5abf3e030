//! Runs modules on a device: the child process that `laneproof fuzz` starts for a tool that
//! executes.
//!
//! It first prints what it is, then reads jobs from standard input, a line each: the files of
//! module, inputs and observation, separated by tabs. Inputs are documents of bindings that hold
//! 32-bit words; the observation is the same document after the run.

mod capabilities;
mod error;
mod jobs;
mod vulkan;

pub use error::DeviceError;

/// Serves jobs until standard input ends. `wanted` is a part of the device's name, and the
/// subgroup size to ask for where the device has several.
///
/// # Errors
///
/// Where there is no device, or standard output is closed.
pub fn serve(wanted: Option<&str>, size: Option<u32>) -> Result<(), DeviceError> {
    let opened = vulkan::Vulkan::open(wanted, size);
    jobs::serve(opened)
}
