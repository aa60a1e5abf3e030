//! Terms where something is known to hold: what a choice by it does not choose is left out.

use crate::hash::FastMap;

use super::{Node, Pool, Sort, Term};

/// What is known, and what it is, in the order of the terms.
type Known<'k> = &'k [(Term, bool)];

fn value_of(term: Term, known: Known<'_>) -> Option<bool> {
    let place = known.binary_search_by_key(&term, |(term, _)| *term).ok()?;
    Some(known[place].1)
}

/// What terms are where that is known, to which depth below them.
type Replaced = FastMap<Term, (Term, u32)>;

impl Pool {
    /// A term that is equal to `term` wherever `condition` is `value`: a choice by it is what it
    /// chooses there. So two terms that differ in what is never chosen only become one.
    pub fn under(&mut self, condition: Term, value: bool, term: Term) -> Term {
        if self.bool_of(condition).is_some() || self.constant(term).is_some() {
            return term;
        }
        let known = self.literals(condition, value);
        self.assuming(term, &known, DEPTH, &mut Replaced::default())
    }

    /// `term` is `constant` wherever `condition` is `value`, as far as that is seen at once: a choice of
    /// it is decided there, and what is chosen is the constant or said to be equal to it.
    pub(super) fn is_constant_under(
        &self,
        condition: Term,
        value: bool,
        term: Term,
        constant: Term,
    ) -> bool {
        if let Node::And(list) | Node::Or(list) = self.node(condition)
            && list.len() > PARTS
        {
            return false;
        }
        let known = self.literals(condition, value);
        let mut chosen = term;
        while let Node::Ite(condition, then, otherwise) = *self.node(chosen)
            && let Some(value) = value_of(condition, &known)
        {
            chosen = if value { then } else { otherwise };
        }
        chosen == constant
            || known.iter().any(|&(literal, value)| match *self.node(literal) {
                Node::Equal(a, b) => {
                    value && (a, b) == (chosen.min(constant), chosen.max(constant))
                }
                _ => false,
            })
    }

    /// What holds and what does not where `condition` is `value`.
    pub fn literals(&self, condition: Term, value: bool) -> Vec<(Term, bool)> {
        let mut literals = vec![(condition, value)];
        match (self.node(condition), value) {
            (Node::Not(inner), _) => literals.push((*inner, !value)),
            (Node::And(list), true) | (Node::Or(list), false) => {
                for &part in list {
                    literals.push((part, value));
                    if let Node::Not(inner) = *self.node(part) {
                        literals.push((inner, !value));
                    }
                }
            }
            _ => {}
        }
        literals.sort_unstable();
        literals
    }

    /// A term that is equal to `root` in all states in which all of `known` is as it says. Terms
    /// that are further down than `depth` stay as they are.
    fn assuming(&mut self, root: Term, known: Known<'_>, depth: u32, done: &mut Replaced) -> Term {
        if self.sort(root) == Sort::Bool
            && let Some(value) = value_of(root, known)
        {
            return self.bool(value);
        }
        if depth == 0 || !is_looked_below(self.node(root)) {
            return root;
        }
        // What is shared is reached by many ways.
        if let Some(&(new, _)) = done.get(&root).filter(|(_, so_far)| *so_far >= depth) {
            return new;
        }
        let new = self.assuming_anew(root, known, depth, done);
        done.insert(root, (new, depth));
        new
    }

    fn assuming_anew(
        &mut self,
        root: Term,
        known: Known<'_>,
        depth: u32,
        done: &mut Replaced,
    ) -> Term {
        if let Node::Ite(condition, then, otherwise) = *self.node(root)
            && let Some(value) = value_of(condition, known)
        {
            return self.assuming(if value { then } else { otherwise }, known, depth - 1, done);
        }
        // Sums may be long.
        let below = if let Node::Linear(..) = self.node(root) { 1 } else { depth - 1 };
        let mut replaced = Vec::new();
        for operand in Self::operands(self.node(root)) {
            let new = self.assuming(operand, known, below, done);
            if new != operand {
                replaced.push((operand, new));
            }
        }
        if replaced.is_empty() {
            return root;
        }
        self.with_operands(root, |operand| {
            let found = replaced.iter().find(|(before, _)| *before == operand);
            found.map_or(operand, |&(_, new)| new)
        })
    }
}

/// What a choice may be left out of that stands below.
fn is_looked_below(node: &Node) -> bool {
    matches!(
        node,
        Node::Ite(..)
            | Node::Linear(..)
            | Node::Binary(..)
            | Node::Compare(..)
            | Node::Not(_)
            | Node::BitNot(_)
            | Node::Extract(..)
            | Node::ZeroExtend(..)
            | Node::SignExtend(..)
            | Node::Concat(..)
    )
}

/// Conditions of more parts are not looked into for what a constant is.
const PARTS: usize = 8;

/// So far below a choice its condition is looked for.
const DEPTH: u32 = 8;
