//! The matrix of `laneproof spec`: every instruction and group operation that the documents are
//! about is in every column, or it is said why it cannot be.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::laneproof::{json, laneproof};

/// What is not there, by name or part of it, columns, and why.
const EMPTY: &[(&str, &[&str], &str)] = &[
    ("OpGroupAsyncCopy", ENGINES, COPY),
    ("OpGroupAsyncCopy", &["theorem"], COPY),
    ("OpGroupWaitEvents", ENGINES, COPY),
    ("OpGroupWaitEvents", &["theorem"], COPY),
];

const ENGINES: &[&str] = &["evaluator", "Z3", "interpreter", "cross-checked"];

/// No state of the engines has it: clauses say who must come, modules with events are not modelled.
const COPY: &str = "what it copies is in flight from the copy to the wait, while lanes go on";

#[test]
fn every_cell_that_the_documents_call_for_is_filled() {
    let (exit, document) = json(&["spec"]);
    assert_eq!(exit, 0);
    let rows = document["matrix"].as_array().unwrap();
    // Sixteen non-uniform reductions with seven operations; sixteen uniform ones and one count
    // with three; the others without; built-in variables.
    assert!(rows.len() >= 16 * 7 + 17 * 3 + 43 + 12, "only {} rows", rows.len());
    let mut missing = Vec::new();
    let mut used = BTreeSet::new();
    for row in rows {
        let name = row["instruction"].as_str().unwrap();
        let filled = |column: &str| row[column] == Value::Bool(true);
        let columns = ENGINES.iter().chain(&["clauses", "theorem"]);
        for column in columns.filter(|column| !filled(column)) {
            let fits = |(prefix, columns, _): &(&str, &[&str], &str)| {
                name.starts_with(prefix) && columns.contains(column)
            };
            match EMPTY.iter().position(fits) {
                Some(index) => _ = used.insert(index),
                None => missing.push(format!("{name} {}: {column}", row["operation"])),
            }
        }
    }
    assert!(missing.is_empty(), "empty without a reason:\n{}", missing.join("\n"));
    assert_eq!(used.len(), EMPTY.len(), "some reasons are out of date, others are {used:?}");
}

#[test]
fn the_list_ends_with_the_matrix() {
    let said = laneproof(&["spec"]);
    let (_, matrix) = said.out.split_once("What there is").unwrap();
    for name in ["OpGroupIAdd", "OpGroupNonUniformPartitionNV", "OpSubgroupReadInvocationKHR"] {
        assert!(matrix.contains(name), "{name} is missing");
    }
}
