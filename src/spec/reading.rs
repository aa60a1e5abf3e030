//! A reading: its question, its alternatives, and the clauses that depend on it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::{Consequence, Reading, ReadingProfile, SettlingSentence};
use serde_json::{Value, json};

/// What it asks, the alternatives with the profiles that take them, and the instructions that rest
/// on it.
pub fn page(specification: &Specification, reading: &Reading) -> String {
    let mut out = format!("reading {}\n  {}\n\n", reading.name, reading.question);
    let widest = reading.alternatives.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (alternative, consequence) in &reading.alternatives {
        let gives = consequence.map(|it| format!(": {}", in_words(it))).unwrap_or_default();
        let by = profiles(specification, reading, alternative);
        let by = if by.is_empty() { String::new() } else { format!("  ({})", by.join(", ")) };
        let line = format!("  | {alternative:<widest$}{gives}{by}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let _ = writeln!(
        out,
        "\nIn brackets are the profiles that take it; --reading {}=ALTERNATIVE takes another.",
        reading.name
    );
    for (environment, sentence) in settling(specification, reading) {
        let _ = writeln!(out, "\nIn {environment} a sentence settles it: {sentence}");
    }
    let resting = resting(specification, reading);
    if !resting.is_empty() {
        let _ = writeln!(out, "\nAsked by the clauses of: {}", resting.join(", "));
    }
    out
}

/// The same as a document.
pub fn document(specification: &Specification, reading: &Reading) -> Value {
    let alternatives = reading.alternatives.iter().map(|(alternative, consequence)| {
        json!({
            "name": &**alternative,
            "consequence": consequence.map(in_words),
            "profiles": profiles(specification, reading, alternative),
        })
    });
    json!({
        "name": &*reading.name,
        "question": &*reading.question,
        "alternatives": alternatives.collect::<Vec<_>>(),
        "instructions": resting(specification, reading),
        "settled_by": settling(specification, reading).into_iter().collect::<BTreeMap<_, _>>(),
    })
}

fn in_words(consequence: Consequence) -> &'static str {
    match consequence {
        Consequence::Silence => "silence",
        Consequence::ImplementationValue => "a value that the implementation defines",
        Consequence::UndefinedValue => "undefined value",
        Consequence::UndefinedBehavior => "undefined behavior",
    }
}

fn profiles<'s>(
    specification: &'s Specification,
    reading: &Reading,
    alternative: &str,
) -> Vec<&'s str> {
    let takes = |profile: &&ReadingProfile| {
        profile.settles.iter().any(|(of, taken)| *of == reading.name && **taken == *alternative)
    };
    let profiles = specification.profiles.values().map(|it| &**it);
    profiles.filter(takes).map(|profile| &*profile.name).collect()
}

/// Environments in which a sentence of their own documents settles it, and its citation.
fn settling<'s>(specification: &'s Specification, reading: &Reading) -> Vec<(&'s str, String)> {
    let environments = specification.profiles.values().filter_map(|profile| {
        let environment = profile.environment.as_deref()?;
        let own = |it: &&SettlingSentence| {
            it.reading == reading.name && specification.holds(&it.document, environment)
        };
        let by = profile.by.iter().find(own)?;
        Some((environment, citation(by)))
    });
    environments.collect()
}

fn citation(by: &SettlingSentence) -> String {
    let numbers: Vec<String> = by.sentences.iter().map(u32::to_string).collect();
    let word = if numbers.len() == 1 { "sentence" } else { "sentences" };
    format!("{}, {}, {word} {}", by.document, by.section, numbers.join(", "))
}

fn resting<'s>(specification: &'s Specification, reading: &Reading) -> Vec<&'s str> {
    let instructions = specification.instructions.values().filter(|instruction| {
        let readings = specification.readings_of(&instruction.row, &instruction.clauses);
        readings.iter().any(|it| it.name == reading.name)
    });
    instructions.map(|instruction| &*instruction.name).collect()
}
