//! Compares the content of a module's field with the values of a rule.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use laneproof_module::names::{all_of, name_of_operand, names_of_bits};
use laneproof_module::spirv::{MemorySemantics, Op, Scope};
use laneproof_module::{Id, Named, Operand};
use laneproof_semantics::language::rule::{Likeness, Values};
use laneproof_tokens as tokens;

use crate::facts::version;
use crate::found::FieldContent;
use crate::view::{View, modes};

/// Words of rules that ask about an operand, not about what it is.
const ABOUT: [&str; 4] = ["present", "absent", "constant", "any"];

impl FieldContent {
    /// What an operand is.
    pub fn of(view: &View<'_>, field: &str, operand: Option<&Operand>) -> Self {
        let Some(operand) = operand else { return Self::Absent };
        if let Some(id) = operand.id_ref_any() {
            return match view.is_type(id) {
                true => Self::Type(id),
                false => Self::Value { id, ty: view.type_of(id), number: view.constant(id) },
            };
        }
        match operand {
            Operand::LiteralBit32(number) => Self::Number(u64::from(*number)),
            Operand::LiteralBit64(number) => Self::Number(*number),
            Operand::LiteralString(text) => Self::Word(field.to_owned(), text.clone()),
            other => Self::Word(field.to_owned(), word_of(other)),
        }
    }

    /// Whether it is one of these; unknown where only a run tells.
    pub fn is_any(&self, view: &View<'_>, field: &str, values: &[Values]) -> Option<bool> {
        let all: Vec<Option<bool>> = values.iter().map(|it| self.is(view, field, it)).collect();
        match (all.contains(&Some(true)), all.contains(&None)) {
            (true, _) => Some(true),
            (_, true) => None,
            _ => Some(false),
        }
    }

    fn is(&self, view: &View<'_>, field: &str, values: &Values) -> Option<bool> {
        match values {
            Values::Types { scalar, vector, elements } => {
                let ty = match self {
                    Self::Type(ty) | Self::Value { ty: Some(ty), .. } => *ty,
                    _ => return None,
                };
                Some(Shape::of(view, ty).is_some_and(|shape| {
                    let count = match (shape.components, vector) {
                        (1, _) => *scalar,
                        (_, None) => false,
                        (count, Some(counts)) => counts.is_empty() || counts.contains(&count),
                    };
                    count && elements.iter().any(|element| shape.element_is(element))
                }))
            }
            Values::Words(words) => {
                let each: Vec<Option<bool>> =
                    words.iter().map(|word| self.is_word(view, field, word)).collect();
                match (each.contains(&Some(true)), each.contains(&None)) {
                    (true, _) => Some(true),
                    (_, true) => None,
                    _ => Some(false),
                }
            }
            Values::Multiples(of) => {
                let step = u64::from(*of).max(1);
                self.number().map(|number| number % step == 0)
            }
            // Decided by the instruction: `Judge::alike`.
            Values::Alike { .. } => None,
            Values::AtLeast(major, minor) => match self {
                Self::Word(_, name) => version(name).map(|found| found >= (*major, *minor)),
                _ => None,
            },
        }
    }

    fn is_word(&self, view: &View<'_>, field: &str, word: &str) -> Option<bool> {
        if ABOUT.contains(&word) {
            return Some(match (word, self) {
                ("any", _) => true,
                ("present", found) => *found != Self::Absent,
                ("absent", found) => *found == Self::Absent,
                (_, Self::Value { id, .. }) => view.is_constant(*id),
                _ => true,
            });
        }
        match self {
            Self::Absent => None,
            Self::Type(ty) => {
                let definition = view.definition(*ty)?;
                Some(definition.opcode.name() == word)
            }
            Self::Number(number) => Some(word.parse() == Ok(*number)),
            Self::Word(_, name) => {
                Some(name.split(" | ").any(|one| match word.strip_suffix('*') {
                    Some(beginning) => one.starts_with(beginning),
                    None => same_token(field, one, word),
                }))
            }
            Self::Value { ty: Some(ty), .. } if word.starts_with("OpType") => {
                Some(view.definition(*ty)?.opcode.name() == word)
            }
            Self::Value { number, .. } => {
                let number = (*number)?;
                match kind_of(field) {
                    "Scope" => {
                        let scope = Scope::from_u32(u32::try_from(number).ok()?)?;
                        Some(scope.name() == word)
                    }
                    "Semantics" => {
                        let bits = MemorySemantics::from_bits_truncate(u32::try_from(number).ok()?);
                        Some(semantics(bits).contains(&word))
                    }
                    "FPFastMathMode" => Some(fast_math(number).contains(&word)),
                    _ => Some(word.parse() == Ok(number)),
                }
            }
        }
    }

