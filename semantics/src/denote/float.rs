//! Floating point: comparisons on the bits, arithmetic and conversions as terms of their own.

use smallvec::SmallVec;

use super::expression::Context;
use super::ieee::{
    exponent, ieee_equal, ieee_order, is_negative, magnitude, significand, total_less,
};
use super::instance::{Argument, DenoteError, Group};
use super::value::{Mode, Value, mismatch, not_moved, single};
use crate::language::ast::{Expr, Name};
use crate::language::intrinsic::Intrinsic;
use crate::term::{Binary, Compare, FloatFormat, FloatOp, Node, Pool, Sort, Term, Toward};
use crate::{Scalar, Type};

impl<'a, G: Group> Context<'a, '_, G> {
    /// These functions; `None` where the arguments are not such.
    pub(super) fn float(
        &mut self,
        intrinsic: Intrinsic,
        values: &[Value],
    ) -> Result<Option<Value>, DenoteError> {
        Ok(Some(Value::int(match (intrinsic, values) {
            (Intrinsic::FloatAdd, [a, b]) => self.arithmetic(FloatOp::Add, &[a, b])?,
            (Intrinsic::FloatSub, [a, b]) => {
                let b = Value::int(self.negated(b)?);
                self.arithmetic(FloatOp::Add, &[a, &b])?
            }
            (Intrinsic::FloatMul, [a, b]) => self.arithmetic(FloatOp::Mul, &[a, b])?,
            (Intrinsic::FloatDiv, [a, b]) => self.arithmetic(FloatOp::Div, &[a, b])?,
            (Intrinsic::FloatNegate, [a]) => self.negated(a)?,
            (Intrinsic::WithoutSign, [a]) => self.without_sign(a)?,
            (Intrinsic::FloatMulAdd, [a, b, c]) => self.arithmetic(FloatOp::MulAdd, &[a, b, c])?,
            (Intrinsic::FloatScale, [a, power]) => {
                let ((a, format), power) = (self.numeral(a)?, self.integer(power)?);
                self.pool().float(FloatOp::Scale, format, &[a, power])
            }
            (
                Intrinsic::WholeNearest
                | Intrinsic::WholeBelow
                | Intrinsic::WholeAbove
                | Intrinsic::WholeTowardZero,
                [a],
            ) => {
                let toward = match intrinsic {
                    Intrinsic::WholeNearest => Toward::Even,
                    Intrinsic::WholeBelow => Toward::Negative,
                    Intrinsic::WholeAbove => Toward::Positive,
                    _ => Toward::Zero,
                };
                self.arithmetic(FloatOp::Integral(toward), &[a])?
            }
            (Intrinsic::Infinity, [a]) => {
                let (_, format) = self.numeral(a)?;
                self.pool().bits(format.infinity(), format.width())
            }
            (Intrinsic::Canonical, [a]) => {
                let (a, format) = self.numeral(a)?;
                self.pool().canonical(a, format)
            }
            (Intrinsic::Either, [a, b]) => {
                let ((a, _), (b, _)) = (self.numeral(a)?, self.numeral(b)?);
                let lane = self.here();
                let first = self.group.either(lane)?;
                self.pool().ite(first, a, b)
            }
            (_, [a]) => match self.float_conversion(intrinsic, a)? {
                Some(value) => value,
                None => return self.about_nan(intrinsic, a),
            },
            (Intrinsic::SameNumber, [a, b]) => {
                let ((a, format), (b, _)) = (self.numeral(a)?, self.numeral(b)?);
                return Ok(Some(Value::Bool(self.pool().same_number(a, b, format))));
            }
            _ => return Ok(None),
        })))
    }

    /// From one type to another.
    fn float_conversion(
        &mut self,
        intrinsic: Intrinsic,
        a: &Value,
    ) -> Result<Option<Term>, DenoteError> {
        Ok(Some(match intrinsic {
            Intrinsic::FloatConvert => {
                let (a, from) = self.numeral(a)?;
                let to = self.result_format()?;
                self.pool().float(FloatOp::Convert(to), from, &[a])
            }
            Intrinsic::FromBfloat16 => {
                let (a, to) = (self.integer(a)?, self.result_format()?);
                self.pool().float(FloatOp::Convert(to), FloatFormat::Bfloat16, &[a])
            }
            Intrinsic::ToBfloat16 => {
                let (a, from) = self.numeral(a)?;
                self.pool().float(FloatOp::Convert(FloatFormat::Bfloat16), from, &[a])
            }
            Intrinsic::ToHalf => {
                let (a, from) = self.numeral(a)?;
                self.pool().float(FloatOp::Convert(FloatFormat::Half), from, &[a])
            }
            Intrinsic::FromHalf => {
                let a = self.integer(a)?;
                self.pool().float(FloatOp::Convert(FloatFormat::Single), FloatFormat::Half, &[a])
            }
            Intrinsic::SingleFromSigned => {
                let a = self.integer(a)?;
                self.pool().float(FloatOp::FromSigned, FloatFormat::Single, &[a])
            }
            Intrinsic::Significand | Intrinsic::Exponent => {
                let (a, format) = self.numeral(a)?;
                match intrinsic {
                    Intrinsic::Significand => significand(self.pool(), a, format),
                    _ => exponent(self.pool(), a, format),
                }
            }
            Intrinsic::FloatFromUnsigned | Intrinsic::FloatFromSigned => {
                let (a, to) = (self.integer(a)?, self.result_format()?);
                let op = match intrinsic {
                    Intrinsic::FloatFromUnsigned => FloatOp::FromUnsigned,
                    _ => FloatOp::FromSigned,
                };
                self.pool().float(op, to, &[a])
            }
            Intrinsic::FloatToUnsigned | Intrinsic::FloatToSigned => {
                let ((a, format), width) = (self.numeral(a)?, self.result_width()?);
                let op = match intrinsic {
                    Intrinsic::FloatToUnsigned => FloatOp::ToUnsigned(width),
                    _ => FloatOp::ToSigned(width),
                };
                let pool = self.group.pool();
                let fits = fits(pool, a, format, op);
                let integer = pool.float(op, format, &[a]);
                let none = pool.bits(0, width);
                pool.ite(fits, integer, none)
            }
            _ => return Ok(None),
        }))
    }

    /// Whether a number is one of a kind, and NaNs that are anyone's choice.
    fn about_nan(
        &mut self,
        intrinsic: Intrinsic,
        value: &Value,
    ) -> Result<Option<Value>, DenoteError> {
        Ok(Some(match intrinsic {
            Intrinsic::FitsUnsigned | Intrinsic::FitsSigned => {
                let ((a, format), width) = (self.numeral(value)?, self.result_width()?);
                let op = match intrinsic {
                    Intrinsic::FitsUnsigned => FloatOp::ToUnsigned(width),
                    _ => FloatOp::ToSigned(width),
                };
                Value::Bool(fits(self.pool(), a, format, op))
            }
            Intrinsic::AnyNan | Intrinsic::AnyQuietNan | Intrinsic::AnyBfloat16Nan => {
                let (a, format) = match intrinsic {
                    Intrinsic::AnyBfloat16Nan => (self.integer(value)?, FloatFormat::Bfloat16),
                    _ => self.numeral(value)?,
                };
                let (lane, leaf) = (self.here(), self.component().unwrap_or(0));
                self.looks_at_result(leaf, lane);
                let mut payload = self.group.payload(leaf, lane, Sort::Bits(format.width()));
                if intrinsic == Intrinsic::AnyQuietNan {
                    let pool = self.group.pool();
                    let quiet = pool.bits(format.quiet(), format.width());
                    payload = pool.binary(Binary::Or, payload, quiet);
                }
                Value::int(self.pool().with_payload(format, a, payload))
            }
            Intrinsic::IsSignaling | Intrinsic::SignBit => {
                let Value::Int { bits, .. } = *value else {
                    return Err(mismatch("a floating-point number", value));
                };
                if intrinsic == Intrinsic::SignBit {
                    return Ok(Some(Value::Bool(is_negative(self.pool(), bits))));
                }
                let format = self.format(bits)?;
                let pool = self.group.pool();
                let nan = pool.is_nan(bits, format);
                let quiet = pool.bits(u128::from(format.fraction() - 1), 32);
                let quiet = pool.bit(bits, quiet);
                let loud = pool.not(quiet);
                Value::Bool(pool.and(nan, loud))
            }
            _ => return Ok(None),
        }))
    }

    fn arithmetic(&mut self, op: FloatOp, operands: &[&Value]) -> Result<Term, DenoteError> {
        let mut terms: SmallVec<[Term; 3]> = SmallVec::new();
        let mut common = None;
        for operand in operands {
            let (term, format) = self.numeral(operand)?;
            if *common.get_or_insert(format) != format {
                return Err(DenoteError::Specification("numbers of two formats".into()));
            }
            terms.push(term);
        }
        let format = common.ok_or_else(|| DenoteError::Specification("no numbers".into()))?;
        Ok(self.pool().float(op, format, &terms))
    }

    /// The number with the other sign; a NaN stays one.
    fn negated(&mut self, a: &Value) -> Result<Term, DenoteError> {
        let (a, format) = self.numeral(a)?;
        let pool = self.group.pool();
        let sign = pool.bits(format.sign(), format.width());
        Ok(pool.binary(Binary::Xor, a, sign))
    }

    /// The number with its sign's bit cleared; a NaN stays one.
    fn without_sign(&mut self, a: &Value) -> Result<Term, DenoteError> {
        let (a, format) = self.numeral(a)?;
        let pool = self.group.pool();
        let others = pool.bits(format.sign() - 1, format.width());
        Ok(pool.binary(Binary::And, a, others))
    }

    /// The bits of a floating-point scalar, up to which NaN it is, and their format.
    fn numeral(&mut self, value: &Value) -> Result<(Term, FloatFormat), DenoteError> {
        let Value::Int { bits, .. } = value else {
            return Err(mismatch("a floating-point number", value));
        };
        let format = self.format(*bits)?;
        Ok((self.pool().number(*bits), format))
    }

    fn integer(&mut self, value: &Value) -> Result<Term, DenoteError> {
        match value {
            Value::Int { bits, .. } => Ok(*bits),
            Value::Literal(value) => Ok(self.pool().bits(*value, 64)),
            other => Err(mismatch("an integer", other)),
        }
    }

    fn result_format(&mut self) -> Result<FloatFormat, DenoteError> {
        let scalar = self.result_scalars()?.first().copied();
        scalar.and_then(format_of).ok_or_else(|| {
            DenoteError::Specification("the result is no floating-point number".into())
        })
    }

    /// The format of a term: of 16 bits there are two, and the instruction's types tell which is
    /// meant as long as it has only one of them.
    pub(super) fn format(&mut self, term: Term) -> Result<FloatFormat, DenoteError> {
        let width = self.pool().width(term);
        let ieee = FloatFormat::ieee(width).ok_or_else(|| {
            DenoteError::Specification(format!("there is no IEEE format of {width} bits"))
        })?;
        if width != 16 {
            return Ok(ieee);
        }
        let shared = self.shared.as_deref().and_then(|shared| shared.of_16_bits);
        if let Some(known) = self.noted.of_16_bits.or(shared) {
            return Ok(known);
        }
        let format = self.format_of_16_bits(ieee)?;
        self.noted.of_16_bits = Some(format);
        if let Some(shared) = self.shared.as_deref_mut() {
            shared.of_16_bits = Some(format);
        }
        Ok(format)
    }

    fn format_of_16_bits(&self, ieee: FloatFormat) -> Result<FloatFormat, DenoteError> {
        let of = |argument: &Argument| match argument {
            Argument::Value(ty) | Argument::Pointer(ty) => ty.leaves(),
            Argument::Values(types) => types.iter().flat_map(Type::leaves).collect(),
            _ => Vec::new(),
        };
        let result = self.about.instance.result.iter().flat_map(Type::leaves);
        let mut all = self.about.instance.arguments.iter().flat_map(of).chain(result);
        let mut formats: Vec<FloatFormat> = all.by_ref().filter_map(format_of).collect();
        formats.retain(|format| format.width() == 16);
        formats.dedup();
        match formats.as_slice() {
            [] => Ok(ieee),
            [only] => Ok(*only),
            _ => Err(DenoteError::NotModelled("an instruction on f16 and bf16 at once".into())),
        }
    }

    /// `ieee_equal`, `ieee_less` and `total_less`, of vectors in all components.
    pub(super) fn ieee(
        &mut self,
        intrinsic: Intrinsic,
        a: Value,
        b: Value,
    ) -> Result<Value, DenoteError> {
        let pairs: Vec<(Term, Term)> = match (a, b) {
            (Value::Payload(a), Value::Payload(b)) if a.len() == b.len() => {
                a.iter().zip(&b).map(|(a, b)| (a.bits, b.bits)).collect()
            }
            (Value::Payload(a), Value::Int { bits: b, .. }) if a.len() == 1 => {
                a.iter().map(|a| (a.bits, b)).collect()
            }
            (Value::Int { bits: a, .. }, Value::Payload(b)) if b.len() == 1 => {
                b.iter().map(|b| (a, b.bits)).collect()
            }
            (Value::Int { bits: a, .. }, Value::Int { bits: b, .. }) => vec![(a, b)],
            (a, _) => return Err(mismatch("floating-point values", &a)),
        };
        let mut holds = Vec::new();
        for (a, b) in pairs {
            not_moved(self.pool(), a)?;
            not_moved(self.pool(), b)?;
            // Booleans and integers have one equality; a component that is no float keeps it.
            if self.pool().sort(a) == Sort::Bool {
                holds.push(self.pool().equal(a, b));
                continue;
            }
            let format = self.format(a)?;
            let pool = self.group.pool();
            let (a, b) = (pool.number(a), pool.number(b));
            holds.push(match intrinsic {
                Intrinsic::IeeeEqual => ieee_equal(pool, a, b, format),
                Intrinsic::TotalLess => total_less(pool, a, b),
                _ => ieee_order(pool, Compare::LessSigned, a, b, format),
            });
        }
        Ok(Value::Bool(self.pool().all(holds)))
    }

    /// Some component is a NaN.
    pub(super) fn is_nan(&mut self, value: &Value) -> Result<Value, DenoteError> {
        let terms: Vec<Term> = match value {
            Value::Payload(leaves) => leaves.iter().map(|leaf| leaf.bits).collect(),
            Value::Int { bits, .. } => vec![*bits],
            other => return Err(mismatch("floating-point values", other)),
        };
        let mut nan = Vec::new();
        for term in terms {
            not_moved(self.pool(), term)?;
            let format = self.format(term)?;
            let number = self.pool().number(term);
            nan.push(self.pool().is_nan(number, format));
        }
        Ok(Value::Bool(self.pool().any(nan)))
    }

    /// Whether this lane's result is what an operator gives over lanes in some order.
    pub(super) fn some_order(
        &mut self,
        operator: &'a Name,
        identity: Option<&'a Expr>,
        variable: &'a Name,
        condition: &'a Expr,
        body: &'a Expr,
    ) -> Result<Value, DenoteError> {
        let (parts, _) = self.parts(variable, condition, body)?;
        let lane = self.here();
        let result = single(&self.open_leaves(lane)?)?.bits;
        let sort = self.pool().sort(result);
        let (op, format) = self.float_operator(operator, sort)?;
        let parts: Vec<(Term, Term)> = parts.iter().map(|it| (it.member, it.value)).collect();
        let Some(identity) = identity else {
            return Ok(Value::Bool(self.pool().any_order(op, format, result, &parts)));
        };
        let identity = self.evaluate(identity, Mode::Compute)?;
        let identity = self.scalar(identity)?;
        let identity = self.integer(&identity)?;
        let pool = self.group.pool();
        // Where no part takes part the sum is zero, as the identity is; a zero with a sign is no part.
        if op == FloatOp::Add
            && pool.bits_of(identity) == Some(0)
            && let Some(only) = pool.without_rounding(op, format, &parts)
        {
            return Ok(Value::Bool(pool.equal(result, only)));
        }
        let some = pool.any_order(op, format, result, &parts);
        let shows =
            identity_shows(pool, op, format, identity, result, &parts).ok_or_else(|| {
                DenoteError::NotModelled("an order with an identity that is none".into())
            })?;
        Ok(Value::Bool(pool.or(some, shows)))
    }

    /// The operation that an operator of a fold is, if it is one of floating point and nothing
    /// else.
    pub(super) fn float_operator(
        &mut self,
        operator: &'a Name,
        sort: Sort,
    ) -> Result<(FloatOp, FloatFormat), DenoteError> {
        let arguments = [0, 1].map(|index| self.pool().placeholder(index, sort));
        let values = arguments.map(Value::int).to_vec();
        let combined = self.apply(operator, values, Mode::Compute)?;
        let unlike = || {
            DenoteError::NotModelled(
                "any order of an operator that is no plain one of numbers".into(),
            )
        };
        let Value::Int { bits, .. } = combined else { return Err(unlike()) };
        match self.pool().node(bits) {
            Node::Float(op @ (FloatOp::Add | FloatOp::Mul), format, operands)
                if operands.len() == 2
                    && operands[0] != operands[1]
                    && operands.iter().all(|operand| arguments.contains(operand)) =>
            {
                Ok((*op, *format))
            }
            _ => Err(unlike()),
        }
    }
}

