//! Numbers that documents give, beside each other: one token, one number.

use std::collections::BTreeMap;

use laneproof_semantics::Specification;
use laneproof_semantics::language::fact::TokenFact;

use super::Observation;
use super::fact::observed;

/// Tokens with two numbers, and numbers of two tokens of one kind.
pub(super) fn observations(specification: &Specification) -> Vec<Observation> {
    let mut by_token: BTreeMap<(&str, &str), Vec<(&TokenFact, u32)>> = BTreeMap::new();
    let mut by_number: BTreeMap<(&str, u32), Vec<&TokenFact>> = BTreeMap::new();
    for fact in &specification.facts {
        let Some(number) = fact.number else { continue };
        by_token.entry((&fact.kind, &fact.token)).or_default().push((fact, number));
        by_number.entry((&fact.kind, number)).or_default().push(fact);
    }
    let mut found = Vec::new();
    for facts in by_token.values() {
        if facts.iter().any(|(_, number)| Some(number) != facts.first().map(|(_, first)| first)) {
            let places = facts.iter().map(|(fact, number)| format!("{number} in {}", fact.section));
            let difference =
                format!("has several numbers: {}", places.collect::<Vec<_>>().join(", "));
            found.extend(facts.iter().map(|(fact, _)| observed(fact, difference.clone())));
        }
    }
    for ((_, number), facts) in &by_number {
        if facts.iter().any(|fact| Some(&fact.token) != facts.first().map(|first| &first.token)) {
            let difference = format!("{number} is the number of several");
            found.extend(facts.iter().map(|fact| observed(fact, difference.clone())));
        }
    }
    found
}
