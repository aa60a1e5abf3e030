//! What can go wrong on a device.

use thiserror::Error;

/// Why a job, or all of them, cannot be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no Vulkan loader.
    #[error("no Vulkan loader: {0}")]
    Loader(#[from] ash::LoadingError),
    /// A driver's function fails.
    #[error("{what}: {result}")]
    Driver {
        /// Which.
        what: &'static str,
        /// How.
        result: ash::vk::Result,
    },
    /// The same of OpenCL.
    #[error("{what}: {reason}")]
    OpenCl {
        /// Which.
        what: &'static str,
        /// How.
        reason: String,
    },
    /// An OpenCL module that does not build.
    #[error("clBuildProgram: error {code}: {log}")]
    Build {
        /// The error's number.
        code: i32,
        /// What the compiler says.
        log: String,
    },
    /// There is no device, or none of this name.
    #[error("no device; there are {0}")]
    NoDevice(String),
    /// The job cannot be read.
    #[error("{0}")]
    Job(String),
    /// Standard output is closed.
    #[error("standard output: {0}")]
    Output(#[from] std::io::Error),
}

impl DeviceError {
    /// Of a driver's function.
    pub(crate) const fn driver(what: &'static str) -> impl Fn(ash::vk::Result) -> Self {
        move |result| Self::Driver { what, result }
    }

    /// Of a function of OpenCL.
    pub(crate) fn opencl(what: &'static str) -> impl Fn(opencl3::error_codes::ClError) -> Self {
        move |error| Self::OpenCl { what, reason: error.to_string() }
    }

    /// The driver says so.
    pub(crate) const fn is_of_driver(&self) -> bool {
        matches!(self, Self::Driver { .. } | Self::OpenCl { .. } | Self::Build { .. })
    }
}
