//! An instruction's clauses, ready to be read for one lane after the other.

use std::sync::Arc;

use super::clauses::{Outcome, Reader};
use super::expression::Context;
use super::instance::{Argument, DenoteError, Group, GroupScope, Instance, Settled};
use super::shared::Shared;
use crate::Specification;
use crate::hash::FastMap;
use crate::language::ast::{BuiltIn, Function, Instruction, Statement};
use crate::term::Term;

/// What is read, and how it is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct About<'a> {
    pub specification: &'a Specification,
    pub settled: &'a Settled,
    pub instruction: &'a Instruction,
    pub instance: &'a Instance,
}

/// Which alternative of an instruction's choice point is settled.
pub(super) fn chosen<T>(
    settled: &Settled,
    instruction: &Instruction,
    reading: &Arc<str>,
    alternatives: &[(Arc<str>, T)],
) -> Result<usize, DenoteError> {
    let Some(settled) = settled.alternative(reading) else {
        let names = alternatives.iter().map(|(name, _)| name.clone()).collect();
        return Err(DenoteError::Unsettled(reading.clone(), names));
    };
    match alternatives.iter().position(|(name, _)| name == settled) {
        Some(chosen) => Ok(chosen),
        None => Err(DenoteError::Specification(format!(
            "reading {reading} is settled as `{settled}`, which {} does not offer",
            instruction.name
        ))),
    }
}

/// What `instruction` does in `lane` (32 bits).
pub fn denote<G: Group>(
    specification: &Specification,
    settled: &Settled,
    instruction: &Instruction,
    instance: &Instance,
    group: &mut G,
    lane: Term,
) -> Result<Outcome, DenoteError> {
    Denoter::new(specification, settled, instruction, instance, group.scope())?.lane(group, lane)
}

/// An instruction's clauses, ready to be read lane by lane.
#[derive(Debug)]
pub struct Denoter<'a> {
    about: About<'a>,
    definitions: FastMap<&'a str, &'a Function>,
    /// How many scalars are treated one by one.
    components: Option<usize>,
    shared: Option<Shared>,
}

impl<'a> Denoter<'a> {
    /// Of an instruction that the lanes of a subgroup or of a workgroup execute.
    ///
    /// # Errors
    ///
    /// Where it is about lanes of another group, and where a reading that it consults is not
    /// settled.
    pub fn new(
        specification: &'a Specification,
        settled: &'a Settled,
        instruction: &'a Instruction,
        instance: &'a Instance,
        scope: GroupScope,
    ) -> Result<Self, DenoteError> {
        in_scope(instruction, instance, scope)?;
        let about = About { specification, settled, instruction, instance };
        let mut definitions = FastMap::default();
        for clause in &instruction.clauses {
            let statements = clause.statements.iter().map(|(it, _)| it);
            collect_definitions(about, statements, &mut definitions)?;
        }
        for function in &instruction.row {
            definitions.insert(&function.name, function);
        }
        let components = components(instruction, instance).filter(|_| instruction.componentwise);
        Ok(Self { about, definitions, components, shared: None })
    }

    /// All lanes are asked in one group in which everything is known: what does not hang on the
    /// lane is worked out once for all of them.
    pub(crate) fn of_known(mut self) -> Self {
        self.shared = Some(Shared::default());
        self
    }

    /// What the instruction does in `lane` (32 bits).
    ///
    /// # Errors
    ///
    /// Where the clauses have no meaning there.
    pub fn lane<G: Group>(&mut self, group: &mut G, lane: Term) -> Result<Outcome, DenoteError> {
        let Self { about, definitions, components, shared } = self;
        let context = Context::new(*about, definitions, shared.as_mut(), group, lane);
        let mut reader = Reader::new(context);
        let clauses = &about.instruction.clauses;
        let mut whole = match *components {
            None => reader.read(clauses, None)?,
            Some(count) => {
                let mut whole = Outcome::default();
                for component in 0..count {
                    whole.append(reader.read(clauses, Some(component))?);
                }
                whole
            }
        };
        whole.readings.sort();
        whole.readings.dedup();
        Ok(whole)
    }
}

/// `let`s of all clauses, those of turns and of the chosen alternatives of readings among them.
fn collect_definitions<'a>(
    about: About<'a>,
    statements: impl Iterator<Item = &'a Statement>,
    into: &mut FastMap<&'a str, &'a Function>,
) -> Result<(), DenoteError> {
    for statement in statements {
        match statement {
            Statement::Let(function) => {
                into.insert(&function.name, function);
            }
            Statement::Reading(name, alternatives) => {
                let number = chosen(about.settled, about.instruction, name, alternatives)?;
                collect_definitions(about, alternatives[number].1.iter(), into)?;
            }
            Statement::InSomeOrder(inner) => collect_definitions(about, inner.iter(), into)?,
            _ => {}
        }
    }
    Ok(())
}

/// An instruction is about the lanes of the group that its operand `Execution` names.
fn in_scope(
    instruction: &Instruction,
    instance: &Instance,
    scope: GroupScope,
) -> Result<(), DenoteError> {
    let named = instruction.operands.iter().zip(&instance.arguments).find_map(|it| match it {
        (operand, Argument::Enumerant(names)) if operand.names_group() => names.first(),
        _ => None,
    });
    let own = match scope {
        GroupScope::Subgroup => "Subgroup",
        GroupScope::Workgroup => "Workgroup",
    };
    match named {
        Some(name) if &**name != own => Err(DenoteError::NotModelled(format!(
            "{} at {name} scope, for the lanes of a {},",
            instruction.name,
            own.to_lowercase()
        ))),
        _ => Ok(()),
    }
}

/// How many scalars a componentwise instruction treats one by one: those of its result, or of the
/// operand that it stores so.
fn components(instruction: &Instruction, instance: &Instance) -> Option<usize> {
    if let Some(result) = &instance.result {
        return Some(result.leaf_count());
    }
    let each = instruction.operands.iter().zip(&instance.arguments).filter(|(it, _)| it.each);
    each.filter_map(|(_, argument)| match argument {
        Argument::Value(ty) => Some(ty.leaf_count()),
        _ => None,
    })
    .max()
}

/// What a built-in variable holds in `lane` (32 bits).
pub fn denote_built_in<G: Group>(
    specification: &Specification,
    settled: &Settled,
    built_in: &BuiltIn,
    instance: &Instance,
    group: &mut G,
    lane: Term,
) -> Result<Outcome, DenoteError> {
    denote(specification, settled, &built_in.as_instruction(), instance, group, lane)
}
