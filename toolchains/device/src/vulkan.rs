//! A Vulkan device, and one dispatch after the other on it.
#![allow(unsafe_code)]

use std::ffi::CStr;

use ash::vk;
use serde_json::{Value, json};

use crate::capabilities::of_operations;
use crate::error::DeviceError;
use crate::jobs::Executor;

/// A device that is ready.
pub(crate) struct Vulkan {
    _entry: ash::Entry,
    instance: ash::Instance,
    device: ash::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    /// Index of host-visible, coherent memory.
    memory_type: u32,
    about: Value,
    /// The size that pipelines ask for.
    size: Option<u32>,
}

const EXTENSIONS: [&CStr; 3] = [
    ash::khr::shader_maximal_reconvergence::NAME,
    ash::khr::shader_subgroup_rotate::NAME,
    ash::nv::shader_subgroup_partitioned::NAME,
];

impl Vulkan {
    /// Opens the first device whose name has `wanted` in it.
    pub fn open(wanted: Option<&str>, size: Option<u32>) -> Result<Self, DeviceError> {
        // SAFETY: the loader is a well-behaved library, whose handles outlive what is made of them.
        unsafe {
            let entry = ash::Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let create = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry
                .create_instance(&create, None)
                .map_err(DeviceError::driver("vkCreateInstance"))?;
            let devices = instance
                .enumerate_physical_devices()
                .map_err(DeviceError::driver("vkEnumeratePhysicalDevices"))?;
            let mut names = Vec::new();
            for physical in devices {
                let properties = instance.get_physical_device_properties(physical);
                let name = properties
                    .device_name_as_c_str()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default();
                if wanted.is_none_or(|wanted| name.to_lowercase().contains(&wanted.to_lowercase()))
                {
                    return Self::of(entry, instance, physical, &name, size);
                }
                names.push(name);
            }
            Err(DeviceError::NoDevice(names.join(", ")))
        }
    }

    /// # Safety
    ///
    /// `physical` must be of `instance`, and that of `entry`.
    unsafe fn of(
        entry: ash::Entry,
        instance: ash::Instance,
        physical: vk::PhysicalDevice,
        name: &str,
        size: Option<u32>,
    ) -> Result<Self, DeviceError> {
        // SAFETY: as this function's.
        unsafe {
            let known = instance
                .enumerate_device_extension_properties(physical)
                .map_err(DeviceError::driver("vkEnumerateDeviceExtensionProperties"))?;
            let has = |wanted: &CStr| {
                known.iter().any(|it| it.extension_name_as_c_str().is_ok_and(|name| name == wanted))
            };
            let extensions: Vec<&CStr> = EXTENSIONS.into_iter().filter(|name| has(name)).collect();
            let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
            let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
            let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
            let mut maximal = vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR::default();
            let mut rotate = vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR::default();
            let mut features = vk::PhysicalDeviceFeatures2::default()
                .push_next(&mut v11)
                .push_next(&mut v12)
                .push_next(&mut v13);
            // A structure of an extension that is not there must not be linked.
            if has(EXTENSIONS[0]) {
                features = features.push_next(&mut maximal);
            }
            if has(EXTENSIONS[1]) {
                features = features.push_next(&mut rotate);
            }
            instance.get_physical_device_features2(physical, &mut features);
            // Robustness would hide what is out of bounds.
            features.features.robust_buffer_access = vk::FALSE;
            let core = features.features;
            let names: Vec<*const i8> = extensions.iter().map(|name| name.as_ptr()).collect();
            let family = compute_family(&instance, physical)?;
            let queues = [vk::DeviceQueueCreateInfo::default()
                .queue_family_index(family)
                .queue_priorities(&[1.0])];
            let create = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .push_next(&mut features);
            let device = instance
                .create_device(physical, &create, None)
                .map_err(DeviceError::driver("vkCreateDevice"))?;
            let about = Self::describe(
                &instance,
                physical,
                name,
                &Advertised { core, v12, v13, maximal, rotate, partitions: has(EXTENSIONS[2]) },
                size,
            );
            let queue = device.get_device_queue(family, 0);
            let create = vk::CommandPoolCreateInfo::default()
                .queue_family_index(family)
                .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
            let pool = device
                .create_command_pool(&create, None)
                .map_err(DeviceError::driver("vkCreateCommandPool"))?;
            let memory_type = memory_type(&instance, physical)?;
            Ok(Self { _entry: entry, instance, device, queue, pool, memory_type, about, size })
        }
    }

