//! From clauses to the consequences of one lane.

use std::sync::Arc;

use super::expression::{About, Context, OUTSIDE, Presupposition, chosen};
use super::instance::{
    Argument, DenoteError, Group, GroupScope, Instance, Leaf, Settled, Store, Turn,
};
use super::shared::Shared;
use super::value::{Leaves, Mode, choose_leaf};
use crate::Specification;
use crate::hash::FastMap;
use crate::language::ast::{
    BuiltIn, Clause, Consequence, Expr, Function, Instruction, Statement, Storage,
};
use crate::term::Term;

/// A condition under which something befalls a lane, and the clause or reading that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// When it happens.
    pub condition: Term,
    /// The clause's id, or the place where the text is silent.
    pub clause: Arc<str>,
    /// What happened, in our words.
    pub wording: Arc<str>,
    /// The reading that made this a consequence, where the text does not say so itself.
    pub reading: Option<Arc<str>>,
}

/// What the clauses say of one lane.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The result, leaf by leaf, marks included.
    pub leaves: Vec<Leaf>,
    /// When behavior is undefined.
    pub undefined_behavior: Vec<Cause>,
    /// When the value is undefined.
    pub undefined_value: Vec<Cause>,
    /// When the text gives no consequence.
    pub silence: Vec<Cause>,
    /// Conditions on results that a relational clause leaves open.
    pub such_that: Vec<Term>,
    /// What is written to memory.
    pub stores: Vec<Store>,
    /// When what was done in some memory before comes before what is done there afterwards.
    pub orders: Vec<(Storage, Term)>,
    /// What lanes do one after another, where the instruction says so.
    pub turn: Option<Turn>,
    /// Readings that were consulted.
    pub readings: Vec<Arc<str>>,
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
        let mut reader = Reader {
            context: Context::new(*about, definitions, shared.as_mut(), group, lane),
            outcome: Outcome::default(),
            results: Vec::new(),
            stored: Vec::new(),
            ignored: Vec::new(),
        };
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

impl Outcome {
    /// With what the clauses say of one more component.
    fn append(&mut self, part: Self) {
        self.leaves.extend(part.leaves);
        self.undefined_behavior.extend(part.undefined_behavior);
        self.undefined_value.extend(part.undefined_value);
        self.silence.extend(part.silence);
        self.such_that.extend(part.such_that);
        self.stores.extend(part.stores);
        self.orders.extend(part.orders);
        self.turn = self.turn.or(part.turn);
        self.readings.extend(part.readings);
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

struct Reader<'a, G: Group> {
    context: Context<'a, G>,
    outcome: Outcome,
    results: Vec<(Term, Leaves)>,
    /// When something is stored, whether it is there or not.
    stored: Vec<Term>,
    /// When what would be stored is not.
    ignored: Vec<Term>,
}

impl<'a, G: Group> Reader<'a, G> {
    /// What the clauses say of one component, or of the whole result.
    fn read(
        &mut self,
        clauses: &'a [Arc<Clause>],
        component: Option<usize>,
    ) -> Result<Outcome, DenoteError> {
        self.context.turn_to(component);
        (self.outcome, self.results) = Default::default();
        (self.stored, self.ignored) = Default::default();
        for clause in clauses {
            self.statements(clause, clause.statements.iter().map(|(it, _)| it))?;
        }
        self.finish()
    }

    fn statements(
        &mut self,
        clause: &Clause,
        statements: impl Iterator<Item = &'a Statement>,
    ) -> Result<(), DenoteError> {
        for statement in statements {
            self.statement(clause, statement)?;
        }
        Ok(())
    }

