//! Prints the fingerprints of a document's plain text, as they are kept beside its clauses:
//! `fingerprints FILE`.
#![allow(clippy::print_stdout, missing_docs)]

use laneproof_ambiguity::ledger::Fingerprints;
use laneproof_ambiguity::sentences::sections;

fn main() -> std::io::Result<()> {
    for file in std::env::args_os().skip(1) {
        print!("{}", Fingerprints::of(&sections(&std::fs::read_to_string(file)?)));
    }
    Ok(())
}
