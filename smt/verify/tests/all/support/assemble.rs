//! Random pairs as assembly, over two-bit integers.

mod loops;
mod preamble;
mod switches;

use std::fmt::Write;

use self::preamble::{CHOICE, CONSTANTS, DECLARATIONS};
use super::recipe::{Recipe, Step, Target};

/// The whole module, with the header that says which states are asked about.
pub fn assemble(recipe: &Recipe) -> String {
    let sizes: Vec<String> = recipe.sizes.iter().map(u32::to_string).collect();
    let yes = |flag| if flag { "yes" } else { "no" };
    let mut text = format!(
        "; random\n; lanes: {}\n; active: {}\n; partial: {}\n\n",
        sizes.join(","),
        if recipe.all_active { "all" } else { "any" },
        yes(recipe.partial)
    );
    text.push_str(if recipe.kernel {
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability UniformDecoration\n"
    } else {
        "OpCapability Shader\n"
    });
    text.push_str(DECLARATIONS);
    text.push_str(if recipe.kernel {
        "OpMemoryModel Physical64 OpenCL\n"
    } else {
        "OpMemoryModel Logical GLSL450\n"
    });
    let property = matches!(recipe.target, Target::Property);
    let first = if property { "property" } else { "src" };
    let _ = writeln!(text, "OpName %s_function \"{first}\"");
    let target = target_steps(recipe);
    text.push_str("OpDecorate %s_u Uniform\n");
    if target.is_some() {
        text.push_str("OpName %t_function \"tgt\"\nOpDecorate %t_u Uniform\n");
    }
    let functions = text.len();
    text.push_str(CONSTANTS);
    text.push_str(&Body::new("s", recipe.kernel).function(
        &recipe.source,
        recipe.results,
        property,
    ));
    if let Some(steps) = target {
        text.push_str(&Body::new("t", recipe.kernel).function(&steps, recipe.results, property));
    }
    // A constant that is there doubles the states.
    if !text.contains("choice ") {
        return text;
    }
    text.insert_str(functions, "OpDecorate %choice SpecId 7\n");
    text.replacen("%undef_two = ", CHOICE, 1)
}

fn target_steps(recipe: &Recipe) -> Option<Vec<Step>> {
    let mut steps = recipe.source.clone();
    match &recipe.target {
        Target::Fresh(fresh) => steps.clone_from(fresh),
        Target::Edited(edits) => {
            for (position, step) in edits {
                let position = usize::from(*position) % steps.len();
                steps[position] = *step;
            }
        }
        Target::Begun(step) => steps.insert(0, *step),
        Target::Property => return None,
    }
    Some(steps)
}

/// A function as it grows.
struct Body {
    side: &'static str,
    text: String,
    variables: String,
    next: u32,
    numbers: Vec<String>,
    truths: Vec<String>,
    block: String,
    property: bool,
    kernel: bool,
}

/// What a step may name.
struct Words {
    a: String,
    b: String,
    p: String,
    q: String,
    reduction: &'static str,
    scan: &'static str,
    constant: &'static str,
}

impl Body {
    fn new(side: &'static str, kernel: bool) -> Self {
        let own = |name: &str| format!("%{side}_{name}");
        let given = |names: &[&str]| names.iter().map(|name| format!("%{name}")).collect();
        let mut numbers: Vec<String> = given(&["c3", "c2", "c1", "c0", "undef_two"]);
        numbers.extend([own("u"), own("x")]);
        let mut truths: Vec<String> = given(&["true", "false", "undef_bool"]);
        truths.push(own("p"));
        Self {
            side,
            text: String::new(),
            variables: String::new(),
            next: 0,
            numbers,
            truths,
            block: own("entry"),
            property: false,
            kernel,
        }
    }

