//! Instructions of the specification and their rows in the grammar.

use laneproof_module::grammar::{
    BaseInstruction as Row, ExtInstOp, GLSL_STD_450_INSTRUCTION_TABLE, INSTRUCTION_TABLE,
    InstructionTable, LogicalOperand, OPENCL_STD_100_INSTRUCTION_TABLE, OperandKind,
    OperandQuantifier,
};
use laneproof_module::spirv::{Capability, Op};
use laneproof_module::{Named, names};
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::{OperandType, SpecInstruction};

use super::{Noted, Observation};

/// Sets of extended instructions, by the names that modules import them under.
const SETS: [(&str, &InstructionTable<ExtInstOp>); 2] = [
    ("GLSL.std.450", &GLSL_STD_450_INSTRUCTION_TABLE),
    ("OpenCL.std", &OPENCL_STD_100_INSTRUCTION_TABLE),
];

/// The grammar's row for an instruction of the specification.
#[derive(Clone, Copy)]
pub struct GrammarEntry {
    /// The set of extended instructions that it is of; `None`: it is one of the core.
    set: Option<&'static str>,
    name: &'static str,
    number: u32,
    capabilities: &'static [Capability],
    pub(super) extensions: &'static [&'static str],
    pub(super) operands: &'static [LogicalOperand],
}

impl GrammarEntry {
    /// By any of its names; an extended instruction's is that of its set and its own.
    pub fn of(name: &str) -> Option<Self> {
        let Some((set, own)) = name.split_once(' ') else {
            return INSTRUCTION_TABLE.lookup_opcode(Op::of_name(name)?.number()).map(Self::at);
        };
        let (set, table) = SETS.into_iter().find(|(known, _)| *known == set)?;
        let row = table.iter().find(|row| row.opname == own)?;
        Some(Self { set: Some(set), ..Self::at(row) })
    }

    /// The opcode of a row.
    pub(super) fn at<Code: Copy + Into<u32>>(row: &'static Row<'static, Code>) -> Self {
        Self {
            set: None,
            name: row.opname,
            number: row.opcode.into(),
            capabilities: row.capabilities,
            extensions: row.extensions,
            operands: row.operands,
        }
    }

    /// Its name there, with that of its set.
    pub fn name(&self) -> String {
        match self.set {
            Some(set) => format!("{set} {}", self.name),
            None => format!("Op{}", self.name),
        }
    }

    /// The set of extended instructions that its number is of; `None`: it is one of the core.
    pub fn set(&self) -> Option<&'static str> {
        self.set
    }

    /// Its number.
    pub fn opcode(&self) -> u32 {
        self.number
    }

    /// The extensions that bring it, by the grammar.
    pub fn brought_by(&self) -> &'static [&'static str] {
        self.extensions
    }

    /// The alternative capabilities.
    pub fn capabilities(&self) -> Vec<String> {
        self.capabilities.iter().map(|capability| capability.name().to_owned()).collect()
    }
}

/// The instructions of the core that a capability enables, alone or beside others.
pub fn enabled_by(capability: &str) -> Vec<String> {
    let enables = |entry: &GrammarEntry| entry.capabilities().iter().any(|name| name == capability);
    let entries = INSTRUCTION_TABLE.iter().map(GrammarEntry::at);
    entries.filter(enables).map(|entry| entry.name()).collect()
}

/// The instructions of the core whose names begin so.
pub fn named_like(beginning: &str) -> Vec<String> {
    let names = INSTRUCTION_TABLE.iter().map(|row| format!("Op{}", row.opname));
    names.filter(|name| name.starts_with(beginning)).collect()
}

/// The instructions of the core that have an operand of a kind of tokens.
pub fn taking(kind: &str) -> Vec<String> {
    let of_kind = |operand: &LogicalOperand| names::kind_of_operands(operand.kind) == Some(kind);
    let rows = INSTRUCTION_TABLE.iter().filter(|row| row.operands.iter().any(of_kind));
    rows.map(|row| format!("Op{}", row.opname)).collect()
}

/// The extensions that bring an instruction: the grammar's, or the document that defines it.
pub fn extensions(entry: Option<&GrammarEntry>, instruction: &SpecInstruction) -> Vec<String> {
    let listed = entry.map_or(&[][..], |entry| entry.extensions);
    if listed.is_empty() && instruction.document.starts_with("SPV_") {
        return vec![instruction.document.to_string()];
    }
    listed.iter().map(|&name| name.to_owned()).collect()
}

/// What the grammar says otherwise of instructions as they are declared.
pub(super) fn observations(specification: &Specification) -> Vec<Observation> {
    let instructions = specification.instructions.values().filter(|it| !it.primitive);
    let observed = instructions.flat_map(|it| {
        // Operands that another document adds are that document's.
        let added = specification.facts_of(&it.name).find(|fact| fact.adds);
        let (document, citation) = match added {
            Some(fact) => (&fact.document, fact.citation()),
            None => (&it.document, format!("{}, {}", it.document, it.section)),
        };
        of_one(it).into_iter().map(move |noted| Observation {
            kind: "Opcode".to_owned(),
            token: it.name.to_string(),
            document: document.to_string(),
            citation: citation.clone(),
            noted,
        })
    });
    observed.collect()
}

fn of_one(instruction: &SpecInstruction) -> Vec<Noted> {
    let name = &*instruction.name;
    let Some(row) = GrammarEntry::of(name) else {
        return vec!["the grammar has no such instruction".to_owned().into()];
    };
    let mut lines = Vec::new();
    if name != row.name() {
        lines.push(Noted::renamed(&row.name()));
    }
    let is = |kind: OperandKind| row.operands.iter().any(|operand| operand.kind == kind);
    // Extended instructions have a result, all of them: it is `OpExtInst`'s.
    match (instruction.result.is_some(), is(OperandKind::IdResult) || row.set.is_some()) {
        (true, false) => lines.push("has a result here, none in the grammar".to_owned().into()),
        (false, true) => lines.push("has no result here, one in the grammar".to_owned().into()),
        _ => {}
    }
    let results = [OperandKind::IdResultType, OperandKind::IdResult];
    let operands = row.operands.iter().filter(|operand| !results.contains(&operand.kind));
    let theirs: Vec<Count> = operands.map(|operand| Count::of(operand.quantifier)).collect();
    let ours = instruction.operands.iter().map(|operand| counted(&operand.ty, operand.optional));
    let ours: Vec<Count> = ours.collect();
    if ours != theirs {
        lines.push(format!("operands are {} here, {} there", list(&ours), list(&theirs)).into());
    }
    lines
}

/// The number of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    One,
    Optional,
    Any,
}

impl Count {
    pub(super) fn of(quantifier: OperandQuantifier) -> Self {
        match quantifier {
            OperandQuantifier::One => Self::One,
            OperandQuantifier::ZeroOrOne => Self::Optional,
            OperandQuantifier::ZeroOrMore => Self::Any,
        }
    }
}

fn counted(ty: &OperandType, optional: bool) -> Count {
    match ty {
        OperandType::Literals | OperandType::Values => Count::Any,
        _ if optional => Count::Optional,
        _ => Count::One,
    }
}

/// "3 and 1 optional".
pub(super) fn list(counts: &[Count]) -> String {
    let number = |wanted: Count| counts.iter().filter(|count| **count == wanted).count();
    let mut words = vec![number(Count::One).to_string()];
    if number(Count::Optional) > 0 {
        words.push(format!("{} optional", number(Count::Optional)));
    }
    if number(Count::Any) > 0 {
        words.push("any number more".to_owned());
    }
    words.join(" and ")
}
