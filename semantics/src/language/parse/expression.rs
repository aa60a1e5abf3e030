//! Expressions, by operator precedence.

use std::sync::LazyLock;

use pest::iterators::{Pair, Pairs};
use pest::pratt_parser::{Assoc, Op, PrattParser};

use super::super::ast::{
    BinaryOp, Counting, Expr, ExprKind, LaneSet, Name, Quantifier, Span, UnaryOp,
};
use super::{Place, Rule, integer};
use crate::error::Mistake;

/// How deep an expression may nest: everything after the parser walks it recursively.
const MAX_DEPTH: u32 = 256;

/// From loosest to tightest.
static PRATT: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    PrattParser::new()
        .op(Op::infix(Rule::implies, Assoc::Right))
        .op(left(Rule::or))
        .op(left(Rule::and))
        .op(Op::prefix(Rule::logical_not))
        .op(left(Rule::equal)
            | left(Rule::not_equal)
            | left(Rule::less)
            | left(Rule::less_equal)
            | left(Rule::greater)
            | left(Rule::greater_equal))
        .op(left(Rule::at))
        .op(left(Rule::bit_or))
        .op(left(Rule::bit_xor))
        .op(left(Rule::bit_and))
        .op(left(Rule::shift_left) | left(Rule::shift_right))
        .op(left(Rule::add) | left(Rule::subtract))
        .op(left(Rule::multiply) | left(Rule::divide) | left(Rule::remainder))
        .op(Op::prefix(Rule::negate) | Op::prefix(Rule::bit_not))
});

/// An expression with its depth, which bounds the recursion of everything that walks it.
struct Built {
    expr: Expr,
    depth: u32,
}

impl Built {
    fn new<'a>(
        kind: ExprKind,
        span: Span,
        parts: impl IntoIterator<Item = &'a u32>,
    ) -> Result<Self, Mistake> {
        let depth = 1 + parts.into_iter().max().copied().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(Mistake::new(
                span,
                format!("this expression is more than {MAX_DEPTH} levels deep"),
                "too deep",
            )
            .help("name a part of it with `let`"));
        }
        Ok(Self { expr: Expr { kind, span }, depth })
    }
}

/// Reads an `expression`.
pub(super) fn expression(place: Place, pair: Pair<'_, Rule>) -> Result<Expr, Mistake> {
    build(place, pair.into_inner(), 0).map(|built| built.expr)
}

fn build(place: Place, pairs: Pairs<'_, Rule>, level: u32) -> Result<Built, Mistake> {
    // Prefixes and `implies` are read recursively, like parentheses: they count as levels.
    let mut level = level;
    for pair in pairs.clone() {
        level += match pair.as_rule() {
            Rule::logical_not | Rule::negate | Rule::bit_not | Rule::implies => 1,
            _ => 0,
        };
        if level > MAX_DEPTH {
            let message = "this expression nests too deeply";
            return Err(Mistake::new(place.span(&pair), message, "too deep")
                .help("name a part of it with `let`"));
        }
    }
    PRATT
        .map_primary(|pair| primary(place, pair, level + 1))
        .map_prefix(|operator, operand| {
            let operand = operand?;
            let span = join(place.span(&operator), operand.expr.span);
            let op = match operator.as_rule() {
                Rule::logical_not => UnaryOp::Not,
                Rule::negate => UnaryOp::Negate,
                _ => UnaryOp::BitNot,
            };
            let depth = operand.depth;
            Built::new(ExprKind::Unary(op, Box::new(operand.expr)), span, [&depth])
        })
        .map_infix(|left, operator, right| {
            let (left, right) = (left?, right?);
            let span = join(left.expr.span, right.expr.span);
            let depths = [left.depth, right.depth];
            let (left, right) = (Box::new(left.expr), Box::new(right.expr));
            let kind = match binary(operator.as_rule()) {
                Some(op) => ExprKind::Binary(op, left, right),
                None => ExprKind::At(left, right),
            };
            Built::new(kind, span, &depths)
        })
        .parse(pairs)
}

