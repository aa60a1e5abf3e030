//! Which payloads are compared with which, and what else is done with them.

use std::collections::{BTreeMap, HashMap, HashSet};

use laneproof_semantics::term::{Binary, Compare, FloatNote, Node, Pool, Sort, Symbol, Term};

use super::shape::Shape;
use super::uses::{Role, Uses};

/// The kinds of payloads of a question.
pub(super) struct Kinds {
    /// The kind of a term, and what it is of a payload.
    members: HashMap<Term, (usize, Role)>,
    parents: Vec<usize>,
    uses: Vec<Option<Uses>>,
}

/// The narrowest payloads for which few values are looked for.
const NARROWEST: u32 = 8;
/// The widest: a value is one number of 128 bits, with its neighbors.
const WIDEST: u32 = 64;

impl Kinds {
    /// The kinds of payloads in these terms, each of which comes after its operands. Of keys only the number
    /// is among them.
    pub(super) fn of(pool: &Pool, terms: &[Term], keys: &HashSet<Term>) -> Self {
        let mut kinds = Self { members: HashMap::new(), parents: Vec::new(), uses: Vec::new() };
        for &term in terms {
            if let Some(member) = kinds.member(pool, term, keys.contains(&term)) {
                kinds.members.insert(term, member);
            }
        }
        kinds.join_functions(pool, terms);
        kinds
    }

    /// How each kind is numbered, if it is, and its terms. Numbers for so many payloads are `missing`.
    pub(super) fn shapes(
        mut self,
        missing: u128,
    ) -> (BTreeMap<usize, Shape>, HashMap<Term, (usize, Role)>) {
        let members: Vec<(Term, (usize, Role))> = self.members.drain().collect();
        let members: HashMap<Term, (usize, Role)> = members
            .into_iter()
            .map(|(term, (kind, role))| (term, (self.root(kind), role)))
            .collect();
        let shapes = self.uses.into_iter().enumerate();
        let shapes: BTreeMap<usize, Shape> =
            shapes.filter_map(|(kind, uses)| Some((kind, Shape::of(&uses?, missing)?))).collect();
        (shapes, members)
    }

    fn root(&mut self, kind: usize) -> usize {
        let mut root = kind;
        while self.parents[root] != root {
            self.parents[root] = self.parents[self.parents[root]];
            root = self.parents[root];
        }
        root
    }

    fn uses(&mut self, kind: usize) -> Option<&mut Uses> {
        let root = self.root(kind);
        self.uses[root].as_mut()
    }

    fn note(&mut self, kind: usize, note: impl FnOnce(&mut Uses)) {
        if let Some(uses) = self.uses(kind) {
            note(uses);
        }
    }

    fn new_kind(&mut self, width: u32, free: u128) -> usize {
        let kind = self.parents.len();
        self.parents.push(kind);
        self.uses.push(Some(Uses { width, free, ..Uses::default() }));
        kind
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b
            && let Some(uses) = self.uses[b].take()
        {
            self.parents[b] = a;
            self.note(a, |it| it.join(uses));
        }
    }

    /// Of a function that is applied at a lane that is not known, any two applications may be one.
    fn join_functions(&mut self, pool: &Pool, terms: &[Term]) {
        let mut applied: HashMap<Symbol, Vec<Term>> = HashMap::new();
        let mut computed = HashSet::new();
        for &term in terms {
            if let Node::Apply(symbol, lane) = *pool.node(term) {
                applied.entry(symbol).or_default().push(term);
                if pool.bits_of(lane).is_none() {
                    computed.insert(symbol);
                }
            }
        }
        for symbol in computed {
            let kinds: Vec<Option<usize>> = applied[&symbol]
                .iter()
                .map(|it| self.members.get(it).map(|(kind, _)| *kind))
                .collect();
            let first = kinds.first().copied().flatten();
            for (&term, &kind) in applied[&symbol].iter().zip(&kinds) {
                match (first, kind) {
                    (Some(a), Some(b)) => self.join(a, b),
                    _ => self.used_otherwise(term),
                }
            }
        }
    }

    /// The kind of a term, after what it does with its operands was noted.
    fn member(&mut self, pool: &Pool, term: Term, is_key: bool) -> Option<(usize, Role)> {
        let width = match pool.sort(term) {
            Sort::Bits(width) => width,
            Sort::Bool | Sort::Tag => 0,
        };
        if let Some((number, role)) = key(pool, term).filter(|_| is_key) {
            return self.part(number, role);
        }
        if let Some((_, number)) = other_sign(pool, term) {
            return self.part(number, Role::Whole);
        }
        match *pool.node(term) {
            Node::Variable(_) if (NARROWEST..=WIDEST).contains(&width) => {
                Some((self.new_kind(width, 1), Role::Whole))
            }
            Node::Apply(_, lane) if (NARROWEST..=WIDEST).contains(&width) => {
                self.used_otherwise(lane);
                Some((self.new_kind(width, 1), Role::Whole))
            }
            Node::Ite(_, a, b) if width > 0 => self.together(pool, a, b),
            Node::Equal(a, b) => {
                self.together(pool, a, b);
                None
            }
            Node::Compare(relation, a, b) => {
                self.compared(pool, relation, a, b);
                None
            }
            Node::Bit(a, index) if pool.bits_of(index) == Some(u128::from(pool.width(a)) - 1) => {
                self.sign_of(a);
                None
            }
            Node::Extract(a, high, 0) if high + 2 == pool.width(a) => self.part(a, Role::Magnitude),
            Node::Linear(..) if let Some(a) = opposite(pool, term) => {
                self.changed(a, |uses| uses.negated = true)
            }
            Node::BitNot(a) => self.changed(a, |uses| uses.inverted = true),
            Node::Canonical(format, a) => {
                let member = self.part(a, Role::Whole)?;
                self.note(member.0, |uses| {
                    uses.known.extend([format.infinity(), format.canonical_nan()]);
                });
                Some(member)
            }
            ref node => {
                for operand in Pool::operands(node) {
                    self.used_otherwise(operand);
                }
                None
            }
        }
    }

