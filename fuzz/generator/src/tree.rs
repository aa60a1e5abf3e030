//! A module as a tree of statements: what the generator grows, what a reducer cuts and what is
//! written as SPIR-V.
//!
//! Control flow is structured by construction. A value is visible in the rest of its block and in
//! the blocks nested there; it leaves a construct through the construct's results only, which
//! become `OpPhi`.

pub(crate) mod copy;

use std::sync::Arc;

use laneproof_semantics::{Scalar, Type};
use rspirv::spirv::{Capability, GroupOperation, Op};

use crate::foreign::Foreign;
use laneproof_semantics::ModuleKind;

/// A value, numbered within its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreeValue(pub u32);

/// A value with its type, where it is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeDefinition {
    /// The value.
    pub value: TreeValue,
    /// Its type.
    pub ty: Type,
}

/// A constant of a scalar or vector type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeConstant {
    /// Its type.
    pub ty: Type,
    /// The bits of each component.
    pub bits: Vec<u64>,
}

impl TreeConstant {
    /// All components have these bits.
    pub fn splat(ty: Type, bits: u64) -> Self {
        let bits = vec![bits; ty.leaf_count()];
        Self { ty, bits }
    }

    /// A 32-bit unsigned integer.
    pub fn word(number: u32) -> Self {
        Self::splat(Type::U32, u64::from(number))
    }
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeOperand {
    /// What an earlier statement defined.
    Value(TreeValue),
    /// A constant.
    Constant(TreeConstant),
    /// A group operation.
    Operation(GroupOperation),
    /// A literal number.
    Literal(u32),
}

/// An instruction that computes, without effect on memory or control flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeInstruction {
    /// What it defines.
    pub result: TreeDefinition,
    /// The opcode.
    pub op: Op,
    /// The operands after result type and result.
    pub operands: Vec<TreeOperand>,
    /// The capabilities that it needs beyond those of its types.
    pub capabilities: Vec<Capability>,
    /// The extension that it needs.
    pub extension: Option<&'static str>,
}

/// Where memory is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreePlace {
    /// A function-local variable of the entry point, by index.
    Variable(usize),
    /// A word of workgroup memory; the index is reduced modulo [`SHARED_WORDS`].
    Shared(TreeOperand),
}

/// How many words of workgroup memory a module has.
pub const SHARED_WORDS: u32 = 256;

/// How many words atomics work on.
pub const ATOMIC_WORDS: u32 = 8;

/// One step of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeStatement {
    /// Computes.
    Instruction(TreeInstruction),
    /// Reads memory.
    Load {
        /// What is read.
        result: TreeDefinition,
        /// From where.
        from: TreePlace,
    },
    /// Writes memory.
    Store {
        /// To where.
        to: TreePlace,
        /// What.
        value: TreeOperand,
    },
    /// Leaves a value in the output buffer, in words of its own.
    Output {
        /// The first of the lane's output words.
        word: u32,
        /// What.
        value: TreeOperand,
        /// Its type.
        ty: Type,
    },
    /// An atomic on a word of the atomics' buffer.
    Atomic {
        /// What the lane finds there.
        result: TreeDefinition,
        /// The opcode.
        op: Op,
        /// Which word, below [`ATOMIC_WORDS`].
        word: u32,
        /// The operand.
        value: TreeOperand,
    },
    /// Waits for the workgroup; orders workgroup memory.
    Barrier,
    /// Calls a function of the module, by index.
    Call {
        /// What it returns.
        result: TreeDefinition,
        /// Which function.
        function: usize,
        /// With what.
        arguments: Vec<TreeOperand>,
    },
    /// Calls a function of another module, by index.
    Foreign {
        /// What it returns.
        result: TreeDefinition,
        /// Which function.
        function: usize,
        /// With what.
        arguments: Vec<TreeOperand>,
    },
    /// A selection of two arms.
    If(If),
    /// A selection of many.
    Switch(Switch),
    /// A loop.
    Loop(TreeLoop),
}

/// Two arms and what they yield.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct If {
    /// A Boolean.
    pub condition: TreeOperand,
    /// Where it is true.
    pub then: TreeBlock,
    /// Where it is false.
    pub otherwise: TreeBlock,
    /// What comes out, in the order of the values that the arms yield.
    pub results: Vec<TreeDefinition>,
}

/// Cases and what they yield.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// A 32-bit integer.
    pub selector: TreeOperand,
    /// In the order in which they fall through.
    pub cases: Vec<Case>,
    /// What the results are where no case is taken; only without a default case.
    pub unmatched: Vec<TreeOperand>,
    /// What comes out.
    pub results: Vec<TreeDefinition>,
}

/// A case of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The selector's values that lead here.
    pub literals: Vec<u32>,
    /// All other values lead here too.
    pub default: bool,
    /// What is done.
    pub body: TreeBlock,
}

/// When a loop ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoopKind {
    /// The number of iterations is compared with the limit in the header.
    While,
    /// It is compared in the continue block: there is one iteration at least.
    DoWhile,
    /// Only by a break.
    Endless,
}

