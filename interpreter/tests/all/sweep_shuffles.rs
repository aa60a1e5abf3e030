//! Every instruction that moves a value or answers with a set of lanes, over subgroups of every
//! size, held against its sentence written down for one lane in exact integers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::{Numbers, in_set, load, per_lane, run, scalar, states};
use laneproof_interpreter::{CallArgument, LaneValue, Sizes};
use laneproof_module::Program;

/// Functions `NAME(x, y)` or `NAME(x, x2, y)` whose body is one instruction each.
fn module(kernel: bool, functions: &[(&str, &str)]) -> Program {
    let mut text = if kernel {
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability SubgroupShuffleINTEL\n"
            .to_string()
    } else {
        "OpCapability Shader\nOpCapability GroupNonUniformPartitionedNV\n".to_string()
    };
    text += "OpCapability Linkage\nOpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformVote\nOpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformShuffleRelative\nOpCapability GroupNonUniformQuad\nOpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"\n";
    if kernel {
        text += "OpExtension \"SPV_INTEL_subgroups\"\nOpMemoryModel Physical64 OpenCL\n";
    } else {
        text +=
            "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\nOpMemoryModel Logical GLSL450\n";
    }
    for (index, (name, _)) in functions.iter().enumerate() {
        text += &format!("OpName %f{index} \"{name}\"\n");
    }
    text += "%uint = OpTypeInt 32 0\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%ballot = OpTypeVector %uint 4\n%scope = OpConstant %uint 3\n%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%u2 = OpConstant %uint 2\n%three = OpConstant %uint 3\n%fn = OpTypeFunction %uint %uint %uint %uint\n";
    for (index, (_, body)) in functions.iter().enumerate() {
        let body = body.replace('@', &format!("{index}"));
        text += &format!(
            "%f{index} = OpFunction %uint None %fn\n%x{index} = OpFunctionParameter %uint\n%z{index} = OpFunctionParameter %uint\n%y{index} = OpFunctionParameter %uint\n%l{index} = OpLabel\n{body}\nOpReturnValue %r{index}\nOpFunctionEnd\n"
        );
    }
    load(&text)
}

/// A state and operands: data `x` and `z`, an index `y`, by lane.
struct State {
    sizes: Sizes,
    active: u128,
    x: Vec<u64>,
    z: Vec<u64>,
    y: Vec<u64>,
}

/// The value of `data` in lane `from`, undefined where that lane is not active.
fn at(state: &State, data: &[u64], from: i128) -> Option<u64> {
    in_set(state.active, from).then(|| data[from as usize])
}

type Sentence = fn(&State, i128) -> Option<u64>;

fn check(kernel: bool, uniform: bool, rows: &[(&str, &str, Sentence)]) -> usize {
    let functions: Vec<_> = rows.iter().map(|(name, body, _)| (*name, *body)).collect();
    let program = module(kernel, &functions);
    let mut numbers = Numbers(7);
    let mut compared = 0;
    for (sizes, active) in states(&mut numbers) {
        if sizes.max != sizes.subgroup && !kernel {
            continue;
        }
        for _ in 0..4 {
            let existing = sizes.existing;
            let mut values = || (0..existing).map(|_| numbers.next() & 0xffff_ffff).collect();
            let (x, z) = (values(), values());
            let mut index = || match numbers.below(8) {
                0 => numbers.next() & 0xffff_ffff,
                1 => u64::from(sizes.max) + numbers.below(u64::from(sizes.max)),
                _ => numbers.below(u64::from(sizes.subgroup)),
            };
            let same = index();
            let y: Vec<u64> = (0..existing).map(|_| if uniform { same } else { index() }).collect();
            let state = State { sizes, active, x, z, y };
            for (name, _, sentence) in rows {
                let arguments = vec![per_lane(&state.x), per_lane(&state.z), per_lane(&state.y)];
                let finished = run(&program, name, (sizes, active), arguments).unwrap();
                for lane in (0..existing).filter(|lane| in_set(active, i128::from(*lane))) {
                    assert_eq!(
                        scalar(&finished, lane),
                        sentence(&state, i128::from(lane)),
                        "{name} {sizes:?} active {active:#x} lane {lane} y {:?}",
                        state.y
                    );
                    compared += 1;
                }
            }
        }
    }
    compared
}

fn index(state: &State, lane: i128) -> i128 {
    i128::from(state.y[lane as usize])
}