    /// The type that it is or has.
    pub fn ty(&self) -> Option<Id> {
        match self {
            Self::Type(ty) | Self::Value { ty: Some(ty), .. } => Some(*ty),
            _ => None,
        }
    }

    fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Value { number, .. } => *number,
            _ => None,
        }
    }

    /// Its name alone, for tests of facts about it.
    pub fn name(&self, field: &str) -> Option<String> {
        match self {
            Self::Word(_, name) => Some(name.clone()),
            Self::Value { number: Some(number), .. } if kind_of(field) == "Scope" => {
                let scope = Scope::from_u32(u32::try_from(*number).ok()?)?;
                Some(scope.name().to_owned())
            }
            _ => None,
        }
    }

    /// In words, for a rule that accepts these values: of one that must be a constant, what computes
    /// it.
    pub fn described_for(&self, view: &View<'_>, field: &str, values: &[Values]) -> String {
        let constant = |it: &Values| matches!(it, Values::Words(words) if words.iter().any(|it| &**it == "constant"));
        match self {
            Self::Value { id, number: None, .. } if values.iter().any(constant) => {
                match view.definition(*id) {
                    Some(it) if it.opcode == Op::FunctionParameter => {
                        "a parameter of the function".to_owned()
                    }
                    Some(it) => format!("the result of `{}`", view.name_of(it.opcode)),
                    None => self.described(view, field),
                }
            }
            _ => self.described(view, field),
        }
    }

    /// In words.
    pub fn described(&self, view: &View<'_>, field: &str) -> String {
        match self {
            Self::Absent => "left out".to_owned(),
            Self::Type(ty) => type_text(view, *ty, 0),
            Self::Number(number) => format!("`{number}`"),
            Self::Word(kind, _) if kind == "CallGraph" => "recursion".to_owned(),
            Self::Word(kind, name) if kind == "ControlFlow" => name.clone(),
            Self::Word(kind, _) if kind == "PrintfFormat" => "not known at compile time".to_owned(),
            Self::Word(kind, _) if modes::KINDS.iter().any(|it| it.name == kind) => {
                "another one than for another width".to_owned()
            }
            Self::Word(_, name) => {
                let name = spelled(field, name);
                format!("`{}`", view.word_called(kind_of(field), name))
            }
            Self::Value { number: Some(number), .. } if kind_of(field) == "Semantics" => {
                let bits = u32::try_from(*number).unwrap_or_default();
                format!("`{}`", semantics(MemorySemantics::from_bits_truncate(bits)).join(" | "))
            }
            Self::Value { number: Some(number), .. } if kind_of(field) == "FPFastMathMode" => {
                format!("`{}`", fast_math(*number).join(" | "))
            }
            Self::Value { .. } if self.name(field).is_some() => {
                format!("`{}`", self.name(field).unwrap_or_default())
            }
            Self::Value { number: Some(number), ty: Some(ty), .. } => {
                let number = number_text(view, *ty, *number);
                format!("`{number}` of type {}", type_text(view, *ty, 0))
            }
            Self::Value { ty: Some(ty), .. } => format!("of type {}", type_text(view, *ty, 0)),
            Self::Value { .. } => "a value".to_owned(),
        }
    }
}

/// An enumerant's name, the names of a mask's bits, or a literal.
pub fn word_of(operand: &Operand) -> String {
    name_of_operand(operand).unwrap_or_else(|| operand.to_string())
}

/// A constant as people write one of its type.
pub(crate) fn number_text(view: &View<'_>, ty: Id, number: u64) -> String {
    match Shape::of(view, ty) {
        Some(shape) if shape.components > 1 && number == 0 => "null".to_owned(),
        Some(shape) => match (shape.opcode, shape.width) {
            (Op::TypeBool, _) => (number != 0).to_string(),
            (Op::TypeFloat, 64) => format!("{:?}", f64::from_bits(number)),
            (Op::TypeFloat, 32) => u32::try_from(number)
                .map_or(number.to_string(), |it| format!("{:?}", f32::from_bits(it))),
            (Op::TypeFloat, _) => format!("{number:#x}"),
            _ => number.to_string(),
        },
        None => number.to_string(),
    }
}

