//! The parts of expressions and statements, for code that treats all kinds alike.

use super::ast::{Expr, ExprKind, Statement};

impl Expr {
    /// The expressions directly inside this one, from left to right.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Integer(_) | ExprKind::Boolean(_) | ExprKind::Name(_) | ExprKind::Is(..) => {
                Vec::new()
            }
            ExprKind::Call(_, arguments) => arguments.iter().collect(),
            ExprKind::Unary(_, operand) => vec![operand],
            ExprKind::Binary(_, left, right) | ExprKind::At(left, right) => vec![left, right],
            ExprKind::If(condition, then, otherwise) => vec![condition, then, otherwise],
            ExprKind::Quantified { body, .. } => vec![body],
            ExprKind::Fold { identity, condition, body, .. } => vec![identity, condition, body],
            ExprKind::SomeOrder { identity, condition, body, .. } => {
                identity.iter().chain([condition, body]).map(|part| &**part).collect()
            }
            ExprKind::Reading(_, alternatives) => {
                alternatives.iter().map(|(_, value)| value).collect()
            }
        }
    }
}

impl Statement {
    /// The expressions of this statement, those of nested statements aside.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Let(definition) => vec![&definition.body],
            Self::Result(value, when) => Some(value).into_iter().chain(when).collect(),
            Self::UndefinedValue(condition)
            | Self::UndefinedBehavior(condition)
            | Self::Must(condition)
            | Self::Label(_, condition)
            | Self::ResultsSuchThat(condition) => vec![condition],
            Self::Store { index, row, value, when, .. } => {
                [value, index].into_iter().chain(row).chain(when).collect()
            }
            Self::InSomeOrder(_) | Self::Reading(..) => Vec::new(),
        }
    }

    /// The lists of statements inside this one: one for each alternative of a reading.
    pub fn nested(&self) -> Vec<&[Statement]> {
        match self {
            Self::InSomeOrder(statements) => vec![statements],
            Self::Reading(_, alternatives) => {
                alternatives.iter().map(|(_, statements)| &**statements).collect()
            }
            _ => Vec::new(),
        }
    }
}
