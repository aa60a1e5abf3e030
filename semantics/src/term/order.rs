//! Sums and products in any order: which results some permutation of the parts and some
//! bracketing of them gives.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::float::apply;
use super::{FloatFormat, FloatOp, Node, Pool, Sort, Term};

/// Up to this many parts every tree becomes a term.
const MOST_PARTS_OF_TERMS: usize = 4;
/// Up to this many known parts the results of all trees are found.
const WALKED: usize = 10;
/// The most intermediate results.
const KEPT: usize = 20_000;

impl Pool {
    /// `result` is, up to which NaN it is, what the commutative operation `op` gives over the
    /// parts that take part (`.0` holds), combined two at a time in some order. False where none
    /// does.
    pub fn any_order(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        result: Term,
        parts: &[(Term, Term)],
    ) -> Term {
        let result = self.number(result);
        let mut parts: Vec<(Term, Term)> = parts
            .iter()
            .filter(|(member, _)| self.bool_of(*member) != Some(false))
            .map(|&(member, value)| (member, self.number(value)))
            .collect();
        parts.sort_unstable();
        let certain = parts.iter().all(|(member, _)| self.bool_of(*member) == Some(true));
        let values: Vec<Term> = parts.iter().map(|(_, value)| *value).collect();
        if certain && self.is_tree_over(op, format, result, &values) {
            return self.bool(true);
        }
        if certain
            && let Some(result) = self.bits_of(result)
            && let Some(values) = values.iter().map(|&it| self.bits_of(it)).collect::<Option<_>>()
            && let Some(legal) = is_result(op, format, result, values)
        {
            return self.bool(legal);
        }
        if let Some(only) = self.without_rounding(op, format, &parts) {
            let members: Vec<Term> = parts.iter().map(|(member, _)| *member).collect();
            let some = self.any(members);
            let same = self.equal(result, only);
            return self.and(some, same);
        }
        let operands =
            [result].into_iter().chain(parts.iter().flat_map(|&(a, b)| [a, b])).collect();
        if parts.len() <= MOST_PARTS_OF_TERMS {
            let trees = self.per_lane(op, format, result, &parts);
            if op == FloatOp::Add {
                self.note_sum(trees, format, operands);
            }
            return trees;
        }
        self.intern(Node::AnyOrder(op, format, operands), Sort::Bool)
    }

    /// The term combines exactly these values, each once.
    fn is_tree_over(&self, op: FloatOp, format: FloatFormat, tree: Term, values: &[Term]) -> bool {
        let mut left = values.to_vec();
        let mut pending = vec![tree];
        while let Some(term) = pending.pop() {
            if let Some(place) = left.iter().position(|&value| value == term) {
                left.swap_remove(place);
                continue;
            }
            match self.node(term) {
                Node::Float(own, of, operands) if (*own, *of) == (op, format) => {
                    pending.extend(operands);
                }
                _ => return false,
            }
        }
        left.is_empty()
    }

    /// Every choice of members, and every tree over them.
    pub(super) fn per_lane(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        result: Term,
        parts: &[(Term, Term)],
    ) -> Term {
        let count = parts.len();
        let mut trees: Vec<BTreeSet<Term>> = vec![BTreeSet::new(); 1 << count];
        let mut cases = Vec::new();
        for set in 1usize..1 << count {
            if set.is_power_of_two() {
                trees[set].insert(parts[set.trailing_zeros() as usize].1);
            }
            for (some, others) in halves(set) {
                for left in trees[some].clone() {
                    for right in trees[others].clone() {
                        let combined = self.float(op, format, &[left, right]);
                        trees[set].insert(combined);
                    }
                }
            }
            let mut exactly = Vec::new();
            for (place, &(member, _)) in parts.iter().enumerate() {
                exactly.push(if set >> place & 1 == 1 { member } else { self.not(member) });
            }
            let exactly = self.all(exactly);
            if self.bool_of(exactly) == Some(false) {
                continue;
            }
            let mut some = Vec::new();
            for tree in trees[set].clone() {
                some.push(self.same_number(result, tree, format));
            }
            let some = self.any(some);
            cases.push(self.and(exactly, some));
        }
        self.any(cases)
    }
}

