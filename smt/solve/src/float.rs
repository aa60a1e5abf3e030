//! Floating point in Z3: numbers of its theory beside the bit-vectors that hold them.
//!
//! The theory has one NaN and no way back to bits that other solvers know. So each number is a
//! constant of its own, tied to its bits: equal to what they say where they are no NaN, and NaN
//! where they are one. Results have the canonical NaN.

use std::cell::RefCell;
use std::collections::HashMap;

use laneproof_semantics::term::{FloatFormat, FloatOp, Node, Pool, SCALES, Term, Toward};
use z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use z3::{FuncDecl, Solver, Sort};

/// Width of the exponent in which integers of up to 64 bits become numbers.
const EXPONENT: u32 = 11;

/// The numbers of a problem, and the assertions that tie them to bits.
#[derive(Default)]
pub struct Floats {
    numbers: HashMap<(FloatFormat, Term), Float>,
    facts: Vec<Bool>,
    /// Each constant with its number, if all bits are known: then terms use the number, and only
    /// the facts name the constant.
    values: Option<Vec<(Float, Float)>>,
}

impl Floats {
    /// Those of a problem whose bits are all known.
    pub fn of_known() -> Self {
        Self { values: Some(Vec::new()), ..Self::default() }
    }

    /// The constants and the numbers that they are.
    pub fn values(&self) -> &[(Float, Float)] {
        self.values.as_deref().unwrap_or_default()
    }

    /// A constant of which `fact` holds, or the number `value` itself if all bits are known.
    fn stand_in(&mut self, constant: Float, fact: Bool, value: impl FnOnce() -> Float) -> Float {
        self.facts.push(fact);
        let Some(values) = &mut self.values else { return constant };
        let value = value();
        values.push((constant, value.clone()));
        value
    }

    /// True when the problem has none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// What holds of the constants.
    pub fn facts(&self) -> &[Bool] {
        &self.facts
    }

    /// The bits of an operation's result; `vector` gives the bits of its operands.
    pub fn operation(
        &mut self,
        pool: &Pool,
        term: Term,
        vector: impl Fn(Term) -> BV,
    ) -> Option<BV> {
        let Node::Float(op, format, operands) = pool.node(term) else { return None };
        let nearest = RoundingMode::round_nearest_ties_to_even();
        let first = *operands.first()?;
        let mut number = |position: usize| {
            let operand = operands[position];
            self.number(*format, operand, vector(operand))
        };
        let result = match op {
            FloatOp::Add => number(0).add_with_rounding_mode(number(1), &nearest),
            FloatOp::Mul => number(0).mul_with_rounding_mode(number(1), &nearest),
            FloatOp::Div => number(0).div_with_rounding_mode(number(1), &nearest),
            FloatOp::MulAdd => number(0).fma_with_rounding_mode(number(1), number(2), &nearest),
            FloatOp::Integral(toward) => {
                let mode = match toward {
                    Toward::Even => nearest,
                    Toward::Negative => RoundingMode::round_towards_negative(),
                    Toward::Positive => RoundingMode::round_towards_positive(),
                    Toward::Zero => RoundingMode::round_towards_zero(),
                };
                number(0).round_to_integral_with_rounding_mode(&mode)
            }
            FloatOp::Scale => {
                let power = vector(*operands.get(1)?);
                let number = number(0);
                self.scaled(&number, &power, *format)
            }
            FloatOp::Convert(to) => number(0).to_fp_with_rounding_mode(&nearest, &sort(*to)),
            FloatOp::FromUnsigned => self.of_integer(&vector(first), *format),
            FloatOp::FromSigned => {
                let integer = vector(first);
                let sign = integer.get_size() - 1;
                let negative = integer.extract(sign, sign).eq(BV::from_u64(1, 1));
                let magnitude = negative.ite(&integer.bvneg(), &integer);
                let number = self.of_integer(&magnitude, *format);
                negative.ite(&number.unary_neg(), &number)
            }
            FloatOp::ToUnsigned(width) => {
                let toward_zero = RoundingMode::round_towards_zero();
                return Some(number(0).to_ubv_with_rounding_mode(&toward_zero, *width));
            }
            FloatOp::ToSigned(width) => {
                let toward_zero = RoundingMode::round_towards_zero();
                return Some(number(0).to_sbv_with_rounding_mode(&toward_zero, *width));
            }
        };
        let format = op.gives(*format)?;
        let name = format!("number!{}", term.number());
        let constant = Float::new_const(name, format.exponent(), format.fraction() + 1);
        let fact = constant.eq(&result);
        let number = self.stand_in(constant, fact, || result);
        self.numbers.insert((format, term), number.clone());
        let canonical = BV::from_u64(format.canonical_nan() as u64, format.width());
        Some(number.is_nan().ite(&canonical, &number.to_ieee_bv()))
    }

