//! Which answer it is: an error, a warning, a note, or none.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::{found, lines, prepared};
use laneproof_environment::{Body, Environment, validate};
use laneproof_semantics::Specification;

fn said(environment: Environment, device: &str, text: &str) -> Vec<String> {
    let body = Body::new(environment, Specification::built_in());
    lines(&found(&body, &prepared(text, device)))
}

fn count(said: &[String], beginning: &str, words: &str) -> usize {
    said.iter().filter(|it| it.starts_with(beginning) && it.contains(words)).count()
}

/// A kernel with one parameter.
fn kernel(head: &str, types: &str, parameter: &str, body: &str) -> String {
    format!(
        "; Version: 1.3\nOpCapability Kernel\nOpCapability Addresses\nOpCapability Groups\n{head}\n\
         OpMemoryModel Physical64 OpenCL\n%void = OpTypeVoid\n%bool = OpTypeBool\n\
         %u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n%pair = OpTypeVector %u32 2\n\
         %none = OpConstant %u32 0\n%device = OpConstant %u32 1\n%subgroup = OpConstant %u32 3\n\
         %null_pair = OpConstantNull %pair\n{types}\n%fn = OpTypeFunction %void {parameter}\n\
         %main = OpFunction %void None %fn\n%p = OpFunctionParameter {parameter}\n\
         %start = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
    )
}

const BLOCKS: &str = "OpCapability SubgroupImageBlockIOINTEL\nOpExtension \"SPV_INTEL_subgroups\"";

/// What an extension's document does not list is illegal; an environment's lists are promises.
#[test]
fn an_extensions_list_is_no_promise() {
    let read = |ty: &str| {
        let types = format!(
            "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n\
             %at_type = OpTypeVector {ty} 2\n%at = OpConstantNull %at_type"
        );
        let body = "%r = OpSubgroupImageBlockReadINTEL %u32 %p %at";
        let text = kernel(BLOCKS, &types, "%image", body);
        count(
            &said(Environment::LevelZero, "level_zero_full", &text),
            "error SPV_INTEL_subgroups/coordinate-type",
            "",
        )
    };
    assert_eq!([read("%u32"), read("%f32")], [0, 1]);
}

/// Where it depends on the device whether a list ends, or whether behavior is undefined, that is a note.
#[test]
fn what_depends_on_the_device_is_a_note() {
    let head = "OpCapability GroupNonUniformVote";
    let body = "%r = OpGroupNonUniformAllEqual %bool %subgroup %null_pair";
    let text = kernel(head, "", "%u32", body);
    for (device, answer) in [("", "note"), ("level_zero_full", "warning")] {
        let said = said(Environment::LevelZero, device, &text);
        assert_eq!(count(&said, answer, "`Value` is"), 1, "{said:#?}");
        assert_eq!(count(&said, "", "`Value` is"), 1, "{said:#?}");
    }
    let format = |format: &str, device: &str| {
        let types = format!("%image = OpTypeImage %void 2D 0 0 0 0 {format} ReadOnly");
        let body = "%r = OpSubgroupImageBlockReadINTEL %u32 %p %null_pair";
        let text = kernel(BLOCKS, &types, "%image", body);
        let said = said(Environment::OpenCl, device, &text);
        let words = "undefined behavior where this is reached";
        [count(&said, "note", words), count(&said, "warning", words)]
    };
    assert_eq!(format("Rgba32f", ""), [1, 0]);
    assert_eq!(format("Rgba32f", "opencl_full"), [0, 1]);
    assert_eq!(format("Rgba8", ""), [0, 0]);
}

