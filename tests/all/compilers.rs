//! Modules as compilers write them: each loads, and running it gives what its source promises.
//!
//! Each source has a JSON document: `runs`, each with flags, inputs and outputs of `run`, and in
//! `verify` the expected verdict.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");

/// A compiler's folder: how its sources end, and which variants of the modules there are.
struct Compiler {
    folder: &'static str,
    source: &'static str,
    variants: &'static [&'static str],
    documents: usize,
    /// Runs of modules that are made.
    runs: usize,
    /// Whether laneproof takes the source itself.
    taken: bool,
}

const COMPILERS: [Compiler; 5] = [
    Compiler {
        folder: "glslang",
        source: "comp",
        variants: &["", "spirv-1.3", "optimized"],
        documents: 14,
        runs: 128,
        taken: true,
    },
    Compiler {
        folder: "naga",
        source: "wgsl",
        variants: &["", "plain"],
        documents: 15,
        runs: 70,
        taken: true,
    },
    Compiler {
        folder: "clang",
        source: "cl",
        variants: &["", "optimized"],
        documents: 17,
        runs: 40,
        taken: false,
    },
    Compiler {
        folder: "dxc",
        source: "hlsl",
        variants: &["", "unoptimized", "debug"],
        documents: 16,
        runs: 68,
        taken: false,
    },
    Compiler {
        folder: "slang",
        source: "slang",
        variants: &["", "optimized", "debug"],
        documents: 12,
        runs: 51,
        taken: false,
    },
];

fn laneproof(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_laneproof")).args(arguments).arg("--json").output().unwrap()
}

fn answer(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

/// Documents of a folder, by the name of what they are about.
fn documents(folder: &Path) -> Vec<(String, Value)> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let json = files.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
    };
    let mut documents: Vec<(String, Value)> = json.map(read).collect();
    documents.sort_by(|a, b| a.0.cmp(&b.0));
    documents
}

/// The modules of a source, and the source where it is taken.
fn modules(compiler: &Compiler, name: &str) -> Vec<PathBuf> {
    let folder = Path::new(FOLDER).join(compiler.folder);
    let variants = compiler.variants.iter().map(|it| folder.join(it).join(name));
    let mut modules: Vec<PathBuf> = variants.map(|path| path.with_extension("spv")).collect();
    if compiler.taken {
        modules.push(folder.join(name).with_extension(compiler.source));
    }
    modules.retain(|module| module.exists());
    modules
}

/// That a value is one of several is not what a source promises.
fn forget_open(document: &mut Value) {
    match document {
        Value::Object(fields) => {
            fields.remove("open");
            fields.values_mut().for_each(forget_open);
        }
        Value::Array(list) => list.iter_mut().for_each(forget_open),
        _ => {}
    }
}

/// What is wrong with a run.
fn wrong(module: &Path, run: &Value, inputs: &Path) -> Option<String> {
    let flags = run["flags"].as_array().unwrap().iter().map(|flag| flag.as_str().unwrap());
    let mut arguments = vec!["run", module.to_str().unwrap(), "--inputs", inputs.to_str().unwrap()];
    arguments.extend(flags);
    let output = laneproof(&arguments);
    let mut document = answer(&output);
    forget_open(&mut document);
    let expected = run["outputs"].as_object().unwrap();
    let same = expected.iter().all(|(key, value)| document[key] == *value);
    (!same || !output.status.success()).then(|| {
        format!("{} {:?}: {document}, expected {}", module.display(), &run["flags"], run["outputs"])
    })
}

