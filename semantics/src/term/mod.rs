//! Terms: first-order expressions over bit-vectors, shared and simplified as they are built.
//!
//! One representation serves every engine: the evaluator folds a term whose leaves are
//! constants, the encoder hands it to a solver. A [`Pool`] holds each distinct node once, and
//! a node's operands always come before it, so a pass over a pool in order needs no recursion.

mod assuming;
mod bits;
mod boolean;
mod bound;
mod carry;
mod evaluate;
mod float;
mod halves;
mod join;
mod linear;
mod notes;
mod order;
mod pairs;
mod parts;
mod render;
mod substitute;
mod whole;
mod width;

use std::collections::BTreeSet;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

pub use crate::ty::FloatFormat;
pub use evaluate::{GroundValue, Interpretation};
pub use float::{FloatOp, SCALES, Toward};
pub use notes::{FloatNote, SumNote};

use crate::Scalar;
use crate::hash::FastMap;

/// A node of a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

/// The operands of a node: mostly few.
pub type Operands = SmallVec<[Term; 4]>;

impl Term {
    /// Its number in its pool.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// What kind of value a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A bit-vector of this width, 1 to 128.
    Bits(u32),
    /// A payload that is only moved: it can be copied and compared, nothing else.
    Tag,
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool => Self::Bool,
            other => Self::Bits(other.width()),
        }
    }
}

/// Something that a term leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

/// A binary operation on bit-vectors of equal width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient; division by zero gives all ones, as in SMT-LIB.
    DivUnsigned,
    /// Unsigned remainder; of a division by zero, the dividend.
    RemUnsigned,
    /// Signed quotient toward zero; division by zero as in SMT-LIB.
    DivSigned,
    /// Signed remainder with the sign of the dividend.
    RemSigned,
    /// Conjunction, bit by bit.
    And,
    /// Disjunction, bit by bit.
    Or,
    /// Exclusive or, bit by bit.
    Xor,
    /// Left shift; an amount of the width or more gives 0.
    ShiftLeft,
    /// Logical right shift; an amount of the width or more gives 0.
    ShiftRight,
    /// Arithmetic right shift; an amount of the width or more gives copies of the sign.
    ShiftRightSigned,
}

impl Binary {
    /// Every operation.
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::DivUnsigned,
        Self::RemUnsigned,
        Self::DivSigned,
        Self::RemSigned,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::ShiftRightSigned,
    ];
}

/// A comparison of bit-vectors of equal width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Unsigned less than.
    Less,
    /// Unsigned less than or equal.
    LessEqual,
    /// Signed less than.
    LessSigned,
    /// Signed less than or equal.
    LessEqualSigned,
}

/// A question about the set bits of a bit-vector; the answer has 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scan {
    /// How many bits are set.
    Count,
    /// Index of the lowest set bit; the width where none is set.
    Lowest,
    /// Index of the highest set bit; the width where none is set.
    Highest,
}

/// A term's outermost operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A Boolean constant.
    Bool(bool),
    /// A bit-vector constant.
    Bits(u128, u32),
    /// A free constant.
    Variable(Symbol),
    /// What a free function of a lane gives at a lane (a 32-bit term).
    Apply(Symbol, Term),
    /// The payload of leaf `.0` of the inputs, in a lane.
    Tag(u32, Term),
    /// Negation.
    Not(Term),
    /// Conjunction of two or more distinct terms, in order.
    And(Box<[Term]>),
    /// Disjunction of two or more distinct terms, in order.
    Or(Box<[Term]>),
    /// `.1` where `.0` holds, else `.2`.
    Ite(Term, Term, Term),
    /// Equality of two terms of one sort.
    Equal(Term, Term),
    /// An ordering.
    Compare(Compare, Term, Term),
    /// Arithmetic, bitwise, shifts.
    Binary(Binary, Term, Term),
    /// Sum of distinct terms in order, each times a factor, and of a constant, modulo 2^width.
    Linear(Box<[(Term, u128)]>, u128),
    /// Complement, bit by bit.
    BitNot(Term),
    /// Bits `.1` down to `.2` of a bit-vector.
    Extract(Term, u32, u32),
    /// Zero-extension to this width.
    ZeroExtend(Term, u32),
    /// Sign-extension to this width.
    SignExtend(Term, u32),
    /// Bit-vector with these bits, lowest first.
    FromBits(Box<[Term]>),
    /// High part and low part side by side.
    Concat(Term, Term),
    /// Bit `.1` (a 32-bit term) of a bit-vector; false past its end.
    Bit(Term, Term),
    /// Counts and searches bits.
    Scan(Scan, Term),
    /// Arithmetic and conversions of floating point, in this format.
    Float(FloatOp, FloatFormat, Box<[Term]>),
    /// `.1`, a number in this format; where it is NaN, the NaN that the bits of `.2` name.
    Payload(FloatFormat, Term, Term),
    /// A number in this format; where it is NaN, the canonical one.
    Canonical(FloatFormat, Term),
    /// Whether the first number is, up to the choice of a NaN, the sum or product of the members in
    /// some order; each member is a condition and a number.
    AnyOrder(FloatOp, FloatFormat, Box<[Term]>),
    /// What an implementation gives for these operands where that is for it to define: `.1` bits,
    /// the same for the same operands, of an operation with this name.
    Implementation(Arc<str>, u32, Box<[Term]>),
}

