//! The programs as SPIR-V.

use std::fmt::Write as _;

use super::{Atomic, Group, Guard, Op, Operand, Place, Scope, Shape, Side};

const HEAD: &str = "OpCapability Shader
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformArithmetic
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %src \"src\" %id %number %index
OpEntryPoint GLCompute %tgt \"tgt\" %id %number %index
";

const TYPES: &str = "OpName %src \"src\"
OpName %tgt \"tgt\"
OpDecorate %id BuiltIn SubgroupLocalInvocationId
OpDecorate %number BuiltIn SubgroupId
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %four ArrayStride 1
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %given DescriptorSet 0
OpDecorate %given Binding 0
OpDecorate %cells DescriptorSet 0
OpDecorate %cells Binding 1
OpDecorate %res DescriptorSet 0
OpDecorate %res Binding 2
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%two = OpTypeInt 2 0
%main = OpTypeFunction %void
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%u4 = OpConstant %u32 4
%device = OpConstant %u32 1
%workgroup = OpConstant %u32 2
%subgroup = OpConstant %u32 3
%orders_none = OpConstant %u32 8
%orders_buffers = OpConstant %u32 0x48
%orders_workgroup = OpConstant %u32 0x108
%orders_both = OpConstant %u32 0x148
%n0 = OpConstant %two 0
%n1 = OpConstant %two 1
%n2 = OpConstant %two 2
%n3 = OpConstant %two 3
%four = OpTypeArray %two %u4
%block = OpTypeStruct %four
%to_block = OpTypePointer StorageBuffer %block
%to_word = OpTypePointer StorageBuffer %two
%to_shared = OpTypePointer Workgroup %two
%to_u32 = OpTypePointer Input %u32
%given = OpVariable %to_block StorageBuffer
%cells = OpVariable %to_block StorageBuffer
%res = OpVariable %to_block StorageBuffer
%scratch = OpVariable %to_shared Workgroup
%id = OpVariable %to_u32 Input
%number = OpVariable %to_u32 Input
%index = OpVariable %to_u32 Input
";

pub fn module(source: &Side, target: &Side, shape: Shape) -> String {
    let mut text = HEAD.to_owned();
    for name in ["src", "tgt"] {
        writeln!(text, "OpExecutionMode %{name} LocalSize {} 1 1", shape.lanes).unwrap();
    }
    text + TYPES + &function("src", source, shape) + &function("tgt", target, shape)
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Subgroup => "%subgroup",
        Scope::Workgroup => "%workgroup",
        Scope::Device => "%device",
    }
}

/// The words of lanes in a larger workgroup have one bit: see [`super::recipe`].
pub fn given_mask(shape: Shape) -> u8 {
    if shape.lanes > 3 { 1 } else { 3 }
}

fn prologue(side: &Side, shape: Shape) -> String {
    let mut text = String::from("$i = OpLoad %u32 %index\n$index = OpUConvert %two $i\n");
    if side.uses_given() {
        text += "$to = OpAccessChain %to_word %given %u0 $i\n$word = OpLoad %two $to\n";
        writeln!(text, "$x = OpBitwiseAnd %two $word %n{}", given_mask(shape)).unwrap();
    }
    if side.operands().any(|it| matches!(it, Operand::Uniform(_))) {
        text += "$first = OpGroupNonUniformBroadcastFirst %two %subgroup $x\n";
        for more in 0..4 {
            writeln!(text, "$first{more} = OpIAdd %two $first %n{more}").unwrap();
        }
    }
    text += match side.guards(Guard::Odd) {
        true => "$low = OpBitwiseAnd %two $x %n1\n$odd = OpIEqual %bool $low %n1\n",
        false => "",
    };
    text += match side.guards(Guard::Elected) {
        true => "$elected = OpGroupNonUniformElect %bool %subgroup\n",
        false => "",
    };
    text += match side.guards(Guard::FirstSubgroup) {
        true => "$g = OpLoad %u32 %number\n$early = OpIEqual %bool $g %u0\n",
        false => "",
    };
    text += match side.guards(Guard::IndexZero) {
        true => "$zero = OpIEqual %bool $i %u0\n",
        false => "",
    };
    for (place, name) in [(Place::First, "0"), (Place::Second, "1")] {
        if side.touches(place) {
            writeln!(text, "$p{name} = OpAccessChain %to_word %cells %u0 %u{name}").unwrap();
        }
    }
    text
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Number(number) => format!("%n{number}"),
        Operand::Given => "$x".to_owned(),
        Operand::Uniform(more) => format!("$first{more}"),
        Operand::Index => "$index".to_owned(),
        Operand::Result(act) => format!("$r{act}"),
    }
}

fn pointer(place: Place) -> &'static str {
    match place {
        Place::First => "$p0",
        Place::Second => "$p1",
        Place::Scratch => "%scratch",
    }
}

