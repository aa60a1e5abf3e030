//! Walks through trees.

use super::{Expr, Stmt};

/// Every expression below, the inner ones first.
pub(crate) fn change(of: &mut Expr, with: &mut impl FnMut(&mut Expr)) {
    match of {
        Expr::Name(_) | Expr::Literal(_) => {}
        Expr::Unary(_, inner) | Expr::Member(inner, _) => change(inner, with),
        Expr::Binary(_, a, b) | Expr::Index(a, b) => {
            change(a, with);
            change(b, with);
        }
        Expr::Choice(test, a, b) => {
            change(test, with);
            change(a, with);
            change(b, with);
        }
        Expr::Call(_, arguments) => arguments.iter_mut().for_each(|it| change(it, with)),
    }
    with(of);
}

/// Every expression of statements.
pub(crate) fn change_all(of: &mut [Stmt], with: &mut impl FnMut(&mut Expr)) {
    for statement in of {
        match statement {
            Stmt::Declare { value, .. } => value.iter_mut().for_each(|it| change(it, with)),
            Stmt::Assign { place, value, .. } => {
                change(place, with);
                change(value, with);
            }
            Stmt::If { test, then, other } => {
                change(test, with);
                change_all(then, with);
                change_all(other, with);
            }
            Stmt::For { first, test, step, body } => {
                let simple = first.iter_mut().chain(step);
                simple.for_each(|it| change_all(std::slice::from_mut(&mut **it), with));
                test.iter_mut().for_each(|it| change(it, with));
                change_all(body, with);
            }
            Stmt::While { test, body } | Stmt::DoWhile { body, test } => {
                change(test, with);
                change_all(body, with);
            }
            Stmt::Switch { of, cases } => {
                change(of, with);
                cases.iter_mut().for_each(|(_, body)| change_all(body, with));
            }
            Stmt::Break | Stmt::Continue => {}
            Stmt::Return(value) => value.iter_mut().for_each(|it| change(it, with)),
            Stmt::Do(value) => change(value, with),
            Stmt::Block(inner) => change_all(inner, with),
        }
    }
}

/// Each statement replaced by what `with` makes of it, the inner ones first.
pub(crate) fn replace(of: Vec<Stmt>, with: &mut impl FnMut(Stmt) -> Vec<Stmt>) -> Vec<Stmt> {
    let mut all = Vec::new();
    for statement in of {
        let inside = match statement {
            Stmt::If { test, then, other } => {
                Stmt::If { test, then: replace(then, with), other: replace(other, with) }
            }
            Stmt::For { first, test, step, body } => {
                Stmt::For { first, test, step, body: replace(body, with) }
            }
            Stmt::While { test, body } => Stmt::While { test, body: replace(body, with) },
            Stmt::DoWhile { body, test } => Stmt::DoWhile { body: replace(body, with), test },
            Stmt::Switch { of, cases } => {
                let cases = cases.into_iter().map(|(label, body)| (label, replace(body, with)));
                Stmt::Switch { of, cases: cases.collect() }
            }
            Stmt::Block(inner) => Stmt::Block(replace(inner, with)),
            other => other,
        };
        all.extend(with(inside));
    }
    all
}

/// Whether any expression below is so.
pub(crate) fn any(of: &Expr, is: &mut impl FnMut(&Expr) -> bool) -> bool {
    let mut found = false;
    change(&mut of.clone(), &mut |it| found |= is(it));
    found
}

/// Whether any expression of statements is so.
pub(crate) fn any_of(of: &[Stmt], is: &mut impl FnMut(&Expr) -> bool) -> bool {
    let mut found = false;
    change_all(&mut of.to_vec(), &mut |it| found |= is(it));
    found
}

/// Whether any statement below is so.
pub(crate) fn any_statement(of: &[Stmt], is: &mut impl FnMut(&Stmt) -> bool) -> bool {
    let mut found = false;
    replace(of.to_vec(), &mut |it| {
        found |= is(&it);
        vec![it]
    });
    found
}

/// A name stands for an expression.
pub(crate) fn substitute(of: &mut [Stmt], name: &str, by: &Expr) {
    change_all(of, &mut |it| {
        if matches!(it, Expr::Name(found) if found == name) {
            *it = by.clone();
        }
    });
}

/// Lanes exchange values there: it matters which of them execute it.
pub(crate) fn is_group(of: &Expr) -> bool {
    any(of, &mut |it| {
        matches!(it, Expr::Call(name, _) if name.starts_with("subgroup")
            && !name.contains("BallotBit") && !name.contains("BallotFind")
            && !name.contains("BallotInclusive") && !name.contains("BallotExclusive"))
    })
}
