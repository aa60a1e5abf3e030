//! `laneproof verify`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::laneproof::{json, laneproof, recorded, without_header};

#[test]
fn a_proof_says_for_whom_it_holds_and_what_it_rests_on() {
    recorded(
        "a_proof_says_for_whom_it_holds_and_what_it_rests_on",
        &[
            &["verify", "exchange_twice.spvasm"],
            &["verify", "exchange_twice.spvasm", "--active", "all", "--sizes", "4"],
        ],
    );
}

/// The verdict presumes this, by the words before the colon.
fn presumes(document: &Value, what: &str) -> bool {
    let all = document["presumes"].as_array().expect("a list");
    all.iter().any(|it| it.as_str().unwrap().split(':').next() == Some(what))
}

#[test]
fn a_verdict_says_whether_it_is_about_the_first_subgroup_only() {
    let first = proof("theorems/built-in/first-subgroup.spvasm");
    let (exit, document) = json(&["verify", &first, "--sizes", "4"]);
    assert_eq!((exit, presumes(&document, "first subgroup")), (0, true), "{document}");
    let (exit, document) = json(&["verify", &first, "--sizes", "4", "--any-subgroup"]);
    assert_eq!((exit, presumes(&document, "first subgroup")), (1, false), "{document}");
    let text = laneproof(&["verify", &first, "--sizes", "4"]).out;
    assert!(text.contains("with --any-subgroup every subgroup"), "{text}");
    let rotate = proof("theorems/rotate/as-shuffle.spvasm");
    let (exit, document) = json(&["verify", &rotate, "--sizes", "4"]);
    assert_eq!((exit, presumes(&document, "first subgroup")), (0, false), "{document}");
    assert!(presumes(&document, "converged entry"), "{document}");
}

#[test]
fn a_function_s_workgroup_is_its_callers() {
    let shown = laneproof(&["verify", "any_caller.comp", "--sizes", "4"]).out;
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let whose = "SubgroupId is 0, NumSubgroups 1 (a caller's workgroup may have any size";
    assert!(shown.contains(whose), "{shown}");
}

#[test]
fn what_others_leave_in_memory_is_not_guessed() {
    let shuffle = without_header("lowerings/shuffle/through-memory.spvasm");
    let ask = |more: &[&str]| json(&[&["verify", &shuffle, "--active", "all"], more].concat());
    let (exit, document) = ask(&[]);
    assert_eq!((exit, &document["verdict"]), (3, &Value::from("unknown")));
    assert!(document["reason"].as_str().unwrap_or_default().contains("--subgroups"), "{document}");
    let (exit, document) = ask(&["--subgroups", "1"]);
    assert_eq!((exit, presumes(&document, "no concurrent access")), (0, true), "{document}");
    let (exit, _) = ask(&["--subgroups", "2", "--sizes", "4"]);
    assert_eq!(exit, 1);
}

#[test]
fn a_verdict_says_which_workgroups_it_is_about_and_shows_their_subgroups_apart() {
    let vote = without_header("lowerings/workgroup/any.spvasm");
    let (exit, document) = json(&["verify", &vote]);
    let asked = |it: &Value| (it["subgroups"].clone(), it["subgroup_size"].clone());
    let asked: Vec<_> =
        document["obligations"].as_array().into_iter().flatten().map(asked).collect();
    let expected: Vec<_> = [1, 2, 4]
        .into_iter()
        .flat_map(|size| [1, 2, 3].map(|subgroups| (json!(subgroups), json!(size))))
        .collect();
    // It holds in all of these; others are unknown.
    assert_eq!((exit, asked), (3, expected));
    let reason = document["reason"].as_str().unwrap();
    assert!(reason.contains("workgroups of 1, 2, 3 subgroups of sizes 1, 2, 4"), "{reason}");
    let text = laneproof(&["verify", &vote, "--subgroups", "2,3", "--sizes", "2,4"]).out;
    let only = "workgroups of 2 or 3 subgroups of size 2 or 4 only";
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(only), "{text}");
    let one = proof("lowerings/workgroup/any-of-subgroup.spvasm");
    let arguments = ["verify", &one, "--subgroups", "2", "--sizes", "4"];
    let (exit, document) = json(&arguments);
    let found = &document["counterexample"];
    let of: Vec<&Value> =
        found["lanes"].as_array().into_iter().flatten().map(|it| &it["subgroup_id"]).collect();
    assert_eq!((exit, of), (1, [0, 0, 0, 0, 1, 1, 1, 1].map(|it| json!(it)).iter().collect()));
    assert_eq!(found["num_subgroups"], json!(2));
    let text = laneproof(&arguments).out;
    let blocks = text.lines().filter(|line| line.trim_start().starts_with("subgroup "));
    assert_eq!(blocks.count(), 2, "{text}");
}

