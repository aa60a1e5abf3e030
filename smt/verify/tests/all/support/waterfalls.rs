//! Pairs with a waterfall loop on one side, right ones and such with pieces exchanged.
//!
//! The loop takes some lane's value, and lanes that compare with it in some way hold an answer and
//! leave. What is a right loop for one source is a mutant for another.

mod iterations;
mod pieces;

use std::fmt::Write;

use pieces::{HEAD, PLAIN};

/// A pair, piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipe {
    /// What the side without a loop returns.
    pub plain: u8,
    /// How lanes leave and take their answer along.
    pub style: u8,
    /// Whose value is taken.
    pub first: u8,
    /// Which lanes it is meant for.
    pub mine: u8,
    /// Which lanes leave.
    pub leaves: u8,
    /// What they hold then.
    pub answer: u8,
    /// How the value changes from iteration to iteration.
    pub update: u8,
    /// The loop is the source.
    pub swapped: bool,
}

/// How many alternatives each piece has, in the order above.
pub const ALTERNATIVES: [u8; 7] = [11, 9, 5, 5, 8, 12, 6];

/// Pairs of which the loop is right: the pieces, in the order above.
pub const RIGHT: [[u8; 7]; 16] = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 1],
    [0, 2, 0, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 2, 0],
    [3, 2, 0, 0, 0, 3, 1],
    [3, 0, 0, 0, 1, 3, 0],
    [4, 3, 0, 0, 0, 4, 0],
    [5, 1, 0, 0, 0, 5, 0],
    [5, 2, 0, 0, 0, 5, 1],
    [6, 1, 0, 0, 0, 6, 0],
    [7, 1, 0, 0, 0, 7, 0],
    [2, 3, 0, 0, 0, 2, 0],
    [9, 0, 0, 0, 0, 10, 0],
    [9, 1, 0, 0, 0, 10, 0],
    [10, 1, 0, 0, 0, 11, 0],
    [10, 2, 0, 0, 0, 11, 1],
];

/// Loops that a prover with a missing step would prove: loops that never end, that separate lanes which
/// agree, whose lanes leave without a result. Lanes that agree from the second iteration on, or in
/// iterations without a mark, but were separated in the first: this catches a prover that evaluates the
/// condition at another moment, or does not check that iterations keep lanes together. Lanes that hold
/// the result until they are served; lanes that agree in an iteration by what they draw in it; lanes
/// that wait again and again; divisions by 0 in an iteration, before the loop and after it; and lanes that
/// count others.
pub const TRAPS: [[u8; 7]; 16] = [
    [2, 0, 2, 3, 0, 2, 0],
    [2, 3, 0, 3, 0, 2, 0],
    [0, 0, 0, 0, 5, 0, 0],
    [5, 0, 0, 0, 5, 5, 0],
    [0, 0, 0, 0, 0, 0, 4],
    [2, 2, 2, 3, 1, 2, 0],
    [0, 0, 0, 0, 6, 9, 0],
    [0, 0, 0, 0, 7, 9, 0],
    [2, 4, 0, 0, 0, 3, 0],
    [2, 5, 0, 0, 0, 2, 0],
    [2, 6, 0, 0, 0, 2, 0],
    [0, 0, 0, 0, 0, 0, 5],
    [0, 7, 0, 0, 0, 0, 0],
    [0, 8, 0, 0, 0, 0, 0],
    [9, 1, 0, 0, 0, 11, 0],
    [9, 0, 0, 1, 0, 10, 0],
];

impl Recipe {
    pub fn new(pieces: [u8; 7], swapped: bool) -> Self {
        let [plain, style, first, mine, leaves, answer, update] = pieces;
        Self { plain, style, first, mine, leaves, answer, update, swapped }
    }

    /// The module. With one parameter, lanes are distinguished by the values that they sum up.
    pub fn text(&self, parameters: usize, lanes: &str) -> String {
        let sides = if self.swapped { ["tgt", "src"] } else { ["src", "tgt"] };
        let mut text = self.head(parameters, lanes);
        text.push_str(&self.function(sides[0], parameters, false));
        text.push_str(&self.function(sides[1], parameters, true));
        text
    }

    /// The module in which the loop of another is the source.
    pub fn beside(&self, source: &Self, lanes: &str) -> String {
        let functions = [source.function("src", 2, true), self.function("tgt", 2, true)];
        self.head(2, lanes) + &functions.concat()
    }

    fn head(&self, parameters: usize, lanes: &str) -> String {
        let kinds = " %two".repeat(parameters);
        let ty = self.ty();
        format!(
            "; a waterfall\n; lanes: {lanes}\n{HEAD}%function = OpTypeFunction {ty}{kinds}\n\
             %held = OpTypePointer Function {ty}\n"
        )
    }

    fn ty(&self) -> &'static str {
        if self.plain < 2 { "%uvec4" } else { "%two" }
    }

    /// The side with the loop, or that without one.
    fn function(&self, name: &'static str, parameters: usize, looping: bool) -> String {
        let ty = self.ty();
        let mut body = Body { text: String::new(), name };
        body.line(&format!("%{name} = OpFunction {ty} None %function"));
        body.line("$v = OpFunctionParameter %two");
        if parameters > 1 {
            body.line("$x = OpFunctionParameter %two");
        }
        body.line("$entry = OpLabel");
        if looping && self.style == 2 {
            body.line("$kept = OpVariable %held Function");
        }
        if parameters == 1 {
            body.line("$x = OpIAdd %two $v %c1");
        }
        match looping {
            false => body.line(PLAIN[usize::from(self.plain)]),
            true => self.iterate(&mut body, ty, if ty == "%two" { "%c0" } else { "%none" }),
        }
        body.line("OpFunctionEnd");
        body.text
    }
}

/// Lines of one function; `$a` is its own `<id>`.
struct Body {
    text: String,
    name: &'static str,
}

impl Body {
    fn line(&mut self, line: &str) {
        let line = line.replace('$', &format!("%{}_", self.name));
        let _ = writeln!(self.text, "{line}");
    }
}
