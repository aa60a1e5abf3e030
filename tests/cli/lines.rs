//! Lines of GLSL and WGSL: in tables of lanes, in messages about undefined behavior, in SARIF.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::laneproof::{json, laneproof, recorded};

#[test]
fn what_was_compiled_is_shown_by_the_lines_of_its_source() {
    recorded(
        "what_was_compiled_is_shown_by_the_lines_of_its_source",
        &[
            &["verify", "lines/scan.comp", "--sizes", "2"],
            &["verify", "lines/quotient.comp", "--sizes", "4"],
            &["verify", "lines/next.wgsl", "--sizes", "2"],
            &["run", "lines/race.comp", "--inputs", "lines/one.json"],
        ],
    );
}

#[test]
fn documents_name_the_lines() {
    let (exit, document) = json(&["verify", "lines/scan.comp", "--sizes", "2"]);
    assert_eq!(exit, 1, "{document}");
    let origins = document["counterexample"]["origins"]["target"].as_object().unwrap();
    let lines: Vec<(u64, &str)> = origins
        .values()
        .map(|it| (it["line"].as_u64().unwrap(), it["instruction"].as_str().unwrap()))
        .collect();
    assert!(lines.contains(&(10, "OpGroupNonUniformShuffleUp")), "{lines:?}");
    assert!(lines.contains(&(11, "OpIEqual")), "{lines:?}");
    let (exit, document) = json(&["run", "lines/race.comp", "--inputs", "lines/one.json"]);
    assert_eq!((exit, &document["undefined_behavior"]["line"]), (1, &Value::from(5)));
}

/// naga divides in a function of its own, which has no lines.
#[test]
fn what_the_compiler_added_is_shown_by_the_line_that_calls_it() {
    let words = ["verify", "lines/divided.wgsl", "--sizes", "2"];
    let (exit, document) = json(&words);
    assert_eq!(exit, 1, "{document}");
    let origins = &document["counterexample"]["origins"];
    for (side, line) in [("source", 4), ("target", 8)] {
        let all: Vec<&Value> = origins[side].as_object().unwrap().values().collect();
        let added = all.iter().filter(|it| it["function"] == "naga_div");
        let added: Vec<&Value> = added.map(|it| &it["line"]).collect();
        assert!(!added.is_empty() && added.iter().all(|it| **it == line), "{side}: {all:#?}");
    }
    let shown = laneproof(&words).out;
    assert!(shown.contains("in naga_div") && !shown.contains('%'), "{shown}");
}

/// Of undefined behavior its own line, else where the target begins.
#[test]
fn code_scanning_is_sent_to_the_line() {
    for (module, line) in [("lines/quotient.comp", 11), ("lines/scan.comp", 9)] {
        let sarif = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lines.sarif");
        let _ = fs::remove_file(&sarif);
        let words = ["verify", module, "--sizes", "4", "--sarif", sarif.to_str().unwrap()];
        assert_eq!(laneproof(&words).exit, 1);
        let document: Value = serde_json::from_str(&fs::read_to_string(&sarif).unwrap()).unwrap();
        let location = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(location["region"]["startLine"], line, "{module}");
    }
}

/// The counterexample of a module at the smallest size that has one, lane by lane: whether it is active,
/// and the first parameter.
fn state(module: &str) -> Vec<(bool, String)> {
    let (exit, document) = json(&["verify", module]);
    assert_eq!(exit, 1, "{document}");
    let lanes = document["counterexample"]["lanes"].as_array().unwrap();
    let lane = |lane: &Value| {
        let x = &lane["inputs"]["x"];
        let x = x.as_str().map_or_else(|| x.to_string(), str::to_owned);
        (lane["active"].as_bool().unwrap(), x)
    };
    lanes.iter().map(lane).collect()
}

/// A file with this body, in GLSL with group operations.
fn made(name: &str, body: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let extensions = ["arithmetic", "ballot", "shuffle", "vote"]
        .map(|it| format!("#extension GL_KHR_shader_subgroup_{it} : require\n"));
    fs::write(&path, format!("#version 460\n{}{body}\n", extensions.concat())).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Whatever state the solver came upon: lanes are active but where one that is not is the point, and
/// values are those that tell most.
#[test]
fn a_counterexample_is_the_simplest_of_its_kind() {
    let cases = [
        (
            "sum",
            "uint src(uint x) { return subgroupAdd(x); }\n\
             uint tgt(uint x) { return subgroupOr(x); }",
            [(true, "0x100"), (true, "0x101")],
        ),
        (
            "float",
            "float src(float x) { return subgroupMin(x); }\n\
             float tgt(float x) { return subgroupMax(x); }",
            [(true, "0x43800000"), (true, "0x43808000")],
        ),
        (
            "count",
            "uint src(uint x) { return subgroupBallotBitCount(subgroupBallot(true)); }\n\
             uint tgt(uint x) { return gl_SubgroupSize; }",
            [(false, "0x100"), (true, "0x101")],
        ),
        (
            "vote",
            "bool src(bool x) { return subgroupAll(x); }\n\
             bool tgt(bool x) { return subgroupAny(x); }",
            [(true, "false"), (true, "true")],
        ),
    ];
    for (name, body, lanes) in cases {
        let found = state(&made(&format!("simplest-{name}.comp"), body));
        let found: Vec<(bool, &str)> =
            found.iter().map(|(active, x)| (*active, x.as_str())).collect();
        assert_eq!(found, lanes, "{name}");
    }
}

/// A strategy's part of the limit is over in a moment here: what is shown has the rest of the limit.
#[test]
fn a_counterexample_is_simple_however_short_the_limit() {
    let body = "float src(float x) { return subgroupMin(x); }\n\
                float tgt(float x) { return subgroupMax(x); }";
    let (exit, document) = json(&["verify", &made("simple.comp", body), "--timeout", "1"]);
    let x = |lane: usize| &document["counterexample"]["lanes"][lane]["inputs"]["x"];
    let simple = [x(0), x(1)] == [&Value::from("0x43800000"), &Value::from("0x43808000")];
    // A busy machine may not come to refute it.
    assert!(exit == 3 || simple, "{document:#}");
}
