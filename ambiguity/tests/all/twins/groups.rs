//! Sizes and scopes of groups, lists that go down to parts, and numbers that may differ or have a sign.

use super::Pair;

pub const PAIRS: [Pair; 11] = [
    Pair {
        text: "\
document TWIN revision 1 \"Who executes it\"
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value\" result is Value
  [2] \"All execute it\" FAULT
document TWIN_environment revision 1 \"An environment\"
extend OpTwin
  section \"Notes\"
  [1] \"Behavior is undefined unless all invocations execute it\"
    undefined behavior unless forall j in subgroup: active(j)
",
        sound: "undefined behavior unless forall j in subgroup: active(j)",
        fault: "",
        found: &["gap/execution-restricted-elsewhere/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A size\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode OpTwin capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Execution : scope, Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value, or its complement in subgroups of eight or more\"
    result is if SubgroupSize < 8 then Value else ~Value
rules section \"Twin\"
  [2] \"Execution is a scope\" requires Execution of OpTwin : FAULT
  [3] \"Value is a word\" requires Value of OpTwin : scalar of u32
",
        sound: "Subgroup",
        fault: "Workgroup, Subgroup",
        found: &["gap/subgroup-at-another-scope/TWIN/1"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A number that is cut\"
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value where the id stays the same, cut at the size\"
    let cut = FAULT
    result is if cut = id then Value else ~Value
  [2] \"It stays the same\" example cut = id
",
        sound: "id % SubgroupMaxSize",
        fault: "id & (SubgroupMaxSize - 1)",
        found: &["overlap/size-no-power-of-two/TWIN"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel, Int64
  [3] \"and no others\" requires ExecutionModel : Kernel
  [2] \"with atomics\" accepts Capability : FAULT
",
        sound: "Int64Atomics",
        fault: "ImageQuery",
        found: &["gap/capability-that-brings-another/TWIN_environment"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"These are supported\" accepts Opcode : OpTypeVoid, OpTypeInt, OpTypeFloat, OpTypeArray
rules section \"Arguments\" when \"OpEntryPoint names the function\"
  [1] \"Arguments are of these\" accepts only Type of OpFunctionParameter : FAULT
",
        sound: "OpTypeInt, OpTypeFloat, OpTypeArray",
        fault: "OpTypeInt, OpTypeFloat",
        found: &["gap/supported-in-general/TWIN_environment/types-of-OpFunctionParameter"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Arguments\" when \"OpEntryPoint names the function\"
  [1] \"Arguments are of these\"
    accepts only Type of OpFunctionParameter : OpTypeFloat, OpTypeStruct
  [2] \"of these widths\"
    accepts only Width of Type of OpFunctionParameter : 16, 32 when Type is OpTypeFloat
  [3] \"and members of these\"
    accepts only MemberType of Type of OpFunctionParameter : FAULT when Type is OpTypeStruct
",
        sound: "OpTypeSampler, OpTypeStruct",
        fault: "OpTypeFloat, OpTypeStruct",
        found: &["gap/parts-of-members-not-given/TWIN_environment/OpFunctionParameter"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Ballots that are equal\"
instruction OpTwin
  section \"Twin\"
  operands Value : T, Ballot : ballot
  result T
  where T : scalar of u32
  [1] \"The result is Value where all active lanes have the same Ballot, else its complement\"
    result is if forall j in active: FAULT then Value else ~Value
  [2] \"Ballot may differ\" varies Ballot
",
        sound: "(Ballot at j) = Ballot",
        fault: "equal_ballots(Ballot at j, Ballot)",
        found: &["divergence/ignored-bits/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Which lanes stand together\"
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result ballot
  where T : scalar of f32
  [1] \"The bits of lanes with the same Value are set\"
    results such that forall j in active: FAULT
  [2] \"All other bits are zero\"
    results such that result = (lanes j in active where bit(result, j): true)
",
        sound: "bit(result, j) = same_bits(Value, Value at j)",
        fault: "is_nan(Value) or bit(result, j) = same_bits(Value, Value at j)",
        found: &["gap/several-results/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A bound for numbers with a sign\"
instruction OpTwin
  section \"Twin\"
  operands Value : T, Number : u32
  result T
  where T : scalar of u32
  [1] \"The result is Value where the id less the number is of an invocation, else undefined\"
    let place = id - FAULT
    let within = place >= 0 and place < SubgroupMaxSize
    result is Value when within
    undefined value unless within
  [2] \"Numbers may differ\" varies Number
",
        sound: "signed(Number)",
        fault: "Number",
        found: &["divergence/bound-by-one-sign/TWIN/Number"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"What may differ\"
instruction OpTwin
  section \"Twin\"
  operands Value : T, Number : u32
  result T
  where T : scalar of u32
  [1] \"The result is Value, or its complement\"
    result is if unsigned(Number) = 0 then Value else ~Value
  [2] \"Behavior is undefined unless Number is uniform\"
    undefined behavior unless uniform(Number)
  [3] \"It is said again, or not\" FAULT
",
        sound: "undefined behavior unless uniform(Number)",
        fault: "varies Number",
        found: &["overlap/may-differ-and-must-not/TWIN/Number"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"What may differ\"
instruction OpTwin
  section \"Twin\"
  operands Value : T, Number : u32
  result T
  where T : scalar of u32
  [1] \"The result is Value, or its complement\"
    result is if unsigned(Number) = 0 then Value else ~Value
  [2] \"Numbers may differ\" varies Number
  [3] \"What must be uniform\" FAULT
",
        sound: "",
        fault: "must uniform(Number)",
        found: &["overlap/may-differ-and-must-not/TWIN/Number"],
    },
];
