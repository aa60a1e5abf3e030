//! Expressions to terms.

use std::sync::Arc;

use super::about::{InstructionContext, chosen};
use super::dependence::DependsOn;
use super::instance::{
    Argument as Operand, AtomicUpdate, DenoteError, Group, GroupScope, LanePosition, MemoryPlace,
    STEPS, State,
};
use super::locals::{Argument, Local, Locals};
use super::names::{Names, Placed, Word};
use super::shared::Shared;
use super::value::{Mode, Value, mismatch, not_moved, single};
use crate::hash::FastMap;
use crate::language::ast::{Consequence, Expr, ExprKind, LaneSet, Name, OperandType, SpecFunction};
use crate::term::{FloatFormat, Pool, Sort, Term};

/// Under this condition `at` named a lane that does not exist, or that is not active, or memory
/// was named that is not there.
pub(super) struct Presupposition {
    pub unmet: Term,
    /// The reading that says what that gives.
    pub reading: &'static str,
}

/// A lane that does not exist.
pub(super) const NONEXISTENT: &str = "read-of-nonexistent-lane";
/// A lane that is not active.
pub(super) const INACTIVE: &str = "read-of-inactive-lane";
/// A place past the end of what a pointer or image leads to.
pub(super) const OUTSIDE: &str = "access-outside";

/// The current lane and component, and what is known there.
pub(super) struct At {
    /// The lane whose consequences are computed; `at` may be another lane for a while.
    pub(super) lane: Term,
    pub(super) component: Option<usize>,
    pub(super) open_results: bool,
    pub(super) guard: Term,
    pub(super) known_active: Vec<Term>,
    /// The bytes that matter of a word of an image that is read.
    pub(super) bytes: Option<[Term; 4]>,
    /// Inside `in some order of active`.
    pub(super) in_order: bool,
}

/// What evaluation has met so far.
#[derive(Default)]
pub(super) struct EvaluationState {
    /// What the value that is being evaluated depends on so far.
    pub(super) depends_on: DependsOn,
    pub(super) presuppositions: Vec<Presupposition>,
    /// How often another lane was used.
    pub(super) elsewhere: usize,
    /// How often memory was read.
    pub(super) reads: usize,
    /// The update that this lane makes.
    pub(super) update: Option<AtomicUpdate>,
    /// A part of the result is a number that the implementation defines.
    pub(super) implementation: bool,
    /// Places whose undefined values were drawn, in order.
    pub(super) places: Vec<(usize, MemoryPlace)>,
    pub(super) readings: Vec<Arc<str>>,
    /// How many expressions were evaluated.
    steps: u32,
    /// The 16-bit format of the instruction's types, computed on demand.
    pub(super) of_16_bits: Option<FloatFormat>,
}

/// Everything an expression can refer to, in one lane and (componentwise) one component.
pub(super) struct Context<'a, 's, G: Group> {
    /// What is read, and how.
    pub(super) about: InstructionContext<'a>,
    pub(super) group: &'s mut G,
    /// The current lane and component, and what is known there.
    pub(super) at: At,
    pub(super) names: &'s mut Names<'a>,
    /// What lanes share, where all of it is known.
    pub(super) shared: Option<&'s mut Shared>,
    /// What evaluation has met so far.
    pub(super) noted: EvaluationState,
    pub(super) locals: &'s mut Locals<'a>,
    /// Definitions by lane and mode; the guard where it is known to hold only there.
    remembered: FastMap<(*const SpecFunction, Term, Mode, Option<Term>), Value>,
}

impl<'a, 's, G: Group> Context<'a, 's, G> {
    pub(super) fn new(
        about: InstructionContext<'a>,
        (names, locals): (&'s mut Names<'a>, &'s mut Locals<'a>),
        shared: Option<&'s mut Shared>,
        group: &'s mut G,
        lane: Term,
    ) -> Self {
        let guard = group.pool().bool(true);
        locals.clear();
        Self {
            about,
            group,
            at: At {
                lane,
                component: None,
                open_results: false,
                guard,
                known_active: vec![lane],
                bytes: None,
                in_order: false,
            },
            names,
            shared,
            locals,
            remembered: FastMap::default(),
            noted: EvaluationState::default(),
        }
    }

    /// Moves to another component; only facts about the lane stay.
    pub(super) fn turn_to(&mut self, component: Option<usize>) {
        self.at.component = component;
        self.noted.depends_on = DependsOn::NOTHING;
        self.at.open_results = false;
        self.remembered.clear();
        self.noted.presuppositions.clear();
        self.noted.places.clear();
        self.noted.update = None;
        self.noted.implementation = false;
    }

