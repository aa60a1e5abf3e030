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
        if let (Value::Literal(a), Value::Literal(b)) = (&left, &right)
            && let Some(value) = of_literals(op, *a, *b)
        {
            return Ok(Value::Literal(value));
        }
        let (left, right) = self.alike(left, right)?;
        if let (Value::Bool(a), Value::Bool(b)) = (&left, &right) {
            let pool = self.group.pool();
            let same = pool.equal(*a, *b);
            return match op {
                BinaryOp::Equal => Ok(Value::Bool(same)),
                BinaryOp::NotEqual | BinaryOp::BitXor => Ok(Value::Bool(pool.not(same))),
                BinaryOp::BitAnd => Ok(Value::Bool(pool.and(*a, *b))),
                BinaryOp::BitOr => Ok(Value::Bool(pool.or(*a, *b))),
                _ => Err(mismatch("integers", &left)),
            };
        }
        let pool = self.group.pool();
        let pair = Pair::of(pool, op, &left, &right)?;
        pair.operate(pool, op).ok_or_else(|| mismatch("truth values", &left))
    }
}

/// Folds an operator on two literals, if the result is a literal.
fn of_literals(op: BinaryOp, a: u128, b: u128) -> Option<u128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        _ => None,
    }
}

/// What two integers or masks are, and their result.
#[derive(Clone, Copy)]
enum Numbers {
    Int { signed: bool },
    Exact,
    Mask,
}

/// Two integers of one type, or two masks.
struct Pair {
    a: Term,
    b: Term,
    numbers: Numbers,
}

impl Pair {
    fn of(pool: &mut Pool, op: BinaryOp, left: &Value, right: &Value) -> Result<Self, DenoteError> {
        let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let (a, b, numbers) = match (left, right) {
            (Value::Int { bits: a, signed: s }, Value::Int { bits: b, signed: t }) => {
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
                (a, b, Numbers::Int { signed: *s })
            }
            (Value::Exact(a), Value::Exact(b)) => (*a, *b, Numbers::Exact),
            (Value::Mask(a), Value::Mask(b)) => (*a, *b, Numbers::Mask),
            (Value::Mask(a), Value::Int { bits, .. }) if shift => {
                (*a, pool.resize(*bits, 128), Numbers::Mask)
            }
            _ => {
                return Err(DenoteError::Specification(format!(
                    "{} beside {}",
                    left.describe(),
                    right.describe()
                )));
            }
        };
        Ok(Self { a, b, numbers })
    }

    fn is_signed(&self) -> bool {
        matches!(self.numbers, Numbers::Int { signed: true } | Numbers::Exact)
    }

    /// `None` for an operator of truth values.
    fn operate(&self, pool: &mut Pool, op: BinaryOp) -> Option<Value> {
        let (a, b, signed) = (self.a, self.b, self.is_signed());
        let order = |less: Compare, less_signed: Compare| if signed { less_signed } else { less };
        let strict = order(Compare::Less, Compare::LessSigned);
        let loose = order(Compare::LessEqual, Compare::LessEqualSigned);
        let either = |unsigned: Binary, signs: Binary| if signed { signs } else { unsigned };
        let computed = match op {
            BinaryOp::Equal => return Some(Value::Bool(pool.equal(a, b))),
            BinaryOp::NotEqual => {
                let same = pool.equal(a, b);
                return Some(Value::Bool(pool.not(same)));
            }
            BinaryOp::Less => return Some(Value::Bool(pool.compare(strict, a, b))),
            BinaryOp::LessEqual => return Some(Value::Bool(pool.compare(loose, a, b))),
            BinaryOp::Greater => return Some(Value::Bool(pool.compare(strict, b, a))),
            BinaryOp::GreaterEqual => return Some(Value::Bool(pool.compare(loose, b, a))),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => return None,
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::Div => either(Binary::DivUnsigned, Binary::DivSigned),
            BinaryOp::Rem => either(Binary::RemUnsigned, Binary::RemSigned),
            BinaryOp::BitAnd => Binary::And,
            BinaryOp::BitOr => Binary::Or,
            BinaryOp::BitXor => Binary::Xor,
            BinaryOp::ShiftLeft => Binary::ShiftLeft,
            BinaryOp::ShiftRight => either(Binary::ShiftRight, Binary::ShiftRightSigned),
        };
        let bits = pool.binary(computed, a, b);
        Some(match self.numbers {
            Numbers::Int { signed } => Value::Int { bits, signed },
            Numbers::Exact => Value::Exact(bits),
            Numbers::Mask => Value::Mask(bits),
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
