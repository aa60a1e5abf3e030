//! Clauses and their statements.

use std::sync::Arc;

use pest::iterators::Pair;

use super::super::ast::{
    Clause, Expr, ExprKind, Remark, Span, SpecFunction, Statement, Storage, UnaryOp,
};
use super::expression::expression;
use super::{Parts, Place, Rule, integer, string};
use crate::error::Mistake;

/// Readings nest statements; everything after the parser walks them recursively.
const MAX_DEPTH: u32 = 16;

/// Which text a clause belongs to.
pub(super) struct Context<'a> {
    pub(super) document: &'a Arc<str>,
    pub(super) section: &'a Arc<str>,
    /// The instruction or built-in: part of the clause's name.
    pub(super) owner: &'a str,
}

/// Reads a `clause`.
pub(super) fn clause(
    place: Place,
    context: &Context<'_>,
    pair: Pair<'_, Rule>,
) -> Result<Clause, Mistake> {
    let mut parts = place.parts(pair);
    let span = parts.span;
    let sentences = numbers(place, parts.next()?)?;
    // That of a row's own instruction may be stated for all rows.
    let own_section = section(place, &mut parts)?.filter(|it| it != context.section);
    let replaces = match parts.take_if(Rule::replaced) {
        Some(replaced) => numbers(place, place.parts(replaced).next()?)?,
        None => Vec::new(),
    };
    let wording = string(&parts.next()?);
    let statements = statements(place, &mut parts, 0)?;
    let numbers = sentences.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let Context { document, owner, .. } = context;
    let id = match &own_section {
        None => format!("{document}/{owner}/{numbers}"),
        Some(section) => format!("{document}/{owner}/{section}/{numbers}"),
    };
    Ok(Clause {
        id: id.into(),
        document: Arc::clone(context.document),
        elsewhere: own_section.is_some(),
        section: own_section.unwrap_or_else(|| Arc::clone(context.section)),
        sentences,
        replaces,
        wording,
        statements,
        span,
    })
}

/// The sentences that are cited.
pub(super) fn numbers(place: Place, pair: Pair<'_, Rule>) -> Result<Vec<u32>, Mistake> {
    let mut sentences = Vec::new();
    for number in pair.into_inner() {
        let value = integer(place, &number)?;
        sentences.push(u32::try_from(value).map_err(|_| {
            Mistake::new(place.span(&number), "a sentence number is too large", "too large")
        })?);
    }
    Ok(sentences)
}

/// A `section`, if it is next.
pub(super) fn section(place: Place, parts: &mut Parts<'_>) -> Result<Option<Arc<str>>, Mistake> {
    let Some(section) = parts.take_if(Rule::section) else { return Ok(None) };
    Ok(Some(string(&place.parts(section).next()?)))
}

/// Parses a `binding`: a name, its parameters, its definition.
pub(super) fn function(place: Place, parts: &mut Parts<'_>) -> Result<SpecFunction, Mistake> {
    let name = parts.text()?.into();
    let parameters = match parts.take_if(Rule::parameters) {
        Some(names) => names.into_inner().map(|name| name.as_str().into()).collect(),
        None => Vec::new(),
    };
    let body = expression(place, parts.next()?)?;
    Ok(SpecFunction { name, parameters, body })
}

fn statements(
    place: Place,
    parts: &mut Parts<'_>,
    level: u32,
) -> Result<Vec<(Statement, Span)>, Mistake> {
    if level > MAX_DEPTH {
        return Err(Mistake::new(parts.span, "these statements nest too deeply", "too deep"));
    }
    let mut out = Vec::new();
    while let Some(pair) = parts.take_if(Rule::statement) {
        let span = place.span(&pair);
        let inner = place.parts(pair).next()?;
        out.push((statement(place, inner, level)?, span));
    }
    Ok(out)
}

