//! The functions that the language itself has.

use super::super::ast::{Expr, ExprKind, Name, Span};
use super::Checker;
use super::scope::Scope;
use super::ty::{Ty, Width};
use crate::error::Mistake;

/// What a function takes in one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Lane,
    Int,
    /// An integer or a mask.
    Bits,
    Mask,
    Float,
    /// Anything that a lane can hold.
    Value,
    /// The same type as the first argument.
    Same,
    Vector,
    BoolVector,
    Pointer,
    /// A number in place.
    Number,
    /// An operand that is no value, by what messages call it.
    Operand(&'static str),
}

/// What a function gives.
#[derive(Clone, Copy)]
enum Gives {
    Bool,
    Uint(u32),
    Signed64,
    Mask,
    /// The type of the argument in this place.
    Argument(usize),
    /// The first argument's integer type, with a sign or without.
    Sign(bool),
    /// The component of the first argument.
    Element,
    /// The result's component or, for moves, the result's type.
    ResultElement,
    Result,
    /// What the pointer leads to.
    Loaded,
    /// What has no value.
    Anything,
}

use Takes::{Bits, BoolVector, Float, Int, Lane, Operand, Same, Value, Vector};

/// Name, what it takes, what it gives.
const FUNCTIONS: &[(&str, &[Takes], Gives)] = &[
    ("active", &[Lane], Gives::Bool),
    ("exists", &[Lane], Gives::Bool),
    ("uniform", &[Value], Gives::Bool),
    ("signed", &[Int], Gives::Sign(true)),
    ("unsigned", &[Int], Gives::Sign(false)),
    ("exact", &[Int], Gives::Signed64),
    ("u8", &[Int], Gives::Uint(8)),
    ("u16", &[Int], Gives::Uint(16)),
    ("u32", &[Bits], Gives::Uint(32)),
    ("u64", &[Bits], Gives::Uint(64)),
    ("mask", &[Int], Gives::Mask),
    ("to_result", &[Int], Gives::ResultElement),
    ("signed_to_result", &[Int], Gives::ResultElement),
    ("bitcast", &[Value], Gives::Result),
    ("bit", &[Takes::Mask, Lane], Gives::Bool),
    ("popcount", &[Bits], Gives::Uint(32)),
    ("lowest_bit", &[Bits], Gives::Uint(32)),
    ("highest_bit", &[Bits], Gives::Uint(32)),
    ("bit_reverse", &[Int], Gives::Argument(0)),
    ("all_ones", &[Bits], Gives::Argument(0)),
    ("width", &[Value], Gives::Uint(32)),
    ("same_bits", &[Value, Same], Gives::Bool),
    ("ieee_equal", &[Float, Same], Gives::Bool),
    ("ieee_less", &[Float, Same], Gives::Bool),
    ("is_nan", &[Float], Gives::Bool),
    ("any_component", &[BoolVector], Gives::Bool),
    ("all_components", &[BoolVector], Gives::Bool),
    ("components", &[Value], Gives::Uint(32)),
    ("extract", &[Value, Operand("literal numbers")], Gives::Result),
    ("insert", &[Value, Value, Operand("literal numbers")], Gives::Argument(1)),
    ("construct", &[Operand("a list of values")], Gives::Result),
    ("component", &[Value, Lane], Gives::Element),
    ("replace", &[Vector, Lane, Value], Gives::Argument(0)),
    ("vector_shuffle", &[Vector, Vector, Operand("literal numbers")], Gives::Result),
    ("workgroup_size", &[Lane], Gives::Uint(32)),
    ("enqueued_workgroup_size", &[Lane], Gives::Uint(32)),
    ("workgroup_id", &[Lane], Gives::Uint(32)),
    ("num_workgroups", &[Lane], Gives::Uint(32)),
    ("global_offset", &[Lane], Gives::Uint(32)),
    ("load", &[Takes::Pointer, Int], Gives::Loaded),
    ("aligned", &[Takes::Pointer, Takes::Number], Gives::Bool),
    ("modified", &[Takes::Pointer], Gives::Bool),
    ("undefined", &[], Gives::Anything),
    ("word", &[Operand("an image"), Int, Int], Gives::Uint(32)),
    ("word_of", &[Value, Takes::Number], Gives::Argument(0)),
    ("bits_from", &[Int, Same, Same, Lane], Gives::ResultElement),
    ("width_in_words", &[Operand("an image")], Gives::Uint(32)),
    ("height", &[Operand("an image")], Gives::Uint(32)),
    ("texels", &[Operand("an image")], Gives::Uint(32)),
    ("texel_bytes", &[Operand("an image")], Gives::Uint(32)),
    ("row_bytes", &[Operand("an image")], Gives::Uint(32)),
    ("elements", &[Takes::Pointer], Gives::Uint(32)),
    ("place", &[Takes::Pointer], Gives::Uint(32)),
    ("float_add", &[Float, Same], Gives::Argument(0)),
    ("float_sub", &[Float, Same], Gives::Argument(0)),
    ("float_mul", &[Float, Same], Gives::Argument(0)),
    ("float_div", &[Float, Same], Gives::Argument(0)),
    ("float_negate", &[Float], Gives::Argument(0)),
    ("float_mul_add", &[Float, Same, Same], Gives::Argument(0)),
    ("float_scale", &[Float, Int], Gives::Argument(0)),
    ("whole_nearest", &[Float], Gives::Argument(0)),
    ("whole_below", &[Float], Gives::Argument(0)),
    ("whole_above", &[Float], Gives::Argument(0)),
    ("whole_toward_zero", &[Float], Gives::Argument(0)),
    ("same_number", &[Float, Same], Gives::Bool),
    ("infinity", &[Float], Gives::Argument(0)),
    ("canonical", &[Float], Gives::Argument(0)),
    ("any_nan", &[Float], Gives::Argument(0)),
    ("any_quiet_nan", &[Float], Gives::Argument(0)),
    ("is_signaling", &[Float], Gives::Bool),
    ("either", &[Float, Same], Gives::Argument(0)),
    ("any_bfloat16_nan", &[Int], Gives::Argument(0)),
    ("float_convert", &[Float], Gives::ResultElement),
    ("to_bfloat16", &[Float], Gives::Uint(16)),
    ("from_bfloat16", &[Int], Gives::ResultElement),
    ("float_from_unsigned", &[Int], Gives::ResultElement),
    ("float_from_signed", &[Int], Gives::ResultElement),
    ("float_to_unsigned", &[Float], Gives::ResultElement),
    ("float_to_signed", &[Float], Gives::ResultElement),
    ("fits_unsigned", &[Float], Gives::Bool),
    ("fits_signed", &[Float], Gives::Bool),
];

