//! Prints what was read, in the language itself: what is printed reads back as the same.

mod environment;
mod expression;
mod instruction;

use std::fmt::{self, Display};

use crate::language::ast::{
    Expr, ExprKind, Operand, OperandType, Remark, SpecFunction, Statement, Storage, TypeRule,
    UnaryOp,
};

/// The width of lines.
const WIDTH: usize = 96;

impl Display for OperandType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) | Self::Enumerant(name) => write!(f, "{name}"),
            Self::Bool => write!(f, "bool"),
            Self::Int(width) => write!(f, "u{width}"),
            Self::AnyInt => write!(f, "int"),
            Self::Ballot => write!(f, "ballot"),
            Self::Scope => write!(f, "scope"),
            Self::Pointer(pointee) => write!(f, "pointer to {pointee}"),
            Self::Image => write!(f, "image"),
            Self::Opaque => write!(f, "opaque"),
            Self::Literals => write!(f, "literals"),
            Self::Values => write!(f, "values"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} : {}", self.name, self.ty)?;
        let flags = [
            (self.optional, " optional"),
            (self.constant, " constant"),
            (self.zero, " zero"),
            (self.each, " each"),
        ];
        flags.iter().filter(|(set, _)| *set).try_for_each(|(_, flag)| write!(f, "{flag}"))
    }
}

impl Display for TypeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "where {} : ", self.variable)?;
        if let Some(vector) = &self.component_of {
            return write!(f, "component of {vector}");
        }
        if let Some([first, second]) = &self.pair_of {
            write!(f, "pair of {first}")?;
            return if first == second { Ok(()) } else { write!(f, ", {second}") };
        }
        match (self.any, self.scalar, self.vector) {
            (true, ..) => return write!(f, "any"),
            (_, true, true) => write!(f, "scalar or vector of ")?,
            (_, true, false) => write!(f, "scalar of ")?,
            _ => write!(f, "vector of ")?,
        }
        write!(f, "{}", self.elements.join(", "))
    }
}

impl Display for SpecFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if !self.parameters.is_empty() {
            write!(
                f,
                "({})",
                self.parameters.iter().map(|name| &**name).collect::<Vec<_>>().join(", ")
            )?;
        }
        write!(f, " = {}", self.body)
    }
}

/// A statement on one line; readings and orders bring their statements in braces.
impl Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Let(definition) => write!(f, "let {definition}"),
            Self::Result(value, when) => {
                write!(f, "result is {value}")?;
                write_when(f, when.as_ref())
            }
            Self::UndefinedValue(condition) => write!(f, "undefined value{}", Condition(condition)),
            Self::UndefinedBehavior(condition) => {
                write!(f, "undefined behavior{}", Condition(condition))
            }
            Self::Must(condition) => write!(f, "must {condition}"),
            Self::Label(label, condition) => write!(f, "\"{label}\"{}", Condition(condition)),
            Self::ResultsSuchThat(condition) => write!(f, "results such that {condition}"),
            Self::InSomeOrder(statements) => {
                write!(f, "in some order of active {{")?;
                statements.iter().try_for_each(|statement| write!(f, " {statement}"))?;
                write!(f, " }}")
            }
            Self::Store { target, index, row, value, when } => {
                write!(f, "store {value} to {target} at {index}")?;
                row.iter().try_for_each(|row| write!(f, ", {row}"))?;
                write_when(f, when.as_ref())
            }
            Self::Reading(name, alternatives) => {
                write!(f, "reading {name} {{")?;
                for (label, statements) in alternatives {
                    write!(f, " | {label}:")?;
                    statements.iter().try_for_each(|statement| write!(f, " {statement}"))?;
                }
                write!(f, " }}")
            }
            Self::Orders(storage, condition) => {
                write!(f, "orders {storage}{}", Condition(condition))
            }
            Self::Ignored(condition) => write!(f, "ignored{}", Condition(condition)),
            Self::Varies(operand) => write!(f, "varies {operand}"),
            Self::Example(holds, when) => {
                write!(f, "example {holds}")?;
                write_when(f, when.as_ref())
            }
            Self::Remark(remark) => remark.fmt(f),
        }
    }
}

impl Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uses(term) => write!(f, "uses \"{term}\""),
            Self::Defines(term) => write!(f, "defines \"{term}\""),
            Self::Repaired { lack, why, remedy, editorial } => {
                let word = if *editorial { "slip" } else { "repaired" };
                write!(f, "{word} {lack} \"{why}\" \"{remedy}\"")
            }
        }
    }
}

impl Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Buffers => "buffers",
            Self::Workgroup => "workgroup",
            Self::Images => "images",
        })
    }
}

fn write_when(f: &mut fmt::Formatter<'_>, when: Option<&Expr>) -> fmt::Result {
    when.map_or(Ok(()), |condition| write!(f, " when {condition}"))
}

/// `when C`, or `unless C` where the condition is a negation.
struct Condition<'a>(&'a Expr);

impl Display for Condition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => write!(f, " unless {inner}"),
            _ => write!(f, " when {}", self.0),
        }
    }
}

/// Appends `text` at `indent` columns. Where it is too long it is broken before alternatives,
/// `else` and `when`, then wherever a line ends; further lines are indented more.
fn wrapped(out: &mut String, indent: usize, text: &str) {
    let fits = indent + text.chars().count() <= WIDTH;
    let words: Vec<&str> = text.split(' ').collect();
    let mut column = 0;
    for (place, word) in words.iter().enumerate() {
        let length = word.chars().count();
        let label = words.get(place + 1).is_some_and(|next| next.ends_with(':'));
        let breaks = !fits && (*word == "|" && label || ["else", "when"].contains(word));
        let start = if place == 0 { indent } else { indent + 2 };
        if place > 0 && !breaks && column + 1 + length <= WIDTH {
            out.push(' ');
            column += 1 + length;
        } else {
            if place > 0 {
                out.push('\n');
            }
            out.push_str(&" ".repeat(start));
            column = start + length;
        }
        out.push_str(word);
    }
    out.push('\n');
}
