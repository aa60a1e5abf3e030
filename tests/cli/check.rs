//! `laneproof check`: each file of `check/` holds a module's inputs, and what may and may not come
//! out of it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::laneproof::{json, recorded};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/check");

/// A folder of this test's own.
fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a document into that folder: its path.
fn write(name: &str, document: &Value) -> String {
    let path = scratch().join(format!("{name}.json"));
    fs::write(&path, document.to_string()).unwrap();
    path.display().to_string()
}

/// The files of the folder: the name, the path of the module, and what stands in it.
fn files() -> Vec<(String, String, Value)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(FOLDER).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let module = format!("{FOLDER}/{}", file["module"].as_str().unwrap());
        (name, module, file)
    };
    files.iter().map(read).collect()
}

fn exit_of(verdict: &str) -> i32 {
    match verdict {
        "allowed" => 0,
        "not-allowed" => 1,
        "error" => 2,
        "unknown" => 3,
        other => panic!("no verdict: {other}"),
    }
}

/// The lanes or elements that the answer says no choice explains.
fn unexplained(answer: &Value) -> Vec<Value> {
    let list = |key: &str, index: &str| -> Vec<Value> {
        let values = answer[key].as_array().cloned().unwrap_or_default();
        values.iter().map(|value| value[index].clone()).collect()
    };
    [list("lanes", "lane"), list("elements", "element")].concat()
}

