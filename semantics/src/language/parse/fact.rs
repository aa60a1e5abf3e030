//! What documents say of tokens.

use std::sync::Arc;

use pest::iterators::Pair;

use super::clause::section;
use super::{Parts, Place, Rule, integer};
use crate::error::Mistake;
use crate::language::fact::{StatedOperand, TokenFact, Words};

/// Reads a `facts` block of a document.
pub(super) fn facts(
    place: Place,
    document: &Arc<str>,
    pair: Pair<'_, Rule>,
) -> Result<Vec<Arc<TokenFact>>, Mistake> {
    let mut parts = place.parts(pair);
    let section = section(place, &mut parts)?.unwrap_or_else(|| Arc::from(""));
    let mut out = Vec::new();
    while let Some(pair) = parts.take() {
        fact(place, document, &section, pair, &mut out)?;
    }
    Ok(out)
}

/// One line of it, about one token or several.
fn fact(
    place: Place,
    document: &Arc<str>,
    section: &Arc<str>,
    pair: Pair<'_, Rule>,
    out: &mut Vec<Arc<TokenFact>>,
) -> Result<(), Mistake> {
    let mut parts = place.parts(pair);
    let kind = parts.text()?;
    let mut tokens = Vec::new();
    while let Some(token) = parts.take_if(Rule::token) {
        tokens.push(place.parts(token));
    }
    let mut common = TokenFact {
        document: Arc::clone(document),
        section: Arc::clone(section),
        kind,
        token: Arc::from(""),
        number: None,
        words: None,
        operands: Vec::new(),
        adds: false,
        capabilities: Vec::new(),
        declares: Vec::new(),
        extensions: Vec::new(),
        span: parts.span,
    };
    let mut instruction_only = None;
    while let Some(part) = parts.take() {
        let rule = part.as_rule();
        if matches!(rule, Rule::adds | Rule::word_count | Rule::stated_operands) {
            instruction_only.get_or_insert(place.span(&part));
        }
        match rule {
            Rule::adds => common.adds = true,
            Rule::word_count => common.words = Some(words(place, part)?),
            Rule::stated_operands => common.operands = operands(place, part)?,
            Rule::needs => common.capabilities = names(place, part),
            Rule::declares => common.declares = names(place, part),
            _ => common.extensions = names(place, part),
        }
    }
    if let Some(span) = instruction_only.filter(|_| &*common.kind != "Opcode") {
        let message = format!("a {} has neither words nor operands", common.kind);
        return Err(Mistake::new(span, message, "only an Opcode has"));
    }
    for mut token in tokens {
        let span = token.span;
        let name = token.text()?;
        let number = match token.take() {
            Some(number) => Some(small(place, &number)?),
            None => None,
        };
        out.push(Arc::new(TokenFact { token: name, number, span, ..common.clone() }));
    }
    Ok(())
}

fn words(place: Place, pair: Pair<'_, Rule>) -> Result<Words, Mistake> {
    let mut parts = place.parts(pair);
    let least = small(place, &parts.next()?)?;
    Ok(Words { least, more: parts.take().is_some() })
}

fn operands(place: Place, pair: Pair<'_, Rule>) -> Result<Vec<StatedOperand>, Mistake> {
    let mut parts = place.parts(pair);
    let mut out = Vec::new();
    while let Some(operand) = parts.take() {
        let mut operand = place.parts(operand);
        out.push(StatedOperand { name: operand.text()?, optional: operand.take().is_some() });
    }
    Ok(out)
}

fn names(place: Place, pair: Pair<'_, Rule>) -> Vec<Arc<str>> {
    let mut parts: Parts<'_> = place.parts(pair);
    std::iter::from_fn(|| parts.take()).map(|name| name.as_str().into()).collect()
}

/// Tokens and lengths have 32 bits.
fn small(place: Place, pair: &Pair<'_, Rule>) -> Result<u32, Mistake> {
    u32::try_from(integer(place, pair)?).map_err(|_| {
        Mistake::new(place.span(pair), "this number does not fit in 32 bits", "too large")
    })
}
