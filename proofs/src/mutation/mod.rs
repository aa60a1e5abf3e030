//! What is proved, broken: the target with another operator or another constant in one place. If
//! the prover proves such a mutant, too, either the place does not matter, or the prover ignores
//! it.

mod alike;
mod constant;
mod fate;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use laneproof_frontends::Compilers;
use laneproof_module::spirv::{Capability, Op};
use laneproof_module::{Id, Named, Operand, Program, disassemble, grammar, lines_of_instructions};
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, load_words};
use serde::Serialize;

use crate::entry::Entry;
use crate::run_error::RunError;
use constant::Constants;
pub use fate::{Fate, Mutation, mutate_all};

/// A module with one change in its target.
#[derive(Clone, Debug, Serialize)]
pub struct Mutant {
    /// Line of the change, from 1.
    pub line: u32,
    /// The instruction at that place.
    pub instruction: String,
    /// What is changed.
    pub before: String,
    /// What it is changed to.
    pub after: String,
    /// The module, in binary.
    #[serde(skip)]
    pub words: Vec<u32>,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, instruction, before, after, .. } = self;
        write!(f, "line {line}, {before} to {after} in `{instruction}`")
    }
}

/// A change of one instruction.
struct Change {
    before: String,
    after: String,
    kind: Kind,
}

enum Kind {
    Instruction(Op),
    Operand(usize, Operand),
    /// Two operands change places.
    Swap(usize, usize),
    /// An operand becomes a constant of this type with these operands.
    Constant {
        operand: usize,
        ty: Id,
        op: Op,
        operands: Vec<Operand>,
    },
}

/// Every mutant of the target of an entry, well-formed or not; empty without a target. Lines are
/// those of the assembly; for other languages, of the output of [`disassemble`].
///
/// # Errors
///
/// The module does not load.
pub fn mutants(entry: &Entry, compilers: &Compilers<'_>) -> Result<Vec<Mutant>, RunError> {
    let source = entry.source()?;
    let words = source.words(compilers)?;
    let Ok(module) = load_words(&words) else { return Ok(Vec::new()) };
    let program = source.program(compilers)?;
    let assembly = match source.is_compiled() {
        true => disassemble(&words).unwrap_or_default(),
        false => entry.text.clone(),
    };
    let lines = lines_of_instructions(&assembly);
    let text: Vec<&str> = assembly.lines().collect();
    let targets = target_functions(&program, &module);
    let constants = Constants::of(&module, &program);
    let mut found = Vec::new();
    let mut index = module.global_inst_iter().count();
    for (number, function) in module.functions.iter().enumerate() {
        let theirs = targets.contains(&number);
        for (place, instruction) in function.all_inst_iter().enumerate() {
            let line = lines.get(index).copied().unwrap_or(0);
            index += 1;
            if !theirs {
                continue;
            }
            let shown = text.get((line as usize).wrapping_sub(1)).map_or("", |it| it.trim());
            for change in changes(instruction, &constants, &program) {
                let mut changed = module.clone();
                change.kind.apply(&mut changed, number, place);
                found.push(Mutant {
                    line,
                    instruction: shown.to_owned(),
                    before: change.before,
                    after: change.after,
                    words: changed.assemble(),
                });
            }
        }
    }
    Ok(found)
}

/// The functions, by number, that only the target calls.
fn target_functions(program: &Program, module: &Module) -> BTreeSet<usize> {
    let number: BTreeMap<Id, usize> =
        module.functions.iter().enumerate().filter_map(|(n, it)| Some((it.def_id()?, n))).collect();
    let called = |root: &str| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<usize> =
            program.function(root).and_then(|it| number.get(&it.id).copied()).into_iter().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                let calls = module.functions[next].all_inst_iter();
                let calls = calls.filter(|it| it.class.opcode == Op::FunctionCall);
                let callees = calls.filter_map(|it| it.operands.first()?.id_ref_any());
                open.extend(callees.filter_map(|id| number.get(&id)));
            }
        }
        seen
    };
    &called("tgt") - &called("src")
}