fn statement(place: Place, pair: Pair<'_, Rule>, level: u32) -> Result<Statement, Mistake> {
    let rule = pair.as_rule();
    let mut parts = place.parts(pair);
    Ok(match rule {
        Rule::let_statement => {
            let mut binding = place.parts(parts.next()?);
            Statement::Let(Arc::new(function(place, &mut binding)?))
        }
        Rule::result_statement => {
            let value = expression(place, parts.next()?)?;
            Statement::Result(value, when(place, &mut parts)?)
        }
        Rule::undefined => {
            let what = parts.next()?.as_rule();
            let condition = condition(place, parts.next()?)?;
            match what {
                Rule::undefined_value => Statement::UndefinedValue(condition),
                _ => Statement::UndefinedBehavior(condition),
            }
        }
        Rule::must => Statement::Must(expression(place, parts.next()?)?),
        Rule::labelled => {
            let label = string(&parts.next()?);
            Statement::Label(label, condition(place, parts.next()?)?)
        }
        Rule::such_that => Statement::ResultsSuchThat(expression(place, parts.next()?)?),
        Rule::in_some_order => {
            let inner = statements(place, &mut parts, level + 1)?;
            Statement::InSomeOrder(inner.into_iter().map(|(statement, _)| statement).collect())
        }
        Rule::store => {
            let value = expression(place, parts.next()?)?;
            let target = parts.text()?;
            let index = expression(place, parts.next()?)?;
            let row = match parts.take_if(Rule::row_index) {
                Some(row) => Some(expression(place, place.parts(row).next()?)?),
                None => None,
            };
            Statement::Store {
                target: target.into(),
                index,
                row,
                value,
                when: when(place, &mut parts)?,
            }
        }
        Rule::ignored => {
            parts.next()?;
            Statement::Ignored(condition(place, parts.next()?)?)
        }
        Rule::orders => {
            let storage = match &*parts.text()? {
                "buffers" => Storage::Buffers,
                "workgroup" => Storage::Workgroup,
                _ => Storage::Images,
            };
            Statement::Orders(storage, condition(place, parts.next()?)?)
        }
        Rule::varies => Statement::Varies(parts.text()?),
        Rule::example => {
            let holds = expression(place, parts.next()?)?;
            Statement::Example(holds, when(place, &mut parts)?)
        }
        Rule::remark => Statement::Remark(remark(&mut parts)?),
        _ => {
            let name = parts.text()?;
            let mut alternatives = Vec::new();
            while let Some(alternative) = parts.take() {
                let label = place.parts(alternative).text()?;
                let inner = statements(place, &mut parts, level + 1)?;
                let inner = inner.into_iter().map(|(statement, _)| statement).collect();
                alternatives.push((label, inner));
            }
            Statement::Reading(name, alternatives)
        }
    })
}

fn when(place: Place, parts: &mut Parts<'_>) -> Result<Option<Expr>, Mistake> {
    let Some(when) = parts.take_if(Rule::when) else { return Ok(None) };
    expression(place, place.parts(when).next()?).map(Some)
}

/// `when C` is C, `unless C` its negation.
fn condition(place: Place, pair: Pair<'_, Rule>) -> Result<Expr, Mistake> {
    let condition = place.parts(pair).next()?;
    let negated = condition.as_rule() == Rule::unless;
    let expr = expression(place, place.parts(condition).next()?)?;
    let span = expr.span;
    Ok(match negated {
        true => Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(expr)), span },
        false => expr,
    })
}

/// What is to be said of a sentence itself.
pub(super) fn remark(parts: &mut Parts<'_>) -> Result<Remark, Mistake> {
    Ok(match &*parts.text()? {
        "uses" => Remark::Uses(string(&parts.next()?)),
        "defines" => Remark::Defines(string(&parts.next()?)),
        word => Remark::Repaired {
            editorial: word == "slip",
            lack: parts.text()?,
            why: string(&parts.next()?),
            remedy: string(&parts.next()?),
        },
    })
}