/// Every way to split a set in two, once.
fn halves(set: usize) -> impl Iterator<Item = (usize, usize)> {
    let lowest = set & set.wrapping_neg();
    let rest = set & !lowest;
    let mut others = rest;
    std::iter::from_fn(move || {
        let these = others;
        if these == 0 {
            return None;
        }
        others = (others - 1) & rest;
        Some((set & !these, these))
    })
}

/// Whether known parts give this result in some order; `None` where that is too much to find
/// out.
pub(super) fn is_result(
    op: FloatOp,
    format: FloatFormat,
    result: u128,
    values: Vec<u128>,
) -> Option<bool> {
    if values.is_empty() {
        return Some(false);
    }
    let canonical = |bits: u128| if format.is_nan(bits) { format.canonical_nan() } else { bits };
    let result = canonical(result);
    let values: Vec<u128> = values.into_iter().map(canonical).collect();
    if values.iter().any(|&bits| format.is_nan(bits)) {
        return Some(format.is_nan(result));
    }
    if let Some(sum) = (op == FloatOp::Add).then(|| exact_sum(format, &values)).flatten() {
        return Some(result == sum);
    }
    let mut parts = values;
    parts.sort_unstable();
    LATEST.with_borrow_mut(|latest| {
        let known = latest.iter().position(|(key, _)| *key == (op, format, &parts[..]));
        let place = known.unwrap_or_else(|| {
            let found = results(op, format, &parts);
            latest.truncate(REMEMBERED - 1);
            latest.insert(0, (Sum { op, format, parts }, found));
            0
        });
        latest[place].1.as_ref().map(|results| results.binary_search(&result).is_ok())
    })
}

/// Numbers that are combined, lowest first.
struct Sum {
    op: FloatOp,
    format: FloatFormat,
    parts: Vec<u128>,
}

impl PartialEq<(FloatOp, FloatFormat, &[u128])> for Sum {
    fn eq(&self, (op, format, parts): &(FloatOp, FloatFormat, &[u128])) -> bool {
        self.op == *op && self.format == *format && self.parts == *parts
    }
}

/// Lanes ask one after the other about the same numbers, or, of as many clusters, about few.
const REMEMBERED: usize = 8;

thread_local! {
    /// The results that were found last.
    static LATEST: RefCell<Vec<(Sum, Option<Vec<u128>>)>> = const { RefCell::new(Vec::new()) };
}

/// What all trees over these numbers give, in order. Equal numbers stand for each other, so a part of them
/// is how many of each kind it has: a numeral with a digit for each kind.
fn results(op: FloatOp, format: FloatFormat, values: &[u128]) -> Option<Vec<u128>> {
    if values.is_empty() || values.len() > WALKED {
        return None;
    }
    let mut counts: BTreeMap<u128, usize> = BTreeMap::new();
    for &value in values {
        *counts.entry(value).or_default() += 1;
    }
    let mut places = Vec::with_capacity(counts.len());
    let mut numerals = 1;
    for (value, count) in counts {
        places.push(Place { value, weight: numerals, base: count + 1 });
        numerals *= count + 1;
    }
    let mut sets: Vec<Vec<u128>> = vec![Vec::new(); numerals];
    let mut kept = 0;
    for place in &places {
        sets[place.weight].push(place.value);
    }
    for whole in 1..numerals {
        let mut found = std::mem::take(&mut sets[whole]);
        let parts = parts_of(whole, &places);
        for some in parts.into_iter().filter(|&some| 0 < some && some <= whole - some) {
            for &left in &sets[some] {
                let others = sets[whole - some].iter();
                found.extend(others.map(|&it| apply(op, format, &[left, it], 0)));
            }
        }
        found.sort_unstable();
        found.dedup();
        kept += found.len();
        if kept > KEPT {
            return None;
        }
        sets[whole] = found;
    }
    sets.pop()
}

