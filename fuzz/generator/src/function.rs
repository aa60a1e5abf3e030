//! Random structured functions: selections, switches with several literals a case, a default and
//! cases that fall through, loops, early exits, calls; their instructions use other lanes' values.

mod phis;

use std::fmt::Write;

use phis::with_phis;

use crate::numbers::Numbers;

const PREAMBLE: &str = "\
OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformArithmetic
OpMemoryModel Logical GLSL450
OpName %main \"main\"
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%local = OpTypePointer Function %uint
%type = OpTypeFunction %uint %uint %uint
%subgroup = OpConstant %uint 3
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u5 = OpConstant %uint 5
%undef = OpUndef %bool
";

/// A function as it grows.
struct Writer<'n> {
    numbers: &'n mut Numbers,
    text: String,
    next: u32,
    prefix: &'static str,
    /// Merge blocks and continue targets of the loops around.
    loops: Vec<(String, String)>,
    variables: Vec<String>,
    /// Statements that may still be written.
    budget: u32,
    calls: bool,
}

/// The assembly of a module with a function `main` of two numbers, `x` and `y`. Its control flow is
/// structured, with all that is hard to group: early exits, kills, cases of several literals that fall
/// through, phis.
pub fn function_module(numbers: &mut Numbers) -> String {
    let callee = Writer::new(numbers, "c", 4, false).function("callee");
    let main = Writer::new(numbers, "m", 14, true).function("main");
    format!("{PREAMBLE}{callee}{main}")
}

impl<'n> Writer<'n> {
    fn new(numbers: &'n mut Numbers, prefix: &'static str, budget: u32, calls: bool) -> Self {
        let (text, loops, variables) = Default::default();
        Self { numbers, text, next: 0, prefix, loops, variables, budget, calls }
    }

