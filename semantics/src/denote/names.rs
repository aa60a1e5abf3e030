//! Names of an instruction's clauses: looked up by their text once, known by a number from then on.

use std::sync::Arc;

use super::denoter::About;
use super::functions::Family;
use super::instance::{Standing, State};
use crate::Specification;
use crate::hash::FastMap;
use crate::language::ast::{Function, Instruction};

/// A name that stands in an instruction's clauses or in a function that they call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name(u32);

/// A piece of state that the language has a word for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    GroupPlace,
    Standing(Standing),
    State(State),
    GroupSize,
    Result,
    ComponentNumber,
    LocalInvocationId,
}

/// What a name means where nothing that is bound has it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meaning<'a> {
    /// A definition of the instruction or its row.
    pub definition: Option<&'a Function>,
    /// An operand.
    pub operand: Option<usize>,
    pub word: Option<Word>,
    /// A function of the specification's.
    pub function: Option<&'a Function>,
    /// How a function that the language has built in takes its arguments.
    pub family: Option<Family>,
}

impl<'a> Meaning<'a> {
    /// The function that some file defines under this name.
    pub(super) fn applied(&self) -> Option<&'a Function> {
        self.definition.or(self.function)
    }
}

/// The names that were met so far.
#[derive(Debug)]
pub(super) struct Names<'a> {
    specification: &'a Specification,
    instruction: &'a Instruction,
    definitions: FastMap<&'a str, &'a Function>,
    /// By where the text stands: the specification outlives its names.
    by_place: FastMap<usize, Name>,
    by_text: FastMap<&'a str, Name>,
    meanings: Vec<Meaning<'a>>,
    /// What the module alone answers, by where the question stands.
    answers: FastMap<usize, bool>,
}

impl<'a> Names<'a> {
    pub(super) fn new(about: About<'a>, definitions: FastMap<&'a str, &'a Function>) -> Self {
        let About { specification, instruction, .. } = about;
        let (by_place, by_text, meanings, answers) = Default::default();
        Self { specification, instruction, definitions, by_place, by_text, meanings, answers }
    }

    pub(super) fn name(&mut self, text: &'a str) -> Name {
        let place = text.as_ptr() as usize;
        if let Some(&known) = self.by_place.get(&place) {
            return known;
        }
        let name = match self.by_text.get(text) {
            Some(&known) => known,
            None => {
                let name = Name(self.meanings.len() as u32);
                let meaning = self.look_up(text);
                self.meanings.push(meaning);
                self.by_text.insert(text, name);
                name
            }
        };
        self.by_place.insert(place, name);
        name
    }

    pub(super) fn meaning(&self, name: Name) -> Meaning<'a> {
        self.meanings[name.0 as usize]
    }

    /// The answer to a question that begins with this name, once somebody asked.
    pub(super) fn answer(&self, question: &'a Arc<str>) -> Option<bool> {
        self.answers.get(&(std::ptr::from_ref(question) as usize)).copied()
    }

    pub(super) fn keep_answer(&mut self, question: &'a Arc<str>, answer: bool) -> bool {
        self.answers.insert(std::ptr::from_ref(question) as usize, answer);
        answer
    }

    fn look_up(&self, text: &str) -> Meaning<'a> {
        let operands = &self.instruction.operands;
        Meaning {
            definition: self.definitions.get(text).copied(),
            operand: operands.iter().position(|operand| &*operand.name == text),
            word: word(text),
            function: self.specification.functions.get(text).map(|function| &**function),
            family: Family::of(text),
        }
    }
}

fn word(text: &str) -> Option<Word> {
    Some(match text {
        "group_place" => Word::GroupPlace,
        "id" | "SubgroupLocalInvocationId" => Word::Standing(Standing::Id),
        "SubgroupId" => Word::Standing(Standing::SubgroupId),
        "NumSubgroups" => Word::Standing(Standing::NumSubgroups),
        "LocalInvocationIndex" => Word::Standing(Standing::Index),
        "WorkDim" => Word::Standing(Standing::WorkDim),
        "GroupSize" => Word::GroupSize,
        "SubgroupSize" => Word::State(State::SubgroupSize),
        "SubgroupMaxSize" => Word::State(State::SubgroupMaxSize),
        "ExistingLanes" => Word::State(State::ExistingLanes),
        "result" => Word::Result,
        "component_number" => Word::ComponentNumber,
        "LocalInvocationId" => Word::LocalInvocationId,
        _ => return None,
    })
}
