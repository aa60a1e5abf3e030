//! Rules of a document about modules: what a module may, must or must not contain.
//!
//! A clause says what an instruction does in a state. A rule says which modules there may be: the
//! types that an operand may have, the capabilities that may be declared, the scope that a
//! constant must name. What a rule is about is a field of an instruction, or a kind of token that
//! a module as a whole has.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::ast::{Remark, Span};

/// A sentence of a document about modules.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `document/section/sentences`.
    pub id: Arc<str>,
    /// Short name of the document.
    pub document: Arc<str>,
    /// Section of the document.
    pub section: Arc<str>,
    /// Numbers of its sentences within the section.
    pub sentences: Vec<u32>,
    /// The sentence in our words.
    pub wording: Arc<str>,
    /// What it says; each demand holds for itself.
    pub demands: Vec<Demand>,
    /// What is to be said of the sentence itself.
    pub remarks: Vec<Remark>,
    /// The condition of its block of rules.
    pub supposition: Option<Span>,
    /// Its place in the file.
    pub span: Span,
}

/// One thing that a rule says.
#[derive(Clone, Debug)]
pub struct Demand {
    /// How it says it.
    pub force: Force,
    /// What of.
    pub subject: DemandSubject,
    /// The values that it names; a label has none.
    pub values: Vec<Values>,
    /// Under which circumstances, those of its block of rules among them.
    pub when: Circumstance,
    /// The reading by which the sentence says this, where it can be read otherwise.
    pub reading: Option<Arc<str>>,
    /// Its place in the file.
    pub span: Span,
}

/// The force of a demand on the values that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Force {
    /// "Must accept", "may be", "is supported": these values are legal, others may be.
    Accepts,
    /// "Valid types are": these values are legal, and others only where another list of the
    /// document has them.
    AcceptsOnly,
    /// "Must be": other values are illegal.
    Requires,
    /// "Must not be": these values are illegal.
    Forbids,
    /// The text mentions these values as if there were such modules.
    Mentions,
    /// The lists about the subject are all that is promised: no environment must accept others.
    Complete,
    /// The lists of the document about the subject are all that is legal.
    Closed,
    /// A consequence is named by this word, for whatever the subject is in.
    Label(Arc<str>),
}

/// What a demand is about.
#[derive(Clone, Debug)]
pub enum DemandSubject {
    /// Tokens of a kind, `Capability` or `Extension` or `ExecutionModel`, of the whole module.
    Tokens(Arc<str>),
    /// Fields of instructions.
    Fields {
        /// Operands by name, `Result` for the result's type; none where it is about the
        /// instructions as such.
        fields: Vec<Arc<str>>,
        /// The operand whose type has the fields: `Dim of Image of …`.
        within: Option<Arc<str>>,
        /// The instructions.
        group: InstructionGroup,
    },
}

/// A set of instructions.
#[derive(Clone, Debug)]
pub struct InstructionGroup {
    /// Any of these.
    pub members: Vec<Member>,
    /// But none of these.
    pub but: Vec<Arc<str>>,
}

/// Instructions that a text names together.
#[derive(Clone, Debug)]
pub enum Member {
    /// Those that a capability enables.
    Capability(Arc<str>),
    /// All that have the field.
    Every,
    /// A built-in variable, which has a `Type`.
    BuiltIn(Arc<str>),
    /// One by name or, where the name ends in `*`, all whose names begin so.
    Named(Arc<str>),
}

/// Values by how a text lists them.
#[derive(Clone, Debug)]
pub enum Values {
    /// `scalar or vector(2, 4) of f32, u32`.
    Types {
        /// Scalars of these elements.
        scalar: bool,
        /// Vectors of them with these numbers of components; `None`: no vectors; empty: any number.
        vector: Option<Vec<u32>>,
        /// `u8` … `i64`, `f16` … `f64`, `bool`, or `int`, `float`, `any`.
        elements: Vec<Arc<str>>,
    },
    /// Enumerants, numbers, instructions, `present`, `absent`.
    Words(Vec<Arc<str>>),
    /// `multiple of 16`.
    Multiples(u32),
    /// `type of Result`: what agrees with the type of another operand.
    Alike {
        /// The operand, or `Result`.
        field: Arc<str>,
        /// The operand whose type has the field: `type of Type of Destination`.
        within: Option<Arc<str>>,
        /// In what it agrees.
        likeness: Likeness,
    },
    /// `at least 1.3`: this version of SPIR-V and all later ones.
    AtLeast(u8, u8),
}

/// In what one type agrees with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// `type of`: it is this type.
    Whole,
    /// `component type of`: it is the type of its components, of a scalar its own.
    Component,
    /// `component count of`: it has as many components; a scalar has one.
    Count,
}

/// When a demand holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Circumstance {
    /// A fact about the module or the environment.
    Holds(Fact),
    /// It does not hold.
    Not(Box<Self>),
    /// All of these; true if there are none.
    All(Vec<Self>),
    /// One of these.
    Any(Vec<Self>),
}

/// A fact on which demands depend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// The module declares this capability.
    Capability(Arc<str>),
    /// The module declares this extension.
    Extension(Arc<str>),
    /// The environment supports this extension.
    Supports(Arc<str>),
    /// Something that the text says of the environment or of how the host made an argument.
    Words(Arc<str>),
    /// This field of the same instruction has one of these values.
    Is(Arc<str>, Vec<Arc<str>>),
}

impl Circumstance {
    /// Always.
    pub const ALWAYS: Self = Self::All(Vec::new());

    /// Both, flat where it can be.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All(mut all), Self::All(more)) => {
                all.extend(more);
                Self::All(all)
            }
            (Self::All(mut all), other) => {
                all.push(other);
                Self::All(all)
            }
            (one, other) => Self::All(vec![one]).and(other),
        }
    }

    /// The facts in it, each once.
    pub fn facts<'a>(&'a self, out: &mut Vec<&'a Fact>) {
        match self {
            Self::Holds(fact) if out.contains(&fact) => {}
            Self::Holds(fact) => out.push(fact),
            Self::Not(inner) => inner.facts(out),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.facts(out)),
        }
    }

    /// Whether it holds, where facts do as `holds` says.
    pub fn holds(&self, holds: &impl Fn(&Fact) -> bool) -> bool {
        match self {
            Self::Holds(fact) => holds(fact),
            Self::Not(inner) => !inner.holds(holds),
            Self::All(parts) => parts.iter().all(|part| part.holds(holds)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(holds)),
        }
    }
}

impl Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capability(name) => write!(f, "capability {name}"),
            Self::Extension(name) => write!(f, "extension {name}"),
            Self::Supports(name) => write!(f, "supports {name}"),
            Self::Words(words) => write!(f, "{words}"),
            Self::Is(field, values) => write!(f, "{field} is {}", values.join(" or ")),
        }
    }
}
