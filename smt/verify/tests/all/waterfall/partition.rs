//! The waterfall that computes a partition: each iteration the first live lane's value is handed
//! to all live lanes, those that agree write their ballot and leave.

use z3::ast::{BV, Bool};

use super::lanes::{ID, LANES, PerLane, Subgroup, has, is_first, lane, mask};

/// When two lanes' values agree.
#[derive(Clone, Copy)]
pub enum Agreement {
    /// `OpIEqual`.
    Bits,
    /// `OpFOrdEqual`: a NaN agrees with nothing, itself included.
    Float,
    /// `OpFOrdEqual`, and the first live lane always agrees with itself.
    FloatOrMyself,
}

/// Whose value is handed out.
#[derive(Clone, Copy, PartialEq)]
pub enum Handed {
    /// The first live lane's of this iteration.
    First,
    /// One that was read before the loop began.
    Stale,
    /// Each lane picks a live lane of its own: the "first" is not one lane for all.
    Scattered,
}

/// The loop's design: the right one, or one with a planted fault.
#[derive(Clone, Copy)]
pub struct Design {
    pub agreement: Agreement,
    pub handed: Handed,
    /// The ballot counts the live lanes only; otherwise all active ones.
    pub ballot_is_live: bool,
    /// All lanes that agree leave; otherwise only the first does.
    pub all_leave: bool,
}

pub const RIGHT: Design = Design {
    agreement: Agreement::Bits,
    handed: Handed::First,
    ballot_is_live: true,
    all_leave: true,
};

/// A state at the loop's header.
#[derive(Clone, Copy)]
pub enum Moment {
    /// The arbitrary state that an iteration begins in.
    Before,
    /// The one that it makes.
    After,
}

/// One iteration, from an arbitrary state to the next.
pub struct Waterfall {
    design: Design,
    pub group: Subgroup,
    value: PerLane,
    /// What a lane wrote when it left; arbitrary before.
    answer: PerLane,
    pub live: BV,
    pub first: BV,
    /// The lanes that agree; in `Handed::Scattered` each lane sees a ballot of its own.
    ballot: PerLane,
    handed_by: PerLane,
    stale: BV,
}

impl Waterfall {
    pub fn new(design: Design) -> Self {
        Self {
            design,
            group: Subgroup::any(),
            value: PerLane::new("value", 32),
            answer: PerLane::new("answer", LANES),
            live: mask("L"),
            first: lane("f"),
            ballot: PerLane::new("ballot", LANES),
            handed_by: PerLane::new("handed_by", ID),
            stale: BV::new_const("stale", 32),
        }
    }

    fn agree(&self, a: &BV, b: &BV) -> Bool {
        match self.design.agreement {
            Agreement::Bits => a.eq(b),
            Agreement::Float | Agreement::FloatOrMyself => ieee_equal(a, b),
        }
    }

    /// Do these two lanes belong together? What the answers are judged by.
    pub fn same(&self, i: &BV, j: &BV) -> Bool {
        let agree = self.agree(&self.value.at(i), &self.value.at(j));
        match self.design.agreement {
            Agreement::FloatOrMyself => agree | i.eq(j),
            Agreement::Bits | Agreement::Float => agree,
        }
    }

    /// The lane whose iteration this is, as lane `i` sees it.
    fn leader(&self, i: &BV) -> BV {
        match self.design.handed {
            Handed::Scattered => self.handed_by.at(i),
            Handed::First | Handed::Stale => self.first.clone(),
        }
    }

    /// Lane `j` takes part in the ballot that lane `i` sees.
    fn agrees(&self, i: &BV, j: &BV) -> Bool {
        let leader = self.leader(i);
        match (self.design.handed, self.design.agreement) {
            (Handed::Stale, _) => self.agree(&self.stale, &self.value.at(j)),
            (_, Agreement::FloatOrMyself) => self.same(&leader, j),
            _ => self.agree(&self.value.at(&leader), &self.value.at(j)),
        }
    }

    /// The ballot of the iteration; one for all, except where its leader is not.
    fn ballot_at(&self, i: &BV) -> BV {
        self.ballot.at(&self.leader(i))
    }

    /// The defining property of the iteration's terms, at these lanes: the first live lane, and the
    /// ballot bit by bit.
    pub fn iteration(&self, lanes: &[&BV]) -> Vec<Bool> {
        let over = if self.design.ballot_is_live { &self.live } else { &self.group.active };
        let mut facts = vec![self.group.facts(), is_first(&self.live, &self.first)];
        for i in lanes {
            facts.push(has(&self.live, i).implies(has(&self.live, &self.leader(i))));
            for j in lanes {
                let bit = has(&self.ballot_at(i), j);
                facts.push(bit.iff(has(over, j) & self.agrees(i, j)));
            }
        }
        facts
    }

    pub fn leaves(&self, i: &BV) -> Bool {
        let agreed = has(&self.live, i) & has(&self.ballot_at(i), i);
        if self.design.all_leave { agreed } else { agreed & i.eq(&self.first) }
    }

    /// Is lane `i` live?
    pub fn live(&self, when: Moment, i: &BV) -> Bool {
        match when {
            Moment::Before => has(&self.live, i),
            Moment::After => has(&self.live, i) & !self.leaves(i),
        }
    }

    /// What lane `i` has written.
    pub fn answer(&self, when: Moment, i: &BV) -> BV {
        match when {
            Moment::Before => self.answer.at(i),
            Moment::After => self.leaves(i).ite(&self.ballot_at(i), &self.answer.at(i)),
        }
    }

    /// Lane `i` is active and has left.
    pub fn left(&self, when: Moment, i: &BV) -> Bool {
        has(&self.group.active, i) & !self.live(when, i)
    }

    /// The right answer of lane `i`, at bit `j`.
    pub fn right(&self, answer: &BV, i: &BV, j: &BV) -> Bool {
        has(answer, j).iff(has(&self.group.active, j) & self.same(i, j))
    }
}

/// `OpFOrdEqual` on the bits of 32-bit floating point.
fn ieee_equal(a: &BV, b: &BV) -> Bool {
    let bits = |value| BV::from_u64(value, 32);
    let nan = |x: &BV| (x & bits(0x7fff_ffff)).bvugt(bits(0x7f80_0000));
    let zeros = ((a | b) & bits(0x7fff_ffff)).eq(bits(0));
    !nan(a) & !nan(b) & (a.eq(b) | zeros)
}
