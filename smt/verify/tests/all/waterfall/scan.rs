//! The inclusive scan over any active set in log₂(S) iterations, by pointer jumping:
//! `rem = A & lt; repeat: if rem ≠ 0: b = msb(rem); x = op(shfl(x, b), x); rem = shfl(rem, b)`.
//!
//! A partial result is abstracted to the set of lanes whose values went into it, its *cover*.
//! Combining two covers of which the first lies wholly below the second concatenates them, so
//! that the result stands for any associative operator, commutative or not.

use z3::ast::{BV, Bool};
use z3::{FuncDecl, Sort};

use super::lanes::{
    ID, LANES, PerLane, Subgroup, Verdict, below, follows, has, is_last, lane, mask, no_lane, only,
    subset,
};

/// Bits of a number of lanes, with room for sums of two.
const COUNT: u32 = 10;

fn number(value: u64) -> BV {
    BV::from_u64(value, COUNT)
}

/// How many lanes a mask has.
enum Count {
    /// Only by the lemmas that an obligation instantiates: enough to prove.
    Lemmas(FuncDecl),
    /// The sum of the bits: what a broken obligation must be shown with, for a count that
    /// lemmas leave open may be one that no mask has.
    Bits,
}

impl Count {
    fn lemmas() -> Self {
        Self::Lemmas(FuncDecl::new("count", &[&Sort::bitvector(LANES)], &Sort::bitvector(COUNT)))
    }

    fn of(&self, mask: &BV) -> BV {
        match self {
            Self::Lemmas(count) => count.apply(&[mask]).as_bv().unwrap(),
            Self::Bits => (0..LANES)
                .map(|bit| mask.extract(bit, bit).zero_ext(COUNT - 1))
                .reduce(|sum, bit| sum.bvadd(bit))
                .unwrap(),
        }
    }

    /// Lemma: disjoint sets add up.
    fn add_up(&self, a: &BV, b: &BV) -> Bool {
        let sum = self.of(a).bvadd(self.of(b));
        (a & b).eq(no_lane()).implies(self.of(&(a | b)).eq(sum))
    }

    /// Lemma: a set of lanes of the subgroup has at most S, and none only when it is empty.
    fn bounded(&self, group: &Subgroup, set: &BV) -> Bool {
        let most = self.of(set).bvule(group.size.zero_ext(COUNT - ID));
        subset(set, &below(&group.size)).implies(most)
            & set.ne(no_lane()).implies(self.of(set).bvuge(number(1)))
    }
}

/// One iteration, from an arbitrary state to the next.
struct Scan {
    group: Subgroup,
    /// The active lanes that a lane has yet to gather.
    rem: PerLane,
    /// The lanes that its partial result covers.
    cover: PerLane,
    /// The highest lane of `rem`, where there is one.
    link: PerLane,
    /// Twice this many lanes are covered after the next iteration, where there are as many.
    width: BV,
    count: Count,
}

impl Scan {
    fn new(count: Count) -> Self {
        Self {
            group: Subgroup::any(),
            rem: PerLane::new("rem", LANES),
            cover: PerLane::new("cover", LANES),
            link: PerLane::new("link", ID),
            width: BV::new_const("w", COUNT),
            count,
        }
    }

    fn size(&self) -> BV {
        self.group.size.zero_ext(COUNT - ID)
    }

    fn active(&self, i: &BV) -> Bool {
        has(&self.group.active, i)
    }

    /// The active lanes up to and with this one.
    fn up_to(&self, i: &BV) -> BV {
        &self.group.active & (below(i) | only(i))
    }

    /// The invariant at lane `i`: what is gathered and what remains are all active lanes up to
    /// `i`, cut at the link; and `width` lanes are gathered or all.
    fn invariant(&self, i: &BV, rem: &BV, cover: &BV, link: &BV, width: &BV) -> Bool {
        let all = (rem | cover).eq(self.up_to(i)) & (rem & cover).eq(no_lane());
        let link_is_last = rem.ne(no_lane()).implies(is_last(rem, link));
        let cut = rem.ne(no_lane()).implies(rem.eq(self.up_to(link)));
        let wide = rem.eq(no_lane()) | self.count.of(cover).eq(width);
        self.active(i).implies(all & link_is_last & cut & wide)
    }

