//! Other lanes: `at`, quantifiers, folds.

use smallvec::SmallVec;

use super::expression::{Context, INACTIVE, NONEXISTENT, Presupposition};
use super::instance::{DenoteError, Fold, Group, LaneQuantifier, Part};
use super::locals::Local;
use super::value::{Mode, Value, mismatch};
use crate::language::ast::{Expr, Name, Quantifier};
use crate::term::{Pool, Scan, Term};

impl<'a, G: Group> Context<'a, '_, G> {
    /// Evaluates `body` for another lane, which is presupposed to exist and to be active.
    pub(super) fn at(
        &mut self,
        lane: Term,
        body: impl FnOnce(&mut Self) -> Result<Value, DenoteError>,
    ) -> Result<Value, DenoteError> {
        self.noted.elsewhere += 1;
        if !self.at.known_active.contains(&lane) {
            let guard = self.at.guard;
            let exists = self.group.exists(lane);
            let active = self.group.active(lane)?;
            let pool = self.group.pool();
            let there = [exists, active].iter().all(|&it| pool.bool_of(it) == Some(true));
            if there {
                return self.in_another(lane, body);
            }
            let absent = pool.not(exists);
            let inactive = pool.not(active);
            for (parts, reading) in
                [(vec![guard, absent], NONEXISTENT), (vec![guard, exists, inactive], INACTIVE)]
            {
                let unmet = pool.all(parts);
                if pool.bool_of(unmet) != Some(false) {
                    self.noted.presuppositions.push(Presupposition { unmet, reading });
                }
            }
        }
        self.in_another(lane, body)
    }

    /// Evaluates `body` with a lane variable bound, in a lane of the set that it runs over.
    pub(super) fn for_lane<T>(
        &mut self,
        variable: &'a Name,
        lane: Term,
        member: Term,
        active: bool,
        body: impl FnOnce(&mut Self) -> Result<T, DenoteError>,
    ) -> Result<T, DenoteError> {
        let depth = self.locals.len();
        self.locals.push(variable, Local::Value(Value::int(lane)));
        let known = self.at.known_active.len();
        self.at.known_active.extend(active.then_some(lane));
        let result = self.under(member, body);
        self.at.known_active.truncate(known);
        self.locals.truncate(depth);
        result
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: &'a Name,
        active: bool,
        body: &'a Expr,
    ) -> Result<Value, DenoteError> {
        if let Some(any) = self.group.any_lane() {
            return self.by_any_lane(quantifier, variable, active, body, any);
        }
        let mut holds: SmallVec<[Term; 16]> = SmallVec::new();
        // The set of lanes in which it holds, as long as that is known.
        let mut known = Some(0u128);
        for index in 0..self.group.lane_bound() {
            let lane = self.pool().bits(u128::from(index), 32);
            let member = self.member(lane, active)?;
            let holds_here = if self.pool().bool_of(member) == Some(false) {
                self.pool().bool(quantifier == Quantifier::ForAll)
            } else {
                let holds =
                    self.for_lane(variable, lane, member, active, |it| it.condition(body))?;
                match quantifier {
                    Quantifier::ForAll => self.pool().implies(member, holds),
                    _ => self.pool().and(member, holds),
                }
            };
            let bit = self.pool().bool_of(holds_here).map(|it| u128::from(it) << index);
            known = known.zip(bit).map(|(known, bit)| known | bit);
            holds.push(holds_here);
        }
        let pool = self.group.pool();
        Ok(match quantifier {
            Quantifier::ForAll => Value::Bool(pool.all(holds)),
            Quantifier::Exists => Value::Bool(pool.any(holds)),
            Quantifier::Count | Quantifier::Lanes | Quantifier::Lowest | Quantifier::Highest => {
                let mask = match known {
                    Some(known) => pool.bits(known, 128),
                    None => {
                        let never = pool.bool(false);
                        holds.resize(128, never);
                        pool.from_bits(holds.into_vec())
                    }
                };
                of_mask(pool, quantifier, mask)
            }
        })
    }

    /// The first and the last of the active lanes are active: the lane that asks is one.
    pub(super) fn note_end_of_active(&mut self, quantifier: Quantifier, found: &Value) {
        if let (Quantifier::Lowest | Quantifier::Highest, Value::Int { bits, .. }) =
            (quantifier, found)
        {
            self.at.known_active.push(*bits);
        }
    }

    fn member(&mut self, lane: Term, active: bool) -> Result<Term, DenoteError> {
        if active { self.group.active(lane) } else { Ok(self.group.exists(lane)) }
    }

    /// The same by a quantifier over lanes.
    fn by_any_lane(
        &mut self,
        quantifier: Quantifier,
        variable: &'a Name,
        active: bool,
        body: &'a Expr,
        any: Term,
    ) -> Result<Value, DenoteError> {
        let member = self.member(any, active)?;
        let holds = self.looking_at(any, |it| {
            it.for_lane(variable, any, member, active, |it| it.condition(body))
        })?;
        let pool = self.group.pool();
        let over_lanes = match quantifier {
            Quantifier::ForAll => LaneQuantifier::Every(pool.implies(member, holds)),
            Quantifier::Exists => {
                let both = pool.and(member, holds);
                LaneQuantifier::Every(pool.not(both))
            }
            _ => LaneQuantifier::Set(pool.and(member, holds)),
        };
        let found = self.group.quantifier(any, self.at.lane, over_lanes)?;
        self.group.leave();
        let pool = self.group.pool();
        Ok(match quantifier {
            Quantifier::ForAll => Value::Bool(found),
            Quantifier::Exists => Value::Bool(pool.not(found)),
            _ => of_mask(pool, quantifier, found),
        })
    }

    /// What `look` presupposes of the placeholder lane, it presupposes of all lanes.
    pub(super) fn looking_at<T>(
        &mut self,
        any: Term,
        look: impl FnOnce(&mut Self) -> Result<T, DenoteError>,
    ) -> Result<T, DenoteError> {
        let before = self.noted.presuppositions.len();
        let seen = look(self)?;
        for index in before..self.noted.presuppositions.len() {
            let unmet = self.noted.presuppositions[index].unmet;
            let pool = self.group.pool();
            let met = pool.not(unmet);
            let met = self.group.quantifier(any, self.at.lane, LaneQuantifier::Every(met))?;
            self.noted.presuppositions[index].unmet = self.group.pool().not(met);
        }
        Ok(seen)
    }

    /// The parts of all possible members; and one of them, if there is any.
    pub(super) fn parts(
        &mut self,
        variable: &'a Name,
        condition: &'a Expr,
        body: &'a Expr,
    ) -> Result<(Vec<Part>, Option<Value>), DenoteError> {
        if self.group.any_lane().is_some() {
            self.group.leave();
            let what = "a reduction in any order, of all lanes at once,";
            return Err(DenoteError::NotModelled(what.into()));
        }
        let mut parts = Vec::with_capacity(self.group.lane_bound().min(8) as usize);
        let mut like: Option<Value> = None;
        for index in 0..self.group.lane_bound() {
            let lane = self.pool().bits(u128::from(index), 32);
            let active = self.group.active(lane)?;
            if self.pool().bool_of(active) == Some(false) {
                continue;
            }
            let (member, part) = self.contribution(variable, lane, active, condition, body)?;
            let value = reduced(part.clone())?;
            like = Some(part);
            parts.push(Part { lane: index, member, value });
        }
        Ok((parts, like))
    }

    pub(super) fn fold(
        &mut self,
        operator: &'a Name,
        identity: &'a Expr,
        variable: &'a Name,
        condition: &'a Expr,
        body: &'a Expr,
    ) -> Result<Value, DenoteError> {
        if let Some(any) = self.group.any_lane() {
            return self.quantified_fold(operator, identity, variable, condition, body, any);
        }
        let (parts, like) = self.parts(variable, condition, body)?;
        let Some(like) = like else {
            let identity = self.evaluate(identity, Mode::Compute)?;
            return self.scalar(identity);
        };
        let wrap = |bits: Term| match &like {
            Value::Bool(_) => Value::Bool(bits),
            _ => Value::int(bits),
        };
        let (combined, identity) = self.monoid(operator, identity, &like)?;
        let fold = Fold { operator: combined, identity, parts };
        if let Some(term) = self.group.fold(&fold) {
            return Ok(wrap(term));
        }
        let pool = self.group.pool();
        let mut row: Vec<Term> = fold
            .parts
            .iter()
            .map(|part| pool.ite(part.member, part.value, fold.identity))
            .collect();
        while row.len() > 1 {
            let mut next = Vec::with_capacity(row.len().div_ceil(2));
            for pair in row.chunks(2) {
                next.push(match *pair {
                    [a, b] => {
                        reduced(self.apply(operator, vec![wrap(a), wrap(b)], Mode::Compute)?)?
                    }
                    _ => pair[0],
                });
            }
            row = next;
        }
        Ok(wrap(row.first().copied().unwrap_or(identity)))
    }

    /// Whether an active lane is a member of a reduction, and its part.
    fn contribution(
        &mut self,
        variable: &'a Name,
        lane: Term,
        active: Term,
        condition: &'a Expr,
        body: &'a Expr,
    ) -> Result<(Term, Value), DenoteError> {
        let (member, part) = self.for_lane(variable, lane, active, true, |it| {
            let member = it.condition(condition)?;
            let part = it.under(member, |it| it.evaluate(body, Mode::Compute))?;
            Ok((member, it.scalar(part)?))
        })?;
        Ok((self.pool().and(active, member), part))
    }

    /// The operator over placeholders and its identity, for parts like this one.
    fn monoid(
        &mut self,
        operator: &'a Name,
        identity: &'a Expr,
        like: &Value,
    ) -> Result<(Term, Term), DenoteError> {
        let identity = self.evaluate(identity, Mode::Compute)?;
        let (identity, _) = self.alike(identity, like.clone())?;
        let identity = reduced(identity)?;
        let sort = self.pool().sort(identity);
        let placeholders = [0, 1].map(|index| {
            let argument = self.pool().placeholder(index, sort);
            match like {
                Value::Bool(_) => Value::Bool(argument),
                _ => Value::int(argument),
            }
        });
        let combined = self.apply(operator, placeholders.to_vec(), Mode::Compute)?;
        Ok((reduced(combined)?, identity))
    }

    /// A reduction by a quantifier over lanes.
    fn quantified_fold(
        &mut self,
        operator: &'a Name,
        identity: &'a Expr,
        variable: &'a Name,
        condition: &'a Expr,
        body: &'a Expr,
        any: Term,
    ) -> Result<Value, DenoteError> {
        let active = self.group.active(any)?;
        let (member, part) =
            self.looking_at(any, |it| it.contribution(variable, any, active, condition, body))?;
        let value = reduced(part.clone())?;
        let (operator, identity) = self.monoid(operator, identity, &part)?;
        let quantifier = LaneQuantifier::Fold { operator, identity, member, value };
        let found = self.group.quantifier(any, self.at.lane, quantifier)?;
        self.group.leave();
        Ok(match part {
            Value::Bool(_) => Value::Bool(found),
            _ => Value::int(found),
        })
    }
}

/// What a quantifier asks of the set of lanes.
fn of_mask(pool: &mut Pool, quantifier: Quantifier, mask: Term) -> Value {
    match quantifier {
        Quantifier::Count => Value::int(pool.scan(Scan::Count, mask)),
        Quantifier::Lowest => Value::int(pool.scan(Scan::Lowest, mask)),
        Quantifier::Highest => Value::int(pool.scan(Scan::Highest, mask)),
        _ => Value::Mask(mask),
    }
}

/// The term of one step of a reduction.
fn reduced(value: Value) -> Result<Term, DenoteError> {
    match value {
        Value::Int { bits, .. } | Value::Bool(bits) => Ok(bits),
        other => Err(mismatch("an integer or a truth value", &other)),
    }
}
