//! Loops that count lanes, `i = a; i < n; i++`, or distances, `k = a; k < n; k <<= 1`.

use crate::shader::visit::{any_statement, replace, substitute};
use crate::shader::{Expr, Stmt};

/// A loop that counts up.
struct Counted {
    counter: String,
    from: Expr,
    bound: Expr,
    /// It doubles, and is not increased by one.
    doubles: bool,
    body: Vec<Stmt>,
}

impl Counted {
    fn of(statement: &Stmt) -> Option<Self> {
        let Stmt::For { first: Some(first), test: Some(test), step: Some(step), body } = statement
        else {
            return None;
        };
        let Stmt::Declare { ty, name, value: Some(from), .. } = &**first else { return None };
        let Expr::Binary("<", counted, bound) = test else { return None };
        let Stmt::Assign { place, operator, value } = &**step else { return None };
        let counter = Expr::name(name);
        let doubles = *operator == "<<";
        let one = ["1", "1u"].map(Expr::literal).contains(value);
        let counts = **counted == counter && *place == counter && one;
        let known = counts && (doubles || *operator == "+") && ty == "uint";
        known.then(|| Self {
            counter: name.clone(),
            from: from.clone(),
            bound: (**bound).clone(),
            doubles,
            body: body.clone(),
        })
    }

    /// Neither leaves an iteration early.
    fn is_straight(&self) -> bool {
        !any_statement(&self.body, &mut |it| {
            matches!(it, Stmt::Break | Stmt::Continue | Stmt::Return(_))
        })
    }

    fn counter(&self) -> Expr {
        Expr::name(&self.counter)
    }

    fn next(&self, after: Expr, by: &str) -> Expr {
        Expr::binary(if self.doubles { "<<" } else { "+" }, after, Expr::literal(by))
    }

    fn test(&self) -> Expr {
        Expr::binary("<", self.counter(), self.bound.clone())
    }

    fn step(&self, by: &str) -> Stmt {
        let operator = if self.doubles { "<<" } else { "+" };
        Stmt::Assign { place: self.counter(), operator, value: Expr::literal(by) }
    }

    fn looped(&self, from: Expr, test: Expr, step: Stmt, body: Vec<Stmt>) -> Stmt {
        Stmt::For {
            first: Some(Box::new(Stmt::declare("uint", &self.counter, from))),
            test: Some(test),
            step: Some(Box::new(step)),
            body,
        }
    }

    fn declares(&self, value: Expr) -> Stmt {
        Stmt::declare("uint", &self.counter, value)
    }
}

fn each(body: Vec<Stmt>, with: impl Fn(Counted) -> Option<Stmt>) -> Vec<Stmt> {
    replace(body, &mut |it| match Counted::of(&it).and_then(&with) {
        Some(other) => vec![other],
        None => vec![it],
    })
}

pub(super) fn peeled(body: Vec<Stmt>) -> Vec<Stmt> {
    each(body, |it| {
        if !it.is_straight() {
            return None;
        }
        let mut first = vec![it.declares(it.from.clone())];
        first.push(Stmt::only_if(it.test(), it.body.clone()));
        let from = it.next(it.from.clone(), "1u");
        let rest = it.looped(from, it.test(), it.step("1u"), it.body.clone());
        Some(Stmt::Block(vec![Stmt::Block(first), rest]))
    })
}

pub(super) fn paired(body: Vec<Stmt>) -> Vec<Stmt> {
    each(body, |it| {
        if !it.is_straight() {
            return None;
        }
        let second = format!("{}_next", it.counter);
        let mut other = it.body.clone();
        substitute(&mut other, &it.counter, &Expr::name(&second));
        let test = Expr::binary("<", Expr::name(&second), it.bound.clone());
        let body = vec![
            Stmt::Block(it.body.clone()),
            Stmt::declare("uint", &second, it.next(it.counter(), "1u")),
            Stmt::only_if(test, other),
        ];
        Some(it.looped(it.from.clone(), it.test(), it.step("2u"), body))
    })
}

pub(super) fn down(body: Vec<Stmt>) -> Vec<Stmt> {
    each(body, |it| {
        if it.doubles || any_statement(&it.body, &mut |it| matches!(it, Stmt::Continue)) {
            return None;
        }
        let left = Expr::name("left_over");
        let zero = Expr::literal("0u");
        let mut body = vec![it.declares(Expr::binary("-", it.bound.clone(), left.clone()))];
        body.extend(it.body.clone());
        Some(Stmt::For {
            first: Some(Box::new(Stmt::declare(
                "uint",
                "left_over",
                Expr::binary("-", it.bound.clone(), it.from.clone()),
            ))),
            test: Some(Expr::binary(">", left.clone(), zero)),
            step: Some(Box::new(Stmt::Assign {
                place: left,
                operator: "-",
                value: Expr::literal("1u"),
            })),
            body,
        })
    })
}

/// Distances from their logarithms; lanes by a shifted counter.
pub(super) fn exponent(body: Vec<Stmt>) -> Vec<Stmt> {
    each(body, |it| {
        let name = format!("{}_number", it.counter);
        let number = Expr::name(&name);
        let value = match it.doubles {
            true => Expr::binary("<<", it.from.clone(), number.clone()),
            false => Expr::binary(">>", number.clone(), Expr::literal("2u")),
        };
        let (from, test, by) = match it.doubles {
            true => {
                let test = Expr::binary("<", value.clone(), it.bound.clone());
                (Expr::literal("0u"), test, "1u")
            }
            false => {
                let four = |of: Expr| Expr::binary("*", of, Expr::literal("4u"));
                (
                    four(it.from.clone()),
                    Expr::binary("<", number.clone(), four(it.bound.clone())),
                    "4u",
                )
            }
        };
        let mut body = vec![it.declares(value)];
        body.extend(it.body.clone());
        Some(Stmt::For {
            first: Some(Box::new(Stmt::declare("uint", &name, from))),
            test: Some(test),
            step: Some(Box::new(Stmt::Assign {
                place: number,
                operator: "+",
                value: Expr::literal(by),
            })),
            body,
        })
    })
}

pub(super) fn with_sign(body: Vec<Stmt>) -> Vec<Stmt> {
    each(body, |it| {
        let int = |of: Expr| Expr::call("int", vec![of]);
        let mut body = it.body.clone();
        substitute(&mut body, &it.counter, &Expr::call("uint", vec![it.counter()]));
        Some(Stmt::For {
            first: Some(Box::new(Stmt::declare("int", &it.counter, int(it.from.clone())))),
            test: Some(Expr::binary("<", it.counter(), int(it.bound.clone()))),
            step: Some(Box::new(it.step("1"))),
            body,
        })
    })
}

pub(super) fn unequal(body: Vec<Stmt>) -> Vec<Stmt> {
    each(body, |it| {
        let test = Expr::binary("!=", it.counter(), it.bound.clone());
        Some(it.looped(it.from.clone(), test, it.step("1u"), it.body.clone()))
    })
}
