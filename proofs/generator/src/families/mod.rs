//! All families, by what they are about.

mod algebra;
mod assumptions;
mod boolean;
mod combined;
mod control;
mod counts;
mod floats;
mod lanes;
mod loops;
mod memory;
mod order;
mod steps;
mod trees;
mod wide;
mod words;

use crate::family::{
    ALL, ANY, BITWISE, DUAL, EXTREMES, Family, SUM, SUMS, SUMS_OR_OR, UINT, UNSIGNED, ZERO, family,
};
use crate::style::{Operator, Payload};

/// All of them.
pub(crate) fn families() -> impl Iterator<Item = &'static Family> {
    [
        FIRST,
        assumptions::FAMILIES,
        lanes::FAMILIES,
        steps::FAMILIES,
        algebra::FAMILIES,
        wide::FAMILIES,
        counts::FAMILIES,
        order::FAMILIES,
        control::FAMILIES,
        floats::FAMILIES,
        memory::FAMILIES,
    ]
    .into_iter()
    .flatten()
}

/// Those that have always been there.
const FIRST: &[Family] = &[
    family("reduce/butterfly", "fs3", ALL, ANY, loops::butterfly),
    family("reduce/butterfly-by-lane", "fs3", ALL, ANY, loops::butterfly_by_lane),
    family("reduce/lanes", "gsb2", ALL, ANY, loops::lanes),
    family("reduce/set-bits", "b2", ALL, ANY, loops::set_bits),
    family("reduce/fast-path", "gb2", ALL, UINT, loops::fast_path),
    family("reduce/last-of-scan", "b4", ALL, ANY, combined::last_of_scan),
    family("scan/hillis-steele", "fgs3", ALL, ANY, loops::hillis_steele),
    family("scan/hillis-steele-exclusive", "fgs3", ALL, ANY, loops::hillis_steele_exclusive),
    family("scan/sklansky", "fgs3", ALL, ANY, loops::sklansky),
    family("scan/lanes", "gsb2", ALL, ANY, loops::lanes_scan),
    family("scan/lanes-exclusive", "gsb2", ALL, ANY, loops::lanes_scan_exclusive),
    family("scan/set-bits", "gb2", ALL, ANY, loops::set_bits_scan),
    family("scan/pointer-jumping", "gs3", ALL, UINT, loops::pointer_jumping),
    family("scan/exclusive-and-own", "g4", ALL, ANY, combined::exclusive_and_own),
    family("scan/inclusive-less-own", "4", SUMS, ANY, combined::inclusive_less_own),
    family("cluster/butterfly", "f3", ALL, ANY, loops::clustered_butterfly),
    family("cluster/lanes", "gb2", ALL, ANY, loops::clustered_lanes),
    family("cluster/difference-of-scans", "f4", SUM, UNSIGNED, combined::difference_of_scans),
    family("algebra/uniform", "b4", ALL, UINT, combined::uniform),
    family("algebra/dual", "4", DUAL, UNSIGNED, combined::dual),
    family("algebra/one-lane", "gd4", ZERO, UNSIGNED, combined::one_lane),
    family("algebra/shifted", "d4", BITWISE, UNSIGNED, combined::shifted),
    family("algebra/uniform-factor", "4", SUM, UNSIGNED, combined::uniform_factor),
    family("algebra/extended", "d5", ALL, &[Payload::Uint16], combined::extended),
    family("algebra/uniform-choice", "4", ALL, UINT, combined::uniform_choice),
    family("order/halves", "d7", EXTREMES, &[Payload::Uint64], combined::halves),
    family("order/lane-of-least", "-d7", &[Operator::Min], UINT, combined::lane_of_least),
    family("control/branch", "g8", ALL, ANY, combined::branch),
    family("control/waterfall", "-w8", SUM, UINT, combined::waterfall),
    family("boolean/all", "b-6", &[Operator::And], UINT, boolean::all),
    family("boolean/any", "b-6", &[Operator::Or], UINT, boolean::any),
    family("boolean/parity", "b-6", &[Operator::Xor], UINT, boolean::parity),
    family("count/reduce", "b-6", SUM, UINT, boolean::count),
    family("count/prefix", "b-6", SUM, UINT, boolean::prefix),
    family("count/rank-by-loop", "gsb-6", SUM, UINT, boolean::rank),
    family("count/selected", "gb-6", SUM, UINT, boolean::selected),
    family("reduce/two-levels", "gb2", ALL, ANY, trees::two_levels),
    family("reduce/clusters-then-leaders", "f4", SUMS, ANY, trees::clusters_then_leaders),
    family("reduce/falling-butterfly", "f3", ALL, ANY, trees::falling_butterfly),
    family("reduce/tree-down", "fgs3", SUMS, ANY, trees::tree_down),
    family("reduce/falling-lanes", "gb2", ALL, ANY, trees::falling_lanes),
    family("reduce/early-exit", "b2", ALL, ANY, trees::early_exit),
    family("scan/from-above", "fgs3", SUM, UNSIGNED, trees::from_above),
    family("algebra/assumed-uniform", "d4", EXTREMES, UINT, trees::assumed_uniform),
    family("algebra/halves-added", "-4", SUM, UINT, words::halves_added),
    family("algebra/one-of-its-parts", "-4", EXTREMES, UINT, trees::one_of_its_parts),
    family("boolean/all-equal", "-6", &[Operator::And], UINT, trees::all_equal),
    family("boolean/elected", "b-6", &[Operator::And], UINT, trees::elected),
    family("boolean/cluster-vote", "-6", &[Operator::Or], UINT, words::cluster_vote),
    family("bits/added", "b-7", SUM, UINT, words::bits_added),
    family("bits/joined", "-d7", &[Operator::And, Operator::Or], UINT, words::bits_joined),
    family("bits/greatest", "-d7", &[Operator::Max], UINT, words::greatest_by_bits),
    family("count/two-sets", "b-6", SUM, UINT, words::two_sets),
    family("count/set-less-other", "b-6", SUM, UINT, words::set_less_other),
    family("count/packed", "-6", SUM, UINT, words::packed_counts),
    family("count/prefix-by-words", "-6", SUM, UINT, words::prefix_by_words),
    family("order/sign-flipped", "-d7", EXTREMES, &[Payload::Int], words::sign_flipped),
    family("order/value-of-first", "b-d7", SUMS_OR_OR, UINT, words::value_of_first),
    family("float/keys", "-d9", EXTREMES, UINT, words::extreme_of_floats),
    family("float/negated", "-d9", EXTREMES, UINT, words::negated_floats),
];
