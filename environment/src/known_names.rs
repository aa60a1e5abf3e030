//! Names in device files: those that the grammar and the rules know, and misspelled ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{DemandSubject, Fact, Rule, Values};
use laneproof_tokens as tokens;
use strsim::damerau_levenshtein;

use crate::facts::DeviceFact;

/// What is wrong, and what to do.
type Mistake = (String, Option<String>);

/// The names that rules have, by kind of token; those of the APIs' extensions by none.
static KNOWN: LazyLock<BTreeMap<Option<String>, BTreeSet<String>>> = LazyLock::new(|| {
    let mut known: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    let texts = &AsWritten::built_in().specification.rules;
    for rule in texts.iter().chain(&Specification::built_in().rules) {
        for (kind, name) in names_in(rule) {
            known.entry(kind).or_default().insert(name);
        }
    }
    known
});

fn names_in(rule: &Rule) -> Vec<(Option<String>, String)> {
    let mut found = Vec::new();
    for demand in &rule.demands {
        let mut facts = Vec::new();
        demand.when.facts(&mut facts);
        found.extend(facts.into_iter().filter_map(|fact| match fact {
            Fact::Supports(name) => Some((None, name.to_string())),
            _ => None,
        }));
        let DemandSubject::Tokens(kind) = &demand.subject else { continue };
        let words = demand.values.iter().filter_map(|values| match values {
            Values::Words(words) => Some(words),
            _ => None,
        });
        let names = words.flatten().filter(|word| !word.ends_with('*') && &***word != "any");
        found.extend(names.map(|name| (Some(kind.to_string()), name.to_string())));
    }
    found
}

/// A name in a device file, in the grammar's spelling. Extensions and instruction sets may be newer than
/// everything here; one that differs from a known name by a letter or two is that name, misspelled.
///
/// # Errors
///
/// A name that nothing of its kind has.
pub(crate) fn read_name(fact: &DeviceFact, name: &str) -> Result<String, Mistake> {
    let key = &fact.key;
    if !fact.prefixes.is_empty() && !fact.prefixes.iter().any(|it| name.starts_with(&**it)) {
        let help = format!("expected a name that begins with {}", fact.prefixes.join(", "));
        return Err((format!("`{key}`: `{name}` is no such name"), Some(help)));
    }
    let of_grammar = fact.tokens.as_deref().and_then(|kind| tokens::named(kind, name));
    if let Some(token) = of_grammar {
        return Ok(token.name);
    }
    let known = KNOWN.get(&fact.tokens);
    if tokens::is_extension(name) || known.is_some_and(|known| known.contains(name)) {
        return Ok(name.to_owned());
    }
    let nearest = fact.tokens.as_deref().and_then(|kind| tokens::nearest(kind, name));
    let mut near = known.into_iter().flatten().chain(&nearest);
    let near = near.find(|other| is_misspelled(name, other));
    let closed = fact.tokens.as_deref().is_some_and(|kind| tokens::KINDS.contains(&kind));
    if near.is_none() && !closed {
        return Ok(name.to_owned());
    }
    // Of a closed list the nearest name helps even where it is no mere misspelling.
    let kind = fact.tokens.as_deref().filter(|_| closed);
    let vendors = ["KHR", "EXT", "INTEL", "NV", "AMD", "ARM", "QCOM", "GOOGLE"];
    let suffixed = kind
        .and_then(|kind| vendors.iter().find_map(|it| tokens::named(kind, &format!("{name}{it}"))));
    let suffixed = suffixed.map(|token| token.name);
    let near = near.or(suffixed.as_ref()).or(nearest.as_ref().filter(|_| closed));
    let help = near.map(|near| format!("did you mean `{near}`?"));
    Err((format!("`{key}`: there is no `{name}`"), help))
}

/// The most letters in which a misspelled name differs.
const LETTERS: usize = 2;

/// Names that differ in their vendor, or in a number, are different ones.
fn is_misspelled(name: &str, other: &str) -> bool {
    let vendor = |name: &str| name.splitn(3, '_').take(2).collect::<Vec<_>>().join("_");
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    vendor(name) == vendor(other)
        && digits(name) == digits(other)
        && damerau_levenshtein(name, other) <= LETTERS
}
