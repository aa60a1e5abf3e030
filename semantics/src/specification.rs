//! The whole specification: every file read, joined and checked.

mod check;
mod join;
mod load;
mod repeated;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::language::ast::{
    BuiltIn, Clause, Reading, ReadingKind, ReadingProfile, Span, SpecFunction, SpecInstruction,
};
use crate::language::fact::TokenFact;
use crate::language::margin::Margin;
use crate::language::rule::Rule;
use crate::source::SpecificationFile;

pub(crate) use check::check;
pub(crate) use load::collect;

/// A document that clauses come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Short name (`SPV_KHR_subgroup_rotate`).
    pub name: Arc<str>,
    /// What it is about.
    pub title: Arc<str>,
    /// The revision that was read.
    pub revision: Arc<str>,
    /// The environments in which it holds; none: it holds in all.
    pub environments: Vec<Arc<str>>,
}

impl Document {
    /// It holds in this environment.
    pub fn holds_in(&self, environment: &str) -> bool {
        self.environments.is_empty() || self.environments.iter().any(|own| **own == *environment)
    }
}

/// Every instruction, built-in variable, reading and profile, by name.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// The files, in the order in which [`Span::file`] counts them.
    pub sources: Vec<SpecificationFile>,
    /// The documents, in the order of their first mention.
    pub documents: Vec<Document>,
    /// Instructions and primitives.
    pub instructions: BTreeMap<Arc<str>, Arc<SpecInstruction>>,
    /// Functions that any clause may call.
    pub functions: BTreeMap<Arc<str>, Arc<SpecFunction>>,
    /// Built-in variables.
    pub built_ins: BTreeMap<Arc<str>, Arc<BuiltIn>>,
    /// Shapes of terms that can be read in several ways, the first that fits first; of texts as
    /// they are written.
    pub kinds: Vec<Arc<ReadingKind>>,
    /// Named choice points.
    pub readings: BTreeMap<Arc<str>, Arc<Reading>>,
    /// Profiles, each with what the profile that it starts from settles.
    pub profiles: BTreeMap<Arc<str>, Arc<ReadingProfile>>,
    /// Names of the grammar's enumerants that operands and questions use, by kind.
    pub enumerants: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// How far results of floating point may be from the correctly rounded ones, file by file.
    pub margins: Vec<Arc<Margin>>,
    /// What the documents say of tokens, file by file.
    pub facts: Vec<Arc<TokenFact>>,
    /// What the documents say of modules, file by file.
    pub rules: Vec<Arc<Rule>>,
}

impl Specification {
    /// The clause of this name, of an instruction or a built-in variable.
    pub fn clause(&self, id: &str) -> Option<&Arc<Clause>> {
        let instructions = self.instructions.values().flat_map(|known| &known.clauses);
        let built_ins = self.built_ins.values().flat_map(|known| &known.clauses);
        instructions.chain(built_ins).find(|clause| &*clause.id == id)
    }

    /// The environments that have a profile of their own.
    pub fn environments(&self) -> impl Iterator<Item = &Arc<str>> {
        self.profiles
            .values()
            .filter(|it| it.environment.as_ref() == Some(&it.name))
            .map(|it| &it.name)
    }

    /// The environment of a module that names none: a kernel's, or a shader's.
    pub fn environment_of(kernel: bool) -> &'static str {
        if kernel { "opencl" } else { "vulkan" }
    }

    /// Whether a document holds in an environment. By default it holds everywhere.
    pub fn holds(&self, document: &str, environment: &str) -> bool {
        let mut elsewhere = self.documents.iter().filter(|it| !it.environments.is_empty());
        elsewhere.find(|it| &*it.name == document).is_none_or(|it| it.holds_in(environment))
    }

    /// This specification with nothing in it but what holds in an environment.
    pub fn in_environment(&self, environment: &str) -> Self {
        let holds = |document: &str| self.holds(document, environment);
        let mut inner = self.clone();
        inner.documents.retain(|it| it.holds_in(environment));
        inner.margins.retain(|it| holds(&it.document));
        inner.facts.retain(|it| holds(&it.document));
        inner.rules.retain(|it| holds(&it.document));
        for known in inner.instructions.values_mut() {
            let held = self.clauses_in(&known.clauses, &known.document, environment);
            let held = held.into_iter().cloned().collect();
            Arc::make_mut(known).clauses = held;
        }
        for known in inner.built_ins.values_mut() {
            let held = self.clauses_in(&known.clauses, &known.document, environment);
            let held = held.into_iter().cloned().collect();
            Arc::make_mut(known).clauses = held;
        }
        inner.instructions.retain(|_, it| holds(&it.document) || !it.clauses.is_empty());
        inner.built_ins.retain(|_, it| !it.clauses.is_empty());
        inner
    }

    /// How exact arithmetic is in an environment.
    pub fn margins_in<'a>(&'a self, environment: &'a str) -> impl Iterator<Item = &'a Arc<Margin>> {
        self.margins.iter().filter(move |it| self.holds(&it.document, environment))
    }

    /// Those of these clauses that hold in an environment: their document does, and no other
    /// clause that holds takes their place. `own` is the document that defines the instruction.
    pub fn clauses_in<'c>(
        &self,
        clauses: &'c [Arc<Clause>],
        own: &str,
        environment: &str,
    ) -> Vec<&'c Arc<Clause>> {
        let held = |it: &&Arc<Clause>| self.holds(&it.document, environment);
        let replaced: Vec<u32> =
            clauses.iter().filter(held).flat_map(|it| it.replaces.iter().copied()).collect();
        let applies = |it: &&Arc<Clause>| {
            *it.document != *own
                || it.elsewhere
                || !it.sentences.iter().any(|number| replaced.contains(number))
        };
        clauses.iter().filter(held).filter(applies).collect()
    }

    /// What the documents say of a token, in the order of their files.
    pub fn facts_of<'a>(&'a self, token: &'a str) -> impl Iterator<Item = &'a Arc<TokenFact>> {
        self.facts.iter().filter(move |fact| &*fact.token == token)
    }

    /// These are texts as they are written: nothing was put in where they say nothing.
    pub fn is_as_written(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// The file and line, from 1, of a place.
    pub fn locate(&self, span: Span) -> Option<(&str, usize)> {
        let source = self.sources.get(span.file as usize)?;
        let before = source.text.get(..span.start as usize)?;
        Some((&source.name, 1 + before.matches('\n').count()))
    }
}
