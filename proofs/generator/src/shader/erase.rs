//! What is left of a text once operators, widths, sizes and constants are erased: its skeleton.

use super::visit::{change_all, replace};
use super::{Expr, Function, Module, Stmt, glsl};

/// Operators that reductions combine by.
const OPERATORS: [&str; 7] = ["Add", "Mul", "Min", "Max", "And", "Or", "Xor"];
const SIGNS: [&str; 5] = ["+", "*", "&", "|", "^"];
const TYPES: [&str; 11] = [
    "uint", "int", "uint64_t", "int64_t", "uint16_t", "int16_t", "uint8_t", "uvec2", "ivec2",
    "float", "double",
];

/// The skeleton of a claim.
pub(crate) fn skeleton(module: &Module) -> String {
    let mut text: String = module.helpers.iter().map(erased).collect();
    text += &erased(&module.source);
    text += &erased(&module.target);
    text
}

fn ty(name: &str) -> String {
    if TYPES.contains(&name) { "T".to_owned() } else { name.to_owned() }
}

fn erased(function: &Function) -> String {
    let mut body = function.body.clone();
    change_all(&mut body, &mut expression);
    let body = replace(body, &mut |statement| {
        vec![match statement {
            Stmt::Declare { ty: of, name, length, value } => {
                Stmt::Declare { ty: ty(&of), name, length: length.map(|_| "N".to_owned()), value }
            }
            Stmt::Assign { place, operator, value } if !operator.is_empty() => {
                Stmt::assign(place.clone(), Expr::call("operation", vec![place, value]))
            }
            Stmt::If { test, then, other } => {
                Stmt::If { test, then: once(then), other: once(other) }
            }
            Stmt::For { first, test, step, body } => {
                Stmt::For { first, test, step, body: once(body) }
            }
            Stmt::Block(inner) => Stmt::Block(once(inner)),
            other => other,
        }]
    });
    glsl::statements(&once(body))
}

/// Without repetitions: how often something is unrolled is a size.
fn once(mut statements: Vec<Stmt>) -> Vec<Stmt> {
    statements.dedup();
    statements
}

fn expression(of: &mut Expr) {
    let erased = match of {
        Expr::Literal(_) => Expr::literal("N"),
        Expr::Binary(operator, a, b) if SIGNS.contains(operator) => {
            Expr::call("operation", vec![(**a).clone(), (**b).clone()])
        }
        Expr::Call(name, arguments) => {
            let found = OPERATORS.iter().find_map(|operator| {
                let kind = name.strip_prefix("subgroup")?.strip_suffix(operator)?;
                Some(format!("group{kind}"))
            });
            match (found, name.as_str()) {
                (Some(found), _) => Expr::Call(found, arguments.clone()),
                (None, "min" | "max") => Expr::call("operation", arguments.clone()),
                (None, name) if TYPES.contains(&name) => match &arguments[..] {
                    [one @ Expr::Literal(_)] => one.clone(),
                    _ => Expr::call("T", arguments.clone()),
                },
                _ => return,
            }
        }
        // The complement of a constant is one.
        Expr::Unary("-" | "~", inner) if matches!(**inner, Expr::Literal(_)) => (**inner).clone(),
        _ => return,
    };
    *of = erased;
}
