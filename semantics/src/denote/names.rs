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

/// The names that an instruction's clauses can use, by number: a few are found soonest one by one.
#[derive(Debug)]
pub(super) struct Names<'a> {
    specification: &'a Specification,
    operands: SmallVec<[usize; 8]>,
    /// Of the instruction and its row; of two of one name the last one counts.
    definitions: SmallVec<[(usize, &'a SpecFunction); 12]>,
    /// Names whose functions in the specification were looked up.
    called: SmallVec<[(usize, Option<&'a SpecFunction>); 12]>,
}

impl<'a> Names<'a> {
    pub(super) fn new(specification: &'a Specification, instruction: &'a SpecInstruction) -> Self {
        let operands = instruction.operands.iter().map(|operand| operand.name.number()).collect();
        let (definitions, called) = Default::default();
        Self { specification, operands, definitions, called }
    }

    pub(super) fn define(&mut self, function: &'a SpecFunction) {
        self.definitions.push((function.name.number(), function));
    }

    pub(super) fn definition(&self, name: &Name) -> Option<&'a SpecFunction> {
        let mut latest_first = self.definitions.iter().rev();
        latest_first.find(|(own, _)| *own == name.number()).map(|(_, function)| *function)
    }

    pub(super) fn operand(&self, name: &Name) -> Option<usize> {
        self.operands.iter().position(|own| *own == name.number())
    }

    /// A function that some file defines.
    pub(super) fn function(&mut self, name: &Name) -> Option<&'a SpecFunction> {
        self.definition(name).or_else(|| {
            if let Some((_, known)) = self.called.iter().find(|(own, _)| *own == name.number()) {
                return *known;
            }
            let found = self.specification.functions.get(&**name).map(|function| &**function);
            self.called.push((name.number(), found));
            found
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