/// A file of the catalogue.
fn proof(name: &str) -> String {
    format!("{}/proofs/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_refutation_shows_the_lanes() {
    recorded(
        "a_refutation_shows_the_lanes",
        &[&["verify", "next_lane.spvasm", "--sizes", "4", "--active", "all"]],
    );
}

/// As the assembly calls them, even two in one line, of which the second has its number.
#[test]
fn values_without_a_name_have_that_of_the_assembly() {
    let output = laneproof(&["verify", "unnamed.spvasm", "--sizes", "2"]);
    let row = |start: &str| output.out.lines().find(|it| it.trim_start().starts_with(start));
    let words = |start| row(start).unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    assert_eq!(words("lane  active")[2], "%given", "{}", output.out);
    assert_eq!(words("%times"), ["%times", "%total"], "{}", output.out);
    let (_, document) = json(&["verify", "unnamed.spvasm", "--sizes", "2"]);
    let lane = &document["counterexample"]["lanes"][0];
    assert!(lane["inputs"].get("%given").is_some(), "{lane}");
}

#[test]
fn of_many_lanes_those_are_shown_that_matter() {
    recorded(
        "of_many_lanes_those_are_shown_that_matter",
        &[&["verify", "next_lane.spvasm", "--sizes", "128", "--active", "all"]],
    );
}

/// In results, on the way, and in memory; in a loop, how often a lane was there.
#[test]
fn what_is_one_of_several_values_is_marked() {
    recorded(
        "what_is_one_of_several_values_is_marked",
        &[
            &["verify", "from_inactive.comp", "--sizes", "2"],
            &["verify", "from_inactive_in_a_loop.comp", "--sizes", "8"],
            &[
                "verify",
                "from_inactive_stored_src.comp",
                "from_inactive_stored_tgt.comp",
                "--sizes",
                "2",
            ],
        ],
    );
}

#[test]
fn undefined_behavior_is_named_with_its_clause() {
    recorded(
        "undefined_behavior_is_named_with_its_clause",
        &[&["verify", "division.spvasm", "--sizes", "1"]],
    );
}

#[test]
fn a_property_is_an_obligation_of_its_own() {
    recorded(
        "a_property_is_an_obligation_of_its_own",
        &[&["verify", "only_lane_zero.spvasm", "--active", "all"]],
    );
}

#[test]
fn outputs_that_differ_are_shown_and_marked() {
    let words = ["verify", "outputs.comp", "--sizes", "2"];
    recorded("outputs_that_differ_are_shown_and_marked", &[&words]);
    let (exit, document) = json(&words);
    assert_eq!(exit, 1);
    let lane = &document["counterexample"]["lanes"][0];
    assert_eq!(lane["offending"], true, "{lane}");
    assert_eq!(lane["source"], lane["target"]);
    let (first, sum) = (&lane["outputs"]["first"], &lane["outputs"]["sum"]);
    assert_eq!(first["source"], first["target"], "{lane}");
    assert_ne!(sum["source"], sum["target"], "{lane}");
}

#[test]
fn what_no_input_meets_is_vacuous() {
    recorded("what_no_input_meets_is_vacuous", &[&["verify", "false_assumption.spvasm"]]);
}

#[test]
fn what_is_not_modelled_is_unknown() {
    recorded("what_is_not_modelled_is_unknown", &[&["verify", "twice.spvasm"]]);
}

#[test]
fn a_specification_of_the_users_own_gives_a_primitive_its_meaning() {
    recorded(
        "a_specification_of_the_users_own_gives_a_primitive_its_meaning",
        &[&["verify", "twice.spvasm", "--spec", "twice.lps", "--sizes", "1,2"]],
    );
}

#[test]
fn mistakes_name_file_place_and_reason() {
    recorded(
        "mistakes_name_file_place_and_reason",
        &[
            &["verify", "nowhere.spvasm"],
            &["verify", "."],
            &["verify", "malformed.spvasm"],
            &["verify", "truncated.spv"],
            &["verify", "four_lanes.json"],
            &["verify", "before_and_after.spvasm"],
            &["verify", "twice.spvasm", "--spec", "broken.lps"],
            &["verify", "next_lane.spvasm", "--sizes", "3"],
            &["verify", "next_lane.spvasm", "--profile", "webgpu"],
            &["verify", "next_lane.spvasm", "--reading", "unmet-must=perhaps"],
            &["verify", "next_lane.spvasm", "next_lane.spvasm", "--function", "before"],
            &["verify", "next_lane.spvasm", "--function", "src"],
            &["verify", "before_and_after.spvasm", "before_and_after.spvasm"],
        ],
    );
}

#[test]
fn exit_status_follows_the_verdict() {
    let cases: &[(&[&str], i32, &str)] = &[
        (&["exchange_twice.spvasm"], 0, "proved"),
        (&["next_lane.spvasm"], 1, "refuted"),
        (&["division.spvasm"], 1, "refuted"),
        (&["only_lane_zero.spvasm"], 1, "refuted"),
        (&["only_lane_zero.spvasm", "--sizes", "1"], 0, "proved"),
        (&["false_assumption.spvasm"], 1, "vacuous"),
        (&["twice.spvasm"], 3, "unknown"),
        (&["next_lane.spvasm", "next_lane.spvasm", "--function", "src"], 0, "proved"),
        (&["kernel.spvasm", "kernel.spvasm", "--sizes", "4"], 0, "proved"),
        (&["number_lanes.spvasm", "number_lanes.spvasm"], 0, "proved"),
    ];
    for (words, exit, verdict) in cases {
        let (status, document) = json(&[&["verify"], *words].concat());
        assert_eq!((status, &document["verdict"]), (*exit, &json!(verdict)), "{words:?}");
    }
    assert_eq!(cases.len(), 10);
}

#[test]
fn the_document_of_a_proof_covers_every_size_at_once() {
    let (_, document) = json(&["verify", "exchange_twice.spvasm"]);
    assert_eq!(document["profile"], "vulkan");
    assert_eq!(document["all_sizes"], true);
    assert_eq!(document["counterexample"], Value::Null);
    let obligations = document["obligations"].as_array().unwrap();
    assert_eq!(obligations.len(), 1);
    assert_eq!(obligations[0]["subgroup_size"], Value::Null);
    assert_eq!(obligations[0]["rung"], "movement");
    assert!(obligations[0]["milliseconds"].is_number());
    assert!(!document["rests_on"].as_array().unwrap().is_empty());
}

/// The contract names `induction` among the abstractions that decide.
#[test]
fn what_an_induction_proved_says_so() {
    let module = "../../../proofs/theorems/waterfall/index.spvasm";
    let (exit, document) = json(&["verify", module, "--timeout", "60", "--total-timeout", "300"]);
    assert_eq!(exit, 0, "{document}");
    let obligations = document["obligations"].as_array().unwrap();
    assert!(obligations.iter().any(|it| it["rung"] == "induction"), "{document}");
}

#[test]
fn entry_points_are_compared_by_the_memory_that_they_leave() {
    let (source, target) = ("number_lanes.spvasm", "number_next_lanes.spvasm");
    let (exit, document) = json(&["verify", source, source]);
    assert_eq!((exit, &document["verdict"]), (0, &json!("proved")));
    let (exit, document) = json(&["verify", source, target, "--sizes", "4", "--active", "all"]);
    assert_eq!((exit, &document["verdict"]), (1, &json!("refuted")));
    let memory = document["counterexample"]["memory"].as_array().unwrap();
    let offending: Vec<&Value> = memory.iter().filter(|row| row["offending"] == true).collect();
    assert!(!offending.is_empty());
    for row in offending {
        let lane = row["index"].as_u64().unwrap();
        assert_eq!(row["memory"], "0.0");
        assert_eq!(row["source"], format!("{lane:#x}"));
        assert_eq!(row["target"], format!("{:#x}", lane + 1));
    }
}

#[test]
fn the_document_of_a_refutation_holds_every_lane() {
    let (_, document) = json(&["verify", "next_lane.spvasm", "--sizes", "4", "--active", "all"]);
    let found = &document["counterexample"];
    assert_eq!(found["subgroup_size"], 4);
    assert_eq!(found["max_size"], 4);
    assert_eq!(found["confirmed"], true);
    assert_eq!(found["undefined_behavior"], Value::Null);
    let lanes = found["lanes"].as_array().unwrap();
    assert_eq!(lanes.len(), 4);
    for (index, lane) in lanes.iter().enumerate() {
        assert_eq!(lane["lane"], index);
        assert_eq!(lane["active"], true);
        let next = &lanes[(index + 1) % 4]["inputs"]["x"];
        assert!(next.as_str().unwrap().starts_with("0x"));
        assert_eq!(&lane["source"], next);
        let beyond = json!("undefined");
        assert_eq!(&lane["target"], if index == 3 { &beyond } else { next });
    }
}

#[test]
fn the_document_of_undefined_behavior_names_side_instruction_and_clause() {
    let (_, document) = json(&["verify", "division.spvasm", "--sizes", "1"]);
    let found = &document["counterexample"];
    let behavior = &found["undefined_behavior"];
    assert_eq!(behavior["side"], "target");
    assert_eq!(behavior["instruction"], "OpUDiv");
    assert_eq!(behavior["clause"], "SPIR-V/OpUDiv/5");
    assert_eq!(found["lanes"][0]["source"], "0x1");
    assert_eq!(found["lanes"][0]["target"], Value::Null);
}

#[test]
fn it_stops_at_the_first_refuted_size_unless_told_otherwise() {
    let sizes = |words: &[&str]| {
        let (_, document) =
            json(&[&["verify", "only_lane_zero.spvasm", "--sizes", "4,2,1"], words].concat());
        let obligations = document["obligations"].as_array().unwrap().clone();
        obligations.iter().map(|it| it["subgroup_size"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(&[]), [1, 2]);
    assert_eq!(sizes(&["--all"]), [1, 2, 4]);
}

#[test]
fn a_document_is_printed_for_mistakes_too() {
    let cases: &[&[&str]] = &[
        &["nowhere.spvasm"],
        &["."],
        &["malformed.spvasm"],
        &["truncated.spv"],
        &["before_and_after.spvasm"],
        &["next_lane.spvasm", "--sizes", "3"],
        &["next_lane.spvasm", "--sizes", "four"],
        &["next_lane.spvasm", "--timeout", "-1"],
        &["next_lane.spvasm", "--no-such-flag"],
        &["twice.spvasm", "--spec", "broken.lps"],
        &["twice.spvasm", "--spec", "nowhere.lps"],
        &[],
    ];
    for words in cases {
        let (exit, document) = json(&[&["verify"], *words].concat());
        assert_eq!(exit, 2, "{words:?}");
        let message = document["error"].as_str().expect("a message");
        assert!(!message.is_empty() && document.as_object().unwrap().len() == 1, "{document}");
        let file = words.first().filter(|_| words.len() == 1);
        assert!(file.is_none_or(|file| message.contains(file)), "{message}");
    }
    assert_eq!(cases.len(), 12);
}

#[test]
fn obligations_are_written_as_smt_lib() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("obligations/of/verify");
    let _ = std::fs::remove_dir_all(&folder);
    let words = ["verify", "next_lane.spvasm", "--sizes", "2", "--smt2", folder.to_str().unwrap()];
    assert_eq!(laneproof(&words).exit, 1);
    let files: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains("(check-sat)") && text.contains("(assert"), "{text}");
    }
}

