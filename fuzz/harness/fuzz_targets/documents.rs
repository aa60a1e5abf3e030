//! Documents of inputs: memory or an error with its place; what is read is written alike.
#![no_main]

use laneproof_oracle::{read_memory, write_memory};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = serde_json::from_slice(bytes) else { return };
    let Ok(memory) = read_memory(&document) else { return };
    let written = write_memory(&memory, &document);
    assert_eq!(read_memory(&written).ok(), Some(memory));
});
