//! What a specification file says, after parsing: instructions, clauses, expressions.
//!
//! `LANGUAGE.md` beside the specification files describes the surface syntax.

mod expression;

use std::sync::Arc;

pub use self::expression::*;
pub use super::name::Name;
pub use crate::span::Span;

/// What kind of operand an instruction takes, and how its clauses may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandType {
    /// A type variable (`T`), constrained by the instruction's `where` lines.
    Variable(Arc<str>),
    /// A Boolean scalar.
    Bool,
    /// An integer scalar of this width; the program may declare it with either signedness,
    /// clauses see it unsigned unless they say `signed(…)`.
    Int(u32),
    /// An integer scalar of any width.
    AnyInt,
    /// A ballot (four 32-bit components), seen as a mask of lanes.
    Ballot,
    /// A scope `<id>`.
    Scope,
    /// A pointer whose pointee has the type variable's type.
    Pointer(Arc<str>),
    /// An image.
    Image,
    /// A value that no clause uses: an event, memory that is not accessed here.
    Opaque,
    /// Literal numbers, all that remain (composite indices).
    Literals,
    /// All remaining `<id>`s (constituents).
    Values,
    /// An enumerant of this kind of the grammar (`GroupOperation`).
    Enumerant(Arc<str>),
}

/// An operand of an instruction, after result type and result.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name in the document.
    pub name: Name,
    /// Its type.
    pub ty: OperandType,
    /// May be left out.
    pub optional: bool,
    /// Must come from a constant instruction.
    pub constant: bool,
    /// The clauses apply only if this operand is the constant 0.
    pub zero: bool,
    /// In a `componentwise` instruction: seen one component at a time.
    pub each: bool,
    /// Its place in the file.
    pub span: Span,
}

impl SpecInstruction {
    /// No clause uses its result.
    pub fn has_opaque_result(&self) -> bool {
        self.result == Some(OperandType::Opaque)
    }

    /// The set that an extended instruction is of, which its name begins with: `GLSL.std.450 FMin`.
    pub fn extended_set(&self) -> Option<&str> {
        self.name.split_once(' ').map(|(set, _)| set)
    }
}

impl Operand {
    /// It is the scope of execution: which lanes execute the instruction together. Other scopes say where an
    /// effect on memory is visible.
    pub fn names_group(&self) -> bool {
        self.ty == OperandType::Scope && &*self.name == "Execution"
    }
}

/// `where T: scalar or vector of float, int, bool`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeRule {
    /// The variable.
    pub variable: Arc<str>,
    /// Scalars are allowed.
    pub scalar: bool,
    /// Vectors are allowed.
    pub vector: bool,
    /// Any type is allowed (arrays and structures too); the rest is then empty.
    pub any: bool,
    /// Component kinds that are allowed: `bool`, `int`, `float`, or a type like `u32`.
    pub elements: Vec<Arc<str>>,
    /// The variable whose component this one is (`where T : component of V`); the rest then
    /// says nothing.
    pub component_of: Option<Arc<str>>,
    /// The variables that are the members of this one, a structure of two (`where R : pair of T`, or of
    /// `T, U`); likewise.
    pub pair_of: Option<[Arc<str>; 2]>,
    /// Its place in the file.
    pub span: Span,
}

