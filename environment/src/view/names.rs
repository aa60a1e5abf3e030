//! Names as a module's own extensions have them: the grammar gives an instruction and an enumerant
//! several, and a reader looks for the one that stands in the module.

use laneproof_module::names::all_of;
use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Named};

use super::View;

impl View<'_> {
    /// An instruction's name.
    pub fn name_of(&self, opcode: Op) -> String {
        self.called(opcode.name(), opcode.names())
    }

    /// The name of the instruction, for a diagnostic.
    pub fn instruction_name(&self, instruction: &Decoded) -> Option<String> {
        Some(self.name_of(instruction.opcode))
    }

    /// A word of some kind: the names that are in it, each as this module has it.
    pub fn word_called(&self, kind: &str, word: &str) -> String {
        let one = |name: &str| {
            let names = all_of(kind).map(|(_, names)| names).find(|names| names.contains(&name));
            self.called(name, names.unwrap_or(&[]))
        };
        word.split(" | ").map(one).collect::<Vec<_>>().join(" | ")
    }

    /// A name that ends with a vendor of whom the module declares no extension gives way to one of
    /// whom it does.
    fn called(&self, name: &str, names: &[&'static str]) -> String {
        let of_declared = |name: &str| {
            vendor(name).is_some_and(|vendor| {
                let prefix = format!("SPV_{vendor}_");
                self.extensions.iter().any(|it| it.starts_with(&prefix))
            })
        };
        if vendor(name).is_none() || of_declared(name) {
            return name.to_owned();
        }
        let declared = names.iter().find(|it| of_declared(it));
        declared.map_or(name, |it| it).to_owned()
    }
}

/// The capital letters at the end of a name, which say whose it is.
fn vendor(name: &str) -> Option<&str> {
    let rest = name.trim_end_matches(|letter: char| letter.is_ascii_uppercase());
    Some(&name[rest.len()..]).filter(|it| it.len() > 1)
}
