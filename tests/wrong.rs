//! Modules that were once answered wrongly, and their right twins: each gets the answer that its
//! header names (`tests/fixtures/wrong/README.md`). One test a question, named after its file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use laneproof_module::header;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/wrong");
/// The commands that a header may ask.
const COMMANDS: [&str; 3] = ["verify", "run", "check"];
/// Long enough for a busy machine: what is undecided then is not so for lack of time. Asked only where
/// the limits by default leave it open.
const LIMITS: [(&str, &str); 2] = [("--timeout", "60"), ("--total-timeout", "240")];

/// A question that a header asks, and the answer that it expects.
#[derive(Debug, Default)]
struct Question {
    command: String,
    /// The answers that are right; one of them must come.
    answers: Vec<String>,
    options: Vec<String>,
    /// The subgroup size of the counterexample.
    size: Option<u64>,
    /// Readings on which the verdict must depend, among others.
    rests_on: Vec<String>,
    /// What the verdict must presume, by name.
    presumes: Option<String>,
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // A proof may need both: more at once than there are cores makes all of them late.
    arguments.test_threads = arguments.test_threads.or(Some(2));
    libtest_mimic::run(&arguments, trials()).exit_code()
}

fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for file in modules() {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let questions = questions(&fs::read_to_string(&file).unwrap());
        assert!(
            !questions.is_empty(),
            "{name}: the header asks nothing, as `verify: proved` would"
        );
        for question in questions {
            let title = [&[question.command.clone(), name.clone()], &question.options[..]].concat();
            let file = file.clone();
            trials.push(Trial::test(title.join(" "), move || answered(&file, &question)));
        }
    }
    trials
}

/// The modules, but for the targets of pairs, in order.
fn modules() -> Vec<PathBuf> {
    let mut modules: Vec<PathBuf> =
        fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path()).collect();
    modules.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let source =
            ["comp", "spvasm", "wgsl"].iter().any(|it| path.extension().is_some_and(|e| e == *it));
        source && !name.contains(".tgt.")
    });
    modules.sort();
    modules
}

/// What the comment at the top of a module asks: a command begins a question, what follows belongs to
/// it. Only reasons go on over several lines.
fn questions(text: &str) -> Vec<Question> {
    let words = |list: &str| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut questions: Vec<Question> = Vec::new();
    let mut prose = true;
    for line in header(text) {
        let Some((key, value)) = line.entry() else {
            assert!(prose || line.words.is_empty(), "`{}` has no key", line.words);
            continue;
        };
        prose = key == "why";
        if COMMANDS.contains(&key) {
            let answers = value.split(" or ").map(str::to_owned).collect();
            questions.push(Question { command: key.to_owned(), answers, ..Question::default() });
        }
        let question = questions.last_mut().expect("a command comes first");
        match key {
            "options" => question.options = words(value),
            "refuted-at" => question.size = Some(value.parse().unwrap()),
            "presumes" => question.presumes = Some(value.to_owned()),
            "rests-on" => question.rests_on = words(value),
            _ => assert!(key == "why" || COMMANDS.contains(&key), "unknown key `{key}`"),
        }
    }
    questions
}

/// Asks, and compares the answer with what is expected.
fn answered(file: &Path, question: &Question) -> Result<(), Failed> {
    let (mut exit, mut document) = ask(file, question, &[]);
    if exit == exit_of("unknown") && !question.answers.iter().any(|it| it == "unknown") {
        (exit, document) = ask(file, question, &LIMITS);
    }
    let answer = match (exit, document["verdict"].as_str()) {
        (_, Some(verdict)) => verdict,
        (0, None) => "finished",
        (1, None) if document["undefined_behavior"].is_object() => "undefined-behavior",
        (3, None) => "unknown",
        _ => "error",
    };
    let expected = exit_of(answer);
    if exit != expected {
        return Err(format!("exit {exit} and `{answer}`, which is exit {expected}").into());
    }
    if !question.answers.iter().any(|it| it == answer) {
        let expected = question.answers.join(" or ");
        return Err(format!("`{answer}` instead of `{expected}`: {document:#}").into());
    }
    if let Some(size) = proved_all_the_same(&document) {
        return Err(format!("unknown, and yet proved at {size}: {document:#}").into());
    }
    let size = document["counterexample"]["subgroup_size"].as_u64();
    if question.size.is_some() && size != question.size {
        return Err(format!("shown at {size:?} instead of {:?}", question.size).into());
    }
    if let Some(missing) = question.presumes.as_ref().filter(|it| !presumes(&document, it)) {
        return Err(format!("does not presume `{missing}`: {document:#}").into());
    }
    let rests_on = document["rests_on"].as_array().cloned().unwrap_or_default();
    match question.rests_on.iter().find(|it| !rests_on.contains(&Value::from(it.as_str()))) {
        Some(missing) => Err(format!("does not rest on `{missing}`: {document:#}").into()),
        None => Ok(()),
    }
}

fn presumes(document: &Value, name: &str) -> bool {
    let all = document["presumes"].as_array().into_iter().flatten();
    all.filter_map(Value::as_str).any(|it| it.split(':').next() == Some(name))
}

/// A size that is called proved where no size is open, and yet the answer is unknown.
fn proved_all_the_same(document: &Value) -> Option<&Value> {
    let obligations = document["obligations"].as_array()?;
    let settled = |it: &&Value| it["verdict"] != "unknown" || !it["subgroups"].is_null();
    let unknown = document["verdict"] == "unknown" && !obligations.is_empty();
    let all = unknown && obligations.iter().all(|it| settled(&it));
    let proved = |it: &&Value| it["verdict"] == "proved" && it["subgroups"].is_null();
    obligations.iter().filter(|_| all).find(proved).map(|it| &it["subgroup_size"])
}

/// The exit status that goes with an answer.
fn exit_of(answer: &str) -> i32 {
    match answer {
        "proved" | "allowed" | "finished" => 0,
        "refuted" | "vacuous" | "not-allowed" | "undefined-behavior" => 1,
        "unknown" => 3,
        _ => 2,
    }
}

fn ask(file: &Path, question: &Question, limits: &[(&str, &str)]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_laneproof"));
    command.arg(&question.command).arg(file).args(&question.options).arg("--json");
    match question.command.as_str() {
        "verify" => {
            let target = beside(file, ".src.", ".tgt.");
            command.args(target.as_ref());
            for (limit, seconds) in limits {
                if !question.options.iter().any(|it| it == limit) {
                    command.args([limit, seconds]);
                }
            }
        }
        _ => {
            command.arg("--inputs").arg(file.with_extension("json"));
        }
    }
    if question.command == "check" {
        command.arg("--observed").arg(file.with_extension("observed.json"));
    }
    let output = command.output().expect("the program starts");
    let document = serde_json::from_slice(&output.stdout).expect("one document and nothing else");
    (output.status.code().expect("it ends by itself"), document)
}

/// The file of the same name with another part, if the name has that part.
fn beside(file: &Path, part: &str, other: &str) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?;
    name.contains(part).then(|| file.with_file_name(name.replace(part, other)))
}
