//! How exact arithmetic is.

use std::sync::Arc;

use pest::iterators::Pair;

use super::clause::{numbers, section};
use super::formula::formula;
use super::{Parts, Place, Rule, string};
use crate::error::Mistake;
use crate::language::formula::Domain;
use crate::language::margin::{Bound, Computed, DeviceProfile, Margin, MarginKind};

/// Reads an `arithmetic` block of a document.
pub(super) fn margins(
    place: Place,
    document: &Arc<str>,
    pair: Pair<'_, Rule>,
) -> Result<Vec<Arc<Margin>>, Mistake> {
    let mut parts = place.parts(pair);
    let section = section(place, &mut parts)?.unwrap_or_else(|| Arc::from(""));
    let profile = match parts.take_if(Rule::device_profile) {
        None => None,
        Some(pair) => match place.parts(pair).next()?.as_str() {
            "embedded" => Some(DeviceProfile::Embedded),
            _ => Some(DeviceProfile::Full),
        },
    };
    let mut out = Vec::new();
    while let Some(pair) = parts.take() {
        let mut sentence = place.parts(pair);
        let sentences = numbers(place, sentence.next()?)?;
        let wording = string(&sentence.next()?);
        while let Some(pair) = sentence.take() {
            let span = place.span(&pair);
            let mut margin = place.parts(pair);
            let word = margin.next()?;
            let kind = kind(place, &word)?;
            let bound = bound(place, &mut margin)?;
            if kind.has_bound() && bound.is_none() {
                let message = "an error has a bound: a formula over real numbers";
                return Err(Mistake::new(span, message, "the bound is missing here"));
            }
            let formats = words(place, &mut margin, Rule::formats);
            let instructions = computed(place, &mut margin)?;
            let unless = words(place, &mut margin, Rule::unless_word).pop();
            out.push(Arc::new(Margin {
                document: Arc::clone(document),
                section: Arc::clone(&section),
                sentences: sentences.clone(),
                wording: Arc::clone(&wording),
                profile,
                kind,
                bound,
                formats,
                instructions,
                unless,
                span,
            }));
        }
    }
    Ok(out)
}

fn kind(place: Place, word: &Pair<'_, Rule>) -> Result<MarginKind, Mistake> {
    let known = MarginKind::WORDS.into_iter().find(|(name, _)| *name == word.as_str());
    known.map(|(_, kind)| kind).ok_or_else(|| {
        let message = format!("nothing is called `{}` that may be allowed", word.as_str());
        let words = MarginKind::WORDS.map(|(name, _)| name);
        Mistake::new(place.span(word), message, "unknown word").did_you_mean(word.as_str(), words)
    })
}

fn words(place: Place, margin: &mut Parts<'_>, rule: Rule) -> Vec<Arc<str>> {
    let Some(list) = margin.take_if(rule) else { return Vec::new() };
    let mut list = place.parts(list);
    std::iter::from_fn(|| list.take()).map(|name| name.as_str().into()).collect()
}

/// The instructions, and what the bound calls their operands.
fn computed(place: Place, margin: &mut Parts<'_>) -> Result<Vec<Computed>, Mistake> {
    let Some(list) = margin.take_if(Rule::computed_by) else { return Ok(Vec::new()) };
    let mut list = place.parts(list);
    let mut out = Vec::new();
    while let Some(pair) = list.take() {
        let mut parts = place.parts(pair);
        let name = parts.text()?;
        out.push(Computed { name, operands: words(place, &mut parts, Rule::parameters) });
    }
    Ok(out)
}

fn bound(place: Place, margin: &mut Parts<'_>) -> Result<Option<Bound>, Mistake> {
    let Some(pair) = margin.take_if(Rule::formula) else { return Ok(None) };
    let formula = formula(place, pair)?;
    let domain = match margin.take_if(Rule::domain) {
        None => None,
        Some(pair) => {
            let mut parts = place.parts(pair);
            let within = parts.next()?.as_str() == "within";
            let low = self::formula(place, parts.next()?)?;
            Some(Domain { within, low, high: self::formula(place, parts.next()?)? })
        }
    };
    Ok(Some(Bound { formula, domain }))
}