/// The volatile numbers of a ray's subgroup may be read component by component.
#[test]
fn a_component_of_a_built_in_is_read_as_the_whole_is() {
    let read = |access: &str, stage: &str| {
        let text = format!(
            "; Version: 1.5\nOpCapability Shader\nOpCapability RayTracingKHR\n\
             OpCapability VulkanMemoryModel\nOpMemoryModel Logical Vulkan\n\
             OpEntryPoint {stage} %main \"main\" %mask\nOpDecorate %mask BuiltIn SubgroupEqMask\n\
             %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%ballot = OpTypeVector %u32 4\n\
             %one = OpConstant %u32 1\n%all = OpTypePointer Input %ballot\n\
             %part = OpTypePointer Input %u32\n%mask = OpVariable %all Input\n\
             %fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%start = OpLabel\n\
             %p = OpAccessChain %part %mask %one\n%x = OpLoad %u32 %p {access}\nOpReturn\n\
             OpFunctionEnd\n"
        );
        let said = said(Environment::Vulkan, "vulkan_full", &text);
        count(&said, "error vulkan/memory-access", "").min(1)
    };
    assert_eq!(read("", "RayGenerationKHR"), 1);
    assert_eq!(read("Aligned 4", "RayGenerationKHR"), 1);
    assert_eq!(read("Volatile", "RayGenerationKHR"), 0);
    assert_eq!(read("Volatile|Aligned 4", "RayGenerationKHR"), 0);
    assert_eq!(read("", "AnyHitKHR"), 0);
}

/// A cycle is an entry point's where its call graph has it; a function that calls itself is recursive
/// in any place.
#[test]
fn a_cycle_that_no_entry_point_reaches_is_recursion_only() {
    let text = |reached: &str| {
        format!(
            "; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n\
             %start = OpLabel\n{reached}\nOpReturn\nOpFunctionEnd\n\
             %again = OpFunction %void None %fn\n%first = OpLabel\n\
             %b = OpFunctionCall %void %again\nOpReturn\nOpFunctionEnd\n"
        )
    };
    let cycles = |reached| {
        let said = said(Environment::Vulkan, "vulkan_full", &text(reached));
        count(&said, "error vulkan/call-graph", "")
    };
    assert_eq!([cycles(""), cycles("%a = OpFunctionCall %void %again")], [0, 1]);
}

/// Integers with a sign are other types than those without.
#[test]
fn a_sign_makes_another_type() {
    let types = "%i32 = OpTypeInt 32 1\n%global = OpTypePointer CrossWorkgroup %i32";
    let body = "%r = OpAtomicLoad %i32 %p %device %none";
    let said = said(Environment::LevelZero, "level_zero_full", &kernel("", types, "%global", body));
    assert_eq!(count(&said, "warning", "result type is `i32`"), 1, "{said:#?}");
}

/// Undefined behavior is proved if it is at each size that the device may choose.
#[test]
fn a_size_at_which_behavior_is_defined_is_enough() {
    let rotated = |size: u32, sizes: &str| {
        let types = format!("%size = OpConstant %u32 {size}");
        let head = "OpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"";
        let body = "%r = OpGroupNonUniformRotateKHR %u32 %subgroup %p %device %size";
        let device = format!(
            "spirv_version = \"1.3\"\napi_version = \"3.0\"\nsubgroups = true\n\
             extensions = [\"cl_khr_subgroup_rotate\"]\n[subgroup]\nsizes = [{sizes}]\n"
        );
        let said = said(Environment::OpenCl, &device, &kernel(head, &types, "%u32", body));
        count(&said, "warning opencl/undefined-behavior", "not larger than the subgroup")
    };
    assert_eq!([rotated(32, "16"), rotated(32, "16, 32"), rotated(32, "32, 16")], [1, 0, 0]);
    assert_eq!(rotated(64, "16, 32"), 1);
}

/// The reference validator is contradicted where the device has the extension that does so.
#[test]
fn an_extension_that_the_device_lacks_contradicts_nothing() {
    let complaints = |extensions: &str| {
        let device = format!(
            "spirv_version = \"1.3\"\napi_version = \"3.0\"\nimages = true\n\
             workgroup_collectives = true\nextensions = [{extensions}]\n"
        );
        let types = "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n\
            %quad = OpTypeVector %f32 4";
        let body = "%r = OpImageRead %quad %p %null_pair Lod %none";
        let text = kernel("OpCapability ImageBasic\nOpCapability Linkage", types, "%image", body);
        let module = prepared(&text, &device);
        let body = Body::new(Environment::OpenCl, Specification::built_in());
        let said = lines(&validate(&body, &module.listing, module.device.as_ref()));
        count(&said, "error", "Lod can only be used with").min(1)
    };
    assert_eq!([complaints(""), complaints("\"cl_khr_mipmap_image\"")], [1, 0]);
}

