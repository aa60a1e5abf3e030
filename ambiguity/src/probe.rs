//! Terms of conditions that no clause states, in the same words and about the same lane.

use std::sync::Arc;

use laneproof_queries::model_check::{Clauses, Meaning};
use laneproof_queries::states::InstructionStates;
use laneproof_semantics::denote::{Cause, DenoteError, LaneOutcome, Settled};
use laneproof_semantics::language::ast::{
    BinaryOp, Clause, Expr, ExprKind, Quantifier, Span, SpecInstruction, Statement, UnaryOp,
};
use laneproof_semantics::term::Term;

use crate::question::Case;

/// When `condition`, in the words of the case's clauses, holds in a lane. Where evaluating it
/// would read a lane that has no value it is not asked about.
pub(crate) fn condition(
    case: &Case<'_>,
    settled: &Settled,
    states: &mut InstructionStates<'_>,
    lane: Term,
    condition: Expr,
) -> Result<Term, DenoteError> {
    let span = condition.span;
    let instruction = saying(case.instruction, Statement::UndefinedBehavior(condition), span);
    let meaning = Meaning {
        specification: &case.texts.specification,
        settled,
        clauses: Clauses::Instruction(&instruction),
    };
    let outcome = states.outcome_at(&meaning, lane)?;
    let causes: Vec<Term> = outcome.undefined_behavior.iter().map(|it| it.condition).collect();
    let unread = silent_where(states, &outcome, |cause| cause.reading.is_some());
    let pool = states.pool();
    let read = pool.not(unread);
    let holds = pool.any(causes);
    Ok(pool.and(holds, read))
}

/// When an outcome is silent for one of these causes.
pub(crate) fn silent_where(
    states: &mut InstructionStates<'_>,
    outcome: &LaneOutcome,
    of: impl Fn(&Cause) -> bool,
) -> Term {
    let causes = outcome.silence.iter().filter(|cause| of(cause));
    let conditions: Vec<Term> = causes.map(|cause| cause.condition).collect();
    states.pool().any(conditions)
}

/// The clause that holds such a statement.
pub(crate) const PROBE: &str = "probe";

/// The instruction with this statement alone, in the words that its clauses define.
pub(crate) fn saying(
    instruction: &SpecInstruction,
    statement: Statement,
    span: Span,
) -> SpecInstruction {
    let clause = Clause {
        replaces: Vec::new(),
        elsewhere: false,
        id: Arc::from(PROBE),
        document: Arc::clone(&instruction.document),
        section: Arc::clone(&instruction.section),
        sentences: Vec::new(),
        wording: Arc::from(""),
        statements: definitions(instruction).chain([(statement, span)]).collect(),
        span,
    };
    SpecInstruction { clauses: vec![Arc::new(clause)], ..SpecInstruction::clone(instruction) }
}

/// The `let`s of all clauses.
fn definitions(instruction: &SpecInstruction) -> impl Iterator<Item = (Statement, Span)> + '_ {
    let statements = instruction.clauses.iter().flat_map(|clause| &clause.statements);
    statements.filter(|(statement, _)| matches!(statement, Statement::Let(_))).cloned()
}

/// The lanes at which a clause reads values, as it names them; not those under a quantifier,
/// nor those that are named by a parameter.
pub(crate) fn lanes_named(clause: &Clause) -> Vec<Expr> {
    let mut found = Vec::new();
    let with_parameters =
        |it: &Statement| matches!(it, Statement::Let(function) if !function.parameters.is_empty());
    for (statement, _) in clause.statements.iter().filter(|(it, _)| !with_parameters(it)) {
        statement.expressions().into_iter().for_each(|expr| walk(expr, &mut found));
    }
    found
}

fn walk(expr: &Expr, found: &mut Vec<Expr>) {
    match &expr.kind {
        ExprKind::At(_, lane) if !is_picked(lane) => found.push(Expr::clone(lane)),
        ExprKind::Quantified { .. } | ExprKind::Fold { .. } | ExprKind::SomeOrder { .. } => return,
        _ => {}
    }
    expr.parts().into_iter().for_each(|part| walk(part, found));
}

/// A lane of a set, as the first that is active: no sentence names it, and it has a value.
const fn is_picked(lane: &Expr) -> bool {
    let ExprKind::Quantified { quantifier, .. } = &lane.kind else { return false };
    matches!(quantifier, Quantifier::Lowest | Quantifier::Highest)
}

/// Both conditions, the first one decided first.
pub(crate) fn both(first: Expr, second: Expr) -> Expr {
    let span = second.span;
    Expr { kind: ExprKind::Binary(BinaryOp::And, Box::new(first), Box::new(second)), span }
}

/// The condition does not hold.
pub(crate) fn not(condition: Expr) -> Expr {
    let span = condition.span;
    Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition)), span }
}

/// An expression of these parts, in the place of another.
pub(crate) fn call(function: &str, arguments: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::Call(function.into(), arguments), span }
}

/// A name.
pub(crate) fn name(word: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Name(word.into()), span }
}