/// A theorem of each family that holds in subgroups with fewer lanes than their size, too.
const PARTIAL: [&str; 19] = [
    "rotate/as-shuffle",
    "shuffle/clamped",
    "shuffle-xor/as-shuffle",
    "shuffle-up-down/core-down-as-shuffle",
    "partition/own-bit",
    "partition/one-subset-reduce",
    "vote/all-as-ballot",
    "ballot/bit-extract",
    "ballot/count-of-ballot",
    "lane-mask/eq",
    "arithmetic/exclusive-then-add",
    "float/reduce-fadd-is-itself",
    "quad/swap-horizontal",
    "block/read-as-loads",
    "atomic/add-reduced",
    "group/iadd-reduce",
    "group/khr-ballot",
    "barrier/exchange",
    "built-in/id-below-size",
];

#[test]
fn no_family_needs_as_many_lanes_as_the_size_says() {
    let partial = |name: &str| {
        let file = format!("../../../proofs/theorems/{name}.spvasm");
        let words = ["verify", &file, "--partial", "--sizes", "2,4", "--timeout", "60"];
        json(&words).1["verdict"].as_str().unwrap().to_owned()
    };
    for name in PARTIAL {
        assert_eq!(partial(name), "proved", "{name}");
    }
    // The swap reads a lane that need not be there.
    assert_eq!(partial("group/quad-any-as-swaps-full"), "refuted");
}