/// Every change of one instruction.
fn changes(instruction: &Instruction, constants: &Constants<'_>, program: &Program) -> Vec<Change> {
    let op = instruction.class.opcode;
    let mut changes: Vec<Change> = alike::instructions(op)
        .filter(|other| takes(*other, instruction.operands.len()))
        .map(|other| Change {
            before: op.name().to_owned(),
            after: other.name().to_owned(),
            kind: Kind::Instruction(other),
        })
        .collect();
    let two = match op {
        Op::Select | Op::BranchConditional => Some((1, 2)),
        _ => None,
    };
    if let Some((first, second)) = two {
        let name = |operand: usize| {
            instruction.operands[operand]
                .id_ref_any()
                .map_or(String::new(), |it| program.name_of(it))
        };
        changes.push(Change {
            before: format!("{} {}", name(first), name(second)),
            after: format!("{} {}", name(second), name(first)),
            kind: Kind::Swap(first, second),
        });
    }
    for (index, operand) in instruction.operands.iter().enumerate() {
        match operand {
            Operand::GroupOperation(operation) => {
                changes.extend(alike::operations(*operation).map(|other| Change {
                    before: operation.name().to_owned(),
                    after: other.name().to_owned(),
                    kind: Kind::Operand(index, Operand::GroupOperation(other)),
                }));
            }
            Operand::IdRef(id) => changes.extend(constants.others(*id, index)),
            // A component's number, or a case of a switch; no alignment or other hint.
            Operand::LiteralBit32(literal) if takes_numbers(op) => {
                let other = literal.wrapping_add(1);
                changes.push(Change {
                    before: literal.to_string(),
                    after: other.to_string(),
                    kind: Kind::Operand(index, Operand::LiteralBit32(other)),
                });
            }
            _ => {}
        }
    }
    changes
}

/// Whether an instruction takes this number of operands.
fn takes(op: Op, operands: usize) -> bool {
    let results = [grammar::OperandKind::IdResultType, grammar::OperandKind::IdResult];
    let known = grammar::INSTRUCTION_TABLE.get(op).operands;
    known.iter().filter(|it| !results.contains(&it.kind)).count() >= operands
}

/// The literal numbers of this instruction are part of what it computes.
fn takes_numbers(op: Op) -> bool {
    matches!(op, Op::CompositeExtract | Op::CompositeInsert | Op::VectorShuffle | Op::Switch)
}

impl Kind {
    /// Changes the instruction at `place` in function `number`.
    fn apply(self, module: &mut Module, number: usize, place: usize) {
        if let Self::Instruction(op) = self {
            declare(module, op);
        }
        let constant = match &self {
            Self::Constant { ty, op, operands, .. } => {
                Some(new_constant(module, *ty, *op, operands))
            }
            _ => None,
        };
        let Some(instruction) = module.functions[number].all_inst_iter_mut().nth(place) else {
            return;
        };
        match self {
            Self::Instruction(op) => {
                instruction.class = grammar::INSTRUCTION_TABLE.get(op);
            }
            Self::Operand(operand, other) => instruction.operands[operand] = other,
            Self::Swap(first, second) => instruction.operands.swap(first, second),
            Self::Constant { operand, .. } => {
                instruction.operands[operand] = Operand::IdRef(constant.unwrap_or(0));
            }
        }
    }
}

/// Adds a constant, and gives its id.
fn new_constant(module: &mut Module, ty: Id, op: Op, operands: &[Operand]) -> Id {
    let Some(header) = &mut module.header else { return 0 };
    let id = header.bound;
    header.bound += 1;
    module.types_global_values.push(Instruction::new(op, Some(ty), Some(id), operands.to_vec()));
    id
}

/// Declares what an instruction needs, as far as no extension has to be named for it.
fn declare(module: &mut Module, op: Op) {
    let needed = grammar::INSTRUCTION_TABLE.get(op).capabilities;
    let declared = |it: &Capability| {
        module.capabilities.iter().any(|one| one.operands == [Operand::Capability(*it)])
    };
    if !needed.iter().any(declared)
        && let Some(capability) = needed.first()
    {
        let operands = vec![Operand::Capability(*capability)];
        module.capabilities.push(Instruction::new(Op::Capability, None, None, operands));
    }
}
