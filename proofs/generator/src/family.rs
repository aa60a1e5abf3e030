//! Families of lowerings: what is lowered, and the algorithm. Each has two wrong variants.

use crate::style::{Operator, Payload};
use crate::text::Text;
use crate::write::Writer;
use crate::{boolean, combined, loops, trees, words};

/// What a style may change in a family.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uses {
    /// It is right only where all lanes are active.
    pub(crate) full: bool,
    pub(crate) guard: bool,
    pub(crate) shape: bool,
    pub(crate) ballots: bool,
    pub(crate) operator: bool,
}

/// A family.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) uses: Uses,
    pub(crate) operators: &'static [Operator],
    pub(crate) payloads: &'static [Payload],
    /// The variant is 0 for the right text.
    pub(crate) write: fn(&Writer, usize) -> Text,
}

const ALL: &[Operator] = &Operator::ALL;
const SUM: &[Operator] = &[Operator::Add];
const SUMS: &[Operator] = &[Operator::Add, Operator::Xor];
const ZERO: &[Operator] = &[Operator::Add, Operator::Or, Operator::Xor, Operator::Max];
const DUAL: &[Operator] = &[Operator::And, Operator::Or, Operator::Min, Operator::Max];
const SUMS_OR_OR: &[Operator] = &[Operator::Add, Operator::Xor, Operator::Or];
const BITWISE: &[Operator] = &[Operator::And, Operator::Or, Operator::Xor];
const EXTREMES: &[Operator] = &[Operator::Min, Operator::Max];
const ANY: &[Payload] = &Payload::ALL;
const UINT: &[Payload] = &[Payload::Uint];
const UNSIGNED: &[Payload] = &[Payload::Uint, Payload::Uint64, Payload::Uint16];

const fn uses(letters: &str) -> Uses {
    let mut uses = Uses { full: false, guard: false, shape: false, ballots: false, operator: true };
    let letters = letters.as_bytes();
    let mut place = 0;
    while place < letters.len() {
        match letters[place] {
            b'f' => uses.full = true,
            b'g' => uses.guard = true,
            b's' => uses.shape = true,
            b'b' => uses.ballots = true,
            _ => uses.operator = false,
        }
        place += 1;
    }
    uses
}

const fn family(
    name: &'static str,
    letters: &str,
    operators: &'static [Operator],
    payloads: &'static [Payload],
    write: fn(&Writer, usize) -> Text,
) -> Family {
    Family { name, uses: uses(letters), operators, payloads, write }
}

