//! Terms as text: SMT-LIB's notation where it has one.

use std::collections::HashMap;
use std::fmt::Write;

use super::{Binary, Compare, FloatFormat, FloatOp, Node, Pool, Scan, Term, Toward};

impl Pool {
    /// A term as an S-expression, parts that occur more than once named by `let`. Two terms of
    /// one text are the same function of what is free in them.
    pub fn render(&self, root: Term) -> String {
        let order = self.reachable(&[root]);
        let mut uses: HashMap<Term, usize> = HashMap::new();
        for &term in &order {
            for operand in Self::operands(self.node(term)) {
                *uses.entry(operand).or_default() += 1;
            }
        }
        let mut names: HashMap<Term, String> = HashMap::new();
        let mut text = String::new();
        let mut open = 0;
        for &term in &order {
            let operands = Self::operands(self.node(term));
            let shared = uses.get(&term).copied().unwrap_or(0) > 1 && !operands.is_empty();
            let expression =
                self.expression(term, |operand| names.get(&operand).cloned().unwrap_or_default());
            if shared {
                let name = format!("t{}", open + 1);
                let _ = write!(text, "(let (({name} {expression})) ");
                open += 1;
                names.insert(term, name);
            } else {
                names.insert(term, expression);
            }
        }
        text.push_str(names.get(&root).map_or("", String::as_str));
        text.extend(std::iter::repeat_n(')', open));
        text
    }

    fn expression(&self, term: Term, name: impl Fn(Term) -> String) -> String {
        let list = |operator: &str, parts: &[Term]| {
            let parts: Vec<String> = parts.iter().map(|&part| name(part)).collect();
            format!("({operator} {})", parts.join(" "))
        };
        match self.node(term) {
            Node::Bool(value) => value.to_string(),
            Node::Bits(value, width) => format!("(_ bv{value} {width})"),
            Node::Variable(symbol) => self.symbol_name(*symbol).to_owned(),
            Node::Apply(symbol, lane) => list(self.symbol_name(*symbol), &[*lane]),
            Node::Tag(source, lane) => list(&format!("payload.{source}"), &[*lane]),
            Node::Not(a) => list("not", &[*a]),
            Node::And(parts) => list("and", parts),
            Node::Or(parts) => list("or", parts),
            Node::Ite(c, a, b) => list("ite", &[*c, *a, *b]),
            Node::Equal(a, b) => list("=", &[*a, *b]),
            Node::Compare(relation, a, b) => list(relation.word(), &[*a, *b]),
            Node::Binary(op, a, b) => list(op.word(), &[*a, *b]),
            Node::Linear(parts, constant) => {
                let width = self.width(term);
                let mut text = String::from("(bvadd");
                for &(part, factor) in parts {
                    let part = name(part);
                    match factor {
                        1 => text.push_str(&format!(" {part}")),
                        _ => text.push_str(&format!(" (bvmul (_ bv{factor} {width}) {part})")),
                    }
                }
                text.push_str(&format!(" (_ bv{constant} {width}))"));
                text
            }
            Node::BitNot(a) => list("bvnot", &[*a]),
            Node::Extract(a, high, low) => list(&format!("(_ extract {high} {low})"), &[*a]),
            Node::ZeroExtend(a, width) => {
                list(&format!("(_ zero_extend {})", width - self.width(*a)), &[*a])
            }
            Node::SignExtend(a, width) => {
                list(&format!("(_ sign_extend {})", width - self.width(*a)), &[*a])
            }
            Node::FromBits(parts) => list("bits", parts),
            Node::Concat(high, low) => list("concat", &[*high, *low]),
            Node::Float(op, format, parts) => list(&float_name(*op, *format), parts),
            Node::AnyOrder(op, format, parts) => {
                list(&format!("(any-order {})", float_name(*op, *format)), parts)
            }
            Node::Implementation(operation, width, parts) => {
                list(&format!("(_ implementation {operation} {width})"), parts)
            }
            Node::Canonical(format, a) => list(&format!("(_ canonical {format})"), &[*a]),
            Node::Payload(format, a, payload) => {
                list(&format!("(_ payload {format})"), &[*a, *payload])
            }
            Node::Bit(a, index) => list("bit", &[*a, *index]),
            Node::Scan(scan, a) => list(
                match scan {
                    Scan::Count => "count",
                    Scan::Lowest => "lowest",
                    Scan::Highest => "highest",
                },
                &[*a],
            ),
        }
    }
}

/// An operation of floating point on bit-vectors, by SMT-LIB's name for it on numbers.
fn float_name(op: FloatOp, format: FloatFormat) -> String {
    match op {
        FloatOp::Add => format!("(_ fp.add {format})"),
        FloatOp::Mul => format!("(_ fp.mul {format})"),
        FloatOp::Div => format!("(_ fp.div {format})"),
        FloatOp::MulAdd => format!("(_ fp.fma {format})"),
        FloatOp::Integral(toward) => {
            let mode = match toward {
                Toward::Even => "RNE",
                Toward::Negative => "RTN",
                Toward::Positive => "RTP",
                Toward::Zero => "RTZ",
            };
            format!("(_ fp.roundToIntegral {mode} {format})")
        }
        FloatOp::Scale => format!("(_ scaled {format})"),
        FloatOp::Convert(to) => format!("(_ to_fp {format} {to})"),
        FloatOp::FromUnsigned => format!("(_ to_fp_unsigned {format})"),
        FloatOp::FromSigned => format!("(_ to_fp {format})"),
        FloatOp::ToUnsigned(width) => format!("(_ fp.to_ubv {format} {width})"),
        FloatOp::ToSigned(width) => format!("(_ fp.to_sbv {format} {width})"),
    }
}

impl std::fmt::Display for FloatFormat {
    /// Bits of the exponent, then of the significand, as SMT-LIB counts them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.exponent(), self.fraction() + 1)
    }
}

impl Compare {
    /// SMT-LIB's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Less => "bvult",
            Self::LessEqual => "bvule",
            Self::LessSigned => "bvslt",
            Self::LessEqualSigned => "bvsle",
        }
    }
}

impl Binary {
    /// SMT-LIB's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Add => "bvadd",
            Self::Sub => "bvsub",
            Self::Mul => "bvmul",
            Self::DivUnsigned => "bvudiv",
            Self::RemUnsigned => "bvurem",
            Self::DivSigned => "bvsdiv",
            Self::RemSigned => "bvsrem",
            Self::And => "bvand",
            Self::Or => "bvor",
            Self::Xor => "bvxor",
            Self::ShiftLeft => "bvshl",
            Self::ShiftRight => "bvlshr",
            Self::ShiftRightSigned => "bvashr",
        }
    }
}
