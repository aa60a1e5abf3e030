//! Operators: both sides brought to one kind, then one term.

use super::expression::Context;
use super::instance::{DenoteError, Group};
use super::value::{EXACT, Mode, Value, choose_leaf, mismatch};
use crate::language::ast::{BinaryOp, Expr, UnaryOp};
use crate::term::{Binary, Compare, Pool, Term};

impl<'a, G: Group> Context<'a, '_, G> {
    /// `then` where `condition` holds, else `otherwise`, of whatever kind both are.
    pub(super) fn choose(
        &mut self,
        condition: Term,
        then: Value,
        otherwise: Value,
    ) -> Result<Value, DenoteError> {
        if let (Value::Payload(a), Value::Payload(b)) = (&then, &otherwise)
            && a.len() == b.len()
        {
            let pool = self.group.pool();
            let leaves = a
                .iter()
                .zip(b)
                .map(|(a, b)| choose_leaf(pool, condition, *a, *b))
                .collect::<Result<_, _>>()?;
            return Ok(Value::Payload(leaves));
        }
        let (then, otherwise) = self.alike(then, otherwise)?;
        let pool = self.group.pool();
        Ok(match (then, otherwise) {
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(pool.ite(condition, a, b)),
            (Value::Int { bits: a, signed }, Value::Int { bits: b, .. }) => {
                Value::Int { bits: pool.ite(condition, a, b), signed }
            }
            (Value::Exact(a), Value::Exact(b)) => Value::Exact(pool.ite(condition, a, b)),
            (Value::Mask(a), Value::Mask(b)) => Value::Mask(pool.ite(condition, a, b)),
            (a, b) => {
                let found = format!("{} beside {}", a.describe(), b.describe());
                return Err(DenoteError::Specification(found));
            }
        })
    }

    /// Two values brought to one kind: literals take the other's type, payloads are opened.
    pub(super) fn alike(&mut self, a: Value, b: Value) -> Result<(Value, Value), DenoteError> {
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        let pool = self.group.pool();
        Ok(match (a, b) {
            (Value::Literal(x), Value::Literal(y)) => {
                (Value::Exact(pool.bits(x, EXACT)), Value::Exact(pool.bits(y, EXACT)))
            }
            (Value::Literal(x), other) => (literal_as(pool, x, &other)?, other),
            (other, Value::Literal(y)) => {
                let literal = literal_as(pool, y, &other)?;
                (other, literal)
            }
            (a, b) => (a, b),
        })
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: &'a Expr) -> Result<Value, DenoteError> {
        let value = self.evaluate(operand, Mode::Compute)?;
        let value = self.scalar(value)?;
        let pool = self.group.pool();
        Ok(match (op, value) {
            (UnaryOp::Not, Value::Bool(term)) => Value::Bool(pool.not(term)),
            (UnaryOp::BitNot, Value::Int { bits, signed }) => {
                Value::Int { bits: pool.bit_not(bits), signed }
            }
            (UnaryOp::BitNot, Value::Exact(bits)) => Value::Exact(pool.bit_not(bits)),
            (UnaryOp::BitNot, Value::Mask(mask)) => Value::Mask(pool.bit_not(mask)),
            (UnaryOp::BitNot, Value::Literal(value)) => Value::Literal(!value),
            (UnaryOp::Negate, Value::Int { bits, signed }) => {
                let zero = pool.bits(0, pool.width(bits));
                Value::Int { bits: pool.binary(Binary::Sub, zero, bits), signed }
            }
            (UnaryOp::Negate, Value::Exact(bits)) => {
                let zero = pool.bits(0, EXACT);
                Value::Exact(pool.binary(Binary::Sub, zero, bits))
            }
            (UnaryOp::Negate, Value::Literal(value)) => {
                let value = pool.bits(value.wrapping_neg(), EXACT);
                Value::Exact(value)
            }
            (_, other) => return Err(mismatch("an operand that the operator takes", &other)),
        })
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &'a Expr,
        right: &'a Expr,
    ) -> Result<Value, DenoteError> {
        if let BinaryOp::And | BinaryOp::Or | BinaryOp::Implies = op {
            let left = self.condition(left)?;
            let proceed = if op == BinaryOp::Or { self.pool().not(left) } else { left };
            // What is already decided is not evaluated: an absent operand stays untouched.
            if self.pool().bool_of(proceed) == Some(false) {
                return Ok(Value::Bool(self.pool().bool(op != BinaryOp::And)));
            }
            let right = self.under(proceed, |it| it.condition(right))?;
            let pool = self.group.pool();
            return Ok(Value::Bool(match op {
                BinaryOp::And => pool.and(left, right),
                BinaryOp::Or => pool.or(left, right),
                _ => pool.implies(left, right),
            }));
        }
        let left = self.evaluate(left, Mode::Compute)?;
        let right = self.evaluate(right, Mode::Compute)?;
        self.operate(op, left, right)
    }

    pub(super) fn operate(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
    ) -> Result<Value, DenoteError> {
        if let (
            Value::Literal(a),
            Value::Literal(b),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul,
        ) = (&left, &right, op)
        {
            let folded = match op {
                BinaryOp::Add => a.checked_add(*b),
                BinaryOp::Sub => a.checked_sub(*b),
                _ => a.checked_mul(*b),
            };
            if let Some(value) = folded {
                return Ok(Value::Literal(value));
            }
        }
        let (left, right) = self.alike(left, right)?;
        let pool = self.group.pool();
        let (a, b, signed, kind) = match (&left, &right) {
            (Value::Bool(a), Value::Bool(b)) => {
                let same = pool.equal(*a, *b);
                return match op {
                    BinaryOp::Equal => Ok(Value::Bool(same)),
                    BinaryOp::NotEqual | BinaryOp::BitXor => Ok(Value::Bool(pool.not(same))),
                    BinaryOp::BitAnd => Ok(Value::Bool(pool.and(*a, *b))),
                    BinaryOp::BitOr => Ok(Value::Bool(pool.or(*a, *b))),
                    _ => Err(mismatch("integers", &left)),
                };
            }
            (Value::Int { bits: a, signed: s }, Value::Int { bits: b, signed: t }) => {
                let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
                if s != t && !shift {
                    return Err(DenoteError::Specification(
                        "a signed integer beside an unsigned one".into(),
                    ));
                }
                let (a, mut b) = (*a, *b);
                if pool.width(a) != pool.width(b) {
                    if !shift {
                        return Err(DenoteError::Specification(format!(
                            "integers of {} and {} bits",
                            pool.width(a),
                            pool.width(b)
                        )));
                    }
                    b = shift_amount(pool, b, pool.width(a));
                }
                (a, b, *s, 0)
            }
            (Value::Exact(a), Value::Exact(b)) => (*a, *b, true, 1),
            (Value::Mask(a), Value::Mask(b)) => (*a, *b, false, 2),
            (Value::Mask(a), Value::Int { bits, .. })
                if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) =>
            {
                (*a, pool.resize(*bits, 128), false, 2)
            }
            _ => {
                return Err(DenoteError::Specification(format!(
                    "{} beside {}",
                    left.describe(),
                    right.describe()
                )));
            }
        };
        let wrap = |bits: Term| match kind {
            0 => Value::Int { bits, signed },
            1 => Value::Exact(bits),
            _ => Value::Mask(bits),
        };
        let order = |less: Compare, less_signed: Compare| if signed { less_signed } else { less };
        let strict = order(Compare::Less, Compare::LessSigned);
        let loose = order(Compare::LessEqual, Compare::LessEqualSigned);
        Ok(match op {
            BinaryOp::Equal => Value::Bool(pool.equal(a, b)),
            BinaryOp::NotEqual => {
                let same = pool.equal(a, b);
                Value::Bool(pool.not(same))
            }
            BinaryOp::Less => Value::Bool(pool.compare(strict, a, b)),
            BinaryOp::LessEqual => Value::Bool(pool.compare(loose, a, b)),
            BinaryOp::Greater => Value::Bool(pool.compare(strict, b, a)),
            BinaryOp::GreaterEqual => Value::Bool(pool.compare(loose, b, a)),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                return Err(mismatch("truth values", &left));
            }
            BinaryOp::Add => wrap(pool.binary(Binary::Add, a, b)),
            BinaryOp::Sub => wrap(pool.binary(Binary::Sub, a, b)),
            BinaryOp::Mul => wrap(pool.binary(Binary::Mul, a, b)),
            BinaryOp::Div if signed => wrap(pool.binary(Binary::DivSigned, a, b)),
            BinaryOp::Div => wrap(pool.binary(Binary::DivUnsigned, a, b)),
            BinaryOp::Rem if signed => wrap(pool.binary(Binary::RemSigned, a, b)),
            BinaryOp::Rem => wrap(pool.binary(Binary::RemUnsigned, a, b)),
            BinaryOp::BitAnd => wrap(pool.binary(Binary::And, a, b)),
            BinaryOp::BitOr => wrap(pool.binary(Binary::Or, a, b)),
            BinaryOp::BitXor => wrap(pool.binary(Binary::Xor, a, b)),
            BinaryOp::ShiftLeft => wrap(pool.binary(Binary::ShiftLeft, a, b)),
            BinaryOp::ShiftRight if signed => wrap(pool.binary(Binary::ShiftRightSigned, a, b)),
            BinaryOp::ShiftRight => wrap(pool.binary(Binary::ShiftRight, a, b)),
        })
    }
}

fn literal_as(pool: &mut Pool, value: u128, like: &Value) -> Result<Value, DenoteError> {
    match like {
        Value::Int { bits, signed } => {
            let width = pool.width(*bits);
            Ok(Value::Int { bits: pool.bits(value, width), signed: *signed })
        }
        Value::Exact(_) => Ok(Value::Exact(pool.bits(value, EXACT))),
        Value::Mask(_) => Ok(Value::Mask(pool.bits(value, 128))),
        other => Err(mismatch("an integer", other)),
    }
}

/// A shift amount at another width; amounts that do not fit shift everything out.
pub(super) fn shift_amount(pool: &mut Pool, amount: Term, width: u32) -> Term {
    let own = pool.width(amount);
    if own <= width {
        return pool.zero_extend(amount, width);
    }
    let limit = pool.bits(u128::from(width), own);
    let fits = pool.less(amount, limit);
    let narrow = pool.extract(amount, width - 1, 0);
    let out = pool.bits(u128::from(width).min((1 << width.min(127)) - 1), width);
    pool.ite(fits, narrow, out)
}
