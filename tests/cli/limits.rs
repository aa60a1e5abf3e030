//! An answer always comes: in time, within memory, when it is interrupted, and it is written or
//! said not to be.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use wait_timeout::ChildExt as _;

use crate::laneproof::{Finished, command, json, laneproof, with_signals};

/// A command that has not ended by then never will.
const FOREVER: Duration = Duration::from_secs(240);

/// A file in a folder of these tests.
pub(crate) fn made(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// What a command says in the end.
pub(crate) fn ended(mut child: Child) -> Finished {
    let ended = child.wait_timeout(FOREVER).unwrap();
    if ended.is_none() {
        child.kill().unwrap();
        panic!("it does not end");
    }
    let output = child.wait_with_output().unwrap();
    Finished {
        exit: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn started(mut command: Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs it with a system limit of address space in KiB.
fn within(kibibytes: u32, words: &[&str]) -> Finished {
    let mut shell = Command::new("sh");
    let run = format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
    let plain = command(words);
    shell.args(["-c", &run]).arg(plain.get_program()).args(plain.get_args());
    if let Some(folder) = plain.get_current_dir() {
        shell.current_dir(folder);
    }
    ended(started(shell))
}

/// Counts bits one by one, as long as some lane has one left, against a maximum of counts: it takes
/// the solver many gigabytes, and hours.
const COUNTS: &str = "#version 460
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
uint src(uint x) {
    uint m = x;
    uint c = 0u;
    while (subgroupAny(m != 0u)) { m &= m - 1u; c++; }
    return c;
}
uint tgt(uint x) { return subgroupMax(uint(bitCount(x))); }
";

/// Each way to ask more of the machine than there is, and what it takes too much of.
fn worst() -> Vec<(&'static str, String)> {
    let doubling = |first: &str, next: &dyn Fn(usize) -> String, count: usize| {
        (1..count).fold(first.to_owned(), |text, number| text + &next(number))
    };
    let last = |n: usize| n - 1;
    vec![
        ("counts.comp", COUNTS.to_owned()),
        (
            "macros.comp",
            doubling("#define A0\n", &|n| format!("#define A{n} A{0} A{0}\n", last(n)), 41)
                + "A40\n",
        ),
        (
            "condition.comp",
            doubling("#define A0 1\n", &|n| format!("#define A{n} (A{0}+A{0})\n", last(n)), 36)
                + "#if A35\n#endif\nvoid main() {}\n",
        ),
        (
            "expression.comp",
            doubling("#define A0 x+x\n", &|n| format!("#define A{n} A{0}+A{0}\n", last(n)), 28)
                + "uint f(uint x) { return A27; }\n",
        ),
        (
            "structs.comp",
            doubling(
                "struct S0 { uint a; uint b; };\n",
                &|n| format!("struct S{n} {{ S{0} a; S{0} b; }};\n", last(n)),
                32,
            ) + "uint f(uint x) { S31 s; return x; }\n",
        ),
    ]
}

#[test]
fn the_worst_modules_are_answered_within_the_limits_of_time_and_memory() {
    for (name, text) in worst() {
        let path = made(name, &text);
        let output = within(
            6_000_000,
            &["verify", path.to_str().unwrap(), "--timeout", "2", "--total-timeout", "4", "--json"],
        );
        let document: Value = serde_json::from_str(&output.out).unwrap();
        // A source that does not compile within the limits is not verified.
        let refused = output.exit == 2 && document["error"].as_str().unwrap().contains("glslang");
        assert!(output.exit == 3 || refused, "{name}: {} {document} {}", output.exit, output.err);
        assert!(!output.out.contains("internal error"), "{name}: {document}");
    }
}

#[test]
fn memory_that_runs_out_is_an_answer() {
    let path = made("memory.comp", COUNTS);
    let path = path.to_str().unwrap();
    let asked = ["verify", path, "--sizes", "1,2,4", "--total-timeout", "100"];
    let (exit, document) = json(&[&asked[..], &["--memory", "64", "--timeout", "20"]].concat());
    assert_eq!((exit, &document["verdict"]), (3, &"unknown".into()), "{document}");
    assert!(document["reason"].as_str().unwrap().contains("memory"), "{document}");
    // How much a machine's threads reserve of the address space decides whether the rest suffices:
    // then it is the right answer.
    let output = within(1_300_000, &[&asked[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&output.out).unwrap();
    let answer = (output.exit, document["verdict"].as_str().unwrap());
    assert!([(0, "proved"), (3, "unknown")].contains(&answer), "{document}");
}

/// However little address space is granted, what is short is memory, and never the module's fault.
#[test]
fn no_address_space_makes_a_module_invalid() {
    for kibibytes in (300_000..2_400_000).step_by(300_000) {
        let output = within(kibibytes, &["verify", "next_lane.spvasm", "--json"]);
        let document: Value = serde_json::from_str(&output.out).unwrap();
        assert!(!output.out.contains("invalid"), "{kibibytes}: {document} {}", output.err);
        assert!([0, 1, 3].contains(&output.exit), "{kibibytes}: {} {document}", output.exit);
    }
}

/// Interrupts it once it works.
fn interrupted(words: &[&str], temporary: &Path) -> Finished {
    let mut command = with_signals("--default-signal=INT", words);
    command.env("TMPDIR", temporary);
    let child = started(command);
    std::thread::sleep(Duration::from_secs(5));
    // The shell's own: a bare system has no other.
    let interrupt = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
    ended(child)
}

#[test]
fn an_interrupt_ends_it_at_once_and_leaves_nothing_behind() {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits").join("temporary");
    let _ = fs::remove_dir_all(&temporary);
    fs::create_dir_all(&temporary).unwrap();
    let path = made("interrupted.comp", COUNTS);
    let path = path.to_str().unwrap();
    let output = interrupted(
        &[
            "verify",
            path,
            "--sizes",
            "1,2,4,8",
            "--timeout",
            "200",
            "--total-timeout",
            "400",
            "--json",
        ],
        &temporary,
    );
    assert_eq!(output.exit, 130, "{} {}", output.out, output.err);
    let document: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!(document["unknown"]["kind"], "interrupted", "{document}");
    let (_, answered) = json(&["verify", "next_lane.spvasm", "--sizes", "2"]);
    let members = |it: &Value| it.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(members(&document), members(&answered));
    // A solver behind a script, which would sleep for minutes.
    let mark = format!("61{}", std::process::id());
    let solver = made("sleeps.sh", &format!("grep -q declare $1 && sleep {mark}; echo sat\n"));
    let solver = format!("sh {}", solver.display());
    // Many at a time: when one ends, the next question must not start another.
    let words = ["prove", "rotate", "--jobs", "8", "--timeout", "100", "--check-with", &solver];
    assert_eq!(interrupted(&words, &temporary).exit, 130);
    let left: Vec<_> = fs::read_dir(&temporary).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(!runs(&mark), "the solver is still there");
}

/// Some process has this word among its arguments.
fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let words = |process: fs::DirEntry| fs::read(process.path().join("cmdline")).ok();
    processes
        .filter_map(words)
        .any(|line| line.split(|byte| *byte == 0).any(|it| it == word.as_bytes()))
}

#[test]
fn a_solver_behind_a_script_ends_with_the_script() {
    let mark = format!("62{}", std::process::id());
    let solver = made("late.sh", &format!("grep -q declare $1 && sleep {mark}; echo sat\n"));
    let solver = format!("sh {}", solver.display());
    let words = ["prove", "rotate/as-shuffle", "--timeout", "1", "--check-with", &solver];
    assert_eq!(laneproof(&words).exit, 3);
    assert!(!runs(&mark), "the solver is still there");
}

#[test]
fn what_cannot_be_written_is_no_answer_and_a_closed_pipe_is_none_of_ours() {
    for words in [&["spec"][..], &["verify", "next_lane.spvasm", "--sizes", "2"], &["--help"]] {
        let mut command = command(words);
        command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
        let output = command.stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("standard output cannot be written"), "{words:?}: {message}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(&["spec"]).stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &[][..]));
}

/// Each step is one of all lanes: the limit of steps alone takes half a minute to reach.
/// Long before the interpreter's own bound of steps.
#[test]
fn a_run_of_a_long_loop_ends_in_time() {
    let text = "layout(set = 0, binding = 0) buffer D { uint d[]; };\nlayout(local_size_x = 128) in;\n\
                void main() { for (uint i = 0u; i < 4000000000u; i++) d[gl_LocalInvocationIndex] += i; }";
    let module = made("long.comp", &format!("#version 460\n{text}\n"));
    let zeros = [0; 128];
    let inputs =
        format!("{{\"bindings\": {{\"0.0\": {{\"type\": \"u32\", \"values\": {zeros:?}}}}}}}");
    let inputs = made("long.json", &inputs);
    let (module, inputs) = (module.to_str().unwrap(), inputs.to_str().unwrap());
    let words = ["run", module, "--inputs", inputs, "--timeout", "0.2", "--json"];
    let begun = Instant::now();
    let finished = ended(started(command(&words)));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!(finished.exit, 3, "{}", finished.out);
    let document: Value = serde_json::from_str(&finished.out).unwrap();
    assert_eq!(document["unknown"]["kind"], "timeout", "{document}");
}

#[test]
fn a_check_of_a_loop_without_end_ends_in_time() {
    let endless =
        made("endless.comp", "uint src(uint x) { while (x * 2u != 1u) { x += 3u; } return x; }\n");
    let lanes: Vec<u32> = (0..128).collect();
    let inputs = format!("{{\"parameters\": {{\"x\": {{\"lanes\": {lanes:?}}}}}}}");
    let observed = format!("{{\"result\": {{\"type\": \"u32\", \"lanes\": {lanes:?}}}}}");
    let (inputs, observed) = (made("endless.json", &inputs), made("ended.json", &observed));
    let path = |path: &PathBuf| path.to_str().unwrap().to_owned();
    let (endless, inputs, observed) = (path(&endless), path(&inputs), path(&observed));
    let mut words = vec!["check", &endless, "--function", "src", "--inputs", &inputs];
    words.extend(["--observed", &observed, "--timeout", "1"]);
    let begun = Instant::now();
    let output = ended(started(command(&words)));
    assert_eq!(output.exit, 3, "{}{}", output.out, output.err);
    assert!(output.out.contains("timed out (`--timeout`)"), "{}", output.out);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_switch_of_thousands_of_cases_is_no_burden() {
    let cases: String = (0..4000).map(|case| format!("case {case}u: x += 1u; break;\n")).collect();
    let text = format!(
        "#version 460\nuint src(uint x) {{ switch (x) {{ {cases} }} return x; }}\n\
         uint tgt(uint x) {{ switch (x) {{ {cases} default: break; }} return x; }}\n"
    );
    let path = made("switch.comp", &text);
    let words =
        ["verify", path.to_str().unwrap(), "--sizes", "4", "--timeout", "40", "--total-timeout"];
    let (exit, document) = json(&[&words[..], &["120"]].concat());
    assert_eq!(exit, 0, "{document}");
    // Far less than reading the module takes anywhere.
    let (exit, document) = json(&[&words[..], &["0.001"]].concat());
    assert_eq!((exit, &document["verdict"]), (3, &"unknown".into()), "{document}");
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits");
    fs::create_dir_all(&folder).unwrap();
    let large = folder.join("large");
    File::create(&large).unwrap().set_len(1 << 33).unwrap();
    let large = large.to_str().unwrap();
    for words in [
        &["spec", "--spec", large][..],
        &["spec", "--spec", "/dev/zero"],
        &["ambiguities", "--triage", large],
        &["ambiguities", "OpGroupNonUniformElect", "--assume", large],
        &["verify", large],
        &["verify", "next_lane.spvasm", large],
        &["verify", "/dev/zero"],
        &["prove", large],
        &["run", "next_lane.spvasm", "--function", "src", "--inputs", large],
    ] {
        let output = within(6_000_000, words);
        assert_eq!(output.exit, 2, "{words:?}: {}", output.err);
        assert!(output.err.contains("more than"), "{words:?}: {}", output.err);
    }
}

#[test]
fn a_clause_that_takes_too_many_steps_is_unknown() {
    let lanes: String = (0..24).map(|lane| format!("exists j{lane} in active: ")).collect();
    let same: Vec<String> =
        (1..24).map(|lane| format!("Value at j{} = Value at j{lane}", lane - 1)).collect();
    let specification = format!(
        "document Z revision \"1\" \"z\"\n\nprimitive my_read_first\n  operands Value : T\n  \
         result T\n  where T : scalar of int\n\n  [1] \"s\"\n    undefined value when {lanes}{}\n",
        same.join(" and ")
    );
    let specification = made("nested.lps", &specification);
    let module = made("primitive.spvasm", PRIMITIVE);
    let inputs =
        made("four.json", r#"{"parameters": {"x": {"type": "u32", "lanes": [1, 2, 3, 4]}}}"#);
    let [specification, module, inputs] =
        [&specification, &module, &inputs].map(|path| path.to_str().unwrap());
    let words = ["run", module, "--function", "tgt", "--inputs", inputs, "--spec", specification];
    let (exit, document) = json(&words);
    assert_eq!(exit, 3, "{document}");
    assert_eq!(document["unknown"]["kind"], "bound", "{document}");
    assert!(document["reason"].as_str().unwrap().contains("limit of steps"), "{document}");
}

/// Calls a primitive.
const PRIMITIVE: &str = "
               OpCapability Shader
               OpCapability Linkage
               OpMemoryModel Logical GLSL450
               OpName %tgt \"tgt\"
               OpName %x \"x\"
               OpDecorate %read LinkageAttributes \"my_read_first\" Import
        %u32 = OpTypeInt 32 0
   %function = OpTypeFunction %u32 %u32
       %read = OpFunction %u32 None %function
      %value = OpFunctionParameter %u32
               OpFunctionEnd
        %tgt = OpFunction %u32 None %function
          %x = OpFunctionParameter %u32
       %body = OpLabel
       %same = OpFunctionCall %u32 %read %x
               OpReturnValue %same
               OpFunctionEnd
";

/// A cached answer that is edited or exchanged is not trusted; a pipe does not block.
#[test]
fn kept_answers_are_trusted_under_their_key_only() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits").join("kept");
    let _ = fs::remove_dir_all(&folder);
    let cache = folder.join("answers");
    let cache = cache.to_str().unwrap();
    let cached = |more: &[&str]| {
        let (exit, document) = json(&[&["prove", "vote/all-as", "--cache", cache], more].concat());
        let results = document["results"].as_array().cloned().unwrap_or_default();
        (exit, results.iter().filter(|it| it["cached"] == true).count())
    };
    assert_eq!(cached(&[]), (0, 0));
    let (_, all) = cached(&[]);
    assert!(all > 0);
    for file in fs::read_dir(cache).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("proved") || text.contains("refuted"), "{text}");
        let edited =
            text.replace("proved", "p").replace("refuted", "proved").replace("p\\", "refuted\\");
        fs::write(&path, edited).unwrap();
    }
    assert_eq!(cached(&[]), (0, 0));
    assert_eq!(cached(&[]), (0, all));
    let key = made("key", "0123456789abcdef0123456789abcdef");
    let key = key.to_str().unwrap();
    let mode = |mode| assert!(Command::new("chmod").args([mode, key]).status().unwrap().success());
    mode("644");
    assert_eq!(cached(&["--cache-key", key]).0, 2, "others may read it");
    mode("600");
    assert_eq!(cached(&["--cache-key", key]), (0, 0));
    assert_eq!(cached(&["--cache-key", key]), (0, all));
    for file in fs::read_dir(cache).unwrap() {
        let path = file.unwrap().path();
        fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    assert_eq!(cached(&["--cache-key", key]), (0, 0));
}

#[test]
fn a_message_about_any_column_comes_out() {
    for column in [65_534, 65_535, 65_536, 70_000] {
        let text = format!("document Z revision \"1\" \"z\"\n{}banana\n", " ".repeat(column));
        let path = made("wide.lps", &text);
        let output = laneproof(&["spec", "--spec", path.to_str().unwrap()]);
        assert_eq!(output.exit, 2, "{column}");
        assert!(
            output.err.contains("banana") && !output.err.contains("internal error"),
            "{}",
            output.err
        );
        assert!(output.err.len() < 4000, "{column}: {} bytes", output.err.len());
        let text = format!("{}fn f() -> u32 {{ return banana; }}", " ".repeat(column));
        let path = made("wide.wgsl", &text);
        let output = laneproof(&["verify", path.to_str().unwrap()]);
        assert_eq!(output.exit, 2, "{column}");
        assert!(
            output.err.contains("banana") && output.err.len() < 4000,
            "{column}: {}",
            output.err
        );
    }
}

#[test]
fn names_with_control_characters_do_not_reach_the_terminal() {
    let name = "x\u{1b}[2J\u{1b}[31m\u{9b}y";
    let module = PRIMITIVE
        .replace("OpName %x \"x\"", &format!("OpName %x \"{name}\""))
        .replace("OpFunctionCall %u32 %read %x", "OpIAdd %u32 %x %x");
    let module = made("controls.spvasm", &module);
    let module = module.to_str().unwrap();
    for color in ["never", "always"] {
        let output = laneproof(&["run", module, "--function", "tgt", "--color", color]);
        assert_eq!(output.exit, 2);
        for hostile in ["\u{1b}[2J", "\u{1b}[31m\u{9b}", "\u{9b}"] {
            assert!(
                !output.err.contains(hostile) && !output.out.contains(hostile),
                "{color}: {}",
                output.err
            );
        }
        assert!(output.err.contains("\\u{1b}"), "{}", output.err);
    }
    let mut broken = File::create(module).unwrap();
    writeln!(broken, "OpCapability Shader \u{1b}[2J\u{9b}").unwrap();
    let output = laneproof(&["run", module, "--function", "tgt"]);
    assert_eq!(output.exit, 2);
    assert!(!output.err.contains(['\u{1b}', '\u{9b}']), "{}", output.err);
}
