//! Statements and clauses.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Checker;
use super::scope::Scope;
use super::ty::Ty;
use crate::error::Mistake;
use crate::language::ast::{Clause, Expr, OperandType, Span, SpecFunction, Statement};
use crate::language::parse::one_of;

impl Checker<'_> {
    /// Clauses in order: definitions of earlier ones are visible in later ones of the same document,
    /// and those of the instruction's own document in all.
    pub(super) fn clauses(&mut self, scope: &Scope, own: &str, clauses: &[Arc<Clause>]) {
        let mut known: Vec<(&str, Arc<SpecFunction>)> = Vec::new();
        for clause in clauses {
            let document = &*clause.document;
            let seen = known.iter().filter(|(of, _)| *of == own || *of == document);
            let mut inner = scope.clone();
            inner.definitions.extend(seen.map(|(_, it)| Arc::clone(it)));
            let before = inner.definitions.len();
            for (statement, span) in &clause.statements {
                self.statement(&mut inner, statement, *span);
            }
            known.extend(inner.definitions.drain(before..).map(|it| (document, it)));
        }
    }

    fn statement(&mut self, scope: &mut Scope, statement: &Statement, span: Span) {
        match statement {
            Statement::Let(definition) => {
                self.definition(scope, definition, span);
                scope.definitions.push(Arc::clone(definition));
            }
            Statement::Result(value, when) => {
                self.result(scope, value);
                self.when(scope, when.as_ref());
            }
            Statement::UndefinedValue(condition)
            | Statement::UndefinedBehavior(condition)
            | Statement::Ignored(condition)
            | Statement::Orders(_, condition)
            | Statement::Must(condition) => self.condition(scope, condition),
            Statement::Label(label, condition) => {
                self.label(scope, label, span);
                self.condition(scope, condition);
            }
            Statement::Varies(operand) => {
                if scope.operand(operand).is_none() {
                    let message = format!("this instruction has no operand `{operand}`");
                    self.report(scope, Mistake::new(span, message, "it is said to vary"));
                }
            }
            Statement::Example(holds, when) => {
                self.condition(scope, holds);
                self.when(scope, when.as_ref());
            }
            Statement::Remark(_) => {}
            Statement::ResultsSuchThat(condition) => {
                let inner = Scope { relational: true, ..scope.clone() };
                if scope.result.is_none() {
                    self.no_result(scope, condition.span);
                }
                self.condition(&inner, condition);
            }
            Statement::InSomeOrder(statements) => {
                let mut inner = scope.clone();
                statements.iter().for_each(|statement| self.statement(&mut inner, statement, span));
            }
            Statement::Store { target, index, row, value, when } => {
                self.stored(scope, target, value, row.is_some(), span);
                for place in [Some(index), row.as_ref()].into_iter().flatten() {
                    let ty = self.expr(scope, place);
                    self.require(scope, place, &ty, Ty::is_int, "a place is an integer");
                }
                self.when(scope, when.as_ref());
            }
            Statement::Reading(name, alternatives) => {
                let given: Vec<_> = alternatives.iter().map(|(label, _)| label).collect();
                self.alternatives(scope, name, &given, span);
                for (_, statements) in alternatives {
                    let mut inner = scope.clone();
                    for statement in statements {
                        self.statement(&mut inner, statement, span);
                    }
                }
            }
        }
    }

    fn definition(&mut self, scope: &Scope, definition: &Arc<SpecFunction>, span: Span) {
        if let Some((earlier, _)) = scope.definition(&definition.name) {
            let row = scope.definitions.get(earlier).map(|known| known.body.span);
            let message = format!("`{}` is defined twice in this instruction", definition.name);
            let mistake = Mistake::new(span, message, "again here");
            let first = row.and_then(|span| self.specification.locate(span));
            self.report(
                scope,
                match first {
                    Some((file, line)) => {
                        mistake.help(format!("the first one is at {file}:{line}"))
                    }
                    None => mistake,
                },
            );
        }
        if scope.operand(&definition.name).is_some() {
            let message = format!("`{}` is an operand", definition.name);
            self.report(scope, Mistake::new(span, message, "and cannot be defined"));
        }
        // With parameters it is checked where it is called, with their types.
        if definition.parameters.is_empty() {
            self.expr(scope, &definition.body);
        }
    }

    fn result(&mut self, scope: &Scope, value: &Expr) {
        let Some(expected) = &scope.result else {
            return self.no_result(scope, value.span);
        };
        let ty = self.expr(scope, value);
        if expected.unsigned().join(&ty.unsigned()).is_none() {
            let message = format!("the result must be {expected}");
            self.report(scope, Mistake::new(value.span, message, format!("this is {ty}")));
        }
    }

    fn no_result(&mut self, scope: &Scope, span: Span) {
        let message = "this instruction has no result";
        let mistake = Mistake::new(span, message, "a result is given here")
            .help("say its type with `result TYPE` before the clauses");
        self.report(scope, mistake);
    }

    fn when(&mut self, scope: &Scope, when: Option<&Expr>) {
        if let Some(condition) = when {
            self.condition(scope, condition);
        }
    }

    fn label(&mut self, scope: &Scope, label: &str, span: Span) {
        let readings = &self.specification.readings;
        let mistake = match readings.get(label) {
            Some(reading) => {
                let open = reading.alternatives.iter().find(|(_, gives)| gives.is_none());
                let Some((alternative, _)) = open else { return };
                let message = format!("the reading `{label}` is not one of consequences");
                Mistake::new(span, message, "a consequence is named here").help(format!(
                    "its alternative `{alternative}` would have to say what it gives"
                ))
            }
            None => Mistake::new(span, format!("there is no reading `{label}`"), "unknown reading")
                .did_you_mean(label, readings.keys().map(|name| &**name)),
        };
        self.report(scope, mistake);
    }

    /// What is stored fits where it is stored to.
    fn stored(&mut self, scope: &Scope, target: &str, value: &Expr, has_row: bool, span: Span) {
        let ty = self.expr(scope, value);
        let ty = self.value(scope, value, ty);
        let Some((operand, place)) = scope.operand(target) else {
            let message = format!("`{target}` is not a pointer or image operand");
            return self.report(scope, Mistake::new(span, message, "stores to it"));
        };
        let message = match (&operand.ty, place) {
            (OperandType::Image, _) if has_row => return,
            (OperandType::Image, _) => "a place in an image is `BYTE, ROW`".to_owned(),
            (_, Ty::Pointer(_)) if has_row => "a place past a pointer is one number".to_owned(),
            (_, Ty::Pointer(pointee)) if pointee.unsigned().join(&ty.unsigned()).is_some() => {
                return;
            }
            (_, Ty::Pointer(pointee)) => format!("the pointer leads to {pointee}, not to {ty}"),
            _ => format!("`{target}` is not a pointer or image operand"),
        };
        self.report(scope, Mistake::new(span, message, "stores to it"));
    }

    /// A choice point names all alternatives of its reading, once each.
    pub(super) fn alternatives(
        &mut self,
        scope: &Scope,
        name: &str,
        given: &[&Arc<str>],
        span: Span,
    ) {
        let readings = &self.specification.readings;
        let Some(reading) = readings.get(name) else {
            let message = format!("there is no reading `{name}`");
            let mistake = Mistake::new(span, message, "unknown reading")
                .did_you_mean(name, readings.keys().map(|name| &**name));
            return self.report(scope, mistake);
        };
        let known: Vec<&str> = reading.alternatives.iter().map(|(label, _)| &**label).collect();
        let mut seen = BTreeSet::new();
        let mut mistakes = Vec::new();
        for label in given {
            if !known.contains(&&***label) {
                let message = format!("the reading `{name}` has no alternative `{label}`");
                mistakes.push(
                    Mistake::new(span, message, "unknown alternative")
                        .help(format!("it has {}", one_of(&known)))
                        .did_you_mean(label, known.iter().copied()),
                );
            } else if !seen.insert(&***label) {
                let message = format!("the alternative `{label}` is repeated");
                mistakes.push(Mistake::new(span, message, "one would never be read"));
            }
        }
        let missing: Vec<&str> = known.into_iter().filter(|label| !seen.contains(label)).collect();
        if mistakes.is_empty() && !missing.is_empty() {
            let message = format!("the reading `{name}` has {} too", one_of(&missing));
            mistakes.push(Mistake::new(span, message, "this leaves it out"));
        }
        mistakes.into_iter().for_each(|mistake| self.report(scope, mistake));
    }
}
