//! The forms of an instruction that are shown: its types, enumerants and optional operands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::ModuleKind;
use laneproof_semantics::denote::{Argument, Instance};
use laneproof_semantics::language::ast::{OperandType, SpecInstruction};
use laneproof_semantics::{Scalar, Type};

use crate::model_check::{Clauses, Meaning};
use crate::typical::{element, value};

/// The newest version: it allows most.
const VERSION: (u8, u8) = (1, 6);

/// The component types that are shown, if they can be.
const ORDINARY: [Scalar; 3] = [Scalar::uint(32), Scalar::F32, Scalar::Bool];

/// One form.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// In words, types last.
    pub words: String,
    pub instance: Instance,
}

/// What is chosen where an instruction leaves it open.
#[derive(Clone, Copy)]
struct Choice {
    /// Which of the optional operands are given, a bit each.
    given: u32,
    /// Where any type fits, by the order in which variables are declared: a vector, not a scalar.
    vectors: u8,
    /// How many literals or constituents there are.
    rest: u32,
}

/// Every form that the clauses have terms for or, where they have none for any, one.
pub(super) fn forms(meaning: &Meaning<'_>, module_kind: ModuleKind) -> Vec<Form> {
    let Clauses::Instruction(instruction) = meaning.clauses else {
        let Clauses::BuiltIn(built_in) = meaning.clauses else { return Vec::new() };
        let result = value(&built_in.ty, &BTreeMap::new());
        let words = String::new();
        return vec![Form { words, instance: instance(Vec::new(), result, module_kind) }];
    };
    let mut kinds = instruction.operands.iter().filter_map(|operand| match &operand.ty {
        OperandType::Enumerant(kind) => Some(kind),
        _ => None,
    });
    let enumerants: Vec<Option<Arc<str>>> = match kinds.next_back() {
        Some(kind) => {
            let names = meaning.specification.enumerants.get(kind).into_iter().flatten();
            names.map(|name| Some(name.clone())).collect()
        }
        None => vec![None],
    };
    let optional = instruction.operands.iter().filter(|operand| operand.optional).count() as u32;
    // None, one of them, all of them.
    let sets: BTreeSet<u32> =
        (0..optional).map(|bit| 1 << bit).chain([0, (1 << optional) - 1]).collect();
    let mut found = Vec::new();
    for enumerant in &enumerants {
        let of =
            |given| choices(given).map(|it| form(instruction, enumerant.as_ref(), it, module_kind));
        let fits = |form: &Form| meaning.symbolic(&form.instance).is_ok();
        let fitting = sets.iter().filter_map(|&given| of(given).find(fits));
        // Beside an enumerant, operands belong to those that cannot do without them.
        found.extend(fitting.take(if enumerant.is_some() { 1 } else { sets.len() }));
    }
    if found.is_empty() {
        found.extend(choices(0).next().map(|it| form(instruction, None, it, module_kind)));
    }
    found
}

/// Scalars before vectors, few before many.
fn choices(given: u32) -> impl Iterator<Item = Choice> {
    let rest = [0, 1, 2, 4];
    (0..8).flat_map(move |vectors| rest.map(|rest| Choice { given, vectors, rest }))
}

fn form(
    instruction: &SpecInstruction,
    enumerant: Option<&Arc<str>>,
    choice: Choice,
    module_kind: ModuleKind,
) -> Form {
    let types = types(instruction, choice);
    let mut words = Vec::new();
    let mut optional = 0..;
    let arguments = instruction.operands.iter().map(|operand| {
        let bit = if operand.optional { optional.next() } else { None };
        if bit.is_some_and(|bit: u32| choice.given >> bit & 1 == 0) {
            return Argument::Absent;
        }
        let argument = match &operand.ty {
            OperandType::Scope => Argument::Enumerant(vec!["Subgroup".into()]),
            OperandType::Enumerant(_) => {
                Argument::Enumerant(enumerant.cloned().into_iter().collect())
            }
            OperandType::Literals => Argument::Literals((0..choice.rest).collect()),
            OperandType::Values => Argument::Values(vec![Type::U32; choice.rest as usize]),
            OperandType::Pointer(variable) => {
                types.get(variable).cloned().map_or(Argument::Opaque, Argument::Pointer)
            }
            OperandType::Image => Argument::Image,
            other => value(other, &types).map_or(Argument::Opaque, Argument::Value),
        };
        let name = &operand.name;
        words.extend(match &argument {
            Argument::Enumerant(names) => {
                let names = names.iter().map(|name| &**name).collect::<Vec<_>>();
                Some(format!("{name} = {}", names.join(" or ")))
            }
            Argument::Value(ty) => Some(format!("{name} : {ty}")),
            Argument::Literals(list) => Some(format!("{name} = {list:?}")),
            Argument::Values(types) => {
                let types: Vec<String> = types.iter().map(Type::to_string).collect();
                Some(format!("{name} : [{}]", types.join(", ")))
            }
            _ => None,
        });
        argument
    });
    let arguments = arguments.collect();
    let result = instruction.result.as_ref().and_then(|ty| value(ty, &types));
    words.extend(result.as_ref().map(|ty| format!("result : {ty}")));
    Form { words: words.join(", "), instance: instance(arguments, result, module_kind) }
}

fn instance(arguments: Vec<Argument>, result: Option<Type>, module_kind: ModuleKind) -> Instance {
    let capabilities = Arc::new([module_kind.capability().to_owned()].into());
    Instance {
        arguments,
        result,
        capabilities,
        modes: Arc::default(),
        version: VERSION,
        decorations: BTreeSet::new(),
    }
}

/// What the type variables stand for: 32 bits, unsigned, a scalar where that is allowed.
fn types(instruction: &SpecInstruction, choice: Choice) -> BTreeMap<Arc<str>, Type> {
    let mut types: BTreeMap<Arc<str>, Type> = BTreeMap::new();
    let mut open = 0;
    for rule in &instruction.type_rules {
        let ty = if let Some(whole) = &rule.component_of {
            types.get(whole).and_then(Type::element).map_or(Type::U32, Type::Scalar)
        } else if let Some(members) = &rule.pair_of {
            let member = |name| types.get(name).cloned().unwrap_or(Type::U32);
            Type::Struct(members.iter().map(member).collect())
        } else {
            let vector = if rule.any {
                open += 1;
                choice.vectors >> (open - 1) & 1 == 1
            } else {
                !rule.scalar
            };
            match (element(rule, &ORDINARY), vector) {
                (element, true) => Type::Vector { element, count: 2 },
                (element, false) => Type::Scalar(element),
            }
        };
        types.insert(rule.variable.clone(), ty);
    }
    types
}
