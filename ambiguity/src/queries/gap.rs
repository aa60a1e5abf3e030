//! States in which a text gives an active lane no consequence.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_queries::states::InstructionStates;
use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::{Cause, Settled, State};
use laneproof_semantics::language::ast::{
    AmbiguousShape, BinaryOp, Clause, Expr, ExprKind, Statement,
};
use laneproof_semantics::term::Term;

use super::dead::of_form;
use super::ways::{differ, ways};
use super::{ChoiceEffect, Collected, ask, id_of_point, place_of, shown};
use crate::finding::{Finding, FindingKind};
use crate::probe::{both, condition, lanes_named, name, silent_where};
use crate::question::{Case, LANES};

/// Readings of presuppositions. Others are of labels and requirements, for which the text says
/// something.
pub(super) const PRESUPPOSED: [&str; 3] =
    ["read-of-inactive-lane", "read-of-nonexistent-lane", "access-outside"];

/// Which lane is named that has no value.
#[derive(Clone, Copy)]
enum Named {
    /// One past `SubgroupMaxSize`, or a number below zero.
    BeyondMaxSize,
    /// The number `SubgroupMaxSize` itself.
    MaxSize,
    /// From `SubgroupSize` up to `SubgroupMaxSize`.
    BeyondSize,
    /// Below `SubgroupSize`, but it does not exist.
    Missing,
    /// It exists and is not active.
    Inactive,
}

impl Named {
    /// What lies farther out first: what is found there is not found again nearer in.
    const ALL: [Self; 5] =
        [Self::BeyondMaxSize, Self::MaxSize, Self::BeyondSize, Self::Missing, Self::Inactive];

    const fn cause(self) -> &'static str {
        match self {
            Self::BeyondMaxSize => "lane-beyond-max-size",
            Self::MaxSize => "lane-at-max-size",
            Self::BeyondSize => "lane-beyond-size",
            Self::Missing => "missing-lane",
            Self::Inactive => "inactive-lane",
        }
    }

    const fn summary(self) -> &'static str {
        match self {
            Self::BeyondMaxSize => {
                "The result is taken from an invocation whose number is beyond SubgroupMaxSize: nothing \
                 says what it is."
            }
            Self::MaxSize => {
                "The result is taken from the invocation whose number is SubgroupMaxSize, one more than \
                 any has: nothing says what it is, though numbers above it are spoken of."
            }
            Self::BeyondSize => {
                "The result is taken from an invocation whose number is below SubgroupMaxSize but not \
                 below SubgroupSize: nothing says what it is."
            }
            Self::Missing => {
                "The result is taken from an invocation below SubgroupSize that does not exist, because \
                 the subgroup is partial: nothing says what it is."
            }
            Self::Inactive => {
                "The result is taken from an invocation that exists but does not execute the \
                 instruction: nothing says what it is."
            }
        }
    }

    const fn remedy(self) -> &'static str {
        match self {
            Self::BeyondMaxSize => {
                "An index greater than or equal to SubgroupMaxSize is out of range, and what the \
                 result is then."
            }
            Self::MaxSize => "Out of range from SubgroupMaxSize on, not only above it.",
            Self::BeyondSize => {
                "An index greater than or equal to SubgroupSize gives an undefined value, or that \
                 every invocation below SubgroupMaxSize has one."
            }
            Self::Missing => {
                "The resulting value is undefined for an invocation that does not exist."
            }
            Self::Inactive => {
                "The resulting value is undefined for an invocation that is not active."
            }
        }
    }

    /// The reading under which the evaluator files such a gap.
    const fn reading(self) -> &'static str {
        match self {
            Self::Inactive => "read-of-inactive-lane",
            _ => "read-of-nonexistent-lane",
        }
    }

    /// The condition on the number, as terms of lane and sizes.
    fn condition(self, lane: &Expr) -> Option<Expr> {
        let compare = |op, size: &str| {
            let size = name(size, lane.span);
            let kind = ExprKind::Binary(op, Box::new(lane.clone()), Box::new(size));
            Expr { kind, span: lane.span }
        };
        let (size, max_size) = ("SubgroupSize", "SubgroupMaxSize");
        Some(match self {
            Self::BeyondMaxSize => compare(BinaryOp::Greater, max_size),
            Self::MaxSize => compare(BinaryOp::Equal, max_size),
            Self::BeyondSize => {
                both(compare(BinaryOp::GreaterEqual, size), compare(BinaryOp::Less, max_size))
            }
            Self::Missing => compare(BinaryOp::Less, size),
            Self::Inactive => return None,
        })
    }
}

/// Lanes named that have no value, labels and requirements without a consequence, and states in
/// which no clause says anything.
pub(super) fn gaps(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    lanes_without_value(case, found)?;
    consequences(case, found)?;
    nothing_said(case, found)
}

