//! What takes long looks at the clock, so that a command ends by its own limits.

use crate::laneproof::command;
use crate::limits::{ended, made, started};

/// Modules whose terms are parts of one another many times over, so that there are far more ways down
/// to some of them than anything can go through, and with many counts and reductions, of which each two
/// are compared.
fn much_shared() -> Vec<(&'static str, String)> {
    let of_steps = |start: &str, step: &str, end: &str| {
        let extensions = ["vote", "ballot", "arithmetic"]
            .map(|it| format!("#extension GL_KHR_shader_subgroup_{it} : require\n"))
            .concat();
        format!(
            "#version 460\n{extensions}uint src(uint x) {{ return subgroupAdd(x); }}\n\
             uint tgt(uint x) {{ {start} for (uint i = 0u; i < 64u; i++) {{ {step} }} {end} }}\n"
        )
    };
    let masks = "uvec4 m = subgroupBallot(x < 3u); uvec4 n = subgroupBallot(x > 7u);";
    vec![
        (
            "masks.comp",
            of_steps(
                masks,
                "uvec4 o = (m & (n ^ i)) | (~m & n); n = m ^ o; m = o | (m & n);",
                "return subgroupBallotBitExtract(m, x & 31u) ? x : subgroupAdd(x);",
            ),
        ),
        (
            "mixed.comp",
            of_steps("uint h = x;", "h = (h ^ (h >> 3u)) * (h | i);", "return (h & 255u) + x;"),
        ),
        (
            "flags.comp",
            of_steps(
                "bool f = x < 3u;",
                "f = (f && subgroupAny(x == i)) || (!f && subgroupAll(f || x != i));",
                "return f ? subgroupAdd(x) : subgroupAdd(x) + 0u;",
            ),
        ),
        (
            "waits.comp",
            "#version 460\n#extension GL_KHR_shader_subgroup_vote : require\n\
             #extension GL_KHR_shader_subgroup_ballot : require\n\
             #extension GL_KHR_shader_subgroup_arithmetic : require\n\
             uint src(uint x, uint k) { for (;;) { if (subgroupBroadcastFirst(k) == k) \
             { return subgroupAdd(x); } } }\n\
             uint tgt(uint x, uint k) { bool open = true; uint r = 0u; do { if (open) \
             { if (subgroupBroadcastFirst(k) == k) { r = subgroupAdd(x); open = false; } } } \
             while (subgroupAny(open)); return r; }\n"
                .to_owned(),
        ),
        (
            "counts.comp",
            of_steps(
                "uint n = 0u;",
                "n = max(n, subgroupBallotInclusiveBitCount(subgroupBallot(x > n + i)));",
                "return n + subgroupMax(subgroupBallotInclusiveBitCount(subgroupBallot(x > 0u)));",
            ),
        ),
        (
            "sums.comp",
            of_steps(
                "uint s = x;",
                "if (subgroupInclusiveAdd(s) > 255u + i) s = subgroupMin(s);",
                "return subgroupAny(subgroupInclusiveAdd(s) > 255u) ? 255u : subgroupAdd(s);",
            ),
        ),
    ]
}

/// It ends by its own limits, long before it is ended.
#[test]
fn what_takes_long_looks_at_the_clock() {
    for (name, text) in much_shared() {
        let path = made(name, &text);
        // What Z3 does between two looks at the clock may take a second.
        let limits = ["--sizes", "2,4,8,16", "--timeout", "2", "--total-timeout", "120"];
        let words = [&["verify", path.to_str().unwrap()][..], &limits].concat();
        let finished = ended(started(command(&words)));
        assert!([0, 1, 3].contains(&finished.exit), "{name}: {}", finished.err);
        assert!(!finished.out.contains("cannot be interrupted"), "{name}: {}", finished.out);
    }
}