/// A digit: how often a value occurs.
struct Place {
    value: u128,
    weight: usize,
    base: usize,
}

/// The numerals whose digits are not greater than those of this one.
fn parts_of(whole: usize, places: &[Place]) -> Vec<usize> {
    let mut parts = vec![0];
    for Place { weight, base, .. } in places {
        let digit = whole / weight % base;
        let known = parts.len();
        for more in 1..=digit {
            parts.extend_from_within(..known);
            parts.iter_mut().skip(more * known).for_each(|part| *part += more * weight);
        }
    }
    parts
}

/// The sum of numbers that no order rounds: as multiples of the least unit among them even the sum of
/// their magnitudes fits the significand.
fn exact_sum(format: FloatFormat, values: &[u128]) -> Option<u128> {
    let magnitude = |bits: u128| bits & !format.sign();
    if values.iter().any(|&bits| magnitude(bits) >= format.infinity()) {
        return None;
    }
    if values.iter().all(|&bits| bits == format.sign()) {
        return Some(format.sign());
    }
    // Exponent (of the least bit) and significand of each number that is not zero.
    let unit = 1u128 << format.fraction();
    let parts = values.iter().filter(|&&bits| magnitude(bits) != 0).map(|&bits| {
        let (exponent, fraction) = (magnitude(bits) >> format.fraction(), bits & (unit - 1));
        let significand = if exponent == 0 { fraction } else { fraction | unit };
        let zeros = significand.trailing_zeros();
        let negative = bits & format.sign() != 0;
        (exponent.max(1) as u32 + zeros, significand >> zeros, negative)
    });
    let parts: Vec<(u32, u128, bool)> = parts.collect();
    let Some(least) = parts.iter().map(|(exponent, ..)| *exponent).min() else {
        return Some(0);
    };
    let (mut sum, mut total) = (0i128, 0u128);
    for (exponent, significand, negative) in parts {
        let shift = exponent - least;
        if shift > format.fraction() || significand >> (format.fraction() + 1 - shift) != 0 {
            return None;
        }
        let multiple = significand << shift;
        total += multiple;
        sum += if negative { -(multiple as i128) } else { multiple as i128 };
    }
    // No order overflows if the sum of the magnitudes does not.
    if total >= 2 * unit || multiple_of(format, total, least) >= format.infinity() {
        return None;
    }
    let bits = multiple_of(format, sum.unsigned_abs(), least);
    Some(bits | if sum < 0 { format.sign() } else { 0 })
}