fn lanes_without_value(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    for clause in &case.instruction.clauses {
        let lanes = lanes_named(clause);
        let mut farther = false;
        for class in Named::ALL {
            let id =
                |class: Named| Finding::id_of(FindingKind::Gap, class.cause(), &clause.document);
            // The number M is a separate cause only if the text does not mention numbers above it.
            let farthest = matches!(class, Named::BeyondMaxSize) && case.wants(&id(Named::MaxSize));
            if !case.wants(&id(class)) && !farthest {
                continue;
            }
            let state = case.smallest(|states, lane| {
                let outcome = states.outcome_at(&case.meaning(&settled), lane)?;
                let silent = silent_where(states, &outcome, |cause| {
                    cause.clause == clause.id && cause.reading.as_deref() == Some(class.reading())
                });
                // A label that is met says something, if not enough.
                let labels = silent_where(states, &outcome, |cause| {
                    let reading = cause.reading.as_deref();
                    reading.is_some_and(|name| !PRESUPPOSED.contains(&name))
                });
                let mut facts = vec![silent, states.pool().not(labels)];
                let mut of_class = Vec::new();
                for named in &lanes {
                    if let Some(here) = class.condition(named) {
                        of_class.push(condition(case, &settled, states, lane, here)?);
                    }
                }
                if !of_class.is_empty() {
                    facts.push(states.pool().any(of_class));
                }
                if !matches!(class, Named::Missing) {
                    facts.push(full(states));
                }
                Ok(facts)
            })?;
            let Some(state) = state else { continue };
            if matches!(class, Named::MaxSize) && farther {
                continue;
            }
            farther |= matches!(class, Named::BeyondMaxSize);
            let ways = [("as written".to_owned(), settled.clone())];
            let mut finding = shown(case, FindingKind::Gap, id(class), &state, &ways)?;
            finding.clauses.insert(clause.id.to_string());
            if matches!(class, Named::MaxSize) {
                finding.clauses.extend(about_greater_numbers(case));
            }
            finding.summary = class.summary().to_owned();
            finding.remedy = class.remedy().to_owned();
            found.findings.push(finding);
        }
    }
    Ok(())
}

/// The clauses that name no result and speak of `SubgroupMaxSize`: those of numbers above it.
fn about_greater_numbers(case: &Case<'_>) -> Vec<String> {
    let named =
        |it: &Expr| matches!(&it.kind, ExprKind::Name(name) if **name == *"SubgroupMaxSize");
    let speaks = |statement: &Statement| {
        !matches!(statement, Statement::Result(..))
            && statement.expressions().iter().any(|it| it.any(&named))
    };
    let clauses = case.instruction.clauses.iter();
    let clauses = clauses.filter(|it| it.statements.iter().any(|(it, _)| speaks(it)));
    clauses.map(|it| it.id.to_string()).collect()
}

/// Every lane below `SubgroupSize` exists.
fn full(states: &mut InstructionStates<'_>) -> Term {
    let [size, existing] =
        [State::SubgroupSize, State::ExistingLanes].map(|state| states.size(state));
    states.pool().equal(size, existing)
}

/// Labels and requirements: what they give is named and not said.
fn consequences(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    for &point in case.open.iter().filter(|point| point.is_consequence()) {
        let Some(clause) = place_of(case, point) else { continue };
        // A module that breaks a requirement on its form is invalid, so no state shows it.
        if matches!(point.kind.shape, AmbiguousShape::Must) && asks_of_form(clause, point) {
            continue;
        }
        if case.wants(&id_of_point(case, FindingKind::Gap, point, clause)) {
            let effect = consequence(case, point, clause, case.base, found)?;
            found.record(point, effect);
        }
    }
    Ok(())
}

/// What a label or requirement lacks may show only where another point is read otherwise.
///
/// # Errors
///
/// Where the clauses have no terms, or the solver does not decide.
pub(super) fn beside<'c>(
    case: &Case<'_>,
    point: &ChoicePoint,
    others: impl Iterator<Item = (&'c ChoicePoint, &'c str, Settled)>,
    found: &mut Collected,
) -> Result<(), ModelCheckError> {
    let Some(clause) = place_of(case, point) else { return Ok(()) };
    if !case.wants(&id_of_point(case, FindingKind::Gap, point, clause)) {
        return Ok(());
    }
    for (.., under) in others {
        let effect = consequence(case, point, clause, &under, found)?;
        found.record(point, effect);
    }
    Ok(())
}

