//! Built-in functions: dispatch, and those that depend on the module or on other lanes.

use smallvec::SmallVec;

use super::expression::Context;
use super::instance::{Argument, DenoteError, Group, LaneQuantifier};
use super::locals::{Argument as LazyArgument, Local};
use super::names::{Placed, plain_name};
use super::value::{Mode, Value};
use crate::Scalar;
use crate::language::ast::{Expr, ExprKind, Name};
use crate::language::intrinsic::{Family, Intrinsic};
use crate::term::Term;

/// What a function is given.
pub(super) type Values = SmallVec<[Value; 3]>;

impl<'a, G: Group> Context<'a, '_, G> {
    pub(super) fn call(
        &mut self,
        name: &'a Name,
        arguments: &'a [Expr],
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        if let Some(placed) = self.names.function(name) {
            return self.apply_to(placed, arguments, mode);
        }
        let Some(intrinsic) = Intrinsic::named(name) else {
            return Err(DenoteError::Specification(format!("there is no function `{name}`")));
        };
        let value = match intrinsic.row().family {
            Family::Question => self
                .question(intrinsic, arguments)?
                .map(|answer| Value::Bool(self.pool().bool(answer))),
            Family::Movement => self.movement(intrinsic, arguments, mode)?,
            Family::Memory => self.memory(intrinsic, arguments, mode)?,
            Family::Lanes => self.about_lanes(intrinsic, arguments)?,
            Family::Whole => {
                let values = self.values(arguments)?;
                self.whole(intrinsic, &values)?
            }
            Family::Scalar => {
                let values = self.scalars(arguments)?;
                self.scalar_function(intrinsic, &values)?
            }
            Family::Float => {
                let values = self.scalars(arguments)?;
                self.float(intrinsic, &values)?
            }
        };
        value.ok_or_else(|| {
            DenoteError::Specification(format!(
                "`{name}` takes {}, not {} such arguments",
                intrinsic.row().parameters,
                arguments.len()
            ))
        })
    }

    /// A function of the row, the instruction or the file, applied to values.
    pub(super) fn apply(
        &mut self,
        name: &'a Name,
        arguments: Vec<Value>,
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        let placed = self
            .names
            .function(name)
            .ok_or_else(|| DenoteError::Specification(format!("there is no function `{name}`")))?;
        self.applied(placed, arguments.into_iter().map(Local::Value), mode)
    }

    /// The same, applied to expressions.
    pub(super) fn apply_to(
        &mut self,
        placed: Placed<'a>,
        arguments: &'a [Expr],
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        let (lane, names, origin) = (self.at.lane, self.locals.len(), self.names.origin);
        let argument =
            |expression| Local::Argument(LazyArgument { expression, lane, names, origin });
        self.applied(placed, arguments.iter().map(argument), mode)
    }

    pub(super) fn applied(
        &mut self,
        (function, origin): Placed<'a>,
        arguments: impl ExactSizeIterator<Item = Local<'a>>,
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        if function.parameters.len() != arguments.len() {
            let (name, takes) = (&function.name, function.parameters.len());
            let mistake = format!("`{name}` takes {takes} arguments, not {}", arguments.len());
            return Err(DenoteError::Specification(mistake));
        }
        let depth = self.locals.len();
        for (name, argument) in function.parameters.iter().zip(arguments) {
            self.locals.push(name, argument);
        }
        let caller = std::mem::replace(&mut self.names.origin, origin);
        let result = self.evaluate(&function.body, mode);
        self.names.origin = caller;
        self.locals.truncate(depth);
        result
    }

    fn values(&mut self, arguments: &'a [Expr]) -> Result<Values, DenoteError> {
        arguments.iter().map(|argument| self.evaluate(argument, Mode::Compute)).collect()
    }

    /// Payloads as the truth values or integers that they are.
    fn scalars(&mut self, arguments: &'a [Expr]) -> Result<Values, DenoteError> {
        let mut values = self.values(arguments)?;
        for value in &mut values {
            if matches!(value, Value::Payload(_)) {
                *value = self.scalar(value.clone())?;
            }
        }
        Ok(values)
    }

    fn about_lanes(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &'a [Expr],
    ) -> Result<Option<Value>, DenoteError> {
        let [argument] = arguments else { return Ok(None) };
        if intrinsic == Intrinsic::Uniform {
            return self.uniform(argument).map(Some);
        }
        let lane = self.evaluate(argument, Mode::Compute)?;
        let lane = self.scalar(lane)?;
        let lane = self.word(lane)?;
        Ok(Some(Value::Bool(match intrinsic {
            Intrinsic::Active => self.group.active(lane)?,
            _ => self.group.exists(lane),
        })))
    }

    /// Questions that the module alone answers.
    fn question(
        &self,
        intrinsic: Intrinsic,
        arguments: &'a [Expr],
    ) -> Result<Option<bool>, DenoteError> {
        Ok(Some(match (intrinsic, arguments) {
            (Intrinsic::Present, [operand]) => {
                !matches!(self.argument(plain_name(operand)?)?.1, Argument::Absent)
            }
            (Intrinsic::IsFloat, [operand]) => {
                matches!(self.argument(plain_name(operand)?)?.1, Argument::Value(ty)
                    if ty.element().is_some_and(Scalar::is_float))
            }
            (Intrinsic::Capability, [name]) => {
                self.about.instance.capabilities.contains(&**plain_name(name)?)
            }
            (Intrinsic::Decorated, [name]) => {
                self.about.instance.decorations.contains(&**plain_name(name)?)
            }
            (Intrinsic::RoundingMode, [name]) => {
                let decoration = format!("FPRoundingMode {}", plain_name(name)?);
                self.about.instance.decorations.contains(&decoration)
            }
            (Intrinsic::ExecutionMode, [name]) => {
                let name = plain_name(name)?;
                match self.about.instance.modes.get(&**name) {
                    Some(false) => {
                        let what =
                            format!("`{name}`, which some entry points have and some have not,");
                        return Err(DenoteError::NotModelled(what));
                    }
                    all => all.is_some(),
                }
            }
            (Intrinsic::VersionAtLeast, [major, minor]) => {
                let (ExprKind::Integer(major), ExprKind::Integer(minor)) =
                    (&major.kind, &minor.kind)
                else {
                    return Err(DenoteError::Specification("a version is two numbers".into()));
                };
                let (have_major, have_minor) = self.about.instance.version;
                (u128::from(have_major), u128::from(have_minor)) >= (*major, *minor)
            }
            _ => return Ok(None),
        }))
    }

    /// The same in every active lane.
    fn uniform(&mut self, expression: &'a Expr) -> Result<Value, DenoteError> {
        let here = self.evaluate(expression, Mode::Compute)?;
        if let Some(any) = self.group.any_lane() {
            let active = self.group.active(any)?;
            let there = self.looking_at(any, |it| it.in_lane(expression, any, active))?;
            let equal = self.same_bits(&here, &there)?;
            let same = self.pool().implies(active, equal);
            let same = self.group.quantifier(any, self.at.lane, LaneQuantifier::Every(same))?;
            self.group.leave();
            return Ok(Value::Bool(same));
        }
        let mut same = Vec::new();
        for index in 0..self.group.lane_bound() {
            let lane = self.pool().bits(u128::from(index), 32);
            let active = self.group.active(lane)?;
            if self.pool().bool_of(active) == Some(false) {
                continue;
            }
            let there = self.in_lane(expression, lane, active)?;
            let equal = self.same_bits(&here, &there)?;
            same.push(self.pool().implies(active, equal));
        }
        Ok(Value::Bool(self.pool().all(same)))
    }

    /// What an expression is in a lane that is active, if it is.
    fn in_lane(
        &mut self,
        expression: &'a Expr,
        lane: Term,
        active: Term,
    ) -> Result<Value, DenoteError> {
        self.in_another(lane, |it| it.under(active, |it| it.evaluate(expression, Mode::Compute)))
    }
}
