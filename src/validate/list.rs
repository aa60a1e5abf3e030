//! The list of rules.

use laneproof_environment::{Environment, RuleFact, RuleRow, Status, numbered};
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::terminal::Terminal;
use laneproof_report::table::wrap;

const STATUSES: [Status; 4] =
    [Status::Checked, Status::DeviceFact, Status::Host, Status::NotChecked];

/// More extensions than these are not named one by one.
const EXTENSIONS: usize = 3;

/// The facts on which a rule depends.
fn facts(row: &RuleRow) -> Vec<String> {
    let extension = |it: &&RuleFact| matches!(it, RuleFact::ExtensionsWith(_));
    let (extensions, facts): (Vec<&RuleFact>, Vec<&RuleFact>) =
        row.facts.iter().partition(extension);
    let mut facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
    match extensions.len() > EXTENSIONS {
        true => facts.push("extensions".to_owned()),
        false => facts.extend(extensions.iter().map(ToString::to_string)),
    }
    facts
}

/// A rule: its sentences, what it asks, and its status.
fn rule(text: &mut String, row: &RuleRow, terminal: &Terminal) {
    let sentences: Vec<String> = row.sentences.iter().map(|&it| numbered(it)).collect();
    wrap(text, &terminal.page, 3, &format!("{}: {}", sentences.join(", "), row.wording));
    let facts = facts(row);
    let more = match (&row.why, facts.is_empty()) {
        (Some(why), _) => format!(": {why}"),
        (None, false) => format!(": {}", facts.join(", ")),
        (None, true) => String::new(),
    };
    wrap(text, &terminal.page, 5, &format!("{}{more}", row.status.name()));
}

/// All rules of an environment by document, and how many there are of each kind.
pub fn answer(rows: &[RuleRow], environment: Environment, terminal: &Terminal) -> Answer {
    let mut text = String::new();
    let mut documents: Vec<&str> = rows.iter().map(|row| row.document.as_str()).collect();
    documents.dedup();
    documents.sort_unstable();
    documents.dedup();
    for document in &documents {
        text.push_str(&format!("{document}\n"));
        let of_document = || rows.iter().filter(|row| row.document == *document);
        let mut sections: Vec<&str> = Vec::new();
        for row in of_document() {
            if !sections.contains(&&*row.section) {
                sections.push(&row.section);
            }
        }
        for section in sections {
            text.push('\n');
            wrap(&mut text, &terminal.page, 1, section);
            let mut rules: Vec<&RuleRow> =
                of_document().filter(|row| row.section == section).collect();
            rules.sort_by_key(|row| row.sentences.first());
            rules.into_iter().for_each(|row| rule(&mut text, row, terminal));
        }
        text.push('\n');
    }
    let count = |status: Status, sentences: bool| -> usize {
        let of = rows.iter().filter(|row| row.status == status);
        of.map(|row| if sentences { row.sentences.len() } else { 1 }).sum()
    };
    let counts: Vec<String> = STATUSES
        .into_iter()
        .map(|status| {
            let (rules, sentences) = (count(status, false), count(status, true));
            format!("{}: {rules} rules of {sentences} sentences", status.name())
        })
        .collect();
    wrap(&mut text, &terminal.page, 0, &format!("{environment}: {}", counts.join("; ")));
    let summary: serde_json::Map<_, _> = STATUSES
        .into_iter()
        .map(|status| {
            let of = json!({ "rules": count(status, false), "sentences": count(status, true) });
            (status.name().to_owned(), of)
        })
        .collect();
    let json = json!({ "environment": environment.name(), "rules": rows, "summary": summary });
    Answer { exit: Exit::Good, text, json }
}