    fn statement(&mut self, clause: &Clause, statement: &'a Statement) -> Result<(), DenoteError> {
        match statement {
            Statement::Let(_)
            | Statement::Varies(_)
            | Statement::Example(..)
            | Statement::Term { .. } => {}
            Statement::Result(expression, when) => {
                self.result(clause, expression, when.as_ref())?
            }
            Statement::UndefinedValue(condition) => {
                let condition = self.condition(clause, condition)?;
                self.befall(Consequence::UndefinedValue, condition, clause, None);
            }
            Statement::UndefinedBehavior(condition) => {
                let condition = self.condition(clause, condition)?;
                self.befall(Consequence::UndefinedBehavior, condition, clause, None);
            }
            Statement::Ignored(condition) => {
                let condition = self.condition(clause, condition)?;
                self.ignored.push(condition);
            }
            Statement::Orders(storage, condition) => {
                let condition = self.condition(clause, condition)?;
                self.outcome.orders.push((*storage, condition));
            }
            Statement::Must(requirement) => {
                let met = self.condition(clause, requirement)?;
                let unmet = self.context.pool().not(met);
                self.consult("unmet-must", unmet, clause)?;
            }
            Statement::Label(label, condition) => {
                let condition = self.condition(clause, condition)?;
                self.consult(label, condition, clause)?;
            }
            Statement::ResultsSuchThat(condition) => {
                self.context.open_results = true;
                let condition = self.condition(clause, condition)?;
                self.outcome.such_that.push(condition);
                let leaves = self.context.open_leaves(self.context.lane)?;
                let always = self.context.pool().bool(true);
                self.results.push((always, leaves));
            }
            Statement::Reading(name, alternatives) => {
                self.note_reading(name);
                let chosen = self.context.chosen(name, alternatives)?;
                self.statements(clause, chosen.iter())?;
            }
            Statement::InSomeOrder(statements) => {
                self.context.in_order = true;
                self.statements(clause, statements.iter())?;
                self.context.in_order = false;
                self.outcome.turn = self.context.turn;
            }
            Statement::Store { target, index, row, value, when } => {
                let guard = self.guard(clause, when.as_ref())?;
                self.stored.push(guard);
                if self.context.pool().bool_of(guard) != Some(false) {
                    let stores = self.context.store(target, index, row.as_ref(), value, guard)?;
                    self.outcome.stores.extend(stores);
                    self.settle_presuppositions(clause)?;
                }
            }
        }
        Ok(())
    }

    fn condition(&mut self, clause: &Clause, condition: &'a Expr) -> Result<Term, DenoteError> {
        let term = self.context.condition(condition)?;
        self.settle_presuppositions(clause)?;
        Ok(term)
    }

    fn guard(&mut self, clause: &Clause, when: Option<&'a Expr>) -> Result<Term, DenoteError> {
        match when {
            Some(condition) => self.condition(clause, condition),
            None => Ok(self.context.pool().bool(true)),
        }
    }

    fn result(
        &mut self,
        clause: &Clause,
        expression: &'a Expr,
        when: Option<&'a Expr>,
    ) -> Result<(), DenoteError> {
        let guard = self.guard(clause, when)?;
        if self.context.pool().bool_of(guard) == Some(false) {
            return Ok(());
        }
        let value =
            self.context.under(guard, |context| context.evaluate(expression, Mode::Copy))?;
        let leaves = self.context.result_leaves(value)?;
        self.settle_presuppositions(clause)?;
        self.results.push((guard, leaves));
        Ok(())
    }

    /// A lane named by `at` that does not exist, or is not active, has no value, nor has memory that
    /// is not there: what follows is the text's to say, or a reading's.
    fn settle_presuppositions(&mut self, clause: &Clause) -> Result<(), DenoteError> {
        for Presupposition { unmet, reading } in self.context.take_presuppositions() {
            self.consult(reading, unmet, clause)?;
        }
        Ok(())
    }

    fn consult(
        &mut self,
        reading: &str,
        condition: Term,
        clause: &Clause,
    ) -> Result<(), DenoteError> {
        if self.context.pool().bool_of(condition) == Some(false) {
            return Ok(());
        }
        self.note_reading(reading);
        let consequence = self.context.consequence(reading)?;
        self.befall(consequence, condition, clause, Some(reading.into()));
        Ok(())
    }

    fn note_reading(&mut self, reading: &str) {
        self.outcome.readings.push(reading.into());
    }

