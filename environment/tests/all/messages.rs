//! What diagnostics say: names as the module has them, what an operand is where a rule asks for
//! something else, and a place even where something is missing.

use laneproof_environment::{Body, Diagnostic, Environment};
use laneproof_semantics::Specification;

use crate::support::{found, prepared};

fn said(environment: Environment, device: &str, text: &str) -> Vec<Diagnostic> {
    found(&Body::new(environment, Specification::built_in()), &prepared(text, device))
}

/// A compute shader with these declarations, types and instructions, in SPIR-V 1.3.
fn shader(head: &str, types: &str, body: &str) -> String {
    format!(
        "; Version: 1.3\nOpCapability Shader\n{head}\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 32 1 1\n\
         %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%bits = OpTypeVector %u32 4\n\
         %triple = OpTypeVector %u32 3\n%subgroup = OpConstant %u32 3\n%x = OpUndef %u32\n\
         %c = OpConstant %u32 4\n{types}\n%fn = OpTypeFunction %void\n\
         %main = OpFunction %void None %fn\n%start = OpLabel\n%y = OpIAdd %u32 %x %c\n{body}\n\
         OpReturn\nOpFunctionEnd\n"
    )
}

/// An instruction, a capability and an operation that two vendors have have the name of the one whose
/// extension is declared.
#[test]
fn names_are_those_of_the_declared_extension() {
    let names = |vendor: &str| -> Vec<String> {
        let head = format!(
            "OpCapability GroupNonUniformPartitionedNV\nOpCapability GroupNonUniformBallot\n\
             OpExtension \"SPV_{vendor}_shader_subgroup_partitioned\""
        );
        let body = "%p = OpGroupNonUniformPartitionNV %triple %y\n\
            %n = OpGroupNonUniformBallotBitCount %u32 %subgroup PartitionedReduceNV %b";
        let text = shader(&head, "%b = OpConstantNull %bits", body);
        let all = said(Environment::Vulkan, "vulkan_plain", &text);
        let words = all.into_iter().flat_map(|it| {
            [Some(it.message), it.instruction, it.shown].into_iter().flatten().collect::<Vec<_>>()
        });
        words.filter(|it| it.contains("Partition")).collect()
    };
    for (own, other) in [("NV", "EXT"), ("EXT", "NV")] {
        let names = names(own);
        for name in
            ["OpGroupNonUniformPartition", "GroupNonUniformPartitioned", "PartitionedReduce"]
        {
            let [own, other] = [own, other].map(|vendor| format!("{name}{vendor}"));
            assert!(names.iter().any(|it| it.contains(&own)), "no {own} in {names:#?}");
            assert!(!names.iter().any(|it| it.contains(&other)), "{other} in {names:#?}");
        }
    }
}

/// What must be a constant is said to be the result of an instruction; that it may be left out, too, is
/// said in words.
#[test]
fn what_must_be_constant_is_said_to_be_computed() {
    let text = shader(
        "OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformRotateKHR\n\
         OpExtension \"SPV_KHR_subgroup_rotate\"",
        "",
        "%b = OpGroupNonUniformBroadcast %u32 %subgroup %x %y\n\
         %r = OpGroupNonUniformRotateKHR %u32 %subgroup %x %c %y",
    );
    let all = said(Environment::Vulkan, "vulkan_full", &text);
    let message = |rule: &str| -> String {
        all.iter().find(|it| it.rule == rule).map(|it| it.message.clone()).unwrap_or_default()
    };
    let id = message("vulkan/id");
    assert!(id.starts_with("`Id` is the result of `OpIAdd`; expected a constant"), "{id}");
    let size = message("SPV_KHR_subgroup_rotate/cluster-size");
    assert_eq!(size, "`ClusterSize` is the result of `OpIAdd`; expected a constant or none");
}

/// An extension that is missing is missing where the capability is declared that needs it.
#[test]
fn what_is_missing_has_a_place() {
    let text = shader("OpCapability GroupNonUniformRotateKHR", "", "");
    let all = said(Environment::Vulkan, "vulkan_full", &text);
    let lacking = all.iter().find(|it| it.rule == "SPV_KHR_subgroup_rotate/extension").unwrap();
    assert_eq!((lacking.instruction.as_deref(), lacking.line), (Some("OpCapability"), Some(3)));
}
