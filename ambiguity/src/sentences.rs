//! Divides a document's plain text into sections and numbered sentences.
//!
//! The ledger and the clauses identify a sentence by section and number; these are the rules of
//! numbering. Lines are taken without the white space around them.
//!
//! **Layout.** A document with underlined headings is *wrapped*: lines run on. In any other one
//! each line is separate.
//!
//! **Sections.** In a wrapped document a heading is a line over a row of one mark (`===`), and its
//! level is the order in which that mark was first met; a section's title is the path of headings
//! down to it, without the document's own title, which has a row above it, too. In the others
//! headings show no level. These lines are headings there, and not counted as sentences:
//!
//! - the names that extensions' documents give their sections (`CUSTOMARY`), and what begins
//!   with `New` or `Modifications to`, without a mark at its end;
//! - an instruction's name in a paragraph of its own, with prose after it and no other
//!   instruction's name before it; its title goes below that of the last other heading;
//! - an order to an editor of a specification, by what it names: `Add a new Section 1.2 - NAME`,
//!   or in parentheses `(… 1.2, NAME, …)`.
//!
//! A title that comes again gets its count behind it: `Group Instructions (2)`.
//!
//! **Sentences.** A separate line, a list's item, a table's row and, in a wrapped document, lines
//! up to one that ends in a colon are parts. A part is divided after each full stop that white
//! space follows. So a formula's line, an item and a word of a table of operands are one sentence
//! each. In a wrapped document an item ends with a line that ends in a full stop or colon, or that
//! had room for the next line's first word, or before a line that begins with a capital letter
//! outside of emphasis.

/// A section and its sentences, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Path of headings, as ` / ` joins them; [`BEGINNING`] before the first one.
    pub title: String,
    /// The line that is the heading, where it is an order to an editor and no title.
    pub heading: String,
    /// The sentences, their white space as single blanks.
    pub sentences: Vec<String>,
}

/// The title of the part before the first heading.
pub const BEGINNING: &str = "Beginning";

/// What extensions' documents call their sections.
const CUSTOMARY: [&str; 16] = [
    "Name Strings",
    "Table of Contents",
    "Contact",
    "Contributors",
    "Notice",
    "Status",
    "Version",
    "Dependencies",
    "Overview",
    "Extension Name",
    "Capabilities",
    "Instructions",
    "Token Number Assignments",
    "Validation Rules",
    "Issues",
    "Revision History",
];

/// A line as short as this had room for a word, whatever its original indentation.
const ROOM: usize = 60;

/// The sections of a document in order, those without sentences too.
pub fn sections(text: &str) -> Vec<Section> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let wrapped = (0..lines.len()).any(|at| is_underlined(&lines, at));
    if wrapped { wrapped_sections(&lines) } else { plain_sections(&lines) }
}

/// A short hash of a sentence's words, FNV-1a folded to 32 bits: enough to notice a change.
pub fn fingerprint(sentence: &str) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in words(sentence).bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ hash >> 32) as u32
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Collects sections, and keeps their titles apart.
#[derive(Default)]
struct Builder {
    sections: Vec<Section>,
}

impl Builder {
    fn open(&mut self, title: &str) {
        let again = |known: &Section| {
            known.title == title
                || known.title.strip_prefix(title).is_some_and(|rest| rest.starts_with(" ("))
        };
        let title = match self.sections.iter().filter(|known| again(known)).count() {
            0 => title.to_owned(),
            before => format!("{title} ({})", before + 1),
        };
        self.sections.push(Section { title, heading: String::new(), sentences: Vec::new() });
    }

    /// Adds the sentences of a part, with its item's mark taken away.
    fn part(&mut self, part: &str) {
        let part = words(part);
        let mut rest = part.strip_prefix("• ").or(part.strip_prefix("- ")).unwrap_or(&part);
        if self.sections.is_empty() && !rest.is_empty() {
            self.open(BEGINNING);
        }
        let Some(section) = self.sections.last_mut() else { return };
        while let Some(stop) = rest.find(". ") {
            section.sentences.push(rest[..=stop].to_owned());
            rest = &rest[stop + 2..];
        }
        if !rest.is_empty() {
            section.sentences.push(rest.to_owned());
        }
    }
}

// ---- each line on its own ------------------------------------------------------------------

fn plain_sections(lines: &[&str]) -> Vec<Section> {
    let mut builder = Builder::default();
    let mut parent = "";
    for (at, line) in lines.iter().enumerate() {
        if let Some(title) = heading(line) {
            builder.open(title);
            if let Some(section) = builder.sections.last_mut().filter(|_| *line != title) {
                section.heading = (*line).to_owned();
            }
            parent = title;
        } else if is_described_instruction(lines, at) {
            builder.open(&format!("{parent} / {line}"));
        } else {
            builder.part(line);
        }
    }
    builder.sections
}