/// What a clause does.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let name = E` or `let name(j) = E`.
    Let(Arc<SpecFunction>),
    /// `result is E [when C]`.
    Result(Expr, Option<Expr>),
    /// `undefined value when C`.
    UndefinedValue(Expr),
    /// `undefined behavior when C`.
    UndefinedBehavior(Expr),
    /// `must C`: a requirement on values; the reading `unmet-must` says what breaking it gives.
    Must(Expr),
    /// `"label" when C`: the document names a consequence without saying what it is; the
    /// reading of that name says it.
    Label(Arc<str>, Expr),
    /// `results such that C`: a condition on the results of all active lanes together, in
    /// which `result` is this lane's result and `result at j` another's.
    ResultsSuchThat(Expr),
    /// `in some order of active`, then statements that each lane executes in its update.
    InSomeOrder(Vec<Statement>),
    /// `store E to Pointer at Index [when C]`, `store E to Image at Column, Row [when C]`: a
    /// memory effect.
    Store {
        /// Pointer or image operand.
        target: Name,
        /// Element past the pointer, or column of the image in words.
        index: Expr,
        /// Row of the image.
        row: Option<Expr>,
        /// What is stored.
        value: Expr,
        /// Lanes for which it happens.
        when: Option<Expr>,
    },
    /// `orders buffers when C`: what the lanes that execute this did there before comes before what
    /// they do there afterwards.
    Orders(Storage, Expr),
    /// `ignored when C`: what would be stored there is not. Of texts as they are written.
    Ignored(Expr),
    /// `reading NAME` with alternatives, each a list of statements: a choice point.
    Reading(Arc<str>, Vec<(Arc<str>, Vec<Statement>)>),
    /// `varies Operand`: a permission, it need not be the same in all lanes. Without effect.
    Varies(Arc<str>),
    /// `example E when C`: what an example or an overview says should follow from the other
    /// clauses. Without effect.
    Example(Expr, Option<Expr>),
    /// What is to be said of the sentence itself. Without effect.
    Remark(Remark),
}

/// What is to be said of a sentence: the terms in it, and what it lacks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remark {
    /// `uses "term"`: a defined word of the text.
    Uses(Arc<str>),
    /// `defines "term"`: said what it means.
    Defines(Arc<str>),
    /// `repaired LACK "what the sentence does not say" "what would settle it"`: the encoding holds
    /// something that the sentence's own words do not give, or the sentence has a fault by which
    /// no formula can be had.
    Repaired {
        /// What is lacking, as a word: the same for the same cause.
        lack: Arc<str>,
        /// What the sentence does not say.
        why: Arc<str>,
        /// What a sentence would have to say.
        remedy: Arc<str>,
        /// `slip` in the place of `repaired`: it leaves no doubt about what is meant.
        editorial: bool,
    },
}

/// Kinds of memory that barriers distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// Behind pointers to memory that workgroups share.
    Buffers,
    /// A workgroup's own.
    Workgroup,
    /// Images.
    Images,
}

/// A named expression, with parameters or without.
#[derive(Clone, Debug)]
pub struct SpecFunction {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Its definition.
    pub body: Expr,
}

/// A normative sentence, executable.
#[derive(Clone, Debug)]
pub struct Clause {
    /// `document/instruction/sentences`, with the section before the sentences where the
    /// clause names its own; unique: how verdicts and counterexamples name it.
    pub id: Arc<str>,
    /// Short name of the document.
    pub document: Arc<str>,
    /// Section of the document.
    pub section: Arc<str>,
    /// It names a section of its own, not the instruction's description.
    pub elsewhere: bool,
    /// Sentence numbers within the instruction's description or that section, from 1.
    pub sentences: Vec<u32>,
    /// Sentences of the instruction's description in its own document that this one takes the place of, where its
    /// document holds.
    pub replaces: Vec<u32>,
    /// The sentence in our words.
    pub wording: Arc<str>,
    /// What it does, with places.
    pub statements: Vec<(Statement, Span)>,
    /// Its place in the file.
    pub span: Span,
}

/// An instruction (one row of a table is one instruction).
#[derive(Clone, Debug)]
pub struct SpecInstruction {
    /// The opcode's name, or the name of an imported function (a target primitive).
    pub name: Arc<str>,
    /// Short name of the document that defines it.
    pub document: Arc<str>,
    /// Section of that document.
    pub section: Arc<str>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// Type of the result.
    pub result: Option<OperandType>,
    /// Constraints on type variables.
    pub type_rules: Vec<TypeRule>,
    /// Result and `each` operands are taken component by component.
    pub componentwise: bool,
    /// Definitions of its table row: operators, identities.
    pub row: Vec<Arc<SpecFunction>>,
    /// Clauses in the document's order; those of other documents after them.
    pub clauses: Vec<Arc<Clause>>,
    /// True for a function that modules import by this name.
    pub primitive: bool,
    /// Its place in the file.
    pub span: Span,
}