    /// The number whose bits a term is.
    fn number(&mut self, format: FloatFormat, term: Term, bits: BV) -> Float {
        if let Some(known) = self.numbers.get(&(format, term)) {
            return known.clone();
        }
        let name = format!("number!{}.{}", term.number(), format.fraction());
        let number = self.constant(name, &bits, format);
        self.numbers.insert((format, term), number.clone());
        number
    }

    /// A constant equal to the number with these bits.
    fn constant(&mut self, name: String, bits: &BV, format: FloatFormat) -> Float {
        let number = Float::new_const(name, format.exponent(), format.fraction() + 1);
        let magnitude = bits.extract(format.width() - 2, 0);
        let infinity = BV::from_u64(format.infinity() as u64, format.width() - 1);
        let nan = magnitude.bvugt(infinity);
        let same = number.to_ieee_bv().eq(bits);
        let fact = nan.ite(&number.is_nan(), &same);
        self.stand_in(number, fact, || number_of(bits, format.exponent(), format.fraction() + 1))
    }

    /// A constant equal to the number with these bits, which are not those of a NaN.
    fn exactly(&mut self, name: String, bits: &BV, exponent: u32, significand: u32) -> Float {
        let number = Float::new_const(name, exponent, significand);
        let fact = number.to_ieee_bv().eq(bits);
        self.stand_in(number, fact, || number_of(bits, exponent, significand))
    }

    /// A number times a power of two: exactly so with a wider exponent, then rounded once.
    fn scaled(&mut self, number: &Float, power: &BV, format: FloatFormat) -> Float {
        const WIDE: u32 = 16;
        let size = power.get_size();
        let power = if size < 32 { power.sign_ext(32 - size) } else { power.clone() };
        let limit = |bits: i128| BV::from_i64(bits as i64, power.get_size());
        let (least, most) = (limit(-SCALES), limit(SCALES));
        let power = power.bvslt(&least).ite(&least, &power);
        let power = power.bvsgt(&most).ite(&most, &power);
        let bias = BV::from_u64((1 << (WIDE - 1)) - 1, WIDE);
        let exponent = power.extract(WIDE - 1, 0).bvadd(&bias);
        let bits = BV::from_u64(0, 1).concat(&exponent);
        let bits = bits.concat(BV::from_u64(0, format.fraction()));
        let name = format!("power!{}", self.facts.len());
        let factor = self.exactly(name, &bits, WIDE, format.fraction() + 1);
        let nearest = RoundingMode::round_nearest_ties_to_even();
        let wide = Sort::float(WIDE, format.fraction() + 1);
        let exact = number.to_fp_with_rounding_mode(&nearest, &wide);
        let exact = exact.mul_with_rounding_mode(factor, &nearest);
        exact.to_fp_with_rounding_mode(&nearest, &sort(format))
    }

    /// The number nearest to an unsigned integer. The integer becomes the fraction of a number with
    /// a leading one, which is then subtracted; both steps are exact, so the result is rounded
    /// once.
    fn of_integer(&mut self, integer: &BV, to: FloatFormat) -> Float {
        let width = integer.get_size();
        let bias = (1u64 << (EXPONENT - 1)) - 1;
        let exponent = BV::from_u64(bias + u64::from(width), 1 + EXPONENT);
        let zero = (0..width).fold(None, |zeros: Option<BV>, _| {
            let zero = BV::from_u64(0, 1);
            Some(zeros.map_or_else(|| zero.clone(), |zeros| zeros.concat(&zero)))
        });
        let zero = zero.unwrap_or_else(|| BV::from_u64(0, 1));
        let count = self.facts.len();
        let mut exact = |name: &str, fraction: &BV| {
            let bits = exponent.concat(fraction);
            self.exactly(format!("{name}!{count}"), &bits, EXPONENT, width + 1)
        };
        let with_one = exact("integer", integer);
        let one = exact("leading", &zero);
        let nearest = RoundingMode::round_nearest_ties_to_even();
        let integer = with_one.sub_with_rounding_mode(one, &nearest);
        integer.to_fp_with_rounding_mode(&nearest, &sort(to))
    }
}

