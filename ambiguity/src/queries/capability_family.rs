//! A capability beside others whose names begin with that of one capability, which these declare.

use std::collections::BTreeSet;

use laneproof_module::names::all_of;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::fact::TokenFact;
use laneproof_tokens as tokens;

use crate::finding::{Finding, FindingKind};
use crate::rules;

/// The least number of other members of a family.
const MEMBERS: usize = 5;

/// The number of members, of ten, that must declare it.
const NEARLY_ALL: usize = 8;

/// One finding for each capability of a text that does not declare the one with which its name and
/// those of its family begin, by what the text says of it.
pub fn capability_families(texts: &AsWritten) -> Vec<Finding> {
    let documents: BTreeSet<&str> =
        texts.specification.documents.iter().map(|it| &*it.name).collect();
    let own = rules::Known::of(texts).facts().filter(|it| documents.contains(&*it.document));
    let stated = own.filter(|it| &*it.kind == "Capability" && !it.declares.is_empty());
    stated.filter_map(|fact| undeclared(fact)).collect()
}

/// A capability as the grammar has it: all of its names, and what it declares.
struct Known {
    names: &'static [&'static str],
    declares: Vec<String>,
}

fn undeclared(fact: &TokenFact) -> Option<Finding> {
    let all: Vec<Known> = all_of("Capability")
        .filter(|(_, names)| !names.contains(&&*fact.token))
        .filter_map(|(_, names)| {
            let declares = tokens::named("Capability", names.first()?)?.capabilities();
            Some(Known { names, declares })
        })
        .collect();
    let begins = |name: &str, head: &str| name.starts_with(head) && name != head;
    let heads: BTreeSet<&str> = all
        .iter()
        .flat_map(|it| it.names.iter().copied())
        .filter(|head| begins(&fact.token, head))
        .collect();
    // The longest name is the nearest family.
    let head = heads.into_iter().max_by_key(|it| it.len())?;
    let members: Vec<&Known> =
        all.iter().filter(|it| it.names.iter().any(|name| begins(name, head))).collect();
    let with = members.iter().filter(|it| it.declares.iter().any(|name| name == head)).count();
    let declared: BTreeSet<String> =
        tokens::with_brought(fact.declares.iter().map(|name| name.to_string()));
    let usual = members.len() >= MEMBERS && with * 10 >= members.len() * NEARLY_ALL;
    if !usual || declared.contains(head) {
        return None;
    }
    let stated: Vec<&str> = fact.declares.iter().map(|it| &**it).collect();
    Some(Finding {
        documents: [fact.document.to_string()].into(),
        clauses: [fact.citation()].into(),
        summary: format!(
            "{with} of {} other capabilities whose names begin with {head} declare {head}, and {} depends \
             on {} only: no sentence says whether it brings what {head} does.",
            members.len(),
            fact.token,
            stated.join(", ")
        ),
        remedy: format!("That it declares {head}, or that it does not."),
        ..Finding::of(FindingKind::Gap, format!("gap/capability-of-the-family/{}", fact.token))
    })
}
