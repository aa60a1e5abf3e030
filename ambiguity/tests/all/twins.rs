//! Pairs of texts that differ in one sentence: in one of them a fault of a kind is found, in its twin
//! nothing.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod groups;
mod lists;

use laneproof_ambiguity::{SearchOptions, search};
use laneproof_semantics::as_written::AsWritten;

fn found(text: &str) -> Vec<String> {
    let texts = AsWritten::alone(vec![("twin.lps".to_owned(), text.to_owned())]).unwrap();
    let report = search(&texts, &SearchOptions::default(), || {});
    assert!(report.unsearched.is_empty(), "{:?}", report.unsearched);
    report.findings.into_iter().map(|finding| finding.id).collect()
}

/// A text with `FAULT` where the sentences differ, the sound ones, the faulty ones, and what is found
/// in these.
struct Pair {
    text: &'static str,
    sound: &'static str,
    fault: &'static str,
    found: &'static [&'static str],
}

const PAIRS: [Pair; 25] = [
    Pair {
        text: "\
document TWIN revision 1 \"Types of a place\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode OpTwin capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Value : T, Place : U
  result T
  where T : scalar of u32
  where U : vector of u32
  [1] \"The result is Value\" result is Value
rules section \"Twin\"
  [2] \"Value is a word\" requires Value of OpTwin : scalar of u32
  [3] \"Place is of integers\" FAULT
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"It is accepted\" accepts Capability : TwinEXT, Kernel
  [2] \"with a pair of words\" accepts Place of OpTwin : vector(2) of u32
",
        sound: "requires Place of OpTwin : vector(2) of u32",
        fault: "requires Place of OpTwin : scalar or vector of int",
        found: &["gap/component-count-not-given/TWIN", "gap/width-not-given/TWIN"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"of which images have no offset\" FAULT
",
        sound: "forbids ImageOperands of every : ConstOffset",
        fault: "forbids ImageOperands of OpImageRead, OpImageWrite : ConstOffset",
        found: &["gap/rule-for-some/TWIN_environment/ImageOperands"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"An operand\"
instruction OpTwin
  section \"Twin\"
  operands Value : T, Extra : u32 constant
  result T
  where T : scalar of u32
  [1] \"The result is Value, or its complement\" FAULT
",
        sound: "result is if unsigned(Extra) = 0 then Value else ~Value",
        fault: "result is ~Value",
        found: &["gap/operand-without-a-use/TWIN/Extra"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A range\"
instruction OpTwin
  section \"Twin\"
  operands Value : T, Number : u32 constant
  result T
  where T : scalar of u32
  [1] \"From one number to another the result is Value\"
    let number = unsigned(Number)
    FAULT
    result is Value when within
  [2] \"Elsewhere it is undefined\" undefined value unless within
",
        sound: "let within = number < 16 and number >= 8",
        fault: "let within = number < 16 and number < 8",
        found: &["token/bound-that-never-decides/TWIN/OpTwin/1"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A lane out of range\"
instruction OpTwin
  section \"Twin\"
  operands Value : T, Lane : u32 constant
  result T
  where T : scalar of u32
  [1] \"The result is Value of the lane that Lane numbers\"
    let lane = unsigned(Lane)
    result is Value at lane
  [2] \"Elsewhere it is undefined\" undefined value unless exists(lane) and active(lane)
  [3] \"From the size on the number is out of range\" FAULT
",
        sound: "undefined value when lane >= SubgroupMaxSize",
        fault: "\"out-of-range\" when lane >= SubgroupMaxSize",
        found: &["overlap/result-beside-a-word/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Fields of a type\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode OpTwin capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Image : image
  [1] \"Nothing happens\"
rules section \"Twin\"
  [2] \"It has two dimensions\" requires Dim of Image of OpTwin : 2D
  [3] \"and one layer of one sample\" requires Depth, Arrayed, MS, Sampled of Image of OpTwin : 0
  [4] \"It is of words\" requires SampledType of Image of OpTwin : OpTypeInt
  [5] \"that are read\" requires AccessQualifier of Image of OpTwin : ReadOnly
  [6] \"in one format\" FAULT
",
        sound: "requires ImageFormat of Image of OpTwin : Unknown",
        fault: "requires ImageFormat of Image of OpTwin : present",
        found: &["gap/not-restricted/TWIN/Image"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Where a pointer leads\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode OpTwin capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Ptr : pointer to T
  where T : scalar of u32
  [1] \"Nothing happens\"
rules section \"Twin\"
  [2] \"It leads to a word\" requires Type of Ptr of OpTwin : scalar of u32
  [4] \"It leads somewhere\" FAULT
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"It is accepted\" accepts Capability : TwinEXT, Kernel
  [2] \"in a workgroup\" requires StorageClass of Ptr of OpTwin : Workgroup
",
        sound: "requires StorageClass of Ptr of OpTwin : Workgroup, CrossWorkgroup",
        fault: "requires StorageClass of Ptr of OpTwin : present",
        found: &["gap/restricted-elsewhere/TWIN/Ptr"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Types\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel, Groups
  [2] \"and wide numbers, where there are some\" accepts Capability : Float64 when \"it rains\"
  [3] \"Moves are of these\" accepts Value of OpGroupBroadcast : scalar of f64 when capability Float64
  [4] \"and sums\" FAULT
",
        sound: "accepts X of OpGroupFAdd : scalar of f64 when capability Float64",
        fault: "accepts X of OpGroupFAdd : scalar of f64",
        found: &["gap/types-without-their-capability/TWIN_environment"],
    },
    Pair {
        text: "\
document TWIN_environment revision 1 \"An environment\"
rules section \"Extensions\"
  [1] \"Kernels are accepted\" accepts Capability : Kernel
  [2] \"Two extensions are\"
    accepts Extension : SPV_INTEL_subgroups, SPV_EXT_shader_atomic_float_add
  [3] \"The first brings shuffles\"
    accepts Capability : SubgroupShuffleINTEL when extension SPV_INTEL_subgroups
  [4] \"The second brings sums\" FAULT
",
        sound: "accepts Capability : AtomicFloat32AddEXT
      when extension SPV_EXT_shader_atomic_float_add",
        fault: "accepts Capability : AtomicFloat32AddEXT",
        found: &["gap/capability-without-its-extension/TWIN_environment"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Which image\"
instruction OpTwin
  section \"Twin\"
  operands Image : image, Lane : u32, Row : u32
  [1] \"Lanes and rows may differ\" varies Lane varies Row
  [2] \"Images may, too\" FAULT
",
        sound: "varies Image",
        fault: "",
        found: &["gap/uniformity-not-given/TWIN/Image"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A mask\"
instruction OpTwin
  section \"Twin\"
  operands Data : T, FAULT : u32
  result T
  where T : scalar of u32
  [1] \"The result is Data\" result is Data
  [2] \"of any mask\" varies FAULT
",
        sound: "Mask",
        fault: "Value",
        found: &["token/name-of-another-thing/TWIN/Value"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Capabilities of variables\"
facts section \"Tokens\"
  Capability TwinEXT = 60001 FAULT
  Opcode OpTwin = 60002 words 4 operands ResultType, Result, Data capability TwinEXT
  BuiltIn SubgroupMaxSize
instruction OpTwin
  section \"Twin\"
  operands Data : T
  result T
  where T : scalar of u32
  [1] \"The result is Data\" result is Data
",
        sound: "declares Kernel",
        fault: "",
        found: &["gap/capability-of-a-built-in-variable/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Two consequences\"
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value of the next invocation\"
    let there = exists(id + 1) and active(id + 1)
    result is Value at id + 1 when there
  [2] \"Behavior is undefined where there is none\" FAULT
  [3] \"The value is undefined where it is not active\"
    undefined value when exists(id + 1) and not active(id + 1)
",
        sound: "undefined behavior unless exists(id + 1)",
        fault: "undefined behavior unless there",
        found: &["overlap/two-consequences/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Whose pointer\"
instruction OpTwin
  section \"Twin\"
  operands Ptr : pointer to T
  result T
  where T : scalar of u32
  [1] \"The result is the element of the invocation's number\"
    result is load(Ptr, id) when id < elements(Ptr)
  [2] \"Behavior is undefined where there is none\" undefined behavior when id >= elements(Ptr)
  [3] \"All have one Ptr\" FAULT
",
        sound: "undefined behavior unless uniform(Ptr)",
        fault: "must uniform(Ptr)",
        found: &["gap/unmet-must/TWIN/3"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Operations\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode OpTwin capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Execution : scope, Operation : GroupOperation, Value : T
  result T
  where T : scalar of u32
  [1] \"The sum of all\"
    let plus(a, b) = a + b
    result is fold plus from 0 over j in active of Value at j when Operation is Reduce
  [2] \"or of those before\"
    result is fold plus from 0 over j in active where j <= id of Value at j
      when Operation is InclusiveScan
rules section \"Twin\"
  [3] \"In a subgroup\" requires Execution of OpTwin : Subgroup
  [4] \"Operation is one of these\" FAULT
",
        sound: "requires Operation of OpTwin : Reduce, InclusiveScan",
        fault: "requires Operation of OpTwin : Reduce, InclusiveScan, ExclusiveScan",
        found: &["gap/nothing-said/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Which invocations\"
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value\" result is Value
  [2] \"Behavior is undefined unless all invocations do so\" undefined behavior unless FAULT
",
        sound: "forall j in subgroup: active(j)",
        fault: "(forall j in subgroup: active(j) and j < 8)",
        found: &["divergence/lanes-of-the-subgroup/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Types of siblings\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode OpTwin, OpTwinToo capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Value : T, Lane : u32 constant
  result T
  where T : scalar of u32, f32
  [1] \"The result is Value, or its complement\" result is if unsigned(Lane) = 0 then Value else Value
instruction OpTwinToo
  section \"Too\"
  operands Value : T, Lane : u32 constant
  result T
  where T : scalar of u32, f32
  [1] \"The result is Value, or its complement\" result is if unsigned(Lane) = 0 then Value else Value
rules section \"Twin\"
  [2] \"They are words\" FAULT
",
        sound: "requires Lane of OpTwin, OpTwinToo : scalar of u32",
        fault: "requires Value of OpTwin : scalar of u32, f32",
        found: &["gap/no-type-given/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A member of a family\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode FAULT capability TwinEXT
instruction FAULT
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value\" result is Value
",
        sound: "OpTwinOfNobody",
        fault: "OpGroupNonUniformTwinEXT",
        found: &["gap/operand-of-the-family/TWIN/Execution"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A further operand\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode FAULT adds operands Twin optional capability TwinEXT
",
        sound: "OpGroupNonUniformShuffle",
        fault: "OpGroupNonUniformIAdd",
        found: &["gap/second-optional-operand/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"What a pointer is\"
instruction OpTwin
  section \"Twin\"
  operands Ptr : pointer to T
  result T
  where T : scalar of u32
  [1] \"The result is the element of the invocation's number\"
    result is load(Ptr, id) when id < elements(Ptr)
  [2] \"Behavior is undefined where there is none\" undefined behavior when id >= elements(Ptr)
  [3] \"Ptr may differ\" varies Ptr
  [4] \"It is aligned\" FAULT
document TWIN_environment revision 1 \"An environment\"
extend OpTwin
  section \"Twin\"
  [1] \"It is a multiple of four\" undefined behavior unless aligned(Ptr, 4)
",
        sound: "undefined behavior unless aligned(Ptr, 2)",
        fault: "",
        found: &["gap/values-restricted-elsewhere/TWIN/Ptr"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Two sentences\"
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value\" result is Value
  [2] \"It works in the first invocation only\" FAULT
  [3] \"Elsewhere behavior is undefined\" undefined behavior unless id = 0
",
        sound: "must id = 0",
        fault: "\"not-guaranteed\" unless id = 0",
        found: &["token/word-beside-a-consequence/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Rows\"
facts section \"Tokens\"
  Extension SPV_TWIN
  Capability TwinEXT = 60001 declares Kernel FAULT
  Opcode OpTwin capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value\" result is Value
",
        sound: "extension SPV_TWIN",
        fault: "",
        found: &["token/row-without-an-extension/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"Further operations\"
facts section \"Tokens\"
  Capability TwinEXT
  Opcode OpGroupIAdd adds operands Twin optional capability TwinEXT
  FAULT
",
        sound: "",
        fault: "GroupOperation TwinReduceEXT = 60001 capability TwinEXT",
        found: &["gap/capability-for-other-values/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"A further operand of further operations\"
facts section \"Tokens\"
  Opcode OpGroupIAdd adds operands Twin optional
  FAULT
instruction OpGroupIAdd
  section \"Twin\"
  operands Operation : GroupOperation, X : T, Twin : u32 optional
  result T
  where T : scalar of u32
  [1] \"The result is X\" result is X
  [2] \"Behavior is undefined unless Twin is there\" undefined behavior unless present(Twin)
",
        sound: "",
        fault: "GroupOperation TwinReduceEXT = 60001",
        found: &["gap/operand-for-other-values/TWIN"],
    },
    Pair {
        text: "\
document TWIN revision 1 \"What is new\"
facts section \"New Capabilities\"
  Capability TwinEXT
facts section \"FAULT\"
  Opcode OpTwin
facts section \"Numbers\"
  Capability TwinEXT = 60001
  Opcode OpTwin = 60002 capability TwinEXT
instruction OpTwin
  section \"Twin\"
  operands Value : T
  result T
  where T : scalar of u32
  [1] \"The result is Value\" result is Value
",
        sound: "New Instructions",
        fault: "Instructions",
        found: &["token/new-and-not-listed/TWIN"],
    },
];

#[test]
fn what_is_found_in_one_of_two_texts_is_not_in_the_other() {
    let all = PAIRS.into_iter().chain(lists::PAIRS).chain(groups::PAIRS);
    for Pair { text, sound, fault, found: expected } in all {
        assert_eq!(found(&text.replace("FAULT", sound)), [""; 0], "{sound}");
        let found = found(&text.replace("FAULT", fault));
        for id in expected {
            assert!(found.iter().any(|it| it == id), "{id} by {fault}, but {found:?}");
        }
    }
}
