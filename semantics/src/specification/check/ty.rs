//! Types as the checker sees them, and the instances of type variables.

use std::fmt;
use std::sync::Arc;

use crate::language::ast::{Name, OperandType, SpecInstruction, TypeRule};

/// How wide an integer or float is: a number, or whatever a variable or operand has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Width {
    Known(u32),
    Of(Arc<str>),
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ty {
    Bool,
    Int {
        width: Width,
        signed: bool,
    },
    /// An integer literal: fits any integer or mask.
    Literal,
    Float(Width),
    /// One bit a lane.
    Mask,
    Vector(Box<Ty>),
    /// A value of any type (`where T : any`): it can be moved only.
    Any(Arc<str>),
    /// A pointer, by what it leads to.
    Pointer(Box<Ty>),
    /// An operand that is no value: a scope, image, literals.
    Operand(Arc<str>),
    /// The type of something that is already reported.
    Unknown,
}

impl Ty {
    pub(super) const U32: Self = Self::Int { width: Width::Known(32), signed: false };

    pub(super) const fn uint(width: u32) -> Self {
        Self::Int { width: Width::Known(width), signed: false }
    }

    /// An integer or something that can be one.
    pub(super) fn is_int(&self) -> bool {
        matches!(self, Self::Int { .. } | Self::Literal | Self::Unknown)
    }

    /// An integer or a mask: what bits are counted and shifted in.
    pub(super) fn has_bits(&self) -> bool {
        self.is_int() || *self == Self::Mask
    }

    pub(super) fn is_bool(&self) -> bool {
        matches!(self, Self::Bool | Self::Unknown)
    }

    /// Something that a lane can hold and hand on.
    pub(super) fn is_value(&self) -> bool {
        !matches!(self, Self::Operand(_) | Self::Pointer(_))
    }

    /// The common type of two operands, if they have one.
    pub(super) fn join(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Unknown, ty) | (ty, Self::Unknown) => Some(ty.clone()),
            (Self::Literal, ty) | (ty, Self::Literal) if ty.has_bits() => Some(ty.clone()),
            (left, right) => (left == right).then(|| left.clone()),
        }
    }

    /// This type without a sign, to its components: results agree whatever their signedness.
    pub(super) fn unsigned(&self) -> Self {
        match self {
            Self::Int { width, .. } => Self::Int { width: width.clone(), signed: false },
            Self::Vector(element) => Self::Vector(Box::new(element.unsigned())),
            other => other.clone(),
        }
    }

    /// The component of a vector, or the type itself.
    pub(super) fn element(&self) -> &Self {
        match self {
            Self::Vector(element) => element,
            other => other,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => write!(f, "a Boolean"),
            Self::Int { width: Width::Known(width), signed } => {
                let article = if *width == 8 && !signed { "an" } else { "a" };
                let sign = if *signed { "signed " } else { "" };
                write!(f, "{article} {sign}{width}-bit integer")
            }
            Self::Int { width: Width::Of(name), signed: false } => {
                write!(f, "an integer as wide as {name}")
            }
            Self::Int { width: Width::Of(name), signed: true } => {
                write!(f, "a signed integer as wide as {name}")
            }
            Self::Literal => write!(f, "an integer"),
            Self::Float(_) => write!(f, "a floating-point number"),
            Self::Mask => write!(f, "a mask of lanes"),
            Self::Vector(element) => match &**element {
                Self::Bool => write!(f, "a vector of Booleans"),
                Self::Float(_) => write!(f, "a vector of floating-point numbers"),
                _ => write!(f, "a vector of integers"),
            },
            Self::Any(name) => write!(f, "a value of any type {name}"),
            Self::Pointer(_) => write!(f, "a pointer"),
            Self::Operand(what) => write!(f, "{what}"),
            Self::Unknown => write!(f, "something"),
        }
    }
}

/// One choice of types for an instruction's variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    types: Vec<(Arc<str>, Ty)>,
}

impl Instance {
    /// Every choice of component kind and shape that the `where` lines allow; widths stay
    /// symbolic. In a componentwise instruction clauses see scalars.
    pub(super) fn all(instruction: &SpecInstruction) -> Vec<Self> {
        let mut instances = vec![Self::default()];
        for rule in &instruction.type_rules {
            let choices =
                choices(rule, instruction.componentwise && seen_by_component(instruction, rule));
            instances = instances
                .iter()
                .flat_map(|instance| match (&rule.component_of, &rule.pair_of) {
                    (Some(vector), _) => vec![instance.with(rule, instance.component(vector))],
                    (_, Some([first, second])) if first == second => {
                        vec![instance.with(rule, instance.component(first))]
                    }
                    // Which member it is decides what a clause gives.
                    (_, Some(_)) => vec![instance.with(rule, Ty::Unknown)],
                    _ => choices.iter().map(|ty| instance.with(rule, ty.clone())).collect(),
                })
                .take(MAX_INSTANCES)
                .collect();
        }
        instances
    }