#[derive(Clone, Debug)]
struct Declared {
    name: Arc<str>,
    sort: Sort,
}

/// The number of small constants that are cached.
const SMALL: usize = 16;

/// Holds terms, each distinct one once.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    nodes: Vec<(Node, Sort)>,
    known: FastMap<Node, Term>,
    /// Bit-vector constants by value and width.
    numbers: FastMap<(u128, u32), Term>,
    /// The least of them of 32 bits, once they were built.
    small: [Option<Term>; SMALL],
    /// The Boolean constants, once they were built: false, true.
    truths: [Option<Term>; 2],
    symbols: Vec<Declared>,
    placeholders: FastMap<(u8, Sort), Term>,
    /// What terms say of floating-point numbers.
    notes: notes::Notes,
    parts: parts::Parts,
    wholes: halves::Wholes,
    /// Symbols whose values are known: at a lane, or everywhere.
    fixed: FastMap<(Symbol, Option<u32>), Term>,
}

impl Pool {
    /// Forgets everything; what it takes up stays for what comes next.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.known.clear();
        self.numbers.clear();
        self.small = [None; SMALL];
        self.truths = [None; 2];
        self.symbols.clear();
        self.placeholders.clear();
        self.notes.clear();
        self.parts.clear();
        self.wholes.clear();
        self.fixed.clear();
    }

    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new symbol. Two symbols of one name are different symbols.
    pub fn symbol(&mut self, name: impl Into<Arc<str>>, sort: Sort) -> Symbol {
        self.symbols.push(Declared { name: name.into(), sort });
        Symbol(self.symbols.len() as u32 - 1)
    }

    /// The name that a symbol was given.
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize].name
    }

    /// The sort of a symbol's values.
    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.0 as usize].sort
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True when no term was built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A term's outermost operation.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize].0
    }

    /// A term's sort.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.0 as usize].1
    }

    /// Width of a bit-vector; a Boolean counts as 1, a tag as 0.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
            Sort::Tag => 0,
        }
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&term) = self.known.get(&node) {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push((node.clone(), sort));
        self.known.insert(node, term);
        term
    }

    /// From now on a symbol has this value, at a lane or, as a free constant, everywhere. What is
    /// built of it is simplified with that.
    pub fn fix(&mut self, symbol: Symbol, lane: Option<u32>, value: Term) {
        self.fixed.insert((symbol, lane), value);
    }

    /// A free constant.
    pub fn variable(&mut self, symbol: Symbol) -> Term {
        if let Some(&value) = self.fixed.get(&(symbol, None)) {
            return value;
        }
        let sort = self.symbol_sort(symbol);
        self.intern(Node::Variable(symbol), sort)
    }

    /// A new free constant of this name.
    pub fn fresh(&mut self, name: impl Into<Arc<str>>, sort: Sort) -> Term {
        let symbol = self.symbol(name, sort);
        self.variable(symbol)
    }

    /// A placeholder for argument `index` of an operator; the same for the same index and sort.
    pub fn placeholder(&mut self, index: u8, sort: Sort) -> Term {
        if let Some(&term) = self.placeholders.get(&(index, sort)) {
            return term;
        }
        let term = self.fresh(format!("argument.{index}"), sort);
        self.placeholders.insert((index, sort), term);
        term
    }

    /// What the free function `symbol` gives at `lane` (32 bits).
    pub fn apply(&mut self, symbol: Symbol, lane: Term) -> Term {
        if !self.fixed.is_empty()
            && let Some(lane) = self.bits_of(lane)
            && let Some(&value) = self.fixed.get(&(symbol, Some(lane as u32)))
        {
            return value;
        }
        let sort = self.symbol_sort(symbol);
        self.intern(Node::Apply(symbol, lane), sort)
    }

    /// The payload of input leaf `source` in `lane` (32 bits).
    pub fn tag(&mut self, source: u32, lane: Term) -> Term {
        self.intern(Node::Tag(source, lane), Sort::Tag)
    }

    /// The constant that a term is, if it is one.
    pub fn constant(&self, term: Term) -> Option<GroundValue> {
        match *self.node(term) {
            Node::Bool(value) => Some(GroundValue::Bool(value)),
            Node::Bits(value, _) => Some(GroundValue::Bits(value)),
            _ => None,
        }
    }

    /// The value of a bit-vector constant.
    pub fn bits_of(&self, term: Term) -> Option<u128> {
        match *self.node(term) {
            Node::Bits(value, _) => Some(value),
            _ => None,
        }
    }

    /// The value of a Boolean constant.
    pub fn bool_of(&self, term: Term) -> Option<bool> {
        match *self.node(term) {
            Node::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The operands of a node.
    pub fn operands(node: &Node) -> Operands {
        match node {
            Node::Bool(_) | Node::Bits(..) | Node::Variable(_) => Operands::new(),
            Node::Apply(_, a)
            | Node::Tag(_, a)
            | Node::Not(a)
            | Node::BitNot(a)
            | Node::Extract(a, ..)
            | Node::ZeroExtend(a, _)
            | Node::SignExtend(a, _)
            | Node::Scan(_, a)
            | Node::Canonical(_, a) => smallvec![*a],
            Node::And(list)
            | Node::Or(list)
            | Node::FromBits(list)
            | Node::Float(_, _, list)
            | Node::AnyOrder(_, _, list)
            | Node::Implementation(_, _, list) => Operands::from_slice(list),
            Node::Linear(parts, _) => parts.iter().map(|(part, _)| *part).collect(),
            Node::Ite(a, b, c) => smallvec![*a, *b, *c],
            Node::Equal(a, b)
            | Node::Compare(_, a, b)
            | Node::Binary(_, a, b)
            | Node::Concat(a, b)
            | Node::Bit(a, b)
            | Node::Payload(_, a, b) => smallvec![*a, *b],
        }
    }

    /// The input leaves whose payloads a term may be.
    pub fn tag_sources(&self, term: Term) -> BTreeSet<u32> {
        self.reachable(&[term])
            .into_iter()
            .filter_map(|term| match *self.node(term) {
                Node::Tag(source, _) => Some(source),
                _ => None,
            })
            .collect()
    }

    /// Every term that `roots` consist of, operands before what uses them.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        // Numbers of operands are lower than that of what uses them, so one way down meets all.
        let words = roots.iter().max().map_or(0, |last| last.0 as usize / WORD + 1);
        let mut marked = vec![0_u64; words];
        let mark = |marked: &mut [u64], term: Term| {
            marked[term.0 as usize / WORD] |= 1 << (term.0 as usize % WORD);
        };
        roots.iter().for_each(|&root| mark(&mut marked, root));
        let mut order = Vec::new();
        for word in (0..words).rev() {
            let mut lower = u64::MAX;
            while let Some(bit) = (marked[word] & lower).checked_ilog2() {
                lower = (1 << bit) - 1;
                let term = Term((word * WORD) as u32 + bit);
                Self::operands(self.node(term)).into_iter().for_each(|it| mark(&mut marked, it));
                order.push(term);
            }
        }
        order.reverse();
        order
    }
}

/// Bits of a word of a set of terms.
const WORD: usize = u64::BITS as usize;
