//! How exact arithmetic is.

use std::sync::Arc;

use pest::iterators::Pair;

use super::clause::{numbers, section};
use super::{Place, Rule, string};
use crate::error::Mistake;
use crate::language::margin::{Margin, MarginKind};

/// Reads an `arithmetic` block of a document.
pub(super) fn margins(
    place: Place,
    document: &Arc<str>,
    pair: Pair<'_, Rule>,
) -> Result<Vec<Arc<Margin>>, Mistake> {
    let mut parts = place.parts(pair);
    let section = section(place, &mut parts)?.unwrap_or_else(|| Arc::from(""));
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
            let ulps = margin.take_if(Rule::ulps);
            let kind = match (kind, ulps) {
                (MarginKind::Error(_), Some(ulps)) => MarginKind::Error(tenths(place, &ulps)?),
                (MarginKind::Error(_), None) => {
                    let message = "an error has a bound, in units in the last place";
                    return Err(Mistake::new(span, message, "the bound is missing here"));
                }
                (kind, _) => kind,
            };
            let mut words = |rule| -> Vec<Arc<str>> {
                let Some(list) = margin.take_if(rule) else { return Vec::new() };
                let mut list = place.parts(list);
                std::iter::from_fn(|| list.take()).map(|name| name.as_str().into()).collect()
            };
            let (formats, instructions) = (words(Rule::formats), words(Rule::computed_by));
            let unless = words(Rule::unless_word).pop();
            out.push(Arc::new(Margin {
                document: Arc::clone(document),
                section: Arc::clone(&section),
                sentences: sentences.clone(),
                wording: Arc::clone(&wording),
                kind,
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

/// Units in the last place, in tenths.
fn tenths(place: Place, pair: &Pair<'_, Rule>) -> Result<u32, Mistake> {
    let (whole, part) = pair.as_str().split_once('.').unwrap_or((pair.as_str(), "0"));
    let number = format!("{whole}{part}").parse().ok();
    number.ok_or_else(|| Mistake::new(place.span(pair), "such an error has no bound", "too large"))
}
