//! Operands by name: as a document declares or states them, else as the grammar has them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use laneproof_module::grammar::{INSTRUCTION_TABLE, OperandKind};
use laneproof_module::names::{enumerant, kind_of_operands, name_of_operand};
use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Named, Operand};
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::SpecInstruction;

/// Names of operands that no document here declares.
pub(crate) static NAMED: LazyLock<Result<BTreeMap<String, Vec<String>>, String>> =
    LazyLock::new(|| {
        toml::from_str(include_str!("../data/operands.toml")).map_err(|error| error.to_string())
    });

/// Names of the operands that follow an enumerant, which are its parameters.
static PARAMETERS: LazyLock<Result<BTreeMap<String, Vec<String>>, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/parameters.toml")).map_err(|error| error.to_string())
});

fn all_parameters() -> &'static BTreeMap<String, Vec<String>> {
    match &*PARAMETERS {
        Ok(parameters) => parameters,
        Err(error) => unreachable!("the names are well-formed, as tests say: {error}"),
    }
}

/// A field of this name is the parameter of some enumerant.
pub(crate) fn is_parameter(field: &str) -> bool {
    all_parameters().values().flatten().any(|name| name == field)
}

/// The names of the parameters of an instruction's last named operand.
pub(crate) fn parameters(instruction: &Decoded, named: usize) -> &'static [String] {
    let last = named.checked_sub(1).and_then(|at| instruction.operands.get(at));
    let name = last.and_then(name_of_operand);
    name.and_then(|name| all_parameters().get(&name)).map_or(&[], Vec::as_slice)
}

/// Names of operands and declarations, by opcode, computed on demand.
pub struct Fields<'a> {
    specifications: [&'a Specification; 2],
    known: RefCell<HashMap<u32, Rc<Vec<String>>>>,
    /// In which specification an instruction is declared, and by which name.
    declared: RefCell<HashMap<u32, Option<(usize, String)>>>,
}

impl<'a> Fields<'a> {
    /// By the declarations and facts of these specifications, the first before the second.
    pub fn new(specifications: [&'a Specification; 2]) -> Self {
        Self { specifications, known: RefCell::default(), declared: RefCell::default() }
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
        let mut known = self.declared.borrow_mut();
        let place = known.entry(opcode as u32).or_insert_with(|| self.looked_up(opcode));
        let (number, name) = place.as_ref()?;
        self.specifications.get(*number)?.instructions.get(name.as_str()).map(|it| &**it)
    }

    fn looked_up(&self, opcode: Op) -> Option<(usize, String)> {
        let of = |(number, it): (usize, &Specification)| {
            let name = opcode.names().iter().find(|&&name| it.instructions.contains_key(name))?;
            Some((number, (*name).to_owned()))
        };
        self.specifications.into_iter().enumerate().find_map(of)
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
        enumerant(operand).map(|(kind, _)| kind)
    }

    fn worked_out(&self, opcode: Op) -> Vec<String> {
        let name = opcode.name();
        let results = [OperandKind::IdResultType, OperandKind::IdResult];
        let row = INSTRUCTION_TABLE.lookup_opcode(opcode as u32);
        let logical = row.map_or(&[][..], |row| row.operands);
        let kinds: Vec<OperandKind> =
            logical.iter().map(|it| it.kind).filter(|it| !results.contains(it)).collect();
        if let Some(declared) = self.declared(opcode) {
            return declared.operands.iter().map(|it| it.name.to_string()).collect();
        }
        for specification in self.specifications {
            let stated = specification.facts_of(name).find(|fact| {
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
                if let Some(names) = names.get(name) {
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
            kind => kind_of_operands(*kind).unwrap_or_default().to_owned(),
        });
        named.collect()
    }
}
