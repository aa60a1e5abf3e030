//! Circumstances in which rules hold: what a module declares, what an environment supports.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::{Circumstance, Fact};
use serde::Serialize;

use crate::spelling::field_in_words;

/// The most combinations that are tried; no document comes near.
const TRIED: usize = 1 << 14;

/// Facts that hold; all others do not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Circumstances {
    /// Facts by how they read.
    pub holds: BTreeSet<String>,
    /// Fields of the instruction that have this value. Of others it is not known what they have.
    pub fields: BTreeMap<String, String>,
}

impl Circumstances {
    /// It is so.
    pub fn meet(&self, circumstance: &Circumstance) -> bool {
        circumstance.holds(&|fact| match fact {
            Fact::Is(field, values) => {
                let has = self.fields.get(&**field);
                has.is_some_and(|has| values.iter().any(|value| **value == **has))
            }
            other => self.holds.contains(&other.to_string()),
        })
    }

    /// The module declares this capability here.
    pub fn declares(&self, capability: &str) -> bool {
        self.holds.contains(&Fact::Capability(capability.into()).to_string())
    }

    /// What holds in the others, too.
    pub fn and(&mut self, others: &Self) {
        self.holds.extend(others.holds.iter().cloned());
        for (field, value) in &others.fields {
            self.fields.entry(field.clone()).or_insert_with(|| value.clone());
        }
    }

    fn size(&self) -> usize {
        self.holds.len() + self.fields.len()
    }

    /// Every combination of these facts, fewest facts first; `None` if there are too many.
    fn all(of: &[&Circumstance]) -> Option<Vec<Self>> {
        let mut facts = Vec::new();
        of.iter().for_each(|circumstance| circumstance.facts(&mut facts));
        let mut all = vec![Self::default()];
        let fields: BTreeMap<&str, BTreeSet<&str>> =
            facts.iter().fold(BTreeMap::new(), |mut known, fact| {
                if let Fact::Is(field, values) = fact {
                    let values = values.iter().map(|value| &**value);
                    known.entry(&**field).or_default().extend(values);
                }
                known
            });
        for (field, values) in fields {
            let with = all.iter().flat_map(|known| {
                values.iter().map(|value| {
                    let mut more = known.clone();
                    more.fields.insert(field.to_owned(), (*value).to_owned());
                    more
                })
            });
            let with: Vec<Self> = with.collect();
            all.extend(with);
        }
        for fact in facts.iter().filter(|fact| !matches!(fact, Fact::Is(..))) {
            if all.len() > TRIED {
                return None;
            }
            let with = all.iter().map(|known| {
                let mut more = known.clone();
                more.holds.insert(fact.to_string());
                more
            });
            let with: Vec<Self> = with.collect();
            all.extend(with);
        }
        all.sort_by_key(Self::size);
        Some(all)
    }

    /// In words, a fact each.
    pub fn lines(&self) -> Vec<String> {
        let fields = self
            .fields
            .iter()
            .map(|(field, value)| format!("{} is {value}", field_in_words(field)));
        self.holds.iter().map(|fact| in_words(fact)).chain(fields).collect()
    }
}

/// A fact as a sentence: its own words name the module or the environment already, or are
/// `capability …`, `extension …`, `supports …`.
pub(crate) fn in_words(fact: &str) -> String {
    let kinds = [
        ("capability ", "the module declares the capability "),
        ("extension ", "the module declares the extension "),
        ("supports ", "the environment supports "),
    ];
    let phrase =
        |(kind, words): &(&str, &str)| Some(format!("{words}{}", fact.strip_prefix(kind)?));
    kinds.iter().find_map(phrase).unwrap_or_else(|| fact.to_owned())
}

/// The fewest facts with which something is so; `of` are the circumstances that may matter to it.
pub fn smallest(
    of: &[&Circumstance],
    mut wanted: impl FnMut(&Circumstances) -> bool,
) -> Option<Circumstances> {
    Circumstances::all(of)?.into_iter().find(|it| wanted(it))
}

/// Whether something is so wherever `within` holds; false where there are too many circumstances
/// to say.
pub fn always(
    of: &[&Circumstance],
    within: &Circumstance,
    so: impl FnMut(&Circumstances) -> bool,
) -> bool {
    let all = Circumstances::all(of).unwrap_or_default();
    let mut inside = all.iter().filter(|it| it.meet(within)).peekable();
    inside.peek().is_some() && inside.all(so)
}
