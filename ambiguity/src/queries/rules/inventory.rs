//! The inventory of constraints: constraints on one operand that are missing for another of its kind.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{OperandType, SpecInstruction};
use laneproof_semantics::language::rule::{Force, Values};

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, ModuleWitness, ResolvedDemand};

/// What may be said of the type of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aspect {
    /// Anything at all.
    Type,
    /// Whether it is a scalar or a vector, where its component type is given.
    Shape,
    /// What its components are.
    Component,
    /// Whether its integers have a sign.
    Sign,
    /// How wide it is.
    Width,
    /// How many components it has.
    Count,
}

impl Aspect {
    const ALL: [Self; 6] =
        [Self::Type, Self::Shape, Self::Component, Self::Sign, Self::Width, Self::Count];

    const fn word(self) -> &'static str {
        match self {
            Self::Type => "no-type-given",
            Self::Shape => "shape-not-given",
            Self::Component => "component-type-not-given",
            Self::Sign => "signedness-not-given",
            Self::Width => "width-not-given",
            Self::Count => "component-count-not-given",
        }
    }

    /// What is missing of these operands; `elsewhere` is the document of a sentence that says it of
    /// another one.
    fn summary(self, operands: &[String], elsewhere: &str) -> String {
        let operand = match operands {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            all => all.concat(),
        };
        let is = if operands.len() > 1 { "are" } else { "is" };
        match self {
            Self::Type => format!(
                "No sentence says of which types {operand} may be, whether it is a scalar or a \
                 vector and with how many components, as sentences do of its siblings."
            ),
            Self::Shape => format!(
                "Of {operand} a sentence gives the component type, and none whether it is a scalar or \
                 a vector, or with how many components, as sentences do of its siblings."
            ),
            Self::Component => format!(
                "Of which component types {is} {operand}: integers, floating-point numbers or \
                 Booleans, and of which widths? No sentence says, as one of {elsewhere} does of its \
                 operands."
            ),
            Self::Sign => format!(
                "{operand} {is} of integer type, and no sentence says which Signedness the type has, \
                 as one of {elsewhere} does of its operands."
            ),
            Self::Width => format!(
                "{operand} {is} of integer type, of any width: no sentence says how such a number is \
                 combined with those of 32 bits; by a sentence of {elsewhere} an operand like it has one \
                 width."
            ),
            Self::Count => format!(
                "{operand} {is} a scalar or a vector of any number of components: no sentence says \
                 which, or what further components are for, as one of {elsewhere} does."
            ),
        }
    }

    const fn remedy(self) -> &'static str {
        match self {
            Self::Type => "The types that the operand must have.",
            Self::Shape => "A scalar or a vector, and the numbers of components.",
            Self::Component => "The component types that there may be, with their widths.",
            Self::Sign => "The Signedness that the type must have, or that either will do.",
            Self::Width => "The width that the type must have, or how a wider value is narrowed.",
            Self::Count => "The number of components, or which of them are used.",
        }
    }
}

/// Operands that lack an aspect, the document of a sentence that another one has, and the cause.
type Gathered<'b> = (BTreeSet<String>, Aspect, &'b str, Cause);

/// One cause for each document, operand and aspect.
pub(super) fn missing<'t>(book: &Book<'t>, texts: &'t AsWritten) -> Vec<Cause> {
    let mut causes: BTreeMap<(String, &str), Gathered<'_>> = BTreeMap::new();
    for instruction in texts.specification.instructions.values() {
        for (field, ty) in typed(book, instruction) {
            for aspect in Aspect::ALL {
                let Some(Unsaid { cited, elsewhere }) =
                    unsaid(book, instruction, &field, ty, aspect)
                else {
                    continue;
                };
                let key = (instruction.document.to_string(), aspect.word());
                let cause = || Cause {
                    clauses: Default::default(),
                    remedy: aspect.remedy().to_owned(),
                    witness: Some(ModuleWitness {
                        instruction: instruction.name.to_string(),
                        field: field.clone(),
                        value: None,
                        circumstances: Circumstances::default(),
                    }),
                    ..Cause::new(FindingKind::Gap, aspect.word(), cited.rule)
                };
                let (fields, .., cause) = causes
                    .entry(key)
                    .or_insert_with(|| (BTreeSet::new(), aspect, elsewhere, cause()));
                fields.insert(field.clone());
                cause.document = instruction.document.to_string();
                cause.documents.insert(instruction.document.to_string());
                cause.instructions.insert(instruction.name.to_string());
                cause.clauses.insert(cited.rule.id.to_string());
                // Without a sentence, the section in which it would be is cited.
                let own = instruction.clauses.iter().find(|it| it.document == instruction.document);
                if let Some(own) = own.filter(|_| matches!(aspect, Aspect::Type | Aspect::Shape)) {
                    cause.clauses.insert(format!("{}, {}", own.document, own.section));
                }
            }
        }
    }
    let stated = |(fields, aspect, elsewhere, cause): Gathered<'_>| {
        let named = |field: String| match field.strip_prefix("Type of ") {
            Some(pointer) => format!("what {pointer} points to"),
            None => field,
        };
        let fields: Vec<String> = fields.into_iter().map(named).collect();
        Cause { summary: aspect.summary(&fields, elsewhere), ..cause }
    };
    causes.into_values().map(stated).collect()
}

