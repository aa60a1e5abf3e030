//! Operands by name: as a document declares or states them, else as the grammar has them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use laneproof_fuzz::grammar;
use laneproof_module::grammar::{INSTRUCTION_TABLE, OperandKind};
use laneproof_module::spirv::Op;
use laneproof_module::{Operand, opcode_name};
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::SpecInstruction;

/// Names of operands that no document here declares.
pub(crate) static NAMED: LazyLock<Result<BTreeMap<String, Vec<String>>, String>> =
    LazyLock::new(|| {
        toml::from_str(include_str!("../data/operands.toml")).map_err(|error| error.to_string())
    });

/// Names of operands, by opcode, computed on demand.
pub struct Fields<'a> {
    specifications: [&'a Specification; 2],
    known: RefCell<HashMap<u32, Rc<Vec<String>>>>,
}

impl<'a> Fields<'a> {
    /// By the declarations and facts of these specifications, the first before the second.
    pub fn new(specifications: [&'a Specification; 2]) -> Self {
        Self { specifications, known: RefCell::default() }
    }

    /// The names of an instruction's operands by position, without result type and result; empty
    /// where there is none.
    pub fn names(&self, opcode: Op) -> Rc<Vec<String>> {
        if let Some(known) = self.known.borrow().get(&(opcode as u32)) {
            return Rc::clone(known);
        }
        let names = Rc::new(self.worked_out(opcode));
        self.known.borrow_mut().insert(opcode as u32, Rc::clone(&names));
        names
    }

    /// The instruction as a document declares it.
    pub fn declared(&self, opcode: Op) -> Option<&'a SpecInstruction> {
        let same = |other: &str| {
            grammar::GrammarEntry::of(other).is_some_and(|entry| entry.opcode() == opcode as u32)
        };
        let names = aliases(&opcode_name(opcode), same);
        let of = |it: &'a Specification| {
            names.iter().find_map(|name| it.instructions.get(name.as_str())).map(|it| &**it)
        };
        self.specifications.into_iter().find_map(of)
    }

    /// The position of an operand.
    pub fn position(&self, opcode: Op, name: &str) -> Option<usize> {
        let names = self.names(opcode);
        let at = |name: &str| names.iter().position(|own| own == name);
        at(name).or_else(|| {
            let others = NAMED.as_ref().ok()?.get(name)?;
            others.iter().find_map(|other| at(other))
        })
    }

    /// The kind of tokens that an operand is of.
    pub fn kind(&self, operand: &Operand) -> Option<&'static str> {
        kind(operand)
    }

    fn worked_out(&self, opcode: Op) -> Vec<String> {
        let name = opcode_name(opcode);
        let results = [OperandKind::IdResultType, OperandKind::IdResult];
        let row = INSTRUCTION_TABLE.lookup_opcode(opcode as u32);
        let logical = row.map_or(&[][..], |row| row.operands);
        let kinds: Vec<OperandKind> =
            logical.iter().map(|it| it.kind).filter(|it| !results.contains(it)).collect();
        if let Some(declared) = self.declared(opcode) {
            return declared.operands.iter().map(|it| it.name.to_string()).collect();
        }
        for specification in self.specifications {
            let stated = specification.facts_of(&name).find(|fact| {
                &*fact.kind == "Opcode" && !fact.adds && fact.operands.len() == logical.len()
            });
            if let Some(fact) = stated {
                let own = fact.operands.iter().zip(logical);
                let own = own.filter(|(_, it)| !results.contains(&it.kind));
                return own.map(|(it, _)| it.name.to_string()).collect();
            }
        }
        match &*NAMED {
            Ok(names) => {
                if let Some(names) = names.get(&name) {
                    return names.clone();
                }
            }
            Err(error) => unreachable!("the names are well-formed, as tests say: {error}"),
        }
        let followed = |at: usize| kinds.get(at + 1) == Some(&OperandKind::IdMemorySemantics);
        let named = kinds.iter().enumerate().map(|(at, kind)| match kind {
            // A scope followed by memory semantics is a memory scope; all others are execution
            // scopes.
            OperandKind::IdScope if followed(at) => "Memory".to_owned(),
            OperandKind::IdScope => "Execution".to_owned(),
            OperandKind::IdMemorySemantics => "Semantics".to_owned(),
            OperandKind::IdRef | OperandKind::LiteralInteger | OperandKind::LiteralString => {
                String::new()
            }
            kind => format!("{kind:?}"),
        });
        named.collect()
    }
}

/// What an extension's name ends with where another one took it over.
const SUFFIXES: [&str; 4] = ["KHR", "EXT", "NV", "INTEL"];

/// A name, and others of the same thing: those of extensions that were taken over.
pub(crate) fn aliases(name: &str, same: impl Fn(&str) -> bool) -> Vec<String> {
    let stem = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    let others = SUFFIXES.iter().map(|suffix| format!("{stem}{suffix}"));
    let others = others.filter(|other| *other != name && same(other));
    [name.to_owned()].into_iter().chain(others).collect()
}

macro_rules! kinds {
    ($($kind:ident),* $(,)?) => {
        /// The kind of tokens that an operand is of.
        fn kind(operand: &Operand) -> Option<&'static str> {
            match operand {
                $(Operand::$kind(_) => Some(stringify!($kind)),)*
                _ => None,
            }
        }
    };
}

kinds! {
    AccessQualifier, AddressingModel, BuiltIn, Capability, Decoration, Dim, ExecutionMode,
    ExecutionModel, FunctionParameterAttribute, GroupOperation, ImageFormat, ImageOperands,
    LinkageType, MemoryAccess, MemoryModel, SamplerAddressingMode, SamplerFilterMode, StorageClass,
}