/// The bits of `multiple` times the number that the least bit of a significand stands for at this
/// exponent; past infinity where there is no such number.
fn multiple_of(format: FloatFormat, multiple: u128, exponent: u32) -> u128 {
    let Some(position) = multiple.checked_ilog2() else { return 0 };
    let shift = format.fraction() - position;
    if exponent <= shift {
        return multiple << (exponent - 1);
    }
    let unit = 1u128 << format.fraction();
    (u128::from(exponent - shift) << format.fraction()) + ((multiple << shift) - unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of an `f32`.
    fn bits(value: f32) -> u128 {
        u128::from(value.to_bits())
    }

    #[test]
    fn exact_sums_are_the_only_results_of_all_trees() {
        let exact: [&[f32]; 8] = [
            &[1.0, 2.5, -0.25],
            &[0.0, -0.0],
            &[-0.0, -0.0],
            &[1.0, -1.0, -0.0],
            &[f32::from_bits(1), f32::from_bits(7), f32::from_bits(0x80_0000)],
            &[3.0e38, -1.0e38],
            &[1.5, -4.0, 2.5, 1024.0],
            &[1.7014118e38, 1.7014118e38, -1.7014118e38],
        ];
        let mut checked = 0;
        for values in exact {
            let values: Vec<u128> = values.iter().copied().map(bits).collect();
            let Some(sum) = exact_sum(FloatFormat::Single, &values) else { continue };
            let all = results(FloatOp::Add, FloatFormat::Single, &values).unwrap_or_default();
            assert_eq!(all, [sum], "{values:x?}");
            checked += 1;
        }
        assert!(checked == 6, "only {checked} sums are exact");
    }

    /// An order of no parts gives nothing: neither zero nor what is neutral.
    #[test]
    fn no_parts_have_no_result() {
        for op in [FloatOp::Add, FloatOp::Mul] {
            for result in [0.0, -0.0, 1.0] {
                assert_eq!(
                    is_result(op, FloatFormat::Single, bits(result), Vec::new()),
                    Some(false)
                );
            }
        }
    }

    /// Every way to combine two of the numbers, until one is left.
    fn by_hand(values: &[u128], into: &mut BTreeSet<u128>) {
        if let [only] = values {
            into.insert(*only);
        }
        for second in 1..values.len() {
            for first in 0..second {
                let mut rest = values.to_vec();
                let (b, a) = (rest.remove(second), rest.remove(first));
                rest.push(apply(FloatOp::Add, FloatFormat::Single, &[a, b], 0));
                by_hand(&rest, into);
            }
        }
    }

    #[test]
    fn equal_numbers_stand_for_each_other() {
        let cases: [&[f32]; 4] = [
            &[0.1, 0.1, 0.7, 0.7, 0.7],
            &[1.0e8, 3.0, 1.0e8, 3.0, -1.0e8],
            &[1.0e8, 1.0, 1.0, 1.0, -1.0e8],
            &[0.1, 0.2, 0.3, 0.4, 0.5],
        ];
        for values in cases {
            let values: Vec<u128> = values.iter().copied().map(bits).collect();
            let mut expected = BTreeSet::new();
            by_hand(&values, &mut expected);
            assert!(expected.len() > 1, "{values:x?}");
            let expected = expected.into_iter().collect();
            assert_eq!(results(FloatOp::Add, FloatFormat::Single, &values), Some(expected));
        }
    }

    #[test]
    fn what_rounds_has_several_results() {
        let values = [1.0e8, 1.0, -1.0e8, 3.0].map(bits).to_vec();
        assert_eq!(exact_sum(FloatFormat::Single, &values), None);
        let all = results(FloatOp::Add, FloatFormat::Single, &values).unwrap_or_default();
        assert!(all.contains(&bits(4.0)) && all.contains(&bits(3.0)), "{all:x?}");
        let legal = |it| is_result(FloatOp::Add, FloatFormat::Single, bits(it), values.clone());
        assert_eq!([legal(4.0), legal(1.0e8)], [Some(true), Some(false)]);
    }

    #[test]
    fn known_parts_give_what_the_trees_give_when_they_are_written_out() {
        let numbers = [0.0, -0.0, 1.0, 3.0, 1.0e8, -1.0e8, f32::INFINITY, f32::NAN, 1.0e-40];
        let numbers = numbers.map(bits);
        let (mut legal, mut wrong) = (0, 0);
        for seed in 0..4_000usize {
            let mut left = seed.wrapping_mul(0x9e37_79b9);
            let mut number = || {
                left = left.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                numbers[(left >> 33) % numbers.len()]
            };
            let op = [FloatOp::Add, FloatOp::Mul][seed % 2];
            let values: Vec<u128> = (0..1 + seed % 4).map(|_| number()).collect();
            let result = values
                .iter()
                .fold(number(), |sum, &it| apply(op, FloatFormat::Single, &[sum, it], 0));
            let mut pool = Pool::new();
            let yes = pool.bool(true);
            let parts: Vec<(Term, Term)> =
                values.iter().map(|&value| (yes, pool.bits(value, 32))).collect();
            let result = pool.bits(result, 32);
            let found = pool.any_order(op, FloatFormat::Single, result, &parts);
            let trees = pool.per_lane(op, FloatFormat::Single, result, &parts);
            assert!(pool.bool_of(found).is_some());
            assert_eq!(found, trees, "{values:x?}");
            *(if pool.bool_of(found) == Some(true) { &mut legal } else { &mut wrong }) += 1;
        }
        assert_eq!((legal, wrong), (2499, 1501));
    }
}
