//! Lanes, masks and lane-indexed state as Z3 terms; an obligation and its verdict.

use z3::ast::{Ast, BV, Bool};
use z3::{FuncDecl, SatResult, Solver, Sort};

/// Bits of a lane's id: enough for 128, which stands for "no such lane".
pub const ID: u32 = 8;
/// Lanes of a mask: the largest subgroup there is.
pub const LANES: u32 = 128;

/// The outcome of an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No state meets the hypotheses and breaks the goal, and some state meets them.
    Proved,
    /// Some state meets the hypotheses and breaks the goal. In an inductive step that state
    /// need not be reachable: this is "not proved", and a refutation only by a real run.
    Broken,
    /// No state meets the hypotheses.
    Vacuous,
}

/// Does `goal` follow from `hypotheses`, and not for want of a state?
///
/// Each question goes to a solver of its own: a second `check` on one solver would be put to
/// the incremental core, which skips the preprocessing that these masks live on.
pub fn follows(hypotheses: &[Bool], goal: &Bool) -> Verdict {
    let check = |goal: Option<Bool>| {
        let solver = Solver::new();
        hypotheses.iter().chain(&goal).for_each(|fact| solver.assert(fact));
        match solver.check() {
            SatResult::Unknown => panic!("{:?}", solver.get_reason_unknown()),
            known => known,
        }
    };
    match (check(None), check(Some(goal.not()))) {
        (SatResult::Unsat, _) => Verdict::Vacuous,
        (_, SatResult::Unsat) => Verdict::Proved,
        _ => Verdict::Broken,
    }
}

/// An arbitrary lane id.
pub fn lane(name: &str) -> BV {
    BV::new_const(name, ID)
}

/// An arbitrary set of lanes.
pub fn mask(name: &str) -> BV {
    BV::new_const(name, LANES)
}

/// A value of `bits` bits that every lane has: a function of the lane's id.
pub struct PerLane(FuncDecl);

impl PerLane {
    pub fn new(name: &str, bits: u32) -> Self {
        Self(FuncDecl::new(name, &[&Sort::bitvector(ID)], &Sort::bitvector(bits)))
    }

    /// What it is in this lane.
    pub fn at(&self, lane: &BV) -> BV {
        self.0.apply(&[lane]).as_bv().unwrap()
    }
}

/// The mask of no lane.
pub fn no_lane() -> BV {
    BV::from_u64(0, LANES)
}

/// The mask of one lane.
pub fn only(lane: &BV) -> BV {
    BV::from_u64(1, LANES).bvshl(lane.zero_ext(LANES - ID))
}

/// The mask of all lanes with a smaller id; of all 128 lanes for "no such lane".
pub fn below(lane: &BV) -> BV {
    !(BV::from_i64(-1, LANES).bvshl(lane.zero_ext(LANES - ID)))
}

/// Is this lane in the mask?
pub fn has(mask: &BV, lane: &BV) -> Bool {
    mask.bvlshr(lane.zero_ext(LANES - ID)).extract(0, 0).eq(BV::from_u64(1, 1))
}

/// Is every lane of `inner` in `outer`?
pub fn subset(inner: &BV, outer: &BV) -> Bool {
    (inner & !outer).eq(no_lane())
}

/// `lane` is the lowest of `mask`. No lane is, where the mask is empty.
pub fn is_first(mask: &BV, lane: &BV) -> Bool {
    has(mask, lane) & (mask & below(lane)).eq(no_lane())
}

/// `lane` is the highest of `mask`. No lane is, where the mask is empty.
pub fn is_last(mask: &BV, lane: &BV) -> Bool {
    has(mask, lane) & (mask & !below(lane)).eq(only(lane))
}

/// One subgroup: its size, any power of two up to 128, and any nonempty active set in it.
pub struct Subgroup {
    pub size: BV,
    pub active: BV,
}

impl Subgroup {
    pub fn any() -> Self {
        Self { size: lane("S"), active: mask("A") }
    }

    /// What is known of it.
    pub fn facts(&self) -> Bool {
        let (zero, one) = (BV::from_u64(0, ID), BV::from_u64(1, ID));
        self.size.ne(&zero)
            & (&self.size & self.size.bvsub(&one)).eq(&zero)
            & self.size.bvule(BV::from_u64(u64::from(LANES), ID))
            & self.active.ne(no_lane())
            & subset(&self.active, &below(&self.size))
    }
}

#[test]
fn masks_mean_what_they_do_in_arithmetic() {
    let numeral = |value: u128| BV::from_str(LANES, &value.to_string()).unwrap();
    let masks = [1, 0b1010, 1 << 127, u128::MAX, 0x8000_0000_0000_0001_0000_0000];
    for set in masks {
        for id in [0, 1, 3, 31, 32, 63, 64, 95, 126, 127_u32] {
            let (term, at) = (numeral(set), BV::from_u64(u64::from(id), ID));
            let says = |term: Bool, plain: bool| {
                assert_eq!(term.simplify().as_bool(), Some(plain), "{set:#x} {id}");
            };
            says(has(&term, &at), set >> id & 1 != 0);
            says(is_first(&term, &at), set.trailing_zeros() == id);
            says(is_last(&term, &at), set.ilog2() == id);
            says(subset(&term, &below(&at)), set.checked_shr(id) == Some(0));
            says(below(&at).eq(only(&at).bvsub(numeral(1))), true);
        }
    }
    let nowhere = BV::from_u64(u64::from(LANES), ID);
    assert_eq!(below(&nowhere).eq(numeral(u128::MAX)).simplify().as_bool(), Some(true));
}

#[test]
fn an_obligation_that_no_state_meets_is_vacuous() {
    let group = Subgroup::any();
    let known = [group.facts(), group.active.eq(no_lane())];
    assert_eq!(follows(&known, &Bool::from_bool(false)), Verdict::Vacuous);
}
