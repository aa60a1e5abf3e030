//! Trees as GLSL.

use std::fmt::Write as _;

use super::{Expr, Function, Stmt, Variable};

/// An expression; operands that are no atoms are in parentheses.
pub(crate) fn expression(of: &Expr) -> String {
    match of {
        Expr::Name(text) | Expr::Literal(text) => text.clone(),
        Expr::Unary(operator, inner) => format!("{operator}{}", atom(inner)),
        Expr::Binary(operator, a, b) => format!("{} {operator} {}", atom(a), atom(b)),
        Expr::Choice(test, a, b) => format!("{} ? {} : {}", atom(test), atom(a), atom(b)),
        Expr::Call(name, arguments) => {
            let arguments: Vec<_> = arguments.iter().map(expression).collect();
            format!("{name}({})", arguments.join(", "))
        }
        Expr::Index(of, index) => format!("{}[{}]", atom(of), expression(index)),
        Expr::Member(of, name) => format!("{}.{name}", atom(of)),
    }
}

fn atom(of: &Expr) -> String {
    match of {
        Expr::Unary(..) | Expr::Binary(..) | Expr::Choice(..) => format!("({})", expression(of)),
        _ => expression(of),
    }
}

/// A variable of a type, an array of a length if there is one.
pub(crate) fn variable(of: &Variable) -> String {
    declared(&of.ty, &of.name, of.length.as_deref())
}

fn declared(ty: &str, name: &str, length: Option<&str>) -> String {
    let length = length.map_or(String::new(), |length| format!("[{length}]"));
    format!("{ty} {name}{length}")
}

fn simple(of: &Stmt) -> String {
    match of {
        Stmt::Declare { ty, name, length, value } => {
            let value = value.as_ref().map_or(String::new(), |it| format!(" = {}", expression(it)));
            format!("{}{value}", declared(ty, name, length.as_deref()))
        }
        Stmt::Assign { place, operator, value } => {
            format!("{} {operator}= {}", expression(place), expression(value))
        }
        Stmt::Do(value) => expression(value),
        other => unreachable!("no simple statement: {other:?}"),
    }
}

fn block(of: &[Stmt]) -> String {
    format!("{{\n{}}}", statements(of))
}

/// Statements, one a line.
pub(crate) fn statements(of: &[Stmt]) -> String {
    of.iter().map(|it| statement(it) + "\n").collect()
}

fn statement(of: &Stmt) -> String {
    match of {
        Stmt::Declare { .. } | Stmt::Assign { .. } | Stmt::Do(_) => format!("{};", simple(of)),
        Stmt::If { test, then, other } => {
            let other = match other.is_empty() {
                true => String::new(),
                false => format!(" else {}", block(other)),
            };
            format!("if ({}) {}{other}", expression(test), block(then))
        }
        Stmt::For { first, test, step, body } => format!(
            "for ({}; {}; {}) {}",
            first.as_deref().map_or(String::new(), simple),
            test.as_ref().map_or(String::new(), expression),
            step.as_deref().map_or(String::new(), simple),
            block(body)
        ),
        Stmt::While { test, body } => format!("while ({}) {}", expression(test), block(body)),
        Stmt::DoWhile { body, test } => {
            format!("do {} while ({});", block(body), expression(test))
        }
        Stmt::Switch { of, cases } => {
            let mut text = format!("switch ({}) {{\n", expression(of));
            for (label, body) in cases {
                let label = label.as_ref().map_or("default".to_owned(), |it| format!("case {it}"));
                let _ = write!(text, "{label}:\n{}break;\n", statements(body));
            }
            text + "}"
        }
        Stmt::Break => "break;".to_owned(),
        Stmt::Continue => "continue;".to_owned(),
        Stmt::Return(None) => "return;".to_owned(),
        Stmt::Return(Some(value)) => format!("return {};", expression(value)),
        Stmt::Block(inner) => block(inner),
    }
}

/// A function.
pub(crate) fn function(of: &Function) -> String {
    let parameters: Vec<_> = of.parameters.iter().map(variable).collect();
    format!("{} {}({}) {}\n", of.result, of.name, parameters.join(", "), block(&of.body))
}
