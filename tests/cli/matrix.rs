//! The matrix of `laneproof spec`: every instruction and group operation that the documents are
//! about is in every column.

use serde_json::Value;

use crate::laneproof::{json, laneproof};

#[test]
fn every_cell_that_the_documents_call_for_is_filled() {
    let (exit, document) = json(&["spec"]);
    assert_eq!(exit, 0);
    let rows = document["matrix"].as_array().unwrap();
    // Sixteen non-uniform reductions with seven operations; sixteen uniform ones and one count
    // with three; the others without; built-in variables.
    assert_eq!(rows.len(), 16 * 7 + 17 * 3 + 61);
    let columns = ["clauses", "evaluator", "Z3", "interpreter", "cross-checked", "theorem"];
    let empty = rows.iter().flat_map(|row| {
        let (name, operation) = (&row["instruction"], &row["operation"]);
        let empty = columns.iter().filter(|column| row[**column] != Value::Bool(true));
        empty.map(move |column| format!("{name} {operation}: {column}"))
    });
    let empty: Vec<String> = empty.collect();
    assert!(empty.is_empty(), "empty:\n{}", empty.join("\n"));
}

#[test]
fn the_list_ends_with_the_matrix() {
    let output = laneproof(&["spec"]);
    let (_, matrix) = output.out.split_once("What there is").unwrap();
    for name in ["OpGroupIAdd", "OpGroupNonUniformPartitionNV", "OpSubgroupReadInvocationKHR"] {
        assert!(matrix.contains(name), "{name} is missing");
    }
}