/// The results that there are only with the identity among the parts. A product with 1 is the
/// other factor. A sum with a zero is the other summand unless that is the other zero; and a sum
/// is −0 only where every summand is.
fn identity_shows(
    pool: &mut Pool,
    op: FloatOp,
    format: FloatFormat,
    identity: Term,
    result: Term,
    parts: &[(Term, Term)],
) -> Option<Term> {
    match (op, pool.bits_of(identity)?) {
        (FloatOp::Mul, bits) if bits == format.one() => Some(pool.bool(false)),
        (FloatOp::Add, bits) if bits == format.sign() => Some(pool.bool(false)),
        (FloatOp::Add, 0) => {
            let negative = pool.bits(format.sign(), format.width());
            let mut all = vec![pool.equal(result, identity)];
            for &(member, value) in parts {
                let zero = pool.equal(value, negative);
                all.push(pool.implies(member, zero));
            }
            Some(pool.all(all))
        }
        _ => None,
    }
}

/// The format of a scalar type, if it is one of floating point.
fn format_of(scalar: Scalar) -> Option<FloatFormat> {
    match scalar {
        Scalar::Float(format) => Some(format),
        Scalar::Bool | Scalar::Int { .. } => None,
    }
}

/// A number whose integral part is a number of the integer type that `op` gives. Numbers of one
/// sign are ordered as their bits are.
fn fits(pool: &mut Pool, a: Term, format: FloatFormat, op: FloatOp) -> Term {
    let (most, least) = match op {
        FloatOp::ToSigned(width) => ((1 << (width - 1)) - 1, 1 << (width - 1)),
        _ => ((1 << op.width(format)) - 1, 0),
    };
    let bounds =
        [most, least].map(|limit| pool.bits(format.greatest_below(limit), format.width() - 1));
    let (negative, magnitude) = (is_negative(pool, a), magnitude(pool, a));
    let bound = pool.ite(negative, bounds[1], bounds[0]);
    pool.less_equal(magnitude, bound)
}
