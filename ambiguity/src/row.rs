//! The row of an instruction's words, opcode and operands, at the end of its section in a document of an
//! extension; and where it and the section's sentences do not fit.

use std::collections::BTreeSet;

use crate::sentences::Section;
use crate::slip::{EditorialFault, Slip};

/// The instruction that a section describes.
pub(crate) fn instruction(section: &Section) -> Option<&str> {
    let (_, name) = section.title.rsplit_once(" / ")?;
    Some(name).filter(|name| name.starts_with("Op"))
}

/// The row that ends the section of an instruction.
pub(crate) struct Row<'s> {
    /// The sentence that says how many words there are, from 1.
    pub sentence: u32,
    /// How many, without further ones.
    words: usize,
    /// There may be more.
    or_more: bool,
    /// The opcode; its sentence is the next one.
    pub opcode: u32,
    /// The section's sentences before it.
    prose: &'s [String],
    /// The cells behind the opcode.
    cells: &'s [String],
}

/// A cell with more words is a sentence.
const CELL: usize = 6;

impl<'s> Row<'s> {
    /// The row of a section that has one.
    pub(crate) fn of(section: &'s Section) -> Option<Self> {
        instruction(section)?;
        let sentences = section.sentences.as_slice();
        sentences.windows(2).enumerate().find_map(|(at, pair)| {
            let mut count = pair[0].split(' ');
            let words = count.next()?.parse::<usize>().ok()?;
            let opcode = pair[1].parse::<u32>().ok().filter(|it| words < *it as usize)?;
            let or_more = count.next().is_some();
            let (prose, cells) = (&sentences[..at], &sentences[at + 2..]);
            let sentence = u32::try_from(at + 1).ok()?;
            Some(Self { sentence, words, or_more, opcode, prose, cells })
        })
    }

    /// Every cell is one word of the instruction, or names the operand of the one before it.
    fn is_told_by_ids(&self) -> bool {
        let id = |cell: &String| cell.contains("<id>");
        let named = |pair: &[String]| id(&pair[1]) || id(&pair[0]);
        let plain = |cell: &String| {
            cell.split(' ').count() <= CELL && !cell.contains(['.', ',', '\u{2026}'])
        };
        self.cells.first().is_some_and(id)
            && self.cells.iter().all(plain)
            && self.cells.windows(2).all(named)
    }

    /// The operands by their names, `Result Type` among them.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let kind = |word: &&str| !["<id>", "Optional", "Scope", "Literal"].contains(word);
        let name = |cell: &String| cell.split(' ').filter(kind).collect::<Vec<_>>().join(" ");
        self.cells.iter().map(name).filter(|name| !name.is_empty()).collect()
    }
}

/// What is found in the section of an instruction that has such a row.
pub(crate) fn beside_the_row(section: &Section) -> Vec<Slip> {
    let Some(row) = Row::of(section).filter(Row::is_told_by_ids) else { return Vec::new() };
    let names = row.names();
    let mut found: Vec<Slip> = wrong_count(&row).into_iter().collect();
    let unnamed = names.iter().filter(|name| *name != RESULT && !is_spoken_of(&row, name));
    found.extend(unnamed.map(|name| Slip {
        sentence: row.sentence,
        fault: EditorialFault::UnspokenOperand,
        words: name.clone(),
    }));
    for (sentence, text) in (1..).zip(row.prose) {
        let of = typed(text).into_iter().filter(|it| !names.contains(*it));
        found.extend(of.map(|words| Slip {
            sentence,
            fault: EditorialFault::NoSuchOperand,
            words: words.to_owned(),
        }));
    }
    let some = row.prose.iter().flat_map(|text| typed(text)).any(|it| it != RESULT_TYPE);
    let other = found.iter().any(|slip| slip.fault == EditorialFault::NoSuchOperand);
    let ruled: BTreeSet<&str> = row.prose.iter().flat_map(|text| ruled(text)).collect();
    let names = names.iter().filter(|it| ![RESULT, RESULT_TYPE].contains(&it.as_str()));
    let untyped = names.filter(|it| !ruled.contains(it.as_str()) && is_spoken_of(&row, it));
    found.extend(untyped.filter(|_| some && !other).map(|name| Slip {
        sentence: row.sentence,
        fault: EditorialFault::UntypedOperand,
        words: name.clone(),
    }));
    found
}

/// The operand that holds a result needs no sentence beside that on its type.
const RESULT: &str = "Result";
/// That type.
const RESULT_TYPE: &str = "Result Type";

/// The row says that there are other words than it has cells for.
fn wrong_count(row: &Row<'_>) -> Option<Slip> {
    let ids = row.cells.iter().filter(|cell| cell.contains("<id>"));
    let (optional, needed): (Vec<_>, Vec<_>) = ids.partition(|cell| cell.contains("Optional"));
    let words = needed.len() + 1;
    let fits = row.words == words && (row.or_more || optional.is_empty());
    (!fits).then(|| Slip {
        sentence: row.sentence,
        fault: EditorialFault::WordCount,
        words: match (row.or_more, optional.is_empty()) {
            (false, false) => format!("{} / {words} + variable", row.words),
            _ => format!("{} / {words}", row.words),
        },
    })
}

/// Some sentence has the operand's name; one that gives types to a result begins with it.
fn is_spoken_of(row: &Row<'_>, name: &str) -> bool {
    if name == RESULT_TYPE {
        return row.prose.iter().any(|text| text.replace('*', "").starts_with(RESULT_TYPE));
    }
    let part = |c: char| c.is_alphanumeric();
    row.prose.iter().any(|text| {
        let text = text.replace('*', "");
        text.match_indices(name).any(|(at, _)| {
            !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part)
        })
    })
}

/// Between an operand and what it must be; that it be `must`, others look at.
const VERBS: [&str; 7] =
    ["must be", "must have", "may be", "can be", "shall be", "should be", "is"];

/// What comes before an operand whose type is meant.
const TYPE_OF: [&str; 2] = ["The type of ", "The component type of "];

/// The operands that a rule gives types: `Value must be a scalar of integer type`, `The type of A and B
/// must be that of C`.
fn typed(text: &str) -> Vec<&str> {
    const TYPES: [&str; 6] = ["scalar", "vector", "pointer", "type", "types", "integer"];
    let Some((before, after)) = text.split_once(" must be ") else { return Vec::new() };
    let of_types = |word: &str| TYPES.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()));
    let of_type = TYPE_OF.iter().any(|it| before.starts_with(it));
    if of_type || after.split(' ').any(of_types) { subjects(before) } else { Vec::new() }
}

/// The operands that a rule is about.
fn ruled(text: &str) -> Vec<&str> {
    let divided = VERBS.iter().find_map(|verb| text.split_once(&format!(" {verb} ")));
    divided.map(|(before, _)| subjects(before)).unwrap_or_default()
}

/// The names before a verb, joined by `and`.
fn subjects(before: &str) -> Vec<&str> {
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let own = TYPE_OF.iter().find_map(|it| before.strip_prefix(it)).unwrap_or(before);
    own.split(" and ").filter(|it| *it == RESULT_TYPE || is_name(it)).collect()
}
