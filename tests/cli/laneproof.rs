//! Runs the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// What the program said.
pub struct Finished {
    pub exit: i32,
    pub out: String,
    pub err: String,
}

/// Runs it in this folder's `fixtures`, so that messages name files by their names alone.
pub fn laneproof(words: &[&str]) -> Finished {
    in_columns(100, words)
}

/// The same, as if the terminal had this number of columns. No cache is used unless it is
/// requested.
pub fn in_columns(columns: usize, words: &[&str]) -> Finished {
    let mut command = command(words);
    command.env("COLUMNS", columns.to_string());
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    Finished {
        exit: status.code().expect("it ends by itself"),
        out: String::from_utf8(stdout).expect("text"),
        err: String::from_utf8(stderr).expect("text"),
    }
}

/// The program, about to be called so.
pub fn command(words: &[&str]) -> Command {
    called(Command::new(env!("CARGO_BIN_EXE_laneproof")), words)
}

/// The same with signals as `env` sets them (`--default-signal`, `--ignore-signal`): what the tests
/// were started with is theirs, a shell's background for example, where interrupts are ignored.
pub fn with_signals(option: &str, words: &[&str]) -> Command {
    let mut env = Command::new("env");
    env.args([option, env!("CARGO_BIN_EXE_laneproof")]);
    called(env, words)
}

fn called(mut command: Command, words: &[&str]) -> Command {
    let keeps = words.iter().any(|word| word.starts_with("--cache"));
    let alone = (words.first() == Some(&"prove") && !keeps).then_some("--no-cache");
    command
        .args(words)
        .args(alone)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/fixtures"))
        // Keys of kept answers are the tests' own.
        .env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/data"))
        .env_remove("NO_COLOR");
    command
}

/// Runs it with `--json`; standard output is one document.
pub fn json(words: &[&str]) -> (i32, Value) {
    let output = laneproof(&[words, &["--json"]].concat());
    let document = serde_json::from_str(&output.out).expect("one document and nothing else");
    (output.exit, document)
}

/// An entry of the catalogue without its header, which would say how it is verified: the file's path.
pub fn without_header(entry: &str) -> String {
    let path = format!("{}/proofs/{entry}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    let module: Vec<&str> = text.lines().skip_while(|line| line.starts_with(';')).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without_header");
    fs::create_dir_all(&folder).unwrap();
    let copy = folder.join(entry.replace('/', "_"));
    // Tests beside this one may read the same copy.
    if !copy.exists() {
        let made = tempfile::NamedTempFile::new_in(&folder).unwrap();
        fs::write(made.path(), module.join("\n")).unwrap();
        made.persist(&copy).unwrap();
    }
    copy.to_str().unwrap().to_owned()
}

/// Compares what several calls print with what is recorded under `name`, times left out.
pub fn recorded(name: &str, calls: &[&[&str]]) {
    recorded_in_columns(100, name, calls);
}

/// The same, as if the terminal had this number of columns; no line is longer.
pub fn recorded_in_columns(columns: usize, name: &str, calls: &[&[&str]]) {
    let text: Vec<String> = calls.iter().map(|words| transcript(columns, words)).collect();
    insta::with_settings!({
        // The header of a column of times is as wide as the times.
        filters => vec![(r"\d+(\.\d+)? (ms|s)\b *", "[time] "), (r"\btime {2,}", "time  ")],
        prepend_module_to_snapshot => false,
    }, {
        insta::assert_snapshot!(name, text.join("\n"));
    });
}

/// The call, its exit status, standard output and standard error.
fn transcript(columns: usize, words: &[&str]) -> String {
    let Finished { exit, out, err } = in_columns(columns, words);
    let long = out.lines().find(|line| line.trim_end().chars().count() > columns);
    assert_eq!(long, None, "longer than {columns} columns: {words:?}");
    let mut text = format!("$ laneproof {}\nexit {exit}\n", words.join(" "));
    for (name, stream) in [("output", &out), ("messages", &err)] {
        if !stream.is_empty() {
            text.push_str(&format!("---- {name}\n{}\n", stream.trim_end()));
        }
    }
    text
}