/// The operands that hold values, and the result; of another document's instruction those that this
/// one adds.
fn typed<'t>(book: &Book<'_>, instruction: &'t SpecInstruction) -> Vec<(String, &'t OperandType)> {
    let holds = |ty: &OperandType| {
        matches!(
            ty,
            OperandType::Variable(_)
                | OperandType::Int(_)
                | OperandType::AnyInt
                | OperandType::Ballot
        )
    };
    let operands = instruction.operands.iter().map(|it| (it.name.to_string(), &it.ty));
    let result = instruction.result.iter().map(|ty| ("Result".to_owned(), ty));
    let added = book.known.added_by(&instruction.document, &instruction.name);
    let own =
        |field: &str| added.as_ref().is_none_or(|added| added.contains(&field.to_lowercase()));
    // What a pointer leads to has a type, too.
    let pointers =
        instruction.operands.iter().filter(|it| matches!(it.ty, OperandType::Pointer(_)));
    let pointers = pointers.map(|it| (format!("Type of {}", it.name), &it.ty));
    operands.chain(result).filter(|(field, ty)| holds(ty) && own(field)).chain(pointers).collect()
}

/// What a document leaves out of an operand.
struct Unsaid<'b, 't> {
    /// A rule that shows it: the operand's own, or a sibling's.
    cited: &'b ResolvedDemand<'t>,
    /// The document of a rule that says it of another operand.
    elsewhere: &'b str,
}

/// What its own document leaves out.
fn unsaid<'b, 't>(
    book: &'b Book<'t>,
    instruction: &'t SpecInstruction,
    field: &str,
    ty: &OperandType,
    aspect: Aspect,
) -> Option<Unsaid<'b, 't>> {
    let said_by = |cited: &'b ResolvedDemand<'t>, by: &'b ResolvedDemand<'t>| Unsaid {
        cited,
        elsewhere: by.document(),
    };
    let own: Vec<&ResolvedDemand<'t>> = book
        .of_document(&instruction.document)
        .filter(|it| of_types(it) && it.is_of(&instruction.name, field))
        .collect();
    let siblings = || book.resolved.iter().filter(|it| of_types(it) && at_home(book, it));
    match aspect {
        Aspect::Type | Aspect::Shape => {
            // Siblings are the operands of the same instructions, and those of the same name.
            let open = matches!(ty, OperandType::Variable(_) | OperandType::Ballot);
            // Siblings are the instructions of the same capability.
            let own_family = book.known.capabilities(&instruction.name);
            let sibling = |other: &String| {
                book.known.capabilities(other).iter().any(|it| own_family.contains(it))
            };
            let in_family = |it: &&ResolvedDemand<'t>| {
                it.document() == &*instruction.document && it.instructions.iter().any(sibling)
            };
            // A type variable of the header counts as a constraint, unless a sibling's operand has an
            // additional sentence.
            let alike = || {
                let mut rules = book.of_document(&instruction.document);
                rules.any(|it| of_types(it) && it.places.iter().any(|(_, other)| other == field))
            };
            let resolved = || {
                (is_of_ruled_type(book, instruction, ty)
                    || book.known.header_restricts(instruction, ty))
                    && !alike()
            };
            let asked = (aspect == Aspect::Shape) == has_its_component_given(instruction, ty);
            let silent = asked && open && own.is_empty() && !resolved();
            silent.then(|| siblings().find(in_family)).flatten().map(|it| said_by(it, it))
        }
        Aspect::Component => {
            let open = own.iter().find(|it| elements(it).any(|word| word == "any"))?;
            let stated = siblings().find(|it| {
                it.document() != open.document() && elements(it).all(|word| word != "any")
            });
            stated.map(|it| said_by(open, it))
        }
        Aspect::Sign => {
            let open = own.iter().find(|it| signs(it) == [true, true])?;
            let stated = siblings().find(|it| {
                let signs = signs(it);
                signs != [true, true] && signs != [false, false]
            });
            stated.map(|it| said_by(open, it))
        }
        Aspect::Width => {
            let of_integers =
                |it: &ResolvedDemand<'t>| *ty == OperandType::AnyInt || only_integers(it);
            let open = own.iter().find(|it| of_integers(it) && widths(it) > 1)?;
            let mut agreed = elsewhere(book, instruction, field).into_iter();
            let stated = agreed.find(|it| widths(it) == 1);
            let stated = stated.or_else(|| {
                siblings().find(|it| it.document() != open.document() && widths(it) == 1)
            });
            stated.map(|it| said_by(open, it))
        }
        Aspect::Count => {
            let open = own.iter().find(|it| counts(it) == Counts::Any)?;
            let mut stated = elsewhere(book, instruction, field).into_iter();
            stated.find(|it| counts(it) == Counts::One).map(|it| said_by(open, it))
        }
    }
}

