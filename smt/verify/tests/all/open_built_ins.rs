//! Built-in variables that a specification file leaves open: two of them need not be equal.

use laneproof_module::load_bytes;
use laneproof_semantics::Specification;
use laneproof_verify::{Options, Side, States, UnknownKind, Verdict, verify};

const OPEN: &str = "document D revision 1 \"D\"
builtin WarpIDNV : u32 section \"S\"
  [1] \"Some number\"
    result is u32(any_bfloat16_nan(u16(0x7f81)))
builtin SMIDNV : u32 section \"S\"
  [2] \"Some number\"
    result is u32(any_bfloat16_nan(u16(0x7f81)))
";

const APART: &str = r#"OpCapability Shader
OpCapability ShaderSMBuiltinsNV
OpExtension "SPV_NV_shader_sm_builtins"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %src "src" %one %other %out
OpEntryPoint GLCompute %tgt "tgt" %one %other %out
OpExecutionMode %src LocalSize 1 1 1
OpExecutionMode %tgt LocalSize 1 1 1
OpDecorate %one BuiltIn WarpIDNV
OpDecorate %other BuiltIn SMIDNV
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%input = OpTypePointer Input %uint
%block = OpTypeStruct %uint
%buffer = OpTypePointer StorageBuffer %block
%element = OpTypePointer StorageBuffer %uint
%fn = OpTypeFunction %void
%zero = OpConstant %uint 0
%yes = OpConstant %uint 1
%one = OpVariable %input Input
%other = OpVariable %input Input
%out = OpVariable %buffer StorageBuffer
%src = OpFunction %void None %fn
%l = OpLabel
%p = OpAccessChain %element %out %zero
OpStore %p %yes
OpReturn
OpFunctionEnd
%tgt = OpFunction %void None %fn
%m = OpLabel
%a = OpLoad %uint %one
%b = OpLoad %uint %other
%same = OpIEqual %bool %a %b
%r = OpSelect %uint %same %yes %zero
%q = OpAccessChain %element %out %zero
OpStore %q %r
OpReturn
OpFunctionEnd
"#;

#[test]
fn built_ins_that_are_left_open_are_not_taken_for_equal() {
    let specification = Specification::built_in().extended_with("open.lps", OPEN).unwrap();
    let program = load_bytes(APART.as_bytes(), "generated").unwrap();
    let side = |name| Side { program: &program, function: program.function(name).unwrap() };
    let states = States { sizes: vec![1], ..States::default() };
    let options = Options { states, ..Options::default() };
    let report = verify(&specification, side("src"), Some(side("tgt")), &options).unwrap();
    assert_eq!(report.verdict, Verdict::Unknown, "{:?}", report.reason);
    let kind = report.unknown.map(|it| it.kind());
    assert_eq!(kind, Some(UnknownKind::Unsupported), "{:?}", report.reason);
}
