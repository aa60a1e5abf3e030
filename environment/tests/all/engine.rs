//! The engine itself: rules made for it alone, tried on modules of which it must say just this, in
//! this order.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use crate::support::{found, prepared};
use laneproof_environment::{Body, Diagnostic, Environment, table};
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fixture: Vec<Fixture>,
}

/// Rules and what is said by them, and by nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    about: String,
    environment: String,
    rules: String,
    /// What becomes of each rule.
    #[serde(default)]
    status: Vec<String>,
    #[serde(default)]
    types: String,
    trial: Vec<Trial>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trial {
    #[serde(default)]
    device: String,
    #[serde(default)]
    head: String,
    /// Types of the function's parameters.
    #[serde(default)]
    parameters: String,
    #[serde(default)]
    body: String,
    /// Severity, rule, numbers of the sentences, instruction.
    said: Vec<String>,
    /// The instructions as people read them.
    #[serde(default)]
    shown: Vec<String>,
}

impl Fixture {
    fn module(&self, trial: &Trial) -> String {
        let types = &self.types;
        let Trial { head, parameters, body, .. } = trial;
        let declared: Vec<String> = parameters
            .split_whitespace()
            .enumerate()
            .map(|(at, ty)| format!("%p{at} = OpFunctionParameter {ty}"))
            .collect();
        let declared = declared.join("\n");
        format!(
            "; Version: 1.3\nOpCapability Kernel\nOpCapability Addresses\nOpCapability Groups\n{head}\n\
             OpMemoryModel Physical64 OpenCL\n%void = OpTypeVoid\n%bool = OpTypeBool\n\
             %u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n\
             %none = OpConstant %u32 0\n%device = OpConstant %u32 1\n%workgroup = OpConstant %u32 2\n\
             %subgroup = OpConstant %u32 3\n%four = OpConstant %u32 4\n%wide = OpConstant %u64 1\n\
             %half = OpConstant %f32 0.5\n%yes = OpConstantTrue %bool\n{types}\n\
             %fn = OpTypeFunction %void {parameters}\n%main = OpFunction %void None %fn\n{declared}\n\
             %start = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
        )
    }
}

fn line(it: &Diagnostic) -> String {
    let numbers = it.citation.split("; ").map(|citation| {
        let numbers = citation.rsplit_once("sentence").map_or("", |(_, rest)| rest);
        numbers.trim_start_matches('s').trim()
    });
    let numbers = numbers.collect::<Vec<_>>().join("; ");
    let instruction = it.instruction.as_deref().unwrap_or("module");
    format!("{} {} {numbers} {instruction}", it.severity.name(), it.rule)
}

#[test]
fn the_engine_says_of_a_module_what_the_rules_do_and_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let built_in = Specification::built_in();
    let texts = &AsWritten::built_in().specification;
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for path in paths {
        let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for fixture in &file.fixture {
            let about = &fixture.about;
            let specification = built_in
                .extended_with("fixture", &fixture.rules)
                .unwrap_or_else(|error| panic!("{about}: {error:?}"));
            let environment: Environment = fixture.environment.parse().unwrap();
            let own = specification.rules[built_in.rules.len()..].iter().map(|rule| &**rule);
            let body = Body::of(environment, [&specification, texts], own);
            let status: Vec<&str> = table(&body).iter().map(|row| row.status.name()).collect();
            if !fixture.status.is_empty() && status != fixture.status {
                wrong.push(format!("{about}: {status:?}"));
            }
            for trial in &fixture.trial {
                let module = prepared(&fixture.module(trial), &trial.device);
                let found = found(&body, &module);
                let said: Vec<String> = found.iter().map(line).collect();
                let shown: Vec<&str> = found.iter().filter_map(|it| it.shown.as_deref()).collect();
                if !trial.shown.is_empty() && shown != trial.shown {
                    wrong.push(format!("{about}: {shown:#?}"));
                }
                asked += 1;
                if said != trial.said {
                    let Trial { device, head, parameters, body, said: expected, .. } = trial;
                    wrong.push(format!(
                        "{about} ({device} {head} {parameters} {body}): {said:#?}, expected {expected:#?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 40, "{asked}");
}
