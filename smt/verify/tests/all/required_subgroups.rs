//! Kernels that require a size or a number of subgroups, compared with what the text says of built-in
//! variables there: no other state refutes, and a size without a state is not among the proved ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_module::load_text_unvalidated;
use laneproof_semantics::Specification;
use laneproof_verify::{Options as Asked, Side, States, Verdict, verify};

/// What is stored, and by which built-in variable.
const VARIABLES: [(&str, &str); 3] =
    [("size", "SubgroupSize"), ("max", "SubgroupMaxSize"), ("number", "NumSubgroups")];

fn module(modes: &str, variable: &str, constant: u32) -> String {
    let entry = |name: &str, value: &str| {
        format!(
            "%{name} = OpFunction %void None %function\n%{name}_p = OpFunctionParameter %to_global\n\
             %{name}_entry = OpLabel\n%{name}_lane = OpLoad %u32 %id\n\
             %{name}_place = OpPtrAccessChain %to_global %{name}_p %{name}_lane\n{value}\
             OpReturn\nOpFunctionEnd\n"
        )
    };
    let loaded =
        format!("%src_value = OpLoad %u32 %{variable}\nOpStore %src_place %src_value Aligned 4\n");
    let both = ["src", "tgt"].map(|name| modes.replace("MAIN", name)).concat();
    let decorations: String = VARIABLES
        .map(|(name, built_in)| format!("OpDecorate %{name} BuiltIn {built_in}\n"))
        .concat();
    let variables: String =
        VARIABLES.map(|(name, _)| format!("%{name} = OpVariable %to_input Input\n")).concat();
    format!(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability SubgroupDispatch\n\
         OpCapability Groups\nOpMemoryModel Physical64 OpenCL\n\
         OpEntryPoint Kernel %src \"src\" %id %size %max %number\n\
         OpEntryPoint Kernel %tgt \"tgt\" %id %size %max %number\n{both}\
         OpDecorate %id BuiltIn SubgroupLocalInvocationId\n{decorations}\
         %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%to_input = OpTypePointer Input %u32\n\
         %to_global = OpTypePointer CrossWorkgroup %u32\n%constant = OpConstant %u32 {constant}\n\
         %function = OpTypeFunction %void %to_global\n%id = OpVariable %to_input Input\n{variables}{}{}",
        entry("src", &loaded),
        entry("tgt", "OpStore %tgt_place %constant Aligned 4\n")
    )
}

fn verdict(text: &str) -> Verdict {
    let program =
        load_text_unvalidated(text, "kernels").unwrap_or_else(|it| panic!("{it}\n{text}"));
    let [a, b] = ["src", "tgt"].map(|name| {
        let function = program.function(name).unwrap();
        Side { program: &program, function }
    });
    let states = States { sizes: vec![1, 2, 4, 8, 16], ..States::default() };
    let options = Asked { states, ..Asked::default() };
    verify(Specification::built_in(), a, Some(b), &options).unwrap().verdict
}

#[test]
fn what_kernels_require_holds_of_their_subgroups() {
    let mut asked = 0;
    for full in [2, 4, 8] {
        for invocations in [1_u32, 3, 4, 8, 12] {
            let modes = format!(
                "OpExecutionMode %MAIN SubgroupSize {full}\nOpExecutionMode %MAIN LocalSize {invocations} 1 1\n"
            );
            // All subgroups are meant, as they share memory, and the last may have fewer lanes.
            let uneven = invocations > full && invocations % full != 0;
            let values = [invocations.min(full), full, invocations.div_ceil(full)];
            for ((variable, _), value) in VARIABLES.into_iter().zip(values) {
                let right = match variable == "size" && uneven {
                    true => Verdict::Refuted,
                    false => Verdict::Proved,
                };
                for (constant, expected) in [(value, right), (value + 1, Verdict::Refuted)] {
                    let found = verdict(&module(&modes, variable, constant));
                    assert_eq!(found, expected, "{variable} is {constant}:\n{modes}");
                    asked += 1;
                }
            }
        }
    }
    for number in 1..=3 {
        let modes = format!("OpExecutionMode %MAIN SubgroupsPerWorkgroup {number}\n");
        assert_eq!(verdict(&module(&modes, "number", number)), Verdict::Proved, "{modes}");
        assert_eq!(verdict(&module(&modes, "number", number + 1)), Verdict::Refuted, "{modes}");
        asked += 2;
    }
    // A workgroup of 12 has that many subgroups only where these have so many lanes.
    for (number, lanes) in [(1, 12), (3, 4)] {
        let modes = format!(
            "OpExecutionMode %MAIN SubgroupsPerWorkgroup {number}\nOpExecutionMode %MAIN LocalSize 12 1 1\n"
        );
        assert_eq!(verdict(&module(&modes, "size", lanes)), Verdict::Proved, "{modes}");
        assert_eq!(verdict(&module(&modes, "size", 8)), Verdict::Refuted, "{modes}");
        asked += 2;
    }
    assert_eq!(asked, 100);
}
