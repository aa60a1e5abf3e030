//! Whether an expression has the shape of a kind, and what stands for the shape's names.

use std::collections::BTreeMap;

use crate::language::ast::{Expr, ExprKind, Name};

/// What the names of a shape stand for.
pub(super) type Names = BTreeMap<Name, Expr>;

/// What stands for the names of `shape` where `expr` has it.
pub(super) fn matched(shape: &Expr, expr: &Expr) -> Option<Names> {
    let mut names = Names::new();
    fits(shape, expr, &mut names).then_some(names)
}

fn fits(shape: &Expr, expr: &Expr, names: &mut Names) -> bool {
    match (&shape.kind, &expr.kind) {
        // A word of the text stands for itself: `declared_size`.
        (ExprKind::Name(name), ExprKind::Name(other)) if name.contains('_') => name == other,
        (ExprKind::Name(name), _) => match names.get(name) {
            Some(known) => known.to_string() == expr.to_string(),
            None => {
                names.insert(name.clone(), expr.clone());
                true
            }
        },
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && fits(a, c, names) && fits(b, d, names)
        }
        (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => op == other && fits(a, b, names),
        (ExprKind::At(a, b), ExprKind::At(c, d)) => fits(a, c, names) && fits(b, d, names),
        (ExprKind::Call(name, parts), ExprKind::Call(other, others)) => {
            name == other
                && parts.len() == others.len()
                && parts.iter().zip(others).all(|(part, other)| fits(part, other, names))
        }
        _ => false,
    }
}

/// `expr` with what the names stand for in their places.
pub(super) fn filled(expr: &Expr, names: &Names) -> Expr {
    match &expr.kind {
        ExprKind::Name(name) => match names.get(name) {
            Some(known) => known.clone(),
            None => expr.clone(),
        },
        _ => expr.clone().map_parts(&mut |part| filled(&part, names)),
    }
}
