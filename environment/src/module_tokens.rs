//! The tokens of the grammar's kinds in a module, with their places.

use laneproof_module::spirv::Op;
use laneproof_module::{InstructionClass, Named};

use crate::found::FieldContent;
use crate::printf::{conversions, formats};
use crate::values::word_of;
use crate::view::{View, modes, string};

impl View<'_> {
    /// The tokens of a kind in a module, with their places.
    pub fn tokens(&self, kind: &str) -> Vec<(FieldContent, Option<usize>)> {
        let word = |name: String| FieldContent::Word(kind.to_owned(), name);
        match kind {
            "Version" => {
                let (major, minor) = self.listing.version();
                vec![(word(format!("{major}.{minor}")), None)]
            }
            "CallGraph" => self
                .cycles
                .iter()
                .map(|it| {
                    // A cycle is one of an entry point's; recursion is everywhere.
                    let reached = it.functions.iter().any(|id| self.models(*id).is_some());
                    let name = if reached { "cycles | recursion" } else { "recursion" };
                    (word(name.to_owned()), Some(it.call))
                })
                .collect(),
            "ControlFlow" => {
                let found = self.irreducible.iter();
                found.map(|&it| (word("irreducible".to_owned()), Some(it))).collect()
            }
            "PrintfFormat" => formats(self)
                .into_iter()
                .map(|at| (word("computed".to_owned()), Some(at)))
                .collect(),
            "PrintfConversion" => conversions(self)
                .into_iter()
                .map(|(fault, at)| (word(fault.to_owned()), Some(at)))
                .collect(),
            _ if let Some(modes) = modes::KINDS.iter().find(|it| it.name == kind) => {
                let found = modes::unlike(self, modes).into_iter();
                found.map(|(name, at)| (word(name.to_owned()), Some(at))).collect()
            }
            // Instructions that declare types: rules name no others.
            "Opcode" => {
                let all = self.instructions().iter().enumerate();
                let types =
                    all.filter(|(_, it)| InstructionClass::of(it.opcode) == InstructionClass::Type);
                types.map(|(at, it)| (word(it.opcode.name().to_owned()), Some(at))).collect()
            }
            "Extension" | "ExtInstImport" => {
                let opcode = if kind == "Extension" { Op::Extension } else { Op::ExtInstImport };
                let all = self.instructions().iter().enumerate();
                let here = all.filter(|(_, it)| it.opcode == opcode);
                here.filter_map(|(at, it)| Some((word(string(it, 0)?), Some(at)))).collect()
            }
            _ => {
                let all = self.instructions().iter().enumerate();
                all.flat_map(|(at, it)| {
                    let operands = it.operands.iter();
                    let of_kind =
                        operands.filter(|operand| self.fields.kind(operand) == Some(kind));
                    of_kind.map(move |operand| (word(word_of(operand)), Some(at)))
                })
                .collect()
            }
        }
    }

    /// Tokens of a kind that apply to an instruction: execution models of the entry points that
    /// reach it, or declarations of the module.
    pub fn tokens_at(&self, kind: &str, index: Option<usize>) -> Vec<FieldContent> {
        let function = index.and_then(|index| self.function_at(index));
        if let Some(models) = self.models_of(index).filter(|_| kind == "ExecutionModel") {
            return models.into_iter().map(|it| FieldContent::Word(kind.to_owned(), it)).collect();
        }
        match (kind, function) {
            ("PrintfConversion", _) => {
                let here = self.tokens(kind).into_iter().filter(|(_, at)| *at == index);
                here.map(|(found, _)| found).collect()
            }
            ("ExecutionModel", Some(function)) => {
                let models = self.models(function).into_iter().flatten();
                models.map(|name| FieldContent::Word(kind.to_owned(), name.clone())).collect()
            }
            _ => {
                let all = self.tokens(kind);
                // For an instruction that is such a token itself, that one.
                let here = |at: &Option<usize>| at.is_some() && *at == index;
                let one = all.iter().any(|(_, at)| here(at));
                let meant = all.into_iter().filter(|(_, at)| !one || here(at));
                meant.map(|(found, _)| found).collect()
            }
        }
    }
}
