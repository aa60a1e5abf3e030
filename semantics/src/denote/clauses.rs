//! From clauses to the consequences of one lane.

use std::sync::Arc;

use smallvec::SmallVec;

use super::dependence::Slots;
use super::expression::{Context, OUTSIDE, Presupposition};
use super::instance::{AtomicUpdate, DenoteError, Group, Leaf, Store};
use super::value::{Leaves, Mode, choose_leaf};
use crate::language::ast::{Clause, Consequence, Expr, Statement, Storage};
use crate::term::{Sort, Term};

/// A condition for a consequence in a lane, and the clause or reading that gives it.
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

/// What the clauses say of one component, or of all of a lane.
#[derive(Debug)]
pub(crate) struct Part {
    pub outcome: LaneOutcome,
    /// The results that it depends on.
    pub given: Slots,
}

/// The parts of a lane, as far as they were read.
pub(crate) type Parts = SmallVec<[Option<Part>; 1]>;

/// What the clauses say of one lane.
#[derive(Clone, Debug, Default)]
pub struct LaneOutcome {
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
    pub update: Option<AtomicUpdate>,
    /// Readings that were consulted.
    pub readings: Vec<Arc<str>>,
}

impl LaneOutcome {
    /// With what the clauses say of one more component.
    pub(super) fn append(&mut self, part: Self) {
        self.leaves.extend(part.leaves);
        self.undefined_behavior.extend(part.undefined_behavior);
        self.undefined_value.extend(part.undefined_value);
        self.silence.extend(part.silence);
        self.such_that.extend(part.such_that);
        self.stores.extend(part.stores);
        self.orders.extend(part.orders);
        self.update = self.update.or(part.update);
        self.readings.extend(part.readings);
    }
}

/// Reads the clauses for one lane.
pub(super) struct Reader<'a, 's, G: Group> {
    context: Context<'a, 's, G>,
    outcome: LaneOutcome,
    results: Vec<(Term, Leaves)>,
    /// When something is stored, whether it is there or not.
    stored: Vec<Term>,
    /// When what would be stored is not.
    ignored: Vec<Term>,
    /// When the implementation defines the value.
    left_to_implementation: Vec<Term>,
}

impl<'a, 's, G: Group> Reader<'a, 's, G> {
    pub(super) fn new(context: Context<'a, 's, G>) -> Self {
        let (results, stored, ignored, left_to_implementation) = Default::default();
        let outcome = LaneOutcome::default();
        Self { context, outcome, results, stored, ignored, left_to_implementation }
    }

    /// What the clauses say of one component, or of the whole result.
    pub(super) fn read(
        &mut self,
        clauses: &[&'a Arc<Clause>],
        component: Option<usize>,
    ) -> Result<Part, DenoteError> {
        self.context.turn_to(component);
        self.outcome = LaneOutcome::default();
        self.results.clear();
        (self.stored, self.ignored, self.left_to_implementation) = Default::default();
        for &clause in clauses {
            self.context.names.turn_to(&clause.document);
            self.statements(clause, clause.statements.iter().map(|(it, _)| it))?;
        }
        let outcome = self.finish()?;
        Ok(Part { outcome, given: self.context.noted.depends_on.given })
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
            | Statement::Remark(_) => {}
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
                self.context.at.open_results = true;
                let condition = self.condition(clause, condition)?;
                self.outcome.such_that.push(condition);
                let leaves = self.context.open_leaves(self.context.at.lane)?;
                let always = self.context.pool().bool(true);
                self.results.push((always, leaves));
            }
            Statement::Reading(name, alternatives) => {
                self.note_reading(name);
                let chosen = self.context.chosen(name, alternatives)?;
                self.statements(clause, chosen.iter())?;
            }
            Statement::InSomeOrder(statements) => {
                self.context.at.in_order = true;
                self.statements(clause, statements.iter())?;
                self.context.at.in_order = false;
                self.outcome.update = self.context.noted.update;
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
        if self.context.tells_readings() {
            self.outcome.readings.push(reading.into());
        }
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
            Consequence::ImplementationValue => self.left_to_implementation.push(cause.condition),
            Consequence::UndefinedValue => self.outcome.undefined_value.push(cause),
            Consequence::UndefinedBehavior => self.outcome.undefined_behavior.push(cause),
        }
    }

    fn finish(&mut self) -> Result<LaneOutcome, DenoteError> {
        self.outcome.readings.extend(self.context.readings_consulted());
        let pool = self.context.pool();
        let undefined = pool.any(self.outcome.undefined_value.iter().map(|it| it.condition));
        let behavior = pool.any(self.outcome.undefined_behavior.iter().map(|it| it.condition));
        let covered = pool.or(undefined, behavior);
        let uncovered = pool.not(covered);
        for cause in &mut self.outcome.silence {
            cause.condition = pool.and(cause.condition, uncovered);
        }
        if self.context.has_result() {
            let spoken = self.context.pool().any(self.results.iter().map(|(guard, _)| *guard));
            self.unsaid(spoken, uncovered, "no sentence gives a result");
            self.outcome.leaves = self.combine(undefined)?;
        } else if !self.stored.is_empty() && self.context.about.specification.is_as_written() {
            let ignored = self.leave_out_ignored();
            let stored = std::mem::take(&mut self.stored);
            let spoken = self.context.pool().any(stored.into_iter().chain([ignored]));
            self.unsaid(spoken, uncovered, "no sentence says what is written");
        }
        let pool = self.context.pool();
        self.outcome.silence.retain(|cause| pool.bool_of(cause.condition) != Some(false));
        Ok(std::mem::take(&mut self.outcome))
    }

    /// Where this does not hold, and no other clause applies, the text is silent.
    fn unsaid(&mut self, spoken: Term, uncovered: Term, wording: &str) {
        let pool = self.context.pool();
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
        let mut leaves = match self.results.pop() {
            Some((_, leaves)) => leaves,
            None => self.context.absent_leaves()?,
        };
        while let Some((guard, earlier)) = self.results.pop() {
            let pool = self.context.pool();
            for (leaf, first) in leaves.iter_mut().zip(earlier) {
                *leaf = choose_leaf(pool, guard, first, *leaf)?;
            }
        }
        self.leave_to_implementation(&mut leaves)?;
        let pool = self.context.pool();
        for leaf in &mut leaves {
            leaf.undefined = pool.or(leaf.undefined, undefined);
        }
        Ok(leaves.into_vec())
    }

    /// Where the implementation defines the value, it is a function of the operands' values.
    fn leave_to_implementation(&mut self, leaves: &mut Leaves) -> Result<(), DenoteError> {
        let conditions = std::mem::take(&mut self.left_to_implementation);
        let condition = self.context.pool().any(conditions);
        // A clause may say itself which part of the result that is.
        if self.context.pool().bool_of(condition) == Some(false)
            || self.context.noted.implementation
        {
            return Ok(());
        }
        let (operation, operands) = self.context.operation()?;
        let [leaf] = leaves.as_mut_slice() else {
            let what = format!("{operation} of several results, left to the implementation");
            return Err(DenoteError::NotModelled(what));
        };
        let pool = self.context.pool();
        let width = match pool.sort(leaf.bits) {
            Sort::Bits(width) => width,
            Sort::Bool | Sort::Tag => {
                let what = format!("{operation} of no number, left to the implementation");
                return Err(DenoteError::NotModelled(what));
            }
        };
        let value = pool.implementation(operation, width, operands.into());
        leaf.bits = pool.ite(condition, value, leaf.bits);
        let defined = pool.not(condition);
        leaf.undefined = pool.and(leaf.undefined, defined);
        Ok(())
    }
}
