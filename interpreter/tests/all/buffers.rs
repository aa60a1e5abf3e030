//! Functions with pointers into buffers as arguments; block reads and writes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::load;
use laneproof_interpreter::{
    Buffer, Call, CallArgument, Finished, Reachable, RunOptions, Sizes, Stop, Zeros, call,
};
use laneproof_module::Program;

const MODULE: &str = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability SubgroupBufferBlockIOINTEL
OpExtension "SPV_INTEL_subgroups"
OpMemoryModel Physical64 OpenCL
OpName %copy "copy"
OpName %strided "strided"
OpName %move "move"
OpName %id "id"
OpName %max "max"
OpDecorate %id BuiltIn SubgroupLocalInvocationId
OpDecorate %max BuiltIn SubgroupMaxSize
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uint2 = OpTypeVector %uint 2
%pinput = OpTypePointer Input %uint
%global = OpTypePointer CrossWorkgroup %uint
%fcopy = OpTypeFunction %void %global %global
%fread = OpTypeFunction %uint2 %global
%id = OpVariable %pinput Input
%max = OpVariable %pinput Input
%copy = OpFunction %void None %fcopy
%to = OpFunctionParameter %global
%from = OpFunctionParameter %global
%l1 = OpLabel
%block = OpSubgroupBlockReadINTEL %uint2 %from
OpSubgroupBlockWriteINTEL %to %block
OpReturn
OpFunctionEnd
%strided = OpFunction %uint2 None %fread
%p = OpFunctionParameter %global
%l2 = OpLabel
%i = OpLoad %uint %id
%m = OpLoad %uint %max
%j = OpIAdd %uint %i %m
%p0 = OpInBoundsPtrAccessChain %global %p %i
%p1 = OpInBoundsPtrAccessChain %global %p %j
%v0 = OpLoad %uint %p0 Aligned 4
%v1 = OpLoad %uint %p1 Aligned 4
%v = OpCompositeConstruct %uint2 %v0 %v1
OpReturnValue %v
OpFunctionEnd
%move = OpFunction %uint2 None %fread
%q = OpFunctionParameter %global
%l3 = OpLabel
%w = OpSubgroupBlockReadINTEL %uint2 %q
OpReturnValue %w
OpFunctionEnd
"#;

/// A buffer of the words 0, 1, 2 and so on.
fn words(count: u32) -> Buffer {
    (0..count).flat_map(|word| word.to_le_bytes().map(Some)).collect()
}

fn run(
    program: &Program,
    name: &str,
    (sizes, active): (Sizes, u128),
    buffer: &Buffer,
    offsets: &[u64],
) -> Result<Finished, Stop> {
    let function = program.function(name).unwrap().id;
    let arguments =
        offsets.iter().map(|offset| CallArgument::Pointer { buffer: 0, offset: *offset }).collect();
    let buffers = [buffer.clone()];
    let options = RunOptions {
        reachable: Reachable { buffers: &buffers, ..Reachable::default() },
        ..RunOptions::default()
    };
    call(&Call { program, function, sizes, active, arguments }, &options, &mut Zeros)
}

#[test]
fn a_block_read_is_strided_by_the_largest_size() {
    let program = load(MODULE);
    let mut compared = 0;
    for (existing, subgroup, max) in [(4, 4, 4), (4, 4, 8), (3, 4, 8), (8, 8, 8), (1, 1, 2)] {
        let sizes = Sizes { existing, subgroup, max };
        let state = (sizes, u128::MAX >> (128 - existing));
        let block = run(&program, "move", state, &words(32), &[8]).unwrap();
        let strided = run(&program, "strided", state, &words(32), &[8]).unwrap();
        assert_eq!(block.results, strided.results, "{sizes:?}");
        for lane in 0..existing {
            let value = block.results[lane as usize].clone().unwrap().0;
            let expected = [2 + lane, 2 + lane + max].map(|word| Some(u64::from(word)));
            assert_eq!(value, expected);
            compared += 1;
        }
    }
    assert_eq!(compared, 20);
}