#[test]
fn every_module_computes_what_its_source_promises() {
    let mut complaints = Vec::new();
    let inputs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compilers-inputs.json");
    for compiler in &COMPILERS {
        let documents = documents(&Path::new(FOLDER).join(compiler.folder));
        assert_eq!(documents.len(), compiler.documents, "{}", compiler.folder);
        let mut ran = 0;
        for (name, document) in &documents {
            for run in document["runs"].as_array().unwrap() {
                fs::write(&inputs, run["inputs"].to_string()).unwrap();
                for module in modules(compiler, name) {
                    complaints.extend(wrong(&module, run, &inputs));
                    ran += 1;
                }
            }
        }
        assert_eq!(ran, compiler.runs, "{}", compiler.folder);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The result of `verify` for these arguments, within this time limit.
fn verdict(seconds: &str, arguments: &[&str]) -> (String, Value) {
    let words = [&["verify", "--timeout", seconds], arguments].concat();
    let document = answer(&laneproof(&words));
    (document["verdict"].as_str().unwrap_or("none").to_owned(), document)
}

#[test]
fn a_pair_gets_its_verdict() {
    let folder = Path::new(FOLDER).join("naga");
    let mut asked = 0;
    for (name, document) in documents(&folder) {
        let Some(expected) = document["verify"]["verdict"].as_str() else { continue };
        for end in ["spv", "wgsl"] {
            let module = folder.join(&name).with_extension(end);
            let (found, document) = verdict("10", &[module.to_str().unwrap()]);
            assert_eq!(found, expected, "{name}.{end}: {document}");
            asked += 1;
        }
    }
    assert_eq!(asked, 4);
}

/// One source compiled in two ways: optimized, or as laneproof's own front end compiles it. Some
/// may be undecided; none is refuted.
#[test]
fn no_module_is_refuted_by_the_same_source() {
    let folder = |name: &str| Path::new(FOLDER).join(name);
    let naga = folder("naga");
    let ways = [("clang", "optimized"), ("dxc", "unoptimized"), ("slang", "optimized")];
    let optimized = ways.into_iter().flat_map(|(compiler, other)| {
        let compiler = folder(compiler);
        documents(&compiler).into_iter().map(move |(name, _)| {
            let module = compiler.join(&name).with_extension("spv");
            (module, compiler.join(other).join(&name).with_extension("spv"))
        })
    });
    let compiled = documents(&naga).into_iter().map(|(name, _)| {
        let module = naga.join(&name).with_extension("wgsl");
        (naga.join("plain").join(&name).with_extension("spv"), module)
    });
    let single = |(source, target): &(PathBuf, PathBuf)| {
        source.exists() && target.exists() && !source.ends_with("shift_as_shuffle.spv")
    };
    let pairs: Vec<_> = optimized.chain(compiled).filter(single).collect();
    assert_eq!(pairs.len(), 16 + 16 + 12 + 13);
    let mut proved = 0;
    for (source, target) in pairs {
        let arguments = [source.to_str().unwrap(), target.to_str().unwrap(), "--sizes", "4"];
        let (found, document) = verdict("8", &arguments);
        assert!(["proved", "unknown"].contains(&&*found), "{}: {document}", target.display());
        proved += usize::from(found == "proved");
    }
    assert!(proved >= PROVED, "only {proved} are proved");
}

/// Pairs that are decided at the least.
const PROVED: usize = 49;

/// Pairs of shaders before and after an edit: a folder each, with the expected verdict.
#[test]
fn what_was_edited_gets_its_verdict() {
    let mut asked = 0;
    for folder in fs::read_dir(Path::new(FOLDER).join("pairs")).unwrap() {
        let folder = folder.unwrap().path();
        let expected = fs::read_to_string(folder.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let sides = ["source.comp", "target.comp"].map(|side| folder.join(side));
        let [source, target] = sides.each_ref().map(|side| side.to_str().unwrap());
        // One size alone is proved before anything is refuted.
        for sizes in ["4", "4,8"] {
            let (found, document) = verdict("10", &[source, target, "--sizes", sizes]);
            assert_eq!(found, expected["verdict"], "{}: {document}", folder.display());
            if let Some(undisturbed) = expected.get("undisturbed") {
                let presumes = document["presumes"].as_array().unwrap();
                let says = |it: &Value| it.as_str().unwrap().starts_with("no concurrent access");
                let presumed = Value::from(presumes.iter().any(says));
                assert_eq!(&presumed, undisturbed, "{}: {document}", folder.display());
            }
            asked += 1;
        }
    }
    assert_eq!(asked, 26);
}
