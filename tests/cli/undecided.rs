//! Of what is undecided the document says which kind it is, where it stands, and what may help.

use serde_json::Value;

use crate::{json, laneproof};

fn proof(name: &str) -> String {
    format!("{}/proofs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// `unknown` of the answer to these words, which must be unknown.
fn unknown(words: &[&str]) -> Value {
    let (exit, document) = json(words);
    assert_eq!((exit, &document["verdict"]), (3, &"unknown".into()), "{words:?}: {document}");
    assert!(document["reason"].is_string(), "{document}");
    document["unknown"].clone()
}