    fn with(&self, rule: &TypeRule, ty: Ty) -> Self {
        let mut instance = self.clone();
        instance.types.push((Arc::clone(&rule.variable), ty));
        instance
    }

    fn component(&self, variable: &Arc<str>) -> Ty {
        let known = self.types.iter().find(|(known, _)| known == variable);
        known.map_or(Ty::Unknown, |(_, ty)| ty.element().clone())
    }

    /// The type that clauses see of an operand or result named `name`.
    pub(super) fn ty(&self, name: &Name, ty: &OperandType, each: bool) -> Ty {
        let operand = |what: &str| Ty::Operand(what.into());
        match ty {
            OperandType::Variable(variable) => {
                match self.types.iter().find(|(known, _)| known == variable) {
                    Some((_, ty)) if each => ty.element().clone(),
                    Some((_, ty)) => ty.clone(),
                    None => Ty::Unknown,
                }
            }
            OperandType::Bool => Ty::Bool,
            OperandType::Int(width) => Ty::uint(*width),
            OperandType::AnyInt => {
                Ty::Int { width: Width::Of(Arc::clone(name.text())), signed: false }
            }
            OperandType::Ballot => Ty::Mask,
            OperandType::Scope => operand("a scope"),
            OperandType::Pointer(variable) => {
                let pointee = self.types.iter().find(|(known, _)| known == variable);
                Ty::Pointer(Box::new(pointee.map_or(Ty::Unknown, |(_, ty)| ty.clone())))
            }
            OperandType::Image => operand("an image"),
            OperandType::Opaque => operand("something that no clause looks at"),
            OperandType::Literals => operand("literal numbers"),
            OperandType::Values => operand("a list of values"),
            OperandType::Enumerant(kind) => Ty::Operand(format!("a {kind}").into()),
        }
    }

    /// Which types were chosen, for messages.
    pub(super) fn describe(&self) -> String {
        let parts = self.types.iter().map(|(name, ty)| match ty {
            Ty::Int { width: Width::Of(_), .. } => format!("{name} is an integer"),
            other => format!("{name} is {other}"),
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// False for a type that only operands have which clauses see as a whole.
fn seen_by_component(instruction: &SpecInstruction, rule: &TypeRule) -> bool {
    let this = |ty: &OperandType| *ty == OperandType::Variable(Arc::clone(&rule.variable));
    instruction.result.as_ref().is_some_and(this)
        || !instruction.operands.iter().any(|operand| !operand.each && this(&operand.ty))
}

/// More variables than the specification's instructions have are not worth every combination.
const MAX_INSTANCES: usize = 512;

fn choices(rule: &TypeRule, componentwise: bool) -> Vec<Ty> {
    let width = || Width::Of(Arc::clone(&rule.variable));
    if rule.any {
        let int = Ty::Int { width: width(), signed: false };
        return vec![Ty::Any(Arc::clone(&rule.variable)), Ty::Bool, int, Ty::Float(width())];
    }
    let elements = rule.elements.iter().map(|name| element(name, width()));
    let mut out = Vec::new();
    for element in elements {
        if rule.scalar || componentwise {
            out.push(element.clone());
        }
        if rule.vector && !componentwise {
            out.push(Ty::Vector(Box::new(element)));
        }
    }
    out
}

fn element(name: &str, width: Width) -> Ty {
    let known = |prefix: &str| name.strip_prefix(prefix).and_then(|digits| digits.parse().ok());
    match name {
        "bool" => Ty::Bool,
        "float" => Ty::Float(width),
        "bf16" => Ty::Float(Width::Known(16)),
        _ => match (known("u").or_else(|| known("i")), known("f")) {
            (Some(bits), _) => Ty::uint(bits),
            (_, Some(bits)) => Ty::Float(Width::Known(bits)),
            _ => Ty::Int { width, signed: false },
        },
    }
}

/// The names that a `where` line may have.
pub(super) const ELEMENTS: [&str; 15] = [
    "bool", "int", "float", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "f32",
    "f64", "bf16",
];