    pub(super) fn pool(&mut self) -> &mut Pool {
        self.group.pool()
    }

    pub(super) fn instruction_name(&self) -> Arc<str> {
        self.about.instruction.name.clone()
    }

    pub(super) fn has_result(&self) -> bool {
        self.about.instruction.result.is_some() && !self.about.instruction.has_opaque_result()
    }

    pub(super) fn take_presuppositions(&mut self) -> Vec<Presupposition> {
        std::mem::take(&mut self.noted.presuppositions)
    }

    pub(super) fn readings_consulted(&mut self) -> Vec<Arc<str>> {
        std::mem::take(&mut self.noted.readings)
    }

    /// The alternative of a choice point that is settled.
    pub(super) fn chosen<'t, T>(
        &mut self,
        reading: &Arc<str>,
        alternatives: &'t [(Arc<str>, T)],
    ) -> Result<&'t T, DenoteError> {
        let place = alternatives.as_ptr() as usize;
        let known = self.shared.as_deref().and_then(|shared| shared.alternative(place));
        if let Some((_, alternative)) = known.and_then(|number| alternatives.get(number)) {
            return Ok(alternative);
        }
        let number = chosen(self.about.settled, self.about.instruction, reading, alternatives)?;
        if let Some(shared) = self.shared.as_deref_mut() {
            shared.settle(place, number);
        }
        Ok(&alternatives[number].1)
    }

    /// Whether consulted readings must be recorded. They need not be if all values are known.
    pub(super) fn tells_readings(&self) -> bool {
        self.shared.is_none()
    }

    /// What is evaluated rests on a reading.
    fn consult(&mut self, reading: &Arc<str>) {
        if self.tells_readings()
            && !self.noted.readings.iter().any(|known| Arc::ptr_eq(known, reading))
        {
            self.noted.readings.push(reading.clone());
        }
    }

    /// What the settled alternative of a reading of consequences gives.
    pub(super) fn consequence(&self, reading: &str) -> Result<Consequence, DenoteError> {
        self.about.specification.consequence(self.about.settled, reading)
    }

    /// Evaluates with a stronger condition on the state.
    pub(super) fn under<T>(&mut self, condition: Term, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.at.guard;
        self.at.guard = self.group.pool().and(before, condition);
        let result = body(self);
        self.at.guard = before;
        result
    }

    pub(super) fn condition(&mut self, expression: &'a Expr) -> Result<Term, DenoteError> {
        let value = self.evaluate(expression, Mode::Compute)?;
        self.truth(value)
    }

    pub(super) fn truth(&mut self, value: Value) -> Result<Term, DenoteError> {
        match value {
            Value::Bool(term) => Ok(term),
            Value::Payload(leaves) => {
                let leaf = single(&leaves)?;
                not_moved(self.pool(), leaf.bits)?;
                match self.pool().sort(leaf.bits) {
                    Sort::Bool => Ok(leaf.bits),
                    _ => Err(mismatch("a truth value", &Value::int(leaf.bits))),
                }
            }
            other => Err(mismatch("a truth value", &other)),
        }
    }

    /// An integer of 32 bits: a lane, a position.
    pub(super) fn word(&mut self, value: Value) -> Result<Term, DenoteError> {
        match self.scalar(value)? {
            Value::Int { bits, .. } => Ok(self.pool().resize(bits, 32)),
            Value::Exact(bits) => Ok(self.pool().resize(bits, 32)),
            Value::Literal(value) => Ok(self.pool().bits(value, 32)),
            other => Err(mismatch("an integer", &other)),
        }
    }

    /// A payload of one scalar as the truth value or integer that it is.
    pub(super) fn scalar(&mut self, value: Value) -> Result<Value, DenoteError> {
        let Value::Payload(leaves) = value else { return Ok(value) };
        let leaf = single(&leaves)?;
        match self.pool().sort(leaf.bits) {
            Sort::Bool => Ok(Value::Bool(leaf.bits)),
            Sort::Bits(_) => Ok(Value::int(leaf.bits)),
            Sort::Tag => Err(DenoteError::NotMovement(self.pool().tag_sources(leaf.bits))),
        }
    }

    pub(super) fn evaluate(
        &mut self,
        expression: &'a Expr,
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        self.noted.steps += 1;
        if self.noted.steps > STEPS {
            return Err(DenoteError::Steps);
        }
        match &expression.kind {
            ExprKind::Integer(value) => Ok(Value::Literal(*value)),
            ExprKind::Boolean(value) => Ok(Value::Bool(self.pool().bool(*value))),
            ExprKind::Name(name) => self.name(name, mode),
            ExprKind::Call(name, arguments) => self.call(name, arguments, mode),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                match self.pool().bool_of(condition) {
                    Some(true) => self.evaluate(then, mode),
                    Some(false) => self.evaluate(otherwise, mode),
                    None => {
                        let not = self.pool().not(condition);
                        let then = self.under(condition, |it| it.evaluate(then, mode))?;
                        let otherwise = self.under(not, |it| it.evaluate(otherwise, mode))?;
                        self.choose(condition, then, otherwise)
                    }
                }
            }
            ExprKind::At(body, lane) => {
                let lane = self.evaluate(lane, Mode::Compute)?;
                let lane = self.word(lane)?;
                self.at(lane, |it| it.evaluate(body, mode))
            }
            ExprKind::Quantified { quantifier, variable, lanes, body: look } => {
                let active = match lanes {
                    LaneSet::Active => true,
                    LaneSet::Existing => false,
                    LaneSet::Subgroup => {
                        let what =
                            "`subgroup`, of which nothing says whether its lanes are active,";
                        return Err(DenoteError::NotModelled(what.into()));
                    }
                };
                let found = self.kept(expression, mode, |it| {
                    it.quantified(*quantifier, variable, active, look)
                })?;
                if active && matches!(look.kind, ExprKind::Boolean(true)) {
                    self.note_end_of_active(*quantifier, &found);
                }
                Ok(found)
            }
            ExprKind::Fold { operator, identity, variable, condition, body } => {
                self.kept(expression, mode, |it| {
                    it.fold(operator, identity, variable, condition, body)
                })
            }
            ExprKind::Counted { counting, variable, first, last, condition, body } => {
                self.counted(counting, variable, (first, last), (condition, body))
            }
            ExprKind::SomeOrder { operator, identity, variable, condition, body } => {
                self.some_order(operator, identity.as_deref(), variable, condition, body)
            }
            ExprKind::Is(operand, enumerant) => {
                let index = self.operand_index(operand)?;
                let is = matches!(&self.about.instance.arguments[index],
                    Operand::Enumerant(names) if names.contains(enumerant));
                Ok(Value::Bool(self.pool().bool(is)))
            }
            ExprKind::Reading(name, alternatives) => {
                self.consult(name);
                let chosen = self.chosen(name, alternatives)?;
                self.evaluate(chosen, mode)
            }
        }
    }

    fn name(&mut self, name: &'a Name, mode: Mode) -> Result<Value, DenoteError> {
        if let Some(depth) = self.locals.named(name) {
            self.noted.depends_on.local = self.noted.depends_on.local.min(depth);
            return match self.locals.at(depth) {
                Local::Value(value) => Ok(value.clone()),
                Local::Argument(argument) => {
                    let argument = *argument;
                    self.argument_value(argument, depth, mode)
                }
                Local::Known { argument, mode: own, .. } if *own != mode => {
                    let argument = *argument;
                    self.argument_value(argument, depth, mode)
                }
                Local::Known { value, depends_on, .. } => {
                    let (value, depends_on) = (value.clone(), *depends_on);
                    self.noted.depends_on = self.noted.depends_on.and(depends_on);
                    Ok(value)
                }
            };
        }
        if let Some(placed) = self.names.definition(name) {
            return self.definition(placed, mode);
        }
        if let Some(operand) = self.names.operand(name) {
            return self.operand(operand, mode);
        }
        match Word::of(name) {
            Some(Word::GroupPlace) => Ok(Value::int(self.here())),
            Some(Word::LanePosition(lane_position)) => self.lane_position(lane_position),
            Some(Word::State(State::SubgroupSize)) => self.subgroup_size(),
            Some(Word::State(state)) => Ok(Value::int(self.group.state(state))),
            Some(Word::GroupSize) => match self.group.scope() {
                GroupScope::Subgroup => self.subgroup_size(),
                GroupScope::Workgroup => Ok(Value::int(self.group.state(State::ExistingLanes))),
            },
            Some(Word::Result) if self.at.open_results => {
                let lane = self.here();
                let leaves = self.open_leaves(lane)?;
                match self.about.instruction.result {
                    Some(OperandType::Ballot) => self.mask_of(&leaves).map(Value::Mask),
                    _ => Ok(Value::Payload(leaves)),
                }
            }
            Some(Word::ComponentNumber) => {
                let number = self.component().unwrap_or(0) as u128;
                Ok(Value::int(self.pool().bits(number, 32)))
            }
            Some(Word::MemberNumber) => {
                let number = self.member_number() as u128;
                Ok(Value::int(self.pool().bits(number, 32)))
            }
            word => match (self.names.function(name), word) {
                (Some(placed), _) => self.applied(placed, std::iter::empty(), mode),
                (None, Some(Word::LocalInvocationId)) => Err(DenoteError::NotModelled(
                    "the vector LocalInvocationId, used as a scalar,".into(),
                )),
                (None, _) => Err(DenoteError::Specification(format!("there is no `{name}`"))),
            },
        }
    }

    /// In a shader a size of the machine, in a kernel how many lanes the subgroup has (OpenCL C,
    /// Built-in Work-Item Functions for Sub-Groups, `get_sub_group_size`).
    fn subgroup_size(&mut self) -> Result<Value, DenoteError> {
        let counted = self.about.instance.is_kernel()
            && self.group.scope() == GroupScope::Subgroup
            && !self.about.specification.is_as_written();
        let state = if counted { State::ExistingLanes } else { State::SubgroupSize };
        Ok(Value::int(self.group.state(state)))
    }

    pub(super) fn lane_position(
        &mut self,
        lane_position: LanePosition,
    ) -> Result<Value, DenoteError> {
        let lane = self.here();
        self.group.lane_position(lane_position, lane).map(Value::int)
    }

    /// An argument, evaluated as its caller sees it. What it comes to wherever it is used is put in
    /// its place.
    fn argument_value(
        &mut self,
        argument: Argument<'a>,
        depth: usize,
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        let Argument { expression, lane, names, origin } = argument;
        let callee = std::mem::replace(&mut self.names.origin, origin);
        let visible = self.locals.hide_from(names);
        let here = std::mem::replace(&mut self.at.lane, lane);
        let outer = std::mem::replace(&mut self.noted.depends_on, DependsOn::NOTHING);
        let effects = self.effects();
        let value = self.evaluate(expression, mode);
        self.at.lane = here;
        self.noted.depends_on.caller |= std::mem::take(&mut self.noted.depends_on.lane);
        let depends_on = std::mem::replace(&mut self.noted.depends_on, outer);
        self.noted.depends_on = outer.and(depends_on);
        self.locals.show(visible);
        self.names.origin = callee;
        let value = value?;
        if self.shared.is_some() && self.effects() == effects && self.is_certain() {
            let known = Local::Known { argument, mode, value: value.clone(), depends_on };
            *self.locals.at_mut(depth) = known;
        }
        Ok(value)
    }

    /// A `let` without parameters: evaluated where it is used, once for a lane.
    fn definition(
        &mut self,
        (function, origin): Placed<'a>,
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        let (place, lane) = (std::ptr::from_ref(function), self.at.lane);
        if self.shared.is_none() {
            for guard in [None, Some(self.at.guard)] {
                if let Some(value) = self.remembered.get(&(place, lane, mode, guard)) {
                    return Ok(value.clone());
                }
            }
        }
        // It sees no names of the place where it is used.
        let visible = self.locals.hide_from(0);
        let here = std::mem::replace(&mut self.names.origin, origin);
        let outermost = self.noted.depends_on.local;
        let (effects, elsewhere) = (self.effects(), self.noted.elsewhere);
        let value = self.kept(function, mode, |it| it.evaluate(&function.body, mode));
        self.noted.depends_on.local = outermost;
        self.locals.show(visible);
        self.names.origin = here;
        let value = value?;
        // A presupposition and what is read are recorded under the condition that holds where they
        // are met; whether a lane is known to be active depends on the place, too.
        let own = self.noted.elsewhere == elsewhere;
        if self.shared.is_none() && self.effects() == effects && (own || self.locals.none_visible())
        {
            // A term without presuppositions under one guard may have some under another.
            let guard = Some(self.at.guard).filter(|_| !own && !self.is_certain());
            self.remembered.insert((place, lane, mode, guard), value.clone());
        }
        Ok(value)
    }

    /// What evaluation left besides a value: grows with each presupposition and each read.
    pub(super) fn effects(&self) -> (usize, usize) {
        (self.noted.presuppositions.len(), self.noted.reads)
    }
}
