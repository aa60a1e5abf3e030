//! Instructions as people read them: ids as the assembly has them, operands by their names.

use laneproof_module::{Decoded, Operand};

use crate::values::{number_text, word_of};
use crate::view::View;

/// The instruction with its operands' names:
/// `%sum = OpGroupIAdd Result Type = %uint, Execution = %three (3), …`.
pub fn described(view: &View<'_>, instruction: &Decoded) -> String {
    let names = view.names(instruction);
    let ty = instruction.ty.map(|ty| format!("Result Type = {}", view.id_text(ty)));
    let operands = instruction.operands.iter().enumerate().map(|(at, operand)| {
        let value = shown(view, operand);
        match names.get(at).filter(|name| !name.is_empty()) {
            Some(name) => format!("{name} = {value}"),
            None => value,
        }
    });
    let operands: Vec<String> = ty.into_iter().chain(operands).collect();
    let separator = if operands.is_empty() { "" } else { " " };
    let result = instruction.result.map(|id| format!("{} = ", view.id_text(id)));
    let name = view.name_of(instruction.opcode);
    format!("{}{name}{separator}{}", result.unwrap_or_default(), operands.join(", "))
}

/// An operand as assembly has it.
fn shown(view: &View<'_>, operand: &Operand) -> String {
    match (operand.id_ref_any(), operand) {
        (Some(id), _) => match (view.listing.name(id), view.constant(id)) {
            (None | Some(""), Some(number)) => {
                let number = match view.type_of(id) {
                    Some(ty) => number_text(view, ty, number),
                    None => number.to_string(),
                };
                format!("{} ({number})", view.id_text(id))
            }
            _ => view.id_text(id),
        },
        (None, Operand::LiteralString(text)) => format!("\"{text}\""),
        (None, other) => match view.fields.kind(other) {
            Some(kind) => view.word_called(kind, &word_of(other)),
            None => word_of(other),
        },
    }
}