/// What an alternative of a consequence reading gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consequence {
    /// Silence.
    Silence,
    /// A value that the implementation defines: one for the same operands, always.
    ImplementationValue,
    /// An undefined value.
    UndefinedValue,
    /// Undefined behavior.
    UndefinedBehavior,
}

/// A named choice point.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its name.
    pub name: Arc<str>,
    /// What it asks.
    pub question: Arc<str>,
    /// Alternatives, each with what it gives where the reading is of a consequence.
    pub alternatives: Vec<(Arc<str>, Option<Consequence>)>,
    /// Its place in the file.
    pub span: Span,
}

/// A shape of terms that can be read in several ways.
#[derive(Clone, Debug)]
pub struct ReadingKind {
    /// Its name.
    pub name: Arc<str>,
    /// What it asks.
    pub question: Arc<str>,
    /// What a sentence would have to say to settle it.
    pub remedy: Option<Arc<str>>,
    /// The shape.
    pub shape: AmbiguousShape,
    /// The ways to read it, each in the place of what has the shape.
    pub alternatives: Vec<(Arc<str>, Alternative)>,
    /// Its place in the file.
    pub span: Span,
}

/// What can be read in several ways.
#[derive(Clone, Debug)]
pub enum AmbiguousShape {
    /// An expression; each name in it that is not a function matches any expression.
    Expression(Expr),
    /// An operand for which no sentence says whether lanes may differ in it; the name is bound to it.
    Operand(Arc<str>),
    /// An integer operand of any signedness; the name is bound to it.
    Integer(Arc<str>),
    /// [`LaneSet::Subgroup`].
    Lanes,
    /// A requirement on values that is not met.
    Must,
    /// The consequence that a label names.
    Label(Arc<str>),
}

/// One way to read a [`ReadingKind`].
#[derive(Clone, Debug)]
pub enum Alternative {
    /// This expression instead.
    Expression(Expr),
    /// This consequence.
    Consequence(Consequence),
    /// These lanes.
    Lanes(LaneSet),
}

/// A built-in variable (`SubgroupEqMask`): an expression of one lane.
#[derive(Clone, Debug)]
pub struct BuiltIn {
    /// Its name in the grammar.
    pub name: Arc<str>,
    /// Its type.
    pub ty: OperandType,
    /// The rules for the variables in its types.
    pub type_rules: Vec<TypeRule>,
    /// The clauses hold for each scalar of it.
    pub componentwise: bool,
    /// Short name of its document.
    pub document: Arc<str>,
    /// Its clauses.
    pub clauses: Vec<Arc<Clause>>,
    /// Its place in the file.
    pub span: Span,
}

impl BuiltIn {
    /// The instruction without operands that would give its value.
    pub fn as_instruction(&self) -> SpecInstruction {
        SpecInstruction {
            name: Arc::clone(&self.name),
            document: Arc::clone(&self.document),
            section: Arc::from(""),
            operands: Vec::new(),
            result: Some(self.ty.clone()),
            type_rules: self.type_rules.clone(),
            componentwise: self.componentwise,
            row: Vec::new(),
            clauses: self.clauses.clone(),
            primitive: false,
            span: self.span,
        }
    }
}

/// A sentence of an environment's own document that settles what another document leaves open.
#[derive(Clone, Debug)]
pub struct SettlingSentence {
    /// The reading that it settles.
    pub reading: Arc<str>,
    /// Its document.
    pub document: Arc<str>,
    /// Its section.
    pub section: Arc<str>,
    /// Its number, or those of several that say it together.
    pub sentences: Vec<u32>,
}

/// A partial map from readings to alternatives; that of an environment says which documents hold.
#[derive(Clone, Debug)]
pub struct ReadingProfile {
    /// Its name.
    pub name: Arc<str>,
    /// The environment whose profile it is, or starts from.
    pub environment: Option<Arc<str>>,
    /// Reading and alternative.
    pub settles: Vec<(Arc<str>, Arc<str>)>,
    /// The sentences by which it settles some of these readings.
    pub by: Vec<SettlingSentence>,
    /// Its place in the file.
    pub span: Span,
}
