//! The types that a document declares for a group instruction's operands and result, which the
//! reference validator asks of few of them.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::names::InstructionClass;
use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id};
use laneproof_semantics::language::ast::{OperandType, SpecInstruction, TypeRule};
use laneproof_semantics::language::rule::DemandSubject;
use laneproof_semantics::{Scalar, Type};

use crate::body::Body;
use crate::diagnostic::{Diagnostic, Severity};
use crate::leaves::type_of;
use crate::shown::described;
use crate::values::type_text;
use crate::view::View;

/// A value of an instruction, with what is declared of it.
struct Typed<'a> {
    name: &'a str,
    declared: &'a OperandType,
    ty: Id,
    /// The operand is a type, or something else that has none.
    valueless: bool,
}

/// Operands and results of types that the declaration does not have, where nothing else is wrong
/// with the instruction. A declaration has the types that clauses are written for: of fields of which
/// a sentence of the document speaks, that decides.
pub fn findings(view: &View<'_>, body: &Body<'_>, known: &[Diagnostic]) -> Vec<Diagnostic> {
    let wrong: BTreeSet<Option<u32>> =
        known.iter().filter(|it| it.severity == Severity::Error).map(|it| it.word).collect();
    let mut ruled: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    let of = |instruction: &Decoded| {
        let is_group = InstructionClass::of(instruction.opcode).is_group();
        if !is_group || wrong.contains(&Some(instruction.place.word)) {
            return None;
        }
        let declared = view.fields.declared(instruction.opcode)?;
        let opcode = instruction.opcode;
        let ruled = ruled.entry(opcode as u32).or_insert_with(|| ruled_by(body, declared, opcode));
        let (topic, message) = mistake(view, declared, instruction, ruled)?;
        Some(diagnostic(view, declared, instruction, (topic, message)))
    };
    view.instructions().iter().filter_map(of).collect()
}

/// The fields of which the rules of the instruction's own document speak.
fn ruled_by<'b>(body: &Body<'b>, declared: &SpecInstruction, opcode: Op) -> BTreeSet<&'b str> {
    let own = body
        .demands
        .iter()
        .filter(|it| !it.own && *it.rule.document == *declared.document && it.is_about(opcode));
    let fields = own.filter_map(|it| match &it.demand.subject {
        DemandSubject::Fields { fields, within: None, .. } => Some(fields),
        _ => None,
    });
    fields.flatten().map(|it| &**it).collect()
}

/// The first value of a type that is not declared, and what is.
fn mistake(
    view: &View<'_>,
    declared: &SpecInstruction,
    instruction: &Decoded,
    ruled: &BTreeSet<&str>,
) -> Option<(&'static str, String)> {
    let mut first: BTreeMap<&str, (String, Id)> = BTreeMap::new();
    for it in values(view, declared, instruction) {
        let found = || format!("{} {}", it.called(), it.found(view));
        if it.valueless {
            return Some((it.topic(), found()));
        }
        let is_ruled = ruled.contains(it.name);
        let OperandType::Variable(variable) = it.declared else {
            let fits =
                is_ruled || type_of(view, it.ty).is_some_and(|ty| is_declared(it.declared, &ty));
            if !fits && let Some(expected) = expected(it.declared) {
                return Some((it.topic(), format!("{}; expected {expected}", found())));
            }
            continue;
        };
        let rule = declared.type_rules.iter().find(|rule| *rule.variable == **variable);
        if let Some(rule) = rule.filter(|rule| !is_ruled && asks(rule))
            && !admits(view, rule, it.ty)
        {
            return Some((it.topic(), format!("{}; expected {}", found(), listed(rule))));
        }
        let (other, ty) = first.entry(variable).or_insert_with(|| (it.called(), it.ty));
        if *ty != it.ty {
            return Some((it.topic(), format!("{}, and {other} has another type", found())));
        }
    }
    None
}

/// The values of an instruction whose types are declared; the result comes first.
fn values<'a>(
    view: &View<'_>,
    declared: &'a SpecInstruction,
    instruction: &Decoded,
) -> Vec<Typed<'a>> {
    let result = declared.result.as_ref().zip(instruction.ty);
    let result =
        result.map(|(declared, ty)| Typed { name: RESULT, declared, ty, valueless: false });
    let positions = view.positions(declared, instruction);
    let operands = declared.operands.iter().zip(positions).filter_map(|(operand, position)| {
        let id = instruction.id(position?)?;
        let (ty, valueless) = match view.type_of(id) {
            Some(ty) => (ty, false),
            None => (id, true),
        };
        Some(Typed { name: &operand.name, declared: &operand.ty, ty, valueless })
    });
    result.into_iter().chain(operands).filter(|it| it.is_typed()).collect()
}

