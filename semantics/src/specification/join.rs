//! Declarations of many files become one specification.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::repeated::{enumerants, repeated};
use super::{Document, Specification};
use crate::error::Mistake;
use crate::language::ast::{
    BuiltIn, Clause, Operand, Reading, ReadingKind, ReadingProfile, Span, SpecFunction,
    SpecInstruction,
};
use crate::language::parse::{Edition, Item};

/// Something that has a name of its own and may be declared once.
trait Declared {
    const WHAT: &'static str;
    fn name(&self) -> &str;
    fn span(&self) -> Span;
}

macro_rules! declared {
    ($($ty:ty: $what:literal, $($span:ident).+;)*) => {
        $(impl Declared for $ty {
            const WHAT: &'static str = $what;

            fn name(&self) -> &str {
                &self.name
            }

            fn span(&self) -> Span {
                self.$($span).+
            }
        })*
    };
}

declared! {
    SpecFunction: "function", body.span;
    Reading: "reading", span;
    BuiltIn: "builtin", span;
    SpecInstruction: "instruction", span;
    ReadingProfile: "profile", span;
}

/// Adds declarations; those that refer to others come after all that define. Instructions and
/// environments of the specification `beside` this one may be spoken of, too: such instructions are
/// returned.
pub(super) fn join(
    specification: &mut Specification,
    items: Vec<Item>,
    beside: Option<&Specification>,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Arc<str>> {
    let mut left_out = Vec::new();
    let before = mistakes.len();
    let (mut later, mut named) = (Vec::new(), Vec::new());
    let all = &mut *specification;
    for item in items {
        mistakes.extend(repeated(&item));
        let clash = match item {
            Item::Document { name, edition, environments } => {
                named.extend(environments.iter().cloned());
                let environments = environments.into_iter().map(|(name, _)| name).collect();
                let given = document(&mut all.documents, &name, environments);
                mistakes.extend(edition.and_then(|edition| given.settle(edition)));
                None
            }
            Item::Margin(margin) => {
                all.margins.push(margin);
                None
            }
            Item::Fact(fact) => {
                all.facts.push(fact);
                None
            }
            Item::Rule(rule) => {
                all.rules.push(rule);
                None
            }
            Item::Enumerants { kind, names, span } => {
                let known = all.enumerants.entry(kind).or_default();
                mistakes.extend(enumerants(known, &names, span));
                known.extend(names);
                None
            }
            Item::Function(function) => declare(&mut all.functions, function),
            Item::Reading(reading) => declare(&mut all.readings, reading),
            Item::Kind(kind) => declare_kind(&mut all.kinds, kind),
            Item::BuiltIn(built_in) => declare(&mut all.built_ins, built_in),
            Item::Instruction(instruction) => declare(&mut all.instructions, Arc::new(instruction)),
            Item::Profile { .. } | Item::Extension { .. } => {
                later.push(item);
                None
            }
        };
        mistakes.extend(clash.map(|clash| clash.mistake(specification_place(all, clash.first))));
    }
    for item in later {
        match item {
            Item::Profile { profile, base } => add_profile(all, profile, base, mistakes),
            Item::Extension { instruction, operands, clauses, span } => {
                let here = |all: &Specification| {
                    all.instructions.contains_key(&instruction)
                        || all.built_ins.contains_key(&instruction)
                };
                match beside.is_some_and(|beside| here(beside) && !here(all)) {
                    true => left_out.push(instruction),
                    false => mistakes.extend(extend(all, &instruction, operands, clauses, span)),
                }
            }
            _ => {}
        }
    }
    mistakes.extend(unknown_environments(all, beside, &named));
    mistakes[before..].sort_by_key(|mistake| (mistake.span.file, mistake.span.start));
    left_out
}

/// Adds a profile, with what it inherits.
fn add_profile(
    all: &mut Specification,
    profile: ReadingProfile,
    base: Option<Arc<str>>,
    mistakes: &mut Vec<Mistake>,
) {
    match inherit(&all.profiles, profile, base) {
        Ok(profile) => {
            let clash = declare(&mut all.profiles, Arc::new(profile));
            mistakes
                .extend(clash.map(|clash| clash.mistake(specification_place(all, clash.first))));
        }
        Err(mistake) => mistakes.push(mistake),
    }
}

/// Environments that documents name and that no profile describes.
fn unknown_environments(
    all: &Specification,
    beside: Option<&Specification>,
    named: &[(Arc<str>, Span)],
) -> Vec<Mistake> {
    let environments =
        || all.environments().chain(beside.into_iter().flat_map(|it| it.environments()));
    let unknown = named.iter().filter(|(name, _)| !environments().any(|known| known == name));
    unknown
        .map(|(name, span)| {
            let known: Vec<&str> = environments().map(|known| &**known).collect();
            let message = format!("there is no environment `{name}`");
            Mistake::new(*span, message, "unknown environment").did_you_mean(name, known)
        })
        .collect()
}

fn declare_kind(kinds: &mut Vec<Arc<ReadingKind>>, kind: Arc<ReadingKind>) -> Option<Clash> {
    if let Some(known) = kinds.iter().find(|known| known.name == kind.name) {
        let name = Arc::clone(&kind.name);
        return Some(Clash { what: "kind", name, first: known.span, second: kind.span });
    }
    kinds.push(kind);
    None
}

/// What another document adds to an instruction or a built-in variable.
fn extend(
    all: &mut Specification,
    name: &Arc<str>,
    operands: Vec<Operand>,
    clauses: Vec<Arc<Clause>>,
    span: Span,
) -> Option<Mistake> {
    match (all.instructions.get_mut(name), all.built_ins.get_mut(name)) {
        (Some(known), _) => {
            let known = Arc::make_mut(known);
            let mistake = replaces_nothing(&known.document, &known.clauses, &clauses);
            known.operands.extend(operands);
            known.clauses.extend(clauses);
            mistake
        }
        (None, Some(known)) if operands.is_empty() => {
            let known = Arc::make_mut(known);
            let mistake = replaces_nothing(&known.document, &known.clauses, &clauses);
            known.clauses.extend(clauses);
            mistake
        }
        _ => {
            let message = format!("there is no instruction `{name}` to extend");
            let known = all.instructions.keys().map(|name| &**name);
            Some(Mistake::new(span, message, "unknown instruction").did_you_mean(name, known))
        }
    }
}

/// A sentence that a clause replaces, and that no clause of the own document cites.
fn replaces_nothing(own: &str, known: &[Arc<Clause>], added: &[Arc<Clause>]) -> Option<Mistake> {
    let cites = |number: &u32| {
        let of_own = known.iter().filter(|it| *it.document == *own && !it.elsewhere);
        of_own.into_iter().any(|it| it.sentences.contains(number))
    };
    added.iter().find_map(|clause| {
        let number = clause.replaces.iter().find(|number| !cites(number))?;
        let message =
            format!("no clause of `{own}` cites the sentence {number} that this replaces");
        Some(Mistake::new(clause.span, message, "replaces nothing"))
    })
}

/// Two declarations of one name.
struct Clash {
    what: &'static str,
    name: Arc<str>,
    first: Span,
    second: Span,
}

impl Clash {
    fn mistake(&self, first: String) -> Mistake {
        let Self { what, name, second, .. } = self;
        Mistake::new(*second, format!("there are two {what}s `{name}`"), "declared again here")
            .help(format!("the first one is at {first}"))
    }
}

fn declare<T: Declared>(map: &mut BTreeMap<Arc<str>, Arc<T>>, value: Arc<T>) -> Option<Clash> {
    match map.get(value.name()) {
        Some(old) => Some(Clash {
            what: T::WHAT,
            name: value.name().into(),
            first: old.span(),
            second: value.span(),
        }),
        None => {
            map.insert(value.name().into(), value);
            None
        }
    }
}

fn specification_place(specification: &Specification, span: Span) -> String {
    match specification.locate(span) {
        Some((file, line)) => format!("{file}:{line}"),
        None => "an unknown place".to_owned(),
    }
}

/// The document of this name, which holds in these environments, too.
fn document<'a>(
    documents: &'a mut Vec<Document>,
    name: &Arc<str>,
    environments: Vec<Arc<str>>,
) -> &'a mut Document {
    let known = documents.iter_mut().position(|document| document.name == *name);
    let number = known.unwrap_or_else(|| {
        let (name, title, revision) = (Arc::clone(name), "".into(), "".into());
        documents.push(Document { name, title, revision, environments: Vec::new() });
        documents.len() - 1
    });
    let known = &mut documents[number];
    for environment in environments {
        if !known.environments.contains(&environment) {
            known.environments.push(environment);
        }
    }
    known
}

