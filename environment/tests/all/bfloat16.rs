//! Numbers in the bfloat16 encoding, beside half-precision ones of the same width.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{found, prepared};
use laneproof_environment::{Body, Environment};
use laneproof_semantics::Specification;

/// What a number of 16 bits may not be used with in this encoding.
const FORBIDDEN: [&str; 14] = [
    "%r = OpFMul %t %x %x",
    "%r = OpFNegate %t %x",
    "%r = OpVectorTimesScalar %v %pair %x",
    "%r = OpMatrixTimesScalar %m %matrix %x",
    "%r = OpOuterProduct %m %pair %pair",
    "%r = OpFOrdLessThan %bool %x %x",
    "%r = OpUnordered %bool %x %x",
    "%r = OpIsNan %bool %x",
    "%r = OpGroupNonUniformFMax %t %subgroup Reduce %x",
    "%r = OpGroupNonUniformShuffle %t %subgroup %x %subgroup",
    "%r = OpGroupNonUniformAllEqual %bool %subgroup %x",
    "%r = OpAtomicLoad %t %shared %one %zero",
    "OpAtomicStore %shared %one %zero %x",
    "%r = OpDPdx %t %x",
];

/// And what it may.
const ALLOWED: [&str; 6] = [
    "%r = OpFConvert %f32 %x",
    "%r = OpConvertFToU %u32 %x",
    "%r = OpSelect %t %yes %x %x",
    "%r = OpDot %t %pair %pair",
    "%r = OpCompositeExtract %t %pair 0",
    "OpStore %shared %x",
];

#[test]
fn numbers_in_the_encoding_are_moved_converted_and_multiplied_in_dot_products_only() {
    let said = |encoding: &str, instruction: &str| {
        let text = format!(
            "; Version: 1.5\nOpCapability Shader\nOpExtension \"SPV_KHR_bfloat16\"\n\
             OpMemoryModel Logical GLSL450\n%bool = OpTypeBool\n%void = OpTypeVoid\n\
             %u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n%t = OpTypeFloat 16 {encoding}\n\
             %v = OpTypeVector %t 2\n%m = OpTypeMatrix %v 2\n%zero = OpConstant %u32 0\n\
             %one = OpConstant %u32 1\n%subgroup = OpConstant %u32 3\n%yes = OpConstantTrue %bool\n\
             %pair = OpConstantNull %v\n%matrix = OpConstantNull %m\n\
             %pointer = OpTypePointer Workgroup %t\n%shared = OpVariable %pointer Workgroup\n\
             %fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%start = OpLabel\n\
             %x = OpLoad %t %shared\n{instruction}\nOpReturn\nOpFunctionEnd\n"
        );
        Environment::ALL.map(|environment| {
            let body = Body::new(environment, Specification::built_in());
            let found = found(&body, &prepared(&text, ""));
            found.iter().filter(|it| it.rule.starts_with("SPV_KHR_bfloat16/")).count()
        })
    };
    for instruction in FORBIDDEN {
        assert_eq!(said("BFloat16KHR", instruction), [1; 3], "{instruction}");
        assert_eq!(said("", instruction), [0; 3], "{instruction}");
    }
    for instruction in ALLOWED {
        assert_eq!(said("BFloat16KHR", instruction), [0; 3], "{instruction}");
    }
}