    fn befall(
        &mut self,
        consequence: Consequence,
        condition: Term,
        clause: &Clause,
        reading: Option<Arc<str>>,
    ) {
        if self.context.pool().bool_of(condition) == Some(false) {
            return;
        }
        let cause = Cause {
            condition,
            clause: clause.id.clone(),
            wording: clause.wording.clone(),
            reading,
        };
        match consequence {
            Consequence::Silence => self.outcome.silence.push(cause),
            Consequence::UndefinedValue => self.outcome.undefined_value.push(cause),
            Consequence::UndefinedBehavior => self.outcome.undefined_behavior.push(cause),
        }
    }

    fn finish(&mut self) -> Result<Outcome, DenoteError> {
        self.outcome.readings.extend(self.context.readings_consulted());
        let conditions = |causes: &[Cause]| -> Vec<Term> {
            causes.iter().map(|cause| cause.condition).collect()
        };
        let undefined = conditions(&self.outcome.undefined_value);
        let behavior = conditions(&self.outcome.undefined_behavior);
        let guards: Vec<Term> = self.results.iter().map(|(guard, _)| *guard).collect();
        let pool = self.context.pool();
        let undefined = pool.any(undefined);
        let behavior = pool.any(behavior);
        let covered = pool.or(undefined, behavior);
        let uncovered = pool.not(covered);
        for cause in &mut self.outcome.silence {
            cause.condition = pool.and(cause.condition, uncovered);
        }
        if self.context.has_result() {
            self.unsaid(guards, uncovered, "no sentence gives a result");
            self.outcome.leaves = self.combine(undefined)?;
        } else if !self.stored.is_empty() && self.context.specification.is_as_written() {
            let ignored = self.leave_out_ignored();
            let mut guards = std::mem::take(&mut self.stored);
            guards.push(ignored);
            self.unsaid(guards, uncovered, "no sentence says what is written");
        }
        let pool = self.context.pool();
        self.outcome.silence.retain(|cause| pool.bool_of(cause.condition) != Some(false));
        Ok(std::mem::take(&mut self.outcome))
    }

    /// Where no condition holds, and nothing else is said of it, the text is silent.
    fn unsaid(&mut self, said: Vec<Term>, uncovered: Term, wording: &str) {
        let pool = self.context.pool();
        let spoken = pool.any(said);
        let gap = pool.not(spoken);
        let gap = pool.and(gap, uncovered);
        if pool.bool_of(gap) != Some(false) {
            self.outcome.silence.push(Cause {
                condition: gap,
                clause: self.context.instruction_name(),
                wording: wording.into(),
                reading: None,
            });
        }
    }

    /// What is ignored is not stored, and that its place is not there does not matter; gives when
    /// it is ignored.
    fn leave_out_ignored(&mut self) -> Term {
        let ignored = std::mem::take(&mut self.ignored);
        let pool = self.context.pool();
        let ignored = pool.any(ignored);
        let heeded = pool.not(ignored);
        for store in &mut self.outcome.stores {
            store.when = pool.and(store.when, heeded);
        }
        let outside = |cause: &&mut Cause| cause.reading.as_deref() == Some(OUTSIDE);
        for cause in self.outcome.silence.iter_mut().filter(outside) {
            cause.condition = pool.and(cause.condition, heeded);
        }
        ignored
    }

    /// The result of the first clause whose guard holds.
    fn combine(&mut self, undefined: Term) -> Result<Vec<Leaf>, DenoteError> {
        let mut results = std::mem::take(&mut self.results).into_iter().rev();
        let mut leaves = match results.next() {
            Some((_, leaves)) => leaves,
            None => self.context.absent_leaves()?,
        };
        for (guard, earlier) in results {
            let pool = self.context.pool();
            for (leaf, first) in leaves.iter_mut().zip(earlier) {
                *leaf = choose_leaf(pool, guard, first, *leaf)?;
            }
        }
        let pool = self.context.pool();
        for leaf in &mut leaves {
            leaf.undefined = pool.or(leaf.undefined, undefined);
        }
        Ok(leaves.into_vec())
    }
}
