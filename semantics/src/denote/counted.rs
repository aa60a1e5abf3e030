//! Quantifiers and folds over whole numbers that the instruction's types alone give.

use super::expression::Context;
use super::instance::{DenoteError, Group};
use super::locals::Local;
use super::value::{Mode, Value};
use crate::language::ast::{Counting, Expr, Name};
use crate::term::Term;

/// No type has more components, and no integer more bits.
const MOST: u32 = 128;

impl<'a, G: Group> Context<'a, '_, G> {
    /// Evaluates `body` for each number from the first to the last.
    pub(super) fn counted(
        &mut self,
        counting: &'a Counting,
        variable: &'a Name,
        (first, last): (&'a Expr, &'a Expr),
        (condition, body): (&'a Expr, &'a Expr),
    ) -> Result<Value, DenoteError> {
        let (first, last) = (self.end(first)?, self.end(last)?);
        if last >= first && last - first >= MOST {
            let what = format!("a range of more than {MOST} numbers");
            return Err(DenoteError::NotModelled(what));
        }
        match counting {
            Counting::Fold { operator, start } => {
                let mut sum = self.evaluate(start, Mode::Compute)?;
                for number in first..=last {
                    sum = self.bound(variable, number, |it| {
                        it.contributed(operator, sum, condition, body)
                    })?;
                }
                Ok(sum)
            }
            Counting::ForAll | Counting::Exists | Counting::Count => {
                let mut holds = Vec::new();
                for number in first..=last {
                    let here = self.bound(variable, number, |it| {
                        let member = it.condition(condition)?;
                        let here = it.under(member, |it| it.condition(body))?;
                        Ok(match counting {
                            Counting::ForAll => it.pool().implies(member, here),
                            _ => it.pool().and(member, here),
                        })
                    })?;
                    holds.push(here);
                }
                Ok(self.of_numbers(counting, holds))
            }
        }
    }

    /// An end of a range.
    fn end(&mut self, end: &'a Expr) -> Result<u32, DenoteError> {
        let value = self.evaluate(end, Mode::Compute)?;
        let word = self.word(value)?;
        let known = self.pool().bits_of(word).and_then(|bits| u32::try_from(bits).ok());
        known.ok_or_else(|| {
            DenoteError::NotModelled(format!("a range up to `{end}`, which lanes compute,"))
        })
    }

    /// Evaluates something with the variable bound to a number.
    fn bound<T>(
        &mut self,
        variable: &'a Name,
        number: u32,
        look: impl FnOnce(&mut Self) -> Result<T, DenoteError>,
    ) -> Result<T, DenoteError> {
        let depth = self.locals.len();
        let number = self.pool().bits(u128::from(number), 32);
        self.locals.push(variable, Local::Value(Value::int(number)));
        let result = look(self);
        self.locals.truncate(depth);
        result
    }

    /// What a fold is after one number more.
    fn contributed(
        &mut self,
        operator: &'a Name,
        sum: Value,
        condition: &'a Expr,
        body: &'a Expr,
    ) -> Result<Value, DenoteError> {
        let member = self.condition(condition)?;
        if self.pool().bool_of(member) == Some(false) {
            return Ok(sum);
        }
        self.under(member, |it| {
            let part = it.evaluate(body, Mode::Compute)?;
            let (sum, part) = it.alike(sum, part)?;
            let next = it.apply(operator, vec![sum.clone(), part], Mode::Compute)?;
            it.choose(member, next, sum)
        })
    }

    fn of_numbers(&mut self, counting: &Counting, holds: Vec<Term>) -> Value {
        let pool = self.pool();
        match counting {
            Counting::ForAll => Value::Bool(pool.all(holds)),
            Counting::Exists => Value::Bool(pool.any(holds)),
            _ => {
                let (none, one) = (pool.bits(0, 32), pool.bits(1, 32));
                let mut count = none;
                for here in holds {
                    let step = pool.ite(here, one, none);
                    count = pool.add(count, step);
                }
                Value::int(count)
            }
        }
    }
}
