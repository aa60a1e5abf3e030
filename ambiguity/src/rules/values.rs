//! The values that rules name, written out.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::sync::Arc;

use laneproof_semantics::language::rule::Values;

/// Widths of integers that rules may name.
const INTEGERS: [u32; 4] = [8, 16, 32, 64];

/// Widths of numbers in floating point.
const FLOATS: [u32; 3] = [16, 32, 64];

/// Numbers of components that a vector may have.
const COUNTS: [u32; 5] = [2, 3, 4, 8, 16];

/// The minor numbers of all versions of SPIR-V 1.
const VERSIONS: std::ops::RangeInclusive<u8> = 0..=6;

/// Multiples are written out up to here.
const MULTIPLES: u32 = 1024;

/// What one component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// `OpTypeBool`.
    Bool,
    /// `OpTypeInt` by its `Signedness` and `Width`.
    Int(bool, u32),
    /// `OpTypeFloat` by its `Width`.
    Float(u32),
}

/// A scalar or vector type; scalars first, small before large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ty {
    /// Number of components; of a scalar 1.
    pub components: u32,
    /// What each is.
    pub element: Element,
}

/// One value of a field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldValue {
    /// A type.
    Type(Ty),
    /// A number.
    Number(u32),
    /// An enumerant, an instruction, `present`, `absent`.
    Word(Arc<str>),
}

impl Element {
    /// The elements of a word of a type list.
    fn named(word: &str) -> Vec<Self> {
        let int = |signed: bool| INTEGERS.map(|width| Self::Int(signed, width));
        let floats = FLOATS.map(Self::Float);
        match word {
            "bool" => vec![Self::Bool],
            "int" => [int(false), int(true)].concat(),
            "float" => floats.to_vec(),
            "any" => {
                let numbers = [int(false), int(true)].concat().into_iter().chain(floats);
                numbers.chain([Self::Bool]).collect()
            }
            _ => {
                let all = Self::named("any");
                all.into_iter().filter(|element| element.to_string() == word).collect()
            }
        }
    }

    /// The same without regard to signedness: how declarations mean a type.
    pub(super) fn either_sign(self) -> Vec<Self> {
        match self {
            Self::Int(_, width) => vec![Self::Int(false, width), Self::Int(true, width)],
            other => vec![other],
        }
    }
}

impl Ty {
    /// All of these shapes and elements; no counts: any number of components.
    pub(super) fn all(
        scalar: bool,
        vector: Option<&[u32]>,
        elements: &[Element],
    ) -> BTreeSet<FieldValue> {
        let counts: Vec<u32> = match vector {
            None => Vec::new(),
            Some([]) => COUNTS.to_vec(),
            Some(counts) => counts.to_vec(),
        };
        let counts: Vec<u32> = scalar.then_some(1).into_iter().chain(counts).collect();
        let of = |element: &Element| {
            let element = *element;
            counts.iter().map(move |&components| FieldValue::Type(Self { components, element }))
        };
        elements.iter().flat_map(of).collect()
    }

    /// What it is made of, as fields of the instructions that declare types.
    pub(crate) fn facets(self) -> Vec<(&'static str, &'static str, u32)> {
        let mut facets = match self.element {
            Element::Bool => Vec::new(),
            Element::Int(signed, width) => {
                vec![("OpTypeInt", "Width", width), ("OpTypeInt", "Signedness", signed.into())]
            }
            Element::Float(width) => vec![("OpTypeFloat", "Width", width)],
        };
        if self.components > 1 {
            facets.push(("OpTypeVector", "ComponentCount", self.components));
        }
        facets
    }
}

/// The elements of a list of words, `int` and `any` among them; an unknown word has none.
pub(super) fn elements(words: &[Arc<str>]) -> Vec<Element> {
    words.iter().flat_map(|word| Element::named(word)).collect()
}

/// Unknown words of type lists.
pub(super) fn unknown_elements(values: &Values) -> Vec<Arc<str>> {
    match values {
        Values::Types { elements, .. } => {
            let unknown = elements.iter().filter(|word| Element::named(word).is_empty());
            unknown.cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// All that these values are; words as `spell` spells them.
pub(super) fn per_lane(
    values: &[Values],
    spell: impl Fn(&str) -> Arc<str>,
) -> BTreeSet<FieldValue> {
    let one = |values: &Values| match values {
        Values::Types { scalar, vector, elements: words } => {
            Ty::all(*scalar, vector.as_deref(), &elements(words))
        }
        Values::Words(words) => words
            .iter()
            .map(|word| match word.parse() {
                Ok(number) => FieldValue::Number(number),
                Err(_) => FieldValue::Word(spell(word)),
            })
            .collect(),
        Values::Multiples(of) => {
            let step = (*of).max(1);
            (1..=MULTIPLES / step).map(|times| FieldValue::Number(times * step)).collect()
        }
        // Which types these are depends on the instruction.
        Values::Alike { .. } => BTreeSet::new(),
        Values::AtLeast(major, minor) => VERSIONS
            .filter(|it| (1, *it) >= (*major, *minor))
            .map(|it| FieldValue::Word(format!("1.{it}").into()))
            .collect(),
    };
    values.iter().flat_map(one).collect()
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => write!(f, "bool"),
            Self::Int(signed, width) => write!(f, "{}{width}", if *signed { "i" } else { "u" }),
            Self::Float(width) => write!(f, "f{width}"),
        }
    }
}

impl Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.components {
            1 => write!(f, "{}", self.element),
            count => write!(f, "{}x{count}", self.element),
        }
    }
}

impl Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(ty) => write!(f, "{ty}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => write!(f, "{word}"),
        }
    }
}
