//! Layouts of blocks that a device may have or not: with them a module passes, without them it does
//! not, and without a device file that is open.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_environment::{Body, Device, Environment, Severity, validate};
use laneproof_module::list_bytes;
use laneproof_semantics::Specification;

/// A shader with a block of these members in a storage class.
fn shader(storage: &str, members: &str, decorations: &str) -> String {
    let (capability, extension) = match storage {
        "Workgroup" => (
            "OpCapability WorkgroupMemoryExplicitLayoutKHR\n",
            "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n",
        ),
        _ => ("", ""),
    };
    let binding = match storage {
        "Workgroup" => "",
        _ => "OpDecorate %block DescriptorSet 0\nOpDecorate %block Binding 0\n",
    };
    format!(
        "; Version: 1.4\nOpCapability Shader\n{capability}{extension}OpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\" %block\nOpExecutionMode %main LocalSize 32 1 1\n\
         OpDecorate %type Block\nOpMemberDecorate %type 0 Offset 0\n{binding}{decorations}\
         %void = OpTypeVoid\n%f32 = OpTypeFloat 32\n%f32x3 = OpTypeVector %f32 3\n\
         %u32 = OpTypeInt 32 0\n%four = OpConstant %u32 4\n%list = OpTypeArray %f32 %four\n\
         %type = OpTypeStruct {members}\n%pointer = OpTypePointer {storage} %type\n\
         %block = OpVariable %pointer {storage}\n%function = OpTypeFunction %void\n\
         %main = OpFunction %void None %function\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
    )
}

/// What the reference validator has against it in Vulkan.
fn complaints(text: &str, device: Option<&str>) -> Vec<(Severity, String)> {
    let body = Body::new(Environment::Vulkan, Specification::built_in());
    let device = device.map(|it| Device::parse(it, "device").unwrap());
    let listing = list_bytes(text.as_bytes(), "block", Environment::Vulkan.versions()).unwrap();
    let found = validate(&body, &listing, device.as_ref()).into_iter();
    let found = found.filter(|it| it.rule.starts_with("universal/"));
    found.map(|it| (it.severity, it.message)).collect()
}

#[test]
fn layouts_of_blocks_are_facts_of_the_device() {
    const AT_8: &str = "OpMemberDecorate %type 1 Offset 8\n";
    let rows = [
        ("scalar", shader("StorageBuffer", "%f32 %f32x3", AT_8), "1.3"),
        ("uniform", shader("Uniform", "%list", "OpDecorate %list ArrayStride 4\n"), "1.1"),
        ("workgroup", shader("Workgroup", "%f32 %f32x3", AT_8), "1.4"),
    ];
    for (layout, text, version) in rows {
        let device =
            |more: &str| format!("spirv_version = \"1.6\"\napi_version = \"{version}\"\n{more}");
        let without = complaints(&text, Some(&device("")));
        let [(Severity::Error, message)] = &without[..] else { panic!("{layout}: {without:?}") };
        assert!(message.contains("`block_layouts`"), "{layout}: {message}");
        let all = "block_layouts = [\"relaxed\", \"uniform\", \"scalar\", \"workgroup\"]\n";
        assert_eq!(complaints(&text, Some(&device(all))), [], "{layout}");
        assert_eq!(complaints(&text, Device::built_in("vulkan_full")), [], "{layout}");
        let open = complaints(&text, None);
        let [(Severity::Note, message)] = &open[..] else { panic!("{layout}: {open:?}") };
        assert!(message.contains("depends on the device: `block_layouts`"), "{layout}: {message}");
    }
}

/// What a version requires of every device needs no word.
#[test]
fn layouts_that_a_version_requires_are_there() {
    const AT_4: &str = "OpMemberDecorate %type 1 Offset 4\n";
    let relaxed = shader("StorageBuffer", "%f32 %f32x3", AT_4);
    let uniform = shader("Uniform", "%list", "OpDecorate %list ArrayStride 4\n");
    for (text, version) in [(&relaxed, "1.1"), (&uniform, "1.2")] {
        let device = format!("spirv_version = \"1.6\"\napi_version = \"{version}\"\n");
        assert_eq!(complaints(text, Some(&device)), []);
    }
}
