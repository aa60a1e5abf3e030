//! The parts of expressions and statements, for code that treats all kinds alike.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ast::{Counting, Expr, ExprKind, Name, SpecFunction, SpecInstruction, Statement};

impl SpecInstruction {
    /// The decorations that its clauses ask for: `decorated(…)`.
    pub fn decorations(&self) -> BTreeSet<Arc<str>> {
        fn asked(expression: &Expr, found: &mut BTreeSet<Arc<str>>) {
            if let ExprKind::Call(name, arguments) = &expression.kind
                && &**name == "decorated"
                && let [Expr { kind: ExprKind::Name(decoration), .. }] = arguments.as_slice()
            {
                found.insert(Arc::clone(decoration.text()));
            }
            expression.parts().into_iter().for_each(|part| asked(part, found));
        }
        let mut found = BTreeSet::new();
        let statements = self.clauses.iter().flat_map(|clause| &clause.statements);
        for expression in statements.flat_map(|(statement, _)| statement.expressions()) {
            asked(expression, &mut found);
        }
        found
    }

    /// Whether its clauses ask for the rounding mode of the result, in functions that they call, too.
    pub fn asks_rounding_mode(&self, functions: &BTreeMap<Arc<str>, Arc<SpecFunction>>) -> bool {
        let statements = self.clauses.iter().flat_map(|clause| &clause.statements);
        let own = statements.flat_map(|(statement, _)| statement.expressions());
        let mut pending: Vec<&Expr> = own.chain(self.row.iter().map(|it| &it.body)).collect();
        let mut followed: BTreeSet<&str> = BTreeSet::new();
        while let Some(expression) = pending.pop() {
            if let ExprKind::Call(name, _) = &expression.kind {
                if &**name == "rounding_mode" {
                    return true;
                }
                let called = functions.get(&**name).filter(|_| followed.insert(name));
                pending.extend(called.map(|it| &it.body));
            }
            pending.extend(expression.parts());
        }
        false
    }

    /// The functions by which its folds combine values.
    pub fn operators(&self) -> Vec<Name> {
        fn of(expression: &Expr, found: &mut Vec<Name>) {
            match &expression.kind {
                ExprKind::Fold { operator, .. } => found.push(operator.clone()),
                ExprKind::Counted { counting: Counting::Fold { operator, .. }, .. } => {
                    found.push(operator.clone());
                }
                _ => {}
            }
            expression.parts().into_iter().for_each(|part| of(part, found));
        }
        let mut found = Vec::new();
        let statements = self.clauses.iter().flat_map(|clause| &clause.statements);
        let expressions = statements.flat_map(|(statement, _)| statement.expressions());
        expressions.for_each(|expression| of(expression, &mut found));
        found
    }
}

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
            ExprKind::Counted { counting, first, last, condition, body, .. } => {
                let start = match counting {
                    Counting::Fold { start, .. } => Some(&**start),
                    Counting::ForAll | Counting::Exists | Counting::Count => None,
                };
                start.into_iter().chain([&**first, last, condition, body]).collect()
            }
            ExprKind::SomeOrder { identity, condition, body, .. } => {
                identity.iter().chain([condition, body]).map(|part| &**part).collect()
            }
            ExprKind::Reading(_, alternatives) => {
                alternatives.iter().map(|(_, value)| value).collect()
            }
        }
    }

    /// It, or a part of it, is as asked.
    pub fn any(&self, asked: &dyn Fn(&Self) -> bool) -> bool {
        asked(self) || self.parts().into_iter().any(|part| part.any(asked))
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
            | Self::Ignored(condition)
            | Self::Orders(_, condition)
            | Self::Label(_, condition)
            | Self::ResultsSuchThat(condition) => vec![condition],
            Self::Store { index, row, value, when, .. } => {
                [value, index].into_iter().chain(row).chain(when).collect()
            }
            Self::Example(holds, when) => Some(holds).into_iter().chain(when).collect(),
            Self::InSomeOrder(_) | Self::Reading(..) | Self::Varies(_) | Self::Remark(_) => {
                Vec::new()
            }
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

impl Expr {
    /// The same form over other parts, in the order of [`Expr::parts`].
    pub fn map_parts(self, change: &mut impl FnMut(Expr) -> Expr) -> Self {
        let mut boxed = |part: Box<Expr>| Box::new(change(*part));
        let kind = match self.kind {
            kind @ (ExprKind::Integer(_)
            | ExprKind::Boolean(_)
            | ExprKind::Name(_)
            | ExprKind::Is(..)) => kind,
            ExprKind::Call(name, arguments) => {
                ExprKind::Call(name, arguments.into_iter().map(change).collect())
            }
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, boxed(operand)),
            ExprKind::Binary(op, left, right) => {
                let left = boxed(left);
                ExprKind::Binary(op, left, boxed(right))
            }
            ExprKind::At(left, right) => {
                let left = boxed(left);
                ExprKind::At(left, boxed(right))
            }
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (boxed(condition), boxed(then));
                ExprKind::If(condition, then, boxed(otherwise))
            }
            ExprKind::Quantified { quantifier, variable, lanes, body } => {
                ExprKind::Quantified { quantifier, variable, lanes, body: boxed(body) }
            }
            ExprKind::Fold { operator, identity, variable, condition, body } => {
                let (identity, condition) = (boxed(identity), boxed(condition));
                ExprKind::Fold { operator, identity, variable, condition, body: boxed(body) }
            }
            ExprKind::Counted { counting, variable, first, last, condition, body } => {
                let counting = match counting {
                    Counting::Fold { operator, start } => {
                        Counting::Fold { operator, start: boxed(start) }
                    }
                    other => other,
                };
                let (first, last, condition) = (boxed(first), boxed(last), boxed(condition));
                let body = boxed(body);
                ExprKind::Counted { counting, variable, first, last, condition, body }
            }
            ExprKind::SomeOrder { operator, identity, variable, condition, body } => {
                let identity = identity.map(&mut boxed);
                let condition = boxed(condition);
                ExprKind::SomeOrder { operator, identity, variable, condition, body: boxed(body) }
            }
            ExprKind::Reading(name, alternatives) => {
                let alternatives = alternatives.into_iter();
                ExprKind::Reading(
                    name,
                    alternatives.map(|(name, value)| (name, change(value))).collect(),
                )
            }
        };
        Self { kind, span: self.span }
    }
}

