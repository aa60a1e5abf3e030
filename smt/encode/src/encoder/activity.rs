//! Activities: which lanes reach a point of the program.

use laneproof_lower::{Activity, ActivityId, BranchTest, Flat, ValueId};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::Encoder;

/// The same for a way out of a switch, in one step. A switch is a chain of tests, one for each case.
/// A lane passes the tests before its own case; together they say that its selector equals its own
/// case's literal, or none of the literals.
fn of_switch(
    flat: &Flat,
    from: ActivityId,
    test: &BranchTest,
    within: Option<ActivityId>,
) -> (ActivityId, BranchTest) {
    let (BranchTest::Equals(selector, own) | BranchTest::Differs(selector, own)) = test else {
        return (from, test.clone());
    };
    let is_case = matches!(test, BranchTest::Equals(..));
    let (mut base, mut excluded) = (from, own.clone());
    while within != Some(base)
        && let Activity::Edge(before, BranchTest::Differs(value, literals)) =
            &flat.lanes.activities[base.0 as usize]
        && value == selector
    {
        // Of one literal in two cases the first would count.
        if is_case && literals.iter().any(|literal| own.contains(literal)) {
            return (from, test.clone());
        }
        if !is_case {
            excluded.extend_from_slice(literals);
        }
        base = *before;
    }
    let test = if is_case { test.clone() } else { BranchTest::Differs(*selector, excluded) };
    (base, test)
}

impl Encoder<'_, '_, '_> {
    /// Whether a lane has an activity.
    pub fn activity(&mut self, id: ActivityId, lane: Term) -> Result<Term, DenoteError> {
        self.way(id, None, lane)
    }

    /// The same for a lane that is known to have another activity.
    pub fn way(
        &mut self,
        id: ActivityId,
        within: Option<ActivityId>,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        if let Some(&known) = self.side.encoded.activities.get(&(id, within, lane)) {
            return Ok(known);
        }
        let flat = self.side.flat;
        let term = match &flat.lanes.activities[id.0 as usize] {
            _ if within == Some(id) => self.pool.bool(true),
            Activity::Entry => self.pool.bit(self.world.entry.active, lane),
            Activity::Live => self.live(lane)?,
            Activity::Edge(from, test) => {
                let (from, test) = of_switch(flat, *from, test, within);
                let from = self.way(from, within, lane)?;
                if self.pool.bool_of(from) == Some(false) {
                    from
                } else {
                    let test = self.test(&test, lane)?;
                    self.pool.and(from, test)
                }
            }
            Activity::Union(parts) => {
                let parts = parts
                    .iter()
                    .map(|&part| self.way(part, within, lane))
                    .collect::<Result<Vec<_>, _>>()?;
                self.pool.any(parts)
            }
        };
        self.side.encoded.activities.insert((id, within, lane), term);
        Ok(term)
    }

    fn test(&mut self, test: &BranchTest, lane: Term) -> Result<Term, DenoteError> {
        Ok(match test {
            BranchTest::Holds(value) => self.scalar(*value, lane)?.bits,
            BranchTest::Fails(value) => {
                let bits = self.scalar(*value, lane)?.bits;
                self.pool.not(bits)
            }
            BranchTest::Equals(value, literals) => self.one_of(*value, literals, lane)?,
            BranchTest::Differs(value, literals) => {
                let one = self.one_of(*value, literals, lane)?;
                self.pool.not(one)
            }
        })
    }

    fn one_of(
        &mut self,
        value: ValueId,
        literals: &[u64],
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let bits = self.scalar(value, lane)?.bits;
        let width = self.pool.width(bits);
        let equal: Vec<Term> = literals
            .iter()
            .map(|&literal| {
                let literal = self.pool.bits(u128::from(literal), width);
                self.pool.equal(bits, literal)
            })
            .collect();
        Ok(self.pool.any(equal))
    }
}
