//! The order of variables. Conditions over all lanes stay small if the variables of one lane are
//! neighbors: its bit of each set, its free bits, and its uninterpreted values. The bits of a number
//! that is only compared (how long a memory is) are no lanes: they come after the lanes, the highest first.
//! What is known of the lanes is then few numbers, while a comparison that begins with the lowest bits
//! has to remember them all.

use std::collections::BTreeSet;

use laneproof_semantics::term::{Binary, Compare, Node, Pool, Sort, Term};
use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Diagrams, Level};

/// Bit-vectors of this width are sets of lanes, whose single bits are used.
pub(crate) const SET: u32 = 128;
/// A subgroup has no more lanes.
pub(crate) const LANES: u32 = 128;
/// The number of positions of each lane in the order; the first half is for free bits.
const PLACES: Level = 1 << 20;
/// The positions from this one on in the last lane are for numbers that are only compared.
const NUMBERS: Level = (LANES - 1) * PLACES + PLACES / 4;
/// Variables that concern no lane, or several, come after all lanes.
const BEYOND: Level = LANES * PLACES;

/// In which order lanes are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Records {
    /// By their numbers.
    InOrder,
    /// What takes part in every state comes first, as where a loop begins with what the own lane holds.
    OwnFirst,
}

/// Which lane something concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    /// No lane: it is the same for all.
    None,
    /// One lane.
    Lane(u32),
    /// Several lanes.
    Several,
}

impl Concern {
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, it) | (it, Self::None) => it,
            _ if self == other => self,
            _ => Self::Several,
        }
    }
}

/// The variable of each bit of a free constant, and the next free variables.
pub(crate) struct Order {
    levels: FxHashMap<Term, Vec<Level>>,
    lanes: FxHashMap<Term, u32>,
    /// The next position for an uninterpreted value, by lane.
    next: FxHashMap<u32, Level>,
    next_beyond: Level,
    /// The lane that all comparisons are with, if there is one.
    own: Option<u32>,
}

/// The free constants of no lane among `terms` that occur in comparisons of order and nowhere else.
pub(crate) fn only_compared(pool: &Pool, terms: &[Term]) -> BTreeSet<Term> {
    let is_number = |term: &Term| {
        matches!(pool.node(*term), Node::Variable(_))
            && matches!(pool.sort(*term), Sort::Bits(width) if width < SET)
    };
    let mut numbers: BTreeSet<Term> = terms.iter().copied().filter(is_number).collect();
    for &term in terms {
        if !matches!(pool.node(term), Node::Compare(Compare::Less | Compare::LessEqual, ..)) {
            for operand in Pool::operands(pool.node(term)) {
                numbers.remove(&operand);
            }
        }
    }
    numbers
}

/// The free constants of no lane by which others are shifted, as they are or behind a mask.
pub(crate) fn shifted_by(pool: &Pool, terms: &[Term]) -> BTreeSet<Term> {
    let mut amounts = BTreeSet::new();
    for &term in terms {
        let Node::Binary(
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned,
            _,
            mut amount,
        ) = *pool.node(term)
        else {
            continue;
        };
        while let Node::Binary(Binary::And, a, b) = *pool.node(amount) {
            match [a, b].map(|it| pool.bits_of(it).is_some()) {
                [true, false] => amount = b,
                [false, true] => amount = a,
                _ => break,
            }
        }
        if matches!(pool.node(amount), Node::Variable(_)) && pool.width(amount) < SET {
            amounts.insert(amount);
        }
    }
    amounts
}

/// Where the bits of a constant stand in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// What follows depends on how far it is shifted.
    Amount,
    Set,
    Other,
}

/// It is a bit of a free constant.
pub(crate) fn is_free(level: Level) -> bool {
    level < BEYOND && level % PLACES < PLACES / 2
}

/// The lane of a variable; above all lanes if it has none.
pub(crate) fn lane_of(level: Level) -> u32 {
    level / PLACES
}