/// The number with these bits: SMT-LIB's `to_fp`.
fn number_of(bits: &BV, exponent: u32, significand: u32) -> Float {
    thread_local! {
        static KNOWN: RefCell<HashMap<(u32, u32), FuncDecl>> = RefCell::new(HashMap::new());
    }
    let read = KNOWN.with_borrow_mut(|known| {
        let read = known.entry((exponent, significand)).or_insert_with(|| {
            // The library that calls Z3 has no name for it, but Z3 reads it.
            let solver = Solver::new();
            let width = exponent + significand;
            solver.from_string(format!(
                "(declare-const b (_ BitVec {width})) \
                 (assert (fp.isNaN ((_ to_fp {exponent} {significand}) b)))"
            ));
            let asserted = solver.get_assertions();
            let number = asserted.first().and_then(|it| it.nth_child(0));
            match number {
                Some(number) => number.decl(),
                None => unreachable!("Z3 reads `to_fp`"),
            }
        });
        read.apply(&[bits])
    });
    read.as_float().unwrap_or_else(|| unreachable!("`to_fp` gives a number"))
}

fn sort(format: FloatFormat) -> Sort {
    Sort::float(format.exponent(), format.fraction() + 1)
}

/// SMT-LIB has no function from numbers to bits. Every number whose bits are needed here is a
/// constant, so its bits become a constant too, from which the number is made.
pub fn portable(text: &str) -> String {
    const CALL: &str = "(fp.to_ieee_bv ";
    let mut constants: Vec<(String, String)> = Vec::new();
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(CALL) {
        let (before, call) = rest.split_at(start);
        rewritten.push_str(before);
        let call = &call[CALL.len()..];
        let end = call.find(')').unwrap_or(call.len());
        let name = &call[..end];
        let bits = format!("{}.bits", name.trim_matches('|'));
        rewritten.push_str(&format!("|{bits}|"));
        if !constants.iter().any(|(known, _)| known == name) {
            constants.push((name.to_owned(), bits));
        }
        rest = call.get(end + 1..).unwrap_or("");
    }
    rewritten.push_str(rest);
    let Some(first) = rewritten.find("(assert") else { return rewritten };
    let (declarations, assertions) = rewritten.split_at(first);
    let mut text = declarations.to_owned();
    for (name, bits) in constants {
        let declared = format!("(declare-fun {name} () (_ FloatingPoint ");
        let format = declarations.find(&declared).map(|at| &declarations[at + declared.len()..]);
        let format = format.and_then(|it| it.split_once("))")).map_or("", |(format, _)| format);
        let width: u32 = format.split_whitespace().filter_map(|it| it.parse::<u32>().ok()).sum();
        text.push_str(&format!("(declare-fun |{bits}| () (_ BitVec {width}))\n"));
        text.push_str(&format!("(assert (= {name} ((_ to_fp {format}) |{bits}|)))\n"));
    }
    text + assertions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_solvers_read_has_no_function_to_bits() {
        let text = "(declare-fun number!3 () (_ FloatingPoint 5 11))\n\
            (declare-fun x!1 () (_ BitVec 16))\n\
            (assert (= (fp.to_ieee_bv number!3) x!1))\n(check-sat)\n";
        let expected = "(declare-fun number!3 () (_ FloatingPoint 5 11))\n\
            (declare-fun x!1 () (_ BitVec 16))\n\
            (declare-fun |number!3.bits| () (_ BitVec 16))\n\
            (assert (= number!3 ((_ to_fp 5 11) |number!3.bits|)))\n\
            (assert (= |number!3.bits| x!1))\n(check-sat)\n";
        assert_eq!(portable(text), expected);
        assert_eq!(portable(expected), expected, "there is nothing left to replace");
    }
}
