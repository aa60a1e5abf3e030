//! `--profile` and `--reading` of `run` and `check`: which way open points are read.

use serde_json::json;

use crate::laneproof::{json, laneproof};

const CHECK: [&str; 8] = [
    "check",
    "partition_zeros.spvasm",
    "--function",
    "subset",
    "--inputs",
    "two_zeros.json",
    "--observed",
    "zeros_apart.json",
];

fn check(flags: &[&str]) -> i32 {
    laneproof(&[&CHECK, flags].concat()).exit
}

#[test]
fn what_is_allowed_hangs_on_the_reading() {
    assert_eq!(check(&[]), 1);
    assert_eq!(check(&["--reading", "partition-equality=bitwise"]), 0);
    assert_eq!(check(&["--reading", "partition-equality=ieee"]), 1);
}

#[test]
fn a_run_follows_the_reading() {
    let run =
        ["run", "partition_zeros.spvasm", "--function", "subset", "--inputs", "two_zeros.json"];
    let (exit, document) = json(&run);
    assert_eq!((exit, &document["result"]["lanes"]), (0, &json!([[3, 0, 0, 0], [3, 0, 0, 0]])));
    let (exit, document) = json(&[&run[..], &["--reading", "partition-equality=bitwise"]].concat());
    assert_eq!((exit, &document["result"]["lanes"]), (0, &json!([[1, 0, 0, 0], [2, 0, 0, 0]])));
}

/// One way to reconverge is shown, and that there are others.
#[test]
fn a_run_says_where_lanes_need_not_reconverge() {
    let run = ["run", "../check/nested_sum.spvasm", "--inputs", "zero_to_three.json", "--function"];
    let weaker = ["--reading", "reconvergence=uniform-control-flow"];
    for (function, shown) in [("nested", [0, 6, 6, 6]), ("twice", [0, 9, 9, 9])] {
        let strong = [&run[..], &[function]].concat();
        let weak = [&strong[..], &weaker].concat();
        for (words, open) in [(&strong, false), (&weak, true)] {
            let (exit, document) = json(words);
            assert_eq!((exit, &document["result"]["lanes"]), (0, &json!(shown)), "{words:?}");
            let said = laneproof(words).out.replace("\n  ", " ");
            let line = "which lanes execute it together is left open (reading `reconvergence`)";
            assert_eq!(said.contains(line), open, "{said}");
        }
    }
}

#[test]
fn what_cannot_be_followed_is_refused() {
    for (flags, says) in [
        (["--reading", "no-such=thing"], "there is no reading `no-such`"),
        (["--reading", "partition-equality=odd"], "cannot be settled as `odd`"),
        (["--reading", "partition-equalty=bitwise"], "did you mean `partition-equality`?"),
        (["--reading", "partition-equality=bitwize"], "did you mean `bitwise`?"),
        (["--profile", "vulcan"], "did you mean `vulkan`?"),
        (["--profile", "webgpu"], "there is no profile `webgpu`"),
        (["--profile", "literal"], "in one way only"),
    ] {
        let output = laneproof(&[&CHECK[..], &flags].concat());
        assert_eq!(output.exit, 2, "{flags:?}");
        assert!(output.err.contains(says), "{flags:?}: {}", output.err);
    }
}