/// A loop with a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeLoop {
    /// When it ends.
    pub kind: LoopKind,
    /// A 32-bit number of iterations.
    pub limit: TreeOperand,
    /// The number of iterations so far, from 0.
    pub counter: TreeValue,
    /// What each iteration hands to the next.
    pub carried: Vec<TreeCarried>,
    /// Yields what the next iteration gets; a break gives the results.
    pub body: TreeBlock,
    /// What comes out: one for each carried value.
    pub results: Vec<TreeDefinition>,
}

/// A value that a loop carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeCarried {
    /// As iterations see it.
    pub definition: TreeDefinition,
    /// In the first iteration.
    pub initial: TreeOperand,
}

/// Statements and how they end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeBlock {
    /// One after the other.
    pub statements: Vec<TreeStatement>,
    /// What follows.
    pub end: End,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// At the end of the construct that it is an arm of; of a loop's body, in its continue block.
    Yield(Vec<TreeOperand>),
    /// In the next case of the switch.
    FallThrough,
    /// Behind the innermost loop.
    Break(Vec<TreeOperand>),
    /// In the continue block of the innermost loop.
    Continue(Vec<TreeOperand>),
    /// Out of the function.
    Return(Option<TreeOperand>),
    /// Nowhere: the last statement has no arm that yields.
    Unreachable,
}

/// A function beside the entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFunction {
    /// What it takes.
    pub parameters: Vec<TreeDefinition>,
    /// What it returns.
    pub result: Type,
    /// What it does.
    pub body: TreeBlock,
}

/// What a module is for, and how it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleTarget {
    /// What it is for.
    pub module_kind: ModuleKind,
    /// SPIR-V's version.
    pub version: (u8, u8),
    /// The subgroup size that it is meant to run at.
    pub subgroup_size: u32,
    /// Invocations of the workgroup, in one dimension.
    pub workgroup: u32,
    /// It declares `MaximallyReconvergesKHR`.
    pub maximal_reconvergence: bool,
}

/// A whole module with one entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// What a module is for, and how it is run.
    pub target: ModuleTarget,
    /// `SubgroupLocalInvocationId` as 32 bits.
    pub lane: TreeValue,
    /// `LocalInvocationIndex` as 32 bits.
    pub invocation: TreeValue,
    /// What each invocation reads from its own words of the input buffer.
    pub inputs: Vec<TreeDefinition>,
    /// Function-local variables of the entry point.
    pub variables: Vec<Type>,
    /// Words that each invocation writes.
    pub output_words: u32,
    /// Functions; each calls only later ones.
    pub functions: Vec<TreeFunction>,
    /// Another module, whose functions can be called.
    pub foreign: Option<Arc<Foreign>>,
    /// The body of the entry point.
    pub body: TreeBlock,
    /// The first value that is not defined yet.
    pub next: u32,
}

/// How many 32-bit words a value takes in a buffer.
pub fn words_of(ty: &Type) -> u32 {
    ty.leaves().iter().map(|scalar| scalar_words(*scalar)).sum()
}

/// Likewise each of its scalars.
pub fn scalar_words_of(ty: &Type) -> Vec<u32> {
    ty.leaves().iter().map(|scalar| scalar_words(*scalar)).collect()
}

/// How many 32-bit words a scalar takes in a buffer.
pub(crate) fn scalar_words(scalar: Scalar) -> u32 {
    if scalar.width() > 32 { 2 } else { 1 }
}

impl Tree {
    /// The words that each invocation reads.
    pub fn input_words(&self) -> u32 {
        self.inputs.iter().map(|input| words_of(&input.ty)).sum()
    }

    /// Calls `see` with every statement, which it may change, outer ones first.
    pub fn each_mut(&mut self, see: &mut dyn FnMut(&mut TreeStatement)) {
        self.functions.iter_mut().for_each(|function| function.body.each_mut(see));
        self.body.each_mut(see);
    }

    /// Calls `see` with every statement, outer ones first.
    pub fn each<'t>(&'t self, see: &mut dyn FnMut(&'t TreeStatement)) {
        self.functions.iter().for_each(|function| function.body.each(see));
        self.body.each(see);
    }
}

/// Whether nothing comes out of the last statement.
pub(crate) fn ends_dead(statements: &[TreeStatement]) -> bool {
    match statements.last() {
        Some(TreeStatement::If(it)) => !it.then.yields() && !it.otherwise.yields(),
        Some(TreeStatement::Switch(it)) => {
            it.cases.iter().any(|case| case.default)
                && it.cases.iter().all(|case| !case.body.yields())
        }
        _ => false,
    }
}

impl TreeBlock {
    /// Calls `see` with every statement in it, outer ones first.
    pub fn each<'t>(&'t self, see: &mut dyn FnMut(&'t TreeStatement)) {
        for statement in &self.statements {
            see(statement);
            match statement {
                TreeStatement::If(it) => {
                    it.then.each(see);
                    it.otherwise.each(see);
                }
                TreeStatement::Switch(it) => it.cases.iter().for_each(|case| case.body.each(see)),
                TreeStatement::Loop(it) => it.body.each(see),
                _ => {}
            }
        }
    }

    fn each_mut(&mut self, see: &mut dyn FnMut(&mut TreeStatement)) {
        for statement in &mut self.statements {
            see(statement);
            copy::arms(statement).into_iter().for_each(|arm| arm.each_mut(see));
        }
    }

    /// Whether control leaves it at its own end.
    pub fn yields(&self) -> bool {
        matches!(self.end, End::Yield(_))
    }
}
