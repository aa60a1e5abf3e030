//! An OpenCL device, and one kernel after the other on it.
#![allow(unsafe_code)]

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_TRUE;
use serde_json::{Value, json};

use crate::capabilities::of_extensions;
use crate::error::DeviceError;
use crate::jobs::Executor;
use crate::kernel::EntryPoint;

/// A device that is ready.
pub(crate) struct OpenCl {
    device: Device,
    context: Context,
    queue: CommandQueue,
    about: Value,
}

/// The default size.
const SIZE: u32 = 16;

impl OpenCl {
    /// Opens the first device whose name has `wanted` in it.
    pub fn open(wanted: Option<&str>, size: Option<u32>) -> Result<Self, DeviceError> {
        let mut names = Vec::new();
        for platform in get_platforms().map_err(DeviceError::opencl("clGetPlatformIDs"))? {
            // A platform may have no devices, which is an error to OpenCL.
            for id in platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default() {
                let device = Device::new(id);
                let name = device.name().unwrap_or_default();
                let fits = |wanted: &str| name.to_lowercase().contains(&wanted.to_lowercase());
                if wanted.is_none_or(fits) {
                    return Self::of(device, name.trim(), size.unwrap_or(SIZE));
                }
                names.push(name);
            }
        }
        Err(DeviceError::NoDevice(names.join(", ")))
    }

    fn of(device: Device, name: &str, size: u32) -> Result<Self, DeviceError> {
        let extensions = device.extensions().unwrap_or_default();
        let il = device.il_version().unwrap_or_default();
        if !il.contains("SPIR-V") {
            return Err(DeviceError::NoDevice(format!("{name}, which takes no SPIR-V")));
        }
        let context =
            Context::from_device(&device).map_err(DeviceError::opencl("clCreateContext"))?;
        // SAFETY: the device is the context's.
        let queue = unsafe { CommandQueue::create_with_properties(&context, device.id(), 0, 0) }
            .map_err(DeviceError::opencl("clCreateCommandQueueWithProperties"))?;
        let version = device.driver_version().unwrap_or_default();
        // Subgroups are no extension since OpenCL 2.1, which a device then need not list.
        let groups = device.max_num_sub_groups().is_ok_and(|count| count > 0);
        let has = |wanted: &str| {
            extensions.split_whitespace().any(|name| name == wanted)
                || (groups && wanted == "cl_khr_subgroups")
        };
        let about = json!({
            "device": format!("{name}, driver {version}, {il}"),
            "subgroup_size": size,
            "capabilities": of_extensions(has),
            "extended_types": has("cl_khr_subgroup_extended_types"),
            "maximal_reconvergence": false,
        });
        Ok(Self { device, context, queue, about })
    }

    /// # Safety
    ///
    /// The module must have an entry point that takes these buffers.
    unsafe fn enqueue(
        &self,
        words: &[u32],
        entry: &EntryPoint,
        arguments: &mut [(u32, Vec<u32>)],
    ) -> Result<(), DeviceError> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut program = Program::create_from_il(&self.context, &bytes)
            .map_err(DeviceError::opencl("clCreateProgramWithIL"))?;
        if let Err(code) = program.build(&[self.device.id()], "") {
            let log = program.get_build_log(self.device.id()).unwrap_or_default();
            return Err(DeviceError::Build { code: code.0, log: log.trim().to_owned() });
        }
        let kernel =
            Kernel::create(&program, &entry.name).map_err(DeviceError::opencl("clCreateKernel"))?;
        // SAFETY: what is copied lives until the buffer is made, and a read ends before it returns.
        unsafe {
            let mut buffers: Vec<Buffer<u32>> = Vec::new();
            for (_, words) in arguments.iter_mut() {
                let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
                // OpenCL has no empty buffers.
                let mut copied = if words.is_empty() { vec![0] } else { words.clone() };
                let host = copied.as_mut_ptr().cast();
                let buffer = Buffer::create(&self.context, flags, copied.len(), host);
                buffers.push(buffer.map_err(DeviceError::opencl("clCreateBuffer"))?);
            }
            let size = entry.local_size.map(|size| size as usize);
            let mut call = ExecuteKernel::new(&kernel);
            for buffer in &buffers {
                call.set_arg(buffer);
            }
            call.set_global_work_sizes(&size).set_local_work_sizes(&size);
            call.enqueue_nd_range(&self.queue)
                .map_err(DeviceError::opencl("clEnqueueNDRangeKernel"))?;
            self.queue.finish().map_err(DeviceError::opencl("clFinish"))?;
            for (buffer, (_, words)) in buffers.iter().zip(arguments) {
                if !words.is_empty() {
                    self.queue
                        .enqueue_read_buffer(buffer, CL_TRUE, 0, words, &[])
                        .map_err(DeviceError::opencl("clEnqueueReadBuffer"))?;
                }
            }
        }
        Ok(())
    }
}

impl Executor for OpenCl {
    fn about(&self) -> &Value {
        &self.about
    }

    fn run(&mut self, words: &[u32], buffers: &mut [(u32, Vec<u32>)]) -> Result<(), DeviceError> {
        let entry = EntryPoint::of(words)
            .ok_or_else(|| DeviceError::Job("the module has no kernel".to_owned()))?;
        // SAFETY: the job's arguments are those of its module. What the module does is the
        // driver's matter, which is why this is a process of its own.
        unsafe { self.enqueue(words, &entry, buffers) }
    }
}