/// Another operand's type is that of its components.
fn has_its_component_given(instruction: &SpecInstruction, ty: &OperandType) -> bool {
    let OperandType::Variable(own) = ty else { return false };
    instruction.type_rules.iter().any(|rule| rule.component_of.as_ref() == Some(own))
}

/// What other documents say of the types of the same operand.
fn elsewhere<'b, 't>(
    book: &'b Book<'t>,
    instruction: &SpecInstruction,
    field: &str,
) -> Vec<&'b ResolvedDemand<'t>> {
    let others = book.resolved.iter().filter(|it| it.document() != &*instruction.document);
    others.filter(|it| of_types(it) && it.is_of(&instruction.name, field)).collect()
}

/// How many components a list of types leaves.
#[derive(PartialEq, Eq)]
enum Counts {
    /// A number that the list has.
    One,
    /// Several that the list has.
    Some,
    /// A vector of any number.
    Any,
}

fn counts(resolved: &ResolvedDemand<'_>) -> Counts {
    let (mut listed, mut any) = (BTreeSet::new(), false);
    for values in &resolved.demand.values {
        if let Values::Types { scalar, vector, .. } = values {
            listed.extend(scalar.then_some(1));
            any |= vector.as_ref().is_some_and(Vec::is_empty);
            listed.extend(vector.iter().flatten().copied());
        }
    }
    match (any, listed.len()) {
        (true, _) => Counts::Any,
        (false, 1) => Counts::One,
        (false, _) => Counts::Some,
    }
}

/// Of all its types the components are integers.
fn only_integers(resolved: &ResolvedDemand<'_>) -> bool {
    let integer = |word: &str| {
        word == "int"
            || word.strip_prefix(['u', 'i']).is_some_and(|width| width.parse::<u32>().is_ok())
    };
    elements(resolved).next().is_some() && elements(resolved).all(integer)
}

/// A rule is about another operand, or the result, that is declared to be of the same type.
fn is_of_ruled_type(book: &Book<'_>, instruction: &SpecInstruction, ty: &OperandType) -> bool {
    let operands = instruction.operands.iter().map(|it| (&*it.name, &it.ty));
    let all = operands.chain(instruction.result.iter().map(|ty| ("Result", ty)));
    all.filter(|(_, other)| *other == ty).any(|(field, _)| {
        let mut rules = book.of_document(&instruction.document);
        rules.any(|it| of_types(it) && it.is_of(&instruction.name, field))
    })
}

/// The rule is in the document that defines the instruction.
fn at_home(book: &Book<'_>, resolved: &ResolvedDemand<'_>) -> bool {
    resolved
        .places
        .iter()
        .any(|(instruction, _)| book.known.home(instruction) == Some(resolved.document()))
}

fn of_types(resolved: &ResolvedDemand<'_>) -> bool {
    let types = |values: &Values| matches!(values, Values::Types { .. });
    let force =
        matches!(resolved.demand.force, Force::Accepts | Force::AcceptsOnly | Force::Requires);
    force && resolved.demand.values.iter().any(types)
}

fn elements<'s>(resolved: &'s ResolvedDemand<'_>) -> impl Iterator<Item = &'s str> {
    resolved.demand.values.iter().flat_map(|values| match values {
        Values::Types { elements, .. } => elements.iter().map(|word| &**word).collect(),
        _ => Vec::new(),
    })
}

/// Whether integers without a sign are named, and with one.
fn signs(resolved: &ResolvedDemand<'_>) -> [bool; 2] {
    let mut signs = [false, false];
    for word in elements(resolved) {
        signs[0] |= word.starts_with('u');
        signs[1] |= word.starts_with('i') && word != "int";
    }
    signs
}

/// How many widths of integers are named.
fn widths(resolved: &ResolvedDemand<'_>) -> usize {
    let of = |word: &str| word.trim_start_matches(['u', 'i']).parse::<u32>().ok();
    let widths: BTreeSet<u32> = elements(resolved).filter_map(of).collect();
    if elements(resolved).any(|word| word == "int") { 4 } else { widths.len() }
}