#[test]
fn shuffles_read_the_lane_that_their_sentence_names() {
    let compared = check(
        false,
        false,
        &[
            ("shuffle", "%r@ = OpGroupNonUniformShuffle %uint %scope %x@ %y@", |s, lane| {
                at(s, &s.x, index(s, lane))
            }),
            ("xor", "%r@ = OpGroupNonUniformShuffleXor %uint %scope %x@ %y@", |s, lane| {
                at(s, &s.x, lane ^ index(s, lane))
            }),
            ("up", "%r@ = OpGroupNonUniformShuffleUp %uint %scope %x@ %y@", |s, lane| {
                at(s, &s.x, lane - index(s, lane))
            }),
            ("down", "%r@ = OpGroupNonUniformShuffleDown %uint %scope %x@ %y@", |s, lane| {
                at(s, &s.x, lane + index(s, lane))
            }),
            ("swap", "%r@ = OpGroupNonUniformQuadSwap %uint %scope %x@ %u1", |s, lane| {
                let (row, column) = (lane / 2 % 2, lane % 2);
                at(s, &s.x, lane - lane % 4 + 2 * (1 - row) + column)
            }),
            ("first", "%r@ = OpGroupNonUniformBroadcastFirst %uint %scope %x@", |s, _| {
                (0..128).find_map(|lane| at(s, &s.x, lane))
            }),
        ],
    );
    assert_eq!(compared, 57840);
}

#[test]
fn uniform_operands_select_one_lane_for_all() {
    let compared = check(
        false,
        true,
        &[
            ("broadcast", "%r@ = OpGroupNonUniformBroadcast %uint %scope %x@ %y@", |s, lane| {
                at(s, &s.x, index(s, lane))
            }),
            ("quad", "%r@ = OpGroupNonUniformQuadBroadcast %uint %scope %x@ %y@", |s, lane| {
                let index = index(s, lane);
                if index < 4 { at(s, &s.x, lane - lane % 4 + index) } else { None }
            }),
            ("rotate", "%r@ = OpGroupNonUniformRotateKHR %uint %scope %x@ %y@", |s, lane| {
                at(s, &s.x, (lane + index(s, lane)) % i128::from(s.sizes.subgroup))
            }),
            ("rotate1", "%r@ = OpGroupNonUniformRotateKHR %uint %scope %x@ %y@ %u1", |s, lane| {
                at(s, &s.x, lane)
            }),
        ],
    );
    assert_eq!(compared, 38560);
}

#[test]
fn a_kernel_rotates_within_the_largest_size() {
    let compared = check(
        true,
        true,
        &[("rotate", "%r@ = OpGroupNonUniformRotateKHR %uint %scope %x@ %y@", |s, lane| {
            at(s, &s.x, (lane + index(s, lane)) % i128::from(s.sizes.max))
        })],
    );
    assert_eq!(compared, 12884);
}

#[test]
fn intel_shuffles_read_from_two_sources_side_by_side() {
    let compared = check(
        true,
        false,
        &[
            ("shuffle", "%r@ = OpSubgroupShuffleINTEL %uint %x@ %y@", |s, lane| {
                at(s, &s.x, index(s, lane))
            }),
            ("xor", "%r@ = OpSubgroupShuffleXorINTEL %uint %x@ %y@", |s, lane| {
                at(s, &s.x, lane ^ index(s, lane))
            }),
            ("down", "%r@ = OpSubgroupShuffleDownINTEL %uint %x@ %z@ %y@", |s, lane| {
                let index = (lane + index(s, lane)) % (1 << 32);
                let max = i128::from(s.sizes.max);
                if index < max { at(s, &s.x, index) } else { at(s, &s.z, index - max) }
            }),
            ("up", "%r@ = OpSubgroupShuffleUpINTEL %uint %x@ %z@ %y@", |s, lane| {
                let index = i128::from((lane - index(s, lane)) as i32);
                let max = i128::from(s.sizes.max);
                if index < 0 { at(s, &s.x, index + max) } else { at(s, &s.z, index) }
            }),
        ],
    );
    assert_eq!(compared, 51536);
}

/// How many lanes are in favor, as the lowest bit of `x` has it, of those that `counts` keeps.
fn in_favor(state: &State, counts: impl Fn(i128) -> bool) -> u64 {
    (0..128)
        .filter(|lane| counts(*lane) && at(state, &state.x, *lane).is_some_and(|x| x & 1 == 1))
        .count() as u64
}

