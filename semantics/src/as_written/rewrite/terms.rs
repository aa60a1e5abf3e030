//! What terms say, and terms made of others.

use std::sync::Arc;

use crate::language::ast::{
    Alternative, AmbiguousShape, BinaryOp, Consequence, Expr, ExprKind, LaneSet, Name, ReadingKind,
    Span,
};

/// The kind of a word without a declared kind: any consequence may be meant.
pub(super) fn unknown(label: &Arc<str>, span: Span) -> ReadingKind {
    let consequences = [
        ("undefined-value", Consequence::UndefinedValue),
        ("undefined-behavior", Consequence::UndefinedBehavior),
        ("silence", Consequence::Silence),
    ];
    let alternatives = consequences.map(|(name, it)| (name.into(), Alternative::Consequence(it)));
    ReadingKind {
        name: Arc::clone(label),
        question: format!("What is the consequence of something that is '{label}'?").into(),
        remedy: Some(
            "A sentence that the resulting value is undefined, or that behavior is undefined."
                .into(),
        ),
        shape: AmbiguousShape::Label(Arc::clone(label)),
        alternatives: alternatives.into(),
        span,
    }
}

/// The term as the text has it, without the choice points that are in it already.
pub(super) fn plain(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Reading(_, alternatives) => {
            alternatives.first().map_or_else(|| expr.clone(), |(_, first)| plain(first))
        }
        _ => expr.clone().map_parts(&mut |part| plain(&part)),
    }
}

/// Of lanes that are active it says that they are: no way to read a sentence.
pub(super) fn says_nothing(body: &Expr, variable: &Name, lanes: LaneSet) -> bool {
    match &body.kind {
        ExprKind::Call(function, parts) => {
            lanes == LaneSet::Active
                && &**function == "active"
                && parts.iter().all(|part| is_lane(part, variable))
        }
        _ => false,
    }
}

/// The variable, or the lane that it names as a number.
fn is_lane(part: &Expr, variable: &Name) -> bool {
    match &part.kind {
        ExprKind::Name(name) => name == variable,
        ExprKind::Call(function, parts) => {
            matches!(&**function, "lane_named" | "exact")
                && parts.iter().all(|part| is_lane(part, variable))
        }
        _ => false,
    }
}

/// It refers to lanes without saying which.
pub(super) fn is_open(expr: &Expr) -> bool {
    let open = matches!(expr.kind, ExprKind::Quantified { lanes: LaneSet::Subgroup, .. });
    open || expr.parts().into_iter().any(is_open)
}

/// The operands that a requirement makes uniform.
pub(super) fn made_uniform(condition: &Expr) -> Vec<Name> {
    match &condition.kind {
        ExprKind::Call(function, arguments) if &**function == "uniform" => arguments
            .iter()
            .filter_map(|argument| match &argument.kind {
                ExprKind::Name(name) => Some(name.clone()),
                _ => None,
            })
            .collect(),
        _ => condition.parts().into_iter().flat_map(made_uniform).collect(),
    }
}

pub(super) fn combined(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
}

pub(super) fn exact(expr: Expr) -> Expr {
    let span = expr.span;
    Expr { kind: ExprKind::Call(Name::from("exact"), vec![expr]), span }
}

/// It is an exact number, by its own form.
pub(super) fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(function, _) => &**function == "exact",
        ExprKind::Binary(
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem,
            a,
            b,
        ) => is_number(a) || is_number(b),
        ExprKind::Reading(_, ways) => ways.iter().any(|(_, way)| is_number(way)),
        ExprKind::If(_, a, b) => is_number(a) || is_number(b),
        _ => false,
    }
}

/// The lowest 32 bits of a number.
pub(super) fn word(expr: Expr) -> Expr {
    let span = expr.span;
    Expr { kind: ExprKind::Call(Name::from("u32"), vec![expr]), span }
}

/// The lane that a number names; a number that is no lane's names one that does not exist.
pub(super) fn lane_named(expr: Expr) -> Expr {
    let span = expr.span;
    Expr { kind: ExprKind::Call(Name::from("lane_named"), vec![expr]), span }
}
