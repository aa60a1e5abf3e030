//! Modules as front ends write them, in pairs that differ in one place: what `validate` says of each, the
//! reference validator's complaints included.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use crate::support::prepared;
use laneproof_environment::{Body, Environment, Severity, validate};
use laneproof_semantics::Specification;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Module {
    name: String,
    environment: String,
    device: String,
    /// Severity and rule of each finding that is more than a note, sorted.
    said: Vec<String>,
    text: String,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    module: Vec<Module>,
}

#[test]
fn of_a_front_ends_module_is_said_what_is_wrong_with_it() {
    let file: File = toml::from_str(include_str!("../front_ends.toml")).unwrap();
    let (mut wrong, mut sound, mut names) = (Vec::new(), 0, BTreeSet::new());
    for it in &file.module {
        let environment: Environment = it.environment.parse().unwrap();
        let body = Body::new(environment, Specification::built_in());
        let module = prepared(&it.text, &it.device);
        let found = validate(&body, &module.listing, module.device.as_ref());
        let more = found.iter().filter(|it| it.severity != Severity::Note);
        let mut said: Vec<String> =
            more.map(|it| format!("{} {}", it.severity.name(), it.rule)).collect();
        said.sort();
        sound += usize::from(said.is_empty());
        if said != it.said || !names.insert(&it.name) {
            wrong.push(format!("{}: {said:?}", it.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(sound > 20 && file.module.len() - sound > 20, "{sound} of {}", file.module.len());
}
