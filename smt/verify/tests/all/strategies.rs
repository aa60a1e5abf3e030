//! The table of strategies stands in ARCHITECTURE.md as it is in the code.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use laneproof_verify::strategy_table;

const BEGINS: &str = "<!-- strategies -->\n";
const ENDS: &str = "<!-- end of strategies -->";

#[test]
fn the_document_shows_the_table_of_strategies() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let (_, rest) = document.split_once(BEGINS).unwrap();
    let (shown, _) = rest.split_once(ENDS).unwrap();
    assert_eq!(shown, strategy_table(), "put this between the marks:\n{}", strategy_table());
}
