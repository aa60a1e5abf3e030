//! Where modules come from: standard input, two files, other languages; and what is written of them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::laneproof::{command, in_columns, json as asked, laneproof};

const SUM: &str = "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n\
                   uint src(uint x) { return subgroupAdd(x); }\n";
const DISJUNCTION: &str = "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n\
                           uint tgt(uint x) { return subgroupOr(x); }\n\
                           uint other(uint x) { return subgroupAdd(x); }\n";

/// A file of this test's.
fn made(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sources");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Exit status and document of a call that reads `text` from standard input.
fn piped(words: &[&str], text: &str) -> (i32, Value) {
    let (exit, out, _) = fed(&[words, &["--json"]].concat(), text);
    (exit, serde_json::from_str(&out).unwrap())
}

/// Exit status, standard output and messages of a call that may read `text` from standard input.
fn fed(words: &[&str], text: &str) -> (i32, String, String) {
    let mut child = command(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn standard_input_is_one_file_of_any_kind() {
    let inputs = include_str!("fixtures/four_lanes.json");
    let run = ["run", "next_lane.spvasm", "--function", "src", "--inputs"];
    let from_file = laneproof(&[&run[..], &["four_lanes.json"]].concat());
    let (exit, out, err) = fed(&[&run[..], &["-"]].concat(), inputs);
    assert_eq!((exit, out), (0, from_file.out), "{err}");
    let module = include_str!("fixtures/next_lane.spvasm");
    for (words, text, says) in [
        (["verify", "-", "-"].to_vec(), module, "only one file can be standard input"),
        (["run", "-", "--function", "src", "--inputs", "-"].to_vec(), module, "only one file"),
        (["verify", "-"].to_vec(), "", "standard input: cannot be read: it is empty"),
        ([&run[..], &["-"]].concat(), "[1", "standard input: not a JSON document"),
    ] {
        let (exit, out, err) = fed(&words, text);
        assert_eq!((exit, out.as_str()), (2, ""), "{words:?}: {err}");
        assert!(err.contains(says), "{words:?}: {err}");
    }
}

#[test]
fn standard_input_is_a_module_in_any_language() {
    let sizes = ["--sizes", "2"];
    let pair = format!("{SUM}uint tgt(uint x) {{ return src(x); }}\n");
    for file in ["-", "/dev/stdin"] {
        let (exit, document) = piped(&[&["verify", file][..], &sizes].concat(), &pair);
        assert_eq!((exit, &document["verdict"]), (0, &json!("proved")), "{file}: {document}");
    }
    let assembly = include_str!("fixtures/next_lane.spvasm");
    let (exit, document) = piped(&[&["verify", "-"][..], &sizes].concat(), assembly);
    assert_eq!((exit, &document["verdict"]), (1, &json!("refuted")));
    let wgsl =
        "fn src(x: u32) -> u32 { return x + x; }\nfn tgt(x: u32) -> u32 { return 2u * x; }\n";
    let (exit, document) = piped(&[&["verify", "-"][..], &sizes].concat(), wgsl);
    assert_eq!((exit, &document["verdict"]), (0, &json!("proved")), "{document}");
}

#[test]
fn marks_of_windows_are_no_part_of_a_text() {
    let text =
        format!("\u{feff}{SUM}uint tgt(uint x) {{ return src(x); }}\n").replace('\n', "\r\n");
    let path = made("windows.comp", &text);
    assert_eq!(laneproof(&["verify", path.to_str().unwrap(), "--sizes", "2"]).exit, 0);
    let assembly = include_str!("fixtures/next_lane.spvasm").replace('\n', "\r\n");
    let path = made("windows.spvasm", &format!("\u{feff}{assembly}"));
    assert_eq!(laneproof(&["verify", path.to_str().unwrap(), "--sizes", "2"]).exit, 1);
    let lanes = include_str!("fixtures/four_lanes.json").replace('\n', "\r\n");
    let inputs = made("windows.json", &format!("\u{feff}{lanes}"));
    let words = ["run", path.to_str().unwrap(), "--function", "src", "--inputs"];
    assert_eq!(laneproof(&[&words[..], &[inputs.to_str().unwrap()]].concat()).exit, 0);
}

#[test]
fn of_two_files_the_one_has_the_source_and_the_other_the_target() {
    let [source, target] = [made("sum.comp", SUM), made("or.comp", DISJUNCTION)];
    let [source, target] = [&source, &target].map(|path| path.to_str().unwrap());
    let verify = |flags: &[&str]| {
        let words = [&["verify", source, target, "--sizes", "2"][..], flags].concat();
        let (exit, document) = asked(&words);
        (exit, document["verdict"].clone())
    };
    assert_eq!(verify(&[]), (1, json!("refuted")));
    let other = ["--function", "src", "--target-function", "other"];
    assert_eq!(verify(&other), (0, json!("proved")));
    // In one file, too.
    let words = ["verify", target, "--sizes", "2", "--function", "other"];
    assert_eq!(laneproof(&[&words[..], &["--target-function", "tgt"]].concat()).exit, 1);
    assert_eq!(laneproof(&[&words[..], &["--target-function", "other"]].concat()).exit, 0);
}

#[test]
fn other_languages_are_answered_with_those_that_are_read() {
    for (name, output) in [("a.hlsl", "dxc"), ("a.cl", "clang"), ("a.frag", "glslang")] {
        let path = made(name, "");
        let failed = laneproof(&["verify", path.to_str().unwrap()]);
        assert_eq!(failed.exit, 2);
        for word in ["not supported", output, ".wgsl", ".comp"] {
            assert!(failed.err.contains(word), "{name}: {}", failed.err);
        }
    }
}

#[test]
fn what_is_compiled_is_what_is_looked_at() {
    let source = made("compiled.comp", &format!("{SUM}uint tgt(uint x) {{ return src(x); }}\n"));
    let source = source.to_str().unwrap();
    let assembly = laneproof(&["compile", source]);
    assert_eq!(assembly.exit, 0);
    assert!(assembly.out.contains("OpGroupNonUniformIAdd"), "{}", assembly.out);
    for name in ["compiled.spv", "compiled.spvasm"] {
        let path = made(name, "");
        let path = path.to_str().unwrap();
        assert_eq!(laneproof(&["compile", source, "--output", path]).exit, 0);
        assert_eq!(laneproof(&["verify", path, "--sizes", "2"]).exit, 0, "{name}");
    }
}

#[test]
fn a_saved_counterexample_is_an_input() {
    let saved = made("lanes.json", "");
    let saved = saved.to_str().unwrap();
    let words = ["verify", "next_lane.spvasm", "--sizes", "4", "--save-counterexample", saved];
    let output = laneproof(&words);
    assert_eq!(output.exit, 1);
    let (_, command) = output.out.split_once("It is shown by: laneproof ").unwrap();
    let words: Vec<&str> = command.split_whitespace().collect();
    let run = laneproof(&words);
    // The target's value is undefined in some lane: that was the refutation.
    assert_eq!(run.exit, 0, "{}", run.err);
    assert!(run.out.contains("undefined"), "{}", run.out);
}

#[test]
fn a_saved_counterexample_of_any_type_is_an_input() {
    for (number, (ty, member)) in
        [("uint", "x"), ("vec3", "x.z"), ("uint", "x[1]"), ("S", "x.b.y")].into_iter().enumerate()
    {
        let array = if member.ends_with(']') { "[3]" } else { "" };
        let text = format!(
            "#version 460\nstruct S {{ uint a; vec2 b; }};\n\
             float src({ty} x{array}) {{ return float({member}); }}\n\
             float tgt({ty} x{array}) {{ return float({member}) + 1.0; }}\n"
        );
        let file = made(&format!("typed-{number}.comp"), &text);
        let saved = made(&format!("typed-{number}.json"), "");
        let (file, saved) = (file.to_str().unwrap(), saved.to_str().unwrap());
        let output = laneproof(&["verify", file, "--sizes", "2", "--save-counterexample", saved]);
        assert_eq!(output.exit, 1, "{ty}: {}{}", output.out, output.err);
        // Floats are numbers that people read, not small bits.
        assert!(!output.out.contains("e-4"), "{}", output.out);
        let (_, command) = output.out.split_once("It is shown by: laneproof ").unwrap();
        let run = laneproof(&command.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.exit, 0, "{ty}{array}: {}", run.err);
    }
}

/// Buffers are part of it, and what a function leaves in them is printed.
#[test]
fn a_saved_counterexample_with_memory_is_an_input() {
    let text = "#version 460\n\
                layout(set = 0, binding = 3) buffer B { uint b[]; };\n\
                layout(push_constant) uniform P { uint k; };\n\
                void src(uint x) { b[0] = k; }\n\
                void tgt(uint x) { b[0] = k + b[0]; }\n";
    let (file, saved) = (made("stores.comp", text), made("stores.json", ""));
    let (file, saved) = (file.to_str().unwrap(), saved.to_str().unwrap());
    let output = laneproof(&["verify", file, "--sizes", "1", "--save-counterexample", saved]);
    assert_eq!(output.exit, 1, "{}{}", output.out, output.err);
    let (_, command) = output.out.split_once("It is shown by: laneproof ").unwrap();
    let mut words: Vec<&str> = command.split_whitespace().collect();
    words.push("--json");
    let run = laneproof(&words);
    assert_eq!(run.exit, 0, "{}{}", output.out, run.err);
    let inputs: Value = serde_json::from_str(&fs::read_to_string(saved).unwrap()).unwrap();
    let left: Value = serde_json::from_str(&run.out).unwrap();
    let first = |document: &Value| document["bindings"]["0.3"]["values"][0].as_u64().unwrap();
    let constant = inputs["push_constants"]["values"][0].as_u64().unwrap();
    assert_eq!(first(&left), (constant + first(&inputs)) & 0xffff_ffff);
    assert_ne!(first(&left), constant);

    // What came out is what `check` takes.
    let observed = made("stores.observed.json", &run.out);
    let command = words.iter().map(|it| if *it == "run" { "check" } else { it });
    let mut words: Vec<&str> = command.collect();
    words.extend(["--observed", observed.to_str().unwrap()]);
    assert_eq!(laneproof(&words).exit, 0);
    let mut other = left.clone();
    other["bindings"]["0.3"]["values"][0] = (first(&left) ^ 1).into();
    fs::write(&observed, other.to_string()).unwrap();
    assert_eq!(laneproof(&words).exit, 1);
}

/// A value that is equal in all lanes is printed in a line, else only its name.
#[test]
fn an_input_that_does_not_fit_is_not_left_out_silently() {
    let text = |condition: &str| {
        format!(
            "#version 460\n#extension GL_EXT_expect_assume : require\n\
             uvec4 src(uvec4 v, uint k) {{ assumeEXT({condition}); return v * k; }}\n\
             uvec4 tgt(uvec4 v, uint k) {{ return v * k + 0x12345678u; }}\n"
        )
    };
    let one = "v == uvec4(0x12345678u)";
    let many = "v.x > 0x12345678u && v.y > v.x && v.z > v.x && v.w > v.x + k";
    let says = "v is (0x12345678, 0x12345678, 0x12345678, 0x12345678) in every lane.";
    for (name, condition, says) in [("one", one, says), ("many", many, "Not shown: v")] {
        let file = made(&format!("{name}.comp"), &text(condition));
        let words = ["verify", file.to_str().unwrap(), "--sizes", "2", "--active", "all"];
        let output = in_columns(90, &words);
        assert_eq!(output.exit, 1, "{name}: {}{}", output.out, output.err);
        assert!(output.out.contains(says), "{name}: {}", output.out);
    }
}

#[test]
fn readings_and_the_names_of_shading_languages_are_explained() {
    let reading = laneproof(&["spec", "read-of-inactive-lane"]);
    assert_eq!(reading.exit, 0);
    for word in ["undefined-value", "vulkan", "OpGroupNonUniformShuffle", "--reading"] {
        assert!(reading.out.contains(word), "{word}: {}", reading.out);
    }
    let (_, document) = asked(&["spec", "read-of-inactive-lane"]);
    assert_eq!(document["readings"][0]["name"], json!("read-of-inactive-lane"));
    for (name, instruction) in [
        ("subgroupRotate", "OpGroupNonUniformRotateKHR"),
        ("subgroupinclusiveadd", "OpGroupNonUniformFAdd"),
        ("quadSwapX", "OpGroupNonUniformQuadSwap"),
        ("gl_SubgroupSize", "SubgroupSize"),
    ] {
        let output = laneproof(&["spec", name]);
        assert_eq!(output.exit, 0, "{name}: {}", output.err);
        assert!(output.out.contains(instruction), "{name}");
    }
}

#[test]
fn the_version_names_the_solver() {
    let output = laneproof(&["--version"]);
    assert!(output.out.contains("(Z3 ") || output.out.contains(", Z3 "), "{}", output.out);
}

/// SPIR-V does not say which parameters are outputs, and the source beside it does: those are compared,
/// what goes in only is not, and the proof says so.
#[test]
fn a_source_says_which_parameters_of_a_module_are_outputs() {
    let text = |step: &str| {
        format!(
            "#version 460\n\
             uint src(uint x, out uint next) {{ next = x + 1; return x; }}\n\
             uint tgt(uint x, out uint next) {{ next = x + {step}; x += {step}; return x - {step}; }}\n"
        )
    };
    let compiled = |name: &str, step: &str| {
        let source = made(&format!("{name}.comp"), &text(step));
        let module = source.with_extension("spv");
        let (source, module) =
            (source.to_str().unwrap().to_owned(), module.to_str().unwrap().to_owned());
        let output = laneproof(&["compile", &source, "-o", &module]);
        assert_eq!(output.exit, 0, "{}", output.err);
        (source, module)
    };
    let (source, module) = compiled("directions", "1");
    let (other_source, other_module) = compiled("other_directions", "2");
    for [a, b] in [[&source, &module], [&module, &source]] {
        let (exit, document) = asked(&["verify", a, b]);
        assert_eq!(exit, 0, "{document:#}");
        let left_out = document["not_compared"].as_array().unwrap();
        let one_way = |it: &Value| it.as_str().unwrap().starts_with("one-way parameters: ");
        assert!(left_out.iter().any(one_way), "{document:#}");
    }
    for [a, b] in [[&source, &other_module], [&module, &other_source]] {
        let (exit, document) = asked(&["verify", a, b]);
        assert_eq!(exit, 1, "{document:#}");
        let next = &document["counterexample"]["lanes"][0]["outputs"]["next"];
        assert_ne!(next["source"], next["target"], "{document:#}");
    }
}

/// GLSL passes a parameter by a pointer to a copy, WGSL its value: both are inputs.
#[test]
fn functions_in_two_languages_are_compared() {
    let glsl = made("languages.comp", SUM);
    let out =
        made("languages_out.comp", "#version 460\nuint src(out uint x) { x = 1; return 1; }\n");
    let wgsl = |name: &str, result: &str| {
        made(name, &format!("enable subgroups;\nfn tgt(x: u32) -> u32 {{ return {result}; }}\n"))
    };
    let same = wgsl("languages.wgsl", "subgroupAdd(x)");
    let other = wgsl("other_languages.wgsl", "subgroupOr(x)");
    let verify = |source: &Path, target: &Path| {
        asked(&["verify", source.to_str().unwrap(), target.to_str().unwrap(), "--sizes", "4"])
    };
    let (exit, document) = verify(&glsl, &same);
    assert_eq!((exit, &document["not_compared"]), (0, &json!([])), "{document:#}");
    let (exit, document) = verify(&glsl, &other);
    assert_eq!(exit, 1, "{document:#}");
    let (exit, document) = verify(&out, &same);
    assert_eq!(exit, 2, "{document:#}");
    assert!(document["error"].as_str().unwrap().contains("`x` is an output of one"), "{document}");
}
