//! Invariants that a user states, as clauses of the specification language.
//!
//! A name is a value of the lane: a part of the loop's state or a parameter, by its `OpName`. `live`
//! means that the lane is at the header, `active(l)` that lane `l` entered the loop. A stated
//! invariant is a candidate like any other: it is used only if it holds initially and every
//! iteration preserves it.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_encode::InputLeaf;
use laneproof_semantics::denote::{
    Argument, DenoteError, Fold, Group, Instance, LaneQuantifier, Leaf, State, denote,
};
use laneproof_semantics::term::{GroundValue, Node, Pool, Sort, Term};
use laneproof_semantics::{Scalar, Specification, Type};
use laneproof_solve::Model;

use super::both_sides::BothSides;
use super::statement::{Moment, Named, Stated};
use crate::invariant::InvariantStatus;

/// The name under which an invariant is read.
const NAME: &str = "stated_invariant";
/// Operators that a fold may name.
const OPERATORS: &str = "let add(a, b) = a + b let mul(a, b) = a * b let and_bits(a, b) = a & b \
    let or_bits(a, b) = a | b let xor_bits(a, b) = a ^ b \
    let min(a, b) = if a < b then a else b let max(a, b) = if a < b then b else a";

/// The name of a type in the specification language, if it has one.
fn word(ty: &Type) -> Option<String> {
    match ty {
        Type::Scalar(Scalar::Bool) => Some("bool".into()),
        Type::Scalar(Scalar::Int { width: width @ (8 | 16 | 32 | 64), .. }) => {
            Some(format!("u{width}"))
        }
        Type::Scalar(Scalar::Int { .. }) => Some("int".into()),
        ty if *ty == Type::BALLOT => Some("ballot".into()),
        _ => None,
    }
}

impl BothSides<'_, '_> {
    /// Parses an invariant, or returns why it cannot be parsed.
    pub(super) fn read_stated(&mut self, number: usize, text: &str) -> Result<Stated, String> {
        let words: BTreeSet<&str> =
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let cut = self.cut().map_err(|error| error.to_string())?;
        let slots = cut.slots.iter().enumerate().map(|(slot, it)| {
            (it.name.as_str(), Named::Slot(slot), self.looping().ty(it.held).clone())
        });
        let parameters =
            self.looping().interface.inputs.iter().enumerate().map(|(position, input)| {
                (input.name.as_str(), Named::Parameter(position), input.ty.clone())
            });
        let mut known: Vec<(&str, Named, Type)> = vec![("live", Named::Live, Type::BOOL)];
        for (name, named, ty) in slots.chain(parameters) {
            if words.contains(name) && known.iter().all(|(other, ..)| *other != name) {
                known.push((name, named, ty));
            }
        }
        let mut operands = Vec::new();
        for (name, _, ty) in &known {
            let word = word(ty).ok_or_else(|| format!("`{name}` is of a type without a word"))?;
            operands.push(format!("{name}: {word}"));
        }
        let file = format!(
            "document INVARIANT primitive {NAME} operands {} \
             result bool [1] \"What is stated\" {OPERATORS} result is\n{text}\n",
            operands.join(", ")
        );
        let read: Result<Specification, _> =
            self.world.specification.extended_with("the invariant", &file);
        let instruction = read.map_err(|error| error.to_string())?.instructions.get(NAME).cloned();
        let instance = Instance {
            arguments: known.iter().map(|(.., ty)| Argument::Value(ty.clone())).collect(),
            result: Some(Type::BOOL),
            capabilities: Arc::default(),
            modes: Arc::default(),
            version: (1, 6),
            decorations: BTreeSet::new(),
        };
        let named = known.into_iter().map(|(_, named, _)| named).collect();
        let instruction = instruction.ok_or_else(|| "no clause was read".to_owned())?;
        let mut stated = Stated { instruction, instance, named, number, reduces: false };
        let lane = self.lane;
        let holds = self.holds(&stated, Moment::Before, lane).map_err(|error| error.to_string())?;
        stated.reduces = self.below(&[holds]).into_iter().any(|it| match self.pool.node(it) {
            Node::Apply(symbol, _) => {
                matches!(
                    self.world.quantifiers.definitions.get(symbol),
                    Some(LaneQuantifier::Fold { .. })
                )
            }
            _ => false,
        });
        Ok(stated)
    }

    /// A stated invariant holds for a lane: it is true, and nothing in it is silent or undefined.
    pub(super) fn is_stated(
        &mut self,
        index: usize,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let Some(stated) = self.claims.stated.get(index).cloned() else {
            return Err(DenoteError::Specification("no such invariant".into()));
        };
        self.holds(&stated, moment, lane)
    }

    fn holds(&mut self, stated: &Stated, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        let (specification, settled) = (self.world.specification, self.world.settled);
        let mut eyes = InvariantContext { sides: self, stated, moment };
        let (instruction, instance) = (&stated.instruction, &stated.instance);
        let outcome = denote(specification, settled, instruction, instance, &mut eyes, lane)?;
        let mut fails = Vec::new();
        for cause in outcome.silence.iter().chain(&outcome.undefined_behavior) {
            fails.push(cause.condition);
        }
        for leaf in outcome.leaves {
            fails.extend([leaf.undefined, self.pool.not(leaf.bits)]);
        }
        fails.extend(outcome.such_that);
        let fails = self.pool.any(fails);
        Ok(self.pool.not(fails))
    }

