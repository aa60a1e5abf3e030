//! Which lane reads which, and what each lane gets.

use laneproof_semantics::Type;
use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::evaluate::{GivenResults, LaneResult, Subgroup, evaluate};
use laneproof_semantics::language::ast::{Expr, ExprKind, OperandType, SpecInstruction, Statement};

use crate::effect::{carried_out, in_words};
use crate::probe::saying;
use crate::question::Case;
use crate::view::{LaneOperand, LaneView};

/// Every active lane of a state, under one way of reading.
pub fn picture(
    case: &Case<'_>,
    settled: &Settled,
    subgroup: &Subgroup,
    given: GivenResults<'_>,
) -> Vec<LaneView> {
    let named = named(case.instruction);
    let done = carried_out(
        &case.texts.specification,
        settled,
        case.instruction,
        case.instance,
        subgroup,
        given,
    );
    let active = (0..subgroup.existing).filter(|lane| subgroup.active >> lane & 1 == 1);
    active
        .map(|lane| {
            let reads = named.iter().filter_map(|Named { operand, lane: from, when }| {
                let lane = number(case, settled, subgroup, lane, from, when.as_ref())?;
                Some(LaneOperand { lane, operand: operand.clone() })
            });
            let mut reads: Vec<LaneOperand> = reads.collect();
            reads.dedup();
            let outcome = match &done {
                Ok(done) => in_words(case.instruction, done, given, lane),
                Err(error) => error.to_string(),
            };
            LaneView { lane, reads, outcome }
        })
        .collect()
}

/// A lane that a result names.
struct Named {
    /// The operand of it that the result is.
    operand: Option<String>,
    lane: Expr,
    /// The condition of the sentence.
    when: Option<Expr>,
}

/// The lanes that results name.
fn named(instruction: &SpecInstruction) -> Vec<Named> {
    let mut found = Vec::new();
    for clause in &instruction.clauses {
        for (statement, _) in &clause.statements {
            let Statement::Result(value, when) = statement else { continue };
            let ExprKind::At(of, lane) = &value.kind else { continue };
            let is_operand = |name: &str| instruction.operands.iter().any(|it| *it.name == *name);
            let operand = match &of.kind {
                ExprKind::Name(name) if is_operand(name) => Some(name.to_string()),
                _ => None,
            };
            found.push(Named { operand, lane: Expr::clone(lane), when: when.clone() });
        }
    }
    found
}

/// What an expression comes to in a lane where the condition holds.
fn number(
    case: &Case<'_>,
    settled: &Settled,
    subgroup: &Subgroup,
    lane: u32,
    value: &Expr,
    when: Option<&Expr>,
) -> Option<u32> {
    let span = value.span;
    let statement = Statement::Result(value.clone(), when.cloned());
    let instruction = SpecInstruction {
        result: Some(OperandType::Int(32)),
        componentwise: false,
        ..saying(case.instruction, statement, span)
    };
    let instance = Instance { result: Some(Type::U32), ..case.instance.clone() };
    let opaque = |argument: &Argument| matches!(argument, Argument::Opaque);
    if instance.arguments.iter().any(opaque) {
        return None;
    }
    let lanes = evaluate(
        &case.texts.specification,
        settled,
        &instruction,
        &instance,
        subgroup,
        &mut |_, _, _, _| 0,
        None,
    );
    match lanes.ok()?.into_iter().nth(lane as usize)?? {
        LaneResult::Value(leaves) => match leaves.as_slice() {
            // A number below zero, or beyond all that 32 bits hold, is the greatest one there.
            [Some(number)] => u32::try_from(*number).ok().filter(|it| *it != u32::MAX),
            _ => None,
        },
        _ => None,
    }
}