/// The title, where the line is a heading but no instruction's.
fn heading(line: &str) -> Option<&str> {
    let customary = CUSTOMARY.contains(&line);
    let changes = ["New ", "Modifications to "].iter().any(|start| line.starts_with(start));
    if customary || changes && line.ends_with(char::is_alphanumeric) {
        return Some(line);
    }
    if let Some(new) = line.strip_prefix("Add a new Section ") {
        return new.split_once(" - ").map(|(_, title)| title);
    }
    let order = line.strip_prefix('(')?.trim_end_matches(':').strip_suffix(')')?;
    let mut parts = order.split(", ");
    let numbered = |part: &str| part.split(' ').next_back().is_some_and(is_section_number);
    parts.next().filter(|part| numbered(part))?;
    parts.next()
}

fn is_section_number(word: &str) -> bool {
    word.contains('.') && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

fn is_instruction(line: &str) -> bool {
    line.strip_prefix("Op").is_some_and(|name| {
        name.starts_with(|letter: char| letter.is_ascii_uppercase())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric())
    })
}

fn is_described_instruction(lines: &[&str], at: usize) -> bool {
    let blank = |line: Option<&&str>| line.is_none_or(|line| line.is_empty());
    let alone = blank(lines.get(at + 1)) && (at == 0 || blank(lines.get(at - 1)));
    let before = lines[..at].iter().rev().find(|line| !line.is_empty());
    let after = lines[at + 1..].iter().find(|line| !line.is_empty());
    let is_prose = |line: &&&str| line.contains(' ') && line.ends_with(['.', ':']);
    is_instruction(lines[at])
        && alone
        && before.is_none_or(|line| !is_instruction(line))
        && after.filter(is_prose).is_some()
}

// ---- lines that run on ---------------------------------------------------------------------

fn wrapped_sections(lines: &[&str]) -> Vec<Section> {
    let mut builder = Builder::default();
    let mut outline = Outline::default();
    let mut part = String::new();
    let mut in_item = false;
    let mut borders = 0;
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let begins = line.is_empty() || line.starts_with("- ") || is_row_of_marks(line);
        if begins || is_underlined(lines, at) {
            builder.part(&std::mem::take(&mut part));
            in_item = line.starts_with("- ");
        }
        if is_underlined(lines, at) {
            let is_title = at > 0 && lines[at - 1] == next;
            builder.open(&if is_title { (*line).to_owned() } else { outline.path(line, next) });
        } else if is_row_of_marks(line) {
            borders += usize::from(line.contains(' '));
        } else {
            part.push(' ');
            part.push_str(line);
            // A table has a border above, below its head, and below.
            let in_table = borders % 3 != 0;
            let item_ends = in_item && (line.ends_with('.') || ends_item(line, next, &part));
            if in_table || item_ends || line.ends_with(':') {
                builder.part(&std::mem::take(&mut part));
                in_item = false;
            }
        }
    }
    builder.part(&part);
    builder.sections
}

/// The headings down to the present one, and the marks below them.
#[derive(Default)]
struct Outline<'a> {
    marks: Vec<Option<char>>,
    headings: Vec<&'a str>,
}

impl<'a> Outline<'a> {
    fn path(&mut self, heading: &'a str, under: &str) -> String {
        let mark = under.chars().next();
        let level = self.marks.iter().position(|known| *known == mark).unwrap_or_else(|| {
            self.marks.push(mark);
            self.marks.len() - 1
        });
        self.headings.truncate(level);
        self.headings.push(heading);
        self.headings.join(" / ")
    }
}

fn ends_item(line: &str, next: &str, item: &str) -> bool {
    let first = next.split(' ').next().unwrap_or_default();
    let had_room = line.chars().count() + 1 + first.chars().count() <= ROOM;
    let emphasis_is_open = item.replace("**", "").matches('*').count() % 2 == 1;
    had_room || next.starts_with(char::is_uppercase) && !emphasis_is_open
}

/// A heading's underline or, with blanks in it, the border of a table.
fn is_row_of_marks(line: &str) -> bool {
    let marks = line.replace(' ', "");
    marks.len() >= 3 && ["=", "-", "~"].iter().any(|mark| marks.replace(mark, "").is_empty())
}

fn is_underlined(lines: &[&str], at: usize) -> bool {
    let is_text = |line: &str| line.starts_with(char::is_alphanumeric);
    let under = lines.get(at + 1).copied().unwrap_or_default();
    is_text(lines[at]) && is_row_of_marks(under) && !under.contains(' ')
}

/// Words of web pages, not of specifications.
const BROWSER: [&str; 2] = ["JavaScript", "browser"];

/// Each sentence with the place of its section and its number.
pub(crate) fn numbered(sections: &[Section]) -> impl Iterator<Item = ((usize, u32), &str)> {
    sections.iter().enumerate().flat_map(|(at, section)| {
        (1..).zip(&section.sentences).map(move |(number, text)| ((at, number), text.as_str()))
    })
}

/// It is no sentence of the document's, but of the page that showed it.
pub(crate) fn is_residue(text: &str) -> bool {
    text.split_whitespace().any(|word| BROWSER.contains(&word))
}

/// A word without the punctuation around it.
pub(crate) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The same in small letters.
pub(crate) fn plain(word: &str) -> String {
    bare(word).to_lowercase()
}
