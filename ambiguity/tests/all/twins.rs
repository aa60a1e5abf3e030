//! Pairs of texts that differ in one sentence: in one of them a fault of a kind is found, in its twin
//! nothing.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use laneproof_ambiguity::{Options, search};
use laneproof_semantics::as_written::AsWritten;

fn found(text: &str) -> Vec<String> {
    let texts = AsWritten::alone(vec![("twin.lps".to_owned(), text.to_owned())]).unwrap();
    let report = search(&texts, &Options::default(), || {});
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

const PAIRS: [Pair; 5] = [
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
];

#[test]
fn what_is_found_in_one_of_two_texts_is_not_in_the_other() {
    for Pair { text, sound, fault, found: expected } in PAIRS {
        assert_eq!(found(&text.replace("FAULT", sound)), [""; 0], "{sound}");
        let found = found(&text.replace("FAULT", fault));
        for id in expected {
            assert!(found.iter().any(|it| it == id), "{id} by {fault}, but {found:?}");
        }
    }
}
