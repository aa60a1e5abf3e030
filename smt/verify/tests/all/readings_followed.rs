//! Every alternative of every reading: the interpreter follows it, or is known not to.
#![allow(clippy::unwrap_used)]

use laneproof_semantics::Specification;
use laneproof_verify::{not_followed, readings, settle};

#[test]
fn a_run_follows_the_alternative_that_is_asked_for_or_is_known_not_to() {
    let specification = Specification::built_in();
    let mut unfollowed = 0;
    for kernel in [false, true] {
        let (_, usual) = settle(specification, kernel, None, &[]).unwrap();
        for (name, reading) in &specification.readings {
            for (alternative, _) in &reading.alternatives {
                let asked = usual.clone().with(name, alternative);
                let found = not_followed(specification, &asked, kernel);
                let is_usual = usual.alternative(name) == Some(alternative);
                // A run is the same then.
                let ignored = !is_usual && readings(&asked) == readings(&usual);
                let expected: Vec<&str> = if ignored { vec![name] } else { vec![] };
                assert_eq!(Vec::from_iter(&found), expected, "{name} = {alternative}");
                unfollowed += usize::from(ignored);
            }
        }
    }
    assert!(unfollowed > 0);
}