    fn before(&self, i: &BV) -> Bool {
        self.invariant(i, &self.rem.at(i), &self.cover.at(i), &self.link.at(i), &self.width)
    }

    /// What holds in an iteration at lane `i` and the lane that it reads.
    fn iteration(&self, i: &BV) -> Vec<Bool> {
        let read = self.link.at(i);
        vec![
            self.group.facts(),
            self.active(i),
            self.before(i),
            self.before(&read),
            self.width.bvuge(number(1)),
            self.width.bvult(self.size()),
            self.count.add_up(&self.cover.at(&read), &self.cover.at(i)),
        ]
    }

    fn reads(&self, i: &BV) -> Bool {
        self.rem.at(i).ne(no_lane())
    }

    fn initiation(&self) -> Verdict {
        let i = lane("i");
        let (rem, cover) = (&self.group.active & below(&i), only(&i));
        let link = self.link.at(&i);
        let known = [
            self.group.facts(),
            rem.ne(no_lane()).implies(is_last(&rem, &link)),
            self.count.of(&cover).eq(number(1)),
        ];
        follows(&known, &self.invariant(&i, &rem, &cover, &link, &number(1)))
    }

    fn consecution(&self) -> Verdict {
        let (i, next_link) = (lane("i"), lane("link'"));
        let read = self.link.at(&i);
        let joined = self.cover.at(&read) | self.cover.at(&i);
        let cover = self.reads(&i).ite(&joined, &self.cover.at(&i));
        let rem = self.reads(&i).ite(&self.rem.at(&read), &no_lane());
        let mut known = self.iteration(&i);
        known.push(rem.ne(no_lane()).implies(is_last(&rem, &next_link)));
        let width = self.width.bvadd(&self.width);
        follows(&known, &self.invariant(&i, &rem, &cover, &next_link, &width))
    }

    /// Every lane of the first operand's cover lies below every lane of the second's: nothing
    /// is counted twice and the order of the lanes is kept.
    fn order(&self, first: impl Fn(&BV) -> BV, second: impl Fn(&BV) -> BV) -> Verdict {
        let (i, p, q) = (lane("i"), lane("p"), lane("q"));
        let mut known = self.iteration(&i);
        known.extend([self.reads(&i), has(&first(&i), &p), has(&second(&i), &q)]);
        follows(&known, &p.bvult(&q))
    }

    /// Once `width` has reached `enough`, every lane has gathered all.
    fn exit(&self, enough: &BV) -> Verdict {
        let i = lane("i");
        let (rem, cover) = (self.rem.at(&i), self.cover.at(&i));
        let known = [
            self.group.facts(),
            self.active(&i),
            self.before(&i),
            self.width.bvuge(enough),
            self.count.add_up(&rem, &cover),
            self.count.bounded(&self.group, &rem),
            self.count.bounded(&self.group, &cover),
            self.count.bounded(&self.group, &(&rem | &cover)),
        ];
        follows(&known, &cover.eq(self.up_to(&i)))
    }
}

#[test]
fn every_lane_gathers_all_active_lanes_up_to_itself() {
    let scan = Scan::new(Count::lemmas());
    assert_eq!(scan.initiation(), Verdict::Proved);
    assert_eq!(scan.consecution(), Verdict::Proved);
    assert_eq!(scan.exit(&scan.size()), Verdict::Proved);
}

#[test]
fn the_width_doubles_up_to_the_size() {
    // So that "until w = S" and "log2(S) times" are the same loop, and it ends.
    let (group, w) = (Subgroup::any(), BV::new_const("w", COUNT));
    let size = group.size.zero_ext(COUNT - ID);
    let power = |w: &BV| w.ne(number(0)) & (w & w.bvsub(number(1))).eq(number(0));
    let invariant = |w: &BV| power(w) & w.bvule(&size);
    let next = w.bvadd(&w);
    let known = [group.facts(), invariant(&w), w.bvult(&size)];
    assert_eq!(follows(&[group.facts()], &invariant(&number(1))), Verdict::Proved);
    assert_eq!(follows(&known, &(invariant(&next) & next.bvugt(&w))), Verdict::Proved);
}

