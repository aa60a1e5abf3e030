//! Expressions, and the formats that they are computed in.

use std::fmt;

use super::Random;

/// A format of numbers, all of which a number of double precision can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Format {
    pub width: u32,
    pub fraction: i32,
    pub least: i32,
}

impl Format {
    pub const HALF: Self = Self { width: 16, fraction: 10, least: -14 };
    pub const SINGLE: Self = Self { width: 32, fraction: 23, least: -126 };
    pub const DOUBLE: Self = Self { width: 64, fraction: 52, least: -1022 };

    pub fn largest(self) -> f64 {
        (2.0 - 2.0_f64.powi(-self.fraction)) * 2.0_f64.powi(1 - self.least)
    }

    pub fn is_subnormal(self, number: f64) -> bool {
        number != 0.0 && number.abs() < 2.0_f64.powi(self.least)
    }

    /// The unit in the last place of numbers as large as this one.
    pub fn unit(self, number: f64) -> f64 {
        let stored = (number.abs().to_bits() >> 52) as i32;
        let exponent = if stored == 0 { -1022 } else { stored - 1023 };
        let power = exponent.max(self.least) - self.fraction;
        // A power below the normal ones is not computed by an inverse.
        2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2)
    }

    pub fn bits(self, number: f64) -> u64 {
        match self.width {
            64 => number.to_bits(),
            32 => u64::from((number as f32).to_bits()),
            _ => {
                let sign = u64::from(number.is_sign_negative()) << 15;
                let magnitude = number.abs();
                if number.is_nan() {
                    return 0x7e00;
                }
                if magnitude.is_infinite() {
                    return sign | 0x7c00;
                }
                let count = (magnitude / self.unit(number)) as u64;
                let exponent = match self.is_subnormal(number) || number == 0.0 {
                    true => 0,
                    false => (magnitude.to_bits() >> 52) + 14 - 1023,
                };
                // The leading bit of a normal number counts as one more exponent.
                sign | ((exponent << 10) + count)
            }
        }
    }

    pub fn number_of(self, bits: u64) -> f64 {
        match self.width {
            64 => f64::from_bits(bits),
            32 => f64::from(f32::from_bits(bits as u32)),
            _ => {
                let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
                let (exponent, stored) = (bits >> 10 & 31, (bits & 0x3ff) as f64);
                sign * match exponent {
                    31 if stored == 0.0 => f64::INFINITY,
                    31 => f64::NAN,
                    0 => stored * 2.0_f64.powi(-24),
                    _ => (1.0 + stored / 1024.0) * 2.0_f64.powi(exponent as i32 - 15),
                }
            }
        }
    }

    /// A number some steps further.
    pub fn after(self, number: f64, steps: i64) -> f64 {
        let magnitude = self.bits(number.abs()) as i64 + steps;
        let largest = self.bits(self.largest()) as i64;
        self.number_of(magnitude.clamp(0, largest) as u64).copysign(number)
    }

    pub fn border(self, random: &mut Random) -> f64 {
        let normal = 2.0_f64.powi(self.least);
        let all = [
            0.0,
            1.0,
            2.0,
            self.number_of(1),
            normal,
            normal / 2.0,
            self.largest(),
            self.largest() / 4.0,
            2.0_f64.powi(-self.least),
            4.0 * normal,
            f64::INFINITY,
            f64::NAN,
        ];
        let number = random.of(&all);
        if random.one_in(2) { -number } else { number }
    }

    /// Some number, of any size if `wide`.
    pub fn number(self, random: &mut Random, wide: bool) -> f64 {
        let range = if wide { 1 - 2 * self.least } else { 6 };
        let exponent = random.below(range as usize) as i32 - range / 2;
        let fraction = random.below(1 << 30) as f64 / f64::from(1 << 30);
        let long = (1.0 + fraction) * 2.0_f64.powi(exponent.clamp(self.least, -self.least));
        let short = (1.0 + random.below(8) as f64 / 8.0)
            * 2.0_f64.powi(exponent.clamp(self.least, -self.least));
        let number = if random.one_in(3) { short } else { long };
        let unit = self.unit(number);
        let number = (number / unit).floor() * unit;
        if random.one_in(2) { -number } else { number }
    }
}

/// An expression of three operands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Operand(usize),
    Number(f64),
    Negated(Box<Tree>),
    Sum(Box<Tree>, Box<Tree>),
    Difference(Box<Tree>, Box<Tree>),
    Product(Box<Tree>, Box<Tree>),
    Quotient(Box<Tree>, Box<Tree>),
    /// A product and a sum that are rounded once.
    Fused(Box<Tree>, Box<Tree>, Box<Tree>),
    Magnitude(Box<Tree>),
    Least(Box<Tree>, Box<Tree>),
    Whole(Box<Tree>),
    Root(Box<Tree>),
    /// The first part where it is below the second one, else the third.
    Chosen(Box<Tree>, Box<Tree>, Box<Tree>),
}

