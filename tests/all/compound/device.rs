//! A device that computes an expression as its environment's documents let it, each time in another
//! way: OpenCL SPIR-V environment specification, Numerical Compliance; Vulkan, Precision and
//! Operation of SPIR-V Instructions.

use super::Random;
use super::rewritten::rewritten;
use super::tree::{Format, Tree};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Nearest,
    Zero,
    Down,
    Up,
}

pub(super) struct Device<'r> {
    vulkan: bool,
    format: Format,
    inputs: [f64; 3],
    random: &'r mut Random,
}

impl<'r> Device<'r> {
    pub fn new(
        environment: &str,
        format: Format,
        inputs: [f64; 3],
        random: &'r mut Random,
    ) -> Self {
        Self { vulkan: environment == "vulkan", format, inputs, random }
    }

    /// What it makes of an expression.
    pub fn result(&mut self, tree: &Tree) -> f64 {
        let compiled = rewritten(self.random, tree, self.vulkan);
        self.computed(&compiled, false)
    }

    /// An operation's result, in double precision where it need not be rounded yet.
    fn computed(&mut self, tree: &Tree, extra: bool) -> f64 {
        let parts = tree.parts();
        let mut inputs: Vec<f64> = parts
            .into_iter()
            .map(|part| {
                let extra = self.format.width < 64 && self.random.one_in(3);
                self.computed(part, extra)
            })
            .collect();
        let (exact, below) = match tree {
            Tree::Operand(number) => return self.inputs[*number],
            Tree::Number(number) => return *number,
            // What is compared may be flushed, or not be looked at for what is special.
            Tree::Chosen(..) => {
                let special = inputs[..2].iter().any(|it| !it.is_finite());
                let below = self.flushed(inputs[0]) < self.flushed(inputs[1]);
                let below = below ^ (self.vulkan && special && self.random.one_in(2));
                return if below { inputs[0] } else { inputs[2] };
            }
            _ => {
                inputs.iter_mut().for_each(|it| *it = self.flushed(*it));
                operation(tree, &inputs)
            }
        };
        let divides = matches!(tree, Tree::Quotient(..));
        let result = match exact.is_finite() {
            // Calculations may be carried out with extra precision (OpenCL, Rounding Modes, 1).
            true if extra => exact,
            true => self.rounded(exact, below, divides),
            false => exact,
        };
        let special = |it: &f64| !it.is_finite();
        if self.vulkan && (inputs.iter().any(special) || special(&result)) && self.random.one_in(2)
        {
            return self.random.of(&[0.0, -0.0, 42.0, f64::INFINITY, f64::NAN]);
        }
        if self.vulkan && divides && self.is_far(inputs[1]) && self.random.one_in(2) {
            return self.random.of(&[0.0, 42.0, -42.0]);
        }
        let result =
            if self.vulkan && result == 0.0 && self.random.one_in(4) { -result } else { result };
        self.flushed(result)
    }

    /// A subnormal number may be a zero.
    fn flushed(&mut self, number: f64) -> f64 {
        let flushes = self.vulkan || self.format.width < 64;
        match flushes && self.format.is_subnormal(number) && self.random.one_in(2) {
            true if self.random.one_in(4) => -0.0 * number.signum(),
            true => 0.0 * number.signum(),
            false => number,
        }
    }

    fn is_far(&self, divisor: f64) -> bool {
        let least = 2.0_f64.powi(self.format.least);
        !(least..=least.recip()).contains(&divisor.abs())
    }

    /// A number of the format, for one that `below` is added to.
    fn rounded(&mut self, exact: f64, below: f64, divides: bool) -> f64 {
        let format = self.format;
        if format.width == 64 {
            // Single precision suffices in Vulkan, but for the exponents.
            return match self.vulkan && exact.is_normal() && self.random.one_in(2) {
                true => {
                    let way = self.random.of(&[Way::Nearest, Way::Down, Way::Up]);
                    round(Format { fraction: 23, ..format }, exact, way)
                }
                false => exact,
            };
        }
        let ways: &[Way] = match (self.vulkan, format.width) {
            (true, _) => &[Way::Nearest, Way::Down, Way::Up],
            (false, 16) => &[Way::Nearest, Way::Zero],
            _ => &[Way::Nearest],
        };
        let way = self.random.of(ways);
        let result = round(format, to_odd(exact, below), way);
        let units = match (self.vulkan, format.width) {
            (true, _) | (_, 32) => 2.5,
            _ => 1.0,
        };
        if divides && result.is_finite() && !format.is_subnormal(exact) && exact != 0.0 {
            let steps = self.random.below(5) as i64 - 2;
            let near = format.after(result, steps);
            if (near - exact).abs() <= units * format.unit(exact) {
                return near;
            }
        }
        result
    }
}

/// An operation's result in double precision, and what rounding left out of it.
fn operation(tree: &Tree, inputs: &[f64]) -> (f64, f64) {
    let sum = |a: f64, b: f64| {
        let sum = a + b;
        let other = sum - a;
        (sum, (a - (sum - other)) + (b - other))
    };
    match tree {
        Tree::Negated(_) => (-inputs[0], 0.0),
        Tree::Sum(..) => sum(inputs[0], inputs[1]),
        Tree::Difference(..) => sum(inputs[0], -inputs[1]),
        Tree::Product(..) => (inputs[0] * inputs[1], 0.0),
        Tree::Quotient(..) => (inputs[0] / inputs[1], 0.0),
        // Of numbers of fewer bits the product is exact.
        Tree::Fused(..) if inputs.iter().all(|it| f64::from(*it as f32) == *it) => {
            sum(inputs[0] * inputs[1], inputs[2])
        }
        Tree::Fused(..) => (inputs[0].mul_add(inputs[1], inputs[2]), 0.0),
        Tree::Magnitude(_) => (inputs[0].abs(), 0.0),
        Tree::Least(..) => (inputs[0].min(inputs[1]), 0.0),
        Tree::Whole(_) => (inputs[0].floor(), 0.0),
        Tree::Root(_) => (inputs[0].sqrt(), 0.0),
        Tree::Chosen(..) | Tree::Operand(_) | Tree::Number(_) => (0.0, 0.0),
    }
}

/// A number that is rounded as the sum of both would be: with an odd last bit where it is no sum.
fn to_odd(number: f64, below: f64) -> f64 {
    let bits = number.to_bits();
    if below == 0.0 || !below.is_finite() || number == 0.0 || bits & 1 == 1 {
        return number;
    }
    let away = (below > 0.0) == (number > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 })
}

fn round(format: Format, exact: f64, way: Way) -> f64 {
    if exact == 0.0 {
        return exact;
    }
    let unit = format.unit(exact);
    let count = exact / unit;
    let count = match way {
        Way::Nearest => count.round_ties_even(),
        Way::Zero => count.trunc(),
        Way::Down => count.floor(),
        Way::Up => count.ceil(),
    };
    let (number, largest) = (count * unit, format.largest());
    let inward = match way {
        Way::Nearest => false,
        Way::Zero => true,
        Way::Down => exact > 0.0,
        Way::Up => exact < 0.0,
    };
    match number.abs() > largest {
        true if inward => largest.copysign(exact),
        true => f64::INFINITY.copysign(exact),
        false => number.copysign(exact),
    }
}
