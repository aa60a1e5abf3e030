//! Conditions: branches for choices and back, operands exchanged, tests the other way round.

use crate::shader::visit::{any, change_all, is_group, replace};
use crate::shader::{Expr, Stmt};

/// Both sides of a choice that is the whole value, where it does not matter which lanes execute them.
fn chosen(value: &Expr) -> Option<(Expr, Expr, Expr)> {
    let Expr::Choice(test, a, b) = value else { return None };
    let free = !is_group(a) && !is_group(b);
    free.then(|| ((**test).clone(), (**a).clone(), (**b).clone()))
}

pub(super) fn branches(body: Vec<Stmt>) -> Vec<Stmt> {
    replace(body, &mut |it| match &it {
        Stmt::Declare { ty, name, length: None, value: Some(value) } => match chosen(value) {
            Some((test, a, b)) => {
                let place = Expr::name(name);
                let first =
                    Stmt::Declare { ty: ty.clone(), name: name.clone(), length: None, value: None };
                let then = vec![Stmt::assign(place.clone(), a)];
                vec![first, Stmt::If { test, then, other: vec![Stmt::assign(place, b)] }]
            }
            None => vec![it],
        },
        Stmt::Assign { place, operator: "", value } => match chosen(value) {
            Some((test, a, b)) => {
                let assign = |value: Expr| match value == *place {
                    true => Vec::new(),
                    false => vec![Stmt::assign(place.clone(), value)],
                };
                vec![Stmt::If { test, then: assign(a), other: assign(b) }]
            }
            None => vec![it],
        },
        Stmt::Return(Some(value)) => match chosen(value) {
            Some((test, a, b)) => {
                vec![Stmt::only_if(test, vec![Stmt::Return(Some(a))]), Stmt::Return(Some(b))]
            }
            None => vec![it],
        },
        _ => vec![it],
    })
}

pub(super) fn choices(body: Vec<Stmt>) -> Vec<Stmt> {
    replace(body, &mut |it| {
        let Stmt::If { test, then, other } = &it else { return vec![it] };
        let ([Stmt::Assign { place, operator, value }], []) = (&then[..], &other[..]) else {
            return vec![it];
        };
        if is_group(value) || is_group(test) || any(place, &mut |it| matches!(it, Expr::Index(..)))
        {
            return vec![it];
        }
        let value = match *operator {
            "" => value.clone(),
            operator => Expr::binary(operator, place.clone(), value.clone()),
        };
        let old = place.clone();
        let choice = Expr::Choice(Box::new(test.clone()), Box::new(value), Box::new(old));
        vec![Stmt::assign(place.clone(), choice)]
    })
}

pub(super) fn mirrored(mut body: Vec<Stmt>) -> Vec<Stmt> {
    change_all(&mut body, &mut |it| {
        let Expr::Binary(operator, a, b) = it else {
            if let Expr::Call(name, arguments) = it
                && (name == "min" || name == "max" || name == "combine")
            {
                arguments.reverse();
            }
            return;
        };
        let mirrored = match *operator {
            "<" => ">",
            ">" => "<",
            "<=" => ">=",
            ">=" => "<=",
            same @ ("+" | "*" | "&" | "|" | "^" | "==" | "!=") => same,
            _ => return,
        };
        *operator = mirrored;
        std::mem::swap(a, b);
    });
    body
}

fn opposite(test: &Expr) -> Expr {
    let Expr::Binary(operator, a, b) = test else { return test.clone().not() };
    let operator = match *operator {
        "<" => ">=",
        ">" => "<=",
        "<=" => ">",
        ">=" => "<",
        "==" => "!=",
        "!=" => "==",
        _ => return test.clone().not(),
    };
    Expr::Binary(operator, a.clone(), b.clone())
}

pub(super) fn negated(body: Vec<Stmt>) -> Vec<Stmt> {
    let mut body = replace(body, &mut |it| {
        vec![match it {
            // An empty side is no shape that is written.
            Stmt::If { test, then, other } if !other.is_empty() => {
                Stmt::If { test: opposite(&test), then: other, other: then }
            }
            other => other,
        }]
    });
    change_all(&mut body, &mut |it| {
        if let Expr::Choice(test, a, b) = it {
            **test = opposite(test);
            std::mem::swap(a, b);
        }
    });
    body
}
