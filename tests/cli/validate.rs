//! `validate`: exit status, document, and what people read.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::laneproof::{json, laneproof, recorded};

fn rules(document: &Value) -> Vec<(&str, &str)> {
    let all = document["diagnostics"].as_array().unwrap().iter();
    all.map(|it| (it["rule"].as_str().unwrap(), it["severity"].as_str().unwrap())).collect()
}

#[test]
fn findings_are_shown_with_their_place_and_sentence() {
    recorded(
        "findings_are_shown_with_their_place_and_sentence",
        &[
            &["validate", "--environment", "level-zero", "validate/broken_kernel.spvasm"],
            &["validate", "--environment", "vulkan", "validate/vertex.spvasm"],
            &[
                "validate",
                "--environment",
                "vulkan",
                "validate/not_spirv.spvasm",
                "--device",
                "vulkan_full",
            ],
            &[
                "validate",
                "--environment",
                "vulkan",
                "validate/clusters_of_six.spvasm",
                "--device",
                "vulkan_full",
            ],
            &[
                "validate",
                "--environment",
                "vulkan",
                "validate/shader.spvasm",
                "--device",
                "vulkan_full",
            ],
        ],
    );
}

#[test]
fn mistakes_in_device_files_have_a_place() {
    let with = |device: &'static str| {
        ["validate", "--environment", "vulkan", "--device", device, "validate/shader.spvasm"]
    };
    let calls = [
        with("validate/unknown_key.toml"),
        with("validate/wrong_type.toml"),
        with("validate/unknown_member.toml"),
        with("validate/nowhere.toml"),
    ];
    let calls: Vec<&[&str]> = calls.iter().map(|words| &words[..]).collect();
    recorded("mistakes_in_device_files_have_a_place", &calls);
    for call in calls {
        let (exit, document) = json(call);
        assert_eq!(exit, 2);
        assert!(document["error"].is_string());
    }
}

#[test]
fn the_document_has_what_scripts_read() {
    let (exit, document) =
        json(&["validate", "--environment", "level-zero", "validate/broken_kernel.spvasm"]);
    assert_eq!((exit, &document["valid"]), (1, &Value::Bool(false)));
    let all = document["diagnostics"].as_array().unwrap();
    let model = all.iter().find(|it| it["rule"] == "level-zero/addressing-model").unwrap();
    assert_eq!((&model["severity"], &model["line"]), (&"error".into(), &7.into()));
    assert_eq!((&model["instruction"], &model["reading"]), (&"OpMemoryModel".into(), &Value::Null));
    assert!(model["word"].is_u64() && model["citation"].as_str().unwrap().contains("sentence 3"));
    assert!(model["message"].as_str().unwrap().contains("Physical64"));
}

#[test]
fn what_a_device_decides_is_a_note_until_a_file_says_it() {
    let of = |more: &[&str]| {
        json(
            &[&["validate", "--environment", "level-zero", "validate/kernel.spvasm"], more]
                .concat(),
        )
    };
    let (exit, open) = of(&[]);
    assert_eq!((exit, &open["valid"]), (0, &Value::Bool(true)));
    assert!(rules(&open).contains(&("level-zero/capability", "note")));
    assert_eq!(of(&["--strict"]).0, 1);
    let (exit, full) = of(&["--device", "level_zero_full", "--strict"]);
    assert_eq!((exit, rules(&full)), (0, Vec::new()));
    let (exit, plain) = of(&["--device", "level_zero_plain"]);
    assert_eq!(exit, 0);
    assert!(rules(&plain).contains(&("level-zero/capability", "warning")));
}

#[test]
fn a_note_says_what_depends_on_the_device_and_lists_members_together() {
    let messages = |words: &[&str]| -> Vec<String> {
        let (_, document) = json(&[&["validate", "--environment"], words].concat());
        let found = document["diagnostics"].as_array().unwrap();
        found.iter().map(|it| it["message"].as_str().unwrap().to_owned()).collect()
    };
    let kernel = messages(&["opencl", "kernel.spvasm"]);
    let note = "`Execution` is `Subgroup`; whether that is allowed depends on the device: ";
    assert!(kernel.iter().any(|it| it.starts_with(note)), "{kernel:?}");
    let vertex = messages(&["vulkan", "validate/vertex.spvasm"]);
    let members = "; `subgroup.operations` with arithmetic, ballot, basic";
    assert!(vertex.iter().any(|it| it.contains(members)), "{vertex:?}");
}

#[test]
fn standard_input_is_a_module() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/fixtures/validate/shader.spvasm");
    let output = Command::new(env!("CARGO_BIN_EXE_laneproof"))
        .args(["validate", "--environment", "vulkan", "--device", "vulkan_full", "-"])
        .stdin(Stdio::from(std::fs::File::open(path).unwrap()))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_rules_are_listed_with_what_becomes_of_them() {
    let mut sentences = 0;
    for environment in ["vulkan", "opencl", "level-zero"] {
        let output = laneproof(&["validate", "--environment", environment, "--list"]);
        assert_eq!(output.exit, 0);
        let (_, document) = json(&["validate", "--environment", environment, "--list"]);
        let rules = document["rules"].as_array().unwrap();
        sentences +=
            rules.iter().map(|it| it["sentences"].as_array().unwrap().len()).sum::<usize>();
        assert!(rules.iter().all(|it| it["status"].is_string() && it["document"].is_string()));
    }
    assert_eq!(sentences, 1037);
}

#[test]
fn findings_are_written_as_sarif() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("validate.sarif");
    let words = ["validate", "--environment", "vulkan", "validate/vertex.spvasm", "--sarif"];
    assert_eq!(laneproof(&[&words[..], &[file.to_str().unwrap()]].concat()).exit, 1);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let run = &document["runs"][0];
    let result = &run["results"][0];
    let rule = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
    assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
}

/// Of a binary the byte at which the instruction begins, and its word for people.
#[test]
fn findings_in_binaries_name_the_word() {
    let file = |name: &str| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let (binary, sarif) = (file("broken_kernel.spv"), file("binary.sarif"));
    let [binary, sarif] = [&binary, &sarif].map(|it| it.to_str().unwrap());
    let assembly = "validate/broken_kernel.spvasm";
    assert_eq!(laneproof(&["compile", assembly, "-o", binary]).exit, 0);
    let words = ["validate", "--environment", "level-zero", binary];
    let (_, document) = json(&words);
    let diagnostics = document["diagnostics"].as_array().unwrap();
    let word = diagnostics.iter().find_map(|it| it["word"].as_u64()).unwrap();
    let read = laneproof(&[&words[..], &["--sarif", sarif]].concat());
    assert!(read.out.contains(&format!("at word {word}: ")), "{}", read.out);
    let written: Value = serde_json::from_str(&std::fs::read_to_string(sarif).unwrap()).unwrap();
    let results = written["runs"][0]["results"].as_array().unwrap();
    let region = |it: &Value| it["locations"][0]["physicalLocation"]["region"].clone();
    let bytes: Vec<u64> =
        results.iter().filter_map(|it| region(it)["byteOffset"].as_u64()).collect();
    assert!(bytes.contains(&(word * 4)), "{bytes:?}");
}