    /// The description for the parent.
    ///
    /// # Safety
    ///
    /// `physical` must be of `instance`.
    unsafe fn describe(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        name: &str,
        advertised: &Advertised<'_>,
        size: Option<u32>,
    ) -> Value {
        let mut groups = vk::PhysicalDeviceSubgroupProperties::default();
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties =
            vk::PhysicalDeviceProperties2::default().push_next(&mut groups).push_next(&mut driver);
        // SAFETY: as this function's.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let text = |name: Result<&CStr, _>| {
            name.map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let (driver_name, driver_info) =
            (text(driver.driver_name_as_c_str()), text(driver.driver_info_as_c_str()));
        let mut capabilities = of_operations(groups.supported_operations);
        let Advertised { core, v12, v13, maximal, rotate, partitions } = advertised;
        let on = |flag: vk::Bool32| flag == vk::TRUE;
        if !partitions {
            capabilities.retain(|name| *name != "GroupNonUniformPartitionedEXT");
        }
        if !on(rotate.shader_subgroup_rotate) {
            capabilities.retain(|name| *name != "GroupNonUniformRotateKHR");
        }
        let types = [
            (v12.shader_int8, "Int8"),
            (core.shader_int16, "Int16"),
            (core.shader_int64, "Int64"),
            (v12.shader_float16, "Float16"),
            (core.shader_float64, "Float64"),
        ];
        capabilities.extend(types.into_iter().filter(|(flag, _)| on(*flag)).map(|(_, name)| name));
        let _ = v13;
        json!({
            "device": format!("{name}, {driver_name} {driver_info}"),
            "subgroup_size": size.unwrap_or(groups.subgroup_size),
            "capabilities": capabilities,
            "extended_types": on(v12.shader_subgroup_extended_types),
            "maximal_reconvergence": on(maximal.shader_maximal_reconvergence),
        })
    }