/// `None` is `at`, the one infix that is not an operator on values.
fn binary(rule: Rule) -> Option<BinaryOp> {
    Some(match rule {
        Rule::implies => BinaryOp::Implies,
        Rule::or => BinaryOp::Or,
        Rule::and => BinaryOp::And,
        Rule::equal => BinaryOp::Equal,
        Rule::not_equal => BinaryOp::NotEqual,
        Rule::less => BinaryOp::Less,
        Rule::less_equal => BinaryOp::LessEqual,
        Rule::greater => BinaryOp::Greater,
        Rule::greater_equal => BinaryOp::GreaterEqual,
        Rule::bit_and => BinaryOp::BitAnd,
        Rule::bit_or => BinaryOp::BitOr,
        Rule::bit_xor => BinaryOp::BitXor,
        Rule::shift_left => BinaryOp::ShiftLeft,
        Rule::shift_right => BinaryOp::ShiftRight,
        Rule::add => BinaryOp::Add,
        Rule::subtract => BinaryOp::Sub,
        Rule::multiply => BinaryOp::Mul,
        Rule::divide => BinaryOp::Div,
        Rule::remainder => BinaryOp::Rem,
        _ => return None,
    })
}

fn primary(place: Place, pair: Pair<'_, Rule>, level: u32) -> Result<Built, Mistake> {
    let span = place.span(&pair);
    match pair.as_rule() {
        Rule::expression => build(place, pair.into_inner(), level),
        Rule::integer => Built::new(ExprKind::Integer(integer(place, &pair)?), span, []),
        Rule::truth => Built::new(ExprKind::Boolean(pair.as_str() == "true"), span, []),
        Rule::name => Built::new(ExprKind::Name(pair.as_str().into()), span, []),
        Rule::question => {
            let mut parts = place.parts(pair);
            Built::new(ExprKind::Is(parts.text()?.into(), parts.text()?), span, [])
        }
        Rule::call => {
            let mut parts = place.parts(pair);
            let name = parts.text()?.into();
            let (mut arguments, mut depths) = (Vec::new(), Vec::new());
            while let Some(argument) = parts.take() {
                let built = build(place, argument.into_inner(), level)?;
                arguments.push(built.expr);
                depths.push(built.depth);
            }
            Built::new(ExprKind::Call(name, arguments), span, &depths)
        }
        Rule::conditional => {
            let mut parts = place.parts(pair);
            let mut part = || build(place, parts.next()?.into_inner(), level);
            let (condition, then, otherwise) = (part()?, part()?, part()?);
            let depths = [condition.depth, then.depth, otherwise.depth];
            let [condition, then, otherwise] =
                [condition, then, otherwise].map(|built| Box::new(built.expr));
            Built::new(ExprKind::If(condition, then, otherwise), span, &depths)
        }
        Rule::quantified => quantified(place, pair, level),
        Rule::fold => fold(place, pair, level),
        Rule::some_order => some_order(place, pair, level),
        _ => reading(place, pair, level),
    }
}

fn reading(place: Place, pair: Pair<'_, Rule>, level: u32) -> Result<Built, Mistake> {
    let mut parts = place.parts(pair);
    let span = parts.span;
    let name = parts.text()?;
    let (mut alternatives, mut depths) = (Vec::new(), Vec::new());
    while let Some(alternative) = parts.take() {
        let label = place.parts(alternative).text()?;
        let built = build(place, parts.next()?.into_inner(), level)?;
        alternatives.push((label, built.expr));
        depths.push(built.depth);
    }
    Built::new(ExprKind::Reading(name, alternatives), span, &depths)
}

fn quantified(place: Place, pair: Pair<'_, Rule>, level: u32) -> Result<Built, Mistake> {
    let mut parts = place.parts(pair);
    let span = parts.span;
    let word = parts.text()?;
    let quantifier = match &*word {
        "forall" => Quantifier::ForAll,
        "exists" => Quantifier::Exists,
        "count" => Quantifier::Count,
        "lanes" => Quantifier::Lanes,
        "lowest" => Quantifier::Lowest,
        _ => Quantifier::Highest,
    };
    let variable: Name = parts.text()?.into();
    if let Some(range) = parts.take_if(Rule::range) {
        let counting = match quantifier {
            Quantifier::ForAll => Counting::ForAll,
            Quantifier::Exists => Counting::Exists,
            Quantifier::Count => Counting::Count,
            Quantifier::Lanes | Quantifier::Lowest | Quantifier::Highest => {
                let message = format!("`{word}` is over lanes, and these are numbers");
                let label = "expected `active` or `existing`";
                return Err(Mistake::new(place.span(&range), message, label));
            }
        };
        return counted(place, &mut parts, level, (counting, 0), (variable, range));
    }
    let lanes = lane_set(&parts.text()?);
    let guard = guard(place, &mut parts, level)?;
    let mut body = build(place, parts.next()?.into_inner(), level)?;
    if let Some(guard) = guard {
        // `forall j in active where C: P` says P of the lanes with C; the other quantifiers
        // take the lanes with both.
        let op = match quantifier {
            Quantifier::ForAll => BinaryOp::Implies,
            _ => BinaryOp::And,
        };
        let inner = join(guard.expr.span, body.expr.span);
        let depths = [guard.depth, body.depth];
        let kind = ExprKind::Binary(op, Box::new(guard.expr), Box::new(body.expr));
        body = Built::new(kind, inner, &depths)?;
    }
    let depth = body.depth;
    let body = Box::new(body.expr);
    Built::new(ExprKind::Quantified { quantifier, variable, lanes, body }, span, [&depth])
}

