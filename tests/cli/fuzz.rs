//! `laneproof fuzz`: what is listed, what is found, exit statuses. Tools that are wrong in other
//! ways are tested in `toolchains/tests/all/planted.rs`.

use std::fs;
use std::path::{Path, PathBuf};

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

/// A file with a tool that accepts everything, without looking at it.
fn accepting(folder: &Path) -> String {
    let tools = folder.join("tools.toml");
    let text = "[[tool]]\nname = \"accepts-all\"\nkind = \"accept\"\nprograms = [\"true\"]\n\
                steps = [[\"true\", \"{in}\"]]\n";
    fs::write(&tools, text).unwrap();
    tools.display().to_string()
}

#[test]
fn a_finding_is_bad_a_folder_and_can_be_known() {
    let folder = folder("accepts");
    let (tools, out) = (accepting(&folder), folder.join("out").display().to_string());
    let mut run = vec!["fuzz", "--tools", &tools, "--tool", "accepts-all", "--count", "30"];
    // On one thread the same modules are reduced each time.
    run.extend(["--jobs", "1", "--reduce", "120", "--out", &out]);
    let (exit, document) = json(&run);
    assert_eq!(exit, 1, "{document:#}");
    let findings = document["findings"].as_array().unwrap();
    assert_eq!(document["tools"][0]["version"], "not stated");
    let place = PathBuf::from(findings[0]["folder"].as_str().unwrap());
    let report = fs::read_to_string(place.join("report.md")).unwrap();
    assert!(report.contains("Version: not stated\n"), "{report}");
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
    // Two that are known hide none of the others.
    let two = folder.join("two");
    fs::write(&two, keys[..2].join("\n")).unwrap();
    let (exit, others) = json(&[&run[..], &["--known", &two.display().to_string()]].concat());
    assert_eq!(exit, 1, "{others:#}");
    assert!(others["not_reduced"].is_u64(), "{others:#}");
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
    let output = laneproof(&run);
    assert_eq!(output.exit, 2, "{}", output.err);
    assert!(output.err.contains("`absent` does not start"), "{}", output.err);
    assert!(start.elapsed().as_secs() < 60);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_done_is_said() {
    let output = laneproof(&["fuzz", "--tool", "nobody"]);
    assert_eq!(output.exit, 2);
    assert!(output.err.contains("no tool is called `nobody`"), "{}", output.err);
    let output = laneproof(&["fuzz", "--shard", "3/2"]);
    assert_eq!(output.exit, 2);
    let folder = folder("malformed");
    let tools = folder.join("tools.toml");
    fs::write(&tools, "[[tool]]\nname = \"x\"\nkind = \"bake\"\n").unwrap();
    let output = laneproof(&["fuzz", "--list", "--tools", &tools.display().to_string()]);
    assert_eq!(output.exit, 2);
    assert!(output.err.contains("tools.toml"), "{}", output.err);
    fs::remove_dir_all(&folder).unwrap();
}

/// A tool that cannot be called is no tool that is right, whether its program is missing or never ends by itself.
#[test]
fn what_is_not_decided_is_not_good() {
    let folder = folder("undecided");
    let described = |steps: &str| {
        let tools = folder.join("tools.toml");
        let text = format!("[[tool]]\nname = \"mine\"\nkind = \"transform\"\nsteps = [{steps}]\n");
        fs::write(&tools, text).unwrap();
        tools.display().to_string()
    };
    let tools = described("[\"cp\", \"{in}\", \"{1}\"], [\"no-such-program\", \"{1}\", \"{out}\"]");
    let run = ["fuzz", "--tools", &tools, "--tool", "mine", "--count", "4"];
    let output = laneproof(&run);
    assert_eq!(output.exit, 2, "{}", output.out);
    assert!(
        output.err.contains("`mine` was not found: no program `no-such-program`"),
        "{}",
        output.err
    );
    assert_eq!(json(&["fuzz", "--tools", &tools, "--list"]).0, 0);
    for (script, said) in [
        ("kill -TERM $$", "mine: 4 of 4 undecided: ended from outside by SIGTERM"),
        ("echo it is not supported; exit 1", "mine: 4 of 4 unsupported: it is not supported"),
    ] {
        described(&format!("[\"sh\", \"-c\", \"{script}\", \"{{in}}\", \"{{out}}\"]"));
        let output = laneproof(&run);
        assert_eq!(output.exit, 3, "{}", output.out);
        assert!(output.out.contains(said), "{}", output.out);
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A file that cannot be written is reported before the run if possible, and never suppresses the
/// summary.
#[test]
fn what_cannot_be_written_is_said_at_once_or_beside_the_summary() {
    let folder = folder("unwritable");
    let tools = accepting(&folder);
    let file = folder.join("file");
    fs::write(&file, "mine").unwrap();
    let run = ["fuzz", "--tools", &tools, "--tool", "accepts-all", "--count", "30", "--jobs", "1"];
    let below = file.join("page.html").display().to_string();
    let file = file.display().to_string();
    for more in [["--out", &*file], ["--html", &*below], ["--out", "/proc/self"]] {
        let output = laneproof(&[&run[..], &more].concat());
        assert_eq!(output.exit, 2, "{more:?}: {}", output.out);
        assert!(output.err.contains("cannot be written"), "{more:?}: {}", output.err);
        // Nothing was tried.
        assert_eq!(output.err.lines().count(), 1, "{more:?}: {}", output.err);
    }
    // A disk that is full at the end.
    let output = laneproof(&[&run[..], &["--html", "/dev/full"]].concat());
    assert_eq!(output.exit, 1, "{}", output.err);
    for part in [" findings, ", "/dev/full: cannot be written"] {
        assert!(output.out.contains(part), "{part}: {}", output.out);
    }
    let quiet = ["fuzz", "--tool", "rspirv", "--count", "3", "--html", "/dev/full"];
    let output = laneproof(&quiet);
    assert_eq!((output.exit, output.out.contains("0 findings")), (2, true), "{}", output.out);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    fs::remove_dir_all(&folder).unwrap();
}

/// The user's modules come first, and count; a missing folder is reported at once.
#[test]
fn modules_of_the_user_are_tried_within_the_time() {
    let folder = folder("corpus");
    let tools = accepting(&folder);
    let run = ["fuzz", "--tools", &tools, "--tool", "accepts-all"];
    let output = laneproof(&[&run[..], &["--seconds", "600", "--corpus", "nowhere"]].concat());
    assert_eq!(output.exit, 2, "{}", output.out);
    assert!(output.err.contains("nowhere: cannot be read"), "{}", output.err);
    let own = folder.join("own");
    fs::create_dir_all(&own).unwrap();
    let text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
    for number in 0..3 {
        fs::write(own.join(format!("{number}.spvasm")), text).unwrap();
    }
    fs::write(own.join("notes"), "no module").unwrap();
    let own = own.display().to_string();
    let rest = ["--count", "4", "--profile", "single", "--corpus", &own, "--reduce", "0.01"];
    let (_, document) = json(&[&run[..], &rest].concat());
    let modules = document["tools"][0]["modules"].as_u64().unwrap();
    assert!(modules >= 3 + 2, "{document:#}");
    assert_eq!(document["corpus_files"], serde_json::json!({ "modules": 3, "others": 1 }));
    // A validator that refuses them is wrong.
    let refusing = fs::read_to_string(&tools).unwrap().replace("\"true\"", "\"false\"");
    fs::write(&tools, refusing).unwrap();
    let (exit, document) = json(&[&run[..], &rest].concat());
    assert_eq!(exit, 1, "{document:#}");
    let lines = document["corpus"].as_array().unwrap();
    assert_eq!(lines.len(), 3, "{document:#}");
    assert!(lines[0].as_str().unwrap().contains("0.spvasm: rejected valid: exit status 1"));
    let tools = accepting(&folder);
    let run = ["fuzz", "--tools", &tools, "--tool", "accepts-all"];
    let start = std::time::Instant::now();
    let (_, document) = json(&[&run[..], &["--seconds", "2", "--corpus", &own]].concat());
    assert!(document["generated"].as_u64().unwrap() > 0, "{document:#}");
    assert!(start.elapsed().as_secs() < 20);
    fs::remove_dir_all(&folder).unwrap();
}

/// A run goes on where the last one of the same part ended, whatever ran between; its findings count.
#[test]
fn runs_go_on_part_by_part_and_tool_by_tool() {
    let folder = folder("resumed");
    let (tools, out) = (accepting(&folder), folder.join("out").display().to_string());
    let run = |tool: &str, more: &[&str]| {
        let words = ["fuzz", "--tools", &tools, "--tool", tool, "--out", &out, "--resume"];
        json(&[&words, &["--count", "30", "--jobs", "1"][..], more].concat())
    };
    let next = |name: &str, tool: &str| {
        let text = fs::read(folder.join("out").join(name)).unwrap();
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()["next"][tool].clone()
    };
    // Nothing to go on with: from the start.
    assert_eq!(run("rspirv", &[]).0, 0);
    let (exit, document) = run("accepts-all", &[]);
    let found = document["findings"].as_array().unwrap().len();
    assert!(exit == 1 && found > 0 && document["earlier"] == serde_json::json!([]));
    let (exit, document) = run("rspirv", &[]);
    assert_eq!((exit, document["earlier"].as_array().unwrap().len()), (1, found));
    assert_eq!(next("state.json", "rspirv"), 60);
    assert_eq!(next("state.json", "accepts-all"), 30);
    // The findings are not found again.
    let (exit, document) = run("accepts-all", &[]);
    assert_eq!(exit, 1);
    assert!(document["tools"][0]["known"].as_u64().unwrap() > 0, "{document:#}");
    let (_, document) = run("rspirv", &["--shard", "2/3"]);
    assert_eq!(
        (&document["tools"][0]["modules"], next("state-2-of-3.json", "rspirv")),
        (&10.into(), 30.into())
    );
    assert_eq!(
        run("rspirv", &["--seed", "7"]).1["error"].as_str().unwrap().split(' ').next_back(),
        Some("with")
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_name_is_of_one_tool_and_one_tool_is_asked_once() {
    let folder = folder("named");
    let tools = folder.join("tools.toml");
    let described = |name: &str| {
        format!(
            "[[tool]]\nname = \"{name}\"\nkind = \"accept\"\nsteps = [[\"true\", \"{{in}}\"]]\n"
        )
    };
    for text in [described("spirv-val"), [described("mine"), described("mine")].concat()] {
        fs::write(&tools, text).unwrap();
        let output = laneproof(&["fuzz", "--list", "--tools", &tools.display().to_string()]);
        assert_eq!(output.exit, 2);
        assert!(output.err.contains("another tool called"), "{}", output.err);
    }
    let (_, document) = json(&["fuzz", "--tool", "rspirv", "--tool", "rspirv", "--count", "4"]);
    assert_eq!(document["generated"], 4);
    assert_eq!(laneproof(&["fuzz", "--tool", "rspirv", "--count", "0"]).exit, 2);
    fs::remove_dir_all(&folder).unwrap();
}

/// The page about description files shows one that reads.
#[test]
fn the_description_in_the_page_reads() {
    let folder = folder("page");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tools.md");
    let page = fs::read_to_string(page).unwrap();
    let block = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let tools = folder.join("tools.toml");
    fs::write(&tools, block).unwrap();
    let (exit, document) = json(&["fuzz", "--list", "--tools", &tools.display().to_string()]);
    assert_eq!(exit, 0, "{document}");
    let listed = document["tools"].as_array().unwrap();
    let tool = listed.iter().find(|tool| tool["name"] == "my-opt").unwrap();
    assert_eq!(tool["missing"], "no program `my-opt`");
    assert_eq!(tool["get"], "make -C tools my-opt");
    assert_eq!(tool["takes"], "shaders, SPIR-V 1.6, 2 capabilities, without 1 opcode");
    fs::remove_dir_all(&folder).unwrap();
}