impl Order {
    /// Gives each free bit its variable. Each constant comes with its lane, if it is the value of a
    /// function at a numbered lane; lanes that no subgroup has are none. The `numbers` among them are
    /// only compared, and by the `amounts` others are shifted.
    pub(crate) fn new(
        pool: &Pool,
        free: &[(Option<u32>, Term)],
        [numbers, amounts]: [&BTreeSet<Term>; 2],
        own: Option<u32>,
    ) -> Self {
        let free: Vec<(Option<u32>, Term)> =
            free.iter().map(|&(lane, term)| (lane.filter(|&lane| lane < LANES), term)).collect();
        let mut bits: Vec<(u32, Rank, Term, u32)> = Vec::new();
        for &(lane, term) in free.iter().filter(|(_, term)| !numbers.contains(term)) {
            let rank = match pool.width(term) {
                _ if amounts.contains(&term) => Rank::Amount,
                SET => Rank::Set,
                _ => Rank::Other,
            };
            let lane = if rank == Rank::Amount { Some(0) } else { lane };
            bits.extend((0..pool.width(term)).map(|bit| (lane.unwrap_or(bit), rank, term, bit)));
        }
        bits.sort_unstable();
        let mut levels: FxHashMap<Term, Vec<Level>> = FxHashMap::default();
        let (mut before, mut place) = (None, 0);
        for (lane, _, term, _) in bits {
            place = if before == Some(lane) { place + 1 } else { 0 };
            before = Some(lane);
            assert!(place < PLACES / 4, "a lane has no more places in the order of variables");
            // The bits of one constant come in order.
            levels.entry(term).or_default().push(lane * PLACES + place);
        }
        let mut next = NUMBERS;
        for &number in numbers {
            let end = next + pool.width(number);
            assert!(is_free(end), "numbers have no more places in the order of variables");
            levels.insert(number, (next..end).rev().collect());
            next = end;
        }
        let lanes = free.iter().filter_map(|&(lane, term)| Some((term, lane?))).collect();
        Self { levels, lanes, next: FxHashMap::default(), next_beyond: BEYOND, own }
    }

    /// Its bits have variables.
    pub(crate) fn has(&self, constant: Term) -> bool {
        self.levels.contains_key(&constant)
    }

    /// The variable of one bit of a free constant.
    pub(crate) fn bit(&self, constant: Term, place: u32) -> Level {
        self.levels[&constant][place as usize]
    }

    /// Which lane a free constant concerns.
    pub(crate) fn concern_of(&self, constant: Term) -> Concern {
        self.lanes.get(&constant).map_or(Concern::None, |&lane| Concern::Lane(lane))
    }

    /// The lane beside whose variables a comparison of values of two lanes stands: where one lane is
    /// compared with all others, each comparison is beside the other one, whose bits decide whether it
    /// counts.
    pub(crate) fn lane_of_both(&self, a: u32, b: u32) -> u32 {
        match self.own {
            Some(own) if own == a => b,
            Some(own) if own == b => a,
            _ => a.max(b),
        }
    }

    /// A fresh variable.
    pub(crate) fn another(&mut self, concern: Concern) -> Level {
        if let Concern::Lane(lane) = concern {
            let first = lane * PLACES + PLACES / 2;
            let next = self.next.entry(lane).or_insert(first);
            if *next < (lane + 1) * PLACES {
                *next += 1;
                return *next - 1;
            }
        }
        self.next_beyond += 1;
        self.next_beyond - 1
    }
}

impl Diagrams {
    /// The lane that the variables of a function concern.
    pub(crate) fn concern(&self, function: Bdd) -> Concern {
        let of = |level: Level| match level < BEYOND {
            true => Concern::Lane(level / PLACES),
            false => Concern::Several,
        };
        self.support(function).into_iter().map(of).fold(Concern::None, Concern::and)
    }
}
