//! The table of all rules of an environment, each with what becomes of it.

use std::collections::BTreeSet;
use std::fmt;

use laneproof_semantics::language::rule::{DemandSubject, Fact, Force};
use serde::{Serialize, Serializer};

use crate::body::{AppliedDemand, Body};
use crate::facts::{FactMeaning, Facts};

/// A rule and what becomes of it.
#[derive(Clone, Debug, Serialize)]
pub struct RuleRow {
    /// The rule, by document, section and sentences.
    pub id: String,
    /// The document.
    pub document: String,
    /// Its section.
    pub section: String,
    /// The sentences.
    pub sentences: Vec<u32>,
    /// The sentences in our words.
    pub wording: String,
    /// What becomes of it.
    pub status: Status,
    /// What it asks about the device.
    pub facts: BTreeSet<RuleFact>,
    /// Why it is not checked, or whose it is.
    pub why: Option<String>,
}

/// What becomes of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It is checked, whatever the device.
    Checked,
    /// It is checked, and a fact about the device decides.
    DeviceFact,
    /// The host keeps it.
    Host,
    /// It is not checked.
    NotChecked,
}

impl Status {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::DeviceFact => "device fact",
            Self::Host => "host",
            Self::NotChecked => "not checked",
        }
    }
}

/// A fact about the device on which a rule depends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleFact {
    /// One that a device file states, by its key.
    Stated(String),
    /// Which extensions with this feature the device supports.
    ExtensionsWith(String),
}

impl fmt::Display for RuleFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stated(key) => f.write_str(key),
            Self::ExtensionsWith(name) => write!(f, "extensions with {name}"),
        }
    }
}

impl Serialize for RuleFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// All rules, in the order of the files.
pub fn table(body: &Body<'_>) -> Vec<RuleRow> {
    let mut rows: Vec<RuleRow> = Vec::new();
    for applied in &body.demands {
        let (status, why) = status(body, applied);
        let facts = facts(applied);
        match rows.last_mut().filter(|row| *row.id == *applied.rule.id) {
            Some(row) => {
                if status < row.status {
                    (row.status, row.why) = (status, why);
                }
                row.facts.extend(facts);
            }
            None => rows.push(RuleRow {
                id: applied.rule.id.to_string(),
                document: applied.rule.document.to_string(),
                section: applied.rule.section.to_string(),
                sentences: applied.rule.sentences.clone(),
                wording: applied.rule.wording.to_string(),
                status,
                facts,
                why,
            }),
        }
    }
    rows.retain(|row| !row.wording.is_empty());
    rows
}

fn meanings<'a>(applied: &'a AppliedDemand<'_>) -> Vec<Option<&'static FactMeaning>> {
    let mut asked: Vec<&'a Fact> = Vec::new();
    applied.demand.when.facts(&mut asked);
    let words = asked.into_iter().filter_map(|fact| match fact {
        Fact::Words(words) => Some(&**words),
        _ => None,
    });
    words.map(|words| Facts::built_in().words.get(words)).collect()
}

fn facts(applied: &AppliedDemand<'_>) -> BTreeSet<RuleFact> {
    let mut asked = Vec::new();
    applied.demand.when.facts(&mut asked);
    let supported = asked.iter().filter_map(|fact| match fact {
        Fact::Supports(name) => Some(RuleFact::ExtensionsWith(name.to_string())),
        _ => None,
    });
    let keys = meanings(applied).into_iter().flatten().filter_map(|meaning| match meaning {
        FactMeaning::Device(test) | FactMeaning::Stated(test) => {
            Some(RuleFact::Stated(test.key.clone()))
        }
        _ => None,
    });
    keys.chain(supported).collect()
}

fn status(body: &Body<'_>, applied: &AppliedDemand<'_>) -> (Status, Option<String>) {
    let not = |why: &str| (Status::NotChecked, Some(why.to_owned()));
    let meanings = meanings(applied);
    if meanings.contains(&Some(&FactMeaning::Host)) {
        return (Status::Host, Some("the host keeps it".to_owned()));
    }
    if meanings.contains(&Some(&FactMeaning::State)) {
        return not("the state in which an instruction runs decides: `run` and `verify` ask");
    }
    if meanings.contains(&None) {
        return not("the circumstance has no meaning");
    }
    match (&applied.demand.force, &applied.demand.subject) {
        (Force::Mentions, _) => not("says nothing that could be broken"),
        (Force::Label(label), _)
            if !matches!(&**label, "undefined behavior" | "undefined value") =>
        {
            not("names a consequence that no text defines")
        }
        (_, DemandSubject::Tokens(kind)) if &**kind == "Support" => {
            (Status::Host, Some("the device keeps it".to_owned()))
        }
        (_, DemandSubject::Fields { .. }) if !applied.reaches_any() => {
            not("no instruction is meant")
        }
        (Force::Accepts, _)
            if !Body::is_exception(applied.rule)
                && !body.demands.iter().any(|it| it.ends_list_of(applied)) =>
        {
            not("promises something, and no sentence says what is not promised")
        }
        _ if facts(applied).is_empty() => (Status::Checked, None),
        _ => (Status::DeviceFact, None),
    }
}
