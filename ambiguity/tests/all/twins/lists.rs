//! Lists of an environment that should agree.

use super::Pair;

pub const PAIRS: [Pair; 15] = [
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformShuffle
  [2] \"which move these\"
    accepts Value of OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor : FAULT
  [3] \"by these\"
    accepts Id of OpGroupNonUniformShuffle : scalar of u32
    accepts Mask of OpGroupNonUniformShuffleXor : scalar of u32
",
        sound: "scalar or vector of int, f32",
        fault: "scalar or vector(2, 8) of u32, u64",
        found: &["gap/capability-not-accepted/TWIN_environment"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformBallot, GroupNonUniformShuffle
  [2] \"Broadcasts move these\"
    accepts Value of OpGroupNonUniformBroadcast, OpGroupNonUniformBroadcastFirst : scalar or vector(2) of u32
    accepts Id of OpGroupNonUniformBroadcast : scalar of u32
  [3] \"Shuffles move these\"
    accepts Value of OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor : FAULT of u32
    accepts Id of OpGroupNonUniformShuffle : scalar of u32
    accepts Mask of OpGroupNonUniformShuffleXor : scalar of u32
",
        sound: "scalar or vector(2)",
        fault: "scalar",
        found: &["gap/vectors-for-some/TWIN_environment/Value-of-Group"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformShuffle
  [2] \"Shuffles move these\"
    accepts Value of OpGroupNonUniformShuffle : scalar of u32, FAULT
    accepts Id of OpGroupNonUniformShuffle : scalar of u32
  [3] \"or these\"
    accepts Value of OpGroupNonUniformShuffleXor : scalar of u32
    accepts Mask of OpGroupNonUniformShuffleXor : scalar of u32
",
        sound: "u32",
        fault: "f32",
        found: &["gap/component-types-for-some/TWIN_environment/Value-of-Group-f32"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"Atomics have these results\" accepts Result of FAULT : scalar of u32
",
        sound: "OpAtomicLoad, OpAtomicExchange",
        fault: "OpAtomicLoad, OpAtomicFlagTestAndSet",
        found: &["gap/no-type-of-the-list/TWIN_environment/bool"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Arguments\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"Arguments have these types\" accepts only Type of OpFunctionParameter : OpTypePointer
  [3] \"into these memories\"
    accepts only StorageClass of Type of OpFunctionParameter : Workgroup when Type is OpTypePointer
  [4] \"to these types\" FAULT
",
        sound: "accepts only Type of Type of OpFunctionParameter : scalar of u32 when Type is OpTypePointer",
        fault: "accepts Capability : Kernel",
        found: &["gap/part-of-a-type-not-given/TWIN_environment/Type-of-OpTypePointer"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Arguments\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"Arguments have these types\"
    accepts only Type of OpFunctionParameter : OpTypeInt, OpTypeFloat, OpTypeVector
  [3] \"of these widths\" accepts only Width of Type of OpFunctionParameter : 32 when Type is OpTypeInt
  [4] \"and these\" accepts only Width of Type of OpFunctionParameter : 32 when Type is OpTypeFloat
  [5] \"and so many components\" FAULT
",
        sound: "accepts only ComponentCount of Type of OpFunctionParameter : 2, 4 when Type is OpTypeVector
    accepts only ComponentType of Type of OpFunctionParameter : scalar of u32
      when Type is OpTypeVector",
        fault: "accepts Capability : Kernel",
        found: &["gap/parts-of-a-type-not-given/TWIN_environment/OpTypeVector"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Arguments\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"Numbers have these widths\" accepts only Width of OpTypeFloat : 16, 32
  [3] \"and as arguments\" accepts only Width of Type of OpFunctionParameter : FAULT when Type is OpTypeFloat
",
        sound: "16, 32",
        fault: "32",
        found: &["gap/supported-in-general/TWIN_environment/Width-OpTypeFloat"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Atomics\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"Words may be counted\" accepts Capability : Int8 when \"flags8 include COUNT\"
  [3] \"and wide ones\" accepts Capability : Int64 when \"flags64 include COUNT\"
  [4] \"in a workgroup\"
    accepts StorageClass of Pointer of OpAtomicLoad : Workgroup when FAULT
",
        sound: "\"flags8 include COUNT\"",
        fault: "\"flags8 include COUNT\" or \"flags64 include COUNT\"",
        found: &["gap/any-condition-will-do/TWIN_environment/StorageClass"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Atomics\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"Words may be counted\" accepts Capability : Int8 when \"flags8 include COUNT\"
  [3] \"and wide ones\" accepts Capability : Int64 when \"flags64 include COUNT\"
  [4] \"Words may be moved\" accepts Capability : Vector16 when \"flags8 include MOVE\"
  [5] \"and wide ones\" accepts Capability : Int16 when \"flags64 include MOVE\"
  [6] \"Words may be lost\" accepts Capability : Linkage when \"flags8 include LOSE\"
  [7] \"and wide ones\" accepts Capability : Addresses when FAULT
",
        sound: "\"flags64 include LOSE\"",
        fault: "\"it rains\"",
        found: &["gap/condition-for-some-numbers/TWIN_environment/flags"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformShuffle
  [2] \"Shuffles move these\"
    accepts Value of OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor : scalar of u32
    accepts Id of OpGroupNonUniformShuffle : scalar of u32
  [3] \"by a mask\" FAULT
",
        sound: "accepts Mask of OpGroupNonUniformShuffleXor : scalar of u32",
        fault: "accepts Capability : Kernel",
        found: &["gap/operands-without-a-list/TWIN_environment"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, Int64, GroupNonUniformShuffle
  [2] \"Shuffles move these\"
    accepts Value of OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor : scalar or vector(2) of u32, f32
  [3] \"and these\"
    accepts Value of OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor : FAULT of u64
  [4] \"by these\"
    accepts Id of OpGroupNonUniformShuffle : scalar of u32
    accepts Mask of OpGroupNonUniformShuffleXor : scalar of u32
",
        sound: "scalar or vector(2)",
        fault: "scalar",
        found: &["gap/scalars-only/TWIN_environment/Value-u64"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformArithmetic, GroupNonUniformShuffle
  [2] \"These are moved\"
    accepts Value of FAULT : scalar of u32, f32
  [3] \"by these\"
    accepts Id of OpGroupNonUniformShuffle : scalar of u32
    accepts Mask of OpGroupNonUniformShuffleXor : scalar of u32
",
        sound: "OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor",
        fault: "OpGroupNonUniformUMin, OpGroupNonUniformFMin",
        found: &["cross-document/types-of-other-instructions/TWIN_environment/Value"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformBallot
  [4] \"These are broadcast\"
    accepts Value of OpGroupNonUniformBroadcast, OpGroupNonUniformBroadcastFirst : scalar of u32
    accepts Id of OpGroupNonUniformBroadcast : scalar of u32
  [2] \"Bits are counted of these\"
    accepts Value of OpGroupNonUniformBallotBitCount : vector(4) of u32
  [3] \"which gives these\" FAULT
",
        sound: "accepts Result of OpGroupNonUniformBallotBitCount : scalar of u32",
        fault: "accepts Capability : Kernel",
        found: &["gap/operands-without-a-list/TWIN_environment"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformShuffle
  [2] \"These are moved, by whatever name\" accepts Value of FAULT : scalar of u32, f32
  [3] \"by these\"
    accepts Id of OpGroupNonUniformShuffle : scalar of u32
    accepts Mask of OpGroupNonUniformShuffleXor : scalar of u32
",
        sound: "OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor",
        fault: "OpGroupBroadcast, OpGroupIAdd, OpGroupFAdd",
        found: &["cross-document/types-of-other-instructions/TWIN_environment/Value"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Shaders are accepted\" accepts Capability : Shader, GroupNonUniformShuffle
  [2] \"Shuffles move these\"
    accepts Value of OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor : scalar of u32
  [3] \"by these\"
    accepts Id of OpGroupNonUniformShuffle : scalar FAULT
    accepts Mask of OpGroupNonUniformShuffleXor : scalar FAULT
",
        sound: "of u32",
        fault: "of any",
        found: &["gap/list-without-a-component-type/TWIN_environment"],
    },
];