#[test]
fn ballots_count_lanes_and_votes_agree_with_them() {
    let vote = "%p@ = OpBitwiseAnd %uint %x@ %u1\n%q@ = OpIEqual %bool %p@ %u1\n";
    let ballot = format!("{vote}%b@ = OpGroupNonUniformBallot %ballot %scope %q@\n");
    let truth = "%r@ = OpSelect %uint %a@ %u1 %u0";
    let bodies = [
        format!("{ballot}%r@ = OpGroupNonUniformBallotBitCount %uint %scope Reduce %b@"),
        format!("{ballot}%r@ = OpGroupNonUniformBallotBitCount %uint %scope InclusiveScan %b@"),
        format!("{ballot}%r@ = OpGroupNonUniformBallotBitCount %uint %scope ExclusiveScan %b@"),
        format!("{ballot}%a@ = OpGroupNonUniformInverseBallot %bool %scope %b@\n{truth}"),
        format!("{ballot}%r@ = OpGroupNonUniformBallotFindLSB %uint %scope %b@"),
        format!("{ballot}%r@ = OpGroupNonUniformBallotFindMSB %uint %scope %b@"),
        format!("{vote}%a@ = OpGroupNonUniformAll %bool %scope %q@\n{truth}"),
        format!("{vote}%a@ = OpGroupNonUniformAny %bool %scope %q@\n{truth}"),
        format!("{vote}%a@ = OpGroupNonUniformAllEqual %bool %scope %q@\n{truth}"),
        format!("%a@ = OpGroupNonUniformElect %bool %scope\n{truth}"),
    ];
    let sentences: [(&str, Sentence); 10] = [
        ("count", |s, _| Some(in_favor(s, |_| true))),
        ("inclusive", |s, lane| Some(in_favor(s, |other| other <= lane))),
        ("exclusive", |s, lane| Some(in_favor(s, |other| other < lane))),
        ("inverse", |s, lane| Some(s.x[lane as usize] & 1)),
        ("lsb", |s, _| {
            (0i128..128)
                .find(|lane| in_favor(s, |other| other == *lane) == 1)
                .map(|lane| lane as u64)
        }),
        ("msb", |s, _| {
            (0i128..128)
                .rev()
                .find(|lane| in_favor(s, |other| other == *lane) == 1)
                .map(|lane| lane as u64)
        }),
        ("all", |s, _| Some(u64::from(in_favor(s, |_| true) == u64::from(s.active.count_ones())))),
        ("any", |s, _| Some(u64::from(in_favor(s, |_| true) > 0))),
        ("equal", |s, _| {
            let (yes, all) = (in_favor(s, |_| true), u64::from(s.active.count_ones()));
            Some(u64::from(yes == 0 || yes == all))
        }),
        ("elect", |s, lane| Some(u64::from((0..lane).all(|other| !in_set(s.active, other))))),
    ];
    let sentences = sentences.map(|(name, sentence): (&str, Sentence)| (name, sentence));
    let rows: Vec<(&str, &str, Sentence)> = sentences
        .iter()
        .zip(&bodies)
        .map(|((name, sentence), body)| (*name, body.as_str(), *sentence))
        .collect();
    let compared = check(false, false, &rows);
    assert_eq!(compared, 96400);
}

#[test]
fn lanes_that_are_not_active_return_nothing_and_their_operands_do_not_show() {
    let program =
        module(false, &[("shuffle", "%r@ = OpGroupNonUniformShuffle %uint %scope %x@ %y@")]);
    let mut numbers = Numbers(3);
    let mut checked = 0;
    for (sizes, active) in states(&mut numbers) {
        let run_with = |hidden: Option<u64>| {
            let operand = |salt: u64| {
                let values = (0..sizes.existing).map(|lane| {
                    let shown = u64::from(lane) * salt % u64::from(sizes.subgroup);
                    let value = if in_set(active, i128::from(lane)) { Some(shown) } else { hidden };
                    LaneValue(vec![value])
                });
                CallArgument::PerLane(values.collect())
            };
            run(&program, "shuffle", (sizes, active), vec![operand(3), operand(1), operand(5)])
                .unwrap()
        };
        let finished = run_with(Some(77));
        assert_eq!(finished, run_with(None), "{sizes:?} {active:#x}");
        for lane in 0..sizes.existing {
            let returned = finished.results[lane as usize].is_some();
            assert_eq!(returned, in_set(active, i128::from(lane)));
            checked += 1;
        }
    }
    assert_eq!(checked, 6308);
}

#[test]
fn a_partition_is_the_finest_that_equality_allows() {
    // Values of two bits, so that many lanes agree.
    let body = "%s@ = OpBitwiseAnd %uint %x@ %three\n%b@ = OpGroupNonUniformPartitionNV %ballot %s@\n%r@ = OpGroupNonUniformBallotBitCount %uint %scope Reduce %b@";
    let first = "%s@ = OpBitwiseAnd %uint %x@ %three\n%b@ = OpGroupNonUniformPartitionNV %ballot %s@\n%r@ = OpGroupNonUniformBallotFindLSB %uint %scope %b@";
    let last = "%s@ = OpBitwiseAnd %uint %x@ %three\n%b@ = OpGroupNonUniformPartitionNV %ballot %s@\n%r@ = OpGroupNonUniformBallotFindMSB %uint %scope %b@";
    fn subset(s: &State, lane: i128) -> Vec<u64> {
        let key = s.x[lane as usize] & 3;
        (0i128..128)
            .filter(|other| at(s, &s.x, *other).is_some_and(|x| x & 3 == key))
            .map(|other| other as u64)
            .collect()
    }
    let compared = check(
        false,
        false,
        &[
            ("count", body, |s, lane| Some(subset(s, lane).len() as u64)),
            ("first", first, |s, lane| subset(s, lane).first().copied()),
            ("last", last, |s, lane| subset(s, lane).last().copied()),
        ],
    );
    assert_eq!(compared, 28920);
}