/// All families. Letters say what a style changes: `f` all lanes have to be active, `g` guards,
/// `s` shapes of loops, `b` ballots, `-` no operator.
pub(crate) const FAMILIES: &[Family] = &[
    family("reduce/butterfly", "fs", ALL, ANY, loops::butterfly),
    family("reduce/butterfly-by-lane", "fs", ALL, ANY, loops::butterfly_by_lane),
    family("reduce/lanes", "gsb", ALL, ANY, loops::lanes),
    family("reduce/set-bits", "b", ALL, ANY, loops::set_bits),
    family("reduce/fast-path", "gb", ALL, UINT, loops::fast_path),
    family("reduce/last-of-scan", "b", ALL, ANY, combined::last_of_scan),
    family("scan/hillis-steele", "fgs", ALL, ANY, loops::hillis_steele),
    family("scan/hillis-steele-exclusive", "fgs", ALL, ANY, loops::hillis_steele_exclusive),
    family("scan/sklansky", "fgs", ALL, ANY, loops::sklansky),
    family("scan/lanes", "gsb", ALL, ANY, loops::lanes_scan),
    family("scan/lanes-exclusive", "gsb", ALL, ANY, loops::lanes_scan_exclusive),
    family("scan/set-bits", "gb", ALL, ANY, loops::set_bits_scan),
    family("scan/pointer-jumping", "gs", ALL, UINT, loops::pointer_jumping),
    family("scan/exclusive-and-own", "g", ALL, ANY, combined::exclusive_and_own),
    family("scan/inclusive-less-own", "", SUMS, ANY, combined::inclusive_less_own),
    family("cluster/butterfly", "f", ALL, ANY, loops::clustered_butterfly),
    family("cluster/lanes", "gb", ALL, ANY, loops::clustered_lanes),
    family("cluster/difference-of-scans", "f", SUM, UNSIGNED, combined::difference_of_scans),
    family("algebra/uniform", "b", ALL, UINT, combined::uniform),
    family("algebra/dual", "", DUAL, UNSIGNED, combined::dual),
    family("algebra/one-lane", "g", ZERO, UNSIGNED, combined::one_lane),
    family("algebra/shifted", "", BITWISE, UNSIGNED, combined::shifted),
    family("algebra/uniform-factor", "", SUM, UNSIGNED, combined::uniform_factor),
    family("algebra/extended", "", ALL, &[Payload::Uint16], combined::extended),
    family("algebra/uniform-choice", "", ALL, UINT, combined::uniform_choice),
    family("order/halves", "", EXTREMES, &[Payload::Uint64], combined::halves),
    family("order/lane-of-least", "-", &[Operator::Min], UINT, combined::lane_of_least),
    family("control/branch", "g", ALL, ANY, combined::branch),
    family("control/waterfall", "-", SUM, UINT, combined::waterfall),
    family("boolean/all", "b-", &[Operator::And], UINT, boolean::all),
    family("boolean/any", "b-", &[Operator::Or], UINT, boolean::any),
    family("boolean/parity", "b-", &[Operator::Xor], UINT, boolean::parity),
    family("count/reduce", "b-", SUM, UINT, boolean::count),
    family("count/prefix", "b-", SUM, UINT, boolean::prefix),
    family("count/rank-by-loop", "gsb-", SUM, UINT, boolean::rank),
    family("count/selected", "gb-", SUM, UINT, boolean::selected),
    family("reduce/two-levels", "gb", ALL, ANY, trees::two_levels),
    family("reduce/clusters-then-leaders", "f", SUMS, ANY, trees::clusters_then_leaders),
    family("reduce/falling-butterfly", "f", ALL, ANY, trees::falling_butterfly),
    family("reduce/tree-down", "fgs", SUMS, ANY, trees::tree_down),
    family("reduce/falling-lanes", "gb", ALL, ANY, trees::falling_lanes),
    family("reduce/early-exit", "b", ALL, ANY, trees::early_exit),
    family("scan/from-above", "fgs", SUM, UNSIGNED, trees::from_above),
    family("algebra/assumed-uniform", "", EXTREMES, UINT, trees::assumed_uniform),
    family("algebra/halves-added", "-", SUM, UINT, words::halves_added),
    family("algebra/one-of-its-parts", "-", EXTREMES, UINT, trees::one_of_its_parts),
    family("boolean/all-equal", "-", &[Operator::And], UINT, trees::all_equal),
    family("boolean/elected", "b-", &[Operator::And], UINT, trees::elected),
    family("boolean/cluster-vote", "-", &[Operator::Or], UINT, words::cluster_vote),
    family("bits/added", "b-", SUM, UINT, words::bits_added),
    family("bits/joined", "-", &[Operator::And, Operator::Or], UINT, words::bits_joined),
    family("bits/greatest", "-", &[Operator::Max], UINT, words::greatest_by_bits),
    family("count/two-sets", "b-", SUM, UINT, words::two_sets),
    family("count/set-less-other", "b-", SUM, UINT, words::set_less_other),
    family("count/packed", "-", SUM, UINT, words::packed_counts),
    family("count/prefix-by-words", "-", SUM, UINT, words::prefix_by_words),
    family("order/sign-flipped", "-", EXTREMES, &[Payload::Int], words::sign_flipped),
    family("order/value-of-first", "b-", SUMS_OR_OR, UINT, words::value_of_first),
    family("float/keys", "-", EXTREMES, UINT, words::extreme_of_floats),
    family("float/negated", "-", EXTREMES, UINT, words::negated_floats),
];