impl Statement {
    /// The same statement over other expressions, those of nested statements among them.
    pub fn map_expressions(self, change: &mut impl FnMut(Expr) -> Expr) -> Self {
        match self {
            Self::Let(definition) => {
                let SpecFunction { name, parameters, body } = &*definition;
                let (name, parameters) = (name.clone(), parameters.clone());
                Self::Let(Arc::new(SpecFunction { name, parameters, body: change(body.clone()) }))
            }
            Self::Result(value, when) => {
                let value = change(value);
                Self::Result(value, when.map(change))
            }
            Self::UndefinedValue(condition) => Self::UndefinedValue(change(condition)),
            Self::UndefinedBehavior(condition) => Self::UndefinedBehavior(change(condition)),
            Self::Must(condition) => Self::Must(change(condition)),
            Self::Label(label, condition) => Self::Label(label, change(condition)),
            Self::ResultsSuchThat(condition) => Self::ResultsSuchThat(change(condition)),
            Self::Ignored(condition) => Self::Ignored(change(condition)),
            Self::Orders(storage, condition) => Self::Orders(storage, change(condition)),
            Self::Store { target, index, row, value, when } => Self::Store {
                target,
                index: change(index),
                row: row.map(&mut *change),
                value: change(value),
                when: when.map(change),
            },
            Self::Example(holds, when) => {
                let holds = change(holds);
                Self::Example(holds, when.map(change))
            }
            Self::InSomeOrder(statements) => {
                let statements = statements.into_iter();
                Self::InSomeOrder(statements.map(|it| it.map_expressions(change)).collect())
            }
            Self::Reading(name, alternatives) => {
                let mut each = |statements: Vec<Self>| -> Vec<Self> {
                    statements.into_iter().map(|it| it.map_expressions(change)).collect()
                };
                let alternatives = alternatives.into_iter();
                let alternatives = alternatives.map(|(name, inner)| (name, each(inner)));
                Self::Reading(name, alternatives.collect())
            }
            other @ (Self::Varies(_) | Self::Remark(_)) => other,
        }
    }
}