/// Devices may flush, contract, and divide within an error: what a proof says of exact results only,
/// it says so; where no number of floating point is computed, or the shader forbids it all, it does not.
#[test]
fn exact_arithmetic_is_presumed_where_devices_may_do_otherwise() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exact");
    fs::create_dir_all(&folder).unwrap();
    let presumed = |name: &str, ty: &str, body: &str| {
        let path = folder.join(name);
        let text = format!(
            "#version 460\n{ty} src({ty} a, {ty} b) {{ return {body}; }}\n\
             {ty} tgt({ty} a, {ty} b) {{ return {body}; }}\n"
        );
        fs::write(&path, text).unwrap();
        let (exit, document) = json(&["verify", path.to_str().unwrap(), "--sizes", "1"]);
        assert_eq!(exit, 0, "{name}: {document}");
        let presumes = document["presumes"].as_array().unwrap();
        presumes.iter().any(|it| it.as_str().unwrap().starts_with("exact arithmetic"))
    };
    assert!(presumed("sum.comp", "float", "a * b + a"));
    assert!(!presumed("integers.comp", "uint", "a * b + a"));
    assert!(presumed("compared.comp", "float", "a < b ? b : a"));
    assert!(!presumed("moved.comp", "float", "b"));
}

/// What is exact by a reading is among those that a verdict rests on: of a division its bound on
/// errors, too; of a module without numbers none. Otherwise settled, there is no verdict.
#[test]
fn what_is_taken_to_be_exact_is_a_reading() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exact-readings");
    fs::create_dir_all(&folder).unwrap();
    let asked = |name: &str, body: &str, more: &[&str]| {
        let path = folder.join(name);
        let text = format!(
            "#version 460\nfloat src(float a, float b) {{ return {body}; }}\n\
             float tgt(float a, float b) {{ return {body}; }}\n"
        );
        fs::write(&path, text).unwrap();
        let words = [&["verify", path.to_str().unwrap(), "--sizes", "1"], more].concat();
        let document = json(&words).1;
        let rests_on = document["rests_on"].as_array().unwrap().clone();
        let rests_on: Vec<String> =
            rests_on.iter().map(|it| it.as_str().unwrap().to_owned()).collect();
        (document["verdict"].as_str().unwrap().to_owned(), rests_on)
    };
    let sum = ["contraction", "denormals", "nan-payload", "rounding", "special-values"];
    let (verdict, rests_on) = asked("sum.comp", "a + b", &[]);
    assert_eq!((&*verdict, rests_on), ("proved", sum.map(str::to_owned).to_vec()));
    let quotient =
        ["contraction", "denormals", "nan-payload", "precision", "rounding", "special-values"];
    let (verdict, rests_on) = asked("quotient.comp", "a / b", &[]);
    assert_eq!((&*verdict, rests_on), ("proved", quotient.map(str::to_owned).to_vec()));
    let (verdict, rests_on) = asked("moved.comp", "b", &[]);
    assert_eq!((&*verdict, rests_on), ("proved", Vec::new()));
    // An integer is rounded, and a comparison may see zeros in place of subnormal numbers.
    let (verdict, rests_on) = asked("converted.comp", "float(floatBitsToUint(a))", &[]);
    assert_eq!((&*verdict, rests_on), ("proved", vec!["rounding".to_owned()]));
    let (verdict, rests_on) = asked("compared.comp", "a < b ? b : a", &[]);
    let looked_at = ["denormals", "special-values"];
    assert_eq!((&*verdict, rests_on), ("proved", looked_at.map(str::to_owned).to_vec()));
    let left = ["--reading", "precision=left-to-devices"];
    assert_eq!(asked("sum.comp", "a + b", &left).0, "proved");
    assert_eq!(asked("quotient.comp", "a / b", &left).0, "unknown");
}

/// A dot product is the sum of its products, one by one from the first on, by a reading; added in another
/// order, or by another reading, it is none.
#[test]
fn a_dot_product_is_a_sum_in_order_by_a_reading() {
    let (_, document) = json(&["verify", "dot_product.spvasm"]);
    assert_eq!((&document["verdict"], &document["all_sizes"]), (&json!("proved"), &json!(true)));
    assert!(document["rests_on"].as_array().unwrap().contains(&json!("sum-of-products")));
    let (_, document) = json(&["verify", "dot_product_other_order.spvasm", "--sizes", "1"]);
    assert_eq!(document["verdict"], "refuted");
    let other = ["--reading", "sum-of-products=undefined-value"];
    let (_, document) = json(&[&["verify", "dot_product_other_order.spvasm"][..], &other].concat());
    assert_eq!(document["verdict"], "proved");
}
