//! A header is parsed, and an invalid one is an error with place and reason.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_proofs::{Active, Header, SubgroupChoice};
use laneproof_verify::{Abstraction, Verdict};

#[test]
fn what_a_header_leaves_out_has_its_default() {
    let header =
        Header::parse("a", "; a claim\n; expect: proved\n; why: because\n\nOpNop\n").unwrap();
    assert_eq!(header.title, "a claim");
    assert_eq!(header.expect, Verdict::Proved);
    assert_eq!(header.states.sizes, [1, 2, 4, 8, 16, 32, 64, 128]);
    assert!(header.states.subgroups.is_empty());
    assert_eq!(header.states.active, Active::Any);
    assert!(!header.states.partial);
    assert_eq!(header.why, "because");
    assert_eq!(
        (header.profile, header.abstraction, header.origin, header.mutant_of),
        (None, None, None, None)
    );
    assert!(header.readings.is_empty() && header.specs.is_empty() && header.covers.is_empty());
}

#[test]
fn everything_that_a_header_says_is_read() {
    let text = "; a claim\n; and more of it, in prose: none of this is a key\n; expect: refuted\n\
        ; sizes: 4, 8\n; subgroups: 1, 3\n; profile: opencl\n; reading: a = b\n; reading: c = d\n; active: all\n\
        ; partial: yes\n; subgroup: any\n; rung: laws\n; spec: x.lps\n; spec: y.lps\n\
        ; covers: ROT-1\n; covers: ROT-2\n; origin: someone: somewhere\n\
        ; mutant-of: b\n; why: because\n\n; sizes: 1\n";
    let header = Header::parse("a", text).unwrap();
    assert_eq!(header.expect, Verdict::Refuted);
    assert_eq!(header.states.sizes, [4, 8]);
    assert_eq!(header.states.subgroups, [1, 3]);
    assert_eq!(header.profile.as_deref(), Some("opencl"));
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(header.readings, [pair("a", "b"), pair("c", "d")]);
    assert_eq!(header.states.active, Active::All);
    assert!(header.states.partial);
    assert_eq!(header.states.subgroup, SubgroupChoice::Any);
    assert_eq!(header.abstraction, Some(Abstraction::Laws));
    assert_eq!(header.specs, ["x.lps", "y.lps"]);
    assert_eq!(header.covers, ["ROT-1", "ROT-2"]);
    assert_eq!(header.origin.as_deref(), Some("someone: somewhere"));
    assert_eq!(header.mutant_of.as_deref(), Some("b"));
}

const NO_TITLE: &str = "f:1: expected a comment that says in words what is claimed: a line of \"; …\", \
                        in GLSL and WGSL \"// …\"; `laneproof verify` needs none";

#[test]
fn a_header_that_does_not_read_says_where_and_why() {
    let cases = [
        ("", NO_TITLE),
        ("OpNop", NO_TITLE),
        ("; expect: proved", NO_TITLE),
        ("; t", "f:1: the header has no `expect`; add \"expect: proved\""),
        (
            "; t\n; expect: proved",
            "f:2: the header has no `why`; add \"why: the reason for the verdict\"",
        ),
        ("; t\n; expect: true", "f:2: expected proved, refuted, unknown or vacuous, found `true`"),
        ("; t\n; expect: proved\n; expect: proved", "f:3: `expect` is given twice"),
        ("; t\n; expect:", "f:2: expected a value, found ``"),
        (
            "; t\n; size: 4",
            "f:2: unknown key `size`; keys are expect, sizes, subgroups, profile, reading, active, partial, \
             subgroup, rung, invariant, spec, covers, origin, mutant-of, why",
        ),
        (
            "; t\n; sizes: 3",
            "f:2: expected `all`, or powers of two up to 128 with commas between them, found `3`",
        ),
        (
            "; t\n; sizes: 4,256",
            "f:2: expected `all`, or powers of two up to 128 with commas between them, found `256`",
        ),
        (
            "; t\n; sizes: 0",
            "f:2: expected `all`, or powers of two up to 128 with commas between them, found `0`",
        ),
        ("; t\n; active: some", "f:2: expected any or all, found `some`"),
        ("; t\n; partial: maybe", "f:2: expected yes or no, found `maybe`"),
        ("; t\n; subgroup: 3", "f:2: expected first or any, found `3`"),
        (
            "; t\n; rung: top",
            "f:2: expected induction, movement, laws, diagrams or bits, found `top`",
        ),
        (
            "; t\n; reading: a",
            "f:2: expected a reading and its alternative, `name = alternative`, found `a`",
        ),
    ];
    for (text, message) in cases {
        let error = Header::parse("f", text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}
