//! Every rule that a module can show has two modules that differ in one place: one passes, and of the
//! other one something is said. What is said cites the rule, or the rule decides about one of the two:
//! without it, the one that passes would not pass, or of the other one nothing would be said.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use crate::cases::{SAID, all_rules};
use crate::support::{Case, File, Prepared, found, prepared};
use laneproof_environment::{
    Body, Device, Diagnostic, Environment, Severity, Status, citation, table,
};
use laneproof_module::list_bytes;
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{Demand, DemandSubject, Rule, Values};

/// A rule that no pair shows, and why no module can.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Unshown {
    rule: String,
    why: String,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct AllUnshown {
    unshown: Vec<Unshown>,
}

#[test]
fn every_rule_is_shown_by_two_modules_or_has_a_reason() {
    let listed: AllUnshown = toml::from_str(include_str!("../unshown.toml")).unwrap();
    let listed: BTreeMap<String, String> =
        listed.unshown.into_iter().map(|it| (it.rule, it.why)).collect();
    let (mut checked, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for environment in Environment::ALL {
        let (_, said) = of_environment(environment);
        let cited = cited(said);
        for rule in rules_checked_in(environment) {
            checked.insert(rule.id.to_string());
            if cited.contains(&citation(rule)) {
                shown.insert(rule.id.to_string());
            }
        }
    }
    for environment in Environment::ALL {
        let (file, _) = of_environment(environment);
        for rule in rules_checked_in(environment) {
            if !shown.contains(&*rule.id) && decides(file, environment, rule) {
                shown.insert(rule.id.to_string());
            }
        }
    }
    let missing: Vec<&String> =
        checked.difference(&shown).filter(|it| !listed.contains_key(*it)).collect();
    let needless: Vec<&String> =
        listed.keys().filter(|it| shown.contains(*it) || !checked.contains(*it)).collect();
    assert!(missing.is_empty(), "neither shown nor listed: {missing:#?}");
    assert!(needless.is_empty(), "listed, but shown or no rule: {needless:#?}");
    assert!(listed.values().all(|why| !why.is_empty()));
    assert!(checked.len() > 400, "{}", checked.len());
}

fn of_environment(environment: Environment) -> &'static (File, Vec<Vec<Diagnostic>>) {
    SAID.iter().find(|(it, _)| it.environment == environment.name()).unwrap()
}

fn rules_checked_in(environment: Environment) -> Vec<&'static Rule> {
    let body = Body::new(environment, Specification::built_in());
    let is_checked = |it: &Status| matches!(it, Status::Checked | Status::DeviceFact);
    let rows = table(&body).into_iter().filter(|it| is_checked(&it.status));
    let own: BTreeSet<String> = rows.map(|it| it.id).collect();
    all_rules().into_iter().map(|it| &**it).filter(|it| own.contains(&*it.id)).collect()
}