    fn function(mut self, steps: &[Step], results: [u8; 2], property: bool) -> String {
        self.property = property;
        for step in steps {
            self.step(*step);
        }
        let [a, b] = results;
        self.give_back(&self.number(a), &self.number(b), &self.truth(a));
        let (side, ty, shape) = match property {
            true => (self.side, "%bool", "%predicate"),
            false => (self.side, "%pair", "%function"),
        };
        format!(
            "\n%{side}_function = OpFunction {ty} None {shape}\n\
             %{side}_p = OpFunctionParameter %bool\n\
             %{side}_x = OpFunctionParameter %two\n\
             %{side}_u = OpFunctionParameter %two\n\
             %{side}_entry = OpLabel\n{}{}OpFunctionEnd\n",
            self.variables, self.text
        )
    }

    fn number(&self, back: u8) -> String {
        self.numbers[self.numbers.len() - 1 - usize::from(back) % self.numbers.len()].clone()
    }

    fn truth(&self, back: u8) -> String {
        self.truths[self.truths.len() - 1 - usize::from(back) % self.truths.len()].clone()
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}_{}", self.side, self.next)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    /// An instruction with a result.
    fn result(&mut self, ty: &str, rest: &str) -> String {
        let id = self.fresh();
        let (opcode, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        self.line(&format!("{id} = {opcode} %{ty} {operands}"));
        id
    }

    fn push_number(&mut self, rest: &str) {
        let id = self.result("two", rest);
        self.numbers.push(id);
    }

    fn push_truth(&mut self, rest: &str) {
        let id = self.result("bool", rest);
        self.truths.push(id);
    }

    fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label} = OpLabel");
        self.block = label.to_owned();
    }

    fn give_back(&mut self, a: &str, b: &str, truth: &str) {
        if self.property {
            self.line(&format!("OpReturnValue {truth}"));
        } else {
            let pair = self.result("pair", &format!("OpCompositeConstruct {a} {b}"));
            self.line(&format!("OpReturnValue {pair}"));
        }
    }

    /// A selection: the block that was left, and the label of the merge block.
    fn branch(&mut self, condition: &str) -> (String, String) {
        let (then, merge) = (self.fresh(), self.fresh());
        let from = self.block.clone();
        self.line(&format!("OpSelectionMerge {merge} None"));
        self.line(&format!("OpBranchConditional {condition} {then} {merge}"));
        self.label(&then);
        (from, merge)
    }

    fn join(&mut self, merge: &str) -> String {
        let from = self.block.clone();
        self.line(&format!("OpBranch {merge}"));
        self.label(merge);
        from
    }

    fn variable(&mut self) -> String {
        self.local("%local")
    }

    fn local(&mut self, ty: &str) -> String {
        let id = self.fresh();
        let _ = writeln!(self.variables, "  {id} = OpVariable {ty} Function");
        id
    }

    fn step(&mut self, step: Step) {
        let (_, [i, j, k]) = step;
        let reduction = ["IAdd", "BitwiseXor", "UMin", "SMax", "BitwiseAnd", "IMul", "BitwiseOr"];
        let words = Words {
            a: self.number(i),
            b: self.number(j),
            p: self.truth(i),
            q: self.truth(j),
            reduction: reduction[usize::from(k) % reduction.len()],
            scan: ["Reduce", "InclusiveScan", "ExclusiveScan"][usize::from(j) % 3],
            constant: ["%c0", "%c1", "%c2", "%c3"][usize::from(j) % 4],
        };
        let done = self.plain(step, &words)
            || self.grouped(step, &words)
            || self.balloted(step, &words)
            || self.composed(step, &words);
        if !done {
            self.controlled(step, &words);
        }
    }

    /// Integers and truth values; false where the kind is no such step.
    fn plain(&mut self, (kind, [_, _, k]): Step, words: &Words) -> bool {
        let Words { a, b, p, q, .. } = words;
        match kind {
            0 => self.push_number(&format!("OpIAdd {a} {b}")),
            1 => self.push_number(&format!("OpISub {a} {b}")),
            2 => self.push_number(&format!("OpBitwiseXor {a} {b}")),
            3 => self.push_number(&format!("OpBitwiseAnd {a} {b}")),
            4 => self.push_number(&format!("OpIMul {a} {b}")),
            5 => self.push_number(&format!("OpUDiv {a} {b}")),
            6 | 7 => {
                let condition = self.truth(k);
                self.push_number(&format!("OpSelect {condition} {a} {b}"));
            }
            29 => self.push_truth(&format!("OpIEqual {a} {b}")),
            30 => self.push_truth(&format!("OpULessThan {a} {b}")),
            31 => self.push_truth(&format!("OpLogicalAnd {p} {q}")),
            32 => self.push_truth(&format!("OpLogicalOr {p} {q}")),
            33 => self.push_truth(&format!("OpLogicalNot {p}")),
            41 => self.push_number(&format!("OpShiftLeftLogical {a} {b}")),
            42 => self.push_number(&format!("OpBitwiseOr {a} {b}")),
            49 => self.push_truth(&format!("OpSelect {p} {q} %{}_p", self.side)),
            _ => return false,
        }
        true
    }

    /// Group instructions, likewise.
    fn grouped(&mut self, (kind, [_, j, k]): Step, words: &Words) -> bool {
        let Words { a, b, p, reduction, scan, constant, .. } = words;
        match kind {
            8 | 9 => self.push_number(&format!("OpGroupNonUniformShuffle %subgroup {a} {b}")),
            10 => self.push_number(&format!("OpGroupNonUniformShuffleXor %subgroup {a} {b}")),
            11 => self.push_number(&format!("OpGroupNonUniformShuffleUp %subgroup {a} {b}")),
            12 => self.push_number(&format!("OpGroupNonUniformShuffleDown %subgroup {a} {b}")),
            13 => {
                let uniform = format!("%{}_u", self.side);
                let u = if k < 7 { uniform.as_str() } else { b.as_str() };
                self.push_number(&format!("OpGroupNonUniformRotateKHR %subgroup {a} {u}"));
            }
            14 => {
                let cluster = ["%n1", "%n2", "%n4"][usize::from(k) % 3];
                self.push_number(&format!(
                    "OpGroupNonUniformRotateKHR %subgroup {a} {constant} {cluster}"
                ));
            }
            15 => {
                let lane = if k < 7 { *constant } else { b.as_str() };
                self.push_number(&format!("OpGroupNonUniformBroadcast %subgroup {a} {lane}"));
            }
            16 | 17 => self.push_number(&format!("OpGroupNonUniformBroadcastFirst %subgroup {a}")),
            18 | 19 => {
                self.push_number(&format!("OpGroupNonUniform{reduction} %subgroup {scan} {a}"));
            }
            20 => {
                let cluster = ["%n1", "%n2", "%n4"][usize::from(j) % 3];
                self.push_number(&format!(
                    "OpGroupNonUniform{reduction} %subgroup ClusteredReduce {a} {cluster}"
                ));
            }
            34 => self.push_truth(&format!("OpGroupNonUniformAny %subgroup {p}")),
            35 => self.push_truth(&format!("OpGroupNonUniformAll %subgroup {p}")),
            36 => self.push_truth(&format!("OpGroupNonUniformAllEqual %subgroup {a}")),
            37 => self.push_truth("OpGroupNonUniformElect %subgroup"),
            47 => {
                let pair = self.result("pair", &format!("OpCompositeConstruct {a} {b}"));
                let first = format!("OpGroupNonUniformBroadcastFirst %subgroup {pair}");
                let first = self.result("pair", &first);
                self.push_number(&format!("OpCompositeExtract {first} 0"));
                self.push_number(&format!("OpCompositeExtract {first} 1"));
            }
            48 => self.push_truth(&format!("OpGroupNonUniformBroadcastFirst %subgroup {p}")),
            51 => {
                let lane = self.result("uint", &format!("OpUConvert {b}"));
                let c = self.number(k);
                self.push_number(&match k % 4 {
                    0 => format!("OpSubgroupShuffleINTEL {a} {lane}"),
                    1 => format!("OpSubgroupShuffleXorINTEL {a} {lane}"),
                    2 => format!("OpSubgroupShuffleDownINTEL {a} {c} {lane}"),
                    _ => format!("OpSubgroupShuffleUpINTEL {a} {c} {lane}"),
                });
            }
            _ => return false,
        }
        true
    }

    /// Ballots and partitions, likewise.
    fn balloted(&mut self, (kind, _): Step, words: &Words) -> bool {
        let Words { a, b, p, reduction, scan, .. } = words;
        match kind {
            24 => {
                let ballot =
                    self.result("uvec4", &format!("OpGroupNonUniformBallot %subgroup {p}"));
                let count = format!("OpGroupNonUniformBallotBitCount %subgroup {scan} {ballot}");
                let count = self.result("uint", &count);
                self.push_number(&format!("OpUConvert {count}"));
            }
            28 => {
                let partition = self.result("uvec4", &format!("OpGroupNonUniformPartitionNV {a}"));
                self.push_number(&format!(
                    "OpGroupNonUniform{reduction} %subgroup Partitioned{scan}NV {b} {partition}"
                ));
            }
            38 => {
                let ballot =
                    self.result("uvec4", &format!("OpGroupNonUniformBallot %subgroup {p}"));
                let index = self.result("uint", &format!("OpUConvert {b}"));
                self.push_truth(&format!(
                    "OpGroupNonUniformBallotBitExtract %subgroup {ballot} {index}"
                ));
            }
            46 => {
                let ballot =
                    self.result("uvec4", &format!("OpGroupNonUniformBallot %subgroup {p}"));
                self.push_number(&format!(
                    "OpGroupNonUniform{reduction} %subgroup PartitionedReduceNV {b} {ballot}"
                ));
            }
            _ => return false,
        }
        true
    }

    /// Composites and variables, likewise.
    fn composed(&mut self, (kind, [_, j, k]): Step, words: &Words) -> bool {
        let Words { a, b, p, constant, .. } = words;
        match kind {
            21 => {
                let id = self.result("uint", "OpLoad %id");
                self.push_number(&format!("OpUConvert {id}"));
            }
            27 => self.push_number("OpUndef"),
            43 => {
                let array = self.local("%local_pairs");
                let index = self.number(k);
                for (place, value) in [("%c0", a), ("%c1", b)] {
                    let element = self.result("local", &format!("OpAccessChain {array} {place}"));
                    self.line(&format!("OpStore {element} {value}"));
                }
                let element = self.result("local", &format!("OpAccessChain {array} {index}"));
                self.push_number(&format!("OpLoad {element}"));
            }
            44 => {
                let pair = self.result("pair", &format!("OpCompositeConstruct {a} {b}"));
                match k % 3 {
                    0 => {
                        let shuffled = format!("OpVectorShuffle {pair} {pair} 1 0xffffffff");
                        let shuffled = self.result("pair", &shuffled);
                        self.push_number(&format!("OpCompositeExtract {shuffled} 0"));
                        self.push_number(&format!("OpCompositeExtract {shuffled} 1"));
                    }
                    1 => self.push_number(&format!("OpVectorExtractDynamic {pair} {b}")),
                    _ => {
                        let sum = self.result("pair", &format!("OpIAdd {pair} {pair}"));
                        self.push_number(&format!("OpCompositeExtract {sum} 0"));
                    }
                }
            }
            50 => {
                let size = if self.kernel && j % 2 == 0 { "%max_size" } else { "%size" };
                let size = self.result("uint", &format!("OpLoad {size}"));
                let less = self.result("uint", &format!("OpISub {size} %n1"));
                self.push_number(&format!("OpUConvert {less}"));
            }
            58 => match k % 2 {
                0 => {
                    self.truths.push("%choice".to_owned());
                    self.push_number(&format!("OpSelect %choice {a} {b}"));
                }
                _ => self.push_truth(&format!("OpLogicalNotEqual %not_choice {p}")),
            },
            57 => {
                let grid = self.local("%local_grid");
                self.line(&format!("OpStore {grid} %empty_grid"));
                let c = self.number(k);
                let at = |row: &str, column: &str| format!("OpAccessChain {grid} {row} {column}");
                let there = self.result("local", &at(a, b));
                self.line(&format!("OpStore {there} {c}"));
                let element = self.result("local", &at(constant, &c));
                self.push_number(&format!("OpLoad {element}"));
            }
            _ => return false,
        }
        true
    }

    /// Branches, loops and calls; early returns for all other kinds.
    fn controlled(&mut self, (kind, [i, j, k]): Step, words: &Words) -> bool {
        let Words { a, b, p, q, .. } = words;
        match kind {
            22 | 23 => {
                let (from, merge) = self.branch(p);
                let inner = match k % 7 {
                    0 => format!("OpGroupNonUniformBroadcastFirst %subgroup {a}"),
                    1 => format!("OpIAdd {a} %undef_two"),
                    2 => format!("OpGroupNonUniformIAdd %subgroup Reduce {a}"),
                    3 => format!("OpGroupNonUniformShuffle %subgroup {a} {b}"),
                    4 => {
                        let variable = self.variable();
                        self.line(&format!("OpStore {variable} {b}"));
                        format!("OpFunctionCall %helper {variable}")
                    }
                    5 => format!("OpShiftLeftLogical {a} {b}"),
                    _ => format!("OpCopyObject {a}"),
                };
                let inner = self.result("two", &inner);
                let then = self.join(&merge);
                self.push_number(&format!("OpPhi {inner} {then} {b} {from}"));
            }
            25 => {
                let variable = self.variable();
                let (_, merge) = self.branch(p);
                self.line(&format!("OpStore {variable} {b}"));
                self.join(&merge);
                self.push_number(&format!("OpLoad {variable}"));
            }
            26 => {
                let variable = self.variable();
                self.line(&format!("OpStore {variable} {a}"));
                self.push_number(&format!("OpFunctionCall %helper {variable}"));
                self.push_number(&format!("OpLoad {variable}"));
            }
            // Whether an assumption excuses undefined behavior before it is for no test to say.
            39 if self.property => {}
            39 => self.line(&format!("OpAssumeTrueKHR {p}")),
            60 => {
                let merge = self.fresh();
                self.line(&format!("OpSelectionMerge {merge} None"));
                self.line(&match k % 2 {
                    0 => format!("OpBranchConditional {p} {merge} {merge}"),
                    _ => format!("OpSwitch {a} {merge} 1 {merge}"),
                });
                self.label(&merge);
            }
            45 | 59 => self.switch(&switches::Kind { shape: k, work: j }, a, b, p),
            52..=54 => {
                let kind = loops::Kind { early: kind == 54, leave: k, work: i.wrapping_add(j) };
                self.iterate(&kind, &loops::Taken { a, b, p, q });
            }
            40 => {
                let (_, merge) = self.branch(p);
                match k % 2 {
                    0 if !self.property => self.line(&format!("OpAssumeTrueKHR {q}")),
                    _ => drop(self.result("two", &format!("OpUDiv {a} {b}"))),
                }
                self.join(&merge);
            }
            55 => {
                let (_, merge) = self.branch(p);
                self.line(if k % 3 == 0 { "OpKill" } else { "OpTerminateInvocation" });
                self.label(&merge);
            }
            56 => self.push_number(&format!("OpFunctionCall %killer {p} {a}")),
            _ => {
                let (_, merge) = self.branch(p);
                self.give_back(a, b, q);
                self.label(&merge);
            }
        }
        true
    }
}
