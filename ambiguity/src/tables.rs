//! Tables of the same kind in several documents: column heads that differ, and rows that describe the
//! same kind of thing in several forms of a verb. Only whole sentences can be compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Finding, FindingKind};
use crate::place::SentencePlace;
use crate::quotes::Quotes;
use crate::sentences::Section;

/// The least number of words of column heads.
const HEADS: usize = 3;

/// Small words that column heads may have.
const SMALL: usize = 3;

/// The heads of a table, or the description in one of its rows.
struct Cell<'s> {
    document: &'s str,
    section: &'s str,
    sentence: u32,
    text: &'s str,
}

impl Cell<'_> {
    fn place(&self, quotes: &Quotes) -> SentencePlace {
        quotes.place_of(self.document, self.section, self.sentence)
    }
}

/// The tables of one kind in all documents.
#[derive(Default)]
struct Tables<'s> {
    heads: Vec<Cell<'s>>,
    descriptions: Vec<Cell<'s>>,
}

/// What differs between tables of the same kind.
pub(crate) fn tables(quotes: &Quotes) -> Vec<Finding> {
    let mut kinds: BTreeMap<&str, Tables<'_>> = BTreeMap::new();
    for (document, sections) in quotes.texts() {
        for section in sections {
            add(document, section, &mut kinds);
        }
    }
    let of_kind = |(kind, tables): (&str, Tables<'_>)| {
        [heads(quotes, kind, &tables.heads), verbs(quotes, kind, &tables.descriptions)]
    };
    kinds.into_iter().flat_map(of_kind).flatten().collect()
}

/// The table that a section has: its heads begin with its name, which is the section's or stands in the
/// sentence before.
fn add<'s>(document: &'s str, section: &'s Section, kinds: &mut BTreeMap<&'s str, Tables<'s>>) {
    let mut cells = (1..).zip(&section.sentences).map(|(sentence, text)| Cell {
        document,
        section: &section.title,
        sentence,
        text,
    });
    let title = section.title.rsplit(" / ").next().unwrap_or_default();
    let mut announced = Some(title).filter(|it| !it.is_empty());
    while let Some(cell) = cells.next() {
        if let Some(kind) = announced.filter(|kind| are_heads(cell.text, kind, *kind == title)) {
            let tables = kinds.entry(kind).or_default();
            tables.heads.push(cell);
            tables.descriptions.extend(cells.filter(|it| it.text.contains(' ')));
            return;
        }
        announced = of_table(cell.text);
    }
}

/// `… to the Capability table:` is about the kind Capability.
fn of_table(text: &str) -> Option<&str> {
    let (before, _) = text.rsplit_once(" table")?;
    let (_, kind) = before.rsplit_once("the ")?;
    Some(kind).filter(|it| it.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Names of columns, the table's own first: no sentence.
fn are_heads(text: &str, kind: &str, of_section: bool) -> bool {
    let is_name = |word: &str| {
        word.len() <= SMALL || word.starts_with(|c: char| c.is_ascii_uppercase()) || !of_section
    };
    text.strip_prefix(kind).is_some_and(|rest| rest.starts_with(' '))
        && text.ends_with(char::is_alphanumeric)
        && text.split(' ').count() >= HEADS
        && text.split(' ').all(is_name)
}

/// Column heads that differ.
fn heads(quotes: &Quotes, kind: &str, cells: &[Cell<'_>]) -> Option<Finding> {
    let mut written: BTreeMap<&str, Vec<&Cell<'_>>> = BTreeMap::new();
    for cell in cells {
        written.entry(cell.text).or_default().push(cell);
    }
    let summary =
        |ways: &str| format!("Tables of the kind {kind} have several column heads: {ways}.");
    let remedy = "The same heads in all tables of the kind.";
    of_ways(quotes, (written.len() > 1).then_some(written)?, "column-heads", kind, summary, remedy)
}

/// `Use …` in the description of one thing, `Uses …` in that of another.
fn verbs(quotes: &Quotes, kind: &str, cells: &[Cell<'_>]) -> Option<Finding> {
    let mut first: BTreeMap<&str, Vec<&Cell<'_>>> = BTreeMap::new();
    for cell in cells {
        first.entry(cell.text.split(' ').next()?).or_default().push(cell);
    }
    let verbs: BTreeSet<&str> = first.keys().copied().collect();
    let both = |word: &str| {
        verbs.contains(format!("{word}s").as_str())
            || word.strip_suffix('s').is_some_and(|stem| verbs.contains(stem))
    };
    first.retain(|word, _| both(word));
    let summary = |ways: &str| {
        format!("Rows of tables of the kind {kind} begin with several forms of one verb: {ways}.")
    };
    let remedy = "One form in all rows, as the specification has it.";
    of_ways(quotes, (!first.is_empty()).then_some(first)?, "form-of-a-verb", kind, summary, remedy)
}

/// A finding about what is written in several ways, with all places.
fn of_ways(
    quotes: &Quotes,
    ways: BTreeMap<&str, Vec<&Cell<'_>>>,
    cause: &str,
    kind: &str,
    summary: impl Fn(&str) -> String,
    remedy: &str,
) -> Option<Finding> {
    let named = ways.iter().map(|(words, cells)| {
        let documents: BTreeSet<&str> = cells.iter().map(|it| it.document).collect();
        let documents: Vec<&str> = documents.into_iter().collect();
        format!("\u{201c}{words}\u{201d} in {}", documents.join(", "))
    });
    let named = named.collect::<Vec<_>>().join("; ");
    Some(Finding {
        documents: ways.values().flatten().map(|it| it.document.to_owned()).collect(),
        summary: summary(&named),
        remedy: remedy.to_owned(),
        editorial: true,
        places: ways.values().flatten().map(|it| it.place(quotes)).collect(),
        ..Finding::of(
            FindingKind::CrossDocument,
            Finding::id_of(FindingKind::CrossDocument, cause, kind),
        )
    })
}
