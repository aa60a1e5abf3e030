//! An arbitrary group: everything that clauses use of it is a named symbol.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use laneproof_semantics::Type;
use laneproof_semantics::denote::{Argument, DenoteError, Group, Instance, Leaf, State};
use laneproof_semantics::language::ast::Name;
use laneproof_semantics::term::{Pool, Sort, Symbol, Term};

use super::FEW_LANES;
use crate::model_check::Clauses;

/// Words that begin with a capital and mean something else in a script.
const TAKEN: [&str; 9] = [
    "Bool",
    "Int",
    "Real",
    "Array",
    "String",
    "SubgroupSize",
    "SubgroupMaxSize",
    "ExistingLanes",
    "SubgroupId",
];

/// The group, and the names that were given.
pub(super) struct Symbolic<'i> {
    pub pool: Pool,
    /// The lane that everything is about.
    pub id: Term,
    pub active: Term,
    instance: &'i Instance,
    names: Vec<Arc<str>>,
    constant: Vec<bool>,
    states: BTreeMap<&'static str, Term>,
    symbols: BTreeMap<String, Symbol>,
    bounded: Cell<bool>,
}

impl<'i> Symbolic<'i> {
    pub(super) fn new(instance: &'i Instance, clauses: Clauses<'_>) -> Self {
        let mut pool = Pool::new();
        let id = pool.fresh("id", Sort::Bits(32));
        let active = pool.fresh("active", Sort::Bits(128));
        let operands = match clauses {
            Clauses::Instruction(instruction) => &instruction.operands[..],
            Clauses::BuiltIn(_) => &[],
        };
        // SMT-LIB's own words, and those of the script, are small.
        let name = |name: &Name| {
            let own = name.starts_with(|c: char| c.is_ascii_uppercase());
            let free = own && !TAKEN.contains(&&**name);
            if free { Arc::clone(name.text()) } else { format!("operand.{name}").into() }
        };
        Self {
            pool,
            id,
            active,
            instance,
            names: operands.iter().map(|operand| name(&operand.name)).collect(),
            constant: operands.iter().map(|operand| operand.constant).collect(),
            states: BTreeMap::new(),
            symbols: BTreeMap::new(),
            bounded: Cell::new(false),
        }
    }

    /// Some quantifier over all lanes was used.
    pub(super) fn bounded(&self) -> bool {
        self.bounded.get()
    }

    /// A size by its name, whether it is used or not.
    pub(super) fn size(&mut self, name: &'static str) -> Term {
        let pool = &mut self.pool;
        *self.states.entry(name).or_insert_with(|| pool.fresh(name, Sort::Bits(32)))
    }

    fn symbol(&mut self, name: String, sort: Sort) -> Symbol {
        let pool = &mut self.pool;
        *self.symbols.entry(name).or_insert_with_key(|name| pool.symbol(name.as_str(), sort))
    }

    /// The operand's name or, where it has several scalars, that and the scalar's number.
    fn name(&self, operand: usize, leaf: usize, leaves: usize) -> String {
        let name = self.names.get(operand).map_or("operand", |name| &**name);
        if leaves == 1 { name.to_owned() } else { format!("{name}.{leaf}") }
    }

    fn leaves(&self, operand: usize) -> Vec<Sort> {
        let scalars = match self.instance.arguments.get(operand) {
            Some(Argument::Value(ty)) => ty.leaves(),
            Some(Argument::Values(types)) => types.iter().flat_map(Type::leaves).collect(),
            _ => Vec::new(),
        };
        scalars.into_iter().map(Sort::from).collect()
    }
}

impl Group for Symbolic<'_> {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let sorts = self.leaves(operand);
        let count = sorts.len();
        let mut leaves = Vec::new();
        for (leaf, sort) in sorts.into_iter().enumerate() {
            let name = self.name(operand, leaf, count);
            // A constant is the same in all lanes, and never undefined.
            leaves.push(if self.constant.get(operand) == Some(&true) {
                let symbol = self.symbol(name, sort);
                let undefined = self.pool.bool(false);
                Leaf { bits: self.pool.variable(symbol), undefined }
            } else {
                let bits = self.symbol(name.clone(), sort);
                let mark = self.symbol(format!("{name}.undefined"), Sort::Bool);
                Leaf { bits: self.pool.apply(bits, lane), undefined: self.pool.apply(mark, lane) }
            });
        }
        Ok(leaves)
    }

    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        let name = self.name(operand, leaf, self.leaves(operand).len());
        let symbol = self.symbol(format!("{name}.drawn"), sort);
        self.pool.apply(symbol, lane)
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        Ok(self.pool.bit(self.active, lane))
    }

    fn exists(&mut self, lane: Term) -> Term {
        let existing = self.size("ExistingLanes");
        self.pool.less(lane, existing)
    }

    fn state(&mut self, state: State) -> Term {
        self.size(match state {
            State::SubgroupSize => "SubgroupSize",
            State::SubgroupMaxSize => "SubgroupMaxSize",
            State::ExistingLanes => "ExistingLanes",
        })
    }

    fn lane_bound(&self) -> u32 {
        self.bounded.set(true);
        FEW_LANES
    }

    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        let symbol = self.symbol(format!("chosen.{leaf}"), sort);
        self.pool.apply(symbol, lane)
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        let symbol = self.symbol(format!("payload.{leaf}"), sort);
        self.pool.apply(symbol, lane)
    }

    fn either(&mut self, lane: Term) -> Result<Term, DenoteError> {
        let symbol = self.symbol("first".to_owned(), Sort::Bool);
        Ok(self.pool.apply(symbol, lane))
    }
}
