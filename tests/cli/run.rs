//! `laneproof run`.

use serde_json::json;

use crate::laneproof::{json, laneproof, recorded};

#[test]
fn a_run_is_shown_by_lane_or_by_element() {
    recorded(
        "a_run_is_shown_by_lane_or_by_element",
        &[
            &["run", "next_lane.spvasm", "--function", "src", "--inputs", "four_lanes.json"],
            &["run", "kernel.spvasm", "--inputs", "kernel.json", "--subgroup-size", "2"],
            &["run", "division.spvasm", "--function", "tgt", "--inputs", "zero.json"],
            &["run", "twice.spvasm", "--function", "tgt", "--inputs", "four_lanes.json"],
            &[
                "run",
                "decided_by_undefined.spvasm",
                "--function",
                "src",
                "--inputs",
                "four_lanes.json",
            ],
        ],
    );
}

#[test]
fn mistakes_of_a_run_name_what_is_wrong() {
    let tgt = ["run", "next_lane.spvasm", "--function", "tgt"];
    let with = |words: &[&'static str]| [&tgt[..], words].concat();
    recorded(
        "mistakes_of_a_run_name_what_is_wrong",
        &[
            &["run", "next_lane.spvasm"],
            &["run", "next_lane.spvasm", "--function", "before"],
            &["run", "kernel.spvasm", "--entry", "product"],
            &with(&[]),
            &with(&["--inputs", "nowhere.json"]),
            &with(&["--inputs", "cut_off.json"]),
            &with(&["--inputs", "misspelt.json"]),
            &with(&["--inputs", "kernel.json"]),
            &with(&["--inputs", "four_lanes.json", "--subgroup-size", "3"]),
            &with(&["--inputs", "four_lanes.json", "--subgroup-size", "2"]),
            &with(&["--inputs", "four_lanes.json", "--active", "f0"]),
            &with(&["--inputs", "four_lanes.json", "--active", "lanes"]),
            &["run", "kernel.spvasm", "--inputs", "kernel.json", "--workgroup", "0"],
        ],
    );
}

/// It runs, and says what it did not look at.
#[test]
fn a_binding_that_nothing_uses_is_warned_of() {
    let words = ["run", "kernelless.comp", "--inputs", "one_binding_too_many.json"];
    let output = laneproof(&[&words[..], &["--subgroup-size", "4"]].concat());
    assert_eq!(output.exit, 0, "{}", output.err);
    let warning = "warning: one_binding_too_many.json: nothing in the module is bound to 1.7\n";
    assert_eq!(output.err, warning);
}

#[test]
fn results_come_in_the_form_of_the_inputs() {
    let words = ["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "four_lanes.json"];
    let lanes = |values| json!({ "result": { "type": "u32", "lanes": values } });
    assert_eq!(json(&words), (0, lanes(json!([20, 30, 40, null]))));
    let some = [&words[..], &["--active", "0x6"]].concat();
    assert_eq!(json(&some), (0, lanes(json!([null, 30, null, null]))));
    // Fewer lanes exist than the subgroup holds.
    let partial = [&words[..], &["--subgroup-size", "8"]].concat();
    assert_eq!(json(&partial), (0, lanes(json!([20, 30, 40, null]))));
}

/// Extended instructions hand on what is open, as others do.
#[test]
fn what_is_computed_from_an_undefined_value_is_marked() {
    let words = ["run", "lesser_of_inactive.comp", "--function", "src", "--inputs"];
    let words = [&words[..], &["four_lanes.json"]].concat();
    let some = [&words[..], &["--active", "0x7"]].concat();
    let (exit, document) = json(&some);
    assert_eq!((exit, &document["result"]["open"]), (0, &json!([2])), "{document}");
    assert!(laneproof(&some).out.contains("?: one of several values"));
    assert!(json(&words).1["result"].get("open").is_none());
}

#[test]
fn arguments_come_back_as_the_workgroup_leaves_them() {
    let words = ["run", "kernel.spvasm", "--inputs", "kernel.json", "--subgroup-size", "4"];
    let (exit, document) = json(&words);
    assert_eq!(exit, 0);
    let buffer = json!({ "type": "u32", "values": [100, 100, 100, 100] });
    assert_eq!(document["arguments"][0], json!({ "buffer": buffer }));
    assert_eq!(document["arguments"][1], json!({ "type": "u32", "value": 10 }));
}

#[test]
fn undefined_behavior_ends_a_run() {
    let words = ["run", "division.spvasm", "--function", "tgt", "--inputs", "zero.json"];
    let (exit, document) = json(&words);
    assert_eq!(exit, 1);
    let behavior = &document["undefined_behavior"];
    assert_eq!(behavior["instruction"], "OpUDiv");
    assert_eq!(behavior["lanes"], json!([0]));
    assert!(behavior["clause"].is_string());
    let words = ["run", "false_assumption.spvasm", "--function", "src", "--subgroup-size", "2"];
    let (exit, document) = json(&words);
    assert_eq!(exit, 1);
    assert_eq!(document["undefined_behavior"]["instruction"], "OpAssumeTrueKHR");
    assert_eq!(document["undefined_behavior"]["lanes"], json!([0, 1]));
}

/// OpenCL leaves a number that does not fit to the implementation; where its documents do not hold, the core
/// text decides of a kernel, too.
#[test]
fn a_number_that_does_not_fit_is_what_the_environment_says() {
    let words = ["--function", "tgt", "--subgroup-size", "2", "--inputs", "negative_float.json"];
    let asked = |command: &'static str, more: &[&'static str]| {
        json(&[&[command, "converted.spvasm"], &words[..], more].concat())
    };
    for profile in ["opencl", "level-zero"] {
        let (exit, document) = asked("run", &["--profile", profile]);
        assert_eq!((exit, &document["undefined_behavior"]), (0, &json!(null)), "{profile}");
    }
    let (exit, document) = asked("run", &["--profile", "vulkan"]);
    assert_eq!(exit, 1);
    assert_eq!(document["undefined_behavior"]["instruction"], "OpConvertFToU");
    assert_eq!(document["undefined_behavior"]["lanes"], json!([1]));
    let seen =
        |profile| asked("check", &["--profile", profile, "--observed", "observed_seven.json"]);
    for profile in ["opencl", "level-zero"] {
        let (exit, document) = seen(profile);
        assert_eq!((exit, &document["verdict"]), (0, &json!("allowed")), "{profile}");
    }
    let (exit, document) = seen("vulkan");
    assert_eq!(exit, 0);
    assert_eq!(document["undefined_behavior"]["instruction"], "OpConvertFToU");
}

#[test]
fn what_an_imported_function_does_is_told_by_a_specification() {
    let words = ["run", "twice.spvasm", "--function", "tgt", "--inputs", "four_lanes.json"];
    let (exit, document) = json(&words);
    assert_eq!(exit, 3);
    let unknown = &document["unknown"];
    assert_eq!(
        (&unknown["kind"], &unknown["location"]),
        (&json!("unsupported"), &json!("line 28"))
    );
    let (exit, document) = json(&[&words[..], &["--spec", "twice.lps"]].concat());
    assert_eq!((exit, &document["result"]["lanes"]), (0, &json!([20, 40, 60, 80])));
}

#[test]
fn a_specialization_constant_has_the_value_that_is_given() {
    let words = ["run", "specialized.spvasm", "--function", "src", "--inputs", "four_lanes.json"];
    let lanes = |more: &[&'static str]| {
        let (exit, document) = json(&[&words[..], more].concat());
        assert_eq!(exit, 0, "{document}");
        document["result"]["lanes"].clone()
    };
    assert_eq!(lanes(&[]), json!([30, 40, 10, 20]));
    assert_eq!(lanes(&["--spec-constant", "4=1"]), json!([30, 40, 10, 20]));
    assert_eq!(lanes(&["--spec-constant", "4=0x0"]), json!([10, 20, 30, 40]));
    for (wrong, why) in [("5=1", "SpecId 5"), ("4=one", "u32"), ("4", "ID=VALUE")] {
        let (exit, document) = json(&[&words[..], &["--spec-constant", wrong]].concat());
        assert_eq!(exit, 2);
        assert!(document["error"].as_str().unwrap().contains(why), "{document}");
    }
}