impl Tree {
    pub fn random(random: &mut Random, operations: usize) -> Self {
        if operations == 0 {
            return match random.below(6) {
                0 => Self::Number(random.of(&[2.0, 1.0, 0.5, 3.0, -1.0])),
                _ => Self::Operand(random.below(3)),
            };
        }
        let left = random.below(operations);
        let mut part = |count| Box::new(Self::random(random, count));
        let (a, b) = (part(left), part(operations - 1 - left));
        match random.below(16) {
            0 => Self::Negated(Box::new(Self::random(random, operations - 1))),
            1..=4 => Self::Sum(a, b),
            5..=7 => Self::Difference(a, b),
            8..=10 => Self::Product(a, b),
            11 | 12 => Self::Quotient(a, b),
            13 if random.one_in(3) => {
                let leaf = |random: &mut Random| Box::new(Self::random(random, 0));
                Self::Chosen(a, b, leaf(random))
            }
            13 => Self::Magnitude(Box::new(Self::random(random, operations - 1))),
            14 => random.of(&[Self::Least(a.clone(), b), Self::Root(Box::new(Self::Magnitude(a)))]),
            _ => Self::Whole(Box::new(Self::random(random, operations - 1))),
        }
    }

    /// Writes its instructions, and gives the name of its result.
    pub fn write(&self, shader: bool, constants: &mut String, body: &mut String) -> String {
        let mut of = |it: &Self| it.write(shader, constants, body);
        let extended =
            |name: [&str; 2]| format!("OpExtInst %float %set {}", name[usize::from(!shader)]);
        let instruction = match self {
            Self::Operand(number) => return format!("%x{number}"),
            Self::Number(number) => {
                let name = format!("%c{}", constants.lines().count());
                *constants += &format!("{name} = OpConstant %float {number}\n");
                return name;
            }
            Self::Negated(a) => format!("OpFNegate %float {}", of(a)),
            Self::Sum(a, b) => format!("OpFAdd %float {} {}", of(a), of(b)),
            Self::Difference(a, b) => format!("OpFSub %float {} {}", of(a), of(b)),
            Self::Product(a, b) => format!("OpFMul %float {} {}", of(a), of(b)),
            Self::Quotient(a, b) => format!("OpFDiv %float {} {}", of(a), of(b)),
            Self::Fused(a, b, c) => {
                format!("{} {} {} {}", extended(["Fma", "fma"]), of(a), of(b), of(c))
            }
            Self::Magnitude(a) => format!("{} {}", extended(["FAbs", "fabs"]), of(a)),
            Self::Least(a, b) => {
                format!("{} {} {}", extended(["NMin", "fmin"]), of(a), of(b))
            }
            Self::Whole(a) => format!("{} {}", extended(["Floor", "floor"]), of(a)),
            Self::Root(a) => format!("{} {}", extended(["Sqrt", "sqrt"]), of(a)),
            Self::Chosen(a, b, c) => {
                let [a, b, c] = [of(a), of(b), of(c)];
                let below = define(body, &format!("OpFOrdLessThan %bool {a} {b}"));
                format!("OpSelect %float {below} {a} {c}")
            }
        };
        define(body, &instruction)
    }

    /// Something is rounded in it.
    pub fn is_computed(&self) -> bool {
        match self {
            Self::Operand(_) | Self::Number(_) => false,
            Self::Negated(a) => a.is_computed(),
            _ => true,
        }
    }

    /// The operation's operands.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Operand(_) | Self::Number(_) => Vec::new(),
            Self::Negated(a) | Self::Magnitude(a) | Self::Whole(a) | Self::Root(a) => vec![a],
            Self::Sum(a, b)
            | Self::Difference(a, b)
            | Self::Product(a, b)
            | Self::Quotient(a, b)
            | Self::Least(a, b) => vec![a, b],
            Self::Fused(a, b, c) | Self::Chosen(a, b, c) => vec![a, b, c],
        }
    }

    /// The same operation of other parts.
    pub fn with(&self, parts: &[Self]) -> Self {
        let of = |at: usize| Box::new(parts[at].clone());
        match self {
            Self::Operand(_) | Self::Number(_) => self.clone(),
            Self::Negated(_) => Self::Negated(of(0)),
            Self::Magnitude(_) => Self::Magnitude(of(0)),
            Self::Whole(_) => Self::Whole(of(0)),
            Self::Root(_) => Self::Root(of(0)),
            Self::Sum(..) => Self::Sum(of(0), of(1)),
            Self::Difference(..) => Self::Difference(of(0), of(1)),
            Self::Product(..) => Self::Product(of(0), of(1)),
            Self::Quotient(..) => Self::Quotient(of(0), of(1)),
            Self::Least(..) => Self::Least(of(0), of(1)),
            Self::Fused(..) => Self::Fused(of(0), of(1), of(2)),
            Self::Chosen(..) => Self::Chosen(of(0), of(1), of(2)),
        }
    }
}

/// Adds an instruction, and gives the name of its result.
fn define(body: &mut String, instruction: &str) -> String {
    let name = format!("%r{}", body.lines().count());
    *body += &format!("{name} = {instruction}\n");
    name
}

impl fmt::Display for Tree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operand(number) => write!(out, "x{number}"),
            Self::Number(number) => write!(out, "{number}"),
            Self::Negated(a) => write!(out, "-({a})"),
            Self::Sum(a, b) => write!(out, "({a} + {b})"),
            Self::Difference(a, b) => write!(out, "({a} - {b})"),
            Self::Product(a, b) => write!(out, "({a} * {b})"),
            Self::Quotient(a, b) => write!(out, "({a} / {b})"),
            Self::Fused(a, b, c) => write!(out, "fma({a}, {b}, {c})"),
            Self::Magnitude(a) => write!(out, "|{a}|"),
            Self::Least(a, b) => write!(out, "min({a}, {b})"),
            Self::Whole(a) => write!(out, "floor({a})"),
            Self::Root(a) => write!(out, "sqrt({a})"),
            Self::Chosen(a, b, c) => write!(out, "({a} < {b} ? {a} : {c})"),
        }
    }
}