fn semantics([buffers, workgroup]: [bool; 2]) -> &'static str {
    match (buffers, workgroup) {
        (false, false) => "%orders_none",
        (true, false) => "%orders_buffers",
        (false, true) => "%orders_workgroup",
        (true, true) => "%orders_both",
    }
}

/// An instruction whose result has this name, and whether it has one.
fn instruction(name: &str, op: Op) -> (String, bool) {
    let of = operand;
    match op {
        Op::Atomic(Atomic::Store, place, memory, value) => {
            let (at, memory) = (pointer(place), scope(memory));
            (format!("OpAtomicStore {at} {memory} %u0 {}\n", of(value)), false)
        }
        Op::Atomic(kind, place, memory, value) => {
            let (opcode, operands) = match kind {
                Atomic::Add => ("IAdd", of(value)),
                Atomic::Sub => ("ISub", of(value)),
                Atomic::UMin => ("UMin", of(value)),
                Atomic::UMax => ("UMax", of(value)),
                Atomic::SMin => ("SMin", of(value)),
                Atomic::And => ("And", of(value)),
                Atomic::Or => ("Or", of(value)),
                Atomic::Xor => ("Xor", of(value)),
                Atomic::Exchange => ("Exchange", of(value)),
                Atomic::CompareExchange(with) => {
                    ("CompareExchange", format!("%u0 {} {}", of(value), of(with)))
                }
                Atomic::Load => ("Load", String::new()),
                Atomic::Store => unreachable!(),
            };
            let (at, memory) = (pointer(place), scope(memory));
            (format!("{name} = OpAtomic{opcode} %two {at} {memory} %u0 {operands}\n"), true)
        }
        Op::Load(place) => (format!("{name} = OpLoad %two {}\n", pointer(place)), true),
        Op::Store(place, value) => (format!("OpStore {} {}\n", pointer(place), of(value)), false),
        Op::Barrier(execution, memory, orders) => {
            let (execution, memory) = (scope(execution), scope(memory));
            let semantics = semantics(orders);
            (format!("OpControlBarrier {execution} {memory} {semantics}\n"), false)
        }
        Op::Fence(memory, orders) => {
            (format!("OpMemoryBarrier {} {}\n", scope(memory), semantics(orders)), false)
        }
        Op::Group(group, value) => {
            let operation = match group {
                Group::Add => "IAdd %two %subgroup Reduce",
                Group::ExclusiveAdd => "IAdd %two %subgroup ExclusiveScan",
                Group::Max => "UMax %two %subgroup Reduce",
                Group::Or => "BitwiseOr %two %subgroup Reduce",
                Group::Xor => "BitwiseXor %two %subgroup Reduce",
                Group::BroadcastFirst => "BroadcastFirst %two %subgroup",
            };
            (format!("{name} = OpGroupNonUniform{operation} {}\n", of(value)), true)
        }
        Op::Sum(a, b) => (format!("{name} = OpIAdd %two {} {}\n", of(a), of(b)), true),
    }
}

fn function(name: &str, side: &Side, shape: Shape) -> String {
    let mut text = format!("%{name} = OpFunction %void None %main\n$entry = OpLabel\n");
    text += &prologue(side, shape);
    let mut block = "$entry".to_owned();
    for (number, &(guard, op)) in side.acts.iter().enumerate() {
        let result = format!("$r{number}");
        let condition = match guard {
            Guard::All => None,
            _ if matches!(op, Op::Group(..) | Op::Barrier(..)) => None,
            Guard::Elected => Some("$elected".to_owned()),
            Guard::Odd => Some("$odd".to_owned()),
            Guard::IndexZero => Some("$zero".to_owned()),
            Guard::FirstSubgroup => Some("$early".to_owned()),
            Guard::Odds(act) => {
                writeln!(text, "$low{number} = OpBitwiseAnd %two $r{act} %n1").unwrap();
                writeln!(text, "$odd{number} = OpIEqual %bool $low{number} %n1").unwrap();
                Some(format!("$odd{number}"))
            }
        };
        let Some(condition) = condition else {
            let (line, has_result) = instruction(&result, op);
            text += &line;
            if !has_result {
                writeln!(text, "{result} = OpCopyObject %two %n0").unwrap();
            }
            continue;
        };
        let (line, has_result) = instruction(&format!("$d{number}"), op);
        let done = if has_result { format!("$d{number}") } else { "%n0".to_owned() };
        write!(
            text,
            "OpSelectionMerge $merge{number} None\n\
             OpBranchConditional {condition} $then{number} $merge{number}\n\
             $then{number} = OpLabel\n{line}OpBranch $merge{number}\n$merge{number} = OpLabel\n\
             {result} = OpPhi %two {done} $then{number} %n0 {block}\n"
        )
        .unwrap();
        block = format!("$merge{number}");
    }
    if let Some(result) = side.result {
        text += "$own = OpAccessChain %to_word %res %u0 $i\n";
        writeln!(text, "OpStore $own {}", operand(result)).unwrap();
    }
    text += "OpReturn\nOpFunctionEnd\n";
    text.replace('$', &format!("%{name}_"))
}
