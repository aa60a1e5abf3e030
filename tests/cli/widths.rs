//! What people read, on narrow and on wide terminals.

use crate::laneproof::{in_columns, recorded_in_columns};

const CALLS: [&[&str]; 6] = [
    &["verify", "exchange_twice.spvasm"],
    &["verify", "next_lane.spvasm", "--sizes", "16", "--active", "all"],
    &["verify", "next_lane.spvasm", "--sizes", "128", "--active", "all"],
    &["verify", "long_names.spvasm", "--sizes", "8", "--active", "all"],
    &["verify", "division.spvasm", "--sizes", "1"],
    &["spec", "OpGroupNonUniformRotateKHR"],
];

#[test]
fn answers_fit_eighty_columns() {
    recorded_in_columns(80, "answers_fit_eighty_columns", &CALLS);
}

#[test]
fn answers_fit_a_hundred_and_twenty_columns() {
    recorded_in_columns(120, "answers_fit_a_hundred_and_twenty_columns", &CALLS);
}

/// Only words that cannot be broken may exceed the width.
#[test]
fn everything_printed_fits() {
    let calls: [&[&str]; 10] = [
        &["prove", "own/expects-too-much.spvasm", "own/needs-bits.spvasm"],
        &["spec"],
        &["spec", "OpGroupNonUniform"],
        &["prove", "rotate/by-nothing", "rotate/as-shuffle"],
        &["--help"],
        &["verify", "--help"],
        &["run", "kernel.spvasm", "--inputs", "kernel.json"],
        &["fuzz", "--list"],
        &["fuzz", "--tool", "rspirv", "--count", "4"],
        &["validate", "--environment", "opencl", "--list"],
    ];
    for columns in [80, 120] {
        for words in calls {
            let output = in_columns(columns, words);
            assert_ne!(output.exit, 2, "{words:?}: {}", output.err);
            assert!(!output.out.is_empty(), "{words:?} in {columns} columns: nothing");
            for line in output.out.lines().map(str::trim_end) {
                let breakable = line.trim_start().contains(' ');
                let fits = line.chars().count() <= columns || !breakable;
                assert!(fits, "{words:?} in {columns} columns: {line}");
            }
        }
    }
}

/// A list of rules shows the extensions that it names in one piece.
#[test]
fn names_in_lists_are_not_broken() {
    let output = in_columns(80, &["validate", "--environment", "opencl", "--list"]);
    assert_eq!(output.exit, 0, "{}", output.err);
    assert!(output.out.contains("extensions with cl_khr_int64_base_atomics,"), "{}", output.out);
    let second = "       extensions with cl_khr_int64_extended_atomics\n";
    assert!(output.out.contains(second), "{}", output.out);
}
