//! Format strings of OpenCL's `printf`.

use std::collections::HashSet;

use laneproof_module::spirv::{Op, OpenclStd100Op};
use laneproof_module::{Decoded, Id, Operand};
use laneproof_semantics::{Scalar, Type};

use crate::found::FieldContent;
use crate::leaves::{leaves, type_of};
use crate::view::{View, string};

/// The instructions that print by a format which is made when the kernel runs: an argument of the
/// kernel's, or one that memory holds. A helper's argument may be known once it is inlined.
pub fn formats(view: &View<'_>) -> Vec<usize> {
    let made = |(at, format): &(usize, Id)| is_made_by_a_run(view, *format, *at);
    printing(view).into_iter().filter(made).map(|(at, _)| at).collect()
}

/// What is wrong with the conversions of formats that are known, each with its instruction.
pub fn conversions(view: &View<'_>) -> Vec<(&'static str, usize)> {
    let mut found = Vec::new();
    for (at, format) in printing(view) {
        let Some(text) = text_of(view, format) else { continue };
        let instruction = &view.instructions()[at];
        let mut operands = instruction.ids(3);
        for conversion in Conversion::all(&text) {
            let faults = conversion.faults(view, operands.next(), at);
            found.extend(faults.into_iter().map(|fault| (fault, at)));
            if conversion.asterisk {
                // Which operands belong to which conversion is open from here on.
                break;
            }
        }
    }
    found
}

/// The instructions that print, with their formats.
fn printing(view: &View<'_>) -> Vec<(usize, Id)> {
    let instructions = view.instructions();
    let imports = instructions.iter().filter(|it| it.opcode == Op::ExtInstImport);
    let standard = imports.filter(|it| string(it, 0).as_deref() == Some("OpenCL.std"));
    let standard: HashSet<Id> = standard.filter_map(|it| it.result).collect();
    let mut found = Vec::new();
    for (at, it) in instructions.iter().enumerate().filter(|(_, it)| it.opcode == Op::ExtInst) {
        let of_set = it.id(0).is_some_and(|set| standard.contains(&set));
        let number = match it.operands.get(1) {
            Some(Operand::LiteralExtInstInteger(number)) => Some(*number),
            _ => None,
        };
        let printed = of_set && number == Some(OpenclStd100Op::printf as u32);
        found.extend(it.id(2).filter(|_| printed).map(|format| (at, format)));
    }
    found
}

/// What a pointer is made of is not known before the kernel runs.
fn is_made_by_a_run(view: &View<'_>, pointer: Id, at: usize) -> bool {
    let (mut root, mut seen) = (pointer, HashSet::new());
    while let Some(definition) = view.definition(root).filter(|_| seen.insert(root)) {
        match (definition.opcode, definition.id(0)) {
            (
                Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::CopyObject
                | Op::Bitcast,
                Some(base),
            ) => root = base,
            (Op::FunctionParameter, _) => return view.in_entry_function(at),
            (opcode, _) => return matches!(opcode, Op::Load | Op::ConvertUToPtr),
        }
    }
    false
}

/// A text that a pointer leads to, where it is a constant from its beginning.
fn text_of(view: &View<'_>, pointer: Id) -> Option<String> {
    let definition = view.definition(pointer)?;
    match definition.opcode {
        Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::PtrAccessChain
        | Op::InBoundsPtrAccessChain => {
            let mut indexes = definition.ids(1);
            let first = indexes.all(|index| view.constant(index) == Some(0));
            first.then(|| text_of(view, definition.id(0)?)).flatten()
        }
        Op::CopyObject | Op::Bitcast => text_of(view, definition.id(0)?),
        Op::Variable => {
            let characters = characters(view, view.definition(definition.id(1)?)?)?;
            let ended = characters.iter().position(|it| *it == 0)?;
            String::from_utf8(characters[..ended].to_vec()).ok()
        }
        _ => None,
    }
}

fn characters(view: &View<'_>, constant: &Decoded) -> Option<Vec<u8>> {
    if constant.opcode != Op::ConstantComposite {
        return None;
    }
    let parts = constant.ids(0).map(|id| u8::try_from(leaves(view, id)?.first().copied()??).ok());
    parts.collect()
}

/// A conversion of a format.
#[derive(Debug, PartialEq, Eq)]
struct Conversion {
    asterisk: bool,
    vector: Option<u32>,
    length: String,
    letter: char,
}

