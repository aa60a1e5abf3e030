//! What names of clauses mean where nothing that is bound has them.

use std::sync::LazyLock;

use smallvec::SmallVec;

use super::instance::{DenoteError, LanePosition, State};
use crate::Specification;
use crate::hash::FastMap;
use crate::language::ast::{Expr, ExprKind, Name, SpecFunction, SpecInstruction};

/// A piece of state that the language has a word for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    GroupPlace,
    LanePosition(LanePosition),
    State(State),
    GroupSize,
    Result,
    ComponentNumber,
    MemberNumber,
    LocalInvocationId,
}

/// Those words, by the numbers of their names.
static WORDS: LazyLock<FastMap<usize, Word>> = LazyLock::new(|| {
    let words = [
        ("group_place", Word::GroupPlace),
        ("id", Word::LanePosition(LanePosition::Id)),
        ("SubgroupLocalInvocationId", Word::LanePosition(LanePosition::Id)),
        ("SubgroupId", Word::LanePosition(LanePosition::SubgroupId)),
        ("NumSubgroups", Word::LanePosition(LanePosition::NumSubgroups)),
        ("LocalInvocationIndex", Word::LanePosition(LanePosition::Index)),
        ("WorkDim", Word::LanePosition(LanePosition::WorkDim)),
        ("GroupSize", Word::GroupSize),
        ("SubgroupSize", Word::State(State::SubgroupSize)),
        ("SubgroupMaxSize", Word::State(State::SubgroupMaxSize)),
        ("ExistingLanes", Word::State(State::ExistingLanes)),
        ("result", Word::Result),
        ("component_number", Word::ComponentNumber),
        ("member_number", Word::MemberNumber),
        ("LocalInvocationId", Word::LocalInvocationId),
    ];
    words.into_iter().map(|(text, word)| (Name::from(text).number(), word)).collect()
});

impl Word {
    pub(super) fn of(name: &Name) -> Option<Self> {
        WORDS.get(&name.number()).copied()
    }
}

/// Where something stands that uses names: it sees the definitions of the instruction's own document
/// and of the document in which it stands itself, and a function sees none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// In the description of the instruction, or in its row.
    Instruction,
    /// In what another document adds, by the document's number.
    Addition(usize),
    /// In a function that all clauses can use.
    Function,
}

/// A function, and where it stands.
pub(super) type Placed<'a> = (&'a SpecFunction, Origin);

/// The names that an instruction's clauses can use, by number: a few are found soonest one by one.
#[derive(Debug)]
pub(super) struct Names<'a> {
    specification: &'a Specification,
    operands: SmallVec<[usize; 8]>,
    /// The instruction's document, and those that add clauses.
    documents: SmallVec<[&'a str; 4]>,
    /// Where that stands which is evaluated.
    pub(super) origin: Origin,
    /// Of the instruction and its row; of two of one name the last one counts.
    definitions: SmallVec<[(usize, Placed<'a>); 12]>,
    /// Names whose functions in the specification were looked up.
    called: SmallVec<[(usize, Option<&'a SpecFunction>); 12]>,
}

impl<'a> Names<'a> {
    pub(super) fn new(specification: &'a Specification, instruction: &'a SpecInstruction) -> Self {
        let operands = instruction.operands.iter().map(|operand| operand.name.number()).collect();
        let (definitions, called) = Default::default();
        let documents = std::iter::once(&*instruction.document).collect();
        let origin = Origin::Instruction;
        Self { specification, operands, documents, origin, definitions, called }
    }

    /// What is defined or evaluated from here on stands in this document.
    pub(super) fn turn_to(&mut self, document: &'a str) {
        let number = self.documents.iter().position(|it| *it == document);
        self.origin = match number {
            Some(0) => Origin::Instruction,
            Some(number) => Origin::Addition(number),
            None => {
                self.documents.push(document);
                Origin::Addition(self.documents.len() - 1)
            }
        };
    }

    pub(super) fn define(&mut self, function: &'a SpecFunction) {
        self.definitions.push((function.name.number(), (function, self.origin)));
    }

    pub(super) fn definition(&self, name: &Name) -> Option<Placed<'a>> {
        if self.origin == Origin::Function {
            return None;
        }
        let is_seen = |of: Origin| of == Origin::Instruction || of == self.origin;
        let mut latest_first = self.definitions.iter().rev();
        let found = latest_first.find(|(own, (_, of))| *own == name.number() && is_seen(*of));
        found.map(|(_, placed)| *placed)
    }

    pub(super) fn operand(&self, name: &Name) -> Option<usize> {
        self.operands.iter().position(|own| *own == name.number())
    }

    /// A function that some file defines.
    pub(super) fn function(&mut self, name: &Name) -> Option<Placed<'a>> {
        self.definition(name).or_else(|| {
            let known = self.called.iter().find(|(own, _)| *own == name.number());
            let found = match known {
                Some((_, known)) => *known,
                None => {
                    let found = self.specification.functions.get(&**name).map(|it| &**it);
                    self.called.push((name.number(), found));
                    found
                }
            };
            found.map(|function| (function, Origin::Function))
        })
    }
}

/// The name that an expression is.
pub(super) fn plain_name(expression: &Expr) -> Result<&Name, DenoteError> {
    match &expression.kind {
        ExprKind::Name(name) => Ok(name),
        _ => Err(DenoteError::Specification("a name was expected here".into())),
    }
}