/// The type of a call of a function that is not defined in any file.
pub(super) fn call(
    checker: &mut Checker<'_>,
    scope: &Scope,
    name: &Name,
    arguments: &[Expr],
    span: Span,
) -> Ty {
    match &**name {
        "is_float" => return is_float(checker, scope, arguments, span),
        "present" => return present(checker, scope, arguments, span),
        "capability" => return listed(checker, scope, (name, "Capability"), arguments, span),
        "decorated" => return listed(checker, scope, (name, "Decoration"), arguments, span),
        "version_at_least" => return version(checker, scope, arguments, span),
        _ => {}
    }
    let Some((_, takes, gives)) = FUNCTIONS.iter().find(|(known, ..)| *known == &**name) else {
        let special = ["present", "is_float", "capability", "decorated", "version_at_least"];
        let known = FUNCTIONS.iter().map(|(known, ..)| *known).chain(special);
        let functions = checker.specification.functions.keys().map(|name| &**name);
        let definitions = scope.definitions.iter().map(|definition| &*definition.name);
        let mistake = Mistake::new(span, format!("there is no function `{name}`"), "unknown")
            .did_you_mean(name, known.chain(functions).chain(definitions));
        checker.report(scope, mistake);
        return Ty::Unknown;
    };
    let types: Vec<Ty> = arguments.iter().map(|argument| checker.expr(scope, argument)).collect();
    if !checker.arity(scope, name, takes.len(), arguments.len(), span) {
        return Ty::Unknown;
    }
    let mut good = true;
    for ((takes, argument), ty) in takes.iter().zip(arguments).zip(&types) {
        good &= accepts(checker, scope, name, *takes, argument, ty, &types);
    }
    if &**name == "uniform" {
        arguments.iter().for_each(|argument| checker.of_this_lane(scope, argument));
    }
    let first = types.first().cloned().unwrap_or(Ty::Unknown);
    match gives {
        _ if !good => Ty::Unknown,
        Gives::Bool => Ty::Bool,
        Gives::Uint(width) => Ty::uint(*width),
        Gives::Signed64 => Ty::Int { width: Width::Known(64), signed: true },
        Gives::Mask => Ty::Mask,
        Gives::Argument(place) => types.get(*place).cloned().unwrap_or(Ty::Unknown),
        Gives::Sign(signed) => match first {
            Ty::Int { width, .. } => Ty::Int { width, signed: *signed },
            other => other,
        },
        Gives::Element => first.element().clone(),
        Gives::ResultElement => {
            scope.result.as_ref().map_or(Ty::Unknown, |ty| ty.element().clone())
        }
        Gives::Result => scope.result.clone().unwrap_or(Ty::Unknown),
        Gives::Anything => Ty::Unknown,
        Gives::Loaded => match first {
            Ty::Pointer(pointee) => *pointee,
            other => other,
        },
    }
}

fn accepts(
    checker: &mut Checker<'_>,
    scope: &Scope,
    name: &str,
    takes: Takes,
    argument: &Expr,
    ty: &Ty,
    all: &[Ty],
) -> bool {
    let mut require = |what: &str, fits: &dyn Fn(&Ty) -> bool| {
        let rule = format!("`{name}` takes {what} here");
        checker.require(scope, argument, ty, |ty| *ty == Ty::Unknown || fits(ty), &rule)
    };
    match takes {
        Takes::Lane => require("a 32-bit integer without sign", &|ty| ty.join(&Ty::U32).is_some()),
        Takes::Int => require("an integer", &Ty::is_int),
        Takes::Bits => require("an integer or a mask", &Ty::has_bits),
        Takes::Mask => require("a mask of lanes", &|ty| ty.join(&Ty::Mask).is_some()),
        Takes::Float => {
            require("a floating-point number", &|ty| matches!(ty.element(), Ty::Float(_)))
        }
        Takes::Value => require("a value", &Ty::is_value),
        Takes::Vector => require("a vector", &|ty| matches!(ty, Ty::Vector(_))),
        Takes::BoolVector => require(
            "a vector of Booleans",
            &|ty| matches!(ty, Ty::Vector(element) if **element == Ty::Bool),
        ),
        Takes::Pointer => require("a pointer", &|ty| matches!(ty, Ty::Pointer(_))),
        Takes::Number => require("a number", &|ty| *ty == Ty::Literal),
        Takes::Operand(what) => {
            require(what, &|ty| matches!(ty, Ty::Operand(known) if &**known == what))
        }
        Takes::Same => {
            let first = all.first().cloned().unwrap_or(Ty::Unknown);
            require(&format!("two of one type, the other is {first}; it"), &|ty| {
                first.join(ty).is_some()
            })
        }
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
        ExprKind::Call(name, arguments) if &**name == "is_float" => {
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
    let message = format!("`{question}` takes the name of a {}", kind.to_lowercase());
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