    /// # Safety
    ///
    /// As in [`Executor::run`].
    unsafe fn dispatch(
        &self,
        words: &[u32],
        buffers: &mut [(u32, Vec<u32>)],
        made: &mut Made,
    ) -> Result<(), DeviceError> {
        let device = &self.device;
        // SAFETY: as this function's.
        unsafe {
            let mut mapped = Vec::new();
            for (_, words) in buffers.iter() {
                mapped.push(self.buffer(words, made)?);
            }
            self.pipeline(words, buffers, made)?;
            let allocate = vk::CommandBufferAllocateInfo::default()
                .command_pool(self.pool)
                .command_buffer_count(1);
            let commands = device
                .allocate_command_buffers(&allocate)
                .map_err(DeviceError::driver("vkAllocateCommandBuffers"))?;
            made.commands.clone_from(&commands);
            let command = commands[0];
            device
                .begin_command_buffer(command, &vk::CommandBufferBeginInfo::default())
                .map_err(DeviceError::driver("vkBeginCommandBuffer"))?;
            let point = vk::PipelineBindPoint::COMPUTE;
            device.cmd_bind_pipeline(command, point, made.pipeline);
            device.cmd_bind_descriptor_sets(command, point, made.layout, 0, &[made.set], &[]);
            device.cmd_dispatch(command, 1, 1, 1);
            let barrier = [vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::SHADER_WRITE)
                .dst_access_mask(vk::AccessFlags::HOST_READ)];
            device.cmd_pipeline_barrier(
                command,
                vk::PipelineStageFlags::COMPUTE_SHADER,
                vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            );
            device
                .end_command_buffer(command)
                .map_err(DeviceError::driver("vkEndCommandBuffer"))?;
            made.fence = device
                .create_fence(&vk::FenceCreateInfo::default(), None)
                .map_err(DeviceError::driver("vkCreateFence"))?;
            let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
            device
                .queue_submit(self.queue, &submit, made.fence)
                .map_err(DeviceError::driver("vkQueueSubmit"))?;
            device
                .wait_for_fences(&[made.fence], true, u64::MAX)
                .map_err(DeviceError::driver("vkWaitForFences"))?;
            for ((_, words), at) in buffers.iter_mut().zip(mapped) {
                std::ptr::copy_nonoverlapping(at, words.as_mut_ptr(), words.len());
            }
            Ok(())
        }
    }

    /// A buffer with these words; where its memory is mapped.
    ///
    /// # Safety
    ///
    /// As in [`Executor::run`].
    unsafe fn buffer(&self, words: &[u32], made: &mut Made) -> Result<*mut u32, DeviceError> {
        let device = &self.device;
        // SAFETY: as this function's; the memory is as large as the words.
        unsafe {
            let size = (words.len().max(1) * 4) as u64;
            let create = vk::BufferCreateInfo::default()
                .size(size)
                .usage(vk::BufferUsageFlags::STORAGE_BUFFER);
            let buffer = device
                .create_buffer(&create, None)
                .map_err(DeviceError::driver("vkCreateBuffer"))?;
            made.buffers.push(buffer);
            let needs = device.get_buffer_memory_requirements(buffer);
            let allocate = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(self.memory_type);
            let memory = device
                .allocate_memory(&allocate, None)
                .map_err(DeviceError::driver("vkAllocateMemory"))?;
            made.memory.push(memory);
            device
                .bind_buffer_memory(buffer, memory, 0)
                .map_err(DeviceError::driver("vkBindBufferMemory"))?;
            let at = device
                .map_memory(memory, 0, needs.size, vk::MemoryMapFlags::empty())
                .map_err(DeviceError::driver("vkMapMemory"))?
                .cast::<u32>();
            std::ptr::copy_nonoverlapping(words.as_ptr(), at, words.len());
            Ok(at)
        }
    }

    /// # Safety
    ///
    /// As in [`Executor::run`].
    unsafe fn pipeline(
        &self,
        words: &[u32],
        buffers: &[(u32, Vec<u32>)],
        made: &mut Made,
    ) -> Result<(), DeviceError> {
        let device = &self.device;
        // SAFETY: as this function's.
        unsafe {
            let bindings: Vec<_> = buffers
                .iter()
                .map(|(binding, _)| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(*binding)
                        .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                        .descriptor_count(1)
                        .stage_flags(vk::ShaderStageFlags::COMPUTE)
                })
                .collect();
            let create = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            made.set_layout = device
                .create_descriptor_set_layout(&create, None)
                .map_err(DeviceError::driver("vkCreateDescriptorSetLayout"))?;
            let layouts = [made.set_layout];
            let create = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            made.layout = device
                .create_pipeline_layout(&create, None)
                .map_err(DeviceError::driver("vkCreatePipelineLayout"))?;
            let create = vk::ShaderModuleCreateInfo::default().code(words);
            made.module = device
                .create_shader_module(&create, None)
                .map_err(DeviceError::driver("vkCreateShaderModule"))?;
            let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
                .required_subgroup_size(self.size.unwrap_or(0));
            let mut stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(made.module)
                .name(c"main");
            if self.size.is_some() {
                stage = stage.push_next(&mut size);
            }
            let create =
                [vk::ComputePipelineCreateInfo::default().stage(stage).layout(made.layout)];
            let pipelines =
                device.create_compute_pipelines(vk::PipelineCache::null(), &create, None).map_err(
                    |(_, result)| DeviceError::Driver { what: "vkCreateComputePipelines", result },
                )?;
            made.pipeline = pipelines[0];
            let sizes = [vk::DescriptorPoolSize::default()
                .ty(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(buffers.len() as u32)];
            let create = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            made.set_pool = device
                .create_descriptor_pool(&create, None)
                .map_err(DeviceError::driver("vkCreateDescriptorPool"))?;
            let allocate = vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(made.set_pool)
                .set_layouts(&layouts);
            made.set = device
                .allocate_descriptor_sets(&allocate)
                .map_err(DeviceError::driver("vkAllocateDescriptorSets"))?[0];
            for ((binding, _), buffer) in buffers.iter().zip(&made.buffers) {
                let info =
                    [vk::DescriptorBufferInfo::default().buffer(*buffer).range(vk::WHOLE_SIZE)];
                let write = [vk::WriteDescriptorSet::default()
                    .dst_set(made.set)
                    .dst_binding(*binding)
                    .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                    .buffer_info(&info)];
                device.update_descriptor_sets(&write, &[]);
            }
            Ok(())
        }
    }
}

