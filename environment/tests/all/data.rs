//! The data that the engine reads fits to itself and to the grammar.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_environment::{Body, Device, Environment, Facts, Status, table};
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{Fact, Force};

#[test]
fn every_quoted_circumstance_has_a_meaning() {
    let texts = &AsWritten::built_in().specification.rules;
    let rules = texts.iter().chain(&Specification::built_in().rules);
    let mut unknown = Vec::new();
    for demand in rules.flat_map(|rule| &rule.demands) {
        let mut facts = Vec::new();
        demand.when.facts(&mut facts);
        for fact in facts {
            if let Fact::Words(words) = fact
                && !Facts::built_in().words.contains_key(&**words)
            {
                unknown.push(words.to_string());
            }
        }
    }
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn every_built_in_device_reads() {
    assert_eq!(Device::names().len(), 6);
    for name in Device::names() {
        let text = Device::built_in(&name).unwrap();
        Device::parse(text, &name).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn most_rules_are_checked() {
    for environment in Environment::ALL {
        let body = Body::new(environment, Specification::built_in());
        let rows = table(&body);
        let of = |status| rows.iter().filter(|row| row.status == status).count();
        println!(
            "{environment}: {} checked, {} by a device's fact, {} the host's, {} not",
            of(Status::Checked),
            of(Status::DeviceFact),
            of(Status::Host),
            of(Status::NotChecked)
        );
        assert!(of(Status::NotChecked) * 4 < rows.len());
    }
}

/// A sentence that is left to another document is one of the rules, and accepts something.
#[test]
fn what_is_presupposed_is_a_rule_that_accepts() {
    #[derive(serde::Deserialize)]
    struct File {
        presupposed: Vec<std::collections::BTreeMap<String, String>>,
    }
    let file: File = toml::from_str(include_str!("../../data/presupposed.toml")).unwrap();
    let texts = &AsWritten::built_in().specification.rules;
    for it in &file.presupposed {
        let rule = texts.iter().find(|rule| *rule.id == *it["rule"]).unwrap();
        assert!(rule.demands.iter().any(|demand| demand.force == Force::Accepts), "{it:?}");
        let said_by = &it["said_by"];
        let rules = &Specification::built_in().rules;
        assert!(rules.iter().any(|rule| *rule.document == **said_by), "{it:?}");
    }
}
