//! Putting terms in the place of others.

use std::collections::HashMap;

use super::{Node, Pool, Term};
use crate::hash::FastMap;

impl Pool {
    /// `root` with each key of `replacements` replaced by its value, simplified anew.
    pub fn substitute(&mut self, root: Term, replacements: &HashMap<Term, Term>) -> Term {
        if self.constant(root).is_some() {
            return replacements.get(&root).copied().unwrap_or(root);
        }
        let mut roots = [root];
        self.substitute_in(&mut roots, replacements);
        roots[0]
    }

    /// [`Pool::substitute`] in each of `roots`, going through what they share once.
    pub fn substitute_in(&mut self, roots: &mut [Term], replacements: &HashMap<Term, Term>) {
        let done = self.substitute_plainly(roots, replacements);
        self.renote(&done, replacements);
    }

    /// The same without notes; gives back what each term was replaced by.
    pub(super) fn substitute_plainly(
        &mut self,
        roots: &mut [Term],
        replacements: &HashMap<Term, Term>,
    ) -> FastMap<Term, Term> {
        let mut done: FastMap<Term, Term> = FastMap::default();
        for term in self.reachable(roots) {
            let replaced = match replacements.get(&term) {
                Some(&replacement) => replacement,
                None => self
                    .with_operands(term, |operand| done.get(&operand).copied().unwrap_or(operand)),
            };
            done.insert(term, replaced);
        }
        for root in roots {
            *root = done.get(root).copied().unwrap_or(*root);
        }
        done
    }

    /// A term with `new` of each operand in its place, simplified anew.
    pub fn with_operands(&mut self, term: Term, new: impl Fn(Term) -> Term) -> Term {
        let node = self.node(term).clone();
        match node {
            Node::Bool(_) | Node::Bits(..) | Node::Variable(_) => term,
            Node::Apply(symbol, lane) => self.apply(symbol, new(lane)),
            Node::Tag(source, lane) => self.tag(source, new(lane)),
            Node::Not(a) => self.not(new(a)),
            Node::And(list) => self.all(list.iter().map(|&a| new(a)).collect::<Vec<_>>()),
            Node::Or(list) => self.any(list.iter().map(|&a| new(a)).collect::<Vec<_>>()),
            Node::Ite(c, a, b) => self.ite(new(c), new(a), new(b)),
            Node::Equal(a, b) => self.equal(new(a), new(b)),
            Node::Compare(relation, a, b) => self.compare(relation, new(a), new(b)),
            Node::Binary(op, a, b) => self.binary(op, new(a), new(b)),
            Node::Linear(parts, constant) => {
                let width = self.width(term);
                let mut sum = self.bits(constant, width);
                for &(part, factor) in &parts {
                    sum = self.sum(sum, new(part), factor);
                }
                sum
            }
            Node::BitNot(a) => self.bit_not(new(a)),
            Node::Extract(a, high, low) => self.extract(new(a), high, low),
            Node::ZeroExtend(a, width) => self.zero_extend(new(a), width),
            Node::SignExtend(a, width) => self.sign_extend(new(a), width),
            Node::FromBits(list) => self.from_bits(list.iter().map(|&a| new(a)).collect()),
            Node::Concat(high, low) => self.concat(new(high), new(low)),
            Node::Bit(a, index) => self.bit(new(a), new(index)),
            Node::Scan(scan, a) => self.scan(scan, new(a)),
            Node::Float(op, format, list) => {
                let list: Vec<Term> = list.iter().map(|&a| new(a)).collect();
                self.float(op, format, &list)
            }
            Node::AnyOrder(op, format, list) => {
                let list: Vec<Term> = list.iter().map(|&a| new(a)).collect();
                let parts: Vec<(Term, Term)> =
                    list[1..].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
                self.any_order(op, format, list[0], &parts)
            }
            Node::Implementation(operation, width, list) => {
                let list = list.iter().map(|&a| new(a)).collect();
                self.implementation(operation, width, list)
            }
            Node::Canonical(format, a) => self.canonical(new(a), format),
            Node::Payload(format, a, b) => self.with_payload(format, new(a), new(b)),
        }
    }
}
