//! The shape of loops, whatever they count.

use crate::shader::visit::{any_statement, replace};
use crate::shader::{Expr, Stmt};

/// A `continue` would leave out what a `for` does at the end of each iteration.
fn continues(body: &[Stmt]) -> bool {
    any_statement(body, &mut |it| matches!(it, Stmt::Continue))
}

/// What a loop is made of: before it, its test, its body with the step.
fn parts(of: Stmt) -> Result<(Vec<Stmt>, Expr, Vec<Stmt>), Stmt> {
    match of {
        Stmt::For { first, test, step, mut body } if !continues(&body) => {
            body.extend(step.map(|it| *it));
            let test = test.unwrap_or_else(|| Expr::literal("true"));
            Ok((first.into_iter().map(|it| *it).collect(), test, body))
        }
        Stmt::While { test, body } => Ok((Vec::new(), test, body)),
        other => Err(other),
    }
}

/// In a block of its own, so that counters do not meet.
fn scoped(mut before: Vec<Stmt>, last: Stmt) -> Vec<Stmt> {
    if before.is_empty() {
        return vec![last];
    }
    before.push(last);
    vec![Stmt::Block(before)]
}

fn is_true(of: &Expr) -> bool {
    *of == Expr::literal("true")
}

pub(super) fn as_while(body: Vec<Stmt>) -> Vec<Stmt> {
    replace(body, &mut |it| match it {
        Stmt::For { .. } => match parts(it) {
            Ok((before, test, body)) => scoped(before, Stmt::While { test, body }),
            Err(other) => vec![other],
        },
        other => vec![other],
    })
}

pub(super) fn rotated(body: Vec<Stmt>) -> Vec<Stmt> {
    replace(body, &mut |it| match parts(it) {
        // It would be executed after a `continue`, so the step is in the body.
        Ok((before, test, body)) => {
            let looped = Stmt::DoWhile { body, test: test.clone() };
            let last = if is_true(&test) { looped } else { Stmt::only_if(test, vec![looped]) };
            scoped(before, last)
        }
        Err(other) => vec![other],
    })
}

pub(super) fn endless(body: Vec<Stmt>) -> Vec<Stmt> {
    replace(body, &mut |it| match parts(it) {
        Ok((before, test, mut body)) => {
            if !is_true(&test) {
                body.insert(0, Stmt::only_if(test.not(), vec![Stmt::Break]));
            }
            scoped(before, Stmt::For { first: None, test: None, step: None, body })
        }
        Err(other) => vec![other],
    })
}

/// The result of a body that ends in a loop and a return is returned where the loop is left.
pub(super) fn returned(mut body: Vec<Stmt>) -> Option<Vec<Stmt>> {
    let Some(Stmt::Return(Some(result))) = body.pop() else { return None };
    let mut last = body.last_mut()?;
    if let Stmt::Block(inner) = last {
        last = inner.last_mut()?;
    }
    let Stmt::For { test: None, body: inner, .. } = last else { return None };
    let old = std::mem::take(inner);
    *inner = leave(old.clone(), &result);
    (*inner != old).then_some(body)
}

/// Breaks of this loop become returns.
fn leave(body: Vec<Stmt>, result: &Expr) -> Vec<Stmt> {
    let one = |it| match it {
        Stmt::Break => Stmt::Return(Some(result.clone())),
        Stmt::If { test, then, other } => {
            Stmt::If { test, then: leave(then, result), other: leave(other, result) }
        }
        Stmt::Block(inner) => Stmt::Block(leave(inner, result)),
        other => other,
    };
    body.into_iter().map(one).collect()
}
