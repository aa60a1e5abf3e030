//! `laneproof fuzz`: what is listed, what is found, exit statuses. Tools that are wrong in other
//! ways are tested in `toolchains/tests/all/planted.rs`.

use std::fs;
use std::path::PathBuf;

use crate::laneproof::{json, laneproof};

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("laneproof-fuzz-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn tools_are_listed_with_what_they_take_and_how_to_get_them() {
    let (exit, document) = json(&["fuzz", "--list"]);
    assert_eq!(exit, 0);
    let tools = document["tools"].as_array().unwrap();
    for name in [
        "spirv-opt",
        "spirv-val",
        "spirv-cross",
        "naga",
        "llvm-spirv",
        "llc",
        "rspirv",
        "self",
        "lavapipe-256",
        "swiftshader",
    ] {
        let tool = tools.iter().find(|tool| tool["name"] == name);
        let tool = tool.unwrap_or_else(|| panic!("{name} is not listed"));
        assert!(tool["found"] == true || !tool["get"].as_str().unwrap().is_empty(), "{tool}");
    }
}

#[test]
fn what_is_right_is_good() {
    let (exit, document) = json(&["fuzz", "--tool", "self", "--tool", "rspirv", "--count", "40"]);
    assert_eq!(exit, 0, "{document:#}");
    assert_eq!(document["generated"], 80);
    assert_eq!(document["asked"], 80);
    assert!(document["defined"].as_f64().unwrap() > 0.5);
    assert!(!document["coverage"].as_array().unwrap().is_empty());
}

#[test]
fn a_finding_is_bad_a_folder_and_can_be_known() {
    let folder = folder("accepts");
    let tools = folder.join("tools.toml");
    // `true` accepts everything, without looking at it.
    let text = "[[tool]]\nname = \"accepts-all\"\nkind = \"accept\"\nprograms = [\"true\"]\n\
                steps = [[\"true\", \"{in}\"]]\n";
    fs::write(&tools, text).unwrap();
    let (tools, out) = (tools.display().to_string(), folder.join("out").display().to_string());
    let mut run = vec!["fuzz", "--tools", &tools, "--tool", "accepts-all", "--count", "30"];
    // On one thread the same modules are reduced each time.
    run.extend(["--jobs", "1", "--reduce", "120", "--out", &out]);
    let (exit, document) = json(&run);
    assert_eq!(exit, 1, "{document:#}");
    let findings = document["findings"].as_array().unwrap();
    let place = PathBuf::from(findings[0]["folder"].as_str().unwrap());
    for name in ["module.spv", "module.spvasm", "inputs.json", "report.md", "finding.json"] {
        assert!(place.join(name).is_file(), "{name} is missing");
    }
    let keys: Vec<&str> = findings.iter().map(|it| it["key"].as_str().unwrap()).collect();
    let known = folder.join("known");
    fs::write(&known, format!("# seen\n{}\n", keys.join("\n"))).unwrap();
    let known = known.display().to_string();
    let (exit, document) = json(&[&run[..], &["--known", &known]].concat());
    assert_eq!(exit, 0, "{document:#}");
    assert!(document["tools"][0]["known"].as_u64().unwrap() > 0);
    // The run goes on behind the last module.
    let (_, document) = json(&[&run[..], &["--known", &known, "--resume"]].concat());
    assert_eq!(document["next"], 60);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_tool_that_does_not_start_is_an_error_at_once() {
    let folder = folder("absent");
    let tools = folder.join("tools.toml");
    let text = "[[tool]]\nname = \"absent\"\nkind = \"execute\"\nsteps = [[\"true\"]]\n";
    fs::write(&tools, text).unwrap();
    let start = std::time::Instant::now();
    let tools = tools.display().to_string();
    let run = ["fuzz", "--tools", &tools, "--tool", "absent", "--seconds", "600"];
    let said = laneproof(&run);
    assert_eq!(said.exit, 2, "{}", said.err);
    assert!(said.err.contains("`absent` does not start"), "{}", said.err);
    assert!(start.elapsed().as_secs() < 60);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_done_is_said() {
    let said = laneproof(&["fuzz", "--tool", "nobody"]);
    assert_eq!(said.exit, 2);
    assert!(said.err.contains("no tool is called `nobody`"), "{}", said.err);
    let said = laneproof(&["fuzz", "--shard", "3/2"]);
    assert_eq!(said.exit, 2);
    let folder = folder("malformed");
    let tools = folder.join("tools.toml");
    fs::write(&tools, "[[tool]]\nname = \"x\"\nkind = \"bake\"\n").unwrap();
    let said = laneproof(&["fuzz", "--list", "--tools", &tools.display().to_string()]);
    assert_eq!(said.exit, 2);
    assert!(said.err.contains("tools.toml"), "{}", said.err);
    fs::remove_dir_all(&folder).unwrap();
}
