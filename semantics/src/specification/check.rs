//! Checks a specification: names resolve, types fit, ids of clauses are distinct.

mod builtin;
mod expression;
mod scope;
mod size;
mod statement;
mod ty;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::Specification;
use crate::error::Mistake;
use crate::language::ast::{
    OperandType, ReadingProfile, SettlingSentence, Span, SpecFunction, SpecInstruction,
};
use crate::language::parse::one_of;
use scope::Scope;
use size::Sizes;
use ty::{ELEMENTS, Instance, Ty};

/// The most mistakes that are reported.
const MAX_MISTAKES: usize = 20;

/// What is wrong with a specification, by place; nothing when it is sound.
pub(crate) fn check(specification: &Specification) -> Vec<Mistake> {
    let mut checker = Checker {
        specification,
        mistakes: BTreeMap::new(),
        stack: Vec::new(),
        depth: 0,
        applied: HashMap::new(),
    };
    checker.clause_names();
    checker.functions();
    for instruction in specification.instructions.values() {
        checker.instruction(instruction);
    }
    for built_in in specification.built_ins.values() {
        checker.instruction(&built_in.as_instruction());
    }
    specification.profiles.values().for_each(|profile| checker.profile(profile));
    if checker.mistakes.is_empty() {
        return sizes(specification);
    }
    checker.mistakes.into_values().take(MAX_MISTAKES).collect()
}

/// Clauses that names and types leave alone but that no engine could hold.
fn sizes(specification: &Specification) -> Vec<Mistake> {
    let mut sizes = Sizes::new(&specification.functions);
    for instruction in specification.instructions.values() {
        sizes.clauses(&instruction.row, &instruction.clauses);
    }
    for built_in in specification.built_ins.values() {
        sizes.clauses(&[], &built_in.clauses);
    }
    sizes.mistakes()
}

/// A definition with the instance and the types that it was applied to.
type Applied = (usize, Option<String>, Vec<Ty>);

struct Checker<'a> {
    specification: &'a Specification,
    /// The first mistake at each place: an instruction is checked once for each of its types.
    mistakes: BTreeMap<Span, Mistake>,
    /// Functions whose bodies are being checked.
    stack: Vec<Arc<SpecFunction>>,
    /// How many expressions are open, through all definitions.
    depth: u32,
    applied: HashMap<Applied, Ty>,
}

