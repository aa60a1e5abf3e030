//! Expressions.

use std::sync::Arc;

use super::{Name, Span};

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place in the file.
    pub span: Span,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `a and b`.
    And,
    /// `a or b`.
    Or,
    /// `a implies b`.
    Implies,
    /// `=`: of Booleans, integers, masks: the same; never of floating point (see `ieee_equal`).
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`, by the signedness of its operands' type.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `+`, modulo 2^width.
    Add,
    /// `-`, modulo 2^width.
    Sub,
    /// `*`, modulo 2^width.
    Mul,
    /// `/`, by the signedness of its operands' type, toward zero.
    Div,
    /// `%`, remainder with the sign of the dividend.
    Rem,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `<<`; an amount of the width or more gives 0.
    ShiftLeft,
    /// `>>`: arithmetic on signed operands, logical on others.
    ShiftRight,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `not a`.
    Not,
    /// `-a`, modulo 2^width.
    Negate,
    /// `~a`.
    BitNot,
}

/// `forall`, `exists` or `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// True in every lane of the set.
    ForAll,
    /// True in some lane of the set.
    Exists,
    /// In how many lanes of the set, a `u32`.
    Count,
    /// The set itself, a mask with one bit a lane.
    Lanes,
    /// The lowest lane of the set, a `u32`; the width of a mask (128) if the set is empty.
    Lowest,
    /// The highest lane of the set; 128 if the set is empty.
    Highest,
}

/// A question about a range of integers.
#[derive(Clone, Debug)]
pub enum Counting {
    /// True of every one.
    ForAll,
    /// True of some.
    Exists,
    /// For how many it is true, a `u32`.
    Count,
    /// The operator over what they contribute, from the first to the last, after what it starts from.
    Fold {
        /// Name of a function of two arguments.
        operator: Name,
        /// What it starts from.
        start: Box<Expr>,
    },
}

/// The lanes that a quantifier runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneSet {
    /// Those that execute the instruction.
    Active,
    /// All that exist.
    Existing,
    /// "The invocations in the subgroup", where a text says no more: a choice point.
    Subgroup,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer literal, which takes the type of the other operand.
    Integer(u128),
    /// `true`, `false`.
    Boolean(bool),
    /// An operand, a `let`, a variable, a parameter of a function, or a piece of state
    /// (`id`, `SubgroupSize`, `SubgroupMaxSize`, …).
    Name(Name),
    /// `f(a, b)`: a function of this file, a definition of a table row, or a built-in one.
    Call(Name, Vec<Expr>),
    /// `-a`, `~a`, `not a`.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and the like.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `E at L`: what `E` is for the lane whose id is `L`. Presupposes that the lane exists
    /// and that it is active; an unmet presupposition that no clause covers is silence.
    At(Box<Expr>, Box<Expr>),
    /// `forall j in active where C: P` and its kin.
    Quantified {
        /// Which one.
        quantifier: Quantifier,
        /// The bound lane.
        variable: Name,
        /// The lanes.
        lanes: LaneSet,
        /// What must hold of a lane. `lanes`, `lowest`, `highest` and `count` have only this.
        body: Box<Expr>,
    },
    /// `fold F from I over j in active where C of E`: the operator `F` (a function of two
    /// arguments) over `E` in the lanes where `C` holds, in any order.
    Fold {
        /// Name of a function of two arguments: the operator.
        operator: Name,
        /// The identity.
        identity: Box<Expr>,
        /// The bound lane.
        variable: Name,
        /// The condition for an active lane to be a member.
        condition: Box<Expr>,
        /// What each of them contributes.
        body: Box<Expr>,
    },
    /// `forall k in 0 to 3: P`, `fold F from I over k in 0 to 3 of E`: the same over whole numbers, both
    /// ends among them, which the instruction's types alone give.
    Counted {
        /// The question.
        counting: Counting,
        /// The bound number, a `u32`.
        variable: Name,
        /// The first number.
        first: Box<Expr>,
        /// The last one.
        last: Box<Expr>,
        /// Which numbers are left out: those where this does not hold.
        condition: Box<Expr>,
        /// What must hold of a number, or what it contributes.
        body: Box<Expr>,
    },
    /// `some_order F [from I] over j in active where C of E`: whether `result` is, up to which NaN it
    /// is, what `F` gives over `E` in the lanes where `C` holds, in some order and bracketing, `I` among
    /// them or not. False without members.
    SomeOrder {
        /// Name of a function of two arguments: a floating-point sum or product.
        operator: Name,
        /// The identity, if it may be combined, too.
        identity: Option<Box<Expr>>,
        /// The bound lane.
        variable: Name,
        /// The condition for an active lane to be a member.
        condition: Box<Expr>,
        /// What each of them contributes.
        body: Box<Expr>,
    },
    /// `Operation is Reduce`: a static question about an enumerant operand.
    Is(Name, Arc<str>),
    /// `reading NAME { | alternative: E … }`: a choice point inside an expression.
    Reading(Arc<str>, Vec<(Arc<str>, Expr)>),
}
