//! What the documents say of tokens, and what differs, for scripts.

use std::sync::Arc;

use laneproof_semantics::Specification;
use laneproof_semantics::language::fact::{StatedOperand, TokenFact};
use laneproof_tokens::Difference;
use serde_json::{Value, json};

/// What they say of one token.
pub fn of(specification: &Specification, token: &str) -> Vec<Value> {
    specification.facts_of(token).map(|fact| document(fact)).collect()
}

/// One statement, with its place.
pub fn document(fact: &TokenFact) -> Value {
    let words = fact.words.map(|words| json!({ "least": words.least, "more": words.more }));
    let operand = |it: &StatedOperand| json!({ "name": &*it.name, "optional": it.optional });
    json!({
        "document": &*fact.document,
        "section": &*fact.section,
        "citation": fact.citation(),
        "kind": &*fact.kind,
        "token": &*fact.token,
        "number": fact.number,
        "words": words,
        "operands": fact.operands.iter().map(operand).collect::<Vec<_>>(),
        "adds": fact.adds,
        "capability": names(&fact.capabilities),
        "declares": names(&fact.declares),
        "extension": names(&fact.extensions),
    })
}

/// A difference to another document.
pub fn difference(it: &Difference) -> Value {
    json!({
        "kind": it.kind,
        "tokens": it.tokens,
        "documents": it.documents,
        "citations": it.citations,
        "difference": it.difference,
    })
}

fn names(list: &[Arc<str>]) -> Vec<&str> {
    list.iter().map(|name| &**name).collect()
}
