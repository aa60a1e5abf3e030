//! The functions that the language has built in, as far as they compute.

use std::collections::VecDeque;
use std::sync::LazyLock;

use smallvec::{SmallVec, smallvec};

use super::expression::Context;
use super::float::NUMBERS;
use super::instance::{Argument, DenoteError, Group, Leaf, Standing, Survey};
use super::memory::ACCESSES;
use super::movement::MOVEMENTS;
use super::names::plain_name;
use super::operators::shift_amount;
use super::value::{EXACT, Leaves, Mode, Value, mismatch, not_moved, single};
use crate::Scalar;
use crate::hash::FastMap;
use crate::language::ast::{Expr, ExprKind, Name};
use crate::term::{Binary, Scan, Sort, Term};

/// Functions that take their arguments as expressions, or values of one kind.
#[derive(Clone, Copy)]
enum Family {
    Question,
    Movement,
    Memory,
    Uniform,
    /// Of scalar floating-point numbers.
    Float,
}

impl Family {
    /// All other functions take values of any kind.
    fn of(name: &Name) -> Option<Self> {
        FAMILIES.get(&name.number()).copied()
    }
}

/// Those functions, by the numbers of their names.
static FAMILIES: LazyLock<FastMap<usize, Family>> = LazyLock::new(|| {
    let families: [(Family, &[&str]); 5] = [
        (Family::Question, &["present", "is_float", "capability", "decorated", "version_at_least"]),
        (Family::Movement, MOVEMENTS),
        (Family::Memory, ACCESSES),
        (Family::Uniform, &["uniform"]),
        (Family::Float, NUMBERS),
    ];
    let named = |(family, names): (Family, &'static [&str])| {
        names.iter().map(move |&text| (Name::from(text).number(), family))
    };
    families.into_iter().flat_map(named).collect()
});

/// What a function is given.
type Values = SmallVec<[Value; 3]>;

