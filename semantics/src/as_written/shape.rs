//! Matches an expression with the shape of a kind, and binds the shape's names.

use std::collections::BTreeMap;

use crate::language::ast::{Expr, ExprKind, Name};

/// The bindings of a shape's names.
pub(super) type Names = BTreeMap<Name, Expr>;

/// The bindings if `expr` has the shape.
pub(super) fn matched(shape: &Expr, expr: &Expr) -> Option<Names> {
    let mut names = Names::new();
    fits(shape, expr, &mut names).then_some(names)
}

fn fits(shape: &Expr, expr: &Expr, names: &mut Names) -> bool {
    match (&shape.kind, &expr.kind) {
        // A word of the text matches itself: `declared_size`.
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

/// `expr` with names replaced by their bindings.
pub(super) fn filled(expr: &Expr, names: &Names) -> Expr {
    match &expr.kind {
        ExprKind::Name(name) => match names.get(name) {
            Some(known) => known.clone(),
            None => expr.clone(),
        },
        _ => expr.clone().map_parts(&mut |part| filled(&part, names)),
    }
}