impl Executor for Vulkan {
    fn about(&self) -> &Value {
        &self.about
    }

    fn run(&mut self, words: &[u32], buffers: &mut [(u32, Vec<u32>)]) -> Result<(), DeviceError> {
        // SAFETY: every handle is made here, of this device, and destroyed after the queue is
        // idle. What the module does is the driver's matter, which is why this is a process of
        // its own.
        unsafe {
            let mut made = Made::default();
            let done = self.dispatch(words, buffers, &mut made);
            // A lost device cannot be waited for.
            let _ = self.device.queue_wait_idle(self.queue);
            made.destroy(&self.device, self.pool);
            done
        }
    }
}

impl Drop for Vulkan {
    fn drop(&mut self) {
        // SAFETY: nothing made of them is left.
        unsafe {
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// What a device says of its features.
struct Advertised<'a> {
    core: vk::PhysicalDeviceFeatures,
    v12: vk::PhysicalDeviceVulkan12Features<'a>,
    v13: vk::PhysicalDeviceVulkan13Features<'a>,
    maximal: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR<'a>,
    rotate: vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR<'a>,
    partitions: bool,
}

/// What one job made.
#[derive(Default)]
struct Made {
    buffers: Vec<vk::Buffer>,
    memory: Vec<vk::DeviceMemory>,
    set_layout: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    module: vk::ShaderModule,
    pipeline: vk::Pipeline,
    set_pool: vk::DescriptorPool,
    set: vk::DescriptorSet,
    commands: Vec<vk::CommandBuffer>,
    fence: vk::Fence,
}

impl Made {
    /// # Safety
    ///
    /// Everything must be of `device`, and nothing in use.
    unsafe fn destroy(self, device: &ash::Device, pool: vk::CommandPool) {
        // SAFETY: as this function's; null handles are ignored.
        unsafe {
            device.destroy_fence(self.fence, None);
            if !self.commands.is_empty() {
                device.free_command_buffers(pool, &self.commands);
            }
            device.destroy_descriptor_pool(self.set_pool, None);
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_shader_module(self.module, None);
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_descriptor_set_layout(self.set_layout, None);
            self.buffers.iter().for_each(|it| device.destroy_buffer(*it, None));
            self.memory.iter().for_each(|it| device.free_memory(*it, None));
        }
    }
}

/// # Safety
///
/// `physical` must be of `instance`.
unsafe fn compute_family(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
) -> Result<u32, DeviceError> {
    // SAFETY: as this function's.
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    let found =
        families.iter().position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
    let found = found.and_then(|index| u32::try_from(index).ok());
    found.ok_or_else(|| DeviceError::Job("the device has no compute queue".to_owned()))
}

/// # Safety
///
/// `physical` must be of `instance`.
unsafe fn memory_type(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
) -> Result<u32, DeviceError> {
    // SAFETY: as this function's.
    let memory = unsafe { instance.get_physical_device_memory_properties(physical) };
    let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    let types = memory.memory_types_as_slice();
    let found = types.iter().position(|it| it.property_flags.contains(wanted));
    let found = found.and_then(|index| u32::try_from(index).ok());
    found.ok_or_else(|| DeviceError::Job("the device has no memory that the host sees".to_owned()))
}