    fn function(mut self, name: &str) -> String {
        let p = self.prefix;
        self.statements(0);
        let held = self.result("uint", &format!("OpLoad %{p}v"));
        self.line(&format!("OpReturnValue {held}"));
        let body = with_phis(self.numbers, &self.text, p);
        let mut variables = String::new();
        for variable in &self.variables {
            let _ = writeln!(variables, "{variable} = OpVariable %local Function");
        }
        format!(
            "%{name} = OpFunction %uint None %type\n%{p}x = OpFunctionParameter %uint\n\
             %{p}y = OpFunctionParameter %uint\n%{p}entry = OpLabel\n\
             %{p}v = OpVariable %local Function\n{variables}OpStore %{p}v %{p}x\n{body}OpFunctionEnd\n"
        )
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.numbers.below(bound)
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}{}", self.prefix, self.next)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn label(&mut self, label: &str) {
        self.line(&format!("{label} = OpLabel"));
    }

    fn result(&mut self, ty: &str, rest: &str) -> String {
        let id = self.fresh();
        let (opcode, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        self.line(&format!("{id} = {opcode} %{ty} {operands}"));
        id
    }

    /// A small number that differs from lane to lane.
    fn number(&mut self) -> String {
        let p = self.prefix;
        let held = match self.below(3) {
            0 => format!("%{p}x"),
            1 => format!("%{p}y"),
            _ => self.result("uint", &format!("OpLoad %{p}v")),
        };
        self.result("uint", &format!("OpBitwiseAnd {held} %u3"))
    }

    fn condition(&mut self) -> String {
        if self.below(60) == 0 {
            return "%undef".to_owned();
        }
        let number = self.number();
        match self.below(2) {
            0 => self.result("bool", &format!("OpULessThan {number} %u2")),
            _ => self.result("bool", &format!("OpIEqual {number} %u1")),
        }
    }

    /// Statements of a body. True where it goes on behind them.
    fn statements(&mut self, depth: u32) -> bool {
        for _ in 0..=self.below(3) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            if depth > 0 && self.below(7) == 0 && self.exit() {
                return false;
            }
            match self.below(if depth < 3 { 10 } else { 4 }) {
                0..=3 => self.work(),
                4 | 5 => self.selection(depth),
                6..=8 => self.switch(depth),
                _ => self.repeat(depth),
            }
        }
        true
    }

    /// An early exit of some kind, if there is one here.
    fn exit(&mut self) -> bool {
        let innermost = self.loops.last().cloned();
        match (self.below(4), innermost) {
            (0, _) => {
                let number = self.number();
                self.line(&format!("OpReturnValue {number}"));
            }
            (1, _) => self.line("OpTerminateInvocation"),
            (2, Some((merge, _))) => self.line(&format!("OpBranch {merge}")),
            (3, Some((_, again))) => self.line(&format!("OpBranch {again}")),
            _ => return false,
        }
        true
    }

    fn work(&mut self) {
        let p = self.prefix;
        let held = self.result("uint", &format!("OpLoad %{p}v"));
        let found = match self.below(if self.calls { 6 } else { 5 }) {
            0 | 1 => self.result("uint", &format!("OpGroupNonUniformIAdd %subgroup Reduce {held}")),
            2 => self.result("uint", &format!("OpGroupNonUniformBroadcastFirst %subgroup {held}")),
            3 => {
                let elected = self.result("bool", "OpGroupNonUniformElect %subgroup");
                let [then, merge] = [self.fresh(), self.fresh()];
                self.line(&format!("OpSelectionMerge {merge} None"));
                self.line(&format!("OpBranchConditional {elected} {then} {merge}"));
                self.label(&then);
                self.line(&format!("OpStore %{p}v %u5"));
                self.line(&format!("OpBranch {merge}"));
                self.label(&merge);
                return;
            }
            4 => self.result("uint", &format!("OpIAdd {held} %{p}y")),
            _ => self.result("uint", &format!("OpFunctionCall %callee {held} %{p}y")),
        };
        self.line(&format!("OpStore %{p}v {found}"));
    }

    fn selection(&mut self, depth: u32) {
        let condition = self.condition();
        let [then, otherwise, merge] = std::array::from_fn(|_| self.fresh());
        self.line(&format!("OpSelectionMerge {merge} None"));
        self.line(&format!("OpBranchConditional {condition} {then} {otherwise}"));
        for label in [then, otherwise] {
            self.label(&label);
            if self.statements(depth + 1) {
                self.line(&format!("OpBranch {merge}"));
            }
        }
        self.label(&merge);
    }

    fn switch(&mut self, depth: u32) {
        let selector = self.number();
        let count = 1 + self.below(3) as usize;
        let labels: Vec<String> = (0..count).map(|_| self.fresh()).collect();
        let merge = self.fresh();
        // One of the cases is the default, perhaps.
        let default = labels.get(self.below(count as u64 + 1) as usize).unwrap_or(&merge).clone();
        let mut literals: Vec<u64> = (0..4).collect();
        let mut targets = String::new();
        for label in &labels {
            for _ in 0..=self.below(2) {
                if literals.is_empty() || (*label == default && self.below(2) == 0) {
                    continue;
                }
                let place = self.below(literals.len() as u64) as usize;
                let literal = literals.remove(place);
                let _ = write!(targets, " {literal} {label}");
            }
        }
        let reached = |label: &String| *label == default || targets.contains(&format!(" {label}"));
        let labels: Vec<String> = labels.iter().filter(|label| reached(label)).cloned().collect();
        self.line(&format!("OpSelectionMerge {merge} None"));
        self.line(&format!("OpSwitch {selector} {default}{targets}"));
        for (place, label) in labels.iter().enumerate() {
            self.label(label);
            if !self.statements(depth + 1) {
                continue;
            }
            match labels.get(place + 1) {
                Some(next) if self.below(3) == 0 => self.line(&format!("OpBranch {next}")),
                Some(next) if self.below(4) == 0 => {
                    let condition = self.condition();
                    self.line(&format!("OpBranchConditional {condition} {next} {merge}"));
                }
                _ => self.line(&format!("OpBranch {merge}")),
            }
        }
        self.label(&merge);
    }

    fn repeat(&mut self, depth: u32) {
        let counter = self.fresh();
        self.variables.push(counter.clone());
        let [header, body, again, merge] = std::array::from_fn(|_| self.fresh());
        self.line(&format!("OpStore {counter} %u0"));
        self.line(&format!("OpBranch {header}"));
        self.label(&header);
        let round = self.result("uint", &format!("OpLoad {counter}"));
        let on = self.result("bool", &format!("OpULessThan {round} %u2"));
        self.line(&format!("OpLoopMerge {merge} {again} None"));
        self.line(&format!("OpBranchConditional {on} {body} {merge}"));
        self.label(&body);
        self.loops.push((merge.clone(), again.clone()));
        if self.statements(depth + 1) {
            self.line(&format!("OpBranch {again}"));
        }
        self.loops.pop();
        self.label(&again);
        let round = self.result("uint", &format!("OpLoad {counter}"));
        let next = self.result("uint", &format!("OpIAdd {round} %u1"));
        self.line(&format!("OpStore {counter} {next}"));
        self.line(&format!("OpBranch {header}"));
        self.label(&merge);
    }
}