/// Reads a `lane_set`.
pub(super) fn lane_set(word: &str) -> LaneSet {
    match word {
        "active" => LaneSet::Active,
        "existing" => LaneSet::Existing,
        _ => LaneSet::Subgroup,
    }
}

fn fold(place: Place, pair: Pair<'_, Rule>, level: u32) -> Result<Built, Mistake> {
    let mut parts = place.parts(pair);
    let span = parts.span;
    let operator = parts.text()?.into();
    let identity = build(place, parts.next()?.into_inner(), level)?;
    let variable: Name = parts.text()?.into();
    if let Some(range) = parts.take_if(Rule::range) {
        let counting = Counting::Fold { operator, start: Box::new(identity.expr) };
        return counted(place, &mut parts, level, (counting, identity.depth), (variable, range));
    }
    let (condition, body) = contributions(place, &mut parts, level)?;
    let depths = [identity.depth, condition.depth, body.depth];
    let [identity, condition, body] = [identity, condition, body].map(|built| Box::new(built.expr));
    Built::new(ExprKind::Fold { operator, identity, variable, condition, body }, span, &depths)
}

fn some_order(place: Place, pair: Pair<'_, Rule>, level: u32) -> Result<Built, Mistake> {
    let mut parts = place.parts(pair);
    let span = parts.span;
    let operator = parts.text()?.into();
    let identity = match parts.take_if(Rule::start) {
        Some(start) => Some(build(place, place.parts(start).next()?.into_inner(), level)?),
        None => None,
    };
    let variable = parts.text()?.into();
    let (condition, body) = contributions(place, &mut parts, level)?;
    let start = identity.as_ref().map_or(0, |identity| identity.depth);
    let depths = [start, condition.depth, body.depth];
    let [condition, body] = [condition, body].map(|built| Box::new(built.expr));
    let identity = identity.map(|built| Box::new(built.expr));
    let kind = ExprKind::SomeOrder { operator, identity, variable, condition, body };
    Built::new(kind, span, &depths)
}

/// `0 to 3 where C: P`, `0 to 3 where C of E`.
fn counted(
    place: Place,
    parts: &mut super::Parts<'_>,
    level: u32,
    (counting, depth): (Counting, u32),
    (variable, range): (Name, Pair<'_, Rule>),
) -> Result<Built, Mistake> {
    let span = parts.span;
    let mut ends = place.parts(range);
    let first = build(place, ends.next()?.into_inner(), level)?;
    let last = build(place, ends.next()?.into_inner(), level)?;
    let (condition, body) = guarded(place, parts, level)?;
    let depths = [depth, first.depth, last.depth, condition.depth, body.depth];
    let [first, last, condition, body] =
        [first, last, condition, body].map(|built| Box::new(built.expr));
    Built::new(
        ExprKind::Counted { counting, variable, first, last, condition, body },
        span,
        &depths,
    )
}

/// `active where C of E`.
fn contributions(
    place: Place,
    parts: &mut super::Parts<'_>,
    level: u32,
) -> Result<(Built, Built), Mistake> {
    let set = parts.next()?;
    if set.as_str() != "active" {
        let span = place.span(&set);
        return Err(Mistake::new(span, "a fold is over active lanes", "expected `active`"));
    }
    guarded(place, parts, level)
}

/// `where C` (always true if it is missing), and the expression after it.
fn guarded(
    place: Place,
    parts: &mut super::Parts<'_>,
    level: u32,
) -> Result<(Built, Built), Mistake> {
    let span = parts.span;
    let condition = match guard(place, parts, level)? {
        Some(guard) => guard,
        None => Built::new(ExprKind::Boolean(true), span, [])?,
    };
    Ok((condition, build(place, parts.next()?.into_inner(), level)?))
}

fn guard(place: Place, parts: &mut super::Parts<'_>, level: u32) -> Result<Option<Built>, Mistake> {
    let Some(guard) = parts.take_if(Rule::guard) else { return Ok(None) };
    let condition = place.parts(guard).next()?;
    build(place, condition.into_inner(), level).map(Some)
}

fn join(left: Span, right: Span) -> Span {
    Span { file: left.file, start: left.start.min(right.start), end: left.end.max(right.end) }
}