#[test]
fn what_came_out_is_judged_as_its_file_says() {
    let mut judged = 0;
    let mut wrong = Vec::new();
    for (name, module, file) in files() {
        let inputs = write(&format!("{name}.inputs"), &file["inputs"]);
        for (number, case) in file["cases"].as_array().unwrap().iter().enumerate() {
            let observed = write(&format!("{name}.observed{number}"), &case["observed"]);
            let mut words = vec!["check", &module];
            words.extend(file["flags"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()));
            words.extend(["--inputs", &inputs, "--observed", &observed, "--timeout", "5"]);
            let (exit, answer) = json(&words);
            judged += 1;
            let what = format!("{name}: {}: {answer}", case["name"].as_str().unwrap());
            let verdict = case["verdict"].as_str().unwrap();
            if exit != exit_of(verdict) {
                wrong.push(format!("{what}: not {verdict}"));
                continue;
            }
            if verdict == "error" {
                let observed = Path::new(&observed).display().to_string();
                assert!(answer["error"].as_str().unwrap().starts_with(&observed), "{what}");
                continue;
            }
            assert_eq!(answer["verdict"], verdict, "{what}");
            assert!(answer["reason"].is_string(), "{what}");
            let behavior = case.get("undefined_behavior").is_some();
            assert_eq!(answer.get("undefined_behavior").is_some(), behavior, "{what}");
            let listed = unexplained(&answer);
            assert_eq!(verdict == "allowed", listed.is_empty(), "{what}");
            if let Some(expected) = case.get("unexplained")
                && json!(listed) != *expected
            {
                wrong.push(format!("{what}: not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(judged, 104);
}

/// What `run` prints is one of the results that are allowed, in the form in which it prints it.
#[test]
fn what_a_run_prints_is_allowed() {
    let mut ran = 0;
    let mut wrong = Vec::new();
    for (name, module, file) in files() {
        let inputs = write(&format!("{name}.run.inputs"), &file["inputs"]);
        let mut words = vec![module.as_str()];
        words.extend(file["flags"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()));
        words.extend(["--inputs", &inputs]);
        let (exit, left) = json(&[&["run"], &words[..]].concat());
        if exit != 0 {
            continue;
        }
        ran += 1;
        let observed = write(&format!("{name}.run.observed"), &left);
        words.extend(["--observed", &observed, "--timeout", "5"]);
        let (exit, answer) = json(&[&["check"], &words[..]].concat());
        if exit != 0 {
            wrong.push(format!("{name}: {left}: {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(ran, 32);
}

#[test]
fn an_answer_shows_what_no_choice_explains() {
    let next = ["check", "next_lane.spvasm", "--function", "tgt", "--inputs", "four_lanes.json"];
    let with = |words: &[&'static str]| [&next[..], words].concat();
    recorded(
        "an_answer_shows_what_no_choice_explains",
        &[
            &with(&["--observed", "observed.json"]),
            &with(&["--observed", "observed_elsewhere.json"]),
            &with(&["--observed", "observed_short.json"]),
            &with(&["--observed", "four_lanes.json"]),
            &with(&["--observed", "nowhere.json"]),
            &with(&["--observed", "cut_off.json"]),
            &next,
            &[
                "check",
                "kernel.spvasm",
                "--subgroup-size",
                "4",
                "--inputs",
                "kernel.json",
                "--observed",
                "observed_sums.json",
            ],
            &[
                "check",
                "division.spvasm",
                "--function",
                "tgt",
                "--inputs",
                "zero.json",
                "--observed",
                "observed_zero.json",
            ],
        ],
    );
}

/// Each line of a file of cases is judged as it is alone, and the answer is as bad as the worst.
#[test]
fn many_cases_are_judged_in_one_call() {
    let lanes = |lanes: [u32; 4]| json!({ "type": "u32", "lanes": lanes });
    let case = |observed| {
        let inputs = json!({ "parameters": { "x": lanes([10, 20, 30, 40]) } });
        json!({ "inputs": inputs, "observed": { "result": lanes(observed) } }).to_string()
    };
    let (right, wrong) = (case([20, 30, 40, 7]), case([20, 30, 30, 7]));
    let path = scratch().join("cases.jsonl");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rotate.comp");
    let words = ["check", example, "--function", "tgt", "--cases", path.to_str().unwrap()];
    let ask = |text: &str| {
        fs::write(&path, text).unwrap();
        json(&words)
    };
    let (exit, document) = ask(&format!("{right}\n{right}\n"));
    assert_eq!((exit, &document["verdict"]), (0, &json!("allowed")), "{document}");
    let (exit, document) = ask(&format!("{right}\n\n{wrong}"));
    assert_eq!((exit, &document["verdict"]), (1, &json!("not-allowed")), "{document}");
    let verdicts: Vec<(&Value, &Value)> = document["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| (&case["line"], &case["verdict"]))
        .collect();
    assert_eq!(verdicts, [(&json!(1), &json!("allowed")), (&json!(3), &json!("not-allowed"))]);
    assert_eq!(document["cases"][1]["lanes"][0]["lane"], 2, "{document}");
    // A mistake names its line.
    let (exit, document) = ask(&format!("{right}\n{{\"inputs\": {{}}, \"seen\": 3}}"));
    assert_eq!(exit, 2);
    assert!(document["error"].as_str().unwrap().contains("cases.jsonl:2"), "{document}");
    assert_eq!(ask("").0, 2);
    let both = [&words[..], &["--observed", "observed.json"]].concat();
    assert_eq!(json(&both).0, 2);
}

/// An instruction of a compiled source is named by its line.
#[test]
fn a_reduction_in_any_order_is_named_by_its_line() {
    let file = |name: &str, text: &str| {
        let path = scratch().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let module = file(
        "sum.comp",
        "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n\
         float src(float x) {\n    return subgroupAdd(x);\n}\n",
    );
    let lanes: Vec<f64> = (0..16).map(|lane| f64::from(lane) / 3.0).collect();
    let inputs = json!({ "parameters": { "x": { "type": "f32", "lanes": lanes } } });
    let observed = json!({ "result": { "type": "f32", "lanes": vec![1.0; 16] } });
    let inputs = file("sum_in.json", &inputs.to_string());
    let observed = file("sum_out.json", &observed.to_string());
    let words = ["check", &module, "--function", "src", "--inputs", &inputs];
    let (exit, document) = json(&[&words[..], &["--observed", &observed]].concat());
    assert_eq!(exit, 1, "{document}");
    let possible = document["lanes"][0]["possible"].as_str().unwrap();
    assert!(possible.contains("(line 4)"), "{possible}");
}
