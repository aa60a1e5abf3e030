//! `laneproof prove`.

use serde_json::Value;

use crate::laneproof::{json, laneproof, recorded};

fn names(document: &Value) -> Vec<String> {
    let results = document["results"].as_array().unwrap();
    results.iter().map(|result| result["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_summary_counts_what_ran() {
    recorded("a_summary_counts_what_ran", &[&["prove", "rotate/by-nothing", "--jobs", "1"]]);
}

#[test]
fn what_is_not_as_expected_is_listed_and_bad() {
    recorded(
        "what_is_not_as_expected_is_listed_and_bad",
        &[&["prove", "own/expects-too-much.spvasm"], &["prove", "own/needs-bits.spvasm"]],
    );
}

#[test]
fn the_document_lists_every_obligation() {
    let (exit, document) = json(&["prove", "rotate/as-shuffle", "--timeout", "60"]);
    assert_eq!(exit, 0);
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 15);
    assert_eq!(document["obligations"], results.len());
    assert_eq!(document["as_expected"], results.len());
    assert!(document["seconds"].is_number());
    for result in results {
        assert_eq!(result["verdict"], result["expected"]);
        assert!(result["milliseconds"].is_number());
        assert!(["movement", "laws", "bits"].contains(&result["rung"].as_str().unwrap()));
    }
}

#[test]
fn what_is_mutated_is_refuted_or_as_right_as_before() {
    recorded(
        "what_is_mutated_is_refuted_or_as_right_as_before",
        &[
            &["prove", "--mutate", "lowerings/rotate/clustered-16-or"],
            // It has no target.
            &["prove", "--mutate", "built-in/id-alone"],
        ],
    );
    let (exit, document) = json(&["prove", "--mutate", "lowerings/rotate/"]);
    assert_eq!(exit, 0);
    let count = |name: &str| document[name].as_u64().unwrap();
    assert_eq!(count("mutants"), 86);
    assert_eq!(count("mutants"), count("refuted") + count("equivalent"));
    assert_eq!(count("equivalent"), count("equivalent_and_run"));
    let results = document["results"].as_array().unwrap();
    let listed: usize = results.iter().map(|it| it["mutants"].as_array().unwrap().len()).sum();
    assert_eq!(listed as u64, count("mutants"));
}

#[test]
fn results_do_not_depend_on_jobs() {
    let of = |jobs: &str| {
        let (_, document) =
            json(&["prove", "rotate/by-nothing", "shuffle-xor/by-nothing", "--jobs", jobs]);
        let verdicts = document["results"].as_array().unwrap().clone();
        let verdicts: Vec<Value> =
            verdicts.iter().map(|result| result["verdict"].clone()).collect();
        (names(&document), verdicts)
    };
    let one = of("1");
    assert!(one.0.is_sorted());
    assert_eq!(one.0.len(), 6);
    assert_eq!(one, of("3"));
}

#[test]
fn shards_are_a_partition() {
    let of = |shard: &str| names(&json(&["prove", "vote/", "--shard", shard]).1);
    let mut parts = [of("1/3"), of("2/3"), of("3/3")].concat();
    parts.sort();
    let all = of("1/1");
    assert_eq!(all.len(), 74);
    assert_eq!(parts, all);
}

#[test]
fn nothing_that_ran_is_nothing_proved() {
    let (exit, document) = json(&["prove", "own/needs-bits.spvasm", "--shard", "2/2"]);
    assert_eq!((exit, &document["obligations"]), (1, &0.into()));
}

#[test]
fn mistakes_name_what_is_wrong() {
    recorded(
        "mistakes_name_what_is_wrong",
        &[
            &["prove", "no-such-theorem"],
            &["prove", "next_lane.spvasm"],
            &["prove", "--shard", "3/2"],
            &["prove", "own/does-not-assemble.spvasm"],
            &["prove", "own/needs-bits.spvasm", "--profile", "webgpu"],
        ],
    );
}

#[test]
fn one_that_does_not_load_makes_the_folder_unusable() {
    let (exit, document) = json(&["prove", "own"]);
    assert_eq!(exit, 2);
    assert!(document["error"].as_str().unwrap().contains("does-not-assemble"));
    assert_eq!(laneproof(&["prove", "own"]).exit, 2);
}

#[test]
fn entries_may_be_in_shading_languages() {
    let (exit, document) = json(&["prove", "shading"]);
    assert_eq!((exit, &document["as_expected"]), (0, &3.into()), "{document}");
    let names: Vec<&str> = document["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["next", "two-other-swaps", "two-swaps"]);
    let (exit, document) = json(&["prove", "--mutate", "shading/next.comp"]);
    assert_eq!(exit, 0, "{document}");
    let mutants = document["results"][0]["mutants"].as_array().unwrap();
    assert!(!mutants.is_empty(), "{document}");
    for mutant in mutants {
        assert!(mutant["instruction"].as_str().unwrap().contains("Op"), "{mutant}");
    }
}

/// The command that reproduces an entry has the options of its header.
#[test]
fn the_command_that_shows_an_entry_has_the_states_of_its_header() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove commands");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("it's.comp");
    let text = "// one is two\n// expect: proved\n// sizes: 4,8\n// active: all\n// partial: yes\n\
                // subgroup: any\n// profile: literal\n// reading: unmet-must=undefined-value\n\
                // why: it is not\n#version 460\nuint src() { return 1u; }\nuint tgt() { return 2u; }\n";
    std::fs::write(&path, text).unwrap();
    let output = laneproof(&["prove", path.to_str().unwrap()]);
    assert_eq!(output.exit, 1, "{}{}", output.out, output.err);
    let line = output.out.lines().find(|line| line.trim().starts_with("laneproof verify")).unwrap();
    let given = " --sizes 4,8 --active all --partial --any-subgroup --profile literal \
                 --reading unmet-must=undefined-value";
    assert_eq!(line.trim().split_once("comp'").unwrap().1, given);
    assert!(line.contains(r"/it'\''s.comp'"), "{line}");
}