#[test]
fn a_block_write_leaves_its_words_in_the_buffer() {
    let program = load(MODULE);
    let state = (Sizes { existing: 2, subgroup: 2, max: 4 }, 3);
    let left = run(&program, "copy", state, &words(24), &[64, 0]).unwrap().buffers;
    let mut expected = words(24);
    for (to, from) in [(16, 0), (17, 1), (20, 4), (21, 5)] {
        expected.copy_within(4 * from..4 * from + 4, 4 * to);
    }
    assert_eq!(left, [expected]);
}

#[test]
fn a_block_operation_has_its_demands() {
    let program = load(MODULE);
    let full = (Sizes::full(4), 15);
    let reason = |state, name: &str, count, offsets: &[u64]| match run(
        &program,
        name,
        state,
        &words(count),
        offsets,
    ) {
        Err(Stop::UndefinedBehavior { reason, .. }) => reason.to_string(),
        other => panic!("{other:?}"),
    };
    let divergent = (Sizes::full(4), 7);
    assert!(reason(divergent, "move", 32, &[0]).contains("not every lane"));
    assert!(reason(full, "move", 32, &[2]).contains("4 bytes"));
    assert!(reason(full, "copy", 32, &[8, 0]).contains("16 bytes"));
    assert!(reason(full, "move", 7, &[0]).contains("outside"));
    assert!(run(&program, "move", full, &words(8), &[0]).is_ok());
}

#[test]
fn a_pointer_and_data_are_told_apart() {
    let program = load(MODULE);
    let function = program.function("move").unwrap().id;
    let sizes = Sizes::full(1);
    let wrong = [
        CallArgument::Uniform(laneproof_interpreter::LaneValue::scalar(0)),
        CallArgument::Pointer { buffer: 1, offset: 0 },
    ];
    for argument in wrong {
        let request =
            Call { program: &program, function, sizes, active: 1, arguments: vec![argument] };
        let stop = call(&request, &RunOptions::default(), &mut Zeros).unwrap_err();
        assert!(matches!(stop, Stop::BadCall { .. }), "{stop}");
    }
}

#[test]
fn a_module_s_variable_stands_for_a_buffer() {
    // Every active lane adds its bit to the second word; the others keep out.
    let text = r#"; Version: 1.3
OpCapability Shader
OpCapability GroupNonUniform
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 1 1 1
OpName %main "main"
OpName %buffer "buffer"
OpDecorate %id BuiltIn SubgroupLocalInvocationId
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 4
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%block = OpTypeStruct %uint
%pblock = OpTypePointer StorageBuffer %block
%pword = OpTypePointer StorageBuffer %uint
%pinput = OpTypePointer Input %uint
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%device = OpConstant %uint 1
%id = OpVariable %pinput Input
%buffer = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%i = OpLoad %uint %id
%bit = OpShiftLeftLogical %uint %u1 %i
%word = OpAccessChain %pword %buffer %u0
%old = OpAtomicOr %uint %word %device %u0 %bit
OpReturn
OpFunctionEnd
"#;
    let program = load(text);
    let function = program.function("main").unwrap().id;
    let variable =
        program.globals.values().find(|global| global.binding == Some((0, 0))).unwrap().id;
    let buffers = [words(2)];
    let variables = [(variable, 0)];
    let options = RunOptions {
        reachable: Reachable { buffers: &buffers, variables: &variables, ..Reachable::default() },
        ..RunOptions::default()
    };
    let sizes = Sizes::full(8);
    let request = Call { program: &program, function, sizes, active: 0xa5, arguments: Vec::new() };
    let left = call(&request, &options, &mut Zeros).unwrap().buffers;
    let mut expected = words(1);
    expected.extend(0xa5u32.to_le_bytes().map(Some));
    assert_eq!(left, [expected]);
    let out_of_bounds = [(variable, 1)];
    let options = RunOptions {
        reachable: Reachable { variables: &out_of_bounds, ..options.reachable },
        ..options
    };
    assert!(matches!(call(&request, &options, &mut Zeros), Err(Stop::BadCall { .. })));
}