impl Document {
    /// One of its files says which revision is meant, and no other says another one.
    fn settle(&mut self, edition: Edition) -> Option<Mistake> {
        let Edition { span, revision, title } = edition;
        if !self.revision.is_empty() && self.revision != revision {
            let message = format!("there are two revisions of `{}`", self.name);
            let help = format!("the first one is {}", self.revision);
            return Some(Mistake::new(span, message, "another revision here").help(help));
        }
        (self.revision, self.title) = (revision, title);
        None
    }
}

/// A profile with what its base settles and it does not.
fn inherit(
    profiles: &BTreeMap<Arc<str>, Arc<ReadingProfile>>,
    mut profile: ReadingProfile,
    base: Option<Arc<str>>,
) -> Result<ReadingProfile, Mistake> {
    let Some(base) = base else { return Ok(profile) };
    let Some(from) = profiles.get(&base) else {
        let message = format!("there is no profile `{base}` to start from");
        return Err(Mistake::new(profile.span, message, "unknown profile")
            .did_you_mean(&base, profiles.keys().map(|name| &**name)));
    };
    let own: Vec<_> = profile.settles.iter().map(|(reading, _)| Arc::clone(reading)).collect();
    let inherited = from.settles.iter().filter(|(reading, _)| !own.contains(reading)).cloned();
    let mut settles: Vec<_> = inherited.collect();
    settles.append(&mut profile.settles);
    let mut by: Vec<_> = from.by.iter().filter(|it| !own.contains(&it.reading)).cloned().collect();
    by.append(&mut profile.by);
    let environment = profile.environment.or_else(|| from.environment.clone());
    Ok(ReadingProfile { settles, by, environment, ..profile })
}