/// The grammar's spelling of a token, which documents spell with other cases.
fn spelled<'a>(kind: &str, name: &'a str) -> &'a str {
    let mut names = all_of(kind).flat_map(|(_, names)| names.iter().copied());
    names.find(|it| it.eq_ignore_ascii_case(name)).unwrap_or(name)
}

/// A scalar or vector type.
struct Shape {
    components: u32,
    opcode: Op,
    width: u32,
    signed: bool,
    /// Of floating point that is no IEEE format.
    encoded: bool,
}

impl Shape {
    fn of(view: &View<'_>, ty: Id) -> Option<Self> {
        let definition = view.definition(ty)?;
        if definition.opcode == Op::TypeVector {
            let element = Self::of(view, definition.id(0)?).filter(|it| it.components == 1)?;
            return Some(Self { components: definition.literal(1)?, ..element });
        }
        let width = definition.literal(0).unwrap_or_default();
        let signed = definition.literal(1) == Some(1);
        matches!(definition.opcode, Op::TypeBool | Op::TypeInt | Op::TypeFloat).then_some(Self {
            components: 1,
            opcode: definition.opcode,
            width,
            signed,
            encoded: definition.opcode == Op::TypeFloat && definition.operands.len() > 1,
        })
    }

    fn element_is(&self, word: &str) -> bool {
        match (self.opcode, word) {
            (_, "any") | (Op::TypeBool, "bool") => true,
            (Op::TypeInt, "int") | (Op::TypeFloat, "float") => true,
            _ => self.element() == word,
        }
    }

    fn element(&self) -> String {
        match self.opcode {
            Op::TypeBool => "bool".to_owned(),
            Op::TypeInt => format!("{}{}", if self.signed { "i" } else { "u" }, self.width),
            // There is one of 16 bits: brain floating point.
            _ if self.encoded && self.width == 16 => "bf16".to_owned(),
            _ => format!("f{}", self.width),
        }
    }
}

/// The number of components of a scalar or vector.
pub(crate) fn component_count(view: &View<'_>, ty: Id) -> Option<u32> {
    Shape::of(view, ty).map(|shape| shape.components)
}

/// A type in words, as rules name it.
pub(crate) fn type_text(view: &View<'_>, ty: Id, depth: u32) -> String {
    if let Some(shape) = Shape::of(view, ty) {
        return match shape.components {
            1 => format!("`{}`", shape.element()),
            count => format!("`vector({count}) of {}`", shape.element()),
        };
    }
    match view.definition(ty) {
        Some(it) if it.opcode == Op::TypePointer && depth < 4 => {
            let storage = it.operands.first().map(ToString::to_string).unwrap_or_default();
            match it.id(1) {
                Some(to) => format!("pointer in `{storage}` to {}", type_text(view, to, depth + 1)),
                None => format!("pointer in `{storage}`"),
            }
        }
        Some(it) => format!("`{}`", it.opcode.name()),
        None => "an unknown type".to_owned(),
    }
}

/// Names of the bits of memory semantics.
fn semantics(bits: MemorySemantics) -> Vec<&'static str> {
    let order = MemorySemantics::ACQUIRE
        | MemorySemantics::RELEASE
        | MemorySemantics::ACQUIRE_RELEASE
        | MemorySemantics::SEQUENTIALLY_CONSISTENT;
    let relaxed = (!bits.intersects(order)).then_some("Relaxed");
    let set = names_of_bits("MemorySemantics", bits.bits()).into_iter();
    relaxed.into_iter().chain(set.filter(|_| !bits.is_empty())).collect()
}

/// Names of the bits of a fast math mode.
fn fast_math(number: u64) -> Vec<&'static str> {
    u32::try_from(number).map_or(Vec::new(), |bits| names_of_bits("FPFastMathMode", bits))
}