    fn used_otherwise(&mut self, term: Term) {
        if let Some(&(kind, _)) = self.members.get(&term) {
            self.note(kind, |uses| uses.other = true);
        }
    }

    /// A part of a floating-point number, or one itself.
    fn part(&mut self, number: Term, role: Role) -> Option<(usize, Role)> {
        let &(kind, of) = self.members.get(&number)?;
        self.note(kind, |uses| {
            uses.number = true;
            uses.other |= of != Role::Whole;
        });
        Some((kind, role))
    }

    /// Whole integers are changed so that their order is reversed.
    fn changed(&mut self, integer: Term, note: impl FnOnce(&mut Uses)) -> Option<(usize, Role)> {
        let &(kind, role) = self.members.get(&integer)?;
        self.note(kind, |uses| {
            note(uses);
            uses.other |= role != Role::Whole;
        });
        Some((kind, role))
    }

    fn sign_of(&mut self, term: Term) {
        if let Some(&(kind, role)) = self.members.get(&term) {
            self.note(kind, |uses| {
                uses.sign = true;
                uses.other |= role != Role::Whole;
            });
        }
    }

    /// Two terms are compared or chosen between: they are of one kind.
    fn together(&mut self, pool: &Pool, a: Term, b: Term) -> Option<(usize, Role)> {
        match (self.members.get(&a).copied(), self.members.get(&b).copied()) {
            (Some((a, role)), Some((b, same))) => {
                self.join(a, b);
                self.note(a, |uses| uses.other |= role != same);
                Some((a, role))
            }
            (Some(member), None) => Some(self.beside(pool, member, b)),
            (None, Some(member)) => Some(self.beside(pool, member, a)),
            (None, None) => {
                let known = [pool.bits_of(a)?, pool.bits_of(b)?];
                let kind = self.new_kind(pool.width(a), 0);
                self.note(kind, |uses| uses.known.extend(known));
                Some((kind, Role::Whole))
            }
        }
    }

    /// A payload with what is none, or a known one.
    fn beside(&mut self, pool: &Pool, member: (usize, Role), term: Term) -> (usize, Role) {
        let known = pool.bits_of(term).map(|known| {
            let negative = known >> (pool.width(term) - 1) == 1;
            match member.1 {
                Role::Key if negative => known.wrapping_neg() & ones(pool.width(term)),
                Role::TotalKey if negative => !known & ones(pool.width(term) - 1),
                _ => known,
            }
        });
        self.note(member.0, |uses| match known {
            Some(known) => uses.known.extend([known]),
            None => uses.other = true,
        });
        member
    }

    fn compared(&mut self, pool: &Pool, relation: Compare, a: Term, b: Term) {
        let signed = matches!(relation, Compare::LessSigned | Compare::LessEqualSigned);
        if let Some((kind, role)) = self.together(pool, a, b) {
            self.note(kind, |uses| match (role, signed) {
                (Role::Whole, true) => uses.signed = true,
                (Role::Whole, false) => uses.unsigned = true,
                (Role::Magnitude, false) | (Role::Key | Role::TotalKey, true) => {}
                _ => uses.other = true,
            });
        }
    }
}

/// The key of a number that a term is, if the number was there before it.
pub(super) fn key(pool: &Pool, term: Term) -> Option<(Term, Role)> {
    let (number, role) = match pool.float_note(term)? {
        FloatNote::Key(number) => (number, Role::Key),
        FloatNote::TotalKey(number) => (number, Role::TotalKey),
        FloatNote::Nan(..) | FloatNote::Zero(_) => return None,
    };
    (number < term).then_some((number, role))
}

/// What a term is without its sign or with the other one, if it is a payload with such a change.
pub(super) fn other_sign(pool: &Pool, term: Term) -> Option<(Sign, Term)> {
    let top = 1 << (pool.width(term).checked_sub(1)?);
    match *pool.node(term) {
        Node::Binary(op, a, b) => {
            let (known, number) = match (pool.bits_of(a), pool.bits_of(b)) {
                (Some(known), None) => (known, b),
                (None, Some(known)) => (known, a),
                _ => return None,
            };
            match op {
                Binary::Xor if known == top => Some((Sign::Inverted, number)),
                Binary::And if known == top - 1 => Some((Sign::Cleared, number)),
                Binary::Or if known == top => Some((Sign::Set, number)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The integer whose opposite a term is.
pub(super) fn opposite(pool: &Pool, term: Term) -> Option<Term> {
    match pool.node(term) {
        Node::Linear(parts, 0) => match parts[..] {
            [(integer, factor)] if factor == ones(pool.width(term)) => Some(integer),
            _ => None,
        },
        _ => None,
    }
}

/// What is done to a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Inverted,
    Cleared,
    Set,
}

fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}
