//! The functions that the language itself has.

use super::Checker;
use super::scope::Scope;
use super::ty::{Ty, Width};
use crate::error::Mistake;
use crate::language::ast::{Expr, ExprKind, Name, Span};
use crate::language::intrinsic::{Family, Intrinsic, IntrinsicRow, ParameterKind, ResultKind};

/// The type of a call of a function that is not defined in any file.
pub(super) fn call(
    checker: &mut Checker<'_>,
    scope: &Scope,
    name: &Name,
    arguments: &[Expr],
    span: Span,
) -> Ty {
    let Some(intrinsic) = Intrinsic::named(name) else {
        let known = Intrinsic::ALL.iter().map(|intrinsic| intrinsic.row().name);
        let functions = checker.specification.functions.keys().map(|name| &**name);
        let definitions = scope.definitions.iter().map(|definition| &*definition.name);
        let mistake = Mistake::new(span, format!("there is no function `{name}`"), "unknown")
            .did_you_mean(name, known.chain(functions).chain(definitions));
        checker.report(scope, mistake);
        return Ty::Unknown;
    };
    let IntrinsicRow { takes, gives, family, .. } = intrinsic.row();
    if *family == Family::Question {
        return question(checker, scope, intrinsic, arguments, span);
    }
    let types: Vec<Ty> = arguments.iter().map(|argument| checker.expr(scope, argument)).collect();
    if !checker.arity(scope, name, takes.len(), arguments.len(), span) {
        return Ty::Unknown;
    }
    let mut good = true;
    for ((takes, argument), ty) in takes.iter().zip(arguments).zip(&types) {
        good &= accepts(checker, scope, name, *takes, argument, ty, &types);
    }
    if intrinsic == Intrinsic::Uniform {
        arguments.iter().for_each(|argument| checker.of_this_lane(scope, argument));
    }
    let first = types.first().cloned().unwrap_or(Ty::Unknown);
    match gives {
        _ if !good => Ty::Unknown,
        ResultKind::Bool => Ty::Bool,
        ResultKind::Uint(width) => Ty::uint(*width),
        ResultKind::Single => Ty::Float(Width::Known(32)),
        ResultKind::Signed64 => Ty::Int { width: Width::Known(64), signed: true },
        ResultKind::Mask => Ty::Mask,
        ResultKind::Argument(place) => types.get(*place).cloned().unwrap_or(Ty::Unknown),
        ResultKind::Sign(signed) => match first {
            Ty::Int { width, .. } => Ty::Int { width, signed: *signed },
            other => other,
        },
        ResultKind::Element => first.element().clone(),
        ResultKind::ResultElement => {
            scope.result.as_ref().map_or(Ty::Unknown, |ty| ty.element().clone())
        }
        ResultKind::Result => scope.result.clone().unwrap_or(Ty::Unknown),
        ResultKind::Anything => Ty::Unknown,
        ResultKind::Loaded => match first {
            Ty::Pointer(pointee) => *pointee,
            other => other,
        },
    }
}

fn accepts(
    checker: &mut Checker<'_>,
    scope: &Scope,
    name: &str,
    takes: ParameterKind,
    argument: &Expr,
    ty: &Ty,
    all: &[Ty],
) -> bool {
    let mut require = |what: &str, fits: &dyn Fn(&Ty) -> bool| {
        let rule = format!("`{name}` takes {what} here");
        checker.require(scope, argument, ty, |ty| *ty == Ty::Unknown || fits(ty), &rule)
    };
    match takes {
        ParameterKind::Lane => {
            require("a 32-bit integer without sign", &|ty| ty.join(&Ty::U32).is_some())
        }
        ParameterKind::Int => require("an integer", &Ty::is_int),
        ParameterKind::Bits => require("an integer or a mask", &Ty::has_bits),
        ParameterKind::Mask => require("a mask of lanes", &|ty| ty.join(&Ty::Mask).is_some()),
        ParameterKind::Float => {
            require("a floating-point number", &|ty| matches!(ty.element(), Ty::Float(_)))
        }
        ParameterKind::Value => require("a value", &Ty::is_value),
        ParameterKind::Vector => require("a vector", &|ty| matches!(ty, Ty::Vector(_))),
        ParameterKind::BoolVector => require(
            "a vector of Booleans",
            &|ty| matches!(ty, Ty::Vector(element) if **element == Ty::Bool),
        ),
        ParameterKind::Pointer => require("a pointer", &|ty| matches!(ty, Ty::Pointer(_))),
        ParameterKind::Number => require("a number", &|ty| *ty == Ty::Literal),
        // Questions look at these themselves.
        ParameterKind::OptionalOperand
        | ParameterKind::AnyOperand
        | ParameterKind::Enumerant(_) => true,
        ParameterKind::Operand(what) => {
            require(what, &|ty| matches!(ty, Ty::Operand(known) if &**known == what))
        }
        ParameterKind::Same => {
            let first = all.first().cloned().unwrap_or(Ty::Unknown);
            require(&format!("two of one type, the other is {first}; it"), &|ty| {
                first.join(ty).is_some()
            })
        }
    }
}