/// A finding if a state is silent for the point; and whether it makes a difference how the point is
/// read. It may make one without such a state: where another sentence leaves the value undefined,
/// behavior is undefined by one way alone.
fn consequence(
    case: &Case<'_>,
    point: &ChoicePoint,
    clause: &Clause,
    settled: &Settled,
    found: &mut Collected,
) -> Result<ChoiceEffect, ModelCheckError> {
    let of_point = |cause: &Cause| cause.reading.as_ref() == Some(&point.name);
    // Best where it does not depend on how anything else is read.
    let others: Vec<Settled> = case
        .open
        .iter()
        .filter(|it| !it.is_consequence() && place_of(case, it).is_some())
        .flat_map(|it| otherwise(it, settled))
        .collect();
    let mut state = None;
    if !others.is_empty() {
        state = case.smallest(|states, lane| {
            let mut silent = Vec::new();
            for way in [settled].into_iter().chain(&others) {
                let outcome = states.outcome_at(&case.meaning(way), lane)?;
                silent.push(silent_where(states, &outcome, of_point));
            }
            Ok(silent)
        })?;
    }
    if state.is_none() {
        state = case.smallest(|states, lane| {
            let outcome = states.outcome_at(&case.meaning(settled), lane)?;
            Ok(vec![silent_where(states, &outcome, of_point)])
        })?;
    }
    let ways = ways(point, settled);
    let Some(state) = state else {
        let mut read =
            |states: &mut InstructionStates<'_>, lane| Ok(vec![differ(case, states, &ways, lane)?]);
        if case.staging.is_some() || case.never(&mut read)? {
            return Ok(ChoiceEffect { matters: false, any_number: case.staging.is_none() });
        }
        let matters = case.unstaged(&LANES, read)?.is_some();
        return Ok(ChoiceEffect { matters, any_number: false });
    };
    let id = id_of_point(case, FindingKind::Gap, point, clause);
    let mut finding = shown(case, FindingKind::Gap, id, &state, &ways)?;
    ask(&mut finding, point, clause);
    found.findings.push(finding);
    Ok(ChoiceEffect { matters: true, any_number: false })
}

/// The text as it is settled, but for a point that is read in each of its other ways.
fn otherwise(point: &ChoicePoint, settled: &Settled) -> Vec<Settled> {
    let usual = settled.alternative(&point.name);
    let others = point.alternatives.iter().filter(|way| Some(*way) != usual);
    others.map(|way| settled.clone().with(&point.name, way)).collect()
}

/// What the requirement asks is known from the instruction's form alone.
fn asks_of_form(clause: &Clause, point: &ChoicePoint) -> bool {
    clause.statements.iter().any(|(statement, _)| match statement {
        Statement::Label(name, condition) => *name == point.name && of_form(condition),
        _ => false,
    })
}

/// A condition as readers know it: by the name that it was given, or by its sentence.
fn in_words(condition: &Expr, clause: &Clause) -> String {
    match &condition.kind {
        ExprKind::Name(name) => name.replace('_', " "),
        _ => format!("as \u{201c}{}\u{201d} has it", clause.wording),
    }
}

/// No sentence gives a result, or says what is written.
fn nothing_said(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    let id = Finding::id_of(FindingKind::Gap, "nothing-said", &case.instruction.document);
    if !case.wants(&id) {
        return Ok(());
    }
    let state = case.smallest(|states, lane| {
        let outcome = states.outcome_at(&case.meaning(&settled), lane)?;
        let silent = silent_where(states, &outcome, |cause| cause.reading.is_none());
        // Where a label or a lane without value is met there is something said, if not enough.
        let named = silent_where(states, &outcome, |cause| cause.reading.is_some());
        Ok(vec![silent, states.pool().not(named)])
    })?;
    let Some(state) = state else { return Ok(()) };
    let ways = [("as written".to_owned(), settled)];
    let mut finding = shown(case, FindingKind::Gap, id, &state, &ways)?;
    let mut conditions: Vec<String> = Vec::new();
    for clause in &case.instruction.clauses {
        for (statement, _) in &clause.statements {
            let (Statement::Result(_, when) | Statement::Store { when, .. }) = statement else {
                continue;
            };
            finding.clauses.insert(clause.id.to_string());
            conditions.extend(when.iter().map(|it| in_words(it, clause)));
        }
    }
    let what = match case.instruction.result {
        Some(_) => "give a result",
        None => "say what is written",
    };
    conditions.dedup();
    finding.summary = match conditions.is_empty() {
        true => format!("No sentence is there to {what}."),
        false => format!(
            "Sentences {what} only {}; nothing says what happens elsewhere.",
            conditions.join(" or ")
        ),
    };
    finding.remedy =
        "What happens where none of these conditions holds: the resulting value is undefined, \
         behavior is, or nothing is written."
            .to_owned();
    found.findings.push(finding);
    Ok(())
}