/// What the result is called.
const RESULT: &str = "Result";

impl Typed<'_> {
    fn is_typed(&self) -> bool {
        matches!(self.declared, OperandType::Variable(_)) || expected(self.declared).is_some()
    }

    fn called(&self) -> String {
        match self.name {
            RESULT => "the result type".to_owned(),
            name => format!("`{name}`"),
        }
    }

    fn found(&self, view: &View<'_>) -> String {
        let text = || type_text(view, self.ty, 0);
        match (self.valueless, self.name) {
            (true, _) => "is no value".to_owned(),
            (_, RESULT) => format!("is {}", text()),
            _ => format!("is of type {}", text()),
        }
    }

    fn topic(&self) -> &'static str {
        if self.name == RESULT { "result-type" } else { "operand-type" }
    }
}

/// A declared type that is no variable's, in words; none of what is no value here.
fn expected(declared: &OperandType) -> Option<String> {
    Some(match declared {
        OperandType::Bool => "a Boolean scalar".to_owned(),
        OperandType::Int(width) => format!("an integer scalar of {width} bits"),
        OperandType::AnyInt => "an integer scalar".to_owned(),
        OperandType::Ballot => "a vector of four integers of 32 bits".to_owned(),
        _ => return None,
    })
}

fn is_declared(declared: &OperandType, ty: &Type) -> bool {
    let is_integer = |width: Option<u32>, scalar: &Scalar| {
        scalar.is_int() && width.is_none_or(|width| scalar.width() == width)
    };
    match (declared, ty) {
        (OperandType::Bool, Type::Scalar(scalar)) => *scalar == Scalar::Bool,
        (OperandType::Int(width), Type::Scalar(scalar)) => is_integer(Some(*width), scalar),
        (OperandType::AnyInt, Type::Scalar(scalar)) => is_integer(None, scalar),
        (OperandType::Ballot, Type::Vector { element, count: 4 }) => is_integer(Some(32), element),
        _ => false,
    }
}

/// The rule restricts its variable to types that it lists.
fn asks(rule: &TypeRule) -> bool {
    !rule.any && rule.component_of.is_none() && rule.pair_of.is_none()
}

fn admits(view: &View<'_>, rule: &TypeRule, ty: Id) -> bool {
    let Some(definition) = view.definition(ty) else { return true };
    let (is_vector, scalar) = match definition.opcode {
        Op::TypeVector => (true, definition.id(0)),
        _ => (false, Some(ty)),
    };
    let shape = if is_vector { rule.vector } else { rule.scalar };
    let Some(scalar) = scalar.and_then(|it| view.definition(it)) else { return true };
    let width = scalar.literal(0);
    let is = |word: &str| match scalar.opcode {
        Op::TypeBool => word == "bool",
        Op::TypeInt => word == "int" || has_width(word, 'u', width),
        // Its encoding is another rule's.
        Op::TypeFloat => word == "float" || has_width(word, 'f', width),
        _ => false,
    };
    shape && rule.elements.iter().any(|word| is(word))
}

fn has_width(word: &str, letter: char, width: Option<u32>) -> bool {
    let named = word.strip_prefix(letter).and_then(|it| it.parse().ok());
    named.is_some() && named == width
}

fn listed(rule: &TypeRule) -> String {
    let shape = match (rule.scalar, rule.vector) {
        (true, true) => "scalar or vector",
        (_, true) => "vector",
        _ => "scalar",
    };
    format!("`{shape} of {}`", rule.elements.join(", "))
}

fn diagnostic(
    view: &View<'_>,
    declared: &SpecInstruction,
    instruction: &Decoded,
    (topic, message): (&str, String),
) -> Diagnostic {
    Diagnostic {
        rule: format!("{}/{topic}", declared.document),
        severity: Severity::Error,
        message,
        instruction: view.instruction_name(instruction),
        word: Some(instruction.place.word),
        line: Some(instruction.place.line).filter(|&line| line > 0),
        citation: format!("{}, {}", declared.document, declared.section),
        reading: None,
        depends_on: BTreeSet::new(),
        subject: None,
        breadth: None,
        shown: Some(described(view, instruction)),
    }
}
