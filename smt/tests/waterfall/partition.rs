//! The waterfall that computes a partition: each round the first live lane's value is handed
//! to all live lanes, those that agree write their ballot and leave.

use z3::ast::{BV, Bool};

use super::lanes::{
    ID, LANES, PerLane, Subgroup, Verdict, follows, has, is_first, lane, mask, nobody, subset,
};

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
    /// The first live lane's of this round.
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
    /// The invariant says that lanes with the same value are live together.
    pub together: bool,
}

pub const RIGHT: Design = Design {
    agreement: Agreement::Bits,
    handed: Handed::First,
    ballot_is_live: true,
    all_leave: true,
    together: true,
};

/// One round, from an arbitrary state to the next.
struct Waterfall {
    design: Design,
    group: Subgroup,
    value: PerLane,
    /// What a lane wrote when it left; arbitrary before.
    answer: PerLane,
    live: BV,
    first: BV,
    /// The lanes that agree; in `Handed::Scattered` each lane sees a ballot of its own.
    ballot: PerLane,
    handed_by: PerLane,
    stale: BV,
}

impl Waterfall {
    fn new(design: Design) -> Self {
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
    fn same(&self, i: &BV, j: &BV) -> Bool {
        let agree = self.agree(&self.value.at(i), &self.value.at(j));
        match self.design.agreement {
            Agreement::FloatOrMyself => agree | i.eq(j),
            Agreement::Bits | Agreement::Float => agree,
        }
    }

    /// The lane whose round this is, as lane `i` sees it.
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

    /// The ballot of the round; one for all, except where its leader is not.
    fn ballot_at(&self, i: &BV) -> BV {
        self.ballot.at(&self.leader(i))
    }

    /// The defining property of the round's terms, at these lanes: the first live lane, and the
    /// ballot bit by bit.
    fn round(&self, lanes: &[&BV]) -> Vec<Bool> {
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

    fn leaves(&self, i: &BV) -> Bool {
        let agreed = has(&self.live, i) & has(&self.ballot_at(i), i);
        if self.design.all_leave { agreed } else { agreed & i.eq(&self.first) }
    }

    /// Membership in the next live set.
    fn stays(&self, i: &BV) -> Bool {
        has(&self.live, i) & !self.leaves(i)
    }

    fn next_answer(&self, i: &BV) -> BV {
        self.leaves(i).ite(&self.ballot_at(i), &self.answer.at(i))
    }

    /// The right answer of lane `i`, at bit `j`.
    fn right(&self, answer: &BV, i: &BV, j: &BV) -> Bool {
        has(answer, j).iff(has(&self.group.active, j) & self.same(i, j))
    }

    /// The invariant at the lanes `i` and `j`, of a state given by who is live and what `i` wrote.
    fn invariant(&self, live: impl Fn(&BV) -> Bool, answer: &BV, i: &BV, j: &BV) -> Bool {
        let active = |lane: &BV| has(&self.group.active, lane);
        let inside = live(i).implies(active(i));
        let answered = (active(i) & !live(i)).implies(self.right(answer, i, j));
        let together = (active(i) & active(j) & self.same(i, j)).implies(live(i).iff(live(j)));
        if self.design.together { inside & answered & together } else { inside & answered }
    }

    fn invariant_before(&self, i: &BV, j: &BV) -> Bool {
        self.invariant(|lane| has(&self.live, lane), &self.answer.at(i), i, j)
    }

    fn initiation(&self) -> Verdict {
        let (i, j) = (lane("i"), lane("j"));
        let start = self.live.eq(&self.group.active);
        follows(&[self.group.facts(), start], &self.invariant_before(&i, &j))
    }

    fn consecution(&self) -> Verdict {
        let (i, j) = (lane("i"), lane("j"));
        let lanes = [&i, &j, &self.first];
        let mut known = self.round(&lanes);
        for a in lanes {
            known.extend(lanes.map(|b| self.invariant_before(a, b)));
        }
        let after = self.invariant(|lane| self.stays(lane), &self.next_answer(&i), &i, &j);
        follows(&known, &after)
    }

    fn exit(&self) -> Verdict {
        let (i, j) = (lane("i"), lane("j"));
        let known = [
            self.group.facts(),
            self.live.eq(nobody()),
            self.invariant_before(&i, &j),
            has(&self.group.active, &i),
        ];
        follows(&known, &self.right(&self.answer.at(&i), &i, &j))
    }

    /// Each round some lane leaves and none comes back: at most as many rounds as lanes.
    fn termination(&self) -> Verdict {
        let i = lane("i");
        let mut known = self.round(&[&i, &self.first]);
        known.push(self.invariant_before(&self.first, &self.first));
        let nobody_returns = self.stays(&i).implies(has(&self.live, &i));
        follows(&known, &(nobody_returns & self.leaves(&self.first)))
    }

    fn all(&self) -> [Verdict; 4] {
        [self.initiation(), self.consecution(), self.exit(), self.termination()]
    }
}

/// `OpFOrdEqual` on the bits of 32-bit floating point.
fn ieee_equal(a: &BV, b: &BV) -> Bool {
    let bits = |value| BV::from_u64(value, 32);
    let nan = |x: &BV| (x & bits(0x7fff_ffff)).bvugt(bits(0x7f80_0000));
    let zeros = ((a | b) & bits(0x7fff_ffff)).eq(bits(0));
    !nan(a) & !nan(b) & (a.eq(b) | zeros)
}

const ALL_PROVED: [Verdict; 4] = [Verdict::Proved; 4];

#[test]
fn every_lane_leaves_with_all_active_lanes_of_its_value() {
    assert_eq!(Waterfall::new(RIGHT).all(), ALL_PROVED);
}

#[test]
fn a_ballot_of_all_active_lanes_gives_the_same() {
    // Whoever has left took every lane of its value along, so nobody is left over to agree.
    let design = Design { ballot_is_live: false, ..RIGHT };
    assert_eq!(Waterfall::new(design).all(), ALL_PROVED);
}

#[test]
fn the_live_set_falls_as_a_number_too() {
    // The variant in the form that a search would guess: masks compared as unsigned numbers.
    let (live, ballot, first) = (mask("L"), mask("B"), lane("f"));
    let next = &live & !&ballot;
    let known = [is_first(&live, &first), has(&ballot, &first)];
    assert_eq!(follows(&known, &next.bvult(&live)), Verdict::Proved);
    assert_eq!(follows(&known, &(subset(&next, &live) & next.ne(&live))), Verdict::Proved);
    assert_eq!(follows(&known[..1], &next.bvult(&live)), Verdict::Broken);
}

#[test]
fn the_answers_are_a_valid_partition() {
    // Over three arbitrary lanes: each is in its own subset, and two subsets are one or disjoint.
    let waterfall = Waterfall::new(RIGHT);
    let (i, j, k) = (lane("i"), lane("j"), lane("k"));
    let active = |lane: &BV| has(&waterfall.group.active, lane);
    let answer = |lane: &BV| waterfall.answer.at(lane);
    let mut known = vec![waterfall.group.facts(), active(&i), active(&j)];
    for a in [&i, &j] {
        known.extend([&i, &j, &k].map(|b| waterfall.right(&answer(a), a, b)));
    }
    let (k_with_i, k_with_j) = (has(&answer(&i), &k), has(&answer(&j), &k));
    let one = has(&answer(&i), &j).implies(k_with_i.iff(&k_with_j));
    let disjoint = (!has(&answer(&i), &j)).implies(!(k_with_i & k_with_j));
    let goal = has(&answer(&i), &i) & one & disjoint;
    assert_eq!(follows(&known, &goal), Verdict::Proved);
}

#[test]
fn without_lanes_live_together_the_invariant_is_not_inductive() {
    let waterfall = Waterfall::new(Design { together: false, ..RIGHT });
    assert_eq!(waterfall.consecution(), Verdict::Broken);
}

#[test]
fn a_value_read_before_the_loop_lets_it_run_forever() {
    let waterfall = Waterfall::new(Design { handed: Handed::Stale, ..RIGHT });
    // Nothing wrong is ever written: only the variant tells.
    assert_eq!(waterfall.consecution(), Verdict::Proved);
    assert_eq!(waterfall.termination(), Verdict::Broken);
}

#[test]
fn leaders_of_the_lanes_own_choice_tear_a_class_apart() {
    // One lane leaves with its class while another of the same value follows another leader.
    let waterfall = Waterfall::new(Design { handed: Handed::Scattered, ..RIGHT });
    assert_eq!(waterfall.consecution(), Verdict::Broken);
}

#[test]
fn when_only_the_first_lane_leaves_the_next_ones_answer_is_short() {
    let waterfall = Waterfall::new(Design { all_leave: false, ..RIGHT });
    assert_eq!(waterfall.consecution(), Verdict::Broken);
    assert_eq!(waterfall.termination(), Verdict::Proved);
}

#[test]
fn a_nan_agrees_with_nobody_and_never_leaves() {
    let waterfall = Waterfall::new(Design { agreement: Agreement::Float, ..RIGHT });
    assert_eq!(waterfall.consecution(), Verdict::Proved);
    assert_eq!(waterfall.termination(), Verdict::Broken);
}

#[test]
fn a_first_lane_that_always_leaves_mends_the_nan() {
    let design = Design { agreement: Agreement::FloatOrMyself, ..RIGHT };
    assert_eq!(Waterfall::new(design).all(), ALL_PROVED);
}