/// The kind of tokens that values of a field are.
pub fn kind_of(field: &str) -> &str {
    match field {
        "Execution" | "Memory" | "Scope" => "Scope",
        "Equal" | "Unequal" => "Semantics",
        "FastMathMode" => "FPFastMathMode",
        "Operation" => "GroupOperation",
        other => other,
    }
}

/// Two spellings of one token, a module's before a document's: the grammar's names change with
/// suffixes, documents' with case. Names that are strings in modules have one spelling there.
pub fn same_token(kind: &str, one: &str, other: &str) -> bool {
    match kind {
        "Extension" => return one == other || one == extension_meant(other),
        "ExtInstImport" => return one == other,
        _ => {}
    }
    let plain = |name: &str| {
        let lower = name.replace('_', "").to_lowercase();
        let shorter = if kind == "Dim" { lower.strip_prefix("dim") } else { None };
        shorter.map_or(lower.clone(), str::to_owned)
    };
    if plain(one) == plain(other) {
        return true;
    }
    let number = |name: &str| tokens::named(kind_of(kind), name).map(|it| it.number);
    number(one).is_some_and(|number_of_one| number(other) == Some(number_of_one))
}

/// The extension that a document's name means: itself, or the nearest one where none has this name.
/// One with another number is another one, which may be newer than the grammar.
pub(crate) fn extension_meant(name: &str) -> String {
    if tokens::is_extension(name) || !name.starts_with("SPV_") {
        return name.to_owned();
    }
    // Documents misspell few names, and rules compare each of them with all content of a module.
    static MEANT: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut meant = MEANT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = meant.get(name) {
        return known.clone();
    }
    let digits = |name: &str| -> String { name.chars().filter(char::is_ascii_digit).collect() };
    let nearest = tokens::nearest("Extension", name).filter(|it| digits(it) == digits(name));
    let nearest = nearest.unwrap_or_else(|| name.to_owned());
    if meant.len() < MOST_MEANT {
        meant.insert(name.to_owned(), nearest.clone());
    }
    nearest
}

/// The most cached names, as modules may have any number of them.
const MOST_MEANT: usize = 1000;

/// What rules accept, in words.
pub fn listed(field: &str, values: &[Values]) -> String {
    let one = |values: &Values| match values {
        Values::Types { scalar, vector, elements } => {
            let counts = vector.as_ref().filter(|counts| !counts.is_empty()).map(|counts| {
                let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
                format!("({})", counts.join(", "))
            });
            let vector = vector.is_some().then(|| format!("vector{}", counts.unwrap_or_default()));
            let shapes: Vec<String> =
                scalar.then(|| "scalar".to_owned()).into_iter().chain(vector).collect();
            match &elements[..] {
                [any] if &**any == "any" => format!("a {}", shapes.join(" or ")),
                _ => format!("`{} of {}`", shapes.join(" or "), elements.join(", ")),
            }
        }
        Values::Words(words) => listed_words(field, words),
        Values::Multiples(of) => format!("a multiple of {of}"),
        Values::Alike { field, within, likeness } => {
            let of = match within {
                Some(operand) => format!("`{field}` of `{operand}`"),
                None => format!("`{field}`"),
            };
            match likeness {
                Likeness::Whole => format!("the type of {of}"),
                Likeness::Component => format!("the type of the components of {of}"),
                Likeness::Count => format!("as many components as {of} has"),
            }
        }
        Values::AtLeast(major, minor) => format!("at least {major}.{minor}"),
    };
    values.iter().map(one).collect::<Vec<_>>().join(", or ")
}

/// Words that a rule accepts; an operand that may be left out comes last.
fn listed_words(field: &str, words: &[Arc<str>]) -> String {
    let one = |word: &str| match word {
        "present" => "it to be present".to_owned(),
        "absent" => "it to be left out".to_owned(),
        "constant" => "a constant".to_owned(),
        "any" => "any".to_owned(),
        word => format!("`{}`", spelled(kind_of(field), word)),
    };
    let given: Vec<String> =
        words.iter().filter(|it| &***it != "absent").map(|it| one(it)).collect();
    match (given.len(), words.len()) {
        (0, _) => words.iter().map(|it| one(it)).collect::<Vec<_>>().join(", "),
        (given_words, all) if given_words < all => format!("{} or none", given.join(", ")),
        _ => given.join(", "),
    }
}