    /// Records why a stated invariant fails, by the state just found.
    pub(super) fn note_failure(&mut self, index: usize, moment: Moment) -> Result<(), DenoteError> {
        let (Some(stated), lane) = (self.claims.stated.get(index).cloned(), self.lane) else {
            return Ok(());
        };
        let state = self.lane_state(moment, lane)?;
        if let Some(report) = self.claims.invariants.get_mut(stated.number) {
            report.status = match moment {
                Moment::Start => InvariantStatus::FailsAtFirst(state),
                _ => InvariantStatus::IsLost(state),
            };
        }
        Ok(())
    }

    /// Describes the lane in focus in the last model.
    fn lane_state(&mut self, moment: Moment, lane: Term) -> Result<String, DenoteError> {
        let Some(model) = self.queries.found.take() else {
            return Ok("a lane whose state is unknown".into());
        };
        let size = self.world.entry.size;
        let mut values = Vec::new();
        for slot in 0..self.cut()?.slots.len() {
            let name = self.slot(slot)?.name.clone();
            if name.is_empty() || !self.slots().contains(&slot) {
                continue;
            }
            let first = if moment == Moment::Start { Moment::Start } else { Moment::Before };
            let mut text = format!("{name} = {}", self.shown(&model, first, slot, lane)?);
            if moment == Moment::After {
                let after = self.shown(&model, Moment::After, slot, lane)?;
                text.push_str(&format!(", then {after}"));
            }
            values.push(text);
        }
        let numbers = self.pool.evaluate(&[lane, size], &model);
        let at = match moment {
            Moment::Start => "when the loop is entered",
            _ => "in an iteration",
        };
        let [lane, size] = [numbers[0].as_bits(), numbers[1].as_bits()];
        Ok(format!("lane {lane} of {size}, {at}: {}", values.join("; ")))
    }

    fn shown(
        &mut self,
        model: &Model,
        moment: Moment,
        slot: usize,
        lane: Term,
    ) -> Result<String, DenoteError> {
        let leaves = self.held(moment, slot, lane)?;
        let terms: Vec<Term> = leaves.iter().flat_map(|it| [it.bits, it.undefined]).collect();
        let values = self.pool.evaluate(&terms, model);
        let words = values.chunks_exact(2).map(|pair| match (pair[1].is_true(), pair[0]) {
            (true, _) => "undefined".to_owned(),
            (false, GroundValue::Bool(truth)) => truth.to_string(),
            (false, bits) => format!("{:#x}", bits.as_bits()),
        });
        Ok(words.collect::<Vec<_>>().join(" "))
    }
}

/// The state as a stated invariant sees it at a moment.
struct InvariantContext<'e, 'f, 'q> {
    sides: &'e mut BothSides<'f, 'q>,
    stated: &'e Stated,
    moment: Moment,
}

impl Group for InvariantContext<'_, '_, '_> {
    fn pool(&mut self) -> &mut Pool {
        &mut self.sides.pool
    }

    /// An undefined value has arbitrary bits here; other candidates say that values are defined.
    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let undefined = self.sides.pool.bool(false);
        let bits = match self.stated.named[operand] {
            Named::Live => vec![self.sides.live(self.moment, lane)?],
            Named::Slot(slot) => {
                let held = self.sides.held(self.moment, slot, lane)?;
                held.into_iter().map(|leaf| leaf.bits).collect()
            }
            Named::Parameter(position) => {
                let leaves = self.sides.world.entry.inputs[position].clone();
                let pool = &mut self.sides.pool;
                let bits = leaves.into_iter().map(|leaf| match leaf {
                    InputLeaf::PerLane(symbol) => Ok(pool.apply(symbol, lane)),
                    InputLeaf::Uniform(symbol) => Ok(pool.variable(symbol)),
                    _ => Err(DenoteError::NotModelled("a payload that is only moved".into())),
                });
                bits.collect::<Result<_, _>>()?
            }
        };
        Ok(bits.into_iter().map(|bits| Leaf { bits, undefined }).collect())
    }

    fn draw(&mut self, _operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.open_result(leaf, lane, sort)
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        self.sides.entered(lane)
    }

    fn exists(&mut self, lane: Term) -> Term {
        let existing = self.sides.world.entry.existing;
        self.sides.pool.less(lane, existing)
    }

    fn state(&mut self, state: State) -> Term {
        let world = &self.sides.world;
        match state {
            State::SubgroupSize => world.entry.size,
            State::SubgroupMaxSize => world.entry.max_size,
            State::ExistingLanes => world.entry.existing,
        }
    }

    fn lane_bound(&self) -> u32 {
        self.sides.world.entry.bound
    }

    /// Stated invariants have no open results, so this is never used.
    fn open_result(&mut self, _leaf: usize, lane: Term, sort: Sort) -> Term {
        let symbol = self.sides.pool.symbol("stated.open", sort);
        self.sides.pool.apply(symbol, lane)
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.open_result(leaf, lane, sort)
    }

    fn any_lane(&mut self) -> Option<Term> {
        let BothSides { world, pool, .. } = &mut *self.sides;
        world.quantifiers.enter(pool)
    }

    fn leave(&mut self) {
        self.sides.world.quantifiers.leave();
    }

    fn quantifier(
        &mut self,
        any: Term,
        here: Term,
        quantifier: LaneQuantifier,
    ) -> Result<Term, DenoteError> {
        let BothSides { world, pool, .. } = &mut *self.sides;
        world.quantifiers.term(pool, any, here, &quantifier)
    }

    fn fold(&mut self, fold: &Fold) -> Option<Term> {
        let BothSides { world, pool, .. } = &mut *self.sides;
        world.folds.term(pool, fold)
    }
}