/// What the findings about cases cite, where they are more than notes.
fn cited(said: &[Vec<Diagnostic>]) -> BTreeSet<String> {
    let broken = said.iter().flatten().filter(|it| it.severity != Severity::Note);
    broken.flat_map(|it| it.citation.split("; ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Whether two modules differ in what is said of them by this rule alone: without it something would be
/// said of the one that passes, or nothing of the other one.
fn decides(file: &File, environment: Environment, rule: &Rule) -> bool {
    let others = all_rules().into_iter().filter(|it| it.id != rule.id);
    let texts = &AsWritten::built_in().specification;
    let without = Body::of(environment, [Specification::built_in(), texts], others.map(|it| &**it));
    let bodies = [&Body::new(environment, Specification::built_in()), &without];
    let own = citation(rule);
    let written = file.case.iter().filter(|it| it.decided_by.as_deref() == Some(&*own));
    written.into_iter().any(|case| case.is_decided(file, bodies))
        || rule.demands.iter().any(|it| generated(file, it, bodies))
}

impl Case {
    /// Whether the rule that is left out decides about the module before the change, or after it.
    fn is_decided(&self, file: &File, bodies: [&Body<'_>; 2]) -> bool {
        let device = self.device.as_deref().unwrap_or(&file.device);
        let modules = [self.before(file), self.text(file)].map(|it| prepared(&it, device));
        let count = |body: &Body<'_>, module: &Prepared| {
            let of_rule = found(body, module).into_iter().filter(|it| it.rule == self.rule);
            of_rule.filter(|it| it.severity != Severity::Note).count()
        };
        let [[before, after], [before_without, after_without]] =
            bodies.map(|body| modules.each_ref().map(|module| count(body, module)));
        before < after && (before < before_without || after_without < after)
    }
}

/// Devices on which a list has what stands in it.
fn devices(file: &File) -> Vec<Option<Device>> {
    let plain = file.device.replace("full", "plain");
    let versions = ["1.2", "2.0", "2.1", "2.2", "3.0"];
    let versions = versions.iter().map(|it| format!("api_version = \"{it}\"\n"));
    let oldest = "spirv_version = \"1.0\"\n".to_owned();
    let texts = [file.device.clone(), plain, oldest].into_iter().chain(versions);
    texts.map(|it| prepared("OpCapability Linkage\n", &it).device).collect()
}

/// Whether of two modules of one token, which differ in its name, the rule decides.
fn generated(file: &File, demand: &Demand, [body, without]: [&Body<'_>; 2]) -> bool {
    let DemandSubject::Tokens(kind) = &demand.subject else { return false };
    let mut words: Vec<String> = of_words(demand);
    words.extend(others(kind).iter().map(|it| (*it).to_owned()));
    devices(file).iter().any(|device| {
        let said = |body: &Body<'_>, word: &String| {
            let listing = list_bytes(token(kind, word)?.as_bytes(), "pair", &[]).ok()?;
            let module = Prepared { listing, device: device.clone() };
            Some(found(body, &module).iter().any(|it| it.severity != Severity::Note))
        };
        let with: Vec<_> = words.iter().map(|word| said(body, word)).collect();
        let changed = |verdict: bool| {
            let of_verdict = with.iter().zip(&words).filter(|(it, _)| **it == Some(verdict));
            of_verdict.into_iter().any(|(_, word)| said(without, word) == Some(!verdict))
        };
        with.contains(&Some(true))
            && with.contains(&Some(false))
            && (changed(true) || changed(false))
    })
}

fn of_words(demand: &Demand) -> Vec<String> {
    let words = demand.values.iter().filter_map(|values| match values {
        Values::Words(words) => Some(words),
        _ => None,
    });
    words.flatten().map(|it| it.to_string()).collect()
}

/// A module that has one token.
fn token(kind: &str, word: &str) -> Option<String> {
    let rest = match kind {
        "Capability" => format!("OpCapability {word}"),
        "Extension" => format!("OpExtension \"{word}\""),
        "ExtInstImport" => format!("%1 = OpExtInstImport \"{word}\""),
        "Version" => return Some(format!("; Version: {word}\nOpCapability Linkage\n")),
        "Opcode" => format!("%2 = OpTypeFloat 32\n%1 = {word}{}", operands(word)),
        _ => return None,
    };
    Some(format!("; Version: 1.0\n{rest}\n"))
}

/// What a type is made of.
fn operands(instruction: &str) -> &'static str {
    match instruction {
        "OpTypeInt" => " 32 0",
        "OpTypeVector" => " %2 4",
        "OpTypeFunction" => " %2",
        "OpTypePointer" => " Workgroup %2",
        "OpTypeOpaque" => " \"hidden\"",
        _ => "",
    }
}

/// Words of a kind of which the lists have some, and some not.
fn others(kind: &str) -> &'static [&'static str] {
    match kind {
        "Capability" => &["Shader", "Kernel", "Linkage", "Tessellation"],
        "Extension" => &["SPV_KHR_of_tomorrow", "SPV_KHR_linkonce_odr", "SPV_KHR_multiview"],
        "ExtInstImport" => &["Set.of.tomorrow", "OpenCL.std", "GLSL.std.450"],
        "Version" => &["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"],
        "Opcode" => &["OpTypeOpaque", "OpTypeVoid"],
        _ => &[],
    }
}
