//! Modules as glslang and its optimizer write them: the right verdict for each, or none.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/glslang");

/// A shader's header.
struct Shader {
    name: String,
    verdict: String,
    refuted_from: Option<u64>,
}

fn shaders() -> Vec<Shader> {
    let files = fs::read_dir(FOLDER).unwrap().map(|file| file.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|it| it == "comp"));
    let mut shaders: Vec<Shader> = sources.map(|path| shader(&path)).collect();
    shaders.sort_by(|a, b| a.name.cmp(&b.name));
    shaders
}

fn shader(path: &Path) -> Shader {
    let text = fs::read_to_string(path).unwrap();
    let header = |key: &str| {
        let key = format!("// {key}: ");
        text.lines().find_map(|line| line.strip_prefix(&key)).map(str::to_owned)
    };
    Shader {
        name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
        verdict: header("verdict").expect("every shader says what it expects"),
        refuted_from: header("refuted from").map(|size| size.parse().unwrap()),
    }
}

/// Shaders with something besides loops that the prover does not model: a vector compared as a
/// whole, a reduction of floating point, a vector input read by component.
const NOT_MODELLED: [&str; 3] =
    ["all_as_ballot", "exclusive_from_inclusive_float", "rank_from_first_word"];

/// Modules that are decided at the least.
const DECIDED: usize = 39;

/// Loops, and lanes that end early, may be beyond the prover; to decide them wrongly is not.
fn may_be_undecided(module: &Path, shader: &Shader) -> bool {
    let text = fs::read_to_string(module.with_extension("spvasm")).unwrap();
    let hard = ["OpLoopMerge", "OpKill", "OpTerminateInvocation"];
    hard.iter().any(|it| text.contains(it)) || NOT_MODELLED.contains(&shader.name.as_str())
}

/// Small sizes, and the one from which on it is refuted.
fn verify(module: &Path, shader: &Shader) -> Value {
    // What is undecided in the end has taken all of its time.
    let limit = if may_be_undecided(module, shader) { "15" } else { "60" };
    let sizes = match shader.refuted_from {
        Some(size) if size > 4 => format!("1,2,4,{size}"),
        _ => "1,2,4".to_owned(),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_laneproof"))
        .args(["verify", module.to_str().unwrap(), "--json", "--timeout", limit, "--sizes", &sizes])
        .output()
        .unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let exit = match document["verdict"].as_str() {
        Some("proved") => 0,
        Some("unknown") => 3,
        Some(_) => 1,
        None => 2,
    };
    assert_eq!(output.status.code(), Some(exit), "{document}");
    document
}

#[test]
fn every_module_gets_its_verdict() {
    let shaders = shaders();
    assert_eq!(shaders.len(), 23);
    let modules: Vec<(PathBuf, &Shader)> = ["", "spirv-1.3", "optimized"]
        .iter()
        .flat_map(|folder| {
            let path = move |shader: &Shader| Path::new(FOLDER).join(folder).join(&shader.name);
            shaders.iter().map(move |shader| (path(shader).with_extension("spv"), shader))
        })
        .filter(|(path, _)| path.exists())
        .collect();
    assert_eq!(modules.len(), 68);
    let parts: Vec<_> = modules.chunks(modules.len().div_ceil(4)).collect();
    let answers: Vec<Answer> = thread::scope(|scope| {
        let part = |part: &[(PathBuf, &Shader)]| {
            part.iter().map(|(path, shader)| check(path, shader)).collect::<Vec<_>>()
        };
        let threads: Vec<_> = parts.into_iter().map(|it| scope.spawn(move || part(it))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let wrong: Vec<&str> =
        answers.iter().filter_map(|it| it.as_ref().err()).map(|it| &**it).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let decided = answers.iter().filter(|answer| **answer == Ok(true)).count();
    assert!(decided >= DECIDED, "only {decided} modules are decided");
}

/// Whether it is decided; or what is wrong with the verdict.
type Answer = Result<bool, String>;

fn check(path: &Path, shader: &Shader) -> Answer {
    let document = verify(path, shader);
    let verdict = document["verdict"].as_str().unwrap_or("no verdict");
    if verdict == "unknown" && may_be_undecided(path, shader) {
        return Ok(false);
    }
    let first = document["counterexample"]["subgroup_size"].as_u64();
    if verdict == shader.verdict && first == shader.refuted_from {
        return Ok(true);
    }
    let expected = &shader.verdict;
    let reason = document["reason"].as_str().or(document["error"].as_str()).unwrap_or_default();
    Err(format!("{}: {verdict} instead of {expected}: {reason}", path.display()))
}
