//! How large a clause becomes when every definition in it is put in its place.
//!
//! Definitions and parameters are by name, so a few lines that double each other would make
//! every engine after the checker run out of memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::error::Mistake;
use crate::language::ast::{Clause, Counting, Expr, ExprKind, Name, SpecFunction, Statement};

/// More expressions than any sentence needs.
const MAX_SIZE: u64 = 100_000;

/// Expressions of a body, and how often each parameter is put in.
#[derive(Clone, Default)]
struct Size {
    own: u64,
    uses: Vec<u64>,
}

impl Size {
    fn add(&mut self, other: &Self, times: u64) {
        self.own = self.own.saturating_add(other.own.saturating_mul(times));
        for (mine, theirs) in self.uses.iter_mut().zip(&other.uses) {
            *mine = mine.saturating_add(theirs.saturating_mul(times));
        }
    }
}

/// Measures clauses whose names are known to resolve, without cycles.
pub(super) struct Sizes<'a> {
    functions: &'a BTreeMap<Arc<str>, Arc<SpecFunction>>,
    known: HashMap<usize, Size>,
    mistakes: Vec<Mistake>,
}

impl<'a> Sizes<'a> {
    pub(super) fn new(functions: &'a BTreeMap<Arc<str>, Arc<SpecFunction>>) -> Self {
        Self { functions, known: HashMap::new(), mistakes: Vec::new() }
    }

    /// Clauses that see the definitions of a table row first.
    pub(super) fn clauses(&mut self, row: &[Arc<SpecFunction>], clauses: &[Arc<Clause>]) {
        let mut visible = row.to_vec();
        for (statement, _) in clauses.iter().flat_map(|clause| &clause.statements) {
            let before = self.mistakes.len();
            self.statement(&mut visible, statement);
            if self.mistakes.len() > before {
                // What builds on it grows beyond bounds too.
                return;
            }
        }
    }

    pub(super) fn mistakes(self) -> Vec<Mistake> {
        self.mistakes
    }

    fn statement(&mut self, visible: &mut Vec<Arc<SpecFunction>>, statement: &Statement) {
        if let Statement::Let(definition) = statement {
            visible.push(Arc::clone(definition));
        }
        for expr in statement.expressions() {
            if self.expr(expr, &[], visible).own > MAX_SIZE {
                let message = "this grows beyond bounds when its definitions are put in";
                let label = format!("more than {MAX_SIZE} expressions");
                self.mistakes.push(Mistake::new(expr.span, message, label));
            }
        }
        for statements in statement.nested() {
            let mut inner = visible.clone();
            statements.iter().for_each(|statement| self.statement(&mut inner, statement));
        }
    }

    fn expr(&mut self, expr: &Expr, parameters: &[Name], visible: &[Arc<SpecFunction>]) -> Size {
        let mut size = Size { own: 1, uses: vec![0; parameters.len()] };
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(place) = parameters.iter().position(|parameter| parameter == name) {
                    size.uses[place] = 1;
                } else if let Some(callee) = self.callee(name, visible) {
                    size.own = size.own.saturating_add(callee.own);
                }
            }
            ExprKind::Call(name, arguments) => {
                let callee = self.callee(name, visible);
                for (place, argument) in arguments.iter().enumerate() {
                    let uses = callee.as_ref().and_then(|callee| callee.uses.get(place));
                    let part = self.expr(argument, parameters, visible);
                    size.add(&part, uses.copied().unwrap_or(1));
                }
                size.own = size.own.saturating_add(callee.map_or(0, |callee| callee.own));
            }
            ExprKind::Fold { operator, .. } | ExprKind::SomeOrder { operator, .. } => {
                size.own =
                    size.own.saturating_add(self.callee(operator, visible).map_or(0, |op| op.own));
            }
            ExprKind::Counted { counting: Counting::Fold { operator, .. }, .. } => {
                size.own =
                    size.own.saturating_add(self.callee(operator, visible).map_or(0, |op| op.own));
            }
            _ => {}
        }
        if !matches!(expr.kind, ExprKind::Call(..)) {
            for part in expr.parts() {
                let part = self.expr(part, parameters, visible);
                size.add(&part, 1);
            }
        }
        size
    }

    fn callee(&mut self, name: &str, visible: &[Arc<SpecFunction>]) -> Option<Size> {
        let place = visible.iter().rposition(|known| &*known.name == name);
        let (function, before) = match place {
            Some(place) => (Arc::clone(&visible[place]), &visible[..place]),
            None => (Arc::clone(self.functions.get(name)?), &visible[..0]),
        };
        let key = Arc::as_ptr(&function) as usize;
        if let Some(size) = self.known.get(&key) {
            return Some(size.clone());
        }
        let size = self.expr(&function.body, &function.parameters, before);
        self.known.insert(key, size.clone());
        Some(size)
    }
}
