//! An instruction's clauses, ready to be read for one lane after the other.

use std::sync::Arc;

use super::about::{InstructionContext, chosen};
use super::clauses::{LaneOutcome, Parts, Reader};
use super::expression::Context;
use super::instance::{Argument, DenoteError, Group, GroupScope, Instance, Settled};
use super::locals::Locals;
use super::names::Names;
use super::shared::Shared;
use super::typing::in_types;
use crate::Specification;
use crate::language::ast::{BuiltIn, Clause, SpecInstruction, Statement};
use crate::term::Term;

/// What `instruction` does in `lane` (32 bits).
pub fn denote<G: Group>(
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
    instance: &Instance,
    group: &mut G,
    lane: Term,
) -> Result<LaneOutcome, DenoteError> {
    Denoter::new(specification, settled, instruction, instance, group.scope())?.lane(group, lane)
}

/// An instruction's clauses, ready to be read lane by lane.
#[derive(Debug)]
pub struct Denoter<'a> {
    about: InstructionContext<'a>,
    /// Those that hold in the environment.
    clauses: Vec<&'a Arc<Clause>>,
    names: Names<'a>,
    /// None between two lanes; what they took up stays for the next one.
    locals: Locals<'a>,
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
        instruction: &'a SpecInstruction,
        instance: &'a Instance,
        scope: GroupScope,
    ) -> Result<Self, DenoteError> {
        in_scope(instruction, instance, scope)?;
        in_types(instruction, instance)?;
        let about = InstructionContext { specification, settled, instruction, instance };
        let mut names = Names::new(specification, instruction);
        let environment = match settled.environment() {
            Some(environment) => environment,
            None => Specification::environment_of(instance.is_kernel()),
        };
        let own = &instruction.document;
        let clauses = specification.clauses_in(&instruction.clauses, own, environment);
        for clause in &clauses {
            names.turn_to(&clause.document);
            let statements = clause.statements.iter().map(|(it, _)| it);
            collect_definitions(about, statements, &mut names)?;
        }
        names.turn_to(own);
        instruction.row.iter().for_each(|function| names.define(function));
        let components = components(instruction, instance).filter(|_| instruction.componentwise);
        Ok(Self { about, clauses, names, locals: Locals::default(), components, shared: None })
    }

    /// All lanes are evaluated in one group with known values, so terms that do not depend on the
    /// lane are evaluated once.
    pub(crate) fn of_known(mut self) -> Self {
        self.shared = Some(Shared::recycled());
        self
    }

    /// Other results are given to the lanes of that group.
    pub(crate) fn forget_given(&mut self) {
        if let Some(shared) = &mut self.shared {
            shared.forget_given();
        }
    }

    /// What the instruction does in `lane` (32 bits).
    ///
    /// # Errors
    ///
    /// Where the clauses have no meaning there.
    pub fn lane<G: Group>(
        &mut self,
        group: &mut G,
        lane: Term,
    ) -> Result<LaneOutcome, DenoteError> {
        let mut parts = self.no_parts();
        self.read(group, lane, &mut parts)?;
        let mut parts = parts.into_iter().flatten().map(|part| part.outcome);
        let mut whole = parts.next().unwrap_or_default();
        parts.for_each(|part| whole.append(part));
        whole.readings.sort();
        whole.readings.dedup();
        Ok(whole)
    }

    /// What is to be read of a lane: all that there is.
    pub(crate) fn no_parts(&self) -> Parts {
        (0..self.components.unwrap_or(1)).map(|_| None).collect()
    }

    /// Computes the missing parts of a lane: one for each component that is treated separately,
    /// else one for the whole value.
    pub(crate) fn read<G: Group>(
        &mut self,
        group: &mut G,
        lane: Term,
        parts: &mut Parts,
    ) -> Result<(), DenoteError> {
        let Self { about, clauses, names, locals, components, shared } = self;
        let context = Context::new(*about, (names, locals), shared.as_mut(), group, lane);
        let mut reader = Reader::new(context);
        for (number, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.is_none()) {
            *part = Some(reader.read(clauses, components.map(|_| number))?);
        }
        Ok(())
    }
}

impl Drop for Denoter<'_> {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.take() {
            shared.recycle();
        }
    }
}

/// `let`s of all clauses, those of updates and of the chosen alternatives of readings among them.
fn collect_definitions<'a>(
    about: InstructionContext<'a>,
    statements: impl Iterator<Item = &'a Statement>,
    into: &mut Names<'a>,
) -> Result<(), DenoteError> {
    for statement in statements {
        match statement {
            Statement::Let(function) => into.define(function),
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
    instruction: &SpecInstruction,
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
fn components(instruction: &SpecInstruction, instance: &Instance) -> Option<usize> {
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
) -> Result<LaneOutcome, DenoteError> {
    denote(specification, settled, &built_in.as_instruction(), instance, group, lane)
}
