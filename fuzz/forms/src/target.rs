//! What there is to check: every instruction and built-in variable of a specification.

use std::fmt;
use std::sync::Arc;

use laneproof_module::Named;
use laneproof_module::spirv::GroupOperation;
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::{
    BuiltIn, Operand, OperandType, SpecInstruction, Statement,
};

use crate::typing::DOT_PRODUCTS;

/// Something with clauses.
#[derive(Clone, Debug)]
pub enum CheckedSubject {
    /// An instruction.
    Instruction(Arc<SpecInstruction>),
    /// A built-in variable.
    BuiltIn(Arc<BuiltIn>),
}

/// A subject and, where it takes one, a group operation.
#[derive(Clone, Debug)]
pub struct Target {
    /// The instruction or built-in variable.
    pub subject: CheckedSubject,
    /// The group operation.
    pub operation: Option<Arc<str>>,
}

/// An instruction that is not checked, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// Its name.
    pub name: Arc<str>,
    /// Why it is not.
    pub reason: &'static str,
}

impl Target {
    /// The name of the instruction or built-in variable.
    pub fn name(&self) -> &Arc<str> {
        match &self.subject {
            CheckedSubject::Instruction(instruction) => &instruction.name,
            CheckedSubject::BuiltIn(built_in) => &built_in.name,
        }
    }

    /// It is of an extended set: in a module, the set and its number come before its operands.
    pub fn is_extended(&self) -> bool {
        match &self.subject {
            CheckedSubject::Instruction(instruction) => instruction.extended_set().is_some(),
            CheckedSubject::BuiltIn(_) => false,
        }
    }
}

impl Target {
    /// It has a meaning at Workgroup scope too. Partitions are of a subgroup's lanes only, and
    /// a rotation's place in a workgroup is a vector, which no sum takes.
    pub(crate) fn can_span_workgroups(&self) -> bool {
        let own = self.operation.as_ref().and_then(|it| own_operand(it));
        own != Some(OperandType::Ballot) && &**self.name() != "OpGroupNonUniformRotateKHR"
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.operation {
            Some(operation) => write!(f, "{} {operation}", self.name()),
            None => write!(f, "{}", self.name()),
        }
    }
}

/// So that their cases leave those of the other instructions as they are.
const CHOSEN_LAST: [&str; 2] = ["OpIsFinite", "OpLessOrGreater"];

fn is_chosen_last(name: &str) -> bool {
    DOT_PRODUCTS.contains(&name) || CHOSEN_LAST.contains(&name)
}

/// All targets of a specification, and the excluded instructions.
pub fn targets(specification: &Specification) -> (Vec<Target>, Vec<Excluded>) {
    let mut found = Vec::new();
    let mut excluded = Vec::new();
    for instruction in specification.instructions.values().filter(|it| !it.primitive) {
        match exclusion(instruction) {
            Some(reason) => excluded.push(Excluded { name: instruction.name.clone(), reason }),
            None => {
                found.extend(operations(specification, instruction).into_iter().map(|operation| {
                    Target { subject: CheckedSubject::Instruction(instruction.clone()), operation }
                }))
            }
        }
    }
    for built_in in specification.built_ins.values() {
        let subject = CheckedSubject::BuiltIn(built_in.clone());
        found.push(Target { subject, operation: None });
    }
    // By number cases are chosen: extended sets may grow without changing those of the others.
    let opaque = |it: &Operand| it.ty == OperandType::Opaque;
    found.sort_by_key(|target| match &target.subject {
        CheckedSubject::Instruction(it) if is_chosen_last(&it.name) => 4,
        CheckedSubject::Instruction(instruction) if instruction.operands.iter().any(opaque) => 3,
        CheckedSubject::Instruction(instruction) if orders_memory(instruction) => 2,
        _ => u8::from(target.is_extended()),
    });
    (found, excluded)
}

fn exclusion(instruction: &SpecInstruction) -> Option<&'static str> {
    let pointers = |it: &&Operand| matches!(it.ty, OperandType::Pointer(_));
    let copies = instruction.operands.iter().filter(pointers).count() > 1;
    copies.then_some("its copies show in memory only")
}

/// The group operations that an instruction can take: those whose own operand it has.
fn operations(
    specification: &Specification,
    instruction: &SpecInstruction,
) -> Vec<Option<Arc<str>>> {
    let kind = instruction.operands.iter().find_map(|operand| match &operand.ty {
        OperandType::Enumerant(kind) if !operand.optional => Some(kind),
        _ => None,
    });
    let Some(names) = kind.and_then(|kind| specification.enumerants.get(kind)) else {
        return vec![None];
    };
    let takes = |ty: &OperandType| {
        instruction.operands.iter().any(|operand| operand.optional && operand.ty == *ty)
    };
    names
        .iter()
        .filter(|name| match own_operand(name) {
            Some(ty) => takes(&ty),
            None => true,
        })
        .map(|name| Some(name.clone()))
        .collect()
}

/// The optional operand that comes with a group operation.
pub(crate) fn own_operand(operation: &str) -> Option<OperandType> {
    match GroupOperation::of_name(operation)? {
        GroupOperation::ClusteredReduce => Some(OperandType::AnyInt),
        GroupOperation::PartitionedReduceEXT
        | GroupOperation::PartitionedInclusiveScanEXT
        | GroupOperation::PartitionedExclusiveScanEXT => Some(OperandType::Ballot),
        GroupOperation::Reduce | GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan => {
            None
        }
    }
}

/// Whether an instruction puts accesses to memory in order.
pub fn orders_memory(instruction: &SpecInstruction) -> bool {
    let mut statements = instruction.clauses.iter().flat_map(|clause| &clause.statements);
    statements.any(|(statement, _)| matches!(statement, Statement::Orders(..)))
}
