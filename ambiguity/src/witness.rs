//! A state as people read it, and what comes of it.

use laneproof_semantics::denote::{Argument, DenoteError, Instance, Settled};
use laneproof_semantics::evaluate::{Bits, Given, LaneResult, Subgroup, evaluate};
use laneproof_semantics::language::ast::Instruction;
use laneproof_semantics::{Specification, Type};
use serde_json::{Map, Value, json};

use crate::finding::Witness;

/// The state, with the lane in which something shows.
pub fn witness(
    instruction: &Instruction,
    instance: &Instance,
    subgroup: &Subgroup,
    lane: u32,
) -> Witness {
    let (mut operands, mut lanes) = (Map::new(), Map::new());
    let values = instruction.operands.iter().zip(&subgroup.operands).zip(&instance.arguments);
    for ((operand, held), argument) in values {
        let Argument::Value(ty) = argument else { continue };
        let shown = |lane: &Vec<Bits>| value(ty, lane);
        if let Some(own) = held.get(lane as usize) {
            operands.insert(operand.name.to_string(), shown(own));
        }
        if held.iter().any(|other| Some(other) != held.first()) {
            lanes.insert(operand.name.to_string(), held.iter().map(shown).collect());
        }
    }
    Witness {
        instruction: instruction.name.to_string(),
        form: form(instruction, instance),
        subgroup_size: subgroup.size,
        max_size: subgroup.max_size,
        existing: subgroup.existing,
        active: (0..subgroup.existing).filter(|lane| subgroup.active >> lane & 1 == 1).collect(),
        lane,
        operands,
        lanes,
    }
}

fn form(instruction: &Instruction, instance: &Instance) -> String {
    let mut words: Vec<String> = Vec::new();
    for (operand, argument) in instruction.operands.iter().zip(&instance.arguments) {
        match argument {
            Argument::Enumerant(names) => {
                words.extend(names.first().map(|name| format!("{} = {name}", operand.name)));
            }
            Argument::Value(ty) => words.push(format!("{} : {ty}", operand.name)),
            _ => {}
        }
    }
    words.extend(instance.capabilities.iter().map(|name| format!("{name} module")));
    words.join(", ")
}

fn value(ty: &Type, leaves: &[Bits]) -> Value {
    let shown = |bits: &Bits| bits.map_or(Value::Null, |bits| json!(format!("{bits:#x}")));
    match (ty, leaves) {
        (Type::Scalar(_), [one]) => shown(one),
        _ => leaves.iter().map(shown).collect(),
    }
}

/// What a lane gets in a state, in words; every value that is drawn is 0. Where clauses leave
/// results open it is said whether those that are `given` are such.
///
/// # Errors
///
/// Where the evaluator cannot carry it out.
pub fn outcome(
    specification: &Specification,
    settled: &Settled,
    instruction: &Instruction,
    instance: &Instance,
    subgroup: &Subgroup,
    given: Given<'_>,
    lane: u32,
) -> Result<String, DenoteError> {
    let lanes = evaluate(
        specification,
        settled,
        instruction,
        instance,
        subgroup,
        &mut |_, _, _, _| 0,
        given,
    )?;
    let may = if given.is_some() { "may be " } else { "" };
    Ok(match lanes.into_iter().nth(lane as usize).flatten() {
        None => "not active".to_owned(),
        Some(LaneResult::UndefinedBehavior(_)) => "undefined behavior".to_owned(),
        Some(LaneResult::Silence(_)) => "the text does not say".to_owned(),
        Some(LaneResult::Illegal) => match given.and_then(|given| given.get(lane as usize)) {
            Some(Some(leaves)) => format!("must not be {}", words(leaves)),
            _ => "not such a result".to_owned(),
        },
        Some(LaneResult::Value(leaves)) if leaves.is_empty() => "done".to_owned(),
        Some(LaneResult::Value(leaves)) => format!("{may}{}", words(&leaves)),
    })
}

fn words(leaves: &[Bits]) -> String {
    let word = |leaf: &Bits| leaf.map_or("undefined".to_owned(), |bits| format!("{bits:#x}"));
    leaves.iter().map(word).collect::<Vec<_>>().join(", ")
}
