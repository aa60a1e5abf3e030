//! What `verify` takes from the header of a file.

use crate::laneproof::{json, laneproof};

const SCAN: &str = "headers/scan.comp";
/// What the header of [`SCAN`] says, as flags.
const NOTE: &str = "As the file's header says: --sizes 4,8 --active all";

#[test]
fn a_header_says_what_no_flag_does() {
    let by_header = laneproof(&["verify", SCAN]);
    assert_eq!(by_header.exit, 0, "{}", by_header.out);
    assert!(by_header.out.contains(NOTE), "{}", by_header.out);
    assert!(
        by_header.out.contains("for subgroup sizes 4, 8 and all lanes active"),
        "{}",
        by_header.out
    );
    // Flags come first, each for itself.
    let (exit, document) = json(&["verify", SCAN, "--active", "any"]);
    assert_eq!((exit, &document["counterexample"]["subgroup_size"]), (1, &4.into()), "{document}");
    let by_flag = laneproof(&["verify", SCAN, "--active", "any"]).out;
    assert!(by_flag.contains("As the file's header says: --sizes 4,8\n"), "{by_flag}");
    let by_flag = laneproof(&["verify", SCAN, "--sizes", "16"]).out;
    assert!(by_flag.contains("for subgroup size 16 and all lanes active"), "{by_flag}");
    assert!(by_flag.contains("As the file's header says: --active all\n"), "{by_flag}");
    let by_flags = laneproof(&["verify", SCAN, "--sizes", "16", "--active", "all"]).out;
    assert!(!by_flags.contains("header"), "{by_flags}");
}

/// It is about `src` and `tgt` of the file alone.
#[test]
fn a_header_says_nothing_of_other_functions() {
    let named = ["verify", SCAN, "--function", "src", "--target-function", "tgt", "--sizes", "2"];
    let pair = ["verify", SCAN, SCAN, "--sizes", "2"];
    for words in [&named[..], &pair] {
        let found = laneproof(words);
        assert_eq!(found.exit, 1, "{words:?}: {}", found.out);
        assert!(!found.out.contains("header"), "{}", found.out);
    }
}

#[test]
fn a_header_names_specification_files_beside_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/proofs/theorems/partition");
    let file = format!("{folder}/masked-iadd.spvasm");
    let specification = format!("{folder}/masked-reduction.lps");
    for flags in [&[][..], &["--spec", &specification]] {
        let words = [&["verify", &file, "--sizes", "4"], flags].concat();
        let found = laneproof(&words);
        assert_eq!(found.exit, 0, "{words:?}: {}", found.out);
        assert_eq!(found.out.contains("header says: --spec"), flags.is_empty(), "{}", found.out);
    }
}
