//! Runs modules on a device: the child process that `laneproof fuzz` starts for a tool that
//! executes.
//!
//! It first prints what it is, then reads jobs from standard input, a line each: the files of
//! module, inputs and observation, separated by tabs. Inputs are documents of bindings, or of arguments, that hold
//! 32-bit words; the observation is the same document after the run.

mod capabilities;
mod error;
mod jobs;
mod kernel;
mod opencl;
mod vulkan;

pub use error::DeviceError;

/// The interface of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interface {
    /// Vulkan: shaders.
    #[default]
    Vulkan,
    /// OpenCL: kernels.
    OpenCl,
}

/// Serves jobs until standard input ends. `wanted` is a part of the device's name, and the
/// subgroup size to ask for where the device has several.
///
/// # Errors
///
/// Where there is no device, or standard output is closed.
pub fn serve(
    interface: Interface,
    wanted: Option<&str>,
    size: Option<u32>,
) -> Result<(), DeviceError> {
    match interface {
        Interface::Vulkan => jobs::serve(vulkan::Vulkan::open(wanted, size)),
        Interface::OpenCl => jobs::serve(opencl::OpenCl::open(wanted, size)),
    }
}
