//! What a document says of the tokens of SPIR-V: their numbers, what they need, what they take.
//!
//! The grammar has these numbers, too, and code takes them from there. A fact is what the
//! *document* says, so that the two, and documents among themselves, can be held together.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::ast::Span;

/// One statement of a document about one token.
#[derive(Clone, Debug)]
pub struct TokenFact {
    /// Short name of the document.
    pub document: Arc<str>,
    /// Section of the document.
    pub section: Arc<str>,
    /// The kind of token as the grammar names it (`Opcode`, `Capability`, `GroupOperation`), or
    /// `Extension`.
    pub kind: Arc<str>,
    /// The token, spelt as the document spells it.
    pub token: Arc<str>,
    /// Its number, where this place of the document gives one.
    pub number: Option<u32>,
    /// How many words an instruction has.
    pub words: Option<Words>,
    /// What an instruction takes, with result type and result; or only what is added to it.
    pub operands: Vec<StatedOperand>,
    /// True where the operands and capabilities come on top of those of another document.
    pub adds: bool,
    /// Capabilities; each of them allows the token.
    pub capabilities: Vec<Arc<str>>,
    /// Capabilities that this one declares with it, or depends on.
    pub declares: Vec<Arc<str>>,
    /// Extensions that bring the token.
    pub extensions: Vec<Arc<str>>,
    /// Its place in the file.
    pub span: Span,
}

/// A number of words as an instruction's table gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The first word, and one for each operand that must be there.
    pub least: u32,
    /// There may be more.
    pub more: bool,
}

/// An operand as an instruction's table names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedOperand {
    /// Its name, without the spaces that a document may have in it.
    pub name: Arc<str>,
    /// May be left out.
    pub optional: bool,
}

impl TokenFact {
    /// Document and section.
    pub fn citation(&self) -> String {
        format!("{}, {}", self.document, self.section)
    }
}

impl Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.least, if self.more { " or more" } else { "" })
    }
}

impl Display for StatedOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, if self.optional { " optional" } else { "" })
    }
}

/// In the language itself, on one line.
impl Display for TokenFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.token)?;
        self.number.iter().try_for_each(|number| write!(f, " = {number}"))?;
        self.words.iter().try_for_each(|words| write!(f, " words {words}"))?;
        let operands: Vec<_> = self.operands.iter().map(ToString::to_string).collect();
        let lists = [
            ("operands", operands),
            ("capability", names(&self.capabilities)),
            ("declares", names(&self.declares)),
            ("extension", names(&self.extensions)),
        ];
        if self.adds {
            write!(f, " adds")?;
        }
        let given = lists.iter().filter(|(_, list)| !list.is_empty());
        given.into_iter().try_for_each(|(word, list)| write!(f, " {word} {}", list.join(", ")))
    }
}

fn names(list: &[Arc<str>]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}