/// The format that a helper is given may be known once it is inlined; a kernel's argument is not.
#[test]
fn a_format_that_a_helper_is_given_may_be_known() {
    let printed = |entry: &str| {
        let text = kernel(
            "OpCapability Int8\n%set = OpExtInstImport \"OpenCL.std\"",
            "%u8 = OpTypeInt 8 0\n%format = OpTypePointer UniformConstant %u8",
            "%format",
            "%r = OpExtInst %u32 %set printf %p",
        );
        let text = text.replace("OpenCL\n%void", &format!("OpenCL\n{entry}\n%void"));
        count(&said(Environment::OpenCl, "opencl_full", &text), "error opencl/printf-format", "")
    };
    assert_eq!([printed(""), printed("OpEntryPoint Kernel %main \"main\"")], [0, 1]);
}

/// A format is not known at compile time where its pointer is read or made of a number, however it is
/// passed on.
#[test]
fn a_format_is_computed_where_its_pointer_is() {
    let printed = |made: &str| {
        let text = kernel(
            "OpCapability Int8\nOpCapability Int64\n%set = OpExtInstImport \"OpenCL.std\"\n\
             %others = OpExtInstImport \"NonSemantic.Others\"",
            "%u8 = OpTypeInt 8 0\n%format = OpTypePointer UniformConstant %u8\n\
             %place = OpTypePointer Function %format\n%u64 = OpTypeInt 64 0\n\
             %number = OpConstant %u64 64\n%a = OpConstant %u8 97\n%text = OpTypeArray %u8 %device\n\
             %words = OpConstantComposite %text %a\n%all = OpTypePointer UniformConstant %text\n\
             %literal = OpVariable %all UniformConstant %words",
            "%u32",
            &format!("%v = OpVariable %place Function\n{made}\n%r = OpExtInst %u32 %set printf %f"),
        );
        count(&said(Environment::OpenCl, "opencl_full", &text), "error opencl/printf-format", "")
    };
    for made in [
        "%f = OpLoad %format %v",
        "%f = OpConvertUToPtr %format %number",
        "%n = OpConvertUToPtr %format %number\n%f = OpBitcast %format %n",
        "%n = OpLoad %format %v\n%f = OpInBoundsPtrAccessChain %format %n %none",
    ] {
        assert_eq!(printed(made), 1, "{made}");
    }
    for made in [
        "%f = OpInBoundsAccessChain %format %literal %none",
        "%f = OpBitcast %format %literal",
        // The same number in another set is another instruction.
        "%g = OpLoad %format %v\n%o = OpExtInst %void %others 184 %g\n%f = OpBitcast %format %literal",
    ] {
        assert_eq!(printed(made), 0, "{made}");
    }
}

/// Compilers write a barrier of OpenCL C in one order of all. A later device whose fences have no such
/// order need not take it, which a reading decides; a device of OpenCL 1.2 takes no other.
#[test]
fn a_barrier_in_one_order_is_an_error_on_no_device() {
    let said = |order: u32, device: &str| {
        let types = format!("%workgroup = OpConstant %u32 2\n%order = OpConstant %u32 {order}");
        let text = kernel("", &types, "%u32", "OpControlBarrier %workgroup %workgroup %order");
        let body = Body::new(Environment::OpenCl, Specification::built_in());
        let found = found(&body, &prepared(&text, device));
        let of_order = found.into_iter().filter(|it| it.rule == "opencl/semantics");
        of_order.map(|it| (it.severity.name(), it.reading.is_some())).collect::<Vec<_>>()
    };
    let (old, all) = ("api_version = \"1.2\"", 0x110);
    assert_eq!(said(all, "opencl_plain"), [("warning", true)]);
    assert_eq!(said(all, "opencl_full"), []);
    assert_eq!(said(all, old), []);
    assert_eq!(said(all, ""), [("note", false)]);
    assert_eq!(said(0x108, "opencl_plain"), []);
    assert_eq!(said(0x108, old), [("error", false)]);
}