impl<'a, G: Group> Context<'a, '_, G> {
    pub(super) fn call(
        &mut self,
        name: &'a Name,
        arguments: &'a [Expr],
        mode: Mode,
    ) -> Result<Value, DenoteError> {
        if let Some(function) = self.names.function(name) {
            return self.apply_to(function, arguments, mode);
        }
        let family = Family::of(name);
        match family {
            Some(Family::Question) => {
                if let Some(answer) = self.question(name, arguments)? {
                    return Ok(Value::Bool(self.pool().bool(answer)));
                }
            }
            Some(Family::Movement) => {
                if let Some(value) = self.movement(name, arguments, mode)? {
                    return Ok(value);
                }
            }
            Some(Family::Memory) => {
                if let Some(value) = self.memory(name, arguments, mode)? {
                    return Ok(value);
                }
            }
            Some(Family::Uniform) => return self.uniform(arguments),
            Some(Family::Float) | None => {}
        }
        let mut values = Values::new();
        for argument in arguments {
            values.push(self.evaluate(argument, Mode::Compute)?);
        }
        if let Some(Family::Float) = family {
            self.open(&mut values)?;
            if let Some(value) = self.float(name, &values)? {
                return Ok(value);
            }
        }
        self.computed(name, values)
    }

    /// Questions that the module alone answers.
    fn question(&self, name: &str, arguments: &'a [Expr]) -> Result<Option<bool>, DenoteError> {
        Ok(Some(match (name, arguments) {
            ("present", [operand]) => {
                !matches!(self.argument(plain_name(operand)?)?.1, Argument::Absent)
            }
            ("is_float", [operand]) => {
                matches!(self.argument(plain_name(operand)?)?.1, Argument::Value(ty)
                    if ty.element().is_some_and(Scalar::is_float))
            }
            ("capability", [name]) => self.instance.capabilities.contains(&**plain_name(name)?),
            ("decorated", [name]) => self.instance.decorations.contains(&**plain_name(name)?),
            ("version_at_least", [major, minor]) => {
                let (ExprKind::Integer(major), ExprKind::Integer(minor)) =
                    (&major.kind, &minor.kind)
                else {
                    return Err(DenoteError::Specification("a version is two numbers".into()));
                };
                let (have_major, have_minor) = self.instance.version;
                (u128::from(have_major), u128::from(have_minor)) >= (*major, *minor)
            }
            _ => return Ok(None),
        }))
    }

    /// The same in every active lane.
    fn uniform(&mut self, arguments: &'a [Expr]) -> Result<Value, DenoteError> {
        let [expression] = arguments else {
            return Err(DenoteError::Specification("`uniform` takes one argument".into()));
        };
        let here = self.evaluate(expression, Mode::Compute)?;
        if let Some(any) = self.group.any_lane() {
            let active = self.group.active(any)?;
            let there = self.looking_at(any, |it| it.in_lane(expression, any, active))?;
            let equal = self.same_bits(&here, &there)?;
            let same = self.pool().implies(active, equal);
            let same = self.group.survey(any, self.lane, Survey::Every(same))?;
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

    /// Bit for bit the same. Payloads that are only moved may hold the same bits wherever they
    /// come from: only one and the same payload is known to.
    fn same_bits(&mut self, a: &Value, b: &Value) -> Result<Term, DenoteError> {
        if let (Value::Payload(leaves), Value::Int { bits, .. })
        | (Value::Int { bits, .. }, Value::Payload(leaves)) = (a, b)
        {
            let payload = single(leaves)?.bits;
            not_moved(self.pool(), payload)?;
            return Ok(self.pool().equal(payload, *bits));
        }
        let pool = self.group.pool();
        match (a, b) {
            (Value::Payload(a), Value::Payload(b)) if a.len() == b.len() => {
                let mut equal = Vec::with_capacity(a.len());
                for (a, b) in a.iter().zip(b) {
                    if a.bits != b.bits {
                        not_moved(pool, a.bits)?;
                        not_moved(pool, b.bits)?;
                    }
                    equal.push(pool.equal(a.bits, b.bits));
                }
                Ok(pool.all(equal))
            }
            (Value::Bool(a), Value::Bool(b))
            | (Value::Exact(a), Value::Exact(b))
            | (Value::Mask(a), Value::Mask(b)) => Ok(pool.equal(*a, *b)),
            (Value::Int { bits: a, .. }, Value::Int { bits: b, .. })
                if pool.sort(*a) == pool.sort(*b) =>
            {
                Ok(pool.equal(*a, *b))
            }
            (a, b) => Err(DenoteError::Specification(format!(
                "{} compared with {}",
                a.describe(),
                b.describe()
            ))),
        }
    }

    fn computed(&mut self, name: &str, mut values: Values) -> Result<Value, DenoteError> {
        match (name, values.as_slice()) {
            ("same_bits", [a, b]) => return self.same_bits(a, b).map(Value::Bool),
            ("any_component" | "all_components", [Value::Payload(leaves)]) => {
                let truths = leaves
                    .iter()
                    .map(|leaf| self.truth(Value::Payload(smallvec![*leaf])))
                    .collect::<Result<Vec<_>, _>>()?;
                let pool = self.group.pool();
                return Ok(Value::Bool(match name {
                    "any_component" => pool.any(truths),
                    _ => pool.all(truths),
                }));
            }
            ("components", [Value::Payload(leaves)]) => {
                let count = leaves.len() as u128;
                return Ok(Value::int(self.pool().bits(count, 32)));
            }
            ("is_nan", [a]) => return self.is_nan(a),
            ("bitcast", [Value::Payload(leaves)]) => return self.bitcast(leaves),
            ("ieee_equal" | "ieee_less" | "ieee_less_equal", [a, b]) => {
                return self.ieee(name, a.clone(), b.clone());
            }
            _ => {}
        }
        self.open(&mut values)?;
        if let ([axis], Some(standing)) = (values.as_slice(), along_axis(name)) {
            let axis = self.word(axis.clone())?;
            return match self.pool().bits_of(axis) {
                Some(axis @ 0..3) => self.standing(standing(axis as usize)),
                _ => Err(DenoteError::Specification(format!("`{name}` takes 0, 1 or 2"))),
            };
        }
        match (name, values.as_slice()) {
            ("active", [lane]) => {
                let lane = self.word(lane.clone())?;
                Ok(Value::Bool(self.group.active(lane)?))
            }
            ("exists", [lane]) => {
                let lane = self.word(lane.clone())?;
                Ok(Value::Bool(self.group.exists(lane)))
            }
            ("bit", [vector, index]) => {
                let index = self.word(index.clone())?;
                let vector = self.vector(vector)?;
                Ok(Value::Bool(self.pool().bit(vector, index)))
            }
            ("popcount", [a]) => self.scanned(Scan::Count, a),
            ("lowest_bit", [a]) => self.scanned(Scan::Lowest, a),
            ("highest_bit", [a]) => self.scanned(Scan::Highest, a),
            ("signed", [Value::Int { bits, .. }]) => Ok(Value::Int { bits: *bits, signed: true }),
            ("unsigned", [Value::Int { bits, .. }]) => Ok(Value::int(*bits)),
            ("exact", [Value::Int { bits, signed }]) => {
                let pool = self.group.pool();
                Ok(Value::Exact(if *signed {
                    pool.resize_signed(*bits, EXACT)
                } else {
                    pool.resize(*bits, EXACT)
                }))
            }
            ("exact", [value @ Value::Exact(_)]) => Ok(value.clone()),
            ("exact", [Value::Literal(value)]) => Ok(Value::Exact(self.pool().bits(*value, EXACT))),
            ("u8", [a]) => self.converted(a, 8, false),
            ("u16", [a]) => self.converted(a, 16, false),
            ("u32", [a]) => self.converted(a, 32, false),
            ("u64", [a]) => self.converted(a, 64, false),
            ("mask", [a]) => {
                let bits = self.vector(a)?;
                Ok(Value::Mask(self.pool().resize(bits, 128)))
            }
            ("to_result", [a]) => {
                let width = self.result_width()?;
                self.converted(a, width, false)
            }
            ("signed_to_result", [a]) => {
                let width = self.result_width()?;
                self.converted(a, width, true)
            }
            ("width", [a]) => {
                let width = match a {
                    Value::Bool(_) => 1,
                    other => {
                        let bits = self.vector(other)?;
                        self.pool().width(bits)
                    }
                };
                Ok(Value::int(self.pool().bits(u128::from(width), 32)))
            }
            ("all_ones", [a]) => {
                let bits = self.vector(a)?;
                let pool = self.group.pool();
                Ok(Value::int(pool.bits(u128::MAX, pool.width(bits))))
            }
            ("ones", []) => {
                let width = self.result_width()?;
                Ok(Value::int(self.pool().bits(u128::MAX, width)))
            }
            ("shift_left" | "shift_right", [Value::Int { bits, signed }, amount]) => {
                let amount = self.vector(amount)?;
                let pool = self.group.pool();
                let amount = shift_amount(pool, amount, pool.width(*bits));
                let op = match (name, signed) {
                    ("shift_left", _) => Binary::ShiftLeft,
                    (_, true) => Binary::ShiftRightSigned,
                    _ => Binary::ShiftRight,
                };
                Ok(Value::Int { bits: pool.binary(op, *bits, amount), signed: *signed })
            }
            ("bit_reverse", [Value::Int { bits, .. }]) => {
                let pool = self.group.pool();
                let width = pool.width(*bits);
                let reversed = (0..width)
                    .map(|index| {
                        let index = pool.bits(u128::from(width - 1 - index), 32);
                        pool.bit(*bits, index)
                    })
                    .collect();
                Ok(Value::int(pool.from_bits(reversed)))
            }
            _ => Err(DenoteError::Specification(format!(
                "there is no function `{name}` of {} such arguments",
                values.len()
            ))),
        }
    }

    /// Payloads as the truth values or integers that they are.
    fn open(&mut self, values: &mut Values) -> Result<(), DenoteError> {
        for value in values {
            if matches!(value, Value::Payload(_)) {
                *value = self.scalar(value.clone())?;
            }
        }
        Ok(())
    }

    /// The same bits as leaves of the result: lower-numbered leaves are the lower bits.
    fn bitcast(&mut self, leaves: &[Leaf]) -> Result<Value, DenoteError> {
        let mut widths = Vec::new();
        for sort in self.result_sorts()? {
            match sort {
                Sort::Bits(width) => widths.push(width),
                Sort::Bool | Sort::Tag => {
                    return Err(DenoteError::Specification("a Boolean has no bits".into()));
                }
            }
        }
        let pool = self.group.pool();
        for leaf in leaves {
            not_moved(pool, leaf.bits)?;
        }
        let undefined = pool.bool(false);
        let mut pieces: VecDeque<Term> = leaves.iter().map(|leaf| leaf.bits).collect();
        let mut cast = Leaves::new();
        for width in widths {
            let mut whole: Option<Term> = None;
            while whole.map_or(0, |term| pool.width(term)) < width {
                let Some(piece) = pieces.pop_front() else {
                    return Err(DenoteError::Specification("a bitcast to more bits".into()));
                };
                let wanted = width - whole.map_or(0, |term| pool.width(term));
                let own = pool.width(piece);
                let (low, rest) = if own > wanted {
                    let rest = pool.extract(piece, own - 1, wanted);
                    (pool.extract(piece, wanted - 1, 0), Some(rest))
                } else {
                    (piece, None)
                };
                if let Some(rest) = rest {
                    pieces.push_front(rest);
                }
                whole = Some(match whole {
                    Some(below) => pool.concat(low, below),
                    None => low,
                });
            }
            cast.extend(whole.map(|bits| Leaf { bits, undefined }));
        }
        Ok(Value::Payload(cast))
    }

    fn vector(&mut self, value: &Value) -> Result<Term, DenoteError> {
        match value {
            Value::Int { bits, .. } | Value::Exact(bits) | Value::Mask(bits) => Ok(*bits),
            Value::Literal(value) => Ok(self.pool().bits(*value, 32)),
            other => Err(mismatch("an integer or a mask", other)),
        }
    }

    fn scanned(&mut self, scan: Scan, value: &Value) -> Result<Value, DenoteError> {
        let bits = self.vector(value)?;
        Ok(Value::int(self.pool().scan(scan, bits)))
    }

    fn converted(
        &mut self,
        value: &Value,
        width: u32,
        extend_sign: bool,
    ) -> Result<Value, DenoteError> {
        let pool = self.group.pool();
        let bits = match value {
            Value::Bool(term) => pool.from_bits(vec![*term]),
            Value::Literal(value) => return Ok(Value::int(pool.bits(*value, width))),
            Value::Int { bits, .. } | Value::Exact(bits) | Value::Mask(bits) => *bits,
            Value::Payload(leaves) => single(leaves)?.bits,
        };
        let exact = matches!(value, Value::Exact(_)) || extend_sign;
        Ok(Value::int(if exact {
            pool.resize_signed(bits, width)
        } else {
            pool.resize(bits, width)
        }))
    }
}

/// Words of three numbers, one an axis.
fn along_axis(name: &str) -> Option<fn(usize) -> Standing> {
    Some(match name {
        "workgroup_size" => Standing::WorkgroupSize,
        "enqueued_workgroup_size" => Standing::EnqueuedWorkgroupSize,
        "workgroup_id" => Standing::WorkgroupId,
        "num_workgroups" => Standing::NumWorkgroups,
        "global_offset" => Standing::GlobalOffset,
        _ => return None,
    })
}
