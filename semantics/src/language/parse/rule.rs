//! What documents say of modules.

use std::sync::Arc;

use pest::iterators::Pair;

use super::super::rule::{
    Circumstance, Demand, DemandSubject, Fact, Force, InstructionGroup, Likeness, Member,
    Rule as Sentence, Values,
};
use super::clause::{numbers, remark, section};
use super::{Parts, Place, Rule, integer, string};
use crate::error::Mistake;

/// Circumstances nest; everything after the parser walks them recursively.
const MAX_DEPTH: u32 = 32;

/// Reads a `rules` block of a document.
pub(super) fn rules(
    place: Place,
    document: &Arc<str>,
    pair: Pair<'_, Rule>,
) -> Result<Vec<Arc<Sentence>>, Mistake> {
    let mut parts = place.parts(pair);
    let section = section(place, &mut parts)?.unwrap_or_else(|| Arc::from(""));
    let (common, supposition) = match parts.take_if(Rule::supposition) {
        Some(supposition) => {
            let span = place.span(&supposition);
            (circumstance(place, place.parts(supposition).next()?, 0)?, Some(span))
        }
        None => (Circumstance::ALWAYS, None),
    };
    let mut out = Vec::new();
    while let Some(pair) = parts.take() {
        let mut parts = place.parts(pair);
        let span = parts.span;
        let sentences = numbers(place, parts.next()?)?;
        let wording = string(&parts.next()?);
        let (mut demands, mut remarks) = (Vec::new(), Vec::new());
        while let Some(pair) = parts.take() {
            match pair.as_rule() {
                Rule::remark => remarks.push(remark(&mut place.parts(pair))?),
                _ => demands.push(demand(place, &common, pair)?),
            }
        }
        let listed = sentences.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        out.push(Arc::new(Sentence {
            id: format!("{document}/{section}/{listed}").into(),
            document: Arc::clone(document),
            section: Arc::clone(&section),
            sentences,
            wording,
            demands,
            remarks,
            supposition,
            span,
        }));
    }
    Ok(out)
}

fn demand(place: Place, common: &Circumstance, pair: Pair<'_, Rule>) -> Result<Demand, Mistake> {
    let mut parts = place.parts(pair);
    let span = parts.span;
    let first = parts.next()?;
    let force = match first.as_rule() {
        Rule::string => Force::Label(string(&first)),
        Rule::list_end if first.as_str() == "closed" => Force::Closed,
        Rule::list_end => Force::Complete,
        _ => match first.as_str().split_whitespace().collect::<Vec<_>>().as_slice() {
            ["accepts", "only"] => Force::AcceptsOnly,
            ["requires"] => Force::Requires,
            ["forbids"] => Force::Forbids,
            ["mentions"] => Force::Mentions,
            _ => Force::Accepts,
        },
    };
    let subject = subject(place, parts.next()?)?;
    let when = common.clone();
    let mut demand = Demand { force, subject, values: Vec::new(), when, reading: None, span };
    while let Some(part) = parts.take() {
        match part.as_rule() {
            Rule::value => demand.values.push(value(place, part)?),
            Rule::supposition => {
                let own = circumstance(place, place.parts(part).next()?, 0)?;
                demand.when = demand.when.and(own);
            }
            Rule::rests_on => demand.reading = Some(place.parts(part).text()?),
            _ => {
                let own = circumstance(place, place.parts(part).next()?, 0)?;
                demand.when = demand.when.and(Circumstance::Not(Box::new(own)));
            }
        }
    }
    Ok(demand)
}

fn subject(place: Place, pair: Pair<'_, Rule>) -> Result<DemandSubject, Mistake> {
    let mut parts = place.parts(pair);
    if let Some(kind) = parts.take_if(Rule::token_kind) {
        return Ok(DemandSubject::Tokens(Arc::from(kind.as_str())));
    }
    let mut fields = Vec::new();
    while let Some(field) = parts.take_if(Rule::field) {
        fields.push(Arc::from(field.as_str()));
    }
    let within = match parts.take_if(Rule::within) {
        Some(within) => Some(place.parts(within).text()?),
        None => None,
    };
    let group = group(place, parts.next()?)?;
    Ok(DemandSubject::Fields { fields, within, group })
}