/// A question that the instruction and its module answer: its arguments are names and numbers.
fn question(
    checker: &mut Checker<'_>,
    scope: &Scope,
    intrinsic: Intrinsic,
    arguments: &[Expr],
    span: Span,
) -> Ty {
    let IntrinsicRow { name, takes, .. } = intrinsic.row();
    match takes {
        [ParameterKind::OptionalOperand] => present(checker, scope, arguments, span),
        [ParameterKind::AnyOperand] => is_float(checker, scope, arguments, span),
        [ParameterKind::Enumerant(kind)] => listed(checker, scope, (name, kind), arguments, span),
        _ => version(checker, scope, arguments, span),
    }
}

fn present(checker: &mut Checker<'_>, scope: &Scope, arguments: &[Expr], span: Span) -> Ty {
    if !checker.arity(scope, "present", 1, arguments.len(), span) {
        return Ty::Unknown;
    }
    let operand = arguments.iter().find_map(|argument| match &argument.kind {
        ExprKind::Name(name) => scope.operand(name).map(|(operand, _)| operand.optional),
        _ => None,
    });
    let label = match operand {
        Some(true) => return Ty::Bool,
        Some(false) => "this operand is always there",
        None => "not an operand",
    };
    checker.report(scope, Mistake::new(span, "`present` asks about an optional operand", label));
    Ty::Bool
}

fn is_float(checker: &mut Checker<'_>, scope: &Scope, arguments: &[Expr], span: Span) -> Ty {
    if checker.arity(scope, "is_float", 1, arguments.len(), span)
        && !arguments.iter().any(|argument| operand_type(scope, argument).is_some())
    {
        let message = "`is_float` asks about an operand";
        checker.report(scope, Mistake::new(span, message, "not an operand"));
    }
    Ty::Bool
}

/// What `is_float(Operand)` is where types are as in this scope; `None` for other expressions.
pub(super) fn static_answer(scope: &Scope, condition: &Expr) -> Option<bool> {
    match &condition.kind {
        ExprKind::Call(name, arguments) if Intrinsic::named(name) == Some(Intrinsic::IsFloat) => {
            let ty = operand_type(scope, arguments.first()?)?;
            Some(matches!(ty.element(), Ty::Float(_)))
        }
        _ => None,
    }
}

fn operand_type<'s>(scope: &'s Scope, argument: &Expr) -> Option<&'s Ty> {
    match &argument.kind {
        ExprKind::Name(name) => scope.operand(name).map(|(_, ty)| ty),
        _ => None,
    }
}

/// A question about the module or the instruction, by an enumerant of some kind.
fn listed(
    checker: &mut Checker<'_>,
    scope: &Scope,
    (question, kind): (&str, &str),
    arguments: &[Expr],
    span: Span,
) -> Ty {
    if !checker.arity(scope, question, 1, arguments.len(), span) {
        return Ty::Unknown;
    }
    let known = checker.specification.enumerants.get(kind).cloned().unwrap_or_default();
    let message = format!("`{question}` takes a name of the kind `{kind}`");
    let mistake = match arguments.first().map(|argument| &argument.kind) {
        Some(ExprKind::Name(name)) if known.contains(&**name) => return Ty::Bool,
        Some(ExprKind::Name(name)) => {
            let label = format!("not among `enumerants {kind}`");
            Mistake::new(span, message, label).did_you_mean(name, known.iter().map(|n| &**n))
        }
        _ => Mistake::new(span, message, "not a name"),
    };
    checker.report(scope, mistake);
    Ty::Bool
}

fn version(checker: &mut Checker<'_>, scope: &Scope, arguments: &[Expr], span: Span) -> Ty {
    let numbers = arguments
        .iter()
        .filter(|argument| matches!(argument.kind, ExprKind::Integer(number) if number < 256))
        .count();
    if checker.arity(scope, "version_at_least", 2, arguments.len(), span) && numbers != 2 {
        let message = "`version_at_least` takes two numbers, as in `version_at_least(1, 5)`";
        checker.report(scope, Mistake::new(span, message, "not numbers"));
    }
    Ty::Bool
}