#[test]
fn covers_are_joined_in_the_order_of_the_lanes() {
    let scan = Scan::new(Count::lemmas());
    let theirs = |i: &BV| scan.cover.at(&scan.link.at(i));
    let mine = |i: &BV| scan.cover.at(i);
    assert_eq!(scan.order(theirs, mine), Verdict::Proved);
    assert_eq!(scan.order(mine, theirs), Verdict::Broken);
}

#[test]
fn a_shuffle_inside_the_branch_reads_lanes_that_are_not_there() {
    // The first active lane has nothing to gather and does not enter `if rem ≠ 0`, yet its
    // neighbour reads it: the shuffles have to be executed by all, and their results selected.
    let scan = Scan::new(Count::lemmas());
    let i = lane("i");
    let mut known = scan.iteration(&i);
    known.push(scan.reads(&i));
    let read = scan.link.at(&i);
    assert_eq!(follows(&known, &scan.active(&read)), Verdict::Proved);
    assert_eq!(follows(&known, &(scan.active(&read) & scan.reads(&read))), Verdict::Broken);
}

#[test]
fn one_round_fewer_is_too_few() {
    let scan = Scan::new(Count::Bits);
    let half = scan.size().bvlshr(number(1));
    assert_eq!(scan.exit(&half), Verdict::Broken);
}

#[test]
fn the_lane_a_fixed_distance_below_may_be_inactive() {
    // The textbook scan over neighbours at distance w assumes that no lane is missing.
    let scan = Scan::new(Count::lemmas());
    let i = lane("i");
    let below_i = i.bvsub(scan.width.extract(ID - 1, 0));
    let mut known = scan.iteration(&i);
    known.extend([scan.reads(&i), below_i.bvult(&i)]);
    assert_eq!(follows(&known, &scan.active(&below_i)), Verdict::Broken);
}

#[test]
fn an_exclusive_scan_takes_the_inclusive_one_of_the_active_lane_below() {
    let scan = Scan::new(Count::lemmas());
    let (i, last) = (lane("i"), lane("last"));
    let lower = &scan.group.active & below(&i);
    let known = [scan.group.facts(), scan.active(&i), is_last(&lower, &last)];
    let goal = scan.active(&last) & scan.up_to(&last).eq(&lower);
    assert_eq!(follows(&known, &goal), Verdict::Proved);
}

#[test]
fn the_lemmas_about_counts_hold_of_the_sum_of_bits() {
    // By induction over the bits: the count of the lowest k lanes, then of one more.
    let (a, b, k) = (mask("a"), mask("b"), lane("k"));
    let group = Subgroup::any();
    let bit = |set: &BV| has(set, &k).ite(&number(1), &number(0));
    let [pa, pb, pu] = ["pa", "pb", "pu"].map(|name| BV::new_const(name, COUNT));
    let union = &a | &b;
    let disjoint = (&a & &b).eq(no_lane());
    let more = |count: &BV, set: &BV| count.bvadd(bit(set));

    let adds = more(&pu, &union).eq(more(&pa, &a).bvadd(more(&pb, &b)));
    assert_eq!(follows(&[disjoint, pu.eq(pa.bvadd(&pb))], &adds), Verdict::Proved);

    let size = group.size.zero_ext(COUNT - ID);
    let reached = k.zero_ext(COUNT - ID);
    let at_most = |count: &BV, reached: &BV| count.bvule(&size) & count.bvule(reached);
    let inside = [group.facts(), subset(&a, &below(&group.size)), at_most(&pa, &reached)];
    let next = at_most(&more(&pa, &a), &reached.bvadd(number(1)));
    assert_eq!(follows(&inside, &next), Verdict::Proved);

    let lower = |set: &BV, k: &BV| set & below(k);
    let counted = |count: &BV, k: &BV| lower(&a, k).ne(no_lane()).implies(count.ne(number(0)));
    let one_more = k.bvadd(BV::from_u64(1, ID));
    let in_mask = k.bvult(BV::from_u64(u64::from(LANES), ID));
    // A count that wraps would be no count: it is at most k.
    let known = [in_mask, counted(&pa, &k), pa.bvule(&reached)];
    assert_eq!(follows(&known, &counted(&more(&pa, &a), &one_more)), Verdict::Proved);
}
