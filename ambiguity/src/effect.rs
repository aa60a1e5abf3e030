//! What becomes of a lane: its result, and what it writes to memory.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use laneproof_semantics::Specification;
use laneproof_semantics::denote::{Argument, DenoteError, Instance, Settled};
use laneproof_semantics::evaluate::{
    Bits, Execution, GivenResults, LaneResult, Memory, Serialization, Subgroup, evaluate, execute,
};
use laneproof_semantics::language::ast::{Clause, SpecInstruction, Statement};

/// What an instruction does in a state; every value that is drawn is 0. Where clauses leave
/// results open these are as they are `given`.
///
/// # Errors
///
/// Where the evaluator cannot carry it out.
pub fn carried_out(
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
    instance: &Instance,
    subgroup: &Subgroup,
    given: GivenResults<'_>,
) -> Result<Execution, DenoteError> {
    let mut draw = |_, _, _, _| 0;
    if !has_memory(instance) {
        let lanes =
            evaluate(specification, settled, instruction, instance, subgroup, &mut draw, given)?;
        return Ok(Execution { lanes, ..Execution::default() });
    }
    let active = (0..subgroup.existing).filter(|lane| subgroup.active >> lane & 1 == 1);
    let order: Vec<u32> = active.collect();
    let serialization = Serialization { order: &order, chosen: &[] };
    execute(specification, settled, instruction, instance, subgroup, serialization, &mut draw)
}

/// The places, each of an operand, that two lanes write.
pub fn met(execution: &Execution) -> BTreeSet<(usize, usize)> {
    let mut written = BTreeSet::new();
    execution.stored.iter().flatten().copied().filter(|place| !written.insert(*place)).collect()
}

/// Some operand leads to memory.
pub fn has_memory(instance: &Instance) -> bool {
    instance.arguments.iter().any(|it| matches!(it, Argument::Pointer(_) | Argument::Image))
}

/// A lane's result and stores, in words. If clauses leave results open, it says whether the `given`
/// ones are legal.
pub fn in_words(
    instruction: &SpecInstruction,
    execution: &Execution,
    given: GivenResults<'_>,
    lane: u32,
) -> String {
    let may = if given.is_some() { "may be " } else { "" };
    match execution.lanes.get(lane as usize).and_then(Option::as_ref) {
        None => "not active".to_owned(),
        Some(LaneResult::UndefinedBehavior(_)) => "undefined behavior".to_owned(),
        Some(LaneResult::Silence(place)) => silent(instruction, place),
        Some(LaneResult::Illegal) => match given.and_then(|given| given.get(lane as usize)) {
            Some(Some(leaves)) => format!("must not be {}", words(leaves)),
            _ => "not such a result".to_owned(),
        },
        Some(LaneResult::Value(leaves)) if leaves.is_empty() => {
            written(instruction, execution, lane)
        }
        Some(LaneResult::Value(leaves)) => format!("{may}{}", words(leaves)),
    }
}

/// No sentence defines a lane's result, and none names what it leaves open.
pub fn is_unsaid(instruction: &SpecInstruction, execution: &Execution, lane: u32) -> bool {
    match execution.lanes.get(lane as usize).and_then(Option::as_ref) {
        Some(LaneResult::Silence(place)) => naming(instruction, place).is_none(),
        _ => false,
    }
}

/// What stands before sentences that are met, and that name no consequence.
pub const NO_MORE: &str = "a sentence is met that names no consequence:";

/// The text for a result that no sentence defines.
pub const UNSAID: &str = "the text does not say";

/// The clause at a place with a requirement or a word whose consequence no sentence gives.
fn naming<'i>(instruction: &'i SpecInstruction, place: &str) -> Option<&'i Clause> {
    let names =
        |statement: &Statement| matches!(statement, Statement::Must(_) | Statement::Label(..));
    let mut clauses = instruction.clauses.iter();
    let found = clauses
        .find(|clause| *clause.id == *place && clause.statements.iter().any(|(it, _)| names(it)));
    found.map(|clause| &**clause)
}

/// Names the requirement or word whose consequence no sentence gives, if there is one.
fn silent(instruction: &SpecInstruction, place: &str) -> String {
    match naming(instruction, place) {
        Some(clause) => {
            format!("{NO_MORE} \u{201c}{}\u{201d}", clause.wording)
        }
        None => UNSAID.to_owned(),
    }
}

fn words(leaves: &[Bits]) -> String {
    leaves.iter().map(word).collect::<Vec<_>>().join(", ")
}

fn word(leaf: &Bits) -> String {
    leaf.map_or("undefined".to_owned(), |bits| format!("{bits:#x}"))
}

/// The places that a lane writes, with what is left there.
fn written(instruction: &SpecInstruction, execution: &Execution, lane: u32) -> String {
    let Some(stored) = execution.stored.get(lane as usize).filter(|it| !it.is_empty()) else {
        return match execution.stored.is_empty() {
            true => "done".to_owned(),
            false => "nothing is written".to_owned(),
        };
    };
    let mut parts = Vec::new();
    for (target, operand) in instruction.operands.iter().enumerate() {
        let places: BTreeSet<usize> =
            stored.range((target, 0)..(target + 1, 0)).map(|&(_, place)| place).collect();
        match execution.memory.get(&target) {
            Some(Memory::Buffer { elements, .. }) => {
                parts.extend(places.iter().map(|&place| {
                    format!("{}[{place}] = {}", operand.name, word(&elements[place]))
                }))
            }
            Some(Memory::Image { width, words, .. }) => {
                let name = &operand.name;
                let rows = stretches(&places, 4 * *width as usize);
                parts.extend(rows.into_iter().map(|it| stretch(name, &it, *width, words)));
            }
            None => {}
        }
    }
    parts.join(", ")
}

/// Ranges of adjacent bytes in a row.
fn stretches(bytes: &BTreeSet<usize>, row: usize) -> Vec<Vec<usize>> {
    let mut stretches: Vec<Vec<usize>> = Vec::new();
    for &byte in bytes {
        match stretches.last_mut() {
            Some(open) if open.last() == Some(&(byte.wrapping_sub(1))) && byte % row != 0 => {
                open.push(byte);
            }
            _ => stretches.push(vec![byte]),
        }
    }
    stretches
}

/// `Image row 1, byte 4 = 0x12`: bytes as one number, the lowest first.
fn stretch(name: &str, bytes: &[usize], width: u32, words: &[Bits]) -> String {
    let row = 4 * width as usize;
    let (first, last) = (bytes[0], bytes[bytes.len() - 1]);
    let mut out = format!("{name} row {}, byte {}", first / row, first % row);
    if last != first {
        let _ = write!(out, "-{}", last % row);
    }
    let byte = |&at: &usize| words[at / 4].map(|word| word >> (8 * (at % 4)) & 0xff);
    match bytes.iter().map(byte).collect::<Option<Vec<u64>>>() {
        None => out + " = undefined",
        Some(held) => {
            let digits: String = held.iter().rev().map(|byte| format!("{byte:02x}")).collect();
            out + " = 0x" + &digits
        }
    }
}