fn group(place: Place, pair: Pair<'_, Rule>) -> Result<InstructionGroup, Mistake> {
    let mut parts = place.parts(pair);
    let mut group = InstructionGroup { members: Vec::new(), but: Vec::new() };
    while let Some(part) = parts.take() {
        match part.as_rule() {
            Rule::enabled => group.members.push(Member::Capability(place.parts(part).text()?)),
            Rule::variable => group.members.push(Member::BuiltIn(place.parts(part).text()?)),
            Rule::every => group.members.push(Member::Every),
            Rule::exceptions => {
                let mut names = place.parts(part);
                let names = std::iter::from_fn(|| names.take());
                group.but.extend(names.map(|name| Arc::from(name.as_str())));
            }
            _ => group.members.push(Member::Named(Arc::from(part.as_str()))),
        }
    }
    Ok(group)
}

fn value(place: Place, pair: Pair<'_, Rule>) -> Result<Values, Mistake> {
    let inner = place.parts(pair).next()?;
    let rule = inner.as_rule();
    let mut parts = place.parts(inner);
    Ok(match rule {
        Rule::types => types(place, &mut parts)?,
        Rule::multiples => Values::Multiples(small(place, &parts.next()?)?),
        Rule::alike => {
            let part = parts.take_if(Rule::alike_part).is_some();
            let likeness = match parts.next()?.as_rule() {
                Rule::alike_count => Likeness::Count,
                _ if part => Likeness::Component,
                _ => Likeness::Whole,
            };
            let field = parts.text()?;
            let within = match parts.take_if(Rule::within) {
                Some(within) => Some(place.parts(within).text()?),
                None => None,
            };
            Values::Alike { field, within, likeness }
        }
        Rule::at_least => version(place, &parts.next()?)?,
        _ => Values::Words(words(&mut parts)),
    })
}

fn types(place: Place, parts: &mut Parts<'_>) -> Result<Values, Mistake> {
    let shape = place.parts(parts.next()?).next()?.as_rule();
    let mut counts = Vec::new();
    if let Some(listed) = parts.take_if(Rule::counts) {
        let mut listed = place.parts(listed);
        while let Some(count) = listed.take() {
            counts.push(small(place, &count)?);
        }
    }
    let vector = (shape != Rule::only_scalar).then_some(counts);
    Ok(Values::Types { scalar: shape != Rule::only_vector, vector, elements: words(parts) })
}

fn words(parts: &mut Parts<'_>) -> Vec<Arc<str>> {
    std::iter::from_fn(|| parts.take()).map(|word| Arc::from(word.as_str())).collect()
}

fn version(place: Place, pair: &Pair<'_, Rule>) -> Result<Values, Mistake> {
    let numbers: Vec<Option<u8>> = pair.as_str().split('.').map(|it| it.parse().ok()).collect();
    match numbers[..] {
        [Some(major), Some(minor)] => Ok(Values::AtLeast(major, minor)),
        _ => Err(Mistake::new(place.span(pair), "this is no version of SPIR-V", "too large")),
    }
}

fn small(place: Place, pair: &Pair<'_, Rule>) -> Result<u32, Mistake> {
    let span = place.span(pair);
    u32::try_from(integer(place, pair)?)
        .map_err(|_| Mistake::new(span, "this number does not fit in 32 bits", "too large"))
}

/// One of several, each all of several.
fn circumstance(place: Place, pair: Pair<'_, Rule>, level: u32) -> Result<Circumstance, Mistake> {
    if level > MAX_DEPTH {
        let message = "these circumstances nest too deeply";
        return Err(Mistake::new(place.span(&pair), message, "too deep"));
    }
    let rule = pair.as_rule();
    let mut parts = place.parts(pair);
    match rule {
        Rule::circumstance | Rule::together => {
            let mut all = Vec::new();
            while let Some(part) = parts.take() {
                all.push(circumstance(place, part, level + 1)?);
            }
            Ok(match (rule, all.len()) {
                (_, 1) => all.remove(0),
                (Rule::circumstance, _) => Circumstance::Any(all),
                _ => Circumstance::All(all),
            })
        }
        Rule::not_so => {
            let inner = circumstance(place, parts.next()?, level + 1)?;
            Ok(Circumstance::Not(Box::new(inner)))
        }
        Rule::if_capability => Ok(Circumstance::Holds(Fact::Capability(parts.text()?))),
        Rule::if_extension => Ok(Circumstance::Holds(Fact::Extension(parts.text()?))),
        Rule::if_supported => Ok(Circumstance::Holds(Fact::Supports(parts.text()?))),
        Rule::if_field => {
            let field = parts.text()?;
            Ok(Circumstance::Holds(Fact::Is(field, words(&mut parts))))
        }
        _ => Ok(Circumstance::Holds(Fact::Words(string(&parts.next()?)))),
    }
}
