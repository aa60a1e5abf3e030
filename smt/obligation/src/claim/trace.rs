//! Traces: accesses to memory are compared one by one, with arbitrary results.
//!
//! Suppose that every lane of the target makes the accesses of the source, one for one, to the same
//! addresses and with the same values, given that both read the same values before. Then order,
//! aliasing and other invocations affect both in the same way. So the result of each access is
//! arbitrary here, equal for both sides, and memory itself is not encoded. This proves for any
//! number of subgroups, for memories that may alias, and in any memory model.

use laneproof_encode::{Contact, Effect, EncodedSide};
use laneproof_lower::{Barrier, Flat, Step, Touch};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use crate::claim::lanewise::same_region;
use crate::claim::{ObligationBuilder, Parts};
use crate::disagreement::disagrees;

/// The accesses of the two may be the same, one for one, by a syntactic check: their kinds,
/// operands, and the barriers and memory barriers between them.
pub fn may_agree(source: &Flat, target: &Flat) -> bool {
    let same_step = |a: &Step, b: &Step| {
        a.instruction.name == b.instruction.name && a.instance.arguments == b.instance.arguments
    };
    let pairs = || source.memory.accesses.iter().zip(&target.memory.accesses);
    source.memory.accesses.len() == target.memory.accesses.len()
        && source.memory.barriers == target.memory.barriers
        && source.memory.fences == target.memory.fences
        && source.memory.barriers.iter().all(Barrier::is_always_reached)
        && pairs().all(|(a, b)| {
            (a.order, a.barriers) == (b.order, b.barriers)
                && match (&a.what, &b.what) {
                    (Touch::Load(a), Touch::Load(b)) | (Touch::Store(a, _), Touch::Store(b, _)) => {
                        same_region(target, b.address.region, source) == Some(a.address.region)
                            && a.offsets.len() == b.offsets.len()
                    }
                    (Touch::Step(a), Touch::Step(b)) => same_step(source.step(*a), target.step(*b)),
                    _ => false,
                }
        })
}

impl<'a> ObligationBuilder<'_, 'a> {
    /// In `lane` some access of the target differs from that of the source.
    pub fn traces_differ(
        &mut self,
        lane: Term,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
    ) -> Result<Parts, DenoteError> {
        let not_modelled = |what: &str| Err(DenoteError::NotModelled(what.into()));
        if !may_agree(source.flat, target.flat) {
            return not_modelled("that the two touch memory in other steps");
        }
        let mut fails = Vec::new();
        for number in 0..target.flat.memory.accesses.len() {
            if let Touch::Step(step) = target.flat.memory.accesses[number].what
                && !self.encoder(target).is_serialized(step)?
            {
                return not_modelled(
                    "an instruction that reads memory by its clauses, step by step,",
                );
            }
            let expected = self.encoder(source).contacts(number, lane)?;
            let found = self.encoder(target).contacts(number, lane)?;
            if expected.all.len() != found.all.len() {
                let all = expected.all.iter().chain(&found.all);
                fails.extend(all.map(|contact| contact.when));
                continue;
            }
            for (a, b) in expected.all.iter().zip(&found.all) {
                if same_region(target.flat, b.region, source.flat) != Some(a.region) {
                    fails.extend([a.when, b.when]);
                    continue;
                }
                fails.extend(self.contacts_differ(a, b)?);
            }
            fails.extend(self.updates_differ(number, lane, source, target)?);
        }
        Ok(Parts { fails, covers_others: true, ..Parts::default() })
    }

    fn contacts_differ(&mut self, a: &Contact, b: &Contact) -> Result<[Term; 3], DenoteError> {
        let both = self.pool.equal(a.when, b.when);
        let only_one = self.pool.not(both);
        let same = self.pool.equal(a.at, b.at);
        let apart = self.pool.not(same);
        let apart = self.pool.and(b.when, apart);
        let differ = match (a.effect, b.effect) {
            (Effect::Write(expected), Effect::Write(found)) => {
                disagrees(self.pool, expected, found)?
            }
            (Effect::Read, Effect::Read) | (Effect::Update(_), Effect::Update(_)) => {
                self.pool.bool(false)
            }
            _ => self.pool.bool(true),
        };
        Ok([only_one, apart, self.pool.and(b.when, differ)])
    }

    /// The updates of a lane write different values.
    fn updates_differ(
        &mut self,
        number: usize,
        lane: Term,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
    ) -> Result<Vec<Term>, DenoteError> {
        let mut left = Vec::new();
        for side in [source, target] {
            let Touch::Step(step) = side.flat.memory.accesses[number].what else {
                return Ok(Vec::new());
            };
            left.push(self.encoder(side).left_by_update(number, step, lane)?);
        }
        match left.as_slice() {
            [Some((when, expected)), Some((_, found))] => {
                let differ = disagrees(self.pool, *expected, *found)?;
                Ok(vec![self.pool.and(*when, differ)])
            }
            [None, None] => Ok(Vec::new()),
            _ => Ok(vec![self.pool.bool(true)]),
        }
    }
}