impl Checker<'_> {
    fn report(&mut self, scope: &Scope, mistake: Mistake) {
        let mistake = match (&mistake.help, &scope.instance) {
            (None, Some(instance)) => mistake.help(format!("where {instance}")),
            _ => mistake,
        };
        self.add(mistake);
    }

    /// All of its clauses, once for each choice of its types.
    fn instruction(&mut self, instruction: &SpecInstruction) {
        self.header(instruction);
        let instances = Instance::all(instruction);
        for instance in &instances {
            self.applied.clear();
            let scope = Scope::of_instruction(instruction, instance, instances.len() > 1);
            self.clauses(&scope, &instruction.document, &instruction.clauses);
        }
    }

    /// Of sets that are not known here modules have numbers, and no names.
    fn extended_name(&mut self, instruction: &SpecInstruction) {
        let Some((set, name)) = instruction.name.split_once(' ') else { return };
        let known = ["GLSL.std.450", "OpenCL.std"].contains(&set);
        if !known && name.parse::<u32>().is_err() {
            let message = format!("`{name}` is no number of an instruction of {set}");
            let help = "instructions of other sets than GLSL.std.450 and OpenCL.std are named by \
                        their numbers, as `SPV_AMD_shader_ballot 4`";
            let label = "expected a number after the set";
            self.add(Mistake::new(instruction.span, message, label).help(help));
        }
    }

    fn add(&mut self, mistake: Mistake) {
        self.mistakes.entry(mistake.span).or_insert(mistake);
    }

    /// Verdicts and counterexamples name clauses: two may not have one name.
    fn clause_names(&mut self) {
        let specification = self.specification;
        let instructions = specification.instructions.values().flat_map(|known| &known.clauses);
        let built_ins = specification.built_ins.values().flat_map(|known| &known.clauses);
        let mut seen = BTreeSet::new();
        for clause in instructions.chain(built_ins) {
            if !seen.insert(&clause.id) {
                let message = format!("there are two clauses `{}`", clause.id);
                self.add(Mistake::new(clause.span, message, "the same sentences again").help(
                    "put the statements of one sentence into one clause, or name its section",
                ));
            }
        }
    }

    /// Names in functions that no clause calls; with parameters of unknown types.
    fn functions(&mut self) {
        for function in self.specification.functions.values() {
            self.applied.clear();
            self.stack.push(Arc::clone(function));
            let parameters = function.parameters.iter().map(|name| (name.clone(), Ty::Unknown));
            let scope = Scope::of_function(parameters.collect());
            self.expr(&scope, &function.body);
            self.stack.pop();
        }
    }

    fn header(&mut self, instruction: &SpecInstruction) {
        self.extended_name(instruction);
        let mut used = BTreeMap::new();
        let mut names = BTreeSet::new();
        for operand in &instruction.operands {
            if !names.insert(&operand.name) {
                let message = format!("there are two operands `{}`", operand.name);
                self.add(Mistake::new(operand.span, message, "the second one"));
            }
            if operand.each && !instruction.componentwise {
                let message = "`each` belongs to `componentwise` instructions";
                self.add(Mistake::new(operand.span, message, "this instruction is not one"));
            }
            if operand.zero && !matches!(operand.ty, OperandType::Int(_) | OperandType::AnyInt) {
                let message = "`zero` belongs to operands that are integers";
                self.add(Mistake::new(operand.span, message, "this one is not an integer"));
            }
            match &operand.ty {
                OperandType::Variable(name) | OperandType::Pointer(name) => {
                    used.entry(name).or_insert(operand.span);
                }
                OperandType::Enumerant(kind)
                    if !self.specification.enumerants.contains_key(kind) =>
                {
                    let kinds = self.specification.enumerants.keys().map(|name| &**name);
                    let message = format!("there are no enumerants `{kind}`");
                    let mistake = Mistake::new(operand.span, message, "unknown kind")
                        .did_you_mean(kind, kinds);
                    self.add(mistake);
                }
                _ => {}
            }
        }
        if let Some(OperandType::Variable(name)) = &instruction.result {
            used.entry(name).or_insert(instruction.span);
        }
        let members: Vec<_> =
            instruction.type_rules.iter().filter_map(|it| it.pair_of.as_ref()).collect();
        for name in members.into_iter().flatten() {
            used.entry(name).or_insert(instruction.span);
        }
        for (name, span) in &used {
            if !instruction.type_rules.iter().any(|rule| rule.variable == **name) {
                let message = format!("nothing says what `{name}` may be");
                let help = format!("add `where {name} : scalar or vector of int, float, bool`");
                self.add(Mistake::new(*span, message, "its types are unknown").help(help));
            }
        }
        for rule in &instruction.type_rules {
            if !used.contains_key(&rule.variable) {
                let message = format!("no operand or result has the type `{}`", rule.variable);
                self.add(Mistake::new(rule.span, message, "nothing to restrict"));
            }
            let of = rule.component_of.iter().chain(rule.pair_of.iter().flatten());
            let earlier = instruction.type_rules.iter().take_while(|other| other.span != rule.span);
            let unknown = |of: &&Arc<str>| !earlier.clone().any(|other| other.variable == **of);
            if let Some(of) = of.into_iter().find(unknown) {
                let message = format!("no earlier `where` line says what `{of}` is");
                self.add(Mistake::new(rule.span, message, "a type made of it is meant"));
            }
            for element in &rule.elements {
                if !ELEMENTS.contains(&&**element) {
                    let message = format!("there is no component type `{element}`");
                    let mistake = Mistake::new(rule.span, message, "unknown type")
                        .help(format!("there are {}", one_of(&ELEMENTS)))
                        .did_you_mean(element, ELEMENTS);
                    self.add(mistake);
                }
            }
        }
    }

    fn profile(&mut self, profile: &ReadingProfile) {
        let readings = &self.specification.readings;
        for (name, alternative) in &profile.settles {
            let mistake = match readings.get(name) {
                None => {
                    let message = format!("there is no reading `{name}` to settle");
                    Mistake::new(profile.span, message, "in this profile")
                        .did_you_mean(name, readings.keys().map(|name| &**name))
                }
                Some(reading) => {
                    let known: Vec<_> =
                        reading.alternatives.iter().map(|(name, _)| &**name).collect();
                    if known.contains(&&**alternative) {
                        continue;
                    }
                    let message =
                        format!("the reading `{name}` has no alternative `{alternative}`");
                    Mistake::new(profile.span, message, "in this profile")
                        .help(format!("it has {}", one_of(&known)))
                }
            };
            self.add(mistake);
        }
        let documents = || self.specification.documents.iter().map(|it| &*it.name);
        let unknown = |it: &&SettlingSentence| documents().all(|known| known != &*it.document);
        if let Some(by) = profile.by.iter().find(unknown) {
            let message = format!("there is no document `{}` to settle a reading by", by.document);
            let mistake = Mistake::new(profile.span, message, "in this profile")
                .did_you_mean(&by.document, documents());
            self.add(mistake);
        }
    }
}