impl Conversion {
    /// Those of a format that take an operand.
    fn all(format: &str) -> Vec<Self> {
        let mut found = Vec::new();
        let mut rest = format.chars().peekable();
        while let Some(letter) = rest.next() {
            if letter != '%' {
                continue;
            }
            let mut asterisk = false;
            while let Some(letter) = rest.next_if(|it| "-+ #0123456789.*".contains(*it)) {
                asterisk |= letter == '*';
            }
            let mut vector = None;
            if rest.next_if_eq(&'v').is_some() {
                let mut count = String::new();
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    count.push(digit);
                }
                vector = count.parse().ok();
            }
            let mut length = String::new();
            while let Some(letter) = rest.next_if(|it| "hljztL".contains(*it)) {
                length.push(letter);
            }
            match rest.next() {
                Some('%') | None => {}
                Some(letter) => found.push(Self { asterisk, vector, length, letter }),
            }
        }
        found
    }

    /// What makes behavior undefined.
    fn faults(&self, view: &View<'_>, operand: Option<Id>, at: usize) -> Vec<&'static str> {
        let mut found = Vec::new();
        let mut add = |fault, holds| found.extend(Some(fault).filter(|_| holds));
        let length = self.length.as_str();
        add("asterisk", self.asterisk);
        add("longText", length == "l" && matches!(self.letter, 'c' | 's'));
        add("modifier", matches!(length, "ll" | "j" | "L"));
        add("laterModifier", matches!(length, "z" | "t"));
        add("count", self.letter == 'n');
        let text = self.letter == 's';
        add("storedText", text && operand.is_some_and(|it| is_made_by_a_run(view, it, at)));
        let ty = operand.and_then(|it| type_of(view, view.definition(it)?.ty?));
        let fits = match ty {
            Some(ty) if found.iter().all(|it| *it == "laterModifier") => self.fits(view, &ty),
            _ => true,
        };
        found.extend((!fits).then_some("misfit"));
        found
    }

    /// The type of the operand is the one that the table has for it.
    fn fits(&self, view: &View<'_>, ty: &Type) -> bool {
        let of_vector = |integer: Scalar, float: Option<Scalar>| {
            let count = if let Type::Vector { count, .. } = ty { Some(*count) } else { None };
            let element = ty.element();
            count == self.vector
                && element.is_some()
                && (same(element, integer) && self.is_of_integers()
                    || float.is_some() && element == float && self.is_of_floats())
        };
        if !self.is_of_integers() && !self.is_of_floats() {
            return true;
        }
        let size = if has_wide_addresses(view) { 64 } else { 32 };
        match (self.vector, self.length.as_str()) {
            (Some(_), "hh") => of_vector(Scalar::uint(8), None),
            (Some(_), "h") => of_vector(Scalar::uint(16), Some(Scalar::F16)),
            (Some(_), "hl") => of_vector(Scalar::uint(32), Some(Scalar::F32)),
            (Some(_), "l") => of_vector(Scalar::uint(64), Some(Scalar::F64)),
            (Some(_), _) => false,
            (None, "" | "h" | "hh") if self.is_of_integers() => is_int(ty, 32),
            (None, "l") if self.is_of_integers() => is_int(ty, 64),
            (None, "z" | "t") => is_int(ty, size),
            (None, "") => [Scalar::F32, Scalar::F64].into_iter().any(|it| *ty == Type::Scalar(it)),
            _ => false,
        }
    }

    fn is_of_integers(&self) -> bool {
        "diouxX".contains(self.letter)
    }

    fn is_of_floats(&self) -> bool {
        "aAeEfFgG".contains(self.letter)
    }
}

fn has_wide_addresses(view: &View<'_>) -> bool {
    let models = view.tokens("AddressingModel");
    models
        .into_iter()
        .any(|(it, _)| matches!(it, FieldContent::Word(_, name) if name == "Physical64"))
}

fn same(element: Option<Scalar>, integer: Scalar) -> bool {
    element.is_some_and(|it| it.is_int() && it.width() == integer.width())
}

fn is_int(ty: &Type, width: u32) -> bool {
    matches!(ty, Type::Scalar(scalar) if scalar.is_int() && scalar.width() == width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_read_conversion_by_conversion() {
        let read = |format: &str| {
            let all = Conversion::all(format).into_iter();
            let shown = |it: Conversion| {
                format!(
                    "{}{}{}",
                    it.vector.map_or(String::new(), |n| n.to_string()),
                    it.length,
                    it.letter
                )
            };
            all.map(shown).collect::<Vec<_>>()
        };
        assert_eq!(read("x = %d, 100 %% of %-8.3hhu\n"), ["d", "hhu"]);
        assert_eq!(read("%v4hlf and %lx%s"), ["4hlf", "lx", "s"]);
        assert_eq!(read("%"), [""; 0]);
        assert!(Conversion::all("%*d")[0].asterisk);
    }
}
