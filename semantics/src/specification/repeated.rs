//! Names that one declaration has twice.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::Mistake;
use crate::language::ast::{Span, SpecFunction};
use crate::language::parse::Item;

/// What a declaration repeats: alternatives, settings, parameters.
pub(super) fn repeated(item: &Item) -> Vec<Mistake> {
    match item {
        Item::Reading(reading) => {
            let names = reading.alternatives.iter().map(|(name, _)| &**name);
            twice("alternatives", names, reading.span)
        }
        Item::Kind(kind) => {
            let names = kind.alternatives.iter().map(|(name, _)| &**name);
            twice("alternatives", names, kind.span)
        }
        Item::Profile { profile, .. } => {
            let names = profile.settles.iter().map(|(reading, _)| &**reading);
            twice("settings of", names, profile.span)
        }
        Item::Function(function) => parameters(function),
        Item::Instruction(instruction) => {
            let names = instruction.row.iter().map(|definition| definition.name.text());
            let rows = twice("definitions of", names.map(|name| &**name), instruction.span);
            instruction.row.iter().flat_map(parameters).chain(rows).collect()
        }
        _ => Vec::new(),
    }
}

/// Names that an earlier list of the same kind has, or that this one has twice.
pub(super) fn enumerants<'n>(
    known: &'n BTreeSet<Arc<str>>,
    names: &'n [Arc<str>],
    span: Span,
) -> Vec<Mistake> {
    twice("enumerants", known.iter().chain(names).map(|name| &**name), span)
}

fn parameters(function: &Arc<SpecFunction>) -> Vec<Mistake> {
    let names = function.parameters.iter().map(|name| &**name.text());
    twice("parameters", names, function.body.span)
}

fn twice<'n>(what: &str, names: impl Iterator<Item = &'n str>, span: Span) -> Vec<Mistake> {
    let mut seen = BTreeSet::new();
    names
        .filter(|name| !seen.insert(*name))
        .map(|name| Mistake::new(span, format!("there are two {what} `{name}`"), "in this"))
        .collect()
}
